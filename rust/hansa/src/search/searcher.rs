//! A search from a view: workers, budgets, merging, and trees that are kept between moves.

use std::time::{Duration, Instant};

use super::threads::{Pacer, spread};
use super::tree::{ROOT, Tree, action_of, key_of, player_of};
use super::worker::Worker;
use super::{ActionReport, Report, SearchError, Selection, Settings, Stop};
use crate::core::{Encode, Game, Judge, PerPlayer, Player, Rng, Stream, Turn};

/// Trees of more bytes than this are dropped on a thread of their own.
const LEAVE_BEHIND: usize = 8 << 20;

/// Searches the best action for the player whose view it is.
///
/// Each simulation draws a full state that agrees with the view, so the search cannot know more than the view. Worker `w`
/// draws from the generator `(seed, Stream::Search, w)` and does its equal share of the simulations; the trees are merged
/// in the order of the workers. With a budget of simulations alone the same seed and number of workers therefore give
/// the same report, whatever the number of threads. A budget of time is kept to within a fraction of a millisecond and
/// one simulation, as far as the machine gives the threads their turn. `poll` is called about every 30 milliseconds;
/// when it returns true the report covers the simulations done so far. At least one simulation is always done.
///
/// # Errors
/// A setting that is wrong, a view whose player is not to decide, or a memory cap that does not hold the root.
pub fn search<G: Encode + Judge>(
    game: &G,
    view: &G::View,
    settings: &Settings,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Report<G::Action>, SearchError> {
    let mut searcher = Searcher::new(settings.clone())?;
    let report = searcher.search(game, view, settings.seed, poll)?;
    if report.memory > LEAVE_BEHIND {
        // Giving a large tree back to the system takes milliseconds, which a budget of time does not have. Where no
        // thread can be started the trees are dropped here.
        let _ = std::thread::Builder::new().spawn(move || drop(searcher));
    }
    Ok(report)
}

/// A search that keeps its trees, so that the next one can go on from what this one learned. For one game.
///
/// After a search call [`advance`](Searcher::advance) for every action that is taken, one's own and the others', up to
/// the next search; chance is not part of the tree and needs no call. Where the view does not tell which action another
/// player took (a card played face down), call [`forget`](Searcher::forget) instead: the tree must not follow an action
/// that its player cannot know. A search that follows neither a call of `advance` nor a search of the same view starts
/// anew.
///
/// Statistics that are kept come from full states that agreed with what was known *then*: chance has answered and others
/// have shown cards since, so they are an approximation of what a new search would find. That is why no built-in bot
/// keeps its trees.
#[derive(Debug)]
pub struct Searcher<G: Game> {
    settings: Settings,
    workers: Vec<Worker<G>>,
    /// The view searched last, until something else happens.
    searched: Option<G::View>,
    /// True after `advance`: the roots stand where the next search begins.
    advanced: bool,
    /// Searches that the trees have seen; 0 for new trees.
    generation: u64,
}

impl<G: Encode + Judge> Searcher<G> {
    /// A searcher without trees.
    ///
    /// # Errors
    /// A setting that is wrong.
    pub fn new(settings: Settings) -> Result<Self, SearchError> {
        settings.check()?;
        Ok(Self { settings, workers: Vec::new(), searched: None, advanced: false, generation: 0 })
    }

    /// The settings; their seed is not used here.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets the trees but keeps their memory.
    pub fn forget(&mut self) {
        for worker in &mut self.workers {
            worker.tree.clear();
        }
        (self.searched, self.advanced, self.generation) = (None, false, 0);
    }

    /// Follows an action that `player` visibly took: the part of the trees behind it is kept, the rest is dropped. An
    /// action that a tree does not know empties it.
    pub fn advance(&mut self, game: &G, player: Player, action: G::Action) {
        let key = key_of(player, game.action_index(action));
        for worker in &mut self.workers {
            match worker.tree.find(ROOT, key) {
                Some(edge) => worker.tree.compact(edge),
                None => worker.tree.clear(),
            }
        }
        (self.searched, self.advanced) = (None, true);
    }

    /// Searches the view, as [`search`] does, going on from the trees if they stand there. The `n`-th search that goes on
    /// draws from the generators `(seed, Stream::Search, n * 2^32 + worker)`.
    ///
    /// # Errors
    /// A view whose player is not to decide, or a memory cap that does not hold the root.
    pub fn search(
        &mut self,
        game: &G,
        view: &G::View,
        seed: u64,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Report<G::Action>, SearchError> {
        let begin = Instant::now();
        let belief = game.belief(view);
        let observer = game.observer(view);
        let state = game.determinize(&belief, &mut Rng::stream(seed, Stream::Search, u64::MAX));
        match game.turn(&state) {
            Turn::Act(player) if player == observer => {}
            turn => return Err(SearchError::NotToMove { observer, turn }),
        }
        self.prepare(game, view, &state, observer)?;
        let inherited_visits: Vec<u32> = self.workers.iter().map(|worker| worker.tree.edges[ROOT].visits).collect();
        for (index, worker) in self.workers.iter_mut().enumerate() {
            worker.begin(Rng::stream(seed, Stream::Search, (self.generation << 32) + index as u64));
        }
        let (short, interrupted) = self.run(game, &belief, begin, &inherited_visits, poll);
        (self.searched, self.advanced) = (Some(view.clone()), false);
        self.generation += 1;
        let stopped = match (short, interrupted) {
            (false, _) => Stop::Simulations,
            (true, true) => Stop::Interrupted,
            (true, false) => Stop::Seconds,
        };
        Ok(self.report(game, &state, observer, stopped, begin))
    }

    /// Makes sure that every worker has a tree whose root has all legal actions.
    fn prepare(&mut self, game: &G, view: &G::View, state: &G::State, observer: Player) -> Result<(), SearchError> {
        if self.workers.first().is_some_and(|worker| worker.tree.players != game.players()) {
            self.workers.clear();
        }
        if !self.advanced && self.searched.as_ref() != Some(view) {
            self.forget();
        }
        while self.workers.len() < self.settings.workers as usize {
            self.workers.push(Worker::new(game, &self.settings));
        }
        for worker in &mut self.workers {
            if worker.open_root(game, &self.settings, state, observer) {
                continue;
            }
            worker.tree.clear();
            if !worker.open_root(game, &self.settings, state, observer) {
                let mut legal = Vec::new();
                game.legal_actions(state, &mut legal);
                let weighted = self.settings.selection == Selection::Puct;
                // A block leaves one half as large behind whenever it grows: 1 + 2 + 4 + ... edges, and the root's own.
                let edges = 2 * legal.len().next_power_of_two();
                let needed = edges * Tree::edge_bytes(game.players(), weighted) * self.settings.workers as usize;
                return Err(SearchError::Memory { given: self.settings.memory, needed });
            }
        }
        Ok(())
    }

    /// Runs the workers: whether some did not do all their simulations, and whether the poll interrupted them.
    fn run(
        &mut self,
        game: &G,
        belief: &G::Belief,
        begin: Instant,
        inherited: &[u32],
        poll: &mut dyn FnMut() -> bool,
    ) -> (bool, bool) {
        let settings = &self.settings;
        let workers = self.workers.len() as u64;
        let used = settings.threads.min(self.workers.len());
        let mut lots: Vec<Vec<(u64, &mut Worker<G>)>> = (0..used).map(|_| Vec::new()).collect();
        for (index, worker) in self.workers.iter_mut().enumerate() {
            // Visits are counted in 32 bits.
            let most = u64::from(u32::MAX - inherited[index]);
            let share = settings
                .simulations
                .map_or(most, |all| (all / workers + u64::from((index as u64) < all % workers)).min(most));
            lots[index % used].push((share, worker));
        }
        let (short, interrupted) = spread(lots, poll, |lot, stop| {
            let turns = lot.len();
            let mut short = false;
            let mut stopped = false;
            for (turn, (share, worker)) in lot.into_iter().enumerate() {
                // Workers on one thread take turns, each with an equal part of the time.
                let deadline = settings
                    .seconds
                    .map(|seconds| begin + Duration::from_secs_f64(seconds * (turn + 1) as f64 / turns as f64));
                let mut pacer = Pacer::new(deadline);
                while worker.simulations < share && !stopped {
                    worker.simulate(game, belief, settings);
                    if pacer.count() {
                        let late = pacer.look();
                        stopped = stop();
                        if late {
                            break;
                        }
                    }
                }
                short |= worker.simulations < share;
            }
            short
        });
        (short.contains(&true), interrupted)
    }

    fn report(&self, game: &G, state: &G::State, observer: Player, stopped: Stop, begin: Instant) -> Report<G::Action> {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        let weight_of = |action| {
            let tree = &self.workers[0].tree;
            let edge = tree.find(ROOT, key_of(observer, game.action_index(action)));
            edge.and_then(|edge| tree.weights.get(edge)).map_or(1.0, |&weight| f64::from(weight))
        };
        let total_weight: f64 = legal.iter().map(|&action| weight_of(action)).sum();
        let actions: Vec<_> = legal
            .iter()
            .map(|&action| {
                let key = key_of(observer, game.action_index(action));
                let (mut visits, mut availability) = (0, 0);
                let mut sums = PerPlayer::new(game.players(), 0.0);
                for tree in self.workers.iter().map(|worker| &worker.tree) {
                    let Some(edge) = tree.find(ROOT, key) else { continue };
                    visits += u64::from(tree.edges[edge].visits);
                    availability += u64::from(tree.edges[edge].availability);
                    add(&mut sums, tree.sums_of(edge));
                }
                let values = (visits > 0).then(|| mean(&sums, visits));
                ActionReport { action, visits, availability, values, prior: weight_of(action) / total_weight }
            })
            .collect();
        let value = |place: usize| actions[place].values.map_or(0.0, |values| values[observer]);
        let mut best = 0;
        for place in 1..actions.len() {
            let (this, that) = (actions[place].visits, actions[best].visits);
            if this > that || this == that && value(place) > value(best) {
                best = place;
            }
        }
        let mut sums = PerPlayer::new(game.players(), 0.0);
        let mut passed = 0;
        for tree in self.workers.iter().map(|worker| &worker.tree) {
            passed += u64::from(tree.edges[ROOT].visits);
            add(&mut sums, tree.sums_of(ROOT));
        }
        let best = actions[best].action;
        let simulations = self.workers.iter().map(|worker| worker.simulations).sum();
        let visits: u64 = actions.iter().map(|action| action.visits).sum();
        Report {
            best,
            values: mean(&sums, passed),
            principal_variation: self.principal_variation(game, key_of(observer, game.action_index(best))),
            simulations,
            inherited: visits - simulations,
            nodes: self.workers.iter().map(|worker| worker.tree.nodes).sum(),
            depth: self.workers.iter().map(|worker| worker.depth as u32).max().unwrap_or(0),
            memory: self.workers.iter().map(|worker| worker.tree.bytes()).sum(),
            memory_full: self.workers.iter().any(|worker| worker.tree.full),
            elapsed: begin.elapsed(),
            stopped,
            actions,
        }
    }

    /// Walks the same line in all trees, from a first key on by the most visited ones.
    fn principal_variation(&self, game: &G, first: u32) -> Vec<G::Action> {
        let mut line = Vec::new();
        let mut places: Vec<(&Tree, usize)> = self.workers.iter().map(|worker| (&worker.tree, ROOT)).collect();
        let mut key = Some(first);
        while let Some(action) = key.and_then(|key| game.action_at(action_of(key))) {
            line.push(action);
            places = places.into_iter().filter_map(|(tree, edge)| Some((tree, tree.find(edge, key?)?))).collect();
            key = most_visited(&places);
        }
        line
    }
}

/// The key that was taken most often at a node of several trees; among equals the one with the higher value for its
/// player, then the first.
fn most_visited(places: &[(&Tree, usize)]) -> Option<u32> {
    let mut counts: Vec<(u32, u64, f64)> = Vec::new();
    for &(tree, node) in places {
        for edge in tree.block(node) {
            let taken = &tree.edges[edge];
            if taken.visits > 0 {
                counts.push((taken.key, u64::from(taken.visits), tree.sums_of(edge)[player_of(taken.key)]));
            }
        }
    }
    // Stable: the sums of one key stay in the order of the workers.
    counts.sort_by_key(|&(key, _, _)| key);
    counts.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
            kept.2 += next.2;
        }
        same
    });
    let mut best: Option<(u32, u64, f64)> = None;
    for (key, visits, sum) in counts {
        let value = sum / visits as f64;
        if best.is_none_or(|(_, most, highest)| visits > most || visits == most && value > highest) {
            best = Some((key, visits, value));
        }
    }
    best.map(|(key, _, _)| key)
}

fn add(sums: &mut PerPlayer<f64>, more: &[f64]) {
    for (player, &sum) in more.iter().enumerate() {
        sums[player] += sum;
    }
}

fn mean(sums: &PerPlayer<f64>, count: u64) -> PerPlayer<f64> {
    PerPlayer::from_fn(sums.len(), |player| sums[player] / count as f64)
}
