"""What an iteration of the range solver in torch moves and computes, and what that means for some graphics cards.

Counted from the tables of a game, not timed: memory traffic of each tensor operation as the code writes it, without
what caches save. A card's time is the traffic over its bandwidth; small kernels add a few microseconds each.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.report import line
from runout.games.spot import Spot
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame
from runout.solvers.torch_backend_ranges import TorchRangeSolver

SPOTS = Path(__file__).parent.parent / "configs" / "spots"
CARDS = {"RTX 3060": 360, "RTX 3090": 936, "RTX 4090": 1008, "A100 80 GB": 2039, "H100 SXM": 3350}  # GB/s, data sheets
PASSES = 7  # over what is learnt: regrets are read three times and written once, averages read and written, shares


def run(full: bool) -> None:
    """The turn; full: the community benchmark too."""
    for name in ("turn", "community") if full else ("turn",):
        spot = Spot.load(SPOTS / f"{name}.yaml")
        game = RangeGame.of(spot)
        solver = TorchRangeSolver(game, range_schedule("auto"), device="cpu")
        numbers = sum(count for _, count in estimate(game.tree, game.boards).streets) / 2
        learnt, rows, operations = PASSES * 4 * numbers, 0.0, 0.0
        for player in range(2):
            for boards, plan in zip(solver.streets, solver.sides[player], strict=True):
                mine, theirs = boards.width[player], boards.width[1 - player]
                lanes = boards.count * plan.fold_end
                rows += 4 * boards.count * (4 * plan.rows * theirs + 4 * plan.values * mine)
                rows += 4 * lanes * (9 * theirs + 14 * mine)  # running sums, lookups, scaling
                operations += 2 * 53 * lanes * theirs + 20 * lanes * (mine + theirs)
        moved = learnt + rows
        line(
            f"{name}: moved an iteration",
            f"{moved / 1e9:.2f} GB, of which {learnt / 1e9:.2f} GB are regrets and averages",
        )
        line("  computed", f"{operations / 1e9:.2f} billion operations in sums by card and showdowns")
        for card, bandwidth in CARDS.items():
            line(f"  at the bandwidth of {card} ({bandwidth} GB/s)", f"{1e3 * moved / bandwidth / 1e9:.1f} ms")
