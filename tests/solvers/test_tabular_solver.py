"""The whole family: published figures, closed forms, recursive twins, resuming to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.random_games import RandomGame
from reference.tabular import RecursiveCFR, policy_array
from runout.errors import InputError, SolutionError
from runout.evaluation.kuhn import kuhn_family
from runout.games.compiled import CompiledGame, compile_game
from runout.games.kuhn import Kuhn
from runout.games.leduc import Leduc
from runout.run.tabular import solve_game
from runout.solvers.catalog import make_solver
from runout.solvers.game_response import assess, exploitability
from runout.solvers.sampling import SCHEMES
from runout.solvers.schedules import VARIANTS, make_schedule
from runout.solvers.tabular import TabularSolver, uniform_strategy

KUHN, LEDUC = compile_game(Kuhn()), compile_game(Leduc())

# Exploitability in chips after 100 and 1000 iterations, alternating updates. Rounding decides ties in Leduc's late
# iterations, so the last column is a range.
FIGURES = [
    ("cfr", KUHN, 100, 8.23e-3, 0.005e-3),
    ("cfr", KUHN, 1000, 9.38e-4, 0.005e-4),
    ("cfr", LEDUC, 100, 9.572e-2, 0.0005e-2),
    ("cfr", LEDUC, 1000, 1.182e-2, 0.0005e-2),
    ("cfr+", KUHN, 100, 1.19e-3, 0.005e-3),
    ("cfr+", KUHN, 1000, 8.74e-5, 0.005e-5),
    ("cfr+", LEDUC, 100, 1.342e-2, 0.0005e-2),
    ("cfr+", LEDUC, 1000, 2.45e-4, 0.15e-4),
    ("lcfr", KUHN, 100, 1.09e-3, 0.005e-3),
    ("lcfr", KUHN, 1000, 9.35e-5, 0.005e-5),
    ("lcfr", LEDUC, 100, 3.45e-2, 0.005e-2),
    ("lcfr", LEDUC, 1000, 5.35e-3, 0.05e-3),
    ("dcfr", KUHN, 100, 1.67e-3, 0.005e-3),
    ("dcfr", KUHN, 1000, 1.47e-4, 0.005e-4),
    ("dcfr", LEDUC, 100, 7.55e-3, 0.35e-3),
    ("dcfr", LEDUC, 1000, 1.75e-4, 0.15e-4),
]


@pytest.mark.parametrize(("name", "game", "iterations", "expected", "within"), FIGURES)
def test_published_figures_come_out(
    name: str, game: CompiledGame, iterations: int, expected: float, within: float
) -> None:
    solver = TabularSolver(game, make_schedule(name))
    solver.step(iterations)
    assert exploitability(game, solver.policy()) == pytest.approx(expected, abs=within)


def test_uniform_play_has_the_known_nash_conv() -> None:
    assert assess(KUHN, uniform_strategy(KUHN)).nash_conv == pytest.approx(11 / 12, abs=1e-14)
    assert assess(LEDUC, uniform_strategy(LEDUC)).nash_conv == pytest.approx(4.7472222, abs=5e-8)


@pytest.mark.parametrize("name", ["pdcfr+", "sapcfr+"])
def test_predictive_variants_solve_kuhn_to_ten_digits(name: str) -> None:
    solution = solve_game(KUHN, name, 1000)
    assert -1e-12 <= solution.exploitability < 1e-10
    assert solution.value == pytest.approx(-1 / 18, abs=1e-10)
    family = kuhn_family(solution.policy)
    assert family.king == pytest.approx(3 * family.alpha, abs=1e-6)
    assert 0 <= family.alpha <= 1 / 3
    assert family.distance < 1e-6


def test_leduc_has_its_known_value() -> None:
    assert solve_game(LEDUC, "pdcfr+", 60_000).value == pytest.approx(-0.0856064241, abs=1e-10)


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "hs-dcfr"])
def test_every_variant_equals_its_recursive_twin_on_kuhn(name: str, alternating: bool) -> None:
    twin = RecursiveCFR(Kuhn(), name, alternating)
    solver = TabularSolver(KUHN, make_schedule(name), alternating)
    for _ in range(30):
        twin.iterate()
    solver.step(30)
    np.testing.assert_allclose(solver.policy(), policy_array(KUHN, twin.average()), atol=1e-11)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["cfr", "cfr+", "dcfr+", "pcfr+"]), alternating=st.booleans())
def test_random_games_equal_their_recursive_twins(seed: int, name: str, alternating: bool) -> None:
    game = RandomGame(seed, depth=3, ties=False)
    compiled = compile_game(game)
    twin = RecursiveCFR(game, name, alternating)
    solver = TabularSolver(compiled, make_schedule(name), alternating)
    for _ in range(3):
        twin.iterate()
    solver.step(3)
    found = assess(compiled, solver.policy())
    expected = assess(compiled, policy_array(compiled, twin.average()))
    assert found.value == pytest.approx(expected.value, abs=1e-9)
    assert found.nash_conv == pytest.approx(expected.nash_conv, abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(sorted(VARIANTS)))
def test_every_variant_converges_on_random_games(seed: int, name: str) -> None:
    compiled = compile_game(RandomGame(seed))
    before = exploitability(compiled, uniform_strategy(compiled))
    solver = TabularSolver(compiled, make_schedule(name))
    solver.step(2000)
    after = exploitability(compiled, solver.policy())
    assert -1e-12 <= after <= max(0.2 * before, 1e-9)


def test_current_and_last_strategies_are_those_of_the_iterations() -> None:
    solver = TabularSolver(KUHN, make_schedule("cfr+"))
    solver.step(9)
    upcoming = solver.policy("current")
    solver.step(1)
    np.testing.assert_array_equal(solver.policy("last"), upcoming)
    assert not np.array_equal(solver.policy("current"), upcoming)
    with pytest.raises(InputError, match="use average, current or last"):
        solver.policy("best")  # type: ignore[arg-type]


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=["kuhn", "leduc"])
@pytest.mark.parametrize("name", [*VARIANTS, *SCHEMES])
def test_a_restored_solver_goes_on_to_the_same_bits(game: CompiledGame, name: str) -> None:
    whole, first, second = (make_solver(game, name, seed=7) for _ in range(3))
    whole.step(60)
    first.step(23)
    second.restore(first.state())
    assert second.iteration == 23
    second.step(37)
    assert set(whole.state()) == set(second.state())
    for key, array in whole.state().items():
        np.testing.assert_array_equal(second.state()[key], array, err_msg=key)


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(SolutionError, match="this game needs"):
        make_solver(LEDUC, "cfr").restore(make_solver(KUHN, "cfr").state())
    with pytest.raises(SolutionError, match="lacks 'generator'"):
        make_solver(KUHN, "external-sampling").restore(make_solver(KUHN, "cfr").state())


def test_one_sided_and_trivial_games_are_solved() -> None:
    for seed in range(40):
        compiled = compile_game(RandomGame(seed, depth=1))
        solver = TabularSolver(compiled, make_schedule("cfr+"))
        solver.step(200)
        assert -1e-12 <= exploitability(compiled, solver.policy()) < 0.05
