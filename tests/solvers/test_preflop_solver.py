"""The preflop solver: known equilibria, its slow twin, both backends, and what holds of every solve."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runout
from reference.preflop import Twin, deals, value
from runout.cards.equity169 import equity_table, equity_vs_random
from runout.cards.hands import CLASS_COMBOS, class_index
from runout.cards.ranges import Range
from runout.cursors.preflop_solution import PreflopSolution
from runout.errors import InputError, SolutionError
from runout.games.preflop import Preflop, Rake
from runout.run.preflop import push_fold_chart, solve_preflop
from runout.solvers.preflop import Sweep, assess, make_preflop_solver, preflop_schedule
from runout.solvers.preflop_game import PreflopGame
from runout.solvers.preflop_leaves import EquityLeaf, Leaf, RealizationLeaf, factors
from runout.solvers.schedules import VARIANTS

TINY = Preflop.preset("tiny", leaf="equity")
RAKED = Preflop(stack_depth=12, raise_sizes=[2.5, 6], ante=0.1, rake=Rake(percent=5, cap=0.5), leaf="equity")


@cache
def pushed(stack: float) -> PreflopSolution:
    return solve_preflop(Preflop.push_fold(stack), target=1e-5)


@cache
def standard() -> PreflopSolution:
    return solve_preflop(Preflop.preset("standard", leaf="equity"), target=1.0)


@pytest.mark.parametrize(
    ("stack", "worth", "push", "call"), [(5, 0.056201, 71.484, 62.068), (10, -0.045371, 58.284, 37.376)]
)
def test_push_fold_is_the_known_equilibrium(stack: float, worth: float, push: float, call: float) -> None:
    solution = pushed(stack)
    assert solution.exploitability < 1e-4
    assert solution.value == pytest.approx(worth, abs=1e-5)
    assert solution.root.percents[1] == pytest.approx(push, abs=0.05)
    assert solution.root.play("all-in").percents[1] == pytest.approx(call, abs=0.05)


def test_ten_big_blind_ranges_are_the_known_ones() -> None:
    push = Range(
        "22+,A2s+,K2s+,Q2s+,J3s+,T4s+,95s+,84s+,74s+,64s+,53s+,43s:.7107,A2o+,K2o+,Q7o+,J8o+,T8o+,97o+,87o,76o"
    ).classes
    call = Range("22+,A2s+,K2s+,Q7s+,Q6s:.4028,J8s+,T9s,A2o+,K5o+,Q9o+,JTo").classes
    root = pushed(10).root
    np.testing.assert_allclose(root.strategy(by="class")[1], push, atol=0.02)
    np.testing.assert_allclose(root.play("a").strategy(by="class")[1], call, atol=0.02)


@pytest.mark.parametrize("hand", ["AA", "43s", "72o", "76o", "QJs"])
def test_the_ev_of_a_shove_is_folds_won_and_equity(hand: str) -> None:
    solution, i = pushed(10), class_index(hand)
    odds, _ = deals()
    calls = solution.root.play("all-in").strategy(by="class")[1]
    met = odds[i] / odds[i].sum()
    expected = met @ ((1 - calls) * 1.0 + calls * (20 * equity_table()[i] - 10))
    assert solution.root.ev(hand, "all-in") == pytest.approx(expected, abs=1e-12)
    assert solution.root.ev(hand, "fold") == pytest.approx(-0.5, abs=1e-12)


def test_a_mixed_hand_is_indifferent() -> None:
    assert pushed(10).root.ev("43s", "all-in") == pytest.approx(-0.5, abs=1e-4)


def test_charts_grow_shorter_with_the_stack() -> None:
    chart = push_fold_chart([2, 5, 10])
    assert chart.push[class_index("AA")] == chart.call[class_index("22")] == 10
    assert chart.push[class_index("Q2o")] == 5  # pushes at 5 and no more at 10
    assert [round(s.value, 6) for s in chart.solutions][1:] == [0.056201, -0.045371]
    with pytest.raises(InputError, match="tiny is no push/fold game"):
        push_fold_chart([TINY])


def test_a_hundred_big_blinds_deep() -> None:
    solution = standard()
    assert solution.exploitability < 1.0
    assert solution.value == pytest.approx(-0.0585, abs=2e-3)
    for node in solution.nodes():
        np.testing.assert_allclose(node.strategy(by="class").sum(axis=0), 1.0, atol=1e-12)
        assert node.strategy(by="class").min() >= 0
        assert sum(node.frequencies) == pytest.approx(1.0)
    for opened in ("SBr2.5", "SBr3"):
        aces = solution.at(opened).strategy("AA")
        assert aces["fold"] + aces["call"] < 0.01
    assert solution.at("SBr3").strategy("72o")["fold"] > 0.99


@pytest.mark.parametrize(
    "game", [TINY, Preflop.push_fold(7), Preflop.preset("aggressive", leaf="equity")], ids=lambda g: g.name
)
def test_both_sides_add_up_to_zero(game: Preflop) -> None:
    solution = solve_preflop(game, iterations=20, target=0)
    assert sum(solution.assessment.values) == pytest.approx(0, abs=1e-12)
    assert solution.exploitability > 0


def test_the_rake_is_what_both_sides_lose_together() -> None:
    solution = solve_preflop(RAKED, iterations=200, target=0)
    arrays, sweep = solution.game, Sweep(solution.game)
    reach = [sweep.realise(solution.policy, player) for player in range(2)]
    lost = 0.0
    for end, spent in enumerate(arrays.street.contribution / 1000):
        edge = int(np.flatnonzero(arrays.lines.child == -1 - end)[0])
        owner = int(arrays.street.edge_owner()[edge])
        rows = arrays.lines.node_row[:, owner].copy()
        rows[arrays.street.player[owner]] = arrays.lines.row[edge]
        odds = reach[0][rows[0]] @ arrays.weights @ reach[1][rows[1]]
        folded = arrays.street.terminal_folder[end] >= 0
        lost += 0 if folded else odds * RAKED.rake.of(float(spent.sum()))
    assert sum(solution.assessment.values) == pytest.approx(-lost, abs=1e-12)
    assert lost > 0.01


@pytest.mark.parametrize("game", [TINY, RAKED, Preflop.push_fold(8)], ids=["tiny", "raked", "push-fold"])
def test_the_solver_is_its_slow_twin(game: Preflop) -> None:
    twin, lines = Twin(game), game.tree().lines(0)
    arrays = PreflopGame.of(game)
    solver = make_preflop_solver(arrays, preflop_schedule("cfr+"))
    twin.step(12)
    solver.step(12)
    policy = solver.policy()
    strategy = {line: twin.average(line) for line in lines}
    for node, line in enumerate(lines):
        own = policy[arrays.street.first_edge[node] : arrays.street.first_edge[node + 1]]
        np.testing.assert_allclose(own, strategy[line], atol=1e-9)
    found = assess(arrays, policy)
    for player in (0, 1):
        assert found.values[player] == pytest.approx(value(game, strategy, player, False), abs=1e-10)
        assert found.best_responses[player] == pytest.approx(value(game, strategy, player, True), abs=1e-10)


@pytest.mark.parametrize("algorithm", [*VARIANTS, "auto"])
def test_every_variant_converges(algorithm: str) -> None:
    solution = solve_preflop(Preflop.push_fold(10), algorithm=algorithm, iterations=400, target=0)
    assert solution.exploitability < (2.0 if algorithm in ("cfr", "lcfr") else 0.02)
    assert solution.value == pytest.approx(-0.045371, abs=1e-3)


@pytest.mark.parametrize("algorithm", ["cfr+", "auto", "pdcfr+"])
@pytest.mark.parametrize("game", [Preflop.push_fold(10), RAKED, TINY], ids=["push-fold", "raked", "tiny"])
def test_torch_and_numba_agree(game: Preflop, algorithm: str) -> None:
    arrays = PreflopGame.of(game)
    one, two = (make_preflop_solver(arrays, preflop_schedule(algorithm), b, "cpu") for b in ("numba", "torch"))
    one.step(60)
    two.step(60)
    np.testing.assert_allclose(one.policy(), two.policy(), atol=1e-6)
    first, second = assess(arrays, one.policy()), assess(arrays, two.policy())
    assert first.values[1] == pytest.approx(second.values[1], abs=1e-6)
    assert 1000 * first.exploitability == pytest.approx(1000 * second.exploitability, abs=1e-6)


def test_torch_solves_the_standard_game_alike() -> None:
    arrays = PreflopGame.of(Preflop.preset("standard", leaf="equity"))
    one, two = (make_preflop_solver(arrays, preflop_schedule("auto"), b, "cpu") for b in ("numba", "torch"))
    one.step(30)
    two.step(30)
    np.testing.assert_allclose(one.policy(), two.policy(), atol=1e-6)


@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_a_solve_in_two_parts_is_the_solve_in_one(tmp_path: Path, backend: str) -> None:
    more = {"backend": backend, "device": "cpu", "target": 0, "algorithm": "pdcfr+"}
    whole = solve_preflop(TINY, iterations=45, **more)
    solve_preflop(TINY, iterations=20, output=tmp_path / "run", **more)
    resumed = solve_preflop(None, iterations=45, resume=tmp_path / "run", **more)
    for name, array in whole.state.items():
        np.testing.assert_array_equal(array, resumed.state[name])
    assert resumed.iterations == 45


def test_a_saved_solution_opens_again(tmp_path: Path) -> None:
    solution = solve_preflop(RAKED, iterations=30, target=0)
    solution.save(tmp_path / "raked")
    loaded = runout.load(tmp_path / "raked")
    assert isinstance(loaded, PreflopSolution)
    assert loaded.settings == solution.settings
    assert loaded.settings.rake == RAKED.rake
    assert loaded.settings.solve.iterations == 30  # what was asked
    np.testing.assert_array_equal(loaded.policy, solution.policy)
    assert loaded.value == solution.value
    assert loaded.at("SBr2.5").strategy("AA") == solution.at("SBr2.5").strategy("AA")


def test_only_the_same_game_and_algorithm_are_resumed() -> None:
    solution = solve_preflop(TINY, iterations=5, algorithm="cfr+")
    with pytest.raises(InputError, match=r"its stack_depth is 20\.0, not 30\.0"):
        solve_preflop(Preflop.preset("tiny", stack_depth=30, leaf="equity"), resume=solution)
    with pytest.raises(InputError, match=r"cannot resume with dcfr: the solution was made by cfr\+"):
        solve_preflop(TINY, resume=solution, algorithm="dcfr")
    with pytest.raises(InputError, match="no algorithm 'external-sampling' runs on ranges"):
        solve_preflop(TINY, algorithm="external-sampling")


def test_leaf_models_share_the_whole_pot() -> None:
    shares = RealizationLeaf().shares(Leaf("SBc BBx", 2, 99))
    assert shares.min() > 0
    assert shares.max() < 1
    assert EquityLeaf().shares(Leaf("SBc BBx", 2, 99))[0, 0] == pytest.approx(0.5)
    strong = factors({"AA": 2.0, "TT+": 1.5, "rest": 0.5})
    assert (strong[class_index("AA")], strong[class_index("KK")], strong[class_index("72o")]) == (2.0, 1.5, 0.5)


def test_realization_moves_value_to_the_player_in_position() -> None:
    checked_down = solve_preflop(TINY, target=1.0).value
    realised = solve_preflop(Preflop.preset("tiny", leaf="realization"), target=1.0)
    assert realised.leaf == "realization"
    assert realised.value > checked_down
    assert sum(realised.assessment.values) == pytest.approx(0, abs=1e-12)


class FixedShare:
    """The small blind gets the same share of every pot."""

    name = "fixed-share"

    def __init__(self) -> None:
        self.asked: list[Leaf] = []

    def shares(self, leaf: Leaf) -> np.ndarray:
        self.asked.append(leaf)
        return np.full((169, 169), 0.8)


def test_a_leaf_model_of_ones_own_is_used_and_named(tmp_path: Path) -> None:
    model = FixedShare()
    solution = solve_preflop(Preflop(stack_depth=20, raise_sizes=["a"], max_raises=0), model=model, target=1e-9)
    assert model.asked == [Leaf("SBc BBx", 2.0, 19.0)]
    assert solution.leaf == "fixed-share"
    assert solution.value == pytest.approx(0.8 * 2 - 1)  # limps everything
    assert solution.assessment.values[0] == pytest.approx(1 - 0.8 * 2)
    solution.save(tmp_path / "own")
    loaded = runout.load(tmp_path / "own")
    assert (loaded.leaf, loaded.value) == (solution.leaf, solution.value)


def test_a_table_for_each_pot_is_a_product_of_its_own() -> None:
    class Copies:
        name = "copies"

        def shares(self, leaf: Leaf) -> np.ndarray:
            return equity_table().copy()

    together, apart = PreflopGame.of(TINY), PreflopGame.of(TINY, Copies())
    assert len(together.blocks[0]) == 2 < len(apart.blocks[0])
    one, two = (make_preflop_solver(arrays, preflop_schedule("cfr+")) for arrays in (together, apart))
    one.step(30)
    two.step(30)
    np.testing.assert_allclose(one.policy(), two.policy(), atol=1e-12)


def test_the_flop_game_is_named_where_it_is_missing() -> None:
    with pytest.raises(InputError, match="the leaf model 'flop-game' needs a solved flop game"):
        solve_preflop(Preflop.preset("tiny", leaf="flop-game"))


def test_a_saved_solution_without_its_tables_is_refused(tmp_path: Path) -> None:
    solution = solve_preflop(TINY, iterations=5, model=FixedShare())
    solution.game.tables.popitem()
    solution.save(tmp_path / "own")
    with pytest.raises(SolutionError, match="'fixed-share' has no table for the called pot"):
        runout.load(tmp_path / "own")


def test_evs_at_every_node_add_up_over_the_range() -> None:
    solution = solve_preflop(TINY, target=1.0)
    root = solution.root
    mean = root.ev(by="class") @ CLASS_COMBOS / CLASS_COMBOS.sum()
    assert mean == pytest.approx(solution.value, abs=1e-10)


def test_locks_are_kept_and_answered() -> None:
    """Against a big blind that calls with everything, a push is right where it wins more than folding costs."""
    game = Preflop.push_fold(10, locks=[{"line": "SBa", "strategy": {"c": 1.0}}])
    solution = solve_preflop(game, target=0.001)
    assert solution.exploitability < 0.001  # the big blind has no choice, so nothing is lost there
    right = 20 * equity_vs_random() - 10 > -0.5
    np.testing.assert_allclose(solution.root.strategy(by="class")[1], right, atol=1e-3)
    np.testing.assert_allclose(solution.at("SBa").strategy(by="class")[1], 1.0)
    assert solution.at("SBa").view.locked
    folds = Preflop.push_fold(10, locks=[{"line": "SBa", "strategy": {"f": 1.0}}])
    assert solve_preflop(folds, target=0.001).value == pytest.approx(1.0, abs=1e-6)
    some = Preflop.push_fold(10, locks=[{"line": "SBa", "strategy": {"f": 1.0}, "hands": "AA"}])
    found = solve_preflop(some, target=0.01).at("SBa")
    assert found.strategy("AA")["fold"] == 1.0
    assert found.strategy("KK")["call"] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("locks", "message"),
    [
        ([{"line": "SBa", "strategy": {"r9": 1.0}}], "no action 'r9' there: use f, c"),
        ([{"line": "SBa", "strategy": {"f": 1.0}}] * 2, "two locks"),
        ([{"line": "SBr3", "strategy": {"f": 1.0}}], "SBr3"),
    ],
)
def test_locks_that_cannot_be_kept_are_refused(locks: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve_preflop(Preflop.push_fold(10, locks=locks))
