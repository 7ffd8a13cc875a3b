"""The map of Hansa: cities in their places, routes as arrows, ship, goods, booths; or a table of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hansa.display.hansa.canvas import Canvas, Point
from hansa.display.hansa.components import City, Components
from hansa.display.scene import Scene

GOODS_STYLES = {
    "orange": "color(208)",
    "brown": "color(137)",
    "red": "red",
    "green": "green",
    "blue": "bright_blue",
    "pink": "bright_magenta",
}
"""Colors of the goods; others are drawn without."""

SEAT_STYLES = ("yellow", "bright_white", "magenta", "cyan")
"""Colors of the players by number."""

Line = list[tuple[str, str]]
"""A line of text in pieces with their styles."""

_PLACES = {
    "tonsberg": (0, 0),
    "aalborg": (0, 1),
    "luebeck": (0, 2),
    "copenhagen": (1, 1),
    "stockholm": (2, 0),
    "kalmar": (2, 1),
    "danzig": (2, 2),
    "reval": (3, 0),
    "riga": (3, 1),
}
"""Columns from west to east and rows from north to south."""

_WIDTH = 17
_STEP = 21
_GAP = 2


class Map:
    """Draws the map of one scene."""

    def __init__(self, scene: Scene, *, ascii_only: bool) -> None:
        self._components = Components(scene)
        self._position: Mapping[str, Any] = scene.position
        self._ascii_only = ascii_only
        self._blank = "." if ascii_only else "·"

    def drawing(self) -> RenderableType:
        """The map; a table where a city has no known place or a name is too long for its box."""
        cities = self._components.cities
        longest = max(len(colour) for colour in self._components.colours)
        if {city.id for city in cities} != set(_PLACES) or longest + 2 > _WIDTH - 2:
            return self.table()
        return self.map()

    def name(self, city: City) -> str:
        """The name of a city as the terminal can show it."""
        return city.plain if self._ascii_only else city.name

    def payee(self, city: City) -> str:
        """Whom a purchase in a city pays."""
        leader = self._components.leader(city.id)
        return "bank" if leader is None else str(leader)

    def booths(self, city: City) -> Line:
        """The booths in a city by player, a sole leader with a star."""
        leader = self._components.leader(city.id)
        return [
            (f"{player}:{number}{'*' if player == leader else ''}", seat_style(player, bold=player == leader))
            for player, number in self._components.booths(city.id).items()
        ]

    def contents(self, city: City) -> list[Line]:
        """What lies and stands in a city, line by line: a space each, then the booths."""
        markers = self._position["warehouses"][city.id]
        lines: list[Line] = [[(marker, goods_style(marker))] for marker in markers]
        lines += [[(self._blank, "dim")] for _ in range(city.spaces - len(markers))]
        booths: list[Line] = [[]]
        for word, style in self.booths(city):
            used = sum(len(part) for part, _ in booths[-1])
            if booths[-1] and used + 1 + len(word) > _WIDTH - 2:
                booths.append([])
            elif booths[-1]:
                booths[-1].append((" ", ""))
            booths[-1].append((word, style))
        return lines + (booths if booths[0] else [[("no booths", "dim")]])

    def map(self) -> RenderableType:
        """The cities in their places, with arrows between them."""
        contents = {city.id: self.contents(city) for city in self._components.cities}
        heights = [
            2 + max(3, *(len(contents[id]) for id, place in _PLACES.items() if place[1] == row))
            for row in range(3)
        ]
        tops = [sum(heights[:row]) + _GAP * row for row in range(3)]
        canvas = Canvas(3 * _STEP + _WIDTH, sum(heights) + 2 * _GAP)
        further = self._arrows(canvas, tops, heights)
        for city in self._components.cities:
            column, row = _PLACES[city.id]
            self._box(canvas, city, (column * _STEP, tops[row]), heights[row], contents[city.id])
        drawn = canvas.text(ascii_only=self._ascii_only)
        if not further:
            return drawn
        words = [
            f"{self.name(self._components.city(start))} > {self.name(self._components.city(end))}"
            for start, end in further
        ]
        return Group(drawn, Text("Further routes: " + ", ".join(words)))

    def _box(self, canvas: Canvas, city: City, corner: Point, height: int, contents: list[Line]) -> None:
        """A city: number, name, contents, ship, whom a purchase pays."""
        x, y = corner
        here = self._position["ship"] == city.id
        canvas.box(corner, _WIDTH, height, double=here, style="bold" if here else "")
        title = f"{city.number} {self.name(city)}"
        canvas.write((x + 1, y), title[: _WIDTH - 2], "bold")
        for number, line in enumerate(contents):
            column = x + 1
            for word, style in line:
                canvas.write((column, y + 1 + number), word, style)
                column += len(word)
        bottom = y + height - 1
        if here:
            canvas.write((x + 1, bottom), " SHIP ", "bold reverse")
        price = f"pay {self.payee(city)}"
        leader = self._components.leader(city.id)
        style = "dim" if leader is None else seat_style(leader)
        canvas.write((x + _WIDTH - 1 - len(price), bottom), price, style)

    def _arrows(self, canvas: Canvas, tops: Sequence[int], heights: Sequence[int]) -> list[tuple[str, str]]:
        """Draws the routes between the boxes; gives those that have no known way on the map."""
        ways = _ways(tops, heights)
        routes = set(self._components.routes)
        for (start, end), points in ways.items():
            forth, back = (start, end) in routes, (end, start) in routes
            if forth or back:
                canvas.arrow(points, forth=forth, back=back)
        return [
            (start, end)
            for start, end in self._components.routes
            if (start, end) not in ways and (end, start) not in ways
        ]

    def table(self) -> RenderableType:
        """The cities as rows of a table."""
        frame = box.ASCII2 if self._ascii_only else box.SIMPLE_HEAD
        table = Table(box=frame, show_edge=False, pad_edge=False)
        for heading in ("city", "sails to", "goods", "booths", "pay"):
            table.add_column(heading, overflow="fold")
        for city in self._components.cities:
            here = self._position["ship"] == city.id
            label = Text(f"{city.number} {self.name(city)}", style="bold")
            if here:
                label.append("\nSHIP", "bold reverse")
            goods = self.contents(city)[: city.spaces]
            table.add_row(
                label,
                ", ".join(self.name(end) for end in self._components.exits(city.id)),
                Text("\n").join(Text.assemble(*line) for line in goods),
                Text(" ").join(Text(word, style) for word, style in self.booths(city)),
                self.payee(city),
            )
        return table


def _ways(tops: Sequence[int], heights: Sequence[int]) -> dict[tuple[str, str], list[Point]]:
    """The ways on the map between cities that a line can join without crossing another, outside the boxes."""
    left = [column * _STEP - 1 for column in range(4)]
    right = [column * _STEP + _WIDTH for column in range(4)]
    middle = [column * _STEP + _WIDTH // 2 for column in range(4)]
    above = [top - 1 for top in tops]
    below = [top + height for top, height in zip(tops, heights, strict=True)]
    return {
        ("tonsberg", "stockholm"): [(right[0], tops[0] + 1), (left[2], tops[0] + 1)],
        ("stockholm", "reval"): [(right[2], tops[0] + 1), (left[3], tops[0] + 1)],
        ("copenhagen", "tonsberg"): [
            (middle[1], above[1]),
            (middle[1], tops[0] + 3),
            (right[0], tops[0] + 3),
        ],
        ("aalborg", "tonsberg"): [(middle[0], above[1]), (middle[0], below[0])],
        ("aalborg", "copenhagen"): [(right[0], tops[1] + 2), (left[1], tops[1] + 2)],
        ("kalmar", "copenhagen"): [(left[2], tops[1] + 2), (right[1], tops[1] + 2)],
        ("copenhagen", "luebeck"): [
            (middle[1] - 4, below[1]),
            (middle[1] - 4, tops[2] + 2),
            (right[0], tops[2] + 2),
        ],
        ("copenhagen", "danzig"): [
            (middle[1] + 4, below[1]),
            (middle[1] + 4, tops[2] + 2),
            (left[2], tops[2] + 2),
        ],
        ("luebeck", "aalborg"): [(middle[0], above[2]), (middle[0], below[1])],
        ("stockholm", "kalmar"): [(middle[2], below[0]), (middle[2], above[1])],
        ("danzig", "kalmar"): [(middle[2], above[2]), (middle[2], below[1])],
        ("reval", "riga"): [(middle[3], below[0]), (middle[3], above[1])],
        ("riga", "danzig"): [
            (middle[3], below[1]),
            (middle[3], tops[2] + 3),
            (right[2], tops[2] + 3),
        ],
        ("danzig", "reval"): [
            (right[2], tops[2] + 1),
            (right[2] + 1, tops[2] + 1),
            (right[2] + 1, tops[0] + 3),
            (left[3], tops[0] + 3),
        ],
    }


def goods_style(marker: str) -> str:
    """The style of a marker or colour of goods."""
    return GOODS_STYLES.get(marker.split(maxsplit=1)[0], "")


def seat_style(player: int, *, bold: bool = False) -> str:
    """The style of a player."""
    style = SEAT_STYLES[player % len(SEAT_STYLES)]
    return f"bold {style}" if bold else style
