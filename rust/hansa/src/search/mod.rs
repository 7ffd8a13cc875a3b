//! Everything that plays: playouts, tree search, bots and matches. Generic over the traits of `core`; knows no game.
//!
//! * [`playouts`]: many games played on to the end, with sums that do not depend on the number of threads.
//! * [`search`] and [`Searcher`]: one open-loop tree with availability counts over a view. With full information this is
//!   UCT, with chance open-loop MCTS, with hidden hands single-observer information-set MCTS.
//! * [`BotSpec`] and [`Bot`]: the built-in bots by text. A bot is given a view and nothing else.
//! * [`play_match`]: matches between built-in bots with balanced seats.
//!
//! Long work takes a `poll`: the calling thread calls it about every 30 milliseconds, and `true` interrupts the work.

mod arithmetic;
mod bots;
mod choice;
mod contest;
mod error;
mod playout;
mod policy;
mod report;
mod searcher;
mod settings;
mod spec;
mod threads;
mod tree;
mod utility;
mod worker;

pub use bots::{Bot, FlatBot, GreedyBot, MctsBot, RandomBot};
pub use contest::{BotReport, GameLog, MatchReport, MatchSettings, MoveIndex, play_match};
pub use error::SearchError;
pub use playout::{PlayoutReport, Source, playouts};
pub use policy::{Playout, Policy};
pub use report::{ActionReport, Report, Stop};
pub use searcher::{Searcher, search};
pub use settings::{Selection, Settings};
pub use spec::{BotSpec, DEFAULT_EPSILON, DEFAULT_SIMULATIONS, FlatSettings, SpecError};
pub use utility::{MARGIN_SCALE, Utility};
