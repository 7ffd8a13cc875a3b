"""The command line: `hansa`, also `python -m hansa`.

One module holds one command or a pair that belongs together; what they share is in `common`. Bad input is one
line on the error output, which says what would be right, and exit code 2; a record that does not replay, or
an override that has problems, is exit code 1.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import hansa
from hansa.cli import arena, bench, catalogue, demo, play, records
from hansa.cli.common import Failure, one_line
from hansa.errors import HansaError, RulesError

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    help="Hanseatic trade board games: rules, records, search, matches and a board in the terminal.",
)
app.command("games")(catalogue.games)
app.command("rules")(catalogue.rules)
app.command("sample")(records.sample)
app.command("trace")(records.trace)
app.command("play")(play.play)
app.command("arena")(arena.arena)
app.command("bench")(bench.bench)
app.command("demo")(demo.demo)


def _print_version(wanted: bool) -> None:
    """Prints the version and ends, when it is asked for."""
    if wanted:
        print(f"hansa {hansa.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    """Without a command: the help."""
    if context.invoked_subcommand is None:
        text = context.get_help()
        if text:
            print(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code.

    Args:
        arguments: what stands after the name of the program; by default that of this process.
    """
    try:
        result = app(
            args=list(sys.argv[1:] if arguments is None else arguments),
            prog_name="hansa",
            standalone_mode=False,
        )
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except Failure as failure:
        return _complain(str(failure), failure.code)
    except typer.TyperException as error:
        return _complain(_usage(error), error.exit_code)
    except RulesError as error:
        more = len(error.problems) - 1
        text = f"{error.problems[0]}" if error.problems else str(error)
        rest = f" ({more} more; `hansa rules GAME --check FILE` lists all)" if more > 0 else ""
        return _complain(f"the rules do not fit: {text}{rest}", 2)
    except HansaError as error:
        return _complain(str(error), 2)
    except BrokenPipeError:
        # The reader has gone, as in `| head`. What is still buffered must not fail once more at exit.
        # typer and rich end with 1 where they notice it first.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _complain(f"{where}{error.strerror or error}", 2)
    except UnicodeDecodeError as error:
        return _complain(f"not a text in UTF-8: {error}", 2)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", 130)


def _usage(error: typer.TyperException) -> str:
    """The message of a wrong use of the command line, with where to read more."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "hansa"
    message = one_line(error.format_message())
    return f"{message}{'' if message.endswith(('.', '?')) else '.'} See `{command} --help`"


def _complain(message: str, code: int) -> int:
    """One line on the error output."""
    print(f"hansa: {one_line(message)}", file=sys.stderr)
    return code
