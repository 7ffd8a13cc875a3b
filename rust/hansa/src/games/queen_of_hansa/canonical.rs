//! The canonical state and the views as JSON (notation.md 3 and 4): one writer for both, so that there is one rule of
//! what is visible, and one reader.

use serde_json::{Value, json};

use super::action::Card;
use super::knowledge::HIDDEN_RETURN;
use super::state::{
    CITIES, HIDDEN, MAX_KONTOR, MAX_SPACES, MAX_TABLE, NO_CARD, NO_CHOICE, NO_PIECE, Phase, Placement, Seat, State,
};
use super::{Queen, View};
use crate::core::parts::bits;
use crate::core::parts::json::{Node, Read};
use crate::core::{Encode, FormatError};

const BACKS: [&str; 2] = ["normal", "luxury"];

impl Queen {
    pub(super) fn write_state(&self, state: &State) -> Value {
        self.write(state, None)
    }

    pub(super) fn write_view(&self, view: &View) -> Value {
        self.write(&view.seen, Some(view))
    }

    fn write(&self, state: &State, view: Option<&View>) -> Value {
        let deck = |kind: usize| match view {
            Some(view) => json!(view.deck_sizes[kind]),
            None => self.card_set(state.decks[kind]),
        };
        let turn = match state.phase {
            Phase::Lay | Phase::Draw | Phase::Deal => json!("chance"),
            Phase::Over => json!("over"),
            _ => json!(state.actor),
        };
        let is_open = |player: usize| view.is_none_or(|view| view.observer() == player);
        let players: Vec<Value> =
            (0..self.players).map(|player| self.write_seat(state, player, is_open(player))).collect();
        json!({
            "phase": state.phase,
            "turn": turn,
            "round": state.round,
            "start_player": state.start_player,
            "turns_played": state.turns_played,
            "changes": state.changes,
            "prosperity": by_name(&self.components.cities, |city| json!(state.levels[city])),
            "board": by_name(&self.components.cities, |city| self.write_row(state, city)),
            "normal_deck": deck(0),
            "luxury_deck": deck(1),
            "bag": self.by_color(state.bag),
            "removed_cards": self.card_set(state.removed_cards),
            "removed_pieces": self.by_color(state.removed_pieces),
            "players": players,
        })
    }

    fn write_row(&self, state: &State, city: usize) -> Value {
        let space = |place: usize| {
            let piece = state.row_pieces[city][place];
            json!({"card": self.code(state.rows[city][place]), "piece": self.color_name(piece)})
        };
        (0..state.row_lengths[city] as usize).map(space).collect()
    }

    fn write_seat(&self, state: &State, player: usize, open: bool) -> Value {
        let seat = &state.seats[player];
        let hand = if open {
            self.card_list(seat.hand_cards())
        } else {
            let count = |back: usize| seat.hand_cards().iter().filter(|&&card| card == HIDDEN[back]).count();
            json!({"normal": count(0), "luxury": count(1)})
        };
        let kontor: Value = seat
            .placements()
            .iter()
            .map(|placement| {
                let card = placement.card();
                let hidden = HIDDEN.iter().position(|&back| back == card);
                json!({
                    "card": if hidden.is_some() { Value::Null } else { json!(self.code(card)) },
                    "back": BACKS[hidden.unwrap_or_else(|| self.kind(card))],
                    "face": if placement.is_down() { "down" } else { "up" },
                    "took": if placement.took == NO_CARD { Value::Null } else { json!(self.code(placement.took)) },
                })
            })
            .collect();
        let returned = match (open, seat.returned[0]) {
            (false, _) => Value::Null,
            (true, NO_CARD) => json!([]),
            (true, _) => self.card_list(&seat.returned),
        };
        json!({
            "profit": seat.profit,
            "hand": hand,
            "kontor": kontor,
            "pieces": self.by_color(seat.pieces),
            "returned": returned,
            "choice": Self::pending(state, player).map(|action| self.action_notation(action)),
        })
    }

    fn color_name(&self, piece: u8) -> Option<&str> {
        self.components.colors.get(piece as usize).map(String::as_str)
    }

    fn by_color(&self, counts: [u8; CITIES]) -> Value {
        by_name(&self.components.colors, |color| json!(counts[color]))
    }

    fn card_set(&self, cards: u64) -> Value {
        self.card_list(&bits::ones(cards).collect::<Vec<_>>())
    }

    /// Sorted by code.
    fn card_list(&self, cards: &[Card]) -> Value {
        let mut codes: Vec<&str> = cards.iter().map(|&card| self.code(card)).collect();
        codes.sort_unstable();
        json!(codes)
    }
}

fn by_name(names: &[String; CITIES], of: impl Fn(usize) -> Value) -> Value {
    Value::Object(names.iter().enumerate().map(|(index, name)| (name.clone(), of(index))).collect())
}

const KEYS: [&str; 14] = [
    "phase",
    "turn",
    "round",
    "start_player",
    "turns_played",
    "changes",
    "prosperity",
    "board",
    "normal_deck",
    "luxury_deck",
    "bag",
    "removed_cards",
    "removed_pieces",
    "players",
];
const SEAT_KEYS: [&str; 6] = ["profit", "hand", "kontor", "pieces", "returned", "choice"];

impl Queen {
    pub(super) fn read_state(&self, json: &Value) -> Read<State> {
        self.read(json, None).map(|(state, _)| state)
    }

    pub(super) fn read_view(&self, json: &Value, observer: usize) -> Read<View> {
        if observer >= self.players {
            return Err(FormatError::new("", format!("there is no player {observer} at a table of {}", self.players)));
        }
        let (seen, deck_sizes) = self.read(json, Some(observer))?;
        Ok(View { observer: observer as u8, deck_sizes, seen })
    }

    fn read(&self, json: &Value, observer: Option<usize>) -> Read<(State, [u8; 2])> {
        let root = Node::root(json);
        root.object(&KEYS)?;
        let mut state = self.starting_state();
        let Ok(phase) = serde_json::from_value(root.key("phase").value.clone()) else {
            return root.key("phase").wrong("the kind of the node ahead, e.g. play");
        };
        state.phase = phase;
        state.round = root.key("round").byte(3)?;
        state.start_player = root.key("start_player").byte(self.players - 1)?;
        state.turns_played = root.key("turns_played").byte(usize::from(self.round_turns()))?;
        state.changes = root.key("changes").byte(CITIES)?;
        state.actor = self.read_turn(&root.key("turn"), &state)?;
        let prosperity = root.key("prosperity");
        prosperity.object(&self.components.cities.each_ref().map(String::as_str))?;
        let board = root.key("board");
        board.object(&self.components.cities.each_ref().map(String::as_str))?;
        for (city, name) in self.components.cities.iter().enumerate() {
            state.levels[city] = prosperity.key(name).byte(self.components.track.len() - 1)?;
            self.read_row(&board.key(name), &mut state, city)?;
        }
        let mut deck_sizes = [0; 2];
        for (kind, key) in ["normal_deck", "luxury_deck"].into_iter().enumerate() {
            if observer.is_some() {
                deck_sizes[kind] = root.key(key).byte(self.components.cards.len())?;
                state.decks[kind] = 0;
            } else {
                state.decks[kind] = self.read_card_set(&root.key(key))?;
            }
        }
        state.bag = self.read_counts(&root.key("bag"))?;
        state.removed_cards = self.read_card_set(&root.key("removed_cards"))?;
        state.removed_pieces = self.read_counts(&root.key("removed_pieces"))?;
        let seats = root.key("players").items(MAX_TABLE)?;
        if seats.len() != self.players {
            return Err(FormatError::new(
                "players",
                format!("has {} players, must have {}", seats.len(), self.players),
            ));
        }
        for (player, node) in seats.iter().enumerate() {
            let open = observer.is_none_or(|observer| observer == player);
            state.seats[player] = self.read_seat(node, &state, open)?;
        }
        self.complete(&mut state);
        // Everybody puts two cards back at the same time; a view says of the others only that they did.
        let choosing =
            matches!(state.phase, Phase::Lay | Phase::Draw | Phase::Deal | Phase::Keep) && self.is_set_up(&state);
        if let (Some(observer), false) = (observer, choosing) {
            for other in (0..self.players).filter(|&other| other != observer) {
                state.seats[other].returned = HIDDEN_RETURN;
            }
        }
        Ok((state, deck_sizes))
    }

    fn read_turn(&self, node: &Node<'_>, state: &State) -> Read<u8> {
        let expected = match state.phase {
            Phase::Lay | Phase::Draw | Phase::Deal => "chance",
            Phase::Over => "over",
            _ => return node.byte(self.players - 1),
        };
        node.one_of(&[expected]).map(|_| state.start_player)
    }

    fn read_row(&self, node: &Node<'_>, state: &mut State, city: usize) -> Read<()> {
        state.rows[city] = [NO_CARD; MAX_SPACES];
        let spaces = node.items(usize::from(self.components.spaces))?;
        state.row_lengths[city] = spaces.len() as u8;
        for (place, space) in spaces.iter().enumerate() {
            space.object(&["card", "piece"])?;
            state.rows[city][place] = self.read_card(&space.key("card"))?;
            let piece = space.key("piece");
            state.row_pieces[city][place] = if piece.value.is_null() {
                NO_PIECE
            } else {
                piece.one_of(&self.components.colors.each_ref().map(String::as_str))? as u8
            };
        }
        Ok(())
    }

    fn read_card(&self, node: &Node<'_>) -> Read<Card> {
        let Some(code) = node.value.as_str() else { return node.wrong("the code of a card") };
        self.card(code).map_err(|problem| FormatError::new(node.path.clone(), problem.message))
    }

    fn read_cards(&self, node: &Node<'_>, most: usize) -> Read<Vec<Card>> {
        node.items(most)?.iter().map(|item| self.read_card(item)).collect()
    }

    fn read_card_set(&self, node: &Node<'_>) -> Read<u64> {
        let cards = self.read_cards(node, self.components.cards.len())?;
        let set = cards.iter().fold(0u64, |set, &card| set | 1 << card);
        if set.count_ones() as usize == cards.len() { Ok(set) } else { node.wrong("cards without repetition") }
    }

    fn read_counts(&self, node: &Node<'_>) -> Read<[u8; CITIES]> {
        node.object(&self.components.colors.each_ref().map(String::as_str))?;
        let mut counts = [0; CITIES];
        for (color, name) in self.components.colors.iter().enumerate() {
            counts[color] = node.key(name).byte(usize::from(self.components.bag))?;
        }
        Ok(counts)
    }

    fn read_seat(&self, node: &Node<'_>, state: &State, open: bool) -> Read<Seat> {
        node.object(&SEAT_KEYS)?;
        let mut seat = Seat { profit: node.key("profit").number(u16::MAX)?, ..Seat::EMPTY };
        seat.pieces = self.read_counts(&node.key("pieces"))?;
        let hand = node.key("hand");
        if open {
            for (place, card) in seat.hand.iter_mut().zip(self.read_cards(&hand, 4)?) {
                *place = card;
            }
            let returned = node.key("returned");
            let cards = self.read_cards(&returned, 2)?;
            match cards[..] {
                [] => {}
                [first, second] => seat.returned = [first.min(second), first.max(second)],
                _ => return returned.wrong("two cards, or none before they are put back"),
            }
        } else {
            hand.object(&BACKS)?;
            let counts = [hand.key(BACKS[0]).byte(4)?, hand.key(BACKS[1]).byte(4)?];
            if counts[0] + counts[1] > 4 {
                return hand.wrong("at most four cards");
            }
            let backs = (0..2).flat_map(|back| std::iter::repeat_n(HIDDEN[back], counts[back] as usize));
            for (place, back) in seat.hand.iter_mut().zip(backs) {
                *place = back;
            }
            for key in ["returned", "choice"] {
                if !node.key(key).value.is_null() {
                    return node.key(key).wrong("null: another player's is never seen");
                }
            }
        }
        seat.hand.sort_unstable();
        for placement in node.key("kontor").items(MAX_KONTOR)? {
            seat.kontor[seat.placed as usize] = self.read_placement(&placement)?;
            seat.placed += 1;
        }
        let choice = node.key("choice");
        if let Some(text) = choice.value.as_str() {
            let action = self.parse_action(text);
            let action = action.map_err(|problem| FormatError::new(choice.path.clone(), problem.message))?;
            seat.choice = Self::choice_code(action);
            // The code of a choice depends on the phase; another kind of action would be read as something else.
            let mut probe = *state;
            probe.seats[0].choice = seat.choice;
            if seat.choice == NO_CHOICE || Self::pending(&probe, 0) != Some(action) {
                return choice.wrong("a choice of this phase");
            }
        } else if !choice.value.is_null() {
            return choice.wrong("null or the notation of an action");
        }
        Ok(seat)
    }

    fn read_placement(&self, node: &Node<'_>) -> Read<Placement> {
        node.object(&["card", "back", "face", "took"])?;
        let back = node.key("back").one_of(&BACKS)?;
        let down = node.key("face").one_of(&["up", "down"])? == 1;
        let card = node.key("card");
        let card = if card.value.is_null() { HIDDEN[back] } else { self.read_card(&card)? };
        if card < HIDDEN[0] && self.kind(card) != back {
            return node.key("back").wrong(BACKS[self.kind(card)]);
        }
        let took = node.key("took");
        let took = if took.value.is_null() { NO_CARD } else { self.read_card(&took)? };
        Ok(Placement { took, ..Placement::new(card, down) })
    }

    /// What the canonical state leaves out because it follows: the cards still to lay, and, as far as it follows, which
    /// cards were laid at set-up.
    pub(super) fn complete(&self, state: &mut State) {
        let on_board =
            state.rows.iter().flatten().filter(|&&card| card < HIDDEN[0]).fold(0u64, |set, &card| set | 1 << card);
        let turns = usize::from(self.components.turns);
        let taken_first = state.seats[..self.players].iter().flat_map(|seat| seat.placements().iter().take(turns));
        let mut laid_first =
            taken_first.filter(|placement| placement.took != NO_CARD).fold(0, |set, p| set | 1 << p.took);
        let refilling = matches!(state.phase, Phase::Lay | Phase::Draw | Phase::Start) && !self.is_set_up(state);
        if state.round == 1 && !refilling {
            laid_first |= on_board;
        }
        state.laid_first.0 = laid_first;
        state.to_lay = [0; 2];
        if state.phase == Phase::Lay {
            let plan = if self.is_set_up(state) { self.components.setup } else { self.components.refill };
            let full = CITIES as u8 * self.components.spaces;
            let missing = full - state.row_lengths.iter().sum::<u8>();
            let planned: u8 = plan.iter().sum();
            // The luxury cards without a piece are the ones laid in this phase.
            let bare = (0..CITIES)
                .flat_map(|row| (0..state.row_lengths[row] as usize).map(move |place| (row, place)))
                .filter(|&(row, place)| {
                    state.row_pieces[row][place] == NO_PIECE && self.luxury >> state.rows[row][place] & 1 == 1
                })
                .count() as u8;
            let laid = planned.saturating_sub(missing);
            let normal = plan[0].saturating_sub(laid.saturating_sub(bare));
            state.to_lay = [normal, missing.saturating_sub(normal)];
        }
    }
}
