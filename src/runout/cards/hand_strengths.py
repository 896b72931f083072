"""Strength over all run-outs: EHS, the mean share of the pot against any hand, and EHS2, the mean of its square."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from runout.cards.abstraction import board_places
from runout.cards.bucket_cuts import FULL_BOARD, all_strengths, kept_strengths, strengths
from runout.cards.hands import COMBO_CARDS
from runout.cards.suits import canonical_subsets, combo_images, symmetries
from runout.kernels import abstraction as kernel

FEW = 500  # boards that are worked out at once


class HandStrengths:
    """Of every hand on every flop and turn of a deck, exact: from tables that buckets left in the cache of the user, or
    worked out as boards are met."""

    def __init__(self, deck: Sequence[int], folder: Path | None = None) -> None:
        self._deck, self._folder = tuple(sorted(int(card) for card in deck)), folder
        self._met: dict[tuple[int, int], np.ndarray] = {}  # by number of cards and row: uint16 [2, 1326]

    def of(self, board: np.ndarray, combos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """EHS and EHS2, float64 [n], of hands int64 [n] on three or four open cards."""
        known = _known(self._deck, len(board), self._folder)
        cards = np.zeros((1, 9), np.uint8)
        cards[0, 4 : 4 + len(board)] = np.sort(board)[::-1]
        number = np.empty(1, np.int64)
        kernel.set_numbers(cards, len(board), number)
        found = self._row(known, int(known.row[number[0]]))[:, combo_images()[known.name[number[0]]][combos]]
        mean, square = (np.maximum(found, 1) - 1.0) / (kernel.SCALE - 1)
        return mean, square

    def _row(self, known: _Known, row: int) -> np.ndarray:
        """uint16 [2, 1326] of one board up to suits."""
        if known.tables is not None:
            return known.tables[:, row]
        size = known.boards.shape[1]
        if (size, row) not in self._met:
            deck = np.array(self._deck, np.uint8)
            found = strengths(deck, known.boards[row : row + 1], FULL_BOARD - size, known.hands)
            self._met[size, row] = found[:, 0]
        return self._met[size, row]


class _Known(NamedTuple):
    row: np.ndarray  # int32: of every set of cards, by its number
    name: np.ndarray  # uint8: the renaming of suits that takes it there
    boards: np.ndarray  # uint8 [rows, cards]
    hands: np.ndarray  # uint8 [hands, 2]
    tables: np.ndarray | None  # uint16 [2, rows, 1326], where they are at hand


@cache
def _known(deck: tuple[int, ...], size: int, folder: Path | None) -> _Known:
    cards = np.array(deck, np.uint8)
    hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, cards).all(axis=1)])
    group = symmetries([[int(card) for card in cards]])
    boards, _ = canonical_subsets(cards, size, group)
    row, name = board_places(boards, size, group)
    missing = FULL_BOARD - size
    few = len(boards) <= FEW
    tables = (
        all_strengths(cards, boards, missing, hands, folder) if few else kept_strengths(cards, boards, missing, folder)
    )
    return _Known(row, name, boards, hands, tables)
