//! The iterator that `Record.trace` returns.

use std::sync::{Arc, Mutex};

use hansa::record::{Positions, Record, trace_line};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::error::Answer;

/// The lines of a trace, one a position.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct Trace {
    positions: Mutex<Option<Positions<Arc<Record>>>>,
    views: bool,
}

impl Trace {
    pub(crate) fn new(positions: Positions<Arc<Record>>, views: bool) -> Self {
        Self { positions: Mutex::new(Some(positions)), views }
    }
}

#[pymethods]
impl Trace {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Answer<Option<String>> {
        let mut guard = self.positions.lock_py_attached(py).unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(positions) = guard.as_mut() else { return Ok(None) };
        match positions.advance() {
            Ok(Some((index, table))) => Ok(Some(trace_line(index, table, self.views))),
            Ok(None) => {
                *guard = None;
                Ok(None)
            }
            Err(error) => {
                *guard = None;
                Err(error.into())
            }
        }
    }
}
