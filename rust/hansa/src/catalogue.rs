//! All games, one line each.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::core::load::{GameInfo, LoadError, Override, RulesError, check};
use crate::games::{hansa, queen_of_hansa};
use crate::table::{AnyGame, GameOf, Playable, RulesSource};

/// Every game of the engine.
pub static CATALOGUE: &[Entry] = &[
    Entry::of::<queen_of_hansa::Queen>(&queen_of_hansa::PUBLISHED),
    Entry::of::<queen_of_hansa::Queen>(&queen_of_hansa::DRAFT),
    Entry::of::<hansa::Hansa>(&hansa::HANSA),
];

type LoadGame =
    fn(&'static GameInfo, usize, &BTreeMap<String, String>, RulesSource) -> Result<Arc<dyn AnyGame>, LoadError>;

#[cfg(feature = "conform")]
type MakeSubject = fn(&'static GameInfo, usize, &BTreeMap<String, String>) -> Box<dyn crate::conform::Subject>;

/// A game that can be loaded.
#[derive(Debug)]
pub struct Entry {
    /// What there is to know about the game before it is loaded.
    pub info: &'static GameInfo,
    load: LoadGame,
    check: fn(&'static GameInfo, Override<'_>) -> Result<(), RulesError>,
    #[cfg(feature = "conform")]
    subject: MakeSubject,
}

impl Entry {
    /// The entry of a game.
    #[must_use]
    pub const fn of<G: Playable>(info: &'static GameInfo) -> Self {
        Self {
            info,
            load: |info, players, options, source| Ok(Arc::new(GameOf::<G>::load(info, players, options, source)?)),
            check: |info, rules| check::<G>(info, rules).map(drop),
            #[cfg(feature = "conform")]
            subject: crate::conform::subject::<G>,
        }
    }

    /// Loads the game; without `players` at its smallest table.
    ///
    /// # Errors
    /// What is wrong with the number of players, the options or the rules.
    pub fn load(
        &self,
        players: Option<usize>,
        options: &BTreeMap<String, String>,
        rules: RulesSource,
    ) -> Result<Arc<dyn AnyGame>, LoadError> {
        (self.load)(self.info, players.unwrap_or(*self.info.players.start()), options, rules)
    }

    /// The game, put to the test.
    #[cfg(feature = "conform")]
    #[must_use]
    pub fn subject(&self, players: usize, options: &BTreeMap<String, String>) -> Box<dyn crate::conform::Subject> {
        (self.subject)(self.info, players, options)
    }

    /// Checks an override for every number of players and every combination of options.
    ///
    /// # Errors
    /// Every problem, each one once.
    pub fn check(&self, rules: Override<'_>) -> Result<(), RulesError> {
        (self.check)(self.info, rules)
    }
}

/// The entry of a game.
///
/// # Errors
/// That no game has this id, with the nearest one.
pub fn find(id: &str) -> Result<&'static Entry, LoadError> {
    let ids = || CATALOGUE.iter().map(|entry| entry.info.id);
    CATALOGUE.iter().find(|entry| entry.info.id == id).ok_or_else(|| LoadError::unknown_game(id, ids()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{CATALOGUE, find};
    use crate::core::load::{LoadError, Override};
    use crate::table::RulesSource;

    #[test]
    fn every_game_loads_at_every_table_and_its_own_data_has_no_problem() {
        for entry in CATALOGUE {
            entry.check(Override::None).expect("the embedded rules are right");
            entry.check(Override::Text(entry.info.data)).expect("the embedded rules are an override of themselves");
            for players in entry.info.players.clone() {
                let game = entry.load(Some(players), &[].into(), RulesSource::Embedded).expect("loads");
                assert_eq!((game.header().id, game.header().players), (entry.info.id, players));
            }
        }
        let ids: BTreeSet<&str> = CATALOGUE.iter().map(|entry| entry.info.id).collect();
        assert_eq!(ids.len(), CATALOGUE.len(), "ids are unique");
    }

    #[test]
    fn an_unknown_id_gets_the_nearest() {
        match find("queen_of_hnasa") {
            Err(LoadError::UnknownGame { nearest, .. }) => assert_eq!(nearest.as_deref(), Some("queen_of_hansa")),
            other => panic!("{other:?}"),
        }
    }
}
