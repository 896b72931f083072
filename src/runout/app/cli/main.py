"""The command `runout`. Command modules import only typer at the top, so that help stays fast."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import NoReturn, cast

import typer

from runout.app.cli.acpc import acpc_app, slumbot_command
from runout.app.cli.bench import bench_command
from runout.app.cli.compare import compare_command
from runout.app.cli.convert import convert_command
from runout.app.cli.deals import deals_app
from runout.app.cli.equity import equity_command, tables_command
from runout.app.cli.evaluate import evaluate_command
from runout.app.cli.explore import explore_command
from runout.app.cli.export import export_command
from runout.app.cli.game import game_command
from runout.app.cli.hands import hands_command
from runout.app.cli.match import match_command
from runout.app.cli.play import play_command
from runout.app.cli.practice import practice_command
from runout.app.cli.preflop import preflop_command
from runout.app.cli.report import report_command
from runout.app.cli.review import review_command
from runout.app.cli.solve import solve_command
from runout.app.cli.texas import texas_command
from runout.app.cli.train import train_command
from runout.app.cli.upi import upi_command
from runout.app.cli.verify import verify_command
from runout.app.cli.warm import warm_command
from runout.app.cli.web import web_command
from runout.errors import RunoutError

app = typer.Typer(
    name="runout",
    help="Poker solver suite: equities, toy games, preflop, postflop; exact, fast, and honest about exploitability.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

# typer's own or click's, whichever this typer stands on
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__bases__[0])


def _version(wanted: bool) -> None:
    if wanted:
        import runout

        print(f"runout {runout.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command("solve")(solve_command)
app.command("report")(report_command)
app.command("preflop")(preflop_command)
app.command("train")(train_command)
app.command("evaluate")(evaluate_command)
app.command("match")(match_command)
app.command("play")(play_command)
app.command("hands")(hands_command)
app.add_typer(acpc_app, name="acpc")
app.command("slumbot")(slumbot_command)
app.command("review")(review_command)
app.command("explore")(explore_command)
app.command("practice")(practice_command)
app.command("compare")(compare_command)
app.command("export")(export_command)
app.command("verify")(verify_command)
app.command("warm")(warm_command)
app.command("equity")(equity_command)
app.command("game")(game_command)
app.add_typer(deals_app, name="deals")
app.command("web")(web_command)
app.command("upi")(upi_command)
app.command("texas")(texas_command)
app.command("convert")(convert_command)
app.command("bench")(bench_command)
app.command("tables", hidden=True)(tables_command)


def main() -> None:
    """Entry point: one line and exit status 2 for bad input, never a traceback."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without bars and suits still gets the numbers
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except RunoutError as error:
        _fail(str(error))
    except _UsageError as error:
        _fail(error.format_message())
    except typer.Abort as abort:  # which stands for Ctrl-C, and for a file that ends too soon
        if isinstance(abort.__cause__, EOFError):
            _fail(f"something that was to be read ends too soon: {abort.__cause__}")
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output went away (head, less)
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:  # a disk that is full or cannot be written, most often that of standard output
        place = f" ({error.filename})" if error.filename else ""
        _fail(f"cannot go on: {error.strerror or error}{place}")
    except MemoryError:
        _fail("memory ran out: give a smaller game, fewer sizes or narrower ranges")
    else:
        sys.exit(status or 0)


def _fail(message: str) -> NoReturn:
    """One line, status 2; what standard output could not take is dropped."""
    with suppress(OSError):
        print("runout: " + " ".join(message.split()), file=sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(2)


if __name__ == "__main__":
    main()
