//! A view as numbers. Players stand in turn order from the observer on, so that one network plays every seat.

use std::fmt::Arguments;

use super::components::{BARRELS, MOST_COLOURS, PILES};
use super::state::{MOST_PLAYERS, MOST_TYPES, NOBODY, Phase, State};
use super::{Hansa, View};
use crate::core::Game;
use crate::core::parts::features::Features;

impl Features for Hansa {
    fn each_feature(&self, view: &View, part: &mut impl FnMut(Arguments<'_>, &[f32])) {
        let state = &view.seen;
        let seat_after = |steps: usize| (view.observer() + steps) % self.players;
        let one_hot = |player: u8| {
            std::array::from_fn::<f32, MOST_PLAYERS, _>(|steps| {
                f32::from(steps < self.players && seat_after(steps) == usize::from(player))
            })
        };
        let mut phase = [0.0; Phase::Over as usize + 1];
        phase[state.phase as usize] = 1.0;
        part(format_args!("phase"), &phase);
        part(format_args!("active"), &one_hot(state.active));
        part(format_args!("loser"), &one_hot(if state.phase == Phase::Lose { state.loser } else { NOBODY }));
        part(format_args!("opened_by"), &one_hot(state.opened_by));
        part(format_args!("acted"), &[f32::from(state.acted)]);
        part(format_args!("idle"), &[f32::from(state.idle)]);
        part(format_args!("idle_rounds"), &[f32::from(state.idle_rounds) / f32::from(self.components.stall_limit)]);
        let piles = if state.phase == Phase::Deal { self.components.piles } else { self.piles(state.left) };
        part(
            format_args!("piles"),
            &std::array::from_fn::<f32, PILES, _>(|pile| {
                f32::from(piles[pile]) / f32::from(self.components.piles[pile])
            }),
        );
        part(format_args!("supply"), &self.by_type(&state.supply));
        let bit = |set: u8| std::array::from_fn::<f32, MOST_COLOURS, _>(|colour| f32::from(set >> colour & 1));
        part(format_args!("sale"), &bit(state.sale));
        part(format_args!("sale_colour"), &bit(if state.sale == 0 { 0 } else { 1 << state.colour }));
        part(format_args!("kept"), &self.by_type(&state.kept));
        for (index, city) in self.components.cities.iter().enumerate() {
            let reachable = self.components.routes[state.ship as usize] >> index & 1;
            part(
                format_args!("{}_ship", city.id),
                &[f32::from(state.ship as usize == index), f32::from(reachable as u8)],
            );
            let mut counts = [0u8; MOST_TYPES];
            let size = usize::from(state.stock_size(index));
            state.stock[index][..size].iter().for_each(|&marker| counts[marker as usize] += 1);
            part(format_args!("{}_goods", city.id), &counts.map(f32::from));
            let booths = |steps: usize| {
                if steps < self.players { f32::from(state.booths[index][seat_after(steps)]) / 6.0 } else { 0.0 }
            };
            part(format_args!("{}_booths", city.id), &std::array::from_fn::<f32, MOST_PLAYERS, _>(booths));
        }
        let scores = self.scores(state);
        for steps in 0..self.players {
            self.seat_features(state, seat_after(steps), steps, scores[seat_after(steps)], part);
        }
    }
}

impl Hansa {
    fn seat_features(
        &self,
        state: &State,
        player: usize,
        steps: usize,
        score: i32,
        part: &mut impl FnMut(Arguments<'_>, &[f32]),
    ) {
        let seat = &state.seats[player];
        let mut name = |what: &str, values: &[f32]| part(format_args!("player_{steps}_{what}"), values);
        name("talers", &[f32::from(seat.talers) / 6.0]);
        name("reserve", &[f32::from(seat.reserve) / f32::from(self.components.booths)]);
        name("score", &[score as f32 / 50.0]);
        name("unsold", &seat.unsold.counts.map(f32::from));
        let sold: [f32; BARRELS] = std::array::from_fn(|barrels| {
            seat.sold.iter().skip(barrels).step_by(BARRELS).map(|&count| f32::from(count)).sum::<f32>() / 10.0
        });
        name("sold", &sold);
    }

    /// Shares of the copies of each type.
    fn by_type(&self, counts: &[u8; MOST_TYPES]) -> [f32; MOST_TYPES] {
        std::array::from_fn(|marker| f32::from(counts[marker]) / f32::from(self.components.markers[marker % BARRELS]))
    }
}
