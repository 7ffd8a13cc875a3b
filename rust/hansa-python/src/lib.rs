//! The extension module `hansa._hansa`: one Python class a file, no rules.
//!
//! Every function checks its arguments, makes one call into the engine and turns the answer into Python objects. Whatever
//! takes longer than some microseconds lets other Python threads run meanwhile and looks for Ctrl-C.

mod action;
mod batch;
mod bot;
mod contest;
mod convert;
mod error;
mod game;
mod info;
mod legal;
mod playout;
mod record;
mod rng;
mod search;
mod settings;
mod state;
mod trace;
mod view;
mod work;

/// Engine of Hanseatic trade board games; use it through the package `hansa`.
#[pyo3::pymodule(gil_used = false)]
mod _hansa {
    #[pymodule_export]
    use crate::action::{Action, ChanceOutcome, action_again, chance_again};
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::bot::BuiltinBot;
    #[pymodule_export]
    use crate::contest::{BotReport, MatchReport};
    #[pymodule_export]
    use crate::game::{Game, game_again, load_game};
    #[pymodule_export]
    use crate::info::{GameInfo, GameOption, check_rules, games, info_again};
    #[pymodule_export]
    use crate::legal::LegalActions;
    #[pymodule_export]
    use crate::playout::PlayoutReport;
    #[pymodule_export]
    use crate::record::{Record, record_again};
    #[pymodule_export]
    use crate::rng::{Rng, rng_again};
    #[pymodule_export]
    use crate::search::{ActionReport, SearchReport, Searcher, search};
    #[pymodule_export]
    use crate::state::{State, state_again};
    #[pymodule_export]
    use crate::trace::Trace;
    #[pymodule_export]
    use crate::view::{View, view_again};
    use pyo3::prelude::*;

    /// What `current_player()` is at a chance node.
    #[pymodule_export]
    const CHANCE: i32 = -1;
    /// What `current_player()` is when the game is over.
    #[pymodule_export]
    const TERMINAL: i32 = -4;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.setattr("__version__", env!("CARGO_PKG_VERSION"))?;
        // A sequence for `isinstance` and for pattern matching, with the methods of one.
        let sequence = module.py().import("collections.abc")?.getattr("Sequence")?;
        sequence.call_method1("register", (module.py().get_type::<LegalActions>(),))?;
        // The list would name the functions for pickle too.
        module.delattr("__all__")?;
        Ok(())
    }
}
