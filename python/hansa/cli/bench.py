"""`hansa bench`: random playouts and tree search, single thread and all."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated

import typer
from rich import box
from rich.table import Table

import hansa
from hansa import Game, Rng, View
from hansa.cli.common import Json, Options, Players, Seed, Threads, cores, err, load, out

ROUNDS = 5
"""Rounds of a measurement; the median counts, the lowest and the highest are its spread."""


@dataclass(frozen=True)
class Spread:
    """The median of several rounds, with the lowest and the highest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        """The spread of the values of the rounds."""
        return cls(statistics.median(values), min(values), max(values))


@dataclass(frozen=True)
class Measurement:
    """How fast one game is at one table size on a number of threads."""

    game: str
    """The game's id."""
    players: int
    """Players at the table."""
    threads: int
    """Threads that worked."""
    rounds: int
    """Rounds measured."""
    playouts_per_second: Spread
    """Random games from the empty start to the end, by the clock."""
    decisions_per_second: Spread
    """Decisions of players in them, by the clock; chance and scoring are in the time, not in the number."""
    nanoseconds_per_decision: Spread
    """Processor time of all threads together for one decision."""
    simulations_per_second: Spread
    """Simulations of the tree search from the view of the first decision, by the clock."""
    simulations_per_cpu_second: Spread
    """The same by the processor time of all threads together."""


@dataclass(frozen=True)
class _Round:
    """One round: how much was done in how many seconds."""

    work: int
    seconds: float
    cpu_seconds: float


def measure(game: Game, threads: int, seconds: float, seed: int = 0, rounds: int = ROUNDS) -> Measurement:
    """Measures a game on a number of threads.

    Args:
        game: the game.
        threads: threads to use.
        seconds: what each of the two measurements, playouts and search, may take about.
        seed: seed of the first round; every round has its own.
        rounds: rounds of each measurement.
    """
    decisions = []

    def play(count: int, round_seed: int) -> None:
        decisions.append(game.playouts(count, round_seed, threads=threads).decisions)

    view = first_decision(game, seed)

    def search(count: int, round_seed: int) -> None:
        hansa.mcts.search(view, simulations=count, seed=round_seed, workers=threads, threads=threads)

    playouts = _rounds(play, seconds, seed, rounds)
    simulations = _rounds(search, seconds, seed, rounds)
    counted = decisions[-rounds:]
    return Measurement(
        game.id,
        game.players,
        threads,
        rounds,
        Spread.of([each.work / each.seconds for each in playouts]),
        Spread.of([number / each.seconds for number, each in zip(counted, playouts, strict=True)]),
        Spread.of([1e9 * each.cpu_seconds / number for number, each in zip(counted, playouts, strict=True)]),
        Spread.of([each.work / each.seconds for each in simulations]),
        Spread.of([each.work / each.cpu_seconds for each in simulations]),
    )


def first_decision(game: Game, seed: int) -> View:
    """What the first player to decide knows, chance drawn from the seed."""
    state, rng = game.new_initial_state(), Rng(seed)
    while state.is_chance_node():
        state = state.apply(state.sample_chance(rng))
    return state.view(state.current_player())


def _rounds(work: Callable[[int, int], None], seconds: float, seed: int, rounds: int) -> list[_Round]:
    """Rounds of a work that can be done in any amount.

    What was done to warm up and to find the amount is not kept.
    """
    target = seconds / rounds
    count = 16
    while True:
        once = _timed(work, count, seed)
        if once.seconds >= target / 8:
            break
        count *= 4
    count = max(1, round(count * target / once.seconds))
    return [_timed(work, count, (seed + number) % 2**64) for number in range(1, rounds + 1)]


def _timed(work: Callable[[int, int], None], count: int, seed: int) -> _Round:
    """One round of a work."""
    cpu, clock = time.process_time(), time.perf_counter()
    work(count, seed)
    # A round too short for the clock's resolution still took some time.
    return _Round(count, max(time.perf_counter() - clock, 1e-9), max(time.process_time() - cpu, 1e-9))


def bench(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="The games; all by default.", show_default=False),
    ] = None,
    players: Players = None,
    threads: Threads = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", help="Seconds of each measurement.", min=0.01),
    ] = 1.0,
    seed: Seed = 0,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Measure random playouts and tree search: one thread, then all."""
    infos = {info.id: info for info in hansa.games()}
    tables = []
    for name in game or infos:
        sizes = [players] if players is not None or name not in infos else list(infos[name].players)
        tables += [load(name, size, option) for size in sizes]
    measurements = []
    for table in tables:
        for number in dict.fromkeys([1, threads or cores()]):
            if sys.stderr.isatty():
                err().print(
                    f"measuring {table.id}, {table.players} players, {number} threads",
                    style="dim",
                    markup=False,
                )
            measurements.append(measure(table, number, seconds, seed))
    if as_json:
        print(json.dumps([asdict(measurement) for measurement in measurements], indent=2))
    else:
        out().print(speed_table(measurements))
        out().print(
            f"median of {ROUNDS} rounds, in brackets lowest and highest; ns: processor time of all threads"
        )


def speed_table(measurements: list[Measurement]) -> Table:
    """The measurements for people."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("game", "players", "threads", "playouts/s", "decisions/s", "ns/decision", "simulations/s"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for each in measurements:
        table.add_row(
            each.game,
            str(each.players),
            str(each.threads),
            _cell(each.playouts_per_second),
            _cell(each.decisions_per_second),
            _cell(each.nanoseconds_per_decision),
            _cell(each.simulations_per_second),
        )
    return table


def _cell(spread: Spread) -> str:
    """A spread on two lines."""
    return f"{_short(spread.median)}\n[dim]({_short(spread.low)}-{_short(spread.high)})[/dim]"


def _short(number: float) -> str:
    """A number with three digits, e.g. 12.3 M."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}" if number < 1000 * size else f"{number / size:.0f}{letter}"
    return f"{number:.3g}"
