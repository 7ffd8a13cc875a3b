"""Tables of results."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from hansa import State


def scores_table(state: State, names: Sequence[str]) -> Table:
    """Scores and ranks of a finished game, the winner first."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("player")
    table.add_column("score", justify="right")
    scores, ranks = state.scores(), state.ranks()
    for player in sorted(range(len(scores)), key=lambda player: (ranks[player], player)):
        table.add_row(str(ranks[player] + 1), names[player], str(scores[player]))
    return table
