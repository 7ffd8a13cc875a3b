//! Indices, notation, bytes (notation "Player actions" and "Chance").
//!
//! Action indices: `place` by city, `refill`, `pass`, `sail` by city, `buy` and `build` by type, `sell` by set of
//! colours, `end`, `keep` by type, `keep none`, `lose` and `discard` by type.

use serde_json::Value;

use super::action::{Action, Chance, Marker};
use super::components::BARRELS;
use super::state::State;
use super::{Hansa, View};
use crate::core::parts::bits::ones;
use crate::core::parts::bytes;
use crate::core::parts::features::Features;
use crate::core::parts::notation::{error, unknown, words};
use crate::core::{Encode, FormatError, NotationError};

/// First byte of saved states and views; a change of the layout raises it.
const LAYOUT: u8 = 1;

/// Where each kind of action begins.
struct Places {
    refill: usize,
    sail: usize,
    buy: usize,
    build: usize,
    sell: usize,
    end: usize,
    keep: usize,
    lose: usize,
    discard: usize,
    all: usize,
}

impl Hansa {
    fn places(&self) -> Places {
        let (cities, types) = (self.components.cities.len(), self.types);
        let refill = cities;
        let sail = refill + 2;
        let buy = sail + cities;
        let build = buy + types;
        let sell = build + types;
        let end = sell + (1 << self.components.colours.len()) - 1;
        let keep = end + 1;
        let lose = keep + types + 1;
        let discard = lose + types;
        Places { refill, sail, buy, build, sell, end, keep, lose, discard, all: discard + types }
    }

    /// The id of a city.
    pub(super) fn city_id(&self, city: u8) -> &str {
        self.components.cities.get(city as usize).map_or("an unknown city", |city| city.id.as_str())
    }

    /// A marker as it is written, e.g. `orange 2`.
    pub(super) fn marker_name(&self, marker: Marker) -> String {
        let colour = self.components.colours.get(marker as usize / BARRELS).map_or("unknown", String::as_str);
        format!("{colour} {}", marker as usize % BARRELS + 1)
    }

    fn city(&self, word: &str) -> Result<u8, NotationError> {
        let found = self.components.cities.iter().position(|city| city.id == word);
        found
            .map(|city| city as u8)
            .ok_or_else(|| unknown("city", word, self.components.cities.iter().map(|city| &city.id)))
    }

    fn colour(&self, word: &str) -> Result<u8, NotationError> {
        if let Some(found) = self.components.colours.iter().position(|colour| colour == word) {
            return Ok(found as u8);
        }
        if self.components.absent_colours.iter().any(|colour| colour == word) {
            let players = self.players;
            return Err(error(format!(
                "{word:?} is not in play with {players} players: the colours are {}",
                self.components.colours.join(", ")
            )));
        }
        Err(unknown("colour", word, self.components.colours.iter()))
    }

    fn marker(&self, colour: &str, barrels: &str) -> Result<Marker, NotationError> {
        let colour = self.colour(colour)?;
        match barrels {
            "1" | "2" | "3" => Ok(colour * BARRELS as u8 + barrels.as_bytes()[0] - b'1'),
            _ => Err(error(format!("{barrels:?} is no number of barrels: 1, 2 or 3"))),
        }
    }

    /// A marker written as one text, as in the canonical state.
    pub(super) fn parse_marker(&self, text: &str) -> Result<Marker, NotationError> {
        match words(text)?[..] {
            [colour, barrels] => self.marker(colour, barrels),
            _ => {
                Err(error(format!("{text:?} is no marker: a colour and its barrels, e.g. \"{}\"", self.marker_name(1))))
            }
        }
    }
}

impl Encode for Hansa {
    fn action_count(&self) -> usize {
        self.places().all
    }

    fn action_index(&self, action: Action) -> usize {
        let places = self.places();
        match action {
            Action::Place(city) => city as usize,
            Action::Refill => places.refill,
            Action::Pass => places.refill + 1,
            Action::Sail(city) => places.sail + city as usize,
            Action::Buy(marker) => places.buy + marker as usize,
            Action::Build(marker) => places.build + marker as usize,
            Action::Sell(colours) => places.sell + colours as usize - 1,
            Action::End => places.end,
            Action::Keep(marker) => places.keep + marker as usize,
            Action::KeepNone => places.lose - 1,
            Action::Lose(marker) => places.lose + marker as usize,
            Action::Discard(marker) => places.discard + marker as usize,
        }
    }

    fn action_at(&self, index: usize) -> Option<Action> {
        let places = self.places();
        let from = |first: usize| (index - first) as u8;
        Some(match index {
            _ if index < places.refill => Action::Place(index as u8),
            _ if index == places.refill => Action::Refill,
            _ if index < places.sail => Action::Pass,
            _ if index < places.buy => Action::Sail(from(places.sail)),
            _ if index < places.build => Action::Buy(from(places.buy)),
            _ if index < places.sell => Action::Build(from(places.build)),
            _ if index < places.end => Action::Sell(from(places.sell) + 1),
            _ if index == places.end => Action::End,
            _ if index < places.lose - 1 => Action::Keep(from(places.keep)),
            _ if index < places.lose => Action::KeepNone,
            _ if index < places.discard => Action::Lose(from(places.lose)),
            _ if index < places.all => Action::Discard(from(places.discard)),
            _ => return None,
        })
    }

    fn chance_count(&self) -> usize {
        self.types
    }

    fn chance_index(&self, Chance(marker): Chance) -> usize {
        marker as usize
    }

    fn chance_at(&self, index: usize) -> Option<Chance> {
        (index < self.types).then_some(Chance(index as Marker))
    }

    fn action_notation(&self, action: Action) -> String {
        match action {
            Action::Place(city) => format!("place {}", self.city_id(city)),
            Action::Refill => "refill".to_owned(),
            Action::Pass => "pass".to_owned(),
            Action::Sail(city) => format!("sail {}", self.city_id(city)),
            Action::Buy(marker) => format!("buy {}", self.marker_name(marker)),
            Action::Build(marker) => format!("build {}", self.marker_name(marker)),
            Action::Sell(colours) => {
                let names = ones(u64::from(colours)).map(|colour| self.components.colours[colour as usize].as_str());
                std::iter::once("sell").chain(names).collect::<Vec<_>>().join(" ")
            }
            Action::End => "end".to_owned(),
            Action::Keep(marker) => format!("keep {}", self.marker_name(marker)),
            Action::KeepNone => "keep none".to_owned(),
            Action::Lose(marker) => format!("lose {}", self.marker_name(marker)),
            Action::Discard(marker) => format!("discard {}", self.marker_name(marker)),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        match words(text)?[..] {
            ["place", city] => Ok(Action::Place(self.city(city)?)),
            ["refill"] => Ok(Action::Refill),
            ["pass"] => Ok(Action::Pass),
            ["sail", city] => Ok(Action::Sail(self.city(city)?)),
            ["buy", colour, barrels] => Ok(Action::Buy(self.marker(colour, barrels)?)),
            ["build", colour, barrels] => Ok(Action::Build(self.marker(colour, barrels)?)),
            ["sell", ref names @ ..] if !names.is_empty() => {
                let mut colours = 0;
                for name in names {
                    let colour = self.colour(name)?;
                    if colours >> colour != 0 {
                        let order = self.components.colours.join(", ");
                        return Err(error(format!("{text:?}: each colour once, in the order {order}")));
                    }
                    colours |= 1 << colour;
                }
                Ok(Action::Sell(colours))
            }
            ["end"] => Ok(Action::End),
            ["keep", "none"] => Ok(Action::KeepNone),
            ["keep", colour, barrels] => Ok(Action::Keep(self.marker(colour, barrels)?)),
            ["lose", colour, barrels] => Ok(Action::Lose(self.marker(colour, barrels)?)),
            ["discard", colour, barrels] => Ok(Action::Discard(self.marker(colour, barrels)?)),
            _ => Err(error(format!(
                "{text:?} is no action: place CITY, refill, pass, sail CITY, buy COLOUR BARRELS, build COLOUR BARRELS, sell \
                 COLOUR ..., end, keep COLOUR BARRELS, keep none, lose COLOUR BARRELS or discard COLOUR BARRELS"
            ))),
        }
    }

    fn chance_notation(&self, Chance(marker): Chance) -> String {
        format!("deal {}", self.marker_name(marker))
    }

    fn parse_chance(&self, text: &str) -> Result<Chance, NotationError> {
        match words(text)?[..] {
            ["deal", colour, barrels] => Ok(Chance(self.marker(colour, barrels)?)),
            _ => Err(error(format!("{text:?} is no chance outcome: deal COLOUR BARRELS"))),
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
        self.write_state(&view.seen)
    }

    fn view_from_json(&self, json: &Value, observer: usize) -> Result<View, FormatError> {
        self.check_observer(observer)?;
        Ok(View { observer: observer as u8, seen: self.state_from_json(json)? })
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
        let view: View = bytes::read(LAYOUT, bytes)?;
        self.check_observer(view.observer())?;
        self.check_state(&view.seen)?;
        Ok(view)
    }

    fn observation_layout(&self) -> Vec<(String, usize)> {
        self.features()
    }

    fn observe(&self, view: &View, out: &mut [f32]) {
        self.write_features(view, out);
    }
}
