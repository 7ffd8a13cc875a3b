//! The arena of the search tree.
//!
//! A node is a sequence of decisions from the root; chance is not part of it (open loop). It is named by the edge that
//! leads to it, so the statistics of an action stand in its parent's block, and choosing among the actions of a node
//! reads one stretch of memory. The root is edge 0, which nobody's action leads to.
//!
//! The edges of a node are contiguous and sorted by key; there is one for every action that was taken there, and
//! for others where their availability or their weight must be kept. A block has
//! room for a power of two of edges. When it is full it moves to one twice as large, and what it leaves is given to the
//! next node that needs a block of that size.

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
    /// How many have room there: a power of two, or 0.
    pub(super) capacity: u32,
}

/// No block, in the lists of free blocks.
const NONE: u32 = u32::MAX;

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
    /// For each power of two the first free block of that size; its first edge names the next one in `first`.
    free: [u32; 32],
    /// Expanded nodes.
    pub(super) nodes: u64,
    /// True once an edge was not made for want of memory.
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
            free: [NONE; 32],
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
        self.free = [NONE; 32];
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

    /// Makes `key` an edge of the node behind `edge`, unless it is one; its weight counts if the tree has weights.
    ///
    /// # Errors
    /// No room under the memory cap: the tree stays as it was and is [`full`](Tree::full).
    pub(super) fn insert(&mut self, edge: usize, key: u32, weight: f32) -> Result<usize, Full> {
        let Edge { first, len, capacity, .. } = self.edges[edge];
        let (mut first, len) = (first as usize, len as usize);
        let place = self.edges[first..first + len].partition_point(|other| other.key < key);
        if place < len && self.edges[first + place].key == key {
            return Ok(first + place);
        }
        if len == capacity as usize {
            let larger = (2 * len).max(1);
            let begin = self.allocate(larger)?;
            self.copy(first, begin, len);
            if len > 0 {
                self.edges[first].first = std::mem::replace(&mut self.free[len.ilog2() as usize], first as u32);
            }
            first = begin;
            self.edges[edge].first = begin as u32;
            self.edges[edge].capacity = larger as u32;
        }
        let new = first + place;
        self.copy(new, new + 1, len - place);
        self.edges[new] = Edge { key, ..Edge::default() };
        self.sums[new * self.players..(new + 1) * self.players].fill(0.0);
        if self.weighted {
            self.weights[new] = weight;
        }
        self.edges[edge].len = len as u32 + 1;
        self.nodes += u64::from(len == 0);
        Ok(new)
    }

    /// Copies `count` edges with all that belongs to them.
    fn copy(&mut self, from: usize, to: usize, count: usize) {
        if count > 0 {
            self.edges.copy_within(from..from + count, to);
            self.sums.copy_within(from * self.players..(from + count) * self.players, to * self.players);
            if self.weighted {
                self.weights.copy_within(from..from + count, to);
            }
        }
    }

    /// A block for `capacity` edges, a power of two: a free one, or a new one at the end.
    fn allocate(&mut self, capacity: usize) -> Result<usize, Full> {
        let class = capacity.ilog2() as usize;
        let free = self.free[class];
        if free != NONE {
            self.free[class] = self.edges[free as usize].first;
            return Ok(free as usize);
        }
        self.reserve(capacity)?;
        let begin = self.edges.len();
        self.push_empty(capacity);
        Ok(begin)
    }

    /// Makes the node behind `edge` the root of a new arena and drops the rest. Edge 0 keeps the statistics of `edge`.
    ///
    /// For a moment both arenas stand side by side.
    pub(super) fn compact(&mut self, edge: usize) {
        let mut kept = Self {
            edges: Vec::new(),
            sums: Vec::new(),
            weights: Vec::new(),
            free: [NONE; 32],
            nodes: 0,
            full: false,
            ..*self
        };
        // The kept part is never larger than the whole, so there is always room.
        let _ = kept.reserve(1);
        kept.push_empty(1);
        kept.copy_from(self, edge, ROOT);
        // Every edge that was copied still names its block in the old arena, until the block has followed it.
        let mut next = ROOT;
        while next < kept.edges.len() {
            let Edge { first, len, .. } = kept.edges[next];
            if len > 0 {
                let capacity = (len as usize).next_power_of_two();
                let Ok(begin) = kept.allocate(capacity) else { unreachable!("a part is not larger than the whole") };
                for place in 0..len as usize {
                    kept.copy_from(self, first as usize + place, begin + place);
                }
                kept.edges[next].first = begin as u32;
                kept.edges[next].capacity = capacity as u32;
                kept.nodes += 1;
            }
            next += 1;
        }
        *self = kept;
    }

    fn copy_from(&mut self, other: &Self, from: usize, to: usize) {
        self.edges[to] = other.edges[from];
        self.sums[to * self.players..(to + 1) * self.players].copy_from_slice(other.sums_of(from));
        if self.weighted {
            self.weights[to] = other.weights[from];
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
    use super::{Full, NONE, ROOT, Tree};
    use crate::core::PerPlayer;

    fn keys(tree: &Tree, edge: usize) -> Vec<u32> {
        tree.edges[tree.block(edge)].iter().map(|edge| edge.key).collect()
    }

    fn grow(tree: &mut Tree, edge: usize, keys: &[u32]) -> Result<(), Full> {
        keys.iter().try_for_each(|&key| tree.insert(edge, key, key as f32 / 10.0).map(drop))
    }

    #[test]
    fn blocks_stay_sorted_and_keep_their_statistics_while_they_grow() {
        let mut tree = Tree::new(2, true, 1 << 20);
        grow(&mut tree, ROOT, &[7, 3]).unwrap();
        let seven = tree.find(ROOT, 7).unwrap();
        tree.count(seven, &PerPlayer::from_fn(2, |player| [0.25, 0.75][player]));
        grow(&mut tree, seven, &[1]).unwrap();
        for wave in [&[9u32, 1, 3][..], &[2, 8], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            grow(&mut tree, ROOT, wave).unwrap();
        }
        assert_eq!(keys(&tree, ROOT), (0..10).collect::<Vec<_>>());
        let seven = tree.find(ROOT, 7).unwrap();
        assert_eq!((tree.edges[seven].visits, tree.sums_of(seven)), (1, &[0.25, 0.75][..]));
        assert_eq!(keys(&tree, seven), [1]);
        for (place, edge) in tree.block(ROOT).enumerate() {
            assert!((tree.weights[edge] - place as f32 / 10.0).abs() < 1e-6);
        }
        assert_eq!(tree.nodes, 2);
        assert_eq!(tree.insert(ROOT, 7, 0.0), Ok(seven));
    }

    #[test]
    fn blocks_that_were_left_are_used_again() {
        let mut tree = Tree::new(2, false, 1 << 20);
        grow(&mut tree, ROOT, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
        let size = tree.edges.len();
        // Blocks of 1, 2 and 4 were left on the way to 8.
        let mut last = ROOT;
        for edge in 0..3 {
            last = tree.find(ROOT, edge).unwrap();
            grow(&mut tree, last, &[5]).unwrap();
            if edge > 0 {
                grow(&mut tree, last, &[6]).unwrap();
            }
        }
        grow(&mut tree, last, &[4, 3]).unwrap();
        assert_eq!(keys(&tree, last), [3, 4, 5, 6]);
        assert_eq!(keys(&tree, tree.find(ROOT, 0).unwrap()), [5]);
        assert_eq!(keys(&tree, tree.find(ROOT, 1).unwrap()), [5, 6]);
        assert_eq!(
            tree.edges.len(),
            size + 3,
            "the blocks that were left and, for a while, one of 1 and one of 2 more"
        );
        let mut owners = vec![0; tree.edges.len()];
        for edge in [ROOT, tree.block(ROOT).start, tree.block(ROOT).start + 1, last] {
            tree.block(edge).for_each(|edge| owners[edge] += 1);
        }
        assert!(owners.iter().all(|&owners| owners <= 1), "{owners:?}");
    }

    #[test]
    fn the_memory_cap_is_exact() {
        for memory in [400usize, 4096, 5000, 100_000] {
            let mut tree = Tree::new(3, false, memory);
            let mut edge = ROOT;
            while let Ok(next) = tree.insert(edge, 1, 0.0) {
                edge = next;
            }
            assert!(tree.bytes() <= memory, "{} of {memory}", tree.bytes());
            let held = tree.edges.len() * Tree::edge_bytes(3, false);
            assert!(held + Tree::edge_bytes(3, false) > memory, "{held} bytes are not all of {memory}");
            assert!(tree.full);
            assert_eq!(tree.insert(edge, 5, 0.0), Err(Full));
            assert_eq!(tree.edges[edge].len, 0);
        }
    }

    #[test]
    fn compacting_keeps_the_subtree_and_nothing_else() {
        let mut tree = Tree::new(2, false, 1 << 20);
        grow(&mut tree, ROOT, &[0, 1]).unwrap();
        let one = tree.find(ROOT, 1).unwrap();
        grow(&mut tree, one, &[4, 5]).unwrap();
        let other = tree.find(ROOT, 0).unwrap();
        grow(&mut tree, other, &[8]).unwrap();
        let five = tree.find(one, 5).unwrap();
        grow(&mut tree, five, &[6]).unwrap();
        grow(&mut tree, one, &[2, 9, 3]).unwrap();
        grow(&mut tree, other, &[7, 6]).unwrap();
        assert!(tree.free[0] != NONE, "there is a free block that must not be followed");
        let five = tree.find(one, 5).unwrap();
        tree.count(five, &PerPlayer::new(2, 0.5));
        tree.compact(one);
        assert_eq!(keys(&tree, ROOT), [2, 3, 4, 5, 9]);
        let five = tree.find(ROOT, 5).unwrap();
        assert_eq!((tree.edges[five].visits, tree.sums_of(five)), (1, &[0.5, 0.5][..]));
        assert_eq!(keys(&tree, five), [6]);
        // The root, its block of 8, the block of 1 behind action 5.
        assert_eq!((tree.edges.len(), tree.nodes), (10, 2));
        grow(&mut tree, five, &[7]).unwrap();
        assert_eq!(keys(&tree, five), [6, 7]);
    }
}
