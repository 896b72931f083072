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


# Largest first: with two processes the others fill in beside it.
PARTS: dict[str, Callable[[], None]] = {
    "solving, and looking at what was solved": lambda: _solve("float32", look=True),
    "solving in int16": lambda: _solve("int16"),
    "blueprints": _blueprints,
    "preflop": _preflop,
    "equities": _equity,
    "small games": _small_games,
}
