//! `hansa.games`, `hansa.GameInfo` and `hansa.check_rules`.

use hansa::catalogue::{CATALOGUE, find};
use hansa::core::load;
use pyo3::prelude::*;
use pyo3::types::PyRange;

use crate::convert::{Reduced, again, rules_source};
use crate::error::{Answer, plain};

/// All games that can be loaded.
#[pyfunction]
pub(crate) fn games() -> Vec<GameInfo> {
    CATALOGUE.iter().map(|entry| GameInfo { info: entry.info }).collect()
}

/// Checks an override for every number of players and every combination of options; returns all problems, each one once.
///
/// `rules` is what `load_game` takes: a path, a TOML text or a mapping.
#[pyfunction]
#[pyo3(signature = (id, rules))]
pub(crate) fn check_rules<'py>(id: &str, rules: &Bound<'py, PyAny>) -> Answer<Vec<Bound<'py, PyAny>>> {
    let entry = find(id)?;
    let source = rules_source(Some(rules))?;
    let problems = match entry.check(source.as_override()) {
        Ok(()) => Vec::new(),
        Err(error) => error.problems,
    };
    let class = rules.py().import("hansa.errors")?.getattr("Problem")?;
    Ok(problems.into_iter().map(|problem| class.call1(plain(problem))).collect::<PyResult<_>>()?)
}

/// What there is to know about a game before it is loaded.
#[pyclass(frozen, eq, hash, module = "hansa")]
#[derive(Clone, Copy)]
pub(crate) struct GameInfo {
    pub(crate) info: &'static load::GameInfo,
}

impl PartialEq for GameInfo {
    fn eq(&self, other: &Self) -> bool {
        self.info.id == other.info.id
    }
}

impl std::hash::Hash for GameInfo {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.info.id.hash(state);
    }
}

#[pymethods]
impl GameInfo {
    /// The name that `load_game` takes and records have.
    #[getter]
    fn id(&self) -> &'static str {
        self.info.id
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.info.title
    }

    /// The game in one or two lines.
    #[getter]
    fn about(&self) -> &'static str {
        self.info.about
    }

    /// Steps when the rules as implemented change.
    #[getter]
    fn version(&self) -> u32 {
        self.info.version
    }

    /// How many can play.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyRange>> {
        PyRange::new(py, *self.info.players.start() as isize, *self.info.players.end() as isize + 1)
    }

    /// The options, each with its values.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, self.info.options.iter().map(|option| GameOption { option }).collect::<Vec<_>>())
    }

    /// The file name of the rule data.
    #[getter]
    fn rules_name(&self) -> &'static str {
        self.info.data_name
    }

    /// The rule data with their provenance: a TOML text, and a good start for an override.
    #[getter]
    fn rules_text(&self) -> &'static str {
        self.info.data
    }

    fn __repr__(&self) -> String {
        format!("GameInfo('{}')", self.info.id)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&'static str,)> {
        Ok((again(py, "_info")?, (self.info.id,)))
    }
}

/// For pickle.
#[pyfunction]
#[pyo3(name = "_info")]
pub(crate) fn info_again(id: &str) -> Answer<GameInfo> {
    Ok(GameInfo { info: find(id)?.info })
}

/// A choice that belongs to the rules of a game.
#[pyclass(frozen, eq, hash, module = "hansa")]
#[derive(Clone, Copy)]
pub(crate) struct GameOption {
    option: &'static load::GameOption,
}

impl PartialEq for GameOption {
    fn eq(&self, other: &Self) -> bool {
        self.option == other.option
    }
}

impl std::hash::Hash for GameOption {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.option.name.hash(state);
    }
}

#[pymethods]
impl GameOption {
    /// The name, as in records.
    #[getter]
    fn name(&self) -> &'static str {
        self.option.name
    }

    /// The values that can be chosen; the first is the default.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, self.option.values)
    }

    /// The value that holds unless another is chosen.
    #[getter]
    fn default(&self) -> &'static str {
        self.option.values[0]
    }

    /// What it changes, in one line.
    #[getter]
    fn about(&self) -> &'static str {
        self.option.about
    }

    fn __repr__(&self) -> String {
        format!("GameOption('{}', {:?})", self.option.name, self.option.values)
    }
}
