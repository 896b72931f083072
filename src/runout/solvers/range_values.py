"""What the average strategies of a range solver are worth, and best responses to them, exactly."""

from __future__ import annotations

import numpy as np

from runout.kernels.lines import AVERAGE, BEST_RESPONSE
from runout.solvers.assessment import Assessment
from runout.solvers.ranges import RangeSolver


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
