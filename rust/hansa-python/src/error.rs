//! Errors of the engine as the exceptions of `hansa.errors`.

use hansa::batch::BatchError;
use hansa::core::load::{LoadError, Problem, RulesError};
use hansa::core::{FormatError, NotationError};
use hansa::record::{RecordError, TraceError};
use hansa::search::{SearchError, SpecError};
use hansa::table::{MoveError, Refusal};
use pyo3::prelude::*;

/// The exception classes, defined in Python.
pub(crate) mod classes {
    use pyo3::import_exception;

    import_exception!(hansa.errors, BotError);
    import_exception!(hansa.errors, FormatError);
    import_exception!(hansa.errors, GameMismatchError);
    import_exception!(hansa.errors, IllegalActionError);
    import_exception!(hansa.errors, NotationError);
    import_exception!(hansa.errors, OptionError);
    import_exception!(hansa.errors, PlayersError);
    import_exception!(hansa.errors, RecordError);
    import_exception!(hansa.errors, RulesError);
    import_exception!(hansa.errors, SearchError);
    import_exception!(hansa.errors, UnknownGameError);
}

/// A Python exception on its way: every error of the engine turns into one by `?`.
#[derive(Debug)]
pub(crate) struct Raised(PyErr);

/// What a method of a Python class returns.
pub(crate) type Answer<T> = Result<T, Raised>;

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> Self {
        raised.0
    }
}

impl From<PyErr> for Raised {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<pyo3::CastError<'_, '_>> for Raised {
    fn from(error: pyo3::CastError<'_, '_>) -> Self {
        Self(error.into())
    }
}

impl From<NotationError> for Raised {
    fn from(error: NotationError) -> Self {
        Self(classes::NotationError::new_err(error.message))
    }
}

impl From<FormatError> for Raised {
    fn from(error: FormatError) -> Self {
        Self(classes::FormatError::new_err((error.to_string(), error.path)))
    }
}

fn illegal(message: String, refusal: Refusal, game: Option<usize>) -> Raised {
    let Refusal { notation, rule, reason, legal } = refusal;
    Raised(classes::IllegalActionError::new_err((message, notation, rule, reason, legal, game)))
}

impl From<MoveError> for Raised {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Illegal(refusal) => illegal(refusal.to_string(), *refusal, None),
            MoveError::Unknown(error) => error.into(),
        }
    }
}

impl From<BatchError> for Raised {
    fn from(error: BatchError) -> Self {
        let message = error.to_string();
        match error {
            BatchError::Move { game, error: MoveError::Illegal(refusal) } => illegal(message, *refusal, Some(game)),
            BatchError::Move { error: MoveError::Unknown(_), .. } => Self(classes::NotationError::new_err(message)),
            BatchError::Length { .. } => wrong_value(message),
        }
    }
}

impl From<RulesError> for Raised {
    fn from(error: RulesError) -> Self {
        let count = error.problems.len();
        let problems = if count == 1 { "problem" } else { "problems" };
        let message = format!("{count} {problems} in the rules:\n{error}");
        let problems: Vec<_> = error.problems.into_iter().map(plain).collect();
        Self(classes::RulesError::new_err((message, problems)))
    }
}

/// A problem as a tuple of path, line and message.
pub(crate) fn plain(problem: Problem) -> (String, Option<usize>, String) {
    (problem.path, problem.line, problem.message)
}

impl From<LoadError> for Raised {
    fn from(error: LoadError) -> Self {
        let message = error.to_string();
        match error {
            LoadError::UnknownGame { given, .. } => Self(classes::UnknownGameError::new_err((message, given))),
            LoadError::Players { .. } => Self(classes::PlayersError::new_err(message)),
            LoadError::Option(_) => Self(classes::OptionError::new_err(message)),
            LoadError::Rules(error) => error.into(),
        }
    }
}

impl From<RecordError> for Raised {
    fn from(error: RecordError) -> Self {
        let message = error.to_string();
        let RecordError { index, notation, reason, legal } = error;
        Self(classes::RecordError::new_err((message, index, notation, reason, legal)))
    }
}

impl From<TraceError> for Raised {
    fn from(error: TraceError) -> Self {
        match error {
            TraceError::Record(error) => error.into(),
            TraceError::Io(error) => Self(error.into()),
        }
    }
}

impl From<SearchError> for Raised {
    fn from(error: SearchError) -> Self {
        Self(classes::SearchError::new_err(error.to_string()))
    }
}

impl From<SpecError> for Raised {
    fn from(error: SpecError) -> Self {
        Self(classes::BotError::new_err(error.to_string()))
    }
}

/// A `ValueError`.
pub(crate) fn wrong_value(message: impl Into<String>) -> Raised {
    Raised(pyo3::exceptions::PyValueError::new_err(message.into()))
}

/// A `TypeError`.
pub(crate) fn wrong_type(message: impl Into<String>) -> Raised {
    Raised(pyo3::exceptions::PyTypeError::new_err(message.into()))
}

/// An `IndexError`.
pub(crate) fn wrong_index(message: impl Into<String>) -> Raised {
    Raised(pyo3::exceptions::PyIndexError::new_err(message.into()))
}

/// A `PlayersError`.
pub(crate) fn wrong_player(message: impl Into<String>) -> Raised {
    Raised(classes::PlayersError::new_err(message.into()))
}

/// A `GameMismatchError`.
pub(crate) fn wrong_game(what: &str, theirs: &hansa::table::Header, ours: &hansa::table::Header) -> Raised {
    let rules = if theirs.to_string() == ours.to_string() { " under other rules" } else { "" };
    Raised(classes::GameMismatchError::new_err(format!("{what} belongs to {theirs}{rules}, not to {ours}")))
}
