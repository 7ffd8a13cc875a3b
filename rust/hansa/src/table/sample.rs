//! Whole games played by bots, as records.

use super::{GameOf, Playable, SampleRequest};
use crate::core::{MAX_PLAYERS, Rng, Stream, Turn};
use crate::record::Record;
use crate::search::{Bot, BotSpec, SearchError};

/// Plays the games that are asked for, one after another.
pub(super) fn sample<G: Playable>(
    loaded: &GameOf<G>,
    request: &SampleRequest,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Vec<Record>, SearchError> {
    let mut records = Vec::new();
    for number in request.first..request.first.saturating_add(request.games) {
        match play(loaded, request, number, poll)? {
            Some(record) => records.push(record),
            None => break,
        }
    }
    Ok(records)
}

/// One game; `None` if it was stopped before its end.
fn play<G: Playable>(
    loaded: &GameOf<G>,
    request: &SampleRequest,
    number: u64,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Option<Record>, SearchError> {
    let game = &loaded.game;
    let mut chance = Rng::stream(request.seed, Stream::Chance, number);
    let mut players: Vec<(Rng, Box<dyn Bot<G>>)> = Vec::new();
    for player in 0..game.players() as u64 {
        let index = number.wrapping_mul(MAX_PLAYERS as u64).wrapping_add(player);
        players.push((Rng::stream(request.seed, Stream::Policy, index), request.policy.bot()?));
    }
    let mut state = game.start();
    let mut moves = Vec::new();
    loop {
        match game.turn(&state) {
            Turn::Chance => {
                let outcome = game.random_chance(&state, &mut chance);
                moves.push(game.chance_notation(outcome));
                game.resolve(&mut state, outcome);
            }
            Turn::Act(player) => {
                if poll() {
                    return Ok(None);
                }
                let (seeds, bot) = &mut players[player];
                let action = match request.policy {
                    // What the random bot does, without drawing a state that agrees with its view.
                    BotSpec::Random => game.random_action(&state, seeds),
                    _ => bot.act(game, &game.view(&state, player), seeds.next_seed(), poll)?,
                };
                moves.push(game.action_notation(action));
                game.apply(&mut state, action);
            }
            Turn::Over => {
                let mut record = Record::new(loaded, moves);
                record.scores = Some(game.scores(&state).iter().map(|&score| i64::from(score)).collect());
                record.ranks = Some(game.ranks(&state).iter().map(|&rank| i64::from(rank)).collect());
                return Ok(Some(record));
            }
        }
    }
}
