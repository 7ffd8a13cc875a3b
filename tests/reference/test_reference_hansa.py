"""The reference of Hansa against the test vectors of the specification."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from .games import TESTS
from .hansa import Hansa, colour, final_ranks, payee, short_loops
from .hansa_positions import (
    DATA,
    bare,
    dealt,
    draw_all,
    empty_warehouses,
    give,
    hand_markers,
    new,
    put_booths,
    shrink_supply,
    turns_after_opening,
    verbs,
)

VECTORS: list[dict[str, Any]] = json.loads((TESTS / "games/hansa/examples.json").read_text("utf-8"))[
    "vectors"
]
SEATS: Mapping[str, int] = {name: seat for seat, name in enumerate(DATA["player_colours"]["ids"])}


def fill_order(_: Mapping[str, Any]) -> dict[str, Any]:
    hansa = new(2)
    order = []
    while hansa.phase == "deal":
        before = {city: len(row) for city, row in hansa.state["warehouses"].items()}
        hansa.apply(hansa.outcomes()[0][0])
        order += [city for city, row in hansa.state["warehouses"].items() if len(row) > before[city]]
    numbers = hansa.rules.numbers
    assert [numbers[city] for city in order] == sorted(numbers[city] for city in order)
    return {
        "first_city": order[0],
        "first_number": numbers[order[0]],
        "last_city": order[-1],
        "last_number": numbers[order[-1]],
    }


def supply_order(_: Mapping[str, Any]) -> dict[str, Any]:
    """The piles are used up one after the other; a draw can be any undrawn marker, so they lie face down."""
    hansa = bare(2)
    used = []
    face_down = True
    while hansa.phase != "over":
        if hansa.phase == "restock":
            face_down &= dict(hansa.outcomes()) == Counter(f"deal {m}" for m in hansa.state["supply"])
            before = list(hansa.state["piles"])
            hansa.apply(hansa.outcomes()[0][0])
            used += [pile for pile, size in enumerate(hansa.state["piles"]) if size < before[pile]]
        else:
            empty_warehouses(hansa, 1)
            hansa.apply("refill" if hansa.phase == "refill" else "end")
    assert used == sorted(used)
    first, last = str(DATA["supply"]["order"]).split(" ... ")
    return {
        "spaces": len(set(used)),
        "face_down": face_down,
        "first": first.removeprefix("pile 1 = "),
        "last": last.removeprefix("pile 5 = "),
    }


def pile_split(given: Mapping[str, Any]) -> dict[str, Any]:
    state = dealt(given["players"]).state
    return {"supply": len(state["supply"]), "piles": state["piles"]}


def placement(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = dealt(given["players"])
    for label, city in given["placements"]:
        if hansa.turn() != "ABCD".index(label) or f"place {city}" not in hansa.legal():
            return {"legal": False}
        hansa.apply(f"place {city}")
    (placed,) = {sum(player["booths"].values()) for player in hansa.state["players"]}
    (reserve,) = {player["reserve"] for player in hansa.state["players"]}
    return {"legal": True, "booths_on_board_each": placed, "reserve_each": reserve}


def income(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = bare(2)
    hansa.state["players"][1]["talers"] = given["talers"]
    hansa.apply("end")
    return {"talers": hansa.state["players"][1]["talers"]}


def refill_node(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = bare(2)
    empty_warehouses(hansa, given["empty"])
    shrink_supply(hansa, given["supply"])
    talers = hansa.state["players"][1]["talers"] + 3
    hansa.apply("end")
    if hansa.phase == "sail":
        return {"node": "none"}
    node = "choice" if hansa.phase == "refill" else "forced"
    if node == "choice":
        assert hansa.legal() == ["pass", "refill"]
        hansa.apply("refill")
    return {"node": node, "cost": talers - hansa.state["players"][1]["talers"]}


def refill_draw(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = bare(given["players"])
    empty_warehouses(hansa, given["empty"])
    shrink_supply(hansa, given["supply"])
    hansa.apply("end")
    hansa.apply("refill")
    drawn = draw_all(hansa)
    opened = hansa.state["opened_by"]
    assert opened in (None, 1)
    return {"drawn": drawn, "supply_after": len(hansa.state["supply"]), "opens_pile5": opened == 1}


def path(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = bare(2)
    hansa.state["ship"] = given["start"]
    hansa.active()["talers"] = given["talers"]
    give(hansa, 0, ["orange 1"] * 3)
    done = Counter[str]()
    for step in given["steps"]:
        # Building costs nothing, so that the money is what the voyage costs.
        move = "build orange 1" if step == "action" else f"sail {step.removeprefix('move:')}"
        if move not in hansa.legal():
            return {"legal": False}
        hansa.apply(move)
        done[move.split(maxsplit=1)[0]] += 1
    return {
        "legal": True,
        "talers_left": hansa.active()["talers"],
        "moves": done["sail"],
        "actions": done["build"],
        "end": hansa.state["ship"],
    }


def sailing_from(city: str) -> list[str]:
    hansa = bare(2)
    hansa.state["ship"] = city
    return [move.removeprefix("sail ") for move in hansa.legal() if move.startswith("sail")]


def destinations(given: Mapping[str, Any]) -> dict[str, Any]:
    reached = sailing_from(given["from"])
    cities = bare(2).rules.cities
    return {
        "to": reached,
        "not_to": [city for city in cities if city not in (given["from"], *reached)],
        "linked_but_reversed": [city for city in cities if given["from"] in sailing_from(city)],
    }


def loops(expect: Mapping[str, Any]) -> set[tuple[str, ...]]:
    """The loops of the map, each from its first city in the order of the map."""
    return {tuple(loop) for loop in short_loops(bare(2).rules.exits, expect["max_len"])}


def rotated(loop: Sequence[str]) -> tuple[str, ...]:
    first = loop.index(min(loop, key=bare(2).rules.cities.index))
    return (*loop[first:], *loop[:first])


def purchase(given: Mapping[str, Any]) -> dict[str, Any]:
    """Buy and see who has been paid."""
    buyer = SEATS[given["buyer"]]
    hansa = bare(4, seat=buyer)
    put_booths(hansa, hansa.state["ship"], {SEATS[name]: n for name, n in given["booths"].items()})
    before = [player["talers"] for player in hansa.state["players"]]
    hansa.apply(next(move for move in hansa.legal() if move.startswith("buy")))
    after = [player["talers"] for player in hansa.state["players"]]
    paid = before[buyer] - after[buyer]
    gained = [name for name, seat in SEATS.items() if after[seat] > before[seat]]
    assert all(after[SEATS[name]] == before[SEATS[name]] + paid for name in gained)
    return {"payee": (gained or ["bank"])[0] if paid else "self", "price": paid}


def buy_legal(given: Mapping[str, Any]) -> dict[str, Any]:
    buyer = SEATS[given["buyer"]]
    hansa = bare(4, seat=buyer)
    ship = hansa.state["ship"]
    put_booths(hansa, ship, {SEATS[name]: n for name, n in given["booths"].items()})
    hansa.active()["talers"] = given["talers"]
    hansa.state["acted"] = given["visit_used"]
    assert len(hansa.state["warehouses"][ship]) == given["markers_in_city"]
    return {"legal": "buy" in verbs(hansa)}


def named_payee(hansa: Hansa, city: str) -> str:
    seat = payee(hansa.booths_in(city))
    return "bank" if seat is None else next(name for name, number in SEATS.items() if number == seat)


def build(given: Mapping[str, Any]) -> dict[str, Any]:
    builder, city = SEATS[given["player"]], given["city"]
    hansa = bare(4, seat=builder)
    put_booths(hansa, city, {SEATS[name]: n for name, n in given["booths"].items()})
    hansa.active()["reserve"] = given["reserve"]
    hansa.state.update(ship=city, acted=given["visit_used"])
    move = f"build orange {given['marker_barrels']}"
    give(hansa, builder, [move.removeprefix("build ")])
    if move not in hansa.legal():
        return {"legal": False}
    before = named_payee(hansa, city)
    hansa.apply(move)
    assert hansa.state["acted"]
    assert hansa.active()["unsold"] == []
    assert hansa.state["out"] == [move.removeprefix("build ")]
    booths = hansa.booths_in(city)
    return {
        "legal": True,
        "booths": {name: booths[seat] for name, seat in SEATS.items() if booths[seat] > 0},
        "reserve": hansa.active()["reserve"],
        "payee_for_third_player_before": before,
        "payee_for_third_player_after": named_payee(hansa, city),
    }


def sell(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = bare(4)
    put_booths(hansa, given["city"], {0: given["own_booths"]})
    hansa.state["ship"] = given["city"]
    hansa.active()["reserve"] = given["reserve"]
    give(hansa, 0, hand_markers(given["hand"]))
    move = " ".join(["sell", *given["colours"]])
    if move not in hansa.legal():
        return {"legal": False}
    talers = hansa.active()["talers"]
    hansa.apply(move)
    withheld = hand_markers(given["withhold"])
    while hansa.phase == "keep":
        asked = of_asked_colour(hansa, withheld)
        hansa.apply(f"keep {asked[0]}" if asked else "keep none")
        if asked:
            withheld.remove(asked[0])
    if withheld:  # more than may be kept
        return {"legal": False}
    player = hansa.active()
    return {
        "legal": True,
        "sold_count": len(player["sold"]),
        "hand_left": len(player["unsold"]),
        "own_booths": hansa.booths_in(given["city"])[0],
        "reserve": player["reserve"],
        "talers_change": player["talers"] - talers,
    }


def of_asked_colour(hansa: Hansa, markers: Sequence[str]) -> list[str]:
    return [marker for marker in markers if colour(marker) == hansa.state["sale"]["colour"]]


def losses(given: Mapping[str, Any]) -> dict[str, Any]:
    seller = SEATS["gray"]
    hansa = bare(4, seat=seller)
    put_booths(hansa, hansa.state["ship"], {seller: 1})
    give(hansa, seller, [f"{name} 2" for name in given["colours"] for _ in range(2)])
    held = {name: hand_markers(hand) for name, hand in given["opponents"].items()}
    for name, markers in held.items():
        give(hansa, SEATS[name], markers)
    hansa.apply(" ".join(["sell", *given["colours"]]))
    nodes = []
    while hansa.phase == "lose":
        name = next(name for name, seat in SEATS.items() if seat == hansa.turn())
        nodes.append([name, hansa.state["sale"]["colour"]])
        hansa.apply(hansa.legal()[0])
    found: dict[str, Any] = {"choice_nodes": nodes}
    for name, markers in held.items():
        lost = Counter(map(colour, markers)) - Counter(
            map(colour, hansa.state["players"][SEATS[name]]["unsold"])
        )
        found[name] = {kind: lost[kind] for kind in given["colours"]}
    return found


def phase4(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = bare(2)
    player = hansa.active()
    player["talers"] = given["talers"]
    give(hansa, 0, ["orange 1", "orange 2", "brown 1", "red 3", "green 2"][: given["goods"]])
    hansa.apply("end")
    discarded = 0
    while hansa.phase == "discard":
        hansa.apply(hansa.legal()[0])
        discarded += 1
    assert hansa.turn() == 1
    assert len(hansa.state["out"]) == discarded
    return {
        "talers": player["talers"],
        "talers_returned": given["talers"] - player["talers"],
        "goods": len(player["unsold"]),
        "goods_discarded": discarded,
    }


def score(given: Mapping[str, Any]) -> dict[str, Any]:
    hansa = bare(2)
    give(hansa, 0, [f"orange {number}" for number in given["me"]["sold"]], "sold")
    give(hansa, 0, ["brown 2"] * given["me"]["unsold"])
    for city in given["me"]["cities"]:
        put_booths(hansa, city, {0: 2})
    for city in given["others"]:
        put_booths(hansa, city, {1: 3})
    return {"score": hansa.scores()[0]}


def extrakarte(given: Mapping[str, Any]) -> dict[str, Any]:
    players = len(given["stacks"])
    points = []
    for option in ("false", "true"):
        hansa = bare(players, extrakarte=option)
        hansa.state["opened_by"] = given["opened_by"]
        for seat in range(players):
            cities = hansa.rules.cities[: given["cities"][seat]]
            for city in cities:
                put_booths(hansa, city, {seat: given["stacks"][seat] if city == cities[0] else 1})
            give(hansa, seat, ["orange 1"] * given["sold1"][seat] + ["orange 2"], "sold")
        points.append(hansa.scores())
    return {"bonus": [more - less for less, more in zip(*points, strict=True)]}


def observed(given: Mapping[str, Any]) -> dict[str, Any]:
    """A position with the points of a game that was played."""
    hansa = bare(given["players"])
    cities = hansa.rules.cities
    # All of these cities are shared by two or more, so that each counts 2.
    for seat, first in enumerate((0, 3, 0, 0)):
        for city in cities[first : first + given["city_points"][seat] // 2]:
            put_booths(hansa, city, {seat: 1})
    for seat, points in enumerate(given["goods_points"]):
        give(hansa, seat, ["orange 3"] * (points // 4), "sold")
        give(hansa, seat, ["brown 2"] * (points % 4))
    return {"totals": hansa.scores()}


ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "fill_order": fill_order,
    "supply_order": supply_order,
    "pile_split": pile_split,
    "placement": placement,
    "income": income,
    "refill_node": refill_node,
    "refill_draw": refill_draw,
    "path": path,
    "destinations": destinations,
    "out_degree": lambda given: {"count": len(sailing_from(given["from"]))},
    "payee": purchase,
    "buy_legal": buy_legal,
    "build": build,
    "sell": sell,
    "losses": losses,
    "phase4": phase4,
    "end": lambda given: {
        "turns_after_trigger_turn": turns_after_opening(given["players"], given["trigger_seat"])
    },
    "score": score,
    "ranking": lambda given: {
        "winners": [
            seat for seat, rank in enumerate(final_ranks(given["scores"], given["booths"])) if rank == 0
        ]
    },
    "extrakarte_values": lambda _: {
        name: DATA["extrakarte"][name]
        for name in ("highest_stack", "opened_last_pile", "most_cities", "most_sold_one_barrel")
    },
    "extrakarte": extrakarte,
    "observed": observed,
}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vector(vector: dict[str, Any]) -> None:
    expect = vector["expect"]
    if vector["kind"] == "loops":
        assert loops(expect) == {rotated(loop) for loop in expect["loops"]}
        return
    found = ANSWERS[vector["kind"]](vector.get("given", {}))
    assert expect
    for key, value in expect.items():
        unordered = key in ("to", "not_to", "linked_but_reversed")
        assert (sorted(found[key]) if unordered else found[key]) == (sorted(value) if unordered else value), (
            key
        )
