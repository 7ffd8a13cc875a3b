"""The reference of Hansa against worked examples, the notation, invariants and figures of random play."""

import json
import random
import statistics
from collections import Counter

import pytest

from . import goldens
from .games import GAMES
from .hansa import GAME, Hansa, barrels, payee
from .hansa_positions import (
    DATA,
    bare,
    check_position,
    dealt,
    give,
    new,
    put_booths,
    turns_after_opening,
    verbs,
)
from .play import preferred_move, random_move, random_record, trace

TABLES = [(players, extrakarte) for players in (2, 3, 4) for extrakarte in ("false", "true")]


# ---------------------------------------------------------------- the worked examples of the rules (spec 11)


def test_first_turn() -> None:
    """Example 7: 3 + 3 Talers, and no decision about a refill since no space is empty."""
    hansa = dealt(3)
    places = []
    while hansa.phase == "place":
        places.append(hansa.turn())
        hansa.apply(hansa.legal()[-1])
    assert places == [0, 1, 2] * 3
    assert (hansa.phase, hansa.turn(), hansa.state["ship"]) == ("sail", 0, "copenhagen")
    assert hansa.active()["talers"] == 6
    assert [player["talers"] for player in hansa.state["players"]] == [6, 3, 3]
    assert [player["reserve"] for player in hansa.state["players"]] == [9, 9, 9]


@pytest.mark.parametrize(("seat", "turns"), [(0, 2), (1, 1), (2, 0)])
def test_end_of_three_players(seat: int, turns: int) -> None:
    """Example 9."""
    assert turns_after_opening(3, seat) == turns


def test_price_after_building() -> None:
    """Example 3: 4 to 2 pays Gray, 4 to 4 the bank."""
    for numbers, expected in (({0: 2, 3: 4}, 3), ({0: 4, 3: 4}, None), ({}, None), ({2: 1}, 2)):
        hansa = bare(4, seat=2)
        put_booths(hansa, "danzig", numbers)
        assert payee(hansa.booths_in("danzig")) == expected


def test_returned_booth_is_built_again_in_the_same_turn() -> None:
    hansa = bare(2)
    put_booths(hansa, "luebeck", {0: 3})
    put_booths(hansa, "copenhagen", {0: 12})
    give(hansa, 0, ["orange 1", "orange 2", "brown 1"])
    assert "build" not in verbs(hansa)
    hansa.apply("sell orange")
    assert "build" not in verbs(hansa)  # acted
    hansa.apply("sail luebeck")
    hansa.apply("build brown 1")
    assert (hansa.active()["booths"], hansa.active()["reserve"]) == ({"luebeck": 4, "copenhagen": 11}, 0)


def test_idle_rounds_end_the_game() -> None:
    hansa = bare(2)
    for number in range(1, 5):
        assert (hansa.state["idle"], hansa.state["idle_rounds"]) == (True, number - 1)
        hansa.apply("sail luebeck" if number == 1 else "end")  # sailing is no action
        while hansa.state["active"] == 0:
            hansa.apply("end")
        hansa.apply("end")
    assert (hansa.phase, hansa.state["idle_rounds"], hansa.state["active"]) == ("over", 4, None)
    assert hansa.ranks() == [0, 0]


def test_a_round_that_is_not_idle_begins_the_count_again() -> None:
    hansa = bare(2)
    for _ in range(3):
        hansa.apply("end")
        hansa.apply("end")
    assert hansa.state["idle_rounds"] == 3
    hansa.apply(next(move for move in hansa.legal() if move.startswith("buy")))
    assert not hansa.state["idle"]
    hansa.apply("end")
    hansa.apply("pass")
    hansa.apply("end")
    assert (hansa.phase, hansa.state["idle_rounds"], hansa.state["idle"]) == ("refill", 0, True)


def test_keep_nodes_follow_the_colours() -> None:
    hansa = bare(4)
    put_booths(hansa, "copenhagen", {0: 1})
    give(
        hansa,
        0,
        ["orange 1", "orange 3", "orange 3", "orange 3", "red 1", "red 2", "green 2", "green 2", "green 2"],
    )
    assert sum(move.startswith("sell") for move in hansa.legal()) == 7
    hansa.apply("sell orange red green")
    assert hansa.legal() == ["keep none", "keep orange 1", "keep orange 3"]
    hansa.apply("keep orange 1")
    assert hansa.legal() == ["keep none", "keep orange 3"]
    hansa.apply("keep orange 3")  # two are left
    assert hansa.legal() == ["keep green 2", "keep none"]
    assert hansa.canonical_state()["sale"] == {
        "colours": ["orange", "red", "green"],
        "colour": "green",
        "kept": ["orange 1", "orange 3"],
    }
    assert len(hansa.active()["unsold"]) == 9
    hansa.apply("keep none")
    assert hansa.active()["unsold"] == ["orange 1", "orange 3"]
    assert (hansa.phase, hansa.state["sale"], hansa.state["acted"]) == ("sail", None, True)
    assert "copenhagen" not in hansa.active()["booths"]


# ---------------------------------------------------------------- the example of the notation

EXAMPLE = """
{"index":227,"turn":0,"legal":["lose green 1","lose green 3"],"state":
{"phase":"lose","turn":0,"active":2,"ship":"tonsberg","acted":true,
"players":[
  {"talers":3,"reserve":0,"booths":{"tonsberg":1,"aalborg":4,"copenhagen":1,"stockholm":2,"kalmar":1,"danzig":1,"reval":5},
   "unsold":["green 1","green 3"],"sold":["orange 2","orange 3"]},
  {"talers":3,"reserve":0,"booths":{"tonsberg":2,"aalborg":2,"copenhagen":2,"kalmar":4,"reval":4,"riga":1},
   "unsold":["red 3","green 1"],"sold":["blue 1","blue 2"]},
  {"talers":0,"reserve":4,"booths":{"tonsberg":2,"aalborg":3,"luebeck":2,"stockholm":3,"reval":1},
   "unsold":[],"sold":["brown 2","brown 3","green 2","green 3"]}],
"warehouses":{"tonsberg":["orange 1","green 2"],"aalborg":["orange 2","orange 3"],"copenhagen":["green 1"],"luebeck":["brown 1","brown 2"],
  "stockholm":["orange 3","brown 1"],"kalmar":["blue 3"],"danzig":["red 3"],"reval":["red 2"],"riga":["orange 1","brown 1"]},
"supply":["orange 3","brown 2","brown 2","brown 3","red 1","red 1","red 2","red 2","red 2","green 1","green 2",
  "green 3","green 3","blue 1","blue 1","blue 2","blue 3","blue 3"],
"piles":[0,0,0,8,10],
"out":["orange 1","orange 1","orange 2","orange 2","orange 2","brown 1","brown 2","brown 3","brown 3","red 1","red 1",
  "red 2","red 3","red 3","green 2","green 2","blue 1","blue 2","blue 2","blue 2","blue 3"],
"opened_by":null,"idle":false,"idle_rounds":0,"sale":{"colours":["green"],"colour":"green","kept":[]}}}
"""  # noqa: E501


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def test_example_of_the_notation() -> None:
    line = json.loads(EXAMPLE)
    hansa = new(3)
    hansa.state = json.loads(EXAMPLE)["state"]
    check_position(hansa)
    # Back to the choice of the sale.
    seller = hansa.state["players"][2]
    seller.update(sold=["brown 2", "brown 3"], unsold=["green 3", "green 2"], reserve=3)
    seller["booths"]["tonsberg"] = 3
    hansa.state.update(phase="sail", turn=2, acted=False, sale=None)
    assert [move for move in hansa.legal() if move.startswith("sell")] == ["sell green"]
    hansa.apply("sell green")
    assert compact(hansa.canonical_state()) == compact(line["state"])
    assert (hansa.turn(), hansa.legal()) == (line["turn"], line["legal"])
    assert "".join(EXAMPLE.split()) == "".join(compact(line).split())  # the order of the keys too
    hansa.apply("lose green 1")
    assert [player["unsold"] for player in hansa.state["players"]] == [["green 3"], ["red 3"], []]
    assert (hansa.phase, hansa.turn(), hansa.state["sale"]) == ("sail", 2, None)


# ---------------------------------------------------------------- random games


FOLLOWING = {
    "deal": {"deal", "place"},
    "place": {"place", "sail"},
    "refill": {"restock", "sail"},
    "restock": {"restock", "sail"},
    "sail": {"sail", "keep", "lose", "discard", "refill", "restock", "over"},
    "keep": {"keep", "lose", "sail"},
    "lose": {"lose", "sail"},
    "discard": {"discard", "refill", "restock", "sail", "over"},
}


@pytest.mark.parametrize("prefer", [(), ("pass", "buy"), ("buy", "sell"), ("buy", "sell", "sail")])
@pytest.mark.parametrize(("players", "extrakarte"), TABLES)
def test_invariants(players: int, extrakarte: str, prefer: tuple[str, ...]) -> None:
    for seed in range(4):
        hansa = new(players, extrakarte)
        generator = random.Random(seed)
        phases = Counter[str]()
        while hansa.turn() != "over":
            check_position(hansa)
            phase, active = hansa.phase, hansa.state["active"]
            phases[phase] += 1
            hansa.apply(preferred_move(hansa, generator, prefer))
            assert hansa.phase in FOLLOWING[phase]
            if phase in ("sail", "discard") and hansa.state["active"] != active:  # after phase 4
                assert hansa.state["players"][active]["talers"] <= 3
                assert len(hansa.state["players"][active]["unsold"]) <= 3
        check_position(hansa)
        assert (phases["deal"], phases["place"]) == (14, 3 * players)
        assert 14 <= phases["deal"] + phases["restock"] <= len(hansa.rules.markers)
        assert (hansa.state["idle_rounds"] == 4) or hansa.state["opened_by"] is not None
        assert 0 in hansa.ranks()


# Means of the specification (spec 12): decisions, of them with a single action, turns per player, chance
# nodes, actions to choose from, score.
FIGURES = {2: (223, 5, 28, 47, 3.5, 29), 3: (292, 7, 24, 57, 3.6, 23), 4: (369, 9, 23, 68, 3.6, 20)}
GAMES_PLAYED = 200


@pytest.mark.parametrize("players", [2, 3, 4])
def test_figures_of_random_play(players: int) -> None:
    found: list[list[float]] = []
    for seed in range(GAMES_PLAYED):
        generator = random.Random(seed)
        hansa = new(players)
        menus, turns, draws = [], 0, 0
        while hansa.turn() != "over":
            draws += hansa.turn() == "chance"
            if hansa.legal():
                menus.append(len(hansa.legal()))
            move = random_move(hansa, generator)
            turns += move == "end"
            hansa.apply(move)
        means = (statistics.mean(menus), statistics.mean(hansa.scores()))
        found.append([len(menus), menus.count(1), turns / players, draws, *means])
    for column, (values, expected) in enumerate(zip(zip(*found, strict=True), FIGURES[players], strict=True)):
        # Four standard errors of the means, plus the rounding of the figures.
        rounding = 0.05 if column == 4 else 0.5
        tolerance = 4 * statistics.stdev(values) / GAMES_PLAYED**0.5 + rounding
        assert statistics.mean(values) == pytest.approx(expected, abs=tolerance), column


# ---------------------------------------------------------------- traces, moves, views


def test_trace() -> None:
    record = random_record(DATA, GAME, 3, {"extrakarte": "true"}, 5)
    assert record["options"] == {"extrakarte": "true"}
    found = list(trace(DATA, record, views=True))
    assert [position["index"] for position in found] == list(range(len(record["moves"]) + 1))
    assert list(found[0]) == ["index", "turn", "outcomes", "state", "views"]
    weights = dict(found[0]["outcomes"])
    assert weights == {
        f"deal {name} {n}": 5 if n == 2 else 4 for name in DATA["goods"]["in_play"]["3"] for n in (1, 2, 3)
    }
    for position, move in zip(found, record["moves"], strict=False):
        offered = position.get("legal") or [notation for notation, _ in position["outcomes"]]
        assert move in offered
        # Nothing is hidden (spec 10).
        assert position["views"] == [position["state"]] * 3
    assert list(found[-1]) == ["index", "turn", "scores", "ranks", "state", "views"]
    assert (found[-1]["scores"], found[-1]["ranks"]) == (record["scores"], record["ranks"])
    assert json.loads(json.dumps(found)) == found


def test_illegal_moves_are_refused() -> None:
    record = random_record(DATA, GAME, 2, {}, 3)
    hansa = new(2)
    for move in record["moves"]:
        before = hansa.canonical_state()
        for wrong in (
            "",
            "take",
            "sail visby",
            "sell",
            "buy pink 1",
            "keep",
            "discard pink 2",
            "place copenhagen",
        ):
            with pytest.raises(ValueError, match="spec"):
                hansa.apply(wrong)
        assert hansa.canonical_state() == before
        hansa.apply(move)
    with pytest.raises(ValueError, match="spec 8"):
        hansa.apply("end")


def test_clones_are_independent() -> None:
    hansa = bare(2)
    before = hansa.canonical_state()
    other = hansa.clone()
    other.apply(next(move for move in other.legal() if move.startswith("buy")))
    assert hansa.canonical_state() == before != other.canonical_state()


def test_unknown_configurations_are_refused() -> None:
    for game, players, options in (
        ("queen_of_hansa", 3, {}),
        (GAME, 5, {}),
        (GAME, 1, {}),
        (GAME, 3, {"track": "long"}),
        (GAME, 3, {"extrakarte": "yes"}),
    ):
        with pytest.raises(ValueError, match=r"unknown game|spec"):
            Hansa(DATA, game, players, options)
    with pytest.raises(ValueError, match="no ranks"):
        new(2).ranks()
    with pytest.raises(ValueError, match="no seat 2"):
        new(2).view(2)


def test_goldens_show_what_they_are_for() -> None:
    """What each record of the goldens stands for really happens in it."""
    shown: dict[str, set[str]] = {}
    for record in goldens.golden_records(DATA, GAME):
        seen = shown.setdefault(record["name"], set())
        positions = list(trace(DATA, record, views=False))
        for before, after, move in zip(positions, positions[1:], record["moves"], strict=False):
            seen.add(move.split()[0])
            state = after["state"]
            if state["phase"] == "restock" and move.split()[0] in ("end", "discard"):
                seen.add("compulsory")
            if before["state"]["phase"] == "restock" and not state["supply"]:
                empty = 14 - sum(map(len, state["warehouses"].values()))
                seen.add("dry" if empty > 0 else "used up exactly")
            if move.startswith("sell") and len(move.split()) > 2:
                seen.add("several colours")
        if positions[-1]["state"]["idle_rounds"] == 4:
            seen.add("idle end")
    assert {"keep", "lose", "discard", "several colours", "refill", "pass"} <= shown["four players"]
    assert {"compulsory", "dry", "lose", "keep"} <= shown["compulsory refills"]
    assert "idle end" in shown["idle rounds"] & shown["extrakarte, idle rounds"]
    last = [record["ranks"] for record in goldens.golden_records(DATA, GAME)]
    assert {(2, 0, 0), (0, 0), (0, 1)} <= {tuple(ranks) for ranks in last}
    assert all(barrels(marker) in (1, 2, 3) for marker in new(4).rules.markers)
    assert set(shown) == {golden.name for golden in GAMES[GAME].goldens}
