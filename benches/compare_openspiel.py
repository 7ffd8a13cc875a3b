"""Hansa beside OpenSpiel's C++ hearts, in one run: a tool for developers.

    pip install . open_spiel
    python benches/compare_openspiel.py

The two sides take turns within one process, so that the load of the machine hits both alike, and every figure
is by CPU second of the process. A round measures

* OpenSpiel: uniformly random rollouts of hearts from its first decision, by `MCTSBot` with 2 simulations and
  `RandomRolloutEvaluator(n_rollouts=N / 2)`, so that nothing but C++ runs;
* OpenSpiel: `ISMCTSBot` on hearts with one rollout a simulation;
* hansa: `game.playouts` at every table size, whole games from the empty start with all chance and scoring;
* hansa: `hansa.mcts.search` from the view of the first decision at the largest table, determinization and a
  whole playout in every simulation.

A decision is one that a player takes, single-option ones included, on both sides; chance is in the time and
not in the number. The ratios are those of one round each, with their median and spread.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import hansa

Spiel: TypeAlias = Any
"""An object of OpenSpiel, which has no types."""


class Hearts:
    """OpenSpiel's hearts at its first decision."""

    def __init__(self, rollouts: int) -> None:
        """Hearts with so many rollouts a measurement."""
        self.spiel: Spiel = importlib.import_module("pyspiel")
        self.game = self.spiel.load_game("hearts")
        self.rollouts = rollouts
        self.generator = random.Random(1)
        self.state = self.game.new_initial_state()
        while self.state.is_chance_node() or len(self.state.legal_actions()) < 2:
            self.step(self.state)
        self.decisions = statistics.fmean(self.decisions_of_a_rollout() for _ in range(200))

    def step(self, state: Spiel) -> None:
        """A random move."""
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(self.generator.choices(outcomes, weights)[0])
        else:
            state.apply_action(self.generator.choice(state.legal_actions()))

    def decisions_of_a_rollout(self) -> int:
        """Decisions of one random game from the first decision."""
        state, decisions = self.state.clone(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            self.step(state)
        return decisions

    def play(self, seed: int) -> float:
        """Decisions of the rollouts."""
        evaluator = self.spiel.RandomRolloutEvaluator(self.rollouts // 2, seed)
        bot = self.spiel.MCTSBot(self.game, evaluator, 2.0, 2, 1000, False, seed, False)
        bot.mcts_search(self.state)
        return self.rollouts // 2 * 2 * self.decisions

    def search(self, simulations: int, seed: int) -> float:
        """A search for hidden information; returns its simulations."""
        bot = self.spiel.ISMCTSBot(
            seed,
            self.spiel.RandomRolloutEvaluator(1, seed),
            2.0,
            simulations,
            -1,
            self.spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
        )
        bot.step(self.state)
        return simulations


def first_decision(game: hansa.Game) -> hansa.View:
    """What the first player to decide knows."""
    state, rng = game.new_initial_state(), hansa.Rng(1)
    while state.is_chance_node():
        state = state.apply(state.sample_chance(rng))
    return state.view(state.current_player())


def decisions(game: hansa.Game, playouts: int, seed: int) -> float:
    """Decisions of hansa's playouts."""
    return game.playouts(playouts, seed).decisions


def rate(work: Callable[[int], float], seed: int) -> float:
    """Units of work a CPU second."""
    began = time.process_time()
    units = work(seed)
    return units / (time.process_time() - began)


@dataclass(frozen=True)
class Row:
    """One figure of one side over all rounds."""

    name: str
    """What was measured."""
    unit: str
    """Unit of work."""
    rates: list[float]
    """Units a CPU second, by round."""
    ratios: list[float]
    """How many times the other side's rate, by round; empty for the other side itself."""

    def line(self) -> str:
        """The figure for people."""
        middle = statistics.median(self.rates)
        text = f"{self.name:<34} {_short(middle):>8} {self.unit}/s"
        text += f"  ({_short(min(self.rates))} to {_short(max(self.rates))})"
        if self.unit == "decisions":
            text += f"  {1e9 / middle:6.2f} ns each"
        if self.ratios:
            middle = statistics.median(self.ratios)
            text += f"  {middle:5.1f} times ({min(self.ratios):.1f} to {max(self.ratios):.1f})"
        return text


def _short(number: float) -> str:
    """A number with three digits."""
    return f"{number / 1e6:.3g} M" if number >= 1e6 else f"{number / 1e3:.3g} k"


def compare(game_id: str, rounds: int, playouts: int, simulations: int, rollouts: int) -> list[Row]:
    """Measures both sides in turns."""
    hearts = Hearts(rollouts)
    info = next(info for info in hansa.games() if info.id == game_id)
    games = [hansa.load_game(info.id, players) for players in info.players]
    view = first_decision(games[-1])
    works: dict[str, Callable[[int], float]] = {
        "hearts": hearts.play,
        **{f"{game}": partial(decisions, game, playouts) for game in games},
        "ismcts": partial(hearts.search, simulations),
        "search": lambda seed: hansa.mcts.search(view, simulations=simulations, seed=seed).simulations,
    }
    rates: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            measured = rate(work, number + 1)
            if number > 0:  # the first round warms up
                rates[name].append(measured)

    def times(name: str, other: str) -> list[float]:
        return [ours / theirs for ours, theirs in zip(rates[name], rates[other], strict=True)]

    return [
        Row("OpenSpiel hearts, rollouts", "decisions", rates["hearts"], []),
        *(
            Row(
                f"hansa {game.id}, {game.players} players",
                "decisions",
                rates[f"{game}"],
                times(f"{game}", "hearts"),
            )
            for game in games
        ),
        Row("OpenSpiel hearts, ISMCTSBot", "simulations", rates["ismcts"], []),
        Row(
            f"hansa mcts, {games[-1].players} players",
            "simulations",
            rates["search"],
            times("search", "ismcts"),
        ),
    ]


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    known = [info.id for info in hansa.games()]
    parser.add_argument("--game", choices=known, default=known[0], help=f"hansa's game (default {known[0]})")
    parser.add_argument("--rounds", type=int, default=9, help="rounds that count (default 9)")
    parser.add_argument("--playouts", type=int, default=200_000, help="hansa's playouts a round")
    parser.add_argument("--simulations", type=int, default=10_000, help="simulations of each search")
    parser.add_argument("--rollouts", type=int, default=40_000, help="OpenSpiel's rollouts a round")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    try:
        rows = compare(
            arguments.game,
            arguments.rounds,
            arguments.playouts,
            arguments.simulations,
            arguments.rollouts,
        )
    except ModuleNotFoundError as error:
        print(f"compare_openspiel: there is no module {error.name}; pip install open_spiel", file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps([vars(row) for row in rows], indent=2))
    else:
        print(f"by CPU second, one thread, median of {arguments.rounds} rounds (lowest to highest)")
        for row in rows:
            print(row.line())
    return 0


if __name__ == "__main__":
    sys.exit(main())
