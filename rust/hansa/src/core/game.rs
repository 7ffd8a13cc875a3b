//! The contract of a game: rules as pure functions of a small state.

use std::fmt::Debug;
use std::hash::Hash;

use super::{PerPlayer, Player, Rng};

/// Who must answer next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Turn {
    /// This player decides.
    Act(Player),
    /// Chance answers.
    Chance,
    /// The game is over.
    Over,
}

/// A move that the rules forbid here: which rule, and what it says about this move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    /// Where the rule stands, e.g. `spec 4.3`.
    pub rule: &'static str,
    /// What the rule forbids about this move.
    pub reason: String,
}

impl IllegalMove {
    /// A refusal under `rule`.
    pub fn new(rule: &'static str, reason: impl Into<String>) -> Self {
        Self { rule, reason: reason.into() }
    }
}

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ({})", self.reason, self.rule)
    }
}

impl std::error::Error for IllegalMove {}

/// How a playout ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The game's own points.
    pub scores: PerPlayer<i32>,
    /// For each player the number of players strictly ahead.
    pub ranks: PerPlayer<u8>,
    /// Decisions taken by players, forced ones included; chance is not counted.
    pub decisions: u32,
}

/// The loaded rules of one game at one table size: immutable, shared, without randomness of its own.
///
/// A state is a pure function of the moves since [`start`](Game::start). Chance is explicit. A bot sees a
/// [`View`](Game::View) only; [`belief`](Game::belief) and [`determinize`](Game::determinize) turn it into full states
/// that agree with it.
pub trait Game: Send + Sync + Sized + 'static {
    /// The whole truth: plain data without heap.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// What a player decides.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;
    /// What chance answers.
    type Chance: Copy + Eq + Hash + Debug + Send + Sync;
    /// What one player knows; physically lacks what this player cannot know.
    type View: Clone + Eq + Hash + Debug + Send + Sync;
    /// A view made ready for drawing many full states from it.
    type Belief: Clone + Debug + Send + Sync;

    /// Players at the table.
    fn players(&self) -> usize;
    /// The position before any chance.
    fn start(&self) -> Self::State;
    /// Who must answer next.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal actions in index order; nothing unless a player is to decide.
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);
    /// Why `action` is illegal here, if it is: true exactly for what [`legal_actions`](Game::legal_actions) leaves out.
    ///
    /// # Errors
    /// The rule that forbids the action.
    fn check_action(&self, state: &Self::State, action: Self::Action) -> Result<(), IllegalMove>;
    /// Takes the action. Trusts the caller: the action is legal.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Appends the possible outcomes with their weights, in index order; nothing unless chance is to answer.
    fn chance_outcomes(&self, state: &Self::State, out: &mut Vec<(Self::Chance, u32)>);
    /// Why `outcome` cannot happen here, if it cannot.
    ///
    /// # Errors
    /// The rule that forbids the outcome.
    fn check_chance(&self, state: &Self::State, outcome: Self::Chance) -> Result<(), IllegalMove>;
    /// Lets chance answer. Trusts the caller: the outcome is possible.
    fn resolve(&self, state: &mut Self::State, outcome: Self::Chance);

    /// What `player` knows.
    fn view(&self, state: &Self::State, player: Player) -> Self::View;
    /// Whose view it is.
    fn observer(&self, view: &Self::View) -> Player;
    /// Prepares a view for [`determinize`](Game::determinize).
    fn belief(&self, view: &Self::View) -> Self::Belief;
    /// Draws one full state that agrees with the view, with the exact weight that the rules give it.
    fn determinize(&self, belief: &Self::Belief, rng: &mut Rng) -> Self::State;

    /// Points so far; final when the game is over.
    fn scores(&self, state: &Self::State) -> PerPlayer<i32>;
    /// For each player the number of players strictly ahead after all tie-breaks, as things stand.
    fn ranks(&self, state: &Self::State) -> PerPlayer<u8>;

    /// Counts that no move changes, by name (law 7).
    fn census(&self, state: &Self::State) -> Vec<(&'static str, u32)>;
    /// No game has more moves than this, chance included.
    fn longest_game(&self) -> usize;

    /// One legal action, uniformly. Overridden for speed.
    fn random_action(&self, state: &Self::State, rng: &mut Rng) -> Self::Action {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions[rng.below(actions.len() as u32) as usize]
    }

    /// One chance outcome by weight. Overridden for speed.
    fn random_chance(&self, state: &Self::State, rng: &mut Rng) -> Self::Chance {
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        let total = outcomes.iter().map(|&(_, weight)| weight).sum();
        let mut left = rng.below(total);
        for (outcome, weight) in outcomes {
            if left < weight {
                return outcome;
            }
            left -= weight;
        }
        unreachable!("the weights add up to the total")
    }

    /// Plays on to the end, uniformly at every decision. Overridden for speed; the distribution stays the same.
    fn playout(&self, state: &Self::State, rng: &mut Rng) -> Ending {
        let mut state = *state;
        let mut decisions = 0;
        loop {
            match self.turn(&state) {
                Turn::Act(_) => {
                    let action = self.random_action(&state, rng);
                    self.apply(&mut state, action);
                    decisions += 1;
                }
                Turn::Chance => {
                    let outcome = self.random_chance(&state, rng);
                    self.resolve(&mut state, outcome);
                }
                Turn::Over => {
                    return Ending { scores: self.scores(&state), ranks: self.ranks(&state), decisions };
                }
            }
        }
    }

    /// Takes an action that may be illegal; then the state stays as it was. Final.
    ///
    /// # Errors
    /// The rule that forbids the action.
    fn try_apply(&self, state: &mut Self::State, action: Self::Action) -> Result<(), IllegalMove> {
        self.check_action(state, action)?;
        self.apply(state, action);
        Ok(())
    }

    /// Resolves a chance outcome that may be impossible; then the state stays as it was. Final.
    ///
    /// # Errors
    /// The rule that forbids the outcome.
    fn try_resolve(&self, state: &mut Self::State, outcome: Self::Chance) -> Result<(), IllegalMove> {
        self.check_chance(state, outcome)?;
        self.resolve(state, outcome);
        Ok(())
    }
}
