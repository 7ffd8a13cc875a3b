"""Fixtures and settings of all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

import hansa

settings.register_profile("fast", max_examples=20, deadline=None)
settings.register_profile("slow", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

TABLES = [(info.id, players) for info in hansa.games() for players in info.players]


@pytest.fixture(params=TABLES, ids=[f"{name}-{players}" for name, players in TABLES])
def game(request: pytest.FixtureRequest) -> hansa.Game:
    """Every game at every table."""
    name, players = request.param
    return hansa.load_game(name, players)


@pytest.fixture
def queen() -> hansa.Game:
    """One well-known game."""
    return hansa.load_game("queen_of_hansa", 3)
