//! Rule data that is refused, and what the messages say.

use super::{INFO, read, read_from, wrong};
use crate::core::load::{Override, Problem, Rules};

#[test]
fn a_ruling_that_is_not_implemented_says_what_is() {
    let rulings = [
        "meta.game = \"Hanse\"",
        "meta.schema_version = 2",
        "meta.players_min = 1",
        "meta.players_max = 5",
        "setup.own_cities_must_differ = false",
        "setup.sharing_with_opponents = false",
        "turn.refills_per_turn = 2",
        "turn.actions_per_city_visit = 2",
        "turn.sale_booths_removed = 0",
        "turn.loss_per_colour_per_opponent = 2",
        "scoring.tie_break = [\"score\", \"shared\"]",
        "end.trigger = \"never\"",
        "end.finish = \"at once\"",
        "bank.engine_policy = \"limited\"",
        "extrakarte.enabled_by_default = true",
        "extrakarte.tie_policy = \"nobody\"",
        "flags.build_must_use_all_barrels = false",
        "flags.sale_may_withhold = false",
        "flags.loss_auto_lowest = true",
        "counts.player_colours = 5",
        "counts.ships = 2",
        "counts.supply_spaces = 6",
    ];
    for ruling in rulings {
        let problems = wrong(ruling);
        assert!(
            problems.iter().any(|problem| problem.contains("the engine implements only")),
            "{ruling}: {problems:?}"
        );
        assert!(problems[0].starts_with("line 1: "), "{problems:?}");
    }
    assert_eq!(wrong(rulings[6]), ["line 1: turn.refills_per_turn: is 2; the engine implements only 1"]);
}

#[test]
fn numbers_have_limits() {
    let limits = [
        ("setup.talers_per_player", 0, 15),
        ("setup.placement_rounds", 1, 16),
        ("setup.booths_per_placement", 1, 60),
        ("counts.booths_per_player", 1, 60),
        ("turn.income", 1, 15),
        ("turn.refill_cost", 0, 15),
        ("turn.ship_move_cost", 1, 15),
        ("turn.purchase_cost", 0, 15),
        ("turn.sale_min_markers_per_colour", 1, 4),
        ("turn.keep_talers_max", 0, 15),
        ("turn.keep_goods_max", 0, 15),
        ("scoring.unsold_marker", 0, 100),
        ("scoring.sold_marker.1", 0, 100),
        ("scoring.sold_marker.2", 0, 100),
        ("scoring.sold_marker.3", 0, 100),
        ("scoring.city_present", 0, 100),
        ("scoring.city_monopoly", 0, 100),
        ("scoring.taler", 0, 100),
        ("flags.stall_round_limit", 1, 100),
        ("extrakarte.highest_stack", 0, 100),
        ("extrakarte.opened_last_pile", 0, 100),
        ("extrakarte.most_cities", 0, 100),
        ("extrakarte.most_sold_one_barrel", 0, 100),
        ("extrakarte.minimum_to_score", 0, 60),
    ];
    for (path, least, most) in limits {
        let message = |value: i64| format!("line 1: {path}: is {value}, must be {least} to {most}");
        for (value, refused) in [(least - 1, true), (least, false), (most, false), (most + 1, true), (i64::MIN, true)] {
            let over = format!("{path} = {value}");
            let problems = read_from(&INFO, 4, "true", &over).err().map_or(Vec::new(), |error| error.problems);
            let found = problems.iter().any(|problem| problem.to_string() == message(value));
            assert_eq!(found, refused, "{over}: {problems:?}");
        }
    }
}

#[test]
fn prices_are_paid_from_the_income() {
    assert_eq!(
        wrong("turn.income = 2\nturn.refill_cost = 3\nturn.ship_move_cost = 4\nturn.purchase_cost = 5"),
        [
            "line 2: turn.refill_cost: costs 3 Talers, must cost 0 to 2: the income of a turn has to pay it",
            "line 3: turn.ship_move_cost: costs 4 Talers, must cost 1 to 2: the income of a turn has to pay it",
            "line 4: turn.purchase_cost: costs 5 Talers, must cost 0 to 2: the income of a turn has to pay it",
        ]
    );
    let over = "turn.income = 15\nturn.purchase_cost = 6";
    assert_eq!(
        wrong(over),
        [
            "line 2: turn.purchase_cost: with 4 players one of them could get 270 Talers between two turns (3 before, 15 \
             income, 42 purchases at 6), must be at most 255"
        ]
    );
    assert_eq!(read(3, over).expect("3 + 15 + 28 * 6 = 186").purchase_cost, 6);
}

#[test]
fn markers_and_piles_are_counted() {
    assert_eq!(
        wrong("supply.4.piles = [13, 13, 13, 13, 13]"),
        [
            "line 1: supply.4.piles: the piles for 4 players hold 65 markers, must hold 64: 78 markers, one of them on each of \
             the 14 spaces"
        ]
    );
    assert_eq!(
        wrong("supply.4 = { total = 77, supply = 63, piles = [0, 16, 16, 16, 16] }"),
        [
            "line 1: supply.4.piles[0]: is 0, must be 1 to 255",
            "line 1: supply.4.total: supply.4.total is 77, must be 78: so many markers are in play with 4 players",
            "line 1: supply.4.supply: supply.4.supply is 63, must be 64: 78 markers, one of them on each of the 14 spaces",
        ]
    );
    assert_eq!(wrong("supply.4.piles = [64]"), ["line 1: supply.4.piles: has length 1, must have 5"]);
    assert_eq!(
        wrong(
            "goods.per_colour = [\n{ barrels = 1, count = 4 },\n{ barrels = 2, count = 16 },\n{ barrels = 4, count = 4 }]"
        ),
        [
            "line 3: goods.per_colour[1].count: is 16, must be 1 to 15",
            "line 4: goods.per_colour[2].barrels: is 4, must be 1 to 3",
        ]
    );
    assert_eq!(
        wrong(
            "goods.per_colour = [{ barrels = 1, count = 4 },\n{ barrels = 1, count = 5 }, { barrels = 3, count = 4 }]"
        ),
        ["line 2: goods.per_colour[1].barrels: is 1 again; 1, 2 and 3 must stand there once each"]
    );
    let many =
        "goods.per_colour = [{ barrels = 1, count = 15 }, { barrels = 2, count = 15 }, { barrels = 3, count = 15 }]";
    assert_eq!(
        wrong(many),
        [
            "line 1: goods.per_colour: goods.markers_per_colour is 13, must be 45: the sum over the numbers of barrels",
            "line 1: goods.per_colour: counts.goods_markers is 78, must be 270: 6 colours of 45 markers",
            "line 1: goods.per_colour: supply.4.total is 78, must be 270: so many markers are in play with 4 players",
            "line 1: goods.per_colour: 270 markers are in play with 4 players, must be at most 255",
        ]
    );
    assert_eq!(
        wrong("goods.in_play.4 = [\"red\"]\nsupply.4.total = 13"),
        ["line 1: goods.in_play.4: 13 markers are in play with 4 players, must be more than the 14 spaces"]
    );
}

#[test]
fn colours_are_checked() {
    assert_eq!(
        wrong("goods.in_play.4 = [\"red\", \"oragne\", \"red\", \"violet\"]"),
        [
            "line 1: goods.in_play.4[1]: \"oragne\" is no colour of goods.colours; did you mean \"orange\"?",
            "line 1: goods.in_play.4[2]: names red again",
            "line 1: goods.in_play.4[3]: \"violet\" is no colour of goods.colours; there are orange, brown, red, green, blue, \
             pink",
        ]
    );
    assert_eq!(
        wrong("goods.colours = [\"orange\", \"brown\", \"none\", \"Orange\", \"green\", \"blue\"]"),
        [
            "line 1: goods.colours[2]: is \"none\", must be a letter, then letters, digits, \"-\" and \"_\", 24 at most, and not \
             \"none\"",
            "line 1: goods.colours[3]: is \"orange\" like goods.colours[0]; all must differ",
        ]
    );
    assert_eq!(
        wrong("goods.in_play.4 = [\"red\", \"green\", \"red\"]")[0],
        "line 1: goods.in_play.4[2]: names red again"
    );
    assert_eq!(wrong("goods.in_play.4 = []"), ["line 1: goods.in_play.4: has length 0, must have 1 to 6"]);
    assert_eq!(
        wrong("player_colours.ids = [\"white\", \"gray\", \"White\"]"),
        ["line 1: player_colours.ids: has length 3, must have 4"]
    );
}

#[test]
fn the_box_is_counted() {
    assert_eq!(
        wrong("counts = { booths_per_player = 20, talers = 23 }"),
        [
            "line 1: counts.booths_per_player: counts.market_booths is 60, must be 80: 4 colours of 20",
            "line 1: counts.talers: bank.taler_supply is 22, must be 23: so many Talers are in the box",
        ]
    );
    assert_eq!(
        wrong("counts.cities = 8\ncounts.goods_markers = 79"),
        [
            "line 1: counts.cities: counts.cities is 8, must be 9: so many cities are listed",
            "line 2: counts.goods_markers: counts.goods_markers is 79, must be 78: 6 colours of 13 markers",
        ]
    );
}

#[test]
fn form_is_checked_by_the_merge() {
    let over = Override::Text("turn.incom = 4\ncities = [{ id = \"rigga\", number = 9 }]");
    let problems = Rules::load(&INFO, over).expect_err("wrong").problems;
    assert_eq!(
        problems.iter().map(Problem::to_string).collect::<Vec<_>>(),
        [
            "line 1: turn.incom: is no known key; did you mean `income`?",
            "line 2: cities[0].id: no element has the id \"rigga\"; did you mean \"riga\"?",
        ]
    );
}
