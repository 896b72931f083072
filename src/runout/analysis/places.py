"""Where a cursor stands on the solved boards.

Boards that differ only by a renaming of suits were solved once. A `Place` names the solved board and the renaming that
turns the cards on the table into it; `on_table` turns numbers by solved combo into numbers by combo on the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from runout.cards.hands import COMBOS
from runout.cards.suits import SUIT_PERMUTATIONS, card_images, combo_images, symmetries
from runout.solvers.range_lines import LineSource
from runout.solvers.ranges import RangeGame


@dataclass(frozen=True)
class Place:
    """A solved board, and how the cards on the table are renamed to become it."""

    source: LineSource
    street: int  # of the source's game
    board: int
    renaming: int = 0  # index into SUIT_PERMUTATIONS: table to solved
    first_node: int = 0  # number in the whole tree of the source's node 0 (a river solved by itself begins inside it)
    first_slot: int = 0
    resolved: bool = False  # a river that was solved again to be looked at

    @property
    def game(self) -> RangeGame:
        return self.source.game

    @cached_property
    def hands(self) -> tuple[np.ndarray, np.ndarray]:
        """int64 [h] a player: solved combos that can be held here, in the order of the rows."""
        table = self.game.boards[self.street].tables
        return table.combos(0, self.board), table.combos(1, self.board)

    def strategy(self, node: int) -> np.ndarray:
        """float64 [actions, h] of the player who acts at a node of the whole tree; adds up to 1."""
        rows = self.source.strategy(self.street, self.board, node - self.first_node).astype(np.float64)
        return rows / rows.sum(axis=0)

    def after(self, player: int, node: int, slots: slice) -> np.ndarray:
        """float32 [slots, h]: a player's values after actions of `node`."""
        lines = self.source.lines(self.street, self.board, node - self.first_node)
        start = slots.start - self.first_slot - lines.first_slot
        return lines.after[player][start : start + slots.stop - slots.start]

    def spread(self, player: int, rows: np.ndarray, missing: float = np.nan) -> np.ndarray:
        """float64 [..., 1326] by solved combo, from rows [..., h]."""
        found = np.full((*rows.shape[:-1], COMBOS), missing)
        found[..., self.hands[player]] = rows
        return found

    def on_table(self, values: np.ndarray) -> np.ndarray:
        """values [..., 1326] by solved combo, as numbers by combo on the table."""
        return values[..., combo_images()[self.renaming]] if self.renaming else values

    def deal(self, card: int) -> tuple[Place, int]:
        """The place after a card of the table comes, and the card that it is on the solved board."""
        boards, images = self.game.boards[self.street + 1], card_images()
        wanted = images[self.renaming, card]
        children = {int(boards.cards[b, -1]): int(b) for b in np.flatnonzero(boards.parent == self.board)}
        for change in self._group():
            solved = int(images[change, wanted])
            if solved in children:
                both = SUIT_PERMUTATIONS[change][SUIT_PERMUTATIONS[self.renaming]]
                renaming = int(np.flatnonzero((both == SUIT_PERMUTATIONS).all(axis=1))[0])
                return replace(self, street=self.street + 1, board=children[solved], renaming=renaming), solved
        raise AssertionError(f"no board for card {card}")

    def _group(self) -> np.ndarray:
        """Renamings that leave this board and the ranges as they are, the identity first."""
        cards = self.game.boards[self.street].cards[self.board]
        first = len(cards) - self.street
        known = [cards[:first].tolist(), *([int(c)] for c in cards[first:])]
        return symmetries(known, self.game.weights)
