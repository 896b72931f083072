"""A solved game from before the flop to the river over some flops: the top, and files of what was learnt on each flop.

Decisions before the flop are in the checkpoint. A flop is loaded when it is first looked at, from the directory beside
the checkpoint; flops whose files are somewhere else cannot be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from cachetools import LRUCache

from runout import memory
from runout.cursors.cursor import AnySolution
from runout.errors import InputError, SolutionError
from runout.games.flop_choice import FlopChoice, flop_choice
from runout.games.holdem import HoldemSettings, settings_of
from runout.solutions.format import FLOPS, Bundle, placed, read_solution, write_bundle
from runout.solutions.reached import MBB, Reached, Unit
from runout.solvers.assessment import Assessment
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LineSource, LiveLines
from runout.solvers.range_values import assess_ranges
from runout.solvers.split import FlopPart, ReachRows, SplitSolver, read_part
from runout.solvers.split_game import SplitGame

_KEPT = 2  # flops that stay loaded
_TOP = ("averages", "average_scales")


class SplitLines(LiveLines):
    """The lines before the flop, whose values are kept, and those of a flop once it is dealt."""

    def __init__(self, solution: ExactSolution) -> None:
        super().__init__(solution.top)
        self.streets = solution.split.streets
        self._solution = solution
        self._loaded: LRUCache[int, LiveLines] = LRUCache(_KEPT)
        if not self.take_first_values(solution.arrays):
            raise ValueError("its values before the flop are missing or do not fit its game")

    def below(self, street: int, board: int) -> tuple[LineSource, int]:
        if board not in self._loaded:
            self._loaded[board] = LiveLines(self._solution.part(board))
        return self._loaded[board], 0


@dataclass(eq=False, repr=False)
class ExactSolution(AnySolution):
    """A game solved from before the flop on, every hand of every board with numbers of its own, over some flops."""

    config: dict[str, Any]  # of the run
    split: SplitGame
    top: SplitSolver  # without its flops
    arrays: dict[str, np.ndarray]  # of the file
    reached: Reached

    solver = None  # nothing goes on solving here

    @property
    def settings(self) -> HoldemSettings:
        """The settings of the game."""
        return settings_of(str(self.config["game_type"]), self.config.get("game") or {})

    @property
    def title(self) -> str:
        """The game and its flops, in a few words."""
        return f"{self.split.game.name}, {self.split.choice}"

    def accuracy(self) -> str:
        """What stands between this and the game with every flop."""
        choice = self.split.choice
        return "exact: all flops" if choice.all else f"{choice} stand for all {choice.of:,}"

    @cached_property
    def source(self) -> SplitLines:
        """Where strategies and values come from."""
        return SplitLines(self)

    @property
    def storage(self) -> str:
        """How numbers are stored: float32 or int16."""
        return str((self.config.get("exact") or {}).get("storage", "float32"))

    @property
    def folder(self) -> Path | None:
        """Where what was learnt on the flops is to be found; None for a solution without files."""
        return None if self.path is None else self.path.resolve().parent / f"{FLOPS}{self.top.iteration}"

    @property
    def at_hand(self) -> bool:
        """Whether the files of all flops are there."""
        return self.folder is not None and all(
            (self.folder / self.split.name(flop) / "meta.json").exists() for flop in range(len(self.split.flops))
        )

    def part(self, flop: int) -> FlopPart:
        """A flop with all below it, by number; InputError where its files are not at hand."""
        name = self.split.name(flop)
        if self.folder is None or not (self.folder / name).exists():
            where = "this solution has no files" if self.folder is None else f"{self.folder} is missing or has it not"
            raise InputError(f"what was learnt on {name} is not at hand ({where}): only preflop decisions can be shown")
        memory.require(self.split.part_bytes(flop, self.storage), f"the flop {name} needs")
        part = FlopPart(self.split, flop, self.top.schedule, self.storage)
        try:
            part.restore(read_part(self.folder, name).arrays)
        except (KeyError, ValueError) as error:
            raise SolutionError(f"{self.folder / name} is not a flop of this solution: {error}") from None
        part.take_top(self.top)
        return part

    def assess(self) -> Assessment:
        """What both players win and what best responses gain, in chips; flops are loaded one at a time, four times."""
        whole = SplitSolver(self.split, self.top.schedule, _InTurn(self), self.storage)
        whole.restore({**self.top.state(), "iteration": np.array(self.top.iteration)})
        return assess_ranges(whole)

    def save(self, path: str | Path) -> None:
        """Save what is before the flop; files of flops stay where they are."""
        write_bundle(path, self.bundle())
        placed(self, Path(path))

    def bundle(self) -> Bundle:
        """What is saved, as a record."""
        return self.reached.bundle("exact", self.config, self.arrays)

    @classmethod
    def from_bundle(cls, bundle: Bundle) -> ExactSolution:
        """The solution in a checkpoint."""
        game = settings_of(str(bundle.config["game_type"]), bundle.config.get("game") or {}).game()
        asked = bundle.config.get("exact") or {}
        every = flop_choice("all", game.deck)
        flops, shares = bundle.arrays["flops"].astype(np.int64), bundle.arrays["shares"].astype(np.float64)
        if flops.shape != shares.shape or not len(flops) or flops.min() < 0 or flops.max() >= every.of:
            raise ValueError("its flops are none of this deck")
        choice = FlopChoice(str(asked.get("flops", "")), flops, shares, every.of, every.cards[flops])
        split, reached = SplitGame(game, choice), Reached.of(bundle, Unit(MBB, game.mbb(1)))
        top = SplitSolver(split, range_schedule(reached.algorithm), None, str(asked.get("storage", "float32")))
        state = top.state() | {name: bundle.arrays[name] for name in _TOP}
        top.restore({**state, "iteration": np.array(reached.iterations)})
        solution = cls(bundle.config, split, top, bundle.arrays, reached)
        _ = solution.source  # refuses values that do not fit
        return solution


class _InTurn:
    """`protocols.Shards` of a solution in files: one flop in memory at a time; only for sweeps that change nothing."""

    def __init__(self, solution: ExactSolution) -> None:
        self._solution = solution

    def ask(self, method: str, *arguments: Any) -> list[dict[int, np.ndarray]]:
        asked: ReachRows = arguments[0]
        return [{flop: self._solution.part(flop).below(asked)} for flop in range(len(self._solution.split.flops))]

    def ask_one(self, number: int, method: str, *arguments: Any) -> Any:
        raise NotImplementedError(method)

    def revive(self) -> None: ...

    def close(self) -> None: ...


def load_exact(path: str | Path) -> ExactSolution:
    """The solution saved in `path`."""
    return read_solution(path, ExactSolution.from_bundle, "exact")
