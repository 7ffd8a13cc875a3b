"""`hansa games` and `hansa rules`: what there is to play, and by which rules."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

import hansa
from hansa.cli.common import GameId, Json, out
from hansa.errors import Problem

PLAYOUTS = 200
"""Random games that the number of decisions is averaged over."""


def games(as_json: Json = False) -> None:
    """List the games: players, options, decisions in a random game, bytes of a state."""
    rows = [_row(info) for info in hansa.games()]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("game", "title", "players", "options", "decisions", "state"):
        table.add_column(column, overflow="fold", no_wrap=column != "title")
    for row in rows:
        options = "\n".join(f"{name}: {', '.join(values)}" for name, values in row["options"].items())
        decisions = "\n".join(f"{players} players: {mean:.0f}" for players, mean in row["decisions"].items())
        table.add_row(
            row["game"],
            row["title"],
            f"{row['players'][0]}-{row['players'][-1]}",
            options or "none",
            decisions,
            f"{row['state_bytes']} bytes",
        )
    console = out()
    console.print(table)
    console.print(f"Options: the default first. Decisions: mean of {PLAYOUTS} random games.")


def _row(info: hansa.GameInfo) -> dict[str, Any]:
    """What the catalogue says of one game."""
    loaded = {players: hansa.load_game(info.id, players) for players in info.players}
    return {
        "game": info.id,
        "title": info.title,
        "about": info.about,
        "version": info.version,
        "players": list(info.players),
        "options": {option.name: list(option.values) for option in info.options},
        "decisions": {
            str(players): game.playouts(PLAYOUTS, seed=0).decisions / PLAYOUTS
            for players, game in loaded.items()
        },
        "state_bytes": max(game.state_size for game in loaded.values()),
    }


def rules(
    game: GameId,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="List all problems of an override; exit code 1 if any."),
    ] = None,
    digest: Annotated[
        bool,
        typer.Option(
            "--digest", help="Print the digest of the rules in force (with --check: with the override)."
        ),
    ] = False,
) -> None:
    """Print the rule data of a game with its provenance, as a start for an override."""
    info = hansa.load_game(game).info
    if check is not None:
        check.read_bytes()
        problems = [Problem(*problem) for problem in hansa.check_rules(game, check)]
        if problems:
            for problem in problems:
                print(f"{check}: {problem}")
            raise typer.Exit(1)
        if not digest:
            print(f"{check}: fits {game}")
    if digest:
        print(hansa.load_game(game, info.players[0], rules=check).rules_digest)
    elif check is None:
        sys.stdout.write(info.rules_text)
