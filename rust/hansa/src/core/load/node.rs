//! An override as a tree, from text or from a mapping, with the line of every part.

use serde_json::{Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Problem;

/// A part of an override.
#[derive(Debug)]
pub(super) struct Node {
    /// Where its key stands in the text, or the part itself when it has none.
    pub(super) line: Option<usize>,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// A string, an integer of 64 bits, a float or a boolean.
    Scalar(Value),
    Array(Vec<Node>),
    Table(Vec<(String, Node)>),
    /// What rule data cannot hold, in words.
    Alien(String),
}

/// Arrays and tables in each other at most. No rule data comes near it.
const DEEPEST: usize = 64;

impl Node {
    /// The tree of a TOML text.
    ///
    /// # Errors
    /// The errors of syntax, at most one a line.
    pub(super) fn from_toml(text: &str) -> Result<Self, Vec<Problem>> {
        let lines = Lines::new(text);
        let (table, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            return Ok(lines.table(1, table.get_ref(), 0));
        }
        let mut problems: Vec<Problem> = Vec::new();
        for error in errors {
            let line = error.span().map(|span| lines.at(span.start));
            // What follows on the same line is mostly an echo of the first error.
            if !problems.iter().any(|problem| problem.line == line) {
                problems.push(Problem { path: String::new(), line, message: format!("not TOML: {}", error.message()) });
            }
        }
        Err(problems)
    }

    /// The tree of a mapping.
    pub(super) fn from_json(value: &Value) -> Self {
        Self::json_at(value, 0)
    }

    fn json_at(value: &Value, depth: usize) -> Self {
        let content = match value {
            Value::Array(_) | Value::Object(_) if depth >= DEEPEST => too_deep(),
            Value::Array(items) => Content::Array(items.iter().map(|item| Self::json_at(item, depth + 1)).collect()),
            Value::Object(entries) => {
                let entry = |(key, value): (&String, &Value)| (key.clone(), Self::json_at(value, depth + 1));
                Content::Table(entries.iter().map(entry).collect())
            }
            Value::Number(number) if number.is_u64() && !number.is_i64() => beyond(number),
            Value::Null => Content::Alien("null".into()),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => Content::Scalar(value.clone()),
        };
        Self { line: None, content }
    }
}

fn too_deep() -> Content {
    Content::Alien(format!("nested more than {DEEPEST} deep"))
}

fn beyond(number: impl std::fmt::Display) -> Content {
    Content::Alien(format!("{number}, beyond the integers of 64 bits"))
}

/// Where the lines of a text begin.
struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    fn new(text: &str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect();
        Self { starts }
    }

    /// The line, from 1, of a byte.
    fn at(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte)
    }

    fn table(&self, line: usize, table: &DeTable<'_>, depth: usize) -> Node {
        let entries = table.iter().map(|(key, value)| {
            let line = self.at(key.span().start);
            (key.get_ref().to_string(), self.node(line, value, depth + 1))
        });
        Node { line: Some(line), content: Content::Table(entries.collect()) }
    }

    fn node(&self, line: usize, value: &Spanned<DeValue<'_>>, depth: usize) -> Node {
        let content = match value.get_ref() {
            DeValue::Array(_) | DeValue::Table(_) if depth >= DEEPEST => too_deep(),
            DeValue::Table(table) => return self.table(line, table, depth),
            DeValue::Array(items) => {
                let item = |item: &Spanned<DeValue<'_>>| self.node(self.at(item.span().start), item, depth + 1);
                Content::Array(items.iter().map(item).collect())
            }
            DeValue::String(text) => Content::Scalar(Value::from(text.as_ref())),
            DeValue::Boolean(truth) => Content::Scalar(Value::from(*truth)),
            DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
                Ok(integer) => Content::Scalar(Value::from(integer)),
                Err(_) => beyond(integer),
            },
            DeValue::Float(float) => match float.as_str().parse().ok().and_then(Number::from_f64) {
                Some(number) => Content::Scalar(Value::Number(number)),
                None => Content::Alien(format!("{}, no finite float", float.as_str())),
            },
            DeValue::Datetime(_) => Content::Alien("a date or time".into()),
        };
        Node { line: Some(line), content }
    }
}

/// The kind of a value in words, with its article.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a float",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "a table",
    }
}

impl Content {
    /// What it is, in words, for "is ..., must be ...".
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Scalar(value) => kind(value).into(),
            Self::Array(_) => "an array".into(),
            Self::Table(_) => "a table".into(),
            Self::Alien(what) => what.clone(),
        }
    }
}
