//! How a game is played on to its end.

use super::SearchError;
use crate::core::{Ending, Game, Judge, PerPlayer, Rng, Turn};

/// Who decides in a playout.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Playout {
    /// Every legal action with the same probability.
    #[default]
    Random,
    /// The action that the game's judgement prefers, ties at random; with probability `epsilon` any legal action.
    Heuristic {
        /// The share of random decisions, from 0 to 1.
        epsilon: f64,
    },
}

/// How playouts are played, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Policy {
    /// Who decides.
    pub playout: Playout,
    /// Stop after this many decisions and take the scores that the position promises; `None` plays to the end. 0 judges
    /// the position as it is.
    pub cutoff: Option<u32>,
}

impl Policy {
    /// # Errors
    /// A share of random decisions outside 0 to 1.
    pub(super) fn check(&self) -> Result<(), SearchError> {
        match self.playout {
            Playout::Heuristic { epsilon } if !(0.0..=1.0).contains(&epsilon) => {
                Err(SearchError::setting("epsilon", format!("{epsilon} is no share; give a number from 0 to 1")))
            }
            Playout::Random | Playout::Heuristic { .. } => Ok(()),
        }
    }
}

/// What a playout came to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outcome {
    /// The game ended.
    Ended(Ending),
    /// The playout was cut off.
    Cut {
        /// The scores that the position promises.
        scores: PerPlayer<f32>,
        /// Decisions taken until then.
        decisions: u32,
    },
}

/// Plays games on; keeps the list that it needs, so that a warm playout allocates nothing.
#[derive(Debug)]
pub(super) struct Roller<G: Game> {
    policy: Policy,
    menu: Menu<G>,
}

/// The legal actions of a position and how much they are preferred: lists that are used again and again.
#[derive(Debug)]
pub(super) struct Menu<G: Game> {
    legal: Vec<G::Action>,
    preferences: Vec<f32>,
}

impl<G: Game> Default for Menu<G> {
    fn default() -> Self {
        Self { legal: Vec::new(), preferences: Vec::new() }
    }
}

impl<G: Judge> Roller<G> {
    pub(super) fn new(policy: Policy) -> Self {
        Self { policy, menu: Menu::default() }
    }

    /// Plays on from a position.
    #[inline]
    pub(super) fn roll(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Outcome {
        match self.policy {
            Policy { playout: Playout::Random, cutoff: None } => Outcome::Ended(game.playout(state, rng)),
            Policy { playout, cutoff } => self.step_by_step(game, state, playout, cutoff.unwrap_or(u32::MAX), rng),
        }
    }

    #[inline(never)]
    fn step_by_step(&mut self, game: &G, state: &G::State, playout: Playout, most: u32, rng: &mut Rng) -> Outcome {
        let mut state = *state;
        let mut decisions = 0;
        loop {
            match game.turn(&state) {
                Turn::Over => {
                    let (scores, ranks) = (game.scores(&state), game.ranks(&state));
                    return Outcome::Ended(Ending { scores, ranks, decisions });
                }
                _ if decisions >= most => {
                    return Outcome::Cut { scores: game.estimate(&state), decisions };
                }
                Turn::Chance => {
                    let outcome = game.random_chance(&state, rng);
                    game.resolve(&mut state, outcome);
                }
                Turn::Act(_) => {
                    let action = match playout {
                        Playout::Heuristic { epsilon } if rng.unit() >= epsilon => {
                            preferred(game, &state, &mut self.menu, rng)
                        }
                        Playout::Random | Playout::Heuristic { .. } => game.random_action(&state, rng),
                    };
                    game.apply(&mut state, action);
                    decisions += 1;
                }
            }
        }
    }
}

/// The legal action that the player to move prefers, ties at random. The position is one where a player decides.
pub(super) fn preferred<G: Judge>(game: &G, state: &G::State, menu: &mut Menu<G>, rng: &mut Rng) -> G::Action {
    let Menu { legal, preferences } = menu;
    legal.clear();
    game.legal_actions(state, legal);
    if legal.len() == 1 {
        return legal[0];
    }
    preferences.clear();
    game.preferences(state, legal, preferences);
    let mut best = 0;
    let mut equal = 1;
    for place in 1..legal.len() {
        if preferences[place] > preferences[best] {
            (best, equal) = (place, 1);
        } else if preferences[place] == preferences[best] {
            equal += 1;
            if rng.below(equal) == 0 {
                best = place;
            }
        }
    }
    legal[best]
}
