//! `hansa.Rng`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hansa::core;
use pyo3::prelude::*;

use crate::convert::{Reduced, again};
use crate::error::{Answer, wrong_value};

/// A random stream of hansa's own (xoshiro256++): a seed means the same numbers for ever, on every machine.
///
/// Every seed from 0 to 2**64 - 1 is good. A stream may be shared by threads; then who gets which number is open.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct Rng {
    stream: Mutex<core::Rng>,
}

impl Rng {
    /// The stream; held for moments only, never while waiting for anything else.
    pub(crate) fn lock(&self) -> MutexGuard<'_, core::Rng> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(stream: core::Rng) -> Self {
        Self { stream: Mutex::new(stream) }
    }
}

#[pymethods]
impl Rng {
    #[new]
    #[pyo3(signature = (seed = 0))]
    fn new(#[pyo3(from_py_with = crate::convert::seed)] seed: u64) -> Self {
        Self::of(core::Rng::new(seed))
    }

    /// The stream that goes on from saved `words`.
    #[staticmethod]
    fn from_words(words: [u64; 4]) -> Answer<Self> {
        core::Rng::from_words(words).map(Self::of).ok_or_else(|| wrong_value("the words must not all be 0"))
    }

    /// The four words of the stream, for saving it.
    #[getter]
    fn words(&self) -> (u64, u64, u64, u64) {
        self.lock().words().into()
    }

    /// An integer from 0 to `bound - 1`, each with the same probability; `bound` is from 1 to 2**32 - 1.
    fn below(&self, bound: i64) -> Answer<u32> {
        match u32::try_from(bound) {
            Ok(bound) if bound > 0 => Ok(self.lock().below(bound)),
            _ => Err(wrong_value(format!("bound must be from 1 to {}, found {bound}", u32::MAX))),
        }
    }

    /// A number from 0 (included) to 1 (not included), with 53 random bits.
    fn unit(&self) -> f64 {
        self.lock().unit()
    }

    /// A seed for something that takes seeds itself.
    fn next_seed(&self) -> u64 {
        self.lock().next_seed()
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> bool {
        // One lock after the other: `rng == rng` must not wait for itself.
        slf.is(other) || slf.get().words() == other.get().words()
    }

    #[classattr]
    const __hash__: Option<Py<PyAny>> = None;

    fn __copy__(&self) -> Self {
        Self::of(self.lock().clone())
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        format!("Rng.from_words({:?})", self.words())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, ((u64, u64, u64, u64),)> {
        Ok((again(py, "_rng")?, (self.words(),)))
    }
}

/// For pickle.
#[pyfunction]
#[pyo3(name = "_rng")]
pub(crate) fn rng_again(words: [u64; 4]) -> Answer<Rng> {
    Rng::from_words(words)
}
