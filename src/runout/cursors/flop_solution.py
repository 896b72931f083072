"""A solved Flop Hold'em or flop game: its value, how far each player is from a best response, the preflop strategy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runout.cursors.cursor import AnySolution
from runout.games.flop_game import TWO_STREET_GAMES
from runout.games.flop_holdem import TwoStreets
from runout.solutions.format import Bundle, placed, read_solution, write_bundle
from runout.solutions.reached import CHIPS, MBB, Reached, Unit
from runout.solvers.assessment import Assessment
from runout.solvers.auto import range_schedule
from runout.solvers.range_values import assess_ranges
from runout.solvers.ranges import RangeSolver, range_game, restored_solver


@dataclass(eq=False, repr=False)
class FlopSolution(AnySolution):
    """A solved Flop Hold'em or flop game. Its numbers are in chips, but for `reached`, which is in mbb per hand."""

    settings: TwoStreets
    solver: RangeSolver
    reached: Reached

    @property
    def title(self) -> str:
        """The rules in a few words."""
        return self.settings.describe().split(";")[0]

    @property
    def exploitability(self) -> float:
        """In chips; infinite before the first measurement."""
        found = self.reached.exploitability
        return float("inf") if found is None else found / self.settings.mbb(1)

    @property
    def unit(self) -> str:
        """What `exploitability` and `curve` are in: chips."""
        return CHIPS

    @property
    def curve(self) -> list[tuple[int, float]]:
        """(iteration, exploitability in chips)."""
        return [(t, x / self.settings.mbb(1)) for t, x in self.reached.curve]

    @property
    def memory(self) -> int:
        """How many bytes the solver's arrays take."""
        return self.solver.memory()

    def assess(self) -> Assessment:
        """What both players win and what best responses gain, in chips; takes as long as four iterations."""
        return assess_ranges(self.solver)

    def save(self, path: str | Path) -> None:
        """Save to a directory, which `runout.load` and `runout game flop-holdem --resume` read."""
        write_bundle(path, self.bundle())
        placed(self, Path(path))

    def bundle(self) -> Bundle:
        """What is saved, as a record: the solver's own arrays."""
        config = self.settings.model_dump(mode="json", by_alias=True)
        return self.reached.bundle(self.settings.kind, config, self.solver.state())

    @classmethod
    def from_bundle(cls, bundle: Bundle, threads: int | None = None) -> FlopSolution:
        """The solution in a record that `bundle` made; `threads` are as in its settings, unless given."""
        settings = TWO_STREET_GAMES[bundle.kind](**bundle.config)
        reached = Reached.of(bundle, Unit(MBB, settings.mbb(1)))
        threads = settings.solve.threads if threads is None else threads
        schedule, game = range_schedule(reached.algorithm), range_game(settings)
        solver = restored_solver(game, schedule, threads, settings.solve.storage, bundle.arrays)
        return cls(settings, solver, reached)


def load_flop_holdem(path: str | Path, threads: int | None = None) -> FlopSolution:
    """The solution saved in `path`; with as many threads as its settings say, unless told otherwise."""
    return read_solution(path, lambda bundle: FlopSolution.from_bundle(bundle, threads), *TWO_STREET_GAMES, mapped=True)
