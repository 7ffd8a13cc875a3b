//! Laws 1 to 4: what can be done, and that nothing else can.

use std::collections::{BTreeSet, HashSet};

use super::walk::Walk;
use super::{Broken, Check, ensure};
use crate::core::Turn;
use crate::table::{Move, Playable};

/// Moves of each kind that are tried at every position.
const OF_EACH_KIND: u32 = 1;

impl<G: Playable> Walk<'_, G> {
    /// Laws 1 to 3 at one position: everything that can be done or can happen.
    pub(super) fn menus(&mut self, state: &G::State) -> Result<Vec<Move>, Broken> {
        let game = &self.loaded.game;
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        game.legal_actions(state, &mut actions);
        game.chance_outcomes(state, &mut outcomes);
        let turn = game.turn(state);
        ensure(1, actions.is_empty() != matches!(turn, Turn::Act(_)), || {
            format!("{turn:?} with {} actions", actions.len())
        })?;
        ensure(3, outcomes.is_empty() != (turn == Turn::Chance), || {
            format!("{turn:?} with {} outcomes", outcomes.len())
        })?;
        if let Turn::Act(player) = turn {
            ensure(1, player < game.players(), || format!("player {player} is to decide"))?;
        }
        // The second list is appended to the first one: a list is not cleared, and comes out the same.
        let count = (actions.len(), outcomes.len());
        game.legal_actions(state, &mut actions);
        game.chance_outcomes(state, &mut outcomes);
        ensure(1, actions[..count.0] == actions[count.0..], || format!("two lists of actions differ: {actions:?}"))?;
        ensure(3, outcomes[..count.1] == outcomes[count.1..], || {
            format!("two lists of outcomes differ: {outcomes:?}")
        })?;
        actions.truncate(count.0);
        outcomes.truncate(count.1);

        let mut moves = Vec::with_capacity(count.0 + count.1);
        let mut notations = BTreeSet::new();
        for &action in &actions {
            let (index, text) = (game.action_index(action), game.action_notation(action));
            ensure(2, index < game.action_count() && game.action_at(index) == Some(action), || {
                format!("`{text}` has the index {index}, which is {:?}", game.action_at(index))
            })?;
            let parsed = game.parse_action(&text);
            ensure(2, parsed == Ok(action), || format!("`{text}` is read as {parsed:?}"))?;
            ensure(2, notations.insert(text.clone()), || format!("two actions are written `{text}`"))?;
            moves.push(Move::Action(index as u32));
        }
        for &(outcome, weight) in &outcomes {
            let (index, text) = (game.chance_index(outcome), game.chance_notation(outcome));
            ensure(2, index < game.chance_count() && game.chance_at(index) == Some(outcome), || {
                format!("`{text}` has the index {index}, which is {:?}", game.chance_at(index))
            })?;
            let parsed = game.parse_chance(&text);
            ensure(2, parsed == Ok(outcome), || format!("`{text}` is read as {parsed:?}"))?;
            ensure(2, notations.insert(text.clone()), || format!("two outcomes are written `{text}`"))?;
            ensure(3, weight > 0, || format!("`{text}` has no weight"))?;
            moves.push(Move::Chance(index as u32));
        }
        let number = |mv: &Move| match *mv {
            Move::Action(index) | Move::Chance(index) => index,
        };
        let law = if turn == Turn::Chance { 3 } else { 1 };
        ensure(law, moves.is_sorted_by(|a, b| number(a) < number(b)), || format!("not in index order: {notations:?}"))?;
        Ok(moves)
    }

    /// Law 4: what is not listed is refused and changes nothing; what is listed is accepted.
    pub(super) fn refusals(&mut self, state: &G::State, possible: &[Move], every: bool) -> Check {
        let game = &self.loaded.game;
        let listed: HashSet<Move> = possible.iter().copied().collect();
        let tried: Vec<Move> = if every {
            let actions = (0..game.action_count() as u32).map(Move::Action);
            actions.chain((0..game.chance_count() as u32).map(Move::Chance)).collect()
        } else {
            let mut some = possible.to_vec();
            for (which, kinds) in self.kinds.iter().enumerate() {
                for indices in kinds.values() {
                    for _ in 0..OF_EACH_KIND {
                        let index = indices[self.rng.below(indices.len() as u32) as usize];
                        some.push(if which == 0 { Move::Action(index) } else { Move::Chance(index) });
                    }
                }
            }
            some
        };
        for mv in tried {
            let mut copy = *state;
            let (checked, made) = match mv {
                Move::Action(index) => {
                    let Some(action) = game.action_at(index as usize) else { continue };
                    (game.check_action(state, action), game.try_apply(&mut copy, action))
                }
                Move::Chance(index) => {
                    let Some(outcome) = game.chance_at(index as usize) else { continue };
                    (game.check_chance(state, outcome), game.try_resolve(&mut copy, outcome))
                }
            };
            let text = || self.loaded.notation_of(mv).unwrap_or_default();
            let expected = listed.contains(&mv);
            ensure(4, made.is_ok() == expected, || {
                let verb = if expected { "is listed and refused" } else { "is not listed and accepted" };
                format!("`{}` {verb}: {made:?}", text())
            })?;
            ensure(4, checked == made, || format!("`{}`: {checked:?} when asked, {made:?} when tried", text()))?;
            if let Err(refusal) = made {
                ensure(4, copy == *state, || format!("`{}` is refused and changes the state", text()))?;
                ensure(4, !refusal.rule.is_empty() && !refusal.reason.is_empty(), || {
                    format!("`{}` is refused without a reason", text())
                })?;
                self.tally.refused += 1;
            }
        }
        Ok(())
    }
}
