//! Which positions can exist: everything that comes from outside is checked here before it is trusted.

mod memory;
mod pieces;

use super::Queen;
use super::knowledge::View;
use super::state::{CITIES, HIDDEN, NO_CARD, NO_CHOICE, NO_PIECE, Phase, Seat, State};
use crate::core::{FormatError, Game, Rng};

type Check = Result<(), FormatError>;

fn wrong(path: impl Into<String>, problem: impl Into<String>) -> Check {
    Err(FormatError::new(path, problem))
}

fn ensure(holds: bool, path: &str, problem: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { wrong(path, problem()) }
}

impl Queen {
    /// Refuses a position that no game reaches, as far as a position tells.
    pub(super) fn check_state(&self, state: &State) -> Check {
        self.check_numbers(state)?;
        self.check_cards(state)?;
        self.check_pieces(state)?;
        for player in 0..self.players {
            self.check_seat(state, player)?;
        }
        self.check_takes(state)?;
        self.check_changes(state)?;
        self.check_first_cards(state)?;
        self.check_choices(state)?;
        self.check_canonical(state)
    }

    /// Refuses a view that no position shows.
    pub(super) fn check_view(&self, view: &View) -> Check {
        ensure((view.observer as usize) < self.players, "", || format!("there is no player {}", view.observer))?;
        self.check_numbers(&view.seen)?;
        self.check_row_shape(&view.seen)?;
        for player in 0..self.players {
            let seat = &view.seen.seats[player];
            self.check_shape(seat, player)?;
            let hidden_allowed = player != view.observer();
            let cards = seat.hand_cards().iter().copied().chain(seat.placements().iter().map(|p| p.card()));
            for card in cards {
                let hidden = HIDDEN.contains(&card);
                ensure(hidden_allowed || !hidden, &format!("players[{player}]"), || "own cards are known".into())?;
            }
            for (index, placement) in seat.placements().iter().rev().skip(1).rev().enumerate() {
                let path = format!("players[{player}].kontor[{index}].took");
                ensure(placement.took != NO_CARD, &path, || "a card is taken on every finished turn".into())?;
            }
            if hidden_allowed {
                ensure(
                    seat.hand_cards().iter().all(|card| HIDDEN.contains(card)),
                    &format!("players[{player}].hand"),
                    || "the hand of another player is not known".into(),
                )?;
                for (index, placement) in seat.placements().iter().enumerate() {
                    let hides = placement.is_down() && view.seen.phase != Phase::Over;
                    ensure(
                        HIDDEN.contains(&placement.card()) == hides,
                        &format!("players[{player}].kontor[{index}].card"),
                        || "a card of another player is null just where it lies face down before the end".into(),
                    )?;
                }
            }
        }
        // Enough unseen cards for everything hidden, or nothing can be drawn.
        let belief = self.believe(view);
        ensure(belief.has_room(), "", || "fewer unseen cards than hidden ones".into())?;
        let state = self.determinize(&belief, &mut Rng::new(0));
        self.check_state(&state)?;
        ensure(&self.view(&state, view.observer()) == view, "", || {
            "no position shows this: the numbers of cards do not agree".into()
        })?;
        Ok(())
    }

    fn check_numbers(&self, state: &State) -> Check {
        let players = self.players as u8;
        let track = self.components.track.len() as u8;
        ensure((1..=3).contains(&state.round), "round", || format!("is {}, must be 1 to 3", state.round))?;
        ensure(state.start_player < players, "start_player", || format!("there is no player {}", state.start_player))?;
        ensure(state.actor < players, "turn", || format!("there is no player {}", state.actor))?;
        ensure(state.levels.iter().all(|&level| level < track), "prosperity", || {
            format!("the track has {track} spaces")
        })?;
        let most = self.round_turns();
        let complete = match state.phase {
            Phase::Deal | Phase::Keep => state.turns_played == 0 && state.round == 1,
            Phase::Lay | Phase::Draw => {
                (state.turns_played == 0 && state.round == 1) || (state.turns_played == most && state.round < 3)
            }
            Phase::Play | Phase::Marker | Phase::Take => state.turns_played < most,
            Phase::Extra | Phase::Over => state.turns_played == most && state.round == 3,
            Phase::Store => state.turns_played == most && state.round < 3 && !self.components.pieces_return,
            Phase::Start => state.turns_played == most && state.round < 3,
        };
        ensure(complete, "turns_played", || {
            format!("{} turns of round {} do not fit the phase", state.turns_played, state.round)
        })?;
        let expected_actor = match state.phase {
            Phase::Play | Phase::Marker | Phase::Take => {
                Some((state.start_player + state.turns_played % players) % players)
            }
            Phase::Start => Some(self.find_chooser(state)),
            Phase::Lay | Phase::Draw | Phase::Deal | Phase::Keep | Phase::Extra | Phase::Store | Phase::Over => None,
        };
        ensure(expected_actor.is_none_or(|actor| actor == state.actor), "turn", || {
            format!("is {}, must be {}", state.actor, expected_actor.unwrap_or(0))
        })?;
        ensure(state.start_player == 0 || state.round > 1, "start_player", || "player 0 starts round 1".into())
    }

    fn check_row_shape(&self, state: &State) -> Check {
        let spaces = usize::from(self.components.spaces);
        let cards = self.components.cards.len() as u8;
        for city in 0..CITIES {
            let path = format!("board.{}", self.components.cities[city]);
            let length = state.row_lengths[city] as usize;
            ensure(length <= spaces, &path, || format!("has {spaces} spaces"))?;
            let gapless = state.rows[city][..length].iter().all(|&card| card < cards)
                && state.rows[city][length..].iter().all(|&card| card == NO_CARD)
                && state.row_pieces[city][length..].iter().all(|&piece| piece == NO_PIECE);
            ensure(gapless, &path, || "a row has no gaps".into())?;
            let pieces =
                state.row_pieces[city][..length].iter().all(|&piece| piece == NO_PIECE || piece < CITIES as u8);
            ensure(pieces, &path, || "no such color".into())?;
        }
        Ok(())
    }

    fn check_shape(&self, seat: &Seat, player: usize) -> Check {
        let path = format!("players[{player}]");
        let real = |card: u8| (card as usize) < self.components.cards.len() || HIDDEN.contains(&card);
        ensure(seat.placed as usize <= seat.kontor.len(), &path, || "too many cards in the Kontor".into())?;
        let size = seat.hand_size();
        let hand = seat.hand[..size].is_sorted() && seat.hand[..size].iter().all(|&card| real(card));
        ensure(hand && seat.hand[size..].iter().all(|&card| card == NO_CARD), &path, || "no such hand".into())?;
        let kontor = seat.placements().iter().all(|placement| {
            real(placement.card())
                && (placement.took == NO_CARD || (placement.took as usize) < self.components.cards.len())
        });
        ensure(kontor, &path, || "no such card in the Kontor".into())?;
        let unused = seat.kontor[seat.placed as usize..].iter().all(|p| *p == super::state::Placement::NONE);
        ensure(unused, &path, || "cards behind the last of the Kontor".into())?;
        let returned = seat.returned == [NO_CARD; 2] || seat.returned.iter().all(|&card| real(card));
        ensure(returned, &path, || "no such cards were put back".into())
    }

    /// Every card in use lies in one place, no other card anywhere.
    fn check_cards(&self, state: &State) -> Check {
        self.check_row_shape(state)?;
        let mut places = [state.decks[0], state.decks[1], state.removed_cards].to_vec();
        for city in 0..CITIES {
            let row = &state.rows[city][..state.row_lengths[city] as usize];
            places.extend(row.iter().map(|&card| 1u64 << card));
        }
        for player in 0..self.players {
            let seat = &state.seats[player];
            self.check_shape(seat, player)?;
            let cards = seat.hand_cards().iter().copied().chain(seat.placements().iter().map(|p| p.card()));
            for card in cards {
                ensure(!HIDDEN.contains(&card), &format!("players[{player}]"), || "a state hides nothing".into())?;
                places.push(1 << card);
            }
        }
        self.check_to_lay(state)?;
        let total: u32 = places.iter().map(|set| set.count_ones()).sum();
        let union = places.iter().fold(0, |union, set| union | set);
        let in_use = self.in_use[0] | self.in_use[1];
        if union != in_use || total != in_use.count_ones() {
            let missing = in_use & !union;
            let problem = match (union & !in_use, missing) {
                (0, 0) => "a card lies in two places".into(),
                (0, missing) => format!("{} lies nowhere", self.code(missing.trailing_zeros() as u8)),
                (extra, _) => {
                    format!("{} is not used with {} players", self.code(extra.trailing_zeros() as u8), self.players)
                }
            };
            return wrong("", problem);
        }
        for kind in 0..2 {
            let key = ["normal_deck", "luxury_deck"][kind];
            ensure(state.decks[kind] & !self.in_use[kind] == 0, key, || "holds a card with the other back".into())?;
        }
        let over = state.phase == Phase::Over;
        let left = state.removed_cards.count_ones() as usize;
        ensure(left == if over { self.players } else { 0 }, "removed_cards", || {
            "one card a player is left over at the end, none before".into()
        })?;
        let expected: u8 = match state.phase {
            Phase::Lay => CITIES as u8 * self.components.spaces - state.to_lay.iter().sum::<u8>(),
            Phase::Play | Phase::Marker | Phase::Take | Phase::Extra | Phase::Store | Phase::Over => {
                CITIES as u8 * self.components.spaces - state.turns_played
            }
            Phase::Draw | Phase::Deal | Phase::Keep | Phase::Start => CITIES as u8 * self.components.spaces,
        };
        let on_board: u8 = state.row_lengths.iter().sum();
        ensure(on_board == expected, "board", || format!("holds {on_board} cards, must hold {expected}"))?;
        self.check_decks(state)
    }

    /// The decks hold what the plan of set-up and refills leaves (spec 1).
    fn check_decks(&self, state: &State) -> Check {
        let hands = match state.phase {
            Phase::Lay | Phase::Draw | Phase::Deal | Phase::Keep if self.is_set_up(state) => {
                state.seats[..self.players].iter().map(Seat::hand_size).sum()
            }
            _ => 2 * self.players,
        };
        let laying = state.phase == Phase::Lay;
        let refills = i32::from(state.round) - 1
            + i32::from(!self.is_set_up(state) && matches!(state.phase, Phase::Lay | Phase::Draw | Phase::Start));
        for kind in 0..2 {
            let mut left = self.in_use[kind].count_ones() as i32
                - i32::from(self.components.setup[kind])
                - refills * i32::from(self.components.refill[kind]);
            if laying {
                left += i32::from(state.to_lay[kind]);
            }
            if kind == self.hand_kind {
                left -= hands as i32;
            }
            let key = ["normal_deck", "luxury_deck"][kind];
            let size = state.decks[kind].count_ones() as i32;
            ensure(size == left, key, || format!("holds {size} cards, must hold {left}"))?;
        }
        Ok(())
    }

    /// The hand and the Kontor of a player fit the turns that were played.
    fn check_seat(&self, state: &State, player: usize) -> Check {
        let seat = &state.seats[player];
        let path = format!("players[{player}]");
        let set_up =
            matches!(state.phase, Phase::Lay | Phase::Draw | Phase::Deal | Phase::Keep) && self.is_set_up(state);
        let order = (player + self.players - state.start_player as usize) % self.players;
        let turns = (usize::from(state.turns_played) + self.players - 1 - order) / self.players;
        let acting = state.actor as usize == player;
        let mid_turn = acting && matches!(state.phase, Phase::Marker | Phase::Take);
        let placed_extra = match state.phase {
            Phase::Over => true,
            Phase::Extra => self.components.extra_in_turn && order < self.seat_order(state, state.actor as usize),
            _ => false,
        };
        let earlier = (usize::from(state.round) - 1) * usize::from(self.components.turns);
        let placed = earlier + turns + usize::from(mid_turn) + usize::from(placed_extra);
        ensure(usize::from(seat.placed) == placed, &format!("{path}.kontor"), || {
            format!("holds {} cards, must hold {placed}", seat.placed)
        })?;
        let hand = match state.phase {
            Phase::Over => 0,
            Phase::Keep => 4,
            Phase::Lay | Phase::Draw if set_up => 0,
            Phase::Deal => return self.check_deal(state, player),
            _ => 2 - usize::from(mid_turn) - usize::from(placed_extra),
        };
        ensure(seat.hand_size() == hand, &format!("{path}.hand"), || {
            format!("holds {} cards, must hold {hand}", seat.hand_size())
        })?;
        ensure((seat.returned[0] == NO_CARD) == set_up, &format!("{path}.returned"), || {
            "two cards are put back when all have chosen".into()
        })?;
        if seat.hand[..seat.hand_size()].windows(2).any(|pair| pair[0] == pair[1]) {
            return wrong(format!("{path}.hand"), "a card twice");
        }
        self.check_story(state, player)
    }

    fn seat_order(&self, state: &State, player: usize) -> usize {
        (player + self.players - state.start_player as usize) % self.players
    }

    fn check_deal(&self, state: &State, player: usize) -> Check {
        let seat = &state.seats[player];
        let receiver = self.receiver(state) as usize;
        let fits = match player.cmp(&receiver) {
            std::cmp::Ordering::Less => seat.hand_size() == 4,
            std::cmp::Ordering::Equal => seat.hand_size() < 4,
            std::cmp::Ordering::Greater => seat.hand_size() == 0,
        };
        ensure(fits && seat.placed == 0, &format!("players[{player}].hand"), || {
            "cards are dealt player by player".into()
        })?;
        ensure(state.seats[self.players - 1].hand_size() < 4, "phase", || "all cards are dealt".into())
    }

    /// Follows the hand from the beginning: each card played was there, and two came from the first deal.
    fn check_story(&self, state: &State, player: usize) -> Check {
        let seat = &state.seats[player];
        let path = format!("players[{player}]");
        if matches!(state.phase, Phase::Keep) || seat.returned[0] == NO_CARD {
            let dealt = seat.hand_cards().iter().all(|&card| self.kind(card) == self.hand_kind);
            return ensure(dealt, &format!("{path}.hand"), || "the dealt cards have the other back".into());
        }
        let is_extra = |index: usize| index == 3 * usize::from(self.components.turns);
        let mut taken = 0u64;
        for (index, placement) in seat.placements().iter().enumerate() {
            let last = index + 1 == usize::from(seat.placed);
            let open = last && state.actor as usize == player && matches!(state.phase, Phase::Marker | Phase::Take);
            let none = open || is_extra(index);
            ensure((placement.took == NO_CARD) == none, &format!("{path}.kontor[{index}].took"), || {
                "a card is taken on every finished turn, none otherwise".into()
            })?;
            let down_expected = state.phase == Phase::Marker && open;
            ensure(!down_expected || placement.is_down(), &format!("{path}.kontor[{index}].face"), || {
                "a marker is moved after a face-down play".into()
            })?;
            if placement.took != NO_CARD {
                let repeated = taken >> placement.took & 1 == 1;
                ensure(!repeated, &format!("{path}.kontor[{index}].took"), || "a card is taken once".into())?;
                taken |= 1 << placement.took;
            }
        }
        let own = seat.placements().iter().map(|p| p.card()).chain(seat.hand_cards().iter().copied());
        let own = own.fold(0u64, |cards, card| cards | 1 << card) | if state.phase == Phase::Over { taken } else { 0 };
        let first = own & !taken;
        let missing = taken & !own;
        ensure(missing == 0, &format!("{path}.kontor"), || {
            format!(
                "{} was taken and is neither in the hand nor in the Kontor",
                self.code(missing.trailing_zeros() as u8)
            )
        })?;
        let kept = first.count_ones() as usize;
        let expected = if state.phase == Phase::Over { 1..=2 } else { 2..=2 };
        ensure(expected.contains(&kept) && first & !self.in_use[self.hand_kind] == 0, &path, || {
            "two cards come from the first deal, with its back".into()
        })?;
        let mut hand = first;
        for (index, placement) in seat.placements().iter().enumerate() {
            let card = 1u64 << placement.card();
            // At the end the left-over card of this player is one of all left-over cards.
            let held = hand & card != 0;
            ensure(held, &format!("{path}.kontor[{index}].card"), || {
                format!("{} was not in the hand", self.code(placement.card()))
            })?;
            hand &= !card;
            if placement.took != NO_CARD {
                hand |= 1 << placement.took;
            }
        }
        self.check_returned(state, player, first)
    }

    fn check_returned(&self, state: &State, player: usize, first: u64) -> Check {
        let seat = &state.seats[player];
        let path = format!("players[{player}].returned");
        for &card in &seat.returned {
            let hand_card =
                (card as usize) < self.components.cards.len() && self.in_use[self.hand_kind] >> card & 1 == 1;
            ensure(hand_card, &path, || "cards of the first deal are put back".into())?;
            let elsewhere = first >> card & 1 == 1 || state.laid_first.0 >> card & 1 == 1;
            ensure(!elsewhere, &path, || {
                format!("{} was not put back: it was kept or lay on the board", self.code(card))
            })?;
        }
        ensure(seat.returned[0] < seat.returned[1], &path, || "two different cards in order".into())?;
        for other in 0..player {
            let shared = state.seats[other].returned.iter().any(|card| seat.returned.contains(card));
            ensure(!shared, &path, || format!("player {other} put back the same card"))?;
        }
        Ok(())
    }

    fn check_choices(&self, state: &State) -> Check {
        for player in 0..self.players {
            let path = format!("players[{player}].choice");
            let pending = Self::pending(state, player);
            ensure(pending.is_some() == self.has_chosen(state, player), &path, || {
                "just the players who were asked have a pending choice".into()
            })?;
            if let Some(action) = pending {
                ensure(Self::choice_code(action) == state.seats[player].choice, &path, || "no such choice".into())?;
                let asked = State { actor: player as u8, ..*state };
                if let Err(problem) = self.check_action(&asked, action) {
                    return wrong(path, problem.to_string());
                }
            }
            ensure(pending.is_some() || state.seats[player].choice == NO_CHOICE, &path, || "no choice is open".into())?;
        }
        Ok(())
    }
}
