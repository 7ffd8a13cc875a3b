//! The position: plain data, no heap.

use serde::{Deserialize, Serialize};

use super::action::Marker;
use super::components::{BARRELS, MOST_CITIES, MOST_COLOURS, MOST_SPACES};

/// Players at the largest table.
pub(super) const MOST_PLAYERS: usize = 4;
/// Types of markers at most.
pub(super) const MOST_TYPES: usize = MOST_COLOURS * BARRELS;
/// No marker here.
pub(super) const NO_MARKER: Marker = 0xff;
/// No player.
pub(super) const NOBODY: u8 = 0xff;

/// The kind of the node ahead (notation "Canonical state").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Phase {
    /// Chance deals a marker at set-up.
    Deal,
    /// Put opening booths into a city.
    Place,
    /// Refill or not.
    Refill,
    /// Chance fills a space.
    Restock,
    /// Sail, act or end.
    Sail,
    /// Keep a marker out of the sale.
    Keep,
    /// Lose a marker in a sale.
    Lose,
    /// Put a marker out of the game.
    Discard,
    /// The end.
    Over,
}

/// Markers counted by type. What follows from the counts is kept beside them: playouts ask for it at every decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Goods {
    pub(super) counts: [u8; MOST_TYPES],
    /// How many of each colour.
    pub(super) colours: [u8; MOST_COLOURS],
    /// The types that are there, a bit each.
    pub(super) types: u32,
    /// How many there are.
    pub(super) size: u8,
}

impl Goods {
    #[inline(always)]
    pub(super) fn add(&mut self, marker: Marker) {
        self.counts[marker as usize] += 1;
        self.colours[marker as usize / BARRELS] += 1;
        self.types |= 1 << marker;
        self.size += 1;
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, marker: Marker) {
        self.counts[marker as usize] -= 1;
        self.colours[marker as usize / BARRELS] -= 1;
        self.types &= !(u32::from(self.counts[marker as usize] == 0) << marker);
        self.size -= 1;
    }

    #[inline(always)]
    pub(super) fn has(&self, marker: Marker) -> bool {
        self.types >> marker & 1 == 1
    }

    /// Types of one colour that are there.
    #[inline(always)]
    pub(super) fn of_colour(&self, colour: u8) -> u32 {
        self.types & types_of(colour)
    }

    /// Colours of which there are at least so many, a bit each.
    #[inline(always)]
    pub(super) fn colours_with(&self, least: u8) -> u8 {
        let mut set = 0;
        for (colour, &count) in self.colours.iter().enumerate() {
            set |= u8::from(count >= least) << colour;
        }
        set
    }

    /// Each marker once a copy, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Marker> + '_ {
        self.counts.iter().enumerate().flat_map(|(marker, &count)| (0..count).map(move |_| marker as Marker))
    }

    pub(super) fn of(markers: impl IntoIterator<Item = Marker>) -> Self {
        let mut goods = Self::default();
        markers.into_iter().for_each(|marker| goods.add(marker));
        goods
    }

    /// Whether what is derived from the counts agrees with them.
    pub(super) fn is_sound(&self) -> bool {
        let total: u32 = self.counts.iter().map(|&count| u32::from(count)).sum();
        total <= u32::from(u8::MAX) && *self == Self::of(self.iter())
    }
}

/// The types of a colour, a bit each.
#[inline(always)]
pub(super) fn types_of(colour: u8) -> u32 {
    ((1 << BARRELS) - 1) << (BARRELS as u32 * u32::from(colour))
}

/// What one player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Seat {
    pub(super) unsold: Goods,
    pub(super) sold: [u8; MOST_TYPES],
    pub(super) talers: u8,
    pub(super) reserve: u8,
}

/// The whole truth about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    pub(super) seats: [Seat; MOST_PLAYERS],
    /// Booths of each player in each city.
    pub(super) booths: [[u8; MOST_PLAYERS]; MOST_CITIES],
    /// Markers in the warehouses of each city in ascending order, then [`NO_MARKER`].
    pub(super) stock: [[Marker; MOST_SPACES]; MOST_CITIES],
    pub(super) supply: [u8; MOST_TYPES],
    pub(super) out: [u8; MOST_TYPES],
    /// Markers kept back from the sale so far.
    pub(super) kept: [u8; MOST_TYPES],
    /// Cities with an empty space, a bit each.
    pub(super) room: u16,
    /// Empty spaces.
    pub(super) empty: u8,
    /// Markers in the supply.
    pub(super) left: u8,
    pub(super) phase: Phase,
    /// Whose turn it is; 0 where nobody's.
    pub(super) active: u8,
    /// Who loses a marker in a `lose` node; else 0.
    pub(super) loser: u8,
    pub(super) ship: u8,
    pub(super) acted: bool,
    pub(super) opened_by: u8,
    pub(super) idle: bool,
    pub(super) idle_rounds: u8,
    /// Colours of the sale, a bit each; 0 outside a sale.
    pub(super) sale: u8,
    /// The colour in question in a `keep` or `lose` node; else 0.
    pub(super) colour: u8,
}

impl State {
    /// The kind of the node ahead.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The types that lie in a city, a bit each.
    #[inline(always)]
    pub(super) fn types_in(&self, city: usize) -> u32 {
        let mut types = 0u32;
        for &marker in &self.stock[city] {
            types |= u32::from(marker != NO_MARKER) << (marker & 31);
        }
        types
    }

    /// What a marker of the active player's sale is still for sale: unsold ones that are not kept.
    #[inline(always)]
    pub(super) fn for_sale(&self, marker: Marker) -> u8 {
        self.seats[self.active as usize].unsold.counts[marker as usize] - self.kept[marker as usize]
    }

    /// Markers of a colour that are still for sale.
    #[inline(always)]
    pub(super) fn colour_for_sale(&self, colour: u8) -> u8 {
        let first = colour as usize * BARRELS;
        let kept: u8 = self.kept[first..first + BARRELS].iter().sum();
        self.seats[self.active as usize].unsold.colours[colour as usize] - kept
    }

    /// Puts a marker into a city, in order.
    #[inline(always)]
    pub(super) fn stow(&mut self, city: usize, marker: Marker) {
        let mut moving = marker;
        for place in &mut self.stock[city] {
            if moving < *place {
                std::mem::swap(place, &mut moving);
            }
        }
        debug_assert_eq!(moving, NO_MARKER, "a city with an empty space has room");
    }

    /// Takes a marker out of a city.
    #[inline(always)]
    pub(super) fn unstow(&mut self, city: usize, marker: Marker) {
        let row = &mut self.stock[city];
        let mut found = false;
        for place in 0..MOST_SPACES {
            found |= row[place] == marker;
            if found {
                row[place] = if place + 1 < MOST_SPACES { row[place + 1] } else { NO_MARKER };
            }
        }
        debug_assert!(found, "the marker lies in the city");
    }

    /// How many markers lie in a city.
    #[inline(always)]
    pub(super) fn stock_size(&self, city: usize) -> u8 {
        self.stock[city].iter().map(|&marker| u8::from(marker != NO_MARKER)).sum()
    }
}
