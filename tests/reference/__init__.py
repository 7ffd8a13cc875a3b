"""Slow reference implementations that the tests compare the engine with."""
