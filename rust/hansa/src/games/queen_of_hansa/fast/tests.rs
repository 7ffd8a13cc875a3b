//! Playouts in lanes are games of the rules: recorded, written as moves, and replayed step by step.

use super::super::action::{Action, Chance, Face};
use super::super::state::{CITIES, State};
use super::super::{DRAFT, PUBLISHED, Queen};
use super::{Fast, Witness};
use crate::core::load::{GameInfo, Load, Options, Override, Rules};
use crate::core::parts::bits::{self, Portable};
use crate::core::{Game, Rng, Turn};

/// A move of either kind.
#[derive(Debug)]
enum Move {
    Decided(Action),
    Answered(Chance),
}

/// Writes down a playout as moves of the notation's order.
struct Scribe<'a> {
    queen: &'a Queen,
    moves: Vec<Move>,
}

impl Scribe<'_> {
    fn lay(&mut self, fast: &Fast<'_>, lengths: u32) {
        let mut draws = Vec::new();
        for city in 0..CITIES {
            let before = (lengths >> (8 * city) & 0xff) as usize;
            for place in before..self.queen.components.spaces as usize {
                let byte = fast.rows[city][place];
                let card = byte & 0x3f;
                self.moves.push(Move::Answered(Chance::Lay(card)));
                if self.queen.kind(card) == 1 {
                    draws.push(Move::Answered(Chance::Draw(byte >> 6)));
                }
            }
        }
        self.moves.append(&mut draws);
    }
}

impl Witness for Scribe<'_> {
    fn dealt(&mut self, fast: &Fast<'_>) {
        self.lay(fast, 0);
        // The two cards put back may be any of the deck: it plays no part in the lanes.
        let mut deck = fast.decks[self.queen.hand_kind];
        let hands = &fast.hands[..self.queen.players];
        for (player, hand) in hands.iter().enumerate() {
            let mut dealt = hand.to_vec();
            for card in bits::ones(deck).take(2) {
                deck &= !(1 << card);
                dealt.push(card);
            }
            self.moves.extend(dealt.iter().map(|&card| Move::Answered(Chance::Deal(player as u8, card))));
        }
        let kept = |hand: &[u8; 2]| Move::Decided(Action::Keep(hand[0].min(hand[1]), hand[0].max(hand[1])));
        self.moves.extend(hands.iter().map(kept));
    }

    fn refilled(&mut self, fast: &Fast<'_>, lengths: u32) {
        self.lay(fast, lengths);
    }

    fn turned(&mut self, card: u8, down: bool, marker: u64, taken: u8) {
        self.placed(card, down);
        if down {
            let lane = marker.trailing_zeros() / 8;
            let city = (lane & 3) as u8;
            self.moves.push(Move::Decided(if lane < 4 { Action::Lower(city) } else { Action::Raise(city) }));
        }
        self.moves.push(Move::Decided(Action::Take(taken)));
    }

    fn stored(&mut self, pieces: u32) {
        self.moves.push(Move::Decided(Action::Store(pieces.to_le_bytes())));
    }

    fn started(&mut self, player: usize) {
        self.moves.push(Move::Decided(Action::Start(player as u8)));
    }

    fn placed(&mut self, card: u8, down: bool) {
        self.moves.push(Move::Decided(Action::Play(card, if down { Face::Down } else { Face::Up })));
    }
}

fn every_table(mut each: impl FnMut(&Queen)) {
    let option_sets = |info: &GameInfo| {
        let readings: &[&str] = if info.options.len() > 1 { &["A", "B"] } else { &[""] };
        let tracks = ["standard", "long"];
        tracks.iter().flat_map(|track| readings.iter().map(move |reading| (*track, *reading))).collect::<Vec<_>>()
    };
    for info in [&PUBLISHED, &DRAFT] {
        let rules = Rules::load(info, Override::None).expect("the embedded data is right");
        for (track, reading) in option_sets(info) {
            let mut given = std::collections::BTreeMap::from([("track".to_owned(), track.to_owned())]);
            if !reading.is_empty() {
                given.insert("reading".to_owned(), reading.to_owned());
            }
            let options = Options::resolve(info, &given).expect("these options exist");
            for players in info.players.clone() {
                each(&Queen::load(info, &rules, players, &options).expect("the embedded data is right"));
            }
        }
    }
}

/// Replays the moves from `state` and compares the end.
fn replay(queen: &Queen, mut state: State, scribe: &Scribe<'_>, ending: crate::core::Ending) {
    let mut decisions = 0;
    for (index, step) in scribe.moves.iter().enumerate() {
        let result = match *step {
            Move::Decided(action) => {
                decisions += 1;
                queen.try_apply(&mut state, action)
            }
            Move::Answered(outcome) => queen.try_resolve(&mut state, outcome),
        };
        assert!(result.is_ok(), "move {index} {step:?}: {}", result.unwrap_err());
    }
    assert_eq!(queen.turn(&state), Turn::Over);
    assert_eq!(queen.scores(&state), ending.scores);
    assert_eq!(queen.ranks(&state), ending.ranks);
    assert_eq!(decisions, ending.decisions);
}

#[test]
fn whole_games_replay_through_the_rules() {
    every_table(|queen| {
        let mut rng = Rng::new(11);
        for _ in 0..300 {
            let mut scribe = Scribe { queen, moves: Vec::new() };
            let fast = Fast::new(&queen.tables, queen.start().decks);
            let ending = queen.finish(Portable, fast, None, &mut rng, &mut scribe);
            replay(queen, queen.start(), &scribe, ending);
        }
    });
}

#[test]
fn games_from_every_turn_replay_through_the_rules() {
    every_table(|queen| {
        let mut rng = Rng::new(12);
        for _ in 0..20 {
            let mut state = queen.start();
            loop {
                match queen.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance => {
                        let outcome = queen.random_chance(&state, &mut rng);
                        queen.try_resolve(&mut state, outcome).expect("a random outcome is possible");
                    }
                    Turn::Act(_) => {
                        if state.phase == super::Phase::Play {
                            let mut scribe = Scribe { queen, moves: Vec::new() };
                            let fast = Fast::at_turn(queen, &state);
                            let turns = Some(state.turns_played as usize);
                            let ending = queen.finish(Portable, fast, turns, &mut rng, &mut scribe);
                            replay(queen, state, &scribe, ending);
                        }
                        let action = queen.random_action(&state, &mut rng);
                        queen.try_apply(&mut state, action).expect("a random action is legal");
                    }
                }
            }
        }
    });
}

#[cfg(target_arch = "x86_64")]
#[test]
fn every_processor_plays_the_same_game() {
    let Some(processor) = bits::Bmi2::detect() else { return };
    every_table(|queen| {
        let (mut first, mut second) = (Rng::new(13), Rng::new(13));
        for _ in 0..200 {
            let start = || Fast::new(&queen.tables, queen.start().decks);
            let portable = queen.finish(Portable, start(), None, &mut first, &mut super::Nobody);
            let fast = processor.run(|| queen.finish(processor, start(), None, &mut second, &mut super::Nobody));
            assert_eq!(portable, fast);
        }
        assert_eq!(first, second, "both have drawn the same numbers");
    });
}
