//! Random moves and playouts without lists: bit sets of what is legal, and the n-th bit of them.
//!
//! A playout is the rules themselves, compiled once for processors with BMI2 and once without.

use super::Hansa;
use super::action::{Action, Chance, Marker};
use super::components::MOST_CITIES;
use super::state::{MOST_TYPES, Phase, State};
#[cfg(target_arch = "x86_64")]
use crate::core::parts::bits::Bmi2;
use crate::core::parts::bits::{Portable, Select};
use crate::core::{Ending, Rng};

/// Where purchases, builds and the end begin in the joint bit set of a menu, which begins with the cities.
const BUYS: u32 = MOST_CITIES as u32;
const BUILDS: u32 = BUYS + MOST_TYPES as u32;
const END: u32 = BUILDS + MOST_TYPES as u32;
/// The bit of keeping none beside the bits of the types.
const NONE: u8 = MOST_TYPES as u8;

#[inline(always)]
fn nth(select: impl Select, mask: u64, rng: &mut Rng) -> u8 {
    select.one_hot(mask, rng.below(mask.count_ones())).trailing_zeros() as u8
}

impl Hansa {
    /// A legal action, uniformly.
    pub(super) fn pick_action(&self, state: &State, rng: &mut Rng) -> Action {
        self.pick(Portable, state, rng)
    }

    #[inline(always)]
    fn pick(&self, select: impl Select, state: &State, rng: &mut Rng) -> Action {
        match state.phase {
            Phase::Sail => {
                let menu = self.menu(state);
                let moves =
                    u64::from(menu.sails) | u64::from(menu.buys) << BUYS | u64::from(menu.builds) << BUILDS | 1 << END;
                let sets = (1u32 << menu.sells.count_ones()) - 1;
                let chosen = rng.below(moves.count_ones() + sets);
                if chosen < sets {
                    return Action::Sell(subset(menu.sells, chosen + 1));
                }
                let place = select.one_hot(moves, chosen - sets).trailing_zeros();
                match place {
                    0..BUYS => Action::Sail(place as u8),
                    BUYS..BUILDS => Action::Buy((place - BUYS) as Marker),
                    BUILDS..END => Action::Build((place - BUILDS) as Marker),
                    _ => Action::End,
                }
            }
            Phase::Refill => {
                if rng.below(2) == 0 {
                    Action::Refill
                } else {
                    Action::Pass
                }
            }
            Phase::Discard => {
                let types = state.seats[state.active as usize].unsold.types;
                Action::Discard(nth(select, u64::from(types), rng))
            }
            Phase::Lose => {
                let types = state.seats[state.loser as usize].unsold.of_colour(state.colour);
                Action::Lose(nth(select, u64::from(types), rng))
            }
            Phase::Keep => match nth(select, u64::from(self.keepable(state)) | 1 << NONE, rng) {
                NONE => Action::KeepNone,
                marker => Action::Keep(marker),
            },
            Phase::Place => Action::Place(nth(select, u64::from(self.placeable(state)), rng)),
            Phase::Deal | Phase::Restock | Phase::Over => unreachable!("a player is to decide"),
        }
    }

    /// A chance outcome by weight.
    #[inline(always)]
    pub(super) fn pick_outcome(&self, state: &State, rng: &mut Rng) -> Chance {
        let mut left = rng.below(u32::from(state.left)) as u8;
        let mut marker = 0;
        while left >= state.supply[marker] {
            left -= state.supply[marker];
            marker += 1;
        }
        Chance(marker as Marker)
    }

    /// Plays on to the end, uniformly at every decision.
    pub(super) fn play_out(&self, state: &State, rng: &mut Rng) -> Ending {
        #[cfg(target_arch = "x86_64")]
        if let Some(processor) = Bmi2::detect() {
            return processor.run(|| self.play_on(processor, state, rng));
        }
        self.play_on(Portable, state, rng)
    }

    #[inline(always)]
    pub(super) fn play_on(&self, select: impl Select, state: &State, rng: &mut Rng) -> Ending {
        let mut state = *state;
        let mut decisions = 0;
        loop {
            match state.phase {
                Phase::Over => break,
                Phase::Deal | Phase::Restock => {
                    let outcome = self.pick_outcome(&state, rng);
                    self.take_outcome(&mut state, outcome);
                }
                _ => {
                    let action = self.pick(select, &state, rng);
                    self.take_action(&mut state, action);
                    decisions += 1;
                }
            }
        }
        let scores = self.count_scores(&state);
        Ending { scores, ranks: self.rank(&state, &scores), decisions }
    }
}

/// The `n`-th subset of a set in ascending order, counted from the empty one.
#[inline(always)]
fn subset(set: u8, mut n: u32) -> u8 {
    let mut left = set;
    let mut chosen = 0;
    while n != 0 {
        let lowest = left & left.wrapping_neg();
        chosen |= if n & 1 == 1 { lowest } else { 0 };
        left ^= lowest;
        n >>= 1;
    }
    chosen
}
