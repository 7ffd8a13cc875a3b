//! What a search found.

use std::time::Duration;

use crate::core::PerPlayer;

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// All simulations were done.
    Simulations,
    /// The time was up.
    Seconds,
    /// The poll asked to stop; the report covers what was done until then.
    Interrupted,
}

/// One legal action of the root.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionReport<A> {
    /// The action.
    pub action: A,
    /// Simulations that began with it.
    pub visits: u64,
    /// Simulations in which it could have been chosen.
    pub availability: u64,
    /// Mean utility of each player, in `[0, 1]`; `None` if the action was never taken.
    pub values: Option<PerPlayer<f64>>,
    /// The share that it starts from: PUCT's prior, equal shares with UCB1. The shares of all actions add up to 1.
    pub prior: f64,
}

/// What a search found. All trees together; statistics that were kept from earlier moves are included.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<A> {
    /// The most visited action; among equals the one with the higher value for the player to move, then the first.
    pub best: A,
    /// The legal actions, in index order.
    pub actions: Vec<ActionReport<A>>,
    /// Mean utility of each player over all simulations from the root.
    pub values: PerPlayer<f64>,
    /// The most visited line, [`best`](Report::best) first, as far as the trees reach. Chance and hidden cards are not
    /// part of it, so a later action may turn out impossible.
    pub principal_variation: Vec<A>,
    /// Simulations of this search.
    pub simulations: u64,
    /// Visits of the legal actions that were kept from earlier searches; `simulations + inherited` is the sum of the
    /// visits.
    pub inherited: u64,
    /// Expanded nodes in the trees.
    pub nodes: u64,
    /// Decisions in the longest line that a simulation of this search followed inside a tree.
    pub depth: u32,
    /// Bytes that the trees take.
    pub memory: usize,
    /// True if a tree reached its memory cap and stopped growing.
    pub memory_full: bool,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Why the search ended.
    pub stopped: Stop,
}

impl<A> Report<A> {
    /// Simulations in a second of wall-clock time.
    #[must_use]
    pub fn simulations_per_second(&self) -> f64 {
        self.simulations as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}
