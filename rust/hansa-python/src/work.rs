//! Long work: other Python threads run meanwhile, and Ctrl-C ends it.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often the interpreter is asked about signals.
const PULSE: Duration = Duration::from_millis(30);

/// Does `work` detached from the interpreter. The poll that it is given, called now and then from this thread, looks for
/// signals and returns true when one raised an exception; that exception is the result then.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut (dyn FnMut() -> bool + Send)) -> T + Send,
) -> PyResult<T> {
    let mut raised = None;
    let result = py.detach(|| {
        let mut next = Instant::now() + PULSE;
        // The engine polls at its own pace, some of it after every decision.
        work(&mut || {
            if raised.is_none() && Instant::now() >= next {
                raised = Python::attach(|py| py.check_signals().err());
                next = Instant::now() + PULSE;
            }
            raised.is_some()
        })
    });
    match raised {
        Some(error) => Err(error),
        None => Ok(result),
    }
}
