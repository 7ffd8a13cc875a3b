//! One game of every kind as text with everything that can be observed: `tests/games/<game>/playthrough.txt`.
//!
//! The game is the first record of `records.jsonl`, a random game of the reference implementation, whose trace of the
//! same record is compared with the engine's in `tests/test_reference_traces.py`. `HANSA_UPDATE=1` rewrites the files.
#![cfg(feature = "conform")]

use std::fmt::Write as _;

use hansa::catalogue::CATALOGUE;
use hansa::conform::amount;
use hansa::conform::goldens::{Records, folder, load, read};
use hansa::core::Turn;
use hansa::record::Record;
use hansa::table::{Move, Table};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The first bytes of a digest, enough to see that something has changed.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(6).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Every value of a JSON that is no object, with its path; arrays of objects are gone into.
fn leaves(value: &Value, path: &str, out: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                leaves(value, &if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, out);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            out.push((format!("{path}.length"), items.len().to_string()));
            items.iter().enumerate().for_each(|(index, item)| leaves(item, &format!("{path}[{index}]"), out));
        }
        other => out.push((path.to_owned(), other.to_string())),
    }
}

/// What can be done or can happen: actions in full, outcomes by their number, weight and digest.
fn menu(table: &dyn Table) -> String {
    let game = table.game();
    let name = |mv| game.notation(mv).unwrap_or_default();
    match table.turn() {
        Turn::Act(player) => {
            let mut actions = Vec::new();
            table.legal_actions(&mut actions);
            let written: Vec<String> =
                actions.iter().map(|&index| format!("{index} {}", name(Move::Action(index)))).collect();
            format!("player {player}: {}", written.join(", "))
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            table.chance_outcomes(&mut outcomes);
            let weight: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
            let written: Vec<String> = outcomes
                .iter()
                .map(|&(index, weight)| format!("{index} {} {weight}", name(Move::Chance(index))))
                .collect();
            format!("chance: {} outcomes, weight {weight}, {}", written.len(), digest(written.join("\n").as_bytes()))
        }
        Turn::Over => format!("over: scores {:?}, ranks {:?}", table.scores(), table.ranks()),
    }
}

fn playthrough(record: &Record) -> String {
    let game = load(record);
    let mut text = format!("{}\nrules {}\n", game.header(), game.header().rules);
    for (name, length) in game.observation_layout() {
        let _ = writeln!(text, "observation {name} {length}");
    }
    let mut observation = vec![0.0f32; game.observation_size()];
    let mut before: Vec<(String, String)> = Vec::new();
    let mut positions = Record::positions(record, &game, false).expect("the record is one of this game");
    while let Some((index, table)) = positions.advance().expect("the record replays") {
        let _ = writeln!(text, "\n{index}. {}", menu(table));
        let mut now = Vec::new();
        leaves(&table.json(), "", &mut now);
        for (path, value) in now.iter().filter(|leaf| !before.contains(leaf)) {
            let _ = writeln!(text, "  {path} = {value}");
        }
        let _ = writeln!(text, "  census {:?}, scores {:?}", table.census(), table.scores());
        for player in 0..record.players {
            let view = table.view(player).expect("a view of a player");
            view.observe(&mut observation);
            let numbers: Vec<u8> = observation.iter().flat_map(|number| number.to_bits().to_le_bytes()).collect();
            let mut actions = Vec::new();
            view.legal_actions(&mut actions);
            let (seen, numbers) = (digest(view.json().to_string().as_bytes()), digest(&numbers));
            let _ = writeln!(text, "  view {player}: {seen}, observation {numbers}, {} actions", actions.len());
        }
        if let Some(mv) = record.moves.get(index) {
            let _ = writeln!(text, "> {mv}");
        }
        before = now;
    }
    text
}

#[test]
fn playthroughs_are_as_recorded() {
    let mut wrong = Vec::new();
    for entry in CATALOGUE {
        let id = entry.info.id;
        let records = Records::of(id);
        let (_, record) = records.iter().next().expect("a record");
        let played = playthrough(record);
        if amount("HANSA_UPDATE", 0) == 1 {
            std::fs::write(folder(id).join("playthrough.txt"), &played).expect("the playthrough can be written");
            continue;
        }
        let recorded = read(id, "playthrough.txt");
        let mut position = "";
        let mut lines = recorded.lines().zip(played.lines()).enumerate();
        let different = lines.find(|(_, (old, new))| {
            if new.starts_with(|first: char| first.is_ascii_digit()) {
                position = new;
            }
            old != new
        });
        if let Some((number, (old, new))) = different {
            wrong.push(format!("{id} line {}, at {position}:\n  recorded {old}\n  played   {new}", number + 1));
        } else if recorded.lines().count() != played.lines().count() {
            wrong.push(format!("{id}: {} lines recorded, {} played", recorded.lines().count(), played.lines().count()));
        }
    }
    assert!(wrong.is_empty(), "{}\nHANSA_UPDATE=1 rewrites what is meant to change", wrong.join("\n"));
}
