"""The engine against the naive reference implementations: traces with views, and goldens made by them.

`HANSA_TRACES` sets the number of games of each kind at each table (3 by default).
"""

import json
import os
import tomllib
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

import pytest

import hansa
from reference import goldens
from reference.games import GAMES, TESTS
from reference.play import random_record, trace

NUMBER = int(os.environ.get("HANSA_TRACES", "3"))
TABLES = [(game, players, options) for game in GAMES for players, options in GAMES[game].tables()]
TABLE_IDS = [f"{game}-{players}-{','.join(options.values())}" for game, players, options in TABLES]


def assert_same_trace(record: dict[str, Any]) -> None:
    """Position by position, so that the first difference is what is shown; then byte for byte."""
    engine = hansa.Record.from_json(json.dumps(record)).trace(views=True)
    data = goldens.load_data(record["game"])
    for line, theirs in zip_longest(engine, trace(data, record, views=True)):
        assert line is not None, "the engine's trace is shorter"
        assert theirs is not None, "the engine's trace is longer"
        ours = json.loads(line)
        for key in sorted(theirs.keys() | ours.keys()):
            assert ours.get(key) == theirs.get(key), f"position {theirs['index']}: {key}"
        assert line == json.dumps(theirs, separators=(",", ":"))


@pytest.mark.parametrize(("game", "players", "options"), TABLES, ids=TABLE_IDS)
def test_games_of_the_engine(game: str, players: int, options: dict[str, str]) -> None:
    for record in hansa.load_game(game, players, options=options).sample(NUMBER, seed=players):
        assert_same_trace(record.to_dict())


@pytest.mark.parametrize(("game", "players", "options"), TABLES, ids=TABLE_IDS)
def test_games_of_the_reference(game: str, players: int, options: dict[str, str]) -> None:
    data = goldens.load_data(game)
    for seed, prefer in product(range(NUMBER), GAMES[game].preferences()):
        record = random_record(data, game, players, options, seed, prefer)
        assert_same_trace(record)
        replayed = hansa.Record.from_json(json.dumps(record)).replay()
        assert (replayed.scores(), replayed.ranks()) == (record["scores"], record["ranks"])


@pytest.mark.parametrize("game", GAMES)
def test_golden_records(game: str) -> None:
    """The records that all goldens begin from are the reference's; the engine plays them alike."""
    text = Path(TESTS, "games", game, "records.jsonl").read_text(encoding="utf-8")
    assert text == goldens.records_text(goldens.load_data(game), game)
    for line in text.splitlines():
        assert_same_trace(json.loads(line))


def reference_rows(game: str) -> list[dict[str, Any]]:
    text = Path(TESTS, "games", game, "perft.toml").read_text(encoding="utf-8")
    return [dict(row) for row in tomllib.loads(text)["row"]]


@pytest.mark.parametrize("game", GAMES)
def test_move_counts(game: str) -> None:
    """Rows that say they come from the reference do; so do those counted by hand, as far as it is quick."""
    data = goldens.load_data(game)
    records = {record["name"]: record for record in goldens.golden_records(data, game)}
    counted = 0
    for row in reference_rows(game):
        if row["sequences"] > (1000 if row["source"] == "reference" else 300):
            continue
        counts = goldens.count_moves(
            goldens.position(data, records[row["record"]], row["after"]), row["depth"]
        )
        assert counts._asdict() == {key: row[key] for key in counts._fields}, row
        counted += 1
    assert counted >= 5
