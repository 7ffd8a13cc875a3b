//! The canonical state as JSON (notation "Canonical state"), written and read. A view is the same object.

use serde_json::{Value, json};

use super::Hansa;
use super::action::Marker;
use super::components::PILES;
use super::state::{Goods, MOST_TYPES, NOBODY, Phase, Seat, State};
use crate::core::FormatError;
use crate::core::parts::bits::ones;
use crate::core::parts::json::{Node, Read};

const KEYS: [&str; 14] = [
    "phase",
    "turn",
    "active",
    "ship",
    "acted",
    "players",
    "warehouses",
    "supply",
    "piles",
    "out",
    "opened_by",
    "idle",
    "idle_rounds",
    "sale",
];
const SEAT_KEYS: [&str; 5] = ["talers", "reserve", "booths", "unsold", "sold"];
const SALE_KEYS: [&str; 3] = ["colours", "colour", "kept"];

impl Hansa {
    pub(super) fn write_state(&self, state: &State) -> Value {
        let active = match state.phase {
            Phase::Deal | Phase::Over => Value::Null,
            _ => json!(state.active),
        };
        let turn = match state.phase {
            Phase::Deal | Phase::Restock => json!("chance"),
            Phase::Over => json!("over"),
            Phase::Lose => json!(state.loser),
            _ => json!(state.active),
        };
        let players: Vec<Value> = (0..self.players).map(|player| self.write_seat(state, player)).collect();
        let warehouses: serde_json::Map<String, Value> = self
            .components
            .cities
            .iter()
            .enumerate()
            .map(|(index, city)| {
                let markers = &state.stock[index][..state.stock_size(index) as usize];
                (city.id.clone(), markers.iter().map(|&marker| self.marker_name(marker)).collect())
            })
            .collect();
        let piles = if state.phase == Phase::Deal { Value::Null } else { json!(self.piles(state.left)) };
        let sale = if matches!(state.phase, Phase::Keep | Phase::Lose) {
            let colours: Vec<&String> =
                ones(u64::from(state.sale)).map(|colour| &self.components.colours[colour as usize]).collect();
            json!({
                "colours": colours,
                "colour": self.components.colours[state.colour as usize],
                "kept": self.write_counts(&state.kept),
            })
        } else {
            Value::Null
        };
        json!({
            "phase": state.phase,
            "turn": turn,
            "active": active,
            "ship": self.city_id(state.ship),
            "acted": state.acted,
            "players": players,
            "warehouses": warehouses,
            "supply": self.write_counts(&state.supply),
            "piles": piles,
            "out": self.write_counts(&state.out),
            "opened_by": (state.opened_by != NOBODY).then_some(state.opened_by),
            "idle": state.idle,
            "idle_rounds": state.idle_rounds,
            "sale": sale,
        })
    }

    fn write_seat(&self, state: &State, player: usize) -> Value {
        let seat = &state.seats[player];
        let booths: serde_json::Map<String, Value> = self
            .components
            .cities
            .iter()
            .enumerate()
            .filter(|&(city, _)| state.booths[city][player] > 0)
            .map(|(index, city)| (city.id.clone(), json!(state.booths[index][player])))
            .collect();
        json!({
            "talers": seat.talers,
            "reserve": seat.reserve,
            "booths": booths,
            "unsold": self.write_counts(&seat.unsold.counts),
            "sold": self.write_counts(&seat.sold),
        })
    }

    /// Each marker once a copy.
    fn write_counts(&self, counts: &[u8; MOST_TYPES]) -> Value {
        counts
            .iter()
            .enumerate()
            .flat_map(|(marker, &count)| (0..count).map(move |_| self.marker_name(marker as Marker)))
            .collect()
    }

    /// What is left of each pile; they are used in order (spec 4.3).
    pub(super) fn piles(&self, left: u8) -> [u8; PILES] {
        let mut piles = self.components.piles;
        let mut used = piles.iter().map(|&pile| u32::from(pile)).sum::<u32>().saturating_sub(u32::from(left));
        for pile in &mut piles {
            let taken = used.min(u32::from(*pile));
            *pile -= taken as u8;
            used -= taken;
        }
        piles
    }

    pub(super) fn read_state(&self, json: &Value) -> Read<State> {
        let root = Node::root(json);
        root.object(&KEYS)?;
        let mut state = self.starting_state();
        let Ok(phase) = serde_json::from_value(root.key("phase").value.clone()) else {
            return root.key("phase").wrong("the kind of the node ahead, e.g. sail");
        };
        state.phase = phase;
        let ids: Vec<&str> = self.components.cities.iter().map(|city| city.id.as_str()).collect();
        let active = root.key("active");
        state.active = match phase {
            Phase::Deal | Phase::Over if active.value.is_null() => 0,
            Phase::Deal | Phase::Over => return active.wrong("null"),
            _ => active.byte(self.players - 1)?,
        };
        self.read_turn(&root.key("turn"), &mut state)?;
        state.ship = root.key("ship").one_of(&ids)? as u8;
        state.acted = root.key("acted").flag()?;
        let seats = root.key("players").items(self.players)?;
        if seats.len() != self.players {
            let problem = format!("has {} players, must have {}", seats.len(), self.players);
            return Err(FormatError::new("players", problem));
        }
        for (player, node) in seats.iter().enumerate() {
            state.seats[player] = self.read_seat(node, &mut state, player, &ids)?;
        }
        let warehouses = root.key("warehouses");
        warehouses.object(&ids)?;
        for (city, id) in ids.iter().enumerate() {
            let spaces = self.components.cities[city].spaces;
            let markers = self.read_markers(&warehouses.key(id), usize::from(spaces))?;
            state.empty -= markers.len() as u8;
            if markers.len() == usize::from(spaces) {
                state.room &= !(1 << city);
            }
            markers.into_iter().for_each(|marker| state.stow(city, marker));
        }
        state.supply = self.read_counts(&root.key("supply"))?;
        state.left = state.supply.iter().sum();
        state.out = self.read_counts(&root.key("out"))?;
        let piles = root.key("piles");
        let expected = if phase == Phase::Deal { Value::Null } else { json!(self.piles(state.left)) };
        if *piles.value != expected {
            return piles.wrong(&format!("{expected}, what the supply leaves of the piles"));
        }
        let opened_by = root.key("opened_by");
        state.opened_by = if opened_by.value.is_null() { NOBODY } else { opened_by.byte(self.players - 1)? };
        state.idle = root.key("idle").flag()?;
        state.idle_rounds = root.key("idle_rounds").byte(usize::from(self.components.stall_limit))?;
        self.read_sale(&root.key("sale"), &mut state)?;
        Ok(state)
    }

    fn read_turn(&self, node: &Node<'_>, state: &mut State) -> Read<()> {
        let expected = match state.phase {
            Phase::Deal | Phase::Restock => json!("chance"),
            Phase::Over => json!("over"),
            Phase::Lose => {
                state.loser = node.byte(self.players - 1)?;
                return Ok(());
            }
            _ => json!(state.active),
        };
        if *node.value == expected { Ok(()) } else { node.wrong(&expected.to_string()) }
    }

    fn read_seat(&self, node: &Node<'_>, state: &mut State, player: usize, ids: &[&str]) -> Read<Seat> {
        node.object(&SEAT_KEYS)?;
        let most = usize::from(self.components.booths);
        let booths = node.key("booths");
        let Some(object) = booths.value.as_object() else { return booths.wrong("an object") };
        for id in object.keys() {
            let Some(city) = ids.iter().position(|known| known == id) else {
                return booths.wrong(&format!("booths by city, which {id:?} is not"));
            };
            let count = booths.key(id).byte(most)?;
            if count == 0 {
                return booths.key(id).wrong("at least 1: cities without booths are left out");
            }
            state.booths[city][player] = count;
        }
        Ok(Seat {
            talers: node.key("talers").byte(usize::from(u8::MAX))?,
            reserve: node.key("reserve").byte(most)?,
            unsold: Goods::of(self.read_markers(&node.key("unsold"), usize::from(u8::MAX))?),
            sold: self.read_counts(&node.key("sold"))?,
        })
    }

    /// Markers in canonical order.
    fn read_markers(&self, node: &Node<'_>, most: usize) -> Read<Vec<Marker>> {
        let mut markers = Vec::new();
        for item in node.items(most)? {
            let Some(text) = item.value.as_str() else { return item.wrong("a marker, a colour and its barrels") };
            markers.push(self.parse_marker(text).map_err(|problem| FormatError::new(&*item.path, problem.message))?);
        }
        if markers.is_sorted() { Ok(markers) } else { node.wrong("sorted by colour, then by barrels") }
    }

    fn read_counts(&self, node: &Node<'_>) -> Read<[u8; MOST_TYPES]> {
        Ok(Goods::of(self.read_markers(node, usize::from(u8::MAX))?).counts)
    }

    fn read_sale(&self, node: &Node<'_>, state: &mut State) -> Read<()> {
        if !matches!(state.phase, Phase::Keep | Phase::Lose) {
            return if node.value.is_null() { Ok(()) } else { node.wrong("null outside a sale") };
        }
        node.object(&SALE_KEYS)?;
        let names: Vec<&str> = self.components.colours.iter().map(String::as_str).collect();
        for item in node.key("colours").items(names.len())? {
            let colour = item.one_of(&names)?;
            if state.sale >> colour != 0 {
                return node.key("colours").wrong("each colour once, in colour order");
            }
            state.sale |= 1 << colour;
        }
        state.colour = node.key("colour").one_of(&names)? as u8;
        state.kept = self.read_counts(&node.key("kept"))?;
        Ok(())
    }
}
