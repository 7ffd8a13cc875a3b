"""All states that agree with what one player has seen: an exhaustive oracle for determinizations.

What is enumerated (conventions, Determinization; spec 8). The observer remembers everything seen since the
start, so `observations` first turns the moves of a game into the list of what the observer saw of each. A
*hidden world* then says what the observer could not see: the hands, the cards of every face-down play, the
returned cards and the pending simultaneous choices of all players. `filter_worlds` starts with the one empty
world and, observation by observation, branches over every hidden possibility and drops what contradicts:

* a card dealt to somebody else: any card of the world's hand deck, all alike;
* a hidden keep: any two of the four cards, all alike;
* a hidden face-down play: either hand card with the back that was seen, all alike;
* a pending placement: any of the four options, all alike; what becomes public later is compared then;
* a pending store: every piece alike, so a set of colors weighs as many ways as its pieces can be picked;
  `store_by_pieces=False` weighs every option alike instead. This matters only between the first and the last
  choice of one store phase, as stored pieces are public afterwards.

Every factor that is the same for all worlds (e.g. the probability of a public draw) is left out; at the end
the weights are divided by their sum. A world decides the decks too: whatever lies nowhere else. So a full
state is a hidden world put into the public part of the position, and the two correspond one to one.

`consistent_states` is the complete list, good for 2 players and for small rule data. `hidden_joint` is its
marginal without the `returned` cards, `returned_marginal` the marginal of those. They may be factored
because the returned cards went back into the deck before anything else happened: given all the cards kept,
each choice of returned cards (hand-deck cards neither laid at set-up, nor dealt to the observer, nor kept by
somebody) is as likely as each other whatever was laid and played later.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from .queen_of_hansa import Queen, Rules, State

Cards = tuple[str, ...]
Item = TypeVar("Item")


class World(NamedTuple):
    """What one player cannot see, for all players; the observer's own entries are simply known."""

    hands: tuple[Cards, ...]  # sorted
    downs: tuple[Cards, ...]  # the face-down cards of every Kontor, in order of play
    returned: tuple[Cards, ...]  # sorted
    choices: tuple[str | None, ...]  # pending simultaneous choices


Worlds = dict[World, Fraction]


class TooManyWorldsError(Exception):
    """More hidden worlds than the caller allows."""


@dataclass(frozen=True)
class Seen:
    """What the observer sees of one event; None stands for what is hidden."""

    kind: str  # lay, deal, choose, keep, extra, store, place, take, over
    player: int = -1
    card: str | None = None
    face: str | None = None
    back: str | None = None
    choice: str | None = None
    options: tuple[tuple[str, int], ...] = ()  # store: every option with its number of ways
    shown: tuple[tuple[str, ...], ...] = field(default=())  # over: the face-down cards of every Kontor


# ---------------------------------------------------------------- what was seen


def ways_to_store(choice: str, pieces: Mapping[str, int]) -> int:
    """In how many ways the single pieces of a store option can be picked."""
    words = choice.split()[1:]
    return math.prod(math.comb(number, words.count(color)) for color, number in pieces.items())


def observations(queen: Queen, moves: Sequence[str], observer: int, store_by_pieces: bool) -> list[Seen]:
    """Play the moves on a game and note what the observer sees of each (spec 8, 9; notation 1, 2)."""
    seen: list[Seen] = []
    rules = queen.rules
    for move in moves:
        phase, turn, words = queen.phase, queen.turn(), move.split()
        player = turn if isinstance(turn, int) else -1
        own = player == observer
        pieces = dict(queen.areas[player].pieces)
        legal = queen.legal()
        before = [len(area.kontor) for area in queen.areas]
        queen.apply(move)
        if phase == "lay":
            seen.append(Seen("lay", card=words[1]))
        elif phase == "deal":
            receiver = int(words[1])
            seen.append(Seen("deal", receiver, card=words[2] if receiver == observer else None))
        elif phase == "take":
            seen.append(Seen("take", player, card=words[1]))
        elif phase == "play" or (phase == "extra" and rules.draft):
            seen.append(placement(rules, player, words[1], words[2], own))
        elif phase in ("keep", "extra", "store"):
            options: tuple[tuple[str, int], ...] = ()
            if phase == "store":
                options = tuple(
                    (option, ways_to_store(option, pieces) if store_by_pieces else 1) for option in legal
                )
            seen.append(Seen("choose", player, choice=move if own else None, options=options))
            if queen.phase != phase:  # that was the last choice: everything takes effect (spec 3)
                seen += disclosed(queen, phase, observer, before)
        if queen.phase == "over":  # spec 7.1: all Kontor cards are public
            shown = tuple(
                tuple(str(entry["card"]) for entry in area.kontor if entry["face"] == "down")
                for area in queen.areas
            )
            seen.append(Seen("over", shown=shown))
    return seen


def placement(rules: Rules, player: int, card: str, face: str, own: bool) -> Seen:
    """A card played: the others see a face-down one's back only."""
    visible = own or face == "up"
    return Seen("place", player, card=card if visible else None, face=face, back=rules.cards[card].back)


def disclosed(queen: Queen, phase: str, observer: int, before: Sequence[int]) -> list[Seen]:
    """What becomes public when the last simultaneous choice has been made."""
    if phase != "extra":
        # The chosen pieces of a store are public from now on; they decide nothing that is hidden.
        return [Seen(phase)]
    placed = []
    for player, area in enumerate(queen.areas):
        entry = area.kontor[before[player]]
        placed.append(
            placement(queen.rules, player, str(entry["card"]), str(entry["face"]), player == observer)
        )
    return [Seen("extra"), *placed]


# ---------------------------------------------------------------- branching over what was hidden


@dataclass(frozen=True)
class Hints:
    """What later observations say about the first cards; used only to drop doomed branches early."""

    dealt_to_observer: frozenset[str]
    seen_on_board: frozenset[str]
    shown_first_cards: Mapping[int, frozenset[str]]  # cards shown by a player who never took them

    def may_get(self, player: int, card: str) -> bool:
        """Can this card have been dealt to this other player?"""
        shown_by_others = any(
            card in cards for other, cards in self.shown_first_cards.items() if other != player
        )
        return card not in self.dealt_to_observer and not shown_by_others

    def may_keep(self, player: int, kept: Sequence[str]) -> bool:
        """Can this other player have kept these cards?"""
        if any(card in self.seen_on_board or not self.may_get(player, card) for card in kept):
            return False
        return self.shown_first_cards[player] <= set(kept)


def hints_from(seen: Sequence[Seen], players: int) -> Hints:
    """Read the hints from the observations."""
    taken: dict[int, set[str]] = {player: set() for player in range(players)}
    shown: dict[int, set[str]] = {player: set() for player in range(players)}
    for event in seen:
        if event.kind == "take" and event.card is not None:
            taken[event.player].add(event.card)
        elif event.kind == "place" and event.card is not None:
            shown[event.player].add(event.card)
        elif event.kind == "over":
            for player, cards in enumerate(event.shown):
                shown[player].update(cards)
    return Hints(
        dealt_to_observer=frozenset(e.card for e in seen if e.kind == "deal" and e.card is not None),
        seen_on_board=frozenset(e.card for e in seen if e.kind == "lay" and e.card is not None),
        shown_first_cards={player: frozenset(shown[player] - taken[player]) for player in range(players)},
    )


def no_hints(players: int) -> Hints:
    """Drop nothing early; gives the same result, slower."""
    return Hints(frozenset(), frozenset(), {player: frozenset() for player in range(players)})


def exchange(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """A tuple with one item exchanged."""
    return (*items[:index], item, *items[index + 1 :])


def without(cards: Cards, card: str) -> Cards:
    """Sorted cards with one removed."""
    return tuple(other for other in cards if other != card)


class Filter:
    """Carries the hidden worlds from one observation to the next."""

    def __init__(self, rules: Rules, observer: int, hints: Hints, limit: int) -> None:
        self.rules = rules
        self.observer = observer
        self.hints = hints
        self.limit = limit
        nothing: tuple[Cards, ...] = ((),) * rules.players
        self.worlds: Worlds = {World(nothing, nothing, nothing, (None,) * rules.players): Fraction(1)}
        # The hand deck of a world before the keep = these cards without those dealt in that world.
        self.not_laid = {card.code for card in rules.cards.values() if card.back == rules.hand_deck}

    def see(self, event: Seen) -> None:
        """Replace the worlds by all their continuations that agree with an observation."""
        following: Worlds = {}
        for world, weight in self.worlds.items():
            for continuation, share in self.continuations(world, event):
                following[continuation] = following.get(continuation, Fraction(0)) + weight * share
            if len(following) > self.limit:
                raise TooManyWorldsError(f"more than {self.limit} hidden worlds")
        if not following:
            raise AssertionError(f"no hidden world agrees with {event}")
        self.worlds = following
        if event.kind == "lay" and event.card is not None:
            self.not_laid.discard(event.card)

    def continuations(self, world: World, event: Seen) -> Iterator[tuple[World, Fraction]]:
        """All continuations of one world with their probabilities before the evidence."""
        if event.kind == "lay":
            # A laid card came from a deck, so nobody holds it or has played it.
            held = {card for cards in (*world.hands, *world.downs) for card in cards}
            if event.card not in held:
                yield world, Fraction(1)
        elif event.kind == "deal":
            yield from self.after_deal(world, event)
        elif event.kind == "choose":
            yield from self.after_choice(world, event)
        elif event.kind == "keep":
            yield self.after_keep(world), Fraction(1)
        elif event.kind == "extra":
            # The placements follow one by one, each compared with the world's own pending choice.
            yield world, Fraction(1)
        elif event.kind == "store":
            yield world._replace(choices=(None,) * self.rules.players), Fraction(1)
        elif event.kind == "place":
            yield from self.after_placement(world, event)
        elif event.kind == "take":
            assert event.card is not None
            hand = tuple(sorted((*world.hands[event.player], event.card)))
            yield world._replace(hands=exchange(world.hands, event.player, hand)), Fraction(1)
        elif world.downs == event.shown:  # over; the left-over cards leave the hands, their set is public
            yield world._replace(hands=((),) * self.rules.players), Fraction(1)

    def after_deal(self, world: World, event: Seen) -> Iterator[tuple[World, Fraction]]:
        """Every card of the deck alike (spec 9)."""
        deck = self.not_laid - set(itertools.chain(*world.hands))
        for card in sorted(deck):
            if event.player == self.observer:
                possible = card == event.card
            else:
                possible = self.hints.may_get(event.player, card)
            if possible:
                hand = tuple(sorted((*world.hands[event.player], card)))
                hands = exchange(world.hands, event.player, hand)
                yield world._replace(hands=hands), Fraction(1, len(deck))

    def after_choice(self, world: World, event: Seen) -> Iterator[tuple[World, Fraction]]:
        """A simultaneous choice: known to its owner, else every possibility."""
        player = event.player
        if event.choice is not None:
            yield world._replace(choices=exchange(world.choices, player, event.choice)), Fraction(1)
            return
        hand = world.hands[player]
        if event.options:  # store
            ways = list(event.options)
        elif len(hand) == self.rules.initial_deal:  # keep
            pairs = itertools.combinations(hand, self.rules.initial_keep)
            ways = [(" ".join(["keep", *pair]), 1) for pair in pairs]
        else:  # extra
            ways = [(f"play {card} {face}", 1) for card in hand for face in ("up", "down")]
        total = sum(number for _, number in ways)
        for choice, number in ways:
            words = choice.split()
            if words[0] == "keep" and not self.hints.may_keep(player, words[1:]):
                continue
            yield world._replace(choices=exchange(world.choices, player, choice)), Fraction(number, total)

    def after_keep(self, world: World) -> World:
        """All keeps take effect (spec 2.6)."""
        hands, returned = [], []
        for hand, choice in zip(world.hands, world.choices, strict=True):
            assert choice is not None
            kept = choice.split()[1:]
            hands.append(tuple(sorted(kept)))
            returned.append(tuple(card for card in hand if card not in kept))
        nothing: tuple[str | None, ...] = (None,) * self.rules.players
        return World(tuple(hands), world.downs, tuple(returned), nothing)

    def after_placement(self, world: World, event: Seen) -> Iterator[tuple[World, Fraction]]:
        """A card played: any hand card that looks like what was seen (conventions, Determinization)."""
        player = event.player
        hand = world.hands[player]
        choice = world.choices[player]
        if choice is not None:  # the placement was already chosen in this world (spec 4.4)
            card, face = choice.split()[1:]
            if face != event.face or self.rules.cards[card].back != event.back:
                return
            if event.card is not None and event.card != card:
                return
            candidates: Cards = (card,)
        elif event.card is not None:
            candidates = (event.card,) if event.card in hand else ()
        else:
            candidates = tuple(card for card in hand if self.rules.cards[card].back == event.back)
        for card in candidates:
            downs = world.downs
            if event.face == "down":
                downs = exchange(downs, player, (*downs[player], card))
            yield (
                World(
                    exchange(world.hands, player, without(hand, card)),
                    downs,
                    world.returned,
                    exchange(world.choices, player, None),
                ),
                Fraction(1, len(candidates)),
            )


def normalized(worlds: Worlds) -> Worlds:
    """Weights that add up to 1."""
    total = sum(worlds.values(), Fraction(0))
    return {world: weight / total for world, weight in worlds.items()}


def filter_worlds(
    data: Mapping[str, Any],
    moves: Sequence[str],
    ruleset: str,
    players: int,
    options: Mapping[str, str],
    observer: int,
    *,
    store_by_pieces: bool = True,
    use_hints: bool = True,
    limit: int = 4_000_000,
) -> Worlds:
    """All hidden worlds that agree with what the observer has seen, with their probabilities."""
    queen = Queen(data, ruleset, players, options)
    seen = observations(queen, moves, observer, store_by_pieces)
    hints = hints_from(seen, players) if use_hints else no_hints(players)
    carrier = Filter(queen.rules, observer, hints, limit)
    for event in seen:
        carrier.see(event)
    return normalized(carrier.worlds)


# ---------------------------------------------------------------- full states


def state_of_world(rules: Rules, true_state: Mapping[str, Any], world: World) -> State:
    """The canonical state of a hidden world: the public part comes from the true position."""
    over = true_state["phase"] == "over"
    state: State = dict(true_state)
    placed: set[str] = set(true_state["removed_cards"])
    for row in true_state["board"].values():
        placed.update(spot["card"] for spot in row)
    state["players"] = []
    for number, true_player in enumerate(true_state["players"]):
        downs = iter(world.downs[number])
        kontor = [
            {**entry, "card": next(downs)} if entry["face"] == "down" else dict(entry)
            for entry in true_player["kontor"]
        ]
        hand = [] if over else list(world.hands[number])
        placed.update(hand)
        placed.update(entry["card"] for entry in kontor)
        state["players"].append(
            {
                **true_player,
                "hand": hand,
                "kontor": kontor,
                "returned": list(world.returned[number]),
                "choice": world.choices[number],
            }
        )
    left = sorted(card.code for card in rules.cards.values() if card.code not in placed)
    state["normal_deck"] = [card for card in left if not rules.cards[card].luxury]
    state["luxury_deck"] = [card for card in left if rules.cards[card].luxury]
    return state


def iterate_consistent_states(
    data: Mapping[str, Any],
    moves: Sequence[str],
    ruleset: str,
    players: int,
    options: Mapping[str, str],
    observer: int,
    *,
    store_by_pieces: bool = True,
    limit: int = 4_000_000,
) -> Iterator[tuple[State, Fraction]]:
    """Like `consistent_states`, one state at a time."""
    worlds = filter_worlds(
        data, moves, ruleset, players, options, observer, store_by_pieces=store_by_pieces, limit=limit
    )
    queen = Queen(data, ruleset, players, options)
    for move in moves:
        queen.apply(move)
    true_state = queen.canonical_state()
    for world, weight in worlds.items():
        yield state_of_world(queen.rules, true_state, world), weight


def consistent_states(
    data: Mapping[str, Any],
    record_prefix_moves: Sequence[str],
    ruleset: str,
    players: int,
    options: Mapping[str, str],
    observer: int,
    *,
    store_by_pieces: bool = True,
    limit: int = 200_000,
) -> list[tuple[State, Fraction]]:
    """All full states that agree with what the observer has seen since the start; the weights add up to 1.

    Every state occurs once. The states share their public parts, so they are for reading only. The rule data
    must use up both decks, as all real data do: else the left-over cards do not follow by elimination.
    """
    return list(
        iterate_consistent_states(
            data,
            record_prefix_moves,
            ruleset,
            players,
            options,
            observer,
            store_by_pieces=store_by_pieces,
            limit=limit,
        )
    )


# ---------------------------------------------------------------- factored


def first_cards(rules: Rules, seen: Sequence[Seen]) -> set[str]:
    """Hand-deck cards that others may have been dealt: not laid at set-up, not dealt to the observer."""
    possible = {card.code for card in rules.cards.values() if card.back == rules.hand_deck}
    for event in seen:
        if event.kind == "choose":
            break
        if event.card is not None:
            possible.discard(event.card)
    return possible


def kept_pairs(
    carrier: Filter, player: int, possible: set[str], world: World
) -> Iterator[tuple[World, Fraction]]:
    """Every pair that a player may have kept, all alike, in worlds without returned cards."""
    left = sorted(possible - set(itertools.chain(*world.hands)))
    share = Fraction(1, math.comb(len(left), carrier.rules.initial_keep))
    for pair in itertools.combinations(left, carrier.rules.initial_keep):
        if carrier.hints.may_keep(player, pair):
            yield world._replace(hands=exchange(world.hands, player, pair)), share


def hidden_joint(
    data: Mapping[str, Any],
    moves: Sequence[str],
    ruleset: str,
    players: int,
    options: Mapping[str, str],
    observer: int,
    *,
    store_by_pieces: bool = True,
    limit: int = 4_000_000,
) -> Worlds:
    """The joint of hands, face-down cards and pending choices, after the keep; `returned` stays empty."""
    queen = Queen(data, ruleset, players, options)
    seen = observations(queen, moves, observer, store_by_pieces)
    return normalized(joint_worlds(queen, seen, observer, limit))


def joint_worlds(queen: Queen, seen: Sequence[Seen], observer: int, limit: int) -> Worlds:
    """The work of `hidden_joint`, with weights that do not add up to 1 yet."""
    kinds = [event.kind for event in seen]
    if "keep" not in kinds:
        raise ValueError("the factored form begins when all players have kept their cards")
    end_of_keep = kinds.index("keep")
    players = queen.rules.players
    carrier = Filter(queen.rules, observer, hints_from(seen, players), limit)
    own = next(e.choice for e in seen[:end_of_keep] if e.kind == "choose" and e.player == observer)
    assert own is not None
    (empty,) = carrier.worlds
    worlds: Worlds = {
        empty._replace(hands=exchange(empty.hands, observer, tuple(own.split()[1:]))): Fraction(1)
    }
    possible = first_cards(queen.rules, seen)
    for player in range(players):
        if player == observer:
            continue
        worlds = {
            world: weight * share
            for before, weight in worlds.items()
            for world, share in kept_pairs(carrier, player, possible, before)
        }
        if len(worlds) > limit:
            raise TooManyWorldsError(f"more than {limit} hidden worlds")
    carrier.worlds = worlds
    for event in seen[end_of_keep + 1 :]:
        carrier.see(event)
    return carrier.worlds


def kept_of_world(seen: Sequence[Seen], world: World) -> set[str]:
    """The first cards of all players in a world: whatever they hold or played and never took."""
    taken = {event.card for event in seen if event.kind == "take"}
    up = {event.card for event in seen if event.kind == "place" and event.face == "up"}
    left_over = {card for cards in world.hands for card in cards}
    down = {card for cards in world.downs for card in cards}
    return {str(card) for card in (up | left_over | down) - taken}


def returned_marginal(
    data: Mapping[str, Any],
    moves: Sequence[str],
    ruleset: str,
    players: int,
    options: Mapping[str, str],
    observer: int,
    *,
    limit: int = 4_000_000,
) -> list[dict[Cards, Fraction]]:
    """For every player the distribution of the returned cards, before the end of the game."""
    queen = Queen(data, ruleset, players, options)
    seen = observations(queen, moves, observer, True)
    if queen.phase == "over":
        raise ValueError("at the end the left-over cards are in nobody's hand; use the full enumeration")
    worlds = normalized(joint_worlds(queen, seen, observer, limit))
    possible = first_cards(queen.rules, seen)
    number = queen.rules.initial_deal - queen.rules.initial_keep
    marginal: dict[Cards, Fraction] = {}
    by_kept: dict[frozenset[str], Fraction] = {}
    for world, weight in worlds.items():
        kept = frozenset(kept_of_world(seen, world))
        by_kept[kept] = by_kept.get(kept, Fraction(0)) + weight
    for kept, weight in by_kept.items():
        left = sorted(possible - kept)
        share = weight / math.comb(len(left), number)
        for cards in itertools.combinations(left, number):
            marginal[cards] = marginal.get(cards, Fraction(0)) + share
    own = tuple(sorted(queen.areas[observer].returned))
    return [{own: Fraction(1)} if player == observer else dict(marginal) for player in range(players)]
