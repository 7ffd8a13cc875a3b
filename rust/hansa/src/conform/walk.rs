//! Random games with the laws checked at every position.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Breach, Broken, Check, Plan, Tally, ensure};
use crate::core::{Rng, Stream, Turn};
use crate::table::{AnyGame, GameOf, Move, Playable};

/// Every unlisted move is tried at one position of so many, a few of every kind at the others.
const EVERY_MOVE: u32 = 500;
/// The same at one end of a game of so many.
const ENDS: u32 = 8;
/// Views are checked at one position of so many.
const VIEWS: u32 = 3;
/// Of these, views and states are written and read at one of so many.
const SAVED: u32 = 16;

/// One game being played, with what the checks need.
pub(super) struct Walk<'a, G: Playable> {
    pub(super) loaded: &'a Arc<GameOf<G>>,
    /// Draws what is checked; never used for the game itself.
    pub(super) rng: Rng,
    /// Indices of all actions and of all outcomes by the first word of their notation.
    pub(super) kinds: &'a [Kinds; 2],
    pub(super) tally: Tally,
}

pub(super) type Kinds = BTreeMap<String, Vec<u32>>;

/// Plays the games.
///
/// # Errors
/// The first law that is broken.
pub(super) fn games<G: Playable>(loaded: &Arc<GameOf<G>>, plan: Plan) -> Result<Tally, Breach> {
    let kinds = match all_kinds(loaded) {
        Ok(kinds) => kinds,
        Err(broken) => return Err(breach(loaded, broken, Vec::new())),
    };
    let mut walk = Walk { loaded, rng: Rng::new(plan.seed), kinds: &kinds, tally: Tally::default() };
    for number in 0..plan.games {
        let mut moves = Vec::new();
        let played = walk.game(&mut Rng::stream(plan.seed, Stream::Chance, number), &mut moves);
        played.map_err(|broken| breach(loaded, broken, moves))?;
    }
    Ok(walk.tally)
}

pub(super) fn breach<G: Playable>(loaded: &GameOf<G>, broken: Broken, moves: Vec<String>) -> Breach {
    Breach { law: broken.law, game: loaded.header.to_string(), what: broken.what, moves }
}

/// Laws 1 and 2 for every index, whether or not the move is ever possible.
fn all_kinds<G: Playable>(loaded: &GameOf<G>) -> Result<[Kinds; 2], Broken> {
    let game = &loaded.game;
    let mut kinds = [Kinds::new(), Kinds::new()];
    let mut note = |which: usize, index: usize, text: &str| {
        let kind = text.split(' ').next().unwrap_or_default().to_owned();
        kinds[which].entry(kind).or_default().push(index as u32);
    };
    for index in 0..game.action_count() {
        let Some(action) = game.action_at(index) else { continue };
        ensure(2, game.action_index(action) == index, || format!("action {index} has the index of another"))?;
        let text = game.action_notation(action);
        ensure(2, game.parse_action(&text) == Ok(action), || format!("action {index}, `{text}`, is read as another"))?;
        note(0, index, &text);
    }
    for index in 0..game.chance_count() {
        let Some(outcome) = game.chance_at(index) else { continue };
        ensure(2, game.chance_index(outcome) == index, || format!("outcome {index} has the index of another"))?;
        let text = game.chance_notation(outcome);
        ensure(2, game.parse_chance(&text) == Ok(outcome), || {
            format!("outcome {index}, `{text}`, is read as another")
        })?;
        note(1, index, &text);
    }
    let beyond = game.action_at(game.action_count()).is_none() && game.chance_at(game.chance_count()).is_none();
    ensure(2, beyond, || "an index beyond the count has a move".into())?;
    Ok(kinds)
}

impl<G: Playable> Walk<'_, G> {
    fn game(&mut self, rng: &mut Rng, moves: &mut Vec<String>) -> Check {
        let game = &self.loaded.game;
        let mut state = game.start();
        let census = game.census(&state);
        let longest = game.longest_game();
        self.tally.games += 1;
        loop {
            self.position(&state)?;
            ensure(7, game.census(&state) == census, || format!("{:?} has become {:?}", census, game.census(&state)))?;
            let before = state;
            let (copy, written) = (state, self.bytes(&state));
            match game.turn(&state) {
                Turn::Act(_) => {
                    let action = game.random_action(&state, rng);
                    moves.push(game.action_notation(action));
                    let taken = game.try_apply(&mut state, action);
                    ensure(4, taken.is_ok(), || format!("a random action is refused: {taken:?}"))?;
                    let mut unchecked = before;
                    game.apply(&mut unchecked, action);
                    ensure(4, unchecked == state, || "`apply` and `try_apply` differ".into())?;
                }
                Turn::Chance => {
                    let outcome = game.random_chance(&state, rng);
                    moves.push(game.chance_notation(outcome));
                    let happened = game.try_resolve(&mut state, outcome);
                    ensure(4, happened.is_ok(), || format!("a random outcome is refused: {happened:?}"))?;
                    let mut unchecked = before;
                    game.resolve(&mut unchecked, outcome);
                    ensure(4, unchecked == state, || "`resolve` and `try_resolve` differ".into())?;
                }
                Turn::Over => return self.end(&state),
            }
            ensure(8, self.bytes(&copy) == written, || "a move has changed a copy made before it".into())?;
            ensure(9, moves.len() <= longest, || format!("the game has more moves than the {longest} that it states"))?;
        }
    }

    pub(super) fn bytes(&self, state: &G::State) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.loaded.game.state_bytes(state, &mut bytes);
        bytes
    }

    /// Everything at one position.
    fn position(&mut self, state: &G::State) -> Check {
        self.tally.positions += 1;
        let possible = self.menus(state)?;
        if let Some(&first) = possible.first() {
            let text = self.loaded.notation(first).unwrap_or_default();
            *self.tally.kinds.entry(text.split(' ').next().unwrap_or_default().to_owned()).or_default() += 1;
        }
        let over = possible.is_empty();
        let every = self.rng.below(if over { ENDS } else { EVERY_MOVE }) == 0;
        self.refusals(state, &possible, every)?;
        if over || self.rng.below(VIEWS) == 0 {
            let saved = over || self.rng.below(SAVED) == 0;
            self.knowledge(state, &possible, saved)?;
            if saved {
                self.save(state)?;
            }
        }
        Ok(())
    }

    /// Law 11: what was saved is what is loaded.
    pub(super) fn save(&mut self, state: &G::State) -> Check {
        let game = &self.loaded.game;
        let read = game.state_from_json(&game.state_json(state));
        ensure(11, read.as_ref() == Ok(state), || format!("read from its JSON: {read:?}, written: {state:?}"))?;
        let read = game.state_from_bytes(&self.bytes(state));
        ensure(11, read.as_ref() == Ok(state), || format!("read from its bytes: {read:?}, written: {state:?}"))?;
        self.tally.saved += 1;
        Ok(())
    }

    /// Law 9 at the end.
    fn end(&self, state: &G::State) -> Check {
        let game = &self.loaded.game;
        let (scores, ranks) = (game.scores(state), game.ranks(state));
        let players = game.players();
        ensure(9, scores.len() == players && ranks.len() == players, || "one score and one rank a player".into())?;
        for player in 0..players {
            let ahead = (0..players).filter(|&other| ranks[other] < ranks[player]).count();
            ensure(9, ahead == usize::from(ranks[player]), || {
                format!("player {player} has rank {}, {ahead} are ahead: {ranks:?}", ranks[player])
            })?;
            for other in 0..players {
                let agrees = scores[other] <= scores[player] || ranks[other] < ranks[player];
                ensure(9, agrees, || format!("scores {scores:?} and ranks {ranks:?} do not agree"))?;
            }
        }
        ensure(9, ranks.iter().any(|&rank| rank == 0), || "nobody has won".into())?;
        let mut rng = Rng::new(0);
        let ending = game.playout(state, &mut rng);
        ensure(9, ending.scores == scores && ending.ranks == ranks && ending.decisions == 0, || {
            format!("a playout from the end goes on: {ending:?}")
        })
    }

    /// A move as the erased layer has it.
    pub(super) fn action(&self, action: G::Action) -> Move {
        Move::Action(self.loaded.game.action_index(action) as u32)
    }
}
