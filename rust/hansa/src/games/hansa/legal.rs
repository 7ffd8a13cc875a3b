//! What may be done now, and which rule forbids the rest.

use super::Hansa;
use super::action::{Action, Chance, Marker};
use super::components::BARRELS;
use super::state::{NOBODY, Phase, State};
use crate::core::IllegalMove;
use crate::core::parts::bits::ones;

/// What the active player may do while sailing (spec 6), as bit sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Menu {
    /// Cities that can be reached.
    pub(super) sails: u16,
    /// Types that can be bought.
    pub(super) buys: u32,
    /// Types that can be built with.
    pub(super) builds: u32,
    /// Colours that can be sold, alone or together.
    pub(super) sells: u8,
}

impl Hansa {
    #[inline(always)]
    pub(super) fn menu(&self, state: &State) -> Menu {
        let player = state.active as usize;
        let city = state.ship as usize;
        let seat = &state.seats[player];
        let can_sail = seat.talers >= self.components.move_cost;
        let mut menu =
            Menu { sails: if can_sail { self.components.routes[city] } else { 0 }, buys: 0, builds: 0, sells: 0 };
        if !state.acted {
            if self.price(state, city, player).0 <= seat.talers {
                menu.buys = state.types_in(city);
            }
            if seat.reserve > 0 {
                menu.builds = seat.unsold.types;
            }
            if state.booths[city][player] > 0 {
                menu.sells = seat.unsold.colours_with(self.components.sale_least);
            }
        }
        menu
    }

    /// Cities where the active player may put opening booths (spec 4.5).
    #[inline(always)]
    pub(super) fn placeable(&self, state: &State) -> u16 {
        let mut own = 0;
        for (city, booths) in state.booths.iter().enumerate() {
            own |= u16::from(booths[state.active as usize] > 0) << city;
        }
        self.components.placement_allowed & !own
    }

    /// Types of the colour in question that are still for sale (spec 7.2).
    #[inline(always)]
    pub(super) fn keepable(&self, state: &State) -> u32 {
        let mut types = 0;
        for barrels in 0..BARRELS as u8 {
            let marker = state.colour * BARRELS as u8 + barrels;
            types |= u32::from(state.for_sale(marker) > 0) << marker;
        }
        types
    }

    pub(super) fn list_actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.phase {
            Phase::Deal | Phase::Restock | Phase::Over => {}
            Phase::Place => out.extend(ones(u64::from(self.placeable(state))).map(Action::Place)),
            Phase::Refill => out.extend([Action::Refill, Action::Pass]),
            Phase::Sail => {
                let menu = self.menu(state);
                out.extend(ones(u64::from(menu.sails)).map(Action::Sail));
                out.extend(ones(u64::from(menu.buys)).map(Action::Buy));
                out.extend(ones(u64::from(menu.builds)).map(Action::Build));
                // Every subset but the empty one, in ascending order.
                let mut colours = 0u8;
                for _ in 1..1u32 << menu.sells.count_ones() {
                    colours = colours.wrapping_sub(menu.sells) & menu.sells;
                    out.push(Action::Sell(colours));
                }
                out.push(Action::End);
            }
            Phase::Keep => {
                out.extend(ones(u64::from(self.keepable(state))).map(Action::Keep));
                out.push(Action::KeepNone);
            }
            Phase::Lose => {
                let types = state.seats[state.loser as usize].unsold.of_colour(state.colour);
                out.extend(ones(u64::from(types)).map(Action::Lose));
            }
            Phase::Discard => {
                let types = state.seats[state.active as usize].unsold.types;
                out.extend(ones(u64::from(types)).map(Action::Discard));
            }
        }
    }

    pub(super) fn forbidden(&self, state: &State, action: Action) -> Result<(), IllegalMove> {
        let no = |rule, reason: String| Err(IllegalMove::new(rule, reason));
        let player = state.active;
        match (state.phase, action) {
            (Phase::Place, Action::Place(city)) => {
                if self.placeable(state) >> city & 1 == 1 {
                    return Ok(());
                }
                let name = self.city_id(city);
                if self.components.placement_allowed >> city & 1 == 0 {
                    return no("spec 4.5: opening booths only where they are allowed", format!("{name} is barred"));
                }
                no("spec 4.5: not into a city where one has booths", format!("player {player} has booths in {name}"))
            }
            (Phase::Refill, Action::Refill | Action::Pass) => Ok(()),
            (Phase::Sail, Action::End) => Ok(()),
            (Phase::Sail, Action::Sail(city)) => {
                let (from, to) = (self.city_id(state.ship), self.city_id(city));
                if self.components.routes[state.ship as usize] >> city & 1 == 0 {
                    return no("spec 6: sail along a route", format!("no route leads from {from} to {to}"));
                }
                let talers = state.seats[player as usize].talers;
                if talers < self.components.move_cost {
                    let cost = self.components.move_cost;
                    return no("spec 6: a step costs money", format!("player {player} has {talers} of {cost} Talers"));
                }
                Ok(())
            }
            (Phase::Sail, Action::Buy(_) | Action::Build(_) | Action::Sell(_)) if state.acted => {
                no("spec 5, phase 3: at most one action a visit", "this visit has seen an action".into())
            }
            (Phase::Sail, Action::Buy(marker)) => self.check_buy(state, marker),
            (Phase::Sail, Action::Build(marker)) => {
                let seat = &state.seats[player as usize];
                if !seat.unsold.has(marker) {
                    return no(
                        "spec 6: build with an own unsold marker",
                        format!("player {player} has no {}", self.marker_name(marker)),
                    );
                }
                if seat.reserve == 0 {
                    return no("spec 6: build with a booth in reserve", format!("player {player} has none left"));
                }
                Ok(())
            }
            (Phase::Sail, Action::Sell(colours)) => self.check_sell(state, colours),
            (Phase::Keep, Action::KeepNone) => Ok(()),
            (Phase::Keep, Action::Keep(marker)) => {
                if marker / BARRELS as u8 != state.colour {
                    let asked = &self.components.colours[state.colour as usize];
                    return no("spec 7.2: colour by colour", format!("the colour asked for is {asked}"));
                }
                if state.for_sale(marker) == 0 {
                    return no(
                        "spec 7.2: keep a marker that is for sale",
                        format!("no {} of player {player} is for sale", self.marker_name(marker)),
                    );
                }
                Ok(())
            }
            (Phase::Lose, Action::Lose(marker)) => {
                if marker / BARRELS as u8 != state.colour {
                    let asked = &self.components.colours[state.colour as usize];
                    return no("spec 7.4: one pair after the other", format!("the colour to lose is {asked}"));
                }
                if !state.seats[state.loser as usize].unsold.has(marker) {
                    return no(
                        "spec 7.4: lose an own unsold marker",
                        format!("player {} has no {}", state.loser, self.marker_name(marker)),
                    );
                }
                Ok(())
            }
            (Phase::Discard, Action::Discard(marker)) => {
                if state.seats[player as usize].unsold.has(marker) {
                    return Ok(());
                }
                no(
                    "spec 5, phase 4: discard an own unsold marker",
                    format!("player {player} has no {}", self.marker_name(marker)),
                )
            }
            (phase, _) => {
                let when = match action {
                    Action::Place(_) => "booths are placed before the first turn",
                    Action::Refill | Action::Pass => "a refill is decided at the start of a turn",
                    Action::Sail(_) | Action::Buy(_) | Action::Build(_) | Action::Sell(_) | Action::End => {
                        "that is done while sailing"
                    }
                    Action::Keep(_) | Action::KeepNone => "markers are kept inside a sale",
                    Action::Lose(_) => "markers are lost in the sale of another player",
                    Action::Discard(_) => "markers are discarded at the end of a turn",
                };
                no("spec 5: every node asks for one kind of move", format!("{when}, {}", expected(phase)))
            }
        }
    }

    fn check_buy(&self, state: &State, marker: Marker) -> Result<(), IllegalMove> {
        let (player, city) = (state.active as usize, state.ship as usize);
        if state.types_in(city) >> marker & 1 == 0 {
            return Err(IllegalMove::new(
                "spec 6: buy in the ship's city",
                format!("no {} lies in {}", self.marker_name(marker), self.city_id(state.ship)),
            ));
        }
        let (price, payee) = self.price(state, city, player);
        let talers = state.seats[player].talers;
        if talers < price {
            let to = if payee == NOBODY { "the bank".to_owned() } else { format!("player {payee}") };
            return Err(IllegalMove::new(
                "spec 6: the price of a purchase",
                format!("{price} to {to} and player {player} has {talers}"),
            ));
        }
        Ok(())
    }

    fn check_sell(&self, state: &State, colours: u8) -> Result<(), IllegalMove> {
        let player = state.active as usize;
        if state.booths[state.ship as usize][player] == 0 {
            return Err(IllegalMove::new(
                "spec 6: sell where one has a booth",
                format!("player {player} has none in {}", self.city_id(state.ship)),
            ));
        }
        let lacking = colours & !state.seats[player].unsold.colours_with(self.components.sale_least);
        if colours == 0 || lacking != 0 {
            let what = match self.components.colours.get(lacking.trailing_zeros() as usize) {
                Some(name) => format!("player {player} has fewer than {} {name} ones", self.components.sale_least),
                None => "no colour is named".to_owned(),
            };
            return Err(IllegalMove::new("spec 6: enough own unsold markers of each colour sold", what));
        }
        Ok(())
    }

    pub(super) fn list_outcomes(&self, state: &State, out: &mut Vec<(Chance, u32)>) {
        if matches!(state.phase, Phase::Deal | Phase::Restock) {
            let left = state.supply.iter().enumerate().filter(|&(_, &count)| count > 0);
            out.extend(left.map(|(marker, &count)| (Chance(marker as Marker), u32::from(count))));
        }
    }

    pub(super) fn impossible(&self, state: &State, Chance(marker): Chance) -> Result<(), IllegalMove> {
        let no = |rule, reason: String| Err(IllegalMove::new(rule, reason));
        if !matches!(state.phase, Phase::Deal | Phase::Restock) {
            return no("spec 10: chance deals markers into empty spaces", expected(state.phase).to_owned());
        }
        if state.supply.get(marker as usize).is_none_or(|&count| count == 0) {
            return no("spec 10: draw an undrawn marker", format!("no {} is left", self.marker_name(marker)));
        }
        Ok(())
    }
}

fn expected(phase: Phase) -> &'static str {
    match phase {
        Phase::Deal | Phase::Restock => "a marker is to be dealt",
        Phase::Place => "opening booths are to be placed",
        Phase::Refill => "it is to be said whether to refill",
        Phase::Sail => "the active player sails, acts or ends",
        Phase::Keep => "it is to be said which marker to keep out of the sale",
        Phase::Lose => "it is to be said which marker is lost",
        Phase::Discard => "a marker is to be discarded",
        Phase::Over => "the game is over",
    }
}
