"""MCCFR on hold'em: the walk against its recursive twin, and convergence to what the range engine solves exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reference.mccfr import SlowMccfr
from runout.cards.abstraction import AbstractionSettings
from runout.errors import MemoryRefused, SolutionError
from runout.games.deals import DealSettings, left_cards, make_pool
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_size import infosets
from runout.games.holdem_state import HoldemState
from runout.kernels.deals import draw
from runout.kernels.mccfr import pick
from runout.run.flop_holdem import solve_flop_holdem
from runout.solvers import mccfr
from runout.solvers.mccfr import HoldemMccfr, table_policy

TINY = LimitHoldem(num_streets=2, ranks=3, suits=3, max_raises=(1, 1))
GAMES: list[HoldemSettings] = [
    TINY,
    LimitHoldem(num_streets=2),
    LimitHoldem(max_raises=(1, 0, 2, 1), stack_depth=3),
    NoLimitHoldem(stack_depth=4, bet_sizes=(1.0,), max_raises_per_street=2),
    NoLimitHoldem(stack_depth=6, bet_sizes=(0.5, 2.0), max_raises_per_street=1, board="Qs Jh 2h", num_streets=3),
]


def batch_of(game: HoldemSettings, states: list[HoldemState]) -> HoldemBatch:
    """The states side by side."""
    batch = HoldemBatch(game.game(), np.array([state.cards for state in states], np.uint8))
    lines = [[action for street in state.history for action in street] for state in states]
    at = [game.game().deal(state.cards) for state in states]
    for place in range(max(map(len, lines))):
        slots = np.full(len(states), -1)
        for i, line in enumerate(lines):
            if place < len(line):
                slots[i] = next(slot for slot, action in at[i].menu().items() if action == line[place])
                at[i] = at[i].play(int(slots[i]))
        batch.act(slots)
    return batch


@pytest.mark.parametrize("settings", GAMES, ids=lambda one: one.game().name)
def test_walks_learn_what_the_recursive_twin_learns(settings: HoldemSettings) -> None:
    game, iterations, traversals, seed = settings.game(), 3, 4, 5
    fast = HoldemMccfr(game, traversals, seed)
    fast.step(iterations)
    slow = SlowMccfr(game, seed ^ mccfr._SAMPLING)
    generator = np.array([seed], np.uint64)
    for iteration in range(iterations):
        deals = np.empty((2 * traversals, 9), np.uint8)
        draw(generator, left_cards(game), np.array(game.board, np.uint8), deals)
        for i, cards in enumerate(deals):
            slow.walk(cards, i % 2, iteration + 1.0)
    assert fast.size == len(slow.states)
    known = [key for key in slow.states if slow.averages[key].any()]
    batch = batch_of(settings, [slow.states[key] for key in known])
    wanted = np.array([slow.averages[key] / slow.averages[key].sum() for key in known])
    np.testing.assert_allclose(fast.policy().probabilities(batch), wanted, atol=2e-5)
    learnt = sum(np.abs(regrets).sum() for regrets in slow.regrets.values())
    assert np.abs(fast.table.regrets).sum() == pytest.approx(learnt, rel=1e-4)


def test_results_depend_on_the_seed_alone_not_on_the_sizes_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    game = NoLimitHoldem(stack_depth=8, bet_sizes=(0.5, 1.0)).game()
    large = HoldemMccfr(game, 20, seed=3)
    monkeypatch.setattr(mccfr, "_FIRST_CAPACITY", 16)
    monkeypatch.setattr(mccfr, "_FIRST_NOTES", 8)
    small = HoldemMccfr(game, 20, seed=3)
    other = HoldemMccfr(game, 20, seed=4)
    for solver in (large, small, other):
        solver.step(4)
    for name, array in large.state().items():
        np.testing.assert_array_equal(array, small.state()[name], err_msg=name)
    assert len(small.table.keys) < len(large.table.keys) or small.size > 10_000
    assert not np.array_equal(large.state()["keys"], other.state()["keys"])


def test_a_restored_solver_goes_on_to_the_same_table() -> None:
    game = LimitHoldem(num_streets=2).game()
    whole, first, second = (HoldemMccfr(game, 50, seed=1) for _ in range(3))
    whole.step(6)
    first.step(2)
    second.restore_from(first.checkpoint(resumable=True))
    second.step(4)
    assert second.iteration == 6
    for name, array in whole.state().items():
        np.testing.assert_array_equal(array, second.state()[name], err_msg=name)
    with pytest.raises(SolutionError, match="lacks 'regrets'"):
        second.restore_from(first.checkpoint(resumable=False))


def test_the_table_fills_to_every_information_set_of_the_game() -> None:
    solver = HoldemMccfr(TINY.game(), 1000)
    solver.step(60)
    assert solver.size == sum(infosets(TINY.game())[0])


def test_it_converges_to_the_exact_solution_as_one_over_the_root_of_the_walks() -> None:
    exact = solve_flop_holdem(
        FlopHoldem(**(FlopHoldem.of_limit(TINY).model_dump() | {"solve": {"target": 0.02, "iterations": 5000}}))
    )
    value = exact.settings.mbb(exact.assess().values[0])
    few, many = [], []
    for seed in range(3):
        solver = HoldemMccfr(TINY.game(), 500, seed)
        solver.step(20)
        few.append(solver.measure())
        solver.step(300)
        many.append(solver.measure())
        reached = solver._measured.values(solver.policy())
        assert reached is not None
        assert reached[0] == pytest.approx(-reached[1], abs=1e-3)
        assert abs(reached[0] - value) <= 2 * many[-1]
    ratio = np.mean(few) / np.mean(many)
    assert 2.5 < ratio < 8  # sixteen times the walks: about a quarter
    assert np.mean(many) < 25  # mbb/hand, from 1,300 for even play


def test_larger_games_are_not_measured() -> None:
    assert HoldemMccfr(LimitHoldem().game(), 1).measure() is None
    assert HoldemMccfr(LimitHoldem(num_streets=2, stack_depth=2).game(), 1).measure() is None


def test_information_sets_that_were_never_met_are_played_evenly() -> None:
    settings = LimitHoldem(num_streets=2)
    policy = HoldemMccfr(settings.game(), 1).policy()
    start = settings.game().deal("AsKd 7c7h Qs Jh 2h 9c 3d")
    states = [start, start.play("call"), start.play("call").play("check")]
    np.testing.assert_allclose(
        policy.probabilities(batch_of(settings, states)), [[1 / 3] * 3, [0, 0.5, 0.5], [0, 0.5, 0.5]]
    )


def test_suits_do_not_matter_to_a_policy() -> None:
    settings = LimitHoldem(num_streets=2)
    solver = HoldemMccfr(settings.game(), 500)
    solver.step(2)
    texts = ("AsKd 7c7h Qs Jh 2h 9c 3d", "KhAc 7d7s Jd 2d Qc 9h 3h")
    states = [settings.game().deal(text).play("call").play("check") for text in texts]
    first, second = solver.policy().probabilities(batch_of(settings, states))
    np.testing.assert_array_equal(first, second)


def test_a_checkpoint_is_a_policy_with_the_same_strategies() -> None:
    solver = HoldemMccfr(TINY.game(), 200)
    solver.step(3)
    loaded = table_policy(TINY.game(), solver.checkpoint(resumable=False))
    batch = HoldemBatch(TINY.game(), make_pool(TINY, DealSettings(count=200)).deals)
    np.testing.assert_array_equal(loaded.probabilities(batch), solver.policy().probabilities(batch))


def test_walks_over_a_pool_meet_its_deals_only_and_weigh_them() -> None:
    pool = make_pool(TINY, DealSettings(count=90, min_per_class=5, seed=2))
    plain = replace(pool, weights=np.ones(len(pool)))
    weighed, even = (HoldemMccfr(TINY.game(), 300, pool=one) for one in (pool, plain))
    weighed.step(1)
    even.step(1)
    everything = sum(infosets(TINY.game())[0])
    assert 0 < weighed.size < everything
    rows = np.empty(600, np.int64)
    pick(np.array([0], np.uint64), len(pool), rows)
    assert pool.weights[rows].std() > 0.1
    opened = [solver.policy().averages.sum() for solver in (weighed, even)]
    assert opened[0] != pytest.approx(opened[1], rel=1e-3)


def test_a_table_that_cannot_grow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mccfr, "_FIRST_CAPACITY", 64)
    solver = HoldemMccfr(LimitHoldem().game(), 10)
    monkeypatch.setattr("runout.memory.available", lambda: 1000)
    with pytest.raises(MemoryRefused, match="information sets is full; a larger one takes"):
        solver.step(1)


def test_an_abstraction_makes_the_table_smaller_and_is_kept_with_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    wanted = AbstractionSettings(flop=6)
    solver, plain = HoldemMccfr(TINY.game(), 500, abstraction=wanted), HoldemMccfr(TINY.game(), 500)
    solver.step(40)
    plain.step(40)
    assert solver.size < plain.size / 3
    reached, even = solver.measure(), HoldemMccfr(TINY.game(), 1).measure()
    assert reached is not None
    assert even is not None
    assert reached < even / 2
    bundle = replace(solver.checkpoint(resumable=False), config={"abstraction": wanted.model_dump()})
    batch = HoldemBatch(TINY.game(), make_pool(TINY, DealSettings(count=100)).deals)
    np.testing.assert_array_equal(
        table_policy(TINY.game(), bundle).probabilities(batch), solver.policy().probabilities(batch)
    )
