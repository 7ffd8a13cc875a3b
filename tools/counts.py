"""The speed gate: instructions of every workload of benches/counted.rs, compared with benches/counts.toml.

`python tools/counts.py` builds the workloads as the wheel is built, counts under valgrind's callgrind, and
fails when a count is more than 1 % above or below its baseline: faster is news too, and the commit that
changes a count says why. `--update` writes the baseline anew.

Instruction counts repeat to a few in ten thousand whatever else the machine does, but they belong to one
compiler, one target and one way through the run-time dispatch. Where these differ from the baseline's nothing
is compared, and the last line says so.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "benches" / "counts.toml"
TOLERANCE = 0.01
"""How far a count may be from its baseline."""
HEADER = """\
# Instructions a unit, counted by valgrind's callgrind: the baseline of the speed gate. Written by
#
#     python tools/counts.py --update
#
# and compared by `.ci/run counts`. The counts belong to this compiler, this target and this way through the
# run-time dispatch, and are compared with no others.
"""


class CountsError(Exception):
    """Something that has to be put right before anything can be counted."""


@dataclass(frozen=True)
class Setting:
    """What a count depends on beside the source."""

    rustc: str
    """Version of the compiler."""
    target: str
    """Target triple."""
    path: str
    """The way through the run-time dispatch: `bmi2` or `portable`."""


@dataclass(frozen=True)
class Count:
    """What one workload took."""

    instructions: float
    """Instructions a unit."""
    unit: str
    """What a unit is, e.g. `playout`."""


def build() -> Path:
    """The program of benches/counted.rs, built as the wheel is."""
    command = ["cargo", "build", "--release", "--locked", "-p", "hansa", "--bench", "counted"]
    run = subprocess.run(
        [*command, "--message-format=json-render-diagnostics"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if run.returncode:
        raise CountsError(f"`{' '.join(command)}` failed")
    for line in run.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and message["target"]["name"] == "counted":
            return Path(message["executable"])
    raise CountsError("cargo did not say where it put the program `counted`")


def rustc() -> dict[str, str]:
    """What `rustc -vV` says, by key."""
    text = subprocess.run(["rustc", "-vV"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)


def count(program: Path) -> tuple[Setting, dict[str, Count]]:
    """Runs the workloads under callgrind: what they depend on, and instructions by workload."""
    with tempfile.TemporaryDirectory(prefix="hansa-counts-") as folder:
        out = Path(folder) / "callgrind.out"
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={out}",
                # Counting is on inside `measured` and off again while work looks at the clock, which it does
                # the more often the slower the machine is. Patterns with a star fail for two functions.
                "--toggle-collect=counted::measured",
                "--toggle-collect=hansa::search::threads::Pacer::look",
                "--dump-after=counted::measured",
                str(program),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            raise CountsError(f"valgrind failed:\n{run.stderr}{run.stdout}")
        lines = [line.split("\t") for line in run.stdout.splitlines()]
        totals = [_total(Path(f"{out}.{number}")) for number in range(1, len(lines))]
    version = rustc()
    setting = Setting(version["release"], version["host"], lines[0][1])
    counts = {
        name: Count(total / int(units), unit)
        for (name, units, unit), total in zip(lines[1:], totals, strict=True)
    }
    return setting, counts


def _total(dump: Path) -> int:
    """The instructions of one dump of callgrind."""
    if not dump.exists():
        raise CountsError("callgrind dumped too seldom: has `measured` in benches/counted.rs been renamed?")
    found = re.search(r"^totals: (\d+)$", dump.read_text(), re.MULTILINE)
    total = int(found[1]) if found else 0
    if total == 0:
        raise CountsError("callgrind counted nothing: has `measured` in benches/counted.rs been inlined?")
    return total


def write(setting: Setting, counts: dict[str, Count]) -> None:
    """Writes the baseline."""
    lines = [HEADER]
    lines += [f'{key} = "{value}"' for key, value in vars(setting).items()]
    lines += ["", "[instructions]"]
    width = max(len(name) for name in counts) + 2
    for name, each in counts.items():
        quoted = f'"{name}"'
        lines.append(f"{quoted:{width}} = {each.instructions:<12.0f} # a {each.unit}")
    BASELINE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def compare(baseline: dict[str, Any], counts: dict[str, Count]) -> int:
    """Prints every count beside its baseline; returns how many are out of bounds or on one side only."""
    wanted: dict[str, float] = baseline["instructions"]
    bad = 0
    for name in dict.fromkeys([*wanted, *counts]):
        if name not in counts:
            verdict = "is in benches/counts.toml but no workload has this name"
        elif name not in wanted:
            verdict = f"{counts[name].instructions:,.0f} a {counts[name].unit}: not in benches/counts.toml"
        else:
            change = counts[name].instructions / wanted[name] - 1
            figures = f"{counts[name].instructions:>12,.0f} a {counts[name].unit:<10} {change:+8.2%}"
            if abs(change) <= TOLERANCE:
                print(f"  {name:<40} {figures}")
                continue
            verdict = f"{figures}  out of bounds, baseline {wanted[name]:,.0f}"
        bad += 1
        print(f"! {name:<40} {verdict}")
    return bad


def main() -> int:
    """Counts, then compares or updates."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--update", action="store_true", help="write the baseline anew")
    parser.add_argument(
        "--allow-missing-valgrind",
        action="store_true",
        help="count nothing and succeed where there is no valgrind, e.g. on macOS and Windows",
    )
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        print(f"counts: there is no valgrind on this {platform.system()} machine, nothing was counted")
        if arguments.allow_missing_valgrind:
            return 0
        print("Install it (Debian and Ubuntu: apt-get install valgrind) or pass --allow-missing-valgrind")
        return 1
    began = time.monotonic()
    try:
        setting, counts = count(build())
    except CountsError as error:
        print(f"counts: {error}")
        return 1
    took = f"{time.monotonic() - began:.0f} s"
    where = f"rustc {setting.rustc}, {setting.target}, {setting.path}"
    if arguments.update:
        write(setting, counts)
        print(f"counts: {len(counts)} written to {BASELINE.relative_to(ROOT)} ({where}, {took})")
        return 0
    if not BASELINE.exists():
        print(f"counts: there is no {BASELINE.relative_to(ROOT)}; write it with --update")
        return 1
    baseline = tomllib.loads(BASELINE.read_text(encoding="utf-8"))
    there = Setting(baseline["rustc"], baseline["target"], baseline["path"])
    if setting != there:
        for name, each in counts.items():
            print(f"  {name:<40} {each.instructions:>12,.0f} a {each.unit}")
        print(
            f"counts: {len(counts)} counted, NOT COMPARED: they are of {where},"
            f" the baseline is of rustc {there.rustc}, {there.target}, {there.path}"
        )
        return 0
    bad = compare(baseline, counts)
    verdict = f"{bad} out of bounds" if bad else f"all within {TOLERANCE:.0%} of the baseline"
    print(f"counts: {len(counts)} counted, {verdict} ({where}, {took})")
    if bad:
        print("If the change is meant: python tools/counts.py --update, and say why in the commit")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
