//! Rule data that is refused, and what the messages say.

use super::super::{Components, Ruleset};
use super::{PUBLISHED, read};
use crate::core::load::{GameInfo, Options, Override, Problem, Rules};

/// The problems of an override at one table.
fn wrong(ruleset: Ruleset, players: usize, chosen: &[(&str, &str)], over: &str) -> Vec<String> {
    read(ruleset, players, chosen, over).expect_err(over).problems.iter().map(Problem::to_string).collect()
}

fn published(over: &str) -> Vec<String> {
    wrong(Ruleset::Published, 4, &[], over)
}

fn draft(over: &str) -> Vec<String> {
    wrong(Ruleset::Draft, 4, &[], over)
}

#[test]
fn a_ruling_that_is_not_implemented_says_what_is() {
    assert_eq!(
        published("final.rounds = 4\nfinal.prosperity.clamp = false\nfinal.scoring.start_player_tie = \"oldest\""),
        [
            "line 1: final.rounds: is 4; the engine implements only 3",
            "line 2: final.prosperity.clamp: is false; the engine implements only true",
            "line 3: final.scoring.start_player_tie: is \"oldest\"; the engine implements only \"earlier in the previous \
             round's turn order\" or \"later in this round's turn order\"",
        ]
    );
    let draft_rulings = [
        "schema = 2",
        "v42.initial_deal_deck = \"first\"",
        "v42.reading.default = \"A\"",
        "v42.reading.A.hands = \"normal\"",
        "v42.reading.convert_B_to_A = \"\"",
        "v42.prosperity.same_spaces_as = \"v42\"",
        "v42.scoring.luebeck = \"\"",
        "v42.scoring.pieces_counted = \"all\"",
        "v42.scoring.pieces_after_scoring = \"stay\"",
        "v42.scoring.last_extra_turn = \"all at once\"",
        "v42.scoring.tie_break = [\"shared victory\"]",
        "v42.policy.screen_hides_from_perfect_recall = true",
        "v42.components.pieces_used_as_prosperity_markers = 0",
    ];
    let published_rulings = [
        "final.harbor_size = 3",
        "final.hand_size = 3",
        "final.initial_deal = 5",
        "final.initial_keep = 1",
        "final.initial_deal_deck = \"luxury\"",
        "final.prosperity.parliament_must_change_position = false",
        "final.policy.face_down_shows_back = false",
        "final.policy.removed_last_card_revealed = true",
        "final.scoring.parliament = \"\"",
        "final.scoring.tie_break = [\"higher rank in the Luebeck scoring\", \"shared victory\"]",
        "final.components.prosperity_markers = 5",
    ];
    for (ruleset, rulings) in [(Ruleset::Draft, &draft_rulings[..]), (Ruleset::Published, &published_rulings[..])] {
        for ruling in rulings {
            let problems = wrong(ruleset, 3, &[], ruling);
            assert!(
                problems.len() == 1 && problems[0].contains("the engine implements only"),
                "{ruling}: {problems:?}"
            );
            assert!(problems[0].starts_with("line 1: "), "{problems:?}");
        }
    }
}

#[test]
fn cards_are_checked() {
    let over = "\
[[final.deck.cards]]
id = 0
city = \"lodnon\"
[[final.deck.cards]]
id = 1
power = 10
[[final.deck.cards]]
id = 2
person = \"J\"
[[final.deck.cards]]
id = 3
kind = \"ship\"
[[final.deck.cards]]
id = 4
person = \"\"
[[final.deck.cards]]
id = 5
ship = true
[[final.deck.cards]]
id = 6
kind = \"castle\"
[[final.deck.cards]]
id = 7
min_players = 5
[[final.deck.cards]]
id = 8
code = \"lon-01\"
[[final.deck.cards]]
id = 9
code = \"a b\"
";
    assert_eq!(
        published(over),
        [
            "line 3: final.deck.cards[0].city: is \"lodnon\", must be one of london, bruges, bergen, novgorod",
            "line 6: final.deck.cards[1].power: is 10, must be 0 to 9",
            "line 9: final.deck.cards[2].person: is \"J\", must be one of A, B, C, D, E, F, G, H",
            "line 12: final.deck.cards[3].kind: kind is \"ship\" and person is \"F\"; just a person has a letter",
            "line 12: final.deck.cards[3].kind: kind is \"ship\" and ship is false; just a ship is one",
            "line 15: final.deck.cards[4].person: kind is \"person\" and person is \"\"; just a person has a letter",
            "line 18: final.deck.cards[5].ship: kind is \"person\" and ship is true; just a ship is one",
            "line 21: final.deck.cards[6].kind: is \"castle\", must be \"person\" or \"ship\" or \"building\"",
            "line 24: final.deck.cards[7].min_players: is 5, must be 2 to 4",
            "line 27: final.deck.cards[8].code: is the code of card 0, too; all must differ",
            "line 30: final.deck.cards[9].code: is \"a b\", must be a letter, then letters, digits, \"-\" and \"_\", 24 at \
             most, and not \"none\"",
        ]
    );
    assert_eq!(
        draft("[[v42.deck.cards]]\nid = 0\ngoods = 3\n[[v42.deck.cards]]\nid = 1\nbase = 3"),
        [
            "line 3: v42.deck.cards[0].goods: goods is 3, must be 1: base 2 with the luxury icon",
            "line 6: v42.deck.cards[1].base: goods is 2, must be 3: base 3 without the luxury icon",
        ]
    );
}

#[test]
fn names_are_checked() {
    assert_eq!(
        published("cities = [\"london\", \"bruges\", \"bergen\", \"London\"]\ncolors = [\"red\", \"blue\", \"none\"]"),
        [
            "line 1: cities[3]: is \"London\" like cities[0]; all must differ",
            "line 2: colors: has length 3, must have 4",
        ]
    );
    assert!(published("colors = [\"red\", \"blue\", \"none\", \"black\"]")[0].contains("colors[2]: is \"none\""));
}

#[test]
fn cards_and_numbers_must_balance() {
    assert_eq!(
        published("final.players.4.refill_normal = 10"),
        [
            "line 1: final.players.4.refill_normal: lays 18 cards after a round, must lay 16: 4 players take 4 each",
            "line 1: final.players.4.refill_normal: needs 40 normal cards with 4 players (12 at set-up, 2 x 10 after \
             rounds, 8 in hands), the deck has 36",
        ]
    );
    assert_eq!(
        published("[final.players.4]\nspaces_per_city = 4\nturns_per_round = 5"),
        [
            "line 2: final.players.4.spaces_per_city: lays 20 cards at set-up, must lay 16: 4 cities of 4 spaces",
            "line 3: final.players.4.turns_per_round: lays 16 cards after a round, must lay 20: 4 players take 5 each",
            "line 3: final.players.4.turns_per_round: 4 players take 20 cards in a round, must be less than the 16 on the \
             board",
        ]
    );
    assert_eq!(
        published("final.deck.cards = [\n{ id = 0, luxury = true }]"),
        [
            "line 1: final.deck.cards: needs 36 normal cards with 4 players (12 at set-up, 2 x 8 after rounds, 8 in \
             hands), the deck has 35",
            "line 1: final.deck.cards: needs 24 luxury cards with 4 players (8 at set-up, 2 x 8 after rounds), the deck \
             has 25",
            "line 1: final.deck.cards: normal_cards is 36, the deck has 35 normal cards",
            "line 1: final.deck.cards: luxury_cards is 24, the deck has 25 luxury cards",
        ]
    );
    let two = wrong(Ruleset::Published, 2, &[], "final.deck.cards = [{ id = 0, min_players = 3 }]");
    assert_eq!(
        two,
        [
            "line 1: final.deck.cards: needs 28 normal cards with 2 players (10 at set-up, 2 x 7 after rounds, 4 in \
             hands), the deck has 27",
            "line 1: final.deck.cards: removes 8 normal cards with 2 players, min_players removes 9",
            "line 1: final.deck.cards: removes 16 cards with 2 players, min_players removes 17",
        ]
    );
    assert_eq!(
        wrong(Ruleset::Draft, 3, &[], "v42.players.3.removed_column1 = 5"),
        ["line 1: v42.players.3.removed_column1: removes 5 luxury cards with 3 players, min_players removes 4"]
    );
}

#[test]
fn hands_can_be_dealt_before_cards_come_back() {
    let over = "\
[final.players.4]
setup_normal = 20
setup_luxury = 0
refill_normal = 3
refill_luxury = 13
[final.components]
normal_cards = 34
luxury_cards = 26
luxury_pieces = 28
luxury_pieces_per_color = 7
[final.deck]
cards = [{ id = 0, luxury = true }, { id = 1, luxury = true }]
";
    assert_eq!(
        published(over),
        ["line 2: final.players.4.setup_normal: deals 16 normal cards to 4 players, the deck has 14 left after set-up"]
    );
}

#[test]
fn the_bag_is_never_short() {
    let over = "[final.components]\nluxury_pieces = 20\nluxury_pieces_per_color = 5";
    assert_eq!(
        published(over),
        [
            "line 3: final.components.luxury_pieces_per_color: puts up to 24 pieces on cards with 4 players, the bag has 20"
        ]
    );
    assert!(read(Ruleset::Published, 2, &[], over).is_ok(), "16 pieces are enough for 2 players");
    assert_eq!(
        published("final.components.luxury_pieces = 23"),
        ["line 1: final.components.luxury_pieces: luxury_pieces is 23, must be 24: 4 colors of 6 pieces"]
    );
    assert_eq!(
        draft("v42.components.pieces_in_bag = 24"),
        [
            "line 1: v42.components.pieces_in_bag: pieces_in_bag is 24, must be 20: 4 colors of 6 pieces without 1 marker \
          each"
        ]
    );
    let over = "[v42.components]\nluxury_pieces = 16\nluxury_pieces_per_color = 4\npieces_in_bag = 12";
    assert_eq!(
        draft(over),
        [
            "line 3: v42.components.luxury_pieces_per_color: puts up to 14 pieces on cards with 4 players, the bag has 12"
        ]
    );
}

#[test]
fn tracks_are_checked() {
    assert_eq!(
        published("final.prosperity.start_index = 8"),
        ["line 1: final.prosperity.start_index: is 8, must be 0 to 7: the track has 8 spaces"]
    );
    assert!(read(Ruleset::Published, 4, &[("track", "long")], "final.prosperity.start_index = 8").is_ok());
    assert_eq!(
        published("final.prosperity.spaces = [{ index = 0, fixed = 3, m2 = 1, m3 = 0 }]"),
        ["line 1: final.prosperity.spaces: has length 1, must have 2 to 16"]
    );
    assert_eq!(
        published("[[final.prosperity.spaces]]\nindex = 3\nfixed = 6\n[[final.prosperity.spaces]]\nindex = 4\nm2 = 10"),
        ["line 6: final.prosperity.spaces[4].m2: is 10, must be 0 to 9"]
    );
    assert_eq!(
        published("[[final.prosperity.spaces]]\nindex = 3\nfixed = 6"),
        ["line 3: final.prosperity.spaces[3].fixed: the richer space 3 pays 6, less than the 7 of space 2"]
    );
}

#[test]
fn scoring_tables_are_checked() {
    assert_eq!(
        published(
            "[final.scoring]\nprosperity_change = [-1, 1, 2, 16]\nluxury_types = [0, 2, 6, 12]\ngolden_ship = [201, 0, 0, -1]\n\
             same_person = [1, 0, 6, 20]\nsupport_after_rounds = [1, 4]\nsupport_step = 0"
        ),
        [
            "line 2: final.scoring.prosperity_change[3]: is 16, must be -15 to 15",
            "line 3: final.scoring.luxury_types: has length 4, must have 5",
            "line 4: final.scoring.golden_ship[0]: is 201, must be 0 to 200",
            "line 4: final.scoring.golden_ship[3]: is -1, must be 0 to 200",
            "line 5: final.scoring.same_person[0]: is 1, must be 0: no copy earns nothing",
            "line 6: final.scoring.support_after_rounds[1]: is 4, must be 1 to 3",
            "line 7: final.scoring.support_step: is 0, must be 1 to 15",
        ]
    );
    assert_eq!(
        published("final.scoring.support_after_rounds = [2, 2]"),
        ["line 1: final.scoring.support_after_rounds[1]: names round 2 again"]
    );
    let problems = published("final.scoring.same_person = [0, 0, 6]");
    assert_eq!(problems.len(), 8);
    assert_eq!(
        problems[0],
        "line 1: final.scoring.same_person: pays for up to 2 copies of a letter, but A has 3 with 4 players"
    );
}

#[test]
fn the_list_of_components_agrees_with_the_deck() {
    let over = "[final.components]\ntrade_cards = 61\nnormal_cards = 35\ncards_per_city = 14\ncopies_per_person = 4";
    assert_eq!(
        published(over),
        [
            "line 2: final.components.trade_cards: trade_cards is 61, the deck has 60 cards",
            "line 3: final.components.normal_cards: normal_cards is 35, the deck has 36 normal cards",
            "line 4: final.components.cards_per_city: cards_per_city is 14, the deck has 15 cards in the largest city",
            "line 5: final.components.copies_per_person: copies_per_person is 4, the deck has 3 cards of the most \
             frequent letter",
        ]
    );
    assert!(draft("v42.components.persons_types = 7")[0].ends_with("persons_types is 7, the deck has 8 letters"));
}

#[test]
fn totals_fit_into_a_byte() {
    // All 60 cards in London: 15 and 45 more.
    let mut over = String::from("final.components.cards_per_city = 60\nfinal.deck.cards = [");
    for id in 0..60 {
        over += &format!("{{ id = {id}, city = \"london\", power = 9 }},");
    }
    over += "]";
    assert_eq!(
        published(&over),
        ["line 2: final.deck.cards: all cards and pieces of city 0 count 546 with 4 players, must be at most 255"]
    );
}

#[test]
fn a_number_of_players_without_a_row_is_a_problem() {
    let problems = wrong(Ruleset::Published, 5, &[], "");
    assert!(problems.iter().any(|problem| problem == "final.players.5.turns_per_round: is missing"), "{problems:?}");
}

#[test]
fn data_with_other_ids_is_refused() {
    let swapped = PUBLISHED.data.replacen("{ id =  1, ", "{ id = 61, ", 1);
    let info = GameInfo { data: Box::leak(swapped.into_boxed_str()), ..PUBLISHED };
    let rules = Rules::load(&info, Override::None).expect("TOML");
    let error = Components::read(&rules, Ruleset::Published, 4, &Options::defaults(&info)).expect_err("an id");
    assert_eq!(error.to_string(), "final.deck.cards[1].id: is 61, must be 1");
}
