//! Points, ranks, and counts that no move changes.

use super::Hansa;
use super::components::{BARRELS, MOST_CITIES};
use super::state::{MOST_PLAYERS, NOBODY, State};
use crate::core::PerPlayer;

impl Hansa {
    /// Points as things stand (spec 9).
    pub(super) fn count_scores(&self, state: &State) -> PerPlayer<i32> {
        let mut scores = PerPlayer::new(self.players, 0);
        for player in 0..self.players {
            let seat = &state.seats[player];
            let mut points = i32::from(seat.unsold.size) * self.components.unsold_points
                + i32::from(seat.talers) * self.components.taler_points;
            for (marker, &count) in seat.sold.iter().enumerate().take(self.types) {
                points += i32::from(count) * self.components.sold_points[marker % BARRELS];
            }
            scores[player] = points;
        }
        for booths in &state.booths[..self.components.cities.len()] {
            let present = booths.iter().filter(|&&count| count > 0).count();
            let worth = if present == 1 { self.components.monopoly_points } else { self.components.present_points };
            for player in 0..self.players {
                scores[player] += i32::from(booths[player] > 0) * worth;
            }
        }
        self.add_extrakarte(state, &mut scores);
        scores
    }

    /// The four bonuses of the promotional card (spec 9 "Extrakarte").
    fn add_extrakarte(&self, state: &State, scores: &mut PerPlayer<i32>) {
        let Some(card) = &self.components.extrakarte else { return };
        let mut lead = |points: i32, of: &dyn Fn(usize) -> u8| {
            let most = (0..self.players).map(of).max().unwrap_or(0);
            for player in (0..self.players).filter(|&player| most >= card.least && of(player) == most) {
                scores[player] += points;
            }
        };
        lead(card.highest_stack, &|player| state.booths.iter().map(|booths| booths[player]).max().unwrap_or(0));
        lead(card.most_cities, &|player| state.booths.iter().map(|booths| u8::from(booths[player] > 0)).sum());
        lead(card.one_barrel, &|player| state.seats[player].sold.iter().step_by(BARRELS).sum());
        if state.opened_by != NOBODY {
            scores[state.opened_by as usize] += card.last_pile;
        }
    }

    /// Players strictly ahead by points, then by booths on the board (spec 9 "Ranks").
    pub(super) fn final_ranks(&self, state: &State) -> PerPlayer<u8> {
        self.rank(state, &self.count_scores(state))
    }

    /// The ranks of a position with these scores.
    pub(super) fn rank(&self, state: &State, scores: &PerPlayer<i32>) -> PerPlayer<u8> {
        let key = |player: usize| (scores[player], self.components.booths - state.seats[player].reserve);
        PerPlayer::from_fn(self.players, |player| {
            (0..self.players).filter(|&other| key(other) > key(player)).count() as u8
        })
    }

    /// Booths of each player, and markers (spec 12).
    pub(super) fn count_pieces(&self, state: &State) -> Vec<(&'static str, u32)> {
        const BOOTHS: [&str; MOST_PLAYERS] = ["booths of 0", "booths of 1", "booths of 2", "booths of 3"];
        let mut census: Vec<(&str, u32)> = (0..self.players)
            .map(|player| {
                let on_board: u32 = state.booths.iter().map(|booths| u32::from(booths[player])).sum();
                (BOOTHS[player], on_board + u32::from(state.seats[player].reserve))
            })
            .collect();
        let count = |counts: &[u8]| counts.iter().map(|&count| u32::from(count)).sum::<u32>();
        let held: u32 = state.seats.iter().map(|seat| u32::from(seat.unsold.size) + count(&seat.sold)).sum();
        let lying: u32 = (0..MOST_CITIES).map(|city| u32::from(state.stock_size(city))).sum();
        census.push(("markers", held + lying + count(&state.supply) + count(&state.out)));
        census
    }

    /// No game has more moves than this, chance included.
    ///
    /// Every round that is not idle restocks, or takes a marker from somewhere to somewhere further: warehouse, hand, sold or
    /// out. Each marker makes at most three such steps, and a refill draws one, so at most four rounds a marker are not
    /// idle, and fewer than `stall_limit` idle ones stand before each of them.
    pub(super) fn move_bound(&self) -> usize {
        let components = &self.components;
        let markers = self.types / BARRELS * components.markers.iter().map(|&count| usize::from(count)).sum::<usize>();
        let rounds = (4 * markers + 1) * usize::from(components.stall_limit);
        // A turn: refill, sails while there is money (the money of a player fits into a byte), one action a visit, the end.
        // What is lost, discarded and drawn is counted by the markers; of the fewer sales than markers each keeps fewer.
        let most_talers = usize::from(u8::MAX) / usize::from(components.move_cost);
        let turn = 2 + 2 * (most_talers + 1);
        let placements = usize::from(components.placement_rounds) * self.players;
        rounds * self.players * turn + markers * (markers + 6) + placements
    }
}
