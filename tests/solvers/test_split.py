"""A game cut at the flop: the bits of the engine that holds all of it, whatever the number of shards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runout.errors import InputError, MemoryRefused
from runout.games.flop_choice import flop_choice
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.kernels.lines import AVERAGE
from runout.run.shards import ShardsHere
from runout.solvers.auto import range_schedule
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.split import HeldFlops, ShardTask, SplitSolver, shared_out
from runout.solvers.split_game import SplitGame

SCHEDULE = range_schedule("auto")
GAMES = {
    "four streets": LimitHoldem(ranks=3, suits=3, stack_depth=10, max_bets=(1, 1, 1, 1)),
    "all-in before the flop": LimitHoldem(ranks=5, suits=2, stack_depth=1.5, max_bets=(1, 1, 1, 1)),
    "two streets": LimitHoldem(ranks=5, suits=2, num_streets=2, max_bets=(1, 1)),
}


def split_solver(settings: LimitHoldem, flops: str, shards: int, storage: str = "float32") -> SplitSolver:
    split = SplitGame(settings.game(), flop_choice(flops, settings.game().deck))
    sizes = [split.part_bytes(flop, storage) for flop in range(len(split.flops))]
    tasks = [
        ShardTask(split, SCHEDULE, storage, tuple(flops), sum(sizes[flop] for flop in flops), None)
        for flops in shared_out(sizes, shards, None)
    ]
    assert len(tasks) == shards
    return SplitSolver(split, SCHEDULE, ShardsHere(HeldFlops, tasks), storage)


@pytest.mark.parametrize(
    ("name", "storage"),
    [
        ("four streets", "float32"),
        ("all-in before the flop", "float32"),
        pytest.param("two streets", "float32", marks=pytest.mark.slow),
        pytest.param("four streets", "int16", marks=pytest.mark.slow),
    ],
)
def test_shards_give_the_bits_of_the_whole_game(name: str, storage: str) -> None:
    whole = RangeSolver(RangeGame.of(GAMES[name]), SCHEDULE, 1, storage)
    one, three = (split_solver(GAMES[name], "all", shards, storage) for shards in (1, 3))
    for solver in (whole, one, three):
        solver.step(6)
    first = len(one.regrets)
    assert 0 < first < len(whole.regrets)
    for solver in (one, three):
        assert np.array_equal(solver.regrets, whole.regrets[:first])
        assert np.array_equal(solver.averages, whole.averages[:first])
        assert solver.exploitability() == whole.exploitability() > 0
    assert np.abs(one.regrets).max() > 0


def test_rows_are_all_that_is_sent() -> None:
    """To each shard the reach rows of both players on lines that see a flop, back a row a line, flop and player."""
    settings = GAMES["four streets"]
    one, three = (split_solver(settings, "all", shards) for shards in (1, 3))
    for solver in (one, three):
        solver.step(1)
    root, flops = one.boards
    entries = one.plans[0][1].entry_count
    values = 4 * entries * int(flops.stride.sum())
    out = (three.sent - one.sent) / 2  # what a further shard is sent
    assert one.sent == values + out
    assert 0 < out <= 2 * 2 * 4 * entries * int(root.stride[0, 0]) + 2 * 12


def test_shares_of_flops_weigh_their_values(tmp_path: Path) -> None:
    """What hands win by fixed strategies is linear in how often each flop comes."""
    file = tmp_path / "flops.txt"

    def values(text: str) -> np.ndarray:
        file.write_text(text, encoding="utf-8")
        return split_solver(GAMES["four streets"], str(file), 1).values(0, AVERAGE)

    first, second = values("4c 3d 2h"), values("2c 2d 4h")
    assert np.abs(first - second).max() > 1
    assert values("4c 3d 2h:3\n2c 2d 4h:1") == pytest.approx(0.75 * first + 0.25 * second, abs=1e-4)


def test_flops_are_shared_out_within_the_limit() -> None:
    assert shared_out([5, 9, 5, 1], 2, None) == [[1, 3], [0, 2]]
    assert shared_out([5, 9, 5, 1], 0, None) == [[0, 1, 2, 3]]
    held = shared_out([5, 9, 5, 1], 0, 11)
    assert sorted(flop for flops in held for flop in flops) == [0, 1, 2, 3]
    assert max(sum([5, 9, 5, 1][flop] for flop in flops) for flops in held) <= 0.95 * 11
    with pytest.raises(MemoryRefused, match="give more shards"):
        shared_out([5, 9, 5, 1], 1, 11)
    with pytest.raises(MemoryRefused, match="bet sizes"):
        shared_out([5, 9, 5, 1], 0, 8)


def test_a_shard_asks_before_it_takes() -> None:
    split = SplitGame(GAMES["four streets"].game(), flop_choice("all", GAMES["four streets"].game().deck))
    with pytest.raises(MemoryRefused, match="a shard of 1 flops needs"):
        HeldFlops(ShardTask(split, SCHEDULE, "float32", (0,), 10**15, None))
    with pytest.raises(MemoryRefused, match="1 MB are free"):
        HeldFlops(ShardTask(split, SCHEDULE, "float32", (0,), 10**7, 10**6))


def test_what_a_flop_takes_is_known_beforehand() -> None:
    """Of flops of every pattern of suits: the solver's own arrays, and the tables of its boards."""
    split = SplitGame(GAMES["four streets"].game(), flop_choice("all", GAMES["four streets"].game().deck))
    for flop in range(0, len(split.flops), 5):
        game = split.part(flop)
        taken = RangeSolver(game, SCHEDULE, 1).memory() + sum(s.tables.nbytes for s in game.boards)
        assert split.part_bytes(flop, "float32") == pytest.approx(taken, rel=1e-3)


def test_games_that_do_not_begin_before_the_flop_are_refused() -> None:
    everything = flop_choice("all")
    with pytest.raises(InputError, match="from before the flop on"):
        SplitGame(NoLimitHoldem(board="Qs Jh 2h").game(), everything)
    with pytest.raises(InputError, match="every street"):
        SplitGame(NoLimitHoldem(num_streets=2).game(), everything)
