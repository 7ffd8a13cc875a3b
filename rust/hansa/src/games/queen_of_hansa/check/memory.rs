//! What follows from the rest of a position, and the cards of the first deal: who kept what, what was put back.

use super::super::Queen;
use super::super::state::{CITIES, NO_CARD, Phase, Seat, State};
use super::{Check, ensure};

impl Queen {
    /// The cards still to lay follow from the rows.
    pub(super) fn check_to_lay(&self, state: &State) -> Check {
        let mut completed = *state;
        self.complete(&mut completed);
        ensure(state.to_lay == completed.to_lay, "", || {
            format!("{:?} cards to lay, must be {:?}", state.to_lay, completed.to_lay)
        })
    }

    /// One position, one state: what follows from the rest is what follows.
    pub(super) fn check_canonical(&self, state: &State) -> Check {
        let mut completed = *state;
        self.complete(&mut completed);
        let mut visible = self.taken_cards(state);
        for city in 0..CITIES {
            let row = &state.rows[city][..usize::from(state.row_lengths[city])];
            visible |= row.iter().fold(0, |cards, &card| cards | 1 << card);
        }
        let laid_first = state.laid_first.0;
        let fits = completed.laid_first.0 & !laid_first == 0 && laid_first & !visible == 0;
        ensure(fits, "", || "the cards laid at set-up are not among those on the board and those taken".into())?;
        let asks_nobody = matches!(state.phase, Phase::Lay | Phase::Draw | Phase::Deal | Phase::Over);
        ensure(!asks_nobody || state.actor == state.start_player, "turn", || "nobody is asked".into())?;
        let empty = state.seats[self.players..].iter().all(|seat| *seat == Seat::EMPTY);
        ensure(empty, "players", || format!("there are {} players", self.players))?;
        self.check_set_up(state)
    }

    /// The rows of the set-up fill one after the other, and nobody has profit before the first scoring.
    fn check_set_up(&self, state: &State) -> Check {
        if self.is_set_up(state) && state.phase == Phase::Lay {
            let full = |length: u8| length == self.components.spaces;
            let ordered = state.row_lengths.windows(2).all(|pair| full(pair[0]) || pair[1] == 0);
            ensure(ordered, "board", || "the rows are filled one after the other".into())?;
        }
        let scored = state.round > 1
            || matches!(state.phase, Phase::Store | Phase::Start)
            || (matches!(state.phase, Phase::Lay | Phase::Draw) && !self.is_set_up(state));
        for (player, seat) in state.seats[..self.players].iter().enumerate() {
            let path = format!("players[{player}].profit");
            ensure(scored || seat.profit == 0, &path, || "nobody has profit before the first scoring".into())?;
            ensure(seat.profit <= MOST_PROFIT, &path, || format!("is {}, must be at most {MOST_PROFIT}", seat.profit))?;
        }
        Ok(())
    }

    /// The cards that came from the first deal, among those of a player that can be told.
    fn kept_cards(&self, state: &State, player: usize) -> u64 {
        let seat = &state.seats[player];
        let own = seat.placements().iter().map(|placement| placement.card()).chain(seat.hand_cards().iter().copied());
        let taken = seat.placements().iter().filter(|placement| placement.took != NO_CARD);
        own.fold(0u64, |cards, card| cards | 1 << card) & !taken.fold(0, |cards, placement| cards | 1 << placement.took)
    }

    /// Nobody kept a card that somebody put back; at the end every player has left one card over.
    pub(super) fn check_first_cards(&self, state: &State) -> Check {
        let kept = (0..self.players).fold(0, |cards, player| cards | self.kept_cards(state, player));
        for (player, seat) in state.seats[..self.players].iter().enumerate() {
            let both = seat.returned.iter().find(|&&card| card != NO_CARD && kept >> card & 1 == 1);
            ensure(both.is_none(), &format!("players[{player}].returned"), || {
                format!("{} was not put back: somebody kept it", self.code(both.copied().unwrap_or(NO_CARD)))
            })?;
        }
        if state.phase != Phase::Over {
            return Ok(());
        }
        let mut left = state.removed_cards;
        let mut unnamed = 0;
        for player in 0..self.players {
            let seat = &state.seats[player];
            let placed = seat.placements().iter().fold(0u64, |cards, placement| cards | 1 << placement.card());
            let taken = seat.placements().iter().filter(|placement| placement.took != NO_CARD);
            let over = taken.fold(0u64, |cards, placement| cards | 1 << placement.took) & !placed;
            let kept = self.kept_cards(state, player).count_ones();
            ensure(
                over & !left == 0 && over.count_ones() + 2 - kept.min(2) == 1,
                &format!("players[{player}].kontor"),
                || {
                    "of the two cards kept and the cards taken all but one lie in the Kontor, and that one is left over"
                        .into()
                },
            )?;
            left &= !over;
            unnamed += 2 - kept;
        }
        let put_back =
            state.seats[..self.players].iter().flat_map(|seat| seat.returned).any(|card| left >> card & 1 == 1);
        let fits = left.count_ones() == unnamed && left & !self.in_use[self.hand_kind] == 0 && !put_back;
        ensure(fits && left & state.laid_first.0 == 0, "removed_cards", || {
            "a card left over was kept from the first deal or taken".into()
        })
    }
}

/// No player has more at any table whose rule data is accepted, and twice as much fits into 16 bits.
const MOST_PROFIT: u16 = 30_000;
