//! A view as numbers. Players stand in turn order from the observer on, so that one network plays every seat.

use std::fmt::Arguments;

use super::action::Card;
use super::state::{CITIES, HIDDEN, MAX_TABLE, NO_PIECE, Phase, State};
use super::{Queen, View};
use crate::core::parts::features::Features;

/// City, power, letter, ship, luxury.
const CARD_FEATURES: usize = CITIES + 1 + 8 + 2;

impl Features for Queen {
    fn each_feature(&self, view: &View, part: &mut impl FnMut(Arguments<'_>, &[f32])) {
        let state = &view.seen;
        let seat_after = |steps: usize| (view.observer() + steps) % self.players;
        let mut phase = [0.0; Phase::Over as usize + 1];
        phase[state.phase as usize] = 1.0;
        part(format_args!("phase"), &phase);
        part(
            format_args!("round"),
            &std::array::from_fn::<f32, 3, _>(|round| f32::from(state.round as usize == round + 1)),
        );
        part(format_args!("turns_played"), &[f32::from(state.turns_played) / f32::from(self.round_turns())]);
        part(format_args!("changes"), &[f32::from(state.changes) / 4.0]);
        let one_hot = |player: u8| {
            std::array::from_fn::<f32, MAX_TABLE, _>(|steps| {
                f32::from(steps < self.players && seat_after(steps) == player as usize)
            })
        };
        part(format_args!("actor"), &one_hot(state.actor));
        part(format_args!("start_player"), &one_hot(state.start_player));
        let end = self.components.track.len() as f32 - 1.0;
        part(format_args!("prosperity"), &state.levels.map(|level| f32::from(level) / end));
        for space in 0..3 {
            let value = |city: usize| {
                let space_of = self.components.track[state.levels[city] as usize];
                f32::from([space_of.fixed, space_of.m2, space_of.m3][space]) / [25.0, 4.0, 4.0][space]
            };
            part(format_args!("{}", ["fixed", "m2", "m3"][space]), &std::array::from_fn::<f32, CITIES, _>(value));
        }
        for city in 0..CITIES {
            for place in 0..self.components.spaces as usize {
                let mut values = [0.0; CARD_FEATURES + CITIES];
                if place < state.row_lengths[city] as usize {
                    self.card_features(state.rows[city][place], &mut values[..CARD_FEATURES]);
                    let piece = state.row_pieces[city][place];
                    if piece != NO_PIECE {
                        values[CARD_FEATURES + piece as usize] = 1.0;
                    }
                }
                part(format_args!("board_{}_{place}", self.components.cities[city]), &values);
            }
        }
        part(format_args!("decks"), &view.deck_sizes.map(|size| f32::from(size) / 36.0));
        part(format_args!("bag"), &state.bag.map(|count| f32::from(count) / f32::from(self.components.bag)));
        for place in 0..4 {
            let mut values = [0.0; CARD_FEATURES];
            if let Some(&card) = state.seats[view.observer()].hand_cards().get(place) {
                self.card_features(card, &mut values);
            }
            part(format_args!("hand_{place}"), &values);
        }
        for steps in 0..self.players {
            self.seat_features(state, seat_after(steps), steps, part);
        }
    }
}

impl Queen {
    fn seat_features(&self, state: &State, player: usize, steps: usize, part: &mut impl FnMut(Arguments<'_>, &[f32])) {
        let seat = &state.seats[player];
        let totals = self.totals(state, player);
        let mut name = |what: &str, values: &[f32]| part(format_args!("player_{steps}_{what}"), values);
        name("profit", &[f32::from(seat.profit) / 100.0]);
        name("influence", &totals.influence.map(|power| f32::from(power) / 10.0));
        name("pieces", &seat.pieces.map(|count| f32::from(count) / 6.0));
        name("persons", &totals.persons.map(|copies| f32::from(copies) / 4.0));
        name("ships", &[f32::from(totals.open_ships) / 4.0, f32::from(totals.ships) / 4.0]);
        let down = |back: usize| {
            let backs = seat.placements().iter().filter(|placement| placement.is_down());
            backs.filter(|placement| self.back(placement.card()) == back).count() as f32 / 6.0
        };
        name("face_down", &[down(0), down(1)]);
        name("parliament", &[f32::from(totals.parliament) / 10.0]);
        let held = |back: usize| seat.hand_cards().iter().filter(|&&card| self.back(card) == back).count() as f32 / 2.0;
        name("hand", &[held(0), held(1)]);
    }

    /// The back of a card, hidden or not.
    pub(super) fn back(&self, card: Card) -> usize {
        if card >= HIDDEN[0] { usize::from(card == HIDDEN[1]) } else { self.kind(card) }
    }

    fn card_features(&self, card: Card, out: &mut [f32]) {
        let Some(data) = self.components.cards.get(card as usize) else { return };
        out[data.city as usize] = 1.0;
        out[CITIES] = f32::from(data.power) / 3.0;
        if let Some(letter) = data.letter {
            out[CITIES + 1 + letter as usize] = 1.0;
        }
        out[CITIES + 9] = f32::from(data.ship);
        out[CITIES + 10] = f32::from(data.luxury);
    }
}
