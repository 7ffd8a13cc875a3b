"""The terminal board of Hansa: the map, the money, the goods, and every action in words."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import hansa
from hansa.display import WIDTH, Display

DATA = Path(__file__).parents[1] / "rust" / "hansa" / "data" / "hansa.toml"

NOTATION_EXAMPLE = """
{"phase":"lose","turn":0,"active":2,"ship":"tonsberg","acted":true,
"players":[
  {"talers":3,"reserve":0,"booths":{"tonsberg":1,"aalborg":4,"copenhagen":1,"stockholm":2,"kalmar":1,
   "danzig":1,"reval":5},
   "unsold":["green 1","green 3"],"sold":["orange 2","orange 3"]},
  {"talers":3,"reserve":0,"booths":{"tonsberg":2,"aalborg":2,"copenhagen":2,"kalmar":4,"reval":4,"riga":1},
   "unsold":["red 3","green 1"],"sold":["blue 1","blue 2"]},
  {"talers":0,"reserve":4,"booths":{"tonsberg":2,"aalborg":3,"luebeck":2,"stockholm":3,"reval":1},
   "unsold":[],"sold":["brown 2","brown 3","green 2","green 3"]}],
"warehouses":{"tonsberg":["orange 1","green 2"],"aalborg":["orange 2","orange 3"],"copenhagen":["green 1"],
   "luebeck":["brown 1","brown 2"],
  "stockholm":["orange 3","brown 1"],"kalmar":["blue 3"],"danzig":["red 3"],"reval":["red 2"],
   "riga":["orange 1","brown 1"]},
"supply":["orange 3","brown 2","brown 2","brown 3","red 1","red 1","red 2","red 2","red 2","green 1",
   "green 2",
  "green 3","green 3","blue 1","blue 1","blue 2","blue 3","blue 3"],
"piles":[0,0,0,8,10],
"out":["orange 1","orange 1","orange 2","orange 2","orange 2","brown 1","brown 2","brown 3","brown 3",
   "red 1","red 1",
  "red 2","red 3","red 3","green 2","green 2","blue 1","blue 2","blue 2","blue 2","blue 3"],
"opened_by":null,"idle":false,"idle_rounds":0,"sale":{"colours":["green"],"colour":"green","kept":[]}}
"""

DRAWN = """\
Hansa  with the Extrakarte · ship in Tønsberg, from there to Stockholm
Next: 0 you, to lose a green marker
Sale: 2 mcts sells green · now green

╔1 Tønsberg═════╗                         ┌5 Stockholm────┐    ┌8 Reval────────┐
║orange 1       ║────────────────────────▶│orange 3       │───▶│red 2          │
║green 2        ║                         │brown 1        │    │0:5* 1:4 2:1   │
║0:1 1:2 2:2    ║◀───────────┐            │0:2 2:3*       │ ┌─▶│               │
╚ SHIP ═pay bank╝            │            └──────────pay 2┘ │  └──────────pay 0┘
                             │                    │         │          │
                             │                    ▼         │          ▼
┌2 Aalborg──────┐    ┌3 Copenhagen───┐    ┌6 Kalmar───────┐ │  ┌9 Riga─────────┐
│orange 2       │    │green 1        │    │blue 3         │ │  │orange 1       │
│orange 3       │───▶│0:1 1:2*       │◀───│0:1 1:4*       │ │  │brown 1        │
│0:4* 1:2 2:3   │    │               │    │               │ │  │1:1*           │
└──────────pay 0┘    └──────────pay 1┘    └──────────pay 1┘ │  └──────────pay 1┘
        ▲                │       │                ▲         │          │
        │                │       │                │         │          │
┌4 Lübeck───────┐        │       │        ┌7 Danzig───────┐ │          │
│brown 1        │        │       │        │red 3          │─┘          │
│brown 2        │◀───────┘       └───────▶│0:1*           │            │
│2:2*           │                         │               │◀───────────┘
└──────────pay 2┘                         └──────────pay 0┘

Supply: 18 markers in piles 0 0 0 8 10 · 8 before the last pile · out 21
To draw, by 1/2/3 barrels: orange 0/0/1, brown 0/2/1, red 2/3/0, green 1/1/2, blue 2/1/2
0:4* four booths of player 0, more than anybody else has there
pay 0: who buys there pays player 0, who buys for free; orange 1 3: orange 1, orange 3

> 0 you  score 31 (unsold 2, sold 7, cities 16, Extrakarte: stack 2, cities 4)
    3 Talers · 0 booths in reserve · 7 cities, alone in 1 · unsold: green 1 3
    sold: orange 2 3
  1 greedy  score 26 (unsold 2, sold 5, cities 14, Extrakarte: 1 barrel 5)
    3 Talers · 0 booths in reserve · 6 cities, alone in 1 · unsold: red 3, green 1
    sold: blue 1 2
  2 mcts  score 26 (unsold 0, sold 14, cities 12)
    0 Talers · 4 booths in reserve · 5 cities, alone in 1 · unsold: none
    sold: brown 2 3, green 2 3
"""

Rules = dict[str, Any]


class Table:
    """What a display asks of a game, with rules that a test may change."""

    id = "hansa"

    def __init__(self, change: Callable[[Rules], None] = lambda _: None, *, extrakarte: bool = False) -> None:
        self.all_options = {"extrakarte": str(extrakarte).lower()}
        self._rules = tomllib.loads(DATA.read_text(encoding="utf-8"))
        change(self._rules)

    def rules(self) -> Rules:
        """The changed document."""
        return self._rules


@pytest.fixture
def example() -> dict[str, Any]:
    """The example of the game's notation: player 0 has to lose a green marker."""
    state: dict[str, Any] = json.loads(NOTATION_EXAMPLE)
    return state


@pytest.fixture
def sailing(example: dict[str, Any]) -> dict[str, Any]:
    """The same table, player 1 about to act in Kalmar with five Talers."""
    example.update(phase="sail", turn=1, active=1, ship="kalmar", acted=False, sale=None)
    example["players"][1].update(talers=5, reserve=2, unsold=["orange 1", "orange 3", "green 1", "green 3"])
    return example


@pytest.fixture
def display() -> Display:
    """A display of the printed game."""
    return Display(Table(), ["you", "greedy", "mcts"])


def positions(game: hansa.Game, seed: int) -> Iterator[tuple[hansa.State, str]]:
    """Every position of a random game with the move that has led there; the first one with none."""
    state, rng, move = game.new_initial_state(), hansa.Rng(seed), ""
    yield state, move
    while not state.is_terminal():
        chosen = state.sample_chance(rng) if state.is_chance_node() else state.random_action(rng)
        state, move = state.apply(chosen), str(chosen)
        yield state, move


def test_the_example_of_the_notation(example: dict[str, Any]) -> None:
    display = Display(Table(extrakarte=True), ["you", "greedy", "mcts"])
    assert display.text(example) == DRAWN


def test_without_the_extrakarte_there_are_no_bonuses(display: Display, example: dict[str, Any]) -> None:
    text = display.text(example)
    assert "Extrakarte" not in text
    assert "> 0 you  score 25 (unsold 2, sold 7, cities 16)\n" in text


def test_the_map_fits_80_columns_and_needs_no_more_than_ascii(example: dict[str, Any]) -> None:
    example["players"][0]["booths"] = dict.fromkeys(example["warehouses"], 12)
    example["players"][1]["booths"] = dict.fromkeys(example["warehouses"], 11)
    for encoding in ("utf-8", "ascii"):
        buffer = io.BytesIO()
        console = Console(file=io.TextIOWrapper(buffer, encoding=encoding), width=80)
        console.print(Display(Table(extrakarte=True)).draw(example))
        console.file.flush()
        lines = buffer.getvalue().decode(encoding).splitlines()
        assert max(len(line) for line in lines) <= 80
        riga = next(line for line in lines if "9 Riga" in line)
        assert riga.endswith("9 Riga---------+" if encoding == "ascii" else "9 Riga─────────┐")
        names = {"ascii": ("1 Tonsberg", "4 Luebeck"), "utf-8": ("1 Tønsberg", "4 Lübeck")}[encoding]
        assert all(any(name in line for line in lines) for name in names)


def test_every_route_has_one_arrow_head(example: dict[str, Any]) -> None:
    def heads(change: Callable[[Rules], None]) -> tuple[dict[str, int], str]:
        text = Display(Table(change)).text(example)
        return {head: text.count(head) for head in "▶◀▲▼"}, text

    def reverse(rules: Rules) -> None:
        for route in rules["routes"]:
            route["from"], route["to"] = route["to"], route["from"]

    def both(rules: Rules) -> None:
        rules["routes"] += [{"from": route["to"], "to": route["from"]} for route in rules["routes"]]

    def more(rules: Rules) -> None:
        rules["routes"] += [{"from": "aalborg", "to": "tonsberg"}, {"from": "riga", "to": "luebeck"}]

    def without(rules: Rules) -> None:
        rules["routes"] = [route for route in rules["routes"] if route["to"] != "reval"]

    printed, text = heads(lambda _: None)
    assert printed == {"▶": 5, "◀": 4, "▲": 2, "▼": 2}
    assert "Further routes" not in text
    assert sum(heads(reverse)[0].values()) == 13
    assert sum(heads(both)[0].values()) == 26
    added, text = heads(more)
    assert added == {**printed, "▲": 3}
    assert "Further routes: Riga > Lübeck\n" in text
    assert heads(without)[0] == {**printed, "▶": 3}


def test_a_map_without_known_places_is_a_table(example: dict[str, Any]) -> None:
    def rename(rules: Rules) -> None:
        rules["cities"][8].update(id="visby", name="Visby")
        for route in rules["routes"]:
            for end in ("from", "to"):
                route[end] = "visby" if route[end] == "riga" else route[end]

    renamed = json.loads(json.dumps(example).replace('"riga"', '"visby"'))
    lines = Display(Table(rename)).text(renamed).splitlines()
    row = next(line for line in lines if line.startswith("9 Visby"))
    assert row.split() == ["9", "Visby", "Danzig", "orange", "1", "1:1*", "1"]
    assert any(line.split()[:4] == ["3", "Copenhagen", "Tønsberg,", "Lübeck,"] for line in lines)
    assert lines[next(i for i, line in enumerate(lines) if "1 Tønsberg" in line) + 1].startswith("SHIP")


def test_numbers_come_from_the_rules(sailing: dict[str, Any]) -> None:
    def change(rules: Rules) -> None:
        rules["scoring"].update(unsold_marker=10, taler=1, city_monopoly=40)
        rules["scoring"]["sold_marker"]["2"] = 30
        rules["turn"]["ship_move_cost"] = 2
        rules["cities"][1]["warehouses"] = 4

    display = Display(Table(change))
    text = display.text(sailing)
    # Four unsold; blue 1 and 2 sold; Talers; six cities, nobody else in one of them.
    assert "score 127 (unsold 40, sold 32, cities 50, Talers 5)" in text
    assert display.describe(sailing, "sail copenhagen") == (
        "2 Talers, 3 left; there: green 1 (free), own booths 2"
    )


def test_what_the_supply_says(display: Display, example: dict[str, Any]) -> None:
    assert "18 markers in piles 0 0 0 8 10 · 8 before the last pile" in display.text(example)
    assert "LAST PILE" not in display.text(example)
    for city in ("tonsberg", "aalborg", "luebeck", "stockholm", "kalmar"):
        example["warehouses"][city] = []
    assert "A refill of the 9 empty spaces opens the LAST PILE" in display.text(example)
    example.update(opened_by=1, idle_rounds=2)
    text = display.text(example)
    assert "LAST PILE opened by 1 greedy: this is the last round" in text
    assert "idle rounds 2 of 4" in text


def test_actions_in_words(display: Display, sailing: dict[str, Any]) -> None:
    said = {
        "sail copenhagen": "1 Taler, 4 left; there: green 1 (free), own booths 2",
        "buy blue 3": "free",
        "build orange 1": "1 booth in Kalmar, then 5: the lead; reserve 1",
        "build green 3": "2 booths in Kalmar, then 6: the lead; reserve 0",
        "sell orange": "up to 2 markers for 6 points; one booth back from Kalmar: the lead",
        "sell orange green": (
            "up to 4 markers for 12 points; one booth back from Kalmar: the lead; 0 you loses 1"
        ),
        "end": "2 Talers to the bank, 1 marker to discard",
        "e2e4": None,
    }
    for move, words in said.items():
        assert display.describe(sailing, move) == words, move
    sailing.update(ship="danzig")
    assert display.describe(sailing, "buy red 3") == "1 Taler to 0 you"
    shared = "1 booth in Danzig, then 1: shares the lead; reserve 1"
    assert display.describe(sailing, "build orange 1") == shared
    sailing["players"][2]["booths"]["danzig"] = 1
    assert display.describe(sailing, "buy red 3") == "1 Taler to the bank"
    sailing["players"][0]["booths"]["danzig"] = 3
    assert display.describe(sailing, "build orange 1") == "1 booth in Danzig, then 1: 0 you leads; reserve 1"


def test_other_decisions_in_words(display: Display, example: dict[str, Any]) -> None:
    assert display.describe(example, "lose green 1") == "leaves green 3"
    example.update(
        phase="keep", turn=0, active=0, sale={"colours": ["green"], "colour": "green", "kept": ["green 1"]}
    )
    example["players"][0]["unsold"] = ["green 1", "green 1", "green 2", "green 3"]
    assert display.describe(example, "keep none") == "sells green 1 2 3 for 9 points"
    assert display.describe(example, "keep green 3") == "not sold now for 4 points; 2 of green stay for sale"
    assert "now green · kept so far: green 1" in display.text(example)
    example.update(phase="discard", sale=None)
    assert display.describe(example, "discard green 2") == "leaves green 1 1 3"
    example.update(phase="place")
    assert display.describe(example, "place riga") == "2 booths into Riga, beside 1 greedy 1"
    example.update(phase="refill")
    example["warehouses"].update(aalborg=["red 1"], riga=[])
    assert display.describe(example, "refill") == "1 Taler; fills 3 spaces"
    assert display.describe(example, "pass") == "3 spaces stay empty in this turn"
    example.update(piles=[0, 0, 0, 0, 2], supply=["red 1", "red 2"])
    assert display.describe(example, "refill") == (
        "1 Taler; fills 2 spaces, 1 stays empty; opens the last pile: this is the last round"
    )


def test_news_of_a_purchase_and_a_sale(display: Display, sailing: dict[str, Any]) -> None:
    sailing.update(ship="danzig")
    after = json.loads(json.dumps(sailing))
    after["warehouses"]["danzig"] = []
    after["players"][1].update(talers=4, unsold=["orange 1", "orange 3", "red 3", "green 1", "green 3"])
    after["players"][0]["talers"] += 1
    assert display.news(sailing, after) == ["1 greedy: buys red 3, pays 0 you"]
    after["players"][0]["talers"] -= 1
    assert display.news(sailing, after) == ["1 greedy: buys red 3, pays the bank"]
    after["players"][1]["talers"] = 5
    assert display.news(sailing, after) == ["1 greedy: buys red 3 for free"]
    sold = json.loads(json.dumps(sailing))
    sold["players"][1].update(
        unsold=["orange 1", "orange 3"], sold=["green 1", "green 3", "blue 1", "blue 2"]
    )
    sold["players"][0].update(unsold=["green 3"])
    sold.update(ship="kalmar")
    assert display.news(sailing, sold) == [
        "1 greedy: sails to Kalmar",
        "1 greedy: sells green 1 3 for 6 points",
        "0 you: loses green 1",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("extrakarte", ["false", "true"])
def test_whole_games(players: int, extrakarte: str) -> None:
    game = hansa.load_game("hansa", players, options={"extrakarte": extrakarte})
    display = Display(game)
    silent = set()
    for number, ((before, _), (after, move)) in enumerate(pairwise(positions(game, seed=players))):
        if before.is_player_node():
            view = before.view(before.current_player()).to_dict()
            assert all(display.describe(view, str(action)) for action in before.legal_actions())
        if not display.news(before.view(0), after.view(0)):
            silent.add(move)
        # The map changes slowly; a fifth of the positions is enough of each phase.
        if number % 5:
            continue
        text = display.text(after.view(0))
        assert max(len(line) for line in text.splitlines()) <= WIDTH
        position = after.to_dict()
        assert text.count(" SHIP ") == 1
        lying = [marker for markers in position["warehouses"].values() for marker in markers]
        assert all(marker in text for marker in lying)
    # These change nothing to speak of: an end before a discard, no more to keep of one of several colours.
    assert silent <= {"end", "keep none"}
    text = display.text(after)
    assert "Next: the game is over" in text
    for player, score in enumerate(after.scores()):
        assert f"  player {player}  score {score} (" in text
