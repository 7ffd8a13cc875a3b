//! Goods markers and supply piles.

use crate::core::load::Reader;

use super::{BARRELS, MOST_COLOURS, PILES, agrees, place, words};

/// The markers at one table.
#[derive(Debug)]
pub(super) struct Goods {
    pub(super) colours: Vec<String>,
    pub(super) absent_colours: Vec<String>,
    pub(super) markers: [u8; BARRELS],
    pub(super) piles: [u8; PILES],
}

/// Markers in play that the engine can count.
const MOST_MARKERS: u32 = 255;

/// Reads the goods; `spaces` are the warehouse spaces of all cities, if they are known.
pub(super) fn read(reader: &mut Reader<'_>, players: usize, spaces: Option<u8>) -> Option<Goods> {
    let colours = words(reader, "goods.colours", 1..=16);
    let markers = markers(reader);
    let each = markers.map(|markers| markers.iter().map(|&count| u32::from(count)).sum::<u32>());
    if let Some(each) = each {
        let why = "the sum over the numbers of barrels";
        agrees(reader, "goods.markers_per_colour", i64::from(each), &["goods.per_colour"], why);
        if let Some(colours) = &colours {
            let why = format!("{} colours of {each} markers", colours.len());
            let sources = ["goods.per_colour", "goods.colours"];
            agrees(reader, "counts.goods_markers", (colours.len() as u32 * each).into(), &sources, &why);
        }
    }
    let in_play = colours.as_ref().and_then(|colours| in_play(reader, players, colours));
    let total = in_play.as_ref().zip(each).map(|(in_play, each)| in_play.len() as u32 * each);
    let piles = piles(reader, players, total, spaces);

    let (colours, in_play) = (colours?, in_play?);
    let mut goods = Goods { colours: Vec::new(), absent_colours: Vec::new(), markers: markers?, piles: piles? };
    for (index, colour) in colours.into_iter().enumerate() {
        let present = in_play.contains(&index);
        if present { &mut goods.colours } else { &mut goods.absent_colours }.push(colour);
    }
    Some(goods)
}

/// Markers of each colour, by barrels.
fn markers(reader: &mut Reader<'_>) -> Option<[u8; BARRELS]> {
    let path = "goods.per_colour";
    reader.length(path, BARRELS..=BARRELS)?;
    let mut markers = [None; BARRELS];
    let mut sound = true;
    for index in 0..BARRELS {
        let here = format!("{path}[{index}].barrels");
        let barrels = reader.integer(&here, 1..=BARRELS as u8);
        let count = reader.integer(&format!("{path}[{index}].count"), 1..=15u8);
        let (Some(barrels), Some(count)) = (barrels, count) else {
            sound = false;
            continue;
        };
        if markers[usize::from(barrels) - 1].replace(count).is_some() {
            reader.problem(here, format!("is {barrels} again; 1, 2 and 3 must stand there once each"));
            sound = false;
        }
    }
    if !sound {
        return None;
    }
    Some([markers[0]?, markers[1]?, markers[2]?])
}

/// The colours in play, as places in the list of all.
fn in_play(reader: &mut Reader<'_>, players: usize, colours: &[String]) -> Option<Vec<usize>> {
    let path = format!("goods.in_play.{players}");
    let count = reader.length(&path, 1..=MOST_COLOURS)?;
    let mut found: Vec<Option<usize>> = Vec::with_capacity(count);
    for index in 0..count {
        let here = format!("{path}[{index}]");
        let colour = place(reader, &here, colours, "colour of goods.colours");
        if let Some(known) = colour.filter(|_| found.contains(&colour)) {
            reader.problem(here, format!("names {} again", colours[known]));
        }
        found.push(colour);
    }
    found.into_iter().collect()
}

/// The sizes of the piles, which hold what is left of the `total` markers in play when one lies on each space.
fn piles(reader: &mut Reader<'_>, players: usize, total: Option<u32>, spaces: Option<u8>) -> Option<[u8; PILES]> {
    let path = |key: &str| format!("supply.{players}.{key}");
    let piles = reader.integers(&path("piles"), PILES..=PILES, 1..=255u8);
    let total = total?;
    let in_play = format!("goods.in_play.{players}");
    let sources = [in_play.as_str(), "goods.per_colour", "goods.colours"];
    let why = format!("so many markers are in play with {players} players");
    agrees(reader, &path("total"), total.into(), &sources, &why);
    if total > MOST_MARKERS {
        let message = format!("{total} markers are in play with {players} players, must be at most {MOST_MARKERS}");
        reader.conflict(&[&sources[..], &[sources[1]]].concat(), message);
        return None;
    }
    let spaces = u32::from(spaces?);
    if total <= spaces {
        let message =
            format!("{total} markers are in play with {players} players, must be more than the {spaces} spaces");
        reader.conflict(&[&sources[..], &["cities", sources[1]]].concat(), message);
        return None;
    }
    let supply = total - spaces;
    let why = format!("{total} markers, one of them on each of the {spaces} spaces");
    agrees(reader, &path("supply"), supply.into(), &[&sources[..], &["cities"]].concat(), &why);
    let piles = piles?;
    let held: u32 = piles.iter().map(|&pile| u32::from(pile)).sum();
    if held != supply {
        let here = path("piles");
        let message = format!("the piles for {players} players hold {held} markers, must hold {supply}: {why}");
        reader.conflict(&[&[here.as_str()], &sources[..], &["cities", &here]].concat(), message);
        return None;
    }
    piles.try_into().ok()
}
