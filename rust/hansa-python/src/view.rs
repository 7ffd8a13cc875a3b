//! `hansa.View`.

use std::borrow::Cow;
use std::sync::Arc;

use hansa::core::Turn;
use hansa::table::AnyView;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Reduced, again, to_python};
use crate::error::Answer;
use crate::game::Game;
use crate::legal::LegalActions;
use crate::playout::{PlayoutReport, request};
use crate::rng::Rng;
use crate::state::{State, asked, player_number};
use crate::work::interruptible;

/// What one player knows of a position; physically lacks what this player cannot know. Never changes.
///
/// Bots and searches are given views. Equal and equally hashed when the games are equal and the player knows the same.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct View {
    pub(crate) view: Box<dyn AnyView>,
}

impl View {
    pub(crate) fn new(view: Box<dyn AnyView>) -> Self {
        Self { view }
    }
}

#[pymethods]
impl View {
    /// The game that is played.
    #[getter]
    fn game(&self) -> Game {
        Game::new(self.view.game())
    }

    /// Whose view it is.
    #[getter]
    fn player(&self) -> usize {
        self.view.observer()
    }

    /// Who must answer next: the number of a player, `CHANCE` (-1), or `TERMINAL` (-4) when the game is over.
    fn current_player(&self) -> i32 {
        player_number(self.view.turn())
    }

    /// True when the game is over.
    fn is_terminal(&self) -> bool {
        self.view.turn() == Turn::Over
    }

    /// True when chance must answer.
    fn is_chance_node(&self) -> bool {
        self.view.turn() == Turn::Chance
    }

    /// True when a player must decide.
    fn is_player_node(&self) -> bool {
        matches!(self.view.turn(), Turn::Act(_))
    }

    /// The legal actions of this player in the order of their numbers; empty unless this player is to decide.
    fn legal_actions(&self) -> LegalActions {
        let mut indices = Vec::with_capacity(32);
        self.view.legal_actions(&mut indices);
        LegalActions::new(self.view.game(), indices)
    }

    /// A full state that agrees with the view, drawn with exactly the weight that the rules give it.
    fn determinize(&self, rng: &Rng) -> State {
        State::new(self.view.determinize(&mut rng.lock()))
    }

    /// The view as numbers: a new array of `game.observation_size` places in the order of `game.observation_layout`.
    fn observation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let mut numbers = vec![0.0; self.view.game().observation_size()];
        self.view.observe(&mut numbers);
        PyArray1::from_vec(py, numbers)
    }

    /// Plays `count` games on, each from a determinization of its own, and sums them up; see `Game.playouts`.
    #[pyo3(signature = (count, seed = 0, *, threads = 1, policy = "random", epsilon = None, cutoff = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords on the Python side")]
    fn playouts(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = crate::convert::count)] count: u64,
        #[pyo3(from_py_with = crate::convert::seed)] seed: u64,
        #[pyo3(from_py_with = crate::convert::threads)] threads: usize,
        policy: &str,
        epsilon: Option<f64>,
        cutoff: Option<u32>,
    ) -> Answer<PlayoutReport> {
        let request = request(count, seed, threads, policy, epsilon, cutoff)?;
        Ok(PlayoutReport::new(interruptible(py, |poll| self.view.playouts(&request, poll))??))
    }

    /// The view as a JSON text with sorted keys: the keys of the canonical state, null or a count where this player cannot
    /// know. `game.view_from_json` reads it.
    fn to_json(&self) -> String {
        self.view.json().to_string()
    }

    /// The same as a new dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.view.json())
    }

    /// The view as bytes that name their game; `game.view_from_bytes` reads them.
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.view.bytes())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.view.same(&*other.view)
    }

    fn __hash__(&self) -> u64 {
        self.view.fingerprint()
    }

    fn __copy__(&self) -> Self {
        Self::new(self.view.boxed())
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __str__(&self) -> String {
        self.to_json()
    }

    fn __repr__(&self) -> String {
        format!("<View of player {} of {}: {}>", self.player(), self.view.header(), asked(self.view.turn()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Game, Bound<'py, PyBytes>)> {
        Ok((again(py, "_view")?, (self.game(), PyBytes::new(py, &self.view.bytes()))))
    }
}

/// For pickle.
#[pyfunction]
#[pyo3(name = "_view")]
pub(crate) fn view_again(game: &Game, data: &[u8]) -> Answer<View> {
    Ok(View::new(Arc::clone(&game.game).view_from_bytes(data)?))
}
