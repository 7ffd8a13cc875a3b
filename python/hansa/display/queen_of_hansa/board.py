"""The board of The Queen of Hansa: rows of the cities, prosperity track, Kontors, hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from hansa.display.queen_of_hansa.components import Card, Components
from hansa.display.queen_of_hansa.words import ahead, counted
from hansa.display.scene import Scene

BACKS = ("normal", "luxury")
"""The backs of the cards, as the notation calls them."""

_STYLES = {"red": "red", "blue": "bright_blue", "yellow": "yellow", "black": "bright_black"}


class Board:
    """The drawing of a scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """The drawing, in ASCII where the console knows no more."""
        yield _Painter(self._scene, ascii_only=options.ascii_only).board()


class _Painter:
    """Draws one scene, in ASCII where the terminal knows no other characters."""

    def __init__(self, scene: Scene, *, ascii_only: bool) -> None:
        self.scene = scene
        self.position = scene.position
        self.components = Components(scene)
        self.luxury = "*" if ascii_only else "◆"
        self.piece = "o" if ascii_only else "●"
        self.wall = "|" if ascii_only else "┃"
        self.dot = "-" if ascii_only else "·"
        self.box = box.ASCII2 if ascii_only else box.SIMPLE_HEAD
        self.with_ships = any(card.ship for card in self.components.cards.values())
        self.city_style = {
            city: _STYLES.get(color, "default")
            for city, color in zip(self.components.cities, self.components.colors, strict=True)
        }

    def board(self) -> RenderableType:
        """The whole drawing."""
        parts: list[RenderableType] = [
            self.heading(),
            self.rows(),
            self.track(),
            self.supplies(),
            self.kontors(),
        ]
        if hands := self.hands():
            parts.append(Text("\n").join(hands))
        return Group(*(Group(part, Text(" ")) for part in parts[:-1]), parts[-1])

    def join(self, words: Iterable[str]) -> str:
        """Words with dots between them, without the empty ones."""
        return f" {self.dot} ".join(word for word in words if word)

    def heading(self) -> Text:
        """Title, round, turn, what comes next."""
        position = self.position
        changes = position["changes"]
        steps = self.components.changes
        following = f" (next {steps[changes]:+d})" if changes < len(steps) else ""
        words = [
            f"round {position['round']} of {self.components.rounds}",
            f"turns {position['turns_played']} of {self.components.turns}",
            f"changes {changes}{following}",
            f"first: {self.scene.name(position['start_player'])}",
        ]
        title = str(self.scene.rules["title"])
        return Text.assemble(
            (title, "bold"),
            f"  {self.join(words)}\n",
            (f"Next: {ahead(self.scene)}", "bold"),
            overflow="fold",
        )

    def card(self, code: str) -> Text:
        """A card with its code and face, e.g. `lon-03 1D◆`."""
        card = self.components.cards[code]
        return Text.assemble((code, self.city_style[card.city]), " ", (self.face(card), "bold"))

    def face(self, card: Card) -> str:
        """A face with the luxury mark."""
        return card.face + (self.luxury if card.luxury else "")

    def dots(self, color: str) -> Text:
        """A piece."""
        return Text(f"{self.piece} {color}", style=_STYLES.get(color, "default"))

    def rows(self) -> Table:
        """The four cities with their harbors and seas."""
        harbor, spaces = self.components.harbor, self.components.spaces_per_city
        table = Table(box=self.box, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        table.add_column("city", width=14)
        for index in range(spaces):
            if index == harbor:
                table.add_column("", width=1)
            name = f"harbor {index + 1}" if index < harbor else f"sea {index - harbor + 1}"
            table.add_column(name, width=14)
        for city, color in zip(self.components.cities, self.components.colors, strict=True):
            space = self.components.track[self.position["prosperity"][city]]
            label = Text.assemble(
                (city.title(), f"bold {self.city_style[city]}"),
                f" {color}\n",
                self.join([f"{space.fixed}", f"x{space.m2}", f"x{space.m3}"]),
            )
            row = self.position["board"][city]
            cells: list[Text] = []
            for index in range(spaces):
                if index == harbor:
                    cells.append(Text(f"{self.wall}\n{self.wall}"))
                cells.append(self.space(row[index]) if index < len(row) else Text(self.dot, style="dim"))
            table.add_row(label, *cells)
        return table

    def space(self, space: Mapping[str, Any]) -> Text:
        """A card on the board, with its piece below it."""
        below = self.dots(space["piece"]) if space["piece"] else Text("")
        return Text.assemble(self.card(space["card"]), "\n", below)

    def track(self) -> Table:
        """The prosperity track with the cities' markers."""
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=False)
        table.add_column(width=14)
        spaces = self.components.track
        for _ in spaces:
            table.add_column(width=7)
        table.add_row("rank 1 earns", *(str(space.fixed) for space in spaces))
        table.add_row("rank 2 total x", *(str(space.m2) for space in spaces))
        table.add_row("rank 3 total x", *(str(space.m3) for space in spaces))
        markers = [Text() for _ in spaces]
        for city in self.components.cities:
            index = self.position["prosperity"][city]
            separator = " " if markers[index] else ""
            markers[index].append(
                separator + self.components.short(city), style=f"bold {self.city_style[city]}"
            )
        table.add_row("markers", *(marker or Text(self.dot, style="dim") for marker in markers))
        return table

    def supplies(self) -> Text:
        """Decks, bag, what is out of the game, and the legend."""
        position = self.position
        decks = [f"{kind} {_size(position[f'{kind}_deck'])}" for kind in BACKS]
        out = counted(position["removed_pieces"], self.components.colors)
        first = [f"Decks: {', '.join(decks)}", f"bag: {counted(position['bag'], self.components.colors)}"]
        if out != "none":
            first.append(f"pieces out of the game: {out}")
        if position["removed_cards"]:
            first.append("left over: " + ", ".join(position["removed_cards"]))
        legend = f"2B: power 2, person B   {self.luxury} luxury card   {self.piece} piece on it"
        if self.with_ships:
            legend += "   ships: those face up"
        return Text.assemble(self.join(first), "\n", (legend, "dim"))

    def kontors(self) -> Table:
        """Every player's Kontor, hand as far as known, pieces, ships and profit."""
        table = Table(box=self.box, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        table.add_column("player", width=19)
        for city in self.components.cities:
            table.add_column(f"{city.title()} up", width=13, header_style=f"bold {self.city_style[city]}")
        table.add_column("face down, hand", width=19)
        for player, record in enumerate(self.position["players"]):
            if player:
                table.add_row()
            table.add_row(
                self.player(player, record),
                *(
                    self.trade(record, city, color)
                    for city, color in zip(self.components.cities, self.components.colors, strict=True)
                ),
                self.secret(record),
            )
        return table

    def player(self, player: int, record: Mapping[str, Any]) -> Text:
        """Name, profit, pieces, ships."""
        asked = self.position["turn"] == player
        up = [entry for entry in record["kontor"] if entry["face"] == "up"]
        ships = sum(self.components.cards[entry["card"]].ship for entry in up)
        score = f"profit {record['profit']}"
        if self.with_ships:
            score += f", ships {ships}"
        lines = [score, f"pieces {counted(record['pieces'], self.components.colors)}"]
        letters = Counter(
            self.components.cards[entry["card"]].person for entry in record["kontor"] if entry["card"]
        )
        persons = [
            f"{letter}{number if number > 1 else ''}" for letter, number in sorted(letters.items()) if letter
        ]
        if persons:
            lines.append(f"persons {' '.join(persons)}")
        name = ("> " if asked else "") + self.scene.name(player)
        return Text.assemble((name, "bold reverse" if asked else "bold"), "\n" + "\n".join(lines))

    def trade(self, record: Mapping[str, Any], city: str, color: str) -> Text:
        """The face-up cards of a city, and their total with the pieces of its color."""
        cards = [self.components.cards[entry["card"]] for entry in record["kontor"] if entry["face"] == "up"]
        cards = [card for card in cards if card.city == city]
        pieces = record["pieces"][color]
        total = sum(card.power for card in cards) + pieces
        if not total:
            return Text(self.dot, style="dim")
        faces = [_word(card) for card in cards] + ([f"+{pieces}{self.piece}"] if pieces else [])
        return Text.assemble((f"total {total}\n", "bold"), " ".join(faces))

    def secret(self, record: Mapping[str, Any]) -> Text:
        """Face-down cards and the hand: cards where the position has them, backs where it has not."""
        down = [entry for entry in record["kontor"] if entry["face"] == "down"]
        known = [entry["card"] for entry in down if entry["card"]]
        backs = [entry["back"] for entry in down if not entry["card"]]
        lines = []
        if known:
            power = sum(self.components.cards[code].power for code in known)
            lines.append(f"down: power {power}")
            lines.append(" ".join(self._place_and_face(code) for code in known))
        if backs:
            lines.append("down: " + counted(Counter(backs), BACKS))
        if not down:
            lines.append("down: none")
        hand = record["hand"]
        if isinstance(hand, Mapping):
            lines.append("hand: " + counted(hand, BACKS))
            lines += self.taken(record)
        elif hand:
            lines.append("hand: " + " ".join(hand))
        return Text("\n".join(lines))

    def _place_and_face(self, code: str) -> str:
        """City and face of a card in one word, e.g. `lon:2B`."""
        card = self.components.cards[code]
        return f"{self.components.short(card.city)}:{_word(card)}"

    def taken(self, record: Mapping[str, Any]) -> list[str]:
        """Cards that everybody saw taken and nobody has seen played: in the hand or face down."""
        shown = {entry["card"] for entry in record["kontor"] if entry["card"]}
        taken = [entry["took"] for entry in record["kontor"] if entry["took"] and entry["took"] not in shown]
        return [f"took {' '.join(taken)}"] if taken else []

    def hands(self) -> list[Text]:
        """The hands that the position shows in full, with returned cards and pending choices."""
        lines = []
        for player, record in enumerate(self.position["players"]):
            hand = record["hand"]
            if isinstance(hand, Mapping) or not hand:
                continue
            text = Text.assemble((f"Hand of {self.scene.name(player)}: ", "bold"))
            for index, code in enumerate(hand):
                text.append(f" {self.dot} " if index else " ")
                text.append(self.card(code))
            if record["returned"]:
                text.append(f"   returned: {' '.join(record['returned'])}")
            if record["choice"]:
                text.append(f"   chosen: {record['choice']}")
            lines.append(text)
        return lines


def _word(card: Card) -> str:
    """A face in one word, e.g. `2-ship`."""
    return card.face.replace(" ", "-")


def _size(deck: int | list[str]) -> int:
    """Cards of a deck; a view has their number, a state the cards."""
    return deck if isinstance(deck, int) else len(deck)
