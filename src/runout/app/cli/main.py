"""The command `runout`. Command modules import only typer at the top, so that help stays fast."""

from __future__ import annotations

import sys

import typer

from runout.errors import RunoutError

app = typer.Typer(
    name="runout",
    help="Poker solver suite: equities, toy games, preflop, postflop; exact, fast, and honest about exploitability.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        import runout

        print(f"runout {runout.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


def main() -> None:
    """Entry point: one line and exit status 2 for bad input, never a traceback."""
    try:
        app(standalone_mode=True)
    except RunoutError as error:
        print(f"runout: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
