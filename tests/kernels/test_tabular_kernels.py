"""Each pass of the tabular kernels beside a slow twin that works on one information set at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.random_games import RandomGame
from runout.games.compiled import CompiledGame, compile_game
from runout.kernels import tabular as kernels
from runout.solvers.tabular import uniform_strategy


def drawn(game: CompiledGame, player: int, seed: int) -> np.ndarray:
    """Random numbers for a player's sequences, with zeros and exact ties planted."""
    draw = np.random.default_rng(seed)
    numbers = draw.normal(size=len(game.part(uniform_strategy(game), player)))
    numbers[draw.random(len(numbers)) < 0.3] = 0.0
    numbers[draw.random(len(numbers)) < 0.2] = 0.5
    return numbers


def own_infosets(game: CompiledGame, player: int) -> list[tuple[np.ndarray, int]]:
    """(sequences, parent sequence) of each information set, in the player's own numbering, shallow to deep."""
    first, end = game.infoset_start[player], game.infoset_start[player + 1]
    return [
        (infoset.sequences - game.sequence_start[player], int(game.sides[player].parents[i]))
        for i, infoset in enumerate(game.infosets[first:end])
    ]


seeds = st.integers(0, 10**6)
players = st.integers(0, 1)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, player=players)
def test_end_values_are_a_sum_over_the_ends_of_the_game(seed: int, player: int) -> None:
    game = compile_game(RandomGame(seed))
    plan = drawn(game, 1 - player, seed)
    expected = np.zeros(len(drawn(game, player, seed)))
    for node in np.flatnonzero(game.children == 0):
        chips = game.payoff[node] * (1 - 2 * player) * game.chance_reach[node]
        expected[game.sequence[player, node]] += chips * plan[game.sequence[1 - player, node]]
    found = np.full_like(expected, np.nan)
    kernels.end_values(game.sides[player], plan, found, np.empty(len(found)))
    np.testing.assert_allclose(found, expected, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, player=players, variant=st.sampled_from([(1, 1, 0), (1, 0, 0), (0.7, 0.5, 0), (0.9, 0, 1)]))
def test_an_update_is_regret_matching_at_every_set(seed: int, player: int, variant: tuple[float, float, float]) -> None:
    game = compile_game(RandomGame(seed))
    positive, negative, step = variant
    weights = np.array([[positive, negative, 1.0, step], [positive * 0.9, negative, 1.0, step]])
    values, regrets = drawn(game, player, seed), drawn(game, player, seed + 1)
    strategy = game.part(uniform_strategy(game), player).copy()
    wanted_values, wanted_regrets, wanted = values.copy(), regrets.copy(), strategy.copy()
    for sequences, parent in reversed(own_infosets(game, player)):
        mean = wanted[sequences] @ wanted_values[sequences]
        wanted_values[parent] += mean
        gain = wanted_values[sequences] - mean
        old = wanted_regrets[sequences]
        new = old * np.where(old > 0, positive, negative) + gain
        wanted_regrets[sequences] = new
        ahead = np.maximum(new * np.where(new > 0, positive * 0.9, negative) + step * gain, 0)
        wanted[sequences] = ahead / ahead.sum() if ahead.sum() > 0 else 1 / len(sequences)
    kernels.update(game.sides[player], values, regrets, strategy, weights, 0, np.empty(len(values)))
    np.testing.assert_allclose(regrets, wanted_regrets, atol=1e-12)
    # A regret that is zero but for rounding may fall on either side, and decides a whole set's strategy.
    clear = [sequences for sequences, _ in own_infosets(game, player) if (np.abs(regrets[sequences]) > 1e-9).any()]
    for sequences in clear:
        np.testing.assert_allclose(strategy[sequences], wanted[sequences], atol=1e-6)
    np.testing.assert_allclose(values[0], wanted_values[0], atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, player=players)
def test_a_plan_multiplies_along_the_way(seed: int, player: int) -> None:
    game = compile_game(RandomGame(seed))
    strategy = np.abs(drawn(game, player, seed))
    expected = np.ones(len(strategy))
    for sequences, parent in own_infosets(game, player):
        expected[sequences] = expected[parent] * strategy[sequences]
    found = np.full_like(expected, np.nan)
    kernels.realise(game.sides[player], strategy, found)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, player=players)
def test_sums_become_probabilities_and_zeros_uniform(seed: int, player: int) -> None:
    game = compile_game(RandomGame(seed))
    sums = np.abs(drawn(game, player, seed))
    found = np.full_like(sums, np.nan)
    kernels.normalise(game.sides[player], sums, found)
    for sequences, _ in own_infosets(game, player):
        total = sums[sequences].sum()
        expected = sums[sequences] / total if total > 0 else np.full(len(sequences), 1 / len(sequences))
        np.testing.assert_allclose(found[sequences], expected, rtol=1e-14)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, player=players, best=st.booleans())
def test_values_are_backed_up_by_the_best_action_or_the_mixture(seed: int, player: int, best: bool) -> None:
    game = compile_game(RandomGame(seed))
    values, strategy = drawn(game, player, seed), game.part(uniform_strategy(game), player)
    expected = values.copy()
    wanted = np.zeros(len(own_infosets(game, player)))
    for i, (sequences, parent) in reversed(list(enumerate(own_infosets(game, player)))):
        wanted[i] = expected[sequences].max() if best else strategy[sequences] @ expected[sequences]
        expected[parent] += wanted[i]
    set_values = np.empty(len(wanted))
    kernels.back_up(game.sides[player], values, strategy, best, set_values)
    np.testing.assert_allclose(values, expected, atol=1e-12)
    np.testing.assert_allclose(set_values, wanted, atol=1e-12)
