//! `hansa.mcts.search`, `hansa.mcts.Searcher` and their reports.

use std::sync::{Arc, Mutex, MutexGuard};

use hansa::search as engine;
use hansa::table::{AnyGame, AnySearcher};
use pyo3::prelude::*;

use crate::action::{Action, same_game};

use crate::error::{Answer, classes, wrong_game};
use crate::game::Game;
use crate::settings::{Keywords, stop_name};
use crate::view::View;
use crate::work::interruptible;

/// The search behind `hansa.mcts.search`, which has the documentation.
#[pyfunction]
#[pyo3(signature = (
    view, *, simulations = None, seconds = None, exploration = None, selection = None, first_play = None,
    temperature = None, playout = None, epsilon = None, cutoff = None, utility = None, workers = None, threads = None,
    seed = 0, memory = None
))]
#[expect(clippy::too_many_arguments, reason = "keywords on the Python side")]
pub(crate) fn search(
    py: Python<'_>,
    view: &View,
    simulations: Option<i64>,
    seconds: Option<f64>,
    exploration: Option<f64>,
    selection: Option<&str>,
    first_play: Option<f64>,
    temperature: Option<f64>,
    playout: Option<&str>,
    epsilon: Option<f64>,
    cutoff: Option<i64>,
    utility: Option<&str>,
    workers: Option<i64>,
    threads: Option<i64>,
    #[pyo3(from_py_with = crate::convert::seed)] seed: u64,
    memory: Option<i64>,
) -> Answer<SearchReport> {
    let settings = Keywords {
        simulations,
        seconds,
        exploration,
        selection,
        first_play,
        temperature,
        playout,
        epsilon,
        cutoff,
        utility,
        workers,
        threads,
        seed,
        memory,
    };
    let settings = settings.settings()?;
    let report = interruptible(py, |poll| view.view.search(&settings, poll))??;
    Ok(SearchReport { game: view.view.game(), player: view.view.observer(), report })
}

/// A search that keeps its tree, so that the next one goes on from what this one learned.
///
/// After a search call `advance` for every action that is taken, one's own and the others', up to the next search; chance
/// needs no call. Where the view does not tell which action another player took, call `forget` instead. A search that
/// follows neither `advance` nor a search of the same view starts anew. The keywords are those of `hansa.mcts.search`.
#[pyclass(frozen, module = "hansa.mcts")]
pub(crate) struct Searcher {
    game: Arc<dyn AnyGame>,
    searcher: Mutex<Box<dyn AnySearcher>>,
}

impl Searcher {
    /// The searcher, unless another thread has it. Waiting would be wrong: who searches first changes the tree.
    fn lock(&self) -> Answer<MutexGuard<'_, Box<dyn AnySearcher>>> {
        self.searcher.try_lock().map_err(|_| {
            classes::SearchError::new_err("this searcher is at work in another thread; give each thread its own").into()
        })
    }
}

#[pymethods]
impl Searcher {
    #[new]
    #[pyo3(signature = (
        game, *, simulations = None, seconds = None, exploration = None, selection = None, first_play = None,
        temperature = None, playout = None, epsilon = None, cutoff = None, utility = None, workers = None,
        threads = None, seed = 0, memory = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords on the Python side")]
    fn new(
        game: &Game,
        simulations: Option<i64>,
        seconds: Option<f64>,
        exploration: Option<f64>,
        selection: Option<&str>,
        first_play: Option<f64>,
        temperature: Option<f64>,
        playout: Option<&str>,
        epsilon: Option<f64>,
        cutoff: Option<i64>,
        utility: Option<&str>,
        workers: Option<i64>,
        threads: Option<i64>,
        #[pyo3(from_py_with = crate::convert::seed)] seed: u64,
        memory: Option<i64>,
    ) -> Answer<Self> {
        let settings = Keywords {
            simulations,
            seconds,
            exploration,
            selection,
            first_play,
            temperature,
            playout,
            epsilon,
            cutoff,
            utility,
            workers,
            threads,
            seed,
            memory,
        };
        let searcher = Arc::clone(&game.game).searcher(settings.settings()?)?;
        Ok(Self { game: Arc::clone(&game.game), searcher: Mutex::new(searcher) })
    }

    /// The game that is searched.
    #[getter]
    fn game(&self) -> Game {
        Game::new(Arc::clone(&self.game))
    }

    /// Searches a view, going on from the tree if it stands there.
    fn search(&self, py: Python<'_>, view: &View) -> Answer<SearchReport> {
        if !same_game(view.view.header(), self.game.header()) {
            return Err(wrong_game("the view", view.view.header(), self.game.header()));
        }
        let mut guard = self.lock()?;
        let searcher = &mut **guard;
        let report = interruptible(py, |poll| searcher.search(&*view.view, poll))??;
        Ok(SearchReport { game: Arc::clone(&self.game), player: view.view.observer(), report })
    }

    /// Follows an action that `player` visibly took: the part of the tree behind it is kept.
    fn advance(&self, player: i64, action: &Action) -> Answer<()> {
        let player = self.game().check_player(player)?;
        if !action.fits(self.game.header()) {
            return Err(wrong_game("the action", action.game.header(), self.game.header()));
        }
        self.lock()?.advance(player, action.index);
        Ok(())
    }

    /// Forgets the tree.
    fn forget(&self) -> Answer<()> {
        self.lock()?.forget();
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<Searcher of {}>", self.game.header())
    }
}

/// What a search found.
#[pyclass(frozen, module = "hansa.mcts")]
pub(crate) struct SearchReport {
    game: Arc<dyn AnyGame>,
    player: usize,
    report: engine::Report<u32>,
}

impl SearchReport {
    fn action(&self, index: u32) -> Action {
        Action::new(Arc::clone(&self.game), index)
    }
}

#[pymethods]
impl SearchReport {
    /// The most visited action; among equals the one with the higher value for the player to move.
    #[getter]
    fn best(&self) -> Action {
        self.action(self.report.best)
    }

    /// The player who is to move, and whose view was searched.
    #[getter]
    fn player(&self) -> usize {
        self.player
    }

    /// The legal actions with what the search found about each, in the order of their numbers.
    #[getter]
    fn actions(&self) -> Vec<ActionReport> {
        let report = |report: &engine::ActionReport<u32>| ActionReport {
            action: self.action(report.action),
            player: self.player,
            report: report.clone(),
        };
        self.report.actions.iter().map(report).collect()
    }

    /// Mean utility of each player, from 0 to 1, over all simulations.
    #[getter]
    fn values(&self) -> Vec<f64> {
        self.report.values.as_slice().to_vec()
    }

    /// The most visited line of actions, the best one first. Chance is not part of it, so a later action may turn out
    /// impossible.
    #[getter]
    fn principal_variation(&self) -> Vec<Action> {
        self.report.principal_variation.iter().map(|&index| self.action(index)).collect()
    }

    /// Simulations of this search.
    #[getter]
    fn simulations(&self) -> u64 {
        self.report.simulations
    }

    /// Visits that were kept from earlier searches.
    #[getter]
    fn inherited(&self) -> u64 {
        self.report.inherited
    }

    /// Nodes in the trees.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// Decisions in the longest line that a simulation followed inside a tree.
    #[getter]
    fn depth(&self) -> u32 {
        self.report.depth
    }

    /// Bytes that the trees take.
    #[getter]
    fn memory(&self) -> usize {
        self.report.memory
    }

    /// True if a tree reached its memory cap and stopped growing.
    #[getter]
    fn memory_full(&self) -> bool {
        self.report.memory_full
    }

    /// Seconds of wall-clock time.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    /// Simulations in a second.
    #[getter]
    fn simulations_per_second(&self) -> f64 {
        self.report.simulations_per_second()
    }

    /// Which budget ended the search: `"simulations"` or `"seconds"`.
    #[getter]
    fn stopped(&self) -> &'static str {
        stop_name(self.report.stopped)
    }

    fn __repr__(&self) -> String {
        let value = self.report.values.as_slice().get(self.player).copied().unwrap_or_default();
        format!(
            "<SearchReport: best '{}', value {value:.3} for player {}, {} simulations>",
            self.best().notation(),
            self.player,
            self.report.simulations
        )
    }
}

/// What a search found about one action.
#[pyclass(frozen, module = "hansa.mcts")]
pub(crate) struct ActionReport {
    action: Action,
    player: usize,
    report: engine::ActionReport<u32>,
}

#[pymethods]
impl ActionReport {
    /// The action.
    #[getter]
    fn action(&self) -> Action {
        Action::new(Arc::clone(&self.action.game), self.action.index)
    }

    /// Simulations that began with it.
    #[getter]
    fn visits(&self) -> u64 {
        self.report.visits
    }

    /// Simulations in which it could have been chosen.
    #[getter]
    fn availability(&self) -> u64 {
        self.report.availability
    }

    /// Mean utility of the player to move, from 0 to 1; None if the action was never taken.
    #[getter]
    fn value(&self) -> Option<f64> {
        self.report.values.as_ref().map(|values| values[self.player])
    }

    /// Mean utility of each player, from 0 to 1; None if the action was never taken.
    #[getter]
    fn values(&self) -> Option<Vec<f64>> {
        self.report.values.as_ref().map(|values| values.as_slice().to_vec())
    }

    /// The share that it starts from; the shares of all actions add up to 1.
    #[getter]
    fn prior(&self) -> f64 {
        self.report.prior
    }

    fn __repr__(&self) -> String {
        let value = self.value().map_or("never taken".to_owned(), |value| format!("value {value:.3}"));
        format!("<ActionReport: '{}', {} visits, {value}>", self.action.notation(), self.report.visits)
    }
}
