"""Hansa in a terminal: the map with ship, goods and booths, the supply, the players."""

from hansa.display.hansa.board import Board
from hansa.display.hansa.news import news
from hansa.display.hansa.words import describe

__all__ = ["Board", "describe", "news"]
