"""`hansa play`: a person against bots in the terminal."""

from __future__ import annotations

import contextlib
import sys
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

import hansa
from hansa import Action
from hansa.cli.common import MAX_SEED, Failure, Options, Players, RulesFile, load, out, split_bots
from hansa.cli.results import scores_table
from hansa.cli.session import Session
from hansa.errors import HansaError
from hansa.records import Record

HELP = """\
  NUMBER or the action's words   choose it        u, undo          back to your previous decision
  h, hint [SIMULATIONS]          ask the search   b, board         show the board again
  s, save [FILE]                 save the game    q, quit          leave without saving
  ?, help                        this list"""


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The game's id; not needed with --resume.", show_default=False),
    ] = None,
    players: Players = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots",
            "-b",
            metavar="BOT,...",
            help="Bots of the other seats in order; one alone plays them all.",
        ),
    ] = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Your player number, from 0.", min=0)] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", help="Seed of chance and bots.", min=0, max=MAX_SEED)
    ] = None,
    option: Options = None,
    rules: RulesFile = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved game.")
    ] = None,
    hint_simulations: Annotated[
        int, typer.Option("--hint-simulations", help="Simulations of a hint.", min=1)
    ] = 5000,
) -> None:
    """Play against bots: a board in the terminal, numbered actions, undo, hints, save and resume."""
    if resume is not None:
        if bots or option or any(given is not None for given in (game, players, seat, seed)):
            raise Failure(
                "--resume takes all but --rules from the file: leave game, players, bots and the like away"
            )
        session = _resume(resume, rules)
    elif game is None:
        raise Failure(
            "which game? `hansa play GAME`, or `hansa play --resume FILE`; `hansa games` lists the games"
        )
    else:
        session = _begin(game, players, bots or ["greedy"], seat or 0, seed or 0, option, rules)
    _Table(session, resume, hint_simulations).run()


def _begin(
    game: str,
    players: int | None,
    bots: list[str],
    seat: int,
    seed: int,
    option: list[str] | None,
    rules: Path | None,
) -> Session:
    """A new game."""
    specs = split_bots(bots)
    if players is None and len(specs) > 1:
        players = len(specs) + 1
    loaded = load(game, players, option, rules)
    others = [player for player in range(loaded.players) if player != seat]
    if len(specs) == 1:
        specs *= len(others)
    if seat < loaded.players and len(specs) != len(others):
        raise Failure(
            f"{loaded.players} players need {len(others)} bots beside you or one for all, given {len(specs)}"
        )
    return Session(loaded, seat, dict(zip(others, specs, strict=False)), seed)


def _resume(file: Path, rules: Path | None) -> Session:
    """The game of a file that `save` has written."""
    try:
        record = Record.from_json(file.read_text(encoding="utf-8").strip())
        return Session.resume(record, record.load_game(rules=rules))
    except (HansaError, Failure) as error:
        raise Failure(f"{file}: {error}") from None


class _Table:
    """The conversation with the person.

    Args:
        session: the game.
        file: where `save` writes when it is not told; a new file by default.
        hint_simulations: simulations of a hint.
    """

    def __init__(self, session: Session, file: Path | None, hint_simulations: int) -> None:
        self.session = session
        self.file = file
        self.hint_simulations = hint_simulations
        self.console: Console = out()
        self.saved: list[str] | None = None

    def run(self) -> None:
        """Asks until the game is over or the person leaves."""
        if sys.stdin.isatty():
            # Arrow keys and history, where the platform has them: input() uses the module once it is loaded.
            with contextlib.suppress(ImportError):
                import_module("readline")
        self.console.print(HELP, markup=False)
        self.turn()
        while self.ask():
            pass

    def turn(self, news: list[str] | None = None) -> None:
        """Lets the others play, tells what happened, and shows the board."""
        lines = (news or []) + self.session.advance()
        self.console.print()
        for line in lines:
            self.console.print(f"  {line}", markup=False)
        if self.session.over:
            self.finish()
        else:
            self.board()

    def board(self) -> None:
        """The board as the person knows it, and the actions; when the game is over, the whole of it."""
        self.console.print()
        position = self.session.state if self.session.over else self.session.view
        self.console.print(self.session.display.draw(position))
        if not self.session.over:
            self.actions()

    def actions(self) -> None:
        """The numbered actions."""
        view = self.session.view
        legal = [str(action) for action in view.legal_actions()]
        width = max(len(move) for move in legal)
        self.console.print()
        for number, move in enumerate(legal, start=1):
            words = self.session.display.describe(view, move)
            line = f"{number:>4}  [bold]{escape(move.ljust(width))}[/bold]"
            self.console.print(line + (f"  [dim]{escape(words)}[/dim]" if words else ""))

    def finish(self) -> None:
        """The end of the game."""
        self.board()
        self.console.print()
        self.console.print(
            scores_table(self.session.state, [f"{n} {name}" for n, name in enumerate(self.session.names())])
        )
        self.console.print("The game is over: u to undo, s to save, q to leave.")

    def ask(self) -> bool:
        """Reads one line and does what it says; False when the person leaves."""
        try:
            line = input("> ").strip()
        except EOFError:
            self.console.print("\nEnd of input." + self.unsaved())
            return False
        except KeyboardInterrupt:
            self.console.print("\nInterrupted." + self.unsaved())
            raise
        if not line:
            return True
        word, *rest = line.split(maxsplit=1)
        argument = rest[0] if rest else ""
        match word.lower():
            case "q" | "quit" | "exit":
                self.console.print("Bye." + self.unsaved(), markup=False)
                return False
            case "u" | "undo":
                self.undo()
            case "h" | "hint":
                self.hint(argument)
            case "s" | "save":
                self.save(argument)
            case "b" | "board":
                self.board()
            case "?" | "help":
                self.console.print(HELP, markup=False)
            case _:
                self.choose(line)
        return True

    def unsaved(self) -> str:
        """A reminder when there is something to lose."""
        if self.session.over or self.saved == self.session.moves:
            return ""
        return " The game was not saved."

    def choose(self, line: str) -> None:
        """Plays the action of a number or of its words."""
        if self.session.over:
            self.console.print("The game is over: u to undo, s to save, q to leave.")
            return
        action = self.find(line)
        if action is not None:
            self.turn(self.session.choose(action))

    def find(self, line: str) -> Action | None:
        """The action that a line means; None, with a word about it, when it means none."""
        legal = self.session.view.legal_actions()
        if line.isascii() and line.isdigit():
            # A number of many digits is no index; int() would refuse the longest ones.
            if len(line) <= 9 and 1 <= int(line) <= len(legal):
                return legal[int(line) - 1]
            self.console.print(f"No action {line}: choose 1 to {len(legal)}, or ? for help.", markup=False)
            return None
        words = " ".join(line.lower().split())
        for action in legal:
            if str(action) == words:
                return action
        self.console.print(
            f"Not understood: {line!r}. Choose 1 to {len(legal)}, or ? for help.", markup=False
        )
        return None

    def undo(self) -> None:
        """Back to the person's previous decision."""
        if self.session.undo():
            self.console.print("Back to your previous decision.")
            self.board()
        else:
            self.console.print("Nothing to undo: this is your first decision.")

    def hint(self, argument: str) -> None:
        """What the search would do, from the person's view."""
        if self.session.over:
            self.console.print("The game is over: no hint.")
            return
        simulations = self.hint_simulations
        if argument:
            digits = argument.isascii() and argument.isdigit() and len(argument) <= 9
            if not digits or int(argument) == 0:
                self.console.print(
                    f"hint {argument}: expected a number of simulations, e.g. hint 20000.", markup=False
                )
                return
            simulations = int(argument)
        try:
            report = hansa.mcts.search(self.session.view, simulations=simulations, seed=self.session.seed)
        except KeyboardInterrupt:
            self.console.print("The search was interrupted.")
            return
        self.console.print(f"After {report.simulations} simulations in {report.elapsed:.2f} s:")
        for entry in sorted(report.actions, key=lambda entry: -entry.visits)[:5]:
            mark = "*" if entry.action == report.best else " "
            self.console.print(
                f"  {mark} {entry.action!s:<24} visits {entry.visits:>7}  value {entry.value:.3f}",
                markup=False,
            )

    def save(self, argument: str) -> None:
        """Writes the game to a file."""
        file = Path(argument) if argument else self.file or self.free_name()
        if file != self.file and file.exists():
            self.console.print(f"Not saved: {file} exists; choose another name.", markup=False)
            return
        try:
            file.write_text(self.session.record().to_json() + "\n", encoding="utf-8")
        except OSError as error:
            self.console.print(f"Not saved: {error.strerror or error}", markup=False)
            return
        self.file = file
        self.saved = list(self.session.moves)
        self.console.print(f"Saved. `hansa play --resume {file}` goes on from here.", markup=False)

    def free_name(self) -> Path:
        """A name for the file that no file has."""
        names = (Path(f"{self.session.game.id}-{number}.json") for number in count(1))
        return next(name for name in names if not name.exists())
