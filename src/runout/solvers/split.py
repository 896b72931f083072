"""CFR on a game that is cut at the flop (`split_game`): one game over many holders of flops.

A sweep for a player, in three parts (`kernels.sweep`):

1. DOWN: the top walks both players' reach down all lines before the flop and sends the rows that see a flop;
2. BELOW: every flop is swept to the river, with regrets and averages of its own, and gives back a row of values for
   each line that reaches it;
3. UP: the top adds the rows of all flops, in the order of the flops, and walks values back up.

The sum is in a fixed order and each flop is swept by itself, so results do not depend on how many shards the flops are
spread over, and are those of `RangeSolver` on the whole game, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from runout import memory
from runout.kernels.lines import UPDATE
from runout.kernels.sweep import BELOW, DOWN, END, UP
from runout.kernels.tables import PARENT_ROW
from runout.kernels.threads import Threads
from runout.protocols import Shards
from runout.solutions.format import FLOP_PART, Bundle, read_bundle, write_bundle
from runout.solvers.range_memory import new_storage, place_boards, working_memory
from runout.solvers.ranges import AVERAGES, RangeSolver, make_plans, root_ranges
from runout.solvers.schedules import Schedule
from runout.solvers.split_game import SplitGame


class ReachRows(NamedTuple):
    """What a flop has to know: rows of the first street, and who they are for."""

    player: int  # whose values are wanted
    mode: int  # UPDATE, AVERAGE or BEST_RESPONSE
    weights: np.ndarray  # float32 [3]
    reach: np.ndarray  # float32 [rows, stride]: of the opponent, on the lines that see a flop
    own: np.ndarray  # float32 [rows, stride]: of the player, where averages need it; else empty

    @property
    def nbytes(self) -> int:
        return int(self.reach.nbytes + self.own.nbytes + self.weights.nbytes)


class SplitSolver(RangeSolver):
    """The top of a split game; a `protocols.Solver` whose flops are held by `shards`, asked for `HeldFlops.sweep`."""

    def __init__(self, split: SplitGame, schedule: Schedule, shards: Shards | None, storage: str = "float32") -> None:
        self.split, self.shards = split, shards
        self.sent = 0  # bytes of rows, both ways, of all sweeps so far
        self.game, self.schedule, self.threads, self.iteration = split.top(shards is not None), schedule, 1, 0
        plans = make_plans(self.game, split.streets)
        self.plans = (plans[0][:2], plans[1][:2])
        root, flops = self.game.boards
        (placed,), numbers, rows = place_boards(replace(split.tree, streets=split.tree.streets[:1]), [root])
        self.boards = (placed, flops.tables)
        self.ranges = root_ranges(self.game, placed)
        kept = new_storage(numbers, rows, storage)
        self._arrays, self._scratch = working_memory(self.plans, self.boards, kept, self.ranges, 1)
        self._begin(Threads(1))

    def sweep(
        self, first: int, last: int, mode: int, weights: np.ndarray, parts: tuple[int, int] = (DOWN, END)
    ) -> None:
        if parts != (DOWN, END):
            super().sweep(first, last, mode, weights, parts)
            return
        for row in weights:
            for player in range(first, last + 1):
                super().sweep(player, player, mode, row[None], (DOWN, BELOW))
                self._below(player, mode, row)
                super().sweep(player, player, mode, row[None], (UP, END))

    def _below(self, player: int, mode: int, weights: np.ndarray) -> None:
        """Send reach rows to all shards and put the value rows of all flops where the top looks for them."""
        assert self.shards is not None, "a top without its flops shows what was learnt"
        rows = self._scratch[0].rows[0]
        sides = [(1 - player, player, rows.reach), (player, 1 - player, rows.own)]
        sent = []
        for who, plan, source in sides[: 2 if averages(mode, weights) else 1]:
            stride = int(self.boards[0].stride[who, 0])
            wanted = sent_rows(self, plan)
            sent.append(source[: len(source) // stride * stride].reshape(-1, stride)[wanted])
        asked = ReachRows(player, mode, weights.copy(), sent[0], sent[1] if len(sent) > 1 else sent[0][:0])
        found = self.shards.ask("sweep", asked)
        self.sent += asked.nbytes * len(found)
        for values in found:
            for flop, value in values.items():
                at = int(self._arrays.out_first[player, flop])
                self._arrays.out[at : at + value.size] = value
                self.sent += value.nbytes


def averages(mode: int, weights: np.ndarray) -> bool:
    """Whether a sweep adds to averages."""
    return mode == UPDATE and float(weights[2]) >= 0


class FlopPart(RangeSolver):
    """One flop of a split game and everything below it."""

    def __init__(self, split: SplitGame, flop: int, schedule: Schedule, storage: str) -> None:
        super().__init__(split.part(flop), schedule, 1, storage)

    def below(self, asked: ReachRows) -> np.ndarray:
        """float32 [entries * stride]: what the player's hands win on the lines that reach the flop."""
        rows = self._scratch[0].rows[0]
        player = asked.player
        sides = [(1 - player, player, rows.reach, asked.reach), (player, 1 - player, rows.own, asked.own)]
        for who, plan, target, given in sides[: 2 if averages(asked.mode, asked.weights) else 1]:
            stride = int(self.boards[0].stride[who, 0])
            target[: len(target) // stride * stride].reshape(-1, stride)[sent_rows(self, plan)] = given
        weights = np.array(asked.weights)  # what was sent may not be written to, and kernels want what may
        self.sweep(player, player, asked.mode, weights[None], (BELOW, UP))
        size = int(self.boards[1].stride[player, 0]) * self.plans[player][1].entry_count
        return self._arrays.out[:size].copy()

    def take_top(self, top: SplitSolver) -> None:
        """Play before the flop as the top does, so that lines below it can be looked at."""
        self._read_all(*AVERAGES)
        for name in AVERAGES:
            theirs = getattr(top.storage, name)
            getattr(self._arrays.storage, name)[: len(theirs)] = theirs


def sent_rows(solver: RangeSolver, plan: int) -> np.ndarray:
    """int64: the reach rows of the first street that the flop needs, of the plan that updates a player."""
    return np.unique(solver.plans[plan][1].entries[:-1, PARENT_ROW])


@dataclass(frozen=True)
class ShardTask:
    """What a shard is to hold; small, so that it can be sent anywhere."""

    split: SplitGame
    schedule: Schedule
    storage: str
    flops: tuple[int, ...]  # of the set, by number
    bytes: int  # that they take
    limit: int | None  # bytes that this shard may take; None: what its machine has


class HeldFlops:
    """Some flops of a split game, in one process; made where it is to live."""

    def __init__(self, task: ShardTask) -> None:
        self.task = task
        memory.require(task.bytes, f"a shard of {len(task.flops)} flops needs", "give more shards", task.limit)
        memory.require(task.bytes, f"a shard of {len(task.flops)} flops needs", "give more shards or fewer flops")
        self.parts: dict[int, FlopPart] = {}
        self.reset()

    def reset(self) -> None:
        """Nothing learnt."""
        self.parts.clear()
        for flop in self.task.flops:
            self.parts[flop] = FlopPart(self.task.split, flop, self.task.schedule, self.task.storage)

    def sweep(self, asked: ReachRows) -> dict[int, np.ndarray]:
        """Value rows by flop."""
        return {flop: part.below(asked) for flop, part in self.parts.items()}

    def bundle(self, flop: int, iteration: int) -> Bundle:
        """What was learnt on a flop: the arrays themselves, not copies."""
        part = self.parts[flop]
        part.iteration = iteration
        return Bundle(FLOP_PART, {"flop": self.task.split.name(flop)}, {"iterations": iteration}, part.state())

    def save(self, folder: str, iteration: int) -> None:
        """Write what was learnt, a directory for each flop."""
        for flop in self.parts:
            write_bundle(Path(folder) / self.task.split.name(flop), self.bundle(flop, iteration))

    def load(self, folder: str) -> None:
        """Go on from what `save` wrote, of this shard or of others with the same flops."""
        for flop in self.parts:
            self.take(flop, read_part(folder, self.task.split.name(flop)))

    def take(self, flop: int, bundle: Bundle) -> None:
        """Go on from what was learnt on a flop."""
        self.parts[flop].restore(bundle.arrays)

    def sees(self, path: str, token: str) -> bool:
        """Whether a file of the asking process is there for this one too."""
        try:
            return Path(path).read_text(encoding="ascii") == token
        except OSError:
            return False


def read_part(folder: str | Path, name: str, mapped: bool = True) -> Bundle:
    """What was learnt on a flop."""
    return read_bundle(Path(folder) / name, FLOP_PART, mapped=mapped)


def shared_out(sizes: Sequence[int], shards: int, limit: int | None) -> list[list[int]]:
    """Numbers of flops for each shard: the largest first, each to the shard that has least.

    With 0 shards, as few as keep each within the limit. Raises MemoryRefused where a shard would be beyond it.
    """
    order = sorted(range(len(sizes)), key=lambda flop: (-sizes[flop], flop))
    count = shards or (1 if limit is None else max(1, -(-sum(sizes) // max(1, int(limit * memory.ROOM)))))
    while True:
        count = min(count, len(sizes))
        held: list[list[int]] = [[] for _ in range(count)]
        taken = [0] * count
        for flop in order:
            least = taken.index(min(taken))
            held[least].append(flop)
            taken[least] += sizes[flop]
        if limit is None or memory.fits(max(taken), limit) or shards or count == len(sizes):
            break
        count += 1
    if limit is not None:
        advice = "lower the bet sizes" if count == len(sizes) else "give more shards"
        memory.require(max(taken), "a shard needs", advice, limit)
    return [sorted(flops) for flops in held]
