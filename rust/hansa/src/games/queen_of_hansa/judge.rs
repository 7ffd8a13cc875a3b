//! What a decent player thinks: marginal profit of an action by simple expectations, from what the mover knows.
//!
//! Other players' face-down cards count with the mean power of their backs, so that the judgement is the same for all
//! states that the mover cannot tell apart.

use super::Queen;
use super::action::{Action, Card, Face};
use super::state::{CITIES, MAX_TABLE, NO_PIECE, Phase, State};
use crate::core::{Judge, PerPlayer};

/// How sure one is of a lead: a difference of this many points of influence makes it 73 %.
const DOUBT: f32 = 1.4;
/// A round that is still to come counts less, since others will answer.
const FUTURE: f32 = 0.6;

/// What the judgement of one node needs again and again.
struct Outlook {
    player: usize,
    players: usize,
    /// Influence and pieces of every player by city.
    totals: [[f32; CITIES]; MAX_TABLE],
    /// Expected power in Parliament.
    parliament: [f32; MAX_TABLE],
    ships: [f32; MAX_TABLE],
    /// Own copies of each letter in Kontor and hand.
    persons: [u8; 8],
    /// Weight of influence gained now, over this and the later rounds.
    rounds: f32,
}

impl Queen {
    fn outlook(&self, state: &State, player: usize) -> Outlook {
        let mut outlook = Outlook {
            player,
            players: self.players,
            totals: [[0.0; CITIES]; MAX_TABLE],
            parliament: [0.0; MAX_TABLE],
            ships: [0.0; MAX_TABLE],
            persons: [0; 8],
            rounds: 1.0 + FUTURE * f32::from(3 - state.round),
        };
        for other in 0..self.players {
            let seat = &state.seats[other];
            for placement in seat.placements() {
                let card = &self.components.cards[placement.card() as usize];
                if !placement.is_down() {
                    outlook.totals[other][card.city as usize] += f32::from(card.power);
                    outlook.ships[other] += f32::from(card.ship);
                } else if other == player {
                    outlook.parliament[other] += f32::from(card.power);
                    outlook.ships[other] += f32::from(card.ship);
                } else {
                    outlook.parliament[other] += self.tables.mean_power[self.kind(placement.card())];
                }
                if let (true, Some(letter)) = (other == player, card.letter) {
                    outlook.persons[letter as usize] += 1;
                }
            }
            for city in 0..CITIES {
                outlook.totals[other][city] += f32::from(seat.pieces[city]);
            }
        }
        outlook
    }

    /// Expected profit of a city for `player` with this total of its own.
    fn city_worth(&self, outlook: &Outlook, player: usize, city: usize, total: f32, level: u8) -> f32 {
        if total <= 0.0 {
            return 0.0;
        }
        let space = self.components.track[level as usize];
        let ahead = outlook.ahead(player, total, |other| outlook.totals[other][city]);
        ahead[0] * f32::from(space.fixed) + (ahead[1] * f32::from(space.m2) + ahead[2] * f32::from(space.m3)) * total
    }

    /// Expected profit in Parliament with this power.
    fn parliament_worth(&self, state: &State, outlook: &Outlook, power: f32) -> f32 {
        let mut fixed = state.levels.map(|level| self.components.track[level as usize].fixed);
        fixed.sort_unstable_by(|a, b| b.cmp(a));
        let ahead = outlook.ahead(outlook.player, power, |other| outlook.parliament[other]);
        ahead.iter().zip(fixed).map(|(chance, profit)| chance * f32::from(profit)).sum()
    }

    fn influence_gain(&self, state: &State, outlook: &Outlook, city: usize, power: f32) -> f32 {
        let (own, level) = (outlook.totals[outlook.player][city], state.levels[city]);
        self.city_worth(outlook, outlook.player, city, own + power, level)
            - self.city_worth(outlook, outlook.player, city, own, level)
    }

    /// What a card brings when it is played, by face.
    fn play_gain(&self, state: &State, outlook: &Outlook, card: Card, face: Face) -> f32 {
        let data = &self.components.cards[card as usize];
        let power = f32::from(data.power);
        match face {
            Face::Up => {
                let storage =
                    if data.ship && !self.components.pieces_return { 2.0 * (outlook.rounds - 1.0) } else { 0.0 };
                outlook.rounds * self.influence_gain(state, outlook, data.city as usize, power) + storage
            }
            Face::Down => {
                let own = outlook.parliament[outlook.player];
                self.parliament_worth(state, outlook, own + power) - self.parliament_worth(state, outlook, own)
            }
        }
    }

    /// What owning a card brings, however it is played: persons and ships.
    fn set_gain(&self, outlook: &Outlook, card: Card) -> f32 {
        let data = &self.components.cards[card as usize];
        let mut gain = 0.0;
        if let Some(letter) = data.letter {
            let copies = outlook.persons[letter as usize] as usize;
            let different = outlook.persons.iter().filter(|&&count| count > 0).count();
            let table = &self.components.same_person;
            let more = table.get(copies + 1).or(table.last()).copied().unwrap_or(0);
            gain += (more - table.get(copies).copied().unwrap_or(0)) as f32;
            // The next letters are worth more than the last ones; count the middle of the way.
            if copies == 0 {
                let types = &self.components.person_types;
                let next = (different + 1).min(8);
                let after = (different + 2).min(8);
                gain += ((types[after] - types[different]) as f32 / (after - different).max(1) as f32)
                    .max((types[next] - types[different]) as f32);
            } else {
                gain += 1.5;
            }
        }
        if let (true, Some(table)) = (data.ship, self.components.golden_ship) {
            let own = outlook.ships[outlook.player];
            let worth = |ships: f32| {
                let ahead = outlook.ahead(outlook.player, ships, |other| outlook.ships[other]);
                ahead.iter().zip(table).map(|(chance, profit)| chance * profit as f32).sum::<f32>()
            };
            gain += if own == 0.0 { worth(1.0) } else { worth(own + 1.0) - worth(own) };
        }
        gain
    }

    /// What a piece brings.
    fn piece_gain(&self, state: &State, outlook: &Outlook, color: usize) -> f32 {
        let pieces = state.seats[outlook.player].pieces;
        let different = pieces.iter().filter(|&&count| count > 0).count();
        let table = &self.components.luxury_types;
        let variety = if pieces[color] == 0 { (table[different + 1] - table[different]) as f32 } else { 0.0 };
        variety + self.influence_gain(state, outlook, color, 1.0)
    }

    /// What taking a card from the board brings.
    fn take_gain(&self, state: &State, outlook: &Outlook, row: usize, place: usize) -> f32 {
        let card = state.rows[row][place];
        let piece = state.row_pieces[row][place];
        let piece_gain = if piece == NO_PIECE { 0.0 } else { self.piece_gain(state, outlook, piece as usize) };
        piece_gain + self.card_worth(state, outlook, card)
    }

    fn card_worth(&self, state: &State, outlook: &Outlook, card: Card) -> f32 {
        let up = self.play_gain(state, outlook, card, Face::Up);
        let down = self.play_gain(state, outlook, card, Face::Down);
        up.max(down) + self.set_gain(outlook, card)
    }

    fn best_take(&self, state: &State, outlook: &Outlook, rows: std::ops::Range<usize>) -> f32 {
        rows.flat_map(|row| (0..2.min(state.row_lengths[row] as usize)).map(move |place| (row, place)))
            .map(|(row, place)| self.take_gain(state, outlook, row, place))
            .fold(f32::MIN, f32::max)
    }

    /// What moving a marker brings, against the mean of the others.
    fn marker_gain(&self, state: &State, outlook: &Outlook, city: usize, level: u8) -> f32 {
        let change = |player: usize| {
            let total = outlook.totals[player][city];
            self.city_worth(outlook, player, city, total, level)
                - self.city_worth(outlook, player, city, total, state.levels[city])
        };
        let others: f32 = (0..self.players).filter(|&other| other != outlook.player).map(change).sum();
        outlook.rounds * (change(outlook.player) - others / (self.players as f32 - 1.0))
    }

    fn best_marker(&self, state: &State, outlook: &Outlook) -> f32 {
        let end = self.components.track.len() as u8 - 1;
        (0..CITIES)
            .flat_map(|city| {
                let level = state.levels[city];
                let raise = (level < end).then(|| self.marker_gain(state, outlook, city, level + 1));
                let lower = (level > 0).then(|| self.marker_gain(state, outlook, city, level - 1));
                [raise, lower].into_iter().flatten()
            })
            .fold(f32::MIN, f32::max)
    }
}

impl Outlook {
    /// Chances that none, one, two or three others are ahead of `player`.
    fn ahead(&self, player: usize, own: f32, of: impl Fn(usize) -> f32) -> [f32; MAX_TABLE] {
        let mut chances = [1.0, 0.0, 0.0, 0.0];
        for other in (0..self.players).filter(|&other| other != player) {
            // A tie shares the better rank.
            let behind = 1.0 / (1.0 + ((of(other) - own - 0.4) / DOUBT).exp());
            for count in (0..MAX_TABLE).rev() {
                let fewer = if count > 0 { chances[count - 1] } else { 0.0 };
                chances[count] = chances[count] * behind + fewer * (1.0 - behind);
            }
        }
        chances
    }
}

impl Judge for Queen {
    fn preference(&self, state: &State, action: Action) -> f32 {
        let player = state.actor as usize;
        let outlook = self.outlook(state, player);
        match action {
            Action::Play(card, face) if state.phase == Phase::Extra => self.play_gain(state, &outlook, card, face),
            Action::Play(card, face) => {
                let gain = self.play_gain(state, &outlook, card, face);
                let city = self.components.cards[card as usize].city as usize;
                let rows = if face == Face::Up && state.row_lengths[city] > 0 { city..city + 1 } else { 0..CITIES };
                let marker = if face == Face::Down { self.best_marker(state, &outlook) } else { 0.0 };
                gain + marker + self.best_take(state, &outlook, rows)
            }
            Action::Raise(city) => self.marker_gain(state, &outlook, city as usize, state.levels[city as usize] + 1),
            Action::Lower(city) => self.marker_gain(state, &outlook, city as usize, state.levels[city as usize] - 1),
            Action::Take(card) => {
                state.in_harbor(card).map_or(0.0, |(row, place)| self.take_gain(state, &outlook, row, place))
            }
            Action::Keep(first, second) => {
                let mut with_first = self.outlook(state, player);
                if let Some(letter) = self.components.cards[first as usize].letter {
                    with_first.persons[letter as usize] += 1;
                }
                self.card_worth(state, &outlook, first) + self.card_worth(state, &with_first, second)
            }
            Action::Store(pieces) => {
                let different = pieces.iter().filter(|&&count| count > 0).count();
                let mut gain = self.components.luxury_types[different] as f32 * FUTURE;
                for (color, &count) in pieces.iter().enumerate() {
                    let owned = f32::from(state.seats[player].pieces[color]);
                    let level = state.levels[color];
                    let rest = outlook.totals[player][color] - owned;
                    gain += self.city_worth(&outlook, player, color, rest + f32::from(count), level)
                        - self.city_worth(&outlook, player, color, rest, level);
                }
                gain
            }
            // The first to choose has the full board; next best is to play soon.
            Action::Start(start) => {
                let wait = (player + self.players - start as usize) % self.players;
                -(wait as f32)
            }
        }
    }

    fn estimate(&self, state: &State) -> PerPlayer<f32> {
        let mut scores = PerPlayer::from_fn(self.players, |player| f32::from(state.seats[player].profit));
        if state.phase == Phase::Over {
            return scores;
        }
        let totals: [super::score::Totals; MAX_TABLE] = std::array::from_fn(|player| {
            if player < self.players { self.totals(state, player) } else { super::score::Totals::default() }
        });
        let between = matches!(state.phase, Phase::Store | Phase::Lay | Phase::Draw | Phase::Start);
        let rounds_left = f32::from(3 - state.round) + f32::from(u8::from(!between));
        for player in 0..self.players {
            let outlook = self.outlook(state, player);
            let cities: f32 = (0..CITIES)
                .map(|city| self.city_worth(&outlook, player, city, outlook.totals[player][city], state.levels[city]))
                .sum();
            let parliament = self.parliament_worth(state, &outlook, f32::from(totals[player].parliament));
            let persons = super::score::persons_profit(&self.components, totals[player].persons) as f32;
            let golden = self.components.golden_ship.map_or(0.0, |table| {
                let own = f32::from(totals[player].ships);
                let ahead = outlook.ahead(player, own, |other| f32::from(totals[other].ships));
                if own == 0.0 {
                    0.0
                } else {
                    ahead.iter().zip(table).map(|(chance, profit)| chance * profit as f32).sum()
                }
            });
            scores[player] += rounds_left * cities + parliament + persons + golden;
        }
        scores
    }
}
