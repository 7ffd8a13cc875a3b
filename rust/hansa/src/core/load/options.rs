//! The options of a game, chosen.

use std::collections::BTreeMap;
use std::fmt;

use super::{GameInfo, GameOption, nearest};

/// A value for every option of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    chosen: Vec<(&'static GameOption, &'static str)>,
}

impl Options {
    /// The given values, and the default of every option that is not given.
    ///
    /// # Errors
    /// The first given name or value that the game does not have.
    pub fn resolve(info: &GameInfo, given: &BTreeMap<String, String>) -> Result<Self, OptionError> {
        let mut options = Self::defaults(info);
        for (name, value) in given {
            let Some(place) = options.chosen.iter_mut().find(|(option, _)| option.name == name) else {
                let known: Vec<&'static str> = info.options.iter().map(|option| option.name).collect();
                let nearest = nearest(name, known.iter().copied());
                return Err(OptionError::Name { game: info.id, given: name.clone(), nearest, known });
            };
            let Some(known) = place.0.values.iter().find(|known| *known == value) else {
                let (name, known) = (place.0.name, place.0.values);
                return Err(OptionError::Value { game: info.id, name, given: value.clone(), known });
            };
            place.1 = known;
        }
        Ok(options)
    }

    /// The default of every option.
    #[must_use]
    pub fn defaults(info: &GameInfo) -> Self {
        Self { chosen: info.options.iter().map(|option| (option, option.values[0])).collect() }
    }

    /// Every combination of values, the defaults first.
    #[must_use]
    pub fn every(info: &GameInfo) -> Vec<Self> {
        let mut every = vec![Self { chosen: Vec::new() }];
        for option in info.options {
            every = every
                .iter()
                .flat_map(|shorter| {
                    option.values.iter().map(|value| {
                        let mut longer = shorter.clone();
                        longer.chosen.push((option, *value));
                        longer
                    })
                })
                .collect();
        }
        every
    }

    /// The value of an option.
    ///
    /// # Panics
    /// If the game declares no option of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> &'static str {
        let found = self.chosen.iter().find(|(option, _)| option.name == name);
        found.map(|&(_, value)| value).unwrap_or_else(|| panic!("the game declares no option `{name}`"))
    }

    /// Names and values, in the order in which the game declares them.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.chosen.iter().map(|&(option, value)| (option.name, value))
    }

    /// The options that differ from their defaults, as records store them.
    #[must_use]
    pub fn non_default(&self) -> BTreeMap<String, String> {
        let differing = self.chosen.iter().filter(|(option, value)| option.values[0] != *value);
        differing.map(|&(option, value)| (option.name.to_owned(), value.to_owned())).collect()
    }
}

/// A name or value that is no option of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionError {
    /// The game has no option of this name.
    Name {
        /// The name of the game.
        game: &'static str,
        /// The name asked for.
        given: String,
        /// The most similar name, if one is similar.
        nearest: Option<&'static str>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The option has no such value.
    Value {
        /// The name of the game.
        game: &'static str,
        /// The name of the option.
        name: &'static str,
        /// The value asked for.
        given: String,
        /// All values.
        known: &'static [&'static str],
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { game, given, nearest: Some(nearest), .. } => {
                write!(formatter, "`{game}` has no option `{given}`; did you mean `{nearest}`?")
            }
            Self::Name { game, given, known, .. } if known.is_empty() => {
                write!(formatter, "`{game}` has no options, so none is called `{given}`")
            }
            Self::Name { game, given, known, .. } => {
                write!(formatter, "`{game}` has no option `{given}`; its options: {}", known.join(", "))
            }
            Self::Value { game, name, given, known } => {
                write!(formatter, "option `{name}` of `{game}` cannot be `{given}`; its values: {}", known.join(", "))
            }
        }
    }
}

impl std::error::Error for OptionError {}
