//! Players and values held once a player.

use std::ops::{Index, IndexMut};

/// The largest table of any game.
pub const MAX_PLAYERS: usize = 6;

/// A player, numbered from 0 in turn order.
pub type Player = usize;

/// One value a player, without heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PerPlayer<T> {
    values: [T; MAX_PLAYERS],
    players: u8,
}

impl<T: Copy + Default> PerPlayer<T> {
    /// The same `value` for each of `players` players.
    ///
    /// # Panics
    /// With more than [`MAX_PLAYERS`] players.
    #[inline]
    #[must_use]
    pub fn new(players: usize, value: T) -> Self {
        assert!(players <= MAX_PLAYERS, "at most {MAX_PLAYERS} players");
        let mut values = [T::default(); MAX_PLAYERS];
        values[..players].fill(value);
        Self { values, players: players as u8 }
    }

    /// The value that `of` gives for each player.
    #[inline]
    #[must_use]
    pub fn from_fn(players: usize, mut of: impl FnMut(Player) -> T) -> Self {
        let mut all = Self::new(players, T::default());
        for player in 0..players {
            all[player] = of(player);
        }
        all
    }

    /// The values, player 0 first.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.players as usize]
    }

    /// The values in turn order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// How many players.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.players as usize
    }

    /// True for a table without players.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.players == 0
    }
}

impl<T> Index<Player> for PerPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, player: Player) -> &T {
        &self.values[..self.players as usize][player]
    }
}

impl<T> IndexMut<Player> for PerPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self.values[..self.players as usize][player]
    }
}

impl<T: Copy + Default + std::fmt::Debug> std::fmt::Debug for PerPlayer<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.as_slice()).finish()
    }
}

impl<'a, T: Copy + Default> IntoIterator for &'a PerPlayer<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
