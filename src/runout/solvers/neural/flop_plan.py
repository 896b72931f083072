"""Flop Hold'em as networks and the range engine share it: columns, rows and groups of flops."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBO_CLASS
from runout.games.boards import BoardStreet, restricted
from runout.games.flop_features import flop_rows, preflop_rows
from runout.games.tree import BettingTree, StreetTree
from runout.kernels.flop_networks import store_strategies
from runout.kernels.lines import UPDATE
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.schedules import make_schedule


@dataclass(frozen=True, eq=False)
class Columns:
    """The actions of one player on one street: column c of a network is row c of the engine's storage."""

    first: np.ndarray  # int64 [decisions + 1]: first column of each decision of the player
    count: int

    @classmethod
    def of(cls, tree: StreetTree, player: int) -> Columns:
        """Of a street's betting."""
        actions = np.diff(tree.first_edge)[tree.player == player]
        return cls(np.concatenate([[0], np.cumsum(actions)]).astype(np.int64), int(actions.sum()))


def player_columns(tree: BettingTree, player: int) -> tuple[Columns, Columns]:
    """Before and on the flop."""
    before, on = tree.streets
    return Columns.of(before, player), Columns.of(on, player)


@dataclass(frozen=True, eq=False)
class PreflopRows:
    """Classes that can be dealt, and where the hands of the empty board belong among them."""

    numbers: np.ndarray  # uint8 [classes, PREFLOP_SIZE]
    row: np.ndarray  # int64 [hands]: of the hands of the empty board, in the engine's order
    combos: np.ndarray  # float32 [classes]

    @classmethod
    def of(cls, hands: np.ndarray) -> PreflopRows:
        """Of combos int64 [hands]."""
        held, row = np.unique(COMBO_CLASS[hands], return_inverse=True)
        return cls(preflop_rows(held), row.astype(np.int64), np.bincount(row).astype(np.float32))


class FlopGroup:
    """A few flops: the engine over them, and what networks are shown of their hands. Both players hold every hand."""

    def __init__(self, game: RangeGame, flops: np.ndarray, scale: float, threads: int = 1) -> None:
        boards = restricted(game.boards, flops, scale)
        part = RangeGame(game.tree, boards, game.weights, game.rake)
        self.solver = RangeSolver(part, make_schedule("cfr"), threads)
        self.flops: BoardStreet = boards[1]
        self.preflop = PreflopRows.of(self.solver.hands(0, 0, 0))
        table = self.solver.boards[1]
        rows = np.arange(int(table.count[0, 0]))
        self.starts = [(store[:, None] + rows).ravel() for store in table.store]  # of column 0 of each row, by player

    @cached_property
    def shown(self) -> tuple[np.ndarray, np.ndarray]:
        """uint8 [m, FLOP_SIZE] and int32 [rows]: what networks are shown, and which of it each hand on each flop is.

        Suits mean little where no card follows: most hands of a class look the same.
        """
        deck = np.unique(COMBO_CARDS[self.solver.hands(0, 0, 0)]).tolist()
        numbers, which, total = [], [], 0
        for board, cards in enumerate(self.flops.cards):
            rows = flop_rows(cards, self.solver.hands(0, 1, board), deck)
            _, first, back = np.unique(rows.view(f"V{rows.shape[1]}").ravel(), return_index=True, return_inverse=True)
            numbers.append(rows[first])
            which.append((back.ravel() + total).astype(np.int32))
            total += len(first)
        return np.concatenate(numbers), np.concatenate(which)

    @property
    def rows(self) -> int:
        """Hands times flops."""
        return len(self.starts[0])

    @property
    def stride(self) -> int:
        """From one column of a row to the next, in the engine's storage; the same on all flops."""
        return int(self.solver.boards[1].stride[0, 0])

    def part(self, player: int) -> list[slice]:
        """Where a player's numbers of each flop stand in storage, all columns together."""
        table, columns = self.solver.boards[1], Columns.of(self.solver.game.tree.streets[1], player).count
        return [slice(int(at), int(at) + columns * self.stride) for at in table.store[player]]

    def play(self, player: int, before: np.ndarray, on: np.ndarray) -> None:
        """Let a player play by advantages float32 [classes, columns] before and [shown, columns] on the flop."""
        columns = player_columns(self.solver.game.tree, player)
        root, regrets = self.solver.boards[0], self.solver.regrets
        places = int(root.store[player, 0]) + np.arange(len(self.preflop.row))
        store_strategies(before, self.preflop.row, columns[0].first, int(root.stride[player, 0]), places, regrets)
        store_strategies(on, self.shown[1], columns[1].first, self.stride, self.starts[player], regrets)

    def regrets(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """Regrets of a player under what both play: float32 [classes, columns], and storage like the engine's.

        The strategies that were played are gone after it. They are weighted by the opponent's reach and by chance;
        those before the flop are those of one hand of a class.
        """
        self.solver.sweep(player, player, UPDATE, np.array([[0.0, 0.0, 1.0]], np.float32))
        root = self.solver.boards[0]
        at, stride = int(root.store[player, 0]), int(root.stride[player, 0])
        columns = Columns.of(self.solver.game.tree.streets[0], player).count
        rows = self.solver.regrets[at : at + columns * stride].reshape(columns, stride)[:, : len(self.preflop.row)]
        by_class = np.zeros((len(self.preflop.combos), columns), np.float32)
        np.add.at(by_class, self.preflop.row, rows.T)
        return by_class / self.preflop.combos[:, None], self.solver.regrets


def flop_groups(flops: BoardStreet, groups: int) -> list[np.ndarray]:
    """The flops dealt out to groups that are alike: every n-th in the order of suits, pairs and ranks."""
    cards = flops.cards.astype(np.int64)
    ranks = np.sort(cards // 4, axis=1)[:, ::-1]
    suits = np.array([len(set(row)) for row in (cards % 4).tolist()])
    pairs = np.array([len(set(row)) for row in ranks.tolist()])
    order = np.lexsort((ranks[:, 2], ranks[:, 1], ranks[:, 0], pairs, suits))
    return [np.sort(order[first::groups]) for first in range(groups)]
