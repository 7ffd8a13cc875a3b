//! The laws that every game keeps, as checks over random games (feature `conform`, for tests only).
//!
//! [`Subject`] is a game of the catalogue put to the test: one object-safe trait with one implementation over every game,
//! so that a new game is covered by its line in the catalogue. The laws:
//!
//! 1. `legal_actions` is non-empty exactly where a player decides, in index order without repetition, the same twice.
//! 2. Indices and notations of actions and outcomes are inverse; notations are unique within a node.
//! 3. `chance_outcomes` is non-empty exactly where chance answers; weights are positive, outcomes in index order.
//! 4. What is not listed is refused, with a reason, and changes nothing; what is listed is accepted.
//! 5. A determinization shows its observer the same view; turn, legal actions and scores stay, and it can be saved.
//! 6. States that differ only in what a player cannot see look equal to this player: view, observation, judgement.
//! 7. The census never changes.
//! 8. A copy is independent.
//! 9. Ranks agree with the scores, somebody has rank 0, and the game ends within its stated bound.
//! 10. Random choices are uniform or by weight, and playouts have the distribution of games played step by step.
//! 11. Saved, loaded and replayed states are equal; a seed means one game, on any number of threads.
//! 12. Warm work allocates nothing; the size of a state has a bound.

mod fit;
pub mod goldens;
mod knowledge;
mod menus;
mod repeat;
mod uniform;
mod walk;
mod work;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use self::fit::{Fit, same_distribution, same_mean, weighted};
pub use self::work::Chore;
use crate::core::load::{GameInfo, Options};
use crate::table::{AnyGame, GameOf, Playable, RulesSource};

/// How much is checked.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The seed of the games.
    pub seed: u64,
    /// How many random games.
    pub games: u64,
}

/// What was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Whole games.
    pub games: u64,
    /// Positions, the start and the end of each game included.
    pub positions: u64,
    /// Moves that were tried although they are not listed, all refused.
    pub refused: u64,
    /// Full states drawn from views.
    pub determinizations: u64,
    /// Of these, states that differ from the truth.
    pub differing: u64,
    /// States and views that were written as JSON or bytes and read again.
    pub saved: u64,
    /// Positions by the kind of the node: the first word of what can be done there.
    pub kinds: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds what was checked elsewhere.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.refused += other.refused;
        self.determinizations += other.determinizations;
        self.differing += other.differing;
        self.saved += other.saved;
        for (kind, count) in &other.kinds {
            *self.kinds.entry(kind.clone()).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} games, {} positions, {} unlisted moves refused, {} determinizations ({} unlike the truth), {} saved and \
             read; nodes:",
            self.games, self.positions, self.refused, self.determinizations, self.differing, self.saved
        )?;
        self.kinds.iter().try_for_each(|(kind, count)| write!(formatter, " {kind} {count}"))
    }
}

/// A law that is broken, with everything that is needed to see it again.
#[derive(Debug, Clone)]
pub struct Breach {
    /// Which law.
    pub law: u8,
    /// Which game at which table.
    pub game: String,
    /// What is wrong.
    pub what: String,
    /// The moves from the start of the game to the position.
    pub moves: Vec<String>,
}

impl fmt::Display for Breach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { law, game, what, moves } = self;
        write!(formatter, "law {law} is broken in {game} after {} moves: {what}\nmoves: {moves:?}", moves.len())
    }
}

impl std::error::Error for Breach {}

/// A law that is broken, without its place.
#[derive(Debug)]
struct Broken {
    law: u8,
    what: String,
}

type Check = Result<(), Broken>;

/// Makes sure that a law holds here.
fn ensure(law: u8, holds: bool, what: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(Broken { law, what: what() }) }
}

/// A loaded game put to the test.
pub trait Subject: fmt::Debug + Send + Sync {
    /// The game.
    fn game(&self) -> Arc<dyn AnyGame>;
    /// Checks laws 1 to 9 and 11 over random games.
    ///
    /// # Errors
    /// The first law that is broken.
    fn laws(&self, plan: Plan) -> Result<Tally, Breach>;
    /// Law 10 for single moves: at nodes of every kind, those with the most options among them, the distribution of the
    /// moves drawn, `draws` for each option.
    fn moves_fit(&self, plan: Plan, draws: u64) -> Vec<Fit>;
    /// Law 10 for whole games: `count` playouts against as many games that are played step by step from the lists of
    /// legal actions and outcomes, from the start and, a tenth as many each, from a node of every kind.
    fn playouts_fit(&self, plan: Plan, count: u64) -> Vec<Fit>;
    /// Law 12: does the chore so many times; returns a number that depends on all the work. What it needs to begin with
    /// is made first, outside of `measured`.
    fn work(&self, chore: Chore, times: u64, measured: &mut dyn FnMut(&mut dyn FnMut()));
}

/// The game of a catalogue entry, put to the test.
struct SubjectOf<G: Playable> {
    loaded: Arc<GameOf<G>>,
}

impl<G: Playable> fmt::Debug for SubjectOf<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} put to the test", self.loaded)
    }
}

/// Loads a game for [`Subject`].
///
/// # Panics
/// If the game does not load: its own data at one of its own tables.
pub(crate) fn subject<G: Playable>(
    info: &'static GameInfo,
    players: usize,
    options: &BTreeMap<String, String>,
) -> Box<dyn Subject> {
    let loaded = GameOf::<G>::load(info, players, options, RulesSource::Embedded);
    let loaded = loaded.unwrap_or_else(|error| panic!("{} does not load with {players} players: {error}", info.id));
    Box::new(SubjectOf { loaded: Arc::new(loaded) })
}

impl<G: Playable> Subject for SubjectOf<G> {
    fn game(&self) -> Arc<dyn AnyGame> {
        Arc::<GameOf<G>>::clone(&self.loaded)
    }

    fn laws(&self, plan: Plan) -> Result<Tally, Breach> {
        let tally = walk::games(&self.loaded, plan)?;
        repeat::check(&self.loaded, plan)?;
        Ok(tally)
    }

    fn moves_fit(&self, plan: Plan, draws: u64) -> Vec<Fit> {
        uniform::moves(&self.loaded, plan, draws)
    }

    fn playouts_fit(&self, plan: Plan, count: u64) -> Vec<Fit> {
        uniform::playouts(&self.loaded, plan, count)
    }

    fn work(&self, chore: Chore, times: u64, measured: &mut dyn FnMut(&mut dyn FnMut())) {
        work::run(&self.loaded, chore, times, measured);
    }
}

/// How much a test is to do: the number in this environment variable, if it is set.
///
/// # Panics
/// If it is set to something that is no number.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "tests are told by their environment how much to do")]
pub fn amount(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text:?}, must be a number")),
        Err(_) => default,
    }
}

/// Every game of the catalogue at every table under every combination of options.
#[must_use]
pub fn subjects() -> Vec<Box<dyn Subject>> {
    let tables = crate::catalogue::CATALOGUE.iter().flat_map(|entry| {
        let options = Options::every(entry.info);
        options.into_iter().flat_map(move |options| {
            let options = options.non_default();
            entry.info.players.clone().map(move |players| entry.subject(players, &options))
        })
    });
    tables.collect()
}
