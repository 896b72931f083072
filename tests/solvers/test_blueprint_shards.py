"""Blueprints learnt by shards: who holds them changes nothing, and they come to an equilibrium."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from runout.errors import ShardLost, TrainingError
from runout.games.flop_choice import flop_choice
from runout.games.holdem import LimitHoldem
from runout.run.shards import ShardsHere
from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.blueprint_shards import HeldRounds, RoundTask, ShardedBlueprint, spread

SCHEDULE = blueprint_schedule("auto")
BATCH, SEED = 8, 3


@cache
def what() -> BlueprintGame:
    return BlueprintGame.of(LimitHoldem(num_streets=2, ranks=4, suits=3).game(), None)


def sharded(shards: int, holders: int, local: int = 1, threads: int = 1, elsewhere: bool = False) -> ShardedBlueprint:
    held = spread(shards, holders)
    tasks = [RoundTask(what(), SCHEDULE, BATCH, SEED, local, tuple(mine), threads, elsewhere) for mine in held]
    return ShardedBlueprint(what(), SCHEDULE, BATCH, 5, SEED, ShardsHere(HeldRounds, tasks), held)


def same(one: BlueprintSolver, other: BlueprintSolver) -> bool:
    pairs = zip(one.state().values(), other.state().values(), strict=True)
    return all(np.array_equal(mine, theirs) for mine, theirs in pairs)


def test_holders_threads_and_pauses_change_nothing() -> None:
    one, three = sharded(4, 1, threads=2), sharded(4, 3, elsewhere=True)
    one.step(20)
    for _ in range(2):
        three.step(10)
    assert same(one, three)
    assert one.iteration == 20
    resumed = sharded(4, 2)
    half = sharded(4, 1)
    half.step(10)
    resumed.restore({name: array.copy() for name, array in half.state().items()})
    resumed.step(10)
    assert same(one, resumed)
    assert not same(one, sharded(4, 1))


def test_the_first_round_is_the_mean_of_what_shards_learn() -> None:
    """Each shard by itself: one update of each player from nothing, on boards of its own."""
    both = sharded(2, 2)
    both.step(2)
    total = np.zeros_like(both.buckets.regrets)
    boards = []
    for shard in range(2):
        alone = BlueprintSolver(what(), SCHEDULE, BATCH, 5, SEED, 1)
        for update in range(2):
            cards, flops = alone.draw(update, shard)
            alone.learn(update, cards, flops)
            boards.append(cards)
        total += alone.buckets.regrets
    assert both.buckets.regrets == pytest.approx(total / 2, abs=1e-4)
    assert np.abs(total).max() > 1
    assert not np.array_equal(boards[0], boards[2])


def test_tables_are_all_that_is_sent() -> None:
    """Regrets to each holder; back, of each shard, the changes of regrets and averages."""
    solver = sharded(4, 2)
    solver.step(6)
    table = what().numbers * 4
    assert (solver.rounds, solver.sent) == (3, 3 * (2 + 4 * 2) * table)


def test_a_round_that_is_lost_is_done_again() -> None:
    quiet, lossy = sharded(2, 2), sharded(2, 2)
    lost = iter([False, True, False, True, False])

    class Lossy(ShardsHere):
        def ask_one(self, number: int, method: str, *arguments: int) -> object:
            if number == 1 and next(lost, False):
                raise ShardLost("shard 2 has gone")
            return super().ask_one(number, method, *arguments)

    lossy.shards.__class__ = Lossy
    for solver in (quiet, lossy):
        solver.step(6)
    assert same(quiet, lossy)
    lost = iter([True] * 9)
    with pytest.raises(TrainingError, match="in each of 5 tries"):
        lossy.step(2)


def test_shards_find_an_equilibrium() -> None:
    solver = sharded(4, 2, local=2)
    everywhere = flop_choice("all", what().game.deck)
    found = []
    for rounds in (5, 60):
        solver.step(2 * rounds)
        found.append(what().game.mbb(measure_flops(what(), solver.buckets, everywhere, 1).exploitability))
    assert 0 <= found[1] < 60
    assert found[1] < found[0] / 3


def test_shards_are_spread_evenly() -> None:
    assert spread(5, 2) == [range(2), range(2, 5)]
    assert spread(2, 8) == [range(1), range(1, 2)]
