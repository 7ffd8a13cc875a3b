"""A sheet of characters on which lines and boxes are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.text import Text

Point = tuple[int, int]
"""Column and row, from 0 at the top left."""

_CORNERS = {
    frozenset("rd"): "┌",
    frozenset("ld"): "┐",
    frozenset("ru"): "└",
    frozenset("lu"): "┘",
    frozenset("lr"): "─",
    frozenset("ud"): "│",
}
_HEADS = {"r": "▶", "l": "◀", "u": "▲", "d": "▼"}
_OPPOSITE = {"r": "l", "l": "r", "u": "d", "d": "u"}
_ASCII = str.maketrans("─│┌┐└┘╔╗╚╝▶◀▲▼═║·", "-|++++####><^v##.")
"""What stands for a character where the terminal knows ASCII only."""


class Canvas:
    """A sheet of a fixed size, blank at first."""

    def __init__(self, width: int, height: int) -> None:
        self._cells = [[(" ", "")] * width for _ in range(height)]

    def write(self, point: Point, text: str, style: str = "") -> None:
        """A text from a point to the right."""
        x, y = point
        for offset, character in enumerate(text):
            self._cells[y][x + offset] = (character, style)

    def box(self, corner: Point, width: int, height: int, *, double: bool, style: str = "") -> None:
        """A frame with its top left corner at a point."""
        x, y = corner
        across, down, corners = ("═", "║", "╔╗╚╝") if double else ("─", "│", "┌┐└┘")
        self.write((x, y), corners[0] + across * (width - 2) + corners[1], style)
        for row in range(y + 1, y + height - 1):
            self.write((x, row), down, style)
            self.write((x + width - 1, row), down, style)
        self.write((x, y + height - 1), corners[2] + across * (width - 2) + corners[3], style)

    def arrow(self, points: Sequence[Point], *, forth: bool, back: bool, style: str = "") -> None:
        """A line through points, each straight from the one before it, with heads at end and start."""
        steps: list[Point] = [points[0]]
        for end in points[1:]:
            while steps[-1] != end:
                x, y = steps[-1]
                steps.append((x + _sign(end[0] - x), y + _sign(end[1] - y)))
        ways = [_way(a, b) for a, b in pairwise(steps)]
        for index, step in enumerate(steps):
            come = ways[max(index - 1, 0)]
            go = ways[min(index, len(ways) - 1)]
            if forth and index == len(steps) - 1:
                character = _HEADS[go]
            elif back and index == 0:
                character = _HEADS[_OPPOSITE[come]]
            else:
                character = _CORNERS[frozenset((_OPPOSITE[come], go))]
            self.write(step, character, style)

    def text(self, *, ascii_only: bool) -> Text:
        """The sheet as lines of text."""
        text = Text(no_wrap=True)
        for number, row in enumerate(self._cells):
            if number:
                text.append("\n")
            used = max((index + 1 for index, cell in enumerate(row) if cell[0] != " "), default=0)
            for character, style in row[:used]:
                text.append(character.translate(_ASCII) if ascii_only else character, style or None)
        return text


def _sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def _way(start: Point, end: Point) -> str:
    """The direction of one step: r, l, d or u."""
    if start[1] == end[1]:
        return "r" if end[0] > start[0] else "l"
    return "d" if end[1] > start[1] else "u"
