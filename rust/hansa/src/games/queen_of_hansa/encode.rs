//! Indices, notation, bytes (notation.md 1 and 2).
//!
//! Action indices: `play` two a card, `raise`, `lower`, `take`, `start`, then `keep` by pairs of cards and `store` by
//! counts of the four colors.

use serde_json::Value;

use super::action::{Action, Card, Chance, Face};
use super::state::{CITIES, State};
use super::{Queen, View};
use crate::core::parts::bytes;
use crate::core::parts::features::Features;
use crate::core::parts::notation::{error, unknown, words};
use crate::core::{Encode, FormatError, NotationError};

const CARDS: usize = 60;
const RAISE: usize = 2 * CARDS;
const LOWER: usize = RAISE + CITIES;
const TAKE: usize = LOWER + CITIES;
const START: usize = TAKE + CARDS;
const PAIRS: usize = CARDS * (CARDS - 1) / 2;

const DRAW: usize = CARDS;
const DEAL: usize = DRAW + CITIES;

/// First byte of saved states and views; a change of the layout raises it.
const LAYOUT: u8 = 1;

impl Queen {
    /// The code of a card as it is written.
    pub(super) fn code(&self, card: Card) -> &str {
        self.components.codes.get(card as usize).map_or("an unknown card", String::as_str)
    }

    pub(super) fn card(&self, word: &str) -> Result<Card, NotationError> {
        let found = self.components.codes.iter().position(|code| code == word);
        found.map(|card| card as Card).ok_or_else(|| unknown("card", word, self.components.codes.iter()))
    }

    fn city(&self, word: &str) -> Result<u8, NotationError> {
        let found = self.components.cities.iter().position(|city| city == word);
        found.map(|city| city as u8).ok_or_else(|| unknown("city", word, self.components.cities.iter()))
    }

    fn color(&self, word: &str) -> Result<u8, NotationError> {
        let found = self.components.colors.iter().position(|color| color == word);
        found.map(|color| color as u8).ok_or_else(|| unknown("color", word, self.components.colors.iter()))
    }

    fn player(&self, word: &str) -> Result<u8, NotationError> {
        let number = word.parse().ok().filter(|player: &u8| usize::from(*player) < self.players && word.len() == 1);
        number.ok_or_else(|| error(format!("{word:?} is no player: one of 0 to {}", self.players - 1)))
    }

    /// The first index of `keep`: one `start` a player comes before.
    fn first_keep(&self) -> usize {
        START + self.players
    }

    /// The first index of `store`.
    fn first_store(&self) -> usize {
        self.first_keep() + PAIRS
    }

    /// Pieces of one color at most, and one more.
    fn store_base(&self) -> usize {
        usize::from(self.components.bag) + 1
    }
}

impl Encode for Queen {
    fn action_count(&self) -> usize {
        self.first_store() + self.store_base().pow(CITIES as u32)
    }

    fn action_index(&self, action: Action) -> usize {
        match action {
            Action::Play(card, face) => 2 * card as usize + usize::from(face == Face::Down),
            Action::Raise(city) => RAISE + city as usize,
            Action::Lower(city) => LOWER + city as usize,
            Action::Take(card) => TAKE + card as usize,
            Action::Start(player) => START + player as usize,
            Action::Keep(first, second) => {
                let first = first as usize;
                self.first_keep() + first * (2 * CARDS - first - 1) / 2 + second as usize - first - 1
            }
            Action::Store(pieces) => {
                self.first_store() + pieces.iter().fold(0, |index, &count| index * self.store_base() + count as usize)
            }
        }
    }

    fn action_at(&self, index: usize) -> Option<Action> {
        let (keep, store) = (self.first_keep(), self.first_store());
        Some(match index {
            0..RAISE => Action::Play((index / 2) as Card, if index.is_multiple_of(2) { Face::Up } else { Face::Down }),
            RAISE..LOWER => Action::Raise((index - RAISE) as u8),
            LOWER..TAKE => Action::Lower((index - LOWER) as u8),
            TAKE..START => Action::Take((index - TAKE) as Card),
            _ if index < keep => Action::Start((index - START) as u8),
            _ if index < store => {
                let mut left = index - keep;
                let mut first = 0;
                while left >= CARDS - 1 - first {
                    left -= CARDS - 1 - first;
                    first += 1;
                }
                Action::Keep(first as Card, (first + 1 + left) as Card)
            }
            _ => {
                let mut left = index - store;
                let mut pieces = [0; CITIES];
                for count in pieces.iter_mut().rev() {
                    *count = (left % self.store_base()) as u8;
                    left /= self.store_base();
                }
                return (left == 0).then_some(Action::Store(pieces));
            }
        })
    }

    fn chance_count(&self) -> usize {
        DEAL + self.players * CARDS
    }

    fn chance_index(&self, outcome: Chance) -> usize {
        match outcome {
            Chance::Lay(card) => card as usize,
            Chance::Draw(color) => DRAW + color as usize,
            Chance::Deal(player, card) => DEAL + player as usize * CARDS + card as usize,
        }
    }

    fn chance_at(&self, index: usize) -> Option<Chance> {
        match index {
            0..DRAW => Some(Chance::Lay(index as Card)),
            DRAW..DEAL => Some(Chance::Draw((index - DRAW) as u8)),
            _ => {
                let (player, card) = ((index - DEAL) / CARDS, (index - DEAL) % CARDS);
                (player < self.players).then_some(Chance::Deal(player as u8, card as Card))
            }
        }
    }

    fn action_notation(&self, action: Action) -> String {
        match action {
            Action::Play(card, Face::Up) => format!("play {} up", self.code(card)),
            Action::Play(card, Face::Down) => format!("play {} down", self.code(card)),
            Action::Raise(city) => format!("raise {}", self.components.cities[city as usize]),
            Action::Lower(city) => format!("lower {}", self.components.cities[city as usize]),
            Action::Take(card) => format!("take {}", self.code(card)),
            Action::Start(player) => format!("start {player}"),
            Action::Keep(first, second) => {
                let (first, second) = (self.code(first), self.code(second));
                format!("keep {} {}", first.min(second), first.max(second))
            }
            Action::Store([0, 0, 0, 0]) => "store none".to_owned(),
            Action::Store(pieces) => {
                let mut text = "store".to_owned();
                for (color, &count) in self.components.colors.iter().zip(&pieces) {
                    for _ in 0..count {
                        text.push(' ');
                        text.push_str(color);
                    }
                }
                text
            }
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        let words = words(text)?;
        match words[..] {
            ["play", card, face] => {
                let face = match face {
                    "up" => Face::Up,
                    "down" => Face::Down,
                    _ => return Err(error(format!("{face:?} is no face: up or down"))),
                };
                Ok(Action::Play(self.card(card)?, face))
            }
            ["raise", city] => Ok(Action::Raise(self.city(city)?)),
            ["lower", city] => Ok(Action::Lower(self.city(city)?)),
            ["take", card] => Ok(Action::Take(self.card(card)?)),
            ["start", player] => Ok(Action::Start(self.player(player)?)),
            ["keep", first, second] => {
                if first >= second {
                    return Err(error(format!("{text:?}: two different cards in alphabetical order")));
                }
                let (first, second) = (self.card(first)?, self.card(second)?);
                Ok(Action::Keep(first.min(second), first.max(second)))
            }
            ["store", "none"] => Ok(Action::Store([0; CITIES])),
            ["store", ref colors @ ..] if !colors.is_empty() => {
                let mut pieces = [0; CITIES];
                let mut last = 0;
                for word in colors {
                    let color = self.color(word)?;
                    if color < last {
                        let order = self.components.colors.join(", ");
                        return Err(error(format!("{text:?}: the colors in the order {order}")));
                    }
                    last = color;
                    pieces[color as usize] += 1;
                    if pieces[color as usize] > self.components.bag {
                        return Err(error(format!("{text:?}: there are {} {word} pieces", self.components.bag)));
                    }
                }
                Ok(Action::Store(pieces))
            }
            _ => Err(error(format!(
                "{text:?} is no action: play CARD up, play CARD down, raise CITY, lower CITY, take CARD, start PLAYER, keep \
                 CARD CARD, store COLOR ... or store none"
            ))),
        }
    }

    fn chance_notation(&self, outcome: Chance) -> String {
        match outcome {
            Chance::Lay(card) => format!("lay {}", self.code(card)),
            Chance::Draw(color) => format!("draw {}", self.components.colors[color as usize]),
            Chance::Deal(player, card) => format!("deal {player} {}", self.code(card)),
        }
    }

    fn parse_chance(&self, text: &str) -> Result<Chance, NotationError> {
        match words(text)?[..] {
            ["lay", card] => Ok(Chance::Lay(self.card(card)?)),
            ["draw", color] => Ok(Chance::Draw(self.color(color)?)),
            ["deal", player, card] => Ok(Chance::Deal(self.player(player)?, self.card(card)?)),
            _ => Err(error(format!("{text:?} is no chance outcome: lay CARD, draw COLOR or deal PLAYER CARD"))),
        }
    }

    fn state_json(&self, state: &State) -> Value {
        self.write_state(state)
    }

    fn state_from_json(&self, json: &Value) -> Result<State, FormatError> {
        let state = self.read_state(json)?;
        self.check_state(&state)?;
        Ok(state)
    }

    fn view_json(&self, view: &View) -> Value {
        self.write_view(view)
    }

    fn view_from_json(&self, json: &Value, observer: usize) -> Result<View, FormatError> {
        let view = self.read_view(json, observer)?;
        self.check_view(&view)?;
        Ok(view)
    }

    fn state_bytes(&self, state: &State, out: &mut Vec<u8>) {
        bytes::write(LAYOUT, state, out);
    }

    fn state_from_bytes(&self, bytes: &[u8]) -> Result<State, FormatError> {
        let state = bytes::read(LAYOUT, bytes)?;
        self.check_state(&state)?;
        Ok(state)
    }

    fn view_bytes(&self, view: &View, out: &mut Vec<u8>) {
        bytes::write(LAYOUT, view, out);
    }

    fn view_from_bytes(&self, bytes: &[u8]) -> Result<View, FormatError> {
        let view = bytes::read(LAYOUT, bytes)?;
        self.check_view(&view)?;
        Ok(view)
    }

    fn observation_layout(&self) -> Vec<(String, usize)> {
        self.features()
    }

    fn observe(&self, view: &View, out: &mut [f32]) {
        self.write_features(view, out);
    }
}
