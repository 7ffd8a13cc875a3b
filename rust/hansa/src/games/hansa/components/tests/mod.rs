mod map;
mod refused;

use super::{BARRELS, Components, Extrakarte, MOST_CITIES};
use crate::core::load::{GameInfo, GameOption, Options, Override, Problem, Rules, RulesError};

const EXTRAKARTE: GameOption = GameOption { name: "extrakarte", values: &["false", "true"], about: "" };

const INFO: GameInfo = GameInfo {
    id: "hansa",
    title: "",
    about: "",
    version: 1,
    players: 2..=4,
    options: &[EXTRAKARTE],
    data: include_str!("../../../../../data/hansa.toml"),
    data_name: "hansa.toml",
};

fn read_from(info: &GameInfo, players: usize, extrakarte: &str, over: &str) -> Result<Components, RulesError> {
    let given = [("extrakarte".to_owned(), extrakarte.to_owned())].into();
    let options = Options::resolve(info, &given).expect("options of the game");
    Components::read(&Rules::load(info, Override::Text(over))?, players, &options)
}

fn read(players: usize, over: &str) -> Result<Components, RulesError> {
    read_from(&INFO, players, "false", over)
}

/// The problems of an override at a table of four.
fn wrong(over: &str) -> Vec<String> {
    problems(&INFO, over)
}

fn problems(info: &GameInfo, over: &str) -> Vec<String> {
    let error = read_from(info, 4, "true", over).expect_err(over);
    error.problems.iter().map(Problem::to_string).collect()
}

/// A set of cities.
fn set(cities: &[usize]) -> u16 {
    cities.iter().fold(0, |set, city| set | 1 << city)
}

#[test]
fn the_game_is_as_published() {
    for (players, total, piles) in
        [(2, 52, [8, 8, 8, 7, 7]), (3, 65, [11, 10, 10, 10, 10]), (4, 78, [13, 13, 13, 13, 12])]
    {
        let components = read(players, "").expect("right");
        let ids: Vec<&str> = components.cities.iter().map(|city| city.id.as_str()).collect();
        let cities = ["tonsberg", "aalborg", "copenhagen", "luebeck", "stockholm", "kalmar", "danzig", "reval", "riga"];
        assert_eq!(ids, cities);
        assert_eq!(components.cities[0].name, "Tønsberg");
        assert!(components.cities.iter().map(|city| city.number).eq(1..=9));
        assert!(components.cities.iter().map(|city| city.spaces).eq([2, 2, 1, 2, 2, 1, 1, 1, 2]));
        let routes: [&[usize]; 9] = [&[4], &[2], &[0, 3, 6], &[1], &[5, 7], &[2], &[5, 7], &[8], &[6]];
        for city in 0..MOST_CITIES {
            assert_eq!(components.routes[city], routes.get(city).map_or(0, |ends| set(ends)), "city {city}");
        }
        assert_eq!((components.ship, components.placement_allowed), (2, set(&[0, 1, 3, 4, 5, 6, 7, 8])));

        let colours = ["orange", "brown", "red", "green", "blue", "pink"];
        assert_eq!(components.colours, colours[..players + 2]);
        assert_eq!(components.absent_colours, colours[players + 2..]);
        assert_eq!((components.markers, components.piles), ([4, 5, 4], piles));
        let supply: u32 = components.piles.iter().map(|&pile| u32::from(pile)).sum();
        assert_eq!((players as u32 + 2) * 13, total);
        assert_eq!(supply, total - 14);

        assert_eq!((components.placement_rounds, components.booths_per_placement, components.booths), (3, 2, 15));
        assert_eq!((components.talers, components.income, components.keep_talers, components.keep_goods), (3, 3, 3, 3));
        assert_eq!((components.refill_cost, components.move_cost, components.purchase_cost), (1, 1, 1));
        assert_eq!((components.sale_least, components.sale_booths, components.stall_limit), (2, 1, 4));
        assert_eq!((components.unsold_points, components.sold_points), (1, [2, 3, 4]));
        assert_eq!((components.present_points, components.monopoly_points, components.taler_points), (2, 4, 0));
        assert_eq!(components.extrakarte, None);
        let bonuses = read_from(&INFO, players, "true", "").expect("right").extrakarte;
        let printed = Extrakarte { highest_stack: 2, last_pile: 3, most_cities: 4, one_barrel: 5, least: 1 };
        assert_eq!(bonuses, Some(printed));
    }
}

#[test]
fn numbers_can_be_overridden() {
    let over = "\
goods.per_colour = [{ barrels = 3, count = 1 }, { barrels = 1, count = 7 }, { barrels = 2, count = 5 }]
goods.colours = [\"pink\", \"brown\", \"Red\", \"green\", \"blue\", \"orange\"]
goods.in_play.4 = [\"orange\", \"RED\", \"pink\"]
supply.4 = { total = 39, supply = 25, piles = [21, 1, 1, 1, 1] }
turn.income = 5
turn.refill_cost = 0
turn.ship_move_cost = 2
turn.purchase_cost = 3
turn.keep_talers_max = 4
turn.keep_goods_max = 0
turn.sale_min_markers_per_colour = 1
setup = { talers_per_player = 0, placement_rounds = 8, booths_per_placement = 1 }
counts = { booths_per_player = 8, market_booths = 32 }
scoring = { taler = 2, sold_marker = { \"2\" = 9 }, city_monopoly = 0 }
extrakarte = { most_cities = 7, minimum_to_score = 0 }
flags.stall_round_limit = 1
";
    let components = read_from(&INFO, 4, "true", over).expect("right");
    assert_eq!((components.markers, components.piles), ([7, 5, 1], [21, 1, 1, 1, 1]));
    assert_eq!(components.colours, ["pink", "red", "orange"]);
    assert_eq!(components.absent_colours, ["brown", "green", "blue"]);
    assert_eq!((components.income, components.refill_cost, components.move_cost), (5, 0, 2));
    assert_eq!((components.purchase_cost, components.keep_talers, components.keep_goods), (3, 4, 0));
    assert_eq!((components.talers, components.placement_rounds, components.booths), (0, 8, 8));
    assert_eq!((components.booths_per_placement, components.sale_least, components.stall_limit), (1, 1, 1));
    assert_eq!((components.taler_points, components.sold_points, components.monopoly_points), (2, [2, 9, 4], 0));
    let bonuses = components.extrakarte.expect("chosen");
    assert_eq!((bonuses.most_cities, bonuses.one_barrel, bonuses.least), (7, 5, 0));
    assert_eq!(components.sold_points.len(), BARRELS);
    // What belongs to other tables and options is not looked at.
    let other = "supply.2.piles = [1, 1, 1, 1, 1]\nextrakarte.most_cities = -1";
    assert_eq!(read(4, other).expect("right"), read(4, "").expect("right"));
}
