//! Small games whose solutions are known, made from [`Rules`] by one wrapper.

use hansa::core::{Encode, FormatError, Game, IllegalMove, Judge, NotationError, PerPlayer, Player, Rng, Turn};
use serde_json::{Value, json};

/// A cell that the observer cannot see.
pub(crate) const HIDDEN: u8 = 255;
/// Actions and outcomes have indices below this.
const INDICES: usize = 16;

/// The state of every toy.
pub(crate) type Cells = [u8; 8];

/// What one player sees of a toy.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ToyView {
    pub(crate) observer: Player,
    pub(crate) cells: Cells,
}

/// The rules of a toy.
pub(crate) trait Rules: Send + Sync + 'static {
    fn players(&self) -> usize;
    fn turn(&self, cells: &Cells) -> Turn;
    fn legal(&self, cells: &Cells, out: &mut Vec<u8>);
    fn apply(&self, cells: &mut Cells, action: u8);
    fn outcomes(&self, _cells: &Cells, _out: &mut Vec<(u8, u32)>) {}
    fn resolve(&self, _cells: &mut Cells, _outcome: u8) {}
    fn scores(&self, cells: &Cells) -> PerPlayer<i32>;
    /// The cells as a player sees them.
    fn hide(&self, cells: &Cells, _player: Player) -> Cells {
        *cells
    }
    /// One full state that agrees with what is seen.
    fn complete(&self, seen: &Cells, _rng: &mut Rng) -> Cells {
        *seen
    }
    fn preference(&self, _cells: &Cells, _action: u8) -> f32 {
        0.0
    }
}

/// A toy as a game.
#[derive(Debug)]
pub(crate) struct Toy<R>(pub(crate) R);

impl<R: Rules> Toy<R> {
    /// The view of the player to move after these moves: outcomes and actions by index, in the order in which they happen.
    pub(crate) fn view_after(&self, moves: &[u8]) -> ToyView {
        let state = self.state_after(moves);
        let Turn::Act(player) = self.turn(&state) else { panic!("nobody is to decide after {moves:?}") };
        self.view(&state, player)
    }

    pub(crate) fn state_after(&self, moves: &[u8]) -> Cells {
        let mut state = self.start();
        for &index in moves {
            match self.turn(&state) {
                Turn::Act(_) => self.try_apply(&mut state, index).unwrap(),
                Turn::Chance => self.try_resolve(&mut state, index).unwrap(),
                Turn::Over => panic!("the game is over before {index}"),
            }
        }
        state
    }
}

impl<R: Rules> Game for Toy<R> {
    type State = Cells;
    type Action = u8;
    type Chance = u8;
    type View = ToyView;
    type Belief = ToyView;

    fn players(&self) -> usize {
        self.0.players()
    }
    fn start(&self) -> Cells {
        [0; 8]
    }
    fn turn(&self, state: &Cells) -> Turn {
        self.0.turn(state)
    }
    fn legal_actions(&self, state: &Cells, out: &mut Vec<u8>) {
        if matches!(self.turn(state), Turn::Act(_)) {
            self.0.legal(state, out);
        }
    }
    fn check_action(&self, state: &Cells, action: u8) -> Result<(), IllegalMove> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.contains(&action) {
            Ok(())
        } else {
            Err(IllegalMove::new("toy", format!("{action} not in {legal:?}")))
        }
    }
    fn apply(&self, state: &mut Cells, action: u8) {
        self.0.apply(state, action);
    }
    fn chance_outcomes(&self, state: &Cells, out: &mut Vec<(u8, u32)>) {
        if self.turn(state) == Turn::Chance {
            self.0.outcomes(state, out);
        }
    }
    fn check_chance(&self, state: &Cells, outcome: u8) -> Result<(), IllegalMove> {
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        let possible = outcomes.iter().any(|&(other, _)| other == outcome);
        if possible { Ok(()) } else { Err(IllegalMove::new("toy", format!("{outcome} not in {outcomes:?}"))) }
    }
    fn resolve(&self, state: &mut Cells, outcome: u8) {
        self.0.resolve(state, outcome);
    }
    fn view(&self, state: &Cells, player: Player) -> ToyView {
        ToyView { observer: player, cells: self.0.hide(state, player) }
    }
    fn observer(&self, view: &ToyView) -> Player {
        view.observer
    }
    fn belief(&self, view: &ToyView) -> ToyView {
        view.clone()
    }
    fn determinize(&self, belief: &ToyView, rng: &mut Rng) -> Cells {
        self.0.complete(&belief.cells, rng)
    }
    fn scores(&self, state: &Cells) -> PerPlayer<i32> {
        self.0.scores(state)
    }
    fn ranks(&self, state: &Cells) -> PerPlayer<u8> {
        let scores = self.scores(state);
        PerPlayer::from_fn(scores.len(), |player| scores.iter().filter(|&&other| other > scores[player]).count() as u8)
    }
    fn census(&self, _state: &Cells) -> Vec<(&'static str, u32)> {
        Vec::new()
    }
    fn longest_game(&self) -> usize {
        1 << 16
    }
}

impl<R: Rules> Judge for Toy<R> {
    fn preference(&self, state: &Cells, action: u8) -> f32 {
        self.0.preference(state, action)
    }
    fn estimate(&self, state: &Cells) -> PerPlayer<f32> {
        let scores = self.scores(state);
        PerPlayer::from_fn(scores.len(), |player| scores[player] as f32)
    }
}

fn cells_of(bytes: &[u8]) -> Result<Cells, FormatError> {
    bytes.try_into().map_err(|_| FormatError::new("", "a toy has 8 cells"))
}

fn cells_of_json(json: &Value) -> Result<Cells, FormatError> {
    serde_json::from_value(json.clone()).map_err(|error| FormatError::new("", error.to_string()))
}

fn number(text: &str) -> Result<u8, NotationError> {
    text.parse().map_err(|_| NotationError { message: format!("'{text}' is no number") })
}

impl<R: Rules> Encode for Toy<R> {
    fn action_count(&self) -> usize {
        INDICES
    }
    fn action_index(&self, action: u8) -> usize {
        action as usize
    }
    fn action_at(&self, index: usize) -> Option<u8> {
        (index < INDICES).then_some(index as u8)
    }
    fn chance_count(&self) -> usize {
        INDICES
    }
    fn chance_index(&self, outcome: u8) -> usize {
        outcome as usize
    }
    fn chance_at(&self, index: usize) -> Option<u8> {
        (index < INDICES).then_some(index as u8)
    }
    fn action_notation(&self, action: u8) -> String {
        action.to_string()
    }
    fn parse_action(&self, text: &str) -> Result<u8, NotationError> {
        number(text)
    }
    fn chance_notation(&self, outcome: u8) -> String {
        outcome.to_string()
    }
    fn parse_chance(&self, text: &str) -> Result<u8, NotationError> {
        number(text)
    }
    fn state_json(&self, state: &Cells) -> Value {
        json!(state)
    }
    fn state_from_json(&self, json: &Value) -> Result<Cells, FormatError> {
        cells_of_json(json)
    }
    fn view_json(&self, view: &ToyView) -> Value {
        json!(view.cells)
    }
    fn view_from_json(&self, json: &Value, observer: usize) -> Result<ToyView, FormatError> {
        Ok(ToyView { observer, cells: cells_of_json(json)? })
    }
    fn state_bytes(&self, state: &Cells, out: &mut Vec<u8>) {
        out.extend_from_slice(state);
    }
    fn state_from_bytes(&self, bytes: &[u8]) -> Result<Cells, FormatError> {
        cells_of(bytes)
    }
    fn view_bytes(&self, view: &ToyView, out: &mut Vec<u8>) {
        out.push(view.observer as u8);
        out.extend_from_slice(&view.cells);
    }
    fn view_from_bytes(&self, bytes: &[u8]) -> Result<ToyView, FormatError> {
        let (&observer, cells) = bytes.split_first().ok_or_else(|| FormatError::new("", "a view has 9 bytes"))?;
        Ok(ToyView { observer: observer as usize, cells: cells_of(cells)? })
    }
    fn observation_layout(&self) -> Vec<(String, usize)> {
        vec![("cells".to_owned(), 8)]
    }
    fn observe(&self, view: &ToyView, out: &mut [f32]) {
        for (to, &cell) in out.iter_mut().zip(&view.cells) {
            *to = f32::from(cell);
        }
    }
}

/// A coin is tossed; player 0 either plays it safe and wins 3 times in 5, or calls the coin: right wins, wrong loses.
/// Who sees the coin calls; who does not plays it safe. Somebody who solves every possible coin by itself calls too,
/// because each time the winning call is known.
///
/// Actions: 0 safe, 1 call, 2 heads, 3 tails. Cells: phase, coin, winner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coin {
    /// Whether player 0 sees the coin.
    pub(crate) visible: bool,
}

impl Rules for Coin {
    fn players(&self) -> usize {
        2
    }
    fn turn(&self, cells: &Cells) -> Turn {
        match cells[0] {
            0 | 3 => Turn::Chance,
            1 | 2 => Turn::Act(0),
            _ => Turn::Over,
        }
    }
    fn legal(&self, cells: &Cells, out: &mut Vec<u8>) {
        out.extend(if cells[0] == 1 { [0, 1] } else { [2, 3] });
    }
    fn apply(&self, cells: &mut Cells, action: u8) {
        match action {
            0 => cells[0] = 3,
            1 => cells[0] = 2,
            _ => {
                cells[2] = u8::from(action - 2 != cells[1]);
                cells[0] = 4;
            }
        }
    }
    fn outcomes(&self, cells: &Cells, out: &mut Vec<(u8, u32)>) {
        out.extend(if cells[0] == 0 { [(0, 1), (1, 1)] } else { [(0, 3), (1, 2)] });
    }
    fn resolve(&self, cells: &mut Cells, outcome: u8) {
        if cells[0] == 0 {
            cells[1] = outcome;
            cells[0] = 1;
        } else {
            cells[2] = outcome;
            cells[0] = 4;
        }
    }
    fn scores(&self, cells: &Cells) -> PerPlayer<i32> {
        PerPlayer::from_fn(2, |player| i32::from(cells[0] == 4 && cells[2] as usize == player))
    }
    fn hide(&self, cells: &Cells, player: Player) -> Cells {
        let mut seen = *cells;
        if player == 0 && !self.visible && cells[0] != 0 {
            seen[1] = HIDDEN;
        }
        seen
    }
    fn complete(&self, seen: &Cells, rng: &mut Rng) -> Cells {
        let mut cells = *seen;
        if cells[1] == HIDDEN {
            cells[1] = rng.below(2) as u8;
        }
        cells
    }
}

/// Three players choose one of three, one after another; 27 endings with known scores. Cells: choices made, choices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ladder;

impl Ladder {
    /// The scores of an ending.
    pub(crate) fn ending(choices: [u8; 3]) -> [i32; 3] {
        let leaf = choices.iter().fold(0, |leaf, &choice| leaf * 3 + i32::from(choice));
        std::array::from_fn(|player| (leaf * leaf * 5 + leaf * 37 + player as i32 * 23 * (leaf + 1)) % 53)
    }
}

impl Rules for Ladder {
    fn players(&self) -> usize {
        3
    }
    fn turn(&self, cells: &Cells) -> Turn {
        if cells[0] < 3 { Turn::Act(cells[0] as usize) } else { Turn::Over }
    }
    fn legal(&self, _cells: &Cells, out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&self, cells: &mut Cells, action: u8) {
        cells[0] += 1;
        cells[cells[0] as usize] = action;
    }
    fn scores(&self, cells: &Cells) -> PerPlayer<i32> {
        let scores = Self::ending([cells[1], cells[2], cells[3]]);
        PerPlayer::from_fn(3, |player| scores[player])
    }
    /// Likes high numbers, which is no good advice.
    fn preference(&self, _cells: &Cells, action: u8) -> f32 {
        f32::from(action)
    }
}

/// Player 0 chooses a wheel: 0 wins with a die of 4 or more, 1 with 3 or more; with 2 the die decides whether player 0
/// may claim the win (4 or more) or must give in, which is always allowed. The best is wheel 1 with 2/3, wheel 2 is
/// worth 1/2.
///
/// Actions: 0, 1, 2 wheels, 3 claim, 4 give in. Outcomes: 0 to 5, the die less 1. Cells: phase, wheel, die, winner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wheels;

impl Rules for Wheels {
    fn players(&self) -> usize {
        2
    }
    fn turn(&self, cells: &Cells) -> Turn {
        [Turn::Act(0), Turn::Chance, Turn::Act(0), Turn::Over][cells[0] as usize]
    }
    fn legal(&self, cells: &Cells, out: &mut Vec<u8>) {
        match cells[0] {
            0 => out.extend([0, 1, 2]),
            _ if cells[2] >= 3 => out.extend([3, 4]),
            _ => out.push(4),
        }
    }
    fn apply(&self, cells: &mut Cells, action: u8) {
        if cells[0] == 0 {
            (cells[0], cells[1]) = (1, action);
        } else {
            (cells[0], cells[3]) = (3, u8::from(action == 4));
        }
    }
    fn outcomes(&self, _cells: &Cells, out: &mut Vec<(u8, u32)>) {
        out.extend((0..6).map(|die| (die, 1)));
    }
    fn resolve(&self, cells: &mut Cells, outcome: u8) {
        cells[2] = outcome;
        let loses = outcome < if cells[1] == 0 { 3 } else { 2 };
        (cells[0], cells[3]) = if cells[1] == 2 { (2, 0) } else { (3, u8::from(loses)) };
    }
    fn scores(&self, cells: &Cells) -> PerPlayer<i32> {
        PerPlayer::from_fn(2, |player| i32::from(cells[0] == 3 && cells[3] as usize == player))
    }
    /// Likes wheel 1 best, then 2, then 0; prefers a claim to giving in.
    fn preference(&self, _cells: &Cells, action: u8) -> f32 {
        [0.0, 2.0, 1.0, 1.0, 0.0][action as usize]
    }
}

/// Two players walk a corridor of the given length by turns, with no choice at all. Cells: steps as two bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corridor {
    pub(crate) length: u16,
}

impl Corridor {
    fn steps(cells: &Cells) -> u16 {
        u16::from_le_bytes([cells[0], cells[1]])
    }
}

impl Rules for Corridor {
    fn players(&self) -> usize {
        2
    }
    fn turn(&self, cells: &Cells) -> Turn {
        let steps = Self::steps(cells);
        if steps < self.length { Turn::Act(steps as usize % 2) } else { Turn::Over }
    }
    fn legal(&self, _cells: &Cells, out: &mut Vec<u8>) {
        out.push(7);
    }
    fn apply(&self, cells: &mut Cells, _action: u8) {
        [cells[0], cells[1]] = (Self::steps(cells) + 1).to_le_bytes();
    }
    fn scores(&self, _cells: &Cells) -> PerPlayer<i32> {
        PerPlayer::from_fn(2, |player| player as i32)
    }
}
