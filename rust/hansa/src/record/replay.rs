//! Playing a record from the start.

use std::borrow::Borrow;
use std::sync::Arc;

use super::Record;
use crate::core::Turn;
use crate::core::load::Options;
use crate::table::{AnyGame, MoveError, Table, possible_at, write_legal};

/// Why a record does not replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    /// Number of the move, counted from 0; `None` when no single move is to blame.
    pub index: Option<usize>,
    /// The move in notation; empty when no single move is to blame.
    pub notation: String,
    /// Why it cannot be played.
    pub reason: String,
    /// Notations of what could have been played instead, in index order.
    pub legal: Vec<String>,
}

impl RecordError {
    pub(crate) fn whole(reason: impl Into<String>) -> Self {
        Self { index: None, notation: String::new(), reason: reason.into(), legal: Vec::new() }
    }

    /// The refusal of move number `index` at the position `before` it.
    #[must_use]
    pub fn at(index: usize, notation: &str, before: &dyn Table, error: MoveError) -> Self {
        let (reason, legal) = match error {
            MoveError::Illegal(refusal) => (format!("{} ({})", refusal.reason, refusal.rule), refusal.legal),
            MoveError::Unknown(error) => (error.message, possible_at(before)),
        };
        Self { index: Some(index), notation: notation.to_owned(), reason, legal }
    }
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(index) = self.index else {
            return formatter.write_str(&self.reason);
        };
        write!(formatter, "move {index}, `{}`, cannot be played: {}; ", self.notation, self.reason)?;
        write_legal(formatter, &self.legal)
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// Checks that the record is one of `game`; `any_rules` leaves the digest of the rules unchecked.
    ///
    /// # Errors
    /// What differs.
    pub fn check_game(&self, game: &dyn AnyGame, any_rules: bool) -> Result<(), RecordError> {
        let header = game.header();
        if self.game != header.id || self.players != header.players {
            return Err(RecordError::whole(format!(
                "the record is one of {} with {} players, not of {header}",
                self.game, self.players
            )));
        }
        let options =
            Options::resolve(game.info(), &self.options).map_err(|error| RecordError::whole(error.to_string()))?;
        if options != *game.options() {
            return Err(RecordError::whole(format!(
                "the record has the options {:?}, the game has {:?}; the others are at their defaults",
                options.non_default(),
                header.options
            )));
        }
        match &self.rules {
            Some(rules) if !any_rules && *rules != header.rules => Err(RecordError::whole(format!(
                "the record was made under other rules: it has the digest {rules}, the rules in force have {}",
                header.rules
            ))),
            _ => Ok(()),
        }
    }

    /// Begins to play the record, move by move.
    ///
    /// # Errors
    /// That the record is one of another game, as [`check_game`](Record::check_game).
    pub fn positions<R: Borrow<Self>>(
        record: R,
        game: &Arc<dyn AnyGame>,
        any_rules: bool,
    ) -> Result<Positions<R>, RecordError> {
        record.borrow().check_game(&**game, any_rules)?;
        Ok(Positions { record, table: Arc::clone(game).start(), played: None })
    }

    /// The position after the last move. Recorded scores and ranks are checked there.
    ///
    /// # Errors
    /// That the record is one of another game, the first move that cannot be played, or scores that are not so.
    pub fn replay(&self, game: &Arc<dyn AnyGame>, any_rules: bool) -> Result<Box<dyn Table>, RecordError> {
        let mut positions = Self::positions(self, game, any_rules)?;
        while positions.advance()?.is_some() {}
        Ok(positions.table)
    }

    fn check_end(&self, last: &dyn Table) -> Result<(), RecordError> {
        let scores: Vec<i64> = last.scores().iter().map(|&score| i64::from(score)).collect();
        let ranks: Vec<i64> = last.ranks().iter().map(|&rank| i64::from(rank)).collect();
        for (name, written, played) in [("scores", &self.scores, scores), ("ranks", &self.ranks, ranks)] {
            let Some(written) = written else { continue };
            if last.turn() != Turn::Over {
                let moves = self.moves.len();
                return Err(RecordError::whole(format!(
                    "the record has {name}, but after its {moves} moves the game is not over"
                )));
            }
            if *written != played {
                return Err(RecordError::whole(format!(
                    "the record has the {name} {written:?}, its moves give {played:?}"
                )));
            }
        }
        Ok(())
    }
}

/// A record being played: every position, from the start to the end.
#[derive(Debug)]
pub struct Positions<R> {
    record: R,
    table: Box<dyn Table>,
    /// Moves made; `None` before the start has been shown.
    played: Option<usize>,
}

impl<R: Borrow<Record>> Positions<R> {
    /// The next position with the number of moves before it; `None` after the last one. Recorded scores and ranks are
    /// checked at the last one.
    ///
    /// # Errors
    /// The move that cannot be played, or scores that are not so; the position stays what it was.
    pub fn advance(&mut self) -> Result<Option<(usize, &dyn Table)>, RecordError> {
        let record = self.record.borrow();
        let index = match self.played {
            None => 0,
            Some(played) => {
                let Some(notation) = record.moves.get(played) else { return Ok(None) };
                let read = self.table.read_move(notation).map_err(MoveError::Unknown);
                let made = read.and_then(|mv| self.table.make(mv));
                made.map_err(|error| RecordError::at(played, notation, &*self.table, error))?;
                played + 1
            }
        };
        if index == record.moves.len() {
            record.check_end(&*self.table)?;
        }
        self.played = Some(index);
        Ok(Some((index, &*self.table)))
    }

    /// The position that was shown last.
    #[must_use]
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }
}
