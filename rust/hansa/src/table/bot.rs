//! Bots and searches whose types are forgotten.

use std::any::Any;
use std::sync::Arc;

use super::view::ViewOf;
use super::{AnyBot, AnySearcher, AnyView, GameOf, Playable};
use crate::core::Player;
use crate::search::{Bot, Report, SearchError, Searcher};

/// A bot and the game that it plays.
pub(super) struct BotOf<G: Playable> {
    pub(super) loaded: Arc<GameOf<G>>,
    pub(super) bot: Box<dyn Bot<G>>,
}

/// A searcher and the game that it searches.
pub(super) struct SearcherOf<G: Playable> {
    pub(super) loaded: Arc<GameOf<G>>,
    pub(super) searcher: Searcher<G>,
}

/// The view of a player of this game.
fn own_view<'a, G: Playable>(loaded: &Arc<GameOf<G>>, view: &'a dyn AnyView) -> Result<&'a G::View, SearchError> {
    match (view as &dyn Any).downcast_ref::<ViewOf<G>>() {
        Some(view) if view.loaded.same(loaded) => Ok(&view.view),
        _ => Err(SearchError::Setting {
            name: "view",
            problem: format!("is one of {}, must be one of {}", view.header(), loaded.header),
        }),
    }
}

impl<G: Playable> AnyBot for BotOf<G> {
    fn act(&mut self, view: &dyn AnyView, seed: u64, stop: &mut dyn FnMut() -> bool) -> Result<u32, SearchError> {
        let view = own_view(&self.loaded, view)?;
        let action = self.bot.act(&self.loaded.game, view, seed, stop)?;
        Ok(self.loaded.game.action_index(action) as u32)
    }
}

impl<G: Playable> AnySearcher for SearcherOf<G> {
    fn search(&mut self, view: &dyn AnyView, poll: &mut dyn FnMut() -> bool) -> Result<Report<u32>, SearchError> {
        let view = own_view(&self.loaded, view)?;
        let seed = self.searcher.settings().seed;
        let report = self.searcher.search(&self.loaded.game, view, seed, poll)?;
        Ok(self.loaded.by_index(report))
    }

    fn advance(&mut self, player: Player, action: u32) {
        match self.loaded.game.action_at(action as usize) {
            Some(action) => self.searcher.advance(&self.loaded.game, player, action),
            None => self.searcher.forget(),
        }
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }
}
