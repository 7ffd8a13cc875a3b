"""What has changed between two positions of Hansa, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hansa.display.hansa.components import Components, plural
from hansa.display.scene import Scene


def news(before: Scene, after: Scene) -> list[str]:
    """What has changed between two positions, a line each."""
    components = Components(after)
    lines = []
    ship = after.position["ship"]
    if before.position["ship"] != ship:
        lines.append(f"{_active(before, after)}: sails to {components.city(ship).plain}")
    for player in _in_order(before, len(components.players)):
        lines += _player(before, after, components, player)
    lines += _dealt(before, after, components)
    opened = after.position["opened_by"]
    if opened is not None and before.position["opened_by"] is None:
        lines.append(f"{after.name(opened)} has opened the last pile: this is the last round")
    if after.position["idle_rounds"] > before.position["idle_rounds"]:
        limit = components.number("flags", "stall_round_limit")
        lines.append(f"a round without trade, {after.position['idle_rounds']} of {limit} in a row")
    return lines


def _active(before: Scene, after: Scene) -> str:
    """Whose turn it was, or is where it was nobody's."""
    active = before.position["active"]
    active = after.position["active"] if active is None else active
    return "the ship" if active is None else before.name(active)


def _in_order(before: Scene, players: int) -> list[int]:
    """The players, who was active first."""
    first = before.position["active"] or 0
    return [(first + offset) % players for offset in range(players)]


def _player(before: Scene, after: Scene, components: Components, player: int) -> list[str]:
    """What has become of one player's goods, booths and Talers."""
    was: Mapping[str, Any] = before.position["players"][player]
    now: Mapping[str, Any] = after.position["players"][player]
    active = before.position["active"] == player
    unsold, was_unsold = Counter(now["unsold"]), Counter(was["unsold"])
    sold = Counter(now["sold"]) - Counter(was["sold"])
    gained, gone = unsold - was_unsold, was_unsold - unsold - sold
    built = Counter(now["booths"]) - Counter(was["booths"])
    words = []
    if gained:
        words.append(f"buys {components.grouped(gained.elements())}{_payment(before, after, player)}")
    if built:
        where = ", ".join(
            f"{plural(number, 'booth')} in {components.city(id).plain}" for id, number in built.items()
        )
        words.append(
            f"builds {where} with {components.grouped(gone.elements())}" if gone else f"puts {where}"
        )
    elif gone:
        words.append(f"{'discards' if active else 'loses'} {components.grouped(gone.elements())}")
    if sold:
        points = components.sold_points(sold.elements())
        words.append(f"sells {components.grouped(sold.elements())} for {plural(points, 'point')}")
    if active:
        words += _turn(before, after, components)
    return [f"{after.name(player)}: {word}" for word in words]


def _turn(before: Scene, after: Scene, components: Components) -> list[str]:
    """What the active player has done but trade and sail."""
    was, now = before.position, after.position
    if was["phase"] == "refill":
        dealt = now["phase"] == "restock" or len(now["supply"]) < len(was["supply"])
        return ["refills the warehouses" if dealt else "does not refill"]
    if was["sale"] is None and now["phase"] == "keep":
        return [f"offers {', '.join(now['sale']['colours'])} for sale"]
    if was["phase"] == now["phase"] == "keep":
        kept = Counter(now["sale"]["kept"]) - Counter(was["sale"]["kept"])
        return [f"keeps {components.grouped(kept.elements())} out of the sale"] if kept else []
    if was["phase"] in ("sail", "discard") and now["active"] != was["active"]:
        return ["ends the turn"]
    return []


def _payment(before: Scene, after: Scene, buyer: int) -> str:
    """To whom a purchase has been paid."""
    was, now = before.position["players"], after.position["players"]
    if now[buyer]["talers"] >= was[buyer]["talers"]:
        return " for free"
    for player, record in enumerate(now):
        if player != buyer and record["talers"] > was[player]["talers"]:
            return f", pays {after.name(player)}"
    return ", pays the bank"


def _dealt(before: Scene, after: Scene, components: Components) -> list[str]:
    """Goods that have come into the warehouses."""
    places = []
    was, now = before.position["warehouses"], after.position["warehouses"]
    for city in components.cities:
        fresh = Counter(now[city.id]) - Counter(was[city.id])
        if fresh:
            places.append(f"{components.grouped(fresh.elements())} to {city.plain}")
    number = len(before.position["supply"]) - len(after.position["supply"])
    if not number:
        return []
    return [f"{plural(number, 'marker')} dealt: {'; '.join(places)}"]
