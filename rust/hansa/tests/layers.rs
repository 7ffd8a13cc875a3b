//! The arrows between the layers, read off the source text: `core <- games`, `core <- search`, then everything erased.

use std::path::{Path, PathBuf};

/// All source files under a folder or file of `src` but the modules of tests.
fn sources(part: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut waiting = vec![root.join(part)];
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            let entries = path.read_dir().expect("a folder of the sources");
            waiting.extend(entries.map(|entry| entry.expect("an entry of the folder").path()));
        } else {
            let text = std::fs::read(&path).expect("a source file");
            found.push((path, String::from_utf8(text).expect("a source file is text")));
        }
    }
    found
}

/// Files of a part that name one of the words as a path: `crate::word` or `super::..::word`, or `word::` in a list.
fn assert_names_none(part: &str, words: &[&str]) {
    let files = sources(part);
    assert!(!files.is_empty(), "src/{part} has no sources");
    for (path, text) in files {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for word in words {
                let named = [format!("crate::{word}"), format!("super::{word}::"), format!("{word}::")];
                let found = named.iter().any(|name| {
                    line.match_indices(name.as_str()).any(|(at, _)| {
                        !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':')
                    })
                });
                assert!(!found, "{}: src/{part} must not know `{word}`: {line}", path.display());
            }
        }
    }
}

const ERASED: [&str; 5] = ["table", "batch", "record", "catalogue", "conform"];

#[test]
fn layers_know_only_what_is_below_them() {
    let games: Vec<String> = games();
    assert_names_none("core", &["games", "search"]);
    assert_names_none("search", &["games"]);
    for part in ["core", "games", "search"] {
        assert_names_none(part, &ERASED);
    }
    assert_names_none("games", &["search"]);
    for game in &games {
        let others: Vec<&str> = games.iter().filter(|other| *other != game).map(String::as_str).collect();
        assert_names_none(&format!("games/{game}"), &others);
        for part in ["core", "search", "table", "batch.rs", "record", "conform"] {
            assert_names_none(part, &[game.as_str()]);
            // A game may be called like the crate; then only paths tell.
            let named = if game == env!("CARGO_PKG_NAME") { Vec::new() } else { sources(part) };
            for (path, text) in named {
                assert!(!text.contains(game.as_str()), "{}: names the game {game}", path.display());
            }
        }
    }
}

/// The folders (or single files) of the games.
fn games() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    let entries = root.read_dir().expect("the games").map(|entry| entry.expect("an entry").path());
    let stems = entries.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    let games: Vec<String> = stems.filter(|stem| stem != "mod").collect();
    assert!(!games.is_empty(), "there are games");
    games
}

#[test]
fn only_the_bit_sets_are_unsafe() {
    for (path, text) in sources("") {
        if !path.ends_with("core/parts/bits.rs") {
            let unsafe_code =
                text.lines().find(|line| line.contains("unsafe ") && !line.trim_start().starts_with("//"));
            assert_eq!(unsafe_code, None, "{}", path.display());
            assert!(!text.contains("(unsafe_code,"), "{}: unsafe code is let in", path.display());
        }
    }
}
