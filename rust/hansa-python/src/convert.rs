//! Values between Python and the engine.

use std::collections::BTreeMap;

use hansa::core::{FormatError, Turn};
use hansa::table::{Move, RulesSource, Table};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyString};
use serde_json::Value;

use crate::action::{Action, ChanceOutcome};
use crate::error::{Answer, Raised, classes, wrong_game, wrong_type, wrong_value};

/// A seed: an integer of 64 bits without sign.
pub(crate) fn seed(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(object, "seed", 0, u64::MAX)
}

/// A number of things to do.
pub(crate) fn count(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(object, "count", 0, i64::MAX as u64)
}

/// A number of threads.
pub(crate) fn threads(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole(object, "threads", 1, 1024).map(|threads| threads as usize)
}

fn whole(object: &Bound<'_, PyAny>, what: &str, least: u64, most: u64) -> PyResult<u64> {
    let found = object.extract::<u64>().ok().filter(|value| (least..=most).contains(value));
    found.map_or_else(
        || {
            // Not an integer at all: the interpreter's own message says so. Otherwise it is out of range.
            let number = object.py().import("operator")?.call_method1("index", (object,))?;
            Err(wrong_value(format!("{what} must be an integer from {least} to {most}, found {number}")).into())
        },
        Ok,
    )
}

/// The move that a Python object means at a position: an action, a chance outcome, a notation or an index.
pub(crate) fn read_move(table: &dyn Table, object: &Bound<'_, PyAny>) -> Answer<Move> {
    if let Ok(action) = object.cast_exact::<Action>() {
        let action = action.get();
        if !action.fits(table.header()) {
            return Err(wrong_game("the action", action.game.header(), table.header()));
        }
        return Ok(Move::Action(action.index));
    }
    if let Ok(outcome) = object.cast_exact::<ChanceOutcome>() {
        let outcome = outcome.get();
        if !outcome.fits(table.header()) {
            return Err(wrong_game("the chance outcome", outcome.game.header(), table.header()));
        }
        return Ok(Move::Chance(outcome.index));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(table.read_move(text.to_cow()?.as_ref())?);
    }
    let chance = table.turn() == Turn::Chance;
    match object.extract::<u32>() {
        // The table refuses a number that no move has.
        Ok(index) => Ok(if chance { Move::Chance(index) } else { Move::Action(index) }),
        Err(_) => Err(no_move(table, object, chance)?),
    }
}

/// The refusal of what is no move at all: another type, or a number that no move can have.
#[cold]
fn no_move(table: &dyn Table, object: &Bound<'_, PyAny>, chance: bool) -> PyResult<Raised> {
    let Ok(number) = object.py().import("operator")?.call_method1("index", (object,)) else {
        let found = object.get_type().name()?;
        return Ok(wrong_type(format!("a move is an Action, a ChanceOutcome, a notation or an index, found {found}")));
    };
    let game = table.game();
    let (kind, count) = if chance { ("chance outcome", game.chance_count()) } else { ("action", game.action_count()) };
    let message = format!("no {kind} has the index {number}; the indices are 0 to {}", count - 1);
    Ok(classes::NotationError::new_err(message).into())
}

/// What `__reduce__` returns: a function that makes the object again, and its arguments.
pub(crate) type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// The function of this module that makes a pickled object again.
pub(crate) fn again<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("hansa._hansa")?.getattr(name)
}

/// A JSON value as Python objects.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(integer), _) => integer.into_pyobject(py)?.into_any(),
            (None, Some(integer)) => integer.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?,
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(to_python(py, value)?)?;
            }
            list.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// A JSON value from a text, from bytes, or from a mapping.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> Answer<Value> {
    let read = |text: &[u8]| {
        serde_json::from_slice(text).map_err(|error| FormatError::new("", format!("this is no JSON: {error}")))
    };
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(read(text.to_cow()?.as_bytes())?);
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(read(bytes.as_bytes())?);
    }
    let Ok(mapping) = object.cast::<PyMapping>() else {
        let found = object.get_type().name()?;
        return Err(wrong_type(format!("expected a JSON text, bytes or a mapping, found {found}")));
    };
    let py = object.py();
    let dict = py.get_type::<PyDict>().call1((mapping,))?;
    let text = py.import("json")?.call_method1("dumps", (dict,))?;
    Ok(read(text.cast::<PyString>()?.to_cow()?.as_bytes())?)
}

/// An override of the rules: a path, a TOML text (it has an equals sign, a line end or nothing in it), or a mapping.
pub(crate) fn rules_source(rules: Option<&Bound<'_, PyAny>>) -> Answer<RulesSource> {
    let Some(rules) = rules else {
        return Ok(RulesSource::Embedded);
    };
    if let Ok(text) = rules.cast::<PyString>() {
        let text = text.to_cow()?;
        if text.is_empty() || text.contains(['=', '\n']) {
            return Ok(RulesSource::Text(text.into_owned()));
        }
    } else if rules.cast::<PyMapping>().is_ok() {
        return from_python(rules).map(RulesSource::Json);
    } else if !rules.hasattr("__fspath__")? {
        let found = rules.get_type().name()?;
        return Err(wrong_type(format!("rules are a path, a TOML text or a mapping, found {found}")));
    }
    let path = rules.py().import("pathlib")?.call_method1("Path", (rules,))?;
    let text = path.call_method1("read_text", ("utf-8",))?;
    Ok(RulesSource::Text(text.extract()?))
}

/// The options of a game, as texts by name.
pub(crate) fn options(given: Option<&Bound<'_, PyAny>>) -> Answer<BTreeMap<String, String>> {
    let mut options = BTreeMap::new();
    if let Some(given) = given {
        for pair in given.cast::<PyMapping>()?.items()? {
            let (name, value): (String, Bound<'_, PyAny>) = pair.extract()?;
            let Ok(text) = value.extract::<String>() else {
                let message = format!("option `{name}` must be a text, found {}", value.repr()?);
                return Err(classes::OptionError::new_err(message).into());
            };
            options.insert(name, text);
        }
    }
    Ok(options)
}
