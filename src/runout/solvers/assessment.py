"""How good a pair of strategies is, exactly: what both are worth and what best responses to them would win."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.kernels.lines import AVERAGE, BEST_RESPONSE
from runout.solvers.ranges import RangeSolver


@dataclass(frozen=True, slots=True)
class Assessment:
    """Figures by player, all in `unit`: chips or big blinds, per hand."""

    values: tuple[float, float]  # what each player wins when both play their own strategy
    best_responses: tuple[float, float]  # what each would win by a best response to the other's strategy
    unit: str = "chips"

    @property
    def value(self) -> float:
        """To player 0."""
        return self.values[0]

    @property
    def gains(self) -> tuple[float, float]:
        """What a best response wins more than the own strategy."""
        return self.best_responses[0] - self.values[0], self.best_responses[1] - self.values[1]

    @property
    def nash_conv(self) -> float:
        """Both gains together: what some papers call exploitability."""
        return sum(self.best_responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        """The mean of the two gains."""
        return self.nash_conv / 2


def assess_ranges(solver: RangeSolver) -> Assessment:
    """The average strategies of a range solver, in chips a deal: four more sweeps."""
    best = (range_value(solver, 0, BEST_RESPONSE), range_value(solver, 1, BEST_RESPONSE))
    return Assessment(range_values(solver), best)


def range_values(solver: RangeSolver) -> tuple[float, float]:
    """What each player wins when both play the average strategies, in chips a deal."""
    return range_value(solver, 0, AVERAGE), range_value(solver, 1, AVERAGE)


def range_value(solver: RangeSolver, player: int, mode: int) -> float:
    """Chips a deal of a player's whole range; `mode` is AVERAGE or BEST_RESPONSE of `solvers.ranges`."""
    own = solver.ranges[player, : solver.boards[0].count[player, 0]].astype(np.float64)
    return float(own @ solver.values(player, mode)) / solver.deals
