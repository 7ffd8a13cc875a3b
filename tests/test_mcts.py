"""Searches from Python."""

from __future__ import annotations

import _thread
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

import hansa
from hansa import errors, mcts
from positions import first_decision, hides


def test_a_report_adds_up(game: hansa.Game) -> None:
    state = first_decision(game)
    report = mcts.search(state.view(0), simulations=300, seed=1)
    assert report.best in state.legal_actions()
    assert [row.action for row in report.actions] == list(state.legal_actions())
    assert sum(row.visits for row in report.actions) == report.simulations == 300
    assert report.inherited == 0
    assert max(report.actions, key=lambda row: row.visits).visits == next(
        row.visits for row in report.actions if row.action == report.best
    )
    assert sum(row.prior for row in report.actions) == pytest.approx(1)
    assert sum(report.values) == pytest.approx(1)
    for row in report.actions:
        assert row.availability >= row.visits
        assert (row.value is None) == (row.visits == 0)
        if row.values is not None:
            assert row.value == row.values[report.player]
    assert report.principal_variation[0] == report.best
    assert (report.player, report.stopped) == (0, "simulations")
    assert report.elapsed > 0
    assert report.simulations_per_second == pytest.approx(300 / report.elapsed)
    assert report.nodes > 0
    assert report.depth > 0
    assert not report.memory_full
    assert str(report.best) in repr(report)
    assert str(report.actions[0].action) in repr(report.actions[0])


def summary(report: mcts.SearchReport) -> list[object]:
    """What a report has to say, times aside."""
    rows = [(row.action, row.visits, row.values, row.prior) for row in report.actions]
    return [rows, report.values, report.principal_variation, report.simulations]


def test_the_result_depends_on_seed_and_workers_not_on_threads(game: hansa.Game) -> None:
    view = first_decision(game).view(0)

    def result(seed: int, workers: int, threads: int) -> list[object]:
        return summary(mcts.search(view, simulations=400, seed=seed, workers=workers, threads=threads))

    assert result(1, 2, 1) == result(1, 2, 2)
    assert result(1, 2, 1) != result(1, 1, 1)
    assert result(1, 2, 1) != result(2, 2, 1)


def test_a_search_sees_the_view_only(game: hansa.Game) -> None:
    state, rng = first_decision(game), hansa.Rng(1)
    view = state.view(0)
    other = view.determinize(rng)
    assert (other != state) == hides(state)
    assert summary(mcts.search(view, simulations=200)) == summary(mcts.search(other.view(0), simulations=200))


def test_settings_reach_the_search(queen: hansa.Game) -> None:
    view = first_decision(queen).view(0)
    plain = summary(mcts.search(view, simulations=200))
    assert plain == summary(
        mcts.search(view, simulations=200, selection="ucb1", exploration=0.7, utility="win")
    )
    assert mcts.search(view).simulations == 1000
    different = [
        mcts.search(view, simulations=200, exploration=3),
        mcts.search(view, simulations=200, selection="puct"),
        mcts.search(view, simulations=200, selection="puct", temperature=30),
        mcts.search(view, simulations=200, first_play=0.1),
        mcts.search(view, simulations=200, playout="heuristic"),
        mcts.search(view, simulations=200, playout="heuristic", epsilon=0.9),
        mcts.search(view, simulations=200, cutoff=2),
        mcts.search(view, simulations=200, utility="margin"),
        mcts.search(view, simulations=200, utility="rank"),
        mcts.search(view, simulations=200, seed=1),
    ]
    summaries = [summary(report) for report in different]
    assert plain not in summaries
    assert all(summaries.count(one) == 1 for one in summaries)
    assert mcts.search(view, simulations=3000, memory=20_000).memory_full


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"simulations": 0}, "simulations: 0 simulations find nothing"),
        ({"simulations": -5}, "simulations: cannot be -5"),
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": math.nan}, "seconds"),
        ({"exploration": -1.0}, "exploration"),
        ({"selection": "best"}, "selection: 'best' is unknown; give one of 'ucb1', 'puct'"),
        ({"playout": "worst"}, "'random', 'heuristic'"),
        ({"epsilon": 0.5}, "epsilon: belongs to 'heuristic'"),
        ({"cutoff": -1}, "cutoff: cannot be -1"),
        ({"utility": "money"}, "utility: 'money' is unknown"),
        ({"workers": 0}, "workers"),
        ({"memory": 1}, "memory: 1 bytes do not hold"),
        ({"first_play": 2.0}, "first_play"),
        ({"temperature": 0.0}, "temperature"),
    ],
)
def test_bad_settings_say_what_would_be_right(
    queen: hansa.Game, settings: dict[str, object], words: str
) -> None:
    view = first_decision(queen).view(0)
    with pytest.raises(errors.SearchError) as caught:
        mcts.search(view, **settings)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_only_who_is_to_decide_can_search(queen: hansa.Game) -> None:
    state = first_decision(queen)
    with pytest.raises(errors.SearchError, match="player 0 is to decide"):
        mcts.search(state.view(1))
    with pytest.raises(errors.SearchError, match="chance is to answer"):
        mcts.search(queen.new_initial_state().view(0))
    with pytest.raises(errors.SearchError, match="the game is over"):
        mcts.search(state.random_playout(hansa.Rng(1)).view(0))


def test_a_budget_of_time_is_kept(queen: hansa.Game) -> None:
    view = first_decision(queen).view(0)
    report = mcts.search(view, seconds=0.2)
    assert report.stopped == "seconds"
    assert report.simulations > 0
    assert 0.1 < report.elapsed < 1
    both = mcts.search(view, simulations=10, seconds=60)
    assert (both.stopped, both.simulations) == ("simulations", 10)


def test_a_searcher_goes_on_from_its_tree(queen: hansa.Game) -> None:
    state = first_decision(queen)
    searcher = mcts.Searcher(queen, simulations=500, seed=1)
    assert searcher.game == queen
    first = searcher.search(state.view(0))
    assert summary(first) == summary(mcts.search(state.view(0), simulations=500, seed=1))
    second = searcher.search(state.view(0))
    assert second.inherited == 500
    assert sum(row.visits for row in second.actions) == 1000
    searcher.forget()
    assert summary(searcher.search(state.view(0))) == summary(first)
    searcher.advance(0, first.best)
    following = state.apply(first.best)
    report = searcher.search(following.view(1))
    assert report.best in following.legal_actions()


def test_a_searcher_is_for_one_game(queen: hansa.Game) -> None:
    searcher = mcts.Searcher(queen, simulations=10)
    other = hansa.load_game("queen_of_hansa", 4)
    with pytest.raises(errors.GameMismatchError, match="players=4"):
        searcher.search(first_decision(other).view(0))
    with pytest.raises(errors.GameMismatchError):
        searcher.advance(0, other.action(0))
    with pytest.raises(errors.PlayersError):
        searcher.advance(3, queen.action(0))
    with pytest.raises(errors.SearchError):
        mcts.Searcher(queen, simulations=0)


LONG: list[Callable[[hansa.View], object]] = [
    lambda view: mcts.search(view, seconds=60),
    lambda view: mcts.search(view, seconds=60, workers=2, threads=2),
    lambda view: view.playouts(10**12),
    lambda view: view.playouts(10**12, threads=2),
    lambda view: view.game.playouts(10**12),
    lambda view: view.game.sample(10**9),
    lambda view: view.game.batch(8, autoreset=True).step_random(10**12),
    lambda view: view.game.play_match(["mcts:simulations=1000000"], 10**6),
    lambda view: hansa.bots.make("mcts:seconds=60").act(view),
    lambda view: hansa.bots.make("flat:simulations=1000000000000").act(view),
    lambda view: mcts.Searcher(view.game, seconds=60).search(view),
]


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where the tests run in the background and SIGINT is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_ends_long_work(queen: hansa.Game, work: Callable[[hansa.View], object]) -> None:
    view = first_decision(queen).view(0)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work(view)
    assert time.monotonic() - begin < 5
    timer.join()
    assert view.playouts(10).playouts == 10, "everything works afterwards"
