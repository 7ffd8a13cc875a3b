//! The rulings of every game: `tests/games/<game>/rulings.toml`, each a situation, a question and the answer.
//!
//! A check begins at a position of a record, sets some values of its canonical state, makes some moves, and looks at what
//! can be done, at values of the state and of views, and at what a view leaves open.
#![cfg(feature = "conform")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hansa::catalogue::CATALOGUE;
use hansa::conform::goldens::{Records, toml};
use hansa::core::Rng;
use hansa::table::{Move, Table, possible_at};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rulings {
    ruling: Vec<Ruling>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ruling {
    /// The number of the open question.
    id: String,
    question: String,
    answer: String,
    /// Where the rule stands.
    source: String,
    check: Vec<Check>,
}

/// Values are as in the canonical state; a TOML text "null" stands for null, which TOML lacks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    /// The game and how many of its moves are made first.
    record: String,
    after: usize,
    /// Values of the canonical state to set before going on, by path.
    #[serde(default)]
    set: Values,
    /// Moves to make.
    #[serde(default)]
    moves: Vec<String>,
    /// Then: all that can be done or can happen, in byte order.
    legal: Option<Vec<String>>,
    /// Some of it.
    #[serde(default)]
    includes: Vec<String>,
    /// What is refused, with a part of the reason.
    #[serde(default)]
    refused: BTreeMap<String, String>,
    /// Weights of outcomes.
    #[serde(default)]
    weights: BTreeMap<String, u32>,
    /// Values of the state by path.
    #[serde(default)]
    state: Values,
    /// Values of the view of a player by path.
    #[serde(default)]
    view: Vec<Seen>,
    /// Values in the states that agree with the view of a player: all values that occur there, no other.
    #[serde(default)]
    open: Vec<Open>,
    scores: Option<Vec<i32>>,
    ranks: Option<Vec<u8>>,
}

type Values = BTreeMap<String, toml::Value>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    player: usize,
    values: Values,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    player: usize,
    path: String,
    values: Vec<toml::Value>,
}

/// A TOML value as JSON.
fn json(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) if text == "null" => Value::Null,
        toml::Value::Array(values) => values.iter().map(json).collect(),
        toml::Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), json(value))).collect(),
        other => serde_json::to_value(other).expect("a TOML value is a JSON value"),
    }
}

/// A part of a path: a key, or a place in an array, from the end if negative.
enum Part<'a> {
    Key(&'a str),
    Place(i64),
}

/// `players[0].kontor[-1].card` in its parts.
fn parts(path: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for piece in path.split('.') {
        let (key, places) = piece.split_once('[').unwrap_or((piece, ""));
        parts.push(Part::Key(key));
        for place in places.split('[').filter(|place| !place.is_empty()) {
            let number = place.trim_end_matches(']').parse();
            parts.push(Part::Place(number.unwrap_or_else(|_| panic!("{path:?}: {place:?} is no place"))));
        }
    }
    parts
}

/// The value at a path, made if it is a key of an object.
fn at<'a>(root: &'a mut Value, path: &str) -> &'a mut Value {
    parts(path).into_iter().fold(root, |value, part| match part {
        Part::Key(key) => value.get_mut(key).unwrap_or_else(|| panic!("{path:?}: there is no {key:?}")),
        Part::Place(place) => {
            let items = value.as_array_mut().unwrap_or_else(|| panic!("{path:?} asks for a place in no array"));
            let index = if place < 0 { items.len() as i64 + place } else { place };
            items.get_mut(index as usize).unwrap_or_else(|| panic!("{path:?}: there is no place {place}"))
        }
    })
}

fn compare(what: &str, found: &Value, values: &Values, wrong: &mut Vec<String>) {
    for (path, expected) in values {
        let (mut root, expected) = (found.clone(), json(expected));
        let value = at(&mut root, path);
        if *value != expected {
            wrong.push(format!("{what} {path} is {value}, must be {expected}"));
        }
    }
}

impl Check {
    fn position(&self, records: &Records) -> Result<Box<dyn Table>, String> {
        let mut table = records.position(&self.record, self.after);
        if !self.set.is_empty() {
            let mut state = table.json();
            for (path, value) in &self.set {
                *at(&mut state, path) = json(value);
            }
            table = table.game().state_from_json(&state).map_err(|error| format!("no such position: {error}"))?;
        }
        for text in &self.moves {
            let mv = table.read_move(text).map_err(|error| error.to_string())?;
            table.make(mv).map_err(|error| error.to_string())?;
        }
        Ok(table)
    }

    /// What is not as the ruling says.
    fn wrong(&self, records: &Records) -> Vec<String> {
        let table = match self.position(records) {
            Ok(table) => table,
            Err(problem) => return vec![problem],
        };
        let mut wrong = Vec::new();
        let mut possible = possible_at(&*table);
        possible.sort_unstable();
        if let Some(legal) = &self.legal
            && *legal != possible
        {
            wrong.push(format!("possible is {possible:?}, must be {legal:?}"));
        }
        wrong.extend(
            self.includes
                .iter()
                .filter(|text| !possible.contains(text))
                .map(|text| format!("{text:?} is not possible")),
        );
        for (text, part) in &self.refused {
            let made = table.read_move(text).map_err(|error| error.to_string());
            match made.and_then(|mv| table.after(mv).map_err(|error| error.to_string())) {
                Ok(_) => wrong.push(format!("{text:?} is possible")),
                Err(reason) if !reason.contains(part) => wrong.push(format!("{text:?}: {reason:?} lacks {part:?}")),
                Err(_) => {}
            }
        }
        let mut outcomes = Vec::new();
        table.chance_outcomes(&mut outcomes);
        for (text, &weight) in &self.weights {
            let found =
                outcomes.iter().find(|(index, _)| table.game().notation(Move::Chance(*index)).as_ref() == Some(text));
            if found.map(|&(_, weight)| weight) != Some(weight) {
                wrong.push(format!("{text:?} has the weight {found:?}, must be {weight}"));
            }
        }
        compare("state", &table.json(), &self.state, &mut wrong);
        for Seen { player, values } in &self.view {
            let view = table.view(*player).expect("a view of a player");
            compare(&format!("view of player {player}"), &view.json(), values, &mut wrong);
        }
        for Open { player, path, values } in &self.open {
            let view = table.view(*player).expect("a view of a player");
            let mut rng = Rng::new(9);
            let drawn = (0..400).map(|_| at(&mut view.determinize(&mut rng).json(), path).to_string());
            let (found, expected): (BTreeSet<String>, BTreeSet<String>) =
                (drawn.collect(), values.iter().map(|value| json(value).to_string()).collect());
            if found != expected {
                wrong.push(format!("for player {player} {path} can be {found:?}, must be {expected:?}"));
            }
        }
        let (scores, ranks): (Vec<i32>, Vec<u8>) =
            (table.scores().iter().copied().collect(), table.ranks().iter().copied().collect());
        if self.scores.as_ref().is_some_and(|expected| *expected != scores) {
            wrong.push(format!("scores are {scores:?}, must be {:?}", self.scores));
        }
        if self.ranks.as_ref().is_some_and(|expected| *expected != ranks) {
            wrong.push(format!("ranks are {ranks:?}, must be {:?}", self.ranks));
        }
        wrong
    }

    /// Whether anything is asked.
    fn asks(&self) -> bool {
        let values = !self.state.is_empty() || !self.view.is_empty() || !self.open.is_empty();
        let moves =
            self.legal.is_some() || !self.includes.is_empty() || !self.refused.is_empty() || !self.weights.is_empty();
        values || moves || self.scores.is_some() || self.ranks.is_some()
    }
}

#[test]
fn rulings_are_kept() {
    let mut wrong = Vec::new();
    for entry in CATALOGUE {
        let id = entry.info.id;
        let records = Arc::new(Records::of(id));
        let Rulings { ruling: rulings } = toml(id, "rulings.toml");
        assert!(!rulings.is_empty(), "{id} has no rulings");
        let ids: BTreeSet<&str> = rulings.iter().map(|ruling| ruling.id.as_str()).collect();
        assert_eq!(ids.len(), rulings.len(), "{id}: two rulings have one id");
        for ruling in &rulings {
            let texts = [&ruling.question, &ruling.answer, &ruling.source];
            assert!(texts.iter().all(|text| !text.trim().is_empty()), "{id} {}: a text is empty", ruling.id);
            assert!(!ruling.check.is_empty(), "{id} {}: nothing is checked", ruling.id);
            for (number, check) in ruling.check.iter().enumerate() {
                assert!(check.asks(), "{id} {}: check {number} asks nothing", ruling.id);
                let problems = check.wrong(&records);
                wrong.extend(
                    problems
                        .iter()
                        .map(|problem| format!("{id} {} ({}) check {number}: {problem}", ruling.id, ruling.question)),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
