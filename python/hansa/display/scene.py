"""What a drawer is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scene:
    """One position with all that is needed to draw it."""

    position: Mapping[str, Any]
    """Canonical JSON of a view, or of a state."""
    game: str
    """The game's id."""
    rules: Mapping[str, Any]
    """The merged rules document."""
    options: Mapping[str, str]
    """Options of the game; one at its default may be missing."""
    names: tuple[str, ...]
    """What to call the players, by player number; may be shorter than the table."""

    def name(self, player: int) -> str:
        """What to call a player, e.g. `1 greedy`; `player 1` when nobody said."""
        if player < len(self.names) and self.names[player]:
            return f"{player} {self.names[player]}"
        return f"player {player}"
