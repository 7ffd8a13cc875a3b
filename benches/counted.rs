//! Work whose instructions are counted: every workload of every game in the catalogue, one call of [`measured`] each.
//!
//! `tools/counts.py` runs this under callgrind, which counts inside that function only, and compares the counts with
//! `benches/counts.toml`. Run by hand it does the same work and prints the same lines. Seeds are fixed, and a workload that
//! comes out wrong panics.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;

use hansa::catalogue::CATALOGUE;
use hansa::core::{Rng, Turn};
use hansa::record::Record;
use hansa::search::{BotSpec, Policy, Settings};
use hansa::table::{AnyGame, AnyView, Move, PlayoutRequest, RulesSource, SampleRequest, Table};

/// Playouts of the workload `playout`.
const PLAYOUTS: u64 = 400;
/// Whole games of the workload `steps`.
const GAMES: u64 = 100;
/// Full states of the workload `determinize`.
const STATES: u64 = 1000;
/// Simulations of the workload `search`.
const SIMULATIONS: u64 = 1000;

/// What is counted. Its name is known to `tools/counts.py`, so it must not be inlined.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    // Something to do after the call: otherwise it becomes a jump, and callgrind takes it for the end of this function.
    black_box(1u8);
}

/// A workload: its name, how many units it did, and what a unit is.
struct Line<'a> {
    game: &'a dyn AnyGame,
    workload: &'a str,
    units: u64,
    unit: &'a str,
}

impl Line<'_> {
    /// Prints the line that belongs to the last call of [`measured`].
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let header = self.game.header();
        writeln!(out, "{}/{}/{}\t{}\t{}", header.id, header.players, self.workload, self.units, self.unit)
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "path\t{}", path())?;
    for entry in CATALOGUE {
        for players in entry.info.players.clone() {
            let game = entry
                .load(Some(players), &BTreeMap::new(), RulesSource::Embedded)
                .expect("the embedded rules load at every table");
            let line = |workload, units, unit| Line { game: &*game, workload, units, unit };
            playouts(&game);
            line("playout", PLAYOUTS, "playout").print(&mut out)?;
            steps(&game);
            line("steps", GAMES, "game").print(&mut out)?;
            determinize(&game);
            line("determinize", STATES, "state").print(&mut out)?;
            search(&game);
            line("search", SIMULATIONS, "simulation").print(&mut out)?;
            let positions = trace(&game);
            line("trace", positions, "position").print(&mut out)?;
        }
    }
    Ok(())
}

/// Which way the n-th set bit of a mask is found here.
fn path() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if hansa::core::parts::bits::Bmi2::detect().is_some() {
        return "bmi2";
    }
    "portable"
}

fn start(game: &Arc<dyn AnyGame>) -> Box<dyn Table> {
    Arc::clone(game).start()
}

/// Whole random games from the empty start, as `game.playouts` plays them.
fn playouts(game: &Arc<dyn AnyGame>) {
    let table = start(game);
    let request = PlayoutRequest { count: PLAYOUTS, seed: 1, threads: 1, policy: Policy::default() };
    let mut played = 0;
    measured(&mut || {
        played = table.playouts(&request, &mut || false).expect("the request is in range").playouts;
    });
    assert_eq!(played, PLAYOUTS);
}

/// Whole random games move by move: a random action or outcome, then its effect.
fn steps(game: &Arc<dyn AnyGame>) {
    let table = start(game);
    let mut rng = Rng::new(2);
    let mut over = 0;
    measured(&mut || {
        for _ in 0..GAMES {
            over += u64::from(table.finished(&mut rng).turn() == Turn::Over);
        }
    });
    assert_eq!(over, GAMES);
}

/// Full states drawn from one view in the middle of a random game.
fn determinize(game: &Arc<dyn AnyGame>) {
    let view = middle(game);
    let mut rng = Rng::new(3);
    // The belief is made at the first draw.
    let first = view.determinize(&mut rng);
    let again = first.view(view.observer()).expect("the observer is a player");
    assert!(again.same(&*view), "a determinization has the same view");
    measured(&mut || {
        for _ in 0..STATES {
            black_box(view.determinize(&mut rng));
        }
    });
}

/// A tree search from the first decision.
fn search(game: &Arc<dyn AnyGame>) {
    let mut table = start(game);
    let mut rng = Rng::new(4);
    while table.turn() == Turn::Chance {
        step(&mut *table, &mut rng);
    }
    let view = decider(&*table);
    let settings = Settings { seed: 4, ..Settings::with_simulations(SIMULATIONS) };
    let mut simulations = 0;
    measured(&mut || {
        simulations = view.search(&settings, &mut || false).expect("the observer is to decide").simulations;
    });
    assert_eq!(simulations, SIMULATIONS);
}

/// The trace of one random game with all views; returns the positions in it.
fn trace(game: &Arc<dyn AnyGame>) -> u64 {
    let request = SampleRequest { first: 0, games: 1, seed: 5, policy: BotSpec::Random };
    let records = game.sample(&request, &mut || false).expect("random bots play");
    let record: &Record = &records[0];
    let mut lines = Vec::new();
    measured(&mut || record.trace(game, true, false, &mut lines).expect("a sampled record replays"));
    let positions = record.moves.len() as u64 + 1;
    assert_eq!(lines.iter().filter(|&&byte| byte == b'\n').count() as u64, positions);
    positions
}

/// The view of the player to decide half-way through a random game.
fn middle(game: &Arc<dyn AnyGame>) -> Box<dyn AnyView> {
    let request = SampleRequest { first: 0, games: 1, seed: 3, policy: BotSpec::Random };
    let half = game.sample(&request, &mut || false).expect("random bots play")[0].moves.len() / 2;
    let mut table = start(game);
    let mut rng = Rng::new(3);
    let mut moves = 0;
    while moves < half || table.turn() == Turn::Chance {
        step(&mut *table, &mut rng);
        moves += 1;
    }
    decider(&*table)
}

fn decider(table: &dyn Table) -> Box<dyn AnyView> {
    match table.turn() {
        Turn::Act(player) => table.view(player).expect("who is to decide is a player"),
        turn => panic!("nobody is to decide: {turn:?}"),
    }
}

fn step(table: &mut dyn Table, rng: &mut Rng) {
    let drawn: Move = table.random_move(rng).expect("the game is not over");
    table.make(drawn).expect("a drawn move is possible");
}
