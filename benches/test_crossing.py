"""What crossing from Python into the engine costs.

Run by `.ci/run bench`, or with the package installed by

    pytest benches/test_crossing.py --benchmark-enable

Every benchmark asserts what it did. Times are those of this machine under its load; they are reported, never
gated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hansa

Benchmark = Callable[..., Any]
"""The fixture of pytest-benchmark: calls what it is given, often, and returns its result."""

GAMES = 1024
"""Games of a batch."""


@pytest.fixture
def game() -> hansa.Game:
    """The table of the published figures."""
    return hansa.load_game("queen_of_hansa", players=4)


@pytest.fixture
def state(game: hansa.Game) -> hansa.State:
    """The first turn: everybody has chosen a hand."""
    state, rng = game.new_initial_state(), hansa.Rng(1)
    while not (state.is_player_node() and state.to_dict()["phase"] == "play"):
        state = state.apply(state.sample_chance(rng) if state.is_chance_node() else state.random_action(rng))
    return state


def test_a_step(benchmark: Benchmark, state: hansa.State) -> None:
    """The legal actions and one of them applied: what a loop in Python does for every decision."""

    def step() -> hansa.State:
        return state.apply(state.legal_actions()[0])

    assert benchmark(step) != state


def test_legal_actions(benchmark: Benchmark, state: hansa.State) -> None:
    """The sequence of legal actions."""
    assert len(benchmark(state.legal_actions)) > 1


def test_a_view(benchmark: Benchmark, state: hansa.State) -> None:
    """What one player knows."""
    assert benchmark(state.view, 1).player == 1


def test_an_observation(benchmark: Benchmark, state: hansa.State) -> None:
    """A view as numbers."""
    assert benchmark(state.view(0).observation).shape == (state.game.observation_size,)


def test_one_playout(benchmark: Benchmark, game: hansa.Game) -> None:
    """A call for a single playout: the crossing and one whole game."""
    assert benchmark(game.playouts, 1).playouts == 1


def test_many_playouts(benchmark: Benchmark, game: hansa.Game) -> None:
    """A call for a thousand playouts: the crossing no longer counts."""
    assert benchmark(game.playouts, 1000).playouts == 1000


def test_a_search(benchmark: Benchmark, state: hansa.State) -> None:
    """A search of a thousand simulations."""
    view = state.view(state.current_player())
    assert benchmark(hansa.mcts.search, view, simulations=1000).simulations == 1000


def test_random_steps_of_a_batch(benchmark: Benchmark, game: hansa.Game) -> None:
    """A step of a batch, chosen inside the engine."""
    batch = game.batch(GAMES, autoreset=True)
    assert benchmark(batch.step_random, 1) == GAMES


def test_steps_of_a_batch(benchmark: Benchmark, game: hansa.Game) -> None:
    """A step of a batch, chosen in numpy: the first legal action of every game."""
    batch = game.batch(GAMES, autoreset=True)

    def step() -> np.ndarray[Any, np.dtype[np.bool_]]:
        offsets, indices = batch.legal_actions()
        return batch.step(indices[offsets[:-1]])

    assert benchmark(step).shape == (GAMES,)
