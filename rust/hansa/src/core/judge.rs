//! What a decent player would think of a position: heuristic policies and greedy bots are made from it.

use super::{Game, PerPlayer};

/// A cheap judgement of actions and positions, part of every game.
pub trait Judge: Game {
    /// How good `action` looks to the player to move, in points of the game, from what this player knows: equal for all
    /// states that this player cannot tell apart. The action is legal.
    fn preference(&self, state: &Self::State, action: Self::Action) -> f32;

    /// Appends the [`preference`](Judge::preference) of each of these actions of one position. Overridden where they share
    /// work.
    fn preferences(&self, state: &Self::State, actions: &[Self::Action], out: &mut Vec<f32>) {
        out.extend(actions.iter().map(|&action| self.preference(state, action)));
    }

    /// The scores that the position promises: points so far and what is already as good as earned. Used where a playout
    /// is cut off.
    fn estimate(&self, state: &Self::State) -> PerPlayer<f32>;
}
