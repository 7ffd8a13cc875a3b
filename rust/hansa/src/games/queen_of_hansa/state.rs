//! The position: plain data, no heap.

use serde::{Deserialize, Serialize};

use super::action::Card;

/// Players at the largest table.
pub(super) const MAX_TABLE: usize = 4;
/// Cities, and as many colors.
pub(super) const CITIES: usize = 4;
/// Spaces of a city at most.
pub(super) const MAX_SPACES: usize = 5;
/// Cards in a Kontor at most: six turns in three rounds and the extra placement.
pub(super) const MAX_KONTOR: usize = 19;
/// No card here.
pub(super) const NO_CARD: Card = 0xff;
/// A card that the observer cannot tell, by its back: `HIDDEN[kind]`. Stands in views only.
pub(super) const HIDDEN: [Card; 2] = [62, 63];
/// No piece here.
pub(super) const NO_PIECE: u8 = 0xff;
/// No pending choice.
pub(super) const NO_CHOICE: u16 = u16::MAX;

/// The kind of the node ahead (notation.md 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Phase {
    /// Chance lays a card.
    Lay,
    /// Chance draws a piece.
    Draw,
    /// Chance deals a card.
    Deal,
    /// Keep two of four.
    Keep,
    /// Play a card.
    Play,
    /// Move a marker.
    Marker,
    /// Take a card.
    Take,
    /// The extra placement of the last round.
    Extra,
    /// Keep pieces for the ships.
    Store,
    /// Name the start player.
    Start,
    /// The end.
    Over,
}

/// A card in a Kontor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Placement {
    /// The card, with [`Placement::DOWN`] set when it lies face down.
    pub(super) card: u8,
    /// The card taken on the same turn.
    pub(super) took: Card,
}

impl Placement {
    const DOWN: u8 = 0x80;
    pub(super) const NONE: Self = Self { card: NO_CARD, took: NO_CARD };

    pub(super) fn new(card: Card, down: bool) -> Self {
        Self { card: card | if down { Self::DOWN } else { 0 }, took: NO_CARD }
    }

    pub(super) fn card(self) -> Card {
        self.card & !Self::DOWN
    }

    pub(super) fn is_down(self) -> bool {
        self.card & Self::DOWN != 0
    }
}

/// What one player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Seat {
    pub(super) profit: u16,
    /// The pending simultaneous choice in the code of its phase.
    pub(super) choice: u16,
    /// Hand cards in ascending order, then [`NO_CARD`].
    pub(super) hand: [Card; 4],
    /// The two cards put back at the beginning, or [`NO_CARD`].
    pub(super) returned: [Card; 2],
    /// Pieces by color.
    pub(super) pieces: [u8; CITIES],
    pub(super) placed: u8,
    pub(super) kontor: [Placement; MAX_KONTOR],
}

impl Seat {
    pub(super) const EMPTY: Self = Self {
        profit: 0,
        choice: NO_CHOICE,
        hand: [NO_CARD; 4],
        returned: [NO_CARD; 2],
        pieces: [0; CITIES],
        placed: 0,
        kontor: [Placement::NONE; MAX_KONTOR],
    };

    /// The cards of the Kontor in order of play.
    #[inline]
    pub(super) fn placements(&self) -> &[Placement] {
        &self.kontor[..self.placed as usize]
    }

    pub(super) fn place(&mut self, card: Card, down: bool) {
        self.kontor[self.placed as usize] = Placement::new(card, down);
        self.placed += 1;
    }

    #[inline]
    pub(super) fn hand_size(&self) -> usize {
        self.hand.iter().take_while(|&&card| card != NO_CARD).count()
    }

    pub(super) fn hand_cards(&self) -> &[Card] {
        &self.hand[..self.hand_size()]
    }

    pub(super) fn holds(&self, card: Card) -> bool {
        card != NO_CARD && self.hand.contains(&card)
    }

    /// Adds a card and keeps the order.
    #[inline]
    pub(super) fn add(&mut self, card: Card) {
        let mut moving = card;
        for place in &mut self.hand {
            if moving < *place {
                std::mem::swap(place, &mut moving);
            }
        }
        debug_assert_eq!(moving, NO_CARD, "a hand holds four cards at most");
    }

    #[inline]
    pub(super) fn remove(&mut self, card: Card) {
        let mut found = false;
        for place in 0..4 {
            found |= self.hand[place] == card;
            if found {
                self.hand[place] = if place < 3 { self.hand[place + 1] } else { NO_CARD };
            }
        }
        debug_assert!(found, "the card is in the hand");
    }

    pub(super) fn piece_count(&self) -> u8 {
        self.pieces.iter().sum()
    }
}

/// Something that perfect recall adds to a position without being part of it: two positions that differ in nothing else
/// are the same position.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Memory<T>(pub(super) T);

impl<T> PartialEq for Memory<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Memory<T> {}

impl<T> std::hash::Hash for Memory<T> {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// The whole truth about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// The cards that are still in the normal and in the luxury deck.
    pub(super) decks: [u64; 2],
    /// Cards left over after the extra placements.
    pub(super) removed_cards: u64,
    /// The cards laid at set-up: no player can have put one of them back. Known to all who remember.
    pub(super) laid_first: Memory<u64>,
    pub(super) seats: [Seat; MAX_TABLE],
    /// Rows of cards, leftmost first, then [`NO_CARD`].
    pub(super) rows: [[Card; MAX_SPACES]; CITIES],
    /// The pieces on the cards of the rows, or [`NO_PIECE`].
    pub(super) row_pieces: [[u8; MAX_SPACES]; CITIES],
    pub(super) row_lengths: [u8; CITIES],
    pub(super) levels: [u8; CITIES],
    pub(super) bag: [u8; CITIES],
    pub(super) removed_pieces: [u8; CITIES],
    /// Normal and luxury cards that this phase still has to lay.
    pub(super) to_lay: [u8; 2],
    pub(super) phase: Phase,
    /// The player to decide, where one is.
    pub(super) actor: u8,
    pub(super) round: u8,
    pub(super) start_player: u8,
    pub(super) turns_played: u8,
    pub(super) changes: u8,
}

impl State {
    /// The kind of the node ahead.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The first luxury card without a piece, in board order: row and place (spec 2.4).
    #[inline]
    pub(super) fn bare_luxury(&self, luxury: u64) -> Option<(usize, usize)> {
        (0..CITIES).find_map(|row| {
            (0..self.row_lengths[row] as usize)
                .find(|&place| self.row_pieces[row][place] == NO_PIECE && luxury >> self.rows[row][place] & 1 == 1)
                .map(|place| (row, place))
        })
    }

    /// Where a card lies in a harbor: row and place.
    #[inline]
    pub(super) fn in_harbor(&self, card: Card) -> Option<(usize, usize)> {
        (0..CITIES).find_map(|row| {
            (0..2.min(self.row_lengths[row] as usize)).find(|&place| self.rows[row][place] == card).map(|p| (row, p))
        })
    }
}
