"""Kernels of the preflop solver against plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout.errors import MemoryRefused
from runout.games.preflop import Preflop
from runout.kernels import preflop as kernels
from runout.solvers.preflop import Sweep, normalised
from runout.solvers.preflop_game import PreflopGame, require_memory

LOCK = {"line": "SBr2.5", "strategy": {"f": 0.3, "c": 0.7}, "hands": "22+"}
TINY = PreflopGame.of(Preflop.preset("tiny"))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.02, 0.3, 1.0]), st.integers(1, 30))
def test_products_are_those_of_the_rows_picked(seed: int, density: float, rows: int) -> None:
    random = np.random.default_rng(seed)
    reach = random.random((rows, 169)) * (random.random((rows, 169)) < density)
    matrix = random.standard_normal((169, 169))
    picked = random.integers(0, rows, 2 * rows)
    products = np.full((2 * rows, 169), np.nan)
    kernels.multiply(reach, picked, matrix, products)
    np.testing.assert_allclose(products, reach[picked] @ matrix, atol=1e-12)


@pytest.mark.parametrize("more", [{}, {"locks": [LOCK]}])
@pytest.mark.parametrize("best", [False, True])
def test_passes_in_numpy_value_a_strategy_as_the_kernels_do(more: dict[str, Any], best: bool) -> None:
    game = PreflopGame.of(Preflop.preset("tiny", rake={"percent": 5, "cap": 1}, **more))
    random = np.random.default_rng(3)
    sums = random.random((game.edges, 169)) * (random.random((game.edges, 169)) < 0.6)
    strategy = game.keep_locks(normalised(game, sums))
    for player in (0, 1):
        compiled, plain = Sweep(game), Sweep(game, once=True)
        worth = [sweep.find_values(strategy, player, best) for sweep in (compiled, plain)]
        assert worth[0] == pytest.approx(worth[1], abs=1e-12)
        np.testing.assert_allclose(plain.edge_values, compiled.edge_values, atol=1e-12)
        np.testing.assert_allclose(plain.node_values, compiled.node_values, atol=1e-12)
        np.testing.assert_array_equal(plain.realise(strategy, player), compiled.realise(strategy, player))


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=20)
def test_normalised_sums_are_distributions(seed: int) -> None:
    random = np.random.default_rng(seed)
    sums = random.random((TINY.edges, 169)) * (random.random((TINY.edges, 169)) < 0.4)
    strategy = np.empty_like(sums)
    kernels.normalise(TINY.lines, sums, strategy)
    first = TINY.lines.first_edge
    for node in range(TINY.nodes):
        own, before = strategy[first[node] : first[node + 1]], sums[first[node] : first[node + 1]]
        np.testing.assert_allclose(own.sum(axis=0), 1.0)
        empty = before.sum(axis=0) == 0
        assert (own[:, empty] == 1 / len(own)).all()


def test_reach_is_the_product_of_own_probabilities() -> None:
    strategy = np.empty((TINY.edges, 169))
    kernels.normalise(TINY.lines, np.random.default_rng(0).random((TINY.edges, 169)), strategy)
    for player in (0, 1):
        rows = np.empty((TINY.rows[player], 169))
        kernels.realise(TINY.lines, player, strategy, rows)
        for node in range(TINY.nodes):
            expected, at = np.ones(169), node
            while (edge := int(TINY.street.parent_edge[at])) >= 0:
                at = int(TINY.street.edge_owner()[edge])
                if TINY.street.player[at] == player:
                    expected = expected * strategy[edge]
            np.testing.assert_allclose(rows[TINY.lines.node_row[player, node]], expected, atol=1e-15)


def test_vanishing_probabilities_are_cut_to_zero() -> None:
    sums = np.ones((TINY.edges, 169))
    sums[0] = 1e-40
    strategy = np.empty_like(sums)
    kernels.normalise(TINY.lines, sums, strategy)
    assert (strategy[0] == 0).all()


def test_a_game_that_does_not_fit_is_refused() -> None:
    require_memory(TINY)
    with pytest.raises(MemoryRefused, match="give fewer or larger raise_sizes"):
        require_memory(TINY, available=1000)
