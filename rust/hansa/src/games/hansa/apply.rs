//! What happens when an action is taken or chance answers.

use super::Hansa;
use super::action::{Action, Chance, Marker};
use super::components::{BARRELS, MOST_CITIES, MOST_SPACES, PILES};
use super::state::{MOST_PLAYERS, MOST_TYPES, NO_MARKER, NOBODY, Phase, Seat, State};

impl Hansa {
    /// The empty board with everything in place that chance and players do not decide (spec 4).
    pub(super) fn starting_state(&self) -> State {
        let mut supply = [0; MOST_TYPES];
        for (marker, count) in supply.iter_mut().enumerate().take(self.types) {
            *count = self.components.markers[marker % BARRELS];
        }
        let mut seats = [Seat::default(); MOST_PLAYERS];
        for seat in &mut seats[..self.players] {
            seat.talers = self.components.talers;
            seat.reserve = self.components.booths;
        }
        State {
            seats,
            booths: [[0; MOST_PLAYERS]; MOST_CITIES],
            stock: [[NO_MARKER; MOST_SPACES]; MOST_CITIES],
            supply,
            out: [0; MOST_TYPES],
            kept: [0; MOST_TYPES],
            room: ((1u32 << self.components.cities.len()) - 1) as u16,
            empty: self.spaces,
            left: supply.iter().sum(),
            phase: Phase::Deal,
            active: 0,
            loser: 0,
            ship: self.components.ship,
            acted: false,
            opened_by: NOBODY,
            idle: true,
            idle_rounds: 0,
            sale: 0,
            colour: 0,
        }
    }

    #[inline(always)]
    pub(super) fn take_outcome(&self, state: &mut State, Chance(marker): Chance) {
        // Piles are used in order, so a draw comes from the last one when no more than it is left (spec 5, phase 2).
        if state.phase == Phase::Restock && state.left <= self.components.piles[PILES - 1] && state.opened_by == NOBODY
        {
            state.opened_by = state.active;
        }
        state.supply[marker as usize] -= 1;
        state.left -= 1;
        let city = state.room.trailing_zeros() as usize;
        state.stow(city, marker);
        state.empty -= 1;
        if state.stock_size(city) == self.components.cities[city].spaces {
            state.room &= state.room - 1;
        }
        match state.phase {
            Phase::Deal if state.empty == 0 => state.phase = Phase::Place,
            Phase::Restock if state.empty == 0 || state.left == 0 => state.phase = Phase::Sail,
            _ => {}
        }
    }

    #[inline(always)]
    pub(super) fn take_action(&self, state: &mut State, action: Action) {
        let player = state.active as usize;
        let city = state.ship as usize;
        match action {
            Action::Place(city) => self.place(state, city as usize),
            Action::Refill => self.pay_refill(state),
            Action::Pass => state.phase = Phase::Sail,
            Action::Sail(city) => {
                state.seats[player].talers -= self.components.move_cost;
                state.ship = city;
                state.acted = false;
            }
            Action::Buy(marker) => {
                let (price, payee) = self.price(state, city, player);
                state.seats[player].talers -= price;
                if payee != NOBODY {
                    state.seats[payee as usize].talers += price;
                }
                state.unstow(city, marker);
                state.room |= 1 << city;
                state.empty += 1;
                state.seats[player].unsold.add(marker);
                (state.acted, state.idle) = (true, false);
            }
            Action::Build(marker) => {
                let barrels = marker % BARRELS as u8 + 1;
                let seat = &mut state.seats[player];
                let built = barrels.min(seat.reserve);
                seat.unsold.remove(marker);
                seat.reserve -= built;
                state.booths[city][player] += built;
                state.out[marker as usize] += 1;
                (state.acted, state.idle) = (true, false);
            }
            Action::Sell(colours) => {
                (state.acted, state.idle) = (true, false);
                state.sale = colours;
                state.colour = colours.trailing_zeros() as u8;
                self.settle_colours(state);
            }
            Action::Keep(marker) => {
                state.kept[marker as usize] += 1;
                self.settle_colours(state);
            }
            Action::KeepNone => self.next_colour(state),
            Action::Lose(marker) => {
                self.lose(state, state.loser as usize, marker);
                self.settle_losses(state, state.loser, state.colour + 1);
            }
            Action::End => {
                let seat = &mut state.seats[player];
                seat.talers = seat.talers.min(self.components.keep_talers);
                self.settle_goods(state);
            }
            Action::Discard(marker) => {
                self.lose(state, player, marker);
                self.settle_goods(state);
            }
        }
    }

    /// Opening booths, three rounds in seat order (spec 4.5).
    fn place(&self, state: &mut State, city: usize) {
        let player = state.active as usize;
        let booths = self.components.booths_per_placement;
        state.booths[city][player] += booths;
        state.seats[player].reserve -= booths;
        state.active = self.next(state.active);
        let placed = self.components.placement_rounds * booths;
        if state.active == 0 && self.components.booths - state.seats[player].reserve == placed {
            self.begin_turn(state);
        }
    }

    /// Income, then what there is to decide about a refill (spec 5, phases 1 and 2).
    #[inline(always)]
    fn begin_turn(&self, state: &mut State) {
        state.seats[state.active as usize].talers += self.components.income;
        state.acted = false;
        if state.empty == 0 || state.left == 0 {
            state.phase = Phase::Sail;
        } else if state.empty == self.spaces {
            self.pay_refill(state);
        } else {
            state.phase = Phase::Refill;
        }
    }

    fn pay_refill(&self, state: &mut State) {
        state.seats[state.active as usize].talers -= self.components.refill_cost;
        state.idle = false;
        state.phase = Phase::Restock;
    }

    /// What a purchase costs in a city and whom it is paid to, [`NOBODY`] being the bank (spec 6 "Price of a purchase").
    #[inline(always)]
    pub(super) fn price(&self, state: &State, city: usize, buyer: usize) -> (u8, u8) {
        let booths = &state.booths[city];
        let most = booths.iter().copied().fold(0, u8::max);
        let mut leader = 0;
        let mut leaders = 0;
        for (player, &count) in booths.iter().enumerate() {
            if count == most {
                leader = player;
                leaders += 1;
            }
        }
        match (most > 0 && leaders == 1, leader == buyer) {
            (true, true) => (0, NOBODY),
            (true, false) => (self.components.purchase_cost, leader as u8),
            (false, _) => (self.components.purchase_cost, NOBODY),
        }
    }

    /// Asks about the colour in question, or goes on, until a decision is due or the sale is made (spec 7.2).
    #[inline(always)]
    fn settle_colours(&self, state: &mut State) {
        if state.colour_for_sale(state.colour) > self.components.sale_least {
            state.phase = Phase::Keep;
        } else {
            self.next_colour(state);
        }
    }

    fn next_colour(&self, state: &mut State) {
        let later = state.sale >> state.colour >> 1;
        if later != 0 {
            state.colour += 1 + later.trailing_zeros() as u8;
            self.settle_colours(state);
        } else {
            self.sell(state);
            self.settle_losses(state, self.next(state.active), 0);
        }
    }

    /// What is for sale is sold, and one booth comes back (spec 7.3).
    fn sell(&self, state: &mut State) {
        let player = state.active as usize;
        for colour in crate::core::parts::bits::ones(u64::from(state.sale)) {
            for marker in colour * BARRELS as u8..(colour + 1) * BARRELS as u8 {
                for _ in 0..state.for_sale(marker) {
                    state.seats[player].unsold.remove(marker);
                    state.seats[player].sold[marker as usize] += 1;
                }
            }
        }
        state.kept = [0; MOST_TYPES];
        state.booths[state.ship as usize][player] -= self.components.sale_booths;
        state.seats[player].reserve += self.components.sale_booths;
    }

    /// Carries out the losses from this opponent and colour on, until one has a choice or all is done (spec 7.4).
    fn settle_losses(&self, state: &mut State, mut loser: u8, mut colour: u8) {
        while loser != state.active {
            for colour in colour..self.components.colours.len() as u8 {
                if state.sale >> colour & 1 == 0 {
                    continue;
                }
                let types = state.seats[loser as usize].unsold.of_colour(colour);
                if types.count_ones() > 1 {
                    (state.phase, state.loser, state.colour) = (Phase::Lose, loser, colour);
                    return;
                }
                if types != 0 {
                    self.lose(state, loser as usize, types.trailing_zeros() as Marker);
                }
            }
            loser = self.next(loser);
            colour = 0;
        }
        (state.phase, state.loser, state.colour, state.sale) = (Phase::Sail, 0, 0, 0);
    }

    /// An unsold marker leaves the game.
    #[inline(always)]
    fn lose(&self, state: &mut State, player: usize, marker: Marker) {
        state.seats[player].unsold.remove(marker);
        state.out[marker as usize] += 1;
    }

    /// Asks for a discard while there are too many goods, or ends the turn (spec 5, phase 4).
    #[inline(always)]
    fn settle_goods(&self, state: &mut State) {
        if state.seats[state.active as usize].unsold.size > self.components.keep_goods {
            state.phase = Phase::Discard;
            return;
        }
        state.acted = false;
        state.active = self.next(state.active);
        if state.active == 0 {
            // Spec 8: idle rounds first, then the end.
            state.idle_rounds = if state.idle { state.idle_rounds + 1 } else { 0 };
            state.idle = true;
            if state.opened_by != NOBODY || state.idle_rounds == self.components.stall_limit {
                state.phase = Phase::Over;
                return;
            }
        }
        self.begin_turn(state);
    }
}
