//! `hansa.bots.BuiltinBot`.

use std::sync::{Arc, Mutex};

use hansa::core;
use hansa::search::BotSpec;
use hansa::table::{AnyBot, AnyGame};
use pyo3::prelude::*;

use crate::action::{Action, same_game};
use crate::error::{Answer, classes};
use crate::view::View;
use crate::work::interruptible;

/// A bot of the engine, made from a spec such as `greedy` or `mcts:simulations=1000,exploration=1.2`.
///
/// It sees views only. The same spec, seed and series of views give the same actions, unless the spec has a budget of
/// seconds.
#[pyclass(frozen, module = "hansa.bots")]
pub(crate) struct BuiltinBot {
    spec: BotSpec,
    seed: u64,
    inner: Mutex<Inner>,
}

struct Inner {
    /// One seed for each decision.
    seeds: core::Rng,
    /// The bot at the table where it played last.
    seated: Option<(Arc<dyn AnyGame>, Box<dyn AnyBot>)>,
}

fn busy() -> PyErr {
    classes::BotError::new_err("this bot is thinking in another thread; give each thread its own")
}

#[pymethods]
impl BuiltinBot {
    #[new]
    #[pyo3(signature = (spec, seed = 0))]
    fn new(spec: &str, #[pyo3(from_py_with = crate::convert::seed)] seed: u64) -> Answer<Self> {
        let inner = Inner { seeds: core::Rng::new(seed), seated: None };
        Ok(Self { spec: BotSpec::parse(spec)?, seed, inner: Mutex::new(inner) })
    }

    /// The canonical text of the spec; `hansa.bots.make` reads it.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// What tables show: the spec.
    #[getter]
    fn name(&self) -> String {
        self.spec()
    }

    /// The seed that the bot was made with.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The action that it takes. Raises SearchError unless the view's player is to decide.
    fn act(&self, py: Python<'_>, view: &View) -> Answer<Action> {
        let mut inner = self.inner.try_lock().map_err(|_| busy())?;
        let game = view.view.game();
        let Inner { seeds, seated } = &mut *inner;
        if seated.as_ref().is_none_or(|(at, _)| !same_game(at.header(), game.header())) {
            *seated = Some((Arc::clone(&game), Arc::clone(&game).bot(&self.spec)?));
        }
        let Some((_, bot)) = seated else { return Err(busy().into()) };
        let seed = seeds.next_seed();
        let index = match self.spec {
            // Quicker than letting other threads run.
            BotSpec::Random | BotSpec::Greedy => bot.act(&*view.view, seed, &mut || false)?,
            BotSpec::Flat(_) | BotSpec::Mcts(_) => interruptible(py, |poll| bot.act(&*view.view, seed, poll))??,
        };
        Ok(Action::new(game, index))
    }

    /// Called before each game. A built-in bot remembers nothing but where its random numbers stand.
    fn restart(&self) -> Answer<()> {
        self.inner.try_lock().map_err(|_| busy())?.seated = None;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("BuiltinBot('{}', seed={})", self.spec, self.seed)
    }
}
