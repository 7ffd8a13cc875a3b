//! The arena of the search tree.
//!
//! A node is a sequence of decisions from the root; chance is not part of it (open loop). It is named by the edge that
//! leads to it, so the statistics of an action stand in its parent's block, and choosing among the actions of a node
//! reads one stretch of memory. The root is edge 0, which nobody's action leads to.
//!
//! The edges of a node are contiguous and sorted by key. A node that meets actions it has not seen (other
//! determinizations, other chance) has its block moved to the end of the arena with room to grow; the place it leaves is
//! lost until the tree is compacted, and doubling keeps that loss under the size of the living blocks.

use crate::core::{PerPlayer, Player};

/// The index of the root's edge.
pub(super) const ROOT: usize = 0;
/// Bits of a key that hold the action; the player stands above them.
const ACTION_BITS: u32 = 28;
/// Actions of a game have indices below this.
pub(super) const MOST_ACTIONS: usize = 1 << ACTION_BITS;

/// An action at a node together with who takes it: the same sequence of decisions may leave different players to move.
#[inline(always)]
pub(super) fn key_of(player: Player, action: usize) -> u32 {
    (player as u32) << ACTION_BITS | action as u32
}

/// The action index of a key.
pub(super) fn action_of(key: u32) -> usize {
    (key & (MOST_ACTIONS as u32 - 1)) as usize
}

/// The player of a key.
pub(super) fn player_of(key: u32) -> Player {
    (key >> ACTION_BITS) as Player
}

/// An action at a node, and the node that it leads to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Edge {
    /// Who takes which action.
    pub(super) key: u32,
    /// How often it was taken.
    pub(super) visits: u32,
    /// How often it was legal when its node was passed.
    pub(super) availability: u32,
    /// Where the edges of the node behind it begin.
    pub(super) first: u32,
    /// How many they are; 0 before the node is expanded.
    pub(super) len: u32,
    /// How many have room there.
    pub(super) capacity: u32,
}

/// A tree of edges with one sum of utilities a player beside each.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    /// Players at the table.
    pub(super) players: usize,
    /// Edges, all blocks one after another.
    pub(super) edges: Vec<Edge>,
    /// Sums of utilities: `players` numbers an edge.
    pub(super) sums: Vec<f64>,
    /// Unnormalised priors, one an edge; empty unless they are wanted.
    pub(super) weights: Vec<f32>,
    weighted: bool,
    /// The most edges that the memory cap allows.
    limit: usize,
    /// Expanded nodes.
    pub(super) nodes: u64,
    /// True once a node was not expanded for want of memory.
    pub(super) full: bool,
}

/// The arena has no room for more edges under its memory cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

impl Tree {
    /// A tree of the root alone that will not take more than `memory` bytes.
    pub(super) fn new(players: usize, weighted: bool, memory: usize) -> Self {
        let limit = (memory / Self::edge_bytes(players, weighted)).min(u32::MAX as usize);
        let mut tree = Self {
            players,
            edges: Vec::new(),
            sums: Vec::new(),
            weights: Vec::new(),
            weighted,
            limit,
            nodes: 0,
            full: false,
        };
        tree.clear();
        tree
    }

    /// Bytes that one edge takes in all the arrays.
    pub(super) fn edge_bytes(players: usize, weighted: bool) -> usize {
        size_of::<Edge>() + players * size_of::<f64>() + if weighted { size_of::<f32>() } else { 0 }
    }

    /// Bytes that the arrays take, room to grow included.
    pub(super) fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>()
            + self.sums.capacity() * size_of::<f64>()
            + self.weights.capacity() * size_of::<f32>()
    }

    /// Forgets everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.edges.clear();
        self.sums.clear();
        self.weights.clear();
        self.nodes = 0;
        // A cap under one edge shows when the root gets its first actions.
        self.full = self.reserve(1).is_err();
        self.push_empty(1);
    }

    /// The sums of utilities of an edge.
    #[inline(always)]
    pub(super) fn sums_of(&self, edge: usize) -> &[f64] {
        &self.sums[edge * self.players..(edge + 1) * self.players]
    }

    /// The edges of the node behind `edge`.
    #[inline(always)]
    pub(super) fn block(&self, edge: usize) -> std::ops::Range<usize> {
        let Edge { first, len, .. } = self.edges[edge];
        first as usize..(first + len) as usize
    }

    /// Counts one simulation that passed `edge`.
    #[inline(always)]
    pub(super) fn count(&mut self, edge: usize, utilities: &PerPlayer<f64>) {
        self.edges[edge].visits += 1;
        let sums = &mut self.sums[edge * self.players..(edge + 1) * self.players];
        for (sum, utility) in sums.iter_mut().zip(utilities.as_slice()) {
            *sum += utility;
        }
    }

    /// The edge of `key` at the node behind `edge`.
    pub(super) fn find(&self, edge: usize, key: u32) -> Option<usize> {
        let block = self.block(edge);
        self.edges[block.clone()].binary_search_by_key(&key, |edge| edge.key).ok().map(|place| block.start + place)
    }

    /// Makes the keys, which are sorted, edges of the node behind `edge`, with their weights if the tree has weights.
    /// Keys that are there already stay as they are.
    ///
    /// # Errors
    /// No room under the memory cap: the tree stays as it was and is [`full`](Tree::full).
    pub(super) fn grow(&mut self, edge: usize, keys: &[u32], weights: &[f32]) -> Result<(), Full> {
        let Edge { first, len, capacity, .. } = self.edges[edge];
        let (mut first, old) = (first as usize, len as usize);
        let new = keys.iter().filter(|&&key| self.find(edge, key).is_none()).count();
        let len = old + new;
        if len > capacity as usize {
            let capacity = if old == 0 { len } else { len.max(2 * old) };
            self.reserve(capacity)?;
            let begin = self.edges.len();
            self.push_empty(capacity);
            self.edges.copy_within(first..first + old, begin);
            self.sums.copy_within(first * self.players..(first + old) * self.players, begin * self.players);
            if self.weighted {
                self.weights.copy_within(first..first + old, begin);
            }
            first = begin;
            self.edges[edge].first = begin as u32;
            self.edges[edge].capacity = capacity as u32;
        }
        self.edges[edge].len = len as u32;
        self.nodes += u64::from(old == 0 && new > 0);
        // Merges from the back: `to` is where the next largest key goes, `from` the largest old one not yet moved.
        let (mut to, mut from) = (first + len, first + old);
        for (slot, &key) in keys.iter().enumerate().rev() {
            while from > first && self.edges[from - 1].key > key {
                from -= 1;
                to -= 1;
                self.move_edge(from, to);
            }
            if from > first && self.edges[from - 1].key == key {
                continue;
            }
            to -= 1;
            self.edges[to] = Edge { key, ..Edge::default() };
            self.sums[to * self.players..(to + 1) * self.players].fill(0.0);
            if self.weighted {
                self.weights[to] = weights[slot];
            }
        }
        Ok(())
    }

    fn move_edge(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        self.edges[to] = self.edges[from];
        self.sums.copy_within(from * self.players..(from + 1) * self.players, to * self.players);
        if self.weighted {
            self.weights[to] = self.weights[from];
        }
    }

    /// Makes the node behind `edge` the root of a new arena and drops the rest. Edge 0 keeps the statistics of `edge`.
    ///
    /// For a moment both arenas stand side by side.
    pub(super) fn compact(&mut self, edge: usize) {
        let mut kept =
            Self { edges: Vec::new(), sums: Vec::new(), weights: Vec::new(), nodes: 0, full: false, ..*self };
        kept.copy_edge(self, edge);
        // Every edge that was copied still names its block in the old arena, until the block has followed it.
        let mut next = 0;
        while next < kept.edges.len() {
            if kept.edges[next].len > 0 {
                let block = kept.block(next);
                let first = kept.edges.len();
                for old in block {
                    kept.copy_edge(self, old);
                }
                kept.edges[next].first = first as u32;
                kept.edges[next].capacity = kept.edges[next].len;
                kept.nodes += 1;
            } else {
                kept.edges[next].first = 0;
                kept.edges[next].capacity = 0;
            }
            next += 1;
        }
        *self = kept;
    }

    fn copy_edge(&mut self, from: &Self, edge: usize) {
        // The kept part is never larger than the whole, so there is room.
        let room = self.reserve(1);
        debug_assert!(room.is_ok(), "a part is not larger than the whole");
        self.edges.push(from.edges[edge]);
        self.sums.extend_from_slice(from.sums_of(edge));
        if self.weighted {
            self.weights.push(from.weights[edge]);
        }
    }

    fn push_empty(&mut self, count: usize) {
        self.edges.resize(self.edges.len() + count, Edge::default());
        self.sums.resize(self.sums.len() + count * self.players, 0.0);
        if self.weighted {
            self.weights.resize(self.weights.len() + count, 0.0);
        }
    }

    /// Makes room for `more` edges: doubles the arrays, but never beyond the memory cap.
    fn reserve(&mut self, more: usize) -> Result<(), Full> {
        let len = self.edges.len();
        if len + more > self.limit {
            self.full = true;
            return Err(Full);
        }
        if len + more > self.edges.capacity() {
            let capacity = (2 * self.edges.capacity()).max(len + more).max(64).min(self.limit);
            self.edges.reserve_exact(capacity - len);
            self.sums.reserve_exact((capacity - len) * self.players);
            if self.weighted {
                self.weights.reserve_exact(capacity - len);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Full, ROOT, Tree};
    use crate::core::PerPlayer;

    fn keys(tree: &Tree, edge: usize) -> Vec<u32> {
        tree.edges[tree.block(edge)].iter().map(|edge| edge.key).collect()
    }

    #[test]
    fn blocks_stay_sorted_and_keep_their_statistics_while_they_grow() {
        let mut tree = Tree::new(2, true, 1 << 20);
        tree.grow(ROOT, &[3, 7], &[0.3, 0.7]).unwrap();
        let seven = tree.find(ROOT, 7).unwrap();
        tree.count(seven, &PerPlayer::from_fn(2, |player| [0.25, 0.75][player]));
        tree.grow(seven, &[1], &[1.0]).unwrap();
        for wave in [&[1u32, 3, 9][..], &[2, 8], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let weights: Vec<f32> = wave.iter().map(|&key| key as f32 / 10.0).collect();
            tree.grow(ROOT, wave, &weights).unwrap();
        }
        assert_eq!(keys(&tree, ROOT), (0..10).collect::<Vec<_>>());
        let seven = tree.find(ROOT, 7).unwrap();
        assert_eq!((tree.edges[seven].visits, tree.sums_of(seven)), (1, &[0.25, 0.75][..]));
        assert_eq!(keys(&tree, seven), [1]);
        for (place, edge) in tree.block(ROOT).enumerate() {
            assert!((tree.weights[edge] - place as f32 / 10.0).abs() < 1e-6);
        }
        assert_eq!(tree.nodes, 2);
    }

    #[test]
    fn the_memory_cap_is_exact() {
        for memory in [400usize, 4096, 5000, 100_000] {
            let mut tree = Tree::new(3, false, memory);
            let per_edge = Tree::edge_bytes(3, false);
            let mut grown = 1;
            let mut edge = ROOT;
            while tree.grow(edge, &[0, 1, 2], &[]) == Ok(()) {
                edge = tree.find(edge, 1).unwrap();
                grown += 3;
            }
            assert!(tree.bytes() <= memory, "{} of {memory}", tree.bytes());
            assert!((grown + 3) * per_edge > memory, "{grown} edges are not all that {memory} bytes hold");
            assert!(tree.full);
            assert_eq!(tree.grow(edge, &[5, 6, 7], &[]), Err(Full));
            assert_eq!(tree.edges[edge].len, 0);
        }
    }

    #[test]
    fn compacting_keeps_the_subtree_and_nothing_else() {
        let mut tree = Tree::new(2, false, 1 << 20);
        tree.grow(ROOT, &[0, 1], &[]).unwrap();
        let one = tree.find(ROOT, 1).unwrap();
        tree.grow(one, &[4, 5], &[]).unwrap();
        tree.grow(tree.find(ROOT, 0).unwrap(), &[8], &[]).unwrap();
        tree.grow(tree.find(one, 5).unwrap(), &[6], &[]).unwrap();
        tree.grow(one, &[2, 9], &[]).unwrap();
        tree.count(tree.find(one, 5).unwrap(), &PerPlayer::new(2, 0.5));
        tree.compact(one);
        assert_eq!(keys(&tree, ROOT), [2, 4, 5, 9]);
        let five = tree.find(ROOT, 5).unwrap();
        assert_eq!((tree.edges[five].visits, tree.sums_of(five)), (1, &[0.5, 0.5][..]));
        assert_eq!(keys(&tree, five), [6]);
        assert_eq!((tree.edges.len(), tree.nodes), (6, 2));
        tree.grow(five, &[7], &[]).unwrap();
        assert_eq!(keys(&tree, five), [6, 7]);
    }
}
