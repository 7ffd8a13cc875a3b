//! Every worked example of `tests/games/queen_of_hansa/examples.json` through the engine's own functions; tables of the
//! rules through the loaded rule data, situations through real positions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hansa::catalogue::find;
use hansa::core::load::{GameInfo, Override, load};
use hansa::core::{PerPlayer, Rng, Stream};
use hansa::games::queen_of_hansa::{
    Components, DRAFT, PUBLISHED, Queen, chooser, city_profit, golden_ship_profit, luxury_profit, parliament_profit,
    persons_profit, prosperity_change, ranking, support,
};
use hansa::table::{AnyGame, RulesSource, Table};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Examples {
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    id: String,
    ruleset: String,
    kind: String,
    input: Value,
    expected: Value,
}

impl Example {
    fn info(&self) -> &'static GameInfo {
        match self.ruleset.as_str() {
            "final" => &PUBLISHED,
            "v42" => &DRAFT,
            other => panic!("{}: no ruleset {other:?}", self.id),
        }
    }

    /// The rule data at the largest table.
    fn components(&self, players: usize) -> Components {
        let loaded = load::<Queen>(self.info(), Override::None, players, &BTreeMap::new());
        loaded.expect("the game loads").game.components().clone()
    }

    fn game(&self) -> Arc<dyn AnyGame> {
        let entry = find(self.info().id).expect("the game is in the catalogue");
        entry.load(Some(4), &BTreeMap::new(), RulesSource::Embedded).expect("the game loads")
    }

    fn list<T: serde::de::DeserializeOwned>(&self, key: &str) -> Vec<T> {
        let value = self.input.get(key).unwrap_or_else(|| panic!("{}: no input {key:?}", self.id));
        serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{}: {key}: {error}", self.id))
    }

    fn per_player<T: Copy + Default + serde::de::DeserializeOwned>(&self, key: &str) -> PerPlayer<T> {
        let values: Vec<T> = self.list(key);
        PerPlayer::from_fn(values.len(), |player| values[player])
    }

    /// What the engine says.
    fn answer(&self) -> Value {
        let components = self.components(4);
        match self.kind.as_str() {
            "city_scoring" => {
                let fixed = self.input["space_fixed"].as_u64().expect("a number");
                let space = components.track.iter().find(|space| u64::from(space.fixed) == fixed);
                let space = space.unwrap_or_else(|| panic!("{}: no space shows {fixed}", self.id));
                numbers(&city_profit(&self.per_player("totals"), *space, components.zero_total_earns))
            }
            "ranking" => {
                let ranks = ranking(&self.per_player("values"));
                ranks.iter().map(|rank| json!(rank + 1)).collect()
            }
            "luxury_types" => {
                let pieces = |types: u8| std::array::from_fn(|color| u8::from(color < usize::from(types)));
                let types: Vec<u8> = self.list("types");
                types.into_iter().map(|types| json!(luxury_profit(&components, pieces(types)))).collect()
            }
            "persons" => {
                let copies: [u8; 8] = self.list("counts").try_into().expect("eight letters");
                json!(persons_profit(&components, copies))
            }
            "person_types" => {
                let types: Vec<u8> = self.list("types");
                let copies = |types: u8| std::array::from_fn(|letter| u8::from(letter < usize::from(types)));
                types.into_iter().map(|types| json!(persons_profit(&components, copies(types)))).collect()
            }
            "same_person" => {
                // One letter owned so often; the profit for one different letter is taken off again.
                let copies: Vec<u8> = self.list("copies");
                let one = |copies: u8| {
                    let profit = persons_profit(&components, [copies, 0, 0, 0, 0, 0, 0, 0]);
                    profit - if copies > 0 { persons_profit(&components, [1, 0, 0, 0, 0, 0, 0, 0]) } else { 0 }
                };
                copies.into_iter().map(|copies| json!(one(copies))).collect()
            }
            "golden_ship" => {
                let table = components.golden_ship.expect("the published game has a Golden Ship");
                numbers(&golden_ship_profit(table, &self.per_player("ships")))
            }
            "prosperity_change" => {
                let mut levels: Vec<u8> = self.list("start");
                for (nth, city) in self.list::<usize>("order").into_iter().enumerate() {
                    levels[city] = prosperity_change(&components, levels[city], nth);
                }
                json!(levels)
            }
            "support" => {
                let levels: [u8; 4] = self.list("start").try_into().expect("four cities");
                json!(support(&components, levels))
            }
            "rank_to_city" => {
                let fixed: [u8; 4] = self.list("city_fixed").try_into().expect("four cities");
                numbers(&parliament_profit(&self.per_player("totals"), fixed, components.zero_total_ranks))
            }
            "start_player_chooser" => {
                let (order, profit): (Vec<usize>, Vec<u16>) = (self.list("turn_order"), self.list("profit"));
                json!(chooser(&components, &order, &profit))
            }
            "deck_counts" => self.deck_counts(),
            "slide" => self.slide(),
            "narrative_move" => self.narrative(),
            "winner" => self.winner(),
            other => panic!("{}: no test knows examples of the kind {other:?}", self.id),
        }
    }

    /// Cards that set-up, hands and both refills use, in the order of the columns of the rules.
    fn deck_counts(&self) -> Value {
        let players = self.input["players"].as_u64().expect("a number") as usize;
        let components = self.components(players);
        let needed = |kind: usize| {
            let hands = if usize::from(components.hand_luxury) == kind { 2 * players as u32 } else { 0 };
            u32::from(components.setup[kind]) + 2 * u32::from(components.refill[kind]) + hands
        };
        let available = components.decks.map(u64::count_ones);
        assert_eq!([needed(0), needed(1)], available, "{}: cards needed and cards available", self.id);
        // The draft's first column is the luxury deck under its default reading (open question D1).
        if self.ruleset == "v42" { json!([available[1], available[0]]) } else { json!(available) }
    }

    /// A take from a real row of that length.
    fn slide(&self) -> Value {
        let (names, place): (Vec<String>, usize) =
            (self.list("row"), self.input["take"].as_u64().expect("a place") as usize);
        let found = positions(&self.game()).find_map(|table| {
            let state = table.json();
            let rows = state["board"].as_object().expect("rows").clone();
            let (city, row) =
                rows.into_iter().find(|(_, row)| row.as_array().is_some_and(|row| row.len() == names.len()))?;
            if state["phase"] != "take" {
                return None;
            }
            let cards = codes(&row);
            let after = table.after(table.read_move(&format!("take {}", cards[place])).ok()?).ok()?;
            let name_of =
                |card: &String| names[cards.iter().position(|other| other == card).expect("an old card")].clone();
            let now = after.json();
            // The last turn of a round would hide how often prosperity has changed.
            let changes = now["changes"].as_u64()? - state["changes"].as_u64()?;
            let left: Vec<String> = codes(&now["board"][&city]).iter().map(name_of).collect();
            Some(json!({"taken": names[place], "row": left, "change": changes == 1}))
        });
        found.unwrap_or_else(|| panic!("{}: no such position in random games", self.id))
    }

    /// A face-up play of a London card and the take of a luxury card with a black piece from London.
    fn narrative(&self) -> Value {
        let city = self.input["from_city"].as_str().expect("a city");
        let piece = self.input["piece_on_card"].as_str().expect("a color");
        assert_eq!(self.input["played"], json!({"city": city, "face": "up"}), "{}", self.id);
        let (game, components) = (self.game(), self.components(4));
        let city_of = |code: &str| {
            let card = components.codes.iter().position(|known| known == code).expect("a card");
            components.cities[components.cards[card].city as usize].clone()
        };
        let found = positions(&game).find_map(|table| {
            let state = table.json();
            let player = state["turn"].as_u64()? as usize;
            let played = state["players"][player]["kontor"].as_array()?.last()?.clone();
            if state["phase"] != "take" || played["face"] != "up" || city_of(played["card"].as_str()?) != city {
                return None;
            }
            let spaces = state["board"][city].as_array()?;
            let space = spaces.iter().take(2).find(|space| space["piece"] == piece)?;
            let taken = space["card"].as_str()?;
            let after = table.after(table.read_move(&format!("take {taken}")).ok()?).ok()?.json();
            let (old, new) = (&state["players"][player], &after["players"][player]);
            let gains =
                |color: &str| new["pieces"][color].as_i64().zip(old["pieces"][color].as_i64()).map(|(n, o)| n - o);
            let colors: Vec<&String> = components.colors.iter().filter(|color| gains(color) == Some(1)).collect();
            // The settlement of the draft or the end of a round may follow at once.
            if after["phase"] != "play" {
                return None;
            }
            assert!(new["hand"].as_array()?.iter().any(|card| card == taken), "the card joins the hand");
            let kontor = new["kontor"].as_array()?.last()?.clone();
            Some(json!({
                "hand_size_after": new["hand"].as_array()?.len(),
                "kontor_face_up_gain": format!("{} card", city_of(kontor["card"].as_str()?)),
                "kontor_piece_gain": colors.first()?,
                "note": self.expected["note"],
            }))
        });
        let found = found.unwrap_or_else(|| panic!("{}: no such position in random games", self.id));
        // The note says for which city the piece counts: the one of its color.
        let counts_for = components.colors.iter().position(|color| color == piece).expect("a color");
        assert_eq!(components.cities[counts_for], "novgorod", "{}: {}", self.id, self.expected["note"]);
        found
    }

    /// The players with rank 0 at an end with these tie-breaks, whose profits are set.
    fn winner(&self) -> Value {
        let keys: Vec<(i64, i64)> = self.list("keys");
        let (game, components) = (self.game(), self.components(keys.len()));
        let second = |player: &Value| -> i64 {
            let kontor = player["kontor"].as_array().expect("cards");
            let card = |entry: &Value| {
                let code = entry["card"].as_str().expect("a code");
                components.cards[components.codes.iter().position(|known| known == code).expect("a card")]
            };
            if self.ruleset == "final" {
                kontor.iter().filter_map(|entry| card(entry).letter).collect::<BTreeSet<u8>>().len() as i64
            } else {
                kontor.iter().filter(|entry| entry["face"] == "down").map(|entry| i64::from(card(entry).power)).sum()
            }
        };
        let found = (0..200_000).find_map(|number| {
            let mut rng = Rng::stream(11, Stream::User, number);
            let mut state = Arc::clone(&game).start().finished(&mut rng).json();
            let seconds: Vec<i64> = state["players"].as_array()?.iter().map(second).collect();
            // Only the order matters: the cards do not allow just these numbers of letters, nor three first ranks and a second.
            let pairs = (0..keys.len()).flat_map(|one| (0..keys.len()).map(move |two| (one, two)));
            let fits =
                pairs.into_iter().all(|(one, two)| keys[one].1.cmp(&keys[two].1) == seconds[one].cmp(&seconds[two]));
            if !fits {
                return None;
            }
            for (player, key) in keys.iter().enumerate() {
                state["players"][player]["profit"] = json!(key.0);
            }
            let table = Arc::clone(&game).state_from_json(&state).expect("profits may be anything");
            let ranks = table.ranks();
            Some((0..keys.len()).filter(|&player| ranks[player] == 0).collect::<Vec<_>>())
        });
        json!(found.unwrap_or_else(|| panic!("{}: no such end in random games", self.id)))
    }
}

fn numbers(values: &PerPlayer<i32>) -> Value {
    values.iter().map(|value| json!(value)).collect()
}

fn codes(row: &Value) -> Vec<String> {
    let spaces = row.as_array().expect("a row");
    spaces.iter().map(|space| space["card"].as_str().expect("a card").to_owned()).collect()
}

/// Every position of many random games.
fn positions(game: &Arc<dyn AnyGame>) -> impl Iterator<Item = Box<dyn Table>> {
    let game = Arc::clone(game);
    (0..400).flat_map(move |number| {
        let mut rng = Rng::stream(12, Stream::User, number);
        let mut next = Some(Arc::clone(&game).start());
        std::iter::from_fn(move || {
            let table = next.take()?;
            next = table.random_move(&mut rng).map(|mv| table.after(mv).expect("a random move is possible"));
            Some(table)
        })
    })
}

#[test]
fn worked_examples_come_out_as_they_are_written() {
    let text = include_str!("../../../tests/games/queen_of_hansa/examples.json");
    let Examples { examples } = serde_json::from_str(text).expect("the examples are JSON");
    assert!(examples.len() > 40, "{} examples", examples.len());
    let mut wrong = Vec::new();
    for example in &examples {
        let answer = example.answer();
        if answer != example.expected {
            wrong.push(format!("{}: {answer}, must be {}", example.id, example.expected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
