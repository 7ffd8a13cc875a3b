"""Whole games and move counts from the reference, for the goldens that both languages read.

`python -m reference.goldens` in the folder `tests` rewrites `tests/games/<game>/records.jsonl`.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .play import random_record
from .queen_of_hansa import DRAFT, FINAL, Queen

TESTS = Path(__file__).resolve().parent.parent
DATA = TESTS.parent / "rust" / "hansa" / "data" / "queen_of_hansa.toml"

# Seeds of random games that show what the rulings are about: an empty city before a face-up play, a
# prosperity change on the last turn of a round, face-up and face-down ships at a store node, two equal cards
# in one hand.
GAMES: Mapping[str, list[tuple[str, int, dict[str, str], int]]] = {
    FINAL: [
        ("four players", 4, {}, 2),
        ("three players", 3, {}, 0),
        ("two players", 2, {}, 7),
        ("long track", 3, {"track": "long"}, 9),
    ],
    DRAFT: [
        ("four players", 4, {}, 2),
        ("three players", 3, {}, 0),
        ("two players", 2, {}, 7),
        ("reading A, four players", 4, {"reading": "A"}, 2),
        ("reading A, two players, long track", 2, {"reading": "A", "track": "long"}, 5),
    ],
}


def load_data() -> dict[str, Any]:
    """The rule data of the engine, which the reference reads as well."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def golden_records(data: Mapping[str, Any], game: str) -> list[dict[str, Any]]:
    """The records of `records.jsonl`."""
    return [
        {**random_record(data, game, players, options, seed), "name": name}
        for name, players, options, seed in GAMES[game]
    ]


def records_text(data: Mapping[str, Any], game: str) -> str:
    """The text of `records.jsonl`."""
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in golden_records(data, game))


class Counts(NamedTuple):
    """What a number of moves can lead to."""

    sequences: int  # sequences of exactly so many moves
    states: int  # different states after them
    weight: int  # sum over the sequences of the product of the chance weights


def count_moves(queen: Queen, depth: int) -> Counts:
    """Count all sequences of `depth` moves, one by one."""
    states: set[str] = set()
    sequences = weight = 0
    for end, product in leaves(queen, depth):
        sequences += 1
        weight += product
        states.add(json.dumps(end.canonical_state(), sort_keys=True))
    return Counts(sequences, len(states), weight)


def leaves(queen: Queen, depth: int) -> Iterator[tuple[Queen, int]]:
    """Every position after `depth` moves with the product of the chance weights on the way."""
    if depth == 0:
        yield queen, 1
        return
    moves = queen.outcomes() if queen.turn() == "chance" else [(move, 1) for move in queen.legal()]
    for move, weight in moves:
        after = queen.clone()
        after.apply(move)
        for end, product in leaves(after, depth - 1):
            yield end, weight * product


def position(data: Mapping[str, Any], record: Mapping[str, Any], after: int) -> Queen:
    """The position of a record after so many moves."""
    queen = Queen(data, record["game"], record["players"], record["options"])
    for move in record["moves"][:after]:
        queen.apply(move)
    return queen


def main() -> None:
    """Rewrite the records."""
    data = load_data()
    for game in GAMES:
        folder = TESTS / "games" / game
        folder.mkdir(exist_ok=True)
        (folder / "records.jsonl").write_text(records_text(data, game), encoding="utf-8")


if __name__ == "__main__":
    main()
