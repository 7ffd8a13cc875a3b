"""The documents say what is true: their code runs, their links lead somewhere, their commands exist.

A block marked `python` is executed, the blocks of one document after each other in one namespace. A block
marked `sh` is run, line by line, in an empty folder. Blocks marked `console` are for reading: they install,
ask, or take long.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    path
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("**/*.md"))]
    if path.name != "CHANGELOG.md"
]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name(path: Path) -> str:
    """The path from the root of the project."""
    return path.relative_to(ROOT).as_posix()


def blocks(document: Path, language: str) -> list[str]:
    """The code of a document in one language."""
    return [code for found, code in BLOCK.findall(document.read_text("utf-8")) if found == language]


def environment() -> dict[str, str]:
    """An environment in which `hansa` is the command of this interpreter."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "PATH": path, "COLUMNS": "100"}


def test_there_are_documents_with_code() -> None:
    assert {"README.md", "docs/python.md"} <= {name(path) for path in DOCUMENTS}
    for document in ("README.md", "docs/python.md", "docs/search.md", "docs/records.md", "docs/rules.md"):
        assert blocks(ROOT / document, "python")
    assert blocks(ROOT / "docs" / "records.md", "sh")


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if blocks(path, "python")], ids=name)
def test_python_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = document.read_text("utf-8")
    namespace: dict[str, object] = {"__name__": "__main__"}
    for found in BLOCK.finditer(text):
        if found[1] == "python":
            # Line numbers of an error are those of the document.
            code = "\n" * text.count("\n", 0, found.start(2)) + found[2]
            exec(compile(code, str(document), "exec"), namespace)


@pytest.mark.skipif(shutil.which("bash") is None, reason="the commands of the documents are for bash")
@pytest.mark.parametrize("document", [path for path in DOCUMENTS if blocks(path, "sh")], ids=name)
def test_commands_run(document: Path, tmp_path: Path) -> None:
    for code in blocks(document, "sh"):
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", code],
            cwd=tmp_path,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{code}\n{run.stdout}{run.stderr}"
        assert run.stdout, f"says nothing: {code}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text("utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_paths_exist(document: Path) -> None:
    """Whatever a document names in backticks as a path of the project is there."""
    tops = {path.name for path in ROOT.iterdir()} - {"target", "dist"}
    for code in re.findall(r"`([\w./-]+/[\w./-]*)`", document.read_text("utf-8")):
        if code.split("/", maxsplit=1)[0] in tops and "<" not in code:
            assert (ROOT / code).exists(), code


@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, str(example)],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout


def test_readme_begins_with_the_two_commands() -> None:
    first = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:40])
    for command in ("pip install . && hansa demo", "pip install '.[test]' && pytest"):
        assert command in first
