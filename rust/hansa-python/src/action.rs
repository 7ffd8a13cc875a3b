//! `hansa.Action` and `hansa.ChanceOutcome`.

use std::sync::Arc;

use hansa::table::{AnyGame, Header, Move};
use pyo3::prelude::*;

use crate::convert::{Reduced, again};
use crate::error::Answer;
use crate::game::Game;

/// True when both are headers of the same game; almost always they are the same object.
pub(crate) fn same_game(one: &Header, other: &Header) -> bool {
    std::ptr::eq(one, other) || one == other
}

macro_rules! move_class {
    ($(#[$documentation:meta])* $class:ident, $variant:ident, $salt:expr, $again:literal, $name:literal) => {
        $(#[$documentation])*
        #[pyclass(frozen, module = "hansa")]
        pub(crate) struct $class {
            pub(crate) game: Arc<dyn AnyGame>,
            pub(crate) index: u32,
        }

        impl $class {
            pub(crate) fn new(game: Arc<dyn AnyGame>, index: u32) -> Self {
                Self { game, index }
            }

            /// The line of the notation.
            pub(crate) fn notation(&self) -> String {
                self.game.notation(Move::$variant(self.index)).unwrap_or_default()
            }

            pub(crate) fn fits(&self, header: &Header) -> bool {
                same_game(self.game.header(), header)
            }
        }

        #[pymethods]
        impl $class {
            /// The game that it belongs to.
            #[getter]
            fn game(&self) -> Game {
                Game::new(Arc::clone(&self.game))
            }

            /// Its number, the same in every state of the game.
            #[getter]
            fn index(&self) -> u32 {
                self.index
            }

            fn __int__(&self) -> u32 {
                self.index
            }

            fn __index__(&self) -> u32 {
                self.index
            }

            fn __str__(&self) -> String {
                self.notation()
            }

            fn __repr__(&self) -> String {
                format!("{}('{}')", $name, self.notation())
            }

            fn __eq__(&self, other: &Self) -> bool {
                self.index == other.index && self.fits(other.game.header())
            }

            fn __hash__(&self) -> isize {
                self.index as isize + $salt
            }

            fn __copy__(&self) -> Self {
                Self::new(Arc::clone(&self.game), self.index)
            }

            #[pyo3(signature = (_memo, /))]
            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
                self.__copy__()
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Game, u32)> {
                Ok((again(py, $again)?, (self.game(), self.index)))
            }
        }
    };
}

move_class!(
    /// What a player decides: one line of the notation, and a number that is the same in every state.
    ///
    /// Made by `state.legal_actions()`, `game.action(index)` and `game.parse_action(text)`.
    Action,
    Action,
    0,
    "_action",
    "Action"
);

move_class!(
    /// What chance answers: one line of the notation, and a number that is the same in every state.
    ///
    /// Made by `state.chance_outcomes()`, `state.sample_chance(rng)`, `game.chance_outcome(index)` and
    /// `game.parse_chance(text)`.
    ChanceOutcome,
    Chance,
    1 << 20,
    "_chance",
    "ChanceOutcome"
);

/// For pickle.
#[pyfunction]
#[pyo3(name = "_action")]
pub(crate) fn action_again(game: &Game, index: u32) -> Answer<Action> {
    game.action(i64::from(index))
}

/// For pickle.
#[pyfunction]
#[pyo3(name = "_chance")]
pub(crate) fn chance_again(game: &Game, index: u32) -> Answer<ChanceOutcome> {
    game.chance_outcome(i64::from(index))
}
