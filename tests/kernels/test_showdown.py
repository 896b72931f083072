"""Terminals of a board, many lines side by side, against one pair of hands and one line at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from reference.postflop import meet, results
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS
from runout.games.boards import board_tree
from runout.kernels.showdown import BLOCK, LANES, lane_values, run_outs
from runout.kernels.tables import Boards

RIVERS = ["2c2d2h3c3d", "AsKsQsJsTs", "Td9d6hQc2h", "7c7d7sAhKd", "9s8s7s2s3h"]
LINES = 2 * BLOCK  # the second block is asked for


@njit
def terminal_values(boards, player, reach, lane, show, scales, lanes, space, wide):  # type: ignore[no-untyped-def]
    lane_values(boards, player, 0, reach, lane, True, show, scales, lanes, space, wide)


@njit
def run_out_values(boards, player, reach, lane, scales, lanes, space, wide):  # type: ignore[no-untyped-def]
    lane_values(boards, player, 0, reach, lane, True, False, scales, lanes, space, wide)
    for half in range(0, BLOCK, LANES):
        run_outs(boards, player, 0, lane, half, scales, lanes, space, wide)


class Case:
    """Two random ranges on a board, with random reach and stakes for every line."""

    def __init__(self, board: str, sizes: tuple[int, int], streets: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.board = tuple(cards(board))
        free = np.flatnonzero(~np.isin(COMBO_CARDS, self.board).any(axis=1))
        pool = random.choice(free, max(sizes) + 5, replace=False)  # both draw from few: the same combos are common
        weights = np.zeros((2, 1326))
        for player, size in enumerate(sizes):
            weights[player, random.choice(pool, size, replace=False)] = 1
        self.boards: Boards = board_tree(self.board, weights, (1,) * (streets - 1), [True] * (streets - 1))[0].tables
        self.wide = int(self.boards.stride.max())
        self.scales = random.normal(size=(3, LINES)).astype(np.float32)
        self.reach = []
        for player in range(2):
            rows = random.random((LINES, self.boards.stride[player, 0])).astype(np.float32)
            rows[random.random(rows.shape) < 0.2] = 0
            rows[:, self.boards.count[player, 0] :] = 0
            self.reach.append(rows)

    def combos(self, player: int) -> list[int]:
        first, count = self.boards.hands[player, 0], self.boards.count[player, 0]
        a, b = (part[first : first + count].astype(int) for part in (self.boards.card_a, self.boards.card_b))
        return [int(c) for c in a * (a - 1) // 2 + b]

    def arguments(self, player: int) -> tuple[Boards, int, np.ndarray, int]:
        return self.boards, player, self.reach[1 - player].ravel(), BLOCK

    def found(self, space: np.ndarray, player: int) -> tuple[np.ndarray, np.ndarray]:
        """Showdown and fold values [hand, line], padding included."""
        parts = space[: 2 * self.wide * BLOCK].reshape(2, self.wide, BLOCK)
        stride = self.boards.stride[player, 0]
        return parts[0, :stride], parts[1, :stride]

    def expected(self, player: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Showdown values, fold values and the reach that is met, [hand, line]."""
        mine, theirs = self.combos(player), self.combos(1 - player)
        reach = self.reach[1 - player][BLOCK:].astype(np.float64)
        beats, met = (np.zeros((self.boards.stride[player, 0], BLOCK)) for _ in range(2))
        for i, hand in enumerate(mine):
            for j, other in enumerate(theirs):
                if meet(hand, other):
                    wins, _, losses = results(self.board, hand, other)
                    beats[i] += (wins - losses) * reach[:, j]
                    met[i] += reach[:, j]
        win, met_show, met_fold = self.scales[:, BLOCK:].astype(np.float64)
        return beats * win + met * met_show, met * met_fold, met

    def space(self) -> np.ndarray:
        return np.full((3 * self.wide + 54) * BLOCK, np.nan, np.float32)  # nothing may depend on what was there


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("sizes", [(30, 44), (1, 20), (16, 1), (3, 3), (48, 32)])
@pytest.mark.parametrize("board", RIVERS)
def test_showdowns_and_folds(board: str, sizes: tuple[int, int], player: int) -> None:
    case = Case(board, sizes, 1, seed=sum(sizes))
    show, fold, met = case.expected(player)
    space = case.space()
    terminal_values(*case.arguments(player), True, case.scales.ravel(), LINES, space, case.wide)
    tolerance = 2e-6 * sum(sizes)
    np.testing.assert_allclose(case.found(space, player)[0], show, atol=tolerance)
    np.testing.assert_allclose(case.found(space, player)[1], fold, atol=tolerance)
    space = case.space()
    terminal_values(*case.arguments(player), False, case.scales.ravel(), LINES, space, case.wide)
    np.testing.assert_allclose(case.found(space, player)[0], met, atol=tolerance)
    np.testing.assert_allclose(case.found(space, player)[1], fold, atol=tolerance)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("sizes", [(9, 7), (1, 5), (18, 4)])
@pytest.mark.parametrize("board", ["Td9d6hQc", "7c7d7sAh"])
def test_all_ins_before_the_river(board: str, sizes: tuple[int, int], player: int) -> None:
    case = Case(board, sizes, 2, seed=sum(sizes))
    show, fold, _ = case.expected(player)
    space = case.space()
    run_out_values(*case.arguments(player), case.scales.ravel(), LINES, space, case.wide)
    np.testing.assert_allclose(case.found(space, player)[0], show, atol=2e-6 * sum(sizes))
    np.testing.assert_allclose(case.found(space, player)[1], fold, atol=2e-6 * sum(sizes))
