//! Moves that are refused.

use crate::core::{IllegalMove, NotationError};

/// A move that the rules forbid, with everything that a person wants to know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The move in notation.
    pub notation: String,
    /// Where the rule stands.
    pub rule: &'static str,
    /// What the rule forbids about this move.
    pub reason: String,
    /// Notations of what could be done instead, in index order; empty when the game is over.
    pub legal: Vec<String>,
}

impl Refusal {
    pub(crate) fn new(notation: String, illegal: IllegalMove, legal: Vec<String>) -> Self {
        Self { notation, rule: illegal.rule, reason: illegal.reason, legal }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "`{}` is not possible here: {} ({}); ", self.notation, self.reason, self.rule)?;
        write_legal(formatter, &self.legal)
    }
}

impl std::error::Error for Refusal {}

/// Says what could be done instead, without flooding the screen.
pub(crate) fn write_legal(out: &mut impl std::fmt::Write, legal: &[String]) -> std::fmt::Result {
    const SHOWN: usize = 12;
    if legal.is_empty() {
        return out.write_str("the game is over and takes no more moves");
    }
    out.write_str("possible here: ")?;
    for (number, notation) in legal.iter().take(SHOWN).enumerate() {
        write!(out, "{}`{notation}`", if number == 0 { "" } else { ", " })?;
    }
    if legal.len() > SHOWN {
        write!(out, " and {} more", legal.len() - SHOWN)?;
    }
    Ok(())
}

/// Why a move was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveError {
    /// The rules forbid it here.
    Illegal(Box<Refusal>),
    /// It is no move of the game at all.
    Unknown(NotationError),
}

impl std::fmt::Display for MoveError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Illegal(refusal) => refusal.fmt(formatter),
            Self::Unknown(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for MoveError {}

impl From<NotationError> for MoveError {
    fn from(error: NotationError) -> Self {
        Self::Unknown(error)
    }
}

#[cfg(test)]
mod tests {
    use super::write_legal;

    #[test]
    fn long_lists_are_cut() {
        let legal: Vec<String> = (0..20).map(|index| format!("play {index}")).collect();
        let mut text = String::new();
        write_legal(&mut text, &legal).expect("a String takes everything");
        assert!(
            text.starts_with("possible here: `play 0`, `play 1`") && text.ends_with("`play 11` and 8 more"),
            "{text}"
        );
    }
}
