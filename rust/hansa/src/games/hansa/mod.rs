//! Hansa by Michael Schacht (2004), with the Extrakarte as an option.
//!
//! The merchants share one ship. On a turn a player takes income, may restock the empty warehouses, then sails along
//! one-way routes and does at most one action per stop: buy a goods marker, turn one into booths, or sell sets of one
//! colour at the price of a booth, at which everybody else loses a marker of that colour. The round in which the fifth
//! supply pile is opened is the last one. Nothing is hidden but the order of the supply.
//!
//! Rules are cited as `spec`; the numbers and the map are data in [`Components`].

mod action;
mod apply;
mod canonical;
mod check;
mod components;
mod encode;
mod judge;
mod knowledge;
mod legal;
mod observe;
mod pick;
mod score;
mod state;
#[cfg(test)]
mod tests;

use crate::core::load::{GameInfo, GameOption, Load, Options, Rules, RulesError};
use crate::core::{Ending, Game, IllegalMove, PerPlayer, Player, Rng, Turn};

pub use action::{Action, Chance, Marker};
pub use components::{BARRELS, City, Components, Extrakarte, MOST_CITIES, MOST_COLOURS, MOST_SPACES, PILES};
pub use knowledge::View;
pub use state::{Phase, State};

const EXTRAKARTE: GameOption = GameOption {
    name: "extrakarte",
    values: &["false", "true"],
    about: "the promotional card: four bonuses at the end (spec 9)",
};

/// Hansa, 2004.
pub static HANSA: GameInfo = GameInfo {
    id: "hansa",
    title: "Hansa",
    about: "Michael Schacht (2004), with the Extrakarte as an option",
    version: 1,
    players: 2..=4,
    options: &[EXTRAKARTE],
    data: include_str!("../../../data/hansa.toml"),
    data_name: "hansa.toml",
};

/// The loaded rules at one table size.
#[derive(Debug)]
pub struct Hansa {
    players: usize,
    components: Components,
    /// All warehouse spaces.
    spaces: u8,
    /// Types of markers: three a colour.
    types: usize,
    tables: judge::Tables,
}

impl Hansa {
    /// The rules made from checked data.
    #[must_use]
    pub fn new(components: Components, players: usize) -> Self {
        let spaces = components.cities.iter().map(|city| city.spaces).sum();
        let types = components.colours.len() * BARRELS;
        let tables = judge::Tables::new(&components);
        Self { players, components, spaces, types, tables }
    }

    /// The pieces and numbers in force.
    #[must_use]
    pub fn components(&self) -> &Components {
        &self.components
    }

    #[inline]
    fn next(&self, player: u8) -> u8 {
        if usize::from(player) + 1 == self.players { 0 } else { player + 1 }
    }
}

impl Load for Hansa {
    fn load(_: &'static GameInfo, rules: &Rules, players: usize, options: &Options) -> Result<Self, RulesError> {
        Ok(Self::new(Components::read(rules, players, options)?, players))
    }
}

impl Game for Hansa {
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type View = View;
    type Belief = View;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> State {
        self.starting_state()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Deal | Phase::Restock => Turn::Chance,
            Phase::Over => Turn::Over,
            Phase::Lose => Turn::Act(state.loser as Player),
            Phase::Place | Phase::Refill | Phase::Sail | Phase::Keep | Phase::Discard => {
                Turn::Act(state.active as Player)
            }
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.list_actions(state, out);
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), IllegalMove> {
        self.forbidden(state, action)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        self.take_action(state, action);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Chance, u32)>) {
        self.list_outcomes(state, out);
    }

    fn check_chance(&self, state: &State, outcome: Chance) -> Result<(), IllegalMove> {
        self.impossible(state, outcome)
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: Chance) {
        self.take_outcome(state, outcome);
    }

    fn view(&self, state: &State, player: Player) -> View {
        View { observer: player as u8, seen: *state }
    }

    fn observer(&self, view: &View) -> Player {
        view.observer()
    }

    fn belief(&self, view: &View) -> View {
        view.clone()
    }

    fn determinize(&self, belief: &View, _: &mut Rng) -> State {
        belief.seen
    }

    fn scores(&self, state: &State) -> PerPlayer<i32> {
        self.count_scores(state)
    }

    fn ranks(&self, state: &State) -> PerPlayer<u8> {
        self.final_ranks(state)
    }

    fn census(&self, state: &State) -> Vec<(&'static str, u32)> {
        self.count_pieces(state)
    }

    fn longest_game(&self) -> usize {
        self.move_bound()
    }

    fn random_action(&self, state: &State, rng: &mut Rng) -> Action {
        self.pick_action(state, rng)
    }

    fn random_chance(&self, state: &State, rng: &mut Rng) -> Chance {
        self.pick_outcome(state, rng)
    }

    fn playout(&self, state: &State, rng: &mut Rng) -> Ending {
        self.play_out(state, rng)
    }
}
