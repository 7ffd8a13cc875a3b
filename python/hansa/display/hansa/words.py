"""Moves of Hansa in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hansa.display.hansa.components import Components, plural, sole_leader
from hansa.display.scene import Scene

_PHASES = {
    "deal": "goods are dealt to the warehouses",
    "place": "{who}, to put the opening booths into a city",
    "refill": "{who}, to refill the warehouses or not",
    "restock": "the warehouses are refilled",
    "keep": "{who}, to keep {colour} goods out of the sale or not",
    "lose": "{who}, to lose a {colour} marker",
    "discard": "{who}, to discard down to {keep} unsold markers",
    "over": "the game is over",
}


def ahead(scene: Scene) -> str:
    """What happens next, e.g. `1 greedy, to sail, act here or end the turn`."""
    position = scene.position
    turn = position["turn"]
    who = scene.name(turn) if isinstance(turn, int) else ""
    if position["phase"] == "sail":
        if position["acted"]:
            return f"{who}, to sail on or end the turn (has acted here)"
        return f"{who}, to sail, act here or end the turn"
    colour = position["sale"]["colour"] if position["sale"] else ""
    keep = Components(scene).number("turn", "keep_goods_max")
    return _PHASES[position["phase"]].format(who=who, colour=colour, keep=keep)


def describe(scene: Scene, move: str) -> str | None:
    """What an action of the notation does here; None where it is no action of the game."""
    verb, *arguments = move.split()
    words = _WORDS.get(verb)
    return words(_Mover(scene), arguments) if words else None


class _Mover:
    """The player who moves, and what surrounds the move."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.position = scene.position
        self.components = Components(scene)
        self.player: int = scene.position["turn"]
        self.record: Mapping[str, Any] = scene.position["players"][self.player]
        self.ship: str = scene.position["ship"]

    def cost(self, key: str) -> str:
        """A price in words."""
        return plural(self.components.number("turn", key), "Taler")

    def payment(self, city: str) -> str:
        """What a purchase in a city costs the player, in words."""
        leader = self.components.leader(city)
        if leader == self.player:
            return "free"
        return f"{self.cost('purchase_cost')} to {'the bank' if leader is None else self.scene.name(leader)}"

    def standing(self, booths: dict[int, int]) -> str:
        """How the player stands among the booths of a city."""
        own = booths.get(self.player, 0)
        if not own:
            return "none left there"
        if list(booths) == [self.player]:
            return "alone there"
        leader = sole_leader(booths)
        if leader == self.player:
            return "the lead"
        if leader is not None:
            return f"{self.scene.name(leader)} leads"
        return "shares the lead" if own == max(booths.values()) else "others share the lead"

    def of_colour(self, colour: str) -> list[str]:
        """The player's unsold markers of a colour."""
        return [marker for marker in self.record["unsold"] if marker.split()[0] == colour]


def _place(mover: _Mover, arguments: list[str]) -> str:
    city = arguments[0]
    there = mover.components.booths(city)
    others = ", ".join(f"{mover.scene.name(player)} {number}" for player, number in there.items())
    booths = plural(mover.components.number("setup", "booths_per_placement"), "booth")
    company = f"beside {others}" if others else "alone there"
    return f"{booths} into {mover.components.city(city).plain}, {company}"


def _refill(mover: _Mover, _arguments: list[str]) -> str:
    empty, supply = mover.components.empty(), len(mover.position["supply"])
    words = f"{mover.cost('refill_cost')}; fills {plural(min(empty, supply), 'space')}"
    if supply < empty:
        words += f", {empty - supply} {'stays' if empty - supply == 1 else 'stay'} empty"
    before = mover.components.before_last_pile()
    if mover.position["opened_by"] is None and before is not None and before < empty:
        words += "; opens the last pile: this is the last round"
    return words


def _pass(mover: _Mover, _arguments: list[str]) -> str:
    empty = mover.components.empty()
    return f"{plural(empty, 'space')} {'stays' if empty == 1 else 'stay'} empty in this turn"


def _sail(mover: _Mover, arguments: list[str]) -> str:
    city = arguments[0]
    left = mover.record["talers"] - mover.components.number("turn", "ship_move_cost")
    goods = mover.position["warehouses"][city]
    there = f"{', '.join(goods)} ({mover.payment(city)})" if goods else "no goods"
    own = mover.components.booths(city).get(mover.player, 0)
    return f"{mover.cost('ship_move_cost')}, {left} left; there: {there}, own booths {own}"


def _buy(mover: _Mover, _arguments: list[str]) -> str:
    return mover.payment(mover.ship)


def _build(mover: _Mover, arguments: list[str]) -> str:
    reserve = mover.record["reserve"]
    built = min(int(arguments[1]), reserve)
    booths = dict(mover.components.booths(mover.ship))
    booths[mover.player] = booths.get(mover.player, 0) + built
    where = f"in {mover.components.city(mover.ship).plain}, then {booths[mover.player]}"
    return f"{plural(built, 'booth')} {where}: {mover.standing(booths)}; reserve {reserve - built}"


def _sell(mover: _Mover, arguments: list[str]) -> str:
    markers = [marker for colour in arguments for marker in mover.of_colour(colour)]
    booths = dict(mover.components.booths(mover.ship))
    booths[mover.player] -= mover.components.number("turn", "sale_booths_removed")
    booths = {player: number for player, number in booths.items() if number}
    words = f"up to {plural(len(markers), 'marker')} for {mover.components.sold_points(markers)} points"
    words += f"; one booth back from {mover.components.city(mover.ship).plain}: {mover.standing(booths)}"
    losses = []
    for player, record in enumerate(mover.position["players"]):
        held = {marker.split()[0] for marker in record["unsold"]}
        lost = sum(colour in held for colour in arguments)
        if player != mover.player and lost:
            losses.append(f"{mover.scene.name(player)} loses {lost}")
    return words + "".join(f"; {loss}" for loss in losses)


def _keep(mover: _Mover, arguments: list[str]) -> str:
    colour = mover.position["sale"]["colour"]
    kept = [marker for marker in mover.position["sale"]["kept"] if marker.split()[0] == colour]
    offered = mover.of_colour(colour)
    for marker in kept:
        offered.remove(marker)
    if arguments == ["none"]:
        return f"sells {mover.components.grouped(offered)} for {mover.components.sold_points(offered)} points"
    points = mover.components.marker_points(" ".join(arguments))
    return f"not sold now for {plural(points, 'point')}; {len(offered) - 1} of {colour} stay for sale"


def _lose(mover: _Mover, arguments: list[str]) -> str:
    left = list(mover.record["unsold"])
    left.remove(" ".join(arguments))
    return f"leaves {mover.components.grouped(left)}"


def _end(mover: _Mover, _arguments: list[str]) -> str:
    talers = mover.record["talers"] - mover.components.number("turn", "keep_talers_max")
    goods = len(mover.record["unsold"]) - mover.components.number("turn", "keep_goods_max")
    words = []
    if talers > 0:
        words.append(f"{plural(talers, 'Taler')} to the bank")
    if goods > 0:
        words.append(f"{plural(goods, 'marker')} to discard")
    return ", ".join(words) or "keeps all Talers and goods"


_WORDS: dict[str, Callable[[_Mover, list[str]], str]] = {
    "place": _place,
    "refill": _refill,
    "pass": _pass,
    "sail": _sail,
    "buy": _buy,
    "build": _build,
    "sell": _sell,
    "keep": _keep,
    "lose": _lose,
    "discard": _lose,
    "end": _end,
}
