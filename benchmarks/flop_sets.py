"""How far sets of flops are from all 1,755: the error of mean EV and of frequencies, on spots that chose none of them.

    python -m benchmarks.flop_sets [REPORT ...]

Two spots are solved here on every flop, with betting on the flop and all cards run out after it (a minute of one
core). Each REPORT, made by `runout report SPOT.yaml --flops all -o REPORT`, is measured as well.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from runout.cards.suits import canonical_boards
from runout.cursors.hand_means import compatible
from runout.games import tree as trees
from runout.games.betting import FLOP, start
from runout.games.boards import board_tree, with_run_outs
from runout.games.flop_choice import flop_choice
from runout.games.spot import Spot
from runout.run.report_directory import ReportDirectory
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LiveLines
from runout.solvers.range_values import range_values
from runout.solvers.ranges import RangeGame, RangeSolver

SETS = [f"{name}-{size}" for size in (23, 49, 95, 184) for name in ("even", "fitted")]
TARGET = 0.3  # % of the pot
SPOTS = {
    "4-bet pot, bet 30% and all-in": Spot(
        board="Ks 8h 3d",
        pot=200,
        stack=250,
        ranges={
            "oop": "99+,AJs+,A5s-A3s,KJs+,AQo+",
            "ip": "QQ-66,AKs-A9s,KTs+,QTs+,JTs,T9s,98s,AQo+",
        },
        betting={"flop": {"bet": "30%", "raise": "a"}},
    ),
    "single-raised pot, bet 50%, raise 3x": Spot(
        board="Ks 8h 3d",
        pot=55,
        stack=975,
        ranges={
            "oop": "TT-22,AJs-A2s,KTs+,K9s,QTs+,J9s+,T8s+,97s+,87s,76s,65s,54s,AQo-ATo,KJo+,QJo",
            "ip": "66+,A2s+,K8s+,Q9s+,J9s+,T9s,98s,87s,ATo+,KJo+,QJo",
        },
        betting={"flop": {"bet": "50%", "raise": "3x"}, "max_bets": 2},
    ),
}


def main() -> None:
    for name, spot in SPOTS.items():
        _show(name, *_solved(spot))
    for place in sys.argv[1:]:
        _show(place, *_reported(Path(place)))


def _solved(spot: Spot) -> tuple[np.ndarray, np.ndarray]:
    """float64 [1755]: how many pairs of hands each flop leaves; float64 [1755, 2]: OOP's EV in % of the pot, and how
    often OOP bets, in percent."""
    game = spot.game()
    rules = replace(game.rules, last_street=FLOP, caps=game.rules.caps[:1])
    tree = trees.build(start(rules), game.menu, None, game.wording).with_streets(1)
    boards, _ = canonical_boards(3)
    pairs, found = np.zeros(len(boards)), np.zeros((len(boards), 2))
    for number, cards in enumerate(boards.tolist()):
        weights = spot.replace(board=_text(cards)).game().weights
        (flop,) = board_tree(cards, weights, (), threads=1)
        flop = replace(flop, tables=with_run_outs(flop.tables, flop.cards, np.arange(52), 1))
        solver = RangeSolver(RangeGame(tree, [flop], weights, spot.rake.of), range_schedule("auto"), 1)
        while solver.iteration == 0 or solver.exploitability() / spot.pot * 100 > TARGET:
            solver.step(20)
        hands = solver.hands(0, 0, 0)
        held = (weights[0] * compatible(weights)[0])[hands]
        bets = 1 - LiveLines(solver).strategy(0, 0, 0)[0]
        pairs[number] = held.sum()
        found[number] = 50 + range_values(solver)[0] / spot.pot * 100, bets @ held / held.sum() * 100
    return pairs, found


def _reported(place: Path) -> tuple[np.ndarray, np.ndarray]:
    """The same of a report over all flops."""
    report = ReportDirectory(place)
    pot, boards = report.plan.spot.pot, canonical_boards(3)[0]
    by_cards = {tuple(sorted(row)): number for number, row in enumerate(boards.tolist())}
    pairs, found = np.zeros(len(boards)), np.zeros((len(boards), 2))
    everything = flop_choice("all")
    rows = {_text(cards): number for number, cards in zip(everything.flops, everything.cards.tolist(), strict=True)}
    count = 0
    for flop, record in report.records():
        number, count = rows[flop.cards], count + 1
        pairs[number] = record.pairs
        found[number] = record.root.ev[0] / pot * 100, (1 - record.root.frequencies[0]) * 100
    if count < len(by_cards):
        sys.exit(f"{place} has {count} of {len(by_cards)} flops: go on with it by --resume")
    return pairs, found


def _show(name: str, pairs: np.ndarray, found: np.ndarray) -> None:
    boards, copies = canonical_boards(3)
    exact = _mean(np.arange(len(boards)), copies / copies.sum(), pairs, found)
    print(f"\n{name}: OOP wins {exact[0]:.2f}% of the pot and bets {exact[1]:.2f}% over all {len(boards):,} flops")
    print(f"{'set':<12}{'error of EV, % of the pot':>28}{'error of bets, points':>26}")
    for wanted in SETS:
        choice = flop_choice(wanted)
        error = _mean(choice.flops, choice.shares, pairs, found) - exact
        print(f"{wanted:<12}{error[0]:>+28.3f}{error[1]:>+26.2f}")


def _mean(flops: np.ndarray, shares: np.ndarray, pairs: np.ndarray, found: np.ndarray) -> np.ndarray:
    """Flops weigh as often as they come with these ranges."""
    weights = shares * pairs[flops]
    return np.asarray(weights @ found[flops] / weights.sum())


def _text(cards: list[int]) -> str:
    from runout.cards.cards import cards_text

    return cards_text(cards)


if __name__ == "__main__":
    main()
