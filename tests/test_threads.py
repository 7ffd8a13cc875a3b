"""Several Python threads at the same objects."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

import hansa
from hansa import errors, mcts
from positions import first_decision

THREADS = 4


T = TypeVar("T")


def race(work: Callable[[int], T]) -> list[T]:
    """What each of some threads gets that all begin at the same moment."""
    barrier = threading.Barrier(THREADS)

    def run(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_one_view_in_many_threads(queen: hansa.Game) -> None:
    view = first_decision(queen).view(0)
    # What a view remembers is made by whoever comes first.
    fresh = queen.view_from_bytes(view.to_bytes())
    results = race(lambda _: (list(fresh.legal_actions()), fresh.playouts(200, seed=1).mean_scores))
    assert all(result == results[0] for result in results)
    assert results[0][0] == list(view.legal_actions())


def test_one_rng_gives_every_number_once() -> None:
    shared = hansa.Rng(1)
    drawn = race(lambda _: [shared.next_seed() for _ in range(2000)])
    alone = hansa.Rng(1)
    expected = [alone.next_seed() for _ in range(2000 * THREADS)]
    assert sorted(number for numbers in drawn for number in numbers) == sorted(expected)


def test_one_batch_in_many_threads(queen: hansa.Game) -> None:
    batch, alone = queen.batch(64, seed=1, threads=2), queen.batch(64, seed=1)
    taken = race(lambda _: sum(batch.step_random(3) for _ in range(20)))
    for _ in range(20 * THREADS):
        alone.step_random(3)
    assert sum(taken) == int(alone.decisions().sum())
    assert [batch.state(row) for row in range(64)] == [alone.state(row) for row in range(64)]


def test_readers_and_writers_of_a_batch(queen: hansa.Game) -> None:
    batch = queen.batch(32, seed=2, autoreset=True, threads=2)

    def work(number: int) -> int:
        for _ in range(50):
            if number % 2:
                batch.step_random()
            else:
                offsets, indices = batch.legal_actions()
                assert offsets[-1] == len(indices)
                assert batch.observations(0).shape == (32, queen.observation_size)
        return number

    assert race(work) == list(range(THREADS))
    assert int(batch.decisions().sum()) == 32 * 50 * (THREADS // 2)


def test_states_in_many_threads(queen: hansa.Game) -> None:
    def work(number: int) -> list[int]:
        state, rng = queen.new_initial_state(), hansa.Rng(number % 2)
        while not state.is_terminal():
            move = state.sample_chance(rng) if state.is_chance_node() else state.random_action(rng)
            state = state.apply(move)
        return state.scores()

    results = race(work)
    assert results[0] == results[2]
    assert results[1] == results[3]


def test_a_search_lets_other_threads_run(queen: hansa.Game) -> None:
    view = first_decision(queen).view(0)
    done = threading.Event()

    def work() -> None:
        mcts.search(view, seconds=0.5)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    ticks = 0
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    thread.join()
    assert ticks > 20


def test_a_searcher_has_one_thread(queen: hansa.Game) -> None:
    view = first_decision(queen).view(0)
    searcher = mcts.Searcher(queen, seconds=0.5)
    thread = threading.Thread(target=lambda: searcher.search(view))
    thread.start()
    time.sleep(0.15)
    with pytest.raises(errors.SearchError, match="give each thread its own"):
        searcher.search(view)
    thread.join()
    assert searcher.search(view).inherited > 0
