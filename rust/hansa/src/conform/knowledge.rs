//! Laws 5 and 6: what a player knows, and that nothing else shows.

use super::walk::Walk;
use super::{Check, ensure};
use crate::core::Turn;
use crate::table::{Move, Playable};

impl<G: Playable> Walk<'_, G> {
    /// Both laws for every player at one position.
    pub(super) fn knowledge(&mut self, state: &G::State, possible: &[Move], saved: bool) -> Check {
        let game = &self.loaded.game;
        for player in 0..game.players() {
            let view = game.view(state, player);
            ensure(5, game.observer(&view) == player, || format!("the view of player {player} is another's"))?;
            let belief = game.belief(&view);
            let drawn = [game.determinize(&belief, &mut self.rng), game.determinize(&belief, &mut self.rng)];
            for other in &drawn {
                self.agrees(state, other, &view, player, possible)?;
                self.tally.determinizations += 1;
                self.tally.differing += u64::from(other != state);
            }
            if saved {
                self.save(&drawn[0])?;
                self.save_view(&view, player)?;
                let seen = [state, &drawn[0]].map(|state| game.view_json(&game.view(state, player)));
                ensure(6, seen[0] == seen[1], || format!("player {player}: {} becomes {}", seen[0], seen[1]))?;
            }
        }
        let estimate = game.estimate(state);
        let numbers = estimate.len() == game.players() && estimate.iter().all(|score| score.is_finite());
        ensure(6, numbers, || format!("the estimate {estimate:?} is no number a player"))
    }

    /// A determinization looks to its observer like the truth.
    fn agrees(&self, state: &G::State, drawn: &G::State, view: &G::View, player: usize, possible: &[Move]) -> Check {
        let game = &self.loaded.game;
        let turn = game.turn(state);
        let who = || format!("player {player}, drawn {drawn:?}");
        ensure(5, game.turn(drawn) == turn, || format!("the turn {turn:?} becomes {:?}; {}", game.turn(drawn), who()))?;
        let seen = game.view(drawn, player);
        ensure(5, seen == *view, || format!("the view {view:?} becomes {seen:?}; {}", who()))?;
        ensure(5, game.scores(drawn) == game.scores(state), || format!("the scores change; {}", who()))?;
        ensure(7, game.census(drawn) == game.census(state), || format!("the census changes; {}", who()))?;
        let observed = |view: &G::View| {
            let mut numbers = vec![f32::NAN; game.observation_size()];
            game.observe(view, &mut numbers);
            numbers
        };
        let (truth, other) = (observed(view), observed(&seen));
        ensure(6, truth.iter().all(|number| number.is_finite()), || format!("an observation is no number; {}", who()))?;
        ensure(6, truth == other, || format!("the observation changes; {}", who()))?;
        if turn == Turn::Act(player) {
            let mut actions = Vec::new();
            game.legal_actions(drawn, &mut actions);
            let same = actions.iter().map(|&action| self.action(action)).eq(possible.iter().copied());
            ensure(5, same, || format!("the legal actions become {actions:?}; {}", who()))?;
            let mut together = Vec::new();
            game.preferences(drawn, &actions, &mut together);
            ensure(6, together.len() == actions.len(), || format!("a judgement for every action; {}", who()))?;
            for (action, there) in actions.into_iter().zip(together) {
                let (alone, here) = (game.preference(drawn, action), game.preference(state, action));
                let same = here.to_bits() == there.to_bits() && alone.to_bits() == there.to_bits();
                ensure(6, same && here.is_finite(), || {
                    let text = game.action_notation(action);
                    format!("the judgement of `{text}` is {here} in truth, {alone} alone and {there}; {}", who())
                })?;
            }
        }
        Ok(())
    }

    /// A view is all in what is written of it: nothing hidden can stand beside it.
    fn save_view(&mut self, view: &G::View, player: usize) -> Check {
        let game = &self.loaded.game;
        let read = game.view_from_json(&game.view_json(view), player);
        ensure(6, read.as_ref() == Ok(view), || format!("read from its JSON: {read:?}, written: {view:?}"))?;
        let mut bytes = Vec::new();
        game.view_bytes(view, &mut bytes);
        let read = game.view_from_bytes(&bytes);
        ensure(11, read.as_ref() == Ok(view), || format!("read from its bytes: {read:?}, written: {view:?}"))?;
        self.tally.saved += 1;
        Ok(())
    }
}
