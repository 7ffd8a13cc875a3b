//! What a decent player thinks: a plan for the rest of the turn, from simple worths of goods and booths.
//!
//! Every city has the worth of the best action there, as things stand; the plan is the best way through the cities that
//! the Talers allow. An action of a visit is worth its own gain and the best way on. The same worths judge positions.

use super::Hansa;
use super::action::{Action, Marker};
use super::components::{BARRELS, Components, MOST_CITIES, PILES};
use super::state::{MOST_TYPES, NOBODY, Phase, State};
use crate::core::parts::bits::ones;
use crate::core::{Judge, PerPlayer};

/// Talers that a plan looks ahead at most.
const FAR: usize = 8;
/// What the barrels of an unsold marker promise alone, and in a pair or a larger set.
const ALONE: f32 = 0.3;
const PAIRED: f32 = 0.65;
/// A Taler that could be kept for the next turn.
const TALER: f32 = 0.45;
/// Booths beyond the first of a city: as the price of a sale there.
const SPARE: f32 = 0.45;
/// Being the sole leader of a city of average traffic, for each of its spaces.
const LEAD: f32 = 0.7;
/// A marker that is not seen yet.
const UNSEEN: f32 = 0.9;
/// How much the gain of one other player counts beside the own.
const OTHERS: f32 = 0.35;
/// What an opponent loses with a marker.
const LOSS: f32 = 1.2;
/// Booths of a city beyond which another one is no longer a price for a sale.
const MOST_SPARE: u8 = 4;
/// Spending for nothing is worse than not spending.
const WASTE: f32 = 0.02;
/// The share of a promise that can be kept until the last pile is opened, and how early it falls to that: so many last
/// piles before.
const LATE: f32 = 0.3;
const EARLY: f32 = 1.5;

/// What does not change in a game.
#[derive(Debug)]
pub(super) struct Tables {
    /// How often the ship calls, 1 on average.
    traffic: [f32; MOST_CITIES],
}

impl Tables {
    pub(super) fn new(components: &Components) -> Self {
        let cities = components.cities.len();
        let mut traffic = [0.0; MOST_CITIES];
        traffic[..cities].fill(1.0);
        // Where a random ship is in the long run: mixed with the step before, so that a loop of even length settles too.
        for _ in 0..64 {
            let mut next = traffic.map(|share| share / 2.0);
            for (city, share) in traffic.iter().enumerate().take(cities) {
                let exits = components.routes[city];
                for exit in ones(u64::from(exits)) {
                    next[exit as usize] += share / (2 * exits.count_ones()) as f32;
                }
            }
            traffic = next;
        }
        Self { traffic }
    }
}

/// The position as the player to move judges it.
struct Outlook {
    player: usize,
    /// How much of a promise there is still time to keep, from 0 to 1.
    time: f32,
    /// Worth of one own marker of each type.
    worth: [f32; MOST_TYPES],
}

/// The best of a turn from each city on.
#[derive(Default)]
struct Plan {
    /// The gain of the best action of a visit.
    visit: [f32; MOST_CITIES],
    /// The gain of sailing on from there, by the Talers left.
    on: [[f32; MOST_CITIES]; FAR + 1],
}

impl Hansa {
    fn outlook(&self, state: &State, player: usize) -> Outlook {
        let time = self.time(state);
        let mut worth = [0.0; MOST_TYPES];
        let seat = &state.seats[player];
        for (marker, worth) in worth.iter_mut().enumerate().take(self.types) {
            let others = seat.unsold.colours[marker / BARRELS];
            *worth = self.promise(marker as Marker, others >= self.components.sale_least, time);
        }
        Outlook { player, time, worth }
    }

    /// What an unsold marker promises, alone or in a set that can be sold.
    #[inline]
    fn promise(&self, marker: Marker, paired: bool, time: f32) -> f32 {
        let gain = self.sold(marker) - self.components.unsold_points as f32;
        self.components.unsold_points as f32 + gain * time * if paired { PAIRED } else { ALONE }
    }

    /// Points for a marker when it is sold.
    #[inline]
    fn sold(&self, marker: Marker) -> f32 {
        self.components.sold_points[marker as usize % BARRELS] as f32
    }

    /// How much of a promise there is still time to keep, from 0 to 1.
    fn time(&self, state: &State) -> f32 {
        if state.opened_by != NOBODY {
            return 0.0;
        }
        let last = f32::from(self.components.piles[PILES - 1]);
        ((f32::from(state.left) - last) / (EARLY * last)).clamp(0.0, 1.0).mul_add(1.0 - LATE, LATE)
    }

    /// What spending one of so many Talers costs.
    #[inline]
    fn cost(&self, talers: u8, outlook: &Outlook) -> f32 {
        if talers > self.components.keep_talers { WASTE } else { TALER * outlook.time + WASTE }
    }

    #[inline]
    fn buy_gain(&self, state: &State, outlook: &Outlook, marker: Marker) -> f32 {
        let unsold = &state.seats[outlook.player].unsold;
        let colour = marker as usize / BARRELS;
        let mates = unsold.colours[colour];
        let least = self.components.sale_least;
        let mut gain = self.promise(marker, mates + 1 >= least, outlook.time);
        if mates + 1 == least {
            // The mates have been worth less alone.
            for mate in colour * BARRELS..(colour + 1) * BARRELS {
                let more = self.promise(mate as Marker, true, outlook.time) - outlook.worth[mate];
                gain += f32::from(unsold.counts[mate]) * more;
            }
        }
        if unsold.size >= self.components.keep_goods && mates == 0 {
            // One of them has to go.
            let least_worth = ones(u64::from(unsold.types)).map(|held| outlook.worth[held as usize]);
            gain -= least_worth.fold(gain, f32::min);
        }
        gain
    }

    #[inline]
    fn build_gain(&self, state: &State, outlook: &Outlook, city: usize, marker: Marker) -> f32 {
        let seat = &state.seats[outlook.player];
        let built = (marker % BARRELS as u8 + 1).min(seat.reserve);
        self.booth_gain(state, outlook, city, built) - outlook.worth[marker as usize]
    }

    /// What so many more booths in a city bring.
    fn booth_gain(&self, state: &State, outlook: &Outlook, city: usize, built: u8) -> f32 {
        let booths = &state.booths[city];
        let own = booths[outlook.player];
        let (mut most, mut present) = (0, 0);
        for (player, &count) in booths.iter().enumerate() {
            if player != outlook.player {
                most = most.max(count);
                present += u8::from(count > 0);
            }
        }
        let mut gain = 0.0;
        if own == 0 {
            let (alone, shared) = (self.components.monopoly_points as f32, self.components.present_points as f32);
            gain += match present {
                0 => shared + (alone - shared) * (1.0 - 0.5 * outlook.time),
                1 => shared + (alone - shared) * OTHERS,
                _ => shared,
            };
        }
        let importance =
            outlook.time * LEAD * self.tables.traffic[city] * f32::from(self.components.cities[city].spaces);
        let standing = |own: u8| if own > most { 1.0 } else { OTHERS * f32::from(own == most && most > 0) };
        gain += importance * (standing(own + built) - standing(own));
        let spare = |count: u8| SPARE * outlook.time * f32::from(count.min(MOST_SPARE));
        gain + spare(own + built) - spare(own)
    }

    /// What selling these colours brings at the price of a booth.
    fn sell_gain(&self, state: &State, outlook: &Outlook, city: usize, colours: u8) -> f32 {
        let seat = &state.seats[outlook.player];
        let mut gain = 0.0;
        for colour in ones(u64::from(colours)) {
            for marker in colour * BARRELS as u8..(colour + 1) * BARRELS as u8 {
                let count = f32::from(seat.unsold.counts[marker as usize]);
                gain += count * (self.sold(marker) - outlook.worth[marker as usize]);
            }
            for player in (0..self.players).filter(|&player| player != outlook.player) {
                gain += LOSS * OTHERS * f32::from(u8::from(state.seats[player].unsold.colours[colour as usize] > 0));
            }
        }
        let own = state.booths[city][outlook.player];
        let alone = state.booths[city].iter().filter(|&&count| count > 0).count() == 1;
        let points = if alone { self.components.monopoly_points } else { self.components.present_points };
        gain - SPARE * outlook.time - if own == self.components.sale_booths { points as f32 } else { 0.0 }
    }

    /// The best that can be done in one visit with so many Talers, or nothing.
    fn visit_gain(&self, state: &State, outlook: &Outlook, city: usize, talers: u8, unseen: bool) -> f32 {
        let mut best = 0f32;
        let (price, _) = self.price(state, city, outlook.player);
        if price <= talers {
            let paid = f32::from(price) * self.cost(talers, outlook);
            for marker in ones(u64::from(state.types_in(city))) {
                best = best.max(self.buy_gain(state, outlook, marker) - paid);
            }
            if unseen && state.room >> city & 1 == 1 {
                best = best.max(UNSEEN - paid);
            }
        }
        let seat = &state.seats[outlook.player];
        if seat.reserve > 0 {
            for marker in ones(u64::from(seat.unsold.types)) {
                best = best.max(self.build_gain(state, outlook, city, marker));
            }
        }
        let sells = seat.unsold.colours_with(self.components.sale_least);
        if sells != 0 && state.booths[city][outlook.player] > 0 {
            best = best.max(self.sell_gain(state, outlook, city, sells));
        }
        best
    }

    /// The best ways from every city with up to so many Talers; with `unseen` markers in the empty spaces.
    fn plan(&self, state: &State, outlook: &Outlook, talers: u8, unseen: bool) -> Plan {
        let cities = self.components.cities.len();
        let far = usize::from(talers).min(FAR);
        let mut visit = [0.0; MOST_CITIES];
        for (city, visit) in visit.iter_mut().enumerate().take(cities) {
            *visit = self.visit_gain(state, outlook, city, talers.min(self.components.keep_talers), unseen);
        }
        let mut on = [[0.0; MOST_CITIES]; FAR + 1];
        let step = usize::from(self.components.move_cost);
        for left in step..=far {
            let cost = f32::from(self.components.move_cost) * self.cost(left as u8, outlook);
            for city in 0..cities {
                let mut best = 0f32;
                for next in ones(u64::from(self.components.routes[city])) {
                    best = best.max(visit[next as usize] + on[left - step][next as usize]);
                }
                on[left][city] = (best - cost).max(0.0);
            }
        }
        Plan { visit, on }
    }
}

impl Plan {
    /// What sailing on from a city with so many Talers brings.
    fn onward(&self, talers: u8, city: usize) -> f32 {
        self.on[usize::from(talers).min(FAR)][city]
    }
}

impl Judge for Hansa {
    fn preference(&self, state: &State, action: Action) -> f32 {
        let mut alone = 0.0;
        self.judge(state, &[action], |preference| alone = preference);
        alone
    }

    fn preferences(&self, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        self.judge(state, actions, |preference| out.push(preference));
    }

    fn estimate(&self, state: &State) -> PerPlayer<f32> {
        let scores = self.count_scores(state);
        PerPlayer::from_fn(self.players, |player| {
            let mut promised = scores[player] as f32;
            if state.phase != Phase::Over {
                let outlook = self.outlook(state, player);
                let seat = &state.seats[player];
                for marker in ones(u64::from(seat.unsold.types)) {
                    let more = outlook.worth[marker as usize] - self.components.unsold_points as f32;
                    promised += f32::from(seat.unsold.counts[marker as usize]) * more;
                }
                promised += TALER * outlook.time * f32::from(seat.talers.min(self.components.keep_talers));
            }
            promised
        })
    }
}

impl Hansa {
    /// Judges actions of one position, in their order.
    fn judge(&self, state: &State, actions: &[Action], mut tell: impl FnMut(f32)) {
        let player = usize::from(if state.phase == Phase::Lose { state.loser } else { state.active });
        let outlook = self.outlook(state, player);
        let city = state.ship as usize;
        let talers = state.seats[player].talers;
        // The other phases ask for no plan.
        let plan = match state.phase {
            Phase::Sail | Phase::Refill => self.plan(state, &outlook, talers, false),
            _ => Plan::default(),
        };
        for &action in actions {
            tell(match action {
                Action::Place(city) => {
                    self.booth_gain(state, &outlook, city as usize, self.components.booths_per_placement)
                }
                Action::Refill => {
                    // Full warehouses, and a Taler less.
                    let left = talers - self.components.refill_cost;
                    let filled = self.plan(state, &outlook, left, true);
                    let cost = f32::from(self.components.refill_cost) * self.cost(talers, &outlook);
                    filled.visit[city] + filled.onward(left, city) - cost
                }
                Action::Pass => plan.visit[city] + plan.onward(talers, city),
                Action::Sail(next) => {
                    let left = talers - self.components.move_cost;
                    let cost = f32::from(self.components.move_cost) * self.cost(talers, &outlook);
                    plan.visit[next as usize] + plan.onward(left, next as usize) - cost
                }
                Action::Buy(marker) => {
                    let (price, _) = self.price(state, city, player);
                    let paid = f32::from(price) * self.cost(talers, &outlook);
                    self.buy_gain(state, &outlook, marker) - paid + plan.onward(talers - price, city)
                }
                Action::Build(marker) => self.build_gain(state, &outlook, city, marker) + plan.onward(talers, city),
                Action::Sell(colours) => self.sell_gain(state, &outlook, city, colours) + plan.onward(talers, city),
                Action::End | Action::KeepNone => 0.0,
                Action::Keep(marker) | Action::Lose(marker) | Action::Discard(marker) => {
                    -outlook.worth[marker as usize]
                }
            });
        }
    }
}
