//! `hansa.Batch`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hansa::batch;
use hansa::core::PerPlayer;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::error::{Answer, wrong_index, wrong_type, wrong_value};
use crate::game::Game;
use crate::state::State;

/// Steps of `step_random` between two looks for signals.
const ROUND: usize = 256;

/// Many games of one kind stepped together. Arrays have one row a game and are new at every call.
///
/// Chance answers from a stream of each game's own, so a batch is a function of its seed and the actions taken, on any
/// number of threads. A finished game waits for `reset`, or begins anew at once with `autoreset`.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct Batch {
    batch: Mutex<Box<dyn batch::Batch>>,
}

impl Batch {
    pub(crate) fn new(batch: Box<dyn batch::Batch>) -> Self {
        Self { batch: Mutex::new(batch) }
    }

    /// The games; waits detached while another thread has them.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Box<dyn batch::Batch>> {
        self.batch.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the games while other Python threads run.
    fn detached<T: Send>(&self, py: Python<'_>, of: impl FnOnce(&mut dyn batch::Batch) -> T + Send) -> T {
        py.detach(|| of(&mut **self.batch.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

type Table2<'py, T> = Bound<'py, PyArray2<T>>;

fn rows<T: numpy::Element>(py: Python<'_>, values: Vec<T>, width: usize) -> PyResult<Table2<'_, T>> {
    let games = values.len().checked_div(width).unwrap_or(0);
    PyArray1::from_vec(py, values).reshape([games, width])
}

fn integers<'py, T: Copy + Default + Into<i32>>(
    py: Python<'py>,
    values: &[PerPlayer<T>],
    players: usize,
) -> PyResult<Table2<'py, i32>> {
    rows(py, values.iter().flat_map(|row| row.iter().map(|&value| value.into())).collect(), players)
}

/// An array of one kind of numbers; `kinds` are the letters of numpy that are taken, e.g. `iu`.
fn array<'py, T: numpy::Element>(
    given: &Bound<'py, PyAny>,
    what: &str,
    kinds: &str,
    wanted: &str,
) -> Answer<PyReadonlyArray1<'py, T>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if untyped.ndim() != 1 || !(kinds.contains(&kind) || untyped.len() == 0) {
        let (dtype, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
        return Err(wrong_type(format!("{what} must be a row of {wanted}, found {dtype} of shape {shape}")));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, T::get_dtype(given.py())))?;
    Ok(array.cast_into::<PyArray1<T>>().map_err(PyErr::from)?.readonly())
}

#[pymethods]
impl Batch {
    /// The game that is played.
    #[getter]
    fn game(&self, py: Python<'_>) -> Game {
        Game::new(self.lock(py).game())
    }

    /// Threads that do the work.
    #[getter]
    fn threads(&self, py: Python<'_>) -> usize {
        self.lock(py).threads()
    }

    /// True when finished games begin anew at once.
    #[getter]
    fn autoreset(&self, py: Python<'_>) -> bool {
        self.lock(py).autoreset()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.lock(py).size()
    }

    /// Who is to decide in each game; `TERMINAL` (-4) where the game is over. Chance has always answered already.
    fn current_player<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let turns = self.detached(py, |batch| batch.turns());
        PyArray1::from_iter(py, turns.into_iter().map(|turn| turn.map_or(-4, |player| player as i32)))
    }

    /// Which games are over; never one with `autoreset`.
    fn terminal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let turns = self.detached(py, |batch| batch.turns());
        PyArray1::from_iter(py, turns.into_iter().map(|turn| turn.is_none()))
    }

    /// The legal actions of all games as `(offsets, indices)`: those of game `i` are
    /// `indices[offsets[i]:offsets[i + 1]]`, ascending; none where the game is over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>) {
        let (offsets, indices) = self.detached(py, |batch| batch.legal_actions());
        (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, indices))
    }

    /// The legal actions as truth values, `[games, num_distinct_actions]`.
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Table2<'py, bool>> {
        let (mask, width) = self.detached(py, |batch| {
            let width = batch.game().action_count();
            let mut mask = vec![false; batch.size() * width];
            batch.legal_mask(&mut mask);
            (mask, width)
        });
        rows(py, mask, width)
    }

    /// Takes one action in each game, by number, and lets chance answer up to the next decision. The action of a game that
    /// is over is not looked at. Returns which games ended in this step.
    ///
    /// Raises IllegalActionError with the first game that refuses its action; then no game was stepped.
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyArray1<bool>>> {
        let actions = array::<i64>(actions, "actions", "iu", "action numbers")?;
        let actions = actions.as_slice().map_err(PyErr::from)?;
        let ended = self.detached(py, |batch| batch.step(actions))?;
        Ok(PyArray1::from_vec(py, ended))
    }

    /// Takes `steps` uniformly random actions in each game that is not over; returns how many decisions were taken.
    ///
    /// The actions come from streams of their own. Ctrl-C ends it after some of the steps.
    #[pyo3(signature = (steps = 1))]
    fn step_random(&self, py: Python<'_>, steps: i64) -> Answer<u64> {
        let mut left =
            usize::try_from(steps).map_err(|_| wrong_value(format!("steps must be 0 or more, found {steps}")))?;
        let mut taken = 0;
        while left > 0 {
            let round = left.min(ROUND);
            let decisions = self.detached(py, |batch| batch.step_random(round));
            if decisions == 0 {
                break;
            }
            taken += decisions;
            left -= round;
            py.check_signals()?;
        }
        Ok(taken)
    }

    /// The observations of `player`, or of whoever is to decide (zeros where the game is over),
    /// `[games, observation_size]`.
    #[pyo3(signature = (player = None))]
    fn observations<'py>(&self, py: Python<'py>, player: Option<i64>) -> Answer<Table2<'py, f32>> {
        let player = player.map(|player| self.game(py).check_player(player)).transpose()?;
        let (numbers, width) = self.detached(py, |batch| {
            let width = batch.game().observation_size();
            let mut numbers = vec![0.0; batch.size() * width];
            batch.observe(player, &mut numbers);
            (numbers, width)
        });
        Ok(rows(py, numbers, width)?)
    }

    /// Points so far, `[games, players]`.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Table2<'py, i32>> {
        let (scores, players) = self.detached(py, |batch| (batch.scores(), batch.game().header().players));
        integers(py, &scores, players)
    }

    /// Ranks as things stand, `[games, players]`.
    fn ranks<'py>(&self, py: Python<'py>) -> PyResult<Table2<'py, i32>> {
        let (ranks, players) = self.detached(py, |batch| (batch.ranks(), batch.game().header().players));
        integers(py, &ranks, players)
    }

    /// Scores of the game that ended last in each row, `[games, players]`; 0 while none has ended there, see `episodes`.
    fn final_scores<'py>(&self, py: Python<'py>) -> PyResult<Table2<'py, i32>> {
        let (results, players) = self.detached(py, |batch| (batch.results(), batch.game().header().players));
        let of = |result: Option<(PerPlayer<i32>, _)>| result.map_or(PerPlayer::new(players, 0), |(scores, _)| scores);
        integers(py, &results.into_iter().map(of).collect::<Vec<_>>(), players)
    }

    /// Ranks of the game that ended last in each row, `[games, players]`; -1 while none has ended there.
    fn final_ranks<'py>(&self, py: Python<'py>) -> PyResult<Table2<'py, i32>> {
        let (results, players) = self.detached(py, |batch| (batch.results(), batch.game().header().players));
        let of = |result: Option<(_, PerPlayer<u8>)>| match result {
            Some((_, ranks)) => PerPlayer::from_fn(players, |player| i32::from(ranks[player])),
            None => PerPlayer::new(players, -1),
        };
        integers(py, &results.into_iter().map(of).collect::<Vec<_>>(), players)
    }

    /// How many games have ended in each row.
    fn episodes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let episodes = self.detached(py, |batch| batch.episodes());
        PyArray1::from_iter(py, episodes.into_iter().map(|count| count as i64))
    }

    /// How many decisions have been taken in each row.
    fn decisions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let decisions = self.detached(py, |batch| batch.decisions());
        PyArray1::from_iter(py, decisions.into_iter().map(|count| count as i64))
    }

    /// Begins all games anew, or those that `mask` names with true. The streams go on: the new games are other ones.
    #[pyo3(signature = (mask = None))]
    fn reset(&self, py: Python<'_>, mask: Option<&Bound<'_, PyAny>>) -> Answer<()> {
        let mask = mask.map(|mask| array::<bool>(mask, "mask", "b", "truth values")).transpose()?;
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose().map_err(PyErr::from)?;
        Ok(self.detached(py, |batch| batch.reset(mask))?)
    }

    /// The position of one game.
    fn state(&self, py: Python<'_>, index: i64) -> Answer<State> {
        let batch = self.lock(py);
        let table = usize::try_from(index).ok().and_then(|index| batch.table(index));
        let found = table.ok_or_else(|| wrong_index(format!("the games are 0 to {}, found {index}", batch.size() - 1)));
        found.map(State::new)
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        Self::new(self.lock(py).boxed())
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let batch = self.lock(py);
        let over = batch.turns().into_iter().filter(Option::is_none).count();
        format!("<Batch of {} games of {}, {over} over>", batch.size(), batch.game().header())
    }
}
