//! Merging an override into the embedded rule data. [`Rules`](super::Rules) states the law.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::node::{Content, Node, kind};
use super::{Problem, nearest};

/// Keys that say which element of a list is meant, in the order in which they are tried: numbers before names, so that
/// a name can be changed.
const IDENTITIES: [&str; 3] = ["id", "index", "code"];

/// Known names that a message lists at most.
const LISTED: usize = 16;

/// A merge under way. What is wrong is noted and left as it was.
#[derive(Debug, Default)]
pub(super) struct Merge {
    pub(super) problems: Vec<Problem>,
    /// The paths that the override states, with their lines.
    pub(super) stated: BTreeMap<String, Option<usize>>,
}

impl Merge {
    /// Merges `node` into the value at `path`.
    pub(super) fn value(&mut self, path: &str, base: &mut Value, node: &Node) {
        self.stated.insert(path.to_owned(), node.line);
        match (base, &node.content) {
            (Value::Object(known), Content::Table(entries)) => {
                for (key, entry) in entries {
                    let path = join(path, key);
                    match known.get_mut(key) {
                        Some(base) => self.value(&path, base, entry),
                        None => {
                            let known: Vec<&str> = known.keys().map(String::as_str).collect();
                            self.unknown_key(path, entry, key, &known);
                        }
                    }
                }
            }
            (Value::Array(known), Content::Array(items)) => self.array(path, known, items),
            (base, Content::Scalar(value)) if kind(base) == kind(value) => *base = value.clone(),
            (base, content) => self.wrong_kind(path, node, content, kind(base)),
        }
    }

    fn array(&mut self, path: &str, known: &mut Vec<Value>, items: &[Node]) {
        let carries = |key: &&str| !known.is_empty() && known.iter().all(|element| element.get(*key).is_some());
        let identities: Vec<&str> = IDENTITIES.into_iter().filter(|key| carries(key)).collect();
        if identities.is_empty() || (identities.contains(&"index") && is_whole(known, items)) {
            let patterns: Vec<&Value> = known.iter().collect();
            let fresh: Vec<Option<Value>> = (items.iter().enumerate())
                .map(|(index, item)| self.fresh(&format!("{path}[{index}]"), &patterns, item))
                .collect();
            if let Some(fresh) = fresh.into_iter().collect() {
                *known = fresh;
            }
            return;
        }
        let before = known.clone();
        let mut places: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        for (index, item) in items.iter().enumerate() {
            let here = format!("{path}[{index}]");
            let Content::Table(entries) = &item.content else {
                self.wrong_kind(&here, item, &item.content, "a table");
                continue;
            };
            let named = identities.iter().find_map(|&key| Some((key, entries.iter().find(|entry| entry.0 == key)?)));
            let Some((key, (_, name))) = named else {
                let message = format!("says by no `{}` which element it changes", identities.join("` or `"));
                self.problem(here, item.line, message);
                continue;
            };
            let place = match &name.content {
                Content::Scalar(name) => before.iter().position(|element| element[key] == *name),
                Content::Array(_) | Content::Table(_) | Content::Alien(_) => None,
            };
            let Some(place) = place else {
                let here = join(&here, key);
                self.unknown_element(here, name, key, &before);
                continue;
            };
            if let Some(first) = places.insert(place, item.line) {
                let first = first.map(|line| format!("; the first stands on line {line}")).unwrap_or_default();
                self.problem(
                    here,
                    item.line,
                    format!("changes the element with {key} {} again{first}", before[place][key]),
                );
                continue;
            }
            self.value(&format!("{path}[{place}]"), &mut known[place], item);
        }
    }

    /// A value for an array that is replaced; `patterns` are the values that the embedded data has in such a place.
    fn fresh(&mut self, path: &str, patterns: &[&Value], node: &Node) -> Option<Value> {
        self.stated.insert(path.to_owned(), node.line);
        let Some(first) = patterns.first() else {
            // The embedded array is empty: it says nothing about its elements.
            self.problem(path.to_owned(), node.line, "this array must stay empty".into());
            return None;
        };
        match (first, &node.content) {
            (Value::Object(_), Content::Table(entries)) => {
                let mut fresh = Some(Map::new());
                for (key, entry) in entries {
                    let path = join(path, key);
                    let inner: Vec<&Value> = patterns.iter().filter_map(|pattern| pattern.get(key)).collect();
                    let value = if inner.is_empty() {
                        let mut known: Vec<&str> = patterns
                            .iter()
                            .filter_map(|pattern| pattern.as_object())
                            .flat_map(|pattern| pattern.keys().map(String::as_str))
                            .collect();
                        known.sort_unstable();
                        known.dedup();
                        self.unknown_key(path, entry, key, &known);
                        None
                    } else {
                        self.fresh(&path, &inner, entry)
                    };
                    match (&mut fresh, value) {
                        (Some(map), Some(value)) => drop(map.insert(key.clone(), value)),
                        (fresh, _) => *fresh = None,
                    }
                }
                fresh.map(Value::Object)
            }
            (Value::Array(_), Content::Array(items)) => {
                let inner: Vec<&Value> = patterns
                    .iter()
                    .filter_map(|pattern| pattern.as_array())
                    .flat_map(|pattern| pattern.iter())
                    .collect();
                let fresh: Vec<Option<Value>> = (items.iter().enumerate())
                    .map(|(index, item)| self.fresh(&format!("{path}[{index}]"), &inner, item))
                    .collect();
                fresh.into_iter().collect()
            }
            (pattern, Content::Scalar(value)) if kind(pattern) == kind(value) => Some(value.clone()),
            (pattern, content) => {
                self.wrong_kind(path, node, content, kind(pattern));
                None
            }
        }
    }

    fn problem(&mut self, path: String, line: Option<usize>, message: String) {
        self.problems.push(Problem { path, line, message });
    }

    fn wrong_kind(&mut self, path: &str, node: &Node, content: &Content, right: &str) {
        self.problem(path.to_owned(), node.line, format!("is {}, must be {right}", content.describe()));
    }

    fn unknown_key(&mut self, path: String, entry: &Node, key: &str, known: &[&str]) {
        let message = match nearest(key, known.iter().copied()) {
            Some(name) => format!("is no known key; did you mean `{name}`?"),
            None => format!("is no known key; {}", list("the keys here", known)),
        };
        self.problem(path, entry.line, message);
    }

    fn unknown_element(&mut self, path: String, name: &Node, key: &str, known: &[Value]) {
        let right = kind(&known[0][key]);
        let message = match &name.content {
            Content::Scalar(Value::String(name)) if right == "a string" => {
                let names: Vec<&str> = known.iter().filter_map(|element| element[key].as_str()).collect();
                match nearest(name, names.iter().copied()) {
                    Some(nearest) => format!("no element has the {key} \"{name}\"; did you mean \"{nearest}\"?"),
                    None => format!("no element has the {key} \"{name}\"; {}", list("there are", &names)),
                }
            }
            Content::Scalar(number) if kind(number) == right => {
                let numbers = || known.iter().filter_map(|element| element[key].as_i64());
                let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
                let whole =
                    if key == "index" { "; complete elements numbered from 0 replace the whole list" } else { "" };
                format!("no element has the {key} {number}; they go from {least} to {most}{whole}")
            }
            content => format!("is {}, must be {right}", content.describe()),
        };
        self.problem(path, name.line, message);
    }
}

/// Whether the items are a new list: numbered 0, 1, 2, ... by `index`, and each with every key that all elements of the
/// old list have, texts aside.
fn is_whole(known: &[Value], items: &[Node]) -> bool {
    let common = |(key, value): &(&String, &Value)| {
        !value.is_string() && known.iter().all(|element| element.get(key.as_str()).is_some())
    };
    let Some(first) = known[0].as_object() else { return false };
    let needed: Vec<&str> = first.iter().filter(common).map(|(key, _)| key.as_str()).collect();
    !items.is_empty()
        && items.iter().enumerate().all(|(index, item)| {
            let Content::Table(entries) = &item.content else { return false };
            let value = |key: &str| entries.iter().find(|entry| entry.0 == key).map(|entry| &entry.1.content);
            matches!(value("index"), Some(Content::Scalar(number)) if number.as_u64() == Some(index as u64))
                && needed.iter().all(|key| value(key).is_some())
        })
}

/// `path.key`; a key that is no bare key of TOML is quoted.
fn join(path: &str, key: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let key = if !key.is_empty() && key.bytes().all(bare) { key.to_owned() } else { format!("{key:?}") };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

fn list(what: &str, names: &[&str]) -> String {
    let more = if names.len() > LISTED { ", ..." } else { "" };
    format!("{what}: {}{more}", names[..names.len().min(LISTED)].join(", "))
}
