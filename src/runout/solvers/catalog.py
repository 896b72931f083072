"""Solvers of compiled games by name: every variant and sampling scheme, on either backend."""

from __future__ import annotations

import difflib
import re

from runout.errors import InputError
from runout.games.compiled import CompiledGame
from runout.protocols import Solver
from runout.solvers.sampling import SCHEMES, SamplingSolver, Scheme, make_scheme
from runout.solvers.schedules import VARIANTS, Schedule, make_schedule
from runout.solvers.tabular import TabularSolver

BACKENDS = ("numba", "torch")


def parse_algorithm(text: str, on_ranges: bool = False) -> Schedule | Scheme:
    """The algorithm in `cfr+`, `dcfr(1.5,0,2)`, `external-sampling`, ...: its name and, in brackets, its parameters.

    on_ranges: of the range solver, which alone can leave iterations out of the average.
    """
    match = re.fullmatch(r"\s*([^\s()]+)\s*(?:\(([^()]*)\))?\s*", text.lower())
    if match is None:
        raise InputError(f"cannot read algorithm {text!r}: use a name, or a name and parameters like dcfr(1.5,0,2)")
    name, inside = match[1], match[2]
    if name not in VARIANTS and name not in SCHEMES:
        close = difflib.get_close_matches(name, [*VARIANTS, *SCHEMES], 1)
        hint = f"did you mean {close[0]!r}?" if close else "use " + ", ".join([*VARIANTS, *SCHEMES])
        raise InputError(f"unknown algorithm {name!r}: {hint}")
    values = []
    for word in inside.split(",") if inside else []:
        try:
            values.append(float(word))
        except ValueError:
            raise InputError(f"cannot read {word.strip()!r} in algorithm {text!r}: use numbers") from None
    if name not in VARIANTS:
        return make_scheme(name, *values)
    found = make_schedule(name, *values)
    if found.every > 1 and not on_ranges:
        raise InputError(f"{found}: only postflop games and Flop Hold'em leave iterations out of the average: use 1")
    return found


def make_solver(
    game: CompiledGame,
    algorithm: str | Schedule | Scheme,
    alternating: bool = True,
    seed: int = 0,
    backend: str = "numba",
    device: str = "auto",
) -> Solver:
    """A solver of `game`. The seed matters only to sampling schemes, the device only to torch."""
    if isinstance(algorithm, str):
        algorithm = parse_algorithm(algorithm)
    if backend not in BACKENDS:
        raise InputError(f"unknown backend {backend!r}: use {' or '.join(BACKENDS)}")
    if isinstance(algorithm, Scheme):
        if backend != "numba":
            raise InputError(f"{algorithm.name} runs on the numba backend only")
        if not alternating:
            raise InputError(f"{algorithm.name} has alternating updates only")
        return SamplingSolver(game, algorithm, seed)
    if backend == "torch":
        from runout.solvers.torch_backend import TorchSolver

        return TorchSolver(game, algorithm, alternating, device)
    return TabularSolver(game, algorithm, alternating)
