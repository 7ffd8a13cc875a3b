"""States and moves."""

from __future__ import annotations

import copy
import json
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansa
from hansa import errors
from positions import first_decision, walk


def test_every_node_is_of_one_kind(game: hansa.Game) -> None:
    for state in walk(game, seed=1):
        kinds = [state.is_player_node(), state.is_chance_node(), state.is_terminal()]
        assert kinds.count(True) == 1
        player = state.current_player()
        if state.is_player_node():
            assert 0 <= player < game.players
            assert len(state.legal_actions()) > 0
            assert state.chance_outcomes() == []
        else:
            assert player == (hansa.CHANCE if state.is_chance_node() else hansa.TERMINAL)
            assert len(state.legal_actions()) == 0
            assert bool(state.chance_outcomes()) == state.is_chance_node()


def test_all_forms_of_a_move_mean_the_same(game: hansa.Game) -> None:
    rng = hansa.Rng(3)
    for state in walk(game, seed=3)[:-1]:
        move: hansa.Action | hansa.ChanceOutcome
        move = state.sample_chance(rng) if state.is_chance_node() else state.random_action(rng)
        after = state.apply(move)
        assert after == state.apply(str(move)) == state.apply(int(move))
        assert after == state.apply(np.int64(int(move)))  # type: ignore[arg-type]


def test_sequences_of_actions(game: hansa.Game) -> None:
    for state in walk(game, seed=2):
        legal = state.legal_actions()
        actions = list(legal)
        assert [legal[index] for index in range(len(legal))] == actions
        assert list(reversed(legal)) == actions[::-1]
        assert legal[1:3] == actions[1:3]
        assert [int(action) for action in legal] == sorted({int(action) for action in legal})
        assert len({str(action) for action in legal}) == len(legal)
        assert legal.indices().tolist() == [int(action) for action in actions]
        assert legal.mask().sum() == len(legal)
        assert legal == state.legal_actions()
        for place, action in enumerate(actions):
            assert action in legal
            assert str(action) in legal
            assert int(action) in legal
            assert (legal.index(action), legal.count(str(action))) == (place, 1)
            assert game.parse_action(str(action)) == action == game.action(int(action))
            assert repr(action) == f"Action('{action}')"


def test_a_sequence_refuses_as_sequences_do(queen: hansa.Game) -> None:
    legal = first_decision(queen).legal_actions()
    with pytest.raises(IndexError, match="none has the index 99"):
        legal[99]
    assert legal[-1] == legal[len(legal) - 1]
    for stranger in ("dance", 10**9, -1, None, 1.5, object()):
        assert stranger not in legal
    with pytest.raises(ValueError, match="dance is not among the legal actions"):
        legal.index("dance")
    with pytest.raises(ValueError, match="is not among"):
        legal.index(legal[0], 1)
    with pytest.raises(TypeError):
        hash(legal)
    match legal:
        case [first, *_]:
            assert first == legal[0]
        case _:
            pytest.fail("a sequence")


def test_an_illegal_action_says_which_rule_forbids_it(game: hansa.Game) -> None:
    state = first_decision(game)
    legal = state.legal_actions()
    index = next(index for index in range(game.num_distinct_actions) if index not in legal)
    before = state.to_json()
    with pytest.raises(errors.IllegalActionError) as caught:
        state.apply(index)
    error = caught.value
    assert error.move == str(game.action(index))
    assert error.rule
    assert error.reason
    assert error.legal == [str(action) for action in legal]
    assert error.game_index is None
    assert all(part in str(error) for part in (error.move, error.rule, error.reason, error.legal[0]))
    assert isinstance(error, ValueError)
    assert state.to_json() == before
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.move, again.rule, again.legal) == (
        str(error),
        error.move,
        error.rule,
        error.legal,
    )


def test_moves_of_the_wrong_kind(queen: hansa.Game) -> None:
    start, decision = queen.new_initial_state(), first_decision(queen)
    outcome, action = start.chance_outcomes()[0][0], decision.legal_actions()[0]
    with pytest.raises(errors.IllegalActionError):
        start.apply(action)
    with pytest.raises(errors.IllegalActionError):
        decision.apply(outcome)
    with pytest.raises(errors.NotationError, match="is an action, but chance is to answer"):
        start.apply(str(action))
    with pytest.raises(errors.NotationError, match="is a chance outcome, but player 0 is to decide"):
        decision.apply(str(outcome))
    with pytest.raises(errors.NotationError):
        decision.apply("dance all night")
    with pytest.raises(errors.NotationError, match="no action has the index -1"):
        decision.apply(-1)
    with pytest.raises(TypeError, match="found float"):
        decision.apply(1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nothing for chance to answer: player 0 is to decide"):
        decision.sample_chance(hansa.Rng(0))
    with pytest.raises(ValueError, match="nothing for a player to decide: chance is to answer"):
        start.random_action(hansa.Rng(0))


def test_nothing_follows_the_end(game: hansa.Game) -> None:
    last = walk(game, seed=5)[-1]
    with pytest.raises(errors.IllegalActionError, match="the game is over") as caught:
        last.apply(0)
    assert caught.value.legal == []
    with pytest.raises(ValueError, match="the game is over"):
        last.sample_chance(hansa.Rng(0))


def test_moves_of_another_game_are_refused(queen: hansa.Game) -> None:
    other = hansa.load_game("queen_of_hansa", 4)
    action = first_decision(other).legal_actions()[0]
    with pytest.raises(errors.GameMismatchError, match=r"players=4\), not to queen_of_hansa\(players=3"):
        first_decision(queen).apply(action)
    assert action not in first_decision(queen).legal_actions()
    assert action != queen.action(int(action))


def test_states_are_values(game: hansa.Game) -> None:
    states = walk(game, seed=4)
    assert len(set(states)) == len(states), "every move changes the state"
    for state in states:
        exact = [
            copy.copy(state),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            game.state_from_bytes(state.to_bytes()),
        ]
        # The canonical state leaves out what players may remember beyond the position.
        told = [
            game.state_from_json(state.to_json()),
            game.state_from_json(state.to_json().encode()),
            game.state_from_json(state.to_dict()),
        ]
        for other in exact + told:
            assert other == state
            assert hash(other) == hash(state)
            assert other.to_json() == state.to_json()
        for other in exact:
            assert other.to_bytes() == state.to_bytes()
        assert json.loads(state.to_json()) == state.to_dict()
        assert str(state) == state.to_json()
        assert state.game == game
    assert states[0] != hansa.load_game(game.id, options=_other_options(game)).new_initial_state()
    assert states[0] != 3


def _other_options(game: hansa.Game) -> dict[str, str]:
    return {option.name: option.values[-1] for option in game.info.options}


def test_moves_are_values(queen: hansa.Game) -> None:
    outcome = queen.new_initial_state().chance_outcomes()[0][0]
    action = first_decision(queen).legal_actions()[0]
    for move in (outcome, action):
        for other in (copy.copy(move), copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
            assert other == move
            assert hash(other) == hash(move)
        assert move.game == queen
        assert move.index == int(move) == operator.index(move)
        assert move != int(move)
        assert move != str(move)
    assert action != outcome


@pytest.mark.parametrize("damage", [b"", b"hansa", b"nonsense", b"hansa\x01S"])
def test_damaged_bytes_are_refused(queen: hansa.Game, damage: bytes) -> None:
    with pytest.raises(errors.FormatError):
        queen.state_from_bytes(damage)
    with pytest.raises(errors.FormatError):
        queen.view_from_bytes(damage)


@given(data=st.data())
def test_no_bytes_make_a_panic(data: st.DataObject) -> None:
    game = hansa.load_game("queen_of_hansa", 2)
    good = walk(game, seed=data.draw(st.integers(0, 5)))[data.draw(st.integers(0, 60))].to_bytes()
    bad = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        bad[data.draw(st.integers(0, len(bad) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(bad[: data.draw(st.integers(0, len(bad)))])
    for candidate in (bytes(bad), cut):
        try:
            state = game.state_from_bytes(candidate)
        except errors.FormatError:
            continue
        # What is accepted can be looked at and played on.
        assert game.state_from_bytes(state.to_bytes()) == state
        assert len(state.views()) == 2
        assert state.to_json()
        assert state.random_playout(hansa.Rng(0)).is_terminal()


def test_bytes_name_their_game(queen: hansa.Game) -> None:
    state = first_decision(queen)
    other = hansa.load_game("queen_of_hansa", 2)
    with pytest.raises(errors.FormatError, match=r"state of queen_of_hansa\(players=3\), not of .*players=2"):
        other.state_from_bytes(state.to_bytes())
    with pytest.raises(errors.FormatError, match="hold a view, expected a state"):
        queen.state_from_bytes(state.view(0).to_bytes())
    with pytest.raises(errors.FormatError, match="hold a state, expected a view"):
        queen.view_from_bytes(state.to_bytes())


def test_wrong_json_names_the_place(queen: hansa.Game) -> None:
    good = first_decision(queen).to_dict()
    with pytest.raises(errors.FormatError, match="this is no JSON"):
        queen.state_from_json("{")
    with pytest.raises(TypeError, match="found int"):
        queen.state_from_json(3)  # type: ignore[arg-type]
    del good["bag"]
    with pytest.raises(errors.FormatError, match="bag"):
        queen.state_from_json(good)


def test_a_census_never_changes(game: hansa.Game) -> None:
    states = walk(game, seed=6)
    assert all(state.census() == states[0].census() for state in states)
    assert all(count >= 0 for count in states[0].census().values())


def test_returns_are_utilities(game: hansa.Game) -> None:
    last = walk(game, seed=7)[-1]
    ranks, win = last.ranks(), last.returns()
    assert sum(win) == pytest.approx(1)
    assert [share > 0 for share in win] == [rank == 0 for rank in ranks]
    assert sum(last.returns("rank")) == pytest.approx(game.players / 2)
    assert max(last.returns("margin")) >= 0.5
    with pytest.raises(errors.SearchError, match="give one of 'win', 'rank', 'margin'"):
        last.returns("money")  # type: ignore[arg-type]


def test_playouts_from_the_end_are_the_end(game: hansa.Game) -> None:
    last = walk(game, seed=8)[-1]
    report = last.playouts(100, seed=1)
    assert (report.playouts, report.decisions) == (100, 0)
    assert report.mean_scores == last.scores()
    assert report.lowest_scores == report.highest_scores == last.scores()
    assert last.random_playout(hansa.Rng(0)) == last


def test_playouts_do_not_depend_on_threads(game: hansa.Game) -> None:
    def sums(threads: int) -> tuple[int, int, list[float], list[float], list[float]]:
        report = game.playouts(1000, seed=5, threads=threads)
        means = report.mean_scores, report.mean_ranks, report.win_shares
        return (report.playouts, report.decisions, *means)

    assert sums(1) == sums(2)
    assert sums(1)[2] != game.playouts(1000, seed=6).mean_scores
    report = game.playouts(0)
    assert (report.playouts, report.mean_scores) == (0, [0.0] * game.players)


def test_playout_settings_are_checked(queen: hansa.Game) -> None:
    state = queen.new_initial_state()
    with pytest.raises(errors.SearchError, match="'random', 'heuristic'"):
        state.playouts(1, policy="best")  # type: ignore[arg-type]
    with pytest.raises(errors.SearchError, match="epsilon"):
        state.playouts(1, epsilon=0.1)
    with pytest.raises(errors.SearchError, match="epsilon"):
        state.playouts(1, policy="heuristic", epsilon=2)
    with pytest.raises(ValueError, match="threads must be an integer from 1 to 1024, found 0"):
        state.playouts(1, threads=0)
    with pytest.raises(ValueError, match="count must be an integer from 0"):
        state.playouts(-1)
    assert state.playouts(10, cutoff=3).cut_off == 10
    assert state.playouts(10, policy="heuristic").playouts == 10


def test_there_is_no_such_player(queen: hansa.Game) -> None:
    for player in (-1, 3, 10**12):
        with pytest.raises(errors.PlayersError, match=f"the players are 0 to 2, found {player}"):
            queen.new_initial_state().view(player)
