//! The sixty cards.

use crate::core::load::Reader;

use super::{Card, Ruleset};

/// Cards in the game.
const CARDS: usize = 60;

/// The deck as it is read: in the order of the ids, under the reading in force.
#[derive(Debug)]
pub(super) struct Deck {
    pub(super) codes: Vec<String>,
    pub(super) cards: Vec<Card>,
}

impl Deck {
    /// The cards used with so many players, normal and luxury, as bits.
    pub(super) fn in_play(&self, players: usize) -> [u64; 2] {
        let mut decks = [0; 2];
        for (id, card) in self.used(players) {
            decks[usize::from(card.luxury)] |= 1 << id;
        }
        decks
    }

    /// The ids and cards used with so many players.
    pub(super) fn used(&self, players: usize) -> impl Iterator<Item = (usize, &Card)> {
        self.cards.iter().enumerate().filter(move |(_, card)| usize::from(card.min_players) <= players)
    }
}

/// Where the deck of a ruleset stands.
pub(super) fn path(ruleset: Ruleset) -> String {
    format!("{}.deck.cards", ruleset.section())
}

/// Reads the deck. Without the names of the cities or letters only the rest of the cards is checked.
pub(super) fn read(
    reader: &mut Reader<'_>,
    ruleset: Ruleset,
    inverted: bool,
    cities: Option<&[&str]>,
    letters: Option<&[&str]>,
) -> Option<Deck> {
    let path = path(ruleset);
    reader.length(&path, CARDS..=CARDS)?;
    let mut codes: Vec<Option<String>> = Vec::with_capacity(CARDS);
    let mut cards: Vec<Option<Card>> = Vec::with_capacity(CARDS);
    for index in 0..CARDS {
        let here = format!("{path}[{index}]");
        let id = i64::try_from(index).ok()?;
        let numbered = reader.integer(&format!("{here}.id"), id..=id);
        let mut code = reader.word(&format!("{here}.code")).map(str::to_ascii_lowercase);
        if let Some(first) =
            code.as_ref().and_then(|code| codes.iter().position(|earlier| earlier.as_ref() == Some(code)))
        {
            reader.problem(format!("{here}.code"), format!("is the code of card {first}, too; all must differ"));
            code = None;
        }
        codes.push(code);
        let card = card(reader, ruleset, inverted, &here, cities, letters);
        cards.push(numbered.and(card));
    }
    Some(Deck { codes: codes.into_iter().collect::<Option<_>>()?, cards: cards.into_iter().collect::<Option<_>>()? })
}

fn card(
    reader: &mut Reader<'_>,
    ruleset: Ruleset,
    inverted: bool,
    here: &str,
    cities: Option<&[&str]>,
    letters: Option<&[&str]>,
) -> Option<Card> {
    let path = |key: &str| format!("{here}.{key}");
    let city = name(reader, &path("city"), cities);
    let person = reader.text(&path("person"));
    let letter = if person == Some("") { Some(None) } else { name(reader, &path("person"), letters).map(Some) };
    let luxury = reader.boolean(&path("luxury"));
    let min_players = reader.integer(&path("min_players"), 2..=4u8);
    let kinds: &[&str] = match ruleset {
        Ruleset::Published => &["person", "ship", "building"],
        Ruleset::Draft => &["person", "plain"],
    };
    let mut kind = reader.text(&path("kind"));
    if let Some(name) = kind {
        if !kinds.contains(&name) {
            reader.problem(path("kind"), format!("is \"{name}\", must be \"{}\"", kinds.join("\" or \"")));
            kind = None;
        } else if let Some(person) = person
            && (name == "person") == person.is_empty()
        {
            let message = format!("kind is \"{name}\" and person is \"{person}\"; just a person has a letter");
            reader.conflict(&[&path("person"), &path("kind")], message);
        }
    }
    let ship = match ruleset {
        Ruleset::Published => {
            let ship = reader.boolean(&path("ship"));
            if let (Some(kind), Some(ship)) = (kind, ship)
                && (kind == "ship") != ship
            {
                let message = format!("kind is \"{kind}\" and ship is {ship}; just a ship is one");
                reader.conflict(&[&path("ship"), &path("kind")], message);
            }
            ship
        }
        Ruleset::Draft => Some(false),
    };
    let power = match ruleset {
        Ruleset::Published => reader.integer(&path("power"), 0..=9u8),
        Ruleset::Draft => goods(reader, here, luxury, inverted),
    };
    let luxury = luxury.map(|luxury| luxury != inverted);
    Some(Card { city: city?, power: power?, letter: letter?, ship: ship?, luxury: luxury?, min_players: min_players? })
}

/// The goods of a card of the draft. The data states them under reading B; either reading has one good less with the icon.
fn goods(reader: &mut Reader<'_>, here: &str, luxury: Option<bool>, inverted: bool) -> Option<u8> {
    let paths = [format!("{here}.goods"), format!("{here}.base"), format!("{here}.luxury")];
    let goods = reader.integer(&paths[0], 0..=9u8);
    let base = reader.integer(&paths[1], 1..=9u8);
    let (goods, base, luxury) = (goods?, base?, luxury?);
    let right = base - u8::from(luxury);
    if goods != right {
        let icon = if luxury { "with" } else { "without" };
        let message = format!("goods is {goods}, must be {right}: base {base} {icon} the luxury icon");
        reader.conflict(&[&paths[0], &paths[1], &paths[2], &paths[0]], message);
        return None;
    }
    Some(base - u8::from(luxury != inverted))
}

/// The place of a name among the known ones, case aside.
fn name(reader: &mut Reader<'_>, path: &str, known: Option<&[&str]>) -> Option<u8> {
    let name = reader.text(path)?;
    let known = known?;
    let found = known.iter().position(|known| known.eq_ignore_ascii_case(name));
    if found.is_none() {
        reader.problem(path, format!("is \"{name}\", must be one of {}", known.join(", ")));
    }
    found.and_then(|place| u8::try_from(place).ok())
}
