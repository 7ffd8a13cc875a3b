//! Notations, JSON and bytes of every game: what is written is read again, and what is damaged is refused or plays on.
//!
//! `HANSA_DAMAGES` sets how many damaged states and views are tried (1,500 by default).
#![cfg(feature = "conform")]

use std::sync::{Arc, LazyLock};

use hansa::conform::{amount, subjects};
use hansa::core::{Rng, Turn};
use hansa::record::Record;
use hansa::table::{AnyGame, Move, Table};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use serde_json::Value;

static GAMES: LazyLock<Vec<Arc<dyn AnyGame>>> =
    LazyLock::new(|| subjects().iter().map(|subject| subject.game()).collect());

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        max_shrink_iters: 200,
        failure_persistence: Some(Box::new(proptest::test_runner::FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

/// A position of a random game, and the game's number.
fn positions() -> impl Strategy<Value = Box<dyn Table>> {
    (any::<Index>(), any::<u64>(), 0.0..1.0f64).prop_map(|(game, seed, way)| {
        let game = game.get(&GAMES);
        let mut rng = Rng::new(seed);
        let moves = (game.longest_game() as f64 * way) as usize;
        let mut table = Arc::clone(game).start();
        for _ in 0..moves {
            let Some(mv) = table.random_move(&mut rng) else { break };
            table.make(mv).expect("a random move is possible");
        }
        table
    })
}

/// Plays on to the end with everything that somebody could ask on the way.
fn play_on(mut table: Box<dyn Table>, seed: u64) {
    let mut rng = Rng::new(seed);
    let longest = table.game().longest_game();
    let census = table.census();
    for _ in 0..=longest {
        let game = table.game();
        for player in 0..table.header().players {
            let view = table.view(player).expect("a view of a player");
            let drawn = view.determinize(&mut rng);
            assert!(drawn.view(player).is_some_and(|seen| seen.same(&*view)), "a determinization looks different");
            let read = Arc::clone(&game).view_from_json(&view.json(), player);
            let same = read.as_ref().is_ok_and(|read| read.same(&*view));
            assert!(same, "a view of player {player} is read as {read:?}: {} of {}", view.json(), table.json());
            let mut observation = vec![0.0; game.observation_size()];
            view.observe(&mut observation);
        }
        let read = Arc::clone(&game).state_from_json(&table.json());
        assert!(read.as_ref().is_ok_and(|read| read.same(&*table)), "read as {read:?}, written {}", table.json());
        assert_eq!(table.census(), census, "pieces are conserved");
        let Some(mv) = table.random_move(&mut rng) else {
            assert_eq!(table.turn(), Turn::Over);
            return;
        };
        table.make(mv).expect("a random move is possible");
    }
    panic!("a game does not end within {longest} moves");
}

/// Lists of words stand in one order when they are written; a game may read them in any order.
fn in_order(value: Value) -> Value {
    match value {
        Value::Array(mut items) => {
            if items.iter().all(Value::is_string) {
                items.sort_by(|one, two| one.as_str().cmp(&two.as_str()));
            }
            items.into_iter().map(in_order).collect()
        }
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, in_order(value))).collect(),
        other => other,
    }
}

/// Paths of everything in a JSON value that holds nothing else.
fn leaves(value: &Value, path: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), out));
        }
        Value::Array(items) if !items.is_empty() => {
            out.push(path.to_owned());
            items.iter().enumerate().for_each(|(index, item)| leaves(item, &format!("{path}/{index}"), out));
        }
        _ => out.push(path.to_owned()),
    }
}

#[derive(Debug, Clone)]
enum Damage {
    /// Something else from the same state.
    Other(Index, Index),
    /// Two parts change places.
    Swap(Index, Index),
    Number(Index, i64),
    Text(Index, String),
    Null(Index),
    Empty(Index),
    /// The first element of an array is left out.
    Shorten(Index),
    /// The first element of an array stands there twice.
    Repeat(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => (any::<Index>(), any::<Index>()).prop_map(|(at, from)| Damage::Other(at, from)),
        6 => (any::<Index>(), any::<Index>()).prop_map(|(one, two)| Damage::Swap(one, two)),
        3 => (any::<Index>(), -1..20i64).prop_map(|(at, number)| Damage::Number(at, number)),
        1 => (any::<Index>(), "[a-z0-9 -]{0,12}").prop_map(|(at, text)| Damage::Text(at, text)),
        1 => any::<Index>().prop_map(Damage::Null),
        1 => any::<Index>().prop_map(Damage::Empty),
        1 => any::<Index>().prop_map(Damage::Shorten),
        1 => any::<Index>().prop_map(Damage::Repeat),
    ]
}

fn pick<'a>(at: &Index, paths: &'a [String]) -> &'a str {
    &paths[at.index(paths.len())]
}

fn apply(json: &mut Value, damage: &Damage) {
    let mut paths = Vec::new();
    leaves(json, "", &mut paths);
    let value_at = |json: &Value, path: &str| json.pointer(path).cloned().unwrap_or(Value::Null);
    let mut set = |at: &Index, value: Value| {
        if let Some(place) = json.pointer_mut(pick(at, &paths)) {
            *place = value;
        }
    };
    match damage {
        Damage::Number(at, number) => set(at, Value::from(*number)),
        Damage::Text(at, text) => set(at, Value::from(text.as_str())),
        Damage::Null(at) => set(at, Value::Null),
        Damage::Empty(at) => set(at, Value::Array(Vec::new())),
        Damage::Other(at, from) => {
            let other = value_at(json, pick(from, &paths));
            if let Some(place) = json.pointer_mut(pick(at, &paths)) {
                *place = other;
            }
        }
        Damage::Swap(one, two) => {
            // Of the same kind, so that many stay plausible.
            let first = value_at(json, pick(one, &paths));
            let same_kind =
                |path: &&String| std::mem::discriminant(&value_at(json, path)) == std::mem::discriminant(&first);
            let alike: Vec<String> = paths.iter().filter(same_kind).cloned().collect();
            let other = pick(two, &alike);
            let second = value_at(json, other);
            for (path, value) in [(pick(one, &paths), second), (other, first)] {
                if let Some(place) = json.pointer_mut(path) {
                    *place = value;
                }
            }
        }
        Damage::Shorten(at) | Damage::Repeat(at) => {
            let arrays: Vec<String> = paths.iter().filter(|path| value_at(json, path).is_array()).cloned().collect();
            if let Some(items) =
                json.pointer_mut(pick(at, &arrays)).and_then(Value::as_array_mut).filter(|items| !items.is_empty())
            {
                if matches!(damage, Damage::Shorten(_)) {
                    items.remove(0);
                } else {
                    items.push(items[0].clone());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn moves_are_read_as_they_are_written(table in positions()) {
        let game = table.game();
        let mut actions = Vec::new();
        table.legal_actions(&mut actions);
        let mut outcomes = Vec::new();
        table.chance_outcomes(&mut outcomes);
        let moves = actions.into_iter().map(Move::Action).chain(outcomes.into_iter().map(|(index, _)| Move::Chance(index)));
        for mv in moves {
            let text = game.notation(mv).expect("a listed move has a notation");
            prop_assert_eq!(table.read_move(&text), Ok(mv));
        }
    }

    #[test]
    fn damaged_notation_is_refused_or_read(table in positions(), cut in any::<Index>(), with in "[a-z0-9 -]{0,3}") {
        let game = table.game();
        for text in hansa::table::possible_at(&*table).iter().take(8) {
            let at = cut.index(text.len() + 1);
            let damaged = format!("{}{with}{}", &text[..at], &text[(at + 1).min(text.len())..]);
            if let Ok(mv) = table.read_move(&damaged) {
                // What is read is written in the one right way.
                prop_assert_eq!(game.notation(mv), Some(damaged));
            }
        }
    }

    #[test]
    fn any_text_is_refused_or_read(table in positions(), text in "\\PC{0,40}") {
        if let Ok(mv) = table.read_move(&text) {
            prop_assert_eq!(table.game().notation(mv), Some(text));
        }
    }

    #[test]
    fn states_are_read_as_they_are_written(table in positions()) {
        let game = table.game();
        let from_json = Arc::clone(&game).state_from_json(&table.json());
        prop_assert!(from_json.is_ok_and(|read| read.same(&*table)));
        let from_bytes = Arc::clone(&game).state_from_bytes(&table.bytes());
        prop_assert!(from_bytes.is_ok_and(|read| read.same(&*table)));
        for player in 0..table.header().players {
            let view = table.view(player).expect("a view of a player");
            let from_json = Arc::clone(&game).view_from_json(&view.json(), player);
            prop_assert!(from_json.is_ok_and(|read| read.same(&*view)));
            let from_bytes = Arc::clone(&game).view_from_bytes(&view.bytes());
            prop_assert!(from_bytes.is_ok_and(|read| read.same(&*view)));
        }
    }

    #[test]
    fn any_record_text_is_refused_or_read(text in "\\PC{0,60}") {
        if let Ok(record) = Record::from_json(&text) {
            prop_assert_eq!(Record::from_json(&record.to_json()), Ok(record));
        }
    }
}

proptest! {
    #![proptest_config(config(amount("HANSA_DAMAGES", 1500) as u32))]

    #[test]
    fn damaged_bytes_are_refused_or_play_on(
        table in positions(),
        damages in prop::collection::vec((any::<Index>(), any::<u8>()), 1..3),
        seed in any::<u64>(),
    ) {
        let game = table.game();
        let (state, view) = (table.bytes(), table.view(0).expect("player 0").bytes());
        let damage = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            for (at, byte) in &damages {
                // The header is the same for all; what follows it is the game's own.
                let body = bytes.len() / 2;
                let place = body.min(96) + at.index(bytes.len() - body.min(96));
                bytes[place] = *byte;
            }
            bytes
        };
        if let Ok(read) = Arc::clone(&game).state_from_bytes(&damage(&state)) {
            play_on(read, seed);
        }
        if let Ok(read) = Arc::clone(&game).view_from_bytes(&damage(&view)) {
            let drawn = read.determinize(&mut Rng::new(seed));
            prop_assert!(drawn.view(0).is_some_and(|seen| seen.same(&*read)));
            play_on(drawn, seed);
        }
    }

    #[test]
    fn damaged_json_is_refused_or_plays_on(
        table in positions(),
        damages in prop::collection::vec(damage(), 1..3),
        seed in any::<u64>(),
    ) {
        let game = table.game();
        let mut state = table.json();
        damages.iter().for_each(|damage| apply(&mut state, damage));
        if let Ok(read) = Arc::clone(&game).state_from_json(&state) {
            prop_assert_eq!(in_order(read.json()), in_order(state), "a state is not read as it is written");
            play_on(read, seed);
        }
        let observer = table.header().players - 1;
        let mut view = table.view(observer).expect("the last player").json();
        damages.iter().for_each(|damage| apply(&mut view, damage));
        if let Ok(read) = Arc::clone(&game).view_from_json(&view, observer) {
            prop_assert_eq!(in_order(read.json()), in_order(view), "a view is not read as it is written");
            play_on(read.determinize(&mut Rng::new(seed)), seed);
        }
    }
}
