//! The merged rule data and its digest.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::merge::Merge;
use super::node::Node;
use super::{GameInfo, Problem, RulesError};

/// What a user wants to be different in the rule data: a partial document of the same form.
#[derive(Debug, Clone, Copy, Default)]
pub enum Override<'a> {
    /// Nothing.
    #[default]
    None,
    /// A TOML text.
    Text(&'a str),
    /// A mapping.
    Json(&'a Value),
}

/// The rule data in force: the embedded document with the override merged in.
///
/// - Tables merge key by key; a key that the embedded data does not have is a problem. A value has the kind that the
///   embedded one has: string, integer of 64 bits, float, boolean, array, table.
/// - A list of tables that all carry `id`, `index` or `code` merges element by element: each element of the override
///   says by one of these keys which one it changes (tried in this order, so `{ id = 3, code = "X" }` renames) and what
///   is different in it. Elements are neither added nor removed that way.
/// - A list by `index` can be replaced: an override list numbered 0, 1, 2, ... in which every element is complete, i.e. has
///   every key that all old elements have, strings aside, takes the place of the old one, longer or shorter.
/// - Any other array replaces the old one; its elements have the kinds and the keys of the old elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    document: Value,
    digest: String,
    stated: BTreeMap<String, Option<usize>>,
}

impl Rules {
    /// The embedded rule data of a game with an override merged in. Kinds and keys are checked here; the meaning is
    /// checked by the game that reads the rules.
    ///
    /// # Errors
    /// Every problem of the override's form.
    pub fn load(info: &GameInfo, over: Override<'_>) -> Result<Self, RulesError> {
        let (rules, problems) = Self::merge(info, over);
        RulesError::unless_empty(problems)?;
        Ok(rules)
    }

    /// Like [`load`](Rules::load), but what is wrong is left as embedded, so that a game can look for further problems in
    /// the rest.
    #[must_use]
    pub fn merge(info: &GameInfo, over: Override<'_>) -> (Self, Vec<Problem>) {
        let mut merge = Merge::default();
        let mut document = Value::Object(serde_json::Map::new());
        match toml::from_str(info.data) {
            Ok(data) => document = data,
            Err(error) => merge.problems.push(Problem {
                path: String::new(),
                line: None,
                message: format!("{} is damaged: {}", info.data_name, error.message()),
            }),
        }
        let node = match over {
            Override::None => None,
            Override::Text(text) => match Node::from_toml(text) {
                Ok(node) => Some(node),
                Err(problems) => {
                    merge.problems.extend(problems);
                    None
                }
            },
            Override::Json(value) => Some(Node::from_json(value)),
        };
        if let Some(node) = node {
            merge.value("", &mut document, &node);
        }
        let digest = Sha256::digest(canonical_json(&document)).iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        (Self { document, digest, stated: merge.stated }, merge.problems)
    }

    /// The merged document.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// SHA-256 of the merged document as [`canonical_json`], 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The value at a path such as `final.deck.cards[3].power`; the empty path is the document.
    #[must_use]
    pub fn value(&self, path: &str) -> Option<&Value> {
        let mut value = &self.document;
        for step in path.split('.').filter(|step| !step.is_empty()) {
            let mut parts = step.split('[');
            value = value.get(parts.next()?)?;
            for index in parts {
                value = value.get(index.strip_suffix(']')?.parse::<usize>().ok()?)?;
            }
        }
        Some(value)
    }

    /// The value at a path, as a type of Rust.
    ///
    /// # Errors
    /// That there is no value, or why it is none of this type.
    pub fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, RulesError> {
        let fail = |message: String| RulesError::new(vec![self.problem(path, message)]);
        let value = self.value(path).ok_or_else(|| fail("is missing".into()))?;
        T::deserialize(value).map_err(|error| fail(error.to_string()))
    }

    /// Whether the override states this path.
    #[must_use]
    pub fn states(&self, path: &str) -> bool {
        self.stated.contains_key(path)
    }

    /// A problem at a path, with its line if the override's text states the path.
    pub fn problem(&self, path: impl Into<String>, message: impl Into<String>) -> Problem {
        let path = path.into();
        let line = self.stated.get(&path).copied().flatten();
        Problem { path, line, message: message.into() }
    }
}

/// JSON with keys in byte order, no spaces, UTF-8, and no escapes but the necessary ones: one text for equal values.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    fn write(value: &Value, text: &mut String) {
        match value {
            Value::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    write(item, text);
                }
                text.push(']');
            }
            Value::Object(entries) => {
                // Sorted here, since a feature of serde_json that some other crate may turn on keeps them unsorted.
                let mut sorted: Vec<_> = entries.iter().collect();
                sorted.sort_unstable_by_key(|&(key, _)| key);
                text.push('{');
                for (index, (key, entry)) in sorted.into_iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    text.push_str(&Value::from(key.as_str()).to_string());
                    text.push(':');
                    write(entry, text);
                }
                text.push('}');
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => text.push_str(&value.to_string()),
        }
    }
    let mut text = String::new();
    write(value, &mut text);
    text
}
