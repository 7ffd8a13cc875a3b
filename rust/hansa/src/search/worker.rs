//! One logical worker: one tree, and the simulations that make it grow.

use super::arithmetic::{Roots, exp};
use super::choice::{Choice, NOWHERE, highest};
use super::playout::utilities;
use super::policy::{Outcome, Roller};
use super::tree::{MOST_ACTIONS, ROOT, Tree, key_of};
use super::{Selection, Settings};
use crate::core::{Encode, Ending, Game, Judge, PerPlayer, Player, Rng, Turn};

/// A prior is never under this part of the best one of its node, so that no action is lost for good.
const LEAST_WEIGHT: f32 = 1e-3;

/// A tree and all that a simulation needs, kept so that a warm simulation allocates nothing but new nodes.
#[derive(Debug)]
pub(super) struct Worker<G: Game> {
    /// The tree.
    pub(super) tree: Tree,
    /// The longest line followed inside the tree since [`begin`](Worker::begin).
    pub(super) depth: usize,
    /// Simulations since [`begin`](Worker::begin).
    pub(super) simulations: u64,
    rng: Rng,
    roller: Roller<G>,
    legal: Vec<G::Action>,
    keys: Vec<u32>,
    weights: Vec<f32>,
    /// For each legal action its edge, or [`NOWHERE`].
    slots: Vec<u32>,
    /// For each legal action how much it deserves to be chosen.
    scores: Vec<f64>,
    roots: &'static Roots,
    path: Vec<u32>,
}

impl<G: Encode + Judge> Worker<G> {
    pub(super) fn new(game: &G, settings: &Settings) -> Self {
        let weighted = settings.selection == Selection::Puct;
        assert!(game.action_count() <= MOST_ACTIONS, "a tree tells at most {MOST_ACTIONS} actions apart");
        Self {
            tree: Tree::new(game.players(), weighted, settings.memory / settings.workers as usize),
            depth: 0,
            simulations: 0,
            rng: Rng::new(0),
            roller: Roller::new(settings.policy()),
            legal: Vec::new(),
            keys: Vec::new(),
            weights: Vec::new(),
            slots: Vec::new(),
            scores: Vec::new(),
            roots: Roots::table(),
            path: Vec::new(),
        }
    }

    /// Sets the random stream and the counters of a new search.
    pub(super) fn begin(&mut self, rng: Rng) {
        self.rng = rng;
        self.depth = 0;
        self.simulations = 0;
    }

    /// Makes every legal action of the root an edge; false if the memory does not hold them.
    pub(super) fn open_root(&mut self, game: &G, settings: &Settings, state: &G::State, mover: Player) -> bool {
        self.list_legal(game, state, mover);
        self.open_all(game, settings, state, ROOT)
    }

    fn list_legal(&mut self, game: &G, state: &G::State, mover: Player) {
        self.legal.clear();
        game.legal_actions(state, &mut self.legal);
        self.keys.clear();
        self.keys.extend(self.legal.iter().map(|&action| key_of(mover, game.action_index(action))));
        debug_assert!(self.keys.is_sorted(), "legal actions come in index order");
    }

    /// Makes the listed legal actions edges of a node, with weights if the tree has weights: the softmax of the
    /// preferences of their player, not normalised. False if the memory is full.
    #[inline(never)]
    fn open_all(&mut self, game: &G, settings: &Settings, state: &G::State, node: usize) -> bool {
        self.weights.clear();
        if settings.selection == Selection::Puct {
            game.preferences(state, &self.legal, &mut self.weights);
            let best = self.weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for weight in &mut self.weights {
                *weight = exp((*weight - best) / settings.temperature as f32).max(LEAST_WEIGHT);
            }
            // The new weights must stand on the scale of those that the node has already.
            let known = self.keys.iter().enumerate().find_map(|(slot, &key)| Some((slot, self.tree.find(node, key)?)));
            if let Some((slot, edge)) = known {
                let scale = self.tree.weights[edge] / self.weights[slot];
                self.weights.iter_mut().for_each(|weight| *weight *= scale);
            }
        }
        self.keys.iter().enumerate().all(|(slot, &key)| {
            let weight = self.weights.get(slot).copied().unwrap_or_default();
            self.tree.insert(node, key, weight).is_ok()
        })
    }

    /// One simulation: draws a full state, follows the tree by the actions legal in it, adds at most one node, plays to
    /// the end and counts the utilities of all players along the way.
    #[inline]
    pub(super) fn simulate(&mut self, game: &G, belief: &G::Belief, settings: &Settings) {
        let mut state = game.determinize(belief, &mut self.rng);
        self.path.clear();
        self.path.push(ROOT as u32);
        let mut node = ROOT;
        let outcome = loop {
            match game.turn(&state) {
                Turn::Chance => {
                    let outcome = game.random_chance(&state, &mut self.rng);
                    game.resolve(&mut state, outcome);
                }
                Turn::Over => {
                    let (scores, ranks) = (game.scores(&state), game.ranks(&state));
                    break Outcome::Ended(Ending { scores, ranks, decisions: 0 });
                }
                Turn::Act(mover) => {
                    // A node gets edges at its second visit.
                    if node != ROOT && self.tree.edges[node].visits == 0 {
                        break self.roller.roll(game, &state, &mut self.rng);
                    }
                    let Some((slot, edge)) = self.choose(game, settings, &state, node, mover) else {
                        break self.roller.roll(game, &state, &mut self.rng);
                    };
                    game.apply(&mut state, self.legal[slot]);
                    node = edge;
                    self.path.push(edge as u32);
                }
            }
        };
        let utilities: PerPlayer<f64> = utilities(settings.utility, &outcome);
        for &edge in &self.path {
            self.tree.count(edge as usize, &utilities);
        }
        self.depth = self.depth.max(self.path.len() - 1);
        self.simulations += 1;
    }

    /// Chooses a legal action of a node: its place among the legal actions and its edge, which is made if there is none.
    /// `None` when the memory is full and the node has no edge for any of them.
    #[inline]
    fn choose(
        &mut self,
        game: &G,
        settings: &Settings,
        state: &G::State,
        node: usize,
        mover: Player,
    ) -> Option<(usize, usize)> {
        self.list_legal(game, state, mover);
        if !self.match_edges(node) && settings.selection == Selection::Puct && !self.tree.full {
            // Weights cost more than memory: they are made once and kept.
            self.open_all(game, settings, state, node);
            self.match_edges(node);
        }
        let mut slot = 0;
        if self.slots.len() > 1 {
            let mut choice = Choice {
                players: self.tree.players,
                mover,
                edges: &mut self.tree.edges,
                sums: &self.tree.sums,
                weights: &self.tree.weights,
                slots: &self.slots,
                full: self.tree.full,
            };
            self.scores.resize(self.slots.len(), 0.0);
            match settings.selection {
                Selection::Ucb1 => choice.score_ucb1(settings, self.roots, &mut self.scores),
                Selection::Puct => choice.score_puct(settings, self.roots, &mut self.scores),
            }
            slot = highest(&self.scores, &mut self.rng);
        } else if let Some(only) = self.tree.edges.get_mut(self.slots[0] as usize) {
            only.availability += 1;
        }
        let mut edge = self.slots[slot] as usize;
        if self.slots[slot] == NOWHERE {
            if self.tree.full {
                return None;
            }
            edge = self.tree.insert(node, self.keys[slot], 0.0).ok()?;
            self.tree.edges[edge].availability = 1;
        }
        Some((slot, edge))
    }

    /// Finds the edges of the listed legal actions, [`NOWHERE`] for those that have none; true if all have one.
    #[inline]
    fn match_edges(&mut self, node: usize) -> bool {
        let block = self.tree.block(node);
        let edges = &self.tree.edges[block.clone()];
        self.slots.clear();
        if edges.len() == self.keys.len() && edges.iter().zip(&self.keys).all(|(edge, &key)| edge.key == key) {
            self.slots.extend(block.start as u32..block.end as u32);
            return true;
        }
        // Many edges and few legal actions are the rule where others have hidden cards.
        let many = edges.len() > 8 * self.keys.len();
        let mut complete = true;
        let mut place = 0;
        for &key in &self.keys {
            if many {
                place += edges[place..].partition_point(|edge| edge.key < key);
            } else {
                while place < edges.len() && edges[place].key < key {
                    place += 1;
                }
            }
            let found = place < edges.len() && edges[place].key == key;
            self.slots.push(if found { (block.start + place) as u32 } else { NOWHERE });
            complete &= found;
        }
        complete
    }
}
