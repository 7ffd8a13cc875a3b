//! A state whose type is forgotten.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::Value;

use super::bytes::{Kind, begin};
use super::view::ViewOf;
use super::{AnyGame, AnyView, GameOf, Header, Move, MoveError, Playable, PlayoutRequest, Refusal, Table};
use crate::core::{IllegalMove, NotationError, PerPlayer, Player, Rng, Turn};
use crate::search::{PlayoutReport, SearchError, Source};

/// A state and the game that it is a state of.
pub(crate) struct StateOf<G: Playable> {
    pub(super) loaded: Arc<GameOf<G>>,
    pub(super) state: G::State,
}

impl<G: Playable> std::fmt::Debug for StateOf<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {:?}", self.loaded.header, self.state)
    }
}

impl<G: Playable> StateOf<G> {
    pub(crate) fn new(loaded: Arc<GameOf<G>>, state: G::State) -> Self {
        Self { loaded, state }
    }

    /// The state after a move.
    fn moved(&self, mv: Move) -> Result<G::State, MoveError> {
        let game = &self.loaded.game;
        let mut state = self.state;
        match mv {
            Move::Action(index) => {
                let action = game.action_at(index as usize).ok_or_else(|| self.loaded.no_such_index(mv))?;
                game.try_apply(&mut state, action).map_err(|illegal| refuse(&self.loaded, &self.state, mv, illegal))?;
            }
            Move::Chance(index) => {
                let outcome = game.chance_at(index as usize).ok_or_else(|| self.loaded.no_such_index(mv))?;
                game.try_resolve(&mut state, outcome)
                    .map_err(|illegal| refuse(&self.loaded, &self.state, mv, illegal))?;
            }
        }
        Ok(state)
    }
}

/// The refusal of a move, with what could be done instead.
#[cold]
pub(crate) fn refuse<G: Playable>(loaded: &GameOf<G>, state: &G::State, mv: Move, illegal: IllegalMove) -> MoveError {
    let notation = loaded.notation(mv).unwrap_or_default();
    MoveError::Illegal(Box::new(Refusal::new(notation, illegal, possible(&loaded.game, state))))
}

/// Notations of everything that may be done or may happen here, in index order.
pub(crate) fn possible<G: Playable>(game: &G, state: &G::State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    let actions = actions.into_iter().map(|action| game.action_notation(action));
    actions.chain(outcomes.into_iter().map(|(outcome, _)| game.chance_notation(outcome))).collect()
}

impl<G: Playable> Table for StateOf<G> {
    fn game(&self) -> Arc<dyn AnyGame> {
        Arc::<GameOf<G>>::clone(&self.loaded)
    }

    fn header(&self) -> &Header {
        &self.loaded.header
    }

    fn turn(&self) -> Turn {
        self.loaded.game.turn(&self.state)
    }

    fn legal_actions(&self, out: &mut Vec<u32>) {
        let mut actions = Vec::with_capacity(32);
        self.loaded.game.legal_actions(&self.state, &mut actions);
        out.extend(actions.into_iter().map(|action| self.loaded.game.action_index(action) as u32));
    }

    fn chance_outcomes(&self, out: &mut Vec<(u32, u32)>) {
        let mut outcomes = Vec::with_capacity(64);
        self.loaded.game.chance_outcomes(&self.state, &mut outcomes);
        out.extend(
            outcomes.into_iter().map(|(outcome, weight)| (self.loaded.game.chance_index(outcome) as u32, weight)),
        );
    }

    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        let game = &self.loaded.game;
        match self.turn() {
            Turn::Act(_) => Some(Move::Action(game.action_index(game.random_action(&self.state, rng)) as u32)),
            Turn::Chance => Some(Move::Chance(game.chance_index(game.random_chance(&self.state, rng)) as u32)),
            Turn::Over => None,
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, NotationError> {
        let game = &*self.loaded;
        match self.turn() {
            Turn::Act(player) => game.parse_action(text).map(Move::Action).map_err(|error| {
                if game.parse_chance(text).is_err() {
                    return error;
                }
                let message = format!("`{text}` is a chance outcome, but player {player} is to decide");
                NotationError { message }
            }),
            Turn::Chance => game.parse_chance(text).map(Move::Chance).map_err(|error| {
                if game.parse_action(text).is_err() {
                    return error;
                }
                NotationError { message: format!("`{text}` is an action, but chance is to answer") }
            }),
            Turn::Over => game
                .parse_action(text)
                .map(Move::Action)
                .or_else(|error| game.parse_chance(text).map(Move::Chance).map_err(|_| error)),
        }
    }

    fn after(&self, mv: Move) -> Result<Box<dyn Table>, MoveError> {
        let state = self.moved(mv)?;
        Ok(Box::new(Self { loaded: Arc::clone(&self.loaded), state }))
    }

    fn make(&mut self, mv: Move) -> Result<(), MoveError> {
        self.state = self.moved(mv)?;
        Ok(())
    }

    fn finished(&self, rng: &mut Rng) -> Box<dyn Table> {
        let game = &self.loaded.game;
        let mut state = self.state;
        loop {
            match game.turn(&state) {
                Turn::Act(_) => {
                    let action = game.random_action(&state, rng);
                    game.apply(&mut state, action);
                }
                Turn::Chance => {
                    let outcome = game.random_chance(&state, rng);
                    game.resolve(&mut state, outcome);
                }
                Turn::Over => return Box::new(Self { loaded: Arc::clone(&self.loaded), state }),
            }
        }
    }

    fn view(&self, player: Player) -> Option<Box<dyn AnyView>> {
        (player < self.loaded.header.players).then(|| {
            let view = self.loaded.game.view(&self.state, player);
            Box::new(ViewOf::new(Arc::clone(&self.loaded), view)) as Box<dyn AnyView>
        })
    }

    fn scores(&self) -> PerPlayer<i32> {
        self.loaded.game.scores(&self.state)
    }

    fn ranks(&self) -> PerPlayer<u8> {
        self.loaded.game.ranks(&self.state)
    }

    fn census(&self) -> Vec<(&'static str, u32)> {
        self.loaded.game.census(&self.state)
    }

    fn playouts(&self, request: &PlayoutRequest, poll: &mut dyn FnMut() -> bool) -> Result<PlayoutReport, SearchError> {
        request.run(&self.loaded.game, &Source::State(&self.state), poll)
    }

    fn json(&self) -> Value {
        self.loaded.game.state_json(&self.state)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = begin(Kind::State, &self.loaded.header);
        self.loaded.game.state_bytes(&self.state, &mut out);
        out
    }

    fn boxed(&self) -> Box<dyn Table> {
        Box::new(Self { loaded: Arc::clone(&self.loaded), state: self.state })
    }

    fn same(&self, other: &dyn Table) -> bool {
        (other as &dyn Any)
            .downcast_ref::<Self>()
            .is_some_and(|other| self.state == other.state && self.loaded.same(&other.loaded))
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }
}
