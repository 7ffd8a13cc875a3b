"""The games that have a reference implementation, by id."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Protocol

from . import hansa, queen_of_hansa

TESTS = Path(__file__).resolve().parent.parent


class Reference(Protocol):
    """One game in progress; `apply` changes it in place."""

    def turn(self) -> int | str:
        """The player who must decide, "chance" or "over"."""

    def legal(self) -> list[str]:
        """All moves of the player on turn, sorted; empty at chance nodes and at the end."""

    def outcomes(self) -> list[tuple[str, int]]:
        """All outcomes of a chance node with their weights, sorted; empty elsewhere."""

    def apply(self, move: str) -> None:
        """Carry out a move or a chance outcome; `ValueError` if it is not possible."""

    def clone(self) -> "Reference":
        """An independent copy of the position."""

    def scores(self) -> list[int]:
        """The points."""

    def ranks(self) -> list[int]:
        """For every player the number of players strictly ahead; only at the end."""

    def canonical_state(self) -> dict[str, Any]:
        """The whole truth."""

    def view(self, player: int) -> dict[str, Any]:
        """What a player sees."""


@dataclass(frozen=True)
class GoldenGame:
    """A random game that other goldens refer to by name."""

    name: str
    players: int
    options: Mapping[str, str]
    seed: int
    prefer: tuple[str, ...] = ()  # verbs of moves that are made wherever possible


@dataclass(frozen=True)
class ReferenceGame:
    """What there is to know about a game's reference."""

    data_name: str  # of the engine's rule data, which the reference reads as well
    new: Callable[[Mapping[str, Any], str, int, Mapping[str, str]], Reference]
    options: Mapping[str, tuple[str, ...]]  # values by option, the default first
    goldens: tuple[GoldenGame, ...]

    def data(self) -> dict[str, Any]:
        """The rule data."""
        path = TESTS.parent / "rust" / "hansa" / "data" / self.data_name
        return tomllib.loads(path.read_text(encoding="utf-8"))

    def preferences(self) -> list[tuple[str, ...]]:
        """The verbs preferred in the goldens, the empty preference of random games first."""
        return sorted({golden.prefer for golden in self.goldens} | {()})

    def tables(self) -> list[tuple[int, dict[str, str]]]:
        """Every number of players with every combination of options."""
        combinations = [
            dict(zip(self.options, values, strict=True)) for values in product(*self.options.values())
        ]
        return [(players, options) for players in (2, 3, 4) for options in combinations]


TRACK = ("standard", "long")

# Seeds of random games that show what the rulings and counts of a game are about.
GAMES: Mapping[str, ReferenceGame] = {
    # An empty city before a face-up play, a prosperity change on the last turn of a round, face-up and
    # face-down ships at a store node, two equal cards in one hand.
    queen_of_hansa.FINAL: ReferenceGame(
        data_name="queen_of_hansa.toml",
        new=queen_of_hansa.Queen,
        options={"track": TRACK},
        goldens=(
            GoldenGame("four players", 4, {}, 2),
            GoldenGame("three players", 3, {}, 0),
            GoldenGame("two players", 2, {}, 7),
            GoldenGame("long track", 3, {"track": "long"}, 9),
        ),
    ),
    queen_of_hansa.DRAFT: ReferenceGame(
        data_name="queen_of_hansa.toml",
        new=queen_of_hansa.Queen,
        options={"track": TRACK, "reading": ("B", "A")},
        goldens=(
            GoldenGame("four players", 4, {}, 2),
            GoldenGame("three players", 3, {}, 0),
            GoldenGame("two players", 2, {}, 7),
            GoldenGame("reading A, four players", 4, {"reading": "A"}, 2),
            GoldenGame("reading A, two players, long track", 2, {"reading": "A", "track": "long"}, 5),
        ),
    ),
    hansa.GAME: ReferenceGame(
        data_name="hansa.toml",
        new=hansa.Hansa,
        options={"extrakarte": ("false", "true")},
        # In order: every kind of node; a long random game; compulsory refills and a supply that runs dry; a
        # game that nobody plays; winners who share; equal points with different numbers of booths.
        goldens=(
            GoldenGame("four players", 4, {}, 1488, ("buy", "sell")),
            GoldenGame("three players", 3, {}, 129),
            GoldenGame("compulsory refills", 2, {}, 181, ("pass", "buy")),
            GoldenGame("idle rounds", 2, {}, 382),
            GoldenGame("extrakarte", 3, {"extrakarte": "true"}, 4, ("buy", "sell", "sail")),
            GoldenGame("extrakarte, idle rounds", 2, {"extrakarte": "true"}, 1, ("pass", "buy")),
        ),
    ),
}
