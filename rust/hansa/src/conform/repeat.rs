//! Law 11: the same seed is the same game, on any number of threads, saved or not.

use std::sync::Arc;
use std::time::Duration;

use super::walk::breach;
use super::{Breach, Check, Plan, ensure};
use crate::record::Record;
use crate::search::BotSpec;
use crate::search::{Playout, Policy};
use crate::table::{AnyGame, GameOf, Playable, PlayoutRequest, SampleRequest};

/// Games that are recorded and replayed.
const RECORDS: u64 = 3;
/// Playouts on one thread and on two.
const PLAYOUTS: u64 = 200;
/// Games of a batch, and steps that they are taken.
const BATCH: (usize, usize) = (9, 40);

/// Checks the law.
///
/// # Errors
/// How it is broken.
pub(super) fn check<G: Playable>(loaded: &Arc<GameOf<G>>, plan: Plan) -> Result<(), Breach> {
    let game: Arc<dyn AnyGame> = Arc::<GameOf<G>>::clone(loaded);
    let checked =
        records(&game, plan.seed).and_then(|()| playouts(&game, plan.seed)).and_then(|()| batches(&game, plan.seed));
    checked.map_err(|broken| breach(loaded, broken, Vec::new()))
}

fn records(game: &Arc<dyn AnyGame>, seed: u64) -> Check {
    let sample = |first, games| {
        let request = SampleRequest { first, games, seed, policy: BotSpec::Random };
        game.sample(&request, &mut || false).map_err(|error| super::Broken { law: 11, what: error.to_string() })
    };
    let records = sample(0, RECORDS)?;
    ensure(11, records.len() as u64 == RECORDS, || format!("{} records of {RECORDS}", records.len()))?;
    ensure(11, records == sample(0, RECORDS)?, || "the same seed samples other games".into())?;
    ensure(11, records[1..] == sample(1, RECORDS - 1)?, || "a game depends on the games sampled before it".into())?;
    ensure(11, records[0].moves != records[1].moves, || "two games of one seed are equal".into())?;
    for record in &records {
        let read = Record::from_json(&record.to_json());
        ensure(11, read.as_ref() == Ok(record), || format!("a record is read as {read:?}"))?;
        let replayed = record.replay(game, false);
        let once = replayed.map_err(|error| super::Broken { law: 11, what: error.to_string() })?;
        let mut stepped = Arc::clone(game).start();
        for text in &record.moves {
            let before = stepped.boxed();
            let moved =
                stepped.read_move(text).map_err(crate::table::MoveError::Unknown).and_then(|mv| before.after(mv));
            stepped = moved.map_err(|error| super::Broken { law: 11, what: error.to_string() })?;
        }
        let same = once.same(&*stepped) && once.fingerprint() == stepped.fingerprint() && once.json() == stepped.json();
        ensure(11, same, || "a record replays to two states".into())?;
        let loaded = Arc::clone(game).state_from_bytes(&once.bytes());
        ensure(11, loaded.is_ok_and(|state| state.same(&*once)), || "the end is another when loaded".into())?;
    }
    Ok(())
}

fn playouts(game: &Arc<dyn AnyGame>, seed: u64) -> Check {
    let start = Arc::clone(game).start();
    for playout in [Playout::Random, Playout::Heuristic { epsilon: 0.2 }] {
        let policy = Policy { playout, cutoff: None };
        let run = |seed, threads| {
            let request = PlayoutRequest { count: PLAYOUTS, seed, threads, policy };
            let report = start.playouts(&request, &mut || false);
            let mut report = report.map_err(|error| super::Broken { law: 11, what: error.to_string() })?;
            report.elapsed = Duration::ZERO;
            Ok(report)
        };
        let one = run(seed, 1)?;
        ensure(11, one == run(seed, 1)?, || "the same seed gives other playouts".into())?;
        ensure(11, one == run(seed, 2)?, || "playouts depend on the number of threads".into())?;
        ensure(11, one != run(seed + 1, 1)?, || "another seed gives the same playouts".into())?;
    }
    Ok(())
}

fn batches(game: &Arc<dyn AnyGame>, seed: u64) -> Check {
    let run = |seed, threads| {
        let mut batch = Arc::clone(game).batch(BATCH.0, seed, true, threads);
        let decisions = batch.step_random(BATCH.1);
        let copy = batch.boxed();
        batch.step_random(1);
        let rows = |batch: &dyn crate::batch::Batch| {
            (0..batch.size()).filter_map(|index| batch.table(index)).map(|table| table.bytes()).collect::<Vec<_>>()
        };
        (decisions, rows(&*copy), rows(&*batch))
    };
    let one = run(seed, 1);
    ensure(11, one == run(seed, 1), || "the same seed gives another batch".into())?;
    ensure(11, one == run(seed, 2), || "a batch depends on the number of threads".into())?;
    ensure(11, one.1 != run(seed + 1, 1).1, || "another seed gives the same batch".into())?;
    ensure(8, one.1 != one.2, || "a step of a batch has changed a copy made before it".into())
}
