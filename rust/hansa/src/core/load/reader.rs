//! Reading rule data piece by piece, with every problem noted on the way.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::node::kind;
use super::{Problem, Rules, RulesError};

/// Reads values of the rules, checks them, and keeps what is wrong until the end. Every method gives `None` where it has
/// noted a problem.
#[derive(Debug)]
pub struct Reader<'a> {
    rules: &'a Rules,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// A reader without problems so far.
    #[must_use]
    pub fn new(rules: &'a Rules) -> Self {
        Self { rules, problems: Vec::new() }
    }

    /// Nothing, if nothing was wrong.
    ///
    /// # Errors
    /// Every problem noted.
    pub fn finish(self) -> Result<(), RulesError> {
        RulesError::unless_empty(self.problems)
    }

    /// Notes a problem at a path.
    pub fn problem(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.push(self.rules.problem(path, message));
    }

    /// Notes a problem between several values: at the first of the paths that the override states, or at the last path
    /// if it states none.
    ///
    /// # Panics
    /// If there is no path.
    pub fn conflict(&mut self, paths: &[&str], message: impl Into<String>) {
        let stated = paths.iter().find(|path| self.rules.states(path));
        let path = stated.or(paths.last()).expect("a conflict has a place");
        self.problem(*path, message);
    }

    fn value(&mut self, path: &str) -> Option<&'a Value> {
        let value = self.rules.value(path);
        if value.is_none() {
            self.problem(path, "is missing");
        }
        value
    }

    fn wrong_kind<T>(&mut self, path: &str, value: &Value, right: &str) -> Option<T> {
        self.problem(path, format!("is {}, must be {right}", kind(value)));
        None
    }

    /// An integer in a range. The range lies within the type.
    pub fn integer<T: TryFrom<i64> + Copy + Display + Into<i64>>(
        &mut self,
        path: &str,
        range: RangeInclusive<T>,
    ) -> Option<T> {
        let value = self.value(path)?;
        let Some(integer) = value.as_i64() else { return self.wrong_kind(path, value, "an integer") };
        let (least, most) = (*range.start(), *range.end());
        if (least.into()..=most.into()).contains(&integer) {
            return T::try_from(integer).ok();
        }
        let right = if least.into() == most.into() { least.to_string() } else { format!("{least} to {most}") };
        self.problem(path, format!("is {integer}, must be {right}"));
        None
    }

    /// An array of `length` integers, each in the range.
    pub fn integers<T: TryFrom<i64> + Copy + Display + Into<i64>>(
        &mut self,
        path: &str,
        length: RangeInclusive<usize>,
        range: RangeInclusive<T>,
    ) -> Option<Vec<T>> {
        let count = self.length(path, length)?;
        let integers: Vec<Option<T>> =
            (0..count).map(|index| self.integer(&format!("{path}[{index}]"), range.clone())).collect();
        integers.into_iter().collect()
    }

    /// The length of an array, within limits.
    pub fn length(&mut self, path: &str, limits: RangeInclusive<usize>) -> Option<usize> {
        let value = self.value(path)?;
        let Some(items) = value.as_array() else { return self.wrong_kind(path, value, "an array") };
        if limits.contains(&items.len()) {
            return Some(items.len());
        }
        let (least, most) = (limits.start(), limits.end());
        let right = if least == most { least.to_string() } else { format!("{least} to {most}") };
        self.problem(path, format!("has length {}, must have {right}", items.len()));
        None
    }

    /// A boolean.
    pub fn boolean(&mut self, path: &str) -> Option<bool> {
        let value = self.value(path)?;
        value.as_bool().or_else(|| self.wrong_kind(path, value, "a boolean"))
    }

    /// A string.
    pub fn text(&mut self, path: &str) -> Option<&'a str> {
        let value = self.value(path)?;
        value.as_str().or_else(|| self.wrong_kind(path, value, "a string"))
    }

    /// A string that can be a word of the notation in lower case: letters, digits, `-` and `_`, beginning with a letter, 24
    /// at most, not "none".
    pub fn word(&mut self, path: &str) -> Option<&'a str> {
        let text = self.text(path)?;
        let right = (1..=24).contains(&text.len())
            && text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
            && !text.eq_ignore_ascii_case("none");
        if !right {
            let rule = "must be a letter, then letters, digits, \"-\" and \"_\", 24 at most, and not \"none\"";
            self.problem(path, format!("is {text:?}, {rule}"));
            return None;
        }
        Some(text)
    }

    /// A value that is one of those that the engine implements; gives its place among them.
    pub fn choice(&mut self, path: &str, implemented: &[Value]) -> Option<usize> {
        let value = self.value(path)?;
        let found = implemented.iter().position(|known| known == value);
        if found.is_none() {
            let known: Vec<String> = implemented.iter().map(Value::to_string).collect();
            self.problem(path, format!("is {value}; the engine implements only {}", known.join(" or ")));
        }
        found
    }
}
