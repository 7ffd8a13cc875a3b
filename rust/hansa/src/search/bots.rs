//! The built-in bots. A bot is given a view, never a state.

use super::playout::utilities;
use super::policy::{Menu, Roller, preferred};
use super::{BotSpec, FlatSettings, SearchError, Searcher, Settings};
use crate::core::{Encode, Game, Judge, Rng, Stream, Turn};

/// Somebody who plays: knows what the view tells and nothing else.
pub trait Bot<G: Game>: Send {
    /// The action of the view's player. Depends on nothing but the view and the seed, unless the bot has a budget of
    /// time.
    ///
    /// The bot asks `stop` now and then; when it says true the bot answers at once, as well as it can.
    ///
    /// # Errors
    /// A view whose player is not to decide, or settings that do not fit the game.
    fn act(
        &mut self,
        game: &G,
        view: &G::View,
        seed: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<G::Action, SearchError>;
}

impl BotSpec {
    /// The bot that the spec describes.
    ///
    /// # Errors
    /// A setting that is wrong; a spec that was parsed has none.
    pub fn bot<G: Encode + Judge>(&self) -> Result<Box<dyn Bot<G>>, SearchError> {
        Ok(match self {
            Self::Random => Box::new(RandomBot),
            Self::Greedy => Box::new(GreedyBot),
            Self::Flat(settings) => Box::new(FlatBot::new(settings.clone())?),
            Self::Mcts(settings) => Box::new(MctsBot::<G>::new(settings.clone())?),
        })
    }
}

/// Draws a state from the view and makes sure that its player is to decide.
fn draw<G: Game>(game: &G, view: &G::View, rng: &mut Rng) -> Result<G::State, SearchError> {
    let state = game.determinize(&game.belief(view), rng);
    let observer = game.observer(view);
    match game.turn(&state) {
        Turn::Act(player) if player == observer => Ok(state),
        turn => Err(SearchError::NotToMove { observer, turn }),
    }
}

/// Takes every legal action with the same probability.
#[derive(Debug, Clone, Copy)]
pub struct RandomBot;

impl<G: Game> Bot<G> for RandomBot {
    fn act(
        &mut self,
        game: &G,
        view: &G::View,
        seed: u64,
        _stop: &mut dyn FnMut() -> bool,
    ) -> Result<G::Action, SearchError> {
        let mut rng = Rng::stream(seed, Stream::Policy, 0);
        let state = draw(game, view, &mut rng)?;
        Ok(game.random_action(&state, &mut rng))
    }
}

/// Takes the action that `Judge::preference` likes best, ties at random.
#[derive(Debug, Clone, Copy)]
pub struct GreedyBot;

impl<G: Judge> Bot<G> for GreedyBot {
    fn act(
        &mut self,
        game: &G,
        view: &G::View,
        seed: u64,
        _stop: &mut dyn FnMut() -> bool,
    ) -> Result<G::Action, SearchError> {
        let mut rng = Rng::stream(seed, Stream::Policy, 0);
        let state = draw(game, view, &mut rng)?;
        Ok(preferred(game, &state, &mut Menu::default(), &mut rng))
    }
}

/// Gives every legal action the same number of playouts and takes the one with the highest mean utility, the first among
/// equals. The actions of one round share the state drawn from the view.
#[derive(Debug)]
pub struct FlatBot {
    settings: FlatSettings,
}

impl FlatBot {
    /// A bot with these settings.
    ///
    /// # Errors
    /// A setting that is wrong.
    pub fn new(settings: FlatSettings) -> Result<Self, SearchError> {
        settings.check()?;
        Ok(Self { settings })
    }
}

impl<G: Encode + Judge> Bot<G> for FlatBot {
    fn act(
        &mut self,
        game: &G,
        view: &G::View,
        seed: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<G::Action, SearchError> {
        let mut rng = Rng::stream(seed, Stream::Policy, 0);
        let belief = game.belief(view);
        let observer = game.observer(view);
        let mut legal = Vec::new();
        game.legal_actions(&draw(game, view, &mut rng)?, &mut legal);
        let rounds = (self.settings.simulations / legal.len() as u64).max(1);
        let mut sums = vec![0.0; legal.len()];
        let mut roller: Roller<G> = Roller::new(self.settings.policy());
        for round in 0..rounds {
            let drawn = game.determinize(&belief, &mut rng);
            for (sum, &action) in sums.iter_mut().zip(&legal) {
                let mut state = drawn;
                game.apply(&mut state, action);
                let outcome = roller.roll(game, &state, &mut rng);
                *sum += utilities(self.settings.utility, &outcome)[observer];
            }
            if round % 16 == 15 && stop() {
                break;
            }
        }
        let mut best = 0;
        for place in 1..legal.len() {
            if sums[place] > sums[best] {
                best = place;
            }
        }
        Ok(legal[best])
    }
}

/// Takes what [`search`](super::search) finds best; a new tree for every decision, in the memory of the last one.
#[derive(Debug)]
pub struct MctsBot<G: Game> {
    searcher: Searcher<G>,
}

impl<G: Encode + Judge> MctsBot<G> {
    /// A bot with these settings; the seed comes with every decision.
    ///
    /// # Errors
    /// A setting that is wrong.
    pub fn new(settings: Settings) -> Result<Self, SearchError> {
        Ok(Self { searcher: Searcher::new(settings)? })
    }
}

impl<G: Encode + Judge> Bot<G> for MctsBot<G> {
    fn act(
        &mut self,
        game: &G,
        view: &G::View,
        seed: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<G::Action, SearchError> {
        self.searcher.forget();
        Ok(self.searcher.search(game, view, seed, stop)?.best)
    }
}
