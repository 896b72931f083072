"""Value the called pots of the charts that come with Runout anew, without training.

    python -m runout.run.chart_pots [--boards 3510]

1. A depth whose blueprint comes with Runout: as that blueprint plays its pots on.
2. Any other depth: between those, by kind of pot and by the stacks beside it (the leaf model `solved`). The chart's
   strategy is its own; its file and its title say where the values of its pots are from.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from runout.cards.hands import CLASSES
from runout.cursors.policy_solution import load_policy_solution
from runout.cursors.preflop_solution import NEAR_GAMES, WHOLE_GAME
from runout.solutions.format import Bundle, read_bundle, shipped_blueprints, write_bundle
from runout.solvers.blueprint_policy import BlueprintPolicy, as_blueprint
from runout.solvers.called_pots import called_pots, pair_shifts
from runout.solvers.sampled_pots import BOARDS, sampled_lines
from runout.solvers.solved_leaf import SolvedLeaf, bundle_pots, pot_kind, shipped_charts


def valued_by(chart: Bundle, policy: BlueprintPolicy, boards: int = BOARDS) -> Bundle:
    """A chart with its pots as its blueprint plays them on."""
    pots = {pot.line: pot for pot in called_pots(policy, sampled_lines(policy, boards))}
    lines = chart.arrays["leaf_lines"].tolist()
    shifts = [pair_shifts(pots[line]) if line in pots else np.zeros((2, CLASSES)) for line in lines]
    return _with(chart, shifts, WHOLE_GAME)


def valued_between(chart: Bundle, others: Sequence[Bundle]) -> Bundle:
    """A chart with its pots between those of other charts."""
    model = SolvedLeaf(pot for other in others for pot in bundle_pots(other))
    shifts = [
        model.shifts(pot_kind(str(line)), math.log2(stack / pot))
        for line, (pot, stack) in zip(chart.arrays["leaf_lines"], chart.arrays["leaf_sizes"], strict=True)
    ]
    return _with(chart, shifts, NEAR_GAMES)


def _with(chart: Bundle, shifts: Sequence[np.ndarray], leaf: str) -> Bundle:
    arrays = {**chart.arrays, "leaf_shifts": np.stack(shifts).astype(np.float32)}
    return replace(chart, arrays=arrays, reached={**chart.reached, "leaf": leaf})


def main(words: Sequence[str] | None = None) -> None:
    """Value the pots of all shipped charts anew."""
    parser = argparse.ArgumentParser(prog="runout.run.chart_pots", description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS, help="boards to draw; 0: leave depths with a blueprint")
    asked = parser.parse_args(words)
    charts, games = ({path.name: path for path in found().values()} for found in (shipped_charts, shipped_blueprints))
    known = {}
    for name in charts.keys() & games.keys():
        known[name] = read_bundle(charts[name])
        policy = as_blueprint(load_policy_solution(games[name]).policy)
        if asked.boards and policy is not None:
            known[name] = valued_by(known[name], policy, asked.boards)
            write_bundle(charts[name], known[name])
    for name in charts.keys() - games.keys():
        write_bundle(charts[name], valued_between(read_bundle(charts[name]), list(known.values())))


if __name__ == "__main__":
    main()
