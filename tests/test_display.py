"""The terminal board: what it shows, what it must not show, and that it fits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import hansa
from hansa.display import WIDTH, Display

CODE = re.compile(r"\b(?:lon|bru|ber|nov)-\d\d\b")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

TABLES = [
    ("queen_of_hansa", 2, {}),
    ("queen_of_hansa", 3, {"track": "long"}),
    ("queen_of_hansa", 4, {}),
    ("queen_of_hansa_v42", 2, {"reading": "A"}),
    ("queen_of_hansa_v42", 4, {"track": "long"}),
]

NOTATION_EXAMPLE = """
{"phase":"take","turn":1,"round":1,"start_player":0,"turns_played":3,"changes":1,
 "prosperity":{"london":2,"bruges":1,"bergen":0,"novgorod":0},
 "board":{"london":[{"card":"lon-13","piece":"yellow"},{"card":"bru-07","piece":null},
   {"card":"ber-13","piece":"yellow"}],
  "bruges":[{"card":"lon-01","piece":null},{"card":"bru-06","piece":null},{"card":"nov-02","piece":null},
   {"card":"bru-02","piece":null}],
  "bergen":[{"card":"bru-13","piece":"red"},{"card":"lon-05","piece":null},{"card":"nov-09","piece":"yellow"},
   {"card":"bru-11","piece":null}],
  "novgorod":[{"card":"lon-06","piece":"blue"},{"card":"ber-09","piece":"red"}]},
 "normal_deck":14,"luxury_deck":10,
 "bag":{"red":4,"blue":5,"yellow":3,"black":6},
 "removed_cards":[],"removed_pieces":{"red":0,"blue":0,"yellow":0,"black":0},
 "players":[
  {"profit":0,"hand":["bru-05","nov-05"],
   "kontor":[{"card":"lon-07","back":"normal","face":"down","took":"ber-11"},
    {"card":"ber-11","back":"normal","face":"down","took":"nov-05"}],
   "pieces":{"red":0,"blue":0,"yellow":0,"black":0},"returned":["ber-03","nov-10"],"choice":null},
  {"profit":0,"hand":{"normal":1,"luxury":0},
   "kontor":[{"card":null,"back":"normal","face":"down","took":"nov-01"},
    {"card":null,"back":"normal","face":"down","took":null}],
   "pieces":{"red":0,"blue":0,"yellow":0,"black":0},"returned":null,"choice":null}]}
"""

DRAWN = """\
The Queen of Hansa  round 1 of 3 · turns 3 of 12 · changes 1 (next +1) · first: 0 you
Next: 1 greedy, to take a card from a harbor

city            harbor 1        harbor 2           sea 1           sea 2
─────────────────────────────────────────────────────────────────────────────────
London red      lon-13 2◆       bru-07 2 ship   ┃  ber-13 2◆       ·
7 · x1 · x0     ● yellow                        ┃  ● yellow
Bruges blue     lon-01 2B       bru-06 2H       ┃  nov-02 2B       bru-02 2C
5 · x1 · x0                                     ┃
Bergen yellow   bru-13 2◆       lon-05 2G       ┃  nov-09 1 ship◆  bru-11 3
3 · x1 · x0     ● red                           ┃  ● yellow
Novgorod black  lon-06 1H◆      ber-09 1 ship◆  ┃  ·               ·
3 · x1 · x0     ● blue          ● red           ┃

rank 1 earns   3       5       7       9       12      16      20      25
rank 2 total x 1       1       1       2       2       2       3       3
rank 3 total x 0       0       0       1       1       1       2       2
markers        ber nov bru     lon     ·       ·       ·       ·       ·

Decks: normal 14, luxury 10 · bag: 4 red, 5 blue, 3 yellow, 6 black
2B: power 2, person B   ◆ luxury card   ● piece on it   ships: those face up

player               London up      Bruges up      Bergen up      Novgorod up    face down, hand
────────────────────────────────────────────────────────────────────────────────────────────────────
0 you                ·              ·              ·              ·              down: power 5
profit 0, ships 0                                                                lon:2-ship ber:3
pieces none                                                                      hand: bru-05 nov-05

> 1 greedy           ·              ·              ·              ·              down: 2 normal
profit 0, ships 0                                                                hand: 1 normal
pieces none                                                                      took nov-01

Hand of 0 you:  bru-05 2G · nov-05 2F   returned: ber-03 nov-10
"""


def positions(game: hansa.Game, seed: int) -> Iterator[hansa.State]:
    """Every position of a random game."""
    state, rng = game.new_initial_state(), hansa.Rng(seed)
    yield state
    while not state.is_terminal():
        move = state.sample_chance(rng) if state.is_chance_node() else state.random_action(rng)
        state = state.apply(move)
        yield state


def codes(data: object) -> set[str]:
    """All codes of cards in some data."""
    return set(CODE.findall(json.dumps(data)))


@pytest.fixture
def example() -> dict[str, Any]:
    """The view of player 0 of the example in the game's notation."""
    view: dict[str, Any] = json.loads(NOTATION_EXAMPLE)
    return view


@pytest.fixture
def display() -> Display:
    """A display of the published game for two."""
    return Display(hansa.load_game("queen_of_hansa", 2), ["you", "greedy"])


def test_the_example_of_the_notation(display: Display, example: dict[str, Any]) -> None:
    assert display.text(example) == DRAWN


def test_colors_add_nothing_but_colors(display: Display, example: dict[str, Any]) -> None:
    colored = display.text(example, color=True)
    plain = "\n".join(line.rstrip() for line in ESCAPE.sub("", colored).splitlines()) + "\n"
    assert "\x1b[" in colored
    assert plain == display.text(example)


@pytest.mark.parametrize(("game_id", "players", "options"), TABLES)
def test_views_fit_and_show_only_what_they_hold(game_id: str, players: int, options: dict[str, str]) -> None:
    game = hansa.load_game(game_id, players, options=options)
    display = Display(game)
    for number, state in enumerate(positions(game, seed=players)):
        # The scenes change slowly; a thirteenth of them is enough of each phase.
        if number % 13 and not state.is_terminal():
            continue
        for player in range(players):
            view = state.view(player).to_dict()
            text = display.text(view)
            assert max(len(line) for line in text.splitlines()) <= WIDTH
            assert codes(text) <= codes(view)
            own = view["players"][player]
            assert codes(own["hand"]) <= codes(text)
            if not state.is_terminal():
                assert codes(view["board"]) <= codes(text)
    text = display.text(state)
    assert "the game is over" in text
    for player, score in enumerate(state.scores()):
        assert f"profit {score}" in text, player


def test_every_hand_of_a_state_but_one_of_a_view() -> None:
    game = hansa.load_game("queen_of_hansa", 3)
    display = Display(game)
    state = next(state for state in positions(game, seed=5) if state.is_player_node())
    assert display.text(state).count("Hand of") == 3
    assert display.text(state.view(1)).count("Hand of") == 1
    assert "Hand of player 1" in display.text(state.view(1))


def test_pending_choices_of_others_are_not_shown() -> None:
    game = hansa.load_game("queen_of_hansa", 3)
    display = Display(game)
    state = next(state for state in positions(game, seed=6) if state.is_player_node())
    action = state.legal_actions()[0]
    after = state.apply(action)
    assert f"chosen: {action}" in display.text(after.view(0))
    assert "chosen" not in display.text(after.view(1))
    assert display.news(state.view(1), after.view(1)) == []


def test_numbers_come_from_the_rules(example: dict[str, Any]) -> None:
    class Changed:
        """A game with another track."""

        id = "queen_of_hansa"

        def __init__(self) -> None:
            game = hansa.load_game("queen_of_hansa", 2)
            self.all_options = game.all_options
            self._rules = game.rules()
            self._rules["final"]["prosperity"]["spaces"][2]["fixed"] = 777
            self._rules["final"]["harbor_size"] = 3

        def rules(self) -> dict[str, Any]:
            """The changed document."""
            return self._rules

    text = Display(Changed()).text(example)
    assert "777 · x1" in text
    assert "harbor 3" in text
    assert "sea 2" not in text


def test_reading_a_inverts_the_luxury_cards() -> None:
    faces = {}
    for reading in "AB":
        game = hansa.load_game("queen_of_hansa_v42", 4, options={"reading": reading})
        rng, state = hansa.Rng(1), game.new_initial_state()
        while not any(row for row in state.to_dict()["board"].values()):
            state = state.apply(state.sample_chance(rng))
        board = state.to_dict()["board"]
        code = board["london"][0]["card"]
        row = next(row for row in game.rules()["v42"]["deck"]["cards"] if row["code"].lower() == code)
        luxury = row["luxury"] != (reading == "A")
        face = f"{code} {row['base'] - luxury}{row['person']}{'◆' if luxury else ''}"
        assert re.search(rf"{face}(?!\S)", Display(game).text(state)), reading
        faces[reading] = face
    assert len(faces) == 2


def test_descriptions(display: Display, example: dict[str, Any]) -> None:
    said = {
        "take lon-13": "2 (London) from London, with a yellow piece; empties the sea: prosperity +1",
        "take lon-01": "2B (London) from Bruges",
        "raise london": "profit of rank 1 there 7 -> 9",
        "lower london": "profit of rank 1 there 7 -> 5",
        "play bru-05 up": "trade with Bruges, 2G",
        "play bru-05 down": "2G (Bruges) to Parliament",
        "keep lon-01 bru-06": "keep 2B (London) and 2H (Bruges)",
        "start 1": "1 greedy",
        "store red": None,
    }
    for move, words in said.items():
        assert display.describe(example, move) == words, move


def test_every_legal_action_can_be_described() -> None:
    for game_id in ("queen_of_hansa", "queen_of_hansa_v42"):
        game = hansa.load_game(game_id, 4)
        display = Display(game)
        for state in positions(game, seed=3):
            if state.is_player_node():
                view = state.view(state.current_player()).to_dict()
                for action in state.legal_actions():
                    words = display.describe(view, str(action))
                    assert words is not None or view["phase"] == "store"


def test_news_of_a_face_down_card_names_its_back_only() -> None:
    game = hansa.load_game("queen_of_hansa", 2)
    display = Display(game)
    seen = 0
    for seed in range(4):
        history = list(positions(game, seed))
        for before, after in pairwise(history):
            if before.to_dict()["phase"] == "play" and after.to_dict()["phase"] == "marker":
                mover = before.current_player()
                entry = after.to_dict()["players"][mover]["kontor"][-1]
                others = display.news(before.view(1 - mover), after.view(1 - mover))
                assert others == [f"player {mover}: lays a card face down ({entry['back']} back)"]
                own = display.news(before.view(mover), after.view(mover))
                assert len(own) == 1
                assert entry["card"] in own[0]
                seen += 1
    assert seen > 20


def test_news_of_takes_changes_and_scoring() -> None:
    game = hansa.load_game("queen_of_hansa", 2)
    display = Display(game)
    history = list(positions(game, seed=1))
    lines = [
        line for before, after in pairwise(history) for line in display.news(before.view(0), after.view(0))
    ]
    takes = sum(": takes " in line for line in lines)
    assert takes == 36
    assert sum(": lays " in line for line in lines) == 36 + 2
    assert sum(line.startswith("profit: ") for line in lines) == 3
    assert "round 2 begins" in "\n".join(lines)
    assert any("prosperity of" in line and "rises" in line for line in lines)


def test_a_game_without_a_drawer_is_drawn_as_json() -> None:
    class Other:
        """A game that no drawer knows."""

        id = "chess"
        all_options: dict[str, str] = {}  # noqa: RUF012 - as the protocol has it

        def rules(self) -> dict[str, Any]:
            """An empty document."""
            return {}

    display = Display(Other())
    text = display.text({"turn": 1, "board": ["[bold]", "x" * 90]})
    assert text.startswith("chess\nturn: 1\nboard: [\n")
    assert '"[bold]"' in text
    assert display.describe({"turn": 1}, "e2 e4") is None
    assert display.news({"turn": 0}, {"turn": 1}) == []
