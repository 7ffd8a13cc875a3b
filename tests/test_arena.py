"""Matches: seats, luck, intervals, Python bots."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import takewhile

import pytest

import hansa
from hansa.arena import MatchResult, play_match
from hansa.bots import Bot
from hansa.errors import BotError


class Recorder:
    """A bot that takes the first legal action and remembers what it was shown."""

    name = "recorder"

    def __init__(self) -> None:
        self.restarts = 0
        self.players: Counter[int] = Counter()

    def restart(self) -> None:
        """Counts the games."""
        self.restarts += 1

    def act(self, view: hansa.View) -> hansa.Action:
        """The first legal action."""
        assert type(view) is hansa.View
        assert view.player == view.current_player()
        self.players[view.player] += 1
        return view.legal_actions()[0]


class Offender:
    """A bot that chooses what is never legal."""

    def act(self, view: hansa.View) -> hansa.Action:
        """An action of another phase."""
        legal = view.legal_actions()
        count = view.game.num_distinct_actions
        return next(view.game.action(index) for index in range(count) if view.game.action(index) not in legal)


@pytest.fixture
def pair() -> hansa.Game:
    """The game for two."""
    return hansa.load_game("queen_of_hansa", 2)


def without_time(result: MatchResult) -> MatchResult:
    """A result but for the seconds that it took."""
    return dataclasses.replace(result, elapsed=0.0)


def test_a_match_of_built_in_bots_is_the_same_on_any_number_of_threads(pair: hansa.Game) -> None:
    results = [
        play_match(pair, ["greedy", "random"], 10, seed=3, threads=threads, records=True)
        for threads in (1, 2)
    ]
    assert without_time(results[0]) == without_time(results[1])
    assert results[0].games == 10
    assert len(results[0].records) == 10


def test_results_agree_with_the_records(pair: hansa.Game) -> None:
    result = play_match(pair, ["greedy", "random"], 8, seed=5, records=True)
    scores: dict[str, list[int]] = {"greedy": [], "random": []}
    wins = dict.fromkeys(scores, 0.0)
    for record in result.records:
        final = record.replay()
        seats = record.extra["bots"]
        for player, name in enumerate(seats):
            scores[name].append(final.scores()[player])
            wins[name] += (final.ranks()[player] == 0) / final.ranks().count(0)
    for bot in result.bots:
        assert bot.mean_score == pytest.approx(sum(scores[bot.bot]) / 8)
        assert bot.win_share == pytest.approx(wins[bot.bot] / 8)
        low, high = bot.win_interval
        assert 0 <= low <= bot.win_share <= high <= 1
    assert sum(bot.win_share for bot in result.bots) == pytest.approx(1)


def test_greedy_beats_random_with_the_interval_clear_of_equality(pair: hansa.Game) -> None:
    greedy, other = play_match(pair, ["greedy", "random"], 100, seed=1).bots
    assert greedy.win_interval[0] > greedy.equal_share == 0.5
    assert other.win_interval[1] < 0.5


@pytest.mark.parametrize("python", [False, True])
def test_every_bot_sits_everywhere_equally_often(python: bool) -> None:
    game = hansa.load_game("queen_of_hansa", 4)
    third = Recorder() if python else "flat:simulations=2"
    result = play_match(game, ["greedy", "random", third], 6, seed=2, records=True)
    assert result.games == 8
    name = "recorder" if python else "flat:simulations=2"
    seats = [Counter[str]() for _ in range(4)]
    for record in result.records:
        for player, bot in enumerate(record.extra["bots"]):
            seats[player][bot] += 1
    for count in seats:
        assert count == {"greedy": 4, "random": 2, name: 2}
    assert [bot.seats for bot in result.bots] == [2, 1, 1]
    assert [bot.equal_share for bot in result.bots] == [0.5, 0.25, 0.25]


def test_games_of_a_block_share_their_luck(pair: hansa.Game) -> None:
    lineups: list[list[str | Bot]] = [["greedy", "random"], ["greedy", Recorder()]]
    for bots in lineups:
        records = play_match(pair, bots, 4, seed=9, records=True).records
        begins = [
            list(takewhile(lambda move: not move.startswith("keep"), record.moves)) for record in records
        ]
        assert begins[0] == begins[1]
        assert begins[2] == begins[3]
        assert begins[0] != begins[2]


def test_python_bots_see_views_and_are_told_of_new_games(pair: hansa.Game) -> None:
    bot = Recorder()
    said: list[tuple[int, int]] = []
    result = play_match(
        pair, [bot, "random"], 4, seed=1, progress=lambda done, total: said.append((done, total))
    )
    assert bot.restarts == 4
    assert bot.players[0] > 0
    assert bot.players[1] > 0
    assert result.bots[0].bot == "recorder"
    assert said[-1] == (4, 4)


def test_matches_with_python_bots_repeat(pair: hansa.Game) -> None:
    results = [play_match(pair, [Recorder(), "random"], 4, seed=7, records=True) for _ in range(2)]
    assert without_time(results[0]) == without_time(results[1])
    other = play_match(pair, [Recorder(), "random"], 4, seed=8, records=True)
    assert other.records != results[0].records


def test_an_illegal_choice_of_a_python_bot_is_named(pair: hansa.Game) -> None:
    with pytest.raises(BotError, match=r"bot Offender, player \d, chose"):
        play_match(pair, [Offender(), "random"], 2)


def test_impossible_matches_are_refused(pair: hansa.Game) -> None:
    with pytest.raises(BotError, match="greedi"):
        play_match(pair, ["greedi", "random"], 2)
    with pytest.raises(BotError, match="greedi"):
        play_match(pair, [Recorder(), "greedi"], 2)
    for bots in (["random"] * 3, [Recorder()] * 3, []):
        with pytest.raises(ValueError, match="bots"):
            play_match(pair, bots, 2)
    for bots in (["random"], [Recorder()]):
        with pytest.raises(ValueError, match="games"):
            play_match(pair, bots, 0)
