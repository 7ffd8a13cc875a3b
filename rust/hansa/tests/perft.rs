//! Counts of what can follow a position: sequences of moves, different states, and the sum of the chance weights.
//!
//! The rows of `tests/games/<game>/perft.toml` say where their numbers come from: counted by hand, with the arithmetic in
//! a comment, or by the naive reference implementation. `HANSA_PERFT` sets the largest number of sequences that is
//! counted (300,000 by default); larger rows are passed over.
#![cfg(feature = "conform")]

use std::collections::HashSet;

use hansa::catalogue::CATALOGUE;
use hansa::conform::amount;
use hansa::conform::goldens::{Records, toml};
use hansa::core::Turn;
use hansa::table::{Move, Table};
use rayon::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Perft {
    row: Vec<Row>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Where the numbers come from.
    source: Source,
    /// The game and how many of its moves are made first.
    record: String,
    after: usize,
    /// How many moves follow.
    depth: u32,
    /// Sequences of so many moves.
    sequences: u64,
    /// Different states after them.
    states: u64,
    /// Sum over the sequences of the product of the weights of their chance outcomes.
    weight: u64,
}

#[derive(Deserialize, Debug, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Source {
    Hand,
    Reference,
}

#[derive(Default)]
struct Counts {
    sequences: u64,
    weight: u64,
    states: HashSet<u64>,
}

fn count(table: &dyn Table, depth: u32, weight: u64, counts: &mut Counts) {
    if depth == 0 {
        counts.sequences += 1;
        counts.weight += weight;
        counts.states.insert(table.fingerprint());
        return;
    }
    let mut actions = Vec::new();
    table.legal_actions(&mut actions);
    let mut outcomes = Vec::new();
    table.chance_outcomes(&mut outcomes);
    let actions = actions.into_iter().map(|index| (Move::Action(index), 1));
    let outcomes = outcomes.into_iter().map(|(index, weight)| (Move::Chance(index), u64::from(weight)));
    for (mv, times) in actions.chain(outcomes) {
        let after = table.after(mv).expect("what is listed is possible");
        count(&*after, depth - 1, weight * times, counts);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "a run that counted nothing is to be seen")]
fn counts_are_those_of_the_goldens() {
    let limit = amount("HANSA_PERFT", 300_000);
    let mut wrong = Vec::new();
    for entry in CATALOGUE {
        let id = entry.info.id;
        let (records, Perft { row: rows }) = (Records::of(id), toml(id, "perft.toml"));
        for source in [Source::Hand, Source::Reference] {
            assert!(rows.iter().any(|row| row.source == source), "{id}: no row by {source:?}");
        }
        let small: Vec<&Row> = rows.iter().filter(|row| row.sequences <= limit).collect();
        println!("{id}: {} rows, {} of them within {limit} sequences", rows.len(), small.len());
        assert!(!small.is_empty(), "{id}: no row within {limit} sequences");
        let counted: Vec<Counts> = small
            .par_iter()
            .map(|row| {
                let mut counts = Counts::default();
                let table = records.position(&row.record, row.after);
                assert!(table.turn() != Turn::Over || row.depth == 0, "{id}: {row:?} begins at the end");
                count(&*table, row.depth, 1, &mut counts);
                counts
            })
            .collect();
        for (row, counts) in small.iter().zip(&counted) {
            let found = (counts.sequences, counts.states.len() as u64, counts.weight);
            if found != (row.sequences, row.states, row.weight) {
                wrong.push(format!("{id}: {row:?}: counted {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
