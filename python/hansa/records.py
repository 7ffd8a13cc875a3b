"""Reading and writing games as JSON Lines: one record a line.

>>> import hansa, io
>>> game = hansa.load_game("queen_of_hansa", players=2)
>>> file = io.StringIO()
>>> write(game.sample(3, seed=1), file)
3
>>> _ = file.seek(0)
>>> [len(record.replay().scores()) for record in read(file)]
[2, 2, 2]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import IO

from hansa._hansa import Record
from hansa.errors import FormatError

__all__ = ["Record", "read", "write"]


def read(source: str | PathLike[str] | Iterable[str]) -> Iterator[Record]:
    """The records of a file, one after another; blank lines are passed over.

    Args:
        source: The path of a file, or its lines (an open text file will do).

    Raises:
        FormatError: A line is no record; the message has the line number, counted from 1.
        OSError: The file cannot be read.
    """
    if isinstance(source, (str, PathLike)):
        with Path(source).open(encoding="utf-8") as file:
            yield from read(file)
        return
    for number, line in enumerate(source, start=1):
        if line.strip():
            try:
                record = Record.from_json(line)
            except FormatError as error:
                raise FormatError(f"line {number}: {error}", error.path) from None
            yield record


def write(records: Iterable[Record], target: str | PathLike[str] | IO[str]) -> int:
    """Writes one line a record; returns how many.

    Args:
        records: What to write.
        target: The path of a file, which is replaced, or an open text file.

    Raises:
        OSError: The file cannot be written.
    """
    if isinstance(target, (str, PathLike)):
        with Path(target).open("w", encoding="utf-8") as file:
            return write(records, file)
    count = 0
    for record in records:
        target.write(record.to_json() + "\n")
        count += 1
    return count
