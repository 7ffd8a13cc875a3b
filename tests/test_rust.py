"""The tests of the Rust engine, so that `pytest` alone tests everything.

They need cargo and take some minutes the first time. `.ci/run` runs the same commands in its stages `lint`
and `engine` and sets HANSA_RUST_TESTED for its run of pytest; without that variable nothing here is skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.rust,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        "HANSA_RUST_TESTED" in os.environ,
        reason="HANSA_RUST_TESTED is set: whoever set it runs these commands separately",
    ),
]


def cargo(*arguments: str, **environment: str) -> None:
    """Runs cargo at the root of the project; its output is pytest's, which shows it when the test fails."""
    if shutil.which("cargo") is None:
        pytest.fail(
            "there is no cargo, so the Rust engine cannot be tested; install Rust from https://rustup.rs"
        )
    run = subprocess.run(["cargo", *arguments], cwd=ROOT, env={**os.environ, **environment}, check=False)
    if run.returncode:
        pytest.fail(f"`cargo {' '.join(arguments)}` failed with exit code {run.returncode}", pytrace=False)


def component(name: str) -> None:
    """Skips where a component of the toolchain is not installed, which a minimal toolchain may lack."""
    if shutil.which("cargo") is not None:
        probe = ["cargo", name, "--version"]
        if subprocess.run(probe, cwd=ROOT, capture_output=True, check=False).returncode:
            pytest.skip(f"this Rust toolchain has no `cargo {name}`")


def test_engine() -> None:
    cargo("test", "--locked", "--no-fail-fast", "-p", "hansa", "--features", "conform")


def test_format() -> None:
    component("fmt")
    cargo("fmt", "--all", "--check")


def test_lints() -> None:
    component("clippy")
    what = ["--workspace", "--all-targets", "--features", "hansa/conform", "--locked"]
    cargo("clippy", *what, "--", "-D", "warnings")


def test_documentation() -> None:
    cargo("doc", "--locked", "--no-deps", "-p", "hansa", RUSTDOCFLAGS="-D warnings")
