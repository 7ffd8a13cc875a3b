//! What happens when a move is made, automatic steps included.

use super::Queen;
use super::action::{Action, Chance, Face};
use super::legal::PAIRS;
use super::state::{CITIES, MAX_SPACES, MAX_TABLE, Memory, NO_CARD, NO_CHOICE, NO_PIECE, Phase, Seat, State};

impl Queen {
    /// The position before any chance (spec 2).
    pub(super) fn starting_state(&self) -> State {
        State {
            decks: self.in_use,
            removed_cards: 0,
            laid_first: Memory(0),
            seats: [Seat::EMPTY; MAX_TABLE],
            rows: [[NO_CARD; MAX_SPACES]; CITIES],
            row_pieces: [[NO_PIECE; MAX_SPACES]; CITIES],
            row_lengths: [0; CITIES],
            levels: [self.components.track_start; CITIES],
            bag: [self.components.bag; CITIES],
            removed_pieces: [0; CITIES],
            to_lay: self.components.setup,
            phase: Phase::Lay,
            actor: 0,
            round: 1,
            start_player: 0,
            turns_played: 0,
            changes: 0,
        }
    }

    pub(super) fn take_outcome(&self, state: &mut State, outcome: Chance) {
        match outcome {
            Chance::Lay(card) => self.lay(state, card),
            Chance::Draw(color) => self.draw(state, color),
            Chance::Deal(player, card) => {
                state.decks[self.hand_kind] &= !(1 << card);
                state.seats[player as usize].add(card);
                if state.seats[self.players - 1].hand[3] != NO_CARD {
                    self.ask(state, Phase::Keep, state.start_player);
                }
            }
        }
    }

    /// The node ahead. Where no player decides, `player` is the start player: one position, one state.
    fn ask(&self, state: &mut State, phase: Phase, player: u8) {
        state.phase = phase;
        state.actor = player;
    }

    /// Spec 2.3 and 6.3: on the first empty space in board order.
    fn lay(&self, state: &mut State, card: u8) {
        let kind = self.kind(card);
        state.decks[kind] &= !(1 << card);
        state.to_lay[kind] -= 1;
        if self.is_set_up(state) {
            state.laid_first.0 |= 1 << card;
        }
        if let Some(row) = (0..CITIES).find(|&row| state.row_lengths[row] < self.components.spaces) {
            state.rows[row][state.row_lengths[row] as usize] = card;
            state.row_lengths[row] += 1;
        }
        if state.to_lay == [0, 0] {
            state.phase = Phase::Draw;
            self.go_on_drawing(state);
        }
    }

    /// Spec 2.4 and 6.4: on the first luxury card without a piece.
    fn draw(&self, state: &mut State, color: u8) {
        if let Some((row, place)) = state.bare_luxury(self.luxury) {
            state.bag[color as usize] -= 1;
            state.row_pieces[row][place] = color;
        }
        self.go_on_drawing(state);
    }

    fn go_on_drawing(&self, state: &mut State) {
        if state.bare_luxury(self.luxury).is_some() {
            return;
        }
        if self.is_set_up(state) {
            state.phase = Phase::Deal;
        } else {
            let chooser = self.find_chooser(state);
            self.ask(state, Phase::Start, chooser);
        }
    }

    pub(super) fn take_action(&self, state: &mut State, action: Action) {
        let actor = state.actor as usize;
        match action {
            Action::Play(card, face) if state.phase == Phase::Play => {
                state.seats[actor].remove(card);
                state.seats[actor].place(card, face == Face::Down);
                state.phase = if face == Face::Down { Phase::Marker } else { Phase::Take };
            }
            Action::Play(card, face) => self.place_extra(state, card, face == Face::Down),
            Action::Raise(city) => {
                state.levels[city as usize] += 1;
                state.phase = Phase::Take;
            }
            Action::Lower(city) => {
                state.levels[city as usize] -= 1;
                state.phase = Phase::Take;
            }
            Action::Take(card) => self.take(state, card),
            Action::Keep(first, second) => {
                state.seats[actor].choice = u16::from(first) << 8 | u16::from(second);
                if self.pass(state) {
                    self.keep_all(state);
                }
            }
            Action::Store(pieces) => {
                state.seats[actor].choice = pack(pieces);
                if self.pass(state) {
                    self.store_all(state);
                }
            }
            Action::Start(player) => {
                state.round += 1;
                state.start_player = player;
                state.turns_played = 0;
                state.changes = 0;
                self.ask(state, Phase::Play, player);
            }
        }
    }

    /// Asks the next player of a decision that is put to everybody; true when all have answered (spec 3).
    fn pass(&self, state: &mut State) -> bool {
        state.actor = self.next(state.actor);
        state.actor == state.start_player
    }

    /// Spec 2.6: two stay, two go back into the deck.
    fn keep_all(&self, state: &mut State) {
        for player in 0..self.players {
            let seat = &mut state.seats[player];
            let kept = [(seat.choice >> 8) as u8, (seat.choice & 0xff) as u8];
            let mut returned = [NO_CARD; 2];
            let back = seat.hand.into_iter().filter(|card| !kept.contains(card));
            for (place, card) in returned.iter_mut().zip(back) {
                *place = card;
                state.decks[self.hand_kind] |= 1 << card;
            }
            seat.returned = returned;
            seat.hand = [kept[0], kept[1], NO_CARD, NO_CARD];
            seat.choice = NO_CHOICE;
        }
        self.ask(state, Phase::Play, state.start_player);
    }

    /// Spec 4.3.
    fn take(&self, state: &mut State, card: u8) {
        let Some((row, place)) = state.in_harbor(card) else {
            debug_assert!(false, "the card lies in a harbor");
            return;
        };
        let seat = &mut state.seats[state.actor as usize];
        seat.add(card);
        seat.kontor[seat.placed as usize - 1].took = card;
        let piece = state.row_pieces[row][place];
        if piece != NO_PIECE {
            seat.pieces[piece as usize] += 1;
        }
        let (cards, pieces) = (&mut state.rows[row], &mut state.row_pieces[row]);
        cards.copy_within(place + 1.., place);
        pieces.copy_within(place + 1.., place);
        cards[MAX_SPACES - 1] = NO_CARD;
        pieces[MAX_SPACES - 1] = NO_PIECE;
        state.row_lengths[row] -= 1;
        if state.row_lengths[row] == 2 {
            state.levels[row] =
                super::score::prosperity_change(&self.components, state.levels[row], state.changes as usize);
            state.changes += 1;
        }
        state.turns_played += 1;
        if state.turns_played < self.round_turns() {
            let next = self.next(state.actor);
            self.ask(state, Phase::Play, next);
        } else if state.round == 3 {
            self.ask(state, Phase::Extra, state.start_player);
        } else {
            self.end_round(state);
        }
    }

    /// Spec 4.4; the draft's extra turn takes effect at once (draft 4).
    fn place_extra(&self, state: &mut State, card: u8, down: bool) {
        let actor = state.actor as usize;
        if self.components.extra_in_turn {
            state.seats[actor].remove(card);
            state.seats[actor].place(card, down);
        } else {
            state.seats[actor].choice = u16::from(card) << 1 | u16::from(down);
        }
        if !self.pass(state) {
            return;
        }
        for seat in &mut state.seats[..self.players] {
            if !self.components.extra_in_turn {
                let card = (seat.choice >> 1) as u8;
                let down = seat.choice & 1 == 1;
                seat.choice = NO_CHOICE;
                seat.remove(card);
                seat.place(card, down);
            }
            for &left in &seat.hand[..seat.hand_size()] {
                state.removed_cards |= 1 << left;
            }
            seat.hand = [NO_CARD; 4];
        }
        self.score_round(state);
        self.settle(state);
        self.support(state);
        self.score_game(state);
        self.ask(state, Phase::Over, state.start_player);
    }

    /// After the last turn of rounds 1 and 2.
    fn end_round(&self, state: &mut State) {
        self.score_round(state);
        self.settle(state);
        if self.components.pieces_return {
            self.support(state);
            self.refill(state);
        } else {
            self.ask(state, Phase::Store, state.start_player);
        }
    }

    /// The draft's end of a settlement: pieces back into the bag, in round 3 too (draft 4, D13).
    fn settle(&self, state: &mut State) {
        if !self.components.pieces_return {
            return;
        }
        for seat in &mut state.seats[..self.players] {
            for color in 0..CITIES {
                state.bag[color] += std::mem::take(&mut seat.pieces[color]);
            }
        }
    }

    /// Spec 6.2, after rounds 1 and 2 only (Q21); the draft supports after every round (D2).
    fn support(&self, state: &mut State) {
        if self.components.support_after[state.round as usize - 1] {
            state.levels = super::score::support(&self.components, state.levels);
        }
    }

    /// Spec 6.1: the pieces without a place on a ship leave the game; then 6.2.
    fn store_all(&self, state: &mut State) {
        for seat in &mut state.seats[..self.players] {
            let kept = unpack(seat.choice);
            for (color, &stays) in kept.iter().enumerate() {
                state.removed_pieces[color] += seat.pieces[color] - stays;
            }
            seat.pieces = kept;
            seat.choice = NO_CHOICE;
        }
        self.support(state);
        self.refill(state);
    }

    /// Spec 6.3.
    fn refill(&self, state: &mut State) {
        state.to_lay = self.components.refill;
        self.ask(state, Phase::Lay, state.start_player);
    }

    /// The four choices of the extra placement, or the six of keeping, as pending choices of a seat.
    pub(super) fn extra_choice(seat: &Seat, n: u32) -> u16 {
        u16::from(seat.hand[n as usize / 2]) << 1 | (n & 1) as u16
    }

    pub(super) fn keep_choice(seat: &Seat, n: u32) -> u16 {
        let (first, second) = PAIRS[n as usize];
        u16::from(seat.hand[first]) << 8 | u16::from(seat.hand[second])
    }

    /// The pending choice of a seat as an action.
    pub(super) fn pending(state: &State, player: usize) -> Option<Action> {
        let choice = state.seats[player].choice;
        (choice != NO_CHOICE).then(|| match state.phase {
            Phase::Keep => Action::Keep((choice >> 8) as u8, (choice & 0xff) as u8),
            Phase::Store => Action::Store(unpack(choice)),
            _ => Action::Play((choice >> 1) as u8, if choice & 1 == 1 { Face::Down } else { Face::Up }),
        })
    }

    /// The code of an action as a pending choice.
    pub(super) fn choice_code(action: Action) -> u16 {
        match action {
            Action::Keep(first, second) => u16::from(first) << 8 | u16::from(second),
            Action::Store(pieces) => pack(pieces),
            Action::Play(card, face) => u16::from(card) << 1 | u16::from(face == Face::Down),
            Action::Raise(_) | Action::Lower(_) | Action::Take(_) | Action::Start(_) => NO_CHOICE,
        }
    }

    /// Cards and pieces in the game (spec 10).
    pub(super) fn count_pieces(&self, state: &State) -> Vec<(&'static str, u32)> {
        let mut cards = state.decks[0].count_ones() + state.decks[1].count_ones() + state.removed_cards.count_ones();
        let mut pieces: u32 = state.bag.iter().chain(&state.removed_pieces).map(|&count| u32::from(count)).sum();
        for row in 0..CITIES {
            cards += u32::from(state.row_lengths[row]);
            pieces += state.row_pieces[row].iter().filter(|&&piece| piece != NO_PIECE).count() as u32;
        }
        for seat in &state.seats[..self.players] {
            cards += seat.hand_size() as u32 + u32::from(seat.placed);
            pieces += u32::from(seat.piece_count());
        }
        vec![("cards", cards), ("pieces", pieces)]
    }

    /// Chance: every card in use is laid or dealt, every piece drawn once a round at most. Decisions: spec 10.
    pub(super) fn move_bound(&self) -> usize {
        let turns = 3 * self.round_turns() as usize;
        let cards = (self.in_use[0] | self.in_use[1]).count_ones() as usize;
        let returned = 2 * self.players;
        let chance = cards + returned + self.in_use[1].count_ones() as usize;
        chance + 3 * turns + 4 * self.players + 2
    }
}

fn pack(pieces: [u8; 4]) -> u16 {
    pieces.iter().fold(0, |code, &count| code << 4 | u16::from(count))
}

fn unpack(code: u16) -> [u8; 4] {
    [12, 8, 4, 0].map(|shift| (code >> shift & 0xf) as u8)
}
