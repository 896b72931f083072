"""Where a hand stands on the solved boards.

Boards that differ only by a renaming of suits were solved once. A `SolvedBoard` is one of them with the renaming that
turns the cards on the table into it; `on_table` turns numbers by solved combo into numbers by combo on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from runout.cards.cards import cards_text
from runout.cards.hands import COMBOS
from runout.cards.suits import SUIT_PERMUTATIONS, card_images, combo_images, symmetries
from runout.errors import InputError
from runout.solvers.range_lines import LineSource
from runout.solvers.ranges import RangeGame


@dataclass(frozen=True)
class SolvedBoard:
    """A board of a solved game, and how the cards on the table are renamed to become it."""

    source: LineSource
    street: int  # of the source's game
    board: int
    renaming: int = 0  # index into SUIT_PERMUTATIONS: table to solved
    first_node: int = 0  # number in the whole tree of the source's node 0 (a river solved by itself begins inside it)
    first_edge: int = 0
    resolved: bool = False  # a river that was left out of the file and solved again

    @property
    def game(self) -> RangeGame:
        return self.source.game

    @property
    def cards(self) -> list[int]:
        """The cards of the solved board, in the order in which they came."""
        return [int(c) for c in self.game.boards[self.street].cards[self.board]]

    @cached_property
    def hands(self) -> tuple[np.ndarray, np.ndarray]:
        """int64 [h] for each player: solved combos that can be held here, in the order of the rows."""
        table = self.game.boards[self.street].tables
        return table.combos(0, self.board), table.combos(1, self.board)

    def strategy(self, node: int) -> np.ndarray:
        """float64 [actions, h] of the player who acts at a node of the whole tree; adds up to 1."""
        rows = self.source.strategy(self.street, self.board, node - self.first_node).astype(np.float64)
        return np.asarray(rows / rows.sum(axis=0))

    def after(self, player: int, node: int, edges: slice) -> np.ndarray:
        """float32 [edges, h]: a player's values after actions of `node`."""
        lines = self.source.lines(self.street, self.board, node - self.first_node)
        start = edges.start - self.first_edge - lines.first_edge
        return lines.after[player][start : start + edges.stop - edges.start]

    def locked(self, node: int) -> bool:
        """Whether the strategy of a hand is fixed at a node of the whole tree."""
        solver = getattr(self.source, "solver", None)
        return solver is not None and bool(solver.lock_mask(self.street, self.board, node - self.first_node).any())

    def spread(self, player: int, rows: np.ndarray, missing: float = np.nan) -> np.ndarray:
        """float64 [..., 1326] by solved combo, from rows [..., h]."""
        found = np.full((*rows.shape[:-1], COMBOS), missing)
        found[..., self.hands[player]] = rows
        return found

    def on_table(self, values: np.ndarray) -> np.ndarray:
        """values [..., 1326] by solved combo, as numbers by combo on the table."""
        return values[..., combo_images()[self.renaming]] if self.renaming else values

    def deal(self, cards: Sequence[int]) -> SolvedBoard:
        """The board after cards of the table come, one or a flop; InputError where none that was solved is like it."""
        boards = self.game.boards[self.street + 1]
        below = np.flatnonzero(boards.parent == self.board)
        dealt = np.sort(boards.cards[below, -len(cards) :], axis=1)
        children = {tuple(row): int(board) for row, board in zip(dealt.tolist(), below, strict=True)}
        wanted = card_images()[self.renaming, list(cards)]
        for change in self.group():
            board = children.get(tuple(sorted(card_images()[change, wanted].tolist())))
            if board is not None:
                both = SUIT_PERMUTATIONS[change][SUIT_PERMUTATIONS[self.renaming]]
                renaming = int(np.flatnonzero((both == SUIT_PERMUTATIONS).all(axis=1))[0])
                source, board = self.source.below(self.street + 1, board)
                return replace(self, source=source, street=self.street + 1, board=board, renaming=renaming)
        near = min(children, key=lambda dealt: _distance(dealt, cards))
        raise InputError(
            f"flop {cards_text(cards)} is none of the {len(children):,} that were solved up to suits: "
            f"the nearest is {cards_text(sorted(near, reverse=True))}"
        )

    def group(self) -> np.ndarray:
        """Renamings that leave this board and the ranges as they are, the identity first."""
        ends = [boards.cards.shape[1] for boards in self.game.boards[: self.street + 1]]
        known = [self.cards[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        return symmetries(known, self.game.weights)


def _distance(flop: Sequence[int], other: Sequence[int]) -> int:
    """How unlike two flops are: another pattern of suits or pairs, then ranks."""
    ranks = [sorted(card // 4 for card in cards) for cards in (flop, other)]
    suits, kinds = ([len({part(card) for card in cards}) for cards in (flop, other)] for part in (_suit, _rank))
    apart = sum(abs(a - b) for a, b in zip(*ranks, strict=True))
    return int(apart + 4 * abs(suits[0] - suits[1]) + 8 * abs(kinds[0] - kinds[1]))


def _suit(card: int) -> int:
    return card % 4


def _rank(card: int) -> int:
    return card // 4
