//! Pieces and markers: they fit the cards that were taken and laid.

use super::super::Queen;
use super::super::state::{CITIES, NO_PIECE, Phase, State};
use super::{Check, ensure};

impl Queen {
    /// Every piece is in one place, and as many as the luxury cards that were taken.
    pub(super) fn check_pieces(&self, state: &State) -> Check {
        for color in 0..CITIES {
            let on_board = state.row_pieces.iter().flatten().filter(|&&piece| piece as usize == color).count() as u32;
            let owned: u32 = state.seats[..self.players].iter().map(|seat| u32::from(seat.pieces[color])).sum();
            let total = u32::from(state.bag[color]) + u32::from(state.removed_pieces[color]) + on_board + owned;
            let all = u32::from(self.components.bag);
            let name = &self.components.colors[color];
            ensure(total == all, "bag", || format!("{total} {name} pieces in the game, must be {all}"))?;
        }
        let drawing = matches!(state.phase, Phase::Lay | Phase::Draw);
        let mut bare_before = false;
        for city in 0..CITIES {
            for place in 0..state.row_lengths[city] as usize {
                let luxury = self.luxury >> state.rows[city][place] & 1 == 1;
                let has_piece = state.row_pieces[city][place] != NO_PIECE;
                let path = format!("board.{}[{place}]", self.components.cities[city]);
                ensure(luxury || !has_piece, &path, || "a normal card has no piece".into())?;
                ensure(has_piece || !luxury || drawing, &path, || "a luxury card has a piece".into())?;
                // Old cards keep their pieces; the new ones get theirs in board order.
                let out_of_order =
                    state.phase == Phase::Draw && self.is_set_up(state) && luxury && has_piece && bare_before;
                ensure(!out_of_order, &path, || "pieces are drawn in board order".into())?;
                bare_before |= luxury && !has_piece;
            }
        }
        ensure(state.phase != Phase::Draw || bare_before, "phase", || "no card waits for a piece".into())
    }

    /// The pieces that the players own, and those out of the game, are as many as luxury cards were taken.
    pub(super) fn check_takes(&self, state: &State) -> Check {
        let (mut owned, mut taken) = (0, 0);
        for player in 0..self.players {
            let (expected, all) = self.expected_pieces(state, player);
            let found = state.seats[player].piece_count();
            ensure(found == expected, &format!("players[{player}].pieces"), || {
                format!("{found} pieces, must be {expected} after the luxury cards taken and the ships that store")
            })?;
            owned += u32::from(found);
            taken += u32::from(all);
        }
        let removed: u32 = state.removed_pieces.iter().map(|&count| u32::from(count)).sum();
        let expected = if self.components.pieces_return { 0 } else { taken - owned };
        ensure(removed == expected, "removed_pieces", || format!("{removed} pieces, must be {expected}"))
    }

    /// How many pieces this player has now, and how many this player ever took.
    fn expected_pieces(&self, state: &State, player: usize) -> (u8, u8) {
        let turns = usize::from(self.components.turns);
        let (mut count, mut all, mut ships) = (0, 0, 0);
        for round in 1..=3u8 {
            let placements = state.seats[player].placements().iter();
            for placement in placements.skip(turns * usize::from(round - 1)).take(turns) {
                let luxury = u8::from(self.luxury >> (placement.took & 63) & 1 == 1 && placement.took < 64);
                count += luxury;
                all += luxury;
                let ship = self.components.cards.get(usize::from(placement.card())).is_some_and(|card| card.ship);
                ships += u8::from(ship && !placement.is_down());
            }
            if self.is_settled(state, round) {
                count = if self.components.pieces_return { 0 } else { count.min(ships) };
            }
        }
        (count, all)
    }

    /// Whether the pieces of a round have been stored, or have gone back into the bag.
    fn is_settled(&self, state: &State, round: u8) -> bool {
        let refilling = matches!(state.phase, Phase::Lay | Phase::Draw | Phase::Start) && !self.is_set_up(state);
        let ended = state.phase == Phase::Over && self.components.pieces_return;
        state.round > round || (state.round == round && (refilling || ended))
    }

    /// Markers and changes fit the rows: a row of two or fewer cards had its change, no other (spec 10).
    pub(super) fn check_changes(&self, state: &State) -> Check {
        let start = self.components.track_start;
        match state.phase {
            Phase::Lay | Phase::Draw | Phase::Deal | Phase::Keep if self.is_set_up(state) => {
                ensure(state.levels == [start; CITIES], "prosperity", || {
                    "no marker has moved before the first play".into()
                })?;
                ensure(state.changes == 0, "changes", || "there is no change before the first play".into())
            }
            // The refill hides which rows had been emptied.
            Phase::Lay | Phase::Draw | Phase::Start => ensure(usize::from(state.changes) <= CITIES, "changes", || {
                format!("is {}, must be at most 4", state.changes)
            }),
            Phase::Deal
            | Phase::Keep
            | Phase::Play
            | Phase::Marker
            | Phase::Take
            | Phase::Extra
            | Phase::Store
            | Phase::Over => {
                let expected = state.row_lengths.iter().filter(|&&length| length <= 2).count() as u8;
                ensure(state.changes == expected, "changes", || {
                    format!("is {}, must be {expected}: as many rows have two or fewer cards", state.changes)
                })
            }
        }
    }
}
