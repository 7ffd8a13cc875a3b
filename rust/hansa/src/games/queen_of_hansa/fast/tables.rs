//! Rule data in the form in which playouts use it.

use super::super::components::{Components, TieBreak};
use super::super::state::CITIES;
use super::ONES;

/// What a playout looks up.
#[derive(Debug)]
pub(in super::super) struct Tables {
    /// Whether the numbers fit the lanes; else playouts go step by step.
    pub(in super::super) fits: bool,
    /// Mean power of normal and of luxury cards in use.
    pub(in super::super) mean_power: [f32; 2],
    /// What a card adds to the lanes of its player, face up and face down.
    pub(super) placed: [[u64; 64]; 2],
    /// What a card adds to the letters of its player.
    pub(super) persons: [u32; 64],
    /// The harbor of a card's city, as places of a turn.
    pub(super) row_masks: [u64; 64],
    pub(super) luxury: u64,
    /// Where the n-th change of a round takes a marker.
    pub(super) changes: [[u8; 16]; 8],
    /// Where the support step takes a marker.
    pub(super) supported: [u8; 16],
    pub(super) support_after: [bool; 3],
    pub(super) pieces_return: bool,
    /// By space and rank: profit of its own, and profit a point of the total.
    pub(super) city_profits: [[(u32, u32); 4]; 16],
    pub(super) fixed: [u8; 16],
    pub(super) luxury_types: [u32; 5],
    pub(super) golden_ship: [u32; 4],
    pub(super) person_types: [u32; 9],
    /// Profit for the copies of two letters.
    pub(super) same_person: [u32; 256],
    pub(super) zero_total_earns: bool,
    pub(super) zero_total_ranks: bool,
    pub(super) persons_break_ties: bool,
    pub(super) start_levels: u64,
    end: u64,
    pub(super) full_bag: u32,
    pub(super) hand_kind: usize,
    pub(super) spaces: u32,
    pub(super) turns: usize,
    pub(super) setup: [u32; 2],
    pub(super) refill: [u32; 2],
}

/// Eight bits a color, as many set as there are pieces.
pub(super) fn thermometers(counts: [u8; CITIES]) -> u32 {
    u32::from_le_bytes(counts.map(|count| ((1u32 << count) - 1) as u8))
}

impl Tables {
    pub(in super::super) fn new(components: &Components, players: usize, luxury: u64) -> Self {
        let end = components.track.len() - 1;
        let level = |level: usize| level.min(end);
        let used = |kind: usize| {
            components.cards.iter().enumerate().filter(move |(index, card)| {
                (luxury >> index & 1) as usize == kind && usize::from(card.min_players) <= players
            })
        };
        let mean_power = [0, 1].map(|kind| {
            let sum: u32 = used(kind).map(|(_, card)| u32::from(card.power)).sum();
            sum as f32 / used(kind).count().max(1) as f32
        });
        let mut tables = Self {
            fits: components.bag <= 8,
            mean_power,
            placed: [[0; 64]; 2],
            persons: [0; 64],
            row_masks: [0; 64],
            luxury,
            changes: [[0; 16]; 8],
            supported: std::array::from_fn(|from| level(from + usize::from(components.support_step)) as u8),
            support_after: components.support_after,
            pieces_return: components.pieces_return,
            city_profits: [[(0, 0); 4]; 16],
            fixed: std::array::from_fn(|index| components.track[level(index)].fixed),
            luxury_types: components.luxury_types.map(|profit| profit as u32),
            golden_ship: components.golden_ship.unwrap_or([0; 4]).map(|profit| profit as u32),
            person_types: components.person_types.map(|profit| profit as u32),
            same_person: [0; 256],
            zero_total_earns: components.zero_total_earns,
            zero_total_ranks: components.zero_total_ranks,
            persons_break_ties: components.tie_break == TieBreak::Persons,
            start_levels: 0,
            end: end as u64,
            full_bag: thermometers([components.bag.min(8); CITIES]),
            hand_kind: usize::from(components.hand_luxury),
            spaces: u32::from(components.spaces),
            turns: usize::from(components.turns),
            setup: components.setup.map(u32::from),
            refill: components.refill.map(u32::from),
        };
        tables.start_levels = tables.level_lanes([components.track_start; CITIES]);
        for (index, card) in components.cards.iter().enumerate() {
            let (power, ship) = (u64::from(card.power), u64::from(card.ship));
            tables.placed[0][index] = power << (8 * card.city) | ship << 32 | ship << 40;
            tables.placed[1][index] = ship << 40 | power << 48;
            tables.persons[index] = card.letter.map_or(0, |letter| 1 << (4 * letter));
            tables.row_masks[index] = 0x0000_0080_0000_0080 << (8 * card.city);
        }
        for (nth, row) in tables.changes.iter_mut().enumerate().take(components.prosperity_change.len()) {
            for (from, to) in row.iter_mut().enumerate() {
                *to = super::super::score::prosperity_change(components, level(from) as u8, nth);
            }
        }
        for (index, profits) in tables.city_profits.iter_mut().enumerate() {
            let space = components.track[level(index)];
            *profits = [(u32::from(space.fixed), 0), (0, u32::from(space.m2)), (0, u32::from(space.m3)), (0, 0)];
        }
        for (copies, profit) in tables.same_person.iter_mut().enumerate() {
            let of = |count: usize| components.same_person.get(count).copied().unwrap_or(0) as u32;
            *profit = of(copies & 0xf) + of(copies >> 4);
        }
        tables
    }

    /// The spaces left and right of every marker.
    #[inline(always)]
    pub(super) fn level_lanes(&self, levels: [u8; CITIES]) -> u64 {
        let left = u64::from(u32::from_le_bytes(levels));
        let right = (ONES >> 32) * self.end - left;
        left | right << 32
    }
}
