//! What one player knows, and full states drawn from it.
//!
//! Takes are public, so all that is hidden of another player is: the two cards kept at the beginning, the two put back,
//! which of the two hand cards was played face down (where both backs are the same), and a pending simultaneous choice
//! (spec 8). The hand of another player is thus a *carried* card and the card last taken, and every face-down play with
//! two equal backs forks: either the one or the other was played. A later face-up play tells which card was still
//! there. Backs are public and the unknown cards all have the back of the hand deck, so every history that agrees with
//! what was seen is equally likely (only a pending choice of pieces weighs each piece alike), and [`Queen::imagine`]
//! draws uniformly among them: first the unknown cards, uniformly among the cards not seen elsewhere; then, player by
//! player, a way through the forks, each step weighted by the number of ways that lead on from it to what was seen later.

use serde::{Deserialize, Serialize};

use super::action::Card;
use super::state::{HIDDEN, MAX_KONTOR, NO_CARD, NO_CHOICE, Phase, Placement, Seat, State};
use super::{Action, Queen};
use crate::core::parts::bits;
use crate::core::{Player, Rng};

/// What one player knows: a position in which everything hidden is gone.
///
/// The decks are numbers, hidden cards of the others are their backs, the cards they put back and their pending choices
/// are absent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct View {
    pub(super) observer: u8,
    /// Cards in the normal and in the luxury deck.
    pub(super) deck_sizes: [u8; 2],
    /// The position with empty decks and [`HIDDEN`] cards.
    pub(super) seen: State,
}

impl View {
    /// Whose view it is.
    #[must_use]
    pub fn observer(&self) -> Player {
        self.observer as Player
    }
}

/// The cards that a hand is made of when another player's forks are followed: the unknown card kept from the beginning,
/// or the card taken on turn `n`.
const UNKNOWN: u8 = 0;

/// What is open about one other player.
#[derive(Debug, Clone)]
struct Opponent {
    player: usize,
    /// Cards kept at the beginning (or dealt, before the choice) that nobody else has seen.
    unknown: u8,
    /// A card kept at the beginning that a later face-up play showed.
    shown: Option<Card>,
    /// The fork at each placement: what can have been played.
    steps: Vec<Step>,
}

/// One placement after the first as the others see it.
#[derive(Debug, Clone)]
struct Step {
    /// `ways[carried]`: ways on from here, when `carried` stayed in the hand before this placement.
    ways: [u64; MAX_KONTOR + 1],
    played: Played,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Played {
    /// The card last taken: known, whether it lies face up or only its back fits.
    Taken,
    /// The carried card, when it is this one.
    Carried(u8),
    /// The carried card, whichever it is: only its back fits.
    AnyCarried,
    /// Either.
    Either,
}

/// A view made ready for drawing full states.
#[derive(Debug, Clone)]
pub struct Belief {
    observer: usize,
    /// The view with everything filled in that is certain.
    template: State,
    /// Cards that another player may have kept at the beginning.
    candidates: u64,
    /// Cards of the hand deck that may have been put back, before the kept ones of this draw are taken out.
    returnable: u64,
    opponents: Vec<Opponent>,
}

impl Belief {
    /// Whose belief it is.
    #[must_use]
    pub fn observer(&self) -> Player {
        self.observer
    }

    /// Whether any full state agrees: enough unseen cards for what is hidden, and a way through every fork.
    pub(super) fn has_room(&self) -> bool {
        let unknown: u32 = self.opponents.iter().map(|opponent| u32::from(opponent.unknown)).sum();
        let put_back = |opponent: &&Opponent| self.template.seats[opponent.player].returned[0] != NO_CARD;
        let returned = 2 * self.opponents.iter().filter(put_back).count() as u32;
        let ways = |opponent: &Opponent| opponent.steps.first().is_none_or(|step| step.ways[UNKNOWN as usize] > 0);
        self.candidates.count_ones() >= unknown
            && self.returnable.count_ones() >= unknown + returned
            && self.opponents.iter().all(ways)
    }
}

impl Queen {
    pub(super) fn look(&self, state: &State, player: Player) -> View {
        let mut seen = *state;
        seen.decks = [0; 2];
        for other in (0..self.players).filter(|&other| other != player) {
            let seat = &mut seen.seats[other];
            let size = seat.hand_size();
            let mut backs = seat.hand.map(|card| if card == NO_CARD { card } else { HIDDEN[self.kind(card)] });
            backs[..size].sort_unstable();
            seat.hand = backs;
            if seat.returned[0] != NO_CARD {
                seat.returned = HIDDEN_RETURN;
            }
            if seat.choice != NO_CHOICE {
                seat.choice = NO_CHOICE;
            }
            if state.phase != Phase::Over {
                for placement in &mut seat.kontor[..seat.placed as usize] {
                    if placement.is_down() {
                        let hidden = Placement::new(HIDDEN[self.kind(placement.card())], true);
                        *placement = Placement { took: placement.took, ..hidden };
                    }
                }
            }
        }
        let deck_sizes = state.decks.map(|deck| deck.count_ones() as u8);
        View { observer: player as u8, deck_sizes, seen }
    }

    pub(super) fn believe(&self, view: &View) -> Belief {
        let observer = view.observer as usize;
        let mut template = view.seen;
        let taken = self.taken_cards(&template);
        let visible = self.visible_cards(&template) | taken;
        let own = &template.seats[observer];
        let own_returned: u64 = real_cards(&own.returned);
        let unseen = self.in_use[self.hand_kind] & !visible;
        // The other deck holds nothing unknown: its cards are known by elimination.
        template.decks[1 - self.hand_kind] = self.in_use[1 - self.hand_kind] & !visible;
        template.decks[self.hand_kind] = unseen;
        let kept_and_shown = self.placed_cards(&template) & !taken;
        let returnable = self.in_use[self.hand_kind] & !template.laid_first.0 & !kept_and_shown & !own_returned;
        let opponents = (0..self.players)
            .filter(|&player| player != observer)
            .map(|player| self.follow(&template.seats[player], player, template.phase))
            .collect();
        Belief { observer, template, candidates: unseen & !own_returned, returnable, opponents }
    }

    /// Cards taken so far by anybody.
    pub(super) fn taken_cards(&self, state: &State) -> u64 {
        let taken = state.seats[..self.players].iter().flat_map(Seat::placements).map(|placement| placement.took);
        taken.filter(|&took| took != NO_CARD).fold(0, |cards, took| cards | 1 << took)
    }

    /// Cards in Kontors, in hands and left over, as far as they can be told.
    fn placed_cards(&self, state: &State) -> u64 {
        let seats = state.seats[..self.players].iter();
        seats.fold(state.removed_cards, |cards, seat| {
            let kontor = seat.placements().iter().map(|placement| placement.card());
            cards | real_cards(&seat.hand) | kontor.filter(|&card| card < HIDDEN[0]).fold(0, |c, card| c | 1 << card)
        })
    }

    /// Cards whose place is certain: not in a deck, not kept by another player from the beginning.
    fn visible_cards(&self, state: &State) -> u64 {
        state.rows.iter().fold(self.placed_cards(state), |cards, row| cards | real_cards(row))
    }

    /// What is open about another player, from the Kontor as it is seen.
    fn follow(&self, seat: &Seat, player: usize, phase: Phase) -> Opponent {
        let placements = seat.placements();
        if placements.is_empty() || phase == Phase::Over {
            // Before the first play the whole hand is unknown; at the end nothing is but the cards put back.
            let unknown = if phase == Phase::Over { 0 } else { seat.hand_size() as u8 };
            return Opponent { player, unknown, shown: None, steps: Vec::new() };
        }
        let label =
            |card: Card| placements.iter().position(|placement| placement.took == card).map(|turn| turn as u8 + 1);
        let mut shown = None;
        // Public: it changes only when the carried card is played and the card taken before stays.
        let mut carried_back = self.hand_kind;
        let mut steps = Vec::with_capacity(placements.len() - 1);
        for (before, placement) in placements.iter().zip(&placements[1..]) {
            let taken_back = self.kind(before.took);
            let played = if placement.is_down() {
                // A face-down play forks only where both hand cards have the back that was seen.
                let back = usize::from(placement.card() == HIDDEN[1]);
                match (carried_back == back, taken_back == back) {
                    (true, true) => Played::Either,
                    (true, false) => Played::AnyCarried,
                    (false, _) => Played::Taken,
                }
            } else if placement.card() == before.took {
                Played::Taken
            } else if let Some(carried) = label(placement.card()) {
                Played::Carried(carried)
            } else {
                shown = Some(placement.card());
                Played::Carried(UNKNOWN)
            };
            if matches!(played, Played::Carried(_) | Played::AnyCarried) {
                carried_back = taken_back;
            }
            steps.push(Step { ways: [0; MAX_KONTOR + 1], played });
        }
        // Ways on, from the last placement back to the first.
        let mut after = [1u64; MAX_KONTOR + 1];
        for turn in (1..placements.len()).rev() {
            let step = &mut steps[turn - 1];
            // The card taken on the turn before: carried on when the carried card is played.
            let swapped = after[turn];
            step.ways = std::array::from_fn(|carried| match step.played {
                Played::Taken => after[carried],
                Played::Carried(needed) if needed as usize == carried => swapped,
                Played::Carried(_) => 0,
                Played::AnyCarried => swapped,
                Played::Either => after[carried] + swapped,
            });
            after = step.ways;
        }
        let unknown = u8::from(placements[0].is_down()) + u8::from(shown.is_none());
        Opponent { player, unknown, shown, steps }
    }

    pub(super) fn imagine(&self, belief: &Belief, rng: &mut Rng) -> State {
        let mut state = belief.template;
        let mut candidates = belief.candidates;
        let mut returnable = belief.returnable;
        for opponent in &belief.opponents {
            let mut drawn = [NO_CARD; 4];
            for place in &mut drawn[..opponent.unknown as usize] {
                let bit = 1 << bits::nth(candidates, rng.below(candidates.count_ones()));
                candidates &= !bit;
                returnable &= !bit;
                state.decks[self.hand_kind] &= !bit;
                *place = bit.trailing_zeros() as Card;
            }
            self.fill_in(&mut state, opponent, drawn, rng);
        }
        for opponent in &belief.opponents {
            let seat = &mut state.seats[opponent.player];
            if seat.returned[0] != NO_CARD {
                // Any two cards of the hand deck that were there when the hands had been chosen.
                for place in &mut seat.returned {
                    let card = bits::nth(returnable, rng.below(returnable.count_ones())) as Card;
                    returnable &= !(1 << card);
                    *place = card;
                }
                seat.returned.sort_unstable();
            }
        }
        state
    }

    /// Gives a seat its unknown cards, follows its forks, and draws its pending choice.
    fn fill_in(&self, state: &mut State, opponent: &Opponent, drawn: [Card; 4], rng: &mut Rng) {
        let has_chosen = self.has_chosen(state, opponent.player);
        let seat = &mut state.seats[opponent.player];
        if seat.placed == 0 {
            let size = seat.hand_size();
            seat.hand[..size].copy_from_slice(&drawn[..size]);
            seat.hand[..size].sort_unstable();
        } else if state.phase != Phase::Over {
            let mut unknown = drawn.into_iter();
            if seat.kontor[0].is_down() {
                seat.kontor[0].card = Placement::new(unknown.next().unwrap_or(NO_CARD), true).card;
            }
            let kept = opponent.shown.or_else(|| unknown.next()).unwrap_or(NO_CARD);
            let mut carried = UNKNOWN;
            let card_of = |seat: &Seat, label: u8| {
                if label == UNKNOWN { kept } else { seat.kontor[label as usize - 1].took }
            };
            for (index, step) in opponent.steps.iter().enumerate() {
                let turn = index + 1;
                let taken = turn as u8;
                let plays_carried = match step.played {
                    Played::Taken => false,
                    Played::Carried(_) | Played::AnyCarried => true,
                    Played::Either => match opponent.steps.get(turn) {
                        Some(next) => {
                            let (stay, swap) = (next.ways[carried as usize], next.ways[taken as usize]);
                            below(rng, stay + swap) >= stay
                        }
                        None => rng.below(2) == 1,
                    },
                };
                let played = if plays_carried { carried } else { taken };
                if seat.kontor[turn].is_down() {
                    seat.kontor[turn].card = Placement::new(card_of(seat, played), true).card;
                }
                if plays_carried {
                    carried = taken;
                }
            }
            // The hand: the carried card, and the card taken last unless a placement has just used it up.
            let last = seat.kontor[seat.placed as usize - 1].took;
            let mut hand = [NO_CARD; 4];
            let size = seat.hand_size();
            if size > 0 {
                hand[0] = card_of(seat, carried);
            }
            if size > 1 {
                hand[1] = last;
            }
            hand.sort_unstable();
            seat.hand = hand;
        }
        if has_chosen {
            let seat = &state.seats[opponent.player];
            let choice = match state.phase {
                Phase::Keep => Self::keep_choice(seat, rng.below(6)),
                Phase::Extra => Self::extra_choice(seat, rng.below(4)),
                _ => {
                    let kept = self.stored_count(state, opponent.player as u8);
                    Self::choice_code(Action::Store(some_pieces(seat.pieces, kept, rng)))
                }
            };
            state.seats[opponent.player].choice = choice;
        }
    }

    /// Whether this player has answered the simultaneous question that is being put (spec 3).
    pub(super) fn has_chosen(&self, state: &State, player: usize) -> bool {
        let simultaneous = match state.phase {
            Phase::Keep | Phase::Store => true,
            Phase::Extra => !self.components.extra_in_turn,
            _ => false,
        };
        let seat = |player: usize| (player + self.players - state.start_player as usize) % self.players;
        simultaneous && seat(player) < seat(state.actor as usize)
    }
}

/// Two returned cards of somebody else.
pub(super) const HIDDEN_RETURN: [Card; 2] = [HIDDEN[0], HIDDEN[0]];

/// The cards among places that hold a card which can be told.
fn real_cards(places: &[Card]) -> u64 {
    places.iter().filter(|&&card| card < HIDDEN[0]).fold(0, |cards, &card| cards | 1 << card)
}

/// So many of these pieces, each piece as likely as every other (conventions "Determinization").
fn some_pieces(mut owned: [u8; 4], count: u8, rng: &mut Rng) -> [u8; 4] {
    let mut kept = [0; 4];
    for _ in 0..count {
        let mut left = rng.below(owned.iter().map(|&pieces| u32::from(pieces)).sum());
        for color in 0..4 {
            if left < u32::from(owned[color]) {
                owned[color] -= 1;
                kept[color] += 1;
                break;
            }
            left -= u32::from(owned[color]);
        }
    }
    kept
}

/// Uniform below a bound that a long game's ways can reach.
fn below(rng: &mut Rng, bound: u64) -> u64 {
    match u32::try_from(bound) {
        Ok(bound) => u64::from(rng.below(bound)),
        Err(_) => ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64,
    }
}
