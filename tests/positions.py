"""Positions for tests."""

from __future__ import annotations

import hansa


def walk(game: hansa.Game, seed: int) -> list[hansa.State]:
    """All positions of one random game."""
    rng = hansa.Rng(seed)
    states = [game.new_initial_state()]
    while not states[-1].is_terminal():
        state = states[-1]
        move = state.sample_chance(rng) if state.is_chance_node() else state.random_action(rng)
        states.append(state.apply(move))
    return states


def first_decision(game: hansa.Game, seed: int = 1) -> hansa.State:
    """The first position of a random game where a player decides."""
    return next(state for state in walk(game, seed) if state.is_player_node())


def hides(state: hansa.State) -> bool:
    """Whether some player's view shows less than the whole truth."""
    return any(view.to_json() != state.to_json() for view in state.views())
