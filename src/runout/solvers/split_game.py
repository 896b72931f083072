"""A game from before the flop to its end, cut at the flop: a top, and a part for each flop of a weighted set.

Parts meet only through the top: a flop is told how much of each hand reaches it on every line (reach rows) and answers
with what each hand wins there (value rows). So parts can be held by different machines.

All-ins before the flop are paid by what hands win over all boards; flops come as often as their shares say, as far as
two hands leave them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from runout.cards.cards import cards_text
from runout.cards.suits import canonical_subsets, symmetries
from runout.errors import InputError
from runout.games.boards import BoardStreet, below_flop, board_tree, flop_street
from runout.games.flop_choice import FlopChoice
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.games.tree import RUNOUT, BettingTree
from runout.kernels.tables import CHILD_FIRST
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame


@dataclass(frozen=True)
class SplitGame:
    """What is solved: a game of hold'em from before the flop on, over some flops."""

    game: HoldemGame
    choice: FlopChoice

    def __post_init__(self) -> None:
        game = self.game
        if game.board or game.ranges is not None or game.rules.last_street == 0:
            raise InputError(f"{game.name}: flops are shared out for a game from before the flop on, with all hands")
        if game.board_cards != BOARD_CARDS[game.rules.last_street]:
            raise InputError(f"{game.name}: an exact game wants betting on every street up to the showdown")

    @property
    def tree(self) -> BettingTree:
        return self.game.tree()

    @property
    def streets(self) -> int:
        return len(self.tree.streets)

    @cached_property
    def flops(self) -> np.ndarray:
        """uint8 [n, 3]: the flops, canonical, ascending."""
        every, _ = canonical_subsets(np.array(sorted(self.game.deck)), 3, symmetries([self.game.deck]))
        return np.asarray(every[self.choice.flops])

    def name(self, flop: int) -> str:
        """'Kd8h3c': a flop as its files are called."""
        return cards_text(np.sort(self.flops[flop])[::-1].tolist()).replace(" ", "")

    @cached_property
    def _runouts(self) -> list[bool]:
        """For each street, whether lines are all-in there."""
        return [bool((street.terminal_kind == RUNOUT).any()) for street in self.tree.streets]

    def _root(self, runouts: bool) -> BoardStreet:
        return board_tree((), self.game.weights, (3,), (runouts,), deck=self.game.deck)[0]

    def top(self, values: bool = True) -> RangeGame:
        """The empty board and all flops, without what follows; `values`: with what all-ins before the flop come to."""
        root = self._root(values and self._runouts[0])
        deck = len(self.game.deck)
        weight = self.choice.shares * comb(deck, 3) / comb(deck - 4, 3)
        root.tables.table[:, CHILD_FIRST] = [0, len(self.flops)]
        flops = flop_street(root, self.flops, weight, self.streets == 2)
        return RangeGame(self.tree, [root, flops], self.game.weights, self.game.rake.of)

    def part(self, flop: int, runouts: bool = True) -> RangeGame:
        """The empty board, one flop and all boards that can follow it."""
        root = self._root(False)
        root.tables.table[:, CHILD_FIRST] = [0, 1]
        deals = (1,) * (self.streets - 2)
        wanted = self._runouts[1:] if runouts else []
        cards = self.flops[flop].tolist()
        below = below_flop(root.tables, cards, self.game.weights, deals, wanted, 1, self.game.deck)
        return RangeGame(self.tree, [root, *below], self.game.weights, self.game.rake.of)

    def part_bytes(self, flop: int, storage: str) -> int:
        """Memory that a flop takes. Flops whose cards have the same pattern of suits and ranks take the same."""
        cards = self.flops[flop]
        key = storage, tuple(_pattern(cards % 4)), tuple(_pattern(cards // 4))
        if key not in self._known:
            game = self.part(flop, runouts=False)
            tables = 0
            for street, has in zip(game.boards[1:], self._runouts[1:], strict=True):
                strides = street.tables.stride
                tables += 4 * int((strides[0] * strides[1]).sum()) if has else 0
            self._known[key] = estimate(game.tree, game.boards).bytes(storage) + tables
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[object, ...], int]:
        return {}

    def __getstate__(self) -> dict[str, object]:
        return {"game": self.game, "choice": self.choice}  # not what was worked out from them


def _pattern(values: np.ndarray) -> list[int]:
    """Which are alike: [0, 1, 0] for three values of which the first and the last are the same."""
    listed = values.tolist()
    return [listed.index(value) for value in listed]
