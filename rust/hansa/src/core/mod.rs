//! The vocabulary: what a game is. Knows no game and no search.

mod encode;
mod game;
mod judge;
pub mod load;
pub mod parts;
mod player;
mod rng;

pub use encode::{Encode, FormatError, NotationError};
pub use game::{Ending, Game, IllegalMove, Turn};
pub use judge::Judge;
pub use player::{MAX_PLAYERS, PerPlayer, Player};
pub use rng::{Rng, Stream};
