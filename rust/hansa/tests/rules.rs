//! Rule data and overrides of every kind, through the public loading interface.

use std::collections::BTreeMap;

use hansa::core::load::{self, GameInfo, LoadError, Options, Override, Rules};
use hansa::core::{Game, Rng, Turn};
use hansa::games::queen_of_hansa::{DRAFT, PUBLISHED, Queen};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Of the embedded data, computed with Python:
/// `json.dumps(tomllib.load(file), sort_keys=True, separators=(",", ":"), ensure_ascii=False)` in UTF-8.
const DIGEST: &str = "2c30c02a168e28dfcd840104e907a9d8f9f5ea711b70f49e6f3b5ec88ddbc0af";

fn load_queen(info: &'static GameInfo, over: Override<'_>, players: usize) -> Result<load::Loaded<Queen>, LoadError> {
    load::load(info, over, players, &BTreeMap::new())
}

#[test]
fn the_digest_of_the_embedded_data_is_pinned() {
    for info in [&PUBLISHED, &DRAFT] {
        assert_eq!(Rules::load(info, Override::None).expect("right").digest(), DIGEST);
        // The text is its own override, as `hansa rules GAME` promises.
        assert_eq!(Rules::load(info, Override::Text(info.data)).expect("right").digest(), DIGEST);
    }
}

#[test]
fn every_table_loads() {
    for info in [&PUBLISHED, &DRAFT] {
        for options in Options::every(info) {
            for players in 2..=4 {
                let loaded = load::load::<Queen>(info, Override::None, players, &options.non_default()).expect("right");
                assert_eq!(loaded.options, options);
                assert_eq!(loaded.rules.digest(), DIGEST);
            }
        }
        load::check::<Queen>(info, Override::None).expect("right");
    }
}

#[test]
fn text_and_mapping_give_the_same_rules() {
    let text = "final.scoring.golden_ship = [18, 9, 0, 0]\nfinal.deck.cards = [{ code = \"LON-01\", power = 3 }]";
    let mapping = json!({ "final": {
        "scoring": { "golden_ship": [18, 9, 0, 0] },
        "deck": { "cards": [{ "code": "LON-01", "power": 3 }] },
    } });
    let written = load_queen(&PUBLISHED, Override::Text(text), 4).expect("right");
    let mapped = load_queen(&PUBLISHED, Override::Json(&mapping), 4).expect("right");
    assert_eq!(written.rules.digest(), mapped.rules.digest());
    assert_ne!(written.rules.digest(), DIGEST);
    assert_eq!(written.game.components(), mapped.game.components());
    assert_eq!(written.game.components().golden_ship, Some([18, 9, 0, 0]));
    assert_eq!(written.game.components().cards[0].power, 3);
}

#[test]
fn problems_of_form_and_of_meaning_are_listed_together() {
    let over = "\
[final.scoring]
support_step = 99
golden_shipp = [1, 2, 3, 4]

[[final.deck.cards]]
code = \"NOV-15\"
power = \"two\"
min_players = 7

[final.players.4]
refill_luxury = 9
";
    let error = load_queen(&PUBLISHED, Override::Text(over), 4).expect_err("five problems");
    assert_eq!(
        error.to_string(),
        "line 2: final.scoring.support_step: is 99, must be 1 to 15\n\
         line 3: final.scoring.golden_shipp: is no known key; did you mean `golden_ship`?\n\
         line 7: final.deck.cards[59].power: is a string, must be an integer\n\
         line 8: final.deck.cards[59].min_players: is 7, must be 2 to 4"
    );
    let LoadError::Rules(error) = error else { panic!("{error:?}") };
    assert_eq!(error.problems[2].path, "final.deck.cards[59].power");
    assert_eq!(error.problems[2].line, Some(7));
}

#[test]
fn an_override_is_checked_for_every_table() {
    let over = "final.players = { 2.turns_per_round = 7, 3.spaces_per_city = 6 }\nfinal.prosperity.spaces = [\n\
                { index = 7, fixed = 1000 }]";
    let error = load::check::<Queen>(&PUBLISHED, Override::Text(over)).expect_err("three problems");
    assert_eq!(
        error.to_string(),
        "line 1: final.players.2.turns_per_round: is 7, must be 1 to 6\n\
         line 1: final.players.3.spaces_per_city: is 6, must be 3 to 5\n\
         line 3: final.prosperity.spaces[7].fixed: is 1000, must be 0 to 200"
    );
    assert!(load_queen(&PUBLISHED, Override::Text("final.players.2.turns_per_round = 7"), 4).is_ok());
}

#[test]
fn players_and_options_are_checked_first() {
    let error = |players, name: &str, value: &str| {
        let given = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        load::load::<Queen>(&PUBLISHED, Override::Text("x = 1"), players, &given).expect_err("wrong").to_string()
    };
    assert_eq!(error(5, "track", "long"), "`queen_of_hansa` is for 2 to 4 players, not for 5");
    assert_eq!(error(4, "reading", "A"), "`queen_of_hansa` has no option `reading`; its options: track");
    assert_eq!(
        error(4, "track", "short"),
        "option `track` of `queen_of_hansa` cannot be `short`; its values: standard, long"
    );
}

/// The paths of all integers in the embedded data, as keys and places.
fn integers(value: &Value, path: &mut Vec<Value>, found: &mut Vec<Vec<Value>>) {
    match value {
        Value::Number(_) => found.push(path.clone()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(json!(index));
                integers(item, path, found);
                path.pop();
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                path.push(json!(key));
                integers(entry, path, found);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn all_integers() -> Vec<Vec<Value>> {
    let rules = Rules::load(&PUBLISHED, Override::None).expect("right");
    let mut found = Vec::new();
    integers(rules.document(), &mut Vec::new(), &mut found);
    found
}

/// Sets the integer at a path of a copy of the whole document.
fn set(document: &mut Value, path: &[Value], number: i64) {
    let mut place = document;
    for step in path {
        place = match step {
            Value::String(key) => &mut place[key.as_str()],
            index => &mut place[index.as_u64().expect("a place") as usize],
        };
    }
    *place = json!(number);
}

/// Plays a game step by step and two with the game's own playout: the engine's integers must hold the numbers.
fn play(queen: &Queen, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut state = queen.start();
    loop {
        match queen.turn(&state) {
            Turn::Act(_) => {
                let action = queen.random_action(&state, &mut rng);
                queen.try_apply(&mut state, action).expect("a legal action");
            }
            Turn::Chance => {
                let outcome = queen.random_chance(&state, &mut rng);
                queen.try_resolve(&mut state, outcome).expect("a possible outcome");
            }
            Turn::Over => break,
        }
    }
    assert!(queen.scores(&state).iter().all(|&score| score >= 0));
    for _ in 0..2 {
        let ending = queen.playout(&queen.start(), &mut rng);
        assert!(ending.scores.iter().all(|&score| (0..=i32::from(u16::MAX)).contains(&score)));
    }
}

/// An override of the published game with numbers at the limits of what is accepted.
fn extreme(power: i64, points: i64, steps: i64, bag: i64) -> Value {
    let cards: Vec<Value> = (0..60).map(|id| json!({ "id": id, "power": power })).collect();
    let spaces: Vec<Value> = (0..16)
        .map(|index| json!({ "index": index, "fixed": points, "m2": points.min(9), "m3": points.min(9) }))
        .collect();
    json!({ "final": {
        "deck": { "cards": cards },
        "prosperity": { "spaces": spaces, "start_index": 15 },
        "components": { "luxury_pieces": 4 * bag, "luxury_pieces_per_color": bag },
        "scoring": {
            "prosperity_change": [steps, -steps, steps, -steps],
            "luxury_types": [points, points, points, points, points],
            "golden_ship": [points, points, points, points],
            "person_types": [points, points, points, points, points, points, points, points, points],
            "same_person": [0, points, points, points],
            "support_after_rounds": [1, 2, 3],
            "support_step": steps.max(1),
        },
    } })
}

#[test]
fn numbers_at_the_limits_can_be_played() {
    for (power, points, steps, bag) in [(9, 200, 15, 15), (0, 0, -15, 6), (9, 200, -15, 6)] {
        for players in 2..=4 {
            let over = extreme(power, points, steps, bag);
            let loaded = load_queen(&PUBLISHED, Override::Json(&over), players).expect("accepted");
            for seed in 0..5 {
                play(&loaded.game, seed);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever numbers are changed, loading gives a game that can be played or a list of problems.
    #[test]
    fn random_numbers_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![-2..12i64, -300..300i64, any::<i64>()]), 1..6),
        draft in any::<bool>(),
    ) {
        let paths = all_integers();
        let info = if draft { &DRAFT } else { &PUBLISHED };
        let mut document = Rules::load(info, Override::None).expect("right").document().clone();
        for (index, number) in changes {
            set(&mut document, &paths[index.index(paths.len())], number);
        }
        for players in 2..=4 {
            match load_queen(info, Override::Json(&document), players) {
                Ok(loaded) => play(&loaded.game, 1),
                Err(LoadError::Rules(error)) => {
                    let problems = &error.problems;
                    prop_assert!(!problems.is_empty());
                    prop_assert!(problems.iter().all(|problem| !problem.path.is_empty() && !problem.message.is_empty()));
                }
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }

    /// The same numbers as text: every problem of a single stated key has its line.
    #[test]
    fn a_stated_number_has_its_line(index in any::<prop::sample::Index>(), number in any::<i64>(), blank in 0..5usize) {
        let keys = ["final.scoring.support_step", "final.prosperity.start_index", "v42.players.2.turns_per_round",
            "final.rounds", "v42.scoring.support_step", "final.players.3.setup_luxury"];
        let key = keys[index.index(keys.len())];
        let text = format!("{}{key} = {number}\n", "\n".repeat(blank));
        for info in [&PUBLISHED, &DRAFT] {
            if let Err(error) = load::check::<Queen>(info, Override::Text(&text)) {
                prop_assert!(error.problems.iter().all(|problem| problem.line == Some(blank + 1)), "{error}");
            }
        }
    }

    /// No text is worse than wrong.
    #[test]
    fn random_text_never_panics(text in "[\\[\\]{}=,.\"'a-c0-9 \n#-]{0,80}|\\PC{0,40}") {
        if let Err(error) = Rules::load(&PUBLISHED, Override::Text(&text)) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
