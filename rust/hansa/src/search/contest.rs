//! Matches between built-in bots: balanced seats, paired chance, the same result on any number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::threads::{check_threads, spread};
use super::{BotSpec, SearchError};
use crate::core::{Encode, Judge, MAX_PLAYERS, PerPlayer, Player, Rng, Stream, Turn};

/// How a match is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchSettings {
    /// Games wanted; rounded up to whole blocks, each block one game for every different rotation of the seats.
    pub games: u64,
    /// The seed of the match.
    pub seed: u64,
    /// Threads; each plays whole games.
    pub threads: usize,
    /// Whether to keep the moves of every game.
    pub keep_moves: bool,
}

/// A move as a dense index of `Encode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveIndex {
    /// An action index.
    Action(u32),
    /// A chance index.
    Chance(u32),
}

/// One game of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameLog {
    /// The number of the game in the match, from 0.
    pub game: u64,
    /// For each player the place of its bot in the list of bots.
    pub bots: PerPlayer<u8>,
    /// Final scores.
    pub scores: PerPlayer<i32>,
    /// Final ranks.
    pub ranks: PerPlayer<u8>,
    /// All moves, chance included; empty unless [`MatchSettings::keep_moves`].
    pub moves: Vec<MoveIndex>,
}

/// How one bot did.
#[derive(Debug, Clone, PartialEq)]
pub struct BotReport {
    /// The bot.
    pub spec: BotSpec,
    /// Seats that it holds in every game; more than one when the list of bots was shorter than the table.
    pub seats: usize,
    /// Mean score of its seats.
    pub mean_score: f64,
    /// Mean rank of its seats.
    pub mean_rank: f64,
    /// The share of the games that it won, all its seats together; `k` winners of a game get `1 / k` each.
    pub win_share: f64,
    /// The share that it would win among equals: its seats over all seats.
    pub equal_share: f64,
    /// A 95 % interval of [`win_share`](BotReport::win_share): Wilson's score interval, where the number of games is
    /// replaced by the number of independent games that would give the variance seen between the blocks, but never by
    /// more than were played.
    pub interval: (f64, f64),
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchReport {
    /// How each bot did, in the order in which they were given.
    pub bots: Vec<BotReport>,
    /// Games that count: whole blocks.
    pub games: u64,
    /// Games of a block: the different rotations of the seats.
    pub rotations: u64,
    /// Every game that counts, in order.
    pub logs: Vec<GameLog>,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// True if the poll stopped the match; games of unfinished blocks are dropped.
    pub interrupted: bool,
}

/// Plays a match.
///
/// The bots sit down in the given order, starting again with the first until the table is full. A block is one game for
/// every different rotation of that seating; all games of block `b` draw their chance from the generator
/// `(seed, Stream::Chance, b)`, and player `p` of game `g` takes its seeds from `(seed, Stream::Policy, 6 g + p)`. So the
/// result is the same on any number of threads, if no bot has a budget of time.
///
/// `poll` is called about every 30 milliseconds and interrupts when it returns true; `progress` is told, as often, how
/// many games are over and how many there will be.
///
/// # Errors
/// No bot or more bots than seats, no game, a bad number of threads, or a bot whose settings do not fit the game.
pub fn play_match<G: Encode + Judge>(
    game: &G,
    specs: &[BotSpec],
    settings: &MatchSettings,
    poll: &mut dyn FnMut() -> bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<MatchReport, SearchError> {
    let begin = Instant::now();
    let players = game.players();
    check_threads(settings.threads)?;
    if specs.is_empty() || specs.len() > players {
        let problem = format!("{} bots at a table of {players}; give 1 to {players}", specs.len());
        return Err(SearchError::setting("bots", problem));
    }
    if settings.games == 0 {
        return Err(SearchError::setting("games", "0 games show nothing; give 1 or more"));
    }
    for spec in specs {
        spec.bot::<G>()?;
    }
    let seating: Vec<u8> = (0..players).map(|player| (player % specs.len()) as u8).collect();
    let rotations = (1..=players).find(|&by| (0..players).all(|at| seating[at] == seating[(at + by) % players]));
    let rotations = rotations.unwrap_or(players) as u64;
    let total = settings.games.div_ceil(rotations) * rotations;
    let (next, over) = (AtomicU64::new(0), AtomicU64::new(0));
    let threads = settings.threads.min(usize::try_from(total).unwrap_or(settings.threads));
    let mut beat = || {
        progress(over.load(Ordering::Relaxed), total);
        poll()
    };
    let (parts, interrupted) = spread(vec![(); threads], &mut beat, |(), stop| {
        let mut logs = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total {
                return Ok(logs);
            }
            let (block, turn) = (number / rotations, (number % rotations) as usize);
            let bots = PerPlayer::from_fn(players, |player| seating[(player + turn) % players]);
            let mut chance = Rng::stream(settings.seed, Stream::Chance, block);
            match play_game(game, specs, bots, number, settings, &mut chance, stop)? {
                Some(log) => logs.push(log),
                None => return Ok(logs),
            }
            over.fetch_add(1, Ordering::Relaxed);
        }
    });
    let mut logs = Vec::new();
    for part in parts {
        logs.extend(part?);
    }
    logs.sort_unstable_by_key(|log: &GameLog| log.game);
    let logs: Vec<GameLog> = logs
        .chunk_by(|one, other| one.game / rotations == other.game / rotations)
        .filter(|block| block.len() as u64 == rotations)
        .flatten()
        .cloned()
        .collect();
    progress(over.load(Ordering::Relaxed), total);
    Ok(MatchReport {
        bots: (0..specs.len()).map(|bot| bot_report(&specs[bot], bot as u8, &logs, rotations as usize)).collect(),
        games: logs.len() as u64,
        rotations,
        interrupted: interrupted && (logs.len() as u64) < total,
        logs,
        elapsed: begin.elapsed(),
    })
}

/// One game; `None` if it was stopped before its end.
fn play_game<G: Encode + Judge>(
    game: &G,
    specs: &[BotSpec],
    bots: PerPlayer<u8>,
    number: u64,
    settings: &MatchSettings,
    chance: &mut Rng,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<GameLog>, SearchError> {
    let mut at_table = Vec::new();
    for (player, &bot) in bots.iter().enumerate() {
        let seeds = Rng::stream(settings.seed, Stream::Policy, number * MAX_PLAYERS as u64 + player as u64);
        at_table.push((specs[bot as usize].bot::<G>()?, seeds));
    }
    let mut moves = Vec::new();
    let mut keep = |index| {
        if settings.keep_moves {
            moves.push(index);
        }
    };
    let mut state = game.start();
    loop {
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = game.random_chance(&state, chance);
                keep(MoveIndex::Chance(game.chance_index(outcome) as u32));
                game.resolve(&mut state, outcome);
            }
            Turn::Act(player) => {
                if stop() {
                    return Ok(None);
                }
                let view = game.view(&state, player);
                let (bot, seeds) = &mut at_table[player];
                let action = bot.act(game, &view, seeds.next_seed(), stop)?;
                keep(MoveIndex::Action(game.action_index(action) as u32));
                game.apply(&mut state, action);
            }
        }
    }
    let (scores, ranks) = (game.scores(&state), game.ranks(&state));
    Ok(Some(GameLog { game: number, bots, scores, ranks, moves }))
}

/// What one game says about one bot: its share of the win, and sums over its seats.
fn share_of(log: &GameLog, bot: u8) -> f64 {
    let winners = log.ranks.iter().filter(|&&rank| rank == 0).count();
    let own = seats_of(log, bot).filter(|&player| log.ranks[player] == 0).count();
    own as f64 / winners as f64
}

fn seats_of(log: &GameLog, bot: u8) -> impl Iterator<Item = Player> + '_ {
    (0..log.bots.len()).filter(move |&player| log.bots[player] == bot)
}

fn bot_report(spec: &BotSpec, bot: u8, logs: &[GameLog], rotations: usize) -> BotReport {
    let players = logs.first().map_or(0, |log| log.bots.len());
    let seats = logs.first().map_or(0, |log| seats_of(log, bot).count());
    let seat_games = (seats * logs.len()).max(1) as f64;
    let of_seats = |value: &dyn Fn(&GameLog, Player) -> f64| {
        let sum: f64 = logs.iter().flat_map(|log| seats_of(log, bot).map(|player| value(log, player))).sum();
        sum / seat_games
    };
    let blocks: Vec<f64> = logs
        .chunks(rotations)
        .map(|block| block.iter().map(|log| share_of(log, bot)).sum::<f64>() / rotations as f64)
        .collect();
    let win_share = blocks.iter().sum::<f64>() / blocks.len().max(1) as f64;
    BotReport {
        spec: spec.clone(),
        seats,
        mean_score: of_seats(&|log, player| f64::from(log.scores[player])),
        mean_rank: of_seats(&|log, player| f64::from(log.ranks[player])),
        win_share,
        equal_share: seats as f64 / players.max(1) as f64,
        interval: interval(&blocks, logs.len()),
    }
}

/// Wilson's 95 % interval of a mean of shares, from the means of equally large, independent blocks.
fn interval(blocks: &[f64], games: usize) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if games == 0 {
        return (0.0, 1.0);
    }
    let count = blocks.len() as f64;
    let mean = blocks.iter().sum::<f64>() / count;
    let mut independent = games as f64;
    if blocks.len() > 1 {
        let squares: f64 = blocks.iter().map(|block| (block - mean).powi(2)).sum();
        let variance_of_mean = squares / (count - 1.0) / count;
        if variance_of_mean > 0.0 {
            independent = independent.min(mean * (1.0 - mean) / variance_of_mean);
        }
    }
    let square = Z * Z / independent;
    let middle = (mean + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (mean * (1.0 - mean) / independent + square / (4.0 * independent)).sqrt();
    // Rounding must not push an end past the mean.
    ((middle - half).clamp(0.0, mean), (middle + half).clamp(mean, 1.0))
}

#[cfg(test)]
mod tests {
    use super::interval;

    #[test]
    fn independent_games_give_the_wilson_interval() {
        // 8 of 10, every block one game. The sample variance divides by n - 1, which makes them count as 9 games, and
        // Wilson's interval of 0.8 of 9 is 0.47379 to 0.94672.
        let blocks = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0];
        let (low, high) = interval(&blocks, 10);
        assert!((low - 0.47379).abs() < 1e-5 && (high - 0.94672).abs() < 1e-5, "{low} {high}");
        let (low, high) = interval(&[1.0; 25], 100);
        assert!((low - 0.963).abs() < 0.001 && high == 1.0, "{low} {high}");
    }

    #[test]
    fn blocks_that_go_together_widen_it() {
        let alike = interval(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 32);
        let mixed = interval(&[0.5; 8], 32);
        assert!(alike.1 - alike.0 > 1.5 * (mixed.1 - mixed.0), "{alike:?} {mixed:?}");
        assert_eq!(interval(&[], 0), (0.0, 1.0));
    }
}
