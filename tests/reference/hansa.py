"""A naive reference implementation of Hansa, with the Extrakarte as an option.

Written from the specification alone, slow and plain on purpose: the tests compare it with the fast engine.
"spec n" cites a section of the rules, "notation" the description of moves and canonical states. The game in
progress is the canonical state itself; a marker is its notation, such as `orange 2`.
"""

import copy
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

GAME = "hansa"

State = dict[str, Any]


# ---------------------------------------------------------------- pieces of the rules as pure functions


def barrels(marker: str) -> int:
    """The number of barrels of a marker (spec 2)."""
    return int(marker.split()[1])


def colour(marker: str) -> str:
    """The colour of a marker (spec 2)."""
    return marker.split(maxsplit=1)[0]


def of_colour(markers: Iterable[str], wanted: str) -> list[str]:
    """The markers of a colour."""
    return [marker for marker in markers if colour(marker) == wanted]


def pile_sizes(supply: int, number_of_piles: int) -> list[int]:
    """As equal as can be, the first piles taking the surplus (spec 4.3)."""
    base, surplus = divmod(supply, number_of_piles)
    return [base + 1] * surplus + [base] * (number_of_piles - surplus)


def refill_kind(empty: int, spaces: int, supply: int) -> str:
    """What phase 2 is: "none", "choice" or "forced" (spec 5, phase 2)."""
    if empty == 0 or supply == 0:
        return "none"
    return "forced" if empty == spaces else "choice"


def payee(booths: Sequence[int]) -> int | None:
    """The only player with the most booths in a city, or nobody: then the bank is paid (spec 6, price)."""
    most = max(booths)
    leaders = [seat for seat, number in enumerate(booths) if number == most]
    return leaders[0] if most > 0 and len(leaders) == 1 else None


def price(booths: Sequence[int], buyer: int, cost: int) -> int:
    """What a buyer pays, to whomever (spec 6, price)."""
    return 0 if payee(booths) == buyer else cost


def sets_to_sell(unsold: Sequence[str], colours: Sequence[str], least: int) -> list[list[str]]:
    """Every non-empty set of the colours that can be sold, in colour order (spec 6, notation)."""
    enough = [name for name in colours if len(of_colour(unsold, name)) >= least]
    return [
        list(chosen) for size in range(1, len(enough) + 1) for chosen in itertools.combinations(enough, size)
    ]


def shown_points(sold: Sequence[str], unsold: Sequence[str], scoring: Mapping[str, Any]) -> int:
    """The points of markers (spec 9)."""
    points = sum(int(scoring["sold_marker"][str(barrels(marker))]) for marker in sold)
    return points + int(scoring["unsold_marker"]) * len(unsold)


def city_points(own: int, others: int, scoring: Mapping[str, Any]) -> int:
    """The points of a city with so many own booths and so many of all others (spec 9)."""
    if own == 0:
        return 0
    return int(scoring["city_present"] if others > 0 else scoring["city_monopoly"])


def extrakarte_bonus(
    stacks: Sequence[int],
    cities: Sequence[int],
    one_barrel: Sequence[int],
    opened_by: int | None,
    values: Mapping[str, Any],
) -> list[int]:
    """The four bonuses of every player; all who tie for a lead of 1 or more get it (spec 9, Extrakarte)."""
    bonus = [0] * len(stacks)
    for numbers, name in (
        (stacks, "highest_stack"),
        (cities, "most_cities"),
        (one_barrel, "most_sold_one_barrel"),
    ):
        for seat, number in enumerate(numbers):
            if number == max(numbers) and number >= int(values["minimum_to_score"]):
                bonus[seat] += int(values[name])
    if opened_by is not None:
        bonus[opened_by] += int(values["opened_last_pile"])
    return bonus


def final_ranks(scores: Sequence[int], booths: Sequence[int]) -> list[int]:
    """For every player the number of players placed better: points, then booths on the board (spec 9)."""
    keys = list(zip(scores, booths, strict=True))
    return [sum(other > key for other in keys) for key in keys]


def short_loops(exits: Mapping[str, Sequence[str]], longest: int) -> list[list[str]]:
    """All round trips of at most so many cities that visit none twice, each once, from any city (spec 3)."""
    found: list[list[str]] = []
    paths = [[city] for city in exits]
    for _ in range(longest):
        # A loop is found once from each of its cities; the first city in the order of the map counts.
        order = list(exits)
        found += [
            path for path in paths if path[0] in exits[path[-1]] and path[0] == min(path, key=order.index)
        ]
        paths = [[*path, city] for path in paths for city in exits[path[-1]] if city not in path]
    return found


# ---------------------------------------------------------------- rule data


class Rules:
    """The numbers, cities and markers in force for one number of players and set of options."""

    def __init__(self, data: Mapping[str, Any], players: int, options: Mapping[str, str]) -> None:
        if not data["meta"]["players_min"] <= players <= data["meta"]["players_max"]:
            raise ValueError("spec, head: 2 to 4 players")
        for name, value in options.items():
            if name != "extrakarte" or value not in ("true", "false"):
                raise ValueError(f"spec, head: no option {name!r} = {value!r}")
        self.players = players
        self.extrakarte = options.get("extrakarte", "false") == "true"
        self.colours: list[str] = list(data["goods"]["in_play"][str(players)])  # spec 4.1
        self.cities: list[str] = [city["id"] for city in data["cities"]]
        self.spaces: dict[str, int] = {city["id"]: int(city["warehouses"]) for city in data["cities"]}
        self.numbers: dict[str, int] = {city["id"]: int(city["number"]) for city in data["cities"]}
        self.exits: dict[str, list[str]] = {
            city: [route["to"] for route in data["routes"] if route["from"] == city] for city in self.cities
        }
        self.markers: list[str] = [
            f"{name} {kind['barrels']}"
            for name in self.colours
            for kind in data["goods"]["per_colour"]
            for _ in range(int(kind["count"]))
        ]
        self.piles: list[int] = list(data["supply"][str(players)]["piles"])
        self.booths = int(data["counts"]["booths_per_player"])
        self.setup: Mapping[str, Any] = data["setup"]
        self.turn: Mapping[str, Any] = data["turn"]
        self.scoring: Mapping[str, Any] = data["scoring"]
        self.bonuses: Mapping[str, Any] = data["extrakarte"]
        self.stall_round_limit = int(data["flags"]["stall_round_limit"])

    def sort_key(self, marker: str) -> tuple[int, int]:
        """Markers are listed by colour order, then by barrels (notation, canonical state)."""
        return self.colours.index(colour(marker)), barrels(marker)

    def sorted(self, markers: Iterable[str]) -> list[str]:
        """A list of markers in the order of the notation."""
        return sorted(markers, key=self.sort_key)

    def types(self, markers: Iterable[str]) -> list[str]:
        """The types among markers: equal markers give one action (notation)."""
        return self.sorted(set(markers))


# ---------------------------------------------------------------- the game

RULE_OF_PHASE = {
    "deal": "spec 4.2: an undrawn marker for the first empty space",
    "place": "spec 4.5: a city that is not Copenhagen and has no own booths",
    "refill": "spec 5, phase 2: refill or pass",
    "restock": "spec 5, phase 2: an undrawn marker for the first empty space",
    "sail": "spec 6: sail a route, one action in a visit, or end",
    "keep": "spec 7.2: one marker of the colour asked for, or none",
    "lose": "spec 7.4: one marker of the colour asked for",
    "discard": "spec 5, phase 4: one of the own unsold markers",
    "over": "spec 8: the game is over",
}


class Hansa:
    """One game in progress; `apply` changes it in place."""

    def __init__(self, data: Mapping[str, Any], game: str, players: int, options: Mapping[str, str]) -> None:
        if game != GAME:
            raise ValueError(f"unknown game {game!r}")
        self.rules = Rules(data, players, options)
        rules = self.rules
        self.state: State = {
            "phase": "deal",
            "turn": "chance",
            "active": None,
            "ship": rules.setup["ship_city"],  # spec 4.4
            "acted": False,
            "players": [
                {
                    "talers": int(rules.setup["talers_per_player"]),
                    "reserve": rules.booths,
                    "booths": {},
                    "unsold": [],
                    "sold": [],
                }
                for _ in range(players)
            ],
            "warehouses": {city: [] for city in rules.cities},
            "supply": list(rules.markers),
            "piles": None,
            "out": [],
            "opened_by": None,
            "idle": True,
            "idle_rounds": 0,
            "sale": None,
        }

    def clone(self) -> "Hansa":
        """An independent copy of the position; the rules are shared."""
        other = copy.copy(self)
        other.state = copy.deepcopy(self.state)
        return other

    # -------------------------------------------------- whose turn, which moves

    @property
    def phase(self) -> str:
        """The phase of the position (notation)."""
        return str(self.state["phase"])

    def turn(self) -> int | str:
        """The player who must decide, "chance" or "over"."""
        turn: int | str = self.state["turn"]
        return turn

    def active(self) -> dict[str, Any]:
        """What the active player has."""
        player: dict[str, Any] = self.state["players"][self.state["active"]]
        return player

    def booths_in(self, city: str) -> list[int]:
        """Every player's number of booths in a city."""
        return [player["booths"].get(city, 0) for player in self.state["players"]]

    def empty_spaces(self) -> int:
        """How many spaces of the warehouses hold no marker."""
        return sum(self.rules.spaces[city] - len(row) for city, row in self.state["warehouses"].items())

    def legal(self) -> list[str]:
        """All moves of the player on turn, sorted; empty at chance nodes and at the end."""
        match self.phase:
            case "place":
                moves = self.legal_places()
            case "refill":
                moves = ["refill", "pass"]
            case "sail":
                moves = [*self.legal_routes(), *self.legal_actions(), "end"]
            case "keep":  # spec 7.2
                moves = [f"keep {marker}" for marker in set(self.for_sale(self.state["sale"]["colour"]))]
                moves.append("keep none")
            case "lose":  # spec 7.4
                unsold = self.state["players"][self.turn()]["unsold"]
                moves = [f"lose {marker}" for marker in set(of_colour(unsold, self.state["sale"]["colour"]))]
            case "discard":  # spec 5, phase 4
                moves = [f"discard {marker}" for marker in set(self.active()["unsold"])]
            case _:
                moves = []
        return sorted(moves)

    def legal_places(self) -> list[str]:
        """Not Copenhagen, and no city with own booths (spec 4.5)."""
        forbidden = [*self.rules.setup["placement_forbidden"], *self.active()["booths"]]
        return [f"place {city}" for city in self.rules.cities if city not in forbidden]

    def legal_routes(self) -> list[str]:
        """Along the routes from the ship's city, for a Taler each (spec 6)."""
        if self.active()["talers"] < self.rules.turn["ship_move_cost"]:
            return []
        return [f"sail {city}" for city in self.rules.exits[self.state["ship"]]]

    def legal_actions(self) -> list[str]:
        """Buy, build and sell, once in a visit (spec 6)."""
        if self.state["acted"]:
            return []
        player, ship = self.active(), self.state["ship"]
        moves = []
        if player["talers"] >= self.price():
            moves += [f"buy {marker}" for marker in set(self.state["warehouses"][ship])]
        if player["reserve"] > 0:
            moves += [f"build {marker}" for marker in set(player["unsold"])]
        if player["booths"].get(ship, 0) > 0:
            least = int(self.rules.turn["sale_min_markers_per_colour"])
            sets = sets_to_sell(player["unsold"], self.rules.colours, least)
            moves += [" ".join(["sell", *colours]) for colours in sets]
        return moves

    def price(self) -> int:
        """The price of a purchase in the ship's city at this moment (spec 6, price)."""
        cost = int(self.rules.turn["purchase_cost"])
        return price(self.booths_in(self.state["ship"]), self.state["active"], cost)

    def outcomes(self) -> list[tuple[str, int]]:
        """All outcomes of a chance node with their weights, sorted; empty elsewhere (spec 10)."""
        if self.phase not in ("deal", "restock"):
            return []
        supply = self.state["supply"]
        return sorted((f"deal {marker}", supply.count(marker)) for marker in set(supply))

    # -------------------------------------------------- moves

    def apply(self, move: str) -> None:
        """Carry out a move or a chance outcome with all automatic steps after it."""
        if move not in self.legal() and move not in [notation for notation, _ in self.outcomes()]:
            raise ValueError(f"{move!r} is not allowed here, {RULE_OF_PHASE[self.phase]}")
        verb, *arguments = move.split()
        marker = " ".join(arguments)
        match verb:
            case "deal" if self.phase == "deal":
                self.deal(marker)
            case "deal":
                self.restock(marker)
            case "place":
                self.place(arguments[0])
            case "refill":
                self.pay_for_refill()
            case "pass":
                self.to_sail()
            case "sail":
                self.sail(arguments[0])
            case "buy":
                self.buy(marker)
            case "build":
                self.build(marker)
            case "sell":
                self.sell(arguments)
            case "keep":
                self.keep(marker)
            case "lose":
                self.lose(marker)
            case "discard":
                self.active()["unsold"].remove(marker)
                self.state["out"].append(marker)
                self.discard_or_end_turn()
            case "end":
                self.end()

    def fill_first_empty_space(self, marker: str) -> None:
        """An undrawn marker goes into the first city with an empty space (notation, chance)."""
        self.state["supply"].remove(marker)
        for city, row in self.state["warehouses"].items():
            if len(row) < self.rules.spaces[city]:
                row.append(marker)
                return

    def deal(self, marker: str) -> None:
        """One of the 14 draws of the setup (spec 4.2); after the last the supply forms piles (spec 4.3)."""
        self.fill_first_empty_space(marker)
        if self.empty_spaces() == 0:
            self.state["piles"] = list(self.rules.piles)
            self.ask("place", active=0)

    def place(self, city: str) -> None:
        """Two booths; three rounds from seat 0 on (spec 4.5)."""
        number = int(self.rules.setup["booths_per_placement"])
        self.active()["reserve"] -= number
        self.active()["booths"][city] = number
        placed = sum(len(player["booths"]) for player in self.state["players"])
        if placed == int(self.rules.setup["placement_rounds"]) * self.rules.players:
            self.begin_turn(0)  # spec 4.6
        else:
            self.ask("place", active=placed % self.rules.players)

    def ask(self, phase: str, active: int) -> None:
        """The active player decides next."""
        self.state.update(phase=phase, active=active, turn=active)

    def to_sail(self) -> None:
        """Phase 3 goes on (spec 5, phase 3)."""
        self.state["sale"] = None
        self.ask("sail", self.state["active"])

    def begin_turn(self, seat: int) -> None:
        """Income, then what the board and the supply make of phase 2 (spec 5)."""
        self.state.update(active=seat, acted=False)
        self.active()["talers"] += int(self.rules.turn["income"])
        spaces = sum(self.rules.spaces.values())
        match refill_kind(self.empty_spaces(), spaces, len(self.state["supply"])):
            case "forced":
                self.pay_for_refill()
            case "choice":
                self.ask("refill", seat)
            case _:
                self.to_sail()

    def pay_for_refill(self) -> None:
        """A Taler to the bank, then the draws (spec 5, phase 2)."""
        self.active()["talers"] -= int(self.rules.turn["refill_cost"])
        self.state.update(phase="restock", turn="chance", idle=False)

    def restock(self, marker: str) -> None:
        """One draw of a refill (spec 5, phase 2)."""
        piles = self.state["piles"]
        pile = next(number for number, size in enumerate(piles) if size > 0)
        piles[pile] -= 1
        if pile == len(piles) - 1 and self.state["opened_by"] is None:
            self.state["opened_by"] = self.state["active"]
        self.fill_first_empty_space(marker)
        if self.empty_spaces() == 0 or not self.state["supply"]:
            self.to_sail()

    def sail(self, city: str) -> None:
        """A Taler to the bank; a new visit begins (spec 5, phase 3; spec 6)."""
        self.active()["talers"] -= int(self.rules.turn["ship_move_cost"])
        self.state.update(ship=city, acted=False)

    def act(self) -> None:
        """The one action of this visit is chosen (spec 6), and the round is not idle (spec 8.1)."""
        self.state.update(acted=True, idle=False)

    def buy(self, marker: str) -> None:
        """Pay the sole leader or the bank and take the marker (spec 6)."""
        paid, leader = self.price(), payee(self.booths_in(self.state["ship"]))
        self.active()["talers"] -= paid
        if leader is not None:
            self.state["players"][leader]["talers"] += paid
        self.state["warehouses"][self.state["ship"]].remove(marker)
        self.active()["unsold"].append(marker)
        self.act()

    def build(self, marker: str) -> None:
        """As many booths as the marker shows barrels, or all that are left (spec 6)."""
        player, ship = self.active(), self.state["ship"]
        number = min(barrels(marker), player["reserve"])
        player["unsold"].remove(marker)
        self.state["out"].append(marker)
        player["reserve"] -= number
        player["booths"][ship] = player["booths"].get(ship, 0) + number
        self.act()

    # -------------------------------------------------- sales

    def sell(self, colours: Sequence[str]) -> None:
        """The colours are named (spec 7.1)."""
        self.act()
        self.state["sale"] = {"colours": list(colours), "colour": colours[0], "kept": []}
        self.keep_or_settle(list(colours))

    def for_sale(self, wanted: str) -> list[str]:
        """The seller's markers of a colour that are not kept back (spec 7.1, 7.2)."""
        markers = of_colour(self.active()["unsold"], wanted)
        for marker in of_colour(self.state["sale"]["kept"], wanted):
            markers.remove(marker)
        return markers

    def keep_or_settle(self, colours: Sequence[str]) -> None:
        """The first of these colours of which more than two are for sale is asked for (spec 7.2)."""
        for name in colours:
            if len(self.for_sale(name)) > int(self.rules.turn["sale_min_markers_per_colour"]):
                self.state["sale"]["colour"] = name
                self.ask("keep", self.state["active"])
                return
        self.settle()

    def keep(self, marker: str) -> None:
        """One marker more is kept back, or none of this colour (spec 7.2)."""
        sale = self.state["sale"]
        rest = sale["colours"][sale["colours"].index(sale["colour"]) :]
        if marker == "none":
            rest = rest[1:]
        else:
            sale["kept"].append(marker)
        self.keep_or_settle(rest)

    def settle(self) -> None:
        """The markers are sold and one booth goes back (spec 7.3); then the losses."""
        player, ship, sale = self.active(), self.state["ship"], self.state["sale"]
        for name in sale["colours"]:
            for marker in self.for_sale(name):
                player["unsold"].remove(marker)
                player["sold"].append(marker)
        sale["kept"] = []
        player["booths"][ship] -= int(self.rules.turn["sale_booths_removed"])
        player["reserve"] += int(self.rules.turn["sale_booths_removed"])
        if player["booths"][ship] == 0:
            del player["booths"][ship]
        self.carry_out_losses(self.all_losses())

    def all_losses(self) -> list[tuple[int, str]]:
        """Opponents clockwise from the seller, and for each the colours in colour order (spec 7.4)."""
        players = self.rules.players
        opponents = [(self.state["active"] + step) % players for step in range(1, players)]
        return [(seat, name) for seat in opponents for name in self.state["sale"]["colours"]]

    def carry_out_losses(self, losses: Sequence[tuple[int, str]]) -> None:
        """One pair after the other until somebody has a choice; then back to phase 3 (spec 7.4, 7.5)."""
        for seat, name in losses:
            types = self.rules.types(of_colour(self.state["players"][seat]["unsold"], name))
            if len(types) == 1:
                self.take_from(seat, types[0])
            elif len(types) > 1:
                self.state["sale"]["colour"] = name
                self.state.update(phase="lose", turn=seat)
                return
        self.to_sail()

    def take_from(self, seat: int, marker: str) -> None:
        """An opponent's marker leaves the game (spec 7.4)."""
        self.state["players"][seat]["unsold"].remove(marker)
        self.state["out"].append(marker)

    def lose(self, marker: str) -> None:
        """The opponent has decided; pairs further down the list follow (spec 7.4)."""
        seat = self.state["turn"]
        losses = self.all_losses()
        done = losses.index((seat, self.state["sale"]["colour"])) + 1
        self.take_from(seat, marker)
        self.carry_out_losses(losses[done:])

    # -------------------------------------------------- the end of a turn, of a round, of the game

    def end(self) -> None:
        """Surplus Talers go first, then markers (spec 5, phase 4)."""
        self.active()["talers"] = min(self.active()["talers"], int(self.rules.turn["keep_talers_max"]))
        self.discard_or_end_turn()

    def discard_or_end_turn(self) -> None:
        """A decision as long as there are more than 3 unsold markers; then the next turn (spec 5)."""
        if len(self.active()["unsold"]) > int(self.rules.turn["keep_goods_max"]):
            self.ask("discard", self.state["active"])
            return
        self.state["acted"] = False
        if self.state["active"] + 1 < self.rules.players:
            self.begin_turn(self.state["active"] + 1)
        else:
            self.end_round()

    def end_round(self) -> None:
        """Idle rounds, then the end of the game or the next round (spec 8)."""
        self.state["idle_rounds"] = self.state["idle_rounds"] + 1 if self.state["idle"] else 0
        self.state["idle"] = True
        if self.state["opened_by"] is not None or self.state["idle_rounds"] == self.rules.stall_round_limit:
            self.state.update(phase="over", turn="over", active=None)
        else:
            self.begin_turn(0)

    # -------------------------------------------------- scoring

    def scores(self) -> list[int]:
        """The points as the position stands (spec 9)."""
        points = []
        for seat, player in enumerate(self.state["players"]):
            total = shown_points(player["sold"], player["unsold"], self.rules.scoring)
            for city in self.rules.cities:
                booths = self.booths_in(city)
                total += city_points(booths[seat], sum(booths) - booths[seat], self.rules.scoring)
            points.append(total)
        if self.rules.extrakarte:
            players = self.state["players"]
            bonus = extrakarte_bonus(
                [max(player["booths"].values(), default=0) for player in players],
                [len(player["booths"]) for player in players],
                [sum(barrels(marker) == 1 for marker in player["sold"]) for player in players],
                self.state["opened_by"],
                self.rules.bonuses,
            )
            points = [total + more for total, more in zip(points, bonus, strict=True)]
        return points

    def ranks(self) -> list[int]:
        """For every player the number of players placed better; only at the end (spec 9)."""
        if self.phase != "over":
            raise ValueError("spec 9: there are no ranks before the end of the game")
        booths = [sum(player["booths"].values()) for player in self.state["players"]]
        return final_ranks(self.scores(), booths)

    # -------------------------------------------------- states and views

    def canonical_state(self) -> State:
        """The whole truth, keys and markers in the order of the notation."""
        state = copy.deepcopy(self.state)
        for player in state["players"]:
            player["booths"] = {
                city: player["booths"][city] for city in self.rules.cities if city in player["booths"]
            }
            for name in ("unsold", "sold"):
                player[name] = self.rules.sorted(player[name])
        for city, row in state["warehouses"].items():
            state["warehouses"][city] = self.rules.sorted(row)
        for name in ("supply", "out"):
            state[name] = self.rules.sorted(state[name])
        if state["sale"] is not None:
            state["sale"]["kept"] = self.rules.sorted(state["sale"]["kept"])
        return state

    def view(self, player: int) -> State:
        """What a player sees: everything (notation, a player's view)."""
        if not 0 <= player < self.rules.players:
            raise ValueError(f"spec 2: there is no seat {player}")
        return self.canonical_state()
