"""Locked strategies, int16 storage and the memory that a solve asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reference.spots import evs, hand_evs, percent, published, spot
from runout.cards.hands import hand_combos
from runout.errors import InputError, MemoryRefused
from runout.games.spot import Spot
from runout.kernels.lines import AVERAGE, BEST_RESPONSE
from runout.run.postflop import solve
from runout.solvers.range_locks import suits_alike
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.schedules import make_schedule

ALL_IN = {"river": {"bet": "a"}}


def jam_or_check() -> Spot:
    """OOP has the nuts or nothing against one bluff catcher; pot 20, stack 10."""
    return spot("2s3h4d6c7c", "AsAh,QsQh", "KsKh", pot=20, stack=10, sizes=ALL_IN)


def new_solver(game: Spot, storage: str = "float32", threads: int = 1) -> RangeSolver:
    return RangeSolver(RangeGame.of(game), make_schedule("dcfr"), threads, storage)


def caller_node(solver: RangeSolver) -> int:
    return solver.game.tree.node("a")[1]


def lock_caller(solver: RangeSolver, call: float) -> None:
    node = caller_node(solver)
    assert solver.game.tree.action_names(0, node) == ["fold", "call"]
    solver.lock(0, 0, node, np.array([[1 - call], [call]]), np.array([True]))


def test_without_locks_the_closed_form_comes_out() -> None:
    solver = new_solver(jam_or_check())
    solver.step(2000)
    assert evs(solver) == pytest.approx([40 / 3, 20 / 3], abs=2e-3)


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize(("call", "aces", "queens", "kings"), [(0.75, 27.5, 0.0, 6.25), (0.5, 25.0, 5.0, 5.0)])
def test_a_locked_caller_is_answered_best(call: float, aces: float, queens: float, kings: float, storage: str) -> None:
    solver = new_solver(jam_or_check(), storage)
    lock_caller(solver, call)
    solver.step(500)
    assert solver.strategy(0, 0, caller_node(solver))[:, 0] == pytest.approx([1 - call, call], abs=1e-4)
    found = hand_evs(solver, 0, AVERAGE)
    assert found[hand_combos("AsAh")[0]] == pytest.approx(aces, abs=0.01)
    assert found[hand_combos("QsQh")[0]] == pytest.approx(queens, abs=0.01)
    assert evs(solver)[1] == pytest.approx(kings, abs=0.01)
    # What is locked is no mistake: nobody gains by a change that he is free to make.
    assert solver.exploitability() == pytest.approx(0.0, abs=0.01)
    assert hand_evs(solver, 1, BEST_RESPONSE) == pytest.approx(hand_evs(solver, 1, AVERAGE), abs=2e-3)


def test_single_hands_can_be_locked_and_the_others_learn() -> None:
    solver = new_solver(published("river"))
    tree = solver.game.tree
    node = tree.node("x")[1]
    hands = solver.hands(1, 0, 0)
    actions = len(tree.action_names(0, node))
    locked = np.isin(hands, hand_combos("QQ"))
    always = np.zeros((actions, len(hands)))
    always[0] = 1.0  # check back
    solver.lock(0, 0, node, always, locked)
    solver.step(100)
    strategy = solver.strategy(0, 0, node)
    assert strategy[0, locked] == pytest.approx(1.0)
    assert strategy[0, ~locked].min() < 0.5
    free = new_solver(published("river"))
    free.step(100)
    assert free.strategy(0, 0, node)[0, locked].max() < 0.5
    assert evs(solver)[1] < evs(free)[1]


def test_a_lock_on_any_turn_keeps_suits_alike_and_a_lock_on_one_does_not() -> None:
    """OOP never bets the turn where he is locked to check, and bets it where he is not."""
    sizes = {"turn": {"bet": "100%"}, "river": {"bet": ""}}
    plain = spot("9s8s2s", "AA,76s", "KK,QJs", pot=20, stack=20, sizes=sizes)
    anywhere = plain.lock("x-x|?|", {"x": 1.0})
    on_one = plain.lock("x-x|2c|", {"x": 1.0})
    for_one = plain.lock("", {"x": 1.0}, hands="AhAd")
    assert suits_alike(plain)
    assert suits_alike(anywhere)
    assert not suits_alike(on_one)
    assert not suits_alike(for_one)
    everywhere = solve(anywhere, 0.1, 200)
    once = solve(on_one, 0.1, 200)
    for card in ("2c", "Kd"):
        assert everywhere.at(f"x-x|{card}|").frequencies[0] == pytest.approx(1.0)
    assert once.at("x-x|2c|").frequencies[0] == pytest.approx(1.0)
    assert once.at("x-x|2d|").frequencies[0] < 0.9


@pytest.mark.parametrize(
    ("lock", "message"),
    [
        ({"line": "a", "strategy": {"c": 0.5}}, "add up to 1"),
        ({"line": "a", "strategy": {"c": 1.5, "f": -0.5}}, "from 0 to 1"),
        ({"line": "a", "strategy": {"r99": 1.0}}, "no action 'r99' there: use f, c"),
        ({"line": "a", "strategy": {"c": 1.0}, "hands": "22"}, "ip holds none of '22'"),
        ({"line": "x-x", "strategy": {"c": 1.0}}, "does not end where a player is to act"),
    ],
)
def test_locks_that_cannot_be(lock: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(jam_or_check().lock(**lock), 1.0, 10)


def test_a_lock_outlives_save_and_restore() -> None:
    first, second = new_solver(jam_or_check()), new_solver(jam_or_check())
    lock_caller(first, 0.75)
    first.step(10)
    second.restore({name: array.copy() for name, array in first.state().items()})
    first.step(20)
    second.step(20)
    assert np.array_equal(first.averages, second.averages)
    assert second.strategy(0, 0, caller_node(second))[:, 0] == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize("name", ["river", "turn"])
def test_int16_finds_the_same_values(name: str) -> None:
    """Within 0.02% of the pot of float32, once both are well solved."""
    game = published(name)
    found = []
    for storage in ("float32", "int16"):
        solver = RangeSolver(RangeGame.of(game), make_schedule("dcfr", 1.3, 0.4, 4), 2, storage)
        solver.step(400)
        assert percent(solver) < 0.05
        found.append(evs(solver))
    assert found[0] / game.pot == pytest.approx(found[1] / game.pot, abs=2e-4)


def test_int16_takes_half_the_memory_and_any_number_of_threads() -> None:
    game = published("turn")
    one, two, whole = (
        new_solver(game, storage, threads) for storage, threads in (("int16", 1), ("int16", 2), ("float32", 1))
    )
    assert one.memory() < 0.52 * whole.memory()
    for solver in (one, two):
        solver.step(7)
    assert np.array_equal(one.averages, two.averages)
    assert np.array_equal(one.storage.regret_scales, two.storage.regret_scales)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_the_estimate_is_what_is_taken(storage: str) -> None:
    game = RangeGame.of(published("turn"))
    asked = estimate(game.tree, game.boards)
    tables = sum(street.tables.nbytes for street in game.boards)
    taken = RangeSolver(game, make_schedule("dcfr"), 1, storage).memory()
    assert asked.bytes(storage) == pytest.approx(taken + tables, rel=1e-3)


def test_what_does_not_fit_is_refused_with_what_to_cut() -> None:
    game = RangeGame.of(published("turn"))
    asked = estimate(game.tree, game.boards)
    asked.require("float32", 10**9)
    with pytest.raises(MemoryRefused, match=r"the river takes .* fewer river bet sizes.*, or storage int16"):
        asked.require("float32", int(asked.bytes("int16") * 1.2))
    with pytest.raises(MemoryRefused, match=r"narrower ranges$"):
        asked.require("int16", 10**6)
