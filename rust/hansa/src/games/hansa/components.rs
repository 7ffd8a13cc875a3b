//! Map, goods and numbers of the game at one table: the rule data, read and checked.
//!
//! Whatever [`Components::read`] lets pass fits into the small integers of the state: no hand of Talers, no supply and no
//! number of booths exceeds 255, every city can be reached and left, and nobody is short of booths or cities for the
//! opening. So the rules need no checks of their own.

mod goods;
mod map;
#[cfg(test)]
mod tests;

use serde_json::json;

use crate::core::load::{Options, Reader, Rules, RulesError, nearest};

/// Cities that a map can have.
pub const MOST_CITIES: usize = 16;
/// Colours that can be in play.
pub const MOST_COLOURS: usize = 6;
/// Warehouse spaces that a city can have.
pub const MOST_SPACES: usize = 4;
/// Numbers of barrels that a marker can show: 1, 2 and 3.
pub const BARRELS: usize = 3;
/// Supply piles.
pub const PILES: usize = 5;

/// Warehouse spaces that all cities together can have.
const MOST_SPACES_IN_ALL: u8 = 32;
/// Points that a rule can give: those of a whole game fit into 16 bits.
const POINTS: std::ops::RangeInclusive<i32> = 0..=100;

/// A city of the map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct City {
    /// The name in the notation, in lower case; all differ.
    pub id: String,
    /// The name for people; not empty.
    pub name: String,
    /// The printed number, 1 to 99; all differ.
    pub number: u8,
    /// Warehouse spaces, 1 to [`MOST_SPACES`].
    pub spaces: u8,
}

/// The bonuses of the Extrakarte (spec 9): points 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extrakarte {
    /// Points for the most own booths in one single city.
    pub highest_stack: i32,
    /// Points for having opened the last supply pile.
    pub last_pile: i32,
    /// Points for booths in the most cities.
    pub most_cities: i32,
    /// Points for the most sold markers that show one barrel.
    pub one_barrel: i32,
    /// What a leader of one of the three comparisons needs at least, 0 to 60.
    pub least: u8,
}

/// Everything that rules and scoring need to know of the rule data. Sets of cities have bit `i` for city `i`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Components {
    /// The cities in city order, i.e. by ascending printed number: 2 to [`MOST_CITIES`], with 2 to 32 spaces in all.
    pub cities: Vec<City>,
    /// For each city the set of cities that a route leads to: never empty for a city of the map, never the city itself.
    /// From the ship's start every city can be reached.
    pub routes: [u16; MOST_CITIES],
    /// The colours in play at this table, 1 to [`MOST_COLOURS`], in colour order, as in the notation.
    pub colours: Vec<String>,
    /// The colours of the game that are not in play at this table, in colour order.
    pub absent_colours: Vec<String>,
    /// Markers of each colour with 1, 2 and 3 barrels, 1 to 15 each; all markers in play are more than the spaces and at
    /// most 255.
    pub markers: [u8; BARRELS],
    /// The supply piles in the order of use, none empty; together they hold all markers in play but one for each space.
    pub piles: [u8; PILES],
    /// The city in which the ship starts.
    pub ship: u8,
    /// The set of cities where opening booths may be put; at least [`placement_rounds`](Self::placement_rounds) of them.
    pub placement_allowed: u16,
    /// Rounds of opening booths, 1 to [`MOST_CITIES`].
    pub placement_rounds: u8,
    /// Booths that a player puts into one city in a round of the opening, at least 1.
    pub booths_per_placement: u8,
    /// Booths of each player, at most 60; enough for the opening.
    pub booths: u8,
    /// Talers of each player at the start, 0 to 15.
    pub talers: u8,
    /// Talers that a player gets at the start of a turn, 1 to 15.
    pub income: u8,
    /// Talers that a refill costs, at most the income.
    pub refill_cost: u8,
    /// Talers that sailing one route costs, 1 to the income.
    pub move_cost: u8,
    /// Talers that a marker costs, at most the income.
    pub purchase_cost: u8,
    /// Markers of a colour that a sale needs, 1 to 4.
    pub sale_least: u8,
    /// Booths that a sale removes: 1.
    pub sale_booths: u8,
    /// Talers that a player may keep at the end of a turn, 0 to 15.
    pub keep_talers: u8,
    /// Unsold markers that a player may keep at the end of a turn, 0 to 15.
    pub keep_goods: u8,
    /// Points for an unsold marker, 0 to 100 like all points.
    pub unsold_points: i32,
    /// Points for a sold marker with 1, 2 and 3 barrels.
    pub sold_points: [i32; BARRELS],
    /// Points for a city with own booths and with somebody else's.
    pub present_points: i32,
    /// Points for a city where nobody else has booths.
    pub monopoly_points: i32,
    /// Points for each Taler.
    pub taler_points: i32,
    /// Idle rounds in succession that end the game, 1 to 100.
    pub stall_limit: u8,
    /// The bonuses of the Extrakarte, where the option is chosen.
    pub extrakarte: Option<Extrakarte>,
}

impl Components {
    /// Reads and checks what matters at a table of `players`, 2 to 4, under the option `extrakarte`.
    ///
    /// # Errors
    /// Every problem of these parts of the rule data.
    ///
    /// # Panics
    /// If the options are those of another game.
    pub fn read(rules: &Rules, players: usize, options: &Options) -> Result<Self, RulesError> {
        let mut reader = Reader::new(rules);
        let components = Self::gather(&mut reader, rules, players, options.get("extrakarte") == "true");
        reader.finish()?;
        Ok(components.expect("what cannot be read is noted as a problem"))
    }

    /// All of it, or `None` where a problem has been noted.
    fn gather(reader: &mut Reader<'_>, rules: &Rules, players: usize, extrakarte: bool) -> Option<Self> {
        rulings(reader);
        box_contents(reader);
        let map = map::read(reader, rules);
        let goods = goods::read(reader, players, map.as_ref().map(|map| map.spaces));
        let opening = Opening::read(reader, map.as_ref());

        let talers = reader.integer("setup.talers_per_player", 0..=15u8);
        let income = reader.integer("turn.income", 1..=15u8);
        // A player without Talers must be able to pay a compulsory refill (spec 5).
        let affordable = income.unwrap_or(15);
        let refill_cost = cost(reader, "turn.refill_cost", 0, affordable);
        let move_cost = cost(reader, "turn.ship_move_cost", 1, affordable);
        let purchase_cost = cost(reader, "turn.purchase_cost", 0, affordable);
        let sale_least = reader.integer("turn.sale_min_markers_per_colour", 1..=4u8);
        let keep_talers = reader.integer("turn.keep_talers_max", 0..=15u8);
        let keep_goods = reader.integer("turn.keep_goods_max", 0..=15u8);

        let unsold_points = reader.integer("scoring.unsold_marker", POINTS);
        let sold_points =
            ["1", "2", "3"].map(|barrels| reader.integer(&format!("scoring.sold_marker.{barrels}"), POINTS));
        let present_points = reader.integer("scoring.city_present", POINTS);
        let monopoly_points = reader.integer("scoring.city_monopoly", POINTS);
        let taler_points = reader.integer("scoring.taler", POINTS);
        let stall_limit = reader.integer("flags.stall_round_limit", 1..=100u8);
        let extrakarte = if extrakarte { Some(bonuses(reader)) } else { None };

        let (map, goods, opening) = (map?, goods?, opening?);
        let components = Self {
            colours: goods.colours,
            absent_colours: goods.absent_colours,
            markers: goods.markers,
            piles: goods.piles,
            cities: map.cities,
            routes: map.routes,
            ship: map.ship,
            placement_allowed: map.placement_allowed,
            placement_rounds: opening.rounds,
            booths_per_placement: opening.each,
            booths: opening.booths,
            talers: talers?,
            income: income?,
            refill_cost: refill_cost?,
            move_cost: move_cost?,
            purchase_cost: purchase_cost?,
            sale_least: sale_least?,
            sale_booths: 1,
            keep_talers: keep_talers?,
            keep_goods: keep_goods?,
            unsold_points: unsold_points?,
            sold_points: [sold_points[0]?, sold_points[1]?, sold_points[2]?],
            present_points: present_points?,
            monopoly_points: monopoly_points?,
            taler_points: taler_points?,
            stall_limit: stall_limit?,
            extrakarte: match extrakarte {
                Some(bonuses) => Some(bonuses?),
                None => None,
            },
        };
        components.check_talers(reader, players, map.spaces);
        Some(components)
    }

    /// Checks that one player's Talers fit into a byte. Between two own turns each of the others can buy what lies on all
    /// spaces, each time from this player.
    fn check_talers(&self, reader: &mut Reader<'_>, players: usize, spaces: u8) {
        let purchases = (players as u32 - 1) * u32::from(spaces);
        let before = u32::from(self.talers.max(self.keep_talers));
        let most = before + u32::from(self.income) + purchases * u32::from(self.purchase_cost);
        if most > 255 {
            let message = format!(
                "with {players} players one of them could get {most} Talers between two turns ({before} before, {} income, \
                 {purchases} purchases at {}), must be at most 255",
                self.income, self.purchase_cost
            );
            let numbers = ["turn.purchase_cost", "turn.income", "turn.keep_talers_max", "setup.talers_per_player"];
            reader.conflict(&[&numbers[..], &["cities", numbers[0]]].concat(), message);
        }
    }
}

/// The opening booths (spec 4.5).
struct Opening {
    rounds: u8,
    each: u8,
    booths: u8,
}

impl Opening {
    fn read(reader: &mut Reader<'_>, map: Option<&map::Map>) -> Option<Self> {
        let paths = ["setup.placement_rounds", "setup.booths_per_placement", "counts.booths_per_player"];
        let rounds = reader.integer(paths[0], 1..=MOST_CITIES as u8);
        let each = reader.integer(paths[1], 1..=60u8);
        let booths = reader.integer(paths[2], 1..=60u8);
        if let (Some(map), Some(rounds)) = (map, rounds) {
            let allowed = map.placement_allowed.count_ones();
            if allowed < u32::from(rounds) {
                let message =
                    format!("{rounds} rounds of opening booths need as many different cities, {allowed} are allowed");
                let mut places = vec![paths[0], "setup.placement_forbidden"];
                places.extend(map.allowed_paths.iter().map(String::as_str));
                places.push(paths[0]);
                reader.conflict(&places, message);
            }
        }
        let (rounds, each, booths) = (rounds?, each?, booths?);
        let needed = u32::from(rounds) * u32::from(each);
        if needed > u32::from(booths) {
            let message = format!("{rounds} rounds of {each} opening booths need {needed}, a player has {booths}");
            reader.conflict(&[paths[2], paths[0], paths[1], paths[2]], message);
            return None;
        }
        Some(Self { rounds, each, booths })
    }
}

/// A price that the income alone can pay.
fn cost(reader: &mut Reader<'_>, path: &str, least: u8, income: u8) -> Option<u8> {
    let cost = reader.integer(path, least..=15u8)?;
    if cost > income {
        let message = format!("costs {cost} Talers, must cost {least} to {income}: the income of a turn has to pay it");
        reader.conflict(&[path, "turn.income", path], message);
        return None;
    }
    Some(cost)
}

/// The Extrakarte.
fn bonuses(reader: &mut Reader<'_>) -> Option<Extrakarte> {
    let mut points = |key: &str| reader.integer(&format!("extrakarte.{key}"), POINTS);
    let highest_stack = points("highest_stack");
    let last_pile = points("opened_last_pile");
    let most_cities = points("most_cities");
    let one_barrel = points("most_sold_one_barrel");
    let least = reader.integer("extrakarte.minimum_to_score", 0..=60u8);
    Some(Extrakarte {
        highest_stack: highest_stack?,
        last_pile: last_pile?,
        most_cities: most_cities?,
        one_barrel: one_barrel?,
        least: least?,
    })
}

/// The recorded rulings for which only one value is implemented.
fn rulings(reader: &mut Reader<'_>) {
    let only = [
        ("meta.game", json!("Hansa")),
        ("meta.schema_version", json!(1)),
        ("meta.players_min", json!(2)),
        ("meta.players_max", json!(4)),
        ("setup.own_cities_must_differ", json!(true)),
        ("setup.sharing_with_opponents", json!(true)),
        ("turn.refills_per_turn", json!(1)),
        ("turn.actions_per_city_visit", json!(1)),
        ("turn.sale_booths_removed", json!(1)),
        ("turn.loss_per_colour_per_opponent", json!(1)),
        ("scoring.tie_break", json!(["score", "booths_on_board", "shared"])),
        ("end.trigger", json!("a refill takes at least one marker from supply pile 5")),
        ("end.finish", json!("complete the round: everybody has the same number of turns")),
        ("bank.engine_policy", json!("unlimited")),
        ("extrakarte.enabled_by_default", json!(false)),
        ("extrakarte.tie_policy", json!("all_tied")),
        ("flags.build_must_use_all_barrels", json!(true)),
        ("flags.sale_may_withhold", json!(true)),
        ("flags.loss_auto_lowest", json!(false)),
    ];
    for (path, value) in only {
        reader.choice(path, &[value]);
    }
}

/// What lies in the box besides markers and map.
fn box_contents(reader: &mut Reader<'_>) {
    for (key, count) in [("player_colours", 4), ("ships", 1), ("supply_spaces", PILES as i64)] {
        reader.choice(&format!("counts.{key}"), &[json!(count)]);
    }
    words(reader, "player_colours.ids", 4..=4);
    if let Some(each) = reader.integer("counts.booths_per_player", 1..=60i64) {
        agrees(
            reader,
            "counts.market_booths",
            4 * each,
            &["counts.booths_per_player"],
            &format!("4 colours of {each}"),
        );
    }
    if let Some(talers) = reader.integer("counts.talers", 0..=i64::MAX) {
        agrees(reader, "bank.taler_supply", talers, &["counts.talers"], "so many Talers are in the box");
    }
}

/// Checks a number that follows from others, which stand at `sources`.
fn agrees(reader: &mut Reader<'_>, path: &str, right: i64, sources: &[&str], why: &str) {
    let Some(given) = reader.integer(path, 0..=i64::MAX) else { return };
    if given != right {
        let mut paths = vec![path];
        paths.extend(sources);
        paths.push(path);
        reader.conflict(&paths, format!("{path} is {given}, must be {right}: {why}"));
    }
}

/// Words of the notation, in lower case; all differ.
fn words(reader: &mut Reader<'_>, path: &str, limits: std::ops::RangeInclusive<usize>) -> Option<Vec<String>> {
    let count = reader.length(path, limits)?;
    let mut words: Vec<Option<String>> = Vec::with_capacity(count);
    for index in 0..count {
        let here = format!("{path}[{index}]");
        let mut word = reader.word(&here).map(str::to_ascii_lowercase);
        if let Some(first) = word.as_ref().and_then(|word| words.iter().position(|known| known.as_ref() == Some(word)))
        {
            let message = format!("is \"{}\" like {path}[{first}]; all must differ", word.unwrap_or_default());
            reader.problem(here, message);
            word = None;
        }
        words.push(word);
    }
    words.into_iter().collect()
}

/// The place of a name among the known ones, case aside; `what` is what it should name, with its article.
fn place(reader: &mut Reader<'_>, path: &str, known: &[String], what: &str) -> Option<usize> {
    let name = reader.text(path)?;
    let found = known.iter().position(|known| known.eq_ignore_ascii_case(name));
    if found.is_none() {
        let names = known.iter().map(String::as_str);
        let message = match nearest(name, names) {
            Some(nearest) => format!("\"{name}\" is no {what}; did you mean \"{nearest}\"?"),
            None => format!("\"{name}\" is no {what}; there are {}", known.join(", ")),
        };
        reader.problem(path, message);
    }
    found
}
