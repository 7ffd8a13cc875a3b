//! `hansa.load_game` and `hansa.Game`.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use hansa::batch::MOST_GAMES;
use hansa::catalogue::find;
use hansa::table::{AnyGame, RulesSource};
use pyo3::prelude::*;

use crate::action::{Action, ChanceOutcome, same_game};
use crate::batch::Batch;
use crate::contest::{MatchReport, run_match, run_sample};
use crate::convert::{Reduced, again, from_python, options, rules_source, to_python};
use crate::error::{Answer, classes, wrong_player, wrong_value};
use crate::info::GameInfo;
use crate::playout::{PlayoutReport, request};
use crate::record::Record;
use crate::state::State;
use crate::view::View;
use crate::work::interruptible;

/// Loads a game.
///
/// `id` is the name of the game, or the whole text that `str(game)` gives, as in `queen_of_hansa(players=4,track=long)`.
/// Without `players` it is loaded at its smallest table. `options` differ from the defaults; `rules` overrides parts of
/// the rule data: a path, a TOML text (recognised by an equals sign or a line end) or a mapping.
///
/// Raises UnknownGameError, PlayersError, OptionError, or RulesError with every problem of the override.
#[pyfunction]
#[pyo3(signature = (id, players = None, *, options = None, rules = None))]
pub(crate) fn load_game(
    id: &str,
    players: Option<i64>,
    options: Option<&Bound<'_, PyAny>>,
    rules: Option<&Bound<'_, PyAny>>,
) -> Answer<Game> {
    let mut chosen = self::options(options)?;
    let mut players = players;
    let name = match id.strip_suffix(')').and_then(|id| id.split_once('(')) {
        None => id,
        Some((name, settings)) => {
            for setting in settings.split(',').filter(|setting| !setting.trim().is_empty()) {
                let Some((key, value)) = setting.split_once('=') else {
                    return Err(wrong_value(format!("`{setting}` in `{id}` is no setting; write name=value")));
                };
                let (key, value) = (key.trim(), value.trim());
                if key == "players" {
                    let number =
                        value.parse().map_err(|_| wrong_player(format!("`{value}` is no number of players")))?;
                    players = players.or(Some(number));
                } else {
                    chosen.entry(key.to_owned()).or_insert_with(|| value.to_owned());
                }
            }
            name
        }
    };
    load(name, players, &chosen, rules_source(rules)?)
}

fn load(id: &str, players: Option<i64>, options: &BTreeMap<String, String>, rules: RulesSource) -> Answer<Game> {
    let entry = find(id)?;
    let size = players.map(|players| {
        usize::try_from(players).map_err(|_| {
            let (least, most) = (entry.info.players.start(), entry.info.players.end());
            wrong_player(format!("`{id}` is for {least} to {most} players, not for {players}"))
        })
    });
    Ok(Game::new(entry.load(size.transpose()?, options, rules)?))
}

/// For pickle: the override comes as a text and is a mapping if `json` is true.
#[pyfunction]
#[pyo3(name = "_game")]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(crate) fn game_again(
    id: &str,
    players: i64,
    options: BTreeMap<String, String>,
    rules: Option<String>,
    json: bool,
) -> Answer<Game> {
    let source = match rules {
        None => RulesSource::Embedded,
        Some(text) if json => RulesSource::Json(
            serde_json::from_str(&text).map_err(|error| wrong_value(format!("damaged pickle of a game: {error}")))?,
        ),
        Some(text) => RulesSource::Text(text),
    };
    load(id, Some(players), &options, source)
}

/// The arguments of [`game_again`].
type Loading = (&'static str, usize, BTreeMap<String, String>, Option<String>, bool);

/// The loaded rules of one game at one table size: immutable, shared, without randomness of its own.
///
/// Games are equal when id, players, options and rules are equal. `str(game)` is a text that `load_game` takes.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct Game {
    pub(crate) game: Arc<dyn AnyGame>,
}

impl Game {
    pub(crate) fn new(game: Arc<dyn AnyGame>) -> Self {
        Self { game }
    }

    pub(crate) fn check_player(&self, player: i64) -> Answer<usize> {
        let players = self.game.header().players;
        let found = usize::try_from(player).ok().filter(|&player| player < players);
        found.ok_or_else(|| wrong_player(format!("the players are 0 to {}, found {player}", players - 1)))
    }
}

#[pymethods]
impl Game {
    /// The name that `load_game` takes and records have.
    #[getter]
    fn id(&self) -> &'static str {
        self.game.header().id
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.game.info().title
    }

    /// The game in one or two lines.
    #[getter]
    fn about(&self) -> &'static str {
        self.game.info().about
    }

    /// The entry of the catalogue.
    #[getter]
    fn info(&self) -> GameInfo {
        GameInfo { info: self.game.info() }
    }

    /// Players at the table.
    #[getter]
    fn players(&self) -> usize {
        self.game.header().players
    }

    /// The options that differ from their defaults.
    #[getter]
    fn options(&self) -> BTreeMap<String, String> {
        self.game.header().options.clone()
    }

    /// All options.
    #[getter]
    fn all_options(&self) -> BTreeMap<&'static str, &'static str> {
        self.game.options().all().collect()
    }

    /// SHA-256 of the rules in force as canonical JSON, in lower-case hex; records have it.
    #[getter]
    fn rules_digest(&self) -> &str {
        &self.game.header().rules
    }

    /// The rules in force: the embedded data with the override merged in. A new dict.
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.game.rules().document())
    }

    /// Actions have the numbers from 0 to one less than this.
    #[getter]
    fn num_distinct_actions(&self) -> usize {
        self.game.action_count()
    }

    /// Chance outcomes have the numbers from 0 to one less than this.
    #[getter]
    fn max_chance_outcomes(&self) -> usize {
        self.game.chance_count()
    }

    /// No game has more moves than this, chance included.
    #[getter]
    fn max_game_length(&self) -> usize {
        self.game.longest_game()
    }

    /// Size of a state inside the engine, in bytes.
    #[getter]
    fn state_size(&self) -> usize {
        self.game.state_size()
    }

    /// Length of an observation.
    #[getter]
    fn observation_size(&self) -> usize {
        self.game.observation_size()
    }

    /// Names and lengths of the parts of an observation, in order.
    #[getter]
    fn observation_layout(&self) -> Vec<(String, usize)> {
        self.game.observation_layout()
    }

    /// The position before any chance.
    fn new_initial_state(&self) -> State {
        State::new(Arc::clone(&self.game).start())
    }

    /// The action of a number; raises NotationError if no action has it.
    pub(crate) fn action(&self, index: i64) -> Answer<Action> {
        let count = self.game.action_count();
        let found = u32::try_from(index).ok().filter(|&index| (index as usize) < count);
        let index = found.ok_or_else(|| no_such_index("action", index, count))?;
        Ok(Action::new(Arc::clone(&self.game), index))
    }

    /// The chance outcome of a number; raises NotationError if no chance outcome has it.
    pub(crate) fn chance_outcome(&self, index: i64) -> Answer<ChanceOutcome> {
        let count = self.game.chance_count();
        let found = u32::try_from(index).ok().filter(|&index| (index as usize) < count);
        let index = found.ok_or_else(|| no_such_index("chance outcome", index, count))?;
        Ok(ChanceOutcome::new(Arc::clone(&self.game), index))
    }

    /// The action of a notation; raises NotationError if it is none.
    fn parse_action(&self, text: &str) -> Answer<Action> {
        Ok(Action::new(Arc::clone(&self.game), self.game.parse_action(text)?))
    }

    /// The chance outcome of a notation; raises NotationError if it is none.
    fn parse_chance(&self, text: &str) -> Answer<ChanceOutcome> {
        Ok(ChanceOutcome::new(Arc::clone(&self.game), self.game.parse_chance(text)?))
    }

    /// The state of a canonical state: a JSON text, bytes or a mapping. Raises FormatError with the place that is wrong.
    fn state_from_json(&self, json: &Bound<'_, PyAny>) -> Answer<State> {
        Ok(State::new(Arc::clone(&self.game).state_from_json(&from_python(json)?)?))
    }

    /// The inverse of `state.to_bytes()`. Raises FormatError, also for bytes of another game.
    fn state_from_bytes(&self, data: &[u8]) -> Answer<State> {
        Ok(State::new(Arc::clone(&self.game).state_from_bytes(data)?))
    }

    /// The view of `player` of a view's JSON: a text, bytes or a mapping. Raises FormatError with the place that is wrong.
    fn view_from_json(&self, json: &Bound<'_, PyAny>, player: i64) -> Answer<View> {
        let player = self.check_player(player)?;
        Ok(View::new(Arc::clone(&self.game).view_from_json(&from_python(json)?, player)?))
    }

    /// The inverse of `view.to_bytes()`. Raises FormatError, also for bytes of another game.
    fn view_from_bytes(&self, data: &[u8]) -> Answer<View> {
        Ok(View::new(Arc::clone(&self.game).view_from_bytes(data)?))
    }

    /// Plays `count` whole games from the empty start and sums them up.
    ///
    /// `policy` is `"random"`, or `"heuristic"`: the game's own judgement, with a random action in a share of `epsilon`
    /// (0.1) of the decisions. With `cutoff`, playouts end after so many decisions with the scores that the position
    /// promises. The same seed gives the same sums on any number of threads.
    #[pyo3(signature = (count, seed = 0, *, threads = 1, policy = "random", epsilon = None, cutoff = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords on the Python side")]
    fn playouts(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = crate::convert::count)] count: u64,
        #[pyo3(from_py_with = crate::convert::seed)] seed: u64,
        #[pyo3(from_py_with = crate::convert::threads)] threads: usize,
        policy: &str,
        epsilon: Option<f64>,
        cutoff: Option<u32>,
    ) -> Answer<PlayoutReport> {
        let request = request(count, seed, threads, policy, epsilon, cutoff)?;
        let start = Arc::clone(&self.game).start();
        Ok(PlayoutReport::new(interruptible(py, |poll| start.playouts(&request, poll))??))
    }

    /// `size` games at their first decisions, stepped together; see Batch.
    #[pyo3(signature = (size, seed = 0, *, autoreset = false, threads = 1))]
    fn batch(
        &self,
        py: Python<'_>,
        size: i64,
        #[pyo3(from_py_with = crate::convert::seed)] seed: u64,
        autoreset: bool,
        #[pyo3(from_py_with = crate::convert::threads)] threads: usize,
    ) -> Answer<Batch> {
        let found = usize::try_from(size).ok().filter(|size| (1..=MOST_GAMES).contains(size));
        let size = found.ok_or_else(|| wrong_value(format!("size must be from 1 to {MOST_GAMES}, found {size}")))?;
        let game = Arc::clone(&self.game);
        Ok(Batch::new(py.detach(|| game.batch(size, seed, autoreset, threads))))
    }

    /// Records of `games` whole games, numbered from `first`, with a bot of the spec `policy` in every seat.
    ///
    /// A game depends on the seed, its number and the policy only, so a long series can be made in parts; other threads
    /// run meanwhile.
    #[pyo3(signature = (games, seed = 0, *, policy = "random", first = 0))]
    fn sample(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = crate::convert::count)] games: u64,
        #[pyo3(from_py_with = crate::convert::seed)] seed: u64,
        policy: &str,
        #[pyo3(from_py_with = crate::convert::count)] first: u64,
    ) -> Answer<Vec<Record>> {
        run_sample(py, &self.game, games, seed, policy, first)
    }

    /// Plays a match between bots, given by their specs: one bot a seat in the order given, then with the seats rotated.
    ///
    /// The same seed gives the same result on any number of threads, unless a bot has a budget of seconds. `progress` is
    /// called now and then with the games played and the games asked for. With `records` the report has every game.
    #[pyo3(signature = (bots, games, seed = 0, *, threads = 1, records = false, progress = None))]
    #[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "keywords on the Python side")]
    fn play_match(
        &self,
        py: Python<'_>,
        bots: Vec<String>,
        #[pyo3(from_py_with = crate::convert::count)] games: u64,
        #[pyo3(from_py_with = crate::convert::seed)] seed: u64,
        #[pyo3(from_py_with = crate::convert::threads)] threads: usize,
        records: bool,
        progress: Option<Py<PyAny>>,
    ) -> Answer<MatchReport> {
        run_match(py, &self.game, &bots, games, seed, threads, records, progress.as_ref())
    }

    fn __eq__(&self, other: &Self) -> bool {
        same_game(self.game.header(), other.game.header())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.game.header().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self) -> Self {
        Self::new(Arc::clone(&self.game))
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __str__(&self) -> String {
        self.game.header().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.game.header())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Loading> {
        let (rules, json) = match self.game.source() {
            RulesSource::Embedded => (None, false),
            RulesSource::Text(text) => (Some(text.clone()), false),
            RulesSource::Json(value) => (Some(value.to_string()), true),
        };
        Ok((again(py, "_game")?, (self.id(), self.players(), self.options(), rules, json)))
    }
}

fn no_such_index(kind: &str, index: i64, count: usize) -> PyErr {
    let message = format!("no {kind} has the index {index}; the indices are 0 to {}", count - 1);
    classes::NotationError::new_err(message)
}
