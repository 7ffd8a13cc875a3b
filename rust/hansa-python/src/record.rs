//! `hansa.Record`.

use std::collections::BTreeMap;
use std::sync::Arc;

use hansa::catalogue::find;
use hansa::record::{self, Positions, RecordError};
use hansa::table::AnyGame;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::convert::{Reduced, again, from_python, read_move, rules_source, to_python};
use crate::error::{Answer, wrong_type};
use crate::game::Game;
use crate::state::State;
use crate::trace::Trace;

/// The keys that a record has by itself.
const OWN_KEYS: [&str; 9] = ["format", "version", "game", "players", "options", "rules", "moves", "scores", "ranks"];

/// One game: what was played, and every move in the order in which it happened. Never changes.
///
/// Made from a game and its moves, which are checked; by `Record.from_json`; or by `game.sample`.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct Record {
    record: Arc<record::Record>,
}

impl Record {
    pub(crate) fn new(record: record::Record) -> Self {
        Self { record: Arc::new(record) }
    }

    /// The game given, or the one that the record tells.
    fn game_for(&self, game: Option<&Game>) -> Answer<Arc<dyn AnyGame>> {
        match game {
            Some(game) => Ok(Arc::clone(&game.game)),
            None => Ok(self.load(None)?.game),
        }
    }

    fn load(&self, rules: Option<&Bound<'_, PyAny>>) -> Answer<Game> {
        let entry = find(&self.record.game)?;
        Ok(Game::new(entry.load(Some(self.record.players), &self.record.options, rules_source(rules)?)?))
    }
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (game, moves = None, *, extra = None))]
    fn of_moves(game: &Game, moves: Option<&Bound<'_, PyAny>>, extra: Option<&Bound<'_, PyAny>>) -> Answer<Self> {
        let mut table = Arc::clone(&game.game).start();
        let mut notations = Vec::new();
        if let Some(moves) = moves {
            for (index, given) in moves.try_iter()?.enumerate() {
                let chosen = read_move(&*table, &given?)?;
                let notation = game.game.notation(chosen).unwrap_or_default();
                if let Err(error) = table.make(chosen) {
                    return Err(RecordError::at(index, &notation, &*table, error).into());
                }
                notations.push(notation);
            }
        }
        let mut record = record::Record::new(&*game.game, notations).ended(&*table);
        if let Some(extra) = extra {
            record.extra = extra_keys(extra)?;
        }
        Ok(Self::new(record))
    }

    /// The record of a JSON text, bytes or a mapping; raises FormatError with the place that is wrong. Whether the moves can
    /// be played is seen when it is replayed.
    #[staticmethod]
    fn from_json(json: &Bound<'_, PyAny>) -> Answer<Self> {
        Ok(Self::new(record::Record::from_value(from_python(json)?)?))
    }

    /// The record as one line of JSON.
    fn to_json(&self) -> String {
        self.record.to_json()
    }

    /// The record as a new dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        let value = serde_json::to_value(&*self.record).unwrap_or_default();
        Ok(to_python(py, &value)?)
    }

    /// Id of the game.
    #[getter]
    fn game_id(&self) -> &str {
        &self.record.game
    }

    /// Players at the table.
    #[getter]
    fn players(&self) -> usize {
        self.record.players
    }

    /// The options that differ from their defaults.
    #[getter]
    fn options(&self) -> BTreeMap<String, String> {
        self.record.options.clone()
    }

    /// Digest of the rules that the game was played under; None if the record does not tell.
    #[getter]
    fn rules_digest(&self) -> Option<&str> {
        self.record.rules.as_deref()
    }

    /// Chance outcomes and actions in notation, in the order in which they happened.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.record.moves.clone()
    }

    /// The final scores; None if the record does not tell.
    #[getter]
    fn scores(&self) -> Option<Vec<i64>> {
        self.record.scores.clone()
    }

    /// The final ranks; None if the record does not tell.
    #[getter]
    fn ranks(&self) -> Option<Vec<i64>> {
        self.record.ranks.clone()
    }

    /// All other keys, as they were read. A new dict.
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &Value::Object(self.record.extra.clone()))
    }

    /// The game that the record tells, under the rules as embedded or under an override; see `hansa.load_game`.
    #[pyo3(signature = (*, rules = None))]
    fn load_game(&self, rules: Option<&Bound<'_, PyAny>>) -> Answer<Game> {
        self.load(rules)
    }

    /// The position after the last move, of `game` or of the game that the record tells.
    ///
    /// A record of other rules is refused unless `any_rules` is true; one that tells no rules is taken under those in
    /// force. Raises RecordError with the first move that cannot be played.
    #[pyo3(signature = (game = None, *, any_rules = false))]
    fn replay(&self, game: Option<&Game>, any_rules: bool) -> Answer<State> {
        Ok(State::new(self.record.replay(&self.game_for(game)?, any_rules)?))
    }

    /// All positions, from the start to the one after the last move; see `replay`.
    #[pyo3(signature = (game = None, *, any_rules = false))]
    fn states(&self, game: Option<&Game>, any_rules: bool) -> Answer<Vec<State>> {
        let mut positions = record::Record::positions(&*self.record, &self.game_for(game)?, any_rules)?;
        let mut states = Vec::with_capacity(self.record.moves.len() + 1);
        while let Some((_, table)) = positions.advance()? {
            states.push(State::new(table.boxed()));
        }
        Ok(states)
    }

    /// The lines of the trace, one a position, from the start to the end, with every player's view if asked.
    ///
    /// An iterator of JSON texts without line ends; see `replay` for the errors, which come when the line is due.
    #[pyo3(signature = (game = None, *, views = false, any_rules = false))]
    fn trace(&self, game: Option<&Game>, views: bool, any_rules: bool) -> Answer<Trace> {
        let game = self.game_for(game)?;
        let positions: Positions<Arc<record::Record>> =
            record::Record::positions(Arc::clone(&self.record), &game, any_rules)?;
        Ok(Trace::new(positions, views))
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.record == other.record
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (&self.record.game, &self.record.moves).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self) -> Self {
        Self { record: Arc::clone(&self.record) }
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __str__(&self) -> String {
        self.to_json()
    }

    fn __repr__(&self) -> String {
        let scores = self.record.scores.as_ref().map_or("not over".to_owned(), |scores| format!("scores {scores:?}"));
        let moves = self.record.moves.len();
        format!("<Record of {} with {} players: {moves} moves, {scores}>", self.record.game, self.record.players)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String,)> {
        Ok((again(py, "_record")?, (self.to_json(),)))
    }
}

fn extra_keys(extra: &Bound<'_, PyAny>) -> Answer<Map<String, Value>> {
    let Value::Object(map) = from_python(extra)? else {
        return Err(wrong_type("extra must be a mapping"));
    };
    match OWN_KEYS.into_iter().find(|key| map.contains_key(*key)) {
        None => Ok(map),
        Some(key) => {
            Err(hansa::core::FormatError::new(key, "is a key that every record has; extra keys have other names")
                .into())
        }
    }
}

/// For pickle.
#[pyfunction]
#[pyo3(name = "_record")]
pub(crate) fn record_again(json: &Bound<'_, PyAny>) -> Answer<Record> {
    Record::from_json(json)
}
