"""The explicit average of Single Deep CFR in Flop Hold'em, exactly, on all flops.

One row per hand and flop answers for all betting nodes, so adding a network to the average takes one pass over the rows
and one sweep of the engine, which knows each player's own reach. Then the engine's best response is exact.
"""

from __future__ import annotations

import numpy as np
import torch

from runout.games.flop_holdem import FlopHoldem
from runout.kernels.lines import UPDATE
from runout.solvers.neural.flop_plan import FlopGroup
from runout.solvers.neural.flop_shard import FlopNetwork, FlopProblem, answers
from runout.solvers.neural.networks import set_weights
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.ranges import RangeSolver, range_game


class FlopAverage:
    """Networks are added in the order of their iterations; `solver` holds their average."""

    def __init__(self, settings: FlopHoldem, network: NetworkSettings, threads: int = 1) -> None:
        game = range_game(settings, threads=1)
        self.settings, self.threads, self.precision = settings, threads, network.precision
        self.whole = FlopGroup(game, np.arange(len(game.boards[1].cards)), 1.0, threads)
        sgd, memory = SgdSettings.model_validate({}), MemorySettings.model_validate({})
        problem = FlopProblem(settings, network, sgd, memory, 0)
        self._networks: list[FlopNetwork] = [problem.network(player, "", 0) for player in range(2)]
        self._last = 0.0  # weight of the network added last

    @property
    def solver(self) -> RangeSolver:
        return self.whole.solver

    def add(self, weights: tuple[np.ndarray, np.ndarray], weight: float) -> None:
        """Add what the networks with these weights (of player 0 and 1) play, with odds in proportion to `weight`."""
        before = torch.get_num_threads()
        torch.set_num_threads(self.threads)
        for player, network in enumerate(self._networks):
            set_weights(network, weights[player])
            early = answers(network.before, self.whole.preflop.numbers, self.precision)
            self.whole.play(player, early, answers(network.on, self.whole.shown[0], self.precision))
        torch.set_num_threads(before)
        # The engine adds reach * strategy with weight 1, so what is there already is put in units of the new weight.
        # Own reach is all that averages need: it does not matter that regrets replace the first player's strategy.
        factor = self._last / weight
        self._last = weight
        for player in range(2):
            self.solver.sweep(player, player, UPDATE, np.array([[0.0, 0.0, factor]], np.float32))

    def exploitability(self) -> float:
        """Chips a hand, the mean of both players."""
        return self.solver.exploitability()
