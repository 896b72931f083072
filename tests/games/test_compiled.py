"""The flat arrays of a game say what its rules say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.random_games import RandomGame
from runout.games.compiled import NO_INFOSET, NO_PARENT, compile_game
from runout.games.kuhn import Kuhn
from runout.games.leduc import Leduc
from runout.games.protocol import CHANCE, TERMINAL

GAMES = [Kuhn(), Leduc(), RandomGame(1), RandomGame(2, depth=5)]


@pytest.mark.parametrize("game", GAMES)
def test_nodes_are_in_level_order_with_children_side_by_side(game: Kuhn) -> None:
    compiled = compile_game(game)
    assert compiled.parent[0] == NO_PARENT
    for node in range(len(compiled.player)):
        first, count = compiled.first_child[node], compiled.children[node]
        assert (compiled.parent[first : first + count] == node).all()
        assert (count == 0) == (compiled.player[node] == TERMINAL)
        if compiled.player[node] == CHANCE:
            assert compiled.chance[first : first + count].sum() == pytest.approx(1, abs=1e-12)
        assert (compiled.infoset[node] == NO_INFOSET) == (compiled.player[node] < 0)
    for level in range(len(compiled.levels) - 2):
        below = slice(compiled.levels[level + 1], compiled.levels[level + 2])
        parents = compiled.parent[below]
        assert (parents >= compiled.levels[level]).all()
        assert (parents < compiled.levels[level + 1]).all()
    ends = compiled.player == TERMINAL
    assert compiled.levels[-1] == len(compiled.player)
    assert np.isfinite(compiled.payoff[ends]).all()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_payoff_matrix_holds_every_end_of_the_game(seed: int) -> None:
    compiled = compile_game(RandomGame(seed))
    ends = np.flatnonzero(compiled.player == TERMINAL)
    for player in range(2):
        rows = compiled.sequence_start[player + 1] - compiled.sequence_start[player]
        columns = compiled.sequence_start[2 - player] - compiled.sequence_start[1 - player]
        expected = np.zeros((rows, columns))
        for node in ends:
            sign = 1 - 2 * player
            where = (compiled.sequence[player, node], compiled.sequence[1 - player, node])
            expected[where] += sign * compiled.chance_reach[node] * compiled.payoff[node]
        side = compiled.sides[player]
        found = np.zeros_like(expected)
        for first, count, width, cell in side.buckets.astype(int):
            for j in range(width):
                for i in range(count):
                    k = cell + j * count + i
                    found[side.rows[first + i], side.columns[k]] += side.payoffs[k]
        np.testing.assert_allclose(found, expected, atol=1e-15)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sequences_are_numbered_without_gaps_and_parents_come_first(seed: int) -> None:
    compiled = compile_game(RandomGame(seed))
    used = np.concatenate([infoset.sequences for infoset in compiled.infosets] or [np.zeros(0, int)])
    empty = set(compiled.sequence_start[:2])
    assert sorted([*used.tolist(), *empty]) == list(range(compiled.sequences))
    for player in range(2):
        side = compiled.sides[player]
        for first, count, start, _ in side.groups.astype(int):
            assert (side.parents[first : first + count] < start).all()


def test_games_with_the_same_tree_have_the_same_fingerprint() -> None:
    assert compile_game(Kuhn()).fingerprint == compile_game(Kuhn()).fingerprint
    assert compile_game(Kuhn()).fingerprint != compile_game(Leduc()).fingerprint
    assert compile_game(RandomGame(3)).fingerprint != compile_game(RandomGame(4)).fingerprint
