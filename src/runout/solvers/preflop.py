"""CFR and its variants on a game before the flop, 169 classes against 169.

1. Each iteration updates one player after the other, the second against the first one's new strategy.
2. The opponent's reach of every line times the tables of deals and shares gives the value of every end at once.
3. Values go up the lines; regrets, the next strategy and the own-reach-weighted average follow (`kernels.preflop`).

The average strategy converges to an equilibrium. Best responses are exact: they maximise at each decision of each
class, knowing the opponent's strategy and nothing of its cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from runout.cards.hands import CLASSES
from runout.errors import InputError
from runout.kernels import preflop as kernels
from runout.protocols import Solver
from runout.solvers import preflop_passes
from runout.solvers.assessment import Assessment
from runout.solvers.auto import PREFLOP_AUTO
from runout.solvers.catalog import BACKENDS, parse_algorithm
from runout.solvers.preflop_game import PreflopGame
from runout.solvers.schedules import VARIANTS, Schedule
from runout.solvers.tabular import restored, saved
from runout.solvers.whole import in_pieces


class PreflopSolver:
    """Compiled loops on the CPU; see `runout.protocols.Solver`."""

    def __init__(self, game: PreflopGame, schedule: Schedule) -> None:
        self.game, self.schedule, self.iteration = game, schedule, 0
        self._regrets = np.zeros((game.edges, CLASSES))
        self._average = np.zeros((game.edges, CLASSES))
        self._strategy = game.keep_locks(normalised(game, self._average))
        self._sweep = Sweep(game)

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        weights = self.schedule.rows(self.iteration, max(iterations, 1))
        for t in range(iterations):
            for player in (0, 1):
                self._update(player, weights[t : t + 2])
            self.iteration += 1

    def _update(self, player: int, weights: np.ndarray) -> None:
        lines, sweep = self.game.lines, self._sweep
        sweep.find_values(self._strategy, player)
        own = sweep.realise(self._strategy, player)
        kernels.add_average(lines, player, own, weights[0, 2], self._average)
        edge_values, node_values = sweep.edge_values, sweep.node_values
        kernels.learn(lines, player, weights, edge_values, node_values, self._regrets, self._strategy)
        self.game.keep_locks(self._strategy)

    def policy(self) -> np.ndarray:
        """The average strategy, float64 [edges, 169]."""
        return self.game.keep_locks(normalised(self.game, self._average))

    def memory(self) -> int:
        return self._sweep.nbytes + sum(array.nbytes for array in self.state().values())

    def state(self) -> dict[str, np.ndarray]:
        return saved(self._named(), self.iteration)

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restored(state, self._named())

    def _named(self) -> dict[str, np.ndarray]:
        return {"regrets": self._regrets, "strategy": self._strategy, "average": self._average}


class Sweep:
    """Scratch arrays of a game, and the passes over them: compiled ones, or whichever are quicker `once`."""

    def __init__(self, game: PreflopGame, once: bool = False) -> None:
        self.game = game
        self._passes: Any = preflop_passes if once and game.edges <= preflop_passes.FEW_EDGES else kernels
        self.edge_values = np.empty((game.edges, CLASSES))
        self.node_values = np.empty((game.nodes, CLASSES))
        self._reach = [np.empty((rows, CLASSES)) for rows in game.rows]
        self._products = [np.empty((sum(len(b.rows) for b in blocks), CLASSES)) for blocks in game.blocks]

    @property
    def nbytes(self) -> int:
        arrays = [self.edge_values, self.node_values, *self._reach, *self._products]
        return sum(array.nbytes for array in arrays)

    def realise(self, strategy: np.ndarray, player: int) -> np.ndarray:
        """float64 [rows, 169]: the player's own reach of its rows; valid until the next call."""
        rows = self._reach[player]
        self._passes.realise(self.game.lines, player, strategy, rows)
        return rows

    def find_values(self, strategy: np.ndarray, player: int, best: bool = False) -> float:
        """Fill `edge_values` and `node_values` of a player; gives the value of the game, in big blinds."""
        reach, products, at = self.realise(strategy, 1 - player), self._products[player], 0
        for block in self.game.blocks[player]:
            self._passes.multiply(reach, block.rows, block.matrix, products[at : at + len(block.rows)])
            at += len(block.rows)
        ends, lines = self.game.ends[player], self.game.lines
        given, found = self.game.given, (self.edge_values, self.node_values)
        self._passes.find_values(lines, ends, products, player, strategy, best, given, *found)
        return float(self.node_values[0].sum())


def normalised(game: PreflopGame, sums: np.ndarray) -> np.ndarray:
    """Sums over the edges of each node as probabilities; uniform where there are none."""
    strategy = np.empty_like(sums)
    kernels.normalise(game.lines, sums, strategy)
    return strategy


def assess(game: PreflopGame, strategy: np.ndarray, sweep: Sweep | None = None) -> Assessment:
    """Value and best responses of `strategy`, float64 [edges, 169], in big blinds per hand."""
    sweep = Sweep(game, once=True) if sweep is None else sweep
    values = (sweep.find_values(strategy, 0), sweep.find_values(strategy, 1))
    best = (sweep.find_values(strategy, 0, best=True), sweep.find_values(strategy, 1, best=True))
    return Assessment(values, best, "bb")


def preflop_schedule(text: str) -> Schedule:
    """The schedule that `auto`, `cfr+`, `dcfr(1.5,0,2)`, ... names; sampling schemes are refused."""
    found = parse_algorithm(PREFLOP_AUTO if text.strip().lower() == "auto" else text)
    if not isinstance(found, Schedule):
        raise InputError(f"no algorithm {found.name!r} runs on ranges: use auto, {', '.join(VARIANTS)}")
    return found


def make_preflop_solver(game: PreflopGame, schedule: Schedule, backend: str = "numba", device: str = "auto") -> Solver:
    """A solver of `game` on a backend; the device matters only to torch."""
    if backend not in BACKENDS:
        raise InputError(f"unknown backend {backend!r}: use {' or '.join(BACKENDS)}")
    if backend == "torch":
        if len(game.given):
            raise InputError("locks before the flop run on the backend numba: leave out --backend torch")
        from runout.solvers.torch_backend_preflop import TorchPreflopSolver

        return cast("Solver", TorchPreflopSolver(game, schedule, device))
    return PreflopSolver(game, schedule)
