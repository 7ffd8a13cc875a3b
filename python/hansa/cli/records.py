"""`hansa sample` and `hansa trace`: records of games, and what happens in them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from hansa import Game
from hansa.cli.common import Failure, GameId, Options, Players, RulesFile, Seed, load
from hansa.errors import FormatError, GameMismatchError, RecordError
from hansa.records import Record

CHUNK = 256
"""Games that are played before their records are written."""


def sample(
    game: GameId,
    players: Players = None,
    games: Annotated[int, typer.Option("--games", "-g", help="Number of games.", min=0)] = 1,
    seed: Seed = 0,
    option: Options = None,
    policy: Annotated[
        str, typer.Option("--policy", metavar="BOT", help="The bot that plays all seats.")
    ] = "random",
    rules: RulesFile = None,
) -> None:
    """Write records of random games, or of games of a bot, as JSON Lines."""
    loaded = load(game, players, option, rules)
    if games == 0:
        # A wrong policy is wrong for no games too.
        loaded.sample(0, seed, policy=policy)
    for first in range(0, games, CHUNK):
        chunk = loaded.sample(min(CHUNK, games - first), seed, policy=policy, first=first)
        sys.stdout.write("".join(record.to_json() + "\n" for record in chunk))


def trace(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Records; standard input by default.")
    ] = None,
    views: Annotated[
        bool, typer.Option("--views", help="Add the view of every player to every position.")
    ] = False,
    rules: RulesFile = None,
    any_rules: Annotated[
        bool, typer.Option("--any-rules", help="Replay also records that were made under other rules.")
    ] = False,
) -> None:
    """Print every record followed by its trace, one position a line."""
    # Loading checks the rules, which costs more than a trace; a file mostly holds games of one kind.
    loaded: dict[object, Game] = {}
    for number, line in _lines(file):
        try:
            record = Record.from_json(line)
        except FormatError as error:
            raise Failure(f"line {number}: {error}") from None
        kind = (record.game_id, record.players, tuple(sorted(record.options.items())), record.rules_digest)
        try:
            game = loaded.get(kind)
            if game is None:
                game = loaded[kind] = record.load_game(rules=rules)
            positions = list(record.trace(game, views=views, any_rules=any_rules))
        except (RecordError, GameMismatchError) as error:
            raise Failure(f"line {number}: {error}", code=1) from None
        sys.stdout.write("\n".join([line, *positions]) + "\n")


def _lines(file: Path | None) -> Iterator[tuple[int, str]]:
    """The lines of a file or of the standard input that are not blank, with their numbers."""
    if file is None or str(file) == "-":
        source = sys.stdin
        yield from ((number, line.strip()) for number, line in enumerate(source, start=1) if line.strip())
        return
    with file.open(encoding="utf-8") as source:
        yield from ((number, line.strip()) for number, line in enumerate(source, start=1) if line.strip())
