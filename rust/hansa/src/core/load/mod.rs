//! Loading a game: what the catalogue tells about it, its options, and its rule data with a user's override.
//!
//! The numbers and pieces of a game stand in one TOML text that is built into the engine. A user may override parts of
//! it with a document of the same form; [`Rules`] describes how the two are merged. Whatever is wrong is collected, so
//! that one look at the error is enough: [`RulesError`] lists every problem with its key path and its line.

mod merge;
mod node;
mod options;
mod problem;
mod reader;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use super::Game;

pub use options::{OptionError, Options};
pub use problem::{Problem, RulesError, nearest};
pub use reader::Reader;
pub use rules::{Override, Rules, canonical_json};

/// A choice that belongs to the rules of a game, such as a variant of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOption {
    /// The name, as in records.
    pub name: &'static str,
    /// The values that can be chosen; the first is the default. Never empty.
    pub values: &'static [&'static str],
    /// What it changes, in one line.
    pub about: &'static str,
}

/// What there is to know about a game before it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameInfo {
    /// The name in records and on command lines.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The game in one or two lines.
    pub about: &'static str,
    /// Steps when the rules as implemented change, so that old records can be told apart.
    pub version: u32,
    /// How many can play.
    pub players: RangeInclusive<usize>,
    /// The options, in the order in which they are shown.
    pub options: &'static [GameOption],
    /// The rule data: a TOML text with its provenance in comments and notes, and a good start for an override, since
    /// the whole text is itself a valid one that changes nothing.
    pub data: &'static str,
    /// The file name of the rule data, for messages.
    pub data_name: &'static str,
}

/// A game that can be made from its rule data.
pub trait Load: Game {
    /// The game at a table of `players`, one of `info.players`, under options that were resolved for `info`.
    ///
    /// # Errors
    /// Every problem of the rule data that matters at this table under these options.
    fn load(info: &'static GameInfo, rules: &Rules, players: usize, options: &Options) -> Result<Self, RulesError>;
}

/// A loaded game with what it was loaded from.
#[derive(Debug, Clone)]
pub struct Loaded<G> {
    /// The game.
    pub game: G,
    /// The merged rule data.
    pub rules: Rules,
    /// The options in force.
    pub options: Options,
}

/// Loads a game: checks the number of players and the options, merges the override, reads and checks the rule data.
///
/// # Errors
/// The wrong number of players, the first wrong option, or every problem of the rule data.
pub fn load<G: Load>(
    info: &'static GameInfo,
    over: Override<'_>,
    players: usize,
    given: &BTreeMap<String, String>,
) -> Result<Loaded<G>, LoadError> {
    if !info.players.contains(&players) {
        return Err(LoadError::Players { game: info.id, given: players, possible: info.players.clone() });
    }
    let options = Options::resolve(info, given)?;
    let (rules, mut problems) = Rules::merge(info, over);
    match G::load(info, &rules, players, &options) {
        Ok(game) => {
            RulesError::unless_empty(problems)?;
            Ok(Loaded { game, rules, options })
        }
        Err(error) => {
            problems.extend(error.problems);
            Err(LoadError::Rules(RulesError::new(problems)))
        }
    }
}

/// Checks an override for every number of players and every combination of options.
///
/// # Errors
/// Every problem, each one once.
pub fn check<G: Load>(info: &'static GameInfo, over: Override<'_>) -> Result<Rules, RulesError> {
    let (rules, mut problems) = Rules::merge(info, over);
    for options in Options::every(info) {
        for players in info.players.clone() {
            if let Err(error) = G::load(info, &rules, players, &options) {
                problems.extend(error.problems);
            }
        }
    }
    RulesError::unless_empty(problems)?;
    Ok(rules)
}

/// Why a game cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// No game has this name.
    UnknownGame {
        /// The name asked for.
        given: String,
        /// The most similar name, if one is similar.
        nearest: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// The game is not for so many or so few.
    Players {
        /// The name of the game.
        game: &'static str,
        /// The number asked for.
        given: usize,
        /// The numbers that are possible.
        possible: RangeInclusive<usize>,
    },
    /// A wrong option.
    Option(OptionError),
    /// Wrong rule data.
    Rules(RulesError),
}

impl LoadError {
    /// The error for a game that is none of `known`.
    pub fn unknown_game<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let nearest = nearest(given, known.iter().map(String::as_str)).map(str::to_owned);
        Self::UnknownGame { given: given.to_owned(), nearest, known }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownGame { given, nearest: Some(nearest), .. } => {
                write!(formatter, "no game is called `{given}`; did you mean `{nearest}`?")
            }
            Self::UnknownGame { given, nearest: None, known } => {
                write!(formatter, "no game is called `{given}`; the games are {}", known.join(", "))
            }
            Self::Players { game, given, possible } => {
                let (least, most) = (possible.start(), possible.end());
                write!(formatter, "`{game}` is for {least} to {most} players, not for {given}")
            }
            Self::Option(error) => error.fmt(formatter),
            Self::Rules(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Option(error) => Some(error),
            Self::Rules(error) => Some(error),
            Self::UnknownGame { .. } | Self::Players { .. } => None,
        }
    }
}

impl From<OptionError> for LoadError {
    fn from(error: OptionError) -> Self {
        Self::Option(error)
    }
}

impl From<RulesError> for LoadError {
    fn from(error: RulesError) -> Self {
        Self::Rules(error)
    }
}
