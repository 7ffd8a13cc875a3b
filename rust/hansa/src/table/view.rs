//! A view whose type is forgotten.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::bytes::{Kind, begin};
use super::{AnyGame, AnyView, GameOf, Header, Playable, PlayoutRequest, StateOf, Table};
use crate::core::{Player, Rng, Turn};
use crate::search::{PlayoutReport, Report, SearchError, Settings, Source, search};

/// A view and the game that it is a view of.
pub(crate) struct ViewOf<G: Playable> {
    pub(super) loaded: Arc<GameOf<G>>,
    pub(super) view: G::View,
    belief: OnceLock<G::Belief>,
    /// One state that agrees with the view: the turn and the observer's legal actions are the same in all of them.
    example: OnceLock<G::State>,
}

impl<G: Playable> std::fmt::Debug for ViewOf<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {:?}", self.loaded.header, self.view)
    }
}

impl<G: Playable> ViewOf<G> {
    pub(super) fn new(loaded: Arc<GameOf<G>>, view: G::View) -> Self {
        Self { loaded, view, belief: OnceLock::new(), example: OnceLock::new() }
    }

    fn belief(&self) -> &G::Belief {
        self.belief.get_or_init(|| self.loaded.game.belief(&self.view))
    }

    fn example(&self) -> &G::State {
        self.example.get_or_init(|| self.loaded.game.determinize(self.belief(), &mut Rng::new(0)))
    }
}

impl<G: Playable> AnyView for ViewOf<G> {
    fn game(&self) -> Arc<dyn AnyGame> {
        Arc::<GameOf<G>>::clone(&self.loaded)
    }

    fn header(&self) -> &Header {
        &self.loaded.header
    }

    fn observer(&self) -> Player {
        self.loaded.game.observer(&self.view)
    }

    fn turn(&self) -> Turn {
        self.loaded.game.turn(self.example())
    }

    fn legal_actions(&self, out: &mut Vec<u32>) {
        if self.turn() == Turn::Act(self.observer()) {
            let mut actions = Vec::with_capacity(32);
            self.loaded.game.legal_actions(self.example(), &mut actions);
            out.extend(actions.into_iter().map(|action| self.loaded.game.action_index(action) as u32));
        }
    }

    fn determinize(&self, rng: &mut Rng) -> Box<dyn Table> {
        let state = self.loaded.game.determinize(self.belief(), rng);
        Box::new(StateOf::new(Arc::clone(&self.loaded), state))
    }

    fn observe(&self, out: &mut [f32]) {
        self.loaded.game.observe(&self.view, out);
    }

    fn playouts(&self, request: &PlayoutRequest, poll: &mut dyn FnMut() -> bool) -> Result<PlayoutReport, SearchError> {
        request.run(&self.loaded.game, &Source::Belief(self.belief()), poll)
    }

    fn search(&self, settings: &Settings, poll: &mut dyn FnMut() -> bool) -> Result<Report<u32>, SearchError> {
        search(&self.loaded.game, &self.view, settings, poll).map(|report| self.loaded.by_index(report))
    }

    fn json(&self) -> Value {
        self.loaded.game.view_json(&self.view)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = begin(Kind::View, &self.loaded.header);
        self.loaded.game.view_bytes(&self.view, &mut out);
        out
    }

    fn boxed(&self) -> Box<dyn AnyView> {
        Box::new(Self {
            loaded: Arc::clone(&self.loaded),
            view: self.view.clone(),
            belief: self.belief.clone(),
            example: self.example.clone(),
        })
    }

    fn same(&self, other: &dyn AnyView) -> bool {
        (other as &dyn Any)
            .downcast_ref::<Self>()
            .is_some_and(|other| self.view == other.view && self.loaded.same(&other.loaded))
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.view.hash(&mut hasher);
        hasher.finish()
    }
}
