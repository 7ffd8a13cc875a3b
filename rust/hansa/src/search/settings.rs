//! The settings of a search.

use std::time::Duration;

use super::threads::{MOST_THREADS, check_threads};
use super::{Playout, Policy, SearchError, Utility};

/// How the search chooses among the legal actions of a node. `mean` is the mean utility of the player to move there,
/// `visits` how often the action was taken, `availability` how often it was legal when the node was passed: with UCB1
/// counted from the first time that it was taken (at the root from the beginning), with PUCT from the first time that it
/// was legal. For actions never taken see [`Settings::first_play`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// The highest `mean + exploration * sqrt(ln(availability) / visits)`.
    #[default]
    Ucb1,
    /// The highest `mean + exploration * prior * sqrt(availability) / (1 + visits)`. The prior is the softmax of
    /// `Judge::preference` over the actions that are legal at this moment, at [`Settings::temperature`], none under a
    /// thousandth of the best one.
    Puct,
}

/// What a search does, how long, and with what.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Stop after this many simulations, all workers together. At least one budget must be given.
    pub simulations: Option<u64>,
    /// Stop after this many seconds of wall-clock time. With both budgets the first one reached counts.
    pub seconds: Option<f64>,
    /// The weight of exploration, 0 or more; every value works as the formulas of [`Selection`] say.
    pub exploration: f64,
    /// How actions are chosen inside the tree.
    pub selection: Selection,
    /// First-play urgency, from 0 to 1: with UCB1 the score, with PUCT the mean of an action that was never taken. `None`:
    /// with UCB1 every legal action is tried before any is repeated; with PUCT the mean of the node's legal actions that
    /// were taken, or 1/2 if none was. Low values let the tree deepen before it widens; with UCB1 an action that
    /// promises less than the others have brought is then never tried.
    pub first_play: Option<f64>,
    /// The temperature of the priors of PUCT, in points of the game, above 0.
    pub temperature: f64,
    /// Who decides in playouts.
    pub playout: Playout,
    /// Cut playouts off after this many decisions and judge the position; `None` plays to the end.
    pub cutoff: Option<u32>,
    /// What the players maximise.
    pub utility: Utility,
    /// Independent trees, merged in the end, each with its own random stream and its share of the simulations. Part of
    /// the result: the same seed and workers give the same report on any number of threads. 1 by default, whatever the
    /// number of threads; to use `n` threads, give at least `n` workers.
    pub workers: u32,
    /// Threads to run the workers on; never more are used than there are workers.
    pub threads: usize,
    /// The seed of the search. Any value is good, 0 included.
    pub seed: u64,
    /// Cap on the bytes of all trees together. A tree that has reached its share stops growing; the search goes on.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            simulations: None,
            seconds: None,
            exploration: 0.7,
            selection: Selection::Ucb1,
            first_play: None,
            temperature: 1.0,
            playout: Playout::Random,
            cutoff: None,
            utility: Utility::Win,
            workers: 1,
            threads: 1,
            seed: 0,
            memory: 1 << 30,
        }
    }
}

impl Settings {
    /// Default settings with a budget of simulations.
    #[must_use]
    pub fn with_simulations(simulations: u64) -> Self {
        Self { simulations: Some(simulations), ..Self::default() }
    }

    /// Default settings with a budget of seconds.
    #[must_use]
    pub fn with_seconds(seconds: f64) -> Self {
        Self { seconds: Some(seconds), ..Self::default() }
    }

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
        if self.simulations.is_none() && self.seconds.is_none() {
            return Err(SearchError::setting("simulations", "there is no budget; give simulations, seconds or both"));
        }
        if self.simulations == Some(0) {
            return Err(SearchError::setting("simulations", "0 simulations find nothing; give 1 or more"));
        }
        if let Some(seconds) = self.seconds {
            let usable = seconds > 0.0 && Duration::try_from_secs_f64(seconds).is_ok();
            if !usable {
                return Err(SearchError::setting(
                    "seconds",
                    format!("{seconds} is no time budget; give a number above 0"),
                ));
            }
        }
        finite("exploration", self.exploration, self.exploration >= 0.0, "0 or more")?;
        finite("temperature", self.temperature, self.temperature > 0.0, "above 0")?;
        if let Some(first_play) = self.first_play {
            finite("first_play", first_play, (0.0..=1.0).contains(&first_play), "from 0 to 1")?;
        }
        self.policy().check()?;
        if !(1..=MOST_THREADS as u32).contains(&self.workers) {
            let problem = format!("{}; give a number from 1 to {MOST_THREADS}", self.workers);
            return Err(SearchError::setting("workers", problem));
        }
        check_threads(self.threads)
    }
}

fn finite(name: &'static str, value: f64, good: bool, wanted: &str) -> Result<(), SearchError> {
    if good && value.is_finite() {
        Ok(())
    } else {
        Err(SearchError::setting(name, format!("{value}; give a finite number {wanted}")))
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use crate::search::{Playout, SearchError};

    #[test]
    fn every_bad_setting_is_named() {
        let good = Settings::with_simulations(1);
        let bad = [
            ("simulations", Settings::default()),
            ("simulations", Settings { simulations: Some(0), ..good.clone() }),
            ("seconds", Settings::with_seconds(0.0)),
            ("seconds", Settings::with_seconds(f64::NAN)),
            ("seconds", Settings::with_seconds(1e300)),
            ("exploration", Settings { exploration: -0.1, ..good.clone() }),
            ("exploration", Settings { exploration: f64::NAN, ..good.clone() }),
            ("exploration", Settings { exploration: f64::INFINITY, ..good.clone() }),
            ("temperature", Settings { temperature: 0.0, ..good.clone() }),
            ("first_play", Settings { first_play: Some(1.5), ..good.clone() }),
            ("epsilon", Settings { playout: Playout::Heuristic { epsilon: 2.0 }, ..good.clone() }),
            ("workers", Settings { workers: 0, ..good.clone() }),
            ("threads", Settings { threads: 0, ..good.clone() }),
        ];
        for (wanted, settings) in bad {
            match settings.check() {
                Err(SearchError::Setting { name, .. }) => assert_eq!(name, wanted, "{settings:?}"),
                other => panic!("{wanted} of {settings:?} passed as {other:?}"),
            }
        }
        assert_eq!(good.check(), Ok(()));
        assert_eq!(Settings { exploration: 0.0, ..good }.check(), Ok(()));
    }
}
