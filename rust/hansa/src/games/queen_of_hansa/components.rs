//! Cards, numbers and rulings of one ruleset at one table: the rule data, read and checked.
//!
//! Whatever [`Components::read`] lets pass fits into the small integers of the state, deals every deck to its last card
//! and never runs out of pieces; so the rules need no checks of their own.

mod balance;
mod deck;
#[cfg(test)]
mod tests;

use serde_json::json;

use crate::core::load::{Options, Reader, Rules, RulesError};

/// Which of the two games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ruleset {
    /// The published game of 2019.
    Published,
    /// The draft ver. 4.2 of 2017.
    Draft,
}

impl Ruleset {
    /// The table of the rule data that belongs to the ruleset.
    #[must_use]
    pub fn section(self) -> &'static str {
        match self {
            Self::Published => "final",
            Self::Draft => "v42",
        }
    }
}

/// What stands on a card. `luxury` is its back, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Card {
    /// The city, 0 to 3 in board order.
    pub city: u8,
    /// Influence, 0 to 9.
    pub power: u8,
    /// The notable person, 0 to 7 for A to H.
    pub letter: Option<u8>,
    /// Whether it is a trade ship.
    pub ship: bool,
    /// Whether it belongs to the luxury deck.
    pub luxury: bool,
    /// The card is used with at least so many players, 2 to 4.
    pub min_players: u8,
}

/// A space of the prosperity track.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Space {
    /// Profit of rank 1, 0 to 200; never less than on the space to the left.
    pub fixed: u8,
    /// Multiplier of rank 2, 0 to 9.
    pub m2: u8,
    /// Multiplier of rank 3, 0 to 9.
    pub m3: u8,
}

/// What decides between players of equal profit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The number of different letters.
    Persons,
    /// The rank in the Luebeck trade, i.e. by the power of the cards that lay face down.
    LuebeckRank,
}

/// Everything that rules and scoring need to know of the rule data. Arrays by kind are `[normal, luxury]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Components {
    /// The ruleset.
    pub ruleset: Ruleset,
    /// The number of players, 2 to 4.
    pub players: u8,
    /// The cities in board order, as in the notation; all different.
    pub cities: [String; 4],
    /// The colors of the pieces, as in the notation; all different; color `i` belongs to city `i`.
    pub colors: [String; 4],
    /// The codes of the 60 cards in the order of their ids, as in the notation; all different.
    pub codes: Vec<String>,
    /// The 60 cards in the order of their ids.
    pub cards: Vec<Card>,
    /// The cards used with this number of players, by kind: bit `i` is card `i`.
    pub decks: [u64; 2],
    /// Turns of each player in a round, 1 to 6.
    pub turns: u8,
    /// Spaces of a city, 3 to 5.
    pub spaces: u8,
    /// Cards laid at set-up, by kind: one for every space.
    pub setup: [u8; 2],
    /// Cards laid after rounds 1 and 2, by kind, each time: one for every card taken.
    pub refill: [u8; 2],
    /// Whether the cards dealt to the players come from the luxury deck.
    pub hand_luxury: bool,
    /// The prosperity track from left to right, 2 to 16 spaces.
    pub track: Vec<Space>,
    /// The space on which all markers start.
    pub track_start: u8,
    /// Pieces of each color in the bag at the start, 1 to 15.
    pub bag: u8,
    /// Steps of the marker at the first to fourth prosperity change of a round.
    pub prosperity_change: [i8; 4],
    /// Profit by the number of different colors.
    pub luxury_types: [i32; 5],
    /// Profit by rank in ships, for players who have one; `None` where there is no Golden Ship.
    pub golden_ship: Option<[i32; 4]>,
    /// Profit by the number of different letters.
    pub person_types: [i32; 9],
    /// Profit for one letter by the number of its copies, of which nobody can own more; the first is 0.
    pub same_person: Vec<i32>,
    /// Whether the support step follows the scoring of rounds 1, 2 and 3.
    pub support_after: [bool; 3],
    /// Steps of a supported marker, 1 to 15.
    pub support_step: u8,
    /// Whether all pieces taken go back into the bag after each scoring; then nothing is stored.
    pub pieces_return: bool,
    /// Whether the extra placements are made one after the other, each one seen by those who follow.
    pub extra_in_turn: bool,
    /// Whether of the players tied for the lowest profit the latest in turn order names the start player.
    pub chooser_latest: bool,
    /// What decides between players of equal profit.
    pub tie_break: TieBreak,
    /// Whether a total of 0 in a city is paid like any other.
    pub zero_total_earns: bool,
    /// Whether a player without face-down cards is ranked and paid in Parliament (draft: Luebeck trade).
    pub zero_total_ranks: bool,
}

/// Points that a table of the rule data may hold: a whole game of them fits into 16 bits.
const POINTS: std::ops::RangeInclusive<i32> = 0..=200;

impl Components {
    /// Reads and checks what matters at a table of `players`, 2 to 4, under these options: `track`, and with the draft
    /// `reading`.
    ///
    /// # Errors
    /// Every problem of these parts of the rule data.
    ///
    /// # Panics
    /// If the options are those of another game.
    pub fn read(rules: &Rules, ruleset: Ruleset, players: usize, options: &Options) -> Result<Self, RulesError> {
        let mut reader = Reader::new(rules);
        let inverted = ruleset == Ruleset::Draft && options.get("reading") == "A";
        let components = Self::gather(&mut reader, ruleset, players, options.get("track"), inverted);
        reader.finish()?;
        Ok(components.expect("what cannot be read is noted as a problem"))
    }

    /// All of it, or `None` where a problem has been noted.
    fn gather(
        reader: &mut Reader<'_>,
        ruleset: Ruleset,
        players: usize,
        track_option: &str,
        inverted: bool,
    ) -> Option<Self> {
        let section = ruleset.section();
        let path = |keys: &str| format!("{section}.{keys}");
        let published = ruleset == Ruleset::Published;
        rulings(reader, ruleset);

        let cities = words(reader, "cities", 4);
        let colors = words(reader, "colors", 4);
        let letters = words(reader, "letters", 8);
        let deck = deck::read(reader, ruleset, inverted, cities.as_deref(), letters.as_deref());
        let row = balance::Row::read(reader, ruleset, players, inverted);
        let bag = bag(reader, ruleset);
        let track = track(reader, track_option);
        let track_start = reader.integer(&path("prosperity.start_index"), 0..=15u8);
        if let (Some(track), Some(start)) = (&track, track_start)
            && usize::from(start) >= track.len()
        {
            let message = format!("is {start}, must be 0 to {}: the track has {} spaces", track.len() - 1, track.len());
            reader.conflict(&[&track_path(track_option), &path("prosperity.start_index")], message);
        }

        let prosperity_change = reader.integers(&path("scoring.prosperity_change"), 4..=4, -15..=15i8);
        let luxury_types = reader.integers(&path("scoring.luxury_types"), 5..=5, POINTS);
        let golden_ship =
            if published { Some(reader.integers(&path("scoring.golden_ship"), 4..=4, POINTS)) } else { None };
        let person_types = reader.integers(&path("scoring.person_types"), 9..=9, POINTS);
        let same_person = reader.integers(&path("scoring.same_person"), 2..=16, POINTS);
        if let Some(&nothing) = same_person.as_ref().and_then(|table| table.first())
            && nothing != 0
        {
            reader.problem(path("scoring.same_person[0]"), format!("is {nothing}, must be 0: no copy earns nothing"));
        }
        let support_after = support_after(reader, &path("scoring.support_after_rounds"));
        let support_step = reader.integer(&path("scoring.support_step"), 1..=15u8);
        let (tie_break, ties) = match ruleset {
            Ruleset::Published => (TieBreak::Persons, json!(["number of different persons", "shared victory"])),
            Ruleset::Draft => (TieBreak::LuebeckRank, json!(["higher rank in the Luebeck scoring", "shared victory"])),
        };
        reader.choice(&path("scoring.tie_break"), &[ties]);
        let choosers = [json!("earlier in the previous round's turn order"), json!("later in this round's turn order")];
        let chooser = reader.choice(&path("scoring.start_player_tie"), &choosers);
        let zero_total_earns = reader.boolean(&path("policy.zero_total_earns_city_profit"));
        let parliament = if published { "parliament" } else { "luebeck" };
        let zero_total_ranks = reader.boolean(&path(&format!("policy.zero_total_ranks_in_{parliament}")));

        if let Some(deck) = &deck {
            if let Some(row) = &row {
                balance::flow(reader, ruleset, deck, row, bag);
            }
            balance::limits(reader, ruleset, players, deck, bag, same_person.as_ref().map(Vec::len));
            balance::box_contents(reader, ruleset, inverted, deck);
        }

        let (row, deck) = (row?, deck?);
        Some(Self {
            ruleset,
            players: u8::try_from(players).ok()?,
            cities: lower(&cities?).try_into().ok()?,
            colors: lower(&colors?).try_into().ok()?,
            decks: deck.in_play(players),
            codes: deck.codes,
            cards: deck.cards,
            turns: row.turns,
            spaces: row.spaces,
            setup: row.setup,
            refill: row.refill,
            hand_luxury: inverted,
            track: track?,
            track_start: track_start?,
            bag: bag?,
            prosperity_change: prosperity_change?.try_into().ok()?,
            luxury_types: luxury_types?.try_into().ok()?,
            golden_ship: match golden_ship {
                Some(table) => Some(table?.try_into().ok()?),
                None => None,
            },
            person_types: person_types?.try_into().ok()?,
            same_person: same_person?,
            support_after: support_after?,
            support_step: support_step?,
            pieces_return: !published,
            extra_in_turn: !published,
            chooser_latest: chooser? == 1,
            tie_break,
            zero_total_earns: zero_total_earns?,
            zero_total_ranks: zero_total_ranks?,
        })
    }
}

/// The recorded rulings for which only one value is implemented.
fn rulings(reader: &mut Reader<'_>, ruleset: Ruleset) {
    let mut only = |path: &str, value: serde_json::Value| {
        reader.choice(path, &[value]);
    };
    only("schema", json!(1));
    let section = ruleset.section();
    let common = [
        ("rounds", json!(3)),
        ("harbor_size", json!(2)),
        ("hand_size", json!(2)),
        ("initial_deal", json!(4)),
        ("initial_keep", json!(2)),
        ("prosperity.clamp", json!(true)),
        ("prosperity.parliament_must_change_position", json!(true)),
        ("policy.face_down_shows_back", json!(true)),
    ];
    for (key, value) in common {
        only(&format!("{section}.{key}"), value);
    }
    match ruleset {
        Ruleset::Published => {
            only("final.initial_deal_deck", json!("normal"));
            only("final.components.prosperity_markers", json!(4));
            let parliament = "rank r earns the fixed profit of the city with the r-th highest prosperity";
            only("final.scoring.parliament", json!(parliament));
            only("final.policy.removed_last_card_revealed", json!(false));
        }
        Ruleset::Draft => {
            only("v42.initial_deal_deck", json!("second"));
            only("v42.components.pieces_used_as_prosperity_markers", json!(4));
            only("v42.reading.default", json!("B"));
            only("v42.reading.B", json!({ "column1": "luxury", "column2": "normal", "hands": "normal" }));
            only("v42.reading.A", json!({ "column1": "normal", "column2": "luxury", "hands": "luxury" }));
            let convert = "invert the luxury flag of every card and set goods = base - luxury";
            only("v42.reading.convert_B_to_A", json!(convert));
            only("v42.prosperity.same_spaces_as", json!("final"));
            let luebeck = "rank r earns the rank-1 profit of the city with the r-th highest prosperity";
            only("v42.scoring.luebeck", json!(luebeck));
            only("v42.scoring.pieces_counted", json!("only those taken in the current round"));
            only("v42.scoring.pieces_after_scoring", json!("all taken pieces go back into the bag"));
            only("v42.scoring.last_extra_turn", json!("one after the other in turn order"));
            only("v42.policy.screen_hides_from_perfect_recall", json!(false));
        }
    }
}

/// `count` words that differ even in lower case.
fn words<'a>(reader: &mut Reader<'a>, path: &str, count: usize) -> Option<Vec<&'a str>> {
    reader.length(path, count..=count)?;
    let words: Vec<Option<&str>> = (0..count).map(|index| reader.word(&format!("{path}[{index}]"))).collect();
    let words: Vec<&str> = words.into_iter().collect::<Option<_>>()?;
    let mut distinct = true;
    for (index, word) in words.iter().enumerate() {
        if let Some(first) = words[..index].iter().position(|earlier| earlier.eq_ignore_ascii_case(word)) {
            reader.problem(format!("{path}[{index}]"), format!("is \"{word}\" like {path}[{first}]; all must differ"));
            distinct = false;
        }
    }
    distinct.then_some(words)
}

fn lower(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_ascii_lowercase()).collect()
}

/// Pieces of each color in the bag.
fn bag(reader: &mut Reader<'_>, ruleset: Ruleset) -> Option<u8> {
    let path = |key: &str| format!("{}.components.{key}", ruleset.section());
    let markers = u8::from(ruleset == Ruleset::Draft);
    let each = reader.integer(&path("luxury_pieces_per_color"), 1 + markers..=15 + markers);
    let all = reader.integer(&path("luxury_pieces"), 0..=i64::MAX);
    let bagged = if markers == 1 { Some(reader.integer(&path("pieces_in_bag"), 0..=i64::MAX)?) } else { None };
    let (each, all) = (each?, all?);
    let mut agrees = |key: &str, given: i64, right: i64, why: String| {
        if given != right {
            let paths = [path(key), path("luxury_pieces_per_color")];
            reader.conflict(&[&paths[0], &paths[1], &paths[0]], format!("{key} is {given}, must be {right}: {why}"));
        }
        given == right
    };
    let mut right = agrees("luxury_pieces", all, 4 * i64::from(each), format!("4 colors of {each} pieces"));
    if let Some(bagged) = bagged {
        let why = format!("4 colors of {each} pieces without 1 marker each");
        right &= agrees("pieces_in_bag", bagged, 4 * i64::from(each - 1), why);
    }
    right.then_some(each - markers)
}

fn track_path(option: &str) -> String {
    format!("final.prosperity.{}", if option == "long" { "spaces_alternative_long" } else { "spaces" })
}

/// The track of the option; both rulesets have it from the published game.
fn track(reader: &mut Reader<'_>, option: &str) -> Option<Vec<Space>> {
    let path = track_path(option);
    let length = reader.length(&path, 2..=16)?;
    let spaces: Vec<Option<Space>> = (0..length)
        .map(|index| {
            let number = u8::try_from(index).ok()?;
            reader.integer(&format!("{path}[{index}].index"), number..=number);
            let fixed = reader.integer(&format!("{path}[{index}].fixed"), 0..=200u8);
            let m2 = reader.integer(&format!("{path}[{index}].m2"), 0..=9u8);
            let m3 = reader.integer(&format!("{path}[{index}].m3"), 0..=9u8);
            Some(Space { fixed: fixed?, m2: m2?, m3: m3? })
        })
        .collect();
    let spaces: Vec<Space> = spaces.into_iter().collect::<Option<_>>()?;
    for (index, pair) in spaces.windows(2).enumerate() {
        let (left, right) = (pair[0].fixed, pair[1].fixed);
        if right < left {
            let message = format!("the richer space {} pays {right}, less than the {left} of space {index}", index + 1);
            let paths = [format!("{path}[{}].fixed", index + 1), format!("{path}[{index}].fixed")];
            reader.conflict(&[&paths[0], &paths[1], &paths[0]], message);
        }
    }
    Some(spaces)
}

/// Numbers of rounds, as one flag a round.
fn support_after(reader: &mut Reader<'_>, path: &str) -> Option<[bool; 3]> {
    let rounds = reader.integers(path, 0..=3, 1..=3u8)?;
    let mut after = [false; 3];
    for (index, &round) in rounds.iter().enumerate() {
        if std::mem::replace(&mut after[usize::from(round) - 1], true) {
            reader.problem(format!("{path}[{index}]"), format!("names round {round} again"));
        }
    }
    Some(after)
}
