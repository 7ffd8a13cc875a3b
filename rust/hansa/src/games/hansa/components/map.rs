//! Cities and routes.

use crate::core::load::{Reader, Rules};

use super::{City, MOST_CITIES, MOST_SPACES, MOST_SPACES_IN_ALL, agrees, place};

/// The map as it is read, in city order.
#[derive(Debug)]
pub(super) struct Map {
    pub(super) cities: Vec<City>,
    pub(super) routes: [u16; MOST_CITIES],
    pub(super) ship: u8,
    pub(super) placement_allowed: u16,
    /// Where the single cities say whether opening booths may be put there.
    pub(super) allowed_paths: Vec<String>,
    /// Warehouse spaces of all cities.
    pub(super) spaces: u8,
}

/// Reads the map.
pub(super) fn read(reader: &mut Reader<'_>, rules: &Rules) -> Option<Map> {
    let count = reader.length("cities", 2..=MOST_CITIES)?;
    let ids = ids(reader, count);
    let listed = cities(reader, count);
    let ids = ids?;
    let routes = routes(reader, &ids);
    candidates(reader, &ids);
    let ship = ship(reader, rules, &ids);
    let allowed = allowed(reader, &ids);
    if let (Some(routes), Some(ship)) = (&routes, ship) {
        reachable(reader, &ids, routes, ship);
    }

    let cities: Vec<City> = listed?.into_iter().zip(&ids).map(|(city, id)| City { id: id.clone(), ..city }).collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&city| cities[city].number);
    let spaces = warehouses(reader, &cities, &order)?;
    let mut rank = [0; MOST_CITIES];
    for (place, &city) in order.iter().enumerate() {
        rank[city] = place;
    }
    let ranked = |set: u16| (0..count).filter(|city| set >> city & 1 == 1).fold(0, |set, city| set | 1 << rank[city]);
    let (by_listing, ship, allowed) = (routes?, ship?, allowed?);
    let mut routes = [0; MOST_CITIES];
    for city in 0..count {
        routes[rank[city]] = ranked(by_listing[city]);
    }
    Some(Map {
        cities: order.iter().map(|&city| cities[city].clone()).collect(),
        routes,
        ship: rank[ship] as u8,
        placement_allowed: ranked(allowed),
        allowed_paths: (0..count).map(|city| format!("cities[{city}].setup_allowed")).collect(),
        spaces,
    })
}

/// The ids in the order of the list; all differ.
fn ids(reader: &mut Reader<'_>, count: usize) -> Option<Vec<String>> {
    let mut ids: Vec<Option<String>> = Vec::with_capacity(count);
    for city in 0..count {
        let path = format!("cities[{city}].id");
        let mut id = reader.word(&path).map(str::to_ascii_lowercase);
        if let Some(first) = id.as_ref().and_then(|id| ids.iter().position(|known| known.as_ref() == Some(id))) {
            reader.problem(path, format!("is the id of cities[{first}], too; all must differ"));
            id = None;
        }
        ids.push(id);
    }
    ids.into_iter().collect()
}

/// What the list says of each city but its id; the numbers differ.
fn cities(reader: &mut Reader<'_>, count: usize) -> Option<Vec<City>> {
    let mut numbers: Vec<Option<u8>> = Vec::with_capacity(count);
    let mut cities: Vec<Option<City>> = Vec::with_capacity(count);
    for city in 0..count {
        let path = |key: &str| format!("cities[{city}].{key}");
        let name = reader.text(&path("name")).map(str::to_owned);
        if name.as_ref().is_some_and(|name| name.trim().is_empty() || name.chars().any(char::is_control)) {
            reader.problem(path("name"), "must be a name, on one line");
        }
        let mut number = reader.integer(&path("number"), 1..=99u8);
        if let Some(first) = number.and_then(|_| numbers.iter().position(|&known| known == number)) {
            let message = format!("is the number of cities[{first}], too; all must differ");
            let first = format!("cities[{first}].number");
            reader.conflict(&[&path("number"), &first, &path("number")], message);
            number = None;
        }
        numbers.push(number);
        let spaces = reader.integer(&path("warehouses"), 1..=MOST_SPACES as u8);
        let found = || Some(City { id: String::new(), name: name?, number: number?, spaces: spaces? });
        cities.push(found());
    }
    cities.into_iter().collect()
}

/// For each city of the list the set of cities that a route leads to.
fn routes(reader: &mut Reader<'_>, ids: &[String]) -> Option<[u16; MOST_CITIES]> {
    let count = reader.length("routes", 1..=MOST_CITIES * (MOST_CITIES - 1))?;
    let mut known: Vec<Option<(usize, usize)>> = Vec::with_capacity(count);
    let mut sound = true;
    for index in 0..count {
        let here = format!("routes[{index}]");
        let from = place(reader, &format!("{here}.from"), ids, "city");
        let to = place(reader, &format!("{here}.to"), ids, "city");
        let kind = format!("{here}.kind");
        if let Some(text) = reader.text(&kind)
            && !["sea", "land"].contains(&text)
        {
            reader.problem(kind, format!("is \"{text}\", must be \"sea\" or \"land\""));
        }
        let route = from.zip(to);
        if let Some((from, to)) = route {
            let (start, end) = (&ids[from], &ids[to]);
            if from == to {
                reader.problem(&here, format!("leads from {start} to itself, must lead to another city"));
                sound = false;
            } else if let Some(first) = known.iter().position(|&earlier| earlier == route) {
                let message = format!("leads from {start} to {end} like routes[{first}]; each route stands once");
                reader.problem(&here, message);
            }
        }
        sound &= route.is_some();
        known.push(route);
    }
    let mut routes = [0; MOST_CITIES];
    for (from, to) in known.into_iter().flatten() {
        routes[from] |= 1 << to;
    }
    // What a wrong route was meant to be is not known, so nothing is said about ways where one is wrong.
    sound.then_some(routes)
}

/// Checks that every city has an exit and can be reached from the ship's start.
fn reachable(reader: &mut Reader<'_>, ids: &[String], routes: &[u16; MOST_CITIES], ship: usize) {
    let all = u16::MAX >> (MOST_CITIES - ids.len());
    let mut reached: u16 = 1 << ship;
    for _ in ids {
        reached = (0..ids.len()).filter(|city| reached >> city & 1 == 1).fold(reached, |set, city| set | routes[city]);
    }
    for (city, id) in ids.iter().enumerate() {
        if routes[city] == 0 {
            reader.problem("routes", format!("no route leads from {id}; every city needs one"));
        }
        if (all & !reached) >> city & 1 == 1 {
            let message = format!("no way leads from {}, where the ship starts, to {id}", ids[ship]);
            reader.conflict(&["routes", "setup.ship_city", "routes"], message);
        }
    }
}

/// The routes that are not part of the game.
fn candidates(reader: &mut Reader<'_>, ids: &[String]) {
    let Some(count) = reader.length("route_candidates", 0..=MOST_CITIES * MOST_CITIES) else { return };
    for index in 0..count {
        let here = format!("route_candidates[{index}]");
        place(reader, &format!("{here}.from"), ids, "city");
        place(reader, &format!("{here}.to"), ids, "city");
        if reader.boolean(&format!("{here}.enabled")) == Some(true) {
            let message = "is true, must be false: candidates are no part of the game; list the route in `routes`";
            reader.problem(format!("{here}.enabled"), message);
        }
    }
}

/// Where the ship starts, which the list of cities says, too.
fn ship(reader: &mut Reader<'_>, rules: &Rules, ids: &[String]) -> Option<usize> {
    let ship = place(reader, "setup.ship_city", ids, "city")?;
    for (city, id) in ids.iter().enumerate() {
        let path = format!("cities[{city}].ship_start");
        let given = if rules.value(&path).is_some() { reader.boolean(&path) } else { None };
        let right = city == ship;
        // Most cities do not say it; then it is not so, or `ship_city` has been changed.
        if given.is_some_and(|given| given != right) {
            let message =
                format!("ship_start of {id} is {}, must be {right}: the ship starts in {}", !right, ids[ship]);
            reader.conflict(&[&path, "setup.ship_city", &path], message);
        }
    }
    Some(ship)
}

/// The set of cities where opening booths may be put, which both the list of cities and the set-up say.
fn allowed(reader: &mut Reader<'_>, ids: &[String]) -> Option<u16> {
    let path = "setup.placement_forbidden";
    let count = reader.length(path, 0..=ids.len())?;
    let mut forbidden: u16 = 0;
    let mut sound = true;
    for index in 0..count {
        let here = format!("{path}[{index}]");
        let Some(city) = place(reader, &here, ids, "city") else {
            sound = false;
            continue;
        };
        if forbidden >> city & 1 == 1 {
            reader.problem(here, format!("names {} again", ids[city]));
        }
        forbidden |= 1 << city;
    }
    let mut allowed: u16 = 0;
    for (city, id) in ids.iter().enumerate() {
        let here = format!("cities[{city}].setup_allowed");
        let Some(given) = reader.boolean(&here) else {
            sound = false;
            continue;
        };
        let right = forbidden >> city & 1 == 0;
        if sound && given != right {
            let names = if right { "does not name" } else { "names" };
            let message = format!("setup_allowed of {id} is {given}, must be {right}: {path} {names} it");
            reader.conflict(&[&here, path, &here], message);
        }
        allowed |= u16::from(given) << city;
    }
    sound.then_some(allowed)
}

/// The number of warehouse spaces, with the counts and the list of spaces that follow from the cities.
fn warehouses(reader: &mut Reader<'_>, cities: &[City], order: &[usize]) -> Option<u8> {
    let paths: Vec<String> = ["warehouses", "number"]
        .into_iter()
        .flat_map(|key| (0..cities.len()).map(move |city| format!("cities[{city}].{key}")))
        .collect();
    let sources: Vec<&str> = paths.iter().map(String::as_str).collect();
    let numbers = &sources[..cities.len()];
    let spaces: u8 = cities.iter().map(|city| city.spaces).sum();
    let double = cities.iter().filter(|city| city.spaces == 2).count() as i64;
    agrees(reader, "counts.cities", cities.len() as i64, &["cities"], "so many cities are listed");
    let why = "so many cities have two spaces";
    agrees(reader, "counts.cities_with_two_warehouses", double, numbers, why);
    let why = "the sum over all cities";
    agrees(reader, "counts.warehouse_spaces", i64::from(spaces), numbers, why);

    let path = "warehouse_order.slots";
    let slots: Vec<String> = order
        .iter()
        .flat_map(|&city| {
            (0..cities[city].spaces).map(move |space| format!("{}.{}", cities[city].id, char::from(b'a' + space)))
        })
        .collect();
    let count = reader.length(path, 1..=MOST_CITIES * MOST_SPACES)?;
    let given: Vec<Option<&str>> = (0..count).map(|slot| reader.text(&format!("{path}[{slot}]"))).collect();
    let places = [&[path], &sources[..], &[path]].concat();
    if count != slots.len() {
        reader.conflict(&places, format!("{path} lists {count} spaces, the cities have {}", slots.len()));
    } else if let Some(slot) = (0..count).find(|&slot| given[slot].is_some_and(|given| given != slots[slot])) {
        let (given, right) = (given[slot].unwrap_or_default(), &slots[slot]);
        let message =
            format!("{path}[{slot}] is \"{given}\", must be \"{right}\": in the order of the printed numbers");
        reader.conflict(&places, message);
    }
    if spaces > MOST_SPACES_IN_ALL {
        let message = format!("all cities have {spaces} spaces together, must have at most {MOST_SPACES_IN_ALL}");
        reader.conflict(&[numbers, &["cities"]].concat(), message);
        return None;
    }
    Some(spaces)
}
