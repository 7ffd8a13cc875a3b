//! Matches and series of games: `hansa.MatchReport`.

use std::sync::{Arc, Mutex, PoisonError};

use hansa::record;
use hansa::search::{self as engine, BotSpec, GameLog, MatchSettings, MoveIndex};
use hansa::table::{AnyGame, Move, SampleRequest};
use pyo3::prelude::*;
use serde_json::Value;

use crate::error::Answer;
use crate::record::Record;
use crate::work::interruptible;

/// The series behind `Game.sample`.
pub(crate) fn run_sample(
    py: Python<'_>,
    game: &Arc<dyn AnyGame>,
    games: u64,
    seed: u64,
    policy: &str,
    first: u64,
) -> Answer<Vec<Record>> {
    let policy = BotSpec::parse(policy)?;
    let request = SampleRequest { first, games, seed, policy };
    let records = interruptible(py, |poll| game.sample(&request, poll))??;
    Ok(records.into_iter().map(Record::new).collect())
}

/// The match behind `Game.play_match`.
#[expect(clippy::too_many_arguments, reason = "keywords on the Python side")]
pub(crate) fn run_match(
    py: Python<'_>,
    game: &Arc<dyn AnyGame>,
    bots: &[String],
    games: u64,
    seed: u64,
    threads: usize,
    records: bool,
    progress: Option<&Py<PyAny>>,
) -> Answer<MatchReport> {
    let specs: Vec<BotSpec> = bots.iter().map(|bot| BotSpec::parse(bot)).collect::<Result<_, _>>()?;
    let settings = MatchSettings { games, seed, threads, keep_moves: records };
    // An exception of `progress` ends the match as Ctrl-C does.
    let raised: Mutex<Option<PyErr>> = Mutex::new(None);
    let raise = |error| *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    let failed = || raised.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    let report = interruptible(py, |poll| {
        let mut tell = |played: u64, total: u64| {
            if let Some(progress) = progress.filter(|_| !failed()) {
                Python::attach(|py| progress.call1(py, (played, total)).map(drop)).unwrap_or_else(raise);
            }
        };
        game.play_match(&specs, &settings, &mut || failed() || poll(), &mut tell)
    })??;
    match raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error.into()),
        None => Ok(MatchReport { game: Arc::clone(game), report }),
    }
}

/// How a match between bots ended.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct MatchReport {
    game: Arc<dyn AnyGame>,
    report: engine::MatchReport,
}

impl MatchReport {
    fn record(&self, log: &GameLog) -> Record {
        let notation = |&index: &MoveIndex| {
            let index = match index {
                MoveIndex::Action(index) => Move::Action(index),
                MoveIndex::Chance(index) => Move::Chance(index),
            };
            self.game.notation(index).unwrap_or_default()
        };
        let mut record = record::Record::new(&*self.game, log.moves.iter().map(notation).collect());
        record.scores = Some(log.scores.iter().map(|&score| i64::from(score)).collect());
        record.ranks = Some(log.ranks.iter().map(|&rank| i64::from(rank)).collect());
        let bots: Vec<String> = log.bots.iter().map(|&bot| self.report.bots[bot as usize].spec.to_string()).collect();
        record.extra.insert("bots".into(), Value::from(bots));
        Record::new(record)
    }
}

#[pymethods]
impl MatchReport {
    /// How each bot did, in the order in which they were given.
    #[getter]
    fn bots(&self) -> Vec<BotReport> {
        self.report.bots.iter().map(|report| BotReport { report: report.clone() }).collect()
    }

    /// Games that were played: whole rotations of the seats.
    #[getter]
    fn games(&self) -> u64 {
        self.report.games
    }

    /// Games of one rotation of the seats.
    #[getter]
    fn rotations(&self) -> u64 {
        self.report.rotations
    }

    /// Seconds of wall-clock time.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    /// For each game the place of each player's bot in `bots`.
    #[getter]
    fn seats(&self) -> Vec<Vec<u32>> {
        self.report.logs.iter().map(|log| log.bots.iter().map(|&bot| u32::from(bot)).collect()).collect()
    }

    /// For each game the scores of the players.
    #[getter]
    fn scores(&self) -> Vec<Vec<i32>> {
        self.report.logs.iter().map(|log| log.scores.as_slice().to_vec()).collect()
    }

    /// For each game the ranks of the players.
    #[getter]
    fn ranks(&self) -> Vec<Vec<u32>> {
        self.report.logs.iter().map(|log| log.ranks.iter().map(|&rank| u32::from(rank)).collect()).collect()
    }

    /// All games, if they were asked for; each has the bots by player under the key `bots`.
    #[getter]
    fn records(&self) -> Vec<Record> {
        self.report.logs.iter().filter(|log| !log.moves.is_empty()).map(|log| self.record(log)).collect()
    }

    fn __repr__(&self) -> String {
        let bots: Vec<String> =
            self.report.bots.iter().map(|bot| format!("'{}' {:.1} %", bot.spec, bot.win_share * 100.0)).collect();
        format!("<MatchReport: {} games, wins {}>", self.report.games, bots.join(", "))
    }
}

/// How one bot did in a match.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct BotReport {
    report: engine::BotReport,
}

#[pymethods]
impl BotReport {
    /// The canonical spec of the bot.
    #[getter]
    fn bot(&self) -> String {
        self.report.spec.to_string()
    }

    /// Seats that it had in every game.
    #[getter]
    fn seats(&self) -> usize {
        self.report.seats
    }

    /// Mean score of its seats.
    #[getter]
    fn mean_score(&self) -> f64 {
        self.report.mean_score
    }

    /// Mean rank of its seats; 0 is the best.
    #[getter]
    fn mean_rank(&self) -> f64 {
        self.report.mean_rank
    }

    /// The share of the games that it won, shared wins split.
    #[getter]
    fn win_share(&self) -> f64 {
        self.report.win_share
    }

    /// The share that it would win among equals: its seats over all seats.
    #[getter]
    fn equal_share(&self) -> f64 {
        self.report.equal_share
    }

    /// A 95 % interval of `win_share`.
    #[getter]
    fn win_interval(&self) -> (f64, f64) {
        self.report.interval
    }

    fn __repr__(&self) -> String {
        let (low, high) = self.report.interval;
        format!(
            "<BotReport: '{}', wins {:.1} % ({:.1} to {:.1} %), mean score {:.2}>",
            self.report.spec,
            self.report.win_share * 100.0,
            low * 100.0,
            high * 100.0,
            self.report.mean_score
        )
    }
}
