"""The boards and plans of a range game as tensors: what `torch_backend_ranges` indexes with.

Hands of a board stand in the order of its rows, as the kernels have them, padded to the widest board of the street. One
more column, always zero, stands for "no such hand", so that every lookup has somewhere to point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from runout.games.boards import BoardStreet
from runout.games.tree import StreetTree
from runout.kernels.tables import (
    CHANCE_VALUE,
    CHILD_FIRST,
    COUNT,
    EDGE_ROW,
    EDGE_STORE,
    EDGE_VALUE,
    ENTRY_ROW,
    FIRST_EDGE,
    FOLD_END,
    FOLD_VALUE,
    HANDS,
    IMAGE_COUNT,
    IMAGE_FIRST,
    MATRIX,
    MINE,
    NO_CARD,
    NODE_ROW,
    NODE_VALUE,
    PARENT_ROW,
    SHOW_END,
    SHOW_VALUE,
    STRENGTH_FIRST,
    STRIDE,
    THEIRS,
    Boards,
    StreetPlan,
)


@dataclass(frozen=True)
class NodeLevel:
    """Nodes of one depth with the same number of actions and the same player."""

    mine: int  # THEIRS, OWN or NOBODYS, seen from the updating player
    node_row: torch.Tensor  # int64 [n]: reach row in force
    node_value: torch.Tensor  # int64 [n]: value row
    edge_row: torch.Tensor  # int64 [n, a]: reach row after each action
    edge_store: torch.Tensor  # int64 [n, a]: row in the actor's storage
    edge_value: torch.Tensor  # int64 [n, a]: value row after it
    nodes: np.ndarray  # int64 [n]: numbers of the nodes, for locks


class TensorPlan:
    """A plan of one group, its nodes sorted by depth."""

    def __init__(self, tree: StreetTree, plan: StreetPlan, device: torch.device) -> None:
        def index(array: np.ndarray) -> torch.Tensor:
            return torch.tensor(np.asarray(array, np.int64), device=device)

        places = plan.groups[0]
        self.entry_row = index(plan.entries[:-1, ENTRY_ROW])
        self.parent_row = index(plan.entries[:-1, PARENT_ROW])
        self.entry_value = index(plan.nodes[plan.entries[:-1, 0], NODE_VALUE])
        self.show_end, self.fold_end = int(places[SHOW_END]), int(places[FOLD_END])
        self.show_value, self.fold_value = int(places[SHOW_VALUE]), int(places[FOLD_VALUE])
        self.chance_value = int(places[CHANCE_VALUE])
        lanes = len(plan.scales) // 3
        self.scales = torch.tensor(plan.scales.reshape(3, lanes), device=device)
        self.rows = int(max(plan.edges[:, EDGE_ROW].max(initial=0), plan.entries[:-1, ENTRY_ROW].max())) + 1
        self.values = int(plan.edges[:, EDGE_VALUE].max(initial=0)) + 1
        depth = np.zeros(tree.nodes, np.int64)
        owner = tree.edge_owner()
        for node in range(tree.nodes):  # a parent comes before its children
            parent = tree.parent_edge[node]
            depth[node] = 0 if parent < 0 else depth[owner[parent]] + 1
        actions = np.diff(tree.first_edge)
        self.levels: list[NodeLevel] = []
        for deep, mine, count in sorted({*zip(depth, plan.nodes[:-1, MINE], actions, strict=True)}):
            nodes = np.flatnonzero((depth == deep) & (plan.nodes[:-1, MINE] == mine) & (actions == count))
            edges = plan.nodes[nodes, FIRST_EDGE][:, None] + np.arange(count)
            self.levels.append(
                NodeLevel(
                    int(mine),
                    index(plan.nodes[nodes, NODE_ROW]),
                    index(plan.nodes[nodes, NODE_VALUE]),
                    index(plan.edges[edges, EDGE_ROW]),
                    index(plan.edges[edges, EDGE_STORE]),
                    index(plan.edges[edges, EDGE_VALUE]),
                    nodes,
                )
            )

        self._row_after = torch.zeros(tree.edges, dtype=torch.int64, device=device)
        for level in self.theirs:
            self._row_after[level.edge_store] = level.edge_row

    def rows_after(self, stored: torch.Tensor) -> torch.Tensor:
        """Reach rows after actions of the player whose reach this plan walks, by their rows in storage."""
        return self._row_after[stored]

    def of(self, mine: int) -> list[NodeLevel]:
        """The decisions of one player, earliest first."""
        return [level for level in self.levels if level.mine == mine]

    @property
    def theirs(self) -> list[NodeLevel]:
        return self.of(THEIRS)


class TensorBoards:
    """The boards of one street; of most fields there is one a player."""

    def __init__(self, boards: Boards, street: BoardStreet, before: Boards | None, device: torch.device) -> None:
        self.device = device
        self.count = len(street.cards)
        self.table = boards.table
        self.child_first = [int(first) for first in boards.table[:, CHILD_FIRST]]
        self.weight = torch.tensor(boards.weight, device=device)
        self.parent = torch.tensor(street.parent.astype(np.int64), device=device)
        self.width = [int(boards.stride[player].max()) for player in range(2)]
        local = [self._local(boards, player) for player in range(2)]
        self.card_sums = [self._card_sums(local[player]) for player in range(2)]
        self.hand_cards = [self._index(local[player]) for player in range(2)]
        self.same = [self._same(boards, player) for player in range(2)]
        if before is not None:
            wide = [int(before.stride[player].max()) for player in range(2)]
            self.up, self.down = zip(*(self._maps(boards, player, wide[player]) for player in range(2)), strict=True)
        self.images = [self._images(boards, player) for player in range(2)]
        self.runouts = self._runouts(boards)
        self.ranks: list[Ranks] = []
        if boards.ends.shape[1] > 0 and boards.runouts.size == 0:
            self.ranks = [Ranks(boards, local, player, device) for player in range(2)]

    def _index(self, array: np.ndarray) -> torch.Tensor:
        return torch.tensor(np.asarray(array, np.int64), device=self.device)

    def _padded(self, boards: Boards, player: int, field: np.ndarray, fill: int) -> np.ndarray:
        """int64 [B, width]: a field of every hand, `fill` where there is none."""
        found = np.full((self.count, self.width[player]), fill, np.int64)
        for board in range(self.count):
            first, count = boards.table[board, HANDS + player], boards.table[board, COUNT + player]
            found[board, :count] = field[first : first + count]
        return found

    def _local(self, boards: Boards, player: int) -> np.ndarray:
        """int64 [B, width, 2]: the cards of every hand."""
        return np.stack([self._padded(boards, player, one, NO_CARD) for one in (boards.card_a, boards.card_b)], axis=2)

    def _card_sums(self, cards: np.ndarray) -> torch.Tensor:
        """float32 [B, width, 53]: which cards each hand holds; what sums reach by card."""
        holds = np.zeros((self.count, cards.shape[1], NO_CARD + 1), np.float32)
        boards, hands = np.ogrid[: self.count, : cards.shape[1]]
        for k in range(2):
            holds[boards, hands, cards[:, :, k]] = 1
        holds[:, :, NO_CARD] = 0
        return torch.tensor(holds, device=self.device)

    def _same(self, boards: Boards, player: int) -> torch.Tensor:
        found = self._padded(boards, player, boards.same, self.width[1 - player])
        theirs = boards.table[:-1, STRIDE + 1 - player]
        found[found >= theirs[:, None]] = self.width[1 - player]
        return self._index(found)

    def _maps(self, boards: Boards, player: int, wide: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Where each hand stands on the board before, and where each hand of the board before stands here."""
        up = self._padded(boards, player, boards.up, wide)
        down = np.full((self.count, wide + 1), self.width[player], np.int64)
        rows = np.arange(self.count)[:, None]
        down[rows, up] = np.arange(self.width[player])
        return self._index(up), self._index(down[:, :wide])

    def _images(self, boards: Boards, player: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Hands under each renaming int64 [B, g, width], how many renamings [B], and the first image [B, width]."""
        most = int(boards.table[:-1, IMAGE_COUNT].max(initial=1))
        same = np.arange(self.width[player])
        perms = np.tile(same, (self.count, max(most, 1), 1))
        first = np.tile(same, (self.count, 1))
        numbers = np.maximum(boards.table[:-1, IMAGE_COUNT], 1)
        for board in np.flatnonzero(numbers > 1):
            at = boards.table[board]
            begin, stride, count = at[IMAGE_FIRST + player], at[STRIDE + player], at[COUNT + player]
            for g in range(numbers[board]):
                perms[board, g, :count] = boards.images[begin + g * stride : begin + g * stride + count]
            begin += numbers[board] * stride
            first[board, :count] = boards.images[begin : begin + count]
        return self._index(perms), self._index(numbers), self._index(first)

    def _runouts(self, boards: Boards) -> torch.Tensor | None:
        """float32 [B, hands of player 0, hands of player 1]: mean of win minus lose over all run-outs."""
        if boards.runouts.size == 0:
            return None
        found = np.zeros((self.count, *self.width), np.float32)
        for board in range(self.count):
            at = boards.table[board]
            rows, width = int(at[COUNT]), int(at[STRIDE + 1])
            found[board, :rows, :width] = boards.runouts[at[MATRIX] : at[MATRIX] + rows * width].reshape(rows, width)
        return torch.tensor(found, device=self.device)


class Ranks:
    """Showdowns of a street for one player, by running sums over the opponent's hands, weakest first.

    `below` and `upto` say where in the running sum the weaker opponents of a hand end, and the weaker and equal ones.
    The same for the opponents that hold one of its cards: in `by_card` opponents stand card after card, weakest first.
    """

    def __init__(self, boards: Boards, cards: list[np.ndarray], player: int, device: torch.device) -> None:
        other, count = 1 - player, len(cards[0])
        mine, theirs = cards[player], cards[other]
        wide = theirs.shape[1]
        below, upto = (np.zeros(mine.shape[:2], np.int64) for _ in range(2))
        order = np.zeros((count, 2 * wide), np.int64)
        held = np.zeros((count, 2, 3, mine.shape[1]), np.int64)  # [board, card of the hand, begin / below / upto, hand]
        for board in range(count):
            groups = slice(boards.table[board, STRENGTH_FIRST], boards.table[board + 1, STRENGTH_FIRST])
            sizes = np.diff(boards.ends[player, groups], prepend=0)
            ends = boards.ends[other, groups].astype(np.int64)
            hands = int(sizes.sum())
            below[board, :hands] = np.repeat(np.concatenate([[0], ends[:-1]]), sizes)
            upto[board, :hands] = np.repeat(ends, sizes)
            flat = theirs[board].T.ravel()  # first cards of all hands, then second ones
            sort = np.lexsort((np.tile(np.arange(wide), 2), flat))
            order[board] = sort % wide
            keys = flat[sort] * (wide + 1) + order[board]  # ascending: how many come before a card and a hand
            for k in range(2):
                for which, hand in enumerate((np.zeros_like(below[board]), below[board], upto[board])):
                    held[board, k, which] = np.searchsorted(keys, mine[board, :, k] * (wide + 1) + hand)
        self.below = torch.tensor(below, device=device)
        self.upto = torch.tensor(upto, device=device)
        self.by_card = torch.tensor(order, device=device)
        self.held = torch.tensor(held, device=device)
