"""Positions drawn for a terminal.

A `Display` turns a view or a state into something that rich can print, says in words what a move would do,
and tells what has changed between two positions. It looks at the canonical JSON alone, so it can show no more
than that holds: to show what one player may know, give it that player's view; to show a finished game, give
it the state.

A game with a drawer of its own is listed in `DRAWERS`; every other game is drawn as its JSON. This module
needs rich, which `import hansa` does not load.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console, RenderableType

from hansa.display import generic, queen_of_hansa
from hansa.display import hansa as hansa_game
from hansa.display.scene import Scene

__all__ = ["DRAWERS", "WIDTH", "Display", "Drawer", "Loaded", "Position", "Scene"]

WIDTH = 100
"""Columns that every drawing fits into."""


class Loaded(Protocol):
    """What a display asks of a game; a :class:`hansa.Game` has it."""

    @property
    def id(self) -> str:
        """The game's id."""
        ...  # pragma: no cover

    @property
    def all_options(self) -> dict[str, str]:
        """Every option with its value."""
        ...  # pragma: no cover

    def rules(self) -> dict[str, Any]:
        """The merged rules document."""
        ...  # pragma: no cover


class Position(Protocol):
    """What a display asks of a position; a :class:`hansa.View` and a :class:`hansa.State` have it."""

    def to_dict(self) -> dict[str, Any]:
        """The canonical JSON as a mapping."""
        ...  # pragma: no cover


@dataclass(frozen=True)
class Drawer:
    """How one game is shown."""

    board: Callable[[Scene], RenderableType]
    """The drawing of a position."""
    describe: Callable[[Scene, str], str | None]
    """What a move of the notation does, in words; None where the notation says it all."""
    news: Callable[[Scene, Scene], list[str]]
    """What has changed between two positions, a line each."""


_QUEEN = Drawer(queen_of_hansa.Board, queen_of_hansa.describe, queen_of_hansa.news)
_HANSA = Drawer(hansa_game.Board, hansa_game.describe, hansa_game.news)
_GENERIC = Drawer(generic.board, generic.describe, generic.news)

DRAWERS: Mapping[str, Drawer] = {"hansa": _HANSA, "queen_of_hansa": _QUEEN, "queen_of_hansa_v42": _QUEEN}
"""The drawers of the games that have one, by game id."""


class Display:
    """Draws positions of one game.

    Args:
        game: the game.
        names: what to call the players, by player number; "player 0" and so on where nothing is given.

    >>> import hansa
    >>> game = hansa.load_game("queen_of_hansa", players=2)
    >>> print(Display(game).text(game.new_initial_state().view(0)).splitlines()[0])
    The Queen of Hansa  round 1 of 3 · turns 0 of 12 · changes 0 (next -1) · first: player 0
    """

    def __init__(self, game: Loaded, names: Sequence[str] = ()) -> None:
        """A display of a game."""
        self._id = game.id
        self._rules = game.rules()
        self._options = game.all_options
        self._names = tuple(names)
        self._drawer = DRAWERS.get(game.id, _GENERIC)

    def draw(self, position: Position | Mapping[str, Any]) -> RenderableType:
        """The position as a rich renderable of at most `WIDTH` columns."""
        return self._drawer.board(self._scene(position))

    def describe(self, position: Position | Mapping[str, Any], move: str) -> str | None:
        """What a move would do at this position, in words; None where the notation says it all."""
        return self._drawer.describe(self._scene(position), move)

    def news(self, before: Position | Mapping[str, Any], after: Position | Mapping[str, Any]) -> list[str]:
        """What has changed from one position to another, a line each; made from the two positions alone."""
        return self._drawer.news(self._scene(before), self._scene(after))

    def text(self, position: Position | Mapping[str, Any], *, color: bool = False) -> str:
        """The drawing as lines of text of at most `WIDTH` columns, with ANSI colors on request."""
        buffer = io.StringIO()
        console = Console(
            file=buffer,
            width=WIDTH,
            force_terminal=color,
            color_system="standard" if color else None,
            legacy_windows=False,
        )
        console.print(self.draw(position))
        return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"

    def _scene(self, position: Position | Mapping[str, Any]) -> Scene:
        """The position with all that is needed to draw it."""
        mapping = position if isinstance(position, Mapping) else position.to_dict()
        return Scene(mapping, self._id, self._rules, self._options, self._names)
