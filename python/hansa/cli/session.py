"""A person's game against bots: whose turn it is, what the person may know of it, undo, save and resume."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import hansa
from hansa import Action, Game, Record, Rng, State, View
from hansa.cli.common import Failure, complaint, python_bot
from hansa.display import Display
from hansa.errors import HansaError


class Session:
    """A game of one person against bots.

    Chance and the built-in bots draw from streams of their own for each move, made from the seed and the
    number of the move. So undo does not change the luck, and a game that was saved and resumed goes on as it
    would have gone.

    Args:
        game: the game.
        seat: the player number of the person.
        bots: the specs of the bots, by player number; that of the seat is not used.
        seed: seed of chance and bots.
        moves: moves already played.
    """

    def __init__(
        self, game: Game, seat: int, bots: Mapping[int, str], seed: int, moves: Sequence[str] = ()
    ) -> None:
        """A session that stands after the given moves."""
        if not 0 <= seat < game.players:
            raise Failure(f"seat {seat}: the players of this table are 0 to {game.players - 1}")
        self.game = game
        self.seat = seat
        self.bots = {player: spec for player, spec in bots.items() if player != seat}
        self.seed = seed
        self._python = {player: python_bot(spec) for player, spec in self.bots.items()}
        self._seeds: list[int] = []
        self._source = Rng(seed)
        self.moves: list[str] = []
        self._states: list[State] = [game.new_initial_state()]
        for move in moves:
            self._apply(move)
        self.display = Display(game, self.names())

    def names(self) -> list[str]:
        """What to call the players, by player number."""
        short = {
            player: spec.split(":")[-1 if self._python[player] else 0] for player, spec in self.bots.items()
        }
        return [short.get(player, "you") for player in range(self.game.players)]

    @property
    def state(self) -> State:
        """The position, the whole truth: not for showing before the game is over."""
        return self._states[-1]

    @property
    def view(self) -> View:
        """What the person knows."""
        return self.state.view(self.seat)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.is_terminal()

    def advance(self) -> list[str]:
        """Plays on to the person's next decision or to the end; returns what the person saw, a line each."""
        news = []
        while not self.over and self.state.current_player() != self.seat:
            before = self.view
            if self.state.is_chance_node():
                while self.state.is_chance_node():
                    self._apply(str(self.state.sample_chance(Rng(self._stream()))))
            else:
                self._bot_move()
            news += self.display.news(before, self.view)
        return news

    def choose(self, action: Action) -> list[str]:
        """Plays the person's action; returns what it brought about, a line each."""
        before = self.view
        self._apply(str(action))
        return self.display.news(before, self.view)

    def undo(self) -> bool:
        """Goes back to the person's previous decision; False when there is none."""
        for index in range(len(self.moves) - 1, -1, -1):
            if self._states[index].current_player() == self.seat:
                del self._states[index + 1 :]
                del self.moves[index:]
                for bot in self._python.values():
                    if bot is not None:
                        hansa.bots.restart(bot)
                return True
        return False

    def record(self) -> Record:
        """The game so far, with what is needed to resume it under the key `play`."""
        bots = [self.bots.get(player) for player in range(self.game.players)]
        return Record(
            self.game, self.moves, extra={"play": {"seat": self.seat, "bots": bots, "seed": self.seed}}
        )

    @classmethod
    def resume(cls, record: Record, game: Game) -> Session:
        """The session of a record that `record` has made."""
        saved: Any = record.extra.get("play")
        try:
            seat, seed = int(saved["seat"]), int(saved["seed"])
            bots = {player: str(spec) for player, spec in enumerate(saved["bots"]) if spec is not None}
        except (TypeError, KeyError, ValueError):
            raise Failure(
                'this record was not saved by `hansa play`: it has no key "play" with seat, bots and seed'
            ) from None
        if set(bots) != set(range(game.players)) - {seat}:
            raise Failure(
                f'key "play": expected a bot for every player but {seat}, {game.players} players in all'
            )
        record.replay(game)
        return cls(game, seat, bots, seed, record.moves)

    def _stream(self) -> int:
        """The seed of the stream of the next move."""
        while len(self._seeds) <= len(self.moves):
            self._seeds.append(self._source.next_seed())
        return self._seeds[len(self.moves)]

    def _bot_move(self) -> None:
        """Lets the bot that is asked choose, from its view."""
        player = self.state.current_player()
        spec, view = self.bots[player], self.state.view(player)
        bot = self._python[player]
        if bot is None:
            self._apply(str(hansa.bots.make(spec, self._stream()).act(view)))
            return
        try:
            self._apply(str(bot.act(view)))
        except HansaError as error:
            raise Failure(f"bot {spec!r}, player {player}: {error}", code=1) from None
        except Exception as error:  # noqa: BLE001 - a user's bot may raise anything
            raise Failure(f"bot {spec!r}, player {player}: {complaint(error)}", code=1) from None

    def _apply(self, move: str) -> None:
        """Plays a move."""
        self._states.append(self.state.apply(move))
        self.moves.append(move)
