//! The fast playout and the notation's example.

use std::collections::BTreeMap;

use super::action::Action;
use super::state::{Phase, State};
use super::{HANSA, Hansa};
use crate::core::load::{Load, Options, Override, Rules};
use crate::core::parts::bits::Portable;
use crate::core::{Encode, Game, Rng, Turn};

fn table(players: usize, extrakarte: &str) -> Hansa {
    let rules = Rules::load(&HANSA, Override::None).expect("the embedded data is right");
    let given = BTreeMap::from([("extrakarte".to_owned(), extrakarte.to_owned())]);
    let options = Options::resolve(&HANSA, &given).expect("the option exists");
    Hansa::load(&HANSA, &rules, players, &options).expect("the embedded data is right")
}

#[cfg(target_arch = "x86_64")]
#[test]
fn every_processor_plays_the_same_game() {
    let Some(processor) = crate::core::parts::bits::Bmi2::detect() else { return };
    for players in 2..=4 {
        let game = table(players, "true");
        let (mut first, mut second) = (Rng::new(13), Rng::new(13));
        for _ in 0..50 {
            let portable = game.play_on(Portable, &game.start(), &mut first);
            let fast = processor.run(|| game.play_on(processor, &game.start(), &mut second));
            assert_eq!(portable, fast);
        }
        assert_eq!(first, second, "both have drawn the same numbers");
    }
}

#[test]
fn a_playout_is_random_play_step_by_step() {
    for players in 2..=4 {
        let game = table(players, "false");
        let (mut first, mut second) = (Rng::new(5), Rng::new(5));
        for _ in 0..20 {
            let ending = game.play_on(Portable, &game.start(), &mut first);
            let mut state = game.start();
            let mut decisions = 0;
            loop {
                match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance => {
                        let outcome = game.random_chance(&state, &mut second);
                        game.try_resolve(&mut state, outcome).expect("possible");
                    }
                    Turn::Act(_) => {
                        let action = game.random_action(&state, &mut second);
                        game.try_apply(&mut state, action).expect("legal");
                        decisions += 1;
                    }
                }
            }
            assert_eq!((ending.scores, ending.ranks), (game.scores(&state), game.ranks(&state)));
            assert_eq!(ending.decisions, decisions);
        }
    }
}

/// The example of the notation: player 2 has sold two green markers in Tønsberg, and player 0 decides which to lose.
const EXAMPLE: &str = r#"{"phase":"lose","turn":0,"active":2,"ship":"tonsberg","acted":true,"players":[
{"talers":3,"reserve":0,"booths":{"tonsberg":1,"aalborg":4,"copenhagen":1,"stockholm":2,"kalmar":1,"danzig":1,"reval":5},
"unsold":["green 1","green 3"],"sold":["orange 2","orange 3"]},
{"talers":3,"reserve":0,"booths":{"tonsberg":2,"aalborg":2,"copenhagen":2,"kalmar":4,"reval":4,"riga":1},
"unsold":["red 3","green 1"],"sold":["blue 1","blue 2"]},
{"talers":0,"reserve":4,"booths":{"tonsberg":2,"aalborg":3,"luebeck":2,"stockholm":3,"reval":1},
"unsold":[],"sold":["brown 2","brown 3","green 2","green 3"]}],
"warehouses":{"tonsberg":["orange 1","green 2"],"aalborg":["orange 2","orange 3"],"copenhagen":["green 1"],
"luebeck":["brown 1","brown 2"],"stockholm":["orange 3","brown 1"],"kalmar":["blue 3"],"danzig":["red 3"],
"reval":["red 2"],"riga":["orange 1","brown 1"]},
"supply":["orange 3","brown 2","brown 2","brown 3","red 1","red 1","red 2","red 2","red 2","green 1","green 2",
"green 3","green 3","blue 1","blue 1","blue 2","blue 3","blue 3"],"piles":[0,0,0,8,10],
"out":["orange 1","orange 1","orange 2","orange 2","orange 2","brown 1","brown 2","brown 3","brown 3","red 1","red 1",
"red 2","red 3","red 3","green 2","green 2","blue 1","blue 2","blue 2","blue 2","blue 3"],
"opened_by":null,"idle":false,"idle_rounds":0,"sale":{"colours":["green"],"colour":"green","kept":[]}}"#;

#[test]
fn the_example_of_the_notation() {
    let game = table(3, "false");
    let json: serde_json::Value = serde_json::from_str(EXAMPLE).expect("JSON");
    let mut state = game.state_from_json(&json).expect("a position");
    assert_eq!(game.state_json(&state).to_string(), EXAMPLE.replace('\n', ""));
    assert_eq!(game.turn(&state), Turn::Act(0));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let legal: Vec<String> = legal.into_iter().map(|action| game.action_notation(action)).collect();
    assert_eq!(legal, ["lose green 1", "lose green 3"]);
    // Then player 1 loses the only green one without being asked, and the seller sails on.
    game.try_apply(&mut state, game.parse_action("lose green 1").expect("a move")).expect("legal");
    assert_eq!(game.turn(&state), Turn::Act(2));
    let json = game.state_json(&state);
    assert_eq!(json["players"][0]["unsold"], serde_json::json!(["green 3"]));
    assert_eq!(json["players"][1]["unsold"], serde_json::json!(["red 3"]));
    assert_eq!(json["phase"], "sail");
}

#[test]
fn refusals_name_the_rule() {
    let game = table(2, "false");
    let mut rng = Rng::new(3);
    let mut state = game.start();
    while state.phase != Phase::Place {
        let outcome = game.random_chance(&state, &mut rng);
        game.resolve(&mut state, outcome);
    }
    let refused = |state: &State, text: &str| {
        let action = game.parse_action(text).expect("notation");
        game.check_action(state, action).expect_err("forbidden").to_string()
    };
    assert!(refused(&state, "place copenhagen").contains("spec 4.5"));
    assert!(refused(&state, "end").contains("spec 5"));
    game.apply(&mut state, Action::Place(0));
    game.apply(&mut state, Action::Place(1));
    assert_eq!(
        refused(&state, "place tonsberg"),
        "player 0 has booths in tonsberg (spec 4.5: not into a city where one has booths)"
    );
    let words = game.parse_action("buy pink 1").expect_err("pink is out with two players").message;
    assert!(words.contains("not in play with 2 players"), "{words}");
}
