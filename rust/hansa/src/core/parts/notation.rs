//! Reading a line of notation.

use crate::core::NotationError;

/// A text that is no move, and why.
#[must_use]
pub fn error(message: impl Into<String>) -> NotationError {
    NotationError { message: message.into() }
}

/// A word that names no `what`, with the nearest of the `known` names.
#[must_use]
pub fn unknown<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a String>) -> NotationError {
    let nearest = known.min_by_key(|name| strsim::damerau_levenshtein(name, word));
    error(format!("{word:?} is no {what}; the nearest is {:?}", nearest.map_or("", String::as_str)))
}

/// The words of a move, separated by single spaces and nothing else (conventions "Notation").
///
/// # Errors
/// Other white space, or an empty word.
pub fn words(text: &str) -> Result<Vec<&str>, NotationError> {
    let words: Vec<&str> = text.split(' ').collect();
    if words.iter().any(|word| word.is_empty() || word.chars().any(char::is_whitespace)) {
        return Err(error(format!("{text:?}: write lower-case words separated by single spaces")));
    }
    Ok(words)
}
