"""Uniformly random games of the reference implementations, and records played out."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .games import GAMES, Reference


def new_game(data: Mapping[str, Any], game: str, players: int, options: Mapping[str, str]) -> Reference:
    """The empty start of a game."""
    return GAMES[game].new(data, game, players, options)


def random_move(game: Reference, generator: random.Random) -> str:
    """A chance outcome by its weight or a legal move, every one alike."""
    if game.turn() == "chance":
        outcomes = game.outcomes()
        notations = [notation for notation, _ in outcomes]
        weights = [weight for _, weight in outcomes]
        return generator.choices(notations, weights)[0]
    return generator.choice(game.legal())


def preferred_move(game: Reference, generator: random.Random, prefer: Sequence[str]) -> str:
    """A random move among those of the preferred verbs, if there are such."""
    preferred = [move for move in game.legal() if move.split()[0] in prefer]
    return generator.choice(preferred) if preferred else random_move(game, generator)


def random_record(
    data: Mapping[str, Any],
    game: str,
    players: int,
    options: Mapping[str, str],
    seed: int,
    prefer: Sequence[str] = (),
) -> dict[str, Any]:
    """One complete random game as a record, without the digest of the rules (conventions, Record).

    Moves with a verb of `prefer` are made wherever possible, so that a game shows what is rare by chance.
    """
    generator = random.Random(seed)
    played = new_game(data, game, players, options)
    moves = []
    while played.turn() != "over":
        move = preferred_move(played, generator, prefer)
        played.apply(move)
        moves.append(move)
    values = GAMES[game].options
    return {
        "format": "hansa-record",
        "version": 1,
        "game": game,
        "players": players,
        "options": {name: value for name, value in options.items() if value != values[name][0]},
        "moves": moves,
        "scores": played.scores(),
        "ranks": played.ranks(),
    }


def trace(data: Mapping[str, Any], record: Mapping[str, Any], views: bool) -> Iterator[dict[str, Any]]:
    """Play a record out: one position per index, from the empty start to the end (conventions, Trace)."""
    players: int = record["players"]
    game = new_game(data, record["game"], players, record.get("options", {}))
    moves: list[str] = list(record["moves"])
    for index in range(len(moves) + 1):
        turn = game.turn()
        position: dict[str, Any] = {"index": index, "turn": turn}
        if turn == "over":
            position["scores"] = game.scores()
            position["ranks"] = game.ranks()
        elif turn == "chance":
            position["outcomes"] = [[notation, weight] for notation, weight in game.outcomes()]
        else:
            position["legal"] = game.legal()
        position["state"] = game.canonical_state()
        if views:
            position["views"] = [game.view(player) for player in range(players)]
        yield position
        if index < len(moves):
            game.apply(moves[index])
