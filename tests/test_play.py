"""`hansa play`: a person against bots, by scripted input."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

import hansa
import hansa.display
from hansa.cli import main
from hansa.cli.common import Failure
from hansa.cli.session import Session
from hansa.records import Record

CODE = re.compile(r"\b(?:lon|bru|ber|nov)-\d\d\b")


class Talk:
    """Runs `hansa play` with lines of input and keeps what was printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.code = 0
        self.out = ""
        self.err = ""

    def __call__(self, *arguments: str, lines: list[str]) -> str:
        """Plays; the input ends after the lines."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        self.code = main(["play", *arguments])
        self.out, self.err = self._capsys.readouterr()
        return self.out


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Talk:
    """A conversation in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Talk(monkeypatch, capsys)


def boards(text: str) -> list[str]:
    """The boards with their actions that were printed, in order, each up to the prompt behind it."""
    # The player who is asked is marked like the prompt, but has a number.
    return [re.split(r"\n> (?!\d )", part)[0] for part in text.split("The Queen of Hansa  ")[1:]]


def session(seed: int = 0, seat: int = 0, players: int = 2, bot: str = "greedy") -> Session:
    """A session at its first decision."""
    game = hansa.load_game("queen_of_hansa", players)
    made = Session(game, seat, dict.fromkeys(range(players), bot), seed)
    made.advance()
    return made


@pytest.mark.parametrize(("game", "players"), [("queen_of_hansa", 3), ("queen_of_hansa_v42", 2)])
def test_a_whole_game_by_always_choosing_the_first(talk: Talk, game: str, players: int) -> None:
    out = talk(game, "--players", str(players), lines=["1"] * 150 + ["hint", "q"])
    assert talk.code == 0, talk.err
    assert talk.err == ""
    assert "Next: the game is over" in out
    assert re.search(r"rank +player +score", out)
    assert "The game is over: no hint." in out
    assert out.endswith("Bye.\n")


def test_the_person_sees_only_what_the_view_holds(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    shown: list[set[str]] = []
    known: list[set[str]] = []
    board = hansa.display.Display.draw

    def spy(display: hansa.display.Display, position: hansa.View | hansa.State) -> object:
        assert isinstance(position, hansa.View) or position.is_terminal()
        if isinstance(position, hansa.View):
            assert position.player == 1
            known.append(set(CODE.findall(position.to_json())))
        return board(display, position)

    monkeypatch.setattr("hansa.display.Display.draw", spy)
    out = talk("queen_of_hansa", "--players", "3", "--seat", "1", lines=["1"] * 150)
    assert "Next: the game is over" in out
    for number, drawing in enumerate(boards(out)[:-1]):
        shown.append(set(CODE.findall(drawing)))
        assert shown[-1] <= known[number]
    assert len(shown) > 20


def test_a_face_down_card_of_a_bot_is_told_by_its_back(talk: Talk) -> None:
    # Not to the end of the game, which turns the cards up.
    out = talk("queen_of_hansa", "--bots", "random", "--seed", "4", lines=["1"] * 25)
    assert re.search(r"^  1 random: lays a card face down \((normal|luxury) back\)$", out, re.MULTILINE)
    assert not re.search(r"1 random: lays \S+, .* face down", out)


def test_undo_goes_back_to_the_previous_decision(talk: Talk) -> None:
    out = talk("queen_of_hansa", lines=["u", "1", "1", "undo", "u", "2", "q"])
    assert "Nothing to undo: this is your first decision." in out
    assert out.count("Back to your previous decision.") == 2
    # First decision, second, third, back at the second, back at the first, and on from it.
    first, second, third, again, start, other = boards(out)
    assert second == again != third
    assert first == start
    assert other != second


def test_undo_does_not_change_the_luck() -> None:
    one = session(seed=11)
    steps = []
    for _ in range(12):
        one.choose(one.view.legal_actions()[0])
        one.advance()
        steps.append((list(one.moves), one.view))
    for _ in range(12):
        assert one.undo()
    assert not one.undo()
    for moves, view in steps:
        one.choose(one.view.legal_actions()[0])
        one.advance()
        assert one.moves == moves
        assert one.view == view


def test_undo_after_the_end(talk: Talk) -> None:
    out = talk("queen_of_hansa", lines=["1"] * 120 + ["u", "1", "q"])
    assert out.count("Next: the game is over") == 2
    assert out.count("Back to your previous decision.") == 1


def test_hint_is_a_legal_action_and_changes_nothing(talk: Talk) -> None:
    out = talk("queen_of_hansa", lines=["hint 50", "h", "hint many", "b", "q"])
    assert "After 50 simulations" in out
    assert "After 5000 simulations" in out
    assert "expected a number of simulations" in out
    before, after = boards(out)
    assert before == after
    best = re.findall(r"^  \* (.+?) +visits", out, re.MULTILINE)
    assert len(best) == 2
    assert all(f"  {move}" in before for move in best)


def test_actions_can_be_written_out(talk: Talk) -> None:
    first = session().view.legal_actions()[1]
    out = talk("queen_of_hansa", lines=[f"  {str(first).upper()} ", "q"])
    by_number = talk("queen_of_hansa", lines=["2", "q"])
    assert boards(out) == boards(by_number)


def test_bad_input_says_what_would_be_right(talk: Talk) -> None:
    out = talk("queen_of_hansa", lines=["0", "7", "-1", "9" * 5000, "take everything", "", "[bold]", "?"])
    assert talk.code == 0
    assert out.count("choose 1 to 6, or ? for help") == 3
    assert "Not understood: '-1'. Choose 1 to 6" in out
    assert "Not understood: 'take everything'" in out
    assert "Not understood: '[bold]'" in out
    assert out.count("ask the search") == 2
    assert out.endswith("End of input. The game was not saved.\n")
    assert len(boards(out)) == 1


def test_save_and_resume_give_the_same_position(talk: Talk, tmp_path: Path) -> None:
    out = talk(
        "queen_of_hansa",
        "--bots",
        "greedy,random",
        "--seed",
        "5",
        "--seat",
        "2",
        lines=["1"] * 9 + ["save", "q"],
    )
    assert out.endswith("Bye.\n")
    file = tmp_path / "queen_of_hansa-1.json"
    assert f"hansa play --resume {file.name}" in out
    again = talk("--resume", str(file), lines=["b", "q"])
    assert talk.code == 0, talk.err
    assert boards(again)[0] == boards(out)[-1].split("\nSaved")[0]
    record = Record.from_json(file.read_text(encoding="utf-8"))
    assert record.extra["play"] == {"seat": 2, "bots": ["greedy", "random", None], "seed": 5}


def test_a_resumed_game_goes_on_as_it_would_have_gone() -> None:
    straight, half = session(seed=6, players=3), session(seed=6, players=3)
    for number in range(30):
        if number == 13:
            half = Session.resume(Record.from_json(half.record().to_json()), half.game)
        for one in (straight, half):
            one.choose(one.view.legal_actions()[-1])
            one.advance()
    assert straight.moves == half.moves
    assert straight.record() == half.record()


def test_save_does_not_overwrite_another_file(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious", encoding="utf-8")
    out = talk(
        "queen_of_hansa",
        lines=["save mine.txt", "save no/folder", "save a.json", "1", "save a.json", "save", "q"],
    )
    assert "Not saved: mine.txt exists; choose another name." in out
    assert "Not saved: No such file or directory" in out
    assert out.count("Saved.") == 3
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "precious"
    assert (
        len(Record.from_json((tmp_path / "a.json").read_text(encoding="utf-8"))) == len(session().moves) + 2
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "f.json: "),
        ("{}", "f.json: "),
        (
            json.dumps(
                {
                    "format": "hansa-record",
                    "version": 1,
                    "game": "queen_of_hansa",
                    "players": 2,
                    "options": {},
                    "moves": [],
                }
            ),
            "not saved by `hansa play`",
        ),
        (
            json.dumps(
                {
                    "format": "hansa-record",
                    "version": 1,
                    "game": "queen_of_hansa",
                    "players": 2,
                    "options": {},
                    "moves": [],
                    "play": {"seat": 0, "bots": [None, None], "seed": 1},
                }
            ),
            "a bot for every player but 0",
        ),
        (
            json.dumps(
                {
                    "format": "hansa-record",
                    "version": 1,
                    "game": "queen_of_hansa",
                    "players": 2,
                    "options": {},
                    "moves": ["lay lon-99"],
                    "play": {"seat": 0, "bots": [None, "greedy"], "seed": 1},
                }
            ),
            "lay lon-99",
        ),
        (
            json.dumps(
                {
                    "format": "hansa-record",
                    "version": 1,
                    "game": "queen_of_hansa",
                    "players": 2,
                    "options": {},
                    "moves": [],
                    "play": {"seat": 0, "bots": [None, "greddy"], "seed": 1},
                }
            ),
            "greddy",
        ),
    ],
)
def test_files_that_cannot_be_resumed(talk: Talk, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "f.json").write_text(text, encoding="utf-8")
    talk("--resume", "f.json", lines=["q"])
    assert talk.code == 2
    assert message in talk.err
    assert talk.err.count("\n") == 1
    assert talk.out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which game?"),
        (["queen_of_hansa", "--seat", "2"], "the players of this table are 0 to 1"),
        (["queen_of_hansa", "--players", "4", "--bots", "greedy,random"], "4 players need 3 bots beside you"),
        (["queen_of_hansa", "--bots", "greedo"], "greedo"),
        (["queen_of_hansa", "--resume", "x"], "leave game, players, bots"),
        (["--resume", "x", "--seat", "0"], "leave game, players, bots"),
        (["queen_of_hansa", "--seed", "-4"], "--seed"),
        (["--resume", "missing.json"], "missing.json: No such file"),
    ],
)
def test_wrong_arguments(talk: Talk, arguments: list[str], message: str) -> None:
    talk(*arguments, lines=["q"])
    assert talk.code == 2
    assert message in talk.err
    assert talk.err.startswith("hansa: ")
    assert talk.err.count("\n") == 1


def test_a_python_bot_plays_and_its_faults_are_told(
    talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_players.py").write_text(
        "class First:\n"
        "    def act(self, view):\n"
        "        return view.legal_actions()[0]\n"
        "class Broken:\n"
        "    def act(self, view):\n"
        "        raise KeyError('lost')\n"
        "class Silent:\n"
        "    pass\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    out = talk("queen_of_hansa", "--bots", "my_players:First", lines=["1"] * 120)
    assert talk.code == 0, talk.err
    assert "1 First: takes" in out
    assert "Next: the game is over" in out
    talk("queen_of_hansa", "--bots", "my_players:Broken", lines=["1"] * 9)
    assert talk.code == 1
    assert re.fullmatch(
        r"hansa: bot 'my_players:Broken', player 1: KeyError: 'lost' \(.*my_players\.py:6\)\n", talk.err
    )
    talk("queen_of_hansa", "--bots", "my_players:Silent", lines=[])
    assert talk.code == 2
    assert "no method act(view)" in talk.err
    talk("queen_of_hansa", "--bots", "my_players:Nobody", lines=[])
    assert "module my_players has no Nobody" in talk.err


def test_seats_out_of_range_are_refused_in_sessions_too() -> None:
    game = hansa.load_game("queen_of_hansa", 2)
    with pytest.raises(Failure, match="0 to 1"):
        Session(game, 5, {0: "greedy", 1: "greedy"}, 0)
