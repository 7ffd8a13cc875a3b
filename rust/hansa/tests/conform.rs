//! Every law for every game of the catalogue, at every table, under every combination of options.
//!
//! `HANSA_GAMES` sets the number of random games of each table (160 by default); `--nocapture` shows what was checked.
#![cfg(feature = "conform")]

use std::collections::BTreeMap;

use hansa::catalogue::CATALOGUE;
use hansa::conform::goldens::{Records, load, read, toml};
use hansa::conform::{Plan, Subject, Tally, amount, subjects};
use hansa::core::{Rng, Stream};
use rayon::prelude::*;
use serde::Deserialize;

#[test]
#[expect(clippy::print_stdout, reason = "a run that checked nothing is to be seen")]
fn laws_hold_for_every_game() {
    let games = amount("HANSA_GAMES", 160);
    let subjects = subjects();
    // Other games at every table.
    let check = |index: usize| subjects[index].laws(Plan { seed: 20 + index as u64, games });
    let outcomes: Vec<_> = (0..subjects.len()).into_par_iter().map(check).collect();
    let checked = subjects.iter().zip(outcomes);
    let mut total = Tally::default();
    let mut breaches = Vec::new();
    for (subject, outcome) in checked {
        match outcome {
            Ok(tally) => {
                println!("{}: {tally}", subject.game().header());
                assert_eq!(tally.games, games);
                total.merge(&tally);
            }
            Err(breach) => breaches.push(breach.to_string()),
        }
    }
    println!("all {} tables: {total}", subjects.len());
    assert!(breaches.is_empty(), "{}", breaches.join("\n\n"));
    assert!(total.games > 0 && total.refused > 0 && total.determinizations > 0 && total.saved > 0, "{total}");
}

/// What is known about a game without playing it: `figures.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    /// Bytes of a state, at most.
    state_size: usize,
    /// Whether points are never lost.
    scores_never_fall: bool,
    /// Figures of random games from elsewhere.
    table: Vec<TableFigures>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFigures {
    players: usize,
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Mean number of decisions, the least and the most.
    decisions: [f64; 3],
    /// Standard deviation of the decisions, where games vary much in length.
    deviation: Option<f64>,
    /// Mean number of options of a decision, and the most.
    menu: [f64; 2],
    /// Share of decisions with one option, in percent.
    forced: f64,
    /// Mean and standard deviation of the scores of all players.
    score: [f64; 2],
    /// Mean score of the winners.
    winner: f64,
    /// Nodes of each kind in every game, where the number is fixed.
    nodes: BTreeMap<String, u64>,
}

#[test]
fn states_are_small_and_points_stay() {
    for entry in CATALOGUE {
        let figures: Figures = toml(entry.info.id, "figures.toml");
        for players in entry.info.players.clone() {
            let subject = entry.subject(players, &BTreeMap::new());
            let size = subject.game().state_size();
            assert!(size <= figures.state_size, "{}: a state has {size} bytes", entry.info.id);
            if figures.scores_never_fall {
                points_stay(&*subject);
            }
        }
    }
}

fn points_stay(subject: &dyn Subject) {
    for number in 0..20 {
        let mut rng = Rng::stream(5, Stream::User, number);
        let mut table = subject.game().start();
        let mut before = table.scores();
        while let Some(mv) = table.random_move(&mut rng) {
            table.make(mv).expect("a random move is possible");
            let scores = table.scores();
            assert!(before.iter().zip(&scores).all(|(old, new)| new >= old), "{before:?} becomes {scores:?}");
            before = scores;
        }
    }
}

/// What random games come to agrees with the figures that the specification gives.
#[test]
fn random_games_come_to_the_figures_of_the_specification() {
    const GAMES: u64 = 2000;
    for entry in CATALOGUE {
        let figures: Figures = toml(entry.info.id, "figures.toml");
        let tables: Vec<usize> = figures.table.iter().map(|table| table.players).collect();
        assert!(entry.info.players.clone().all(|players| tables.contains(&players)), "{}: {tables:?}", entry.info.id);
        figures.table.par_iter().for_each(|table| {
            let played = sample(&*entry.subject(table.players, &table.options), GAMES);
            let near = |what: &str, found: f64, stated: f64, tolerance: f64| {
                let place = format!("{} with {} players {:?}", entry.info.id, table.players, table.options);
                assert!((found - stated).abs() <= tolerance, "{place}: {what} is {found:.2}, stated {stated}");
            };
            // Tolerances: the figures are rounded, and both sides are samples of some thousand games. Where games vary
            // much in length, five standard errors of the mean, and extremes as they vary from sample to sample.
            let spread = table.deviation.unwrap_or(0.0);
            let error = 5.0 * spread / (GAMES as f64).sqrt();
            near("mean decisions", mean(&played.decisions), table.decisions[0], error.max(1.0));
            near("least decisions", least(&played.decisions), table.decisions[1], (4.0 * spread).max(4.0));
            near("most decisions", -least(&negated(&played.decisions)), table.decisions[2], (4.0 * spread).max(4.0));
            if let Some(stated) = table.deviation {
                near("deviation of decisions", deviation(&played.decisions), stated, 0.15 * stated);
            }
            near("mean options", mean(&played.menus), table.menu[0], 0.11);
            let most = -least(&negated(&played.menus));
            // The most options of other games may be some more; twice as many would be another rule.
            assert!(most <= table.menu[1] + 4.0, "{}: {most} options, stated at most {}", entry.info.id, table.menu[1]);
            let forced = played.menus.iter().filter(|&&options| options == 1.0).count() as f64;
            near("forced", 100.0 * forced / played.menus.len() as f64, table.forced, 0.8);
            near("mean score", mean(&played.scores), table.score[0], 2.0);
            near("deviation of scores", deviation(&played.scores), table.score[1], 1.2);
            near("mean score of winners", mean(&played.winners), table.winner, 2.5);
            for (kind, stated) in &table.nodes {
                assert_eq!(
                    played.nodes.get(kind).copied().unwrap_or(0),
                    stated * GAMES,
                    "{}: {kind} nodes",
                    entry.info.id
                );
            }
        });
    }
}

#[derive(Default)]
struct Sample {
    decisions: Vec<f64>,
    menus: Vec<f64>,
    scores: Vec<f64>,
    winners: Vec<f64>,
    nodes: BTreeMap<String, u64>,
}

fn sample(subject: &dyn Subject, games: u64) -> Sample {
    let game = subject.game();
    let mut sample = Sample::default();
    let mut menu = Vec::new();
    for number in 0..games {
        let mut rng = Rng::stream(77, Stream::User, number);
        let mut table = std::sync::Arc::clone(&game).start();
        let mut decisions = 0;
        while let Some(mv) = table.random_move(&mut rng) {
            menu.clear();
            table.legal_actions(&mut menu);
            if !menu.is_empty() {
                decisions += 1;
                sample.menus.push(menu.len() as f64);
            }
            // The kind of a canonical state is its phase, which the first words of moves do not tell.
            let text = game.notation(mv).unwrap_or_default();
            let kind = text.split(' ').next().unwrap_or_default().to_owned();
            *sample.nodes.entry(kind).or_default() += 1;
            table.make(mv).expect("a random move is possible");
        }
        sample.decisions.push(f64::from(decisions));
        for (&score, &rank) in table.scores().iter().zip(&table.ranks()) {
            sample.scores.push(f64::from(score));
            if rank == 0 {
                sample.winners.push(f64::from(score));
            }
        }
    }
    sample
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn negated(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| -value).collect()
}

#[test]
fn every_game_has_its_goldens() {
    for entry in CATALOGUE {
        let id = entry.info.id;
        for file in ["figures.toml", "perft.toml", "playthrough.txt", "records.jsonl", "rulings.toml"] {
            assert!(!read(id, file).trim().is_empty(), "{id}/{file} is empty");
        }
        let records = Records::of(id);
        for (name, record) in records.iter() {
            let replayed = record.replay(&load(record), false);
            assert!(replayed.is_ok(), "{id}: {name:?}: {replayed:?}");
            assert!(record.scores.is_some() && record.ranks.is_some(), "{id}: {name:?} is not a whole game");
        }
        for players in entry.info.players.clone() {
            assert!(records.iter().any(|(_, record)| record.players == players), "{id} has no record of {players}");
        }
        for option in entry.info.options {
            for value in option.values {
                let shown = records.iter().any(|(_, record)| {
                    record.options.get(option.name).map_or(option.values[0], String::as_str) == *value
                });
                assert!(shown, "{id} has no record with {} = {value}", option.name);
            }
        }
    }
}
