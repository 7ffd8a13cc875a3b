"""Records: replay, traces, files."""

from __future__ import annotations

import copy
import io
import json
import pickle
from pathlib import Path

import pytest

import hansa
from hansa import errors, records
from positions import walk


@pytest.fixture
def record(game: hansa.Game) -> hansa.Record:
    """One random game."""
    return game.sample(1, seed=1)[0]


def changed(record: hansa.Record, **keys: object) -> hansa.Record:
    """A record with some keys changed; ``None`` removes a key."""
    data = record.to_dict() | keys
    return hansa.Record.from_json({key: value for key, value in data.items() if value is not None})


def test_a_record_is_what_the_conventions_say(game: hansa.Game, record: hansa.Record) -> None:
    data = json.loads(record.to_json())
    assert list(data) == [
        "format",
        "version",
        "game",
        "players",
        "options",
        "rules",
        "moves",
        "scores",
        "ranks",
    ]
    assert (data["format"], data["version"]) == ("hansa-record", 1)
    assert (data["game"], data["players"], data["options"]) == (game.id, game.players, {})
    assert data["rules"] == record.rules_digest == game.rules_digest
    assert data["moves"] == record.moves
    assert len(record) == len(record.moves)
    assert record.to_dict() == data
    assert "\n" not in record.to_json()


def test_a_record_replays(game: hansa.Game, record: hansa.Record) -> None:
    last = record.replay()
    assert last.is_terminal()
    assert last == record.replay(game)
    assert (last.scores(), last.ranks()) == (record.scores, record.ranks)
    states = record.states()
    assert len(states) == len(record) + 1
    assert (states[0], states[-1]) == (game.new_initial_state(), last)
    assert record.load_game() == game


def test_a_record_of_moves(game: hansa.Game) -> None:
    record = game.sample(1, seed=2)[0]
    state, moves = game.new_initial_state(), []
    for notation in record.moves:
        parse = game.parse_chance if state.is_chance_node() else game.parse_action
        moves.append(parse(notation))
        state = state.apply(notation)
    assert hansa.Record(game, moves) == record
    assert hansa.Record(game, record.moves) == record
    begun = hansa.Record(game, (int(move) for move in moves[:30]))
    assert begun.moves == record.moves[:30]
    assert begun.scores is begun.ranks is None
    assert bool(hansa.Record(game))
    assert len(hansa.Record(game)) == 0


def test_extra_keys_are_kept(queen: hansa.Game) -> None:
    extra = {"bots": ["a", "b"], "note": {"z": [1, 2.5, None, True]}, "big": 2**63}
    record = hansa.Record(queen, extra=extra)
    assert record.extra == extra
    again = hansa.Record.from_json(record.to_json())
    assert again == record
    assert json.loads(again.to_json())["note"] == extra["note"]
    with pytest.raises(errors.FormatError, match="moves: is a key that every record has"):
        hansa.Record(queen, extra={"moves": []})


def test_a_sample_can_be_made_in_parts(game: hansa.Game) -> None:
    whole = game.sample(4, seed=3)
    assert whole == game.sample(2, seed=3) + game.sample(2, seed=3, first=2)
    assert len({record.to_json() for record in whole}) == 4
    assert whole != game.sample(4, seed=4)
    assert game.sample(0) == []


def test_a_sample_of_bots(queen: hansa.Game) -> None:
    greedy = queen.sample(2, seed=1, policy="greedy")
    assert greedy == queen.sample(2, seed=1, policy="greedy")
    assert greedy != queen.sample(2, seed=1)
    assert all(record.replay().is_terminal() for record in greedy)
    with pytest.raises(errors.BotError, match="did you mean 'greedy'"):
        queen.sample(1, policy="gredy")


def test_records_are_values(record: hansa.Record) -> None:
    for other in (pickle.loads(pickle.dumps(record)), copy.copy(record), copy.deepcopy(record)):
        assert other == record
        assert hash(other) == hash(record)
    assert str(record) == record.to_json()
    assert repr(record).startswith(f"<Record of {record.game_id} with {record.players} players")


def test_other_rules_are_refused_unless_told_otherwise(record: hansa.Record) -> None:
    other = changed(record, rules="0" * 64)
    with pytest.raises(
        errors.RecordError, match=f"digest {'0' * 64}, the rules in force have {record.rules_digest}"
    ):
        other.replay()
    with pytest.raises(errors.RecordError):
        other.trace()
    assert other.replay(any_rules=True) == record.replay()
    assert list(other.trace(any_rules=True)) == list(record.trace())
    unknown = changed(record, rules=None)
    assert unknown.rules_digest is None
    assert unknown.replay() == record.replay()


def test_a_move_that_cannot_be_played_is_shown(game: hansa.Game, record: hansa.Record) -> None:
    moves = record.moves
    place = next(index for index, state in enumerate(record.states()) if state.is_player_node())
    state = record.states()[place]
    index = next(index for index in range(game.num_distinct_actions) if index not in state.legal_actions())
    for bad in (str(game.action(index)), "dance", moves[0]):
        broken = changed(record, moves=[*moves[:place], bad, *moves[place + 1 :]])
        with pytest.raises(errors.RecordError) as caught:
            broken.replay()
        error = caught.value
        assert (error.index, error.move) == (place, bad)
        assert error.reason
        assert error.legal == [str(action) for action in state.legal_actions()]
        assert f"move {place}, `{bad}`, cannot be played" in str(error)
        lines = broken.trace()
        assert [json.loads(next(lines))["index"] for _ in range(place + 1)] == list(range(place + 1))
        with pytest.raises(errors.RecordError):
            next(lines)
        assert list(lines) == []
        with pytest.raises((errors.RecordError, errors.NotationError)):
            hansa.Record(game, broken.moves)


def test_moves_after_the_end(record: hansa.Record) -> None:
    with pytest.raises(errors.RecordError, match="takes no more moves"):
        changed(record, moves=[*record.moves, record.moves[-1]]).replay()


def test_wrong_scores_are_found(record: hansa.Record) -> None:
    assert record.scores is not None
    wrong = changed(record, scores=[score + 1 for score in record.scores])
    with pytest.raises(errors.RecordError, match="the record has the scores"):
        wrong.replay()
    with pytest.raises(errors.RecordError, match="the game is not over"):
        changed(record, moves=record.moves[:-1]).replay()
    assert changed(record, scores=None, ranks=None).replay() == record.replay()


def test_a_record_of_another_game(record: hansa.Record) -> None:
    other = hansa.load_game("queen_of_hansa", 2 if record.players != 2 else 3)
    with pytest.raises(errors.RecordError, match="not of queen_of_hansa"):
        record.replay(other)
    with pytest.raises(errors.UnknownGameError):
        changed(record, game="chess").replay()
    with pytest.raises(errors.PlayersError):
        changed(record, players=9).replay()
    option = next(info for info in hansa.games() if info.id == record.game_id).options[0]
    changed_game = hansa.load_game(record.game_id, record.players, options={option.name: option.values[1]})
    with pytest.raises(errors.RecordError, match="the record has the options"):
        record.replay(changed_game)


HEAD = '{"format":"hansa-record","version":1,"game":"x",'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON"),
        ("[]", "a record is a JSON object, found a list"),
        ("{}", 'format: must be "hansa-record", found ""'),
        ('{"format":"hansa-record","version":2}', "reads version 1, found 2"),
        ('{"format":"hansa-record","version":1}', "game: is missing"),
        (
            '{"format":"hansa-record","version":1,"game":"x","players":"3"}',
            "players: must be an integer, found a text",
        ),
        (
            '{"format":"hansa-record","version":1,"game":"x","players":3,"moves":[1]}',
            "moves[0]: must be a text",
        ),
    ],
)
def test_what_is_no_record_says_where(text: str, words: str) -> None:
    with pytest.raises(errors.FormatError) as caught:
        hansa.Record.from_json(text)
    assert words in str(caught.value)


def test_the_trace_shows_every_position(game: hansa.Game, record: hansa.Record) -> None:
    for views in (False, True):
        lines = [json.loads(line) for line in record.trace(views=views)]
        assert len(lines) == len(record) + 1
        for index, (line, state) in enumerate(zip(lines, record.states(), strict=True)):
            expected: dict[str, object] = {"index": index, "state": state.to_dict()}
            if state.is_chance_node():
                outcomes = sorted([str(outcome), weight] for outcome, weight in state.chance_outcomes())
                expected |= {"turn": "chance", "outcomes": outcomes}
            elif state.is_terminal():
                expected |= {"turn": "over", "scores": state.scores(), "ranks": state.ranks()}
            else:
                legal = sorted(str(action) for action in state.legal_actions())
                expected |= {"turn": state.current_player(), "legal": legal}
            if views:
                expected["views"] = [view.to_dict() for view in state.views()]
            assert line == expected
    assert json.loads(next(iter(record.trace(game))))["index"] == 0


def test_files_of_records(tmp_path: Path, game: hansa.Game) -> None:
    sample = game.sample(3, seed=5)
    path = tmp_path / "games.jsonl"
    assert records.write(sample, path) == 3
    assert list(records.read(path)) == sample
    assert list(records.read(str(path))) == sample
    with path.open() as file:
        assert list(records.read(file)) == sample
    buffer = io.StringIO()
    assert records.write(iter(sample), buffer) == 3
    assert buffer.getvalue() == path.read_text("utf-8")
    lines = ["", sample[0].to_json(), "  \n", "{"]
    read = records.read(lines)
    assert next(read) == sample[0]
    with pytest.raises(errors.FormatError, match="line 4: this is no JSON"):
        next(read)


def test_what_a_walk_and_a_record_reach_is_the_same(game: hansa.Game) -> None:
    states = walk(game, seed=9)
    record = game.sample(1, seed=9)[0]
    assert record.states()[0] == states[0]
    assert record.replay().census() == states[-1].census()
