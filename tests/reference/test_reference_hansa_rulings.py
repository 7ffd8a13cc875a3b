"""The reference of Hansa against the rulings that the engine is asked for."""

import copy
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from . import goldens
from .games import TESTS
from .hansa import GAME, Hansa, State
from .hansa_positions import DATA, check_position


def parts(path: str) -> list[str | int]:
    """The keys and places of a path such as `players[0].unsold`."""
    words = path.replace("[", ".").replace("]", "").split(".")
    return [int(word) if word.isdigit() else word for word in words]


def value_at(state: State, path: str) -> object:
    value: Any = state
    for part in parts(path):
        value = value[part]
    return value


def put_value(state: State, path: str, value: object) -> None:
    *way, key = parts(path)
    place: Any = state
    for part in way:
        place = place[part]
    assert key in place, path
    place[key] = value


def no_null(value: object) -> object:
    return None if value == "null" else value


def check_ruling(check: dict[str, Any], records: Mapping[str, dict[str, Any]]) -> None:
    record = records[check.pop("record")]
    hansa = goldens.position(DATA, record, check.pop("after"))
    assert isinstance(hansa, Hansa)
    for path, value in check.pop("set", {}).items():
        put_value(hansa.state, path, no_null(value))
    check_position(hansa)
    for move in check.pop("moves", []):
        hansa.apply(move)
    check_position(hansa)
    possible = hansa.legal() or [notation for notation, _ in hansa.outcomes()]
    assert check.pop("legal", possible) == possible
    assert set(check.pop("includes", [])) <= set(possible)
    for move in check.pop("refused", {}):
        with pytest.raises(ValueError, match="spec"):
            hansa.apply(move)
    assert check.pop("weights", {}).items() <= dict(hansa.outcomes()).items()
    for path, value in check.pop("state", {}).items():
        assert value_at(hansa.canonical_state(), path) == no_null(value), path
    for seen in check.pop("view", []):
        for path, value in seen["values"].items():
            assert value_at(hansa.view(seen["player"]), path) == no_null(value), path
    for left in check.pop("open", []):  # nothing is hidden
        assert [value_at(hansa.canonical_state(), left["path"])] == left["values"]
    assert check.pop("scores", hansa.scores()) == hansa.scores()
    if "ranks" in check:
        assert check.pop("ranks") == hansa.ranks()
    assert not check, "a check that is not known"


RULINGS = tomllib.loads((TESTS / "games/hansa/rulings.toml").read_text("utf-8"))["ruling"]


@pytest.mark.parametrize("ruling", RULINGS, ids=[ruling["id"] for ruling in RULINGS])
def test_ruling(ruling: dict[str, Any]) -> None:
    """What the engine is asked to answer, the reference answers as well."""
    records = {record["name"]: record for record in goldens.golden_records(DATA, GAME)}
    assert ruling["check"]
    for check in copy.deepcopy(ruling["check"]):
        check_ruling(check, records)
