//! The trace of a record: every position as one line of JSON, the same from every engine that follows the same rules.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::{Record, RecordError};
use crate::core::Turn;
use crate::table::{AnyGame, Move, Table};

/// Why a trace was not written to its end.
#[derive(Debug)]
pub enum TraceError {
    /// The record does not replay; the lines before the bad move have been written.
    Record(RecordError),
    /// The lines could not be written.
    Io(io::Error),
}

impl std::fmt::Display for TraceError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Record(error) => error.fmt(formatter),
            Self::Io(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for TraceError {}

impl From<RecordError> for TraceError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

/// Who is asked, as written.
#[derive(Serialize)]
#[serde(untagged)]
enum Asked {
    Player(usize),
    Nobody(&'static str),
}

/// One line of a trace.
#[derive(Serialize)]
struct Line {
    index: usize,
    turn: Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<(String, u32)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<u8>>,
    state: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<Vec<Value>>,
}

impl Line {
    fn of(index: usize, table: &dyn Table, with_views: bool) -> Self {
        let game = table.game();
        let notation = |mv| game.notation(mv).unwrap_or_default();
        let turn = table.turn();
        let legal = matches!(turn, Turn::Act(_)).then(|| {
            let mut indices = Vec::new();
            table.legal_actions(&mut indices);
            let mut legal: Vec<String> = indices.into_iter().map(|index| notation(Move::Action(index))).collect();
            legal.sort_unstable();
            legal
        });
        let outcomes = (turn == Turn::Chance).then(|| {
            let mut weighted = Vec::new();
            table.chance_outcomes(&mut weighted);
            let written = |(index, weight)| (notation(Move::Chance(index)), weight);
            let mut outcomes: Vec<(String, u32)> = weighted.into_iter().map(written).collect();
            outcomes.sort_unstable();
            outcomes
        });
        let over = turn == Turn::Over;
        Self {
            index,
            turn: match turn {
                Turn::Act(player) => Asked::Player(player),
                Turn::Chance => Asked::Nobody("chance"),
                Turn::Over => Asked::Nobody("over"),
            },
            legal,
            outcomes,
            scores: over.then(|| table.scores().iter().copied().collect()),
            ranks: over.then(|| table.ranks().iter().copied().collect()),
            state: table.json(),
            views: with_views.then(|| {
                (0..table.header().players).filter_map(|player| table.view(player)).map(|view| view.json()).collect()
            }),
        }
    }
}

/// One position as a line of a trace, without the end of the line; `index` is the number of moves before it.
#[must_use]
pub fn trace_line(index: usize, table: &dyn Table, views: bool) -> String {
    serde_json::to_string(&Line::of(index, table, views)).expect("a line is plain data with text keys")
}

impl Record {
    /// Writes one line a position, from the empty start to the end, with every player's view if asked.
    ///
    /// # Errors
    /// That the record does not replay (the lines before are written), or that writing failed.
    pub fn trace(
        &self,
        game: &Arc<dyn AnyGame>,
        views: bool,
        any_rules: bool,
        out: &mut dyn Write,
    ) -> Result<(), TraceError> {
        let mut positions = Self::positions(self, game, any_rules)?;
        while let Some((index, table)) = positions.advance()? {
            writeln!(out, "{}", trace_line(index, table, views)).map_err(TraceError::Io)?;
        }
        Ok(())
    }
}
