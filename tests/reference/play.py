"""Uniformly random games of the reference implementation."""

import random
from collections.abc import Mapping
from typing import Any

from .queen_of_hansa import Queen


def random_move(queen: Queen, generator: random.Random) -> str:
    """A chance outcome by its weight or a legal move, every one alike."""
    if queen.turn() == "chance":
        outcomes = queen.outcomes()
        notations = [notation for notation, _ in outcomes]
        weights = [weight for _, weight in outcomes]
        return generator.choices(notations, weights)[0]
    return generator.choice(queen.legal())


def random_record(
    data: Mapping[str, Any], ruleset: str, players: int, options: Mapping[str, str], seed: int
) -> dict[str, Any]:
    """One complete random game as a record, without the digest of the rules (conventions, Record)."""
    generator = random.Random(seed)
    queen = Queen(data, ruleset, players, options)
    moves = []
    while queen.turn() != "over":
        move = random_move(queen, generator)
        queen.apply(move)
        moves.append(move)
    defaults = {"track": "standard", "reading": "B"}
    return {
        "format": "hansa-record",
        "version": 1,
        "game": ruleset,
        "players": players,
        "options": {name: value for name, value in options.items() if value != defaults[name]},
        "moves": moves,
        "scores": queen.scores(),
        "ranks": queen.ranks(),
    }
