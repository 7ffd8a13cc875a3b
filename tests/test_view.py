"""Views: what one player knows."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import hansa
from hansa import errors
from positions import first_decision, hides, walk


def test_a_view_knows_whose_turn_it_is(game: hansa.Game) -> None:
    for state in walk(game, seed=1):
        for player, view in enumerate(state.views()):
            assert view.player == player
            assert view == state.view(player)
            assert view.current_player() == state.current_player()
            assert view.is_terminal() == state.is_terminal()
            assert view.is_chance_node() == state.is_chance_node()
            assert view.is_player_node() == state.is_player_node()
            mine = state.current_player() == player
            assert list(view.legal_actions()) == (list(state.legal_actions()) if mine else [])
            assert bool(len(view.legal_actions())) == mine


def test_a_determinization_has_the_same_view(game: hansa.Game) -> None:
    rng = hansa.Rng(2)
    for state in walk(game, seed=2)[::5]:
        for view in state.views():
            drawn = view.determinize(rng)
            assert drawn.view(view.player) == view
            assert drawn.current_player() == state.current_player()


def test_determinizations_differ_from_the_truth(game: hansa.Game) -> None:
    state, rng = first_decision(game), hansa.Rng(3)
    drawn = {state.view(0).determinize(rng) for _ in range(50)}
    if not hides(state):
        assert drawn == {state}
        return
    # With 2 players of the Queen there are 3060 hands that the other may hold: some come twice.
    assert len(drawn) > 40


def test_views_are_values(game: hansa.Game) -> None:
    for state in walk(game, seed=3)[::7]:
        for view in state.views():
            others = [
                copy.copy(view),
                copy.deepcopy(view),
                pickle.loads(pickle.dumps(view)),
                game.view_from_json(view.to_json(), view.player),
                game.view_from_json(view.to_dict(), view.player),
                game.view_from_bytes(view.to_bytes()),
            ]
            for other in others:
                assert other == view
                assert hash(other) == hash(view)
            assert json.loads(view.to_json()) == view.to_dict()
            assert str(view) == view.to_json()
            assert view.game == game
        assert len({*state.views()}) == game.players


def test_observations_are_new_arrays(game: hansa.Game) -> None:
    view = first_decision(game).view(0)
    one, other = view.observation(), view.observation()
    assert one.dtype == np.float32
    assert one.shape == (game.observation_size,)
    assert np.isfinite(one).all()
    assert not np.shares_memory(one, other)
    assert np.array_equal(one, other)
    one[:] = 7
    assert np.array_equal(view.observation(), other)


def test_an_observation_is_of_the_view(game: hansa.Game) -> None:
    rng = hansa.Rng(4)
    for state in walk(game, seed=4)[::9]:
        for view in state.views():
            again = view.determinize(rng).view(view.player)
            assert np.array_equal(again.observation(), view.observation())


def test_playouts_from_a_view_do_not_depend_on_threads(game: hansa.Game) -> None:
    view = first_decision(game).view(0)
    one, two = view.playouts(500, seed=1), view.playouts(500, seed=1, threads=2)
    assert (one.decisions, one.mean_scores) == (two.decisions, two.mean_scores)


def test_a_wrong_view_is_refused(queen: hansa.Game) -> None:
    view = first_decision(queen).view(0)
    with pytest.raises(errors.PlayersError, match="the players are 0 to 2, found 5"):
        queen.view_from_json(view.to_json(), 5)
    with pytest.raises(errors.FormatError):
        queen.view_from_json("{}", 0)
    with pytest.raises(errors.FormatError):
        queen.view_from_json(first_decision(queen).to_json(), 0)
