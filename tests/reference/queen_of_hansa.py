"""A naive reference implementation of The Queen of Hansa, published rules and draft ver. 4.2.

Written from the specification alone, slow and plain on purpose: the tests compare it with the fast engine.
"spec n" cites a section of the rules of the published game, "draft n" one of the draft's differences,
"notation n" one of the notation's.
"""

import copy
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

FINAL = "queen_of_hansa"
DRAFT = "queen_of_hansa_v42"

State = dict[str, Any]
Spot = TypeVar("Spot")


# ---------------------------------------------------------------- pieces of the rules as pure functions


def competition_ranks(values: Sequence[int]) -> list[int]:
    """1 + number of strictly higher values (spec 5)."""
    return [1 + sum(other > value for other in values) for value in values]


def city_profit(totals: Sequence[int], space: Mapping[str, int]) -> list[int]:
    """Profit of every player in one city (spec 5.1)."""
    profits = []
    for total, rank in zip(totals, competition_ranks(totals), strict=True):
        if total == 0:  # no influence earns nothing in any rank
            profits.append(0)
        elif rank == 1:
            profits.append(space["fixed"])
        elif rank == 2:
            profits.append(space["m2"] * total)
        elif rank == 3:
            profits.append(space["m3"] * total)
        else:
            profits.append(0)
    return profits


def luxury_profit(number_of_colors: int, scoring: Mapping[str, Any]) -> int:
    """Profit for different colors among the own pieces (spec 5.2)."""
    return int(scoring["luxury_types"][number_of_colors])


def person_types_profit(number_of_letters: int, scoring: Mapping[str, Any]) -> int:
    """First part of the notable persons (spec 7.3, draft 5)."""
    return int(scoring["person_types"][number_of_letters])


def same_person_profit(copies: int, scoring: Mapping[str, Any]) -> int:
    """Second part of the notable persons, for one letter (spec 7.3, draft 5)."""
    return int(scoring["same_person"][copies])


def persons_profit(copies_by_letter: Sequence[int], scoring: Mapping[str, Any]) -> int:
    """Both parts of the notable persons, given the number of copies of every letter (spec 7.3, draft 5)."""
    number_of_letters = sum(copies > 0 for copies in copies_by_letter)
    same = sum(same_person_profit(copies, scoring) for copies in copies_by_letter)
    return person_types_profit(number_of_letters, scoring) + same


def golden_ship_profit(ships: Sequence[int], scoring: Mapping[str, Any]) -> list[int]:
    """Profit for the ranking by ships (spec 7.2)."""
    table = scoring["golden_ship"]
    return [
        int(table[rank - 1]) if number > 0 else 0
        for number, rank in zip(ships, competition_ranks(ships), strict=True)
    ]


def parliament_profit(totals: Sequence[int], city_fixed: Sequence[int]) -> list[int]:
    """Rank r earns the r-th highest fixed value; a total of 0 is paid as well (spec 7.1, draft 5)."""
    payments = sorted(city_fixed, reverse=True)
    return [payments[rank - 1] for rank in competition_ranks(totals)]


def clamp(index: int, last_space: int) -> int:
    """A move that no player chose stops at the end of the track (spec 1)."""
    return max(0, min(last_space, index))


def prosperity_change(index: int, number_of_change: int, last_space: int, scoring: Mapping[str, Any]) -> int:
    """New space of a marker after the 1st, 2nd, ... change of the round (spec 4.3)."""
    return clamp(index + int(scoring["prosperity_change"][number_of_change - 1]), last_space)


def support(indices: Sequence[int], last_space: int, scoring: Mapping[str, Any]) -> list[int]:
    """All cities on the lowest occupied space move up (spec 6.2)."""
    lowest = min(indices)
    step = int(scoring["support_step"])
    return [clamp(index + step, last_space) if index == lowest else index for index in indices]


def start_player_chooser(turn_order: Sequence[int], profits: Sequence[int], ruleset: str) -> int:
    """Who names the next start player: the latest of the poorest (spec 6.5), in the draft the earliest."""
    lowest = min(profits)
    poorest = [player for player in turn_order if profits[player] == lowest]
    return poorest[0] if ruleset == DRAFT else poorest[-1]


def final_ranks(keys: Sequence[tuple[int, int]]) -> list[int]:
    """Number of players strictly ahead, higher keys first (spec 7.4)."""
    return [sum(other > key for other in keys) for key in keys]


def winners(keys: Sequence[tuple[int, int]]) -> list[int]:
    """The players with nobody ahead (spec 7.4)."""
    return [player for player, rank in enumerate(final_ranks(keys)) if rank == 0]


def slide(row: Sequence[Spot], taken: int, harbor_size: int) -> tuple[Spot, list[Spot], bool]:
    """Take the card at a place of a row: the card, the closed row, whether prosperity changes (spec 4.3)."""
    rest = list(row[:taken]) + list(row[taken + 1 :])
    return row[taken], rest, len(row) == harbor_size + 1


def lay_weights(to_lay: Mapping[str, int], normal_cards: int, luxury_cards: int) -> tuple[int, int]:
    """Weight of every normal and of every luxury card of a lay node (spec 9)."""
    normal = to_lay["normal"] * max(luxury_cards, 1)
    luxury = to_lay["luxury"] * max(normal_cards, 1)
    divisor = math.gcd(normal, luxury)
    return normal // divisor, luxury // divisor


def store_options(pieces: Mapping[str, int], number: int, colors: Sequence[str]) -> list[str]:
    """Every way to keep a number of the pieces, as moves (spec 6.1, notation 1)."""
    if number == 0:
        return ["store none"]
    single_pieces = [color for color in colors for _ in range(pieces[color])]
    kept = {" ".join(["store", *choice]) for choice in itertools.combinations(single_pieces, number)}
    return sorted(kept)


def deck_counts(data: Mapping[str, Any], ruleset: str, players: int) -> tuple[int, int]:
    """Cards needed: normal and luxury, in the draft first and second column (spec 1, draft 2)."""
    rules = data["v42" if ruleset == DRAFT else "final"]
    row = rules["players"][str(players)]
    first, second = ("column1", "column2") if ruleset == DRAFT else ("normal", "luxury")
    kept = players * int(rules["initial_keep"])
    refills = int(rules["rounds"]) - 1
    first_cards = int(row["setup_" + first]) + refills * int(row["refill_" + first])
    second_cards = int(row["setup_" + second]) + refills * int(row["refill_" + second])
    # The hands come from the normal deck, in the draft from the deck of the second column.
    return (first_cards, second_cards + kept) if ruleset == DRAFT else (first_cards + kept, second_cards)


# ---------------------------------------------------------------- rule data


@dataclass(frozen=True)
class Card:
    """One trade card (spec 1)."""

    code: str
    city: str
    power: int
    person: str
    ship: bool
    luxury: bool

    @property
    def back(self) -> str:
        """The visible back."""
        return "luxury" if self.luxury else "normal"


class Rules:
    """The numbers and cards in force for one ruleset, number of players and set of options."""

    def __init__(
        self, data: Mapping[str, Any], ruleset: str, players: int, options: Mapping[str, str]
    ) -> None:
        if ruleset not in (FINAL, DRAFT):
            raise ValueError(f"unknown ruleset {ruleset!r}")
        if players not in (2, 3, 4):
            raise ValueError("spec, head: 2 to 4 players")
        self.ruleset = ruleset
        self.players = players
        self.draft = ruleset == DRAFT
        allowed = {"track": ("standard", "long")}
        if self.draft:
            allowed["reading"] = ("B", "A")
        for name, value in options.items():
            if name not in allowed or value not in allowed[name]:
                raise ValueError(f"notation, head: no option {name!r} = {value!r}")
        self.track = options.get("track", "standard")
        self.reading = options.get("reading", "B") if self.draft else ""

        rules = data["v42" if self.draft else "final"]
        row = rules["players"][str(players)]
        self.cities: list[str] = list(data["cities"])
        self.colors: list[str] = list(data["colors"])
        self.letters: list[str] = list(data["letters"])
        self.color_of_city: dict[str, str] = dict(zip(self.cities, self.colors, strict=True))
        self.scoring: Mapping[str, Any] = rules["scoring"]
        self.rounds = int(rules["rounds"])
        self.harbor_size = int(rules["harbor_size"])
        self.initial_deal = int(rules["initial_deal"])
        self.initial_keep = int(rules["initial_keep"])
        self.turns_per_round = int(row["turns_per_round"]) * players
        self.spaces_per_city = int(row["spaces_per_city"])

        # The draft's track is the published one (draft, head, option `track`).
        name = "spaces_alternative_long" if self.track == "long" else "spaces"
        self.spaces: list[Mapping[str, int]] = list(data["final"]["prosperity"][name])
        self.last_space = len(self.spaces) - 1
        self.start_space = int(rules["prosperity"]["start_index"])

        if self.draft:
            # draft 2: which column is which deck is the option `reading`
            columns = rules["reading"][self.reading]
            first, second = str(columns["column1"]), str(columns["column2"])
            self.hand_deck = str(columns["hands"])
            self.setup = {first: int(row["setup_column1"]), second: int(row["setup_column2"])}
            self.refill = {first: int(row["refill_column1"]), second: int(row["refill_column2"])}
            self.pieces_per_color = int(rules["components"]["pieces_in_bag"]) // len(self.colors)
        else:
            self.hand_deck = str(rules["initial_deal_deck"])
            self.setup = {"normal": int(row["setup_normal"]), "luxury": int(row["setup_luxury"])}
            self.refill = {"normal": int(row["refill_normal"]), "luxury": int(row["refill_luxury"])}
            self.pieces_per_color = int(rules["components"]["luxury_pieces_per_color"])

        self.cards: dict[str, Card] = {}
        for entry in rules["deck"]["cards"]:
            if int(entry["min_players"]) <= players:  # spec 2.1
                card = self.read_card(entry)
                self.cards[card.code] = card

    def read_card(self, entry: Mapping[str, Any]) -> Card:
        """A card of the data; reading A of the draft inverts the luxury flag of every card (draft 2)."""
        luxury = bool(entry["luxury"])
        power = int(entry["goods"]) if self.draft else int(entry["power"])
        if self.reading == "A":
            luxury = not luxury
            power = int(entry["base"]) - int(luxury)
        return Card(
            code=str(entry["code"]).lower(),
            city=str(entry["city"]),
            power=power,
            person=str(entry["person"]),
            ship=bool(entry.get("ship", False)),  # the draft has no ships (draft 2)
            luxury=luxury,
        )

    def no_pieces(self) -> dict[str, int]:
        """A count by color that is empty."""
        return dict.fromkeys(self.colors, 0)

    def back_counts(self, hand: Sequence[str]) -> dict[str, int]:
        """What the others see of a hand (spec 8)."""
        backs = [self.cards[card].back for card in hand]
        return {"normal": backs.count("normal"), "luxury": backs.count("luxury")}


def view_of_state(rules: Rules, state: Mapping[str, Any], observer: int) -> State:
    """What one player sees of a canonical state (notation 4)."""
    view: State = copy.deepcopy(dict(state))
    view["normal_deck"] = len(state["normal_deck"])
    view["luxury_deck"] = len(state["luxury_deck"])
    for number, player in enumerate(view["players"]):
        if number == observer:
            continue
        player["hand"] = rules.back_counts(player["hand"])
        player["returned"] = None
        player["choice"] = None
        if state["phase"] != "over":  # all cards are turned up in the final scoring (spec 7.1)
            for entry in player["kontor"]:
                if entry["face"] == "down":
                    entry["card"] = None
    return view


# ---------------------------------------------------------------- the game

RULE_OF_PHASE = {
    "lay": "spec 2.3 / 6.3 / 9: a card of a deck whose kind is still to be laid",
    "draw": "spec 2.4 / 6.4: a piece that is in the bag",
    "deal": "spec 2.5: a card of the hand deck, to the player whose turn it is to get one",
    "keep": "spec 2.6: two of the own four cards, in byte order",
    "play": "spec 4.1: a hand card, face up or face down",
    "marker": "spec 4.2: one marker by one step, never off the track",
    "take": "spec 4.3: a card of an allowed harbor",
    "extra": "spec 4.4: a hand card, face up or face down",
    "store": "spec 6.1: exactly min(face-up ships, pieces) of the own pieces",
    "start": "spec 6.5: one of the players",
    "over": "spec 7: the game is over",
}


class PlayerArea:
    """Everything that belongs to one player."""

    def __init__(self, rules: Rules) -> None:
        self.profit = 0
        self.hand: list[str] = []
        self.kontor: list[dict[str, str | None]] = []
        self.pieces = rules.no_pieces()
        self.returned: list[str] = []
        self.choice: str | None = None


class Queen:
    """One game in progress; `apply` changes it in place."""

    def __init__(
        self, data: Mapping[str, Any], ruleset: str, players: int, options: Mapping[str, str]
    ) -> None:
        self.rules = Rules(data, ruleset, players, options)
        rules = self.rules
        self.phase = "lay"
        self.round = 1
        self.start_player = 0  # spec 2.1
        self.turns_played = 0
        self.changes = 0
        self.prosperity = dict.fromkeys(rules.cities, rules.start_space)
        self.board: dict[str, list[dict[str, str | None]]] = {city: [] for city in rules.cities}
        # spec 2.2: two decks by the luxury flag
        self.normal_deck = [card.code for card in rules.cards.values() if not card.luxury]
        self.luxury_deck = [card.code for card in rules.cards.values() if card.luxury]
        self.bag = dict.fromkeys(rules.colors, rules.pieces_per_color)
        self.removed_cards: list[str] = []
        self.removed_pieces = rules.no_pieces()
        self.areas = [PlayerArea(rules) for _ in range(players)]
        self.to_lay = dict(rules.setup)
        self.extra_placed = 0
        self.result_ranks: list[int] = []

    def clone(self) -> "Queen":
        """An independent copy of the position; the rules are shared."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if name != "rules":
                setattr(other, name, copy.deepcopy(value))
        return other

    # -------------------------------------------------- whose turn, which moves

    def turn_order(self) -> list[int]:
        """The players of this round in turn order: clockwise from the start player (spec, terms)."""
        players = self.rules.players
        return [(self.start_player + seat) % players for seat in range(players)]

    def turn(self) -> int | str:
        """The player who must decide, "chance" or "over"."""
        order = self.turn_order()
        if self.phase in ("lay", "draw", "deal"):
            return "chance"
        if self.phase in ("play", "marker", "take"):
            return order[self.turns_played % self.rules.players]
        if self.phase == "extra" and self.rules.draft:  # draft 4: one after the other
            return order[self.extra_placed]
        if self.phase in ("keep", "extra", "store"):  # spec 3: simultaneous, asked in turn order
            return order[sum(area.choice is not None for area in self.areas)]
        if self.phase == "start":
            profits = [area.profit for area in self.areas]
            return start_player_chooser(order, profits, self.rules.ruleset)
        return "over"

    def area_on_turn(self) -> PlayerArea:
        """The area of the player who must decide."""
        player = self.turn()
        assert isinstance(player, int)
        return self.areas[player]

    def legal(self) -> list[str]:
        """All moves of the player on turn, sorted; empty at chance nodes and at the end."""
        if isinstance(self.turn(), str):
            return []
        area = self.area_on_turn()
        moves: list[str] = []
        if self.phase == "keep":  # spec 2.6
            pairs = itertools.combinations(sorted(area.hand), self.rules.initial_keep)
            moves = [" ".join(["keep", *pair]) for pair in pairs]
        elif self.phase in ("play", "extra"):  # spec 4.1, 4.4
            moves = [f"play {card} {face}" for card in area.hand for face in ("up", "down")]
        elif self.phase == "marker":  # spec 4.2
            for city, index in self.prosperity.items():
                if index < self.rules.last_space:
                    moves.append(f"raise {city}")
                if index > 0:
                    moves.append(f"lower {city}")
        elif self.phase == "take":  # spec 4.3
            for city in self.cities_to_take_from(area):
                moves += [f"take {spot['card']}" for spot in self.board[city][: self.rules.harbor_size]]
        elif self.phase == "store":  # spec 6.1
            moves = store_options(area.pieces, self.pieces_to_store(area), self.rules.colors)
        elif self.phase == "start":  # spec 6.5
            moves = [f"start {player}" for player in range(self.rules.players)]
        return sorted(moves)

    def cities_to_take_from(self, area: PlayerArea) -> list[str]:
        """After a face-up play the city of the card, unless its row is empty; else any (spec 4.3)."""
        played = area.kontor[-1]
        city = self.card(played).city
        if played["face"] == "up" and self.board[city]:
            return [city]
        return self.rules.cities

    def pieces_to_store(self, area: PlayerArea) -> int:
        """One piece for each face-up ship (spec 6.1)."""
        ships = sum(entry["face"] == "up" and self.card(entry).ship for entry in area.kontor)
        return min(ships, sum(area.pieces.values()))

    def outcomes(self) -> list[tuple[str, int]]:
        """All outcomes of a chance node with their weights, sorted; empty elsewhere (spec 9)."""
        found: list[tuple[str, int]] = []
        if self.phase == "lay":
            normal, luxury = lay_weights(self.to_lay, len(self.normal_deck), len(self.luxury_deck))
            found += [(f"lay {card}", normal) for card in self.normal_deck]
            found += [(f"lay {card}", luxury) for card in self.luxury_deck]
        elif self.phase == "draw":
            found += [(f"draw {color}", number) for color, number in self.bag.items()]
        elif self.phase == "deal":
            found += [
                (f"deal {self.player_dealt_to()} {card}", 1) for card in self.deck(self.rules.hand_deck)
            ]
        return sorted((notation, weight) for notation, weight in found if weight > 0)

    def player_dealt_to(self) -> int:
        """Four cards for player 0, then four for player 1, ... (notation 2)."""
        return sum(len(area.hand) for area in self.areas) // self.rules.initial_deal

    def deck(self, back: str) -> list[str]:
        """The deck with that back."""
        return self.luxury_deck if back == "luxury" else self.normal_deck

    def card(self, entry: Mapping[str, str | None]) -> Card:
        """The card of a space of the board or of a Kontor entry."""
        code = entry["card"]
        assert code is not None
        return self.rules.cards[code]

    # -------------------------------------------------- moves

    def apply(self, move: str) -> None:
        """Carry out a move or a chance outcome with all automatic steps after it."""
        if move not in self.legal() and move not in [notation for notation, _ in self.outcomes()]:
            raise ValueError(f"{move!r} is not allowed here, {RULE_OF_PHASE[self.phase]}")
        words = move.split()
        if self.phase == "lay":
            self.apply_lay(words[1])
        elif self.phase == "draw":
            self.apply_draw(words[1])
        elif self.phase == "deal":
            self.apply_deal(int(words[1]), words[2])
        elif self.phase == "play":
            self.lay_into_kontor(self.area_on_turn(), words[1], words[2])
            self.phase = "marker" if words[2] == "down" else "take"  # spec 4.2
        elif self.phase == "marker":
            self.prosperity[words[1]] += 1 if words[0] == "raise" else -1
            self.phase = "take"
        elif self.phase == "take":
            self.apply_take(words[1])
        elif self.phase == "extra" and self.rules.draft:
            self.apply_draft_extra(words[1], words[2])
        elif self.phase == "start":
            self.apply_start(int(words[1]))
        else:
            self.apply_simultaneous(move)

    def apply_lay(self, card: str) -> None:
        """The card goes to the first empty space (spec 2.3, 6.3)."""
        back = self.rules.cards[card].back
        self.deck(back).remove(card)
        self.to_lay[back] -= 1
        city = next(city for city in self.rules.cities if len(self.board[city]) < self.rules.spaces_per_city)
        self.board[city].append({"card": card, "piece": None})
        if sum(self.to_lay.values()) == 0:
            self.after_lay()

    def first_without_piece(self) -> dict[str, str | None] | None:
        """The first space in board order whose luxury card has no piece (spec 2.4, 6.4)."""
        for city in self.rules.cities:
            for spot in self.board[city]:
                if self.card(spot).luxury and spot["piece"] is None:
                    return spot
        return None

    def after_lay(self) -> None:
        """Draw pieces as long as one is missing; then deal (set-up) or name the start player (refill)."""
        if self.first_without_piece() is not None:
            self.phase = "draw"
        elif any(area.kontor for area in self.areas):
            self.phase = "start"
        else:
            self.phase = "deal"

    def apply_draw(self, color: str) -> None:
        """The piece goes onto the first luxury card that has none (spec 2.4, 6.4)."""
        spot = self.first_without_piece()
        assert spot is not None
        self.bag[color] -= 1
        spot["piece"] = color
        self.after_lay()

    def apply_deal(self, player: int, card: str) -> None:
        """A card of the hand deck for a player (spec 2.5)."""
        self.deck(self.rules.hand_deck).remove(card)
        self.areas[player].hand.append(card)
        if all(len(area.hand) == self.rules.initial_deal for area in self.areas):
            self.phase = "keep"

    def lay_into_kontor(self, area: PlayerArea, card: str, face: str) -> None:
        """A hand card goes into the Kontor (spec 4.1, 4.4)."""
        area.hand.remove(card)
        back = self.rules.cards[card].back
        area.kontor.append({"card": card, "back": back, "face": face, "took": None})

    def apply_take(self, card: str) -> None:
        """Take a card from a harbor, with all that follows (spec 4.3)."""
        area = self.area_on_turn()
        city, place = next(
            (city, place)
            for city, row in self.board.items()
            for place, spot in enumerate(row)
            if spot["card"] == card
        )
        spot, row, change = slide(self.board[city], place, self.rules.harbor_size)
        self.board[city] = row
        area.hand.append(card)
        area.kontor[-1]["took"] = card
        if spot["piece"] is not None:
            area.pieces[spot["piece"]] += 1
        if change:
            self.changes += 1
            self.prosperity[city] = prosperity_change(
                self.prosperity[city], self.changes, self.rules.last_space, self.rules.scoring
            )
        self.turns_played += 1
        self.phase = "play"
        if self.turns_played == self.rules.turns_per_round:
            self.after_last_turn()

    def after_last_turn(self) -> None:
        """Round 3 has the extra placement first; other rounds are scored (spec 3)."""
        if self.round == self.rules.rounds:
            self.phase = "extra"
            return
        self.score_round()
        if self.rules.draft:  # draft 4: no store node
            self.begin_refill()
        else:
            self.phase = "store"

    def apply_simultaneous(self, move: str) -> None:
        """Note a secret choice; all take effect when the last player has chosen (spec 3)."""
        self.area_on_turn().choice = move
        if any(area.choice is None for area in self.areas):
            return
        phase = self.phase
        for area in self.areas:
            assert area.choice is not None
            arguments = area.choice.split()[1:]
            area.choice = None
            if phase == "keep":
                area.returned = [card for card in area.hand if card not in arguments]
                area.hand = arguments
                self.deck(self.rules.hand_deck).extend(area.returned)
            elif phase == "extra":
                self.lay_into_kontor(area, arguments[0], arguments[1])
            else:  # store
                kept = {color: arguments.count(color) for color in self.rules.colors}
                for color in self.rules.colors:  # the others leave the game, not into the bag (spec 6.1)
                    self.removed_pieces[color] += area.pieces[color] - kept[color]
                area.pieces = kept
        if phase == "keep":
            self.phase = "play"
        elif phase == "extra":
            self.finish()
        else:
            self.support_step()
            self.begin_refill()

    def apply_draft_extra(self, card: str, face: str) -> None:
        """One placement after the other, each with effect at once (draft 4)."""
        self.lay_into_kontor(self.area_on_turn(), card, face)
        self.extra_placed += 1
        if self.extra_placed == self.rules.players:
            self.finish()

    def support_step(self) -> None:
        """The support step, where this round has one (spec 6.2, draft 4)."""
        if self.round not in self.rules.scoring["support_after_rounds"]:
            return
        indices = [self.prosperity[city] for city in self.rules.cities]
        raised = support(indices, self.rules.last_space, self.rules.scoring)
        self.prosperity = dict(zip(self.rules.cities, raised, strict=True))

    def begin_refill(self) -> None:
        """The refill cards are laid next (spec 6.3)."""
        self.to_lay = dict(self.rules.refill)
        self.phase = "lay"

    def apply_start(self, player: int) -> None:
        """The next round begins (spec 6.5, 6.6)."""
        self.start_player = player
        self.round += 1
        self.turns_played = 0
        self.changes = 0
        self.phase = "play"

    # -------------------------------------------------- scoring

    def score_round(self) -> None:
        """Scoring after a round (spec 5); in the draft the settlement and what follows (draft 4)."""
        for city in self.rules.cities:  # spec 5.1
            totals = []
            for area in self.areas:
                face_up = [self.card(entry) for entry in area.kontor if entry["face"] == "up"]
                power = sum(card.power for card in face_up if card.city == city)
                totals.append(power + area.pieces[self.rules.color_of_city[city]])
            profits = city_profit(totals, self.rules.spaces[self.prosperity[city]])
            for area, profit in zip(self.areas, profits, strict=True):
                area.profit += profit
        for area in self.areas:  # spec 5.2
            number_of_colors = sum(number > 0 for number in area.pieces.values())
            area.profit += luxury_profit(number_of_colors, self.rules.scoring)
        if self.rules.draft:
            for area in self.areas:  # draft 4: all taken pieces return to the bag
                for color in self.rules.colors:
                    self.bag[color] += area.pieces[color]
                area.pieces = self.rules.no_pieces()
            self.support_step()  # draft 4: in the third round as well

    def finish(self) -> None:
        """From the end of the extra placement to the end of the game (spec 4.4, 5, 7; draft 4, 5)."""
        for area in self.areas:
            self.removed_cards += area.hand
            area.hand = []
        self.score_round()

        parliament_totals = [  # spec 7.1: power of all face-down cards, no pieces
            sum(self.card(entry).power for entry in area.kontor if entry["face"] == "down")
            for area in self.areas
        ]
        city_fixed = [self.rules.spaces[index]["fixed"] for index in self.prosperity.values()]
        parliament = parliament_profit(parliament_totals, city_fixed)

        golden_ship = [0] * self.rules.players
        if not self.rules.draft:  # spec 7.2: ships of the whole Kontor
            ships = [sum(self.card(entry).ship for entry in area.kontor) for area in self.areas]
            golden_ship = golden_ship_profit(ships, self.rules.scoring)

        numbers_of_letters = []
        for player, area in enumerate(self.areas):  # spec 7.3
            persons = [self.card(entry).person for entry in area.kontor]
            copies = [persons.count(letter) for letter in self.rules.letters]
            numbers_of_letters.append(sum(number > 0 for number in copies))
            area.profit += parliament[player] + golden_ship[player]
            area.profit += persons_profit(copies, self.rules.scoring)

        if self.rules.draft:  # draft 5: then the better rank in the Luebeck trade
            tie_break = [-rank for rank in competition_ranks(parliament_totals)]
        else:  # spec 7.4: then the number of different letters
            tie_break = numbers_of_letters
        self.result_ranks = final_ranks(list(zip(self.scores(), tie_break, strict=True)))
        self.phase = "over"

    def scores(self) -> list[int]:
        """The profits (spec 7.4)."""
        return [area.profit for area in self.areas]

    def ranks(self) -> list[int]:
        """For every player the number of players strictly ahead; only at the end (spec 7.4)."""
        if self.phase != "over":
            raise ValueError("spec 7.4: there are no ranks before the end of the game")
        return list(self.result_ranks)

    # -------------------------------------------------- states and views

    def canonical_state(self) -> State:
        """The whole truth (notation 3)."""
        return {
            "phase": self.phase,
            "turn": self.turn(),
            "round": self.round,
            "start_player": self.start_player,
            "turns_played": self.turns_played,
            "changes": self.changes,
            "prosperity": dict(self.prosperity),
            "board": {city: [dict(spot) for spot in row] for city, row in self.board.items()},
            "normal_deck": sorted(self.normal_deck),
            "luxury_deck": sorted(self.luxury_deck),
            "bag": dict(self.bag),
            "removed_cards": sorted(self.removed_cards),
            "removed_pieces": dict(self.removed_pieces),
            "players": [
                {
                    "profit": area.profit,
                    "hand": sorted(area.hand),
                    "kontor": [dict(entry) for entry in area.kontor],
                    "pieces": dict(area.pieces),
                    "returned": sorted(area.returned),
                    "choice": area.choice,
                }
                for area in self.areas
            ],
        }

    def view(self, player: int) -> State:
        """What a player sees (notation 4)."""
        return view_of_state(self.rules, self.canonical_state(), player)
