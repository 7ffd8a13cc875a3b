//! The erased layer over the catalogue: the same game through `Table` as through the types, checked at the door.

use std::collections::BTreeMap;
use std::sync::Arc;

use hansa::catalogue::CATALOGUE;
use hansa::core::{Rng, Turn};
use hansa::record::{Record, trace_line};
use hansa::search::BotSpec;
use hansa::table::{AnyGame, Move, MoveError, RulesSource, SampleRequest, Table};

fn games() -> Vec<Arc<dyn AnyGame>> {
    let load = |players| {
        move |entry: &hansa::catalogue::Entry| {
            entry.load(players, &BTreeMap::new(), RulesSource::Embedded).expect("the embedded rules load")
        }
    };
    let largest = |entry: &hansa::catalogue::Entry| load(Some(*entry.info.players.end()))(entry);
    CATALOGUE.iter().map(load(None)).chain(CATALOGUE.iter().map(largest)).collect()
}

fn sample(game: &Arc<dyn AnyGame>, seed: u64) -> Record {
    let request = SampleRequest { first: 0, games: 1, seed, policy: BotSpec::Random };
    game.sample(&request, &mut || false).expect("random games can be played").remove(0)
}

/// Every position of one random game.
fn positions(game: &Arc<dyn AnyGame>, seed: u64) -> Vec<Box<dyn Table>> {
    let record = sample(game, seed);
    let mut positions = Record::positions(&record, game, false).expect("its own game");
    let mut tables = Vec::new();
    while let Some((index, table)) = positions.advance().expect("a sample replays") {
        assert_eq!(index, tables.len());
        tables.push(table.boxed());
    }
    tables
}

#[test]
fn every_index_is_accepted_or_refused_with_a_reason() {
    for game in games() {
        for table in positions(&game, 1).iter().step_by(11) {
            let (mut legal, mut outcomes) = (Vec::new(), Vec::new());
            table.legal_actions(&mut legal);
            table.chance_outcomes(&mut outcomes);
            let actions = (0..game.action_count() as u32 + 2).map(Move::Action);
            for mv in actions.chain((0..game.chance_count() as u32 + 2).map(Move::Chance)) {
                let listed = match mv {
                    Move::Action(index) => legal.contains(&index),
                    Move::Chance(index) => outcomes.iter().any(|&(outcome, _)| outcome == index),
                };
                let mut changed = table.boxed();
                match changed.make(mv) {
                    Ok(()) => assert!(listed && !changed.same(&**table), "{mv:?} at {table:?}"),
                    Err(MoveError::Illegal(refusal)) => {
                        assert!(!listed && changed.same(&**table), "{mv:?} at {table:?}");
                        assert_eq!(Some(refusal.notation), game.notation(mv));
                        assert!(!refusal.rule.is_empty() && !refusal.reason.is_empty());
                        assert_eq!(refusal.legal.len(), legal.len() + outcomes.len());
                    }
                    Err(MoveError::Unknown(_)) => assert_eq!(game.notation(mv), None, "{mv:?}"),
                }
            }
        }
    }
}

#[test]
fn notations_and_indices_are_inverse() {
    for game in games() {
        for index in 0..game.action_count() as u32 {
            let notation = game.notation(Move::Action(index)).expect("every index below the count is an action");
            assert_eq!(game.parse_action(&notation), Ok(index), "{notation}");
        }
        for index in 0..game.chance_count() as u32 {
            let notation = game.notation(Move::Chance(index)).expect("every index below the count is an outcome");
            assert_eq!(game.parse_chance(&notation), Ok(index), "{notation}");
        }
    }
}

#[test]
fn states_and_views_come_back_from_their_bytes() {
    for game in games() {
        for table in positions(&game, 2) {
            let again = Arc::clone(&game).state_from_bytes(&table.bytes()).expect("its own bytes");
            assert!(again.same(&*table) && again.fingerprint() == table.fingerprint());
            let again = Arc::clone(&game).state_from_json(&table.json()).expect("its own JSON");
            assert!(again.same(&*table));
            for player in 0..game.header().players {
                let view = table.view(player).expect("a player");
                let again = Arc::clone(&game).view_from_bytes(&view.bytes()).expect("its own bytes");
                assert!(again.same(&*view) && again.fingerprint() == view.fingerprint());
            }
            assert!(table.view(game.header().players).is_none());
        }
    }
}

#[test]
fn a_sample_depends_on_seed_and_number_only() {
    for game in games() {
        let ask = |first, games, seed| {
            let request = SampleRequest { first, games, seed, policy: BotSpec::Random };
            game.sample(&request, &mut || false).expect("random games can be played")
        };
        let whole = ask(0, 3, 5);
        assert_eq!(whole[1..], ask(1, 2, 5));
        assert_ne!(whole[0], ask(0, 1, 6)[0]);
        let stopped =
            game.sample(&SampleRequest { first: 0, games: 3, seed: 5, policy: BotSpec::Random }, &mut || true);
        assert_eq!(stopped, Ok(Vec::new()));
    }
}

#[test]
fn a_trace_has_one_line_a_position() {
    for game in games() {
        let record = sample(&game, 3);
        let mut written = Vec::new();
        record.trace(&game, true, false, &mut written).expect("a sample replays");
        let text = String::from_utf8(written).expect("JSON is UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        let tables = positions(&game, 3);
        assert_eq!(lines.len(), record.moves.len() + 1);
        assert_eq!(lines.len(), tables.len());
        for (index, (line, table)) in lines.iter().zip(&tables).enumerate() {
            assert_eq!(*line, trace_line(index, &**table, true));
            let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(json["views"].as_array().map(Vec::len), Some(game.header().players));
            assert_eq!(json["turn"] == "over", table.turn() == Turn::Over);
        }
    }
}

#[test]
fn a_batch_steps_as_the_rules_do_on_any_number_of_threads() {
    for game in games() {
        let mut one = Arc::clone(&game).batch(17, 4, false, 1);
        let mut two = Arc::clone(&game).batch(17, 4, false, 2);
        for _ in 0..game.longest_game() {
            let (offsets, indices) = one.legal_actions();
            assert_eq!((&offsets, &indices), (&two.legal_actions().0, &two.legal_actions().1));
            let last = |row: usize| offsets[row + 1] > offsets[row];
            let actions: Vec<i64> = (0..17)
                .map(|row| if last(row) { i64::from(indices[offsets[row + 1] as usize - 1]) } else { -1 })
                .collect();
            assert_eq!(one.step(&actions), two.step(&actions));
        }
        assert!(one.turns().iter().all(Option::is_none), "every game has ended");
        for row in 0..17 {
            let (one, two) = (one.table(row).expect("a row"), two.table(row).expect("a row"));
            assert!(one.same(&*two));
        }
        assert_eq!(one.results(), two.results());
        assert!(one.table(17).is_none());
    }
}

#[test]
fn the_end_of_a_random_game_is_reached_from_everywhere() {
    for game in games() {
        let last = positions(&game, 6).pop().expect("a game has positions");
        for table in positions(&game, 6).iter().step_by(7) {
            let end = table.finished(&mut Rng::new(1));
            assert_eq!(end.turn(), Turn::Over);
            assert_eq!(end.census(), last.census());
        }
    }
}
