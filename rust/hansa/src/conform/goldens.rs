//! The goldens of a game: what stands in `tests/games/<id>/`, read by the tests of both languages.

use std::path::PathBuf;
use std::sync::Arc;

use crate::catalogue;
use crate::record::Record;
use crate::table::{AnyGame, RulesSource, Table};

/// The folder of a game's goldens.
#[must_use]
pub fn folder(id: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "tests", "games", id].iter().collect()
}

/// The text of a golden.
///
/// # Panics
/// If there is no such file: a game has all its goldens.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "goldens are files of the repository")]
pub fn read(id: &str, file: &str) -> String {
    let path = folder(id).join(file);
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; every game has this golden", path.display()))
}

/// A TOML golden.
///
/// # Panics
/// If the file is missing or no `T`.
#[must_use]
pub fn toml<T: serde::de::DeserializeOwned>(id: &str, file: &str) -> T {
    toml::from_str(&read(id, file)).unwrap_or_else(|error| panic!("{id}/{file}: {error}"))
}

/// Whole games that other goldens refer to by name: `records.jsonl`, each with a key `name`.
#[derive(Debug)]
pub struct Records {
    id: String,
    records: Vec<Record>,
}

impl Records {
    /// The records of a game.
    ///
    /// # Panics
    /// If a line is no record of this game or has no name.
    #[must_use]
    pub fn of(id: &str) -> Self {
        let text = read(id, "records.jsonl");
        let record = |line| {
            let record = Record::from_json(line).unwrap_or_else(|error| panic!("{id}/records.jsonl: {error}"));
            assert_eq!(record.game, id, "{id}/records.jsonl: a record of another game");
            record
        };
        let records: Vec<Record> = text.lines().map(record).collect();
        assert!(!records.is_empty(), "{id}/records.jsonl has no record");
        Self { id: id.to_owned(), records }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Record)> {
        self.records.iter().map(|record| (name(record), record))
    }

    /// The record of this name.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn get(&self, wanted: &str) -> &Record {
        let found = self.records.iter().find(|record| name(record) == wanted);
        found.unwrap_or_else(|| panic!("{}/records.jsonl has no record named {wanted:?}", self.id))
    }

    /// The position of a record after so many moves.
    ///
    /// # Panics
    /// If the record is shorter, or does not replay.
    #[must_use]
    pub fn position(&self, wanted: &str, after: usize) -> Box<dyn Table> {
        let record = self.get(wanted);
        assert!(after <= record.moves.len(), "{}: {wanted:?} has {} moves", self.id, record.moves.len());
        let game = load(record);
        let mut part = record.clone();
        part.moves.truncate(after);
        (part.scores, part.ranks) = (None, None);
        part.replay(&game, false).unwrap_or_else(|error| panic!("{}: {wanted:?}: {error}", self.id))
    }
}

fn name(record: &Record) -> &str {
    record.extra.get("name").and_then(serde_json::Value::as_str).unwrap_or_else(|| panic!("a record without a name"))
}

/// The game that a record is of.
///
/// # Panics
/// If there is no such game.
#[must_use]
pub fn load(record: &Record) -> Arc<dyn AnyGame> {
    let entry = catalogue::find(&record.game).unwrap_or_else(|error| panic!("{error}"));
    let game = entry.load(Some(record.players), &record.options, RulesSource::Embedded);
    game.unwrap_or_else(|error| panic!("{}: {error}", record.game))
}
