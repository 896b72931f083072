"""Charts against exact play: what called pots of a chart are worth when the exact solver plays them, by class.

    python -m benchmarks.exact_pots [--stack 100] [--flops 10] [--target 1] [--keep FOLDER] [LINE ...]

1. Each line is solved exactly on every flop of the set, with the ranges of the chart and the sizes of its whole game.
2. The share of the pot that each class gets is put beside what it gets on the same flops when both play the blueprint
   that the chart is from: ten flops are kind to some classes, but to both ways of playing them alike.
3. The chart's pots are changed by the difference, and a best response before the flop is taken to the chart's
   strategy: what it gains is what the chart would lose if these pots were right and the others as the chart has them.

With --keep, flops that were solved are kept in a folder, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import runout
from benchmarks.machine import print_header
from runout.cards.cards import DECK, cards, cards_text
from runout.cards.hands import CLASS_NAMES, CLASSES, COMBO_CLASS, combo_index
from runout.cards.suits import canonical_boards
from runout.cursors.cursor import Node
from runout.cursors.preflop_solution import PreflopSolution
from runout.games.flop_choice import FlopChoice, flop_choice
from runout.solutions.format import Bundle, read_bundle
from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_policy import as_blueprint
from runout.solvers.called_pots import CalledPot, called_pots, flop_luck, lucky_shares, met_shares, pair_shifts
from runout.solvers.solved_leaf import shipped_charts

LINES = {100.0: ("SBc BBx", "SBr2.5 BBc", "SBr2.5 BBr10 SBc"), 20.0: ("SBc BBx", "SBr2 BBc", "SBr2 BBr5 SBc")}
SEATS = ("BB", "SB")
RUN_OUTS = 60  # of each flop, for the blueprint


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lines", nargs="*")
    parser.add_argument("--stack", type=float, default=100.0)
    parser.add_argument("--flops", default="10")
    parser.add_argument("--target", type=float, default=1.0, help="% of the pot")
    parser.add_argument("--keep", type=Path, help="folder for what was solved")
    asked = parser.parse_args()
    chart, choice = runout.open_chart(asked.stack), flop_choice(asked.flops)
    bundle = read_bundle(shipped_charts()[asked.stack])
    played = bundle.reached["whole_game"]["game"]
    betting = {street: {"bet": _sizes(played["bet_sizes"]), "raise": "a"} for street in ("flop", "turn", "river")}
    print_header()
    print(f"{asked.stack:g} bb, {choice.name}, bets {betting['flop']}, solved to {asked.target:g}% of the pot")
    luck, pots = flop_luck(choice), _blueprint_pots(f"{asked.stack:g}bb", choice)
    shifts = bundle.arrays["leaf_shifts"].copy()
    for line in asked.lines or LINES[asked.stack]:
        begun = time.process_time()
        node, place = chart.at(line), bundle.arrays["leaf_lines"].tolist().index(line)
        reach = np.stack([_by_class(node, seat) for seat in SEATS])
        exact = _exact_shares(node, choice, betting, asked.target, asked.keep) - lucky_shares(reach, luck)
        before = pots[line].shares
        shares = np.where(np.isfinite(exact), exact, before)
        whole = met_shares(shifts[place].astype(np.float64), reach)
        shifts[place] = pair_shifts(
            CalledPot(line, node.pot, min(node.stacks or (0.0,)), reach, whole + shares - before)
        )
        off, weights = (
            shares - before,
            np.stack([np.bincount(COMBO_CLASS, node.weights(seat), CLASSES) for seat in SEATS]),
        )
        mean = [float(np.average(np.abs(off[player]), weights=weights[player])) for player in range(2)]
        all_hands = [float(np.average(off[player], weights=weights[player])) for player in range(2)]
        print(
            f"{line}: by class off by {100 * mean[0]:.1f}% of the pot (BB), {100 * mean[1]:.1f}% (SB); whole ranges "
            f"{100 * all_hands[0]:+.1f}%, {100 * all_hands[1]:+.1f}%; {time.process_time() - begun:.0f} CPU s"
        )
        for player, seat in enumerate(SEATS):
            worst = np.argsort(-(np.abs(off[player]) * weights[player]))[:6]
            told = ", ".join(
                f"{CLASS_NAMES[i]} {100 * before[player, i]:.0f} -> {100 * shares[player, i]:.0f}" for i in worst
            )
            print(f"  {seat}, % of the pot, blueprint -> exact: {told}")
        gained = _gain(bundle, {**bundle.arrays, "leaf_shifts": shifts})
        own = 1000 * chart.assessment.exploitability
        print(f"  a best response before the flop gains {own:.1f} mbb/hand by the chart, {gained:.1f} by these pots")


def _gain(bundle: Bundle, arrays: dict[str, np.ndarray]) -> float:
    """What a best response before the flop gains, in mbb/hand, with these pots."""
    return 1000 * PreflopSolution.from_bundle(replace(bundle, arrays=arrays)).assessment.exploitability


def _blueprint_pots(name: str, choice: FlopChoice) -> dict[str, CalledPot]:
    """The called pots of a blueprint that comes with Runout, as both play it on these flops."""
    policy = as_blueprint(runout.load(name).policy)
    assert policy is not None
    solver = BlueprintSolver(policy.what, blueprint_schedule("auto"), RUN_OUTS, 1, threads=1)
    solver.buckets.averages[:] = policy.buckets.averages
    random, values = np.random.default_rng(0), 0.0
    for flop, share in zip(choice.flops, choice.shares, strict=True):
        cards = canonical_boards(3)[0][flop]
        left = np.setdiff1d(np.arange(DECK, dtype=np.uint8), cards)
        boards = np.stack([np.concatenate([cards, random.choice(left, 2, replace=False)]) for _ in range(RUN_OUTS)])
        same = np.full(RUN_OUTS, flop)
        values += share * np.stack([solver.line_values(player, boards, same) for player in range(2)])
    return {pot.line: pot for pot in called_pots(policy, np.asarray(values))}


def _sizes(sizes: list[float]) -> str:
    return " ".join(f"{100 * size:g}" for size in sizes)


def _by_class(node: Node, seat: str) -> np.ndarray:
    """float64 [169]: how much of each class gets to a node."""
    return np.bincount(COMBO_CLASS, node.reach(seat), CLASSES) / np.bincount(COMBO_CLASS, minlength=CLASSES)


def _exact_shares(
    node: Node, choice: FlopChoice, betting: dict[str, dict[str, str]], target: float, keep: Path | None
) -> np.ndarray:
    """float64 [2, 169]: of the pot that each class gets when all flops are solved; NaN for classes that do not come."""
    won, met = np.zeros((2, CLASSES)), np.zeros((2, CLASSES))
    for flop, share in zip(choice.flops, choice.shares, strict=True):
        board = cards_text(canonical_boards(3)[0][flop])
        kept = None if keep is None else keep / f"{node.line} {board} {target:g}.npz".replace(" ", "_")
        if kept is not None and kept.exists():
            found = np.load(kept)["found"]
        else:
            found = _on_flop(node, board, betting, target)
            print(f"  {node.line}: {board} solved", file=sys.stderr, flush=True)
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                np.savez(kept, found=found)
        won += share * found[0]
        met += share * found[1]
    return np.divide(won, met, out=np.full_like(won, np.nan), where=met > 0)


def _on_flop(node: Node, board: str, betting: dict[str, dict[str, str]], target: float) -> np.ndarray:
    """float64 [2, 2, 169]: shares of the pot that both players' classes get on a flop, times their weights; weights."""
    spot = node.spot(board, betting={**betting, "max_bets": 2}, solve={"storage": "int16"})
    root, found = runout.solve(spot, target=target).root, np.zeros((2, 2, CLASSES))
    for player, seat in enumerate(root.players):
        hands, weights = root.frame(seat), root.weights(seat)
        evs = np.zeros(len(COMBO_CLASS))
        held = np.array([cards(name) for name in hands.index])
        evs[combo_index(held[:, 0], held[:, 1])] = hands["ev"]
        found[0, player] = np.bincount(COMBO_CLASS, weights * np.nan_to_num(evs) / spot.pot, CLASSES)
        found[1, player] = np.bincount(COMBO_CLASS, weights, CLASSES)
    return found


if __name__ == "__main__":
    main()
