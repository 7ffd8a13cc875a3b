"""Cities, routes and prices of Hansa, read from the rules document, and what follows at a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hansa.display.scene import Scene


@dataclass(frozen=True)
class City:
    """A city of the map."""

    id: str
    """Name in the notation, e.g. `tonsberg`."""
    name: str
    """Name for people, e.g. `Tønsberg`."""
    number: int
    """Printed number."""
    spaces: int
    """Warehouse spaces."""

    @property
    def plain(self) -> str:
        """A name without letters that some terminals do not know, e.g. `Tonsberg`."""
        return self.id.title()


@dataclass(frozen=True)
class Score:
    """Points of one player, as if the game were over."""

    unsold: int
    """For unsold markers."""
    sold: int
    """For sold markers."""
    cities: int
    """For cities with booths."""
    talers: int
    """For Talers, which the printed rules do not count."""
    bonuses: dict[str, int]
    """Of the Extrakarte: those that the player has, by name."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.unsold + self.sold + self.cities + self.talers + sum(self.bonuses.values())


class Components:
    """What the rules document says about the game of a scene."""

    def __init__(self, scene: Scene) -> None:
        self._rules = scene.rules
        self._position = scene.position
        self.players: list[Mapping[str, Any]] = list(scene.position["players"])
        self.with_extrakarte = scene.options.get("extrakarte") == "true"

    @cached_property
    def cities(self) -> list[City]:
        """Cities in city order, which is that of the printed numbers."""
        cities = [
            City(str(row["id"]).lower(), str(row["name"]), int(row["number"]), int(row["warehouses"]))
            for row in self._rules["cities"]
        ]
        return sorted(cities, key=lambda city: city.number)

    def city(self, id: str) -> City:
        """The city with an id of the notation."""
        return next(city for city in self.cities if city.id == id)

    @cached_property
    def routes(self) -> list[tuple[str, str]]:
        """Routes, from one city to another, in city order."""
        order = [city.id for city in self.cities]
        routes = {(str(row["from"]).lower(), str(row["to"]).lower()) for row in self._rules["routes"]}
        return sorted(routes, key=lambda route: (order.index(route[0]), order.index(route[1])))

    def exits(self, city: str) -> list[City]:
        """Where the routes of a city lead, in city order."""
        return [self.city(end) for start, end in self.routes if start == city]

    @cached_property
    def colours(self) -> list[str]:
        """Colours of the game in colour order, also those that are not in play."""
        return [str(colour).lower() for colour in self._rules["goods"]["colours"]]

    def number(self, table: str, key: str) -> int:
        """A number of the rules, e.g. the `income` of `turn`."""
        return int(self._rules[table][key])

    def booths(self, city: str) -> dict[int, int]:
        """Booths in a city by player, without players who have none there."""
        found = {player: int(record["booths"].get(city, 0)) for player, record in enumerate(self.players)}
        return {player: booths for player, booths in found.items() if booths}

    def leader(self, city: str) -> int | None:
        """The player who alone has the most booths in a city: buys there for free, the others pay."""
        return sole_leader(self.booths(city))

    def empty(self) -> int:
        """Empty warehouse spaces on the board."""
        lying = sum(len(markers) for markers in self._position["warehouses"].values())
        return sum(city.spaces for city in self.cities) - lying

    def before_last_pile(self) -> int | None:
        """Markers that can be drawn before the last pile is opened; None before there are piles."""
        piles = self._position["piles"]
        return None if piles is None else sum(piles[:-1])

    def marker_points(self, marker: str) -> int:
        """Points for a sold marker."""
        return int(self._rules["scoring"]["sold_marker"][marker.split()[1]])

    def sold_points(self, markers: Iterable[str]) -> int:
        """Points for sold markers."""
        return sum(self.marker_points(marker) for marker in markers)

    def score(self, player: int) -> Score:
        """The points of a player as if the game were over."""
        record = self.players[player]
        present, alone = self.number("scoring", "city_present"), self.number("scoring", "city_monopoly")
        return Score(
            unsold=len(record["unsold"]) * self.number("scoring", "unsold_marker"),
            sold=self.sold_points(record["sold"]),
            cities=sum(alone if len(self.booths(city)) == 1 else present for city in record["booths"]),
            talers=record["talers"] * self.number("scoring", "taler"),
            bonuses=self._bonuses(player) if self.with_extrakarte else {},
        )

    def _bonuses(self, player: int) -> dict[str, int]:
        """Bonuses of the Extrakarte, without those that the player does not have."""
        comparisons = {
            "stack": (
                "highest_stack",
                [max(record["booths"].values(), default=0) for record in self.players],
            ),
            "cities": ("most_cities", [len(record["booths"]) for record in self.players]),
            "1 barrel": (
                "most_sold_one_barrel",
                [sum(marker.endswith(" 1") for marker in record["sold"]) for record in self.players],
            ),
        }
        least = self.number("extrakarte", "minimum_to_score")
        bonuses = {
            name: self.number("extrakarte", key)
            for name, (key, values) in comparisons.items()
            if values[player] == max(values) and values[player] >= least
        }
        if self._position["opened_by"] == player:
            bonuses["last pile"] = self.number("extrakarte", "opened_last_pile")
        return bonuses

    def grouped(self, markers: Iterable[str], separator: str = ", ") -> str:
        """Markers by colour with their barrels, e.g. `orange 1 3, green 2`; `none` when there are none."""
        barrels: dict[str, list[str]] = {}
        for marker in markers:
            colour, number = marker.split()
            barrels.setdefault(colour, []).append(number)
        words = [
            f"{colour} {' '.join(sorted(barrels[colour]))}" for colour in self.colours if colour in barrels
        ]
        return separator.join(words) or "none"

    def counted(self, markers: Iterable[str]) -> list[tuple[str, list[int]]]:
        """For each colour in it the numbers of markers with 1, 2 and 3 barrels."""
        counts = Counter(markers)
        rows = [(colour, [counts[f"{colour} {barrels}"] for barrels in (1, 2, 3)]) for colour in self.colours]
        return [(colour, row) for colour, row in rows if any(row)]


def sole_leader(booths: Mapping[int, int]) -> int | None:
    """The player who alone has the most booths."""
    most = max(booths.values(), default=0)
    leaders = [player for player, number in booths.items() if number == most]
    return leaders[0] if len(leaders) == 1 else None


def plural(number: int, word: str) -> str:
    """A number with its word, e.g. `1 booth`, `2 booths`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
