"""The tools around the engine: the speed gate and the list of checks."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import hansa

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def counts() -> ModuleType:
    """tools/counts.py."""
    spec = importlib.util.spec_from_file_location("counts", ROOT / "tools" / "counts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["counts"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("change", "bad"), [(0.0, 0), (0.0099, 0), (-0.0099, 0), (0.0101, 1), (-0.0101, 1), (3.0, 1)]
)
def test_a_count_out_of_bounds_is_found_either_way(
    counts: ModuleType, change: float, bad: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {"a/2/playout": counts.Count(10_000 * (1 + change), "playout")}
    assert counts.compare({"instructions": {"a/2/playout": 10_000}}, found) == bad
    assert ("out of bounds" in capsys.readouterr().out) == bool(bad)


def test_a_count_on_one_side_only_is_bad(counts: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    found = {"a/2/playout": counts.Count(10_000, "playout")}
    assert counts.compare({"instructions": {"b/2/playout": 10_000}}, found) == 2
    assert "b/2/playout" in capsys.readouterr().out


def test_the_baseline_is_read_as_it_was_written(
    counts: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "BASELINE", tmp_path / "counts.toml")
    found = {"a/2/playout": counts.Count(1234.5, "playout"), "a/2/trace": counts.Count(7.0, "position")}
    counts.write(counts.Setting("1.90.0", "x86_64-unknown-linux-gnu", "bmi2"), found)
    baseline = tomllib.loads((tmp_path / "counts.toml").read_text("utf-8"))
    assert (baseline["rustc"], baseline["path"]) == ("1.90.0", "bmi2")
    assert counts.compare(baseline, found) == 0


def test_every_game_has_a_baseline() -> None:
    baseline = tomllib.loads((ROOT / "benches" / "counts.toml").read_text("utf-8"))
    counted = {name.rsplit("/", 1)[0] for name in baseline["instructions"]}
    assert counted == {f"{info.id}/{players}" for info in hansa.games() for players in info.players}


@pytest.mark.skipif(shutil.which("bash") is None, reason="the list of checks is for bash")
def test_an_unknown_stage_is_refused() -> None:
    command = ["bash", str(ROOT / ".ci" / "run"), "lnit"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "there is no stage lnit" in run.stdout
