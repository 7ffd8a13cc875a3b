"""`hansa demo`: the main job in one go."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

import hansa
from hansa import Game, Rng, State
from hansa.bots import Bot
from hansa.cli.bench import first_decision, measure, speed_table
from hansa.cli.common import Seed, cores, out
from hansa.cli.results import scores_table
from hansa.display import Display

GAME = "queen_of_hansa"
"""The game that is shown."""
BENCH_SECONDS = 0.5
"""Seconds of each measurement of the table of speeds."""
GROWTH = 10
"""Lines by which the drawing grows as the Kontors fill, about; a live board needs that much room."""


def demo(
    seed: Seed = 1,
    simulations: Annotated[
        int, typer.Option("--simulations", help="Simulations of each search.", min=1)
    ] = 1000,
    pause: Annotated[
        float,
        typer.Option("--pause", help="Seconds between two decisions on a live board.", min=0.0, max=10.0),
    ] = 0.1,
) -> None:
    """Show a position, watch a search bot play a whole game against two others, and see how fast it is."""
    console = out()
    bots = [f"mcts:simulations={simulations}", "greedy", "random"]
    game = hansa.load_game(GAME, len(bots))
    display = Display(game, [spec.split(":")[0] for spec in bots])
    _position(console, game, display, seed)
    final = _game(console, game, display, bots, seed, pause)
    console.print(scores_table(final, bots))
    _speed(console)


def _position(console: Console, game: Game, display: Display, seed: int) -> None:
    """One position, as the first player sees it, and what the search thinks of it."""
    view = first_decision(game, seed)
    console.print(f"[bold]1. A position[/bold], as player {view.player} sees it", end="\n\n")
    console.print(display.draw(view))
    report = hansa.mcts.search(view, simulations=5000, seed=seed)
    console.print(
        f"\nThe search has made {report.simulations:,} simulations from this view in {report.elapsed:.2f} s"
        f" and would choose: [bold]{report.best}[/bold]\n"
    )


def _game(console: Console, game: Game, display: Display, specs: list[str], seed: int, pause: float) -> State:
    """A whole game: a live board on a terminal, a board a round elsewhere."""
    console.print(f"[bold]2. A game[/bold]: {', '.join(specs)}; the board as player 0 sees it", end="\n\n")
    rng = Rng(seed)
    bots: list[Bot] = [hansa.bots.make(spec, rng.next_seed()) for spec in specs]
    needed = len(console.render_lines(display.draw(first_decision(game, seed)))) + GROWTH
    if not console.is_terminal or console.height < needed:
        return _snapshots(console, game, display, bots, rng)
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        state, last = game.new_initial_state(), ""
        while not state.is_terminal():
            asked = state.current_player()
            before = state.view(0)
            chance = state.is_chance_node()
            state = _step(state, bots, rng)
            if not chance:
                news = display.news(before, state.view(0))
                last = news[-1] if news else f"player {asked} has chosen"
                live.update(_frame(display, state, last), refresh=True)
                time.sleep(pause)
        live.update(display.draw(state), refresh=True)
    return state


def _snapshots(console: Console, game: Game, display: Display, bots: list[Bot], rng: Rng) -> State:
    """A whole game with a board whenever a round is about to begin, and at the end."""
    state, shown = game.new_initial_state(), None
    while not state.is_terminal():
        state = _step(state, bots, rng)
        view = state.view(0).to_dict()
        if view["phase"] == "play" and view["round"] != shown:
            shown = view["round"]
            console.print(display.draw(view))
            console.print()
    console.print(display.draw(state))
    return state


def _step(state: State, bots: list[Bot], rng: Rng) -> State:
    """One move: chance by its weights, a player by its bot, which is given its view."""
    if state.is_chance_node():
        return state.apply(state.sample_chance(rng))
    player = state.current_player()
    return state.apply(bots[player].act(state.view(player)))


def _frame(display: Display, state: State, last: str) -> RenderableType:
    """The live board with the last thing that happened."""
    return Group(display.draw(state.view(0)), Text(f"\nLast: {last}"))


def _speed(console: Console) -> None:
    """The table of speeds, every table size of the game on one thread, the largest on all."""
    info = next(info for info in hansa.games() if info.id == GAME)
    games = [hansa.load_game(GAME, players) for players in info.players]
    measurements = [measure(game, 1, BENCH_SECONDS) for game in games]
    if cores() > 1:
        measurements.append(measure(games[-1], cores(), BENCH_SECONDS))
    console.print("[bold]3. Speed[/bold]: random playouts and tree search, median of 5 rounds")
    console.print(speed_table(measurements))
