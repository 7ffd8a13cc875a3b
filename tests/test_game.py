"""Games: loading, options, rules, equality, pickle."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from types import MappingProxyType

import pytest

import hansa
from hansa import errors


def test_the_catalogue_loads(game: hansa.Game) -> None:
    info = game.info
    assert info in hansa.games()
    assert (game.id, game.title, game.about) == (info.id, info.title, info.about)
    assert game.players in info.players
    assert game.options == {}
    assert game.all_options == {option.name: option.default for option in info.options}
    assert len(game.rules_digest) == 64
    assert set(game.rules_digest) <= set("0123456789abcdef")
    assert game.num_distinct_actions > 0
    assert game.max_chance_outcomes > 0
    assert game.state_size < 4096
    assert game.observation_size == sum(length for _, length in game.observation_layout)


def test_a_game_is_its_text(game: hansa.Game) -> None:
    assert hansa.load_game(str(game)) == game
    assert repr(game) == f"Game('{game}')"


def test_without_players_it_is_the_smallest_table() -> None:
    assert hansa.load_game("queen_of_hansa").players == 2


def test_options_and_their_text() -> None:
    game = hansa.load_game("queen_of_hansa", 3, options={"track": "long"})
    assert game.options == {"track": "long"}
    assert str(game) == "queen_of_hansa(players=3,track=long)"
    assert game == hansa.load_game("queen_of_hansa(players=3, track=long)")
    assert game == hansa.load_game("queen_of_hansa(players=3)", options=MappingProxyType({"track": "long"}))
    assert game != hansa.load_game("queen_of_hansa", 3)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"id": "queen_of_hnasa"}, errors.UnknownGameError, "did you mean `queen_of_hansa`"),
        ({"id": "chess"}, errors.UnknownGameError, "queen_of_hansa_v42"),
        ({"id": "queen_of_hansa", "players": 7}, errors.PlayersError, "2 to 4 players, not for 7"),
        ({"id": "queen_of_hansa", "players": -1}, errors.PlayersError, "2 to 4 players, not for -1"),
        ({"id": "queen_of_hansa(players=x)"}, errors.PlayersError, "`x` is no number of players"),
        ({"id": "queen_of_hansa(track)"}, ValueError, "write name=value"),
        ({"id": "queen_of_hansa", "options": {"trak": "long"}}, errors.OptionError, "did you mean `track`"),
        ({"id": "queen_of_hansa", "options": {"track": "short"}}, errors.OptionError, "standard, long"),
        ({"id": "queen_of_hansa", "options": {"track": 3}}, errors.OptionError, "must be a text, found 3"),
        ({"id": "queen_of_hansa", "rules": 3}, TypeError, "a path, a TOML text or a mapping, found int"),
    ],
)
def test_what_cannot_be_loaded_says_what_could(arguments: dict[str, object], error: type, words: str) -> None:
    with pytest.raises(error) as caught:
        hansa.load_game(**arguments)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_a_missing_file_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        hansa.load_game("queen_of_hansa", rules=tmp_path / "none.toml")
    with pytest.raises(FileNotFoundError):
        hansa.load_game("queen_of_hansa", rules=str(tmp_path / "none.toml"))


def test_the_whole_rule_text_changes_nothing(tmp_path: Path) -> None:
    for info in hansa.games():
        game = hansa.load_game(info.id)
        path = tmp_path / info.rules_name
        path.write_text(info.rules_text, "utf-8")
        for rules in (info.rules_text, path, str(path), "", {}, game.rules()):
            assert hansa.load_game(info.id, rules=rules) == game
            assert hansa.check_rules(info.id, rules) == []


def test_an_override_is_another_game_and_survives_pickle() -> None:
    embedded = hansa.load_game("queen_of_hansa", 2)
    key, value = next(
        (section, {key: value + 1})
        for section, table in embedded.rules().items()
        if isinstance(table, dict)
        for key, value in table.items()
        if _loads({section: {key: value + 1}} if type(value) is int else None)
    )
    game = hansa.load_game("queen_of_hansa", 2, rules={key: value})
    assert game != embedded
    assert game.rules_digest != embedded.rules_digest
    assert pickle.loads(pickle.dumps(game)) == game
    assert game.rules()[key] == embedded.rules()[key] | value
    state = embedded.new_initial_state()
    with pytest.raises(errors.FormatError, match="under other rules"):
        game.state_from_bytes(state.to_bytes())


def _loads(rules: dict[str, dict[str, int]] | None) -> bool:
    """Whether these are rules that can be played."""
    if rules is None:
        return False
    try:
        return hansa.load_game("queen_of_hansa", 2, rules=rules).players == 2
    except errors.RulesError:
        return False


def test_every_problem_of_an_override_is_listed() -> None:
    text = 'no_such_key = 1\n[meta]\nno_such_either = "x"\n'
    problems = hansa.check_rules("queen_of_hansa", text)
    assert {problem.line for problem in problems} >= {1}
    assert len(problems) == 2
    with pytest.raises(errors.RulesError) as caught:
        hansa.load_game("queen_of_hansa", rules=text)
    assert caught.value.problems == problems
    assert all(str(problem) in str(caught.value) for problem in problems)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.problems) == (errors.RulesError, str(caught.value), problems)


def test_damaged_toml_is_a_problem_with_its_line() -> None:
    (problem,) = hansa.check_rules("queen_of_hansa", "a = 1\nb = = 2\n")
    assert problem.line == 2


def test_games_are_values(game: hansa.Game) -> None:
    for other in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert other == game
        assert hash(other) == hash(game)
    assert game != "game"
    assert len({game, hansa.load_game(game.id, game.players)}) == 1


def test_infos_are_values() -> None:
    for info in hansa.games():
        assert pickle.loads(pickle.dumps(info)) == info
        assert info.version >= 1
        assert "players" not in info.rules_name
        for option in info.options:
            assert option.default == option.values[0]
            assert option.about
            assert hash(option) == hash(info.options[info.options.index(option)])
    assert len(set(hansa.games())) == len(hansa.games())


def test_indices_and_notations_are_checked(queen: hansa.Game) -> None:
    last = queen.num_distinct_actions - 1
    assert int(queen.action(last)) == last
    for index in (-1, last + 1, 10**12):
        with pytest.raises(errors.NotationError, match=f"the indices are 0 to {last}"):
            queen.action(index)
    with pytest.raises(errors.NotationError):
        queen.chance_outcome(queen.max_chance_outcomes)
    with pytest.raises(errors.NotationError, match="dance"):
        queen.parse_action("dance")
    with pytest.raises(errors.NotationError):
        queen.parse_chance("")


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_have_64_bits(queen: hansa.Game, seed: int) -> None:
    with pytest.raises(
        ValueError, match=f"seed must be an integer from 0 to 18446744073709551615, found {seed}"
    ):
        queen.playouts(1, seed)
    with pytest.raises(TypeError):
        hansa.Rng(1.5)  # type: ignore[arg-type]
