"""Charts against exact play: what called pots of a chart are worth when the exact solver plays them, by class.

    python -m benchmarks.exact_pots [--stack 100] [--flops 10] [--target 1] [LINE ...]

1. Each line is solved exactly on every flop of the set, with the ranges of the chart and the sizes of its whole game.
2. The share of the pot that each class gets is put beside the chart's, both less what the flops do to checked-down
   hands.
3. The chart's pots are replaced by the exact ones, and a best response before the flop is taken to the chart's
   strategy: what it gains is what the chart would lose if these pots were right and the others as the chart has them.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace

import numpy as np

import runout
from benchmarks.machine import print_header
from runout.cards.cards import cards, cards_text
from runout.cards.hands import CLASS_NAMES, CLASSES, COMBO_CLASS, combo_index
from runout.cards.suits import canonical_boards
from runout.cursors.cursor import Node
from runout.cursors.preflop_solution import PreflopSolution
from runout.games.flop_choice import FlopChoice, flop_choice
from runout.solutions.format import read_bundle
from runout.solvers.called_pots import CalledPot, flop_luck, lucky_shares, met_shares, pair_shifts
from runout.solvers.solved_leaf import shipped_charts

LINES = {100.0: ("SBc BBx", "SBr2.5 BBc", "SBr2.5 BBr10 SBc"), 20.0: ("SBc BBx", "SBr2 BBc", "SBr2 BBr5 SBc")}
SEATS = ("BB", "SB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lines", nargs="*")
    parser.add_argument("--stack", type=float, default=100.0)
    parser.add_argument("--flops", default="10")
    parser.add_argument("--target", type=float, default=1.0, help="% of the pot")
    asked = parser.parse_args()
    chart, choice = runout.open_chart(asked.stack), flop_choice(asked.flops)
    bundle = read_bundle(shipped_charts()[asked.stack])
    played = bundle.reached["whole_game"]["game"]
    betting = {street: {"bet": _sizes(played["bet_sizes"]), "raise": "a"} for street in ("flop", "turn", "river")}
    luck = flop_luck(choice)
    print_header()
    print(f"{asked.stack:g} bb, {choice.name}, bets {betting['flop']}, solved to {asked.target:g}% of the pot")
    shifts = bundle.arrays["leaf_shifts"].copy()
    for line in asked.lines or LINES[asked.stack]:
        begun = time.perf_counter()
        node, place = chart.at(line), bundle.arrays["leaf_lines"].tolist().index(line)
        reach = np.stack([_by_class(node, seat) for seat in SEATS])
        before = met_shares(shifts[place].astype(np.float64), reach)
        exact = _exact_shares(node, choice, betting, asked.target) - lucky_shares(reach, luck)
        shares = np.where(np.isfinite(exact), exact, before)
        off = np.abs(shares - before)
        weights = [np.bincount(COMBO_CLASS, node.weights(seat), CLASSES) for seat in SEATS]
        mean = [float(np.average(off[player], weights=weights[player])) for player in range(2)]
        whole = [float(np.average((shares - before)[player], weights=weights[player])) for player in range(2)]
        pot = CalledPot(line, node.pot, min(node.stacks or (0.0,)), reach, shares)
        shifts[place] = pair_shifts(pot)
        print(
            f"{line}: by class off by {100 * mean[0]:.1f}% of the pot (BB), {100 * mean[1]:.1f}% (SB); whole ranges "
            f"{100 * whole[0]:+.1f}%, {100 * whole[1]:+.1f}%; {time.perf_counter() - begun:.0f} s"
        )
        for player, seat in enumerate(SEATS):
            worst = np.argsort(-(off[player] * weights[player]))[:6]
            told = ", ".join(
                f"{CLASS_NAMES[i]} {100 * before[player, i]:.0f} -> {100 * shares[player, i]:.0f}" for i in worst
            )
            print(f"  {seat}, % of the pot, chart -> exact: {told}")
    own = 1000 * chart.assessment.exploitability
    arrays = {**bundle.arrays, "leaf_shifts": shifts}
    changed = PreflopSolution.from_bundle(replace(bundle, arrays=arrays))
    gained = 1000 * changed.assessment.exploitability
    print(f"a best response before the flop gains {own:.0f} mbb/hand by the chart's own pots, {gained:.0f} by these")


def _sizes(sizes: list[float]) -> str:
    return " ".join(f"{100 * size:g}" for size in sizes)


def _by_class(node: Node, seat: str) -> np.ndarray:
    """float64 [169]: how much of each class gets to a node."""
    return np.bincount(COMBO_CLASS, node.reach(seat), CLASSES) / np.bincount(COMBO_CLASS, minlength=CLASSES)


def _exact_shares(node: Node, choice: FlopChoice, betting: dict[str, dict[str, str]], target: float) -> np.ndarray:
    """float64 [2, 169]: of the pot that each class gets when all flops are solved; NaN for classes that do not come."""
    boards, won, met = canonical_boards(3)[0], np.zeros((2, CLASSES)), np.zeros((2, CLASSES))
    for flop, share in zip(choice.flops, choice.shares, strict=True):
        spot = node.spot(cards_text(boards[flop]), betting={**betting, "max_bets": 2}, solve={"storage": "int16"})
        root = runout.solve(spot, target=target).root
        print(f"  {node.line}: {spot.board} solved", file=sys.stderr, flush=True)
        for player, seat in enumerate(root.players):
            hands, weights = root.frame(seat), root.weights(seat)
            evs = np.zeros(len(COMBO_CLASS))
            held = np.array([cards(name) for name in hands.index])
            evs[combo_index(held[:, 0], held[:, 1])] = hands["ev"]
            won[player] += share * np.bincount(COMBO_CLASS, weights * np.nan_to_num(evs) / spot.pot, CLASSES)
            met[player] += share * np.bincount(COMBO_CLASS, weights, CLASSES)
    return np.divide(won, met, out=np.full_like(won, np.nan), where=met > 0)


if __name__ == "__main__":
    main()
