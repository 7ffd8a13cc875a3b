"""Tree search from what one player knows.

One open-loop tree with availability counts, backed up for every player: with a full view it is MCTS, with
hidden cards single-observer ISMCTS. A search is given a :class:`hansa.View`, so it cannot cheat. The same
seed and number of workers give the same report on any number of threads, unless the budget is a time.

>>> import hansa
>>> game = hansa.load_game("queen_of_hansa", players=2)
>>> state, rng = game.new_initial_state(), hansa.Rng(1)
>>> while state.is_chance_node():
...     state = state.apply(state.sample_chance(rng))
>>> report = search(state.view(0), simulations=200, seed=1)
>>> report.best in state.legal_actions()
True
>>> report.simulations
200
"""

from __future__ import annotations

from typing import Literal

from hansa import _hansa
from hansa._hansa import ActionReport, Searcher, SearchReport, View

__all__ = ["ActionReport", "SearchReport", "Searcher", "search"]


def search(
    view: View,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    exploration: float | None = None,
    selection: Literal["ucb1", "puct"] | None = None,
    first_play: float | None = None,
    temperature: float | None = None,
    playout: Literal["random", "heuristic"] | None = None,
    epsilon: float | None = None,
    cutoff: int | None = None,
    utility: Literal["win", "rank", "margin"] | None = None,
    workers: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    memory: int | None = None,
) -> SearchReport:
    """Searches for the best action of the player whose view it is.

    Ctrl-C ends the search with :class:`KeyboardInterrupt`; other Python threads run meanwhile.

    Args:
        view: What the player to decide knows.
        simulations: Budget in simulations, over all workers. With neither budget given, 1000.
        seconds: Budget in seconds; with both, whichever ends first.
        exploration: The weight of exploration, 0 or more (default 0.7).
        selection: ``"ucb1"`` (default): mean + exploration * sqrt(ln(availability) / visits). ``"puct"``:
            mean + exploration * prior * sqrt(availability) / (1 + visits), with priors from the game's
            own judgement.
        first_play: From 0 to 1: the mean that an action counts with before it was taken. By default 1
            with ``"ucb1"`` (every action is tried before any is repeated), with ``"puct"`` the mean of
            those that were taken.
        temperature: The temperature of the priors, in points of the game, above 0 (default 1).
        playout: ``"random"`` (default), or ``"heuristic"``: the game's own judgement.
        epsilon: The share of random decisions of a heuristic playout (default 0.1).
        cutoff: Decisions after which a playout is judged by the scores it promises; without it, played to
            the end.
        utility: What every player is taken to want: ``"win"`` (default), ``"rank"`` or ``"margin"``; see
            :meth:`hansa.State.returns`.
        workers: Independent trees that are merged in the end; part of the result (default 1). To use
            ``n`` threads, give at least ``n`` workers.
        threads: Threads that do the work; never part of the result (default 1).
        seed: Seed of all random streams.
        memory: Cap on the trees in bytes, over all workers (default 1 GiB). A full tree stops growing;
            the search goes on.

    Raises:
        SearchError: A setting is out of range, or the player of the view is not to decide.
    """
    return _hansa.search(
        view,
        simulations=simulations,
        seconds=seconds,
        exploration=exploration,
        selection=selection,
        first_play=first_play,
        temperature=temperature,
        playout=playout,
        epsilon=epsilon,
        cutoff=cutoff,
        utility=utility,
        workers=workers,
        threads=threads,
        seed=seed,
        memory=memory,
    )
