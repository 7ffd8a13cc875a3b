//! Which positions can exist: everything that comes from outside is checked here before it is trusted.

use super::Hansa;
use super::components::{BARRELS, PILES};
use super::state::{MOST_TYPES, NO_MARKER, NOBODY, Phase, Seat, State};
use crate::core::FormatError;
use crate::core::parts::bits::ones;

type Check = Result<(), FormatError>;

fn ensure(holds: bool, path: impl Into<String>, problem: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(FormatError::new(path, problem())) }
}

fn total(counts: &[u8]) -> u32 {
    counts.iter().map(|&count| u32::from(count)).sum()
}

impl Hansa {
    pub(super) fn check_observer(&self, observer: usize) -> Check {
        ensure(observer < self.players, "", || format!("there is no player {observer} at a table of {}", self.players))
    }

    /// Refuses a position that no game reaches, as far as a position tells.
    pub(super) fn check_state(&self, state: &State) -> Check {
        self.check_shape(state)?;
        self.check_markers(state)?;
        self.check_booths(state)?;
        let set_up = matches!(state.phase, Phase::Deal | Phase::Place);
        if set_up { self.check_set_up(state) } else { self.check_course(state) }?;
        self.check_phase(state)
    }

    /// What is derived agrees with what it is derived from, and nothing stands where nothing can.
    fn check_shape(&self, state: &State) -> Check {
        let players = self.players as u8;
        let cities = self.components.cities.len();
        ensure(state.active < players, "active", || format!("there is no player {}", state.active))?;
        ensure(usize::from(state.ship) < cities, "ship", || "no such city".into())?;
        ensure(state.opened_by < players || state.opened_by == NOBODY, "opened_by", || "no such player".into())?;
        for (player, seat) in state.seats.iter().enumerate() {
            let sound = seat.unsold.is_sound() && (player < self.players || *seat == Seat::default());
            ensure(sound, format!("players[{player}].unsold"), || "the counts do not agree".into())?;
        }
        let mut empty = 0;
        let mut room = 0u16;
        for (index, row) in state.stock.iter().enumerate() {
            let spaces = self.components.cities.get(index).map_or(0, |city| city.spaces);
            let size = state.stock_size(index);
            let real = row[..usize::from(size.min(spaces))].iter().all(|&marker| usize::from(marker) < self.types);
            ensure(size <= spaces && row.is_sorted() && real, "warehouses", || {
                format!("{}: no such markers, or more than spaces", self.city_id(index as u8))
            })?;
            debug_assert!(row[usize::from(size)..].iter().all(|&marker| marker == NO_MARKER));
            empty += spaces - size;
            room |= u16::from(size < spaces) << index;
        }
        ensure(state.empty == empty && state.room == room, "warehouses", || "the empty spaces do not agree".into())?;
        let beyond = state.booths[cities..]
            .iter()
            .flatten()
            .chain(state.booths[..cities].iter().flat_map(|booths| &booths[self.players..]));
        ensure(beyond.into_iter().all(|&count| count == 0), "players", || "booths where nobody can have any".into())
    }

    /// Every marker in play is in one place (spec 12).
    fn check_markers(&self, state: &State) -> Check {
        for marker in 0..MOST_TYPES {
            let mut count = u32::from(state.supply[marker]) + u32::from(state.out[marker]);
            count += state.seats.iter().map(|seat| u32::from(seat.sold[marker])).sum::<u32>();
            count += state.seats.iter().map(|seat| u32::from(seat.unsold.counts[marker])).sum::<u32>();
            count += state.stock.iter().flatten().filter(|&&lying| usize::from(lying) == marker).count() as u32;
            let expected = if marker < self.types { u32::from(self.components.markers[marker % BARRELS]) } else { 0 };
            ensure(count == expected, "", || {
                format!("there are {count} markers {}, must be {expected}", self.marker_name(marker as u8))
            })?;
        }
        ensure(total(&state.supply) == u32::from(state.left), "supply", || "its size does not agree".into())
    }

    /// Every booth is on the board or in reserve (spec 12).
    fn check_booths(&self, state: &State) -> Check {
        for player in 0..self.players {
            let on_board: u32 = state.booths.iter().map(|booths| u32::from(booths[player])).sum();
            let all = on_board + u32::from(state.seats[player].reserve);
            let expected = u32::from(self.components.booths);
            ensure(all == expected, format!("players[{player}]"), || {
                format!("has {all} booths on the board and in reserve, must have {expected}")
            })?;
        }
        Ok(())
    }

    /// Before the first turn (spec 4).
    fn check_set_up(&self, state: &State) -> Check {
        let start = self.starting_state();
        let untouched = state.ship == start.ship
            && !state.acted
            && state.idle
            && state.idle_rounds == 0
            && state.opened_by == NOBODY
            && total(&state.out) == 0
            && state.seats[..self.players]
                .iter()
                .all(|seat| seat.unsold.size == 0 && total(&seat.sold) == 0 && seat.talers == self.components.talers);
        ensure(untouched, "phase", || "nobody has had a turn, but something is not as it was at the start".into())?;
        if state.phase == Phase::Deal {
            let first = state.room.trailing_zeros();
            let in_order = state.room >> first == start.room >> first
                && (first as usize + 1..self.components.cities.len()).all(|city| state.stock_size(city) == 0);
            ensure(state.empty > 0 && in_order, "warehouses", || "are filled in city order at set-up".into())?;
            let unplaced = state.seats[..self.players].iter().all(|seat| seat.reserve == self.components.booths);
            return ensure(unplaced && state.active == 0, "players", || "booths are placed after the deal".into());
        }
        ensure(state.empty == 0, "warehouses", || "all spaces are filled before booths are placed".into())?;
        let per = self.components.booths_per_placement;
        let placed = |player: usize| self.components.booths - state.seats[player].reserve;
        let active = state.active as usize;
        let round = placed(active);
        for player in 0..self.players {
            let expected = round + if player < active { per } else { 0 };
            let path = format!("players[{player}].booths");
            ensure(placed(player) == expected, &*path, || format!("must be {expected} in all"))?;
            let fits = state.booths.iter().enumerate().all(|(city, booths)| {
                let allowed = self.components.placement_allowed >> city & 1 == 1;
                booths[player] == 0 || booths[player] == per && allowed
            });
            ensure(fits, path, || format!("{per} each, in cities where opening booths are allowed"))?;
        }
        let rounds = self.components.placement_rounds;
        ensure(u32::from(round) < u32::from(rounds) * u32::from(per), "phase", || "all booths are placed".into())
    }

    /// From the first turn on.
    fn check_course(&self, state: &State) -> Check {
        let last_pile = self.components.piles[PILES - 1];
        ensure((state.opened_by != NOBODY) == (state.left < last_pile), "opened_by", || {
            "somebody has opened the last pile exactly when fewer markers are left than it had".into()
        })?;
        let supply: u32 = total(&self.components.piles);
        ensure(u32::from(state.left) <= supply, "supply", || format!("at most {supply} markers after the deal"))?;
        let over = state.phase == Phase::Over;
        if over {
            let limit = self.components.stall_limit;
            let ended = state.idle_rounds == limit || state.opened_by != NOBODY && state.idle_rounds < limit;
            ensure(ended && state.idle && !state.acted && state.active == 0, "phase", || {
                "a game is over after a whole round, when the last pile is open or nobody moves any more".into()
            })?;
        } else {
            ensure(state.idle_rounds < self.components.stall_limit, "idle_rounds", || "the game is over".into())?;
            ensure(state.opened_by == NOBODY || state.opened_by <= state.active, "opened_by", || {
                "the round in which the last pile is opened is the last one".into()
            })?;
        }
        ensure(!(state.acted && state.idle), "idle", || "a round with an action is not idle".into())?;
        // Talers above the limit come from purchases of others since the own last turn (spec 6).
        let spent = u32::from(self.components.purchase_cost);
        for player in 0..self.players {
            let seat = &state.seats[player];
            let own_turn = !over && player == state.active as usize;
            let turns = (self.players + state.active as usize - player + self.players - 1) % self.players;
            let base = u32::from(self.components.talers.max(self.components.keep_talers));
            let now = if own_turn { u32::from(self.components.income) } else { u32::from(state.empty) * spent };
            let most = base + turns as u32 * u32::from(self.spaces) * spent + now;
            ensure(u32::from(seat.talers) <= most, format!("players[{player}].talers"), || {
                format!("at most {most} can have come in")
            })?;
            let bought = if own_turn { u32::from(state.empty) } else { 0 };
            let most = u32::from(self.components.keep_goods) + bought;
            ensure(u32::from(seat.unsold.size) <= most, format!("players[{player}].unsold"), || {
                format!("at most {most}: the rest goes at the end of the own turn")
            })?;
        }
        Ok(())
    }

    fn check_phase(&self, state: &State) -> Check {
        let seat = &state.seats[state.active as usize];
        let in_sale = matches!(state.phase, Phase::Keep | Phase::Lose);
        let idle_sale = state.sale == 0 && state.colour == 0 && total(&state.kept) == 0;
        ensure(in_sale || idle_sale, "sale", || "null outside a sale".into())?;
        ensure(state.phase == Phase::Lose || state.loser == 0, "turn", || "nobody loses a marker now".into())?;
        match state.phase {
            Phase::Refill => {
                let choice = state.empty > 0 && state.empty < self.spaces && state.left > 0;
                ensure(choice && !state.acted && seat.talers >= self.components.income, "phase", || {
                    "a refill is decided at the start of a turn, with some spaces empty and a supply".into()
                })?;
                ensure(seat.unsold.size <= self.components.keep_goods, "phase", || "nothing is bought yet".into())
            }
            Phase::Restock => {
                ensure(state.empty > 0 && state.left > 0 && !state.acted && !state.idle, "phase", || {
                    "a refill fills empty spaces from a supply, and its round is not idle".into()
                })?;
                ensure(seat.unsold.size <= self.components.keep_goods, "phase", || "nothing is bought yet".into())
            }
            Phase::Discard => {
                ensure(seat.talers <= self.components.keep_talers, "phase", || "surplus Talers go first".into())?;
                ensure(seat.unsold.size > self.components.keep_goods, "phase", || "nothing is to be discarded".into())
            }
            Phase::Keep | Phase::Lose => self.check_sale(state),
            Phase::Deal | Phase::Place | Phase::Sail | Phase::Over => Ok(()),
        }
    }

    /// A sale in the middle (spec 7).
    fn check_sale(&self, state: &State) -> Check {
        let colours = self.components.colours.len() as u32;
        let named = u32::from(state.sale) >> colours == 0 && u32::from(state.colour) < colours;
        ensure(named && state.sale >> state.colour & 1 == 1, "sale.colour", || "is one of the colours sold".into())?;
        ensure(state.acted, "acted", || "a sale is an action".into())?;
        let seller = state.active as usize;
        let seat = &state.seats[seller];
        let least = self.components.sale_least;
        if state.phase == Phase::Lose {
            let loser = state.loser as usize;
            ensure(loser < self.players && loser != seller, "turn", || "an opponent of the seller loses".into())?;
            ensure(state.seats[loser].unsold.of_colour(state.colour).count_ones() > 1, "turn", || {
                format!("player {loser} has no choice of {} markers", self.components.colours[state.colour as usize])
            })?;
            ensure(total(&state.kept) == 0, "sale.kept", || "empty when losses are settled".into())?;
            ensure(seat.reserve > 0, "players", || "the seller has got a booth back".into())?;
            return ones(u64::from(state.sale)).try_for_each(|colour| {
                let first = colour as usize * BARRELS;
                ensure(total(&seat.sold[first..first + BARRELS]) >= u32::from(least), "sale.colours", || {
                    format!("player {seller} has not sold {least} {} markers", self.components.colours[colour as usize])
                })
            });
        }
        ensure(state.booths[state.ship as usize][seller] > 0, "phase", || "the seller has a booth here".into())?;
        for marker in 0..MOST_TYPES {
            let colour = marker / BARRELS;
            let allowed = state.sale >> colour & 1 == 1 && colour <= usize::from(state.colour);
            let most = if allowed { seat.unsold.counts[marker] } else { 0 };
            ensure(state.kept[marker] <= most, "sale.kept", || "own unsold markers of colours asked for".into())?;
        }
        for colour in ones(u64::from(state.sale)) {
            let open = colour == state.colour;
            let left = state.colour_for_sale(colour);
            ensure(left >= least + u8::from(open), "sale", || {
                format!("too few {} markers for sale", self.components.colours[colour as usize])
            })?;
        }
        Ok(())
    }
}
