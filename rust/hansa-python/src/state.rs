//! `hansa.State`.

use hansa::core::{Ending, Turn};
use hansa::search::Utility;
use hansa::table::{Move, Table};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::borrow::Cow;
use std::sync::Arc;

use crate::action::{Action, ChanceOutcome};
use crate::convert::{Reduced, again, read_move, to_python};
use crate::error::{Answer, wrong_value};
use crate::game::Game;
use crate::legal::LegalActions;
use crate::playout::{PlayoutReport, request};
use crate::rng::Rng;
use crate::settings::utility;
use crate::view::View;
use crate::work::interruptible;

/// What `current_player()` is for a turn.
pub(crate) fn player_number(turn: Turn) -> i32 {
    match turn {
        Turn::Act(player) => player as i32,
        Turn::Chance => -1,
        Turn::Over => -4,
    }
}

/// One position, the whole truth. Never changes: `apply` returns the position after a move.
///
/// Equal and equally hashed when the games are equal and everything in the positions is. A state is not for bots: give
/// them `state.view(player)`.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct State {
    pub(crate) table: Box<dyn Table>,
}

impl State {
    pub(crate) fn new(table: Box<dyn Table>) -> Self {
        Self { table }
    }
}

#[pymethods]
impl State {
    /// The game that is played.
    #[getter]
    fn game(&self) -> Game {
        Game::new(self.table.game())
    }

    /// Who must answer next: the number of a player, `CHANCE` (-1), or `TERMINAL` (-4) when the game is over.
    fn current_player(&self) -> i32 {
        player_number(self.table.turn())
    }

    /// True when the game is over.
    fn is_terminal(&self) -> bool {
        self.table.turn() == Turn::Over
    }

    /// True when chance must answer.
    fn is_chance_node(&self) -> bool {
        self.table.turn() == Turn::Chance
    }

    /// True when a player must decide.
    fn is_player_node(&self) -> bool {
        matches!(self.table.turn(), Turn::Act(_))
    }

    /// The legal actions in the order of their numbers; empty unless a player is to decide.
    fn legal_actions(&self) -> LegalActions {
        let mut indices = Vec::with_capacity(32);
        self.table.legal_actions(&mut indices);
        LegalActions::new(self.table.game(), indices)
    }

    /// The possible chance outcomes with their integer weights, in the order of their numbers; empty unless chance is to
    /// answer.
    fn chance_outcomes(&self) -> Vec<(ChanceOutcome, u32)> {
        let mut outcomes = Vec::with_capacity(64);
        self.table.chance_outcomes(&mut outcomes);
        let game = self.table.game();
        outcomes.into_iter().map(|(index, weight)| (ChanceOutcome::new(Arc::clone(&game), index), weight)).collect()
    }

    /// A chance outcome, drawn by weight. Raises ValueError unless chance is to answer.
    fn sample_chance(&self, rng: &Rng) -> Answer<ChanceOutcome> {
        if self.table.turn() == Turn::Chance
            && let Some(Move::Chance(index)) = self.table.random_move(&mut rng.lock())
        {
            return Ok(ChanceOutcome::new(self.table.game(), index));
        }
        Err(wrong_value(format!("there is nothing for chance to answer: {}", self.asked())))
    }

    /// A legal action, each with the same probability. Raises ValueError unless a player is to decide.
    fn random_action(&self, rng: &Rng) -> Answer<Action> {
        if let Turn::Act(_) = self.table.turn()
            && let Some(Move::Action(index)) = self.table.random_move(&mut rng.lock())
        {
            return Ok(Action::new(self.table.game(), index));
        }
        Err(wrong_value(format!("there is nothing for a player to decide: {}", self.asked())))
    }

    /// The position after a move: an Action or a ChanceOutcome, its notation, or its number.
    ///
    /// Raises IllegalActionError with the rule that forbids the move, NotationError for what is no move of the game, and
    /// GameMismatchError for a move of another game.
    #[pyo3(name = "apply")]
    fn after(&self, r#move: &Bound<'_, PyAny>) -> Answer<Self> {
        let chosen = read_move(&*self.table, r#move)?;
        Ok(Self::new(self.table.after(chosen)?))
    }

    /// What `player` knows. Raises PlayersError when there is no such player.
    fn view(&self, player: i64) -> Answer<View> {
        let player = self.game().check_player(player)?;
        let view = self.table.view(player).ok_or_else(|| wrong_value("there is no such player"))?;
        Ok(View::new(view))
    }

    /// What each player knows.
    fn views(&self) -> Vec<View> {
        (0..self.table.header().players).filter_map(|player| self.table.view(player)).map(View::new).collect()
    }

    /// Points so far, final when the game is over.
    fn scores(&self) -> Vec<i32> {
        self.table.scores().as_slice().to_vec()
    }

    /// For each player the number of players strictly ahead, as things stand: 0 for the winner or winners.
    fn ranks(&self) -> Vec<u32> {
        self.table.ranks().iter().map(|&rank| u32::from(rank)).collect()
    }

    /// What a search maximises, from 0 to 1 for each player, from the scores and ranks as things stand.
    ///
    /// `"win"`: 1 shared by the winners. `"rank"`: 1 for the first down to 0 for the last. `"margin"`: 1/2 and more for a
    /// lead in points, 1/2 and less for being behind.
    #[pyo3(signature = (utility = "win"))]
    fn returns(&self, utility: &str) -> Answer<Vec<f64>> {
        let utility: Utility = self::utility(utility)?;
        let ending = Ending { scores: self.table.scores(), ranks: self.table.ranks(), decisions: 0 };
        Ok(utility.of_ending(&ending).as_slice().to_vec())
    }

    /// Counts of pieces that no move changes, by name.
    fn census<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let census = PyDict::new(py);
        for (name, count) in self.table.census() {
            census.set_item(name, count)?;
        }
        Ok(census)
    }

    /// The last position of a game that is played on from here, uniformly at every decision.
    fn random_playout(&self, rng: &Rng) -> Self {
        Self::new(self.table.finished(&mut rng.lock()))
    }

    /// Plays `count` games on from here and sums them up; see `Game.playouts`.
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
        Ok(PlayoutReport::new(interruptible(py, |poll| self.table.playouts(&request, poll))??))
    }

    /// The canonical state as a JSON text with sorted keys; `game.state_from_json` reads it.
    ///
    /// It is the position in the words of the rulebook. What players may remember beyond it (and `determinize` makes use
    /// of) is in `to_bytes` only.
    fn to_json(&self) -> String {
        self.table.json().to_string()
    }

    /// The canonical state as a new dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.table.json())
    }

    /// The state as bytes that name their game; `game.state_from_bytes` reads them.
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.table.bytes())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.table.same(&*other.table)
    }

    fn __hash__(&self) -> u64 {
        self.table.fingerprint()
    }

    fn __copy__(&self) -> Self {
        Self::new(self.table.boxed())
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __str__(&self) -> String {
        self.to_json()
    }

    fn __repr__(&self) -> String {
        format!("<State of {}: {}, scores {:?}>", self.table.header(), self.asked(), self.scores())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Game, Bound<'py, PyBytes>)> {
        Ok((again(py, "_state")?, (self.game(), PyBytes::new(py, &self.table.bytes()))))
    }
}

impl State {
    /// Who must answer next, in words.
    fn asked(&self) -> String {
        asked(self.table.turn())
    }
}

/// Who must answer next, in words.
pub(crate) fn asked(turn: Turn) -> String {
    match turn {
        Turn::Act(player) => format!("player {player} is to decide"),
        Turn::Chance => "chance is to answer".into(),
        Turn::Over => "the game is over".into(),
    }
}

/// For pickle.
#[pyfunction]
#[pyo3(name = "_state")]
pub(crate) fn state_again(game: &Game, data: &[u8]) -> Answer<State> {
    Ok(State::new(Arc::clone(&game.game).state_from_bytes(data)?))
}
