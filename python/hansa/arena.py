"""Matches between bots, with balanced seats.

>>> import hansa
>>> game = hansa.load_game("queen_of_hansa", players=2)
>>> result = play_match(game, ["greedy", "random"], 20, seed=1)
>>> [bot.bot for bot in result.bots], result.games
(['greedy', 'random'], 20)
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hansa import bots as _bots
from hansa._hansa import Game, Record, Rng, State
from hansa.bots import Bot
from hansa.errors import BotError, HansaError

__all__ = ["BotResult", "MatchResult", "play_match"]

_CONFIDENCE = 1.959963984540054
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True)
class BotResult:
    """How one bot did in a match."""

    bot: str
    """Its spec, or the name of a Python bot."""
    seats: int
    """Seats that it held in every game."""
    mean_score: float
    """Mean score of its seats."""
    mean_rank: float
    """Mean rank of its seats; 0 is the winner's."""
    win_share: float
    """Share of the games that it won, all its seats together; k winners of a game get 1/k each."""
    win_interval: tuple[float, float]
    """The 95 % interval of the win share."""
    equal_share: float
    """The share that it would win among equals."""


@dataclass(frozen=True)
class MatchResult:
    """A match that was played."""

    bots: tuple[BotResult, ...]
    """One result a bot, in the order in which the bots were given."""
    games: int
    """Games played: whole blocks, each one game for every rotation of the seats."""
    elapsed: float
    """Seconds that it took."""
    records: tuple[Record, ...]
    """The records of the games in order, where they were asked for; the key `bots` says who sat where."""


def play_match(
    game: Game,
    bots: Sequence[str | Bot],
    games: int,
    seed: int = 0,
    *,
    threads: int = 1,
    records: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> MatchResult:
    """Plays games between bots.

    The bots sit down in the given order, starting again with the first until the table is full; then the
    seats rotate. A block is one game for every different rotation, all with the same luck, and the games are
    rounded up to whole blocks: so every bot sits everywhere equally often.

    A match of built-in bots is played by the engine. As soon as one bot is a Python object, the games are
    played here, one after another on one thread. Every bot is given the view of the player it decides for.

    Args:
        game: The game.
        bots: Specs of built-in bots, or objects with ``act``; from 1 to the number of players. An object that
            holds several seats is asked for each of them.
        games: Number of games.
        seed: Seed of chance and of the built-in bots.
        threads: Threads of the engine; never part of the result.
        records: Whether to keep the records.
        progress: Called now and then with the games played and their number.

    Raises:
        BotError: A spec names no bot, there are too many bots, or a Python bot chose what is not legal.
        ValueError: There are no games to play.
    """
    seating = [player % len(bots) for player in range(game.players)] if bots else []
    specs = [bot for bot in bots if isinstance(bot, str)]
    if len(specs) < len(bots):
        return _Match(game, bots, seating, seed).play(games, records, progress)
    report = game.play_match(specs, games, seed, threads=threads, records=records, progress=progress)
    results = tuple(
        BotResult(
            bot.bot,
            bot.seats,
            bot.mean_score,
            bot.mean_rank,
            bot.win_share,
            bot.win_interval,
            bot.equal_share,
        )
        for bot in report.bots
    )
    return MatchResult(results, report.games, report.elapsed, tuple(report.records))


class _Match:
    """A match with Python bots, by the same plan as that of the engine."""

    def __init__(self, game: Game, bots: Sequence[str | Bot], seating: Sequence[int], seed: int) -> None:
        if len(bots) > game.players:
            raise BotError(f"{len(bots)} bots at a table of {game.players}; give 1 to {game.players}")
        self.game = game
        self.bots = bots
        self.names = [bot if isinstance(bot, str) else _bots.name_of(bot) for bot in bots]
        self.seating = seating
        self.source = Rng(seed)
        for bot in bots:
            if isinstance(bot, str):
                _bots.make(bot)
        players = range(1, game.players + 1)
        self.rotations = next(by for by in players if self.rotated(by) == list(seating))

    def rotated(self, by: int) -> list[int]:
        """For every player the place of its bot in the list, the seats rotated."""
        return [self.seating[(player + by) % len(self.seating)] for player in range(len(self.seating))]

    def play(self, games: int, keep: bool, progress: Callable[[int, int], object] | None) -> MatchResult:
        """Plays the match."""
        if games < 1:
            raise ValueError(f"games: expected 1 or more, found {games}")
        began = time.perf_counter()
        total = -(-games // self.rotations) * self.rotations
        tallies = [_Tally() for _ in self.bots]
        kept = []
        luck = 0
        for number in range(total):
            rotation = number % self.rotations
            if rotation == 0:
                luck = self.source.next_seed()
            seats = self.rotated(rotation)
            moves, final = self.game_between(seats, luck)
            for place, tally in enumerate(tallies):
                own = [player for player, bot in enumerate(seats) if bot == place]
                tally.add(own, final.scores(), final.ranks())
            if keep:
                kept.append(Record(self.game, moves, extra={"bots": [self.names[bot] for bot in seats]}))
            if progress is not None:
                progress(number + 1, total)
        results = tuple(
            tally.result(name, self.rotations, self.game.players)
            for tally, name in zip(tallies, self.names, strict=True)
        )
        return MatchResult(results, total, time.perf_counter() - began, tuple(kept))

    def game_between(self, seats: Sequence[int], luck: int) -> tuple[list[str], State]:
        """The moves and the end of one game; `luck` is the seed of its chance."""
        seated: list[Bot] = []
        for place in seats:
            bot = self.bots[place]
            if isinstance(bot, str):
                seated.append(_bots.make(bot, self.source.next_seed()))
            else:
                _bots.restart(bot)
                seated.append(bot)
        chance = Rng(luck)
        state = self.game.new_initial_state()
        moves = []
        while not state.is_terminal():
            if state.is_chance_node():
                outcome = state.sample_chance(chance)
                moves.append(str(outcome))
                state = state.apply(outcome)
                continue
            player = state.current_player()
            action = seated[player].act(state.view(player))
            try:
                state = state.apply(action)
            except (HansaError, TypeError) as error:
                name = self.names[seats[player]]
                raise BotError(f"bot {name}, player {player}, chose {action}: {error}") from error
            moves.append(str(action))
        return moves, state


class _Tally:
    """What the games say about one bot."""

    def __init__(self) -> None:
        self.scores: list[int] = []
        self.ranks: list[int] = []
        self.shares: list[float] = []
        self.seats = 0

    def add(self, own: Sequence[int], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Counts a game in which the bot held the seats `own`."""
        self.seats = len(own)
        self.scores += [scores[player] for player in own]
        self.ranks += [ranks[player] for player in own]
        self.shares.append(sum(ranks[player] == 0 for player in own) / ranks.count(0))

    def result(self, name: str, rotations: int, players: int) -> BotResult:
        """The means over all games."""
        blocks = [
            statistics.fmean(self.shares[first : first + rotations])
            for first in range(0, len(self.shares), rotations)
        ]
        return BotResult(
            name,
            self.seats,
            statistics.fmean(self.scores),
            statistics.fmean(self.ranks),
            statistics.fmean(blocks),
            _interval(blocks, len(self.shares)),
            self.seats / players,
        )


def _interval(blocks: Sequence[float], games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a mean of shares, from the means of equally large, independent blocks.

    Games of a block share their luck, so they count as as many independent games as would give the variance
    seen between the blocks, but never as more than were played.
    """
    mean = statistics.fmean(blocks)
    independent = float(games)
    if len(blocks) > 1:
        variance_of_mean = statistics.variance(blocks) / len(blocks)
        if variance_of_mean > 0:
            independent = min(independent, mean * (1 - mean) / variance_of_mean)
    square = _CONFIDENCE**2 / independent
    middle = (mean + square / 2) / (1 + square)
    spread = math.sqrt(mean * (1 - mean) / independent + square / (4 * independent))
    half = _CONFIDENCE / (1 + square) * spread
    return (max(0.0, middle - half), min(1.0, middle + half))
