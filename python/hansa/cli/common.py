"""What the commands share: options, loading a game, consoles, errors."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import hansa
from hansa.bots import Bot
from hansa.display import WIDTH
from hansa.errors import BotError

MAX_SEED = 2**64 - 1

GameId = Annotated[str, typer.Argument(metavar="GAME", help="The game's id; `hansa games` lists them.")]
Players = Annotated[int | None, typer.Option("--players", "-p", help="Players at the table.", min=1)]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="An option of the game; may be given several times."
    ),
]
RulesFile = Annotated[
    Path | None,
    typer.Option("--rules", metavar="FILE", help="A TOML file that overrides rule data of the game."),
]
Seed = Annotated[int, typer.Option("--seed", "-s", help="Seed of everything random.", min=0, max=MAX_SEED)]
Threads = Annotated[
    int | None,
    typer.Option("--threads", "-t", help="Threads; never changes a result.", min=1, show_default="all cores"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


class Failure(Exception):  # noqa: N818 - not an error of the program
    """An end of the program with one line on the error output.

    Args:
        message: what is wrong, where, and what would be right.
        code: the exit code: 2 for bad input, 1 where a check has failed.
    """

    def __init__(self, message: str, code: int = 2) -> None:
        """A failure with its message."""
        super().__init__(message)
        self.code = code


def one_line(text: str) -> str:
    """A text on one line."""
    return "; ".join(line.strip() for line in text.splitlines() if line.strip())


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parse_options(options: Sequence[str] | None) -> dict[str, str]:
    """The options of a game from texts of the form `key=value`."""
    parsed = {}
    for text in options or ():
        key, equals, value = text.partition("=")
        if not (key and equals and value):
            raise Failure(f"--option {text!r}: expected KEY=VALUE, e.g. track=long")
        parsed[key.strip()] = value.strip()
    return parsed


def load(
    game: str, players: int | None = None, options: Sequence[str] | None = None, rules: Path | None = None
) -> hansa.Game:
    """The game that the command line names."""
    return hansa.load_game(game, players, options=parse_options(options), rules=rules)


def out() -> Console:
    """The console of the standard output; 100 columns wide when it is no terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


def err() -> Console:
    """The console of the error output."""
    return Console(stderr=True, highlight=False)


def split_bots(texts: Sequence[str]) -> list[str]:
    """The bot specs of a list with commas; a piece that is a mere setting belongs to the spec before it.

    >>> split_bots(["greedy,mcts:simulations=100,exploration=1.2", "random"])
    ['greedy', 'mcts:simulations=100,exploration=1.2', 'random']
    """
    specs: list[str] = []
    for text in texts:
        follows = False
        for piece in text.split(","):
            setting = "=" in piece and ":" not in piece.split("=")[0]
            if setting and follows:
                specs[-1] += f",{piece.strip()}"
            elif piece.strip():
                specs.append(piece.strip())
                follows = True
    return specs


def python_bot(spec: str) -> Bot | None:
    """The Python bot of a spec `module:Class`, or None where the spec is that of a built-in bot.

    The class is called without arguments; an object that has `act` will do as well.
    """
    match = re.fullmatch(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)", spec)
    if match is None:
        hansa.bots.make(spec)
        return None
    module_name, name = match.groups()
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name.split(".")[0] and error.name != module_name:
            raise Failure(f"bot {spec!r}: importing {module_name} failed: {error}") from None
        try:
            hansa.bots.make(spec)
        except BotError as built_in:
            raise Failure(f"bot {spec!r}: no module {module_name}; {built_in}") from None
        return None
    except Exception as error:  # noqa: BLE001 - a user's bot may raise anything
        raise Failure(f"bot {spec!r}: importing {module_name} failed: {complaint(error)}") from None
    made = getattr(module, name, None)
    if made is None:
        raise Failure(f"bot {spec!r}: module {module_name} has no {name}")
    try:
        bot = made() if isinstance(made, type) else made
    except Exception as error:  # noqa: BLE001 - a user's bot may raise anything
        raise Failure(f"bot {spec!r}: {name}() failed: {complaint(error)}") from None
    if not isinstance(bot, Bot):
        raise Failure(f"bot {spec!r}: {name} has no method act(view); see hansa.bots.Bot")
    return bot


def complaint(error: Exception) -> str:
    """What went wrong inside a Python bot, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"
