//! `hansa.PlayoutReport`.

use hansa::search;
use hansa::table::PlayoutRequest;
use pyo3::prelude::*;

use crate::error::Answer;
use crate::settings::policy;

/// What to play, from what Python said.
pub(crate) fn request(
    count: u64,
    seed: u64,
    threads: usize,
    policy_name: &str,
    epsilon: Option<f64>,
    cutoff: Option<u32>,
) -> Answer<PlayoutRequest> {
    let policy = policy(policy_name, epsilon, cutoff)?;
    Ok(PlayoutRequest { count, seed, threads, policy })
}

/// Sums over many playouts.
#[pyclass(frozen, module = "hansa")]
pub(crate) struct PlayoutReport {
    report: search::PlayoutReport,
}

impl PlayoutReport {
    pub(crate) fn new(report: search::PlayoutReport) -> Self {
        Self { report }
    }
}

#[pymethods]
impl PlayoutReport {
    /// Playouts that were played.
    #[getter]
    fn playouts(&self) -> u64 {
        self.report.playouts
    }

    /// Of these, playouts that were cut off before the game's end.
    #[getter]
    fn cut_off(&self) -> u64 {
        self.report.cut_off
    }

    /// Decisions of players in all playouts together; chance is not counted.
    #[getter]
    fn decisions(&self) -> u64 {
        self.report.decisions
    }

    /// Decisions of the shortest playout.
    #[getter]
    fn shortest(&self) -> u32 {
        self.report.shortest
    }

    /// Decisions of the longest playout.
    #[getter]
    fn longest(&self) -> u32 {
        self.report.longest
    }

    /// Sum of each player's scores.
    #[getter]
    fn score_sums(&self) -> Vec<i64> {
        self.report.score_sums.as_slice().to_vec()
    }

    /// Each player's mean score.
    #[getter]
    fn mean_scores(&self) -> Vec<f64> {
        self.report.mean_scores().as_slice().to_vec()
    }

    /// The standard deviation of each player's scores.
    #[getter]
    fn score_deviations(&self) -> Vec<f64> {
        self.report.score_deviations().as_slice().to_vec()
    }

    /// Each player's lowest score.
    #[getter]
    fn lowest_scores(&self) -> Vec<i32> {
        self.report.score_minima.as_slice().to_vec()
    }

    /// Each player's highest score.
    #[getter]
    fn highest_scores(&self) -> Vec<i32> {
        self.report.score_maxima.as_slice().to_vec()
    }

    /// Each player's mean rank; 0 is the best.
    #[getter]
    fn mean_ranks(&self) -> Vec<f64> {
        self.report.mean_ranks().as_slice().to_vec()
    }

    /// Each player's share of the wins, shared wins split.
    #[getter]
    fn win_shares(&self) -> Vec<f64> {
        self.report.win_shares().as_slice().to_vec()
    }

    /// Seconds of wall-clock time.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    /// Playouts in a second.
    #[getter]
    fn playouts_per_second(&self) -> f64 {
        self.report.playouts_per_second()
    }

    /// Decisions in a second.
    #[getter]
    fn decisions_per_second(&self) -> f64 {
        self.report.decisions_per_second()
    }

    fn __repr__(&self) -> String {
        let scores: Vec<String> = self.report.mean_scores().iter().map(|mean| format!("{mean:.2}")).collect();
        format!(
            "<PlayoutReport: {} playouts, {} decisions, mean scores [{}], {:.0} playouts/s>",
            self.report.playouts,
            self.report.decisions,
            scores.join(", "),
            self.playouts_per_second()
        )
    }
}
