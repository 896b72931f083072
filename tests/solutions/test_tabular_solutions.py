"""Saved solutions of small games: round trips, resuming to the bit, refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import runout
from reference.random_games import RandomGame
from runout.errors import InputError, SolutionError
from runout.games.leduc import Leduc
from runout.solvers.sampling import SCHEMES
from runout.solvers.schedules import VARIANTS


def test_a_solution_comes_back_as_it_was(tmp_path: Path) -> None:
    solution = runout.solve_game("kuhn", "dcfr(1.5,0,2.5)", 100, seed=3)
    solution.save(tmp_path / "kuhn.runout")
    loaded = runout.load(tmp_path / "kuhn.runout")
    np.testing.assert_array_equal(loaded.strategy, solution.strategy)
    assert loaded.policy == solution.policy
    assert loaded.curve == solution.curve
    assert (loaded.algorithm, loaded.iterations, loaded.seed) == ("dcfr(1.5,0,2.5)", 100, 3)
    assert loaded.exploitability == solution.exploitability
    assert loaded.probability("K x-b", "call") == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("algorithm", [*VARIANTS, *SCHEMES])
def test_a_resumed_run_ends_with_the_same_bits(tmp_path: Path, algorithm: str) -> None:
    whole = runout.solve_game("leduc", algorithm, 50, seed=2)
    runout.solve_game("leduc", algorithm, 20, seed=2, output=tmp_path / "run")
    resumed = runout.solve_game("leduc", algorithm, 50, resume=tmp_path / "run")
    assert resumed.iterations == 50
    assert resumed.exploitability == whole.exploitability
    for name, array in whole.state.items():
        np.testing.assert_array_equal(resumed.state[name], array, err_msg=name)


def test_resuming_needs_no_algorithm_but_no_other_one_either(tmp_path: Path) -> None:
    runout.solve_game("kuhn", "pcfr+", 20, output=tmp_path / "run")
    assert runout.solve_game("kuhn", iterations=30, resume=tmp_path / "run").algorithm == "pcfr+"
    with pytest.raises(
        InputError, match=r"cannot resume with cfr with alternating updates: the solution was made by pcfr\+ with"
    ):
        runout.solve_game("kuhn", "cfr", 30, resume=tmp_path / "run")
    with pytest.raises(InputError, match="has 20 iterations already"):
        runout.solve_game("kuhn", iterations=10, resume=tmp_path / "run")
    with pytest.raises(SolutionError, match="the solution is of kuhn, whose tree differs from that of leduc"):
        runout.solve_game(Leduc(), iterations=30, resume=tmp_path / "run")


def test_a_game_of_ones_own_is_given_again_to_load(tmp_path: Path) -> None:
    game = RandomGame(5)
    solution = runout.solve_game(game, "cfr+", 20, output=tmp_path / "run")
    with pytest.raises(SolutionError, match="give the game itself"):
        runout.load(tmp_path / "run")
    np.testing.assert_array_equal(runout.load(tmp_path / "run", game).strategy, solution.strategy)


def test_the_files_can_be_read_without_runout(tmp_path: Path) -> None:
    solution = runout.solve_game("kuhn", "cfr+", 50, output=tmp_path / "run")
    keys, actions, first, stride, policy = (
        np.load(tmp_path / "run" / f"{name}.npy") for name in ("infosets", "actions", "first", "stride", "policy")
    )
    for i, key in enumerate(keys):
        names = actions[i].split("\n")
        assert solution.policy[key] == {a: policy[first[i] + n * stride[i]] for n, a in enumerate(names)}


def test_a_damaged_solution_is_refused(tmp_path: Path) -> None:
    runout.solve_game("kuhn", "cfr+", 5, output=tmp_path / "run")
    (tmp_path / "run" / "policy.npy").write_bytes(b"nothing")
    with pytest.raises(SolutionError, match=r"policy\.npy does not match its checksum"):
        runout.load(tmp_path / "run")


def test_unknown_sets_and_actions_are_named() -> None:
    solution = runout.solve_game("kuhn", "cfr+", 5)
    with pytest.raises(InputError, match="kuhn has no information set 'A'"):
        solution.probability("A", "bet")
    with pytest.raises(InputError, match="'K' has no action 'raise': use check, bet"):
        solution.probability("K", "raise")


def test_the_older_name_of_load_still_works_and_says_so(tmp_path: Path) -> None:
    solution = runout.solve_game("kuhn", iterations=10)
    solution.save(tmp_path / "kuhn")
    with pytest.warns(DeprecationWarning, match="load_game_solution is now load"):
        again = runout.load_game_solution(tmp_path / "kuhn")
    np.testing.assert_array_equal(again.strategy, solution.strategy)
