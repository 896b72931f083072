"""A blueprint learnt by several shards: each learns by itself for a round, and what changed is merged in their order.

1. A round begins with the same regrets everywhere. Every shard draws boards of its own and learns from them, `local`
   iterations of both players.
2. What changed of regrets and averages is added up in the order of the shards, and their mean goes into the blueprint.

How many shards there are is a setting, whatever the number of machines or processes that do their work: the result
depends on the seed and on that setting alone. Between rounds shards know nothing: a round that is lost is done again.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from runout.errors import ShardLost, TrainingError
from runout.protocols import Shards
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.schedules import Schedule
from runout.solvers.whole import in_pieces

_TIMES = 5  # that a round is tried


@dataclass(frozen=True)
class RoundTask:
    """What a holder of shards is to know."""

    what: BlueprintGame
    schedule: Schedule
    batch: int
    seed: int
    local: int  # iterations of both players in a round
    shards: tuple[int, ...]  # by number
    threads: int  # of a holder in this process
    elsewhere: bool  # on a machine of a cluster, where a holder has one thread


class Changes(NamedTuple):
    """What a shard learnt in a round."""

    regrets: np.ndarray  # float32
    averages: np.ndarray  # float32


class HeldRounds:
    """Some shards of a blueprint, in one process; made where it is to live."""

    def __init__(self, task: RoundTask) -> None:
        self.task = task
        # What comes from a cluster's store cannot be written to, and buckets of boards are looked up when they are met.
        what, threads = (deepcopy(task.what), 1) if task.elsewhere else (task.what, task.threads)
        self._solver = BlueprintSolver(what, task.schedule, task.batch, 1, task.seed, threads)
        self._learnt: dict[int, Changes] = {}

    def learn(self, regrets: np.ndarray, number: int) -> None:
        """A round, by its number, of every shard here."""
        self._learnt.clear()
        solver, local = self._solver, self.task.local
        for shard in self.task.shards:
            solver.buckets.regrets[:] = regrets
            solver.buckets.averages[:] = 0
            for update in range(2 * number * local, 2 * (number + 1) * local):
                solver.learn(update % 2, *solver.draw(update, shard))
            self._learnt[shard] = Changes(solver.buckets.regrets - regrets, solver.buckets.averages.copy())

    def take(self, shard: int) -> Changes:
        """What a shard learnt in the round; once."""
        return self._learnt.pop(shard)


class ShardedBlueprint(BlueprintSolver):
    """Merges what shards learn; a `protocols.Solver` whose iterations (of one player) are half of a round each."""

    def __init__(
        self,
        what: BlueprintGame,
        schedule: Schedule,
        batch: int,
        epoch: int,
        seed: int,
        shards: Shards,
        held: list[range],
    ) -> None:
        super().__init__(what, schedule, batch, epoch, seed, 1)
        self.shards, self.held = shards, held  # which shards each holder has
        self.sent = self.rounds = 0  # bytes, both ways, of so many rounds

    def step(self, iterations: int) -> None:
        in_pieces(-(-iterations // 2), self._do_rounds)

    def _do_rounds(self, count: int) -> None:
        for _ in range(count):
            for left in reversed(range(_TIMES)):
                try:
                    found = self._merged(self.iteration // 2)
                    break
                except ShardLost as error:
                    if not left:
                        raise TrainingError(f"{error}, in each of {_TIMES} tries at a round") from None
                    self.shards.revive()
            total = sum(map(len, self.held))
            self.buckets.regrets[:] += found.regrets / np.float32(total)
            self.buckets.averages[:] += found.averages / np.float32(total)
            self.iteration += 2
            self.rounds += 1
            if self.iteration % (2 * self.epoch) == 0:
                self._discount(self.epochs_before + self.iteration // (2 * self.epoch))

    def _merged(self, number: int) -> Changes:
        """The changes of all shards, added up in their order."""
        self.shards.ask("learn", self.buckets.regrets, number)
        sums = Changes(np.zeros_like(self.buckets.regrets), np.zeros_like(self.buckets.averages))
        sent = self.buckets.regrets.nbytes * len(self.held)
        for holder, mine in enumerate(self.held):
            for shard in mine:
                found = self.shards.ask_one(holder, "take", shard)
                for own, more in zip(sums, found, strict=True):
                    own += more
                    sent += more.nbytes
        self.sent += sent
        return sums


def spread(shards: int, holders: int) -> list[range]:
    """Which shards each of at most so many holders has."""
    count = max(1, min(shards, holders))
    return [range(number * shards // count, (number + 1) * shards // count) for number in range(count)]
