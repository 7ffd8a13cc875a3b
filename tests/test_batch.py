"""Batches: many games stepped together."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from numpy.typing import NDArray

import hansa
from hansa import errors


def first_legal(batch: hansa.Batch) -> NDArray[np.int64]:
    """The first legal action of each game, 0 where the game is over."""
    offsets, indices = batch.legal_actions()
    padded = np.append(indices, 0)
    return np.where(offsets[:-1] < offsets[1:], padded[offsets[:-1]], 0).astype(np.int64)


def play_out(batch: hansa.Batch) -> int:
    """Plays every game to its end by first legal actions; returns the steps."""
    steps = 0
    while not batch.terminal().all():
        batch.step(first_legal(batch))
        steps += 1
    return steps


def test_a_batch_is_its_games(game: hansa.Game) -> None:
    batch = game.batch(5, seed=1)
    assert (len(batch), batch.game, batch.threads, batch.autoreset) == (5, game, 1, False)
    for _ in range(12):
        offsets, indices = batch.legal_actions()
        mask, players = batch.legal_mask(), batch.current_player()
        assert [array.dtype.name for array in (offsets, indices, mask)] == ["int64", "int32", "bool"]
        assert mask.shape == (5, game.num_distinct_actions)
        observations, own = batch.observations(), batch.observations(0)
        for row in range(5):
            state = batch.state(row)
            legal = state.legal_actions().indices()
            assert indices[offsets[row] : offsets[row + 1]].tolist() == legal.tolist()
            assert np.flatnonzero(mask[row]).tolist() == legal.tolist()
            assert players[row] == state.current_player()
            assert batch.scores()[row].tolist() == state.scores()
            assert batch.ranks()[row].tolist() == state.ranks()
            assert np.array_equal(observations[row], state.view(state.current_player()).observation())
            assert np.array_equal(own[row], state.view(0).observation())
        assert not batch.step(first_legal(batch)).any()
    assert batch.decisions().tolist() == [12] * 5


def test_every_step_is_the_rules_step(game: hansa.Game) -> None:
    batch = game.batch(3, seed=2)
    before = [batch.state(row) for row in range(3)]
    actions = first_legal(batch)
    batch.step(actions)
    for row in range(3):
        after = before[row].apply(int(actions[row]))
        # Without chance in between, the position is the one that the rules give.
        if after.is_player_node():
            assert batch.state(row) == after


def test_the_same_on_any_number_of_threads(game: hansa.Game) -> None:
    batches = [game.batch(33, seed=3, threads=threads) for threads in (1, 2, 3)]
    assert [batch.threads for batch in batches] == [1, 2, 3]
    for steps in (1, 7, 500):
        taken = {batch.step_random(steps) for batch in batches}
        assert len(taken) == 1
        tables = [[batch.state(row).to_bytes() for row in range(33)] for batch in batches]
        assert tables[0] == tables[1] == tables[2]
        masks = [batch.legal_mask() for batch in batches]
        assert np.array_equal(masks[0], masks[1])
        assert np.array_equal(batches[0].observations(), batches[1].observations())
    assert batches[0].terminal().all()
    assert game.batch(33, seed=4).state(0) != game.batch(33, seed=3).state(0)


def test_random_steps_do_not_change_what_chance_answers(queen: hansa.Game) -> None:
    one, other = queen.batch(2, seed=5), queen.batch(2, seed=5)
    one.step_random(0)
    assert one.state(1) == other.state(1)
    actions = first_legal(one)
    one.step(actions)
    other.step(actions)
    assert one.state(1) == other.state(1)


def test_finished_games_wait(game: hansa.Game) -> None:
    batch = game.batch(4, seed=6)
    play_out(batch)
    assert (batch.current_player() == hansa.TERMINAL).all()
    assert batch.legal_actions()[1].size == 0
    assert not batch.legal_mask().any()
    assert not batch.observations().any()
    assert np.array_equal(batch.final_scores(), batch.scores())
    assert np.array_equal(batch.final_ranks(), batch.ranks())
    assert batch.step_random(3) == 0
    before = [batch.state(row) for row in range(4)]
    assert not batch.step([-1] * 4).any(), "the actions of finished games are not looked at"
    assert [batch.state(row) for row in range(4)] == before

    batch.reset([True, False, True, False])
    assert batch.terminal().tolist() == [False, True, False, True]
    assert batch.episodes().tolist() == [1, 1, 1, 1]
    batch.reset()
    assert not batch.terminal().any()
    assert batch.state(0) not in before


def test_autoreset_begins_anew_at_once(game: hansa.Game) -> None:
    batch = game.batch(4, seed=7, autoreset=True)
    assert (batch.final_ranks() == -1).all()
    assert (batch.final_scores() == 0).all()
    ended = np.zeros(4, dtype=np.int64)
    while ended.min() < 2:
        before = [batch.state(row) for row in range(4)]
        actions = first_legal(batch)
        now = batch.step(actions)
        ended += now
        for row in np.flatnonzero(now):
            last = before[row].apply(int(actions[row]))
            if last.is_terminal():
                assert batch.final_scores()[row].tolist() == last.scores()
                assert batch.final_ranks()[row].tolist() == last.ranks()
    assert batch.episodes().tolist() == ended.tolist()
    assert not batch.terminal().any()


def test_one_illegal_action_stops_the_whole_step(queen: hansa.Game) -> None:
    batch = queen.batch(4, seed=8)
    before = [batch.state(row) for row in range(4)]
    actions = first_legal(batch)
    mask = batch.legal_mask()
    actions[2] = int(np.flatnonzero(~mask[2])[0])
    actions[3] = actions[2]
    with pytest.raises(errors.IllegalActionError) as caught:
        batch.step(actions)
    error = caught.value
    assert error.game_index == 2
    assert error.move == str(queen.action(int(actions[2])))
    assert error.legal == [str(action) for action in before[2].legal_actions()]
    assert str(error).startswith("game 2 of the batch: ")
    assert "no game was stepped" in str(error)
    assert [batch.state(row) for row in range(4)] == before
    actions[2] = queen.num_distinct_actions
    with pytest.raises(errors.NotationError, match="game 2 of the batch: no action has the index"):
        batch.step(actions)


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        ([0], ValueError, "one value for each of the 3 games is needed, found 1"),
        ([], ValueError, "found 0"),
        ([0.0, 1.0, 2.0], TypeError, "must be a row of action numbers, found float64"),
        ([[0, 1, 2]], TypeError, "must be a row of action numbers"),
        (["a", "b", "c"], TypeError, "action numbers"),
        ([True, False, True], TypeError, "found bool"),
    ],
)
def test_what_is_no_row_of_actions(queen: hansa.Game, actions: object, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        queen.batch(3).step(actions)  # type: ignore[arg-type]


def test_all_kinds_of_integers_are_actions(queen: hansa.Game) -> None:
    tables = []
    for kind in (np.int64, np.int32, np.uint16, np.int8):
        batch = queen.batch(4, seed=9)
        actions = first_legal(batch)
        if actions.max() <= np.iinfo(kind).max:
            batch.step(np.repeat(actions.astype(kind), 2)[::2])
            tables.append(batch.state(3))
    assert len(tables) >= 2
    assert len(set(tables)) == 1


def test_arguments_are_checked(queen: hansa.Game) -> None:
    for size in (0, -1, 2**40):
        with pytest.raises(ValueError, match=f"size must be from 1 to .*, found {size}"):
            queen.batch(size)
    batch = queen.batch(2)
    for index in (-1, 2):
        with pytest.raises(IndexError, match=f"the games are 0 to 1, found {index}"):
            batch.state(index)
    with pytest.raises(errors.PlayersError):
        batch.observations(3)
    with pytest.raises(TypeError, match="truth values"):
        batch.reset([1, 0])
    with pytest.raises(ValueError, match="found 3"):
        batch.reset([True] * 3)
    with pytest.raises(ValueError, match="0 or more"):
        batch.step_random(-1)


def test_arrays_are_new_at_every_call(queen: hansa.Game) -> None:
    batch = queen.batch(3)
    for get in (batch.observations, batch.scores, batch.legal_mask, batch.terminal, batch.current_player):
        one, other = get(), get()
        assert not np.shares_memory(one, other)
        assert np.array_equal(one, other)
        assert one.flags.writeable


def test_a_copy_goes_its_own_way(queen: hansa.Game) -> None:
    batch = queen.batch(3, seed=10, threads=2)
    batch.step_random(5)
    for other in (copy.copy(batch), copy.deepcopy(batch)):
        assert other.state(2) == batch.state(2)
        other.step_random(1)
        assert other.state(2) != batch.state(2)
    one, other = copy.copy(batch), copy.copy(batch)
    one.step_random(9)
    other.step_random(9)
    assert one.state(0) == other.state(0)
    assert "3 games of queen_of_hansa(players=3)" in repr(batch)
