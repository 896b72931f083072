"""`runout play`: sit down against the bot."""

from __future__ import annotations

from pathlib import Path

import typer

from runout.app.cli.acpc import SAFE, sitting


def play_command(
    runs: list[Path] | None = typer.Argument(
        None, metavar="[RUN ...]", help="Blueprints, or folders of them; those that come with Runout without any."
    ),
    stack: float = typer.Option(100.0, "--stack", help="Big blinds that both begin with."),
    keep: bool = typer.Option(False, "--keep", help="Carry stacks from hand to hand, and buy in again when broke."),
    seconds: float = typer.Option(1.0, "--seconds", help="Seconds that the bot may think about a decision."),
    mode: str = typer.Option("turn", "--mode", help="Where subgames are solved from: river, turn, flop, blueprint."),
    safe: bool = SAFE,
    seed: int | None = typer.Option(None, "--seed", min=0, help="Seed of deals and of what the bot draws."),
    output: Path = typer.Option(
        Path("hands"), "-o", "--output", help="Folder for the hands, as PHH and as PokerStars text."
    ),
    light: bool = typer.Option(False, "--light", help="Dark text on a light screen."),
) -> None:
    """Play heads-up no-limit hold'em against the bot; every decision is graded after the hand."""
    import sys

    from runout.errors import InputError
    from runout.run.table import PlayTable

    at = sitting(runs, seconds, mode, safe)
    table = PlayTable(at, stack, seed, keep, output)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("play needs a terminal: use runout web to play in a browser")
    from rich.console import Console

    with Console(stderr=True).status("sitting down"):
        from runout.app.tui.play_app import PlayApp

        at.at(stack)
        app = PlayApp(table, light)
    app.run()
    score = table.score()
    print(f"{score.hands} hands, {score.won_bb:+.1f} bb; {score.lost_bb:.2f} bb lost by {score.decisions} decisions")
    if score.hands and table.files is not None:
        print(f"hands are in {table.files[0]} and {table.files[1].name}; `runout review` solves them exactly")
