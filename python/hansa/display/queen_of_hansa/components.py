"""Cards and tracks of The Queen of Hansa, read from the rules document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hansa.display.scene import Scene

_SECTIONS = {"queen_of_hansa": "final", "queen_of_hansa_v42": "v42"}


@dataclass(frozen=True)
class Card:
    """The face of a card."""

    code: str
    """Code as in the notation, e.g. `lon-13`."""
    city: str
    """City it belongs to."""
    power: int
    """Influence; the draft calls it goods."""
    person: str
    """Letter of the person, empty without."""
    ship: bool
    """Whether there is a ship on it."""
    luxury: bool
    """Whether it is a luxury card, which its back shows."""

    @property
    def face(self) -> str:
        """Power with person or ship, e.g. `2B`, `1 ship`, `3`."""
        return f"{self.power}{self.person}{' ship' if self.ship else ''}"


@dataclass(frozen=True)
class Space:
    """One space of the prosperity track."""

    fixed: int
    """Profit of rank 1."""
    m2: int
    """Multiplier of the total of rank 2."""
    m3: int
    """Multiplier of the total of rank 3."""


class Components:
    """What the rules document says about the game of a scene."""

    def __init__(self, scene: Scene) -> None:
        self._rules = scene.rules
        self._section: Mapping[str, Any] = scene.rules[_SECTIONS[scene.game]]
        self._options = scene.options
        self.players = len(scene.position["players"])

    @property
    def cities(self) -> list[str]:
        """Cities in board order."""
        return list(self._rules["cities"])

    @property
    def colors(self) -> list[str]:
        """Colors of the pieces, in the order of the cities that they count for."""
        return list(self._rules["colors"])

    @property
    def rounds(self) -> int:
        """Rounds of a game."""
        return int(self._section["rounds"])

    @property
    def turns(self) -> int:
        """Turns of all players together in one round."""
        return int(self._section["players"][str(self.players)]["turns_per_round"]) * self.players

    @property
    def spaces_per_city(self) -> int:
        """Spaces of every city's row with this number of players."""
        return int(self._section["players"][str(self.players)]["spaces_per_city"])

    @property
    def harbor(self) -> int:
        """How many of them are the harbor."""
        return int(self._section["harbor_size"])

    @property
    def changes(self) -> list[int]:
        """Steps of the 1st, 2nd ... prosperity change of a round."""
        return [int(step) for step in self._section["scoring"]["prosperity_change"]]

    @cached_property
    def track(self) -> list[Space]:
        """The prosperity track in use, poor to rich."""
        prosperity = self._section["prosperity"]
        if "same_spaces_as" in prosperity:
            prosperity = {**self._rules[prosperity["same_spaces_as"]]["prosperity"], **prosperity}
        long = self._options.get("track") == "long"
        spaces = prosperity["spaces_alternative_long" if long else "spaces"]
        return [Space(int(space["fixed"]), int(space["m2"]), int(space["m3"])) for space in spaces]

    @cached_property
    def cards(self) -> dict[str, Card]:
        """Every card by its code in lower case."""
        # The draft's reading A inverts the luxury icon, and an icon costs one of the base goods.
        inverted = "reading" in self._section and self._options.get("reading") not in (
            None,
            self._section["reading"]["default"],
        )
        cards = {}
        for row in self._section["deck"]["cards"]:
            luxury = bool(row["luxury"]) != inverted
            if inverted:
                power = int(row["base"]) - int(luxury)
            else:
                power = int(row["power"] if "power" in row else row["goods"])
            code = str(row["code"]).lower()
            cards[code] = Card(code, row["city"], power, row["person"], bool(row.get("ship")), luxury)
        return cards

    def short(self, city: str) -> str:
        """The letters that begin the codes of a city's cards, e.g. `lon`."""
        return next((card.code.split("-")[0] for card in self.cards.values() if card.city == city), city)
