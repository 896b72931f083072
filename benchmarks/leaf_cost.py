"""What it costs to value turns by a network: flops solved with `leaf: network` beside exact play.

    python -m benchmarks.leaf_cost [--flops 20] [--iterations 40] [--target 0.2] [SPOT.yaml]

Of every flop: seconds of the solve with the network; then each player's strategy on the flop is fixed in turn to what
that solve says, the rest is solved exactly, and what the player loses against exact play of the whole is counted, in %
of the pot. The solves of exact play are as exact as --target says, so losses are so too.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.machine import print_header
from runout.cards.cards import cards_text
from runout.cards.suits import canonical_boards
from runout.games.flop_choice import flop_choice
from runout.games.spot import Spot
from runout.kernels.lines import AVERAGE
from runout.run.postflop import make_solver
from runout.solvers.auto import range_schedule
from runout.solvers.neural.network_leaf import LeafSolver
from runout.solvers.neural.value_networks import load_network
from runout.solvers.ranges import RangeGame, RangeSolver, first_street

EVERY = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spot", nargs="?", type=Path)
    parser.add_argument("--flops", default="20")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--target", type=float, default=0.2)
    asked = parser.parse_args()
    print_header()
    network, reached = load_network(4)
    print(f"turn network: Huber error {reached['huber']:.5f} pots; {asked.iterations} iterations a flop")
    begins = Spot.default() if asked.spot is None else Spot.load(asked.spot)
    choice, seconds, losses = flop_choice(asked.flops), [], []
    for flop in choice.flops:
        spot = begins.replace(board=cards_text(canonical_boards(3)[0][flop]))
        begun = time.perf_counter()
        whole = RangeGame.of(spot.replace(solve=spot.solve.model_copy(update={"leaf": "network"})))
        quick = LeafSolver(first_street(spot, whole), range_schedule(spot.solve.algorithm), network)
        quick.step(asked.iterations)
        seconds.append(time.perf_counter() - begun)
        values = [_exact(spot, asked.target, quick, fixed) for fixed in (None, 0, 1)]
        losses.append([100 * (values[0][player] - values[1 + player][player]) / spot.pot for player in range(2)])
        lost = f"loses {losses[-1][0]:.2f}% (OOP), {losses[-1][1]:.2f}% (IP)"
        print(f"  {spot.board}: {seconds[-1]:.2f} s, {lost}", flush=True)
    mean = np.average(np.array(losses), axis=0, weights=choice.shares)
    print(
        f"{choice.name}: {np.mean(seconds):.2f} s a flop; loses {mean[0]:.2f}% of the pot (OOP), {mean[1]:.2f}% (IP), "
        f"at most {np.max(losses):.2f}%"
    )


def _exact(spot: Spot, target: float, quick: LeafSolver, fixed: int | None) -> list[float]:
    """Chips that either player gains when all is solved, with the strategy of one of them on the flop fixed."""
    game = RangeGame.of(spot)
    solver = make_solver(game, spot)
    tree = game.tree.streets[0]
    for node in np.flatnonzero(tree.player == fixed) if fixed is not None else ():
        strategy = quick.strategy(0, 0, int(node))
        solver.lock(0, 0, int(node), strategy, np.ones(strategy.shape[1], bool))
    while solver.iteration < 1000:
        solver.step(EVERY)
        if 100 * solver.exploitability() / spot.pot <= target:
            break
    return [_value(solver, player) for player in range(2)]


def _value(solver: RangeSolver, player: int) -> float:
    own = solver.ranges[player, : solver.boards[0].count[player, 0]].astype(np.float64)
    return float(own @ solver.values(player, AVERAGE)) / solver.deals


if __name__ == "__main__":
    main()
