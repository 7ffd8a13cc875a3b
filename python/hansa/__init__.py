"""Engine of Hanseatic trade board games: rules, states, playouts and search.

>>> import hansa
>>> game = hansa.load_game("queen_of_hansa", players=4)
>>> state, rng = game.new_initial_state(), hansa.Rng(7)
>>> while not state.is_terminal():
...     if state.is_chance_node():
...         state = state.apply(state.sample_chance(rng))
...     else:
...         state = state.apply(state.random_action(rng))
>>> len(state.scores()), min(state.ranks())
(4, 0)

Words: a *game* is the loaded rules at one table size; a *state* is one position, the whole truth; a
*view* is what one player knows of it; an *action* is what a player decides, a *chance outcome* what
chance answers, a *move* either.
"""

from __future__ import annotations

from hansa import bots, errors, mcts, records
from hansa._hansa import (
    CHANCE,
    TERMINAL,
    Action,
    Batch,
    ChanceOutcome,
    Game,
    GameInfo,
    GameOption,
    LegalActions,
    MatchReport,
    PlayoutReport,
    Record,
    Rng,
    State,
    View,
    __version__,
    check_rules,
    games,
    load_game,
)
from hansa.errors import HansaError, IllegalActionError

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Action",
    "Batch",
    "ChanceOutcome",
    "Game",
    "GameInfo",
    "GameOption",
    "HansaError",
    "IllegalActionError",
    "LegalActions",
    "MatchReport",
    "PlayoutReport",
    "Record",
    "Rng",
    "State",
    "View",
    "__version__",
    "bots",
    "check_rules",
    "errors",
    "games",
    "load_game",
    "mcts",
    "records",
]
