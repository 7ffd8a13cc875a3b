//! `hansa.LegalActions`.

use std::sync::Arc;

use hansa::table::{AnyGame, Move};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyString};

use crate::action::{Action, same_game};
use crate::error::{Answer, wrong_index, wrong_value};

/// The legal actions of a position, in the order of their numbers: a sequence of `Action`.
///
/// `in`, `index` and `count` take an action, its number or its notation. Empty unless a player is to decide.
#[pyclass(frozen, sequence, module = "hansa")]
pub(crate) struct LegalActions {
    game: Arc<dyn AnyGame>,
    indices: Vec<u32>,
}

impl LegalActions {
    pub(crate) fn new(game: Arc<dyn AnyGame>, indices: Vec<u32>) -> Self {
        Self { game, indices }
    }

    fn action(&self, index: u32) -> Action {
        Action::new(Arc::clone(&self.game), index)
    }

    fn notation(&self, index: u32) -> String {
        self.game.notation(Move::Action(index)).unwrap_or_default()
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.indices.iter().map(|&index| self.action(index)).collect::<Vec<_>>())
    }

    /// Where an action, a number or a notation stands.
    fn place(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let index = if let Ok(action) = object.cast_exact::<Action>() {
            let action = action.get();
            if !action.fits(self.game.header()) {
                return Ok(None);
            }
            action.index
        } else if let Ok(text) = object.cast::<PyString>() {
            let Ok(index) = self.game.parse_action(text.to_cow()?.as_ref()) else { return Ok(None) };
            index
        } else {
            let Ok(index) = object.extract::<u32>() else { return Ok(None) };
            index
        };
        Ok(self.indices.iter().position(|&legal| legal == index))
    }
}

#[pymethods]
impl LegalActions {
    fn __len__(&self) -> usize {
        self.indices.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyAny>> {
        if index.cast::<PySlice>().is_ok() {
            return Ok(self.list(py)?.into_any().get_item(index)?);
        }
        let length = self.indices.len() as isize;
        let asked: isize = index.extract()?;
        let place = if asked < 0 { asked + length } else { asked };
        if !(0..length).contains(&place) {
            return Err(wrong_index(format!("there are {length} legal actions, so none has the index {asked}")));
        }
        Ok(Bound::new(py, self.action(self.indices[place as usize]))?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let list = self.list(py)?;
        list.reverse()?;
        list.try_iter()
    }

    fn __contains__(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.place(action)?.is_some())
    }

    /// The place of an action, given as such, by number or by notation.
    #[pyo3(signature = (value, start = 0, stop = isize::MAX))]
    fn index(&self, value: &Bound<'_, PyAny>, start: isize, stop: isize) -> Answer<usize> {
        let length = self.indices.len() as isize;
        let clamp = |place: isize| if place < 0 { (place + length).max(0) } else { place };
        let found = self.place(value)?.filter(|&place| (clamp(start)..clamp(stop)).contains(&(place as isize)));
        found.ok_or_else(|| wrong_value(format!("{value} is not among the legal actions: {}", self.shown())))
    }

    /// 1 for a legal action, given as such, by number or by notation; 0 for any other.
    fn count(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(usize::from(self.place(value)?.is_some()))
    }

    /// The numbers of the actions, as a new array.
    fn indices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, &self.indices)
    }

    /// One truth value for each action of the game: is it legal? A new array.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.game.action_count()];
        for &index in &self.indices {
            mask[index as usize] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.indices == other.indices && same_game(self.game.header(), other.game.header())
    }

    #[classattr]
    const __hash__: Option<Py<PyAny>> = None;

    fn __repr__(&self) -> String {
        format!("LegalActions({})", self.shown())
    }
}

impl LegalActions {
    fn shown(&self) -> String {
        let notations: Vec<String> = self.indices.iter().map(|&index| format!("'{}'", self.notation(index))).collect();
        format!("[{}]", notations.join(", "))
    }
}
