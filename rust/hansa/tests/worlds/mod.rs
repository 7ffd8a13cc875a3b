//! Every state of The Queen of Hansa that agrees with what one player has seen, the slow way.
//!
//! Shares nothing with the engine's determinizations: it replays a game with what one player saw of each move, keeps every
//! *world* (hands, face-down cards, returned cards, pending choices) that agrees, branches where something was hidden,
//! and weighs the branches as the rules do: every card or piece that could be the hidden one is equally likely.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hansa::table::{Table, possible_at};
use serde_json::{Value, json};

/// What one player cannot see, for all players; the observer's own entries are simply known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct World {
    pub(crate) hands: Vec<Cards>,
    pub(crate) downs: Vec<Vec<String>>,
    returned: Vec<Cards>,
    pub(crate) choices: Vec<Option<String>>,
    pub(crate) weight: f64,
}

pub(crate) type Cards = BTreeSet<String>;

/// The enumeration along one game for one observer.
pub(crate) struct Enumeration {
    pub(crate) observer: usize,
    pub(crate) players: usize,
    /// Backs of all cards in use.
    pub(crate) backs: HashMap<String, String>,
    /// Cards of the hand deck that were not laid at set-up nor dealt to the observer.
    pub(crate) candidates: Cards,
    /// Whether the cards put back are enumerated as well; if not they are left out of the worlds.
    with_returned: bool,
    /// Whether extra placements take effect one by one, as in the draft.
    extra_in_turn: bool,
    pub(crate) worlds: Vec<World>,
}

/// More worlds than are looked at.
#[derive(Debug)]
pub(crate) struct TooMany;

const MOST_ON_THE_WAY: usize = 60_000;

pub(crate) fn strings(value: &Value) -> Vec<String> {
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
    pub(crate) fn new(start: &Value, observer: usize, with_returned: bool, extra_in_turn: bool) -> Self {
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
    pub(crate) fn begin(&mut self, state: &Value, hand_back: &str) -> Result<(), TooMany> {
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
    pub(crate) fn see(&mut self, before: &dyn Table, text: &str, after: &Value) -> Result<(), TooMany> {
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
    pub(crate) fn end(&mut self, after: &Value) {
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
    pub(crate) fn state(&self, truth: &Value, world: &World) -> Value {
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
