"""The shape of the package: frozen classes, light imports, documentation, stubs, types."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hansa
from hansa import _hansa

ROOT = Path(__file__).parents[1]
BINDINGS = ROOT / "rust" / "hansa-python" / "src"
MODULES = ["hansa", *(f"hansa.{module.name}" for module in pkgutil.iter_modules(hansa.__path__))]


def test_every_python_class_is_frozen() -> None:
    found = 0
    for path in BINDINGS.glob("**/*.rs"):
        for attribute in re.findall(r"#\[pyclass[^]]*\]", path.read_text("utf-8")):
            found += 1
            assert re.match(r"#\[pyclass\(.*\bfrozen\b", attribute), f"{path.name}: {attribute}"
    assert found > 15


def test_objects_cannot_be_changed() -> None:
    game = hansa.load_game("queen_of_hansa")
    for value in (game, game.new_initial_state(), game.action(0), hansa.Rng(0), game.batch(1)):
        for name in ("id", "stranger"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, 1)


def test_the_package_says_what_it_is() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", hansa.__version__)
    assert (hansa.CHANCE, hansa.TERMINAL) == (-1, -4)
    for name in hansa.__all__:
        assert hasattr(hansa, name)
    exported = {name for name in dir(hansa) if not name.startswith("_")}
    modules = {module.removeprefix("hansa.") for module in MODULES}
    assert exported - modules - {"annotations"} == set(hansa.__all__) - modules - {"__version__"}


def test_everything_public_has_documentation() -> None:
    missing = []
    for name, value in vars(_hansa).items():
        if name.startswith("_") or isinstance(value, int):
            continue
        if not inspect.getdoc(value):
            missing.append(name)
        if inspect.isclass(value):
            missing += [
                f"{name}.{member}"
                for member, entry in vars(value).items()
                if not member.startswith("_") and not inspect.getdoc(entry)
            ]
    assert missing == []


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_documentation_run(name: str) -> None:
    if name == "hansa.__main__":
        pytest.skip("runs the command line when imported")
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_import_is_light() -> None:
    heavy = [
        "typer",
        "rich",
        "matplotlib",
        "pandas",
        "gymnasium",
        "pettingzoo",
        "pyspiel",
        "IPython",
        "asyncio",
    ]
    code = f"import sys, hansa; print([name for name in {heavy!r} if name in sys.modules])"
    assert _python("-c", code).strip() == "[]"


def test_the_stub_says_what_the_module_has() -> None:
    pytest.importorskip("mypy")
    assert "Success" in _python("-m", "mypy.stubtest", "hansa._hansa")


def test_the_types_are_right(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = tmp_path / "user.py"
    path.write_text(USER, "utf-8")
    assert "Success" in _python("-m", "mypy", "--strict", f"--cache-dir={tmp_path}", str(path))


USER = """
import hansa
from hansa import bots, mcts

game: hansa.Game = hansa.load_game("queen_of_hansa", players=4, options={"track": "long"})
state = game.new_initial_state()
rng = hansa.Rng(7)
while not state.is_terminal():
    if state.is_chance_node():
        state = state.apply(state.sample_chance(rng))
    else:
        report = mcts.search(state.view(state.current_player()), simulations=10, seed=1)
        state = state.apply(report.best)
scores: list[int] = state.scores()
first: hansa.Action = state.legal_actions()[0]
some: list[hansa.Action] = state.legal_actions()[1:]
weights: list[int] = [weight for _, weight in state.chance_outcomes()]
bot: bots.Bot = bots.make("greedy")
"""


def _python(*arguments: str) -> str:
    """What a new interpreter prints."""
    run = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout
