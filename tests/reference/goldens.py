"""Whole games and move counts from the references, for the goldens that both languages read.

`python -m reference.goldens` in the folder `tests` rewrites `tests/games/<game>/records.jsonl`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .games import GAMES, TESTS, Reference
from .play import new_game, random_record


def load_data(game: str) -> dict[str, Any]:
    """The rule data of the engine, which the reference reads as well."""
    return GAMES[game].data()


def golden_records(data: Mapping[str, Any], game: str) -> list[dict[str, Any]]:
    """The records of `records.jsonl`."""
    records = []
    for golden in GAMES[game].goldens:
        played = random_record(data, game, golden.players, golden.options, golden.seed, golden.prefer)
        records.append({**played, "name": golden.name})
    return records


def records_text(data: Mapping[str, Any], game: str) -> str:
    """The text of `records.jsonl`."""
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in golden_records(data, game))


class Counts(NamedTuple):
    """What a number of moves can lead to."""

    sequences: int  # sequences of exactly so many moves
    states: int  # different states after them
    weight: int  # sum over the sequences of the product of the chance weights


def count_moves(game: Reference, depth: int) -> Counts:
    """Count all sequences of `depth` moves, one by one."""
    states: set[str] = set()
    sequences = weight = 0
    for end, product in leaves(game, depth):
        sequences += 1
        weight += product
        states.add(json.dumps(end.canonical_state(), sort_keys=True))
    return Counts(sequences, len(states), weight)


def leaves(game: Reference, depth: int) -> Iterator[tuple[Reference, int]]:
    """Every position after `depth` moves with the product of the chance weights on the way."""
    if depth == 0:
        yield game, 1
        return
    moves = game.outcomes() if game.turn() == "chance" else [(move, 1) for move in game.legal()]
    for move, weight in moves:
        after = game.clone()
        after.apply(move)
        for end, product in leaves(after, depth - 1):
            yield end, weight * product


def position(data: Mapping[str, Any], record: Mapping[str, Any], after: int) -> Reference:
    """The position of a record after so many moves."""
    game = new_game(data, record["game"], record["players"], record["options"])
    for move in record["moves"][:after]:
        game.apply(move)
    return game


def main() -> None:
    """Rewrite the records."""
    for game in GAMES:
        folder = TESTS / "games" / game
        folder.mkdir(exist_ok=True)
        (folder / "records.jsonl").write_text(records_text(load_data(game), game), encoding="utf-8")


if __name__ == "__main__":
    main()
