"""Values, best responses, EVs and regrets against recursion over the states, and Kuhn's closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.random_games import RandomGame
from reference.tabular import best_response, best_response_value, policy_array, value
from runout.cursors.infosets import infoset_rows, merged, policy_table
from runout.evaluation.kuhn import kuhn_family
from runout.games.compiled import CompiledGame, compile_game
from runout.games.kuhn import Kuhn
from runout.games.leduc import Leduc
from runout.solvers.game_response import assess
from runout.solvers.tabular import normalised, uniform_strategy

KUHN = compile_game(Kuhn())


def random_strategy(game: CompiledGame, seed: int) -> np.ndarray:
    draws = np.random.default_rng(seed).exponential(size=game.sequences)
    draws[np.random.default_rng(seed + 1).random(game.sequences) < 0.2] = 0.0
    return normalised(game, draws)


def kuhn_equilibrium(alpha: float) -> np.ndarray:
    bets = {"J": alpha, "Q": 0.0, "K": 3 * alpha, "J x": 1 / 3, "Q x": 0.0, "K x": 1.0}
    calls = {"J x-b": 0.0, "Q x-b": alpha + 1 / 3, "K x-b": 1.0, "J b": 0.0, "Q b": 1 / 3, "K b": 1.0}
    table = {key: {"check": 1 - p, "bet": p} for key, p in bets.items()}
    return policy_array(KUHN, table | {key: {"fold": 1 - p, "call": p} for key, p in calls.items()})


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1 / 3])
def test_every_member_of_the_kuhn_family_is_an_equilibrium(alpha: float) -> None:
    strategy = kuhn_equilibrium(alpha)
    found = assess(KUHN, strategy)
    assert found.exploitability == pytest.approx(0, abs=1e-15)
    assert found.value == pytest.approx(-1 / 18, abs=1e-15)
    family = kuhn_family(policy_table(KUHN, strategy))
    assert (family.alpha, family.king) == pytest.approx((alpha, 3 * alpha))
    assert family.distance < 1e-15
    assert f"bluff α = {alpha:.4f}, value-bet {3 * alpha:.4f}" in str(family)


def test_a_strategy_outside_the_family_is_told_apart() -> None:
    family = kuhn_family(policy_table(KUHN, uniform_strategy(KUHN)))
    assert family.distance == pytest.approx(0.5)
    assert str(family).startswith("not in Kuhn's family")


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_values_and_best_responses_equal_the_recursive_twins(seed: int) -> None:
    game = RandomGame(seed)
    compiled = compile_game(game)
    strategy = random_strategy(compiled, seed)
    policy = policy_table(compiled, strategy)
    found = assess(compiled, strategy)
    assert found.value == pytest.approx(value(game, policy), abs=1e-12)
    for player in range(2):
        assert found.best_responses[player] == pytest.approx(best_response_value(game, policy, player), abs=1e-12)
    assert found.exploitability >= -1e-12


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), player=st.integers(0, 1))
def test_a_best_response_wins_what_was_said(seed: int, player: int) -> None:
    compiled = compile_game(RandomGame(seed))
    strategy = random_strategy(compiled, seed)
    reply = assess(compiled, best_response(compiled, strategy, player)).value * (1 - 2 * player)
    assert reply == pytest.approx(assess(compiled, strategy).best_responses[player], abs=1e-12)


def test_evs_and_regrets_of_kuhn_are_those_worked_out_by_hand() -> None:
    rows = {row.infoset.key: row for row in infoset_rows(KUHN, kuhn_equilibrium(0.0))}
    assert len(rows) == 12
    assert list(rows)[:3] == ["J", "Q", "K"]
    assert rows["J"].reach == pytest.approx(1 / 3)
    assert rows["J"].ev == pytest.approx(-1)
    assert rows["Q"].action_evs == pytest.approx((-1 / 3, -1 / 2))
    assert rows["K"].ev == pytest.approx(7 / 6)
    assert rows["K b"].reach == 0
    assert np.isnan(rows["K b"].ev)  # nobody bets into a king here
    uniform = {row.infoset.key: row for row in infoset_rows(KUHN, uniform_strategy(KUHN))}
    assert uniform["K b"].action_evs == pytest.approx((-1, 2))
    assert uniform["K b"].ev == pytest.approx(0.5)
    assert uniform["K b"].regret == pytest.approx(1.5)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_regrets_are_never_negative_and_reaches_are_probabilities(seed: int) -> None:
    compiled = compile_game(RandomGame(seed))
    strategy = random_strategy(compiled, seed)
    rows = infoset_rows(compiled, strategy)
    assert all(row.regret >= -1e-12 or np.isnan(row.regret) for row in rows)
    assert all(-1e-12 <= row.reach <= 1 + 1e-12 for row in rows)


def test_suits_are_joined_by_reach() -> None:
    leduc = compile_game(Leduc())
    strategy = uniform_strategy(leduc)
    strategy[leduc.by_key["Js"].sequences] = (1.0, 0.0)
    strategy[leduc.by_key["Jh"].sequences] = (0.5, 0.5)
    rows = merged(infoset_rows(leduc, strategy))
    assert len(rows) == 288
    jack = next(row for row in rows if row.infoset.text == "J")
    assert jack.probabilities == pytest.approx((0.75, 0.25))
    assert jack.reach == pytest.approx(1 / 3)


def test_policies_go_to_tables_and_back() -> None:
    strategy = random_strategy(KUHN, 4)
    np.testing.assert_allclose(policy_array(KUHN, policy_table(KUHN, strategy)), strategy, atol=1e-15)
