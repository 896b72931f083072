"""A solved Flop Hold'em or flop game: its value, how far each player is from a best response, the preflop strategy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runout.analysis.hand_means import class_means, compatible, mean
from runout.cards.hands import CLASS_COMBOS, COMBO_CLASS, COMBOS
from runout.errors import InputError
from runout.games.betting import Action
from runout.games.flop_game import KINDS, TwoStreets
from runout.games.lines import POSITIONS
from runout.games.tree import NO_PARENT, BettingTree
from runout.solutions.format import Bundle, read_solution, write_bundle
from runout.solutions.reached import MBB, Reached, Solved, Unit
from runout.solvers.assessment import Assessment, assess_ranges
from runout.solvers.auto import range_schedule
from runout.solvers.ranges import RangeSolver, range_game


@dataclass(frozen=True, slots=True)
class PreflopNode:
    """A decision before the flop."""

    line: str  # "", "SBr2 BBr3": totals in big blinds
    player: str  # "SB" or "BB"
    menu: list[Action]
    frequencies: list[float]  # of the whole range that gets here
    strategy: np.ndarray  # float64 [actions, 169]
    reach: np.ndarray  # float64 [169]: how much of each class is here, 0 to 1


@dataclass(eq=False, repr=False)
class FlopSolution(Solved):
    """What a solve of a game of two streets gave. Chips throughout, but for `reached`, which is in mbb/hand."""

    settings: TwoStreets
    solver: RangeSolver
    reached: Reached

    @property
    def exploitability(self) -> float:
        """Chips; infinite before the first measurement."""
        found = self.reached.exploitability
        return float("inf") if found is None else found / self.settings.mbb(1)

    @property
    def curve(self) -> list[tuple[int, float]]:
        """(iteration, exploitability in chips)."""
        return [(t, x / self.settings.mbb(1)) for t, x in self.reached.curve]

    @property
    def memory(self) -> int:
        """Bytes of the solver's arrays."""
        return self.solver.memory()

    def assess(self) -> Assessment:
        """Values and gains now, in chips: four more sweeps."""
        return assess_ranges(self.solver)

    def preflop(self) -> list[PreflopNode]:
        """Every decision before the flop, the opening first."""
        return [self._node(node) for node in range(self.solver.game.tree.streets[0].nodes)]

    def at(self, line: str) -> PreflopNode:
        """The decision before the flop after a line such as 'SBr2 BBr3'; case does not matter."""
        return self._node(preflop_node(self.solver.game.tree, line))

    def _node(self, node: int) -> PreflopNode:
        tree = self.solver.game.tree.streets[0]
        reach, player = self._reach(node), int(tree.player[node])
        strategy = self._strategy(node)
        weights = reach[player] * compatible(reach)[player]
        held = np.bincount(COMBO_CLASS, self.settings.weights[player], len(CLASS_COMBOS))
        here = np.bincount(COMBO_CLASS, reach[player], len(CLASS_COMBOS))
        return PreflopNode(
            line=self.solver.game.tree.line_of(0, node),
            player=POSITIONS[player],
            menu=tree.actions(node),
            frequencies=[float(x) for x in mean(strategy, weights)],
            strategy=class_means(strategy, weights),
            reach=np.divide(here, held, out=np.zeros(len(held)), where=held > 0),
        )

    def _strategy(self, node: int) -> np.ndarray:
        """float64 [actions, 1326]; NaN for hands that the deck does not have."""
        rows = self.solver.strategy(0, 0, node)
        found = np.full((len(rows), COMBOS), np.nan)
        found[:, self.solver.hands(int(self.solver.game.tree.streets[0].player[node]), 0, 0)] = rows
        return found

    def _reach(self, node: int) -> np.ndarray:
        """float64 [2, 1326]: what each player's own actions leave of their hands."""
        tree, reach = self.solver.game.tree.streets[0], self.settings.weights.copy()
        owner = tree.slot_owner()
        while (slot := int(tree.parent_slot[node])) != NO_PARENT:
            node = int(owner[slot])
            reach[tree.player[node]] *= np.nan_to_num(self._strategy(node)[slot - tree.first_slot[node]])
        return reach

    def save(self, path: str | Path) -> None:
        """Write a solution directory that `load_flop_holdem` and `runout game flop-holdem --resume` read."""
        write_bundle(path, self.bundle())

    def bundle(self) -> Bundle:
        """What is saved: the solver's own arrays. The kind of a file is that of its game."""
        config = self.settings.model_dump(mode="json", by_alias=True)
        return self.reached.bundle(self.settings.kind, config, self.solver.state())

    @classmethod
    def from_bundle(cls, bundle: Bundle, threads: int | None = None) -> FlopSolution:
        """The solution that `bundle` gave; with as many threads as its settings say, unless told otherwise."""
        settings = KINDS[bundle.kind](**bundle.config)
        reached = Reached.of(bundle, Unit(MBB, settings.mbb(1)))
        threads = settings.solve.threads if threads is None else threads
        solver = RangeSolver(
            range_game(settings), range_schedule(reached.algorithm), threads, settings.solve.storage
        )  # fmt: skip
        solver.restore(bundle.arrays)
        return cls(settings, solver, reached)


def preflop_node(tree: BettingTree, line: str) -> int:
    """The decision before the flop that a line such as 'SBr2 BBr3' leads to."""
    street, node = tree.node(line)
    if street:
        raise InputError(f"line {line!r} goes beyond the flop: give one that ends before it, as in {tree.lines(0)[-1]}")
    return node


def load_flop_holdem(path: str | Path, threads: int | None = None) -> FlopSolution:
    """The solution saved in `path`; with as many threads as its settings say, unless told otherwise."""
    return read_solution(path, lambda bundle: FlopSolution.from_bundle(bundle, threads), *KINDS, mapped=True)
