"""Moves and changes of The Queen of Hansa in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hansa.display.queen_of_hansa.components import Components
from hansa.display.scene import Scene

_PHASES = {
    "lay": "cards are laid on the board",
    "draw": "pieces are drawn for the luxury cards",
    "deal": "hands are dealt",
    "keep": "{who}, to keep two hand cards",
    "play": "{who}, to lay a hand card, face up or face down",
    "marker": "{who}, to move a prosperity marker",
    "take": "{who}, to take a card from a harbor",
    "extra": "{who}, to lay one more card",
    "store": "{who}, to store pieces on ships",
    "start": "{who}, to name the next start player",
    "over": "the game is over",
}


def ahead(scene: Scene) -> str:
    """What happens next, e.g. `1 greedy, to take a card from a harbor`."""
    turn = scene.position["turn"]
    who = scene.name(turn) if isinstance(turn, int) else ""
    return _PHASES[scene.position["phase"]].format(who=who)


def counted(counts: Mapping[str, int], order: Sequence[str]) -> str:
    """A count in words, e.g. `2 red, 1 black`, in the order of the colors or backs; `none` when empty."""
    return ", ".join(f"{counts[key]} {key}" for key in order if counts.get(key)) or "none"


def describe(scene: Scene, move: str) -> str | None:
    """What an action of the notation does here; None where the notation says it all."""
    components = Components(scene)
    verb, *arguments = move.split()
    if verb == "keep":
        return "keep " + " and ".join(_card(components, code) for code in arguments)
    if verb == "play":
        card, face = arguments
        if face == "down":
            return f"{_card(components, card)} to Parliament"
        return f"trade with {components.cards[card].city.title()}, {components.cards[card].face}"
    if verb in ("raise", "lower"):
        city = arguments[0]
        index = scene.position["prosperity"][city]
        track = components.track
        after = index + (1 if verb == "raise" else -1)
        return f"profit of rank 1 there {track[index].fixed} -> {track[after].fixed}"
    if verb == "take":
        return _take(scene, components, arguments[0])
    if verb == "start":
        return scene.name(int(arguments[0]))
    return None


def _card(components: Components, code: str) -> str:
    """A card in words, e.g. `2B (London)`."""
    card = components.cards[code]
    return f"{card.face} ({card.city.title()})"


def _take(scene: Scene, components: Components, code: str) -> str:
    """What taking a card means: the card, the piece on it, the change of prosperity that follows."""
    words = _card(components, code)
    for city, row in scene.position["board"].items():
        for space in row:
            if space["card"] == code:
                words += f" from {city.title()}"
                if space["piece"]:
                    words += f", with a {space['piece']} piece"
                changes = scene.position["changes"]
                if len(row) == components.harbor + 1 and changes < len(components.changes):
                    words += f"; empties the sea: prosperity {components.changes[changes]:+d}"
    return words


def news(before: Scene, after: Scene) -> list[str]:
    """What has changed between two positions, a line each; between two views, what their player saw."""
    components = Components(after)
    lines = _plays(before, after, components)
    lines += _board(before, after, components)
    paid = [
        f"{after.name(player)} {now['profit'] - was['profit']:+d}"
        for player, (was, now) in enumerate(_both(before, after))
        if now["profit"] != was["profit"]
    ]
    if paid:
        lines.append("profit: " + ", ".join(paid))
    if before.position["phase"] == "store" and after.position["phase"] != "store":
        lines += [
            f"{after.name(player)}: stores {counted(now['pieces'], components.colors)}"
            for player, now in enumerate(after.position["players"])
        ]
    if before.position["round"] != after.position["round"]:
        starter = after.name(after.position["start_player"])
        lines.append(f"round {after.position['round']} begins, start player {starter}")
    return lines


def _both(before: Scene, after: Scene) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Every player at the two positions."""
    return list(zip(before.position["players"], after.position["players"], strict=True))


def _plays(before: Scene, after: Scene, components: Components) -> list[str]:
    """Cards laid into Kontors and taken from the board."""
    pieces = {
        space["card"]: space["piece"]
        for row in before.position["board"].values()
        for space in row
        if space["piece"]
    }
    lines = []
    for player, (was, now) in enumerate(_both(before, after)):
        for index, entry in enumerate(now["kontor"]):
            old = was["kontor"][index] if index < len(was["kontor"]) else None
            if old is None:
                card = entry["card"]
                what = f"{card}, {_card(components, card)}," if card else "a card"
                face = "face up" if entry["face"] == "up" else f"face down ({entry['back']} back)"
                lines.append(f"{after.name(player)}: lays {what} {face}")
            if entry["took"] and (old is None or old["took"] is None):
                took = entry["took"]
                piece = f" with a {pieces[took]} piece" if took in pieces else ""
                lines.append(f"{after.name(player)}: takes {took}, {_card(components, took)}{piece}")
    return lines


def _board(before: Scene, after: Scene, components: Components) -> list[str]:
    """Markers moved and cards laid on the board."""
    lines = []
    for city in components.cities:
        index = after.position["prosperity"][city]
        old = before.position["prosperity"][city]
        if index != old:
            track = components.track
            direction = "rises" if index > old else "falls"
            lines.append(
                f"prosperity of {city.title()} {direction}: {track[old].fixed} -> {track[index].fixed}"
            )
    there = {space["card"] for row in before.position["board"].values() for space in row}
    laid = [
        space["card"]
        for row in after.position["board"].values()
        for space in row
        if space["card"] not in there
    ]
    if laid:
        lines.append(f"{len(laid)} new {'card' if len(laid) == 1 else 'cards'} on the board")
    return lines
