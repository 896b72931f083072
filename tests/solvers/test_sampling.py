"""Monte Carlo CFR: converges, is unbiased, and repeats with its seed."""

from __future__ import annotations

import numpy as np
import pytest

from reference.random_games import RandomGame
from runout.errors import InputError
from runout.games.compiled import compile_game
from runout.games.kuhn import Kuhn
from runout.kernels.sampling import uniform
from runout.run.tabular import solve_game
from runout.solvers.catalog import make_solver
from runout.solvers.sampling import SCHEMES

KUHN = compile_game(Kuhn())


@pytest.mark.parametrize("name", SCHEMES)
def test_sampling_solves_kuhn(name: str) -> None:
    solution = solve_game(KUHN, name, 300_000, seed=1)
    assert -1e-12 <= solution.exploitability < 0.005
    assert solution.value == pytest.approx(-1 / 18, abs=0.005)


@pytest.mark.parametrize(("name", "iterations", "reached"), [("external-sampling", 200_000, 0.08),
                                                              ("chance-sampling", 20_000, 0.3),
                                                              ("outcome-sampling", 500_000, 0.5)])  # fmt: skip
def test_sampling_comes_down_on_leduc(name: str, iterations: int, reached: float) -> None:
    assert solve_game("leduc", name, iterations, seed=3).exploitability < reached


@pytest.mark.parametrize("name", SCHEMES)
def test_one_seed_is_one_run(name: str) -> None:
    first, again, other = (solve_game(KUHN, name, 1000, seed=seed) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first.strategy, again.strategy)
    assert not np.array_equal(first.strategy, other.strategy)


@pytest.mark.parametrize("name", SCHEMES)
def test_sampled_regrets_of_the_first_iteration_are_unbiased(name: str) -> None:
    """The mean over many seeds of the first walk's regrets is what full CFR finds against uniform play."""
    compiled = compile_game(RandomGame(11, depth=3))
    full = make_solver(compiled, "cfr")
    full.step(1)
    expected = compiled.part(full.state()["regrets"], 0)
    runs = []
    for seed in range(20_000):
        solver = make_solver(compiled, name, seed=seed * 7919)
        solver.step(1)
        runs.append(compiled.part(solver.state()["regrets"], 0))
    mean, error = np.mean(runs, 0), np.std(runs, 0) / np.sqrt(len(runs))
    assert (np.abs(mean - expected) <= 5 * error + 1e-12).all()


def test_the_generator_is_splitmix64() -> None:
    state = np.array([1234567], np.uint64)
    first = uniform(state)
    assert first == (6457827717110365317 >> 11) / 2**53
    assert state[0] == (1234567 + 0x9E3779B97F4A7C15) % 2**64


def test_what_sampling_cannot_do_is_refused() -> None:
    with pytest.raises(InputError, match="numba backend only"):
        make_solver(KUHN, "external-sampling", backend="torch")
    with pytest.raises(InputError, match="alternating updates only"):
        make_solver(KUHN, "external-sampling", alternating=False)
    with pytest.raises(InputError, match="seed = -1"):
        make_solver(KUHN, "external-sampling", seed=-1)
