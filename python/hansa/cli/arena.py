"""`hansa arena`: matches between bots."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from hansa import Game
from hansa.arena import MatchResult, play_match
from hansa.bots import Bot
from hansa.cli.common import (
    Failure,
    GameId,
    Json,
    Options,
    Players,
    RulesFile,
    Seed,
    Threads,
    complaint,
    cores,
    err,
    load,
    out,
    python_bot,
    split_bots,
)
from hansa.errors import HansaError
from hansa.records import write


def arena(
    game: GameId,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Built-in bots, or module:Class for a Python bot; repeated to fill the table.",
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", "-g", help="Number of games, rounded up to whole rotations.", min=1)
    ] = 100,
    players: Players = None,
    seed: Seed = 0,
    option: Options = None,
    rules: RulesFile = None,
    threads: Threads = None,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FILE", help="Keep the records here.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play matches between bots with rotating seats: mean score and win share with its interval."""
    specs = split_bots(bots)
    if players is None and len(specs) > 1:
        players = len(specs)
    loaded = load(game, players, option, rules)
    if len(specs) > loaded.players:
        raise Failure(f"{len(specs)} bots at a table of {loaded.players}; give 1 to {loaded.players}")
    competitors = competitors_of(specs)
    if records is not None:
        # Found out before the games are played, not after.
        records.open("a", encoding="utf-8").close()
    with Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err(),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task("games", total=games)
        try:
            result = play_match(
                loaded,
                competitors,
                games,
                seed,
                threads=threads or cores(),
                records=records is not None,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        except HansaError:
            raise
        except Exception as error:  # noqa: BLE001 - a user's bot may raise anything
            # Only a bot of the user's own can fail in ways that the engine does not know.
            raise Failure(f"a bot failed: {complaint(error)}", code=1) from None
    if records is not None:
        write(result.records, records)
    if as_json:
        print(json.dumps(_as_json(loaded, seed, result), indent=2))
    else:
        _print(loaded.title, result)


def competitors_of(specs: list[str]) -> list[str | Bot]:
    """The bots of the specs: built-in ones stay texts, Python bots become objects, one for each seat."""
    competitors: list[str | Bot] = []
    for spec in specs:
        bot = python_bot(spec)
        competitors.append(spec if bot is None else bot)
    return competitors


def _as_json(game: Game, seed: int, result: MatchResult) -> dict[str, object]:
    """A result for programs."""
    return {
        "game": game.id,
        "players": game.players,
        "options": game.options,
        "seed": seed,
        "games": result.games,
        "elapsed": result.elapsed,
        "bots": [asdict(bot) for bot in result.bots],
    }


def _print(title: str, result: MatchResult) -> None:
    """A result for people."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("bot", overflow="fold")
    for column in ("seats", "mean score", "mean rank", "wins", "95 % interval", "equal"):
        table.add_column(column, justify="right")
    for bot in result.bots:
        low, high = bot.win_interval
        table.add_row(
            bot.bot,
            str(bot.seats),
            f"{bot.mean_score:.1f}",
            f"{bot.mean_rank + 1:.2f}",
            f"{bot.win_share:.1%}",
            f"{low:.1%} - {high:.1%}",
            f"{bot.equal_share:.1%}",
        )
    console = out()
    console.print(f"{title}: {result.games} games, {result.elapsed:.1f} s", markup=False)
    console.print(table)
