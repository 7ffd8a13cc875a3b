//! Law 12: work that is done over and over, for counting what it allocates.

use std::hint::black_box;
use std::sync::Arc;

use crate::core::{Game, Rng, Turn};
use crate::search::{Playout, Policy, Searcher, Settings};
use crate::table::{GameOf, Playable};

/// Something that is done over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chore {
    /// Random playouts.
    Playouts,
    /// Random games step by step, on the game's own states.
    Steps,
    /// Determinizations of every player's view at every turn of a game.
    Determinizations,
    /// Observations of every player's view at every turn of a game.
    Observations,
    /// Series of playouts by the game's judgement, `times` long.
    HeuristicPlayouts,
    /// A search of `times` simulations with a searcher that has done the same search before.
    Search,
}

impl Chore {
    /// All chores.
    pub const ALL: [Self; 6] = [
        Self::Playouts,
        Self::Steps,
        Self::Determinizations,
        Self::Observations,
        Self::HeuristicPlayouts,
        Self::Search,
    ];
}

/// Plays one random game; calls `each` at every position.
fn steps<G: Game>(game: &G, rng: &mut Rng, mut each: impl FnMut(&G::State)) {
    let mut state = game.start();
    loop {
        each(&state);
        match game.turn(&state) {
            Turn::Act(_) => {
                let action = game.random_action(&state, rng);
                black_box(game.check_action(&state, action).is_ok());
                game.apply(&mut state, action);
            }
            Turn::Chance => {
                let outcome = game.random_chance(&state, rng);
                black_box(game.check_chance(&state, outcome).is_ok());
                game.resolve(&mut state, outcome);
            }
            Turn::Over => {
                black_box((game.scores(&state), game.ranks(&state)));
                return;
            }
        }
    }
}

/// Positions of one game at which somebody decides, the end among them.
fn positions<G: Game>(game: &G) -> Vec<G::State> {
    let mut positions = Vec::new();
    steps(game, &mut Rng::new(3), |state| {
        if game.turn(state) != Turn::Chance {
            positions.push(*state);
        }
    });
    positions
}

/// Does a chore.
pub(super) fn run<G: Playable>(
    loaded: &Arc<GameOf<G>>,
    chore: Chore,
    times: u64,
    measured: &mut dyn FnMut(&mut dyn FnMut()),
) {
    let game = &loaded.game;
    let mut rng = Rng::new(1);
    match chore {
        Chore::Playouts => {
            let start = game.start();
            measured(&mut || {
                for _ in 0..times {
                    black_box(game.playout(&start, &mut rng));
                }
            });
        }
        Chore::Steps => measured(&mut || (0..times).for_each(|_| steps(game, &mut rng, |_| ()))),
        Chore::Determinizations => {
            let players = 0..game.players();
            let views =
                positions(game).into_iter().flat_map(|state| players.clone().map(move |p| game.view(&state, p)));
            let beliefs: Vec<G::Belief> = views.map(|view| game.belief(&view)).collect();
            measured(&mut || {
                for _ in 0..times {
                    for belief in &beliefs {
                        black_box(game.determinize(belief, &mut rng));
                    }
                }
            });
        }
        Chore::Observations => {
            let players = 0..game.players();
            let views =
                positions(game).into_iter().flat_map(|state| players.clone().map(move |p| game.view(&state, p)));
            let views: Vec<G::View> = views.collect();
            let mut numbers = vec![0.0; game.observation_size()];
            measured(&mut || {
                for _ in 0..times {
                    views.iter().for_each(|view| game.observe(view, &mut numbers));
                }
            });
        }
        Chore::HeuristicPlayouts => {
            let request = crate::table::PlayoutRequest {
                count: times,
                seed: 5,
                threads: 1,
                policy: Policy { playout: Playout::Heuristic { epsilon: 0.1 }, cutoff: None },
            };
            let start = game.start();
            let source = crate::search::Source::State(&start);
            measured(&mut || {
                let report = crate::search::playouts(
                    game,
                    &source,
                    request.count,
                    request.seed,
                    request.threads,
                    request.policy,
                    &mut || false,
                );
                black_box(report.is_ok_and(|report| report.playouts == times));
            });
        }
        Chore::Search => {
            let first = positions(game)[0];
            let Turn::Act(player) = game.turn(&first) else { unreachable!("the first position is a decision") };
            let view = game.view(&first, player);
            let mut searcher = Searcher::new(Settings::with_simulations(times)).expect("the settings are right");
            let mut search = || {
                searcher.forget();
                black_box(
                    searcher.search(game, &view, 7, &mut || false).is_ok_and(|report| report.simulations == times),
                );
            };
            search();
            measured(&mut search);
        }
    }
}
