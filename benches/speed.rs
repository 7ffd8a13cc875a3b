//! Timings for people: `cargo bench -p hansa --bench speed`. Every game of the catalogue; throughput in decisions, states
//! or simulations a second. The gate of `.ci/run` counts instructions instead, see `counted.rs`.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hansa::catalogue::CATALOGUE;
use hansa::core::{Rng, Turn};
use hansa::search::{Policy, Settings};
use hansa::table::{AnyGame, AnyView, PlayoutRequest, RulesSource};

/// Playouts of one iteration.
const PLAYOUTS: u64 = 1000;
/// Simulations of one search.
const SIMULATIONS: u64 = 10_000;

/// Every game of the catalogue at every table size, with `game/players` as its name.
fn games() -> impl Iterator<Item = (String, Arc<dyn AnyGame>)> {
    CATALOGUE.iter().flat_map(|entry| {
        entry.info.players.clone().map(move |players| {
            let game = entry
                .load(Some(players), &BTreeMap::new(), RulesSource::Embedded)
                .expect("the embedded rules load at every table");
            (format!("{}/{players}", entry.info.id), game)
        })
    })
}

/// What the first player to decide knows.
fn first_decision(game: &Arc<dyn AnyGame>) -> Box<dyn AnyView> {
    let mut table = Arc::clone(game).start();
    let mut rng = Rng::new(1);
    loop {
        match table.turn() {
            Turn::Act(player) => return table.view(player).expect("who is to decide is a player"),
            Turn::Chance => {
                let outcome = table.random_move(&mut rng).expect("chance answers");
                table.make(outcome).expect("a drawn outcome is possible");
            }
            Turn::Over => panic!("a game without decisions"),
        }
    }
}

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playouts");
    for (name, game) in games() {
        let table = Arc::clone(&game).start();
        let request = PlayoutRequest { count: PLAYOUTS, seed: 1, threads: 1, policy: Policy::default() };
        let play = || table.playouts(&request, &mut || false).expect("the request is in range");
        let report = play();
        assert_eq!(report.playouts, PLAYOUTS);
        group.throughput(Throughput::Elements(report.decisions));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(play));
    }
    group.finish();
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("steps");
    for (name, game) in games() {
        let new = || Arc::clone(&game).batch(1, 1, true, 1);
        assert_eq!(new().step_random(1000), 1000);
        group.throughput(Throughput::Elements(1000));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter_batched_ref(new, |batch| batch.step_random(1000), BatchSize::SmallInput);
        });
    }
    group.finish();
}

fn determinize(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("determinize");
    group.throughput(Throughput::Elements(1));
    for (name, game) in games() {
        let view = first_decision(&game);
        let mut rng = Rng::new(1);
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| black_box(view.determinize(&mut rng)));
        });
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10).throughput(Throughput::Elements(SIMULATIONS));
    for (name, game) in games() {
        let view = first_decision(&game);
        let settings = Settings::with_simulations(SIMULATIONS);
        let search = || view.search(&settings, &mut || false).expect("the observer is to decide");
        assert_eq!(search().simulations, SIMULATIONS);
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(search));
    }
    group.finish();
}

criterion_group!(benches, playouts, steps, determinize, search);
criterion_main!(benches);
