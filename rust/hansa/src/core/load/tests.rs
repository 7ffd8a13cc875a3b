use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    GameInfo, GameOption, LoadError, Options, Override, Problem, Reader, Rules, RulesError, canonical_json, nearest,
};

const TOY: GameInfo = GameInfo {
    id: "toy",
    title: "Toy",
    about: "a game that only has data",
    version: 1,
    players: 2..=3,
    options: &[
        GameOption { name: "track", values: &["standard", "long"], about: "length" },
        GameOption { name: "reading", values: &["B", "A"], about: "columns" },
    ],
    data: r#"
title = "toy"
share = 0.5
open = true
numbers = [1, 2, 3]
nothing = []

[table]
count = 4
note = "four"
inner.deep = 1

[[cards]]
id = 0
code = "LON-01"
power = 1

[[cards]]
id = 1
code = "BRU-01"
power = 2

[[spaces]]
index = 0
fixed = 3
flags = "X"

[[spaces]]
index = 1
fixed = 5
flags = "R"

[[routes]]
ends = ["a", "b"]
length = 2
"#,
    data_name: "toy.toml",
};

fn text(over: &str) -> Result<Rules, RulesError> {
    Rules::load(&TOY, Override::Text(over))
}

/// The messages of an override that is wrong.
fn wrong(over: &str) -> Vec<String> {
    text(over).expect_err("a problem").problems.iter().map(Problem::to_string).collect()
}

fn number(rules: &Rules, path: &str) -> i64 {
    rules.read(path).expect("an integer")
}

#[test]
fn no_override_is_the_embedded_document() {
    let rules = Rules::load(&TOY, Override::None).expect("the embedded data is right");
    assert_eq!(rules.document()["table"], json!({ "count": 4, "note": "four", "inner": { "deep": 1 } }));
    assert_eq!(text("").expect("an empty override").document(), rules.document());
    assert_eq!(text(TOY.data).expect("its own override").digest(), rules.digest());
}

#[test]
fn tables_merge_and_values_replace() {
    let rules = text("open = false\ntable.count = 5\nnumbers = [9]\n[table.inner]\ndeep = 2").expect("right");
    assert_eq!(rules.document()["table"], json!({ "count": 5, "note": "four", "inner": { "deep": 2 } }));
    assert_eq!(rules.document()["open"], json!(false));
    assert_eq!(rules.document()["numbers"], json!([9]));
    assert_eq!(rules.document()["title"], json!("toy"));
}

#[test]
fn elements_merge_by_id_then_by_code() {
    let rules = text("cards = [{ code = \"BRU-01\", power = 7 }, { id = 0, code = \"NEW\" }]").expect("right");
    assert_eq!(number(&rules, "cards[1].power"), 7);
    assert_eq!(rules.value("cards[0].code"), Some(&json!("NEW")));
    assert_eq!(number(&rules, "cards[0].power"), 1);
}

#[test]
fn a_list_by_index_merges_unless_it_is_whole() {
    let merged = text("spaces = [{ index = 1, fixed = 6 }]").expect("right");
    assert_eq!((number(&merged, "spaces[0].fixed"), number(&merged, "spaces[1].fixed")), (3, 6));
    let partial = text("spaces = [{ index = 0, flags = \"D\" }, { index = 1, fixed = 6 }]").expect("right");
    assert_eq!((number(&partial, "spaces[0].fixed"), number(&partial, "spaces[1].fixed")), (3, 6));
    let longer = "spaces = [{ index = 0, fixed = 1 }, { index = 1, fixed = 2 }, { index = 2, fixed = 4 }]";
    assert_eq!(text(longer).expect("right").document()["spaces"].as_array().map(Vec::len), Some(3));
    let shorter = text("spaces = [{ index = 0, fixed = 1 }]").expect("right");
    assert_eq!(shorter.document()["spaces"], json!([{ "index": 0, "fixed": 1 }]));
    let shifted = "spaces = [{ index = 1, fixed = 2 }, { index = 2, fixed = 4 }]";
    assert_eq!(
        wrong(shifted),
        [
            "line 1: spaces[1].index: no element has the index 2; they go from 0 to 1; complete elements numbered from 0 \
          replace the whole list"
        ]
    );
}

#[test]
fn a_list_without_names_is_replaced() {
    let rules = text("routes = [{ ends = [\"x\"], length = 1 }, { ends = [], length = 2 }]").expect("right");
    assert_eq!(rules.document()["routes"], json!([{ "ends": ["x"], "length": 1 }, { "ends": [], "length": 2 }]));
    assert_eq!(
        wrong("routes = [\n{ ends = [1], length = 1 },\n{ lenght = 2 },\n3]"),
        [
            "line 2: routes[0].ends[0]: is an integer, must be a string",
            "line 3: routes[1].lenght: is no known key; did you mean `length`?",
            "line 4: routes[2]: is an integer, must be a table",
        ]
    );
    assert_eq!(wrong("nothing = [1]"), ["line 1: nothing[0]: this array must stay empty"]);
}

#[test]
fn every_problem_is_listed_with_its_line() {
    let over = "\
tilte = \"x\"
share = 1
open = 1
numbers = [1, \"2\"]

[table]
count = \"4\"
cuont = 3
zebra = 1
note = 1979-05-27

[[cards]]
id = 0
power = 1.5

[[cards]]
code = \"LON-02\"

[[cards]]
id = 7

[[cards]]
power = 3

[[cards]]
id = 0

[[cards]]
id = \"0\"
";
    assert_eq!(
        wrong(over),
        [
            "line 1: tilte: is no known key; did you mean `title`?",
            "line 2: share: is an integer, must be a float",
            "line 3: open: is an integer, must be a boolean",
            "line 4: numbers[1]: is a string, must be an integer",
            "line 7: table.count: is a string, must be an integer",
            "line 8: table.cuont: is no known key; did you mean `count`?",
            "line 9: table.zebra: is no known key; the keys here: count, inner, note",
            "line 10: table.note: is a date or time, must be a string",
            "line 14: cards[0].power: is a float, must be an integer",
            "line 17: cards[1].code: no element has the code \"LON-02\"; did you mean \"LON-01\"?",
            "line 20: cards[2].id: no element has the id 7; they go from 0 to 1",
            "line 22: cards[3]: says by no `id` or `code` which element it changes",
            "line 25: cards[4]: changes the element with id 0 again; the first stands on line 12",
            "line 29: cards[5].id: is a string, must be an integer",
        ]
    );
}

#[test]
fn numbers_beyond_64_bits_and_beyond_json_are_problems() {
    assert_eq!(
        wrong("table.count = 9223372036854775808\nshare = inf"),
        [
            "line 1: table.count: is 9223372036854775808, beyond the integers of 64 bits, must be an integer",
            "line 2: share: is inf, no finite float, must be a float",
        ]
    );
    assert_eq!(number(&text("table.count = 0xff").expect("right"), "table.count"), 255);
    let over = json!({ "table": { "count": u64::MAX } });
    let error = Rules::load(&TOY, Override::Json(&over)).expect_err("too large");
    assert_eq!(error.problems[0].path, "table.count");
}

#[test]
fn errors_of_syntax_have_their_lines() {
    let problems = text("open = true\nshare = \n[table\ncount = 3\n").expect_err("no TOML").problems;
    let lines: Vec<Option<usize>> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(2), Some(3)]);
    assert!(problems.iter().all(|problem| problem.path.is_empty() && problem.message.starts_with("not TOML: ")));
    assert_eq!(text("open = true\nopen = false").expect_err("a key twice").problems[0].line, Some(2));
}

#[test]
fn a_mapping_merges_like_text() {
    let over = json!({ "table": { "count": 5 }, "cards": [{ "code": "BRU-01", "power": 7 }] });
    let mapped = Rules::load(&TOY, Override::Json(&over)).expect("right");
    let written = text("table.count = 5\ncards = [{ code = \"BRU-01\", power = 7 }]").expect("right");
    assert_eq!(mapped.document(), written.document());
    assert_eq!(mapped.digest(), written.digest());
    assert_eq!(mapped.problem("table.count", "x").line, None);
    assert_eq!(written.problem("table.count", "x").line, Some(1));
    assert_eq!(written.problem("table.note", "x").line, None);

    let over = json!({ "table": { "count": null, "coutn": 1 }, "open": "yes" });
    let error = Rules::load(&TOY, Override::Json(&over)).expect_err("three problems");
    assert_eq!(
        error.to_string(),
        "table.count: is null, must be an integer\ntable.coutn: is no known key; did you mean `count`?\n\
         open: is a string, must be a boolean"
    );
    for over in [json!([1]), json!(null), json!("title = 1")] {
        let error = Rules::load(&TOY, Override::Json(&over)).expect_err("no mapping");
        assert!(error.to_string().ends_with(", must be a table"), "{error}");
    }
}

#[test]
fn deep_nesting_is_a_problem_and_no_stack_overflow() {
    let mut deep = json!(1);
    for _ in 0..90 {
        deep = json!({ "inner": deep });
    }
    assert!(Rules::load(&TOY, Override::Json(&deep)).is_err());
    assert!(text(&format!("numbers = {}{}", "[".repeat(5000), "]".repeat(5000))).is_err());
}

#[test]
fn lines_follow_merged_places() {
    let rules = text("\n[[cards]]\ncode = \"BRU-01\"\n\npower = 7").expect("right");
    assert_eq!(rules.problem("cards[1].power", "x").to_string(), "line 5: cards[1].power: x");
    assert_eq!(rules.problem("cards[0].power", "x").to_string(), "cards[0].power: x");
    assert_eq!(rules.problem("cards[1]", "x").line, Some(2));
}

#[test]
fn canonical_json_is_what_python_writes() {
    // json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    let value = json!({ "b": [1, -2, 0.5, true, null], "a": "Z\u{fc}rich \"\\\n\u{1}\u{7f}", "\u{e9}": {}, "Z": [] });
    let right = "{\"Z\":[],\"a\":\"Z\u{fc}rich \\\"\\\\\\n\\u0001\u{7f}\",\"b\":[1,-2,0.5,true,null],\"\u{e9}\":{}}";
    assert_eq!(canonical_json(&value), right);
}

#[test]
fn a_changed_value_changes_the_digest() {
    let embedded = Rules::load(&TOY, Override::None).expect("right");
    assert_eq!(embedded.digest().len(), 64);
    assert_ne!(text("table.count = 5").expect("right").digest(), embedded.digest());
    assert_eq!(text("table.count = 4").expect("right").digest(), embedded.digest());
}

#[test]
fn damaged_data_is_reported() {
    let info = GameInfo { data: "a = ", ..TOY };
    let error = Rules::load(&info, Override::None).expect_err("no TOML");
    assert!(error.to_string().starts_with("toy.toml is damaged: "), "{error}");
}

#[test]
fn values_are_read_as_types() {
    let rules = text("table.count = 300").expect("right");
    assert_eq!(rules.read::<Vec<u8>>("numbers").expect("small numbers"), [1, 2, 3]);
    assert_eq!(rules.read::<Value>("routes[0].ends[1]").expect("there"), json!("b"));
    let error = rules.read::<u8>("table.count").expect_err("too large");
    assert_eq!(error.to_string(), "line 1: table.count: invalid value: integer `300`, expected u8");
    for path in ["table.count.x", "cards[2]", "cards[x]", "cards[0", "nowhere", "numbers[3]"] {
        assert_eq!(rules.read::<Value>(path).expect_err("nothing there").to_string(), format!("{path}: is missing"));
    }
}

#[test]
fn a_reader_notes_every_problem() {
    let rules = text("table.count = 9").expect("right");
    let mut reader = Reader::new(&rules);
    assert_eq!(reader.integer("table.count", 1..=3u8), None);
    assert_eq!(reader.integer("table.count", 1..=9u8), Some(9));
    assert_eq!(reader.integer("title", 1..=3u8), None);
    assert_eq!(reader.integers("numbers", 3..=3, 2..=9i32), None);
    assert_eq!(reader.integers("numbers", 1..=4, 0..=9i32), Some(vec![1, 2, 3]));
    assert_eq!(reader.length("numbers", 4..=5), None);
    assert_eq!(reader.boolean("open"), Some(true));
    assert_eq!(reader.boolean("nowhere"), None);
    assert_eq!(reader.text("table.note"), Some("four"));
    assert_eq!(reader.text("open"), None);
    assert_eq!(reader.choice("table.note", &[json!("three"), json!("four")]), Some(1));
    assert_eq!(reader.choice("table.note", &[json!("five"), json!("six")]), None);
    reader.conflict(&["table.note", "table.count", "table"], "do not fit");
    reader.conflict(&["table.note", "share"], "do not fit");
    assert_eq!(
        reader.finish().expect_err("problems").to_string(),
        "line 1: table.count: is 9, must be 1 to 3\n\
         line 1: table.count: do not fit\n\
         title: is a string, must be an integer\n\
         numbers[0]: is 1, must be 2 to 9\n\
         numbers: has length 3, must have 4 to 5\n\
         nowhere: is missing\n\
         open: is a boolean, must be a string\n\
         table.note: is \"four\"; the engine implements only \"five\" or \"six\"\n\
         share: do not fit"
    );
}

fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn options_are_completed_and_checked() {
    let options = Options::resolve(&TOY, &given(&[("reading", "A")])).expect("right");
    assert_eq!((options.get("track"), options.get("reading")), ("standard", "A"));
    assert_eq!(options.all().collect::<Vec<_>>(), [("track", "standard"), ("reading", "A")]);
    assert_eq!(options.non_default(), given(&[("reading", "A")]));
    assert_eq!(Options::resolve(&TOY, &given(&[])).expect("right"), Options::defaults(&TOY));

    let error = |pairs| Options::resolve(&TOY, &given(pairs)).expect_err("wrong").to_string();
    assert_eq!(error(&[("trak", "long")]), "`toy` has no option `trak`; did you mean `track`?");
    assert_eq!(error(&[("size", "long")]), "`toy` has no option `size`; its options: track, reading");
    assert_eq!(error(&[("track", "wide")]), "option `track` of `toy` cannot be `wide`; its values: standard, long");
    let bare = GameInfo { options: &[], ..TOY };
    let error = Options::resolve(&bare, &given(&[("track", "long")])).expect_err("none").to_string();
    assert_eq!(error, "`toy` has no options, so none is called `track`");
}

#[test]
fn every_combination_of_options_appears_once() {
    let every = Options::every(&TOY);
    let values: Vec<_> = every.iter().map(|options| (options.get("track"), options.get("reading"))).collect();
    assert_eq!(values, [("standard", "B"), ("standard", "A"), ("long", "B"), ("long", "A")]);
    assert_eq!(Options::every(&GameInfo { options: &[], ..TOY }).len(), 1);
}

#[test]
fn a_similar_name_is_found() {
    assert_eq!(nearest("refil_normal", ["setup_normal", "refill_normal"]), Some("refill_normal"));
    assert_eq!(nearest("lon-04", ["BRU-04", "LON-04"]), Some("LON-04"));
    assert_eq!(nearest("zebra", ["count", "note"]), None);
    assert_eq!(nearest(&"x".repeat(10_000), ["count"]), None);
    assert_eq!(nearest("", ["count"]), None);
}

#[test]
fn a_game_that_does_not_exist_is_named_with_its_neighbour() {
    let known = ["queen_of_hansa", "hansa"];
    assert_eq!(LoadError::unknown_game("hanza", known).to_string(), "no game is called `hanza`; did you mean `hansa`?");
    let error = LoadError::unknown_game("chess", known).to_string();
    assert_eq!(error, "no game is called `chess`; the games are queen_of_hansa, hansa");
    let error = LoadError::Players { game: "toy", given: 7, possible: 2..=3 };
    assert_eq!(error.to_string(), "`toy` is for 2 to 3 players, not for 7");
}
