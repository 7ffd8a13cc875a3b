//! Law 10 for determinizations of The Queen of Hansa: drawn states against an exhaustive enumeration.
//!
//! The enumeration shares nothing with the engine's: it replays a game with what one player saw of each move, keeps every
//! *world* (hands, face-down cards, returned cards, pending choices) that agrees, branches where something was hidden,
//! and weighs the branches as the rules do: every card or piece that could be the hidden one is equally likely.
#![cfg(feature = "conform")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use hansa::catalogue::find;
use hansa::conform::{Fit, weighted};
use hansa::core::{Rng, Stream};
use hansa::table::{AnyGame, RulesSource, Table, possible_at};
use rayon::prelude::*;
use serde_json::{Value, json};

/// What one player cannot see, for all players; the observer's own entries are simply known.
#[derive(Debug, Clone, PartialEq)]
struct World {
    hands: Vec<Cards>,
    downs: Vec<Vec<String>>,
    returned: Vec<Cards>,
    choices: Vec<Option<String>>,
    weight: f64,
}

type Cards = BTreeSet<String>;

/// The enumeration along one game for one observer.
struct Enumeration {
    observer: usize,
    players: usize,
    /// Backs of all cards in use.
    backs: HashMap<String, String>,
    /// Cards of the hand deck that were not laid at set-up nor dealt to the observer.
    candidates: Cards,
    /// Whether the cards put back are enumerated as well; if not they are left out of the worlds.
    with_returned: bool,
    /// Whether extra placements take effect one by one, as in the draft.
    extra_in_turn: bool,
    worlds: Vec<World>,
}

/// More worlds than are looked at.
#[derive(Debug)]
struct TooMany;

const MOST_ON_THE_WAY: usize = 60_000;

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .map_or_else(Vec::new, |items| items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
}

/// Every choice of `count` of the cards.
fn subsets(cards: &[String], count: usize) -> Vec<Cards> {
    if count == 0 {
        return vec![Cards::new()];
    }
    let mut all = Vec::new();
    for (index, card) in cards.iter().enumerate() {
        for mut rest in subsets(&cards[index + 1..], count - 1) {
            rest.insert(card.clone());
            all.push(rest);
        }
    }
    all
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, step| product * (n - step) / (step + 1))
}

impl Enumeration {
    fn new(start: &Value, observer: usize, with_returned: bool, extra_in_turn: bool) -> Self {
        let players = start["players"].as_array().map_or(0, Vec::len);
        let mut backs = HashMap::new();
        for (deck, back) in [("normal_deck", "normal"), ("luxury_deck", "luxury")] {
            backs.extend(strings(&start[deck]).into_iter().map(|card| (card, back.to_owned())));
        }
        Self { observer, players, backs, candidates: Cards::new(), with_returned, extra_in_turn, worlds: Vec::new() }
    }

    /// All worlds before the first play, from the position `state` at a deal or keep node; or, where the cards put back are
    /// left out, at the first play.
    ///
    /// Every set of cards that can have been dealt, or kept, is as likely as every other.
    fn begin(&mut self, state: &Value, hand_back: &str) -> Result<(), TooMany> {
        let own: Cards = strings(&state["players"][self.observer]["hand"]).into_iter().collect();
        let put_back = strings(&state["players"][self.observer]["returned"]);
        let laid: Cards = state["board"]
            .as_object()
            .into_iter()
            .flat_map(|rows| rows.values())
            .flat_map(|row| {
                row.as_array().into_iter().flatten().filter_map(|space| space["card"].as_str().map(str::to_owned))
            })
            .collect();
        let unseen = self.backs.iter().filter(|(card, back)| {
            *back == hand_back && !laid.contains(*card) && !own.contains(*card) && !put_back.contains(card)
        });
        self.candidates = unseen.map(|(card, _)| card.clone()).collect();
        let nothing = World {
            hands: vec![Cards::new(); self.players],
            downs: vec![Vec::new(); self.players],
            returned: vec![Cards::new(); self.players],
            choices: vec![None; self.players],
            weight: 1.0,
        };
        self.worlds = vec![nothing];
        for player in 0..self.players {
            let size = state["players"][player]["hand"].as_array().map_or(0, Vec::len);
            if player == self.observer {
                self.worlds.iter_mut().for_each(|world| world.hands[player].clone_from(&own));
                continue;
            }
            self.branch(|_, candidates, world| {
                let held: Cards = world.hands.iter().flatten().cloned().collect();
                let free: Vec<String> = candidates.difference(&held).cloned().collect();
                let hands = subsets(&free, size).into_iter();
                hands
                    .map(|hand| {
                        let mut next = world.clone();
                        next.hands[player] = hand;
                        next
                    })
                    .collect()
            })?;
        }
        Ok(())
    }

    fn branch(&mut self, of: impl Fn(&HashMap<String, String>, &Cards, &World) -> Vec<World>) -> Result<(), TooMany> {
        let mut next = Vec::new();
        for world in &self.worlds {
            next.extend(of(&self.backs, &self.candidates, world));
            if next.len() > MOST_ON_THE_WAY {
                return Err(TooMany);
            }
        }
        assert!(!next.is_empty(), "no world agrees with what was seen");
        self.worlds = next;
        Ok(())
    }

    /// A move that was made at `before`, with the position `after` it.
    fn see(&mut self, before: &dyn Table, text: &str, after: &Value) -> Result<(), TooMany> {
        let state = before.json();
        let words: Vec<&str> = text.split(' ').collect();
        let player = state["turn"].as_u64().map_or(0, |player| player as usize);
        match state["phase"].as_str().unwrap_or_default() {
            "lay" => {
                // A card that is laid came from a deck: nobody holds it or has played it.
                self.worlds.retain(|world| {
                    let held = world.hands.iter().flatten().chain(world.downs.iter().flatten());
                    !held.into_iter().any(|card| card == words[1])
                });
            }
            "play" => self.place(player, words[1], words[2])?,
            "extra" if self.extra_in_turn => self.place(player, words[1], words[2])?,
            "take" => self.worlds.iter_mut().for_each(|world| {
                world.hands[player].insert(words[1].to_owned());
            }),
            phase @ ("keep" | "store" | "extra") => {
                self.choose(&state, before, player, text, phase)?;
                if after["phase"] != phase {
                    self.disclose(phase, &state, text);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A card played: the others see a face-down one's back.
    fn place(&mut self, player: usize, card: &str, face: &str) -> Result<(), TooMany> {
        let shown = face == "up" || player == self.observer;
        let back = self.backs[card].clone();
        self.branch(|backs, _, world| {
            let could_be = |held: &String| if shown { held == card } else { backs[held] == back };
            let possible: Vec<&String> = world.hands[player].iter().filter(|held| could_be(held)).collect();
            let next = |played: &&String| {
                let mut next = world.clone();
                next.hands[player].remove(*played);
                next.choices[player] = None;
                next.weight /= possible.len() as f64;
                if face == "down" {
                    next.downs[player].push((*played).clone());
                }
                next
            };
            possible.iter().map(next).collect()
        })
    }

    /// A simultaneous choice, known to its owner.
    fn choose(
        &mut self,
        state: &Value,
        before: &dyn Table,
        player: usize,
        text: &str,
        phase: &str,
    ) -> Result<(), TooMany> {
        if player == self.observer {
            self.worlds.iter_mut().for_each(|world| world.choices[player] = Some(text.to_owned()));
            return Ok(());
        }
        // The options of a store node are public; those of the other nodes depend on the hand.
        let stores = possible_at(before);
        let pieces = state["players"][player]["pieces"].clone();
        self.branch(|_, _, world| {
            let hand: Vec<&String> = world.hands[player].iter().collect();
            let options: Vec<(String, u64)> = match phase {
                "keep" => subsets(&hand.into_iter().cloned().collect::<Vec<_>>(), 2)
                    .into_iter()
                    .map(|pair| (format!("keep {}", pair.into_iter().collect::<Vec<_>>().join(" ")), 1))
                    .collect(),
                "extra" => {
                    hand.iter().flat_map(|card| ["up", "down"].map(|face| (format!("play {card} {face}"), 1))).collect()
                }
                // Every piece alike: as many ways as the pieces of each color can be picked.
                _ => stores
                    .iter()
                    .map(|option| {
                        let count = |color: &str| option.split(' ').filter(|word| *word == color).count() as u64;
                        let owned = pieces.as_object().into_iter().flatten();
                        let ways = owned.map(|(color, number)| choose(number.as_u64().unwrap_or(0), count(color)));
                        (option.clone(), ways.product())
                    })
                    .collect(),
            };
            let all: u64 = options.iter().map(|(_, ways)| ways).sum();
            let next = |(choice, ways): (String, u64)| {
                let mut next = world.clone();
                next.choices[player] = Some(choice);
                next.weight *= ways as f64 / all as f64;
                next
            };
            options.into_iter().map(next).collect()
        })
    }

    /// The last choice has been made, and everything takes effect.
    fn disclose(&mut self, phase: &str, state: &Value, last: &str) {
        let actual = |player: usize| {
            let choice = state["players"][player]["choice"].as_str();
            choice.unwrap_or(last).to_owned()
        };
        match phase {
            "keep" => {
                for world in &mut self.worlds {
                    for player in 0..self.players {
                        let choice = world.choices[player].take().expect("everybody has chosen");
                        let kept: Cards = choice.split(' ').skip(1).map(str::to_owned).collect();
                        let returned = world.hands[player].difference(&kept).cloned().collect();
                        world.returned[player] = returned;
                        world.hands[player] = kept;
                    }
                }
            }
            "store" => {
                self.worlds.retain(|world| {
                    (0..self.players).all(|player| world.choices[player].as_ref() == Some(&actual(player)))
                });
                self.worlds.iter_mut().for_each(|world| world.choices.fill(None));
            }
            _ => {
                // The placements as the others see them, then the end: all cards are turned up.
                for player in 0..self.players {
                    let choice = actual(player);
                    let words: Vec<&str> = choice.split(' ').collect();
                    let shown = words[2] == "up" || player == self.observer;
                    let (backs, back) = (&self.backs, self.backs[words[1]].clone());
                    self.worlds.retain(|world| {
                        let pending = world.choices[player].clone().unwrap_or_default();
                        let guess: Vec<&str> = pending.split(' ').collect();
                        guess[2] == words[2] && if shown { guess[1] == words[1] } else { backs[guess[1]] == back }
                    });
                    for world in &mut self.worlds {
                        let pending = world.choices[player].take().unwrap_or_default();
                        let card = pending.split(' ').nth(1).unwrap_or_default().to_owned();
                        world.hands[player].remove(&card);
                        if words[2] == "down" {
                            world.downs[player].push(card);
                        }
                    }
                }
            }
        }
        assert!(!self.worlds.is_empty(), "no world agrees with what was disclosed");
    }

    /// All Kontor cards are public, the left-over cards are out of the hands.
    fn end(&mut self, after: &Value) {
        for player in 0..self.players {
            let kontor = after["players"][player]["kontor"].as_array().cloned().unwrap_or_default();
            let down = kontor.iter().filter(|entry| entry["face"] == "down");
            let shown: Vec<String> = down.filter_map(|entry| entry["card"].as_str().map(str::to_owned)).collect();
            self.worlds.retain(|world| world.downs[player] == shown);
        }
        self.worlds.iter_mut().for_each(|world| world.hands.iter_mut().for_each(Cards::clear));
        self.merge();
    }

    /// Worlds that have become equal are one.
    fn merge(&mut self) {
        let mut merged: BTreeMap<String, World> = BTreeMap::new();
        for world in self.worlds.drain(..) {
            let key = format!("{:?}", (&world.hands, &world.downs, &world.returned, &world.choices));
            match merged.get_mut(&key) {
                Some(equal) => equal.weight += world.weight,
                None => drop(merged.insert(key, world)),
            }
        }
        self.worlds = merged.into_values().collect();
    }

    /// The canonical state of a world: what is public comes from the true position.
    fn state(&self, truth: &Value, world: &World) -> Value {
        let mut state = truth.clone();
        let mut placed: Cards = strings(&truth["removed_cards"]).into_iter().collect();
        for row in truth["board"].as_object().into_iter().flat_map(|rows| rows.values()) {
            placed.extend(
                row.as_array().into_iter().flatten().filter_map(|space| space["card"].as_str().map(str::to_owned)),
            );
        }
        for player in 0..self.players {
            let seat = &mut state["players"][player];
            seat["hand"] = json!(world.hands[player]);
            if self.with_returned {
                seat["returned"] = json!(world.returned[player]);
            }
            seat["choice"] = json!(world.choices[player]);
            let mut downs = world.downs[player].iter();
            for entry in seat["kontor"].as_array_mut().into_iter().flatten() {
                if entry["face"] == "down" {
                    entry["card"] = json!(downs.next());
                }
                placed.extend(entry["card"].as_str().map(str::to_owned));
            }
            placed.extend(world.hands[player].iter().cloned());
        }
        for (deck, back) in [("normal_deck", "normal"), ("luxury_deck", "luxury")] {
            let left = self.backs.iter().filter(|(card, side)| *side == back && !placed.contains(*card));
            state[deck] = json!(left.map(|(card, _)| card).collect::<BTreeSet<_>>());
        }
        state
    }
}

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
    let case = |id, seeds| Case { id, players: 3, options: BTreeMap::new(), seeds, most: 1500, whole: false };
    let cases = [case("queen_of_hansa", 1..8), case("queen_of_hansa_v42", 1..8)];
    assert_exact(&cases, &["play", "take", "extra"]);
}
