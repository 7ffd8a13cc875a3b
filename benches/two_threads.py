"""What two threads of one search or of playouts gain, beside what the machine gives two separate processes.

`python benches/two_threads.py` lets one thread, two threads, and two processes of half the work each take
turns and shows medians with quartiles. On a machine whose cores are shared with others even two processes
that have nothing in common gain less than 2, and no program can gain more.

`python benches/two_threads.py --instructions` needs valgrind and counts the instructions of each thread
of a search instead: what one thread does alone, divided by the longest way through two. That does not
depend on the load.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import hansa

Work = Callable[[int, int, int], object]
"""Does so many units with a seed on so many threads."""


def works() -> dict[str, tuple[Work, int]]:
    """Each kind of work with a number of units; a search has as many logical workers as units asked for."""
    game = hansa.load_game("queen_of_hansa", players=4)
    state = game.new_initial_state()
    rng = hansa.Rng(7)
    while state.is_chance_node():
        state = state.apply(state.sample_chance(rng))
    view = state.view(state.current_player())

    def search(units: int, seed: int, threads: int) -> object:
        return hansa.mcts.search(view, simulations=units, seed=seed, workers=2, threads=threads)

    def playouts(units: int, seed: int, threads: int) -> object:
        return game.playouts(units, seed=seed, threads=threads)

    return {
        "playouts": (playouts, 100_000),
        "search of 100,000": (search, 100_000),
        "search of 10,000": (search, 10_000),
    }


def serve(connection: Connection) -> None:
    """Does what it is asked to, one thread, until told to stop."""
    known = works()
    while (order := connection.recv()) is not None:
        name, units, seed = order
        known[name][0](units, seed, 1)
        connection.send(None)


def seconds(work: Callable[[], object]) -> float:
    """How long it takes by the clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def by_the_clock(rounds: int) -> None:
    """Prints the gain of two threads and of two processes for every kind of work."""
    connections = []
    for _ in range(2):
        ours, theirs = multiprocessing.Pipe()
        multiprocessing.Process(target=serve, args=(theirs,), daemon=True).start()
        connections.append(ours)
    for name, (work, units) in works().items():

        def both(seed: int, name: str = name, half: int = units // 2) -> None:
            for connection in connections:
                connection.send((name, half, seed))
            for connection in connections:
                connection.recv()

        both(0)
        threads, processes = [], []
        for seed in range(rounds):
            one = seconds(lambda: work(units, seed, 1))  # noqa: B023
            threads.append(one / seconds(lambda: work(units, seed, 2)))  # noqa: B023
            processes.append(one / seconds(lambda: both(seed)))  # noqa: B023
        for kind, gains in (("two threads", threads), ("two processes", processes)):
            low, middle, high = statistics.quantiles(gains, n=4)
            spread = f"quartiles {low:.2f} to {high:.2f}, {rounds} rounds"
            print(f"{name:20} {kind:14} {middle:.2f} times one ({spread})")
    for connection in connections:
        connection.send(None)


def by_instructions() -> None:
    """Prints the gain that the instructions of a search allow.

    Not for playouts: their threads take chunks as they come, and valgrind lets one thread run at a time.
    """
    name, units = "search of 10,000", 10_000
    idle = counts(name, 0, 1)[0]
    one = counts(name, units, 1)[0] - idle
    main, *threads = counts(name, units, 2)
    longest = max(0, main - idle) + max(threads)
    print(
        f"{name}: one thread {one:,} instructions, longest way of two {longest:,}: {one / longest:.3f} times"
    )


def counts(name: str, units: int, threads: int) -> list[int]:
    """Instructions of every thread of a process that does the work once, the main thread first."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                *(
                    "valgrind",
                    "--tool=callgrind",
                    "--separate-threads=yes",
                    f"--callgrind-out-file={folder}/out",
                ),
                *(sys.executable, __file__, "--once", name, str(units), str(threads)),
            ],
            env={"PYTHONHASHSEED": "0"},
            capture_output=True,
            check=True,
        )
        totals = {}
        for file in Path(folder).glob("out-*"):
            found = re.search(r"^totals: (\d+)", file.read_text(), re.MULTILINE)
            totals[file.name] = int(found[1]) if found else 0
        return [totals[name] for name in sorted(totals)]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=41, help="how often each takes its turn")
    parser.add_argument("--instructions", action="store_true", help="count instructions under valgrind")
    parser.add_argument("--once", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.once:
        name, units, threads = given.once
        if int(units):
            works()[name][0](int(units), 3, int(threads))
        else:
            works()
    elif given.instructions:
        by_instructions()
    else:
        by_the_clock(given.rounds)


if __name__ == "__main__":
    main()
