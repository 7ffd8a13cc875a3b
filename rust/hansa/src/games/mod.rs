//! The rules: one folder a game. No game knows another, none knows search.

pub mod hansa;
pub mod queen_of_hansa;
