//! Settings of searches and playouts, from what Python says.

use hansa::search::{DEFAULT_EPSILON, DEFAULT_SIMULATIONS, Playout, Policy, SearchError, Selection, Settings, Utility};

use crate::error::Answer;

fn wrong(name: &'static str, problem: String) -> SearchError {
    SearchError::Setting { name, problem }
}

fn word<T: Copy>(name: &'static str, given: &str, words: &[(&str, T)]) -> Result<T, SearchError> {
    words.iter().find(|(word, _)| *word == given).map(|&(_, meaning)| meaning).ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("'{word}'")).collect();
        wrong(name, format!("'{given}' is unknown; give one of {}", known.join(", ")))
    })
}

/// The utility of a name.
pub(crate) fn utility(name: &str) -> Result<Utility, SearchError> {
    word("utility", name, &[("win", Utility::Win), ("rank", Utility::Rank), ("margin", Utility::Margin)])
}

/// How playouts are played.
pub(crate) fn policy(name: &str, epsilon: Option<f64>, cutoff: Option<u32>) -> Result<Policy, SearchError> {
    let heuristic = word("playout", name, &[("random", false), ("heuristic", true)])?;
    let playout = match (heuristic, epsilon) {
        (true, epsilon) => Playout::Heuristic { epsilon: epsilon.unwrap_or(DEFAULT_EPSILON) },
        (false, None) => Playout::Random,
        (false, Some(_)) => {
            return Err(wrong("epsilon", "belongs to 'heuristic'; give both or leave it out".into()));
        }
    };
    Ok(Policy { playout, cutoff })
}

/// The keywords of a search; all may be absent.
#[derive(Debug, Default)]
pub(crate) struct Keywords<'a> {
    pub(crate) simulations: Option<i64>,
    pub(crate) seconds: Option<f64>,
    pub(crate) exploration: Option<f64>,
    pub(crate) selection: Option<&'a str>,
    pub(crate) first_play: Option<f64>,
    pub(crate) temperature: Option<f64>,
    pub(crate) playout: Option<&'a str>,
    pub(crate) epsilon: Option<f64>,
    pub(crate) cutoff: Option<i64>,
    pub(crate) utility: Option<&'a str>,
    pub(crate) workers: Option<i64>,
    pub(crate) threads: Option<i64>,
    pub(crate) seed: u64,
    pub(crate) memory: Option<i64>,
}

fn whole<T: TryFrom<i64>>(name: &'static str, given: Option<i64>) -> Result<Option<T>, SearchError> {
    let convert = |value: i64| T::try_from(value).map_err(|_| wrong(name, format!("cannot be {value}")));
    given.map(convert).transpose()
}

impl Keywords<'_> {
    /// The settings, checked.
    pub(crate) fn settings(&self) -> Answer<Settings> {
        let default = Settings::default();
        let simulations = whole("simulations", self.simulations)?;
        let policy = policy(self.playout.unwrap_or("random"), self.epsilon, whole("cutoff", self.cutoff)?)?;
        let selections = [("ucb1", Selection::Ucb1), ("puct", Selection::Puct)];
        let settings = Settings {
            simulations: simulations.or(if self.seconds.is_none() { Some(DEFAULT_SIMULATIONS) } else { None }),
            seconds: self.seconds,
            exploration: self.exploration.unwrap_or(default.exploration),
            selection: self.selection.map_or(Ok(default.selection), |name| word("selection", name, &selections))?,
            first_play: self.first_play,
            temperature: self.temperature.unwrap_or(default.temperature),
            playout: policy.playout,
            cutoff: policy.cutoff,
            utility: self.utility.map_or(Ok(default.utility), utility)?,
            workers: whole("workers", self.workers)?.unwrap_or(default.workers),
            threads: whole("threads", self.threads)?.unwrap_or(default.threads),
            seed: self.seed,
            memory: whole("memory", self.memory)?.unwrap_or(default.memory),
        };
        settings.check()?;
        Ok(settings)
    }
}

/// What Python calls the reason why a search stopped.
pub(crate) fn stop_name(stop: hansa::search::Stop) -> &'static str {
    match stop {
        hansa::search::Stop::Simulations => "simulations",
        hansa::search::Stop::Seconds => "seconds",
        hansa::search::Stop::Interrupted => "interrupted",
    }
}
