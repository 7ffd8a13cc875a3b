"""Determinizations against exhaustive enumeration by the naive implementation: which, and how often."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import hansa
from reference.determinize import consistent_states, hidden_joint
from reference.play import random_record

DATA = tomllib.loads(
    (Path(__file__).resolve().parents[1] / "rust/hansa/data/queen_of_hansa.toml").read_text(encoding="utf-8")
)
RULESETS = [
    ("queen_of_hansa", {}),
    ("queen_of_hansa_v42", {}),
    ("queen_of_hansa_v42", {"reading": "A"}),
]


def text(state: object) -> str:
    return json.dumps(state, sort_keys=True)


def chi_square_bound(degrees: int) -> float:
    """Exceeded once in a million samples (Wilson and Hilferty 1931); the seeds are fixed."""
    spread = 2 / (9 * degrees)
    return float(degrees * (1 - spread + 4.753 * spread**0.5) ** 3)


def chi_square(counts: Counter[str], weights: dict[str, Fraction], draws: int) -> tuple[float, int]:
    """Chi-square over the cells, rare ones put together so that each expects five draws at least."""
    cells: list[tuple[float, int]] = []
    expected, seen = 0.0, 0
    for state, weight in weights.items():
        expected += float(weight) * draws
        seen += counts[state]
        if expected >= 5:
            cells.append((expected, seen))
            expected, seen = 0.0, 0
    if cells and expected:
        cells[-1] = (cells[-1][0] + expected, cells[-1][1] + seen)
    return sum((found - mean) ** 2 / mean for mean, found in cells), len(cells) - 1


def position(record: dict[str, Any], moves: int) -> hansa.State:
    game = hansa.load_game(record["game"], record["players"], options=record.get("options", {}))
    state = game.new_initial_state()
    for move in record["moves"][:moves]:
        state = state.apply(move)
    return state


@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_two_player_positions_are_drawn_by_their_weights(ruleset: str, options: dict[str, str]) -> None:
    seed = 2
    record = random_record(DATA, ruleset, 2, options, seed)
    length = len(record["moves"])
    tested = 0
    for moves in range(length * 3 // 5, length, 23):
        state = position(record, moves)
        for observer in range(2):
            states = consistent_states(
                DATA, record["moves"][:moves], ruleset, 2, options, observer, limit=20_000
            )
            weights = {text(found): weight for found, weight in states}
            if len(weights) > 500:
                continue
            draws = max(1_000, 8 * len(weights))
            view, rng = state.view(observer), hansa.Rng(seed)
            counts = Counter(text(json.loads(view.determinize(rng).to_json())) for _ in range(draws))
            assert counts.keys() <= weights.keys(), (
                f"an impossible state after {moves} moves for player {observer}"
            )
            value, degrees = chi_square(counts, weights, draws)
            if degrees > 0:
                assert value < chi_square_bound(degrees), (
                    f"chi-square {value} after {moves} moves for player {observer}"
                )
                tested += 1
    assert tested >= 3


@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_hidden_cards_of_three_players_are_drawn_by_their_weights(
    ruleset: str, options: dict[str, str]
) -> None:
    record = random_record(DATA, ruleset, 3, options, 3)
    length = len(record["moves"])
    tested = 0
    # The cells of later positions are few enough to count draws in all of them.
    for moves, observer in ((length * 4 // 5, 0), (length * 9 // 10, 1), (length - 2, 2)):
        state = position(record, moves)
        joint = hidden_joint(DATA, record["moves"][:moves], ruleset, 3, options, observer)
        weights = {text([world.hands, world.downs, world.choices]): weight for world, weight in joint.items()}
        draws = max(1_000, 2 * len(weights))
        view, rng = state.view(observer), hansa.Rng(moves)
        drawn = Counter(hidden(json.loads(view.determinize(rng).to_json())) for _ in range(draws))
        assert drawn.keys() <= weights.keys()
        value, degrees = chi_square(drawn, weights, draws)
        if degrees > 0:
            assert value < chi_square_bound(degrees)
            tested += 1
    assert tested >= 1


def hidden(state: dict[str, Any]) -> str:
    """Hands, face-down cards and pending choices: what `hidden_joint` enumerates."""
    players = state["players"]
    downs = [[entry["card"] for entry in player["kontor"] if entry["face"] == "down"] for player in players]
    return text([[player["hand"] for player in players], downs, [player["choice"] for player in players]])
