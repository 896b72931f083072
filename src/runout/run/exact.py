"""One exact game over many holders of flops: what `runout train --solver exact` runs.

Flops are spread over shards (here, processes, or actors of a cluster). A checkpoint is written flop by flop, by the
shards themselves where they see the directory of the run and else through this process; it counts once the top, which
is written last, is there. A shard that is lost is made anew, all go back to the last checkpoint, and the iterations
since are done again: the result is the same.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np

from runout import memory
from runout.errors import MemoryRefused
from runout.games.flop_choice import flop_choice
from runout.games.holdem_game import HoldemGame
from runout.protocols import Shards
from runout.run.going_back import GoingBack
from runout.run.ray_cluster import RayCluster
from runout.run.ray_shards import RayShards
from runout.run.shards import ShardProcesses, ShardsHere
from runout.run.solver_trainees import SolverTrainee
from runout.run.train_config import ExactSettings
from runout.solutions.format import FLOPS, STATE, Bundle, write_bundle
from runout.solutions.reached import MBB
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LiveLines
from runout.solvers.split import HeldFlops, ShardTask, SplitSolver, read_part, shared_out
from runout.solvers.split_game import SplitGame

_SHOWN = ("averages", "average_scales")  # of the top; the rest is needed to go on


class ExactTrainee(SolverTrainee):
    """A game from before the flop on, every hand of every board with numbers of its own; a `protocols.Trainee`."""

    unit = MBB
    solver: SplitSolver

    def __init__(
        self,
        game: HoldemGame,
        algorithm: str,
        asked: ExactSettings,
        workers: int,
        folder: str | Path | None,
        cluster: RayCluster | None = None,
    ) -> None:
        self.game, self.asked = game, asked
        self.split = SplitGame(game, flop_choice(asked.flops, game.deck))
        self.folder = None if folder is None else Path(folder).absolute()
        schedule = range_schedule(algorithm)
        limit = None if asked.shard_gb is None else int(asked.shard_gb * 1e9)
        sizes = [self.split.part_bytes(flop, asked.storage) for flop in range(len(self.split.flops))]
        count = asked.shards or (0 if limit else min(len(sizes), workers if cluster is None else cluster.cores))
        held = shared_out(sizes, count, limit)
        self.tasks = [
            ShardTask(self.split, schedule, asked.storage, tuple(flops), sum(sizes[flop] for flop in flops), limit)
            for flops in held
        ]
        self.shards = _made(self.tasks, cluster)
        try:
            self._kept: tuple[Path | None, dict[str, np.ndarray], int] | None = None  # the last checkpoint
            self._shared: bool | None = None  # whether shards see the directory of the run
            self._done = self._sent = 0  # iterations of this run, and bytes of rows that they sent
            self._again = GoingBack(lambda: self.iteration, self._step, self._go_back)
            super().__init__(SplitSolver(self.split, schedule, self.shards, asked.storage), str(schedule))
            self._empty = _copied(self.solver.state())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the shards."""
        self.shards.close()

    def step(self, iterations: int) -> None:
        self._again.after(self.iteration + iterations, lambda: None)

    def _step(self) -> None:
        before = self.solver.sent
        super().step(1)
        self._done, self._sent = self._done + 1, self._sent + self.solver.sent - before

    def _go_back(self) -> None:
        """Everything as at the last checkpoint, or at the start."""
        self.shards.revive()
        folder, top, iteration = self._kept or (None, self._empty, 0)
        if folder is None:
            self.shards.ask("reset")
        else:
            self._load(folder)
        self.solver.restore(top)
        self.iteration = iteration

    def measure(self) -> float:
        return self._again.after(self.iteration, lambda: self.game.mbb(self.solver.exploitability()))

    def metrics(self) -> dict[str, float]:
        found = {
            "shards": float(len(self.tasks)),
            "largest_shard_mb": max(task.bytes for task in self.tasks) / 1e6,
            "all_shards_mb": sum(task.bytes for task in self.tasks) / 1e6,
        }
        if self._done:
            found["sent_mb_per_iteration"] = self._sent / self._done / 1e6
        if self._again.lost:
            found["shards_lost"] = float(self._again.lost)
        return found

    def checkpoint(self, resumable: bool) -> Bundle:
        values = self._again.after(self.iteration, lambda: LiveLines(self.solver).first_values())
        folder = None
        if resumable and self.folder is not None:
            folder = self.folder / f"{FLOPS}{self.iteration}"
            self._again.after(self.iteration, lambda: self._save(folder))
        state = self.solver.state()
        if folder is not None or self.folder is None:
            self._kept = None if folder is None else (folder, _copied(state), self.iteration)
        choice = self.split.choice
        arrays = {name: state.pop(name) for name in _SHOWN}
        arrays |= {"flops": choice.flops, "shares": choice.shares, **values}
        if resumable:
            arrays |= {STATE + name: array for name, array in state.items()}
        reached = {
            "iterations": self.iteration,
            "algorithm": self.algorithm,
            "flop_set": str(choice),
            "shards": len(self.tasks),
            "seconds": self.seconds,
        }
        return Bundle("exact", {}, reached, arrays)

    def restore_from(self, bundle: Bundle) -> None:
        choice = self.split.choice
        for name, own in (("flops", choice.flops), ("shares", choice.shares)):
            if not np.array_equal(bundle.arrays[name], own):
                raise ValueError(f"it was solved on other flops than {choice}")
        top = {name: bundle.arrays[name] for name in _SHOWN}
        top |= {name.removeprefix(STATE): array for name, array in bundle.arrays.items() if name.startswith(STATE)}
        assert self.folder is not None
        self._kept = self.folder / f"{FLOPS}{int(top['iteration'])}", _copied(top), int(top["iteration"])
        self._again.go_back()
        self.seconds = float(bundle.reached["seconds"])

    # Files of the flops

    def _save(self, folder: Path) -> None:
        if self._kept is not None and self._kept[0] == folder and folder.is_dir():
            return  # the last save was of this very iteration
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir(parents=True)
            if self._seen():
                self.shards.ask("save", str(folder), self.iteration)
                return
            for number, task in enumerate(self.tasks):
                for flop in task.flops:
                    found = self.shards.ask_one(number, "bundle", flop, self.iteration)
                    write_bundle(folder / self.split.name(flop), found)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _load(self, folder: Path) -> None:
        if self._seen():
            self.shards.ask("load", str(folder))
            return
        for number, task in enumerate(self.tasks):
            for flop in task.flops:
                self.shards.ask_one(number, "take", flop, read_part(folder, self.split.name(flop), mapped=False))

    def _seen(self) -> bool:
        """Whether every shard sees the directory of the run: on one machine, or on a disk that machines share."""
        if self._shared is None:
            assert self.folder is not None
            note, token = self.folder / f".seen-{token_hex(4)}", token_hex(8)
            try:
                note.write_text(token, encoding="ascii")
                self._shared = all(self.shards.ask("sees", str(note), token))
            finally:
                note.unlink(missing_ok=True)
        return self._shared


def _made(tasks: list[ShardTask], cluster: RayCluster | None) -> Shards:
    """The shards where they are to live; refused where there is no memory for them."""
    needs = [task.bytes for task in tasks]
    if cluster is not None:
        return RayShards(cluster, HeldFlops, tasks, needs)
    try:
        memory.require(sum(needs), f"this game, in {len(tasks)} shards, needs")
    except MemoryRefused as error:
        advice = "give fewer flops or bet sizes, storage int16, or machines of a cluster (--cluster)"
        raise MemoryRefused(f"{error}: {advice}") from None
    return ShardsHere(HeldFlops, tasks) if len(tasks) == 1 else ShardProcesses(HeldFlops, tasks)


def _copied(state: dict[str, Any]) -> dict[str, np.ndarray]:
    return {name: np.array(array) for name, array in state.items()}
