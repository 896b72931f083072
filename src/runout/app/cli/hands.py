"""`runout hands`: hands that a trained strategy plays against itself, for trackers and other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from runout.hands.record import PlayedHand

FORMATS = ("pokerstars", "phh")


def hands_command(
    run: str = typer.Argument(help="A trained strategy: the directory of a run or of a checkpoint."),
    count: int = typer.Option(1000, "-n", "--hands", help="Hands to play."),
    form: str | None = typer.Option(None, "--format", "-f", help="pokerstars or phh; by the file's name otherwise."),
    output: Path | None = typer.Option(None, "-o", "--output", help="File to write; standard output without one."),
    seed: int = typer.Option(0, "--seed", min=0, max=9999, help="Seed of deals and actions."),
) -> None:
    """Play a trained strategy against itself and write the hands as PokerStars text or PHH."""
    import sys

    from runout import files
    from runout.cursors.load import load
    from runout.cursors.policy_solution import PolicySolution
    from runout.errors import InputError
    from runout.evaluation.self_play import self_play

    phh = output is not None and output.suffix.lower() in (".phh", ".phhs")
    chosen = form or ("phh" if phh else "pokerstars")
    if chosen not in FORMATS:
        raise InputError(f"unknown format {chosen!r}: use {' or '.join(FORMATS)}")
    if output is not None:
        files.check_place(output)
    solution = load(run)
    if not isinstance(solution, PolicySolution):
        raise InputError(f"{run} cannot be dealt and played: use a trained hold'em strategy")
    texts = _texts(self_play(solution.game, solution.policy, count, seed), chosen)
    if output is None:
        for text in texts:
            sys.stdout.write(text)
        return
    with files.replacing(output) as file:
        file.writelines(texts)
    print(f"wrote {count:,} hand{'s' * (count != 1)} to {output}")


def _texts(hands: Iterator[PlayedHand], form: str) -> Iterator[str]:
    from runout.hands.phh import phhs_text
    from runout.hands.pokerstars_writer import pokerstars_text

    if form == "phh":
        yield from phhs_text(hands)
        return
    for hand in hands:
        yield pokerstars_text(hand) + "\n\n"
