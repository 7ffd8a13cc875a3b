"""The Queen of Hansa in a terminal, both rulesets."""

from hansa.display.queen_of_hansa.board import Board
from hansa.display.queen_of_hansa.words import describe, news

__all__ = ["Board", "describe", "news"]
