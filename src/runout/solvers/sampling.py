"""Monte Carlo CFR: external, outcome and chance sampling (Lanctot et al. 2009), seeded.

1. Each iteration walks once for each player over a sampled part of the tree.
2. Sampled regrets are unbiased: each is divided by the probability that the walk came there.
3. The average strategy converges with high probability; more iterations, each far cheaper than a full one.

The walk is in `runout.kernels.sampling`; tables have the same shapes and names as those of the full solver.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from runout.errors import InputError
from runout.games.compiled import CompiledGame
from runout.kernels import sampling as kernels
from runout.solvers.tabular import Which, chosen_strategy, restored, saved, uniform_strategy
from runout.solvers.whole import in_pieces


@dataclass(frozen=True, slots=True)
class Scheme:
    """What a walk samples besides chance."""

    name: str
    own: bool  # the traverser's actions
    other: bool  # the opponent's
    explore: float = 0.0  # share of uniform play when the traverser's actions are sampled

    def __str__(self) -> str:
        return (
            f"{self.name}({self.explore:.17g})"
            if self.own and self.explore != SCHEMES[self.name].explore
            else self.name
        )


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("external-sampling", own=False, other=True),
        Scheme("outcome-sampling", own=True, other=True, explore=0.6),
        Scheme("chance-sampling", own=False, other=False),
    )
}


def make_scheme(name: str, *values: float) -> Scheme:
    """The scheme `name`; outcome sampling takes its share of exploration."""
    scheme = SCHEMES[name]
    if not values:
        return scheme
    if not scheme.own or len(values) > 1:
        takes = "one parameter, its exploration" if scheme.own else "no parameters"
        raise InputError(f"{name} was given {len(values)} parameters: it takes {takes}")
    if not (math.isfinite(values[0]) and 0 < values[0] <= 1):
        raise InputError(f"{name}: exploration = {values[0]}: use a number above 0, up to 1")
    return Scheme(name, scheme.own, scheme.other, float(values[0]))


def sampling_tree(game: CompiledGame) -> kernels.Tree:
    """What the walks of `kernels.sampling` need of a game."""
    sequences = [infoset.sequences for infoset in game.infosets]
    return kernels.Tree(
        game.player,
        game.first_child,
        game.children,
        game.chance,
        game.payoff,
        game.infoset,
        np.array([s[0] for s in sequences], np.int32),
        np.array([s[1] - s[0] if len(s) > 1 else 0 for s in sequences], np.int32),
    )


class SamplingSolver:
    """MCCFR in compiled code on the CPU; see `runout.protocols.Solver`."""

    def __init__(self, game: CompiledGame, scheme: Scheme, seed: int = 0) -> None:
        if not 0 <= seed < 2**63:
            raise InputError(f"seed = {seed}: use a number of 0 or more, below 2^63")
        self.game = game
        self.scheme = scheme
        self.iteration = 0
        self._generator = np.array([seed], np.uint64)
        self._regrets = np.zeros(game.sequences)
        self._average = np.zeros(game.sequences)
        self._strategy = uniform_strategy(game)
        self._last = self._strategy.copy()
        self._tree = sampling_tree(game)

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        kernels.sample(
            self._tree,
            iterations,
            self.scheme.own,
            self.scheme.other,
            self.scheme.explore,
            self._regrets,
            self._strategy,
            self._average,
            self._last,
            self._generator,
        )
        self.iteration += iterations

    def policy(self, which: Which = "average") -> np.ndarray:
        """Probability of each sequence's action, float64 [sequences]; see `TabularSolver.policy`."""
        return chosen_strategy(self.game, which, self._average, self._strategy, self._last)

    def memory(self) -> int:
        return sum(array.nbytes for array in self.state().values())

    def state(self) -> dict[str, np.ndarray]:
        return saved(self._named(), self.iteration)

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restored(state, self._named())

    def _named(self) -> dict[str, np.ndarray]:
        return {
            "regrets": self._regrets,
            "strategy": self._strategy,
            "average": self._average,
            "last": self._last,
            "generator": self._generator,
        }
