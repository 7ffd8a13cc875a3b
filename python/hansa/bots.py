"""Bots: what plays a game from what one player knows.

A bot sees :class:`hansa.View` objects only, so it cannot look at a hand that it does not hold.

>>> import hansa
>>> game = hansa.load_game("queen_of_hansa", players=2)
>>> bot = make("greedy")
>>> bot.name
'greedy'
>>> state, rng = game.new_initial_state(), hansa.Rng(1)
>>> while state.is_chance_node():
...     state = state.apply(state.sample_chance(rng))
>>> bot.act(state.view(0)) in state.legal_actions()
True
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from hansa._hansa import Action, BuiltinBot, View

__all__ = ["Bot", "BuiltinBot", "make", "name_of", "restart"]


@runtime_checkable
class Bot(Protocol):
    """Anything with an :meth:`act`.

    A bot may also have a ``name`` (a text, for tables; see :func:`name_of`) and a method ``restart()``
    that is called before each game (see :func:`restart`).
    """

    def act(self, view: View) -> Action:
        """One of ``view.legal_actions()``; asked only when ``view.player`` is to decide."""
        ...  # pragma: no cover


def make(spec: str, seed: int = 0) -> BuiltinBot:
    """The built-in bot of a spec.

    ``random``, ``greedy``, ``flat`` and ``mcts``; settings follow a colon, as in
    ``mcts:simulations=1000,exploration=1.2``. The same spec, seed and series of views give the same
    actions, unless the spec has a budget of seconds.

    Raises:
        BotError: The spec names no bot or no setting of it; the message lists those that exist.
    """
    return BuiltinBot(spec, seed)


def name_of(bot: Bot) -> str:
    """The ``name`` of a bot, or else the name of its class."""
    name = getattr(bot, "name", None)
    return name if isinstance(name, str) else type(bot).__name__


def restart(bot: Bot) -> None:
    """Tells a bot that a new game begins, if it wants to know."""
    method = getattr(bot, "restart", None)
    if callable(method):
        method()
