"""Bots, and matches between them."""

from __future__ import annotations

import pytest

import hansa
from hansa import bots, errors
from positions import first_decision

SPECS = ["random", "greedy", "flat:simulations=20", "mcts:simulations=20"]


@pytest.mark.parametrize("spec", SPECS)
def test_a_bot_plays_whole_games(game: hansa.Game, spec: str) -> None:
    bot = bots.make(spec, seed=1)
    assert isinstance(bot, bots.Bot)
    assert bot.name == bot.spec == spec
    assert bots.name_of(bot) == spec
    state, rng = game.new_initial_state(), hansa.Rng(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state = state.apply(state.sample_chance(rng))
        else:
            action = bot.act(state.view(state.current_player()))
            assert action in state.legal_actions()
            state = state.apply(action)
    bots.restart(bot)


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_plays_the_same(queen: hansa.Game, spec: str) -> None:
    view = first_decision(queen).view(0)

    def actions(seed: int) -> list[hansa.Action]:
        bot = bots.make(spec, seed)
        return [bot.act(view) for _ in range(30)]

    assert actions(5) == actions(5)
    if spec == "random":
        assert actions(5) != actions(6)
        assert set(actions(5)) == set(view.legal_actions())


def test_a_bot_may_change_tables(queen: hansa.Game) -> None:
    bot, other = bots.make("mcts:simulations=10"), hansa.load_game("queen_of_hansa_v42", 2)
    for game in (queen, other, queen):
        state = first_decision(game)
        assert bot.act(state.view(0)) in state.legal_actions()


def test_specs_are_canonical() -> None:
    bot = bots.make(" mcts : exploration=0.7 , simulations=10", seed=3)
    assert (bot.spec, bot.seed) == ("mcts:simulations=10", 3)
    assert repr(bot) == "BuiltinBot('mcts:simulations=10', seed=3)"
    for spec, words in [
        ("mtcs", "did you mean 'mcts'"),
        ("mcts:explor=1", "there is no setting 'explor'"),
        ("mcts:simulations=x", "give a whole number"),
        ("", "known: random, greedy, flat, mcts"),
    ]:
        with pytest.raises(errors.BotError) as caught:
            bots.make(spec)
        assert words in str(caught.value)


@pytest.mark.parametrize("spec", SPECS)
def test_a_bot_is_asked_when_it_is_to_decide(queen: hansa.Game, spec: str) -> None:
    state = first_decision(queen)
    with pytest.raises(errors.SearchError, match="player 0 is to decide"):
        bots.make(spec).act(state.view(1))
    with pytest.raises(errors.SearchError, match="the game is over"):
        bots.make(spec).act(state.random_playout(hansa.Rng(0)).view(0))


def test_anything_with_an_act_is_a_bot(queen: hansa.Game) -> None:
    class First:
        def act(self, view: hansa.View) -> hansa.Action:
            return view.legal_actions()[0]

    class Named(First):
        name = "somebody"
        games = 0

        def restart(self) -> None:
            self.games += 1

    bot: bots.Bot = First()
    named = Named()
    assert isinstance(bot, bots.Bot)
    assert not isinstance(3, bots.Bot)
    assert (bots.name_of(bot), bots.name_of(named)) == ("First", "somebody")
    bots.restart(bot)
    bots.restart(named)
    assert named.games == 1
    view = first_decision(queen).view(0)
    assert bot.act(view) == view.legal_actions()[0]


def test_a_match_is_balanced_and_adds_up(queen: hansa.Game) -> None:
    told: list[tuple[int, int]] = []
    report = queen.play_match(
        ["greedy", "random", "flat:simulations=10"],
        7,
        seed=1,
        records=True,
        progress=lambda *now: told.append(now),
    )
    assert (report.games, report.rotations) == (9, 3)
    assert [bot.bot for bot in report.bots] == ["greedy", "random", "flat:simulations=10"]
    assert sum(bot.win_share for bot in report.bots) == pytest.approx(1)
    for place, bot in enumerate(report.bots):
        assert bot.seats == 1
        assert bot.equal_share == pytest.approx(1 / 3)
        low, high = bot.win_interval
        assert 0 <= low < high <= 1
        assert low - 1e-9 <= bot.win_share <= high + 1e-9
        seats = [row.index(place) for row in report.seats]
        assert [seats.count(seat) for seat in range(3)] == [3, 3, 3]
        scores = [row[seat] for row, seat in zip(report.scores, seats, strict=True)]
        assert bot.mean_score == pytest.approx(sum(scores) / 9)
        assert bot.bot in repr(bot)
    assert told[-1] == (9, 9)
    assert len(report.records) == 9
    for record, scores, ranks, seats in zip(
        report.records, report.scores, report.ranks, report.seats, strict=True
    ):
        assert record.replay(queen).scores() == record.scores == scores
        assert record.ranks == ranks
        assert record.extra == {"bots": [report.bots[seat].bot for seat in seats]}


def test_a_match_does_not_depend_on_threads(queen: hansa.Game) -> None:
    def played(threads: int) -> list[str]:
        report = queen.play_match(["greedy", "mcts:simulations=5"], 12, 2, threads=threads, records=True)
        return [record.to_json() for record in report.records]

    assert played(1) == played(2)


def test_what_is_no_match(queen: hansa.Game) -> None:
    for specs, games, words in [
        ([], 1, "give 1 to 3"),
        (["random"] * 4, 1, "4 bots at a table of 3"),
        (["random"], 0, "0 games show nothing"),
    ]:
        with pytest.raises(errors.SearchError, match=words):
            queen.play_match(specs, games)
    with pytest.raises(errors.BotError):
        queen.play_match(["rnadom"], 1)
    assert queen.play_match(["random"], 2).records == []


def test_an_exception_of_progress_ends_the_match(queen: hansa.Game) -> None:
    def stop(played: int, total: int) -> None:
        raise LookupError(f"{played} of {total}")

    with pytest.raises(LookupError, match="of 3000000"):
        queen.play_match(["random"] * 3, 3_000_000, progress=stop)
