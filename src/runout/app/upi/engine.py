"""What one client has: a setup, a tree that is solved, settings, and where answers go."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from runout.app.upi.channel import Channel
from runout.app.upi.solving import Solving
from runout.errors import InputError
from runout.formats.pio_nodes import point_at
from runout.formats.pio_setup import Setup
from runout.games.points import Point
from runout.run.postflop import EVERY

if TYPE_CHECKING:
    from runout.cursors.spot_solution import SpotSolution
    from runout.explorers.ranges import RangeExplorer


@dataclass
class Options:
    """Settings that are no part of a tree."""

    accuracy: float = 0.003
    accuracy_unit: str = "fraction"  # of the pot, or "chips"
    threads: int = 0  # 0: one for each core
    info_freq: int = 5 * EVERY  # iterations between reports
    algorithm: str = "auto"
    storage: str = "float32"
    recalc: tuple[float, float, float] = (0.0025, 0.001, 0.0005)  # of the pot, by street; the last for rivers

    def target(self, pot: int) -> float:
        """Exploitability at which to stop, in % of the pot."""
        return self.accuracy * 100 / (pot if self.accuracy_unit == "chips" else 1)


@dataclass
class Engine:
    """The state behind one connection."""

    channel: Channel
    setup: Setup = field(default_factory=Setup)
    options: Options = field(default_factory=Options)
    solving: Solving | None = None
    info: list[str] = field(default_factory=list)  # '#Key#value' lines of the tree that is there
    subset: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)  # flops with weights
    subset_before: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)
    scripts: list[Path] = field(default_factory=list)  # those that are being read, one inside the other
    leaving: bool = False
    afterwards: Callable[[], None] | None = None  # done when the answer is out
    stop_report: threading.Event = field(default_factory=threading.Event)  # ends a report over flops

    def take(self, solution: SpotSolution, info: list[str]) -> None:
        """Put a tree in the place of the one that was there."""
        self.free()
        solution.explorer.river_target = self.options.recalc[2] * 100  # type: ignore[attr-defined]
        self.solving, self.info = Solving(solution, self.channel.report), info

    def free(self) -> None:
        """Drop the tree; refused while it is being solved."""
        if self.solving is not None and self.solving.running:
            if not self.solving.stopping:
                raise InputError("the solver is running: send stop first")
            self.solving.wait()
        self.solving, self.info = None, []

    @property
    def tree(self) -> Solving:
        """The tree that is there."""
        if self.solving is None:
            raise InputError("there is no tree: send build_tree or load_tree first")
        return self.solving

    @property
    def solution(self) -> SpotSolution:
        return self.tree.solution

    @property
    def explorer(self) -> RangeExplorer:
        found: RangeExplorer = self.solution.explorer  # type: ignore[assignment]
        return found

    def point(self, node: str) -> Point:
        """The node of a name."""
        return point_at(self.explorer.lines, node)

    def answered(self) -> None:
        """The answer of a command is out: what it left for then is done."""
        after, self.afterwards = self.afterwards, None
        if after is not None:
            after()

    def stop(self) -> None:
        """Ask the solver to end, if it runs."""
        if self.solving is not None:
            self.solving.stop()
