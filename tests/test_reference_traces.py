"""The engine against the naive reference implementation: traces with views, and goldens made by it."""

import json
import tomllib
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

import hansa
from reference import goldens
from reference.play import random_record
from reference.queen_of_hansa import DRAFT, FINAL, trace

DATA = goldens.load_data()
TABLES = [
    (game, players, options)
    for game in (FINAL, DRAFT)
    for players in (2, 3, 4)
    for track in ("standard", "long")
    for reading in (("B", "A") if game == DRAFT else ("",))
    for options in [{"track": track} | ({"reading": reading} if reading else {})]
]


def engine_trace(record: hansa.Record) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.trace(views=True)]


def assert_same_trace(record: dict[str, Any]) -> None:
    """Position by position, so that the first difference is what is shown."""
    engine = engine_trace(hansa.Record.from_json(json.dumps(record)))
    for ours, theirs in zip_longest(engine, trace(DATA, record, views=True)):
        assert ours is not None, "the engine's trace is shorter"
        assert theirs is not None, "the engine's trace is longer"
        for key in sorted(theirs.keys() | ours.keys()):
            assert ours.get(key) == theirs.get(key), f"position {theirs['index']}: {key}"


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_games_of_the_engine(game: str, players: int, options: dict[str, str]) -> None:
    for record in hansa.load_game(game, players, options=options).sample(3, seed=players):
        assert_same_trace(record.to_dict())


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_games_of_the_reference(game: str, players: int, options: dict[str, str]) -> None:
    for seed in range(3):
        record = random_record(DATA, game, players, options, seed)
        assert_same_trace(record)
        replayed = hansa.Record.from_json(json.dumps(record)).replay()
        assert (replayed.scores(), replayed.ranks()) == (record["scores"], record["ranks"])


@pytest.mark.parametrize("game", [FINAL, DRAFT])
def test_golden_records(game: str) -> None:
    """The records that all goldens begin from are the reference's; the engine plays them alike."""
    text = Path(goldens.TESTS, "games", game, "records.jsonl").read_text(encoding="utf-8")
    assert text == goldens.records_text(DATA, game)
    for line in text.splitlines():
        assert_same_trace(json.loads(line))


def reference_rows(game: str) -> list[dict[str, Any]]:
    text = Path(goldens.TESTS, "games", game, "perft.toml").read_text(encoding="utf-8")
    return [dict(row) for row in tomllib.loads(text)["row"]]


@pytest.mark.parametrize("game", [FINAL, DRAFT])
def test_move_counts(game: str) -> None:
    """Rows that say they come from the reference do; so do those counted by hand, as far as it is quick."""
    records = {record["name"]: record for record in goldens.golden_records(DATA, game)}
    counted = 0
    for row in reference_rows(game):
        if row["sequences"] > (1000 if row["source"] == "reference" else 300):
            continue
        counts = goldens.count_moves(
            goldens.position(DATA, records[row["record"]], row["after"]), row["depth"]
        )
        assert counts._asdict() == {key: row[key] for key in counts._fields}, row
        counted += 1
    assert counted >= 5
