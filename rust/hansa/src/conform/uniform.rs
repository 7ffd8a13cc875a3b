//! Law 10: random moves and playouts have the distribution that the lists say.

use std::collections::{BTreeMap, HashMap};

use super::{Fit, Plan, same_distribution, same_mean, weighted};
use crate::core::{Ending, Game, PerPlayer, Rng, Stream, Turn};
use crate::table::{GameOf, Playable};

/// Nodes of each kind that are looked at: as many with the most options as met in passing.
const NODES: usize = 3;

/// A node and how many options it has.
struct Node<G: Game> {
    state: G::State,
    options: usize,
}

/// Nodes of every kind from random games: of each kind those with the most options, and some met in passing.
fn nodes<G: Playable>(loaded: &GameOf<G>, plan: Plan) -> BTreeMap<String, Vec<Node<G>>> {
    let game = &loaded.game;
    let mut largest: BTreeMap<String, Vec<Node<G>>> = BTreeMap::new();
    let mut passing: BTreeMap<String, (u32, Vec<Node<G>>)> = BTreeMap::new();
    let mut picks = Rng::new(plan.seed);
    for number in 0..plan.games {
        let mut rng = Rng::stream(plan.seed, Stream::Chance, number);
        let mut state = game.start();
        loop {
            let (text, options) = match menu(game, &state) {
                Menu::Actions(actions) => (game.action_notation(actions[0]), actions.len()),
                Menu::Outcomes(outcomes) => (game.chance_notation(outcomes[0].0), outcomes.len()),
                Menu::Over => break,
            };
            let kind = text.split(' ').next().unwrap_or_default().to_owned();
            let large = largest.entry(kind.clone()).or_default();
            large.push(Node { state, options });
            large.sort_by_key(|node| std::cmp::Reverse(node.options));
            large.truncate(NODES);
            // Every node of a kind is as likely to be among those met in passing.
            let (seen, kept) = passing.entry(kind).or_default();
            *seen += 1;
            if kept.len() < NODES {
                kept.push(Node { state, options });
            } else if let Some(place) = kept.get_mut(picks.below(*seen) as usize) {
                *place = Node { state, options };
            }
            step(game, &mut state, &mut rng);
        }
    }
    for (kind, (_, kept)) in passing {
        largest.entry(kind).or_default().extend(kept);
    }
    largest
}

enum Menu<G: Game> {
    Actions(Vec<G::Action>),
    Outcomes(Vec<(G::Chance, u32)>),
    Over,
}

fn menu<G: Game>(game: &G, state: &G::State) -> Menu<G> {
    match game.turn(state) {
        Turn::Act(_) => {
            let mut actions = Vec::with_capacity(16);
            game.legal_actions(state, &mut actions);
            Menu::Actions(actions)
        }
        Turn::Chance => {
            let mut outcomes = Vec::with_capacity(64);
            game.chance_outcomes(state, &mut outcomes);
            Menu::Outcomes(outcomes)
        }
        Turn::Over => Menu::Over,
    }
}

/// One move as the lists have it; true when a player has decided.
fn step<G: Game>(game: &G, state: &mut G::State, rng: &mut Rng) -> bool {
    match menu(game, state) {
        Menu::Actions(actions) => {
            game.apply(state, actions[rng.below(actions.len() as u32) as usize]);
            true
        }
        Menu::Outcomes(outcomes) => {
            let mut left = rng.below(outcomes.iter().map(|&(_, weight)| weight).sum());
            let drawn = outcomes.iter().find(|&&(_, weight)| {
                let here = left < weight;
                left = left.wrapping_sub(weight);
                here
            });
            game.resolve(state, drawn.expect("the weights add up to the bound").0);
            false
        }
        Menu::Over => false,
    }
}

fn stepwise<G: Game>(game: &G, from: &G::State, rng: &mut Rng) -> Ending {
    let mut state = *from;
    let mut decisions = 0;
    while game.turn(&state) != Turn::Over {
        decisions += u32::from(step(game, &mut state, rng));
    }
    Ending { scores: game.scores(&state), ranks: game.ranks(&state), decisions }
}

/// Single moves.
pub(super) fn moves<G: Playable>(loaded: &GameOf<G>, plan: Plan, draws: u64) -> Vec<Fit> {
    let game = &loaded.game;
    let mut rng = Rng::new(plan.seed);
    let mut fits = Vec::new();
    for (kind, nodes) in nodes(loaded, plan) {
        for node in nodes {
            let what = format!("{} {kind} with {} options", loaded.header, node.options);
            let times = draws * node.options as u64;
            let state = &node.state;
            let mut counts = vec![0; node.options];
            match menu(game, state) {
                Menu::Actions(actions) => {
                    let places: HashMap<G::Action, usize> = actions.iter().copied().zip(0..).collect();
                    (0..times).for_each(|_| counts[places[&game.random_action(state, &mut rng)]] += 1);
                    fits.push(weighted(what, &counts, &vec![1.0; actions.len()]));
                }
                Menu::Outcomes(outcomes) => {
                    let places: HashMap<G::Chance, usize> =
                        outcomes.iter().map(|&(outcome, _)| outcome).zip(0..).collect();
                    (0..times).for_each(|_| counts[places[&game.random_chance(state, &mut rng)]] += 1);
                    let weights: Vec<f64> = outcomes.iter().map(|&(_, weight)| f64::from(weight)).collect();
                    fits.push(weighted(what, &counts, &weights));
                }
                Menu::Over => unreachable!("a node has options"),
            }
        }
    }
    fits
}

/// How games ended, as often as they did.
#[derive(Default)]
struct Endings {
    scores: Vec<BTreeMap<i64, u64>>,
    ranks: BTreeMap<Vec<u8>, u64>,
    /// The order of the scores and which of them are over a round number: what hangs together between players.
    pairs: BTreeMap<Vec<i64>, u64>,
    decisions: BTreeMap<i64, u64>,
}

impl Endings {
    fn note(&mut self, ending: &Ending) {
        let scores: &PerPlayer<i32> = &ending.scores;
        self.scores.resize(scores.len(), BTreeMap::new());
        for (player, &score) in scores.iter().enumerate() {
            *self.scores[player].entry(i64::from(score)).or_default() += 1;
        }
        *self.ranks.entry(ending.ranks.iter().copied().collect()).or_default() += 1;
        let coarse = scores.iter().take(2).map(|&score| i64::from(score / 32)).collect();
        *self.pairs.entry(coarse).or_default() += 1;
        *self.decisions.entry(i64::from(ending.decisions)).or_default() += 1;
    }
}

/// Whole games.
pub(super) fn playouts<G: Playable>(loaded: &GameOf<G>, plan: Plan, count: u64) -> Vec<Fit> {
    let game = &loaded.game;
    let mut fits = Vec::new();
    let mut compare = |what: &str, state: &G::State, times: u64, index: u64| {
        let mut rngs = [0, 1].map(|side| Rng::stream(plan.seed, Stream::Playout, 2 * index + side));
        let mut sides = [Endings::default(), Endings::default()];
        for _ in 0..times {
            sides[0].note(&game.playout(state, &mut rngs[0]));
            sides[1].note(&stepwise(game, state, &mut rngs[1]));
        }
        let [fast, slow] = sides;
        let what = format!("{} playouts from {what}:", loaded.header);
        for (player, (one, two)) in fast.scores.iter().zip(&slow.scores).enumerate() {
            fits.push(same_distribution(format!("{what} scores of player {player}"), one, two));
            fits.push(same_mean(format!("{what} mean score of player {player}"), one, two));
        }
        fits.push(same_distribution(format!("{what} ranks"), &fast.ranks, &slow.ranks));
        fits.push(same_distribution(format!("{what} scores of two players"), &fast.pairs, &slow.pairs));
        fits.push(same_distribution(format!("{what} decisions"), &fast.decisions, &slow.decisions));
        fits.push(same_mean(format!("{what} mean decisions"), &fast.decisions, &slow.decisions));
    };
    compare("the start", &game.start(), count, 0);
    for (index, (kind, nodes)) in nodes(loaded, plan).into_iter().enumerate() {
        // The last one was met in passing.
        if let Some(node) = nodes.last() {
            compare(&format!("a {kind} node"), &node.state, count / 10, 1 + index as u64);
        }
    }
    fits
}
