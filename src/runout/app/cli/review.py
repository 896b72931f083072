"""`runout review`: grade played hands by what each decision lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from runout.run.review import Review


def review_command(
    paths: list[Path] = typer.Argument(
        metavar="FILE...", help="Hands of PokerStars, GG, PHH or OHH: files, or folders of them."
    ),
    output: Path | None = typer.Option(
        None, "-o", "--output", help="Directory for results (CSV, JSON); one that was begun is taken up."
    ),
    source: list[Path] = typer.Option(
        [], "--from", help="Ranges: a preflop solution, blueprint or run; several of different depths. Repeatable."
    ),
    hero: str | None = typer.Option(None, "--hero", help="Grade this player; everybody whose cards are known without."),
    target: float = typer.Option(0.5, "--target", "-t", min=0.001, help="Solve to this exploitability, % of the pot."),
    most: int | None = typer.Option(None, "--limit", min=1, help="Grade at most this many hands."),
    threads: int = typer.Option(0, "--threads", min=0, help="Threads; 0 uses every core."),
    keep: bool = typer.Option(False, "--keep", help="Save each solved spot in the directory, without rivers."),
    rows: int = typer.Option(20, "--rows", min=0, help="How many hands to list."),
    read_only: bool = typer.Option(False, "--read-only", help="Read hands and play them again; grade none."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar and no colours."),
) -> None:
    """Read played hands, solve what two players played from the flop on, and list hands by the EV that was lost."""
    import json

    from runout.app.cli.node_view import make_console
    from runout.app.cli.progress import progress_bar
    from runout.errors import InputError
    from runout.run.review import review

    if read_only and (source or hero or keep or most is not None):
        raise InputError("--read-only grades nothing: leave --from, --hero, --keep and --limit out")
    with progress_bar(None, quiet or as_json, "grading") as draw:
        found = review(
            paths, output, source=source, hero=hero, read_only=read_only, target=target, most=most, threads=threads,
            keep=keep, progress=draw,
        )  # fmt: skip
    if as_json:
        print(json.dumps(found.record()))
    else:
        _show(make_console(quiet), found, rows, read_only)
        if output is not None:
            print(f"results in {output}: review.csv, review.json")
    if found.stopped:
        raise typer.Exit(130)


def _show(console: Console, found: Review, rows: int, read_only: bool) -> None:
    from rich.table import Table

    console.print(
        f"{found.found:,} hands, {found.read:,} read and played again, {found.heads_up:,} heads-up by the flop"
    )
    for failure in found.failures:
        console.print(f"  {failure}", markup=False, soft_wrap=True)
    if read_only:
        return
    decisions = sum(len(hand.decisions) for hand in found.hands)
    without = f"{found.left_out:,} without cards, stacks or decisions to grade"
    console.print(f"{len(found.hands):,} graded, {decisions:,} decisions; {without}")
    for where in sorted({hand.ranges for hand in found.hands if hand.ranges}):
        console.print(f"ranges: {where}", markup=False, soft_wrap=True)
    if not found.hands:
        return
    console.print(f"EV lost: {found.ev_lost_bb:.2f} bb\n")
    table = Table(box=None, pad_edge=False)
    for heading, side in (
        ("lost bb", "right"), ("of pot", "right"), ("grade", "left"), ("hand", "left"), ("player", "left"),
        ("held", "left"), ("street", "left"), ("did", "left"), ("best", "left"), ("line", "left"),
    ):  # fmt: skip
        table.add_column(heading, justify="right" if side == "right" else "left")
    for hand in found.hands[:rows]:
        worst = hand.worst
        if worst is None:
            continue
        lost = "" if worst.ev_lost_bb is None else f"{worst.ev_lost_bb:.2f}"
        share = "" if worst.ev_lost_pct is None else f"{worst.ev_lost_pct:.1f}%"
        held = worst.hand + (" (off range)" if worst.off_range else "")
        name = f"{hand.number}" if not hand.file else f"{Path(hand.file).name} {hand.number}"
        cells = (lost, share, worst.grade, name, worst.player, held, worst.street, worst.action, worst.best)
        table.add_row(*cells, worst.line or "-")
    console.print(table)
