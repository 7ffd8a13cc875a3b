//! A loaded game whose type is forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::bot::{BotOf, SearcherOf};
use super::bytes::{Kind, open};
use super::sample::sample;
use super::view::ViewOf;
use super::{
    AnyBot, AnyGame, AnySearcher, AnyView, Header, Move, Playable, RulesSource, SampleRequest, StateOf, Table,
};
use crate::batch::{Batch, BatchOf};
use crate::core::load::{GameInfo, LoadError, Options, Rules, load};
use crate::core::{FormatError, NotationError, Player};
use crate::record::Record;
use crate::search::{
    ActionReport, BotSpec, MatchReport, MatchSettings, Report, SearchError, Searcher, Settings, play_match,
};

/// A game with everything that it was loaded from.
pub(crate) struct GameOf<G: Playable> {
    pub(crate) game: G,
    pub(crate) header: Header,
    info: &'static GameInfo,
    options: Options,
    rules: Rules,
    source: RulesSource,
}

impl<G: Playable> std::fmt::Debug for GameOf<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} under rules {}", self.header, self.header.rules)
    }
}

impl<G: Playable> GameOf<G> {
    /// Loads the game.
    ///
    /// # Errors
    /// What is wrong with the number of players, the options or the override.
    pub(crate) fn load(
        info: &'static GameInfo,
        players: usize,
        given: &BTreeMap<String, String>,
        source: RulesSource,
    ) -> Result<Self, LoadError> {
        let loaded = load::<G>(info, source.as_override(), players, given)?;
        let header = Header {
            id: info.id,
            players,
            options: loaded.options.non_default(),
            rules: loaded.rules.digest().to_owned(),
        };
        Ok(Self { game: loaded.game, header, info, options: loaded.options, rules: loaded.rules, source })
    }

    /// A report with indices in the place of actions.
    pub(super) fn by_index(&self, report: Report<G::Action>) -> Report<u32> {
        let index = |action| self.game.action_index(action) as u32;
        let action = |report: ActionReport<G::Action>| ActionReport {
            action: index(report.action),
            visits: report.visits,
            availability: report.availability,
            values: report.values,
            prior: report.prior,
        };
        Report {
            best: index(report.best),
            actions: report.actions.into_iter().map(action).collect(),
            values: report.values,
            principal_variation: report.principal_variation.into_iter().map(index).collect(),
            simulations: report.simulations,
            inherited: report.inherited,
            nodes: report.nodes,
            depth: report.depth,
            memory: report.memory,
            memory_full: report.memory_full,
            elapsed: report.elapsed,
            stopped: report.stopped,
        }
    }

    /// True when both have the same moves, states and views.
    pub(crate) fn same(self: &Arc<Self>, other: &Arc<Self>) -> bool {
        Arc::ptr_eq(self, other) || self.header == other.header
    }

    #[cold]
    pub(crate) fn no_such_index(&self, mv: Move) -> NotationError {
        match mv {
            Move::Action(index) => self.no_such_action(i64::from(index)),
            Move::Chance(index) => {
                let count = self.game.chance_count();
                NotationError {
                    message: format!("no chance outcome has the index {index}; the indices are 0 to {}", count - 1),
                }
            }
        }
    }

    #[cold]
    pub(crate) fn no_such_action(&self, index: i64) -> NotationError {
        let count = self.game.action_count();
        NotationError { message: format!("no action has the index {index}; the indices are 0 to {}", count - 1) }
    }

    pub(crate) fn notation_of(&self, mv: Move) -> Option<String> {
        match mv {
            Move::Action(index) => self.game.action_at(index as usize).map(|action| self.game.action_notation(action)),
            Move::Chance(index) => {
                self.game.chance_at(index as usize).map(|outcome| self.game.chance_notation(outcome))
            }
        }
    }
}

impl<G: Playable> AnyGame for GameOf<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn source(&self) -> &RulesSource {
        &self.source
    }

    fn action_count(&self) -> usize {
        self.game.action_count()
    }

    fn chance_count(&self) -> usize {
        self.game.chance_count()
    }

    fn longest_game(&self) -> usize {
        self.game.longest_game()
    }

    fn state_size(&self) -> usize {
        size_of::<G::State>()
    }

    fn observation_layout(&self) -> Vec<(String, usize)> {
        self.game.observation_layout()
    }

    fn observation_size(&self) -> usize {
        self.game.observation_size()
    }

    fn notation(&self, mv: Move) -> Option<String> {
        self.notation_of(mv)
    }

    fn parse_action(&self, text: &str) -> Result<u32, NotationError> {
        self.game.parse_action(text).map(|action| self.game.action_index(action) as u32)
    }

    fn parse_chance(&self, text: &str) -> Result<u32, NotationError> {
        self.game.parse_chance(text).map(|outcome| self.game.chance_index(outcome) as u32)
    }

    fn start(self: Arc<Self>) -> Box<dyn Table> {
        let state = self.game.start();
        Box::new(StateOf::new(self, state))
    }

    fn state_from_json(self: Arc<Self>, json: &Value) -> Result<Box<dyn Table>, FormatError> {
        let state = self.game.state_from_json(json)?;
        Ok(Box::new(StateOf::new(self, state)))
    }

    fn state_from_bytes(self: Arc<Self>, bytes: &[u8]) -> Result<Box<dyn Table>, FormatError> {
        let state = self.game.state_from_bytes(open(Kind::State, &self.header, bytes)?)?;
        Ok(Box::new(StateOf::new(self, state)))
    }

    fn view_from_json(self: Arc<Self>, json: &Value, observer: Player) -> Result<Box<dyn AnyView>, FormatError> {
        let players = self.header.players;
        if observer >= players {
            return Err(FormatError::new("", format!("the players are 0 to {}, found {observer}", players - 1)));
        }
        let view = self.game.view_from_json(json, observer)?;
        Ok(Box::new(ViewOf::new(self, view)))
    }

    fn view_from_bytes(self: Arc<Self>, bytes: &[u8]) -> Result<Box<dyn AnyView>, FormatError> {
        let view = self.game.view_from_bytes(open(Kind::View, &self.header, bytes)?)?;
        Ok(Box::new(ViewOf::new(self, view)))
    }

    fn batch(self: Arc<Self>, size: usize, seed: u64, autoreset: bool, threads: usize) -> Box<dyn Batch> {
        Box::new(BatchOf::new(self, size, seed, autoreset, threads))
    }

    fn sample(&self, request: &SampleRequest, poll: &mut dyn FnMut() -> bool) -> Result<Vec<Record>, SearchError> {
        sample(self, request, poll)
    }

    fn play_match(
        &self,
        specs: &[BotSpec],
        settings: &MatchSettings,
        poll: &mut dyn FnMut() -> bool,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<MatchReport, SearchError> {
        play_match(&self.game, specs, settings, poll, progress)
    }

    fn bot(self: Arc<Self>, spec: &BotSpec) -> Result<Box<dyn AnyBot>, SearchError> {
        let bot = spec.bot::<G>()?;
        Ok(Box::new(BotOf { loaded: self, bot }))
    }

    fn searcher(self: Arc<Self>, settings: Settings) -> Result<Box<dyn AnySearcher>, SearchError> {
        let searcher = Searcher::new(settings)?;
        Ok(Box::new(SearcherOf { loaded: self, searcher }))
    }
}
