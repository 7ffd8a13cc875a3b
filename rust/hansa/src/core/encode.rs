//! Actions, states and views as numbers, text and JSON.

use serde_json::Value;

use super::Game;

/// A text that is no move of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotationError {
    /// What is wrong, what was read, and what would be right.
    pub message: String,
}

impl std::fmt::Display for NotationError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for NotationError {}

/// Data that is no state, view or record of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// Where, as a path of keys, e.g. `players[1].hand`; empty for the whole.
    pub path: String,
    /// What is wrong there and what would be right.
    pub problem: String,
}

impl FormatError {
    /// A problem at a place.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { path: path.into(), problem: problem.into() }
    }
}

impl std::fmt::Display for FormatError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.is_empty() {
            formatter.write_str(&self.problem)
        } else {
            write!(formatter, "{}: {}", self.path, self.problem)
        }
    }
}

impl std::error::Error for FormatError {}

/// Dense indices, notation, canonical JSON, bytes and observations. Indices never depend on the state.
pub trait Encode: Game {
    /// Actions have the indices `0..action_count()`.
    fn action_count(&self) -> usize;
    /// The index of an action.
    fn action_index(&self, action: Self::Action) -> usize;
    /// The action of an index below [`action_count`](Encode::action_count), whether or not it is ever legal.
    fn action_at(&self, index: usize) -> Option<Self::Action>;
    /// Chance outcomes have the indices `0..chance_count()`.
    fn chance_count(&self) -> usize;
    /// The index of a chance outcome.
    fn chance_index(&self, outcome: Self::Chance) -> usize;
    /// The chance outcome of an index.
    fn chance_at(&self, index: usize) -> Option<Self::Chance>;

    /// The action as a line of the notation.
    fn action_notation(&self, action: Self::Action) -> String;
    /// The inverse of [`action_notation`](Encode::action_notation).
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse_action(&self, text: &str) -> Result<Self::Action, NotationError>;
    /// The chance outcome as a line of the notation.
    fn chance_notation(&self, outcome: Self::Chance) -> String;
    /// The inverse of [`chance_notation`](Encode::chance_notation).
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse_chance(&self, text: &str) -> Result<Self::Chance, NotationError>;

    /// The canonical state.
    fn state_json(&self, state: &Self::State) -> Value;
    /// The state of a canonical state; checks that such a position can exist.
    ///
    /// # Errors
    /// Where and what is wrong.
    fn state_from_json(&self, json: &Value) -> Result<Self::State, FormatError>;
    /// The view as JSON: the keys of the canonical state, `null` or a count where the player cannot know.
    fn view_json(&self, view: &Self::View) -> Value;
    /// The view of such a JSON.
    ///
    /// # Errors
    /// Where and what is wrong.
    fn view_from_json(&self, json: &Value, observer: usize) -> Result<Self::View, FormatError>;

    /// Appends the state as bytes.
    fn state_bytes(&self, state: &Self::State, out: &mut Vec<u8>);
    /// The inverse of [`state_bytes`](Encode::state_bytes); checks that such a position can exist.
    ///
    /// # Errors
    /// What is wrong.
    fn state_from_bytes(&self, bytes: &[u8]) -> Result<Self::State, FormatError>;
    /// Appends the view as bytes.
    fn view_bytes(&self, view: &Self::View, out: &mut Vec<u8>);
    /// The inverse of [`view_bytes`](Encode::view_bytes); checks that such a view can exist.
    ///
    /// # Errors
    /// What is wrong.
    fn view_from_bytes(&self, bytes: &[u8]) -> Result<Self::View, FormatError>;

    /// Names and lengths of the parts of an observation, in order.
    fn observation_layout(&self) -> Vec<(String, usize)>;
    /// Length of an observation.
    fn observation_size(&self) -> usize {
        self.observation_layout().iter().map(|(_, length)| length).sum()
    }
    /// Writes the view as numbers into `out`, which has [`observation_size`](Encode::observation_size) places.
    fn observe(&self, view: &Self::View, out: &mut [f32]);
}
