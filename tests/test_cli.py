"""The command line: what it prints, its exit codes, and what it says to bad input."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hansa
from hansa.cli import main
from hansa.cli.bench import measure
from hansa.cli.common import split_bots
from hansa.records import Record, read


class Run:
    """Runs the command line in this process and keeps what it printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.code = 0
        self.out = ""
        self.err = ""

    def __call__(self, *arguments: str, stdin: str = "") -> str:
        """Runs a command; the output is returned."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        self.code = main(arguments)
        self.out, self.err = self._capsys.readouterr()
        return self.out


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line."""
    return Run(monkeypatch, capsys)


def hansa_command(*arguments: str) -> list[str]:
    """The command line as a process of its own."""
    return [sys.executable, "-m", "hansa", *arguments]


def test_version_and_help(run: Run) -> None:
    assert run("--version") == f"hansa {hansa.__version__}\n"
    for arguments in ((), ("--help",)):
        out = run(*arguments)
        assert run.code == 0
        for command in ("games", "rules", "sample", "trace", "play", "arena", "bench", "demo"):
            assert re.search(rf"\b{command}\b", out), command


def test_import_of_the_package_loads_neither_typer_nor_rich() -> None:
    code = "import hansa, sys; print([name for name in ('typer', 'rich') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_games_lists_the_catalogue(run: Run) -> None:
    out = run("games")
    for info in hansa.games():
        assert info.id in out
        for option in info.options:
            assert f"{option.name}: {', '.join(option.values)}" in out
    rows = json.loads(run("games", "--json"))
    assert [row["game"] for row in rows] == [info.id for info in hansa.games()]
    queen = rows[0]["decisions"]
    assert queen["4"] == pytest.approx(138, abs=2)
    assert queen["2"] == pytest.approx(100, abs=2)
    assert rows[0]["state_bytes"] == hansa.load_game(rows[0]["game"], 4).state_size


def test_rules_prints_the_data_and_its_digest(run: Run, tmp_path: Path) -> None:
    text = run("rules", "queen_of_hansa")
    assert text == hansa.games()[0].rules_text
    assert "provenance" in text
    digest = run("rules", "queen_of_hansa", "--digest").strip()
    assert digest == hansa.load_game("queen_of_hansa", 2).rules_digest
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    assert run("rules", "queen_of_hansa", "--check", str(file)) == f"{file}: fits queen_of_hansa\n"
    assert run("rules", "queen_of_hansa", "--check", str(file), "--digest").strip() == digest
    file.write_text("[final.scoring]\nluxury_types = [0, 2, 6, 12, 21]\n", encoding="utf-8")
    other = run("rules", "queen_of_hansa", "--check", str(file), "--digest").strip()
    assert re.fullmatch("[0-9a-f]{64}", other)
    assert other != digest


def test_rules_check_lists_all_problems(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("[final.scoring]\nluxury_typos = [0]\n\n[final]\nround = 4\n", encoding="utf-8")
    file.write_text("[final]\nround = 4\n\n[final.scoring]\nluxury_typos = [0]\n", encoding="utf-8")
    out = run("rules", "queen_of_hansa", "--check", str(file))
    assert run.code == 1
    assert run.err == ""
    lines = out.splitlines()
    assert len(lines) == len(hansa.check_rules("queen_of_hansa", file)) >= 2
    assert any(line.startswith(f"{file}: line 2: final.round: ") for line in lines)
    assert any(line.startswith(f"{file}: line 5: final.scoring.luxury_typos: ") for line in lines)
    run("sample", "queen_of_hansa", "--rules", str(file))
    assert run.code == 2
    assert run.err.count("\n") == 1
    assert "more; `hansa rules GAME --check FILE` lists all" in run.err


def test_sample_is_the_sample_of_the_engine(run: Run) -> None:
    arguments = [
        "queen_of_hansa_v42",
        "--players",
        "3",
        "--games",
        "5",
        "--seed",
        "9",
        "--option",
        "track=long",
    ]
    out = run("sample", *arguments, "-o", "reading=A")
    game = hansa.load_game("queen_of_hansa_v42", 3, options={"track": "long", "reading": "A"})
    assert out == "".join(record.to_json() + "\n" for record in game.sample(5, 9))
    assert run("sample", *arguments, "-o", "reading=A") == out
    first = json.loads(out.splitlines()[0])
    assert first["options"] == {"track": "long", "reading": "A"}
    assert len(first["scores"]) == 3


def test_sample_in_chunks_is_one_series(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("sample", "queen_of_hansa", "--games", "7", "--seed", "3")
    monkeypatch.setattr("hansa.cli.records.CHUNK", 3)
    assert run("sample", "queen_of_hansa", "--games", "7", "--seed", "3") == whole
    assert len(whole.splitlines()) == 7
    assert run("sample", "queen_of_hansa", "--games", "0") == ""


def test_sample_plays_by_the_policy(run: Run) -> None:
    means = {}
    for policy in ("random", "greedy"):
        lines = run("sample", "queen_of_hansa", "-g", "40", "--policy", policy).splitlines()
        scores = [score for line in lines for score in json.loads(line)["scores"]]
        means[policy] = sum(scores) / len(scores)
    assert means["greedy"] > means["random"]


def test_trace_prints_record_and_positions(run: Run) -> None:
    records = run("sample", "queen_of_hansa", "--players", "2", "--games", "2", "--seed", "4")
    lines = run("trace", "--views", stdin="\n" + records + "\n").splitlines()
    assert run.code == 0, run.err
    at = 0
    for text in records.splitlines():
        assert lines[at] == text
        record = Record.from_json(text)
        states = record.states()
        trace = [json.loads(line) for line in lines[at + 1 : at + 1 + len(states)]]
        assert [position["index"] for position in trace] == list(range(len(states)))
        assert [position["state"] for position in trace] == [state.to_dict() for state in states]
        assert trace[5]["views"] == [view.to_dict() for view in states[5].views()]
        assert trace[-1]["turn"] == "over"
        assert trace[-1]["scores"] == record.scores
        at += 1 + len(states)
    assert at == len(lines)


def test_trace_reads_files_and_leaves_views_away(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(run("sample", "queen_of_hansa"), encoding="utf-8")
    lines = run("trace", str(file)).splitlines()
    assert all("views" not in json.loads(line) for line in lines[1:])
    assert run("trace", "-", stdin=file.read_text(encoding="utf-8")).splitlines() == lines


def test_sample_into_trace_by_a_pipe() -> None:
    with subprocess.Popen(
        hansa_command("sample", "queen_of_hansa", "-p", "4", "-g", "3"), stdout=subprocess.PIPE
    ) as sampling:
        traced = subprocess.run(
            hansa_command("trace", "--views"),
            stdin=sampling.stdout,
            capture_output=True,
            text=True,
            check=True,
        )
    records = [line for line in traced.stdout.splitlines() if '"format"' in line]
    assert len(records) == 3
    assert traced.stderr == ""


def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        hansa_command("sample", "queen_of_hansa", "--games", "3000"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as sampling:
        assert sampling.stdout is not None
        assert sampling.stderr is not None
        assert sampling.stdout.readline().startswith(b"{")
        sampling.stdout.close()
        assert sampling.stderr.read() == b""


def test_a_record_that_does_not_replay(run: Run) -> None:
    good = json.loads(run("sample", "queen_of_hansa", "--seed", "6"))
    index = next(number for number, move in enumerate(good["moves"]) if move.startswith("take"))
    state = Record(hansa.load_game("queen_of_hansa"), good["moves"][:index]).replay()
    legal = [str(action) for action in state.legal_actions()]
    bad = {**good, "moves": [*good["moves"][:index], "keep lon-01 lon-02", *good["moves"][index + 1 :]]}
    run("trace", stdin=json.dumps(good) + "\n" + json.dumps(bad))
    assert run.code == 1
    assert run.out.count("\n") == 2 + len(good["moves"])
    assert run.err.startswith(f"hansa: line 2: move {index}, `keep lon-01 lon-02`, cannot be played: ")
    for move in legal:
        assert move in run.err
    assert run.err.count("\n") == 1


def test_a_record_of_other_rules_is_refused_unless_told_otherwise(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("[final.scoring]\nluxury_types = [0, 0, 0, 0, 0]\n", encoding="utf-8")
    records = run("sample", "queen_of_hansa", "--rules", str(file))
    run("trace", stdin=records)
    assert run.code == 1
    assert "other rules" in run.err
    run("trace", "--rules", str(file), stdin=records)
    assert run.code == 0, run.err
    other = json.loads(records)
    del other["scores"], other["ranks"]
    run("trace", "--any-rules", stdin=json.dumps(other))
    assert run.code == 0, run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sampel"], "Did you mean 'sample'"),
        (["sample"], "Missing argument 'GAME'"),
        (["sample", "queen_of_hanza"], "queen_of_hansa"),
        (["sample", "queen_of_hansa", "--gamez", "3"], "--games"),
        (["sample", "queen_of_hansa", "--games", "many"], "--games"),
        (["sample", "queen_of_hansa", "--games", "-1"], "--games"),
        (["sample", "queen_of_hansa", "--seed", str(2**64)], "--seed"),
        (["sample", "queen_of_hansa", "--players", "5"], "2 to 4"),
        (["sample", "queen_of_hansa", "--option", "track"], "KEY=VALUE"),
        (["sample", "queen_of_hansa", "--option", "tracks=long"], "track"),
        (["sample", "queen_of_hansa", "--option", "track=longer"], "standard"),
        (["sample", "queen_of_hansa", "--policy", "greedi"], "greedy"),
        (["sample", "queen_of_hansa", "--policy", "mcts:simulation=3"], "simulations"),
        (["sample", "queen_of_hansa", "--games", "0", "--policy", "greedi"], "greedy"),
        (["sample", "queen_of_hansa", "--rules", "missing.toml"], "missing.toml"),
        (["trace", "missing.jsonl"], "missing.jsonl: No such file"),
        (["trace", "."], "Is a directory"),
        (["rules", "queen"], "queen_of_hansa"),
        (["rules", "queen_of_hansa", "--check", "missing.toml"], "missing.toml: No such file"),
        (["arena", "queen_of_hansa"], "BOT"),
        (["arena", "queen_of_hansa", "greedy", "greedi"], "greedy"),
        (["arena", "queen_of_hansa", "greedy", "nothing_here:Bot"], "no module nothing_here"),
        (["arena", "queen_of_hansa", "a", "b", "c", "d", "e"], "2 to 4"),
        (["arena", "queen_of_hansa", "greedy", "random", "greedy", "--players", "2"], "give 1 to 2"),
        (
            ["arena", "queen_of_hansa", "greedy", "random", "--records", "no/folder"],
            "no/folder: No such file",
        ),
        (["bench", "queen_of_hanza"], "queen_of_hansa"),
        (["bench", "--seconds", "0"], "--seconds"),
        (["demo", "--simulations", "0"], "--simulations"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run(*arguments)
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith("hansa: ")
    assert run.err.count("\n") == 1
    assert message in run.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: "),
        ("\n[1]", "line 2: "),
        ('{"format":"hansa-record","version":1,"game":"chess","players":2,"options":{},"moves":[]}', "chess"),
        (
            '{"format":"hansa-record","version":1,"game":"queen_of_hansa","players":7,"options":{},"moves":[]}',
            "2 to 4",
        ),
    ],
)
def test_lines_that_are_no_records(run: Run, text: str, message: str) -> None:
    run("trace", stdin=text)
    assert run.code == 2
    assert message in run.err
    assert run.err.count("\n") == 1


def test_files_in_other_encodings_are_one_line_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "records"
    file.write_bytes(b"\xff\xfe\x00")
    run("trace", str(file))
    assert run.code == 2
    assert "UTF-8" in run.err
    assert run.err.count("\n") == 1


def test_arena_table_and_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    bots = ["greedy", "random", "mcts:simulations=20,exploration=0.5"]
    arguments = ["arena", "queen_of_hansa", *bots, "--games", "6", "--seed", "2"]
    out = run(*arguments)
    assert run.code == 0, run.err
    for bot in bots:
        assert bot in out
    result = json.loads(run(*arguments, "--json", "--threads", "2", "--records", str(file)))
    assert result["players"] == 3
    assert result["games"] == 6
    assert [bot["bot"] for bot in result["bots"]] == bots
    assert sum(bot["win_share"] for bot in result["bots"]) == pytest.approx(1)
    for bot in result["bots"]:
        assert f"{bot['mean_score']:.1f}" in out
        assert f"{bot['win_share']:.1%}" in out
    records = list(read(file))
    assert len(records) == 6
    assert records[0].replay().is_terminal()


def test_arena_with_a_python_bot(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "arena_players.py").write_text(
        "class First:\n"
        "    def act(self, view):\n"
        "        return view.legal_actions()[0]\n"
        "class Broken:\n"
        "    def act(self, view):\n"
        "        return 1 / 0\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    result = json.loads(run("arena", "queen_of_hansa", "arena_players:First", "greedy", "-g", "4", "--json"))
    assert [bot["bot"] for bot in result["bots"]] == ["First", "greedy"]
    run("arena", "queen_of_hansa", "arena_players:Broken", "greedy", "-g", "4")
    assert run.code == 1
    assert "ZeroDivisionError" in run.err
    assert "arena_players.py:6" in run.err
    assert run.err.count("\n") == 1


def test_bot_lists() -> None:
    assert split_bots(["greedy,mcts:simulations=100,exploration=1.2", "random"]) == [
        "greedy",
        "mcts:simulations=100,exploration=1.2",
        "random",
    ]
    assert split_bots(["mcts:simulations=1, seconds=2 , flat:simulations=3,"]) == [
        "mcts:simulations=1,seconds=2",
        "flat:simulations=3",
    ]
    assert split_bots(["a.b:C,d:E"]) == ["a.b:C", "d:E"]


def test_bench_measures(run: Run) -> None:
    rows = json.loads(
        run("bench", "queen_of_hansa", "-p", "2", "--threads", "2", "--seconds", "0.05", "--json")
    )
    assert [(row["players"], row["threads"]) for row in rows] == [(2, 1), (2, 2)]
    for row in rows:
        for key in (
            "playouts_per_second",
            "decisions_per_second",
            "nanoseconds_per_decision",
            "simulations_per_second",
        ):
            assert 0 < row[key]["low"] <= row[key]["median"] <= row[key]["high"]
        ratio = row["decisions_per_second"]["median"] / row["playouts_per_second"]["median"]
        assert ratio == pytest.approx(100, abs=3)
    out = run("bench", "queen_of_hansa", "-p", "2", "--threads", "1", "--seconds", "0.05")
    assert "ns/decision" in out
    assert "median of 5 rounds" in out


def test_bench_counts_the_decisions_of_its_own_rounds() -> None:
    game = hansa.load_game("queen_of_hansa", 4)
    measured = measure(game, 1, 0.05, rounds=3)
    assert measured.rounds == 3
    ratio = measured.decisions_per_second.median / measured.playouts_per_second.median
    assert ratio == pytest.approx(138, abs=3)


def test_demo_shows_position_game_and_speed(run: Run) -> None:
    out = run("demo", "--simulations", "20")
    assert run.code == 0, run.err
    assert out.count("The Queen of Hansa  ") == 1 + 3 + 1
    assert "round 3 of 3" in out
    assert "Next: the game is over" in out
    assert re.search(r"1 +\S+ +\d+", out)
    assert "playouts/s" in out
    assert "simulations from this view" in out


def test_output_in_ascii_only() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        hansa_command("play", "queen_of_hansa"),
        input="1\n1\nq\n",
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert done.stdout.isascii()
    assert "* luxury card" in done.stdout
    assert "?" not in done.stdout.split("this list")[1]
