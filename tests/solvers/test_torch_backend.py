"""The torch backend gives the numbers of the compiled one."""

from __future__ import annotations

import numpy as np
import pytest

from reference.random_games import RandomGame
from runout.errors import InputError
from runout.games.compiled import CompiledGame, compile_game
from runout.games.kuhn import Kuhn
from runout.games.leduc import Leduc
from runout.solvers.catalog import make_solver
from runout.solvers.schedules import VARIANTS

KUHN, LEDUC = compile_game(Kuhn()), compile_game(Leduc())


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize(("game", "iterations", "within"), [(KUHN, 1000, 1e-9), (LEDUC, 100, 1e-6)])
def test_both_backends_agree(game: CompiledGame, iterations: int, within: float, name: str, alternating: bool) -> None:
    compiled = make_solver(game, name, alternating)
    tensors = make_solver(game, name, alternating, backend="torch", device="cpu")
    compiled.step(iterations)
    tensors.step(iterations)
    np.testing.assert_allclose(tensors.policy(), compiled.policy(), atol=within, rtol=0)


@pytest.mark.parametrize("seed", range(5))
def test_both_backends_agree_on_random_games(seed: int) -> None:
    game = compile_game(RandomGame(seed))
    compiled, tensors = make_solver(game, "pdcfr+"), make_solver(game, "pdcfr+", backend="torch", device="cpu")
    compiled.step(50)
    tensors.step(50)
    np.testing.assert_allclose(tensors.policy(), compiled.policy(), atol=1e-9, rtol=0)


def test_a_run_goes_on_to_the_same_bits_on_either_backend() -> None:
    whole = make_solver(KUHN, "pdcfr+", backend="torch", device="cpu")
    whole.step(50)
    first = make_solver(KUHN, "pdcfr+")
    first.step(20)
    second = make_solver(KUHN, "pdcfr+", backend="torch", device="cpu")
    second.restore(first.state())
    second.step(30)
    for key, array in whole.state().items():
        np.testing.assert_array_equal(second.state()[key], array, err_msg=key)


def test_devices_that_are_not_there_are_refused() -> None:
    with pytest.raises(InputError, match="unknown device 'tpu': use auto, cpu, cuda or mps"):
        make_solver(KUHN, "cfr", backend="torch", device="tpu")
    with pytest.raises(InputError, match="unknown backend 'jax': use numba or torch"):
        make_solver(KUHN, "cfr", backend="jax")
