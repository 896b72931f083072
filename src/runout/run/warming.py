"""Compile kernels ahead of need: everything, in several processes at once, or those of a solve, once on a machine."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from runout import files
from runout.protocols import Done
from runout.run.executors import Processes

_SMALL = {"oop": "AA,KQs", "ip": "QQ,JTs"}


@cache
def warm(storage: str = "float32") -> None:
    """Solve something tiny, one process of this machine after the other: the first compiles, the others load."""
    with files.FileLock(Path(tempfile.gettempdir()) / "runout-compiling.lock"):
        _solve(storage)


def warm_all(workers: int | None = None) -> Iterator[Done[str]]:
    """Compile the kernels of everything in PARTS, in processes; each part, by name, as soon as it is done."""
    yield from Processes(workers).completed(_compile, PARTS)


def _compile(part: str) -> str:
    PARTS[part]()
    return part


def _solve(storage: str, look: bool = False) -> None:
    from runout.games.spot import Spot
    from runout.run.postflop import solve

    spot = Spot.default(ranges=_SMALL, solve={"storage": storage, "iterations": 1, "target": 0, "threads": 1})
    solution = solve(spot)
    if look:
        solution.at("x-x|2c|x").strategy()


def _preflop() -> None:
    from runout.games.preflop import Preflop, push_fold_settings
    from runout.run.preflop import solve_preflop

    solve_preflop(Preflop(**push_fold_settings(10)), iterations=2)


def _equity() -> None:
    from runout.cards.equity import equity

    equity("QQ+,AK", "22+", "Ah Kd 2c")
    equity("QQ+,AK", "22+")


def _small_games() -> None:
    from runout.run.tabular import solve_game

    solve_game("kuhn", iterations=2)
    solve_game("kuhn", algorithm="external-sampling", iterations=2)


def _blueprints() -> None:
    from runout.cursors.load import load

    load("20bb").at("SBr2 BBc|Qs Jh 2h|x").strategy()


def _whole_games() -> None:
    from runout.games.flop_choice import flop_choice
    from runout.games.holdem import LimitHoldem
    from runout.solvers.auto import blueprint_schedule
    from runout.solvers.blueprint import BlueprintSolver
    from runout.solvers.blueprint_game import BlueprintGame
    from runout.solvers.blueprint_measure import measure_flops
    from runout.solvers.mccfr import HoldemMccfr

    game = LimitHoldem(num_streets=2, ranks=4, suits=3).game()
    what = BlueprintGame.of(game, None)
    solver = BlueprintSolver(what, blueprint_schedule("auto"), batch=2, epoch=1, threads=1)
    solver.step(2)
    measure_flops(what, solver.buckets, flop_choice("all", game.deck), threads=1)
    HoldemMccfr(game, 10).step(1)


# Largest first: with two processes the others fill in beside it.
PARTS: dict[str, Callable[[], None]] = {
    "learning and measuring whole games": _whole_games,
    "solving, and looking at what was solved": lambda: _solve("float32", look=True),
    "solving in int16": lambda: _solve("int16"),
    "blueprints": _blueprints,
    "preflop": _preflop,
    "equities": _equity,
    "small games": _small_games,
}
