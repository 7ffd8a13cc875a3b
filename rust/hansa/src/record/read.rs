//! Reading a record from JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{FORMAT, Record, VERSION};
use crate::core::FormatError;

impl Record {
    /// The record of a JSON text. Whether the moves can be played is seen when it is replayed.
    ///
    /// # Errors
    /// Where and what is wrong.
    pub fn from_json(text: &str) -> Result<Self, FormatError> {
        let value = serde_json::from_str(text)
            .map_err(|error| FormatError::new("", format!("a record is one JSON object: {error}")))?;
        Self::from_value(value)
    }

    /// The record of a JSON value.
    ///
    /// # Errors
    /// Where and what is wrong.
    pub fn from_value(value: Value) -> Result<Self, FormatError> {
        let Value::Object(mut map) = value else {
            return Err(FormatError::new("", format!("a record is a JSON object, found {}", kind(&value))));
        };
        let format = take(&mut map, "format", text)?.unwrap_or_default();
        if format != FORMAT {
            return Err(FormatError::new("format", format!("must be \"{FORMAT}\", found \"{format}\"")));
        }
        let version = require(&mut map, "version", number)?;
        if version != VERSION as i64 {
            return Err(FormatError::new("version", format!("this hansa reads version {VERSION}, found {version}")));
        }
        let game = require(&mut map, "game", text)?;
        let players = require(&mut map, "players", number)?;
        let players = usize::try_from(players)
            .map_err(|_| FormatError::new("players", format!("must be a number of players, found {players}")))?;
        Ok(Self {
            format: FORMAT,
            version: VERSION,
            game,
            players,
            options: take(&mut map, "options", options)?.unwrap_or_default(),
            rules: take(&mut map, "rules", text)?,
            moves: require(&mut map, "moves", |value, path| list(value, path, text))?,
            scores: take(&mut map, "scores", |value, path| list(value, path, number))?,
            ranks: take(&mut map, "ranks", |value, path| list(value, path, number))?,
            extra: map,
        })
    }
}

type Read<T> = Result<T, FormatError>;

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Takes a key out of the map and reads it; `None` without the key.
fn take<T>(map: &mut Map<String, Value>, key: &str, read: impl Fn(Value, &str) -> Read<T>) -> Read<Option<T>> {
    map.remove(key).map(|value| read(value, key)).transpose()
}

fn require<T>(map: &mut Map<String, Value>, key: &str, read: impl Fn(Value, &str) -> Read<T>) -> Read<T> {
    take(map, key, read)?.ok_or_else(|| FormatError::new(key, "is missing"))
}

fn text(value: Value, path: &str) -> Read<String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(FormatError::new(path, format!("must be a text, found {}", kind(&other)))),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "one signature for all readers")]
fn number(value: Value, path: &str) -> Read<i64> {
    value.as_i64().ok_or_else(|| FormatError::new(path, format!("must be an integer, found {}", kind(&value))))
}

fn list<T>(value: Value, path: &str, read: impl Fn(Value, &str) -> Read<T>) -> Read<Vec<T>> {
    match value {
        Value::Array(values) => {
            values.into_iter().enumerate().map(|(index, value)| read(value, &format!("{path}[{index}]"))).collect()
        }
        other => Err(FormatError::new(path, format!("must be a list, found {}", kind(&other)))),
    }
}

fn options(value: Value, path: &str) -> Read<BTreeMap<String, String>> {
    match value {
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| {
                let path = format!("{path}.{key}");
                text(value, &path).map(|value| (key, value))
            })
            .collect(),
        other => Err(FormatError::new(path, format!("must be an object, found {}", kind(&other)))),
    }
}

#[cfg(test)]
mod tests {
    use super::Record;

    const LINE: &str = r#"{"format":"hansa-record","version":1,"game":"some_game","players":3,"options":{"track":"long"},"moves":["lay a","play b"],"note":{"z":1}}"#;

    #[test]
    fn unknown_keys_are_kept() {
        let record = Record::from_json(LINE).expect("a record");
        assert_eq!((record.players, record.moves.len(), record.rules.as_deref()), (3, 2, None));
        assert_eq!(record.to_json(), LINE);
        let with_rules = LINE.replace(r#""moves""#, r#""rules":"ab","moves""#);
        assert_eq!(Record::from_json(&with_rules).expect("a record").to_json(), with_rules);
    }

    #[test]
    fn errors_name_the_place() {
        let refused =
            |from: &str, to: &str| Record::from_json(&LINE.replace(from, to)).expect_err("refused").to_string();
        assert_eq!(refused("\"play b\"", "7"), "moves[1]: must be a text, found a number");
        assert_eq!(refused("\"long\"", "null"), "options.track: must be a text, found null");
        assert_eq!(refused("\"players\":3", "\"players\":-3"), "players: must be a number of players, found -3");
        assert_eq!(refused("\"game\"", "\"gam\""), "game: is missing");
        assert_eq!(refused("\"version\":1", "\"version\":2"), "version: this hansa reads version 1, found 2");
        assert!(refused("hansa-record", "other").starts_with("format: must be \"hansa-record\""));
        assert!(refused("}}", "").starts_with("a record is one JSON object: "));
        assert_eq!(
            Record::from_json("[]").expect_err("refused").to_string(),
            "a record is a JSON object, found a list"
        );
    }
}
