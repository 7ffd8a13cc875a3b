//! Scoring, tie-breaks and ranks: tables in, numbers out. The functions without a state are the rules themselves.

use super::Queen;
use super::components::{Components, Space, TieBreak};
use super::state::{CITIES, MAX_TABLE, Phase, State};
use crate::core::PerPlayer;

/// Competition ranking from 0: the number of strictly higher values (spec 5, there counted from 1).
#[must_use]
pub fn ranking(values: &PerPlayer<u8>) -> PerPlayer<u8> {
    PerPlayer::from_fn(values.len(), |player| values.iter().filter(|&&other| other > values[player]).count() as u8)
}

/// Profit of each player in a city whose marker stands on `space` (spec 5.1).
#[must_use]
pub fn city_profit(totals: &PerPlayer<u8>, space: Space, zero_total_earns: bool) -> PerPlayer<i32> {
    let ranks = ranking(totals);
    PerPlayer::from_fn(totals.len(), |player| match (ranks[player], totals[player]) {
        (_, 0) if !zero_total_earns => 0,
        (0, _) => i32::from(space.fixed),
        (1, total) => i32::from(space.m2) * i32::from(total),
        (2, total) => i32::from(space.m3) * i32::from(total),
        _ => 0,
    })
}

/// Profit for the colors among these pieces (spec 5.2).
#[must_use]
pub fn luxury_profit(components: &Components, pieces: [u8; 4]) -> i32 {
    components.luxury_types[pieces.iter().filter(|&&count| count > 0).count()]
}

/// Profit for the persons in a Kontor, given the copies of each letter (spec 7.3, draft 5.2).
#[must_use]
pub fn persons_profit(components: &Components, copies: [u8; 8]) -> i32 {
    let different = copies.iter().filter(|&&count| count > 0).count();
    let same: i32 = copies.iter().map(|&count| components.same_person[count as usize]).sum();
    components.person_types[different] + same
}

/// Profit for influence in Parliament, the draft's Luebeck trade (spec 7.1, draft 5.1): rank r earns the r-th highest
/// fixed value.
#[must_use]
pub fn parliament_profit(values: &PerPlayer<u8>, mut fixed: [u8; 4], zero_total_ranks: bool) -> PerPlayer<i32> {
    fixed.sort_unstable_by(|a, b| b.cmp(a));
    let ranks = ranking(values);
    PerPlayer::from_fn(values.len(), |player| {
        if values[player] == 0 && !zero_total_ranks { 0 } else { i32::from(fixed[ranks[player] as usize]) }
    })
}

/// Profit of the Golden Ship (spec 7.2): nobody without a ship earns anything.
#[must_use]
pub fn golden_ship_profit(table: [i32; 4], ships: &PerPlayer<u8>) -> PerPlayer<i32> {
    let ranks = ranking(ships);
    PerPlayer::from_fn(ships.len(), |player| if ships[player] == 0 { 0 } else { table[ranks[player] as usize] })
}

/// Where a marker goes when its city is the `nth` to change in this round, counted from 0 (spec 4.3).
#[must_use]
pub fn prosperity_change(components: &Components, level: u8, nth: usize) -> u8 {
    let end = components.track.len() as i32 - 1;
    (i32::from(level) + i32::from(components.prosperity_change[nth])).clamp(0, end) as u8
}

/// Where the markers go in the support step (spec 6.2): all of the lowest move right.
#[must_use]
pub fn support(components: &Components, levels: [u8; 4]) -> [u8; 4] {
    let lowest = levels.iter().copied().min().unwrap_or(0);
    let end = components.track.len() as u8 - 1;
    levels.map(|level| if level == lowest { (level + components.support_step).min(end) } else { level })
}

/// Who names the next start player (spec 6.5, draft 4): the lowest profit, a tie by the seat in `turn_order`.
#[must_use]
pub fn chooser(components: &Components, turn_order: &[usize], profits: &[u16]) -> usize {
    let lowest = profits.iter().min();
    let mut tied = turn_order.iter().copied().filter(|&player| profits.get(player) == lowest);
    let chosen = if components.chooser_latest { tied.next_back() } else { tied.next() };
    chosen.unwrap_or(0)
}

/// What the cards of a Kontor add up to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    /// Power of the face-up cards by city.
    pub(super) influence: [u8; CITIES],
    /// Power of the face-down cards.
    pub(super) parliament: u8,
    /// All ships.
    pub(super) ships: u8,
    /// Face-up ships.
    pub(super) open_ships: u8,
    /// Copies of each letter.
    pub(super) persons: [u8; 8],
}

impl Queen {
    pub(super) fn totals(&self, state: &State, player: usize) -> Totals {
        let mut totals = Totals::default();
        for placement in state.seats[player].placements() {
            // A view holds cards that cannot be told: they count for nothing here.
            let Some(card) = self.components.cards.get(placement.card() as usize) else { continue };
            totals.ships += u8::from(card.ship);
            if let Some(letter) = card.letter {
                totals.persons[letter as usize] += 1;
            }
            if placement.is_down() {
                totals.parliament += card.power;
            } else {
                totals.influence[card.city as usize] += card.power;
                totals.open_ships += u8::from(card.ship);
            }
        }
        totals
    }

    /// Own total of every city: influence and pieces (spec 5.1).
    pub(super) fn city_totals(&self, state: &State, player: usize) -> [u8; CITIES] {
        let influence = self.totals(state, player).influence;
        std::array::from_fn(|city| influence[city] + state.seats[player].pieces[city])
    }

    /// Scores the round (spec 5, draft 4 "Settlement").
    pub(super) fn score_round(&self, state: &mut State) {
        let mut totals = [[0; CITIES]; MAX_TABLE];
        for (player, own) in totals.iter_mut().enumerate().take(self.players) {
            *own = self.city_totals(state, player);
        }
        for city in 0..CITIES {
            let values = PerPlayer::from_fn(self.players, |player| totals[player][city]);
            let space = self.components.track[state.levels[city] as usize];
            let profits = city_profit(&values, space, self.components.zero_total_earns);
            for player in 0..self.players {
                state.seats[player].profit += profits[player] as u16;
            }
        }
        for seat in &mut state.seats[..self.players] {
            seat.profit += luxury_profit(&self.components, seat.pieces) as u16;
        }
    }

    /// Scores the end of the game (spec 7, draft 5).
    pub(super) fn score_game(&self, state: &mut State) {
        let mut totals = [Totals::default(); MAX_TABLE];
        for (player, own) in totals.iter_mut().enumerate().take(self.players) {
            *own = self.totals(state, player);
        }
        let values = PerPlayer::from_fn(self.players, |player| totals[player].parliament);
        let fixed = state.levels.map(|level| self.components.track[level as usize].fixed);
        let parliament = parliament_profit(&values, fixed, self.components.zero_total_ranks);
        let ships = PerPlayer::from_fn(self.players, |player| totals[player].ships);
        let golden = match self.components.golden_ship {
            Some(table) => golden_ship_profit(table, &ships),
            None => PerPlayer::new(self.players, 0),
        };
        for player in 0..self.players {
            let persons = persons_profit(&self.components, totals[player].persons);
            state.seats[player].profit += (parliament[player] + golden[player] + persons) as u16;
        }
    }

    /// Players strictly ahead by profit, then by different letters; draft: then by rank in the Luebeck trade (spec 7.4,
    /// draft 5).
    pub(super) fn final_ranks(&self, state: &State) -> PerPlayer<u8> {
        let mut keys = [(0u16, 0u8); MAX_TABLE];
        for (player, key) in keys.iter_mut().enumerate().take(self.players) {
            let totals = self.totals(state, player);
            let second = match self.components.tie_break {
                TieBreak::Persons => totals.persons.iter().filter(|&&copies| copies > 0).count() as u8,
                // A higher value is a better rank, equal values are equal ranks.
                TieBreak::LuebeckRank => totals.parliament,
            };
            *key = (state.seats[player].profit, second);
        }
        let keys = &keys[..self.players];
        PerPlayer::from_fn(self.players, |player| keys.iter().filter(|&&other| other > keys[player]).count() as u8)
    }

    /// Who names the next start player.
    pub(super) fn find_chooser(&self, state: &State) -> u8 {
        debug_assert!(matches!(state.phase, Phase::Lay | Phase::Draw | Phase::Start));
        let order: [usize; MAX_TABLE] = std::array::from_fn(|seat| (state.start_player as usize + seat) % self.players);
        let profits: [u16; MAX_TABLE] = std::array::from_fn(|player| state.seats[player].profit);
        chooser(&self.components, &order[..self.players], &profits[..self.players]) as u8
    }
}
