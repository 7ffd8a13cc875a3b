"""The reference implementation against the worked examples and the figures of the specification."""

import copy
import json
import random
import statistics
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from .determinize import (
    consistent_states,
    filter_worlds,
    hidden_joint,
    returned_marginal,
    ways_to_store,
)
from .play import random_move, random_record, trace
from .queen_of_hansa import (
    DRAFT,
    FINAL,
    Queen,
    Rules,
    city_profit,
    competition_ranks,
    deck_counts,
    golden_ship_profit,
    lay_weights,
    luxury_profit,
    parliament_profit,
    person_types_profit,
    persons_profit,
    prosperity_change,
    same_person_profit,
    slide,
    start_player_chooser,
    support,
    view_of_state,
    winners,
)

ROOT = Path(__file__).resolve().parents[2]
DATA: dict[str, Any] = tomllib.loads(
    (ROOT / "rust/hansa/data/queen_of_hansa.toml").read_text(encoding="utf-8")
)
EXAMPLES: list[dict[str, Any]] = json.loads(
    (ROOT / "tests/games/queen_of_hansa/examples.json").read_text(encoding="utf-8")
)["examples"]

CONFIGURATIONS: list[tuple[str, int, dict[str, str]]] = [
    (ruleset, players, options)
    for ruleset, options in ((FINAL, {}), (DRAFT, {}), (DRAFT, {"reading": "A"}), (FINAL, {"track": "long"}))
    for players in (4, 3, 2)
]
GAMES = 300


# ---------------------------------------------------------------- worked examples


def prosperity_after(
    start: list[int], order: list[int], last_space: int, scoring: Mapping[str, Any]
) -> list[int]:
    """The markers after the changes of a round."""
    indices = list(start)
    for number, city in enumerate(order, 1):
        indices[city] = prosperity_change(indices[city], number, last_space, scoring)
    return indices


def slide_result(row: list[str], taken: int, harbor_size: int) -> dict[str, Any]:
    """A take in the form of the examples."""
    card, rest, change = slide(row, taken, harbor_size)
    return {"taken": card, "row": rest, "change": change}


def narrative_move(given: Mapping[str, Any]) -> dict[str, Any]:
    """Play random games until the described move can be made, make it and tell what happened."""
    generator = random.Random(1)
    color = given["piece_on_card"]
    while True:
        queen = Queen(DATA, FINAL, 4, {})
        while queen.turn() != "over":
            if queen.phase == "play":
                area = queen.area_on_turn()
                spots = queen.board[given["from_city"]][: queen.rules.harbor_size]
                taken = [spot["card"] for spot in spots if spot["piece"] == color]
                played = [c for c in area.hand if queen.rules.cards[c].city == given["played"]["city"]]
                if taken and played:
                    before = dict(area.pieces)
                    queen.apply(f"play {played[0]} {given['played']['face']}")
                    queen.apply(f"take {taken[0]}")
                    assert area.kontor[-1]["card"] == played[0]
                    assert area.kontor[-1]["face"] == "up"
                    assert queen.rules.color_of_city["novgorod"] == color
                    gained = [c for c in before if area.pieces[c] > before[c]]
                    return {
                        "hand_size_after": len(area.hand),
                        "kontor_face_up_gain": f"{queen.rules.cards[played[0]].city} card",
                        "kontor_piece_gain": gained[0],
                    }
            queen.apply(random_move(queen, generator))


def example_result(example: Mapping[str, Any]) -> object:
    """What the reference says to a worked example."""
    given = example["input"]
    ruleset = FINAL if example["ruleset"] == "final" else DRAFT
    rules = Rules(DATA, ruleset, 4, {})
    scoring = rules.scoring
    match example["kind"]:
        case "ranking":
            return competition_ranks(given["values"])
        case "city_scoring":
            space = next(space for space in rules.spaces if space["fixed"] == given["space_fixed"])
            return city_profit(given["totals"], space)
        case "luxury_types":
            return [luxury_profit(number, scoring) for number in given["types"]]
        case "person_types":
            return [person_types_profit(number, scoring) for number in given["types"]]
        case "same_person":
            return [same_person_profit(number, scoring) for number in given["copies"]]
        case "persons":
            return persons_profit(given["counts"], scoring)
        case "golden_ship":
            return golden_ship_profit(given["ships"], scoring)
        case "rank_to_city":
            return parliament_profit(given["totals"], given["city_fixed"])
        case "prosperity_change":
            return prosperity_after(given["start"], given["order"], rules.last_space, scoring)
        case "support":
            return support(given["start"], rules.last_space, scoring)
        case "slide":
            return slide_result(given["row"], given["take"], rules.harbor_size)
        case "start_player_chooser":
            return start_player_chooser(given["turn_order"], given["profit"], ruleset)
        case "winner":
            return winners([(profit, second) for profit, second in given["keys"]])
        case "deck_counts":
            return list(deck_counts(DATA, ruleset, given["players"]))
        case "narrative_move":
            return narrative_move(given)
    raise AssertionError(f"unknown kind {example['kind']}")


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["id"] for example in EXAMPLES])
def test_example(example: dict[str, Any]) -> None:
    expected = example["expected"]
    if example["kind"] == "narrative_move":
        expected = {key: value for key, value in expected.items() if key != "note"}
    assert example_result(example) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("ruleset", "options"), [(FINAL, {}), (DRAFT, {"reading": "B"}), (DRAFT, {"reading": "A"})]
)
def test_decks_are_the_needed_cards(ruleset: str, options: dict[str, str], players: int) -> None:
    queen = Queen(DATA, ruleset, players, options)
    normal, luxury = len(queen.normal_deck), len(queen.luxury_deck)
    normal_first = ruleset == FINAL or options["reading"] == "A"
    assert deck_counts(DATA, ruleset, players) == ((normal, luxury) if normal_first else (luxury, normal))


def test_lay_weights() -> None:
    # notation 2: the first node with 4 players
    assert lay_weights({"normal": 12, "luxury": 8}, 36, 24) == (1, 1)
    # draft, 4 players, reading B: 8 of 28 normal, 12 of 32 luxury: a = 256, b = 336
    assert lay_weights({"normal": 8, "luxury": 12}, 28, 32) == (16, 21)
    assert lay_weights({"normal": 3, "luxury": 0}, 5, 0) == (1, 0)
    assert lay_weights({"normal": 0, "luxury": 2}, 0, 2) == (0, 1)


def test_reading_a_inverts_the_cards() -> None:
    cards = {reading: Rules(DATA, DRAFT, 4, {"reading": reading}).cards for reading in ("A", "B")}
    for code, card in cards["B"].items():
        inverted = cards["A"][code]
        assert inverted.luxury != card.luxury
        assert inverted.power + inverted.luxury == card.power + card.luxury


# ---------------------------------------------------------------- random games


def positions(record: Mapping[str, Any]) -> Iterator[Queen]:
    """The game at every position of a record (the same object, changing)."""
    queen = Queen(DATA, record["game"], record["players"], record["options"])
    yield queen
    for move in record["moves"]:
        queen.apply(move)
        yield queen


def check_position(queen: Queen, cards: int, pieces: int) -> None:
    """What holds at every position (spec 10)."""
    rules = queen.rules
    board = [spot for row in queen.board.values() for spot in row]
    where = [str(spot["card"]) for spot in board] + queen.normal_deck + queen.luxury_deck
    where += queen.removed_cards
    count = sum(queen.bag.values()) + sum(queen.removed_pieces.values())
    count += sum(spot["piece"] is not None for spot in board)
    for area in queen.areas:
        where += area.hand + [str(entry["card"]) for entry in area.kontor]
        count += sum(area.pieces.values())
    assert len(where) == len(set(where)) == cards
    assert set(where) == set(rules.cards)
    assert count == pieces
    if queen.phase not in ("lay", "draw"):
        assert all((spot["piece"] is not None) == queen.card(spot).luxury for spot in board)
    if queen.phase in ("marker", "take", "play", "extra", "store", "start"):
        on_turn = queen.turn()
        for player, area in enumerate(queen.areas):
            placed = queen.phase in ("marker", "take") and player == on_turn
            draft_extra = (
                queen.phase == "extra"
                and rules.draft
                and len(area.kontor) > 3 * (rules.turns_per_round // rules.players)
            )
            assert len(area.hand) == (1 if placed or draft_extra else 2)
    if queen.phase in ("play", "marker", "take", "extra", "store"):
        changed = sum(len(row) <= rules.harbor_size for row in queen.board.values())
        assert changed == queen.changes
    if queen.phase == "play" and queen.turns_played == 0:
        assert all(len(row) == rules.spaces_per_city for row in queen.board.values())
    if queen.phase in ("play", "marker", "take", "extra") and queen.round == 3:
        assert queen.normal_deck == queen.luxury_deck == []
    for move in queen.legal():
        assert move == " ".join(move.split()).lower()
    choices = queen.legal() or [notation for notation, _ in queen.outcomes()]
    assert choices == sorted(set(choices))
    assert (queen.turn() == "over") == (not choices)


FIXED_NODES: dict[tuple[str, str], dict[str, tuple[int, int, int]]] = {
    (FINAL, ""): {"draw": (24, 24, 16), "store": (8, 6, 4)},
    (DRAFT, ""): {"draw": (32, 28, 24)},
    (DRAFT, "A"): {"draw": (20, 22, 16)},
}
COMMON_NODES = {
    "lay": (52, 50, 40),
    "deal": (16, 12, 8),
    "keep": (4, 3, 2),
    "play": (48, 45, 36),
    "take": (48, 45, 36),
    "extra": (4, 3, 2),
    "start": (2, 2, 2),
}


@pytest.mark.parametrize(("ruleset", "players", "options"), CONFIGURATIONS)
def test_invariants(ruleset: str, players: int, options: dict[str, str]) -> None:
    nodes = {**COMMON_NODES, **FIXED_NODES[ruleset, options.get("reading", "")]}
    expected = {phase: numbers[4 - players] for phase, numbers in nodes.items()}
    cards = {4: 60, 3: 56, 2: 44}[players]
    pieces = 24 if ruleset == FINAL else 20
    for seed in range(12):
        record = random_record(DATA, ruleset, players, options, seed)
        assert record["options"] == options
        phases: Counter[str] = Counter()
        profits = [0] * players
        kontor_down = 0
        for queen in positions(record):
            check_position(queen, cards, pieces)
            if queen.phase != "over":
                phases[queen.phase] += 1
            if queen.phase in ("extra", "store", "over") or (queen.phase == "lay" and queen.turns_played):
                assert queen.changes in (3, 4)
                assert queen.turns_played == queen.rules.turns_per_round
            assert all(new >= old for new, old in zip(queen.scores(), profits, strict=True))
            profits = queen.scores()
            if queen.phase == "extra" and not kontor_down:
                kontor_down = sum(e["face"] == "down" for a in queen.areas for e in a.kontor)
            if queen.phase in ("extra", "over"):
                left = sum(len(row) for row in queen.board.values())
                assert left == {4: 4, 3: 5, 2: 4}[players]
        assert phases.pop("marker") == kontor_down
        assert dict(phases) == expected
        assert all(not area.hand for area in queen.areas)
        assert all(len(area.kontor) == {4: 13, 3: 16, 2: 19}[players] for area in queen.areas)
        assert len(queen.removed_cards) == players
        assert sum(queen.bag.values()) >= (8 if ruleset == FINAL and players == 2 else 0)
        assert (queen.scores(), queen.ranks()) == (record["scores"], record["ranks"])
        assert 0 in queen.ranks()


# Decision nodes, score mean, winner's mean of the specification (spec 10, draft 7), 4 / 3 / 2 players.
FIGURES: dict[str, dict[int, tuple[float, float, float]]] = {
    FINAL: {4: (138, 140, 167), 3: (127, 175, 199), 2: (100, 240, 258)},
    DRAFT: {4: (130, 121, 146), 3: (121, 145, 165), 2: (96, 205, 220)},
}


@pytest.mark.parametrize("players", [4, 3, 2])
@pytest.mark.parametrize("ruleset", [FINAL, DRAFT])
def test_figures_of_random_play(ruleset: str, players: int) -> None:
    decisions, scores, best = [], [], []
    options = single = 0
    for seed in range(GAMES):
        generator = random.Random(seed)
        queen = Queen(DATA, ruleset, players, {})
        number = 0
        while queen.turn() != "over":
            legal = queen.legal()
            number += bool(legal)
            options += len(legal)
            single += len(legal) == 1
            queen.apply(random_move(queen, generator))
        decisions.append(number)
        scores.append(statistics.mean(queen.scores()))
        best.append(max(queen.scores()))
    mean_decisions, mean_score, mean_best = FIGURES[ruleset][players]
    # Four standard errors of the means, plus the rounding of the figures.
    for values, expected in ((decisions, mean_decisions), (scores, mean_score), (best, mean_best)):
        tolerance = 4 * statistics.stdev(values) / len(values) ** 0.5 + 0.5
        assert statistics.mean(values) == pytest.approx(expected, abs=tolerance)
    assert 82 < min(decisions) <= max(decisions) < 156
    assert 4.6 < options / sum(decisions) < 5.0
    assert 0.01 < single / sum(decisions) < 0.08


# ---------------------------------------------------------------- traces, moves, views


def test_trace() -> None:
    record = random_record(DATA, FINAL, 3, {}, 5)
    found = list(trace(DATA, record, views=True))
    assert [position["index"] for position in found] == list(range(len(record["moves"]) + 1))
    assert found[0]["turn"] == "chance"
    assert set(found[0]) == {"index", "turn", "outcomes", "state", "views"}
    assert found[0]["outcomes"][0] == ["lay ber-01", 9]  # 12 x 24 to 8 x 32
    for position, move in zip(found, record["moves"], strict=False):
        assert position["turn"] == position["state"]["turn"]
        offered = position.get("legal") or [notation for notation, _ in position["outcomes"]]
        assert move in offered
        assert len(position["views"]) == 3
    assert set(found[-1]) == {"index", "turn", "scores", "ranks", "state", "views"}
    assert found[-1]["scores"] == record["scores"]
    assert json.loads(json.dumps(found)) == found
    assert all("views" not in position for position in trace(DATA, record, views=False))


def test_trace_is_the_same_for_equal_records() -> None:
    record = random_record(DATA, DRAFT, 2, {}, 6)
    assert list(trace(DATA, record, views=True)) == list(trace(DATA, copy.deepcopy(record), views=True))


def test_illegal_moves_are_refused() -> None:
    record = random_record(DATA, FINAL, 2, {}, 3)
    for queen in positions(record):
        before = queen.canonical_state()
        for move in ("", "pass", "take lon-99", "start 2", "draw green", "store red red red red red red red"):
            with pytest.raises(ValueError, match="spec"):
                queen.apply(move)
        assert queen.canonical_state() == before
    with pytest.raises(ValueError, match="spec 7"):
        queen.apply(record["moves"][-1])


def test_unknown_configurations_are_refused() -> None:
    for ruleset, players, options in (
        ("hansa", 3, {}),
        (FINAL, 5, {}),
        (FINAL, 3, {"reading": "B"}),
        (DRAFT, 3, {"reading": "C"}),
        (FINAL, 3, {"color": "red"}),
    ):
        with pytest.raises(ValueError, match=r"unknown ruleset|spec|notation"):
            Queen(DATA, ruleset, players, options)


def test_view_of_the_notation_example() -> None:
    none = {"red": 0, "blue": 0, "yellow": 0, "black": 0}
    other = {
        "profit": 0,
        "hand": ["nov-01"],
        "kontor": [
            {"card": "lon-04", "back": "normal", "face": "down", "took": "nov-01"},
            {"card": "nov-07", "back": "normal", "face": "down", "took": None},
        ],
        "pieces": none,
        "returned": ["bru-10", "nov-11"],
        "choice": None,
    }
    own = {**copy.deepcopy(other), "hand": ["bru-05", "nov-05"], "returned": ["ber-03", "nov-10"]}
    state = {"phase": "take", "normal_deck": ["ber-01"] * 14, "luxury_deck": ["ber-02"] * 10}
    view = view_of_state(Rules(DATA, FINAL, 2, {}), {**state, "players": [own, other]}, 0)
    assert (view["normal_deck"], view["luxury_deck"]) == (14, 10)
    assert view["players"][0] == own
    assert view["players"][1] == {
        "profit": 0,
        "hand": {"normal": 1, "luxury": 0},
        "kontor": [
            {"card": None, "back": "normal", "face": "down", "took": "nov-01"},
            {"card": None, "back": "normal", "face": "down", "took": None},
        ],
        "pieces": none,
        "returned": None,
        "choice": None,
    }


@pytest.mark.parametrize(("ruleset", "players", "options"), CONFIGURATIONS[:9])
def test_views_hide_what_they_must(ruleset: str, players: int, options: dict[str, str]) -> None:
    """Hidden moves look alike to the others; nothing hidden leaks into a view."""
    generator = random.Random(players)
    queen = Queen(DATA, ruleset, players, options)
    while queen.turn() != "over":
        move = random_move(queen, generator)
        after = queen.clone()
        after.apply(move)
        turn = queen.turn()
        if after.phase != "over" and (turn != "chance" or move.startswith("deal")):
            actor = turn if isinstance(turn, int) else int(move.split()[1])
            others = [player for player in range(players) if player != actor]
            notations = queen.legal() or [notation for notation, _ in queen.outcomes()]
            alike = [other for other in notations if looks_alike(queen, move, other)]
            for notation in alike[:4]:
                second = queen.clone()
                second.apply(notation)
                if second.phase == queen.phase or move.startswith(("deal", "play", "keep")):
                    assert all(second.view(player) == after.view(player) for player in others)
                if notation != move:
                    assert second.view(actor) != after.view(actor)
        queen = after


def looks_alike(queen: Queen, move: str, other: str) -> bool:
    """Do the others see the same of two moves, as long as nothing is disclosed (notation 1)?"""
    if move == other:
        return True
    words, other_words = move.split(), other.split()
    if queen.phase in ("deal", "keep"):
        return True
    if queen.phase in ("store", "extra") and not (queen.rules.draft and queen.phase == "extra"):
        pending = sum(area.choice is None for area in queen.areas)
        return pending > 1  # not for the last one, which discloses everything
    if queen.phase in ("play", "extra"):
        cards = queen.rules.cards
        same_back = cards[words[1]].back == cards[other_words[1]].back
        return words[2] == other_words[2] == "down" and same_back
    return False


# ---------------------------------------------------------------- determinization


SMALL_ROWS = {
    # turns, spaces, set-up and refill of the hand deck, the same of the other deck, cards dealt
    2: (2, 3, (4, 3), (8, 1), 4),
    3: (2, 3, (3, 2), (9, 4), 3),
}


def small_data(ruleset: str, reading: str, players: int) -> dict[str, Any]:
    """A tiny game: 3 spaces a city, 2 turns a round, few hidden possibilities."""
    data = copy.deepcopy(DATA)
    rules = data["v42" if ruleset == DRAFT else "final"]
    turns, spaces, hand, other, dealt = SMALL_ROWS[players]
    hand_is_luxury = reading == "A"
    wanted = {
        hand_is_luxury: hand[0] + 2 * hand[1] + 2 * players,
        not hand_is_luxury: other[0] + 2 * other[1],
    }
    chosen = []
    # Ships first, so that there is something to store; then the cities in turn.
    for card in sorted(rules["deck"]["cards"], key=lambda c: (not c.get("ship", False), c["code"][4:])):
        luxury = bool(card["luxury"]) != (reading == "A")
        if card["min_players"] <= players and wanted[luxury] > 0:
            wanted[luxury] -= 1
            chosen.append(card)
    assert not any(wanted.values())
    rules["deck"]["cards"] = chosen
    rules["initial_deal"] = dealt
    row = rules["players"][str(players)]
    first, second = ("column2", "column1") if ruleset == DRAFT else ("normal", "luxury")
    row.update({"turns_per_round": turns, "spaces_per_city": spaces})
    row.update({f"setup_{first}": hand[0], f"refill_{first}": hand[1]})
    row.update({f"setup_{second}": other[0], f"refill_{second}": other[1]})
    return data


def is_hidden(phase: str, move: str, actor: int | str, observer: int) -> bool:
    """May the observer have failed to see all of this move (notation 1, 2)?"""
    if phase == "deal":
        return int(move.split()[1]) != observer
    return actor not in ("chance", observer) and phase in ("keep", "play", "extra", "store")


def brute_force(truth: Queen, moves: list[str], observer: int) -> Iterator[dict[str, Fraction]]:
    """After every move all states that agree with all views so far, by playing every hidden alternative."""
    games = {"start": (truth.clone(), Fraction(1))}
    for move in moves:
        phase, actor = truth.phase, truth.turn()
        truth.apply(move)
        following: dict[str, tuple[Queen, Fraction]] = {}
        for queen, weight in games.values():
            ways = queen.outcomes() or [(notation, 1) for notation in queen.legal()]
            if phase == "store":
                pieces = queen.area_on_turn().pieces
                ways = [(notation, ways_to_store(notation, pieces)) for notation, _ in ways]
            total = sum(number for _, number in ways)
            for notation, number in ways:
                if notation != move and not is_hidden(phase, move, actor, observer):
                    continue
                alternative = queen.clone()
                alternative.apply(notation)
                if alternative.view(observer) == truth.view(observer):
                    text = json.dumps(alternative.canonical_state(), sort_keys=True)
                    _, sum_so_far = following.get(text, (alternative, Fraction(0)))
                    following[text] = alternative, sum_so_far + weight * Fraction(number, total)
        games = following
        whole = sum((weight for _, weight in games.values()), Fraction(0))
        yield {text: weight / whole for text, (_, weight) in games.items()}


def as_distribution(states: list[tuple[dict[str, Any], Fraction]]) -> dict[str, Fraction]:
    """States as text, with their weights; every state must occur once."""
    found = {json.dumps(state, sort_keys=True): weight for state, weight in states}
    assert len(found) == len(states)
    return found


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "observer", "seed"),
    [
        (FINAL, 2, {}, 0, 105),  # these two have a pending store with several options
        (FINAL, 2, {}, 1, 99),
        (FINAL, 3, {}, 1, 10),
        (DRAFT, 2, {}, 0, 40),
        (DRAFT, 2, {}, 1, 41),
        (DRAFT, 2, {"reading": "A"}, 0, 40),
        (DRAFT, 2, {"reading": "A"}, 1, 41),
    ],
)
def test_consistent_states_equal_brute_force(
    ruleset: str, players: int, options: dict[str, str], observer: int, seed: int
) -> None:
    data = small_data(ruleset, options.get("reading", ""), players)
    moves = random_record(data, ruleset, players, options, seed)["moves"]
    before_the_deal = 12  # nothing is hidden so far
    uneven = 0
    game = Queen(data, ruleset, players, options)
    for number, expected in enumerate(brute_force(game, moves, observer), 1):
        if number > before_the_deal:
            states = consistent_states(data, moves[:number], ruleset, players, options, observer)
            assert as_distribution(states) == expected
            uneven += len(set(expected.values())) > 1
    if ruleset == FINAL and players == 2:
        assert uneven == 1


def test_store_is_weighed_by_pieces() -> None:
    """A pending store: three red pieces and a blue one make red three times as likely."""
    assert ways_to_store("store red", {"red": 3, "blue": 1}) == 3
    assert ways_to_store("store red red", {"red": 3, "blue": 1}) == 3
    assert ways_to_store("store red blue", {"red": 3, "blue": 1}) == 3
    assert ways_to_store("store none", {"red": 3, "blue": 1}) == 1


def prefixes(moves: list[str], ruleset: str, options: Mapping[str, str], wanted: int) -> list[int]:
    """Some positions of a 2-player game from the keep to the end, evenly spread."""
    queen = Queen(DATA, ruleset, 2, options)
    begin = 0
    while queen.phase != "play":
        queen.apply(moves[begin])
        begin += 1
    step = max(1, (len(moves) - begin) // wanted)
    return [*range(begin - 1, len(moves), step), len(moves)]


@pytest.mark.parametrize(
    ("ruleset", "options", "observer"), [(FINAL, {}, 0), (DRAFT, {}, 1), (DRAFT, {"reading": "A"}, 0)]
)
def test_consistent_states_of_real_games(ruleset: str, options: dict[str, str], observer: int) -> None:
    moves = mostly_open_record(ruleset, options, 11)
    for number in prefixes(moves, ruleset, options, 9):
        queen = Queen(DATA, ruleset, 2, options)
        for move in moves[:number]:
            queen.apply(move)
        view = queen.view(observer)
        states = consistent_states(DATA, moves[:number], ruleset, 2, options, observer)
        assert sum((weight for _, weight in states), Fraction(0)) == 1
        assert len({weight for _, weight in states}) == 1 or queen.phase == "store"
        assert any(state == queen.canonical_state() for state, _ in states)
        assert len(as_distribution(states)) == len(states)
        for state, _ in states[:: max(1, len(states) // 200)]:
            assert state["turn"] == queen.turn()
            assert view_of_state(queen.rules, state, observer) == view
        if queen.round == 3:  # spec 8: with 2 players the unseen cards are known
            other = 1 - observer
            unseen = set()
            for state, _ in states:
                player = state["players"][other]
                unseen.add(frozenset(player["hand"]) | {entry["card"] for entry in player["kontor"]})
            assert len(unseen) == 1


def mostly_open_record(ruleset: str, options: Mapping[str, str], seed: int) -> list[str]:
    """A 2-player game with few face-down plays, so that the lists of states stay short."""
    generator = random.Random(seed)
    queen = Queen(DATA, ruleset, 2, options)
    moves = []
    while queen.turn() != "over":
        move = random_move(queen, generator)
        if queen.phase in ("play", "extra") and move.endswith(" down") and generator.random() < 0.6:
            move = move.replace(" down", " up")
        queen.apply(move)
        moves.append(move)
    return moves


@pytest.mark.parametrize(("ruleset", "observer"), [(FINAL, 0), (FINAL, 1), (DRAFT, 0)])
def test_hints_and_factors_change_nothing(ruleset: str, observer: int) -> None:
    moves = mostly_open_record(ruleset, {}, 12)
    for number in prefixes(moves, ruleset, {}, 4)[1:-1]:
        prefix = moves[:number]
        worlds = filter_worlds(DATA, prefix, ruleset, 2, {}, observer)
        assert worlds == filter_worlds(DATA, prefix, ruleset, 2, {}, observer, use_hints=False)
        joint: dict[Any, Fraction] = {}
        marginals: list[dict[Any, Fraction]] = [{}, {}]
        for world, weight in worlds.items():
            short = world._replace(returned=((), ()))
            joint[short] = joint.get(short, Fraction(0)) + weight
            for player in range(2):
                cards = world.returned[player]
                marginals[player][cards] = marginals[player].get(cards, Fraction(0)) + weight
        assert hidden_joint(DATA, prefix, ruleset, 2, {}, observer) == joint
        assert returned_marginal(DATA, prefix, ruleset, 2, {}, observer) == marginals


def test_joint_with_four_players_in_round_three() -> None:
    """Both decks are empty, so the first cards of the others are what nobody has seen (spec 8)."""
    record = random_record(DATA, FINAL, 4, {}, 13)
    queen = Queen(DATA, FINAL, 4, {})
    number = 0
    while queen.round < 3:
        queen.apply(record["moves"][number])
        number += 1
    worlds = hidden_joint(DATA, record["moves"][:number], FINAL, 4, {}, 2)
    truth = queen.canonical_state()
    hands = tuple(tuple(player["hand"]) for player in truth["players"])
    assert any(world.hands == hands for world in worlds)
    assert sum(worlds.values(), Fraction(0)) == 1
    everything = {
        frozenset(card for cards in (*world.hands, *world.downs) for card in cards) for world in worlds
    }
    assert len(everything) == 1
