//! What can be wrong about a request to play or to search.

use crate::core::{Player, Turn};

/// Why playouts, a search or a match cannot start. Says which setting, and what would be right.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchError {
    /// A setting has a value that it cannot have.
    Setting {
        /// The name of the setting, e.g. `exploration`.
        name: &'static str,
        /// What is wrong with its value and what would be right.
        problem: String,
    },
    /// The view belongs to a player who is not to decide.
    NotToMove {
        /// Whose view it is.
        observer: Player,
        /// Who must answer instead.
        turn: Turn,
    },
    /// The memory cap is too small for the first node of every worker.
    Memory {
        /// The cap in bytes.
        given: usize,
        /// The least cap in bytes that this search can work with.
        needed: usize,
    },
}

impl SearchError {
    pub(super) fn setting(name: &'static str, problem: impl Into<String>) -> Self {
        Self::Setting { name, problem: problem.into() }
    }
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setting { name, problem } => write!(formatter, "{name}: {problem}"),
            Self::NotToMove { observer, turn } => {
                write!(formatter, "the view is player {observer}'s, but ")?;
                match turn {
                    Turn::Act(player) => {
                        write!(formatter, "player {player} is to decide; search the view of player {player}")
                    }
                    Turn::Chance => formatter.write_str("chance is to answer; resolve it first"),
                    Turn::Over => formatter.write_str("the game is over"),
                }
            }
            Self::Memory { given, needed } => write!(
                formatter,
                "memory: {given} bytes do not hold the first node of every worker; this search needs at least {needed}"
            ),
        }
    }
}

impl std::error::Error for SearchError {}
