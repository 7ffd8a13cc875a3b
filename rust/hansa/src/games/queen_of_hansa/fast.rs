//! Whole random games without action lists and, in a turn, without branches.
//!
//! The same distribution as choosing uniformly among the legal actions of every node, in another representation: byte
//! lanes in words, so that "which markers can move" and "which cards can be taken" are two instructions, and a choice is
//! the n-th set bit of a mask. A test records such games and replays them through the rules.
//!
//! Up to four bounded draws share one random word by multiplying on with the low half (Lemire's batching); the bias of a
//! draw stays below 2^-30.

mod scoring;
mod tables;

pub(super) use tables::Tables;

use super::Queen;
use super::legal::{count_stores, nth_store};
use super::state::{CITIES, MAX_TABLE, NO_PIECE, Phase, State};
use crate::core::parts::bits::{Portable, Select};
use crate::core::{Ending, Game, Rng, Turn};

/// The top bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Sees what a playout does; the one that does nothing costs nothing.
pub(super) trait Witness {
    fn dealt(&mut self, _fast: &Fast<'_>) {}
    fn refilled(&mut self, _fast: &Fast<'_>, _lengths: u32) {}
    fn turned(&mut self, _card: u8, _down: bool, _marker: u64, _taken: u8) {}
    fn stored(&mut self, _pieces: u32) {}
    fn started(&mut self, _player: usize) {}
    fn placed(&mut self, _card: u8, _down: bool) {}
}

struct Nobody;
impl Witness for Nobody {}

/// One random word, used for several bounded draws.
struct Draws(u64);

impl Draws {
    #[inline(always)]
    fn below(&mut self, bound: u32) -> u32 {
        let product = u128::from(self.0) * u128::from(bound);
        self.0 = product as u64;
        (product >> 64) as u32
    }
}

/// What every turn of a round reads and writes: apart from the arrays, so that it stays in registers.
struct Course {
    lengths: u32,
    levels: u64,
    changes: usize,
    /// Face-down plays.
    down: u32,
}

/// A game in lanes.
#[derive(Clone)]
pub(super) struct Fast<'a> {
    tables: &'a Tables,
    /// Bytes of a player: influence in the four cities, open ships, all ships, power in Parliament.
    lanes: [u64; MAX_TABLE],
    /// Pieces by color, a byte each.
    pieces: [u32; MAX_TABLE],
    /// Copies of the letters, four bits each.
    persons: [u32; MAX_TABLE],
    profits: [u32; MAX_TABLE],
    hands: [[u8; 2]; MAX_TABLE],
    /// Rows of a byte a card, leftmost lowest: the card, and the color of the piece in the two top bits.
    rows: [[u8; 8]; CITIES],
    /// Cards in each row, a byte each.
    lengths: u32,
    /// Low half: the spaces left of each marker, a byte each; high half: the spaces right of it.
    levels: u64,
    decks: [u64; 2],
    /// Pieces in the bag: eight bits a color.
    bag: u32,
    changes: usize,
    decisions: u32,
    round: usize,
    start: usize,
}

impl<'a> Fast<'a> {
    fn new(tables: &'a Tables, decks: [u64; 2]) -> Self {
        Self {
            tables,
            lanes: [0; MAX_TABLE],
            pieces: [0; MAX_TABLE],
            persons: [0; MAX_TABLE],
            profits: [0; MAX_TABLE],
            hands: [[0; 2]; MAX_TABLE],
            rows: [[0; 8]; CITIES],
            lengths: 0,
            levels: tables.start_levels,
            decks,
            bag: tables.full_bag,
            changes: 0,
            decisions: 0,
            round: 0,
            start: 0,
        }
    }

    /// A position at the beginning of a turn.
    fn at_turn(queen: &'a Queen, state: &State) -> Self {
        let tables = &*queen.tables;
        let mut fast = Self::new(tables, state.decks);
        for player in 0..queen.players {
            let seat = &state.seats[player];
            for placement in seat.placements() {
                let card = placement.card() as usize;
                fast.lanes[player] += tables.placed[usize::from(placement.is_down())][card];
                fast.persons[player] += tables.persons[card];
            }
            fast.pieces[player] = u32::from_le_bytes(seat.pieces);
            fast.profits[player] = u32::from(seat.profit);
            fast.hands[player] = [seat.hand[0], seat.hand[1]];
        }
        for city in 0..CITIES {
            for place in 0..state.row_lengths[city] as usize {
                let piece = state.row_pieces[city][place];
                let color = if piece == NO_PIECE { 0 } else { piece << 6 };
                fast.rows[city][place] = state.rows[city][place] | color;
            }
        }
        fast.lengths = u32::from_le_bytes(state.row_lengths);
        fast.levels = tables.level_lanes(state.levels);
        fast.bag = tables::thermometers(state.bag);
        fast.changes = usize::from(state.changes);
        fast.round = state.round as usize - 1;
        fast.start = state.start_player as usize;
        fast
    }

    /// Lays so many cards of each kind on the empty spaces, with pieces (spec 2.3, 2.4, 6.3, 6.4, 9): the places of the
    /// luxury cards are a random subset, which kind of card lies where being all that the mixture decides.
    #[inline(always)]
    fn lay<S: Select>(&mut self, select: S, rng: &mut Rng, counts: [u32; 2]) {
        let [normal, luxury] = counts;
        let spaces = self.tables.spaces;
        let mut free = 0u64;
        for city in 0..CITIES {
            let length = self.lengths >> (8 * city) & 0xff;
            free |= u64::from((1u32 << spaces) - (1 << length)) << (8 * city);
        }
        let mut deck = self.decks[1];
        let mut deck_size = deck.count_ones();
        let mut bag = u64::from(self.bag);
        let mut bag_size = bag.count_ones();
        for laid in 0..luxury {
            let mut draws = Draws(rng.next_u64());
            let place = select.one_hot(free, draws.below(normal + luxury - laid));
            let card = select.one_hot(deck, draws.below(deck_size));
            let piece = select.one_hot(bag, draws.below(bag_size));
            free ^= place;
            deck ^= card;
            bag ^= piece;
            deck_size -= 1;
            bag_size -= 1;
            let color = piece.trailing_zeros() as u8 & 0x18;
            self.set_place(place.trailing_zeros() as usize, card.trailing_zeros() as u8 | color << 3);
        }
        self.decks[1] = deck;
        self.bag = bag as u32;
        let mut deck = self.decks[0];
        let mut deck_size = deck.count_ones();
        let mut draws = Draws(0);
        for laid in 0..normal {
            if laid % 4 == 0 {
                draws = Draws(rng.next_u64());
            }
            let card = select.one_hot(deck, draws.below(deck_size));
            deck ^= card;
            deck_size -= 1;
            self.set_place(free.trailing_zeros() as usize, card.trailing_zeros() as u8);
            free &= free.wrapping_sub(1);
        }
        self.decks[0] = deck;
        self.lengths = spaces * 0x0101_0101;
    }

    #[inline(always)]
    fn set_place(&mut self, place: usize, card: u8) {
        self.rows[place >> 3 & 3][place & 7] = card;
    }

    /// Hands: keeping two of four dealt cards and putting the others back, all uniformly, is drawing two.
    #[inline(always)]
    fn deal<S: Select>(&mut self, select: S, rng: &mut Rng, players: usize) {
        let mut deck = self.decks[self.tables.hand_kind];
        let mut deck_size = deck.count_ones();
        for player in 0..players {
            let mut draws = Draws(rng.next_u64());
            for place in 0..2 {
                let card = select.one_hot(deck, draws.below(deck_size));
                deck ^= card;
                deck_size -= 1;
                self.hands[player][place] = card.trailing_zeros() as u8;
            }
        }
        self.decks[self.tables.hand_kind] = deck;
        self.decisions += players as u32;
    }

    /// One turn: play, marker, take. Both faces are worked out and one is masked away.
    #[inline(always)]
    fn turn<S: Select>(
        &mut self,
        select: S,
        word: u64,
        player: usize,
        course: &mut Course,
        witness: &mut impl Witness,
    ) {
        let tables = self.tables;
        let which = word as usize & 1;
        let down = word >> 1 & 1;
        let down_mask = down.wrapping_neg();
        let card = self.hands[player][which];

        // A byte that is not 0 can give a step to the other half: left of the marker, or right of it (spec 4.2).
        let movable = (course.levels + 0x7f7f_7f7f_7f7f_7f7f) & TOPS;
        let choice = ((word >> 2 & 0x3fff_ffff) * u64::from(movable.count_ones())) >> 30;
        let step = select.one_hot(movable, choice as u32) >> 7 & down_mask;
        let levels = course.levels - step + step.rotate_left(32);

        // Low half: rows with a first card; high half: with a second (spec 4.3).
        let lengths = u64::from(course.lengths);
        let harbors = ((lengths | lengths << 32) + 0x7e7e_7e7e_7f7f_7f7f) & TOPS;
        let bound = harbors & (tables.row_masks[card as usize] | down_mask);
        let takable = if bound == 0 { harbors } else { bound };
        let choice = ((word >> 32) * u64::from(takable.count_ones())) >> 32;
        let place = select.one_hot(takable, choice as u32).trailing_zeros();
        let shift = place & 0x18;
        let city = (shift >> 3) as usize;
        let second = u64::from(place >> 5);
        let row = u64::from_le_bytes(self.rows[city]);
        let taken = (row >> (second * 8)) as u8;
        let before = second * 0xff;
        self.rows[city] = (row & before | row >> 8 & !before).to_le_bytes();
        course.lengths -= 1 << shift;

        // The change of prosperity (spec 4.3): the row went from three cards to two.
        let changed = u64::from(course.lengths >> shift & 0xff == 2);
        let level = levels >> shift & 0xff;
        let next = u64::from(tables.changes[course.changes & 7][level as usize & 0xf]);
        let difference = next.wrapping_sub(level) & changed.wrapping_neg();
        course.levels = levels.wrapping_add(difference << shift).wrapping_sub(difference << (shift + 32));
        course.changes += changed as usize;

        self.lanes[player] += tables.placed[down as usize][card as usize];
        self.persons[player] += tables.persons[card as usize];
        let taken_card = taken & 0x3f;
        let luxury = (tables.luxury >> taken_card & 1) as u32;
        self.pieces[player] += luxury << (taken >> 3 & 0x18);
        self.hands[player][which] = taken_card;
        course.down += down as u32;
        witness.turned(card, down == 1, step, taken_card);
    }

    /// The pieces that stay on ships (spec 6.1), uniformly among the choices.
    #[inline(always)]
    fn store<S: Select>(&mut self, select: S, rng: &mut Rng, player: usize) -> u32 {
        let pieces = self.pieces[player];
        let owned = pieces.wrapping_mul(0x0101_0101) >> 24;
        let ships = (self.lanes[player] >> 32 & 0xff) as u32;
        let kept = if ships == 0 || owned == 0 {
            0
        } else if ships >= owned {
            pieces
        } else if ships == 1 {
            let colors = u64::from(pieces + 0x7f7f_7f7f) & (TOPS >> 32);
            (select.one_hot(colors, rng.below(colors.count_ones())) >> 7) as u32
        } else {
            let (owned, ships) = (pieces.to_le_bytes(), ships as u8);
            u32::from_le_bytes(nth_store(owned, ships, rng.below(count_stores(owned, ships))))
        };
        self.pieces[player] = kept;
        kept
    }

    /// All markers on the lowest occupied space move right (spec 6.2).
    #[inline(always)]
    fn support(&mut self) {
        if self.tables.support_after[self.round] {
            let levels: [u8; CITIES] = (self.levels as u32).to_le_bytes();
            let lowest = levels.into_iter().fold(u8::MAX, u8::min);
            let next = self.tables.supported[lowest as usize];
            self.levels = self.tables.level_lanes(levels.map(|level| if level == lowest { next } else { level }));
        }
    }

    /// The draft's end of a settlement: pieces go back into the bag.
    #[inline(always)]
    fn return_pieces(&mut self, players: usize) {
        let returned: u32 = self.pieces[..players].iter().sum();
        let returned = returned.to_le_bytes();
        let bag = self.bag.to_le_bytes();
        self.bag = tables::thermometers(std::array::from_fn(|color| bag[color].count_ones() as u8 + returned[color]));
        self.pieces = [0; MAX_TABLE];
    }

    /// Plays on from the beginning of a turn.
    #[inline(always)]
    fn play<S: Select, const PLAYERS: usize>(
        &mut self,
        select: S,
        rng: &mut Rng,
        turns_played: usize,
        witness: &mut impl Witness,
    ) {
        let turns = self.tables.turns * PLAYERS;
        let mut left = turns - turns_played;
        let mut player = (self.start + turns_played) % PLAYERS;
        loop {
            let mut course = Course { lengths: self.lengths, levels: self.levels, changes: self.changes, down: 0 };
            self.decisions += 2 * left as u32;
            while left > 0 {
                self.turn(select, rng.next_u64(), player, &mut course, witness);
                player = if player + 1 == PLAYERS { 0 } else { player + 1 };
                left -= 1;
            }
            (self.lengths, self.levels) = (course.lengths, course.levels);
            self.decisions += course.down;
            if self.round == 2 {
                break;
            }
            self.score_round::<PLAYERS>();
            if self.tables.pieces_return {
                self.return_pieces(PLAYERS);
            } else {
                for seat in 0..PLAYERS {
                    let kept = self.store(select, rng, (self.start + seat) % PLAYERS);
                    witness.stored(kept);
                }
                self.decisions += PLAYERS as u32;
            }
            self.support();
            let lengths = self.lengths;
            self.lay(select, rng, self.tables.refill);
            witness.refilled(self, lengths);
            // Whoever names the start player, a random choice is a random player (spec 6.5).
            self.start = rng.below(PLAYERS as u32) as usize;
            self.decisions += 1;
            witness.started(self.start);
            self.round += 1;
            self.changes = 0;
            player = self.start;
            left = turns;
        }
        // The extra placement (spec 4.4).
        let word = rng.next_u64();
        for seat in 0..PLAYERS {
            let player = (self.start + seat) % PLAYERS;
            let choice = word >> (2 * player);
            let card = self.hands[player][choice as usize & 1];
            let down = choice as usize >> 1 & 1;
            self.lanes[player] += self.tables.placed[down][card as usize];
            self.persons[player] += self.tables.persons[card as usize];
            witness.placed(card, down == 1);
        }
        self.decisions += PLAYERS as u32;
        self.score_round::<PLAYERS>();
        self.support();
        self.score_game::<PLAYERS>();
    }

    /// A whole game from set-up on.
    #[inline(always)]
    fn whole<S: Select, const PLAYERS: usize>(&mut self, select: S, rng: &mut Rng, witness: &mut impl Witness) {
        self.lay(select, rng, self.tables.setup);
        self.deal(select, rng, PLAYERS);
        witness.dealt(self);
        self.play::<S, PLAYERS>(select, rng, 0, witness);
    }
}

impl Queen {
    pub(super) fn fast_playout(&self, state: &State, rng: &mut Rng) -> Ending {
        if !self.tables.fits {
            return self.slow_playout(state, rng, 0);
        }
        let untouched = state.phase == Phase::Lay && state.round == 1 && state.row_lengths == [0; CITIES];
        if untouched {
            return self.run(Fast::new(&self.tables, state.decks), None, rng);
        }
        // To the beginning of a turn, step by step.
        let mut state = *state;
        let mut decisions = 0;
        while state.phase != Phase::Play {
            match self.turn(&state) {
                Turn::Act(_) => {
                    let action = self.pick_action(&state, rng);
                    self.take_action(&mut state, action);
                    decisions += 1;
                }
                Turn::Chance => {
                    let outcome = self.pick_outcome(&state, rng);
                    self.take_outcome(&mut state, outcome);
                }
                Turn::Over => return Ending { scores: self.scores(&state), ranks: self.ranks(&state), decisions },
            }
        }
        let mut fast = Fast::at_turn(self, &state);
        fast.decisions = decisions;
        self.run(fast, Some(state.turns_played as usize), rng)
    }

    /// Step by step to the end, for rule data that the lanes cannot hold.
    fn slow_playout(&self, state: &State, rng: &mut Rng, mut decisions: u32) -> Ending {
        let mut state = *state;
        loop {
            match self.turn(&state) {
                Turn::Act(_) => {
                    let action = self.pick_action(&state, rng);
                    self.take_action(&mut state, action);
                    decisions += 1;
                }
                Turn::Chance => {
                    let outcome = self.pick_outcome(&state, rng);
                    self.take_outcome(&mut state, outcome);
                }
                Turn::Over => return Ending { scores: self.scores(&state), ranks: self.ranks(&state), decisions },
            }
        }
    }

    /// Plays a game in lanes on: from a turn, or from set-up.
    fn run(&self, fast: Fast<'_>, turns_played: Option<usize>, rng: &mut Rng) -> Ending {
        #[cfg(target_arch = "x86_64")]
        if let Some(processor) = crate::core::parts::bits::Bmi2::detect() {
            return processor.run(
                #[inline(always)]
                || self.finish(processor, fast, turns_played, rng, &mut Nobody),
            );
        }
        self.finish(Portable, fast, turns_played, rng, &mut Nobody)
    }

    #[inline(always)]
    fn finish<S: Select>(
        &self,
        select: S,
        mut fast: Fast<'_>,
        turns_played: Option<usize>,
        rng: &mut Rng,
        witness: &mut impl Witness,
    ) -> Ending {
        // A generator of its own stays in registers.
        let mut own = rng.clone();
        match (self.players, turns_played) {
            (2, Some(turns)) => fast.play::<S, 2>(select, &mut own, turns, witness),
            (3, Some(turns)) => fast.play::<S, 3>(select, &mut own, turns, witness),
            (_, Some(turns)) => fast.play::<S, 4>(select, &mut own, turns, witness),
            (2, None) => fast.whole::<S, 2>(select, &mut own, witness),
            (3, None) => fast.whole::<S, 3>(select, &mut own, witness),
            (_, None) => fast.whole::<S, 4>(select, &mut own, witness),
        }
        *rng = own;
        fast.ending(self.players)
    }
}

#[cfg(test)]
mod tests;
