//! Law 10 for determinizations of The Queen of Hansa: drawn states against an exhaustive enumeration.
#![cfg(feature = "conform")]

mod worlds;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use hansa::catalogue::find;
use hansa::conform::{Fit, weighted};
use hansa::core::{Rng, Stream};
use hansa::table::{AnyGame, RulesSource, Table, possible_at};
use rayon::prelude::*;
use serde_json::Value;
use worlds::{Cards, Enumeration, TooMany, World, strings};

/// What is compared at one position: drawn states against worlds.
struct Comparison {
    place: String,
    fits: Vec<Fit>,
    worlds: usize,
}

/// One drawn state for every world so many times on average.
const DRAWS: usize = 25;

/// Compares whole states, by number.
fn compare_states(enumeration: &Enumeration, table: &dyn Table, place: String) -> Comparison {
    let game = table.game();
    let truth = table.json();
    let mut places = HashMap::new();
    let mut weights = Vec::new();
    for world in &enumeration.worlds {
        let state = enumeration.state(&truth, world);
        let read = Arc::clone(&game).state_from_json(&state);
        let read = read.unwrap_or_else(|error| panic!("{place}: a state that agrees is refused: {error}\n{state}"));
        let place = places.len();
        places.insert(read.fingerprint(), place);
        weights.push(world.weight);
    }
    assert_eq!(places.len(), weights.len(), "{place}: two worlds are one state");
    let view = table.view(enumeration.observer).expect("the observer's view");
    let mut rng = Rng::new(places.len() as u64);
    let draws = DRAWS * places.len().max(50);
    let mut counts = vec![0; places.len()];
    for _ in 0..draws {
        let drawn = view.determinize(&mut rng);
        let place_of = places.get(&drawn.fingerprint());
        let index = *place_of.unwrap_or_else(|| panic!("{place}: a drawn state does not agree: {}", drawn.json()));
        counts[index] += 1;
    }
    let least = weights.iter().copied().fold(f64::INFINITY, f64::min) / weights.iter().sum::<f64>();
    if least * draws as f64 > 25.0 {
        assert!(counts.iter().all(|&count| count > 0), "{place}: a state that agrees is never drawn");
    }
    // The truth is one of them, drawn as often as its weight says.
    let truth_at = *places.get(&table.fingerprint()).unwrap_or_else(|| panic!("{place}: the truth is no world"));
    let own = weights[truth_at];
    let rest: f64 = weights.iter().sum::<f64>() - own;
    let mut fits = vec![weighted(place.clone(), &counts, &weights)];
    if rest > 0.0 {
        let unlike: u64 = counts.iter().sum::<u64>() - counts[truth_at];
        fits.push(weighted(format!("{place}, the truth"), &[counts[truth_at], unlike], &[own, rest]));
    } else {
        assert_eq!(counts[truth_at], draws as u64, "{place}");
    }
    Comparison { worlds: places.len(), place, fits }
}

/// Compares hands, Kontors and choices together, and of the returned cards how often each one was put back.
fn compare_hands(enumeration: &Enumeration, table: &dyn Table, place: String) -> Comparison {
    let players = enumeration.players;
    let key = |state: &Value| {
        let seat = |player: usize| {
            let seat = &state["players"][player];
            format!("{} {} {}", seat["hand"], seat["kontor"], seat["choice"])
        };
        (0..players).map(seat).collect::<Vec<_>>().join("\n")
    };
    let truth = table.json();
    let mut places = HashMap::new();
    let (mut counts, mut weights) = (Vec::new(), Vec::new());
    let others: Vec<usize> = (0..players).filter(|&player| player != enumeration.observer).collect();
    let mut put_back: BTreeMap<(usize, String), f64> = BTreeMap::new();
    for world in &enumeration.worlds {
        let index = places.len();
        let index = *places.entry(key(&enumeration.state(&truth, world))).or_insert(index);
        weights.resize(places.len(), 0.0);
        weights[index] += world.weight;
        let kept = kept_from_the_beginning(&truth, world);
        let free: Vec<&String> = enumeration.candidates.difference(&kept).collect();
        for &player in &others {
            for card in &free {
                *put_back.entry((player, (*card).clone())).or_default() += world.weight * 2.0 / free.len() as f64;
            }
        }
    }
    counts.resize(places.len(), 0u64);
    let view = table.view(enumeration.observer).expect("the observer's view");
    let mut rng = Rng::new(places.len() as u64);
    let mut returned: BTreeMap<(usize, String), u64> = BTreeMap::new();
    for _ in 0..DRAWS * places.len().max(50) {
        let drawn = view.determinize(&mut rng).json();
        let found = places.get(&key(&drawn));
        counts[*found.unwrap_or_else(|| panic!("{place}: a drawn state does not agree: {drawn}"))] += 1;
        for &player in &others {
            for card in strings(&drawn["players"][player]["returned"]) {
                *returned.entry((player, card)).or_default() += 1;
            }
        }
    }
    let mut fits = vec![weighted(place.clone(), &counts, &weights)];
    if returned.values().sum::<u64>() > 0 {
        let strange = returned.keys().find(|card| !put_back.contains_key(*card));
        assert_eq!(strange, None, "{place}: a card that cannot have been put back");
        let (counts, weights): (Vec<u64>, Vec<f64>) =
            put_back.iter().map(|(card, &weight)| (returned.get(card).copied().unwrap_or(0), weight)).unzip();
        fits.push(weighted(format!("{place}, cards put back"), &counts, &weights));
    }
    Comparison { worlds: places.len(), place, fits }
}

/// The cards that the other players kept at the beginning, in this world.
fn kept_from_the_beginning(truth: &Value, world: &World) -> Cards {
    let mut kept = Cards::new();
    for (player, hand) in world.hands.iter().enumerate() {
        let kontor = truth["players"][player]["kontor"].as_array().cloned().unwrap_or_default();
        let took: Cards = kontor.iter().filter_map(|entry| entry["took"].as_str().map(str::to_owned)).collect();
        let up = kontor.iter().filter(|entry| entry["face"] == "up").filter_map(|entry| entry["card"].as_str());
        let own: Cards =
            up.map(str::to_owned).chain(world.downs[player].iter().cloned()).chain(hand.iter().cloned()).collect();
        kept.extend(own.difference(&took).cloned());
    }
    kept
}

/// A game, and what is compared in it.
struct Case {
    id: &'static str,
    players: usize,
    options: BTreeMap<String, String>,
    seeds: std::ops::Range<u64>,
    /// Positions with more worlds are passed over.
    most: usize,
    whole: bool,
}

impl Case {
    fn game(&self) -> Arc<dyn AnyGame> {
        let entry = find(self.id).expect("the game is in the catalogue");
        entry.load(Some(self.players), &self.options, RulesSource::Embedded).expect("the game loads")
    }

    /// Plays the games, and compares at the first positions of every kind, for every observer.
    fn compare(&self) -> Vec<Comparison> {
        let game = self.game();
        let mut done = Vec::new();
        let mut seen = BTreeSet::new();
        for seed in self.seeds.clone() {
            for observer in 0..self.players {
                // Whatever was compared before it became too many counts.
                let _ = self.follow(&game, seed, observer, &mut seen, &mut done);
            }
        }
        done
    }

    fn follow(
        &self,
        game: &Arc<dyn AnyGame>,
        seed: u64,
        observer: usize,
        seen: &mut BTreeSet<String>,
        done: &mut Vec<Comparison>,
    ) -> Result<(), TooMany> {
        let mut rng = Rng::stream(seed, Stream::User, 0);
        let mut table = Arc::clone(game).start();
        let in_turn = self.id.ends_with("v42");
        let mut enumeration = Enumeration::new(&table.json(), observer, self.whole, in_turn);
        let mut hand_back = String::new();
        let mut index = 0;
        loop {
            let state = table.json();
            let phase = state["phase"].as_str().unwrap_or_default().to_owned();
            if phase == "deal" && hand_back.is_empty() {
                let card = possible_at(&*table)[0].split(' ').nth(2).unwrap_or_default().to_owned();
                hand_back.clone_from(&enumeration.backs[&card]);
            }
            let pending = state["players"].as_array().into_iter().flatten().any(|seat| !seat["choice"].is_null());
            let beginning = match phase.as_str() {
                "deal" => self.whole,
                "keep" => self.whole && !pending,
                "play" => !self.whole && enumeration.worlds.is_empty(),
                _ => false,
            };
            if beginning {
                enumeration.begin(&state, &hand_back)?;
            }
            let known = !enumeration.worlds.is_empty();
            let kind = format!("{phase} {} {pending}", state["round"]);
            let many = enumeration.worlds.len();
            if known && many > 1 && many <= self.most && seen.insert(format!("{kind} {}", observer.min(1))) {
                let place = format!("{} seed {seed} observer {observer} move {index} ({kind})", game.header());
                let compare = if self.whole { compare_states } else { compare_hands };
                done.push(compare(&enumeration, &*table, place));
            }
            let Some(mv) = table.random_move(&mut rng) else { return Ok(()) };
            let text = game.notation(mv).unwrap_or_default();
            let after = table.after(mv).expect("a random move is possible");
            if known {
                enumeration.see(&*table, &text, &after.json())?;
                if after.json()["phase"] == "over" && !enumeration.worlds.is_empty() {
                    enumeration.end(&after.json());
                }
            }
            table = after;
            index += 1;
        }
    }
}

#[expect(clippy::print_stdout, reason = "a run that compared nothing is to be seen")]
fn assert_exact(cases: &[Case], phases: &[&str]) {
    let compared: Vec<Comparison> = cases.par_iter().flat_map_iter(Case::compare).collect();
    for comparison in &compared {
        println!("{}: {} worlds", comparison.place, comparison.worlds);
    }
    for phase in phases {
        let found = compared.iter().any(|comparison| comparison.place.contains(&format!("({phase} ")));
        assert!(found, "no {phase} position was compared");
    }
    let wrong: Vec<String> = compared
        .iter()
        .flat_map(|comparison| &comparison.fits)
        .filter(|fit| !fit.holds())
        .map(Fit::to_string)
        .collect();
    assert!(wrong.is_empty(), "{} do not fit:\n{}", wrong.len(), wrong.join("\n"));
}

fn option(name: &str, value: &str) -> BTreeMap<String, String> {
    [(name.to_owned(), value.to_owned())].into()
}

#[test]
fn whole_states_of_two_players_are_drawn_exactly() {
    let case = |id, options, most| Case { id, players: 2, options, seeds: 1..4, most, whole: true };
    let cases = [
        case("queen_of_hansa", BTreeMap::new(), 7000),
        case("queen_of_hansa_v42", BTreeMap::new(), 3000),
        case("queen_of_hansa_v42", option("reading", "A"), 3000),
    ];
    assert_exact(&cases, &["deal", "keep", "play", "marker", "take", "store", "lay", "draw", "start", "extra", "over"]);
}

#[test]
fn hands_of_three_players_are_drawn_exactly() {
    let case = |id, seeds| Case { id, players: 3, options: BTreeMap::new(), seeds, most: 800, whole: false };
    let cases = [case("queen_of_hansa", 1..5), case("queen_of_hansa_v42", 1..5)];
    assert_exact(&cases, &["play", "take", "extra"]);
}
