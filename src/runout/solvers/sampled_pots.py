"""What lines that see a flop are worth under a blueprint, from boards that are drawn: many flops, few run-outs of each.

Best responses want every run-out of a flop, so they are measured on few flops (`blueprint_measure`). What a class of
hands is worth wants many flops instead: on eight of them QJo is worth whatever those eight make of it. Boards are drawn
in rounds, in which each flop comes as often as it should, and most of their luck is taken out (`kernels.board_luck`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_policy import BlueprintPolicy

BOARDS = 3510  # every flop twice
_BATCH = 15


def sampled_lines(
    policy: BlueprintPolicy, boards: int = BOARDS, seed: int = 1, on_done: Callable[[int, int], None] | None = None
) -> np.ndarray:
    """float64 [2, entries, 169]: what a hand of each class wins on the lines that see a flop when both play the
    blueprint, in chips from the start of the hand, summed over the opponent's reach of all combos."""
    solver = BlueprintSolver(policy.what, blueprint_schedule("auto"), _BATCH, 1, seed, threads=1)
    solver.buckets.averages[:] = policy.buckets.averages
    batches = max(boards // _BATCH, 1)
    found = []
    for batch in range(batches):
        cards, flops = solver.draw(2 * batch)  # as a player draws them who learns
        found.append(np.stack([solver.line_values(player, cards, flops) for player in range(2)]))
        if on_done is not None:
            on_done(batch + 1, batches)
    return np.asarray(np.mean(found, axis=0))
