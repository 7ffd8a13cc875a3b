//! The Queen of Hansa, the published rules and the draft ver. 4.2.
//!
//! Three rounds. On a turn a player lays a hand card into the own Kontor, face up to trade with its city or face down to
//! attend Parliament (which also moves one prosperity marker), and takes a card from a harbor, with the luxury piece on
//! it. A city whose sea empties changes its prosperity. Each round ends with the profit of the four cities by influence
//! and prosperity, and of the colors of luxury pieces; ships keep pieces for the next round. After the last round come
//! an extra placement, influence in Parliament, the Golden Ship and the notable persons.
//!
//! Rules are cited as `spec` (the published game) and `draft` (ver. 4.2); both rulesets are this one implementation, and
//! what differs is data in [`Components`].

mod action;
mod apply;
mod canonical;
mod check;
mod components;
mod encode;
mod fast;
mod judge;
mod knowledge;
mod legal;
mod observe;
mod score;
mod state;

use crate::core::load::{GameInfo, GameOption, Load, Options, Rules, RulesError};
use crate::core::{Ending, Game, IllegalMove, PerPlayer, Player, Rng, Turn};

pub use action::{Action, Card, Chance, City, Color, Face};
pub use components::{Components, Ruleset, Space, TieBreak};
pub use knowledge::{Belief, View};
pub use score::{
    chooser, city_profit, golden_ship_profit, luxury_profit, parliament_profit, persons_profit, prosperity_change,
    ranking, support,
};
pub use state::{Phase, State};

const TRACK: GameOption = GameOption {
    name: "track",
    values: &["standard", "long"],
    about: "the prosperity track: 8 spaces, or 10 with the same fill rule (open question Q1)",
};

const READING: GameOption = GameOption {
    name: "reading",
    values: &["B", "A"],
    about: "which column of the draft's tables is the luxury deck (open question D1)",
};

const DATA: &str = include_str!("../../../data/queen_of_hansa.toml");

/// The published game of 2019.
pub static PUBLISHED: GameInfo = GameInfo {
    id: "queen_of_hansa",
    title: "The Queen of Hansa",
    about: "published rules (2019)",
    version: 1,
    players: 2..=4,
    options: &[TRACK],
    data: DATA,
    data_name: "queen_of_hansa.toml",
};

/// The draft rules of 2017.
pub static DRAFT: GameInfo = GameInfo {
    id: "queen_of_hansa_v42",
    title: "The Queen of Hansa, draft ver. 4.2",
    about: "draft rules (2017-10-25)",
    version: 1,
    players: 2..=4,
    options: &[TRACK, READING],
    data: DATA,
    data_name: "queen_of_hansa.toml",
};

/// The loaded rules at one table size.
#[derive(Debug)]
pub struct Queen {
    players: usize,
    components: Components,
    /// Cards in use, by kind.
    in_use: [u64; 2],
    /// All luxury cards.
    luxury: u64,
    /// The deck that the hands come from.
    hand_kind: usize,
    tables: Box<fast::Tables>,
}

impl Queen {
    /// The rules made from checked data.
    #[must_use]
    pub fn new(components: Components, players: usize) -> Self {
        let luxury = components.cards.iter().enumerate().fold(0, |set, (id, card)| set | u64::from(card.luxury) << id);
        let tables = Box::new(fast::Tables::new(&components, players, luxury));
        Self {
            players,
            in_use: components.decks,
            luxury,
            hand_kind: usize::from(components.hand_luxury),
            components,
            tables,
        }
    }

    /// The pieces and numbers in force.
    #[must_use]
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// 0 for a normal card, 1 for a luxury card.
    #[inline]
    fn kind(&self, card: Card) -> usize {
        (self.luxury >> card & 1) as usize
    }

    /// Turns of a round, all players together.
    fn round_turns(&self) -> u8 {
        self.components.turns * self.players as u8
    }

    #[inline]
    fn next(&self, player: u8) -> u8 {
        if usize::from(player) + 1 == self.players { 0 } else { player + 1 }
    }

    /// Whether no turn of the game has been finished: then lay and draw nodes belong to set-up, not to a refill.
    fn is_set_up(&self, state: &State) -> bool {
        state.round == 1 && state.turns_played == 0
    }
}

impl Load for Queen {
    fn load(info: &'static GameInfo, rules: &Rules, players: usize, options: &Options) -> Result<Self, RulesError> {
        let ruleset = if info.id == DRAFT.id { Ruleset::Draft } else { Ruleset::Published };
        Ok(Self::new(Components::read(rules, ruleset, players, options)?, players))
    }
}

impl Game for Queen {
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type View = View;
    type Belief = Belief;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> State {
        self.starting_state()
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Lay | Phase::Draw | Phase::Deal => Turn::Chance,
            Phase::Over => Turn::Over,
            Phase::Keep | Phase::Play | Phase::Marker | Phase::Take | Phase::Extra | Phase::Store | Phase::Start => {
                Turn::Act(state.actor as Player)
            }
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.list_actions(state, out);
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), IllegalMove> {
        self.forbidden(state, action)
    }

    fn apply(&self, state: &mut State, action: Action) {
        self.take_action(state, action);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Chance, u32)>) {
        self.list_outcomes(state, out);
    }

    fn check_chance(&self, state: &State, outcome: Chance) -> Result<(), IllegalMove> {
        self.impossible(state, outcome)
    }

    fn resolve(&self, state: &mut State, outcome: Chance) {
        self.take_outcome(state, outcome);
    }

    fn view(&self, state: &State, player: Player) -> View {
        self.look(state, player)
    }

    fn observer(&self, view: &View) -> Player {
        view.observer()
    }

    fn belief(&self, view: &View) -> Belief {
        self.believe(view)
    }

    fn determinize(&self, belief: &Belief, rng: &mut Rng) -> State {
        self.imagine(belief, rng)
    }

    fn scores(&self, state: &State) -> PerPlayer<i32> {
        PerPlayer::from_fn(self.players, |player| i32::from(state.seats[player].profit))
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
        self.fast_playout(state, rng)
    }
}
