"""A solved game before the flop: cursors into it, what it reached, and the file it lives in.

solution.root.play("r2.5").play("fold"); solution.at("SBr2.5 BBr8").strategy("AKs")

EVs are big blinds won or lost from the start of the hand, so folding the small blind costs 0.5 and both sides add up to
zero (less rake). A solution is not bound to one backend or machine: everything is worked out from its average strategy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from runout.cards.hands import CLASS_NAMES
from runout.cursors.cursor import AnySolution
from runout.errors import InputError
from runout.games.preflop import Preflop
from runout.solutions.format import STATE, Bundle, placed, read_solution, write_bundle
from runout.solutions.reached import Reached
from runout.solutions.stored import fitting
from runout.solvers.assessment import Assessment
from runout.solvers.preflop import Sweep, assess
from runout.solvers.preflop_game import PreflopGame
from runout.solvers.preflop_leaves import StoredLeaf
from runout.solvers.solved_leaf import nearest_chart, pair_shares, shipped_charts

KIND = "preflop"
_ROUNDING = 1e-9  # by which a stored probability may pass 1
WHOLE_GAME = "whole-game"  # leaf model of charts: pots are played on as in the whole game that they are from
NEAR_GAMES = "whole-games"  # leaf model of charts whose pots are valued between whole games of other depths
BUILT_IN = ("equity", "realization")  # leaf models that a game's settings say all about


@dataclass(eq=False, repr=False)
class PreflopSolution(AnySolution):
    """A solved game before the flop.

    solution = runout.solve_preflop(runout.Preflop.push_fold(10))
    solution.root.strategy("A5o"), solution.value
    """

    game: PreflopGame
    reached: Reached  # in mbb/hand
    policy: np.ndarray  # float64 [edges, 169], the average
    state: dict[str, np.ndarray] = field(default_factory=dict)  # of the solver, to continue from

    @property
    def title(self) -> str:
        """Name and stack of the game."""
        return self.settings.game().name

    @property
    def settings(self) -> Preflop:
        """The game that was solved."""
        return self.game.settings

    @property
    def leaf(self) -> str:
        """Name of the model that says what a called pot is worth."""
        return self.game.leaf

    @property
    def is_chart(self) -> bool:
        """Whether this is the part before the flop of a whole game that was solved."""
        return self.leaf in (WHOLE_GAME, NEAR_GAMES)

    @cached_property
    def assessment(self) -> Assessment:
        """What both players win, and what a best response to each would win, in big blinds per hand."""
        return assess(self.game, self.policy)

    @property
    def exploitability(self) -> float:
        """Exact, in mbb per hand: of the whole game in a chart, otherwise of the game before the flop."""
        if self.is_chart and self.reached.exploitability is not None:
            return self.reached.exploitability
        return 1000 * self.assessment.exploitability

    @property
    def value(self) -> float:
        """What the small blind wins, in big blinds per hand."""
        return self.assessment.values[1]

    @cached_property
    def edge_values(self) -> tuple[np.ndarray, np.ndarray]:
        """For each player float64 [edges, 169]: what each action is worth to them, weighted by the odds that chance and
        the opponent lead there."""
        sweeps = Sweep(self.game, once=True), Sweep(self.game, once=True)
        for player, sweep in enumerate(sweeps):
            sweep.find_values(self.policy, player)
        return sweeps[0].edge_values, sweeps[1].edge_values

    def save(self, path: str | Path) -> None:
        """Save to a directory, which `runout.load` and `runout preflop --resume` read."""
        write_bundle(path, self.bundle())
        placed(self, Path(path))

    def bundle(self) -> Bundle:
        """What is saved: the average strategy and the state to continue from.

        Other programs read `policy` (float64 [edges, 169], classes in the order of `runout.cards.hands`), `lines` (the
        action string of each decision) and `first_slot` (decision n has the rows first_slot[n] : first_slot[n + 1]).
        """
        arrays = {
            "policy": self.policy,
            "lines": np.array(self.settings.tree().lines(0)),
            "first_slot": self.settings.tree().streets[0].first_edge,
            **{STATE + name: array for name, array in self.state.items()},
            **({} if self.leaf in BUILT_IN else _packed(self.game.tables)),
        }
        config = self.settings.model_dump(mode="json", by_alias=True, exclude_none=True)
        return self.reached.bundle(KIND, config, arrays, value_sb_bb=self.value, leaf=self.leaf)

    @classmethod
    def from_bundle(cls, bundle: Bundle) -> PreflopSolution:
        """The solution in a record that `bundle` made."""
        settings, leaf, arrays = Preflop(**bundle.config), str(bundle.reached["leaf"]), bundle.arrays
        edges = settings.tree().streets[0].edges
        policy = fitting(arrays, "policy", (edges, len(CLASS_NAMES)), np.float64, 0, 1 + _ROUNDING)
        game = PreflopGame.of(settings, None if leaf in BUILT_IN else StoredLeaf(leaf, _unpacked(arrays)))
        state = {name.removeprefix(STATE): array for name, array in arrays.items() if name.startswith(STATE)}
        return cls(game, Reached.of(bundle), policy, state)


def _packed(tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Tables of a leaf model as arrays, equal ones once: lines, which table each has, and the tables."""
    if not tables:
        return {}
    once = list({id(table): table for table in tables.values()}.values())
    places = {id(table): place for place, table in enumerate(once)}
    return {
        "leaf_lines": np.array(list(tables)),
        "leaf_table": np.array([places[id(table)] for table in tables.values()], np.int64),
        "leaf_shares": np.stack(once),
    }


def _unpacked(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    if "leaf_lines" not in arrays:
        return {}
    classes = len(CLASS_NAMES)
    if "leaf_shifts" in arrays:  # a chart: shifts from equities
        shifts = fitting(arrays, "leaf_shifts", (len(arrays["leaf_lines"]), 2, classes), np.float32)
        return {
            str(line): pair_shares(own.astype(np.float64))
            for line, own in zip(arrays["leaf_lines"], shifts, strict=True)
        }
    shares = fitting(arrays, "leaf_shares", (len(arrays["leaf_shares"]), classes, classes), np.float64)
    fitting(arrays, "leaf_table", (len(arrays["leaf_lines"]),), np.int64, 0, len(shares) - 1)
    once = list(shares)  # the same object for equal tables: they are one matrix product
    return {str(line): once[place] for line, place in zip(arrays["leaf_lines"], arrays["leaf_table"], strict=True)}


def load_preflop(path: str | Path) -> PreflopSolution:
    """The solution saved in `path`."""
    return read_solution(path, PreflopSolution.from_bundle, KIND)


def open_chart(stack: float = 100, nearest: bool = False) -> PreflopSolution:
    """A preflop chart that comes with Runout, from a whole game with this stack.

        chart = runout.open_chart(100)
        chart.at("SBr2.5").strategy("A5s"), chart.at("SBr2.5 BBc").spot("Qs Jh 2h")

    Args:
        stack: big blinds of each player; there are charts from 10 to 200.
        nearest: take the chart whose stack is nearest where there is none of this one.
    """
    charts = shipped_charts()
    path = nearest_chart(stack) if nearest else charts.get(stack)
    if path is None:
        known = ", ".join(f"{one:g}" for one in charts) or "none"
        raise InputError(f"no chart of {stack:g} bb: there are {known}; or take the nearest one")
    return load_preflop(path)
