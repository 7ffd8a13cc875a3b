//! Games, states and views whose types are forgotten: what bindings and command lines hold.
//!
//! Three object-safe traits, each with one implementation over every game: [`AnyGame`] (loaded rules), [`Table`] (a
//! state) and [`AnyView`] (what one player knows). Moves are indices here. Everything is checked at this door, and
//! every loop (playouts, searches, matches) runs inside one virtual call.

mod bot;
mod bytes;
mod error;
mod game;
mod sample;
mod source;
mod state;
mod view;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use serde_json::Value;

pub(crate) use self::error::write_legal;
pub use self::error::{MoveError, Refusal};
pub(crate) use self::game::GameOf;
pub use self::source::RulesSource;
pub(crate) use self::state::{StateOf, refuse};
use crate::batch::Batch;
use crate::core::load::{GameInfo, Load, Options, Rules};
use crate::core::{Encode, FormatError, Game, Judge, NotationError, PerPlayer, Player, Rng, Turn};
use crate::record::Record;
use crate::search::{
    BotSpec, MatchReport, MatchSettings, PlayoutReport, Policy, Report, SearchError, Settings, Source, playouts,
};

/// Everything that a game must be to stand in the catalogue.
pub trait Playable: Encode + Judge + Load {}

impl<G: Encode + Judge + Load> Playable for G {}

/// A move by index: what a player decides, or what chance answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// The action of this index.
    Action(u32),
    /// The chance outcome of this index.
    Chance(u32),
}

/// What tells one loaded game from another; two games with equal headers have the same moves, states and views.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Header {
    /// Id of the game.
    pub id: &'static str,
    /// Players at the table.
    pub players: usize,
    /// The options that differ from their defaults.
    pub options: BTreeMap<String, String>,
    /// Digest of the rules in force.
    pub rules: String,
}

impl std::fmt::Display for Header {
    /// The game as `id(players=4,option=value)`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}(players={}", self.id, self.players)?;
        for (name, value) in &self.options {
            write!(formatter, ",{name}={value}")?;
        }
        formatter.write_str(")")
    }
}

/// Loaded rules of some game at one table size.
pub trait AnyGame: Any + Debug + Send + Sync {
    /// The entry of the game in the catalogue.
    fn info(&self) -> &'static GameInfo;
    /// What tells this game from others.
    fn header(&self) -> &Header;
    /// The options in force.
    fn options(&self) -> &Options;
    /// The rules in force.
    fn rules(&self) -> &Rules;
    /// The override that the rules were loaded with.
    fn source(&self) -> &RulesSource;

    /// Actions have the indices below this.
    fn action_count(&self) -> usize;
    /// Chance outcomes have the indices below this.
    fn chance_count(&self) -> usize;
    /// No game has more moves than this, chance included.
    fn longest_game(&self) -> usize;
    /// Size of a state in bytes.
    fn state_size(&self) -> usize;
    /// Names and lengths of the parts of an observation, in order.
    fn observation_layout(&self) -> Vec<(String, usize)>;
    /// Length of an observation.
    fn observation_size(&self) -> usize;

    /// A move as a line of the notation; `None` for an index that no move has.
    fn notation(&self, mv: Move) -> Option<String>;
    /// The index of an action's notation.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse_action(&self, text: &str) -> Result<u32, NotationError>;
    /// The index of a chance outcome's notation.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse_chance(&self, text: &str) -> Result<u32, NotationError>;

    /// The position before any chance.
    fn start(self: Arc<Self>) -> Box<dyn Table>;
    /// The state of a canonical state.
    ///
    /// # Errors
    /// Where and what is wrong.
    fn state_from_json(self: Arc<Self>, json: &Value) -> Result<Box<dyn Table>, FormatError>;
    /// The inverse of [`Table::bytes`].
    ///
    /// # Errors
    /// What is wrong; bytes of another game are refused by name.
    fn state_from_bytes(self: Arc<Self>, bytes: &[u8]) -> Result<Box<dyn Table>, FormatError>;
    /// The view of `observer` of a view's JSON.
    ///
    /// # Errors
    /// Where and what is wrong.
    fn view_from_json(self: Arc<Self>, json: &Value, observer: Player) -> Result<Box<dyn AnyView>, FormatError>;
    /// The inverse of [`AnyView::bytes`].
    ///
    /// # Errors
    /// What is wrong; bytes of another game are refused by name.
    fn view_from_bytes(self: Arc<Self>, bytes: &[u8]) -> Result<Box<dyn AnyView>, FormatError>;

    /// `size` games at their first decisions, stepped together.
    fn batch(self: Arc<Self>, size: usize, seed: u64, autoreset: bool, threads: usize) -> Box<dyn Batch>;
    /// Records of whole games with one bot in every seat. `poll` is called about every decision and returns true to stop;
    /// then the records are those of the games that were finished.
    ///
    /// # Errors
    /// A bot whose settings do not fit the game.
    fn sample(&self, request: &SampleRequest, poll: &mut dyn FnMut() -> bool) -> Result<Vec<Record>, SearchError>;
    /// A match between bots; see [`play_match`](crate::search::play_match).
    ///
    /// # Errors
    /// What is wrong with the number of bots, of games or of threads, or with a bot.
    fn play_match(
        &self,
        specs: &[BotSpec],
        settings: &MatchSettings,
        poll: &mut dyn FnMut() -> bool,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<MatchReport, SearchError>;
    /// A player of views.
    ///
    /// # Errors
    /// Which setting of the bot is out of range.
    fn bot(self: Arc<Self>, spec: &BotSpec) -> Result<Box<dyn AnyBot>, SearchError>;
    /// A search that keeps its tree from one move to the next.
    ///
    /// # Errors
    /// Which setting is out of range.
    fn searcher(self: Arc<Self>, settings: Settings) -> Result<Box<dyn AnySearcher>, SearchError>;
}

/// Which games [`AnyGame::sample`] is to play. A game depends on the seed, its number and the bot only: chance answers
/// from `(seed, Stream::Chance, number)`.
#[derive(Debug, Clone)]
pub struct SampleRequest {
    /// Number of the first game.
    pub first: u64,
    /// How many games.
    pub games: u64,
    /// The seed of the series.
    pub seed: u64,
    /// Who plays, in every seat.
    pub policy: BotSpec,
}

/// Which playouts [`Table::playouts`] and [`AnyView::playouts`] are to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayoutRequest {
    /// How many.
    pub count: u64,
    /// The seed of the series.
    pub seed: u64,
    /// Threads that do the work; the sums do not depend on them.
    pub threads: usize,
    /// Who decides, and how far.
    pub policy: Policy,
}

impl PlayoutRequest {
    fn run<G: Game + Judge>(
        &self,
        game: &G,
        source: &Source<'_, G>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<PlayoutReport, SearchError> {
        playouts(game, source, self.count, self.seed, self.threads, self.policy, poll)
    }
}

/// Notations of everything that may be done or may happen at a position, in index order.
#[must_use]
pub fn possible_at(table: &dyn Table) -> Vec<String> {
    let game = table.game();
    let mut indices = Vec::new();
    table.legal_actions(&mut indices);
    let mut outcomes = Vec::new();
    table.chance_outcomes(&mut outcomes);
    let actions = indices.into_iter().map(Move::Action);
    let moves = actions.chain(outcomes.into_iter().map(|(index, _)| Move::Chance(index)));
    moves.filter_map(|mv| game.notation(mv)).collect()
}

/// A state of some game: one position, the whole truth.
pub trait Table: Any + Debug + Send + Sync {
    /// The game that is played.
    fn game(&self) -> Arc<dyn AnyGame>;
    /// What tells this game from others.
    fn header(&self) -> &Header;
    /// Who must answer next.
    fn turn(&self) -> Turn;
    /// Appends the indices of the legal actions in index order; nothing unless a player is to decide.
    fn legal_actions(&self, out: &mut Vec<u32>);
    /// Appends indices and weights of the possible outcomes in index order; nothing unless chance is to answer.
    fn chance_outcomes(&self, out: &mut Vec<(u32, u32)>);
    /// A move drawn as the rules draw it: an action uniformly, a chance outcome by weight; `None` when the game is over.
    fn random_move(&self, rng: &mut Rng) -> Option<Move>;
    /// The move that a line of notation means here: an action where a player decides, a chance outcome where chance
    /// answers. The move may be illegal.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read_move(&self, text: &str) -> Result<Move, NotationError>;
    /// The position after a move.
    ///
    /// # Errors
    /// The rule that forbids the move, or that no move has this index.
    fn after(&self, mv: Move) -> Result<Box<dyn Table>, MoveError>;
    /// Makes a move in place; on an error nothing has changed.
    ///
    /// # Errors
    /// As [`after`](Table::after).
    fn make(&mut self, mv: Move) -> Result<(), MoveError>;
    /// The end of a uniformly random game from here.
    fn finished(&self, rng: &mut Rng) -> Box<dyn Table>;
    /// What `player` knows; `None` when there is no such player.
    fn view(&self, player: Player) -> Option<Box<dyn AnyView>>;
    /// Points so far; final when the game is over.
    fn scores(&self) -> PerPlayer<i32>;
    /// For each player the number of players strictly ahead.
    fn ranks(&self) -> PerPlayer<u8>;
    /// Counts that no move changes, by name.
    fn census(&self) -> Vec<(&'static str, u32)>;
    /// Playouts from here. `poll` is called about every 30 milliseconds and returns true to interrupt.
    ///
    /// # Errors
    /// Which setting is out of range.
    fn playouts(&self, request: &PlayoutRequest, poll: &mut dyn FnMut() -> bool) -> Result<PlayoutReport, SearchError>;
    /// The canonical state.
    fn json(&self) -> Value;
    /// The state as bytes that name their game.
    fn bytes(&self) -> Vec<u8>;
    /// A copy.
    fn boxed(&self) -> Box<dyn Table>;
    /// True for the same position of the same game.
    fn same(&self, other: &dyn Table) -> bool;
    /// A number that is equal for equal positions.
    fn fingerprint(&self) -> u64;
}

/// What one player knows, of some game.
pub trait AnyView: Any + Debug + Send + Sync {
    /// The game that is played.
    fn game(&self) -> Arc<dyn AnyGame>;
    /// What tells this game from others.
    fn header(&self) -> &Header;
    /// Whose view it is.
    fn observer(&self) -> Player;
    /// Who must answer next.
    fn turn(&self) -> Turn;
    /// Appends the indices of the legal actions in index order; nothing unless the observer is to decide.
    fn legal_actions(&self, out: &mut Vec<u32>);
    /// Draws one full state that agrees with the view, with the exact weight that the rules give it.
    fn determinize(&self, rng: &mut Rng) -> Box<dyn Table>;
    /// Writes the view as numbers into `out`, which has [`AnyGame::observation_size`] places.
    fn observe(&self, out: &mut [f32]);
    /// Playouts, each from a determinization of its own. `poll` is called about every 30 milliseconds and returns true to
    /// interrupt.
    ///
    /// # Errors
    /// Which setting is out of range.
    fn playouts(&self, request: &PlayoutRequest, poll: &mut dyn FnMut() -> bool) -> Result<PlayoutReport, SearchError>;
    /// A tree search. `poll` returns true to interrupt.
    ///
    /// # Errors
    /// What is wrong with the settings, that the observer is not to decide, or that it was interrupted.
    fn search(&self, settings: &Settings, poll: &mut dyn FnMut() -> bool) -> Result<Report<u32>, SearchError>;
    /// The view as JSON.
    fn json(&self) -> Value;
    /// The view as bytes that name their game.
    fn bytes(&self) -> Vec<u8>;
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyView>;
    /// True for the same view of the same player in the same game.
    fn same(&self, other: &dyn AnyView) -> bool;
    /// A number that is equal for equal views.
    fn fingerprint(&self) -> u64;
}

/// A built-in bot at a table of some game. A bot is given views, never states.
pub trait AnyBot: Send {
    /// The action of the view's player, by index; depends on the view and the seed only, unless the bot has a budget of
    /// time. `stop` is asked now and then; when it says true the bot answers at once, as well as it can.
    ///
    /// # Errors
    /// A view whose player is not to decide, a view of another game, or settings that do not fit the game.
    fn act(&mut self, view: &dyn AnyView, seed: u64, stop: &mut dyn FnMut() -> bool) -> Result<u32, SearchError>;
}

/// A search that keeps its trees; see [`Searcher`](crate::search::Searcher).
pub trait AnySearcher: Send {
    /// Searches a view, going on from the trees if they stand there.
    ///
    /// # Errors
    /// As [`AnyView::search`], and a view of another game.
    fn search(&mut self, view: &dyn AnyView, poll: &mut dyn FnMut() -> bool) -> Result<Report<u32>, SearchError>;
    /// Follows an action that `player` visibly took, by index; an index that no action has empties the trees.
    fn advance(&mut self, player: Player, action: u32);
    /// Forgets the trees but keeps their memory.
    fn forget(&mut self);
}
