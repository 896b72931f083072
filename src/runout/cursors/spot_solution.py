"""A solved postflop spot: what it reached, and the file it lives in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runout.cursors.cursor import AnySolution
from runout.errors import InputError
from runout.games.spot import Spot
from runout.solutions.format import Bundle, placed, read_solution, write_bundle
from runout.solutions.reached import Reached
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LineSource, LiveLines, StoredLines, stored_rows
from runout.solvers.ranges import RangeGame, RangeSolver, restored_solver

KIND = "postflop"


@dataclass(eq=False, repr=False)
class SpotSolution(AnySolution):
    """A solved postflop spot.

    solution = runout.solve(spot)
    solution.root.play("check").strategy("AsAh")
    solution.save("spot.runout")
    """

    spot: Spot
    source: LineSource  # where strategies and values come from
    reached: Reached  # in % of the pot
    isomorphism: bool = True  # whether boards that differ by suits only were solved once
    solver: RangeSolver | None = None  # None: loaded without rivers, or later streets were valued by a network

    @property
    def title(self) -> str:
        """Board, pot and stack."""
        return self.spot.game().name

    @property
    def game(self) -> RangeGame:
        """The game that the solver ran on: betting tree, boards, ranges."""
        return self.source.game

    @property
    def exploitability(self) -> float:
        """In % of the pot; infinite before the first measurement."""
        found = self.reached.exploitability
        return float("inf") if found is None else found

    @property
    def rivers(self) -> bool:
        """True if the last street is stored; otherwise rivers are solved again when they are looked at."""
        return self.source.streets == len(self.game.boards)

    @property
    def exploitability_mbb(self) -> float | None:
        """In thousandths of a big blind per hand; None if the spot does not say what the big blind is."""
        return self.spot.mbb(self.exploitability / 100 * self.spot.pot)

    @property
    def memory(self) -> int:
        """How many bytes the solver's arrays take."""
        return self.solver.memory() if self.solver is not None else 0

    def save(self, path: str | Path, rivers: bool = True, *, river: bool | None = None) -> None:
        """Save to a directory, which `runout.load` reads.

        With `rivers=False` (`river` is its older name) the last street is left out: the file is many times smaller,
        rivers are solved again when they are looked at, and the solution cannot be resumed.
        """
        write_bundle(path, self.bundle(rivers if river is None else river))
        placed(self, Path(path))

    def bundle(self, rivers: bool = True) -> Bundle:
        """What is saved, as a record.

        With rivers: `regrets`, `averages` and `iteration`, the solver's own arrays, and `first_values_oop` and
        `first_values_ip`, what the actions of the first street lead to. Without them: `strategy_0`, `values_oop_0`,
        `values_ip_0` and so on, a number for each street but the last (`solvers.range_lines`); so in any case where
        later streets were valued by a network.
        """
        rivers = (rivers or len(self.game.boards) == 1) and self.spot.solve.leaf == "none"
        if rivers and self.solver is None:
            raise InputError("this solution was loaded without rivers: save it with rivers=False, or solve again")
        arrays = self.solver.state() if rivers and self.solver is not None else stored_rows(self.source)
        if rivers and isinstance(self.source, LiveLines):
            arrays |= self.source.first_values()  # so that a loaded solution is looked at without a sweep
        config = self.spot.model_dump(mode="json", by_alias=True, exclude_none=True)
        return self.reached.bundle(KIND, config, arrays, isomorphism=self.isomorphism, rivers=rivers)

    @classmethod
    def from_bundle(cls, bundle: Bundle, threads: int | None = None) -> SpotSolution:
        """The solution in a record that `bundle` made; `threads` are as in its spot, unless given."""
        spot, reached, arrays = Spot(**bundle.config), Reached.of(bundle), bundle.arrays
        isomorphism = bool(bundle.reached["isomorphism"])
        threads = spot.solve.threads if threads is None else threads
        game = RangeGame.of(spot, isomorphism, threads)
        if not bundle.reached["rivers"]:
            return cls(spot, StoredLines(game, arrays), reached, isomorphism)
        solver = restored_solver(game, range_schedule(reached.algorithm), threads, spot.solve.storage, arrays)
        source = LiveLines(solver)
        source.take_first_values(arrays)
        return cls(spot, source, reached, isomorphism, solver)


def load_postflop(path: str | Path, threads: int | None = None) -> SpotSolution:
    """The solution saved in `path`; with as many threads as its spot says, unless told otherwise."""
    return read_solution(path, lambda bundle: SpotSolution.from_bundle(bundle, threads), KIND, mapped=True)
