"""`runout match`: two strategies head to head."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

if TYPE_CHECKING:
    from runout.cursors.cursor import AnySolution
    from runout.cursors.policy_solution import PolicySolution
    from runout.evaluation.match import Adjusted, MatchResult, OnDone

ADJUSTED = 200  # hands, a quarter of a minute of computing
KNOWN = {"both": (True, True), "first": (True, False), "second": (False, True), "neither": (False, False)}


def match_command(
    first: str = typer.Argument(
        help="A trained strategy or a solution of a small game: a directory; or a bot, bot:RUN,0.5,turn."
    ),
    second: str = typer.Argument(help="Another one of the same game, a bot, or uniform, call, fold or raise."),
    hands: int = typer.Option(100_000, "--hands", help="Hands to play, four of every deal."),
    seed: int = typer.Option(0, "--seed", min=0, help="Seed of deals and actions."),
    aivat: int | None = typer.Option(
        None,
        "--aivat",
        min=0,
        help="Hands of these that are adjusted for luck; 0: none. 200 for blueprints, tables.",
    ),
    known: str = typer.Option(
        "both", "--known", help="Whose strategy AIVAT may look at: both, first, second or neither."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar."),
) -> None:
    """Play two strategies against each other with duplicate deals; small games exactly."""
    from runout.app.cli.evaluate import steps_bar
    from runout.errors import InputError

    if known not in KNOWN:
        raise InputError(f"unknown side {known!r}: use {', '.join(KNOWN)}")
    with steps_bar(quiet or as_json) as on_step:
        on_done = None if on_step is None else lambda d, n: on_step("playing", d, n)
        found = _play(first, second, _Asked(hands, seed, aivat, KNOWN[known]), on_done)
    if as_json:
        import json

        wins = {name: seat.mean for name, seat in found.by_seat}
        record = {"wins": found.wins.mean, "unit": found.unit, "interval": [found.wins.low, found.wins.high]}
        record |= {"by_seat": wins, "hands": found.hands, "method": found.method, "says": found.says}
        print(json.dumps(record | {"aivat": None if found.aivat is None else _adjusted(found.aivat)}))
        return
    print(found.says[0].upper() + found.says[1:])
    for name, seat in found.by_seat:
        spread = "" if seat.low == seat.high else f" ({seat.low:.1f} to {seat.high:.1f})"
        print(f"  first as {name}: {seat.mean:+.1f} {found.unit}{spread}")
    if found.hands:
        print(f"  {found.hands:,} hands, {found.method}")
    if found.aivat is not None:
        seen = _seen(found.aivat)
        seen = "" if seen == "both" else " (no strategy known)" if seen == "neither" else f" (only the {seen} known)"
        print(f"  {'played, ' if not found.hands else ''}{found.aivat.says}{seen}")


class _Asked(NamedTuple):
    hands: int
    seed: int
    aivat: int | None
    known: tuple[bool, bool]


def _seen(found: Adjusted) -> str:
    return next(name for name, sides in KNOWN.items() if sides == found.known)


def _adjusted(found: Adjusted) -> dict[str, object]:
    interval = [found.wins.low, found.wins.high]
    spread = {"deviation": found.left, "raw_deviation": found.raw, "known": _seen(found)}
    return {"wins": found.wins.mean, "interval": interval, "hands": found.hands, "worth": found.worth, **spread}


def _play(first: str, second: str, asked: _Asked, on_done: OnDone | None) -> MatchResult:
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
        return exact_match(sides[0], sides[1], asked.known)
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
    game = known[0].game
    aivat = asked.aivat
    if aivat is None:  # networks of a buffer, raked games and large trees only where it is asked for
        quick = all(len(policy.weights) == 1 for policy in policies) and not game.rake.percent and game.no_limit
        aivat = min(ADJUSTED, asked.hands) if quick else 0
    return play_match(game, policies[0], policies[1], asked.hands, asked.seed, on_done, aivat, asked.known)


def _load(name: str) -> AnySolution:
    from runout.cursors.load import load

    return load(name)
