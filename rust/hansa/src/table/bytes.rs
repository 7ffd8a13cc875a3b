//! Bytes that name their game: a magic word, a version, what the bytes are, the header, then the game's own bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Header;
use crate::core::FormatError;

const MAGIC: &[u8; 5] = b"hansa";
const VERSION: u8 = 1;

/// What the bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    State = b'S' as isize,
    View = b'V' as isize,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::View => "view",
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Written<'a> {
    id: &'a str,
    players: u8,
    options: BTreeMap<&'a str, &'a str>,
    rules: &'a str,
}

/// The beginning of the bytes of a state or a view.
pub(super) fn begin(kind: Kind, header: &Header) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    out.extend_from_slice(MAGIC);
    out.extend([VERSION, kind as u8]);
    let written = Written {
        id: header.id,
        players: header.players as u8,
        options: header.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        rules: &header.rules,
    };
    postcard::to_extend(&written, out).expect("a header is plain data and a Vec takes everything")
}

/// Checks the beginning; the rest are the game's own bytes.
pub(super) fn open<'a>(kind: Kind, header: &Header, bytes: &'a [u8]) -> Result<&'a [u8], FormatError> {
    let wrong = |problem: String| Err(FormatError::new("", problem));
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return wrong(format!("these bytes are no {} of hansa: they do not begin with `hansa`", kind.name()));
    };
    let &[version, written_kind, ref rest @ ..] = rest else {
        return wrong("the bytes end inside their header".into());
    };
    if version != VERSION {
        return wrong(format!("the bytes have version {version}, this hansa reads version {VERSION}"));
    }
    if written_kind != kind as u8 {
        let found = [Kind::State, Kind::View].into_iter().find(|other| *other as u8 == written_kind);
        let found = found.map_or("something unknown", Kind::name);
        return wrong(format!("the bytes hold a {found}, expected a {}", kind.name()));
    }
    let Ok((written, rest)) = postcard::take_from_bytes::<Written<'_>>(rest) else {
        return wrong("the header of the bytes is damaged".into());
    };
    let found = format!("{}(players={}{})", written.id, written.players, OptionList(&written.options));
    if found != header.to_string() {
        return wrong(format!("the bytes hold a {} of {found}, not of {header}", kind.name()));
    }
    if written.rules != header.rules {
        return wrong(format!(
            "the bytes hold a {} of {found} under other rules: digest {}, the rules in force have {}",
            kind.name(),
            written.rules,
            header.rules
        ));
    }
    Ok(rest)
}

struct OptionList<'a>(&'a BTreeMap<&'a str, &'a str>);

impl std::fmt::Display for OptionList<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|(name, value)| write!(formatter, ",{name}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, begin, open};
    use crate::table::Header;

    fn header(players: usize, rules: &str) -> Header {
        let options = [("track".to_owned(), "long".to_owned())].into();
        Header { id: "some_game", players, options, rules: rules.into() }
    }

    #[test]
    fn a_header_opens_for_its_own_game_only() {
        let mut bytes = begin(Kind::State, &header(3, "abc"));
        bytes.extend([1, 2, 3]);
        assert_eq!(open(Kind::State, &header(3, "abc"), &bytes), Ok(&[1u8, 2, 3][..]));

        let problem = |kind, header: &Header, bytes: &[u8]| open(kind, header, bytes).expect_err("refused").problem;
        let other = problem(Kind::State, &header(2, "abc"), &bytes);
        assert!(other.contains("some_game(players=3,track=long), not of some_game(players=2,track=long)"), "{other}");
        assert!(problem(Kind::State, &header(3, "abd"), &bytes).contains("under other rules: digest abc"));
        assert!(problem(Kind::View, &header(3, "abc"), &bytes).contains("hold a state, expected a view"));
        for length in 0..bytes.len() - 3 {
            assert!(open(Kind::State, &header(3, "abc"), &bytes[..length]).is_err(), "cut to {length}");
        }
        bytes[5] = 9;
        assert!(problem(Kind::State, &header(3, "abc"), &bytes).contains("version 9"));
    }
}
