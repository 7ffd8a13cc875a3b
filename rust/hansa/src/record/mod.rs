//! Records: one game as one line of JSON; replay, and the trace of every position.

mod read;
mod replay;
mod trace;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

pub use self::replay::{Positions, RecordError};
pub use self::trace::{TraceError, trace_line};
use crate::core::Turn;
use crate::table::{AnyGame, Table};

/// The `format` of a record.
pub const FORMAT: &str = "hansa-record";
/// The `version` of the format that is written and read.
pub const VERSION: u64 = 1;

/// One game: what was played, and every move in the order in which it happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    format: &'static str,
    version: u64,
    /// Id of the game.
    pub game: String,
    /// Players at the table.
    pub players: usize,
    /// The options that differ from their defaults.
    pub options: BTreeMap<String, String>,
    /// Digest of the rules in force; a record without one is taken under the rules in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Chance outcomes and actions in notation.
    pub moves: Vec<String>,
    /// The final scores; absent while the game is not over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i64>>,
    /// The final ranks; absent while the game is not over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Vec<i64>>,
    /// All other keys, kept as they were read.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Record {
    /// A record of moves in notation from the start of `game`. Checks nothing.
    #[must_use]
    pub fn new(game: &dyn AnyGame, moves: Vec<String>) -> Self {
        let header = game.header();
        Self {
            format: FORMAT,
            version: VERSION,
            game: header.id.to_owned(),
            players: header.players,
            options: header.options.clone(),
            rules: Some(header.rules.clone()),
            moves,
            scores: None,
            ranks: None,
            extra: Map::new(),
        }
    }

    /// The record with the scores and ranks of `last`, the position after its last move, if the game is over there.
    #[must_use]
    pub fn ended(mut self, last: &dyn Table) -> Self {
        if last.turn() == Turn::Over {
            self.scores = Some(last.scores().iter().map(|&score| i64::from(score)).collect());
            self.ranks = Some(last.ranks().iter().map(|&rank| i64::from(rank)).collect());
        }
        self
    }

    /// The record as one line of JSON, without the end of the line.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record is plain data with text keys")
    }
}
