"""CFR and its variants on a compiled game.

1. Each iteration updates one player after the other (alternating), or both against each other's last strategy.
2. An update multiplies the player's regrets and average by the schedule's weights, adds the regrets of not having
   played each action, and matches the next strategy to the positive (predicted) regrets.
3. The average strategy converges to a Nash equilibrium; the current one need not.

The loops are in `runout.kernels.tabular`; this class owns the tables. All iterations of a step run in compiled code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from runout.errors import InputError, SolutionError
from runout.games.compiled import CompiledGame
from runout.kernels import tabular as kernels
from runout.solvers.schedules import Schedule
from runout.solvers.whole import in_pieces

CHUNK = 1 << 15  # iterations whose weights are laid out at once

Which = Literal["average", "current", "last"]


class TabularSolver:
    """CFR in compiled code on the CPU; see `runout.protocols.Solver`."""

    def __init__(self, game: CompiledGame, schedule: Schedule, alternating: bool = True) -> None:
        self.game = game
        self.schedule = schedule
        self.alternating = alternating
        self.iteration = 0
        self._regrets = np.zeros(game.sequences)
        self._average = np.zeros(game.sequences)
        self._strategy = uniform_strategy(game)
        self._last = self._strategy.copy()
        self._plan = np.zeros(game.sequences)
        self._realise()

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        tables = (self._tables(0), self._tables(1))
        for first in range(0, max(iterations, 1), CHUNK):  # none at all still loads the compiled code
            chunk = min(iterations - first, CHUNK)
            kernels.iterate(self.game.sides, tables, self.schedule.rows(self.iteration, chunk), self.alternating)
            self.iteration += chunk

    def policy(self, which: Which = "average") -> np.ndarray:
        """Probability of each sequence's action at its information set, float64 [sequences].

        "average" converges; "current" is what would be played next; "last" was played in the last iteration.
        """
        return chosen_strategy(self.game, which, self._average, self._strategy, self._last)

    def memory(self) -> int:
        return sum(array.nbytes for array in self.state().values())

    def state(self) -> dict[str, np.ndarray]:
        return saved(self._named(), self.iteration)

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restored(state, self._named())
        self._realise()

    def _named(self) -> dict[str, np.ndarray]:
        return {
            "regrets": self._regrets,
            "strategy": self._strategy,
            "average": self._average,
            "last": self._last,
        }

    def _tables(self, player: int) -> kernels.LearntTables:
        arrays = (self._regrets, self._strategy, self._plan, self._average, self._last)
        return kernels.LearntTables(*(self.game.part(array, player) for array in arrays))

    def _realise(self) -> None:
        for p in range(2):
            kernels.realise(self.game.sides[p], self.game.part(self._strategy, p), self.game.part(self._plan, p))


def uniform_strategy(game: CompiledGame) -> np.ndarray:
    """Every action equally likely, float64 [sequences]."""
    return normalised(game, np.zeros(game.sequences))


def normalised(game: CompiledGame, sums: np.ndarray) -> np.ndarray:
    """Sums of plans as a strategy, float64 [sequences]."""
    strategy = np.empty(game.sequences)
    for p in range(2):
        kernels.normalise(game.sides[p], game.part(sums, p), game.part(strategy, p))
    return strategy


def chosen_strategy(
    game: CompiledGame, which: Which, average: np.ndarray, current: np.ndarray, last: np.ndarray
) -> np.ndarray:
    """The one of a solver's strategies that `which` names, float64 [sequences]."""
    if which == "average":
        return normalised(game, average)
    if which == "current":
        return current.copy()
    if which == "last":
        return last.copy()
    raise InputError(f"unknown strategy {which!r}: use average, current or last")


def saved(tables: Mapping[str, np.ndarray], iteration: int) -> dict[str, np.ndarray]:
    """Copies of `tables` and the iteration they stand at, for `restored`."""
    return {**{name: table.copy() for name, table in tables.items()}, "iteration": np.array([iteration], np.int64)}


def restored(state: Mapping[str, np.ndarray], tables: Mapping[str, np.ndarray]) -> int:
    """Copy a saved state into `tables`; the iteration it was saved at. A state of another game or solver is refused."""
    for name, table in {**tables, "iteration": np.zeros(1)}.items():
        if name not in state:
            raise SolutionError(f"the saved state lacks {name!r}: it is of another solver")
        found = np.asarray(state[name])
        if found.shape != table.shape or found.dtype.kind not in "iuf":
            raise SolutionError(f"the saved {name} have shape {found.shape}; this game needs {table.shape}")
        if not np.isfinite(found).all():
            raise SolutionError(f"the saved {name} hold numbers that are none")
    for name, table in tables.items():
        table[:] = state[name]
    return int(state["iteration"][0])
