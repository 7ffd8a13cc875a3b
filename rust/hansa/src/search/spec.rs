//! Bots as text: `random`, `greedy`, `flat:simulations=500`, `mcts:simulations=1000,exploration=1.2`.

use std::fmt::Display;
use std::str::FromStr;

use super::{Playout, Policy, SearchError, Selection, Settings, Utility};

/// Simulations of a bot that is given no budget.
pub const DEFAULT_SIMULATIONS: u64 = 1000;
/// The share of random decisions of a heuristic playout that is given none.
pub const DEFAULT_EPSILON: f64 = 0.1;

const BOTS: [&str; 4] = ["random", "greedy", "flat", "mcts"];
const FLAT_KEYS: [&str; 5] = ["simulations", "playout", "epsilon", "cutoff", "utility"];
const MCTS_KEYS: [&str; 12] = [
    "simulations",
    "seconds",
    "exploration",
    "selection",
    "first_play",
    "temperature",
    "playout",
    "epsilon",
    "cutoff",
    "utility",
    "workers",
    "memory",
];

/// A built-in bot, written as `name` or `name:key=value,key=value`. Its `Display` is canonical: the budget, then what
/// differs from the defaults, in a fixed order; parsing it gives the same spec.
///
/// * `random`: every legal action with the same probability.
/// * `greedy`: the action that the game's judgement prefers.
/// * `flat`: the same number of playouts for every action. Keys: `simulations` (1000), `playout` (`random` or
///   `heuristic`), `epsilon` (0.1, for heuristic playouts), `cutoff`, `utility` (`win`, `rank` or `margin`).
/// * `mcts`: tree search. The keys of `flat`, and `seconds`, `exploration`, `selection` (`ucb1` or `puct`),
///   `first_play`, `temperature`, `workers`, `memory` (bytes); see [`Settings`].
#[derive(Debug, Clone, PartialEq)]
pub enum BotSpec {
    /// Uniformly random.
    Random,
    /// By the game's judgement.
    Greedy,
    /// Flat Monte Carlo.
    Flat(FlatSettings),
    /// Tree search. Seed and threads are not part of the text.
    Mcts(Settings),
}

/// The settings of flat Monte Carlo.
#[derive(Debug, Clone, PartialEq)]
pub struct FlatSettings {
    /// Playouts of all legal actions together, shared out equally, rounded down but at least one for each.
    pub simulations: u64,
    /// Who decides in playouts.
    pub playout: Playout,
    /// Cut playouts off after this many decisions; `None` plays to the end.
    pub cutoff: Option<u32>,
    /// What the player maximises.
    pub utility: Utility,
}

impl Default for FlatSettings {
    fn default() -> Self {
        Self { simulations: DEFAULT_SIMULATIONS, playout: Playout::Random, cutoff: None, utility: Utility::Win }
    }
}

impl FlatSettings {
    /// How playouts are played.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy { playout: self.playout, cutoff: self.cutoff }
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// The first setting that is wrong, and what would be right.
    pub fn check(&self) -> Result<(), SearchError> {
        if self.simulations == 0 {
            return Err(SearchError::setting("simulations", "0 simulations find nothing; give 1 or more"));
        }
        self.policy().check()
    }
}

/// A text that is no bot: what is wrong and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// The whole message, one line.
    pub message: String,
}

impl Display for SpecError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

impl BotSpec {
    /// Reads a spec.
    ///
    /// # Errors
    /// An unknown bot or key with the nearest known name, a bad value with what would be right, a key given twice.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let wrong = |problem: String| SpecError { message: format!("bot '{text}': {problem}") };
        let (name, pairs) = match text.split_once(':') {
            None => (text.trim(), ""),
            Some((name, pairs)) => (name.trim(), pairs),
        };
        let pairs = Pairs::read(pairs).map_err(wrong)?;
        let spec = match name {
            "random" => pairs.allow(&[]).map(|()| Self::Random),
            "greedy" => pairs.allow(&[]).map(|()| Self::Greedy),
            "flat" => pairs.allow(&FLAT_KEYS).and_then(|()| pairs.flat()).map(Self::Flat),
            "mcts" => pairs.allow(&MCTS_KEYS).and_then(|()| pairs.mcts()).map(Self::Mcts),
            _ => Err(format!("there is no bot '{name}'{}", nearest(name, &BOTS))),
        };
        spec.map_err(wrong)
    }
}

impl FromStr for BotSpec {
    type Err = SpecError;
    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::parse(text)
    }
}

/// Names the known name that is nearest to an unknown one, and all that are known.
fn nearest(name: &str, known: &[&str]) -> String {
    let by_distance = |other: &&&str| strsim::damerau_levenshtein(name, other);
    let close = known.iter().min_by_key(by_distance).filter(|other| by_distance(other) <= 3);
    let hint = close.map_or(String::new(), |other| format!("; did you mean '{other}'?"));
    format!("{hint} (known: {})", known.join(", "))
}

/// The keys and values of a spec.
struct Pairs<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Pairs<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| format!("'{part}' has no value; write '{part}=...'"))?;
            let (key, value) = (key.trim(), value.trim());
            if pairs.iter().any(|&(other, _)| other == key) {
                return Err(format!("'{key}' is given twice"));
            }
            pairs.push((key, value));
        }
        Ok(Self(pairs))
    }

    fn allow(&self, known: &[&str]) -> Result<(), String> {
        match self.0.iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, _)) if known.is_empty() => Err(format!("this bot has no settings; leave out '{key}'")),
            Some((key, _)) => Err(format!("there is no setting '{key}'{}", nearest(key, known))),
        }
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|&&(other, _)| other == key).map(|&(_, value)| value)
    }

    fn number<T: FromStr>(&self, key: &str, wanted: &str) -> Result<Option<T>, String> {
        let read = |value: &str| value.parse().map_err(|_| format!("{key}='{value}'; give {wanted}"));
        self.text(key).map(read).transpose()
    }

    fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, String> {
        let find = |value: &str| {
            words.iter().find(|(word, _)| *word == value).map(|&(_, meaning)| meaning).ok_or_else(|| {
                let known: Vec<_> = words.iter().map(|&(word, _)| word).collect();
                format!("{key}='{value}'; give one of {}", known.join(", "))
            })
        };
        self.text(key).map(find).transpose()
    }

    fn playout(&self) -> Result<Playout, String> {
        let epsilon = self.number("epsilon", "a share from 0 to 1")?;
        let heuristic = self.word("playout", &[("random", false), ("heuristic", true)])?.unwrap_or(false);
        match (heuristic, epsilon) {
            (true, epsilon) => Ok(Playout::Heuristic { epsilon: epsilon.unwrap_or(DEFAULT_EPSILON) }),
            (false, None) => Ok(Playout::Random),
            (false, Some(_)) => Err("epsilon belongs to playout=heuristic; give both or leave it out".into()),
        }
    }

    fn utility(&self) -> Result<Utility, String> {
        let words = [("win", Utility::Win), ("rank", Utility::Rank), ("margin", Utility::Margin)];
        Ok(self.word("utility", &words)?.unwrap_or_default())
    }

    fn flat(&self) -> Result<FlatSettings, String> {
        let settings = FlatSettings {
            simulations: self.number("simulations", "a whole number from 1")?.unwrap_or(DEFAULT_SIMULATIONS),
            playout: self.playout()?,
            cutoff: self.number("cutoff", "a whole number of decisions")?,
            utility: self.utility()?,
        };
        settings.check().map_err(|error| error.to_string())?;
        Ok(settings)
    }

    fn mcts(&self) -> Result<Settings, String> {
        let default = Settings::default();
        let seconds = self.number("seconds", "a number of seconds above 0")?;
        let simulations = self.number("simulations", "a whole number from 1")?;
        let selection = [("ucb1", Selection::Ucb1), ("puct", Selection::Puct)];
        let settings = Settings {
            simulations: simulations.or(if seconds.is_none() { Some(DEFAULT_SIMULATIONS) } else { None }),
            seconds,
            exploration: self.number("exploration", "a number from 0")?.unwrap_or(default.exploration),
            selection: self.word("selection", &selection)?.unwrap_or_default(),
            first_play: self.number("first_play", "a number from 0 to 1")?,
            temperature: self.number("temperature", "a number of points above 0")?.unwrap_or(default.temperature),
            playout: self.playout()?,
            cutoff: self.number("cutoff", "a whole number of decisions")?,
            utility: self.utility()?,
            workers: self.number("workers", "a whole number from 1")?.unwrap_or(default.workers),
            memory: self.number("memory", "a whole number of bytes")?.unwrap_or(default.memory),
            ..default
        };
        settings.check().map_err(|error| error.to_string())?;
        Ok(settings)
    }
}

impl Display for BotSpec {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, pairs) = match self {
            Self::Random => ("random", Vec::new()),
            Self::Greedy => ("greedy", Vec::new()),
            Self::Flat(settings) => ("flat", flat_pairs(settings)),
            Self::Mcts(settings) => ("mcts", mcts_pairs(settings)),
        };
        formatter.write_str(name)?;
        for (place, (key, value)) in pairs.iter().enumerate() {
            write!(formatter, "{}{key}={value}", if place == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

type Written = Vec<(&'static str, String)>;

fn flat_pairs(settings: &FlatSettings) -> Written {
    let mut pairs = vec![("simulations", settings.simulations.to_string())];
    common_pairs(&mut pairs, settings.policy(), settings.utility);
    pairs
}

fn mcts_pairs(settings: &Settings) -> Written {
    let default = Settings::default();
    let mut pairs = Vec::new();
    let mut optional = |key, value: Option<String>| pairs.extend(value.map(|value| (key, value)));
    optional("simulations", settings.simulations.map(|count| count.to_string()));
    optional("seconds", settings.seconds.map(|seconds| seconds.to_string()));
    let exploration = settings.exploration;
    optional("exploration", (exploration != default.exploration).then(|| exploration.to_string()));
    optional("selection", (settings.selection == Selection::Puct).then(|| "puct".to_owned()));
    optional("first_play", settings.first_play.map(|value| value.to_string()));
    let temperature = settings.temperature;
    optional("temperature", (temperature != default.temperature).then(|| temperature.to_string()));
    common_pairs(&mut pairs, settings.policy(), settings.utility);
    let mut optional = |key, value: Option<String>| pairs.extend(value.map(|value| (key, value)));
    optional("workers", (settings.workers != default.workers).then(|| settings.workers.to_string()));
    optional("memory", (settings.memory != default.memory).then(|| settings.memory.to_string()));
    pairs
}

fn common_pairs(pairs: &mut Written, policy: Policy, utility: Utility) {
    if let Playout::Heuristic { epsilon } = policy.playout {
        pairs.push(("playout", "heuristic".to_owned()));
        if epsilon != DEFAULT_EPSILON {
            pairs.push(("epsilon", epsilon.to_string()));
        }
    }
    pairs.extend(policy.cutoff.map(|cutoff| ("cutoff", cutoff.to_string())));
    match utility {
        Utility::Win => {}
        Utility::Rank => pairs.push(("utility", "rank".to_owned())),
        Utility::Margin => pairs.push(("utility", "margin".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::BotSpec;

    fn canonical(text: &str) -> String {
        let spec = BotSpec::parse(text).unwrap();
        let written = spec.to_string();
        assert_eq!(BotSpec::parse(&written).as_ref(), Ok(&spec), "{text} -> {written}");
        written
    }

    #[test]
    fn the_canonical_text_is_parsed_back() {
        assert_eq!(canonical("random"), "random");
        assert_eq!(canonical(" greedy : "), "greedy");
        assert_eq!(canonical("flat"), "flat:simulations=1000");
        assert_eq!(
            canonical("flat:utility=margin,simulations=20,cutoff=0"),
            "flat:simulations=20,cutoff=0,utility=margin"
        );
        assert_eq!(canonical("mcts"), "mcts:simulations=1000");
        assert_eq!(canonical("mcts: exploration=0.7 , simulations=5"), "mcts:simulations=5");
        assert_eq!(canonical("mcts:seconds=0.25"), "mcts:seconds=0.25");
        assert_eq!(
            canonical(
                "mcts:memory=100000,workers=2,utility=rank,cutoff=30,epsilon=0.3,playout=heuristic,temperature=2,\
                 first_play=0.5,selection=puct,exploration=1.2,seconds=1,simulations=7"
            ),
            "mcts:simulations=7,seconds=1,exploration=1.2,selection=puct,first_play=0.5,temperature=2,\
             playout=heuristic,epsilon=0.3,cutoff=30,utility=rank,workers=2,memory=100000"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        for (text, wanted) in [
            ("mtcs", "did you mean 'mcts'?"),
            ("", "known: random, greedy, flat, mcts"),
            ("mcts:explorations=1", "did you mean 'exploration'?"),
            ("flat:selection=puct", "there is no setting 'selection'"),
            ("mcts:simulations", "write 'simulations=...'"),
            ("mcts:simulations=0", "give 1 or more"),
            ("mcts:simulations=many", "give a whole number from 1"),
            ("mcts:simulations=-3", "give a whole number from 1"),
            ("mcts:exploration=nan", "0 or more"),
            ("mcts:selection=best", "give one of ucb1, puct"),
            ("mcts:epsilon=0.1", "playout=heuristic"),
            ("mcts:playout=heuristic,epsilon=3", "from 0 to 1"),
            ("mcts:workers=0", "from 1 to"),
            ("mcts:simulations=1,simulations=2", "given twice"),
            ("random:simulations=1", "no settings"),
        ] {
            let message = BotSpec::parse(text).unwrap_err().to_string();
            assert!(message.contains(wanted), "{text}: {message}");
            assert!(!message.contains('\n') && message.contains(text));
        }
    }
}
