"""The board of Hansa: what comes next, the map, the supply, the players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from hansa.display.hansa.components import Components, plural
from hansa.display.hansa.map import Map, goods_style, seat_style
from hansa.display.hansa.words import ahead
from hansa.display.scene import Scene


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
        self.map = Map(scene, ascii_only=ascii_only)
        self.dot = "-" if ascii_only else "·"

    def board(self) -> RenderableType:
        """The whole drawing."""
        parts: list[RenderableType] = [
            self.heading(),
            self.map.drawing(),
            self.supply(),
            *(self.player(number, record) for number, record in enumerate(self.position["players"])),
        ]
        return Group(*(Group(part, Text(" ")) for part in parts[:3]), *parts[3:])

    def join(self, words: Iterable[str]) -> str:
        """Words with dots between them, without the empty ones."""
        return f" {self.dot} ".join(word for word in words if word)

    def heading(self) -> Text:
        """Title, ship, what comes next, a sale under way."""
        ship = self.position["ship"]
        ends = ", ".join(self.map.name(end) for end in self.components.exits(ship))
        title = str(self.scene.rules["meta"]["game"])
        words = [
            "with the Extrakarte" if self.components.with_extrakarte else "",
            f"ship in {self.map.name(self.components.city(ship))}, from there to {ends}",
        ]
        text = Text.assemble(
            (title, "bold"),
            f"  {self.join(words)}\n",
            (f"Next: {ahead(self.scene)}", "bold"),
            overflow="fold",
        )
        sale = self.position["sale"]
        if sale:
            kept = self.components.grouped(sale["kept"])
            words = [f"sells {', '.join(sale['colours'])}", f"now {sale['colour']}"]
            if self.position["phase"] == "keep":
                words.append(f"kept so far: {kept}")
            text.append(f"\nSale: {self.scene.name(self.position['active'])} {self.join(words)}")
        return text

    def supply(self) -> Text:
        """Piles, what can still be drawn, idle rounds, and the legend."""
        position, components = self.position, self.components
        undrawn = position["supply"]
        words = [f"Supply: {plural(len(undrawn), 'marker')}"]
        before = components.before_last_pile()
        opened = position["opened_by"]
        if position["piles"] is not None:
            words[0] += f" in piles {' '.join(str(pile) for pile in position['piles'])}"
        warning = ""
        if opened is not None:
            what = "" if position["phase"] == "over" else ": this is the last round"
            warning = f"LAST PILE opened by {self.scene.name(opened)}{what}"
        elif before is not None:
            words.append(f"{before} before the last pile")
            empty = components.empty()
            if before < empty:
                warning = f"A refill of the {plural(empty, 'empty space')} opens the LAST PILE"
        words.append(f"out {len(position['out'])}")
        idle = position["idle_rounds"]
        if idle:
            words.append(f"idle rounds {idle} of {components.number('flags', 'stall_round_limit')}")
        text = Text.assemble(self.join(words), overflow="fold")
        if warning:
            text.append(f"\n{warning}", "bold red")
        if undrawn:
            text.append("\nTo draw, by 1/2/3 barrels:")
            for number, (colour, counts) in enumerate(components.counted(undrawn)):
                text.append(", " if number else " ")
                text.append(colour, goods_style(colour))
                text.append(f" {'/'.join(str(count) for count in counts)}")
        legend = (
            "0:4* four booths of player 0, more than anybody else has there\n"
            "pay 0: who buys there pays player 0, who buys for free; orange 1 3: orange 1, orange 3"
        )
        return text.append(f"\n{legend}", "dim")

    def player(self, player: int, record: Mapping[str, Any]) -> Text:
        """A player's score with its parts, money, booths and goods."""
        components = self.components
        score = components.score(player)
        asked = self.position["turn"] == player
        parts = [f"unsold {score.unsold}", f"sold {score.sold}", f"cities {score.cities}"]
        if score.talers:
            parts.append(f"Talers {score.talers}")
        if score.bonuses:
            bonuses = ", ".join(f"{name} {points}" for name, points in score.bonuses.items())
            parts.append(f"Extrakarte: {bonuses}")
        name = ("> " if asked else "  ") + self.scene.name(player)
        alone = [city for city in record["booths"] if len(components.booths(city)) == 1]
        stand = plural(len(record["booths"]), "city").replace("citys", "cities")
        words = [
            plural(record["talers"], "Taler"),
            f"{plural(record['reserve'], 'booth')} in reserve",
            stand + (f", alone in {len(alone)}" if alone else ""),
        ]
        text = Text.assemble(
            (name, seat_style(player, bold=True) + (" reverse" if asked else "")),
            "  ",
            (f"score {score.total}", "bold"),
            f" ({', '.join(parts)})\n    {self.join(words)} {self.dot} unsold: ",
            overflow="fold",
        )
        self._goods(text, record["unsold"])
        text.append("\n    sold: ")
        self._goods(text, record["sold"])
        return text

    def _goods(self, text: Text, markers: list[str]) -> None:
        """Appends markers by colour."""
        if not markers:
            text.append("none", "dim")
        for number, (colour, _) in enumerate(self.components.counted(markers)):
            own = [marker for marker in markers if marker.split()[0] == colour]
            text.append(", " if number else "")
            text.append(self.components.grouped(own), goods_style(colour))
