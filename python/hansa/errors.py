"""The exceptions of hansa. Each says what is wrong, where, and what would be right.

All descend from :class:`HansaError`. Those that reject an argument are also :class:`ValueError`, so code
that knows nothing of hansa catches them as usual.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "BotError",
    "FormatError",
    "GameMismatchError",
    "HansaError",
    "IllegalActionError",
    "NotationError",
    "OptionError",
    "PlayersError",
    "Problem",
    "RecordError",
    "RulesError",
    "SearchError",
    "UnknownGameError",
]


class Problem(NamedTuple):
    """One problem of an override of the rules.

    >>> print(Problem("sizes.hand", 3, "must be at least 1, found 0"))
    line 3: sizes.hand: must be at least 1, found 0
    """

    path: str
    """The key path, e.g. ``sizes.hand``; empty for the text as a whole."""
    line: int | None
    """Line of the override, counted from 1, where it is known."""
    message: str
    """What is wrong there, and what would be right."""

    def __str__(self) -> str:
        """The problem as one line."""
        where = [] if self.line is None else [f"line {self.line}"]
        if self.path:
            where.append(self.path)
        return ": ".join([*where, self.message])


class HansaError(Exception):
    """Everything that hansa raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles by message and attributes, whatever the arguments of the constructor are."""
        return (_rebuild, (type(self), str(self), self.__dict__))


def _rebuild(kind: type[HansaError], message: str, attributes: dict[str, Any]) -> HansaError:
    """The inverse of :meth:`HansaError.__reduce__`."""
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(attributes)
    return error


class UnknownGameError(HansaError, ValueError):
    """No game has this id."""

    def __init__(self, message: str, name: str = "") -> None:
        """An error about the id ``name``."""
        super().__init__(message)
        self.name = name
        """The id that was asked for."""


class PlayersError(HansaError, ValueError):
    """The game is not played by so many players, or there is no such player at the table."""


class OptionError(HansaError, ValueError):
    """The game has no such option, or the option has no such value."""


class RulesError(HansaError, ValueError):
    """An override of the rules does not fit; every problem is listed."""

    def __init__(self, message: str, problems: list[Problem] | None = None) -> None:
        """An error with all the problems that were found."""
        super().__init__(message)
        self.problems = [Problem(*problem) for problem in problems or []]
        """All problems, in the order of the override."""


class IllegalActionError(HansaError, ValueError):
    """The rules forbid this move here."""

    def __init__(
        self,
        message: str,
        move: str = "",
        rule: str = "",
        reason: str = "",
        legal: list[str] | None = None,
        game_index: int | None = None,
    ) -> None:
        """An error about ``move``, forbidden by ``rule`` for ``reason``; ``legal`` is what could be done."""
        super().__init__(message)
        self.move = move
        """The move in notation."""
        self.rule = rule
        """The rule that forbids it, e.g. ``spec 4.3``."""
        self.reason = reason
        """What the rule forbids about it."""
        self.legal = legal or []
        """The notations of everything that is legal or possible here; empty when the game is over."""
        self.game_index = game_index
        """In a batch: which game; otherwise ``None``."""


class NotationError(HansaError, ValueError):
    """A text that is no move of the game."""

    def __init__(self, message: str, text: str = "") -> None:
        """An error about ``text``."""
        super().__init__(message)
        self.text = text
        """What was read."""


class FormatError(HansaError, ValueError):
    """Data that is no state, view or record of the game."""

    def __init__(self, message: str, path: str = "") -> None:
        """An error about the place ``path``."""
        super().__init__(message)
        self.path = path
        """Where, as a path of keys, e.g. ``players[1].hand``; empty for the whole."""


class GameMismatchError(HansaError, ValueError):
    """An object of one game, table size, option set or rule set was given to another."""


class RecordError(HansaError, ValueError):
    """A record does not replay."""

    def __init__(
        self,
        message: str,
        index: int | None = None,
        move: str = "",
        reason: str = "",
        legal: list[str] | None = None,
    ) -> None:
        """An error at move number ``index``, counted from 0."""
        super().__init__(message)
        self.index = index
        """The number of the move, counted from 0; ``None`` when no single move is to blame."""
        self.move = move
        """The move in notation."""
        self.reason = reason
        """Why it cannot be played."""
        self.legal = legal or []
        """What could have been played instead."""


class SearchError(HansaError, ValueError):
    """A search with impossible settings, or from a view whose player is not to decide."""


class BotError(HansaError, ValueError):
    """A bot spec that names no bot or no setting of it."""
