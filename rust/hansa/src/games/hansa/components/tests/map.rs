//! The map: what is known of the printed one, and other maps.

use std::collections::BTreeSet;

use super::{INFO, problems, read, set, wrong};
use crate::core::load::{GameInfo, Override, Rules};

/// The embedded data with some text changed: an override can neither add nor rename a city.
fn changed(changes: &[(&str, &str)]) -> GameInfo {
    let mut data = INFO.data.to_owned();
    for (old, new) in changes {
        assert!(data.contains(old), "{old}");
        data = data.replacen(old, new, 1);
    }
    GameInfo { data: data.leak(), ..INFO }
}

/// The cycles without repeated cities of at most `most` cities, each begun with its first city.
fn loops(routes: &[u16], most: usize) -> BTreeSet<Vec<usize>> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Vec<usize>> = (0..routes.len()).map(|city| vec![city]).collect();
    while let Some(way) = open.pop() {
        for next in (0..routes.len()).filter(|next| routes[way[way.len() - 1]] >> next & 1 == 1) {
            if next == way[0] {
                found.insert(way.clone());
            } else if next > way[0] && !way.contains(&next) && way.len() < most {
                open.push([&way[..], &[next]].concat());
            }
        }
    }
    found
}

#[test]
fn the_map_has_the_known_facts() {
    let components = read(4, "").expect("right");
    let rules = Rules::load(&INFO, Override::None).expect("right");
    let city = |id: &str| components.cities.iter().position(|city| city.id == id).expect("a city");
    let cities = |path: &str| {
        let ids: Vec<String> = rules.read(&format!("route_facts.{path}")).expect("names");
        set(&ids.iter().map(|id| city(id)).collect::<Vec<_>>())
    };
    let number = |path: &str| rules.read::<u32>(&format!("route_facts.{path}")).expect("a number");
    let routes = &components.routes[..components.cities.len()];
    let into = |end: usize| (0..routes.len()).filter(move |&from| routes[from] >> end & 1 == 1);

    assert_eq!(routes[city("copenhagen")], cities("copenhagen_out"));
    assert_eq!(set(&into(city("copenhagen")).collect::<Vec<_>>()), cities("copenhagen_in"));
    assert_eq!(routes[city("kalmar")], cities("kalmar_out"));
    assert_eq!(routes[city("stockholm")].count_ones(), number("stockholm_out_degree"));
    assert_eq!(routes.iter().map(|ends| ends.count_ones()).max(), Some(number("max_out_degree")));
    let both_ways = (0..routes.len()).flat_map(|end| into(end).map(move |from| (from, end)));
    let both_ways = both_ways.filter(|&(from, end)| from < end && routes[end] >> from & 1 == 1);
    assert_eq!(both_ways.count() as u32, number("two_way_routes"));
    let known: Vec<Vec<String>> = rules.read("route_facts.short_loops").expect("lists of names");
    let known: BTreeSet<Vec<usize>> = (known.iter())
        .map(|ids| {
            let mut way: Vec<usize> = ids.iter().map(|id| city(id)).collect();
            let first = way.iter().enumerate().min_by_key(|(_, city)| **city).expect("a city").0;
            way.rotate_left(first);
            way
        })
        .collect();
    assert_eq!(loops(routes, number("short_loop_max_len") as usize), known);
    // Every city but the ship's start is allowed for opening booths, and a route leads into every city.
    assert_eq!(components.placement_allowed | 1 << components.ship, u16::MAX >> 7);
    assert!((0..routes.len()).all(|end| into(end).count() > 0));
}

#[test]
fn routes_and_spaces_can_be_overridden() {
    let over = "\
cities = [{ id = \"kalmar\", number = 10 }, { id = \"riga\", warehouses = 4, setup_allowed = false, name = \"Rīga\" },
          { id = \"copenhagen\", setup_allowed = true, ship_start = false }, { id = \"danzig\", warehouses = 2 }]
setup = { ship_city = \"Riga\", placement_forbidden = [\"riga\"] }
counts = { warehouse_spaces = 17, cities_with_two_warehouses = 5 }
warehouse_order.slots = [
  \"tonsberg.a\", \"tonsberg.b\", \"aalborg.a\", \"aalborg.b\", \"copenhagen.a\", \"luebeck.a\", \"luebeck.b\", \"stockholm.a\",
  \"stockholm.b\", \"danzig.a\", \"danzig.b\", \"reval.a\", \"riga.a\", \"riga.b\", \"riga.c\", \"riga.d\", \"kalmar.a\"]
supply.4 = { supply = 61, piles = [13, 12, 12, 12, 12] }
routes = [
  { from = \"riga\", to = \"kalmar\", kind = \"sea\" }, { from = \"kalmar\", to = \"riga\", kind = \"land\" },
  { from = \"riga\", to = \"tonsberg\", kind = \"sea\" }, { from = \"tonsberg\", to = \"aalborg\", kind = \"sea\" },
  { from = \"aalborg\", to = \"copenhagen\", kind = \"sea\" }, { from = \"copenhagen\", to = \"luebeck\", kind = \"sea\" },
  { from = \"luebeck\", to = \"stockholm\", kind = \"sea\" }, { from = \"stockholm\", to = \"danzig\", kind = \"sea\" },
  { from = \"danzig\", to = \"reval\", kind = \"sea\" }, { from = \"reval\", to = \"riga\", kind = \"sea\" }]
";
    let components = read(4, over).expect("right");
    let names: Vec<&str> = components.cities.iter().map(|city| city.name.as_str()).collect();
    assert_eq!(
        names,
        ["Tønsberg", "Aalborg", "Copenhagen", "Lübeck", "Stockholm", "Danzig", "Reval", "Rīga", "Kalmar"]
    );
    assert_eq!((components.ship, components.placement_allowed), (7, set(&[0, 1, 2, 3, 4, 5, 6, 8])));
    assert_eq!(components.routes[..9], [2, 4, 8, 16, 32, 64, 128, set(&[0, 8]), 128]);
    assert!(components.cities.iter().map(|city| city.spaces).eq([2, 2, 1, 2, 2, 2, 1, 4, 1]));
}

#[test]
fn a_wrong_route_is_named() {
    assert_eq!(
        wrong(
            "routes = [\n{ from = \"rigga\", to = \"danzig\", kind = \"sea\" },\n{ from = \"riga\", to = \"visby\", kind = \"air\" }]"
        ),
        [
            "line 2: routes[0].from: \"rigga\" is no city; did you mean \"riga\"?",
            "line 3: routes[1].to: \"visby\" is no city; there are tonsberg, aalborg, copenhagen, luebeck, stockholm, kalmar, \
             danzig, reval, riga",
            "line 3: routes[1].kind: is \"air\", must be \"sea\" or \"land\"",
        ]
    );
    assert_eq!(
        wrong("routes = [{ from = \"riga\", to = \"Riga\", kind = \"sea\" }]"),
        ["line 1: routes[0]: leads from riga to itself, must lead to another city"]
    );
    let isolated: String = ["aalborg", "luebeck", "stockholm", "kalmar", "danzig", "reval", "riga"]
        .map(|city| format!("  {{ from = \"copenhagen\", to = \"{city}\", kind = \"sea\" }},\n"))
        .concat();
    let mut expected: Vec<String> =
        vec!["line 9: routes[7]: leads from copenhagen to riga like routes[6]; each route stands once".into()];
    for city in ["tonsberg", "aalborg", "luebeck", "stockholm", "kalmar", "danzig", "reval", "riga"] {
        expected.push(format!("line 1: routes: no route leads from {city}; every city needs one"));
        if city == "tonsberg" {
            expected.push("line 1: routes: no way leads from copenhagen, where the ship starts, to tonsberg".into());
        }
    }
    expected.rotate_left(1);
    let over = format!("routes = [\n{isolated}{{ from = \"copenhagen\", to = \"riga\", kind = \"sea\" }}]");
    assert_eq!(wrong(&over), expected);
    // A map on which the other start would do.
    let start = "setup.ship_city = \"riga\"\ncities = [{ id = \"copenhagen\", ship_start = false }]";
    assert_eq!(read(2, start).expect("right").ship, 8);
    assert_eq!(
        wrong("route_candidates = [{ from = \"riga\", to = \"reval\", enabled = true }]"),
        [
            "line 1: route_candidates[0].enabled: is true, must be false: candidates are no part of the game; list the route in \
             `routes`"
        ]
    );
}

#[test]
fn the_ships_start_and_the_opening_agree_with_the_cities() {
    assert_eq!(
        wrong("setup.ship_city = \"reval\""),
        ["line 1: setup.ship_city: ship_start of copenhagen is true, must be false: the ship starts in reval"]
    );
    assert_eq!(
        wrong("setup.ship_city = \"revel\"")[0],
        "line 1: setup.ship_city: \"revel\" is no city; did you mean \"reval\"?"
    );
    assert_eq!(
        wrong("setup.placement_forbidden = [\"riga\", \"riga\"]\ncities = [{ id = \"riga\", setup_allowed = true }]"),
        [
            "line 1: setup.placement_forbidden[1]: names riga again",
            "line 1: setup.placement_forbidden: setup_allowed of copenhagen is false, must be true: setup.placement_forbidden \
             does not name it",
            "line 2: cities[8].setup_allowed: setup_allowed of riga is true, must be false: setup.placement_forbidden names it",
        ]
    );
    assert_eq!(
        wrong("setup.placement_rounds = 9\nsetup.booths_per_placement = 1"),
        ["line 1: setup.placement_rounds: 9 rounds of opening booths need as many different cities, 8 are allowed"]
    );
    assert_eq!(
        wrong("setup.booths_per_placement = 6"),
        ["line 1: setup.booths_per_placement: 3 rounds of 6 opening booths need 18, a player has 15"]
    );
}

#[test]
fn cities_and_spaces_are_checked() {
    assert_eq!(
        wrong("cities = [\n{ id = \"riga\", warehouses = 5, number = 3 },\n{ id = \"reval\", name = \" \" }]"),
        [
            "line 2: cities[8].number: is the number of cities[2], too; all must differ",
            "line 2: cities[8].warehouses: is 5, must be 1 to 4",
            "line 3: cities[7].name: must be a name, on one line",
        ]
    );
    assert_eq!(
        wrong("cities = [{ id = \"reval\", warehouses = 2 }]"),
        [
            "line 1: cities[7].warehouses: counts.cities_with_two_warehouses is 5, must be 6: so many cities have two spaces",
            "line 1: cities[7].warehouses: counts.warehouse_spaces is 14, must be 15: the sum over all cities",
            "line 1: cities[7].warehouses: warehouse_order.slots lists 14 spaces, the cities have 15",
            "line 1: cities: supply.4.supply is 64, must be 63: 78 markers, one of them on each of the 15 spaces",
            "line 1: cities: the piles for 4 players hold 64 markers, must hold 63: 78 markers, one of them on each of the 15 \
             spaces",
        ]
    );
    assert_eq!(
        wrong("cities = [{ id = \"reval\", number = 9 }, { id = \"riga\", number = 8 }]"),
        [
            "line 1: cities[7].number: warehouse_order.slots[11] is \"reval.a\", must be \"riga.a\": in the order of the printed \
             numbers"
        ]
    );
    let all = ["tonsberg", "aalborg", "copenhagen", "luebeck", "stockholm", "kalmar", "danzig", "reval", "riga"]
        .map(|city| format!("{{ id = \"{city}\", warehouses = 4 }}"))
        .join(", ");
    let crowded = wrong(&format!("cities = [{all}]"));
    let message = "line 1: cities[0].warehouses: all cities have 36 spaces together, must have at most 32";
    assert!(crowded.iter().any(|problem| problem == message), "{crowded:#?}");
}

#[test]
fn what_an_override_cannot_change_is_checked_too() {
    let doubled = changed(&[("id = \"aalborg\"", "id = \"Tonsberg\"")]);
    assert_eq!(problems(&doubled, "")[0], "cities[1].id: is the id of cities[0], too; all must differ");
    let spaced = changed(&[("id = \"aalborg\"", "id = \"aal borg\"")]);
    assert!(problems(&spaced, "")[0].starts_with("cities[1].id: is \"aal borg\", must be a letter, then"));
    let missing = changed(&[("income = 3", "outcome = 3")]);
    assert_eq!(problems(&missing, ""), ["turn.income: is missing"]);
    let kind = changed(&[("ship_start = true", "ship_start = 1")]);
    assert_eq!(problems(&kind, ""), ["cities[2].ship_start: is an integer, must be a boolean"]);
}
