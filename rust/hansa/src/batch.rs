//! Many games of one kind stepped together, for learning and for measuring.
//!
//! Chance is resolved from a stream of each game's own, so a batch is a function of its seed and the actions taken, on
//! any number of threads. A finished game waits, or begins anew at once with `autoreset`.

use std::fmt::Debug;
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::core::{PerPlayer, Player, Rng, Stream, Turn};
use crate::table::{AnyGame, GameOf, Move, MoveError, Playable, StateOf, Table, refuse};

/// The most games of one batch.
pub const MOST_GAMES: usize = 1 << 22;

/// Why a step of a batch was refused; then no game was stepped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchError {
    /// The move of one game was refused; it is the first such game.
    Move {
        /// Which game.
        game: usize,
        /// Why.
        error: MoveError,
    },
    /// One value a game was expected.
    Length {
        /// Games in the batch.
        expected: usize,
        /// Values given.
        found: usize,
    },
}

impl std::fmt::Display for BatchError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Move { game, error } => write!(formatter, "game {game} of the batch: {error}; no game was stepped"),
            Self::Length { expected, found } => {
                write!(formatter, "one value for each of the {expected} games is needed, found {found}")
            }
        }
    }
}

impl std::error::Error for BatchError {}

/// Many games of one kind. Tables of values have one row a game, in order.
pub trait Batch: Debug + Send + Sync {
    /// The game that is played.
    fn game(&self) -> Arc<dyn AnyGame>;
    /// How many games.
    fn size(&self) -> usize;
    /// Threads that do the work.
    fn threads(&self) -> usize;
    /// True when finished games begin anew at once.
    fn autoreset(&self) -> bool;
    /// Who is to decide in each game; `None` for a finished game.
    fn turns(&self) -> Vec<Option<Player>>;
    /// The legal actions of all games: where each game's begin in the second list (with the end added), and the indices.
    fn legal_actions(&self) -> (Vec<i64>, Vec<i32>);
    /// The legal actions as [`AnyGame::action_count`] truth values a game.
    fn legal_mask(&self, out: &mut [bool]);
    /// Takes one action in each game by index, and lets chance answer up to the next decision. The action of a finished
    /// game is not looked at. Returns which games ended in this step.
    ///
    /// # Errors
    /// The first illegal action; then nothing was stepped.
    fn step(&mut self, actions: &[i64]) -> Result<Vec<bool>, BatchError>;
    /// Takes `steps` uniformly random actions in each game; returns how many decisions were taken. The actions come
    /// from streams of their own, so they do not change what chance answers.
    fn step_random(&mut self, steps: usize) -> u64;
    /// The observations of `player`, or of whoever is to decide (zeros for a finished game), [`AnyGame::observation_size`]
    /// numbers a game.
    fn observe(&self, player: Option<Player>, out: &mut [f32]);
    /// Points so far.
    fn scores(&self) -> Vec<PerPlayer<i32>>;
    /// Ranks as things stand.
    fn ranks(&self) -> Vec<PerPlayer<u8>>;
    /// Scores and ranks of the last game that ended in each row; `None` while none has.
    fn results(&self) -> Vec<Option<(PerPlayer<i32>, PerPlayer<u8>)>>;
    /// Games ended in each row.
    fn episodes(&self) -> Vec<u64>;
    /// Decisions taken in each row since the batch was made.
    fn decisions(&self) -> Vec<u64>;
    /// Begins the games anew that `which` names, or all. The streams go on, so the new games are other ones.
    ///
    /// # Errors
    /// When `which` has not one value a game.
    fn reset(&mut self, which: Option<&[bool]>) -> Result<(), BatchError>;
    /// The position of one game; `None` beyond the last.
    fn table(&self, index: usize) -> Option<Box<dyn Table>>;
    /// An independent copy, with the streams where they are.
    fn boxed(&self) -> Box<dyn Batch>;
}

/// One game of a batch.
struct Row<G: Playable> {
    state: G::State,
    chance: Rng,
    policy: Rng,
    decisions: u64,
    episodes: u64,
    result: Option<(PerPlayer<i32>, PerPlayer<u8>)>,
}

// Not derived: that would ask the game itself to be `Clone`.
impl<G: Playable> Clone for Row<G> {
    fn clone(&self) -> Self {
        Self {
            state: self.state,
            chance: self.chance.clone(),
            policy: self.policy.clone(),
            decisions: self.decisions,
            episodes: self.episodes,
            result: self.result,
        }
    }
}

impl<G: Playable> Row<G> {
    fn begin(&mut self, game: &G) {
        self.state = game.start();
        self.settle(game);
    }

    /// Lets chance answer up to the next decision.
    fn settle(&mut self, game: &G) {
        while game.turn(&self.state) == Turn::Chance {
            let outcome = game.random_chance(&self.state, &mut self.chance);
            game.resolve(&mut self.state, outcome);
        }
    }

    /// Takes a legal action; true when it ends the game.
    fn act(&mut self, game: &G, action: G::Action, autoreset: bool) -> bool {
        game.apply(&mut self.state, action);
        self.decisions += 1;
        self.settle(game);
        let over = game.turn(&self.state) == Turn::Over;
        if over {
            self.episodes += 1;
            self.result = Some((game.scores(&self.state), game.ranks(&self.state)));
            if autoreset {
                self.begin(game);
            }
        }
        over
    }
}

/// The batch of a game.
pub(crate) struct BatchOf<G: Playable> {
    loaded: Arc<GameOf<G>>,
    rows: Vec<Row<G>>,
    autoreset: bool,
    /// Absent with one thread: then the caller's thread does the work.
    pool: Option<Arc<ThreadPool>>,
}

impl<G: Playable> Debug for BatchOf<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} games of {}", self.rows.len(), self.loaded.header)
    }
}

impl<G: Playable> BatchOf<G> {
    /// New games at their first decisions. `threads` counts at least as one.
    pub(crate) fn new(loaded: Arc<GameOf<G>>, size: usize, seed: u64, autoreset: bool, threads: usize) -> Self {
        let row = |index| Row {
            state: loaded.game.start(),
            chance: Rng::stream(seed, Stream::Batch, index),
            policy: Rng::stream(seed, Stream::Policy, index),
            decisions: 0,
            episodes: 0,
            result: None,
        };
        let rows = (0..size as u64).map(row).collect();
        // Without threads of its own (a system out of threads) the batch works as well, only on the caller's.
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
        let mut batch = Self { loaded, rows, autoreset, pool: pool.map(Arc::new) };
        batch.each(|game, _, row| row.begin(game));
        batch
    }

    /// BatchOf a thread takes at once.
    fn chunk(&self) -> usize {
        self.rows.len().div_ceil(self.threads()).max(1)
    }

    /// Does something to every row and collects the results in order.
    fn each<T: Send>(&mut self, of: impl Fn(&G, usize, &mut Row<G>) -> T + Sync) -> Vec<T> {
        let (chunk, game) = (self.chunk(), &self.loaded.game);
        let Some(pool) = &self.pool else {
            return self.rows.iter_mut().enumerate().map(|(index, row)| of(game, index, row)).collect();
        };
        let rows = &mut self.rows;
        let step = |(index, row): (usize, &mut Row<G>)| of(game, index, row);
        pool.install(|| rows.par_iter_mut().enumerate().with_min_len(chunk).map(step).collect())
    }

    /// Fills a part of `out` for every row.
    fn fill<T: Send>(&self, out: &mut [T], width: usize, of: impl Fn(&G, &Row<G>, &mut [T]) + Sync) {
        assert_eq!(out.len(), width * self.rows.len(), "one row of {width} values a game");
        if width == 0 {
            return;
        }
        let game = &self.loaded.game;
        let Some(pool) = &self.pool else {
            return self.rows.iter().zip(out.chunks_exact_mut(width)).for_each(|(row, part)| of(game, row, part));
        };
        let fill = |(row, part): (&Row<G>, &mut [T])| of(game, row, part);
        let chunk = self.chunk();
        pool.install(|| self.rows.par_iter().zip(out.par_chunks_exact_mut(width)).with_min_len(chunk).for_each(fill));
    }

    /// The action of an index, if it is legal in this row.
    fn checked(&self, row: &Row<G>, index: i64) -> Result<G::Action, MoveError> {
        let game = &self.loaded.game;
        let decoded = usize::try_from(index).ok().and_then(|index| game.action_at(index));
        let action = decoded.ok_or_else(|| self.loaded.no_such_action(index))?;
        game.check_action(&row.state, action)
            .map_err(|illegal| refuse(&self.loaded, &row.state, Move::Action(index as u32), illegal))?;
        Ok(action)
    }
}

impl<G: Playable> Batch for BatchOf<G> {
    fn game(&self) -> Arc<dyn AnyGame> {
        Arc::<GameOf<G>>::clone(&self.loaded)
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    fn autoreset(&self) -> bool {
        self.autoreset
    }

    fn turns(&self) -> Vec<Option<Player>> {
        let turn = |row: &Row<G>| match self.loaded.game.turn(&row.state) {
            Turn::Act(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        self.rows.iter().map(turn).collect()
    }

    fn legal_actions(&self) -> (Vec<i64>, Vec<i32>) {
        let game = &self.loaded.game;
        let mut offsets = Vec::with_capacity(self.rows.len() + 1);
        let mut indices = Vec::with_capacity(self.rows.len() * 8);
        let mut actions = Vec::with_capacity(64);
        offsets.push(0);
        for row in &self.rows {
            actions.clear();
            game.legal_actions(&row.state, &mut actions);
            indices.extend(actions.iter().map(|&action| game.action_index(action) as i32));
            offsets.push(indices.len() as i64);
        }
        (offsets, indices)
    }

    fn legal_mask(&self, out: &mut [bool]) {
        self.fill(out, self.loaded.game.action_count(), |game, row, part| {
            part.fill(false);
            let mut actions = Vec::with_capacity(32);
            game.legal_actions(&row.state, &mut actions);
            for action in actions {
                part[game.action_index(action)] = true;
            }
        });
    }

    fn step(&mut self, actions: &[i64]) -> Result<Vec<bool>, BatchError> {
        self.check_length(actions.len())?;
        let mut checked = Vec::with_capacity(actions.len());
        for (index, (row, &action)) in self.rows.iter().zip(actions).enumerate() {
            let over = self.loaded.game.turn(&row.state) == Turn::Over;
            let action = if over { Ok(None) } else { self.checked(row, action).map(Some) };
            checked.push(action.map_err(|error| BatchError::Move { game: index, error })?);
        }
        let autoreset = self.autoreset;
        Ok(self.each(|game, index, row| checked[index].is_some_and(|action| row.act(game, action, autoreset))))
    }

    fn step_random(&mut self, steps: usize) -> u64 {
        let autoreset = self.autoreset;
        let taken = self.each(|game, _, row| {
            let before = row.decisions;
            for _ in 0..steps {
                if game.turn(&row.state) == Turn::Over {
                    break;
                }
                let action = game.random_action(&row.state, &mut row.policy);
                row.act(game, action, autoreset);
            }
            row.decisions - before
        });
        taken.into_iter().sum()
    }

    fn observe(&self, player: Option<Player>, out: &mut [f32]) {
        self.fill(out, self.loaded.game.observation_size(), |game, row, part| {
            let turn = game.turn(&row.state);
            match (player, turn) {
                (Some(player), _) | (None, Turn::Act(player)) => game.observe(&game.view(&row.state, player), part),
                (None, Turn::Chance | Turn::Over) => part.fill(0.0),
            }
        });
    }

    fn scores(&self) -> Vec<PerPlayer<i32>> {
        self.rows.iter().map(|row| self.loaded.game.scores(&row.state)).collect()
    }

    fn ranks(&self) -> Vec<PerPlayer<u8>> {
        self.rows.iter().map(|row| self.loaded.game.ranks(&row.state)).collect()
    }

    fn results(&self) -> Vec<Option<(PerPlayer<i32>, PerPlayer<u8>)>> {
        self.rows.iter().map(|row| row.result).collect()
    }

    fn episodes(&self) -> Vec<u64> {
        self.rows.iter().map(|row| row.episodes).collect()
    }

    fn decisions(&self) -> Vec<u64> {
        self.rows.iter().map(|row| row.decisions).collect()
    }

    fn reset(&mut self, which: Option<&[bool]>) -> Result<(), BatchError> {
        if let Some(which) = which {
            self.check_length(which.len())?;
        }
        self.each(|game, index, row| {
            if which.is_none_or(|which| which[index]) {
                row.begin(game);
            }
        });
        Ok(())
    }

    fn table(&self, index: usize) -> Option<Box<dyn Table>> {
        let row = self.rows.get(index)?;
        Some(Box::new(StateOf::new(Arc::clone(&self.loaded), row.state)))
    }

    fn boxed(&self) -> Box<dyn Batch> {
        let (loaded, pool) = (Arc::clone(&self.loaded), self.pool.clone());
        Box::new(Self { loaded, rows: self.rows.clone(), autoreset: self.autoreset, pool })
    }
}

impl<G: Playable> BatchOf<G> {
    fn check_length(&self, found: usize) -> Result<(), BatchError> {
        let expected = self.rows.len();
        if expected == found { Ok(()) } else { Err(BatchError::Length { expected, found }) }
    }
}
