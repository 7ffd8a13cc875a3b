"""The drawing of a game that has no drawer of its own: its canonical JSON, indented."""

from __future__ import annotations

import json

from rich.console import RenderableType
from rich.text import Text

from hansa.display.scene import Scene


def board(scene: Scene) -> RenderableType:
    """The position as JSON, one key a line, short values on one line."""
    lines = []
    for key, value in scene.position.items():
        short = json.dumps(value, ensure_ascii=False)
        lines.append(
            f"{key}: {short if len(short) <= 80 else json.dumps(value, ensure_ascii=False, indent=2)}"
        )
    return Text("\n".join([scene.game, *lines]))


def describe(_scene: Scene, _move: str) -> str | None:
    """Nothing: the notation is all that is known of a move."""
    return None


def news(_before: Scene, _after: Scene) -> list[str]:
    """Nothing: what has changed is seen in the drawing."""
    return []
