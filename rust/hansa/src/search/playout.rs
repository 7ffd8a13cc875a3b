//! Many playouts at once: the same sums for the same seed on any number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::policy::{Outcome, Policy, Roller};
use super::threads::{Pacer, check_threads, spread};
use super::utility::ranks_of;
use super::{SearchError, Utility};
use crate::core::{Ending, Game, Judge, PerPlayer, Rng, Stream};

/// Playouts that share one generator: `Stream::Playout` of the seed with the number of the chunk.
const CHUNK: u64 = 64;
/// A win is counted in parts of this many, so that up to six winners share it exactly.
const WIN_PARTS: u64 = 60;

/// Where playouts begin.
#[derive(Debug)]
pub enum Source<'a, G: Game> {
    /// Every playout from this position.
    State(&'a G::State),
    /// Every playout from a position newly drawn from what one player knows.
    Belief(&'a G::Belief),
}

/// Sums over playouts. Integers, so that the order of adding does not matter; scores of playouts that were cut off are
/// rounded to the nearest point.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayoutReport {
    /// Playouts that were played.
    pub playouts: u64,
    /// Of these, playouts that were cut off before the game's end.
    pub cut_off: u64,
    /// Sum of each player's scores.
    pub score_sums: PerPlayer<i64>,
    /// Sum of the squares of each player's scores.
    pub score_squares: PerPlayer<u64>,
    /// Each player's lowest score; 0 without playouts.
    pub score_minima: PerPlayer<i32>,
    /// Each player's highest score; 0 without playouts.
    pub score_maxima: PerPlayer<i32>,
    /// Each player's wins in 60ths: `k` winners get `60 / k` each.
    pub win_parts: PerPlayer<u64>,
    /// Sum of each player's ranks.
    pub rank_sums: PerPlayer<u64>,
    /// Decisions in all playouts together.
    pub decisions: u64,
    /// Decisions of the shortest playout; 0 without playouts.
    pub shortest: u32,
    /// Decisions of the longest playout; 0 without playouts.
    pub longest: u32,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// True if the poll stopped the work before all playouts were played.
    pub interrupted: bool,
}

impl PlayoutReport {
    fn empty(players: usize) -> Self {
        Self {
            playouts: 0,
            cut_off: 0,
            score_sums: PerPlayer::new(players, 0),
            score_squares: PerPlayer::new(players, 0),
            score_minima: PerPlayer::new(players, i32::MAX),
            score_maxima: PerPlayer::new(players, i32::MIN),
            win_parts: PerPlayer::new(players, 0),
            rank_sums: PerPlayer::new(players, 0),
            decisions: 0,
            shortest: u32::MAX,
            longest: 0,
            elapsed: Duration::ZERO,
            interrupted: false,
        }
    }

    fn add_outcome(&mut self, outcome: &Outcome) {
        match *outcome {
            Outcome::Ended(ending) => self.add_ending(&ending),
            Outcome::Cut { scores, decisions } => {
                self.cut_off += 1;
                let rounded = PerPlayer::from_fn(scores.len(), |player| scores[player].round() as i32);
                self.add_ending(&Ending { scores: rounded, ranks: ranks_of(&scores), decisions });
            }
        }
    }

    fn add_ending(&mut self, ending: &Ending) {
        self.playouts += 1;
        let winners = ending.ranks.iter().filter(|&&rank| rank == 0).count().max(1) as u64;
        for player in 0..ending.scores.len() {
            let score = ending.scores[player];
            self.score_sums[player] += i64::from(score);
            self.score_squares[player] += u64::from(score.unsigned_abs()).pow(2);
            self.score_minima[player] = self.score_minima[player].min(score);
            self.score_maxima[player] = self.score_maxima[player].max(score);
            self.rank_sums[player] += u64::from(ending.ranks[player]);
            if ending.ranks[player] == 0 {
                self.win_parts[player] += WIN_PARTS / winners;
            }
        }
        self.decisions += u64::from(ending.decisions);
        self.shortest = self.shortest.min(ending.decisions);
        self.longest = self.longest.max(ending.decisions);
    }

    fn merge(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.cut_off += other.cut_off;
        for player in 0..self.score_sums.len() {
            self.score_sums[player] += other.score_sums[player];
            self.score_squares[player] += other.score_squares[player];
            self.score_minima[player] = self.score_minima[player].min(other.score_minima[player]);
            self.score_maxima[player] = self.score_maxima[player].max(other.score_maxima[player]);
            self.win_parts[player] += other.win_parts[player];
            self.rank_sums[player] += other.rank_sums[player];
        }
        self.decisions += other.decisions;
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
    }

    fn per_playout(&self, of: impl Fn(usize) -> f64) -> PerPlayer<f64> {
        let playouts = self.playouts.max(1) as f64;
        PerPlayer::from_fn(self.score_sums.len(), |player| of(player) / playouts)
    }

    /// Each player's mean score; 0 without playouts.
    #[must_use]
    pub fn mean_scores(&self) -> PerPlayer<f64> {
        self.per_playout(|player| self.score_sums[player] as f64)
    }

    /// The standard deviation of each player's scores (of the sample, divided by `n - 1`); 0 under two playouts.
    #[must_use]
    pub fn score_deviations(&self) -> PerPlayer<f64> {
        PerPlayer::from_fn(self.score_sums.len(), |player| {
            let (count, sum) = (i128::from(self.playouts), i128::from(self.score_sums[player]));
            let spread = count * i128::from(self.score_squares[player]) - sum * sum;
            if count < 2 { 0.0 } else { (spread as f64 / (count * (count - 1)) as f64).sqrt() }
        })
    }

    /// Each player's share of the wins, shared wins split; 0 without playouts.
    #[must_use]
    pub fn win_shares(&self) -> PerPlayer<f64> {
        self.per_playout(|player| self.win_parts[player] as f64 / WIN_PARTS as f64)
    }

    /// Each player's mean rank; 0 without playouts.
    #[must_use]
    pub fn mean_ranks(&self) -> PerPlayer<f64> {
        self.per_playout(|player| self.rank_sums[player] as f64)
    }

    /// Decisions a playout; 0 without playouts.
    #[must_use]
    pub fn mean_decisions(&self) -> f64 {
        self.decisions as f64 / self.playouts.max(1) as f64
    }

    /// Playouts in a second of wall-clock time.
    #[must_use]
    pub fn playouts_per_second(&self) -> f64 {
        self.playouts as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Decisions in a second of wall-clock time.
    #[must_use]
    pub fn decisions_per_second(&self) -> f64 {
        self.decisions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Plays `count` playouts from `source`.
///
/// Playouts `64 k` to `64 k + 63` draw one after another from the generator `(seed, Stream::Playout, k)`, so the sums are
/// the same on any number of threads. `poll` is called about every 30 milliseconds; when it returns true the report
/// covers the playouts played so far and says so. A warm playout allocates nothing if the game does not.
///
/// # Errors
/// `threads` outside 1 to 1024, or a policy with an impossible share of random decisions.
pub fn playouts<G: Judge>(
    game: &G,
    source: &Source<'_, G>,
    count: u64,
    seed: u64,
    threads: usize,
    policy: Policy,
    poll: &mut dyn FnMut() -> bool,
) -> Result<PlayoutReport, SearchError> {
    check_threads(threads)?;
    policy.check()?;
    let begin = Instant::now();
    let chunks = count.div_ceil(CHUNK);
    let next = AtomicU64::new(0);
    let used = threads.min(usize::try_from(chunks).unwrap_or(threads)).max(1);
    let (parts, interrupted) = spread(vec![(); used], poll, |(), stop| {
        let mut report = PlayoutReport::empty(game.players());
        let mut roller = Roller::new(policy);
        let mut pacer = Pacer::new(None);
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                return report;
            }
            let mut rng = Rng::stream(seed, Stream::Playout, chunk);
            for _ in 0..CHUNK.min(count - chunk * CHUNK) {
                let outcome = match source {
                    Source::State(state) => roller.roll(game, state, &mut rng),
                    Source::Belief(belief) => {
                        let state = game.determinize(belief, &mut rng);
                        roller.roll(game, &state, &mut rng)
                    }
                };
                report.add_outcome(&outcome);
                if pacer.count() {
                    pacer.look();
                    if stop() {
                        return report;
                    }
                }
            }
        }
    });
    let mut report = PlayoutReport::empty(game.players());
    for part in &parts {
        report.merge(part);
    }
    if report.playouts == 0 {
        report.score_minima = PerPlayer::new(game.players(), 0);
        report.score_maxima = report.score_minima;
        report.shortest = 0;
    }
    report.interrupted = interrupted && report.playouts < count;
    report.elapsed = begin.elapsed();
    Ok(report)
}

/// The utilities of what a playout came to.
#[inline]
pub(super) fn utilities(utility: Utility, outcome: &Outcome) -> PerPlayer<f64> {
    match outcome {
        Outcome::Ended(ending) => utility.of_ending(ending),
        Outcome::Cut { scores, .. } => utility.of_estimate(scores),
    }
}
