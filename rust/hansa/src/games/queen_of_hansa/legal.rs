//! What may be done now, and which rule forbids the rest.

use super::Queen;
use super::action::{Action, Card, Chance, Face};
use super::state::{CITIES, NO_CARD, Phase, State};
use crate::core::parts::bits;
use crate::core::{IllegalMove, Rng};

impl Queen {
    pub(super) fn list_actions(&self, state: &State, out: &mut Vec<Action>) {
        let seat = &state.seats[state.actor as usize];
        match state.phase {
            Phase::Lay | Phase::Draw | Phase::Deal | Phase::Over => {}
            Phase::Keep => {
                let hand = seat.hand;
                out.extend(PAIRS.map(|(first, second)| Action::Keep(hand[first], hand[second])));
            }
            Phase::Play | Phase::Extra => {
                for &card in seat.hand_cards() {
                    out.extend([Action::Play(card, Face::Up), Action::Play(card, Face::Down)]);
                }
            }
            Phase::Marker => {
                let (can_raise, can_lower) = self.marker_moves(state);
                out.extend(bits::ones(can_raise).map(Action::Raise));
                out.extend(bits::ones(can_lower).map(Action::Lower));
            }
            Phase::Take => out.extend(bits::ones(self.takable(state)).map(Action::Take)),
            Phase::Store => {
                let kept = self.stored_count(state, state.actor);
                for_each_store(seat.pieces, kept, |pieces| out.push(Action::Store(pieces)));
            }
            Phase::Start => out.extend((0..self.players as u8).map(Action::Start)),
        }
    }

    /// Cities whose marker can go right, and left (spec 4.2: never off the track).
    fn marker_moves(&self, state: &State) -> (u64, u64) {
        let end = self.components.track.len() as u8 - 1;
        let mask =
            |can: &dyn Fn(u8) -> bool| (0..CITIES).map(|city| u64::from(can(state.levels[city])) << city).sum::<u64>();
        (mask(&|level| level < end), mask(&|level| level > 0))
    }

    /// The card played on the running turn and whether it lies face up.
    fn played(&self, state: &State) -> (Card, bool) {
        let last = state.seats[state.actor as usize].placements().last();
        last.map_or((NO_CARD, false), |placement| (placement.card(), !placement.is_down()))
    }

    /// The row that a face-up play takes from, unless it is empty (spec 4.3).
    fn bound_row(&self, state: &State) -> Option<usize> {
        let (card, up) = self.played(state);
        let city = self.components.cards[card as usize].city as usize;
        (up && state.row_lengths[city] > 0).then_some(city)
    }

    /// The cards that may be taken (spec 4.3).
    fn takable(&self, state: &State) -> u64 {
        let rows = self.bound_row(state).map_or(0..CITIES, |city| city..city + 1);
        let mut cards = 0;
        for row in rows {
            for place in 0..2.min(state.row_lengths[row] as usize) {
                cards |= 1 << state.rows[row][place];
            }
        }
        cards
    }

    /// The pieces that a player keeps: face-up ships, or all with fewer pieces (spec 6.1).
    pub(super) fn stored_count(&self, state: &State, player: u8) -> u8 {
        let seat = &state.seats[player as usize];
        let ships = seat
            .placements()
            .iter()
            .filter(|placement| !placement.is_down() && self.components.cards[placement.card() as usize].ship)
            .count() as u8;
        ships.min(seat.piece_count())
    }

    pub(super) fn forbidden(&self, state: &State, action: Action) -> Result<(), IllegalMove> {
        let no = |rule, reason: String| Err(IllegalMove::new(rule, reason));
        let code = |card: Card| self.code(card);
        let seat = &state.seats[state.actor as usize];
        match (state.phase, action) {
            (Phase::Play | Phase::Extra, Action::Play(card, _)) => {
                if seat.holds(card) {
                    return Ok(());
                }
                no(
                    "spec 4.1: lay one of your hand cards",
                    format!("{} is not in the hand of player {}", code(card), state.actor),
                )
            }
            (Phase::Marker, Action::Raise(city) | Action::Lower(city)) => {
                let (can_raise, can_lower) = self.marker_moves(state);
                let (mask, end) =
                    if matches!(action, Action::Raise(_)) { (can_raise, "right") } else { (can_lower, "left") };
                if mask >> city & 1 == 1 {
                    return Ok(());
                }
                no(
                    "spec 4.2: a move off the track is illegal",
                    format!("the marker of {} is at the {end} end", self.components.cities[city as usize]),
                )
            }
            (Phase::Take, Action::Take(card)) => {
                if self.takable(state) >> card & 1 == 1 {
                    return Ok(());
                }
                match (state.in_harbor(card), self.bound_row(state)) {
                    (Some(_), Some(city)) => no(
                        "spec 4.3: a face-up play takes from the harbor of its city",
                        format!("{} does not lie in the harbor of {}", code(card), self.components.cities[city]),
                    ),
                    _ => no("spec 4.3: take a card from a harbor", format!("{} does not lie in a harbor", code(card))),
                }
            }
            (Phase::Keep, Action::Keep(first, second)) => {
                if first >= second {
                    return no(
                        "spec 2.6: keep two of the four cards dealt",
                        format!("{} and {} are no pair", code(first), code(second)),
                    );
                }
                for card in [first, second] {
                    if !seat.holds(card) {
                        return no(
                            "spec 2.6: keep two of the four cards dealt",
                            format!("{} was not dealt to player {}", code(card), state.actor),
                        );
                    }
                }
                Ok(())
            }
            (Phase::Store, Action::Store(pieces)) => {
                let kept = self.stored_count(state, state.actor);
                let count: u32 = pieces.iter().map(|&count| u32::from(count)).sum();
                if count != u32::from(kept) {
                    return no(
                        "spec 6.1: keep exactly as many pieces as face-up ships allow",
                        format!("player {} keeps {kept} pieces, not {count}", state.actor),
                    );
                }
                for color in 0..CITIES {
                    if pieces[color] > seat.pieces[color] {
                        return no(
                            "spec 6.1: keep own pieces",
                            format!(
                                "player {} has {} {} pieces, not {}",
                                state.actor, seat.pieces[color], self.components.colors[color], pieces[color]
                            ),
                        );
                    }
                }
                Ok(())
            }
            (Phase::Start, Action::Start(player)) => {
                if usize::from(player) < self.players {
                    return Ok(());
                }
                no("spec 6.5: name a player", format!("there is no player {player} at a table of {}", self.players))
            }
            (phase, _) => no(
                "spec 3: every node asks for one kind of move",
                format!(
                    "{}, {}",
                    match action {
                        Action::Play(..) => "a card is played on a turn or as the extra placement",
                        Action::Raise(_) | Action::Lower(_) => "a marker is moved after a face-down play only",
                        Action::Take(_) => "a card is taken after a play",
                        Action::Start(_) => "the start player is named after the refill",
                        Action::Keep(..) => "cards are kept at the beginning only",
                        Action::Store(_) => "pieces are stored after scoring rounds 1 and 2 of the published game",
                    },
                    expected(phase)
                ),
            ),
        }
    }

    pub(super) fn list_outcomes(&self, state: &State, out: &mut Vec<(Chance, u32)>) {
        match state.phase {
            Phase::Lay => {
                let weights = lay_weights(state);
                for card in bits::ones(state.decks[0] | state.decks[1]) {
                    let weight = weights[self.kind(card)];
                    if weight > 0 {
                        out.push((Chance::Lay(card), weight));
                    }
                }
            }
            Phase::Draw => {
                for color in 0..CITIES as u8 {
                    let left = state.bag[color as usize];
                    if left > 0 {
                        out.push((Chance::Draw(color), u32::from(left)));
                    }
                }
            }
            Phase::Deal => {
                let player = self.receiver(state);
                out.extend(bits::ones(state.decks[self.hand_kind]).map(|card| (Chance::Deal(player, card), 1)));
            }
            Phase::Keep
            | Phase::Play
            | Phase::Marker
            | Phase::Take
            | Phase::Extra
            | Phase::Store
            | Phase::Start
            | Phase::Over => {}
        }
    }

    /// The player who is dealt the next card (spec 9).
    pub(super) fn receiver(&self, state: &State) -> u8 {
        (0..self.players).find(|&player| state.seats[player].hand[3] == NO_CARD).unwrap_or(0) as u8
    }

    pub(super) fn impossible(&self, state: &State, outcome: Chance) -> Result<(), IllegalMove> {
        let no = |rule, reason: String| Err(IllegalMove::new(rule, reason));
        match (state.phase, outcome) {
            (Phase::Lay, Chance::Lay(card)) => {
                let kind = self.kind(card);
                if state.decks[kind] >> card & 1 == 0 {
                    return no("spec 9: lay a card of the decks", format!("{} is in neither deck", self.code(card)));
                }
                if state.to_lay[kind] == 0 {
                    let name = ["normal", "luxury"][kind];
                    return no(
                        "spec 9: the mixture has fixed numbers of normal and luxury cards",
                        format!("no further {name} card is laid now, and {} is one", self.code(card)),
                    );
                }
                Ok(())
            }
            (Phase::Draw, Chance::Draw(color)) => {
                if state.bag[color as usize] > 0 {
                    return Ok(());
                }
                no(
                    "spec 2.4: draw a piece from the bag",
                    format!("the bag has no {} piece", self.components.colors[color as usize]),
                )
            }
            (Phase::Deal, Chance::Deal(player, card)) => {
                let receiver = self.receiver(state);
                if player != receiver {
                    return no(
                        "spec 9: player 0 is dealt four cards, then player 1, ...",
                        format!("the next card goes to player {receiver}, not {player}"),
                    );
                }
                if state.decks[self.hand_kind] >> card & 1 == 0 {
                    return no(
                        "spec 2.5: deal from the deck of the hands",
                        format!("{} is not in that deck", self.code(card)),
                    );
                }
                Ok(())
            }
            (phase, _) => no(
                "spec 3: every node asks for one kind of move",
                format!("chance answers otherwise here, {}", expected(phase)),
            ),
        }
    }

    /// A legal action, uniformly, without a list.
    pub(super) fn pick_action(&self, state: &State, rng: &mut Rng) -> Action {
        let seat = &state.seats[state.actor as usize];
        match state.phase {
            Phase::Keep => {
                let (first, second) = PAIRS[rng.below(6) as usize];
                Action::Keep(seat.hand[first], seat.hand[second])
            }
            Phase::Play | Phase::Extra => {
                let choice = rng.below(2 * seat.hand_size() as u32);
                Action::Play(seat.hand[choice as usize / 2], if choice & 1 == 0 { Face::Up } else { Face::Down })
            }
            Phase::Marker => {
                let (can_raise, can_lower) = self.marker_moves(state);
                let moves = can_raise | can_lower << CITIES;
                let chosen = bits::nth(moves, rng.below(moves.count_ones())) as u8;
                if chosen < CITIES as u8 { Action::Raise(chosen) } else { Action::Lower(chosen - CITIES as u8) }
            }
            Phase::Take => {
                let cards = self.takable(state);
                Action::Take(bits::nth(cards, rng.below(cards.count_ones())) as u8)
            }
            Phase::Store => {
                let kept = self.stored_count(state, state.actor);
                Action::Store(nth_store(seat.pieces, kept, rng.below(count_stores(seat.pieces, kept))))
            }
            Phase::Start => Action::Start(rng.below(self.players as u32) as u8),
            Phase::Lay | Phase::Draw | Phase::Deal | Phase::Over => unreachable!("a player is to decide"),
        }
    }

    /// A chance outcome by weight, without a list.
    pub(super) fn pick_outcome(&self, state: &State, rng: &mut Rng) -> Chance {
        match state.phase {
            Phase::Lay => {
                // The kind by its share of the cards still to lay, then any card of that deck alike (spec 9).
                let [normal, luxury] = state.to_lay.map(u32::from);
                let deck = state.decks[usize::from(rng.below(normal + luxury) >= normal)];
                Chance::Lay(bits::nth(deck, rng.below(deck.count_ones())) as u8)
            }
            Phase::Draw => {
                let mut left = rng.below(state.bag.iter().map(|&count| u32::from(count)).sum());
                let color = state.bag.iter().position(|&count| {
                    let here = left < u32::from(count);
                    left = left.wrapping_sub(u32::from(count));
                    here
                });
                Chance::Draw(color.unwrap_or(0) as u8)
            }
            Phase::Deal => {
                let deck = state.decks[self.hand_kind];
                Chance::Deal(self.receiver(state), bits::nth(deck, rng.below(deck.count_ones())) as u8)
            }
            Phase::Keep
            | Phase::Play
            | Phase::Marker
            | Phase::Take
            | Phase::Extra
            | Phase::Store
            | Phase::Start
            | Phase::Over => unreachable!("chance is to answer"),
        }
    }
}

/// The two of four that a choice keeps, in index order.
pub(super) const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

fn expected(phase: Phase) -> &'static str {
    match phase {
        Phase::Lay => "a card is to be laid",
        Phase::Draw => "a piece is to be drawn",
        Phase::Deal => "a card is to be dealt",
        Phase::Keep => "two of the dealt cards are to be kept",
        Phase::Play => "a card is to be played",
        Phase::Marker => "a prosperity marker is to be moved",
        Phase::Take => "a card is to be taken",
        Phase::Extra => "the extra placement is to be made",
        Phase::Store => "pieces are to be stored",
        Phase::Start => "the start player is to be named",
        Phase::Over => "the game is over",
    }
}

/// Weights of a normal and of a luxury card at a lay node (spec 9).
fn lay_weights(state: &State) -> [u32; 2] {
    let size = |kind: usize| state.decks[kind].count_ones().max(1);
    let normal = u32::from(state.to_lay[0]) * size(1);
    let luxury = u32::from(state.to_lay[1]) * size(0);
    let divisor = greatest_common_divisor(normal, luxury).max(1);
    [normal / divisor, luxury / divisor]
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Calls `each` with every choice of `kept` pieces, in index order.
fn for_each_store(owned: [u8; 4], kept: u8, mut each: impl FnMut([u8; 4])) {
    for red in 0..=owned[0].min(kept) {
        for blue in 0..=owned[1].min(kept - red) {
            let left = kept - red - blue;
            for yellow in left.saturating_sub(owned[3])..=owned[2].min(left) {
                each([red, blue, yellow, left - yellow]);
            }
        }
    }
}

/// How many choices of `kept` pieces there are.
pub(super) fn count_stores(owned: [u8; 4], kept: u8) -> u32 {
    let mut count = 0;
    for red in 0..=owned[0].min(kept) {
        for blue in 0..=owned[1].min(kept - red) {
            count += last_two(owned, kept - red - blue);
        }
    }
    count
}

/// The choice of a number below [`count_stores`], in index order.
pub(super) fn nth_store(owned: [u8; 4], kept: u8, mut n: u32) -> [u8; 4] {
    for red in 0..=owned[0].min(kept) {
        for blue in 0..=owned[1].min(kept - red) {
            let left = kept - red - blue;
            let here = last_two(owned, left);
            if n < here {
                let yellow = left.saturating_sub(owned[3]) + n as u8;
                return [red, blue, yellow, left - yellow];
            }
            n -= here;
        }
    }
    unreachable!("the number is below the count")
}

/// Ways to keep `left` yellow and black pieces.
fn last_two(owned: [u8; 4], left: u8) -> u32 {
    (u32::from(owned[2].min(left)) + 1).saturating_sub(u32::from(left.saturating_sub(owned[3])))
}
