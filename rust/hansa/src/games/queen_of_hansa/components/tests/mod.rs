mod refused;

use serde_json::Value;

use super::{Components, Ruleset, Space, TieBreak};
use crate::core::load::{GameInfo, GameOption, Options, Override, Rules, RulesError};

const TRACK: GameOption = GameOption { name: "track", values: &["standard", "long"], about: "" };
const READING: GameOption = GameOption { name: "reading", values: &["B", "A"], about: "" };

const PUBLISHED: GameInfo = GameInfo {
    id: "published",
    title: "",
    about: "",
    version: 1,
    players: 2..=4,
    options: &[TRACK],
    data: include_str!("../../../../../data/queen_of_hansa.toml"),
    data_name: "queen_of_hansa.toml",
};
const DRAFT: GameInfo = GameInfo { id: "draft", options: &[TRACK, READING], ..PUBLISHED };

fn info(ruleset: Ruleset) -> GameInfo {
    if ruleset == Ruleset::Draft { DRAFT } else { PUBLISHED }
}

fn read(ruleset: Ruleset, players: usize, chosen: &[(&str, &str)], over: &str) -> Result<Components, RulesError> {
    let info = info(ruleset);
    let given = chosen.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let options = Options::resolve(&info, &given).expect("options of the game");
    Components::read(&Rules::load(&info, Override::Text(over))?, ruleset, players, &options)
}

fn counts(components: &Components) -> [u32; 2] {
    components.decks.map(u64::count_ones)
}

#[test]
fn every_table_of_the_embedded_data_loads() {
    for ruleset in [Ruleset::Published, Ruleset::Draft] {
        let info = info(ruleset);
        let rules = Rules::load(&info, Override::None).expect("right");
        for options in Options::every(&info) {
            for players in 2..=4 {
                let components = Components::read(&rules, ruleset, players, &options).expect("right");
                let taken = u32::from(components.turns) * players as u32;
                let board = 4 * u32::from(components.spaces);
                let dealt = board + 2 * taken + 2 * players as u32;
                assert_eq!(counts(&components).iter().sum::<u32>(), dealt);
                assert_eq!(components.cards.len(), 60);
                assert_eq!(components.codes[16], "bru-02");
                assert_eq!(components.track.len(), if options.get("track") == "long" { 10 } else { 8 });
                assert_eq!(components.track[7], Space { fixed: 25, m2: 3, m3: 2 });
                assert_eq!(components.track_start, 1);
            }
        }
    }
}

#[test]
fn deck_counts_of_the_examples() {
    let examples = include_str!("../../../../../../../tests/games/queen_of_hansa/examples.json");
    let examples: Value = serde_json::from_str(examples).expect("JSON");
    let mut seen = 0;
    for example in examples["examples"].as_array().expect("a list") {
        if example["kind"] != "deck_counts" {
            continue;
        }
        seen += 1;
        let players = example["input"]["players"].as_u64().expect("a number") as usize;
        let expected: [u32; 2] = serde_json::from_value(example["expected"].clone()).expect("two numbers");
        if example["ruleset"] == "final" {
            let components = read(Ruleset::Published, players, &[], "").expect("right");
            assert_eq!(counts(&components), expected, "{}", example["id"]);
        } else {
            // By column: reading B has the luxury cards in column 1, reading A in column 2.
            let [normal, luxury] = counts(&read(Ruleset::Draft, players, &[], "").expect("right"));
            assert_eq!([luxury, normal], expected, "{}", example["id"]);
            let inverted = read(Ruleset::Draft, players, &[("reading", "A")], "").expect("right");
            assert_eq!(counts(&inverted), expected, "{}", example["id"]);
        }
    }
    assert_eq!(seen, 6);
}

#[test]
fn the_published_game_is_as_printed() {
    let components = read(Ruleset::Published, 3, &[], "").expect("right");
    assert_eq!((components.turns, components.spaces, components.bag), (5, 5, 6));
    assert_eq!((components.setup, components.refill), ([12, 8], [7, 8]));
    assert_eq!(components.golden_ship, Some([20, 10, 5, 0]));
    assert_eq!(components.same_person, [0, 0, 6, 20]);
    assert_eq!(components.support_after, [true, true, false]);
    assert!(!components.hand_luxury && !components.pieces_return && !components.extra_in_turn);
    assert!(components.chooser_latest && !components.zero_total_earns && components.zero_total_ranks);
    assert_eq!(components.tie_break, TieBreak::Persons);
    let card = components.cards[18];
    assert_eq!((card.city, card.power, card.letter, card.luxury, card.ship), (1, 1, Some(4), true, false));
    assert_eq!(components.cards.iter().filter(|card| card.ship).count(), 12);
}

#[test]
fn the_draft_is_as_printed_under_both_readings() {
    let plain = read(Ruleset::Draft, 4, &[], "").expect("right");
    assert_eq!((plain.setup, plain.refill, plain.bag, plain.hand_luxury), ([8, 12], [6, 10], 5, false));
    let inverted = read(Ruleset::Draft, 4, &[("reading", "A")], "").expect("right");
    assert_eq!((inverted.setup, inverted.refill, inverted.bag, inverted.hand_luxury), ([12, 8], [10, 6], 5, true));
    for (id, (b, a)) in plain.cards.iter().zip(&inverted.cards).enumerate() {
        let base = if b.letter.is_some() { 2 } else { 3 };
        assert_ne!(a.luxury, b.luxury, "card {id}");
        assert_eq!(a.power, base - u8::from(a.luxury), "card {id}");
        assert_eq!(b.power, base - u8::from(b.luxury), "card {id}");
        assert!(!a.ship && a.letter == b.letter && a.city == b.city);
    }
    assert_eq!(plain.golden_ship, None);
    assert_eq!(plain.support_after, [true; 3]);
    assert!(plain.pieces_return && plain.extra_in_turn && !plain.chooser_latest);
    assert_eq!(plain.tie_break, TieBreak::LuebeckRank);
}

#[test]
fn switches_and_numbers_can_be_overridden() {
    let over = "\
final.policy = { zero_total_earns_city_profit = true, zero_total_ranks_in_parliament = false }
final.scoring.support_after_rounds = [3]
final.scoring.start_player_tie = \"earlier in the previous round's turn order\"
final.players.4.provenance = \"the other edition\"
final.deck.cards = [{ code = \"LON-04\", power = 3, person = \"H\" }, { id = 5, person = \"F\", code = \"L_5\" }]
final.prosperity.spaces = [{ index = 0, fixed = 1, m2 = 1, m3 = 0 }, { index = 1, fixed = 9, m2 = 2, m3 = 1 }]
";
    let components = read(Ruleset::Published, 4, &[], over).expect("right");
    assert!(components.zero_total_earns && !components.zero_total_ranks && !components.chooser_latest);
    assert_eq!(components.support_after, [false, false, true]);
    assert_eq!((components.cards[3].power, components.cards[3].letter), (3, Some(7)));
    assert_eq!(components.codes[5], "l_5");
    assert_eq!(components.track, [Space { fixed: 1, m2: 1, m3: 0 }, Space { fixed: 9, m2: 2, m3: 1 }]);
    // The draft's track is the published game's.
    assert_eq!(read(Ruleset::Draft, 4, &[], over).expect("right").track, components.track);
    let luebeck = "v42.policy.zero_total_ranks_in_luebeck = false";
    assert!(!read(Ruleset::Draft, 4, &[], luebeck).expect("right").zero_total_ranks);
}
