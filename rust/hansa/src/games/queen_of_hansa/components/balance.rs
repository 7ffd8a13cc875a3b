//! Whether cards, spaces, turns and pieces fit together.

use crate::core::load::Reader;

use super::Ruleset;
use super::deck::{self, Deck};

const KINDS: [&str; 2] = ["normal", "luxury"];

/// The numbers for one number of players; by kind as `[normal, luxury]`.
#[derive(Debug)]
pub(super) struct Row {
    players: u32,
    pub(super) turns: u8,
    pub(super) spaces: u8,
    pub(super) setup: [u8; 2],
    pub(super) refill: [u8; 2],
    removed: u32,
    removed_by_kind: [u32; 2],
    /// The kind of the deck from which hands are dealt.
    hands: usize,
    /// Where it stands, and how its keys name the two kinds.
    path: String,
    names: [&'static str; 2],
}

impl Row {
    /// Reads the row; under an inverted reading of the draft, column 1 holds the normal cards.
    pub(super) fn read(reader: &mut Reader<'_>, ruleset: Ruleset, players: usize, inverted: bool) -> Option<Self> {
        let names = match (ruleset, inverted) {
            (Ruleset::Published, _) => KINDS,
            (Ruleset::Draft, false) => ["column2", "column1"],
            (Ruleset::Draft, true) => ["column1", "column2"],
        };
        let path = format!("{}.players.{players}", ruleset.section());
        let turns = reader.integer(&format!("{path}.turns_per_round"), 1..=6u8);
        let spaces = reader.integer(&format!("{path}.spaces_per_city"), 3..=5u8);
        let setup = names.map(|name| reader.integer(&format!("{path}.setup_{name}"), 0..=60u8));
        let refill = names.map(|name| reader.integer(&format!("{path}.refill_{name}"), 0..=60u8));
        let removed = reader.integer(&format!("{path}.removed"), 0..=60u32);
        let by_kind = names.map(|name| reader.integer(&format!("{path}.removed_{name}"), 0..=60u32));
        Some(Self {
            players: u32::try_from(players).ok()?,
            turns: turns?,
            spaces: spaces?,
            setup: [setup[0]?, setup[1]?],
            refill: [refill[0]?, refill[1]?],
            removed: removed?,
            removed_by_kind: [by_kind[0]?, by_kind[1]?],
            hands: usize::from(inverted),
            path,
            names,
        })
    }

    fn keys(&self, key: &str) -> [String; 2] {
        self.names.map(|name| format!("{}.{key}_{name}", self.path))
    }
}

/// Checks the way of cards and pieces through a game: the board is filled, every deck is dealt to its last card, a card
/// can always be taken, and the bag is never short.
pub(super) fn flow(reader: &mut Reader<'_>, ruleset: Ruleset, deck: &Deck, row: &Row, bag: Option<u8>) {
    let players = row.players;
    let (setup, refill) = (row.setup.map(u32::from), row.refill.map(u32::from));
    let (board, taken) = (4 * u32::from(row.spaces), players * u32::from(row.turns));
    let (turns_key, spaces_key) = (format!("{}.turns_per_round", row.path), format!("{}.spaces_per_city", row.path));
    let (setup_keys, refill_keys) = (row.keys("setup"), row.keys("refill"));

    if setup[0] + setup[1] != board {
        let message = format!(
            "lays {} cards at set-up, must lay {board}: 4 cities of {} spaces",
            setup[0] + setup[1],
            row.spaces
        );
        reader.conflict(&[&setup_keys[0], &setup_keys[1], &spaces_key, &row.path], message);
    }
    if refill[0] + refill[1] != taken {
        let message = format!(
            "lays {} cards after a round, must lay {taken}: {players} players take {} each",
            refill[0] + refill[1],
            row.turns
        );
        reader.conflict(&[&refill_keys[0], &refill_keys[1], &turns_key, &row.path], message);
    }
    if taken >= board {
        let message =
            format!("{players} players take {taken} cards in a round, must be less than the {board} on the board");
        reader.conflict(&[&turns_key, &spaces_key, &row.path], message);
    }

    let deck_path = deck::path(ruleset);
    let in_play = deck.in_play(players as usize).map(u64::count_ones);
    for kind in 0..2 {
        let name = KINDS[kind];
        let hands = if kind == row.hands { 2 * players } else { 0 };
        let needed = setup[kind] + 2 * refill[kind] + hands;
        let places = [setup_keys[kind].as_str(), &refill_keys[kind], &deck_path, &row.path];
        if needed != in_play[kind] {
            let mut sum = format!("{} at set-up, 2 x {} after rounds", setup[kind], refill[kind]);
            if hands > 0 {
                sum += &format!(", {hands} in hands");
            }
            let has = in_play[kind];
            reader.conflict(
                &places,
                format!("needs {needed} {name} cards with {players} players ({sum}), the deck has {has}"),
            );
        } else if hands > 0 && in_play[kind] - setup[kind] < 4 * players {
            let left = in_play[kind] - setup[kind];
            let message = format!(
                "deals {} {name} cards to {players} players, the deck has {left} left after set-up",
                4 * players
            );
            reader.conflict(&places, message);
        }
        let left_out = deck.cards.iter().filter(|card| u32::from(card.min_players) > players);
        let left_out = left_out.filter(|card| usize::from(card.luxury) == kind).count() as u32;
        let given = row.removed_by_kind[kind];
        if given != left_out {
            let key = &row.keys("removed")[kind];
            let message =
                format!("removes {given} {name} cards with {players} players, min_players removes {left_out}");
            reader.conflict(&[key, &deck_path, key], message);
        }
    }
    let left_out = 60 - in_play[0] - in_play[1];
    if row.removed != left_out {
        let key = format!("{}.removed", row.path);
        let message = format!("removes {} cards with {players} players, min_players removes {left_out}", row.removed);
        reader.conflict(&[&key, &deck_path, &key], message);
    }

    let Some(bag) = bag else { return };
    // Published: no piece comes back. Draft: at a refill pieces lie only on cards that were left over.
    let out = match ruleset {
        Ruleset::Published => setup[1] + 2 * refill[1],
        Ruleset::Draft => {
            let left_over = board.saturating_sub(taken);
            setup[1].max(refill[1] + left_over.min(setup[1] + refill[1]))
        }
    };
    let pieces = 4 * u32::from(bag);
    if out > pieces {
        let message = format!("puts up to {out} pieces on cards with {players} players, the bag has {pieces}");
        let bag_key = format!("{}.components.luxury_pieces_per_color", ruleset.section());
        reader.conflict(&[&bag_key, &setup_keys[1], &refill_keys[1], &row.path], message);
    }
}

/// Checks that the numbers in the list of components are those of the deck.
pub(super) fn box_contents(reader: &mut Reader<'_>, ruleset: Ruleset, inverted: bool, deck: &Deck) {
    // The list is made under reading B.
    let luxury = deck.cards.iter().filter(|card| card.luxury != inverted).count();
    let most = |count: &dyn Fn(u8) -> usize, values: u8| (0..values).map(count).max().unwrap_or(0);
    let in_city = |city: u8| deck.cards.iter().filter(|card| card.city == city).count();
    let copies = |letter: u8| deck.cards.iter().filter(|card| card.letter == Some(letter)).count();
    let mut facts = vec![
        ("trade_cards", deck.cards.len(), "cards"),
        ("cards_per_city", most(&in_city, 4), "cards in the largest city"),
        ("persons_types", 8, "letters"),
        ("copies_per_person", most(&copies, 8), "cards of the most frequent letter"),
    ];
    if ruleset == Ruleset::Published {
        facts.push(("normal_cards", deck.cards.len() - luxury, "normal cards"));
        facts.push(("luxury_cards", luxury, "luxury cards"));
    }
    for (key, right, what) in facts {
        let path = format!("{}.components.{key}", ruleset.section());
        let Some(given) = reader.integer(&path, 0..=i64::MAX) else { continue };
        if usize::try_from(given) != Ok(right) {
            let message = format!("{key} is {given}, the deck has {right} {what}");
            reader.conflict(&[&path, &deck::path(ruleset), &path], message);
        }
    }
}

/// Checks what the small integers of the engine and the tables of the scoring can hold.
pub(super) fn limits(
    reader: &mut Reader<'_>,
    ruleset: Ruleset,
    players: usize,
    deck: &Deck,
    bag: Option<u8>,
    copies_table: Option<usize>,
) {
    let deck_path = deck::path(ruleset);
    let (mut powers, mut copies) = ([0u32; 4], [0usize; 8]);
    for (_, card) in deck.used(players) {
        powers[usize::from(card.city)] += u32::from(card.power);
        if let Some(letter) = card.letter {
            copies[usize::from(letter)] += 1;
        }
    }
    for (city, power) in powers.into_iter().enumerate() {
        let pieces = u32::from(bag.unwrap_or(0));
        if power + pieces > 255 {
            let message = format!(
                "all cards and pieces of city {city} count {} with {players} players, must be at most 255",
                power + pieces
            );
            reader.conflict(&[&deck_path], message);
        }
    }
    let table = format!("{}.scoring.same_person", ruleset.section());
    for (letter, count) in copies.into_iter().enumerate() {
        if copies_table.is_some_and(|length| count >= length) {
            let letter = char::from(b'A' + letter as u8);
            let message = format!(
                "pays for up to {} copies of a letter, but {letter} has {count} with {players} players",
                copies_table.unwrap_or(0) - 1
            );
            reader.conflict(&[&table, &deck_path, &table], message);
        }
    }
}
