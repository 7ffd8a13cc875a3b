//! Scoring in lanes (spec 5 and 7).

use super::super::state::{CITIES, MAX_TABLE};
use super::{Fast, TOPS};
use crate::core::{Ending, PerPlayer};

/// The top bit of every 16 bits.
const WIDE_TOPS: u64 = 0x8000_8000_8000_8000;
const WIDE_ONES: u64 = 0x0001_0001_0001_0001;

/// Four bytes to four lanes of 16 bits.
#[inline(always)]
fn widen(bytes: u32) -> u64 {
    let pairs = (u64::from(bytes) | u64::from(bytes) << 16) & 0x0000_ffff_0000_ffff;
    (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff
}

/// For each player the lanes in which others are strictly ahead, counted.
#[inline(always)]
fn lane_ranks<const PLAYERS: usize>(values: [u64; MAX_TABLE]) -> [u64; MAX_TABLE] {
    let mut ranks = [0; MAX_TABLE];
    for player in 0..PLAYERS {
        let passed = values[player] + WIDE_ONES;
        for other in 0..PLAYERS {
            if other != player {
                ranks[player] += (((values[other] | WIDE_TOPS) - passed) & WIDE_TOPS) >> 15;
            }
        }
    }
    ranks
}

impl Fast<'_> {
    /// Profit of the cities and of the luxury (spec 5).
    #[inline(always)]
    pub(super) fn score_round<const PLAYERS: usize>(&mut self) {
        let tables = self.tables;
        let mut totals = [0; MAX_TABLE];
        for player in 0..PLAYERS {
            totals[player] = widen(self.lanes[player] as u32 + self.pieces[player]);
        }
        let ranks = lane_ranks::<PLAYERS>(totals);
        for player in 0..PLAYERS {
            let mut profit = 0;
            for city in 0..CITIES {
                let level = (self.levels >> (8 * city)) as usize & 0xf;
                let total = (totals[player] >> (16 * city)) as u32 & 0xffff;
                let rank = (ranks[player] >> (16 * city)) as usize & 3;
                let (own, each) = tables.city_profits[level][rank];
                let earns = u32::from(total > 0 || tables.zero_total_earns);
                profit += own * earns + each * total;
            }
            let colors =
                (((self.pieces[player] + 0x7f7f_7f7f) & (TOPS >> 32) as u32) >> 7).wrapping_mul(0x0101_0101) >> 24;
            self.profits[player] += profit + tables.luxury_types[colors as usize];
        }
    }

    /// Parliament, the Golden Ship and the persons (spec 7).
    #[inline(always)]
    pub(super) fn score_game<const PLAYERS: usize>(&mut self) {
        let tables = self.tables;
        let mut fixed: [u8; CITIES] =
            (self.levels as u32).to_le_bytes().map(|level| tables.fixed[level as usize & 0xf]);
        // A sorting network for four, highest first.
        for (first, second) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            let (high, low) = (fixed[first].max(fixed[second]), fixed[first].min(fixed[second]));
            (fixed[first], fixed[second]) = (high, low);
        }
        let mut values = [0; MAX_TABLE];
        for player in 0..PLAYERS {
            // Lane 0: all ships; lane 1: power in Parliament.
            let lanes = self.lanes[player] >> 40;
            values[player] = lanes & 0xff | (lanes >> 8 & 0xff) << 16;
        }
        let ranks = lane_ranks::<PLAYERS>(values);
        for player in 0..PLAYERS {
            let (ships, power) = (values[player] & 0xffff, values[player] >> 16 & 0xffff);
            let ship_rank = ranks[player] as usize & 3;
            let power_rank = (ranks[player] >> 16) as usize & 3;
            let golden = if ships > 0 { tables.golden_ship[ship_rank] } else { 0 };
            let parliament = if power > 0 || tables.zero_total_ranks { u32::from(fixed[power_rank]) } else { 0 };
            let same: u32 =
                self.persons[player].to_le_bytes().iter().map(|&pair| tables.same_person[pair as usize]).sum();
            self.profits[player] += golden + parliament + same + tables.person_types[self.letters(player)];
        }
    }

    /// Different letters of a player.
    #[inline(always)]
    fn letters(&self, player: usize) -> usize {
        let copies = self.persons[player];
        let pairs = copies | copies >> 1;
        let owned = (pairs | pairs >> 2) & 0x1111_1111;
        (owned.wrapping_mul(0x1111_1111) >> 28) as usize
    }

    /// Scores and ranks at the end (spec 7.4).
    #[inline(always)]
    pub(super) fn ending(&self, players: usize) -> Ending {
        let key = |player: usize| {
            let second = if self.tables.persons_break_ties {
                self.letters(player) as u32
            } else {
                (self.lanes[player] >> 48) as u32 & 0xff
            };
            self.profits[player] << 8 | second
        };
        let keys: [u32; MAX_TABLE] = std::array::from_fn(|player| if player < players { key(player) } else { 0 });
        Ending {
            scores: PerPlayer::from_fn(players, |player| self.profits[player] as i32),
            ranks: PerPlayer::from_fn(players, |player| {
                keys.iter().filter(|&&other| other > keys[player]).count() as u8
            }),
            decisions: self.decisions,
        }
    }
}
