//! Where the rules of a game came from, kept so that the game can be loaded again.

use serde_json::Value;

use crate::core::load::Override;

/// An override of the embedded rules, owned.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum RulesSource {
    /// None: the rules as embedded.
    #[default]
    Embedded,
    /// A TOML text.
    Text(String),
    /// A mapping.
    Json(Value),
}

impl RulesSource {
    /// The override as [`Rules`](crate::core::load::Rules) takes it.
    #[must_use]
    pub fn as_override(&self) -> Override<'_> {
        match self {
            Self::Embedded => Override::None,
            Self::Text(text) => Override::Text(text),
            Self::Json(value) => Override::Json(value),
        }
    }
}
