"""Positions of Hansa made by hand, and what holds at every position."""

from collections import Counter
from collections.abc import Mapping, Sequence

from . import goldens
from .hansa import GAME, Hansa

DATA = goldens.load_data(GAME)


def new(players: int, extrakarte: str = "false") -> Hansa:
    return Hansa(DATA, GAME, players, {"extrakarte": extrakarte})


def dealt(players: int, extrakarte: str = "false") -> Hansa:
    """The first node of the opening booths."""
    hansa = new(players, extrakarte)
    while hansa.phase == "deal":
        hansa.apply(hansa.outcomes()[0][0])
    return hansa


def bare(players: int, seat: int = 0, extrakarte: str = "false") -> Hansa:
    """A seat at sea with full warehouses and all booths back in the reserves; nobody holds a marker."""
    hansa = dealt(players, extrakarte)
    while hansa.phase == "place":
        hansa.apply(hansa.legal()[0])
    while hansa.turn() != seat:
        hansa.apply("end")
    for player in hansa.state["players"]:
        player.update(booths={}, reserve=hansa.rules.booths)
    return hansa


def put_booths(hansa: Hansa, city: str, numbers: Mapping[int, int]) -> None:
    """Booths from the reserves into a city."""
    for seat, number in numbers.items():
        player = hansa.state["players"][seat]
        player["reserve"] -= number
        if number > 0:
            player["booths"][city] = number


def give(hansa: Hansa, seat: int, markers: Sequence[str], place: str = "unsold") -> None:
    """Markers for a player, out of the supply where there are such."""
    for marker in markers:
        if marker in hansa.state["supply"]:
            hansa.state["supply"].remove(marker)
        hansa.state["players"][seat][place].append(marker)


def hand_markers(hand: Mapping[str, Sequence[int]]) -> list[str]:
    return [f"{name} {number}" for name, numbers in hand.items() for number in numbers]


def shrink_supply(hansa: Hansa, size: int) -> None:
    """So many undrawn markers are left: the others are out of the game, drawn from the piles in order."""
    state = hansa.state
    while len(state["supply"]) > size:
        state["out"].append(state["supply"].pop())
        pile = next(number for number, left in enumerate(state["piles"]) if left > 0)
        state["piles"][pile] -= 1


def empty_warehouses(hansa: Hansa, number: int) -> None:
    """Take so many markers out of the warehouses."""
    for row in hansa.state["warehouses"].values():
        while row and number > 0:
            hansa.state["out"].append(row.pop())
            number -= 1


def draw_all(hansa: Hansa) -> int:
    """Draw until a player decides; how many draws that is."""
    number = 0
    while hansa.turn() == "chance":
        hansa.apply(hansa.outcomes()[-1][0])
        number += 1
    return number


def verbs(hansa: Hansa) -> set[str]:
    return {move.split()[0] for move in hansa.legal()}


def turns_after_opening(players: int, seat: int) -> int:
    """How many turns follow that in which a seat opens the last pile."""
    hansa = bare(players)
    shrink_supply(hansa, hansa.rules.piles[-1] + 1)
    empty_warehouses(hansa, 2)
    hansa.apply("end")
    while not (hansa.turn() == seat and hansa.phase == "refill"):
        hansa.apply("pass" if hansa.phase == "refill" else "end")
    hansa.apply("refill")
    draw_all(hansa)
    assert hansa.state["opened_by"] == seat
    hansa.apply("end")
    turns = 0
    while hansa.phase != "over":
        turns += hansa.phase == "sail"
        hansa.apply("end" if hansa.phase == "sail" else "pass")
    return turns


def check_position(hansa: Hansa) -> None:
    """What holds at every position (spec 12, notation)."""
    state, rules = hansa.canonical_state(), hansa.rules
    markers = (
        [marker for row in state["warehouses"].values() for marker in row] + state["supply"] + state["out"]
    )
    for player in state["players"]:
        markers += player["unsold"] + player["sold"]
        assert player["reserve"] + sum(player["booths"].values()) == 15
        assert player["talers"] >= 0
        assert all(number > 0 for number in player["booths"].values())
    assert len(markers) == {2: 52, 3: 65, 4: 78}[rules.players]
    assert Counter(markers) == Counter(rules.markers)
    assert all(len(row) <= rules.spaces[city] for city, row in state["warehouses"].items())
    if state["phase"] == "deal":
        assert state["piles"] is None
    else:
        assert sum(state["piles"]) == len(state["supply"])
        used = [size < full for size, full in zip(state["piles"], rules.piles, strict=True)]
        assert (state["opened_by"] is not None) == used[-1]
    choices = hansa.legal() or [notation for notation, _ in hansa.outcomes()]
    assert choices == sorted(set(choices))
    assert (hansa.turn() == "over") == (not choices)
    if state["phase"] in ("place", "refill", "keep", "lose"):
        assert len(choices) >= 2
    if state["phase"] in ("deal", "place", "refill", "restock", "over"):
        assert not state["acted"]
    if state["phase"] in ("keep", "lose"):
        assert state["acted"]
    assert (state["sale"] is not None) == (state["phase"] in ("keep", "lose"))
    assert (state["active"] is None) == (state["phase"] in ("deal", "over"))
    assert state["turn"] == hansa.turn()
    if state["phase"] == "lose":
        assert state["turn"] != state["active"]
        assert state["sale"]["kept"] == []
    elif isinstance(state["turn"], int):
        assert state["turn"] == state["active"]
    assert 0 <= state["idle_rounds"] <= (4 if state["phase"] == "over" else 3)
