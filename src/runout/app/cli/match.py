"""`runout match`: two strategies head to head."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from runout.cursors.cursor import AnySolution
    from runout.cursors.policy_solution import PolicySolution
    from runout.evaluation.match import MatchResult, OnDone


def match_command(
    first: str = typer.Argument(help="A trained strategy or a solution of a small game: a directory."),
    second: str = typer.Argument(help="Another one of the same game, or uniform, call, fold or raise."),
    hands: int = typer.Option(100_000, "--hands", help="Hands to play, four of every deal."),
    seed: int = typer.Option(0, "--seed", min=0, help="Seed of deals and actions."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar."),
) -> None:
    """Play two strategies against each other with duplicate deals; small games exactly."""
    from runout.app.cli.evaluate import steps_bar

    with steps_bar(quiet or as_json) as on_step:
        found = _play(first, second, hands, seed, None if on_step is None else lambda d, n: on_step("playing", d, n))
    if as_json:
        import json

        wins = {name: seat.mean for name, seat in found.by_seat}
        record = {"wins": found.wins.mean, "unit": found.unit, "interval": [found.wins.low, found.wins.high]}
        print(json.dumps({**record, "by_seat": wins, "hands": found.hands, "method": found.method, "says": found.says}))
        return
    print(found.says[0].upper() + found.says[1:])
    for name, seat in found.by_seat:
        spread = "" if seat.low == seat.high else f" ({seat.low:.1f} to {seat.high:.1f})"
        print(f"  first as {name}: {seat.mean:+.1f} {found.unit}{spread}")
    if found.hands:
        print(f"  {found.hands:,} hands, {found.method}")


def _play(first: str, second: str, hands: int, seed: int, on_done: OnDone | None) -> MatchResult:
    from runout.cursors.game_solution import GameSolution
    from runout.cursors.policy_solution import PolicySolution
    from runout.errors import InputError
    from runout.evaluation.match import exact_match, play_match
    from runout.evaluation.opponents import NAMED, named_policy

    sides = [None if name in NAMED and not Path(name).exists() else _load(name) for name in (first, second)]
    if sides[0] is None and sides[1] is None:
        raise InputError(
            f"{first!r} and {second!r} are names: give a trained strategy for one of them, it says the game"
        )
    if isinstance(sides[0], GameSolution) and isinstance(sides[1], GameSolution):
        return exact_match(sides[0], sides[1])
    for name, side in zip((first, second), sides, strict=True):
        if side is not None and not isinstance(side, PolicySolution):
            raise InputError(
                f"{name} cannot be played out: use two trained hold'em strategies, two solutions of a small game, or "
                f"a trained strategy against {', '.join(NAMED)}"
            )
    known: list[PolicySolution] = [side for side in sides if isinstance(side, PolicySolution)]
    if len(known) == 2 and known[0].game != known[1].game:
        raise InputError(f"{first} plays {known[0].game.name}, {second} {known[1].game.name}: use the same game")
    policies = [
        side.policy if isinstance(side, PolicySolution) else named_policy(name)
        for name, side in zip((first, second), sides, strict=True)
    ]
    return play_match(known[0].game, policies[0], policies[1], hands, seed, on_done)


def _load(name: str) -> AnySolution:
    from runout.cursors.load import load

    return load(name)
