"""Best responses to a policy, range against range, on given boards.

1. Down: what the policy leaves of every hand of both players, along all lines of a street at once, part after part of
   a mixture. What a mixture plays is the sum over its parts, so the parts meet only where a hand ends.
2. Terminals: hands in order of strength, running sums in all and by card; all-ins with cards to come are one product
   with the board's matrix of win minus lose.
3. Up: the responder takes the best action for each own hand, which is all that is seen besides the board and the
   betting; the opponent's actions and the boards to come are added up.

Values are sums over the opponent's reach, in chips.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.cards.suits import card_images, combo_images
from runout.cursors.mixtures import ROWS, deck_hands, hand_probabilities
from runout.evaluation.asked_tree import AskedTree, Group
from runout.games.betting import FOLD
from runout.games.holdem_batch import HoldemBatch
from runout.games.showdowns import by_strength, run_out_matrix
from runout.kernels.range_deals import beaten_hands, met_hands
from runout.protocols import HoldemPolicy

_NODES_AT_ONCE = 512  # of the last street


@dataclass(frozen=True, eq=False)
class Board:
    """A board and those that may follow it."""

    cards: tuple[int, ...]
    weight: float  # that every pair of hands gives it, given the board before
    children: list[Board] = field(default_factory=list)

    def count(self) -> int:
        """Boards of the last street."""
        return sum(child.count() for child in self.children) if self.children else 1


@dataclass(eq=False)
class _Found:
    """What a street gives back to the one before it."""

    best: list[np.ndarray]  # float64 [entries, 1326] a player: value of a best response, 0 where a hand is blocked
    own: np.ndarray  # float64 [2]: value of the policy itself, summed over both reaches and all entries


class BoardSweep:
    """A policy on a tree of boards."""

    def __init__(
        self,
        tree: AskedTree,
        policy: HoldemPolicy,
        renamings: np.ndarray,
        on_board: Callable[[], None] | None = None,
    ) -> None:
        """renamings: indices of suit permutations that change neither deck nor policy, the identity at least."""
        self.tree, self.policy, self.game = tree, policy, tree.game
        self.renamings, self.on_board = renamings, on_board
        self.deck = deck_hands(self.game)
        self._groups = [
            list(tree.groups(s, _NODES_AT_ONCE if s == len(tree.streets) - 1 else 1 << 60))
            for s in range(len(tree.streets))
        ]

    def values(self, root: Board) -> tuple[np.ndarray, np.ndarray]:
        """float64 [2] each, in chips a deal: of a best response to the policy, and of the policy against itself."""
        weights = np.asarray(self.policy.weights, np.float64)
        live = self._live(root.cards)
        start = np.broadcast_to(weights[:, None, None] * live, (len(weights), 1, COMBOS))
        found = self._street(0, root, [start, start])
        held = live.astype(np.float64)
        deals = held @ _met(held[None], np.arange(COMBOS))[0]
        return np.array([side[0].sum() for side in found.best]) / deals, found.own / deals

    def _live(self, board: tuple[int, ...]) -> np.ndarray:
        return self.deck & ~np.isin(COMBO_CARDS, board).any(axis=1)

    def _street(self, street: int, board: Board, reach: list[np.ndarray]) -> _Found:
        """reach float64 [parts, entries, 1326] a player."""
        live = np.flatnonzero(self._live(board.cards))
        entries = self.tree.streets[street].entries
        found = _Found([np.zeros((entries, COMBOS)) for _ in range(2)], np.zeros(2))
        spot = _OneBoard(self, board, live)
        for group in self._groups[street]:
            entry = [side[:, group.entries][..., live] for side in reach]
            ends, onward = spot.down(group, entry)
            worth, own = spot.terminals(street, group, ends)
            after = self._deal(street, board, group, onward, live)
            for player in range(2):
                best = spot.up(group, player, worth[player], after.best[player])
                found.best[player][group.entries[:, None], live] = best
            found.own += own + after.own
        if self.on_board is not None and street == len(self.tree.streets) - 1:
            self.on_board()
        return found

    def _deal(self, street: int, board: Board, group: Group, onward: list[np.ndarray], live: np.ndarray) -> _Found:
        """Values of the ways on to the next street, by `live` hands."""
        count = len(group.onward)
        found = _Found([np.zeros((count, COMBOS)) for _ in range(2)], np.zeros(2))
        if not count:
            found.best = [side[:, live] for side in found.best]
            return found
        order = np.argsort(group.onward)  # the next street knows its entries by their own numbers
        back = np.argsort(order)
        wide = [np.zeros((len(side), count, COMBOS)) for side in onward]
        for player in range(2):
            wide[player][..., live] = onward[player][:, order]
        for child in board.children:
            seen = self._live(child.cards)
            after = self._street(street + 1, child, [side * seen for side in wide])
            for player in range(2):
                found.best[player] += child.weight * after.best[player][back]
            found.own += child.weight * after.own
        if not board.cards and len(self.renamings) > 1:  # every flop stands for its renamed copies
            images = combo_images()[self.renamings]
            found.best = [np.mean([side[:, image] for image in images], axis=0) for side in found.best]
        found.best = [side[:, live] for side in found.best]
        return found


class _OneBoard:
    """One board: the hands on it and what they win of each other."""

    def __init__(self, sweep: BoardSweep, board: Board, live: np.ndarray) -> None:
        self.sweep, self.board, self.live = sweep, board, live
        self._hands = np.ascontiguousarray(COMBO_CARDS[live])
        self._order = by_strength(board.cards, self._hands) if len(board.cards) >= 3 else ()
        self._matrix: np.ndarray | None = None
        images = combo_images()[self._same(sweep.renamings)][:, live]  # hands that are alike on this board
        first = images.min(axis=0).astype(np.int64)
        self.alike = np.searchsorted(live, first)  # [h]: the one of them that is asked about
        self.asked = first == live

    def _same(self, renamings: np.ndarray) -> np.ndarray:
        cards = self.board.cards
        images = card_images()[renamings]
        keep = np.ones(len(renamings), bool)
        for part in (cards[:3], cards[3:4], cards[4:5]):
            own = np.sort(np.array(part, np.int64))
            keep &= (np.sort(images[:, own], axis=1) == own).all(axis=1)
        return renamings[keep]

    def down(self, group: Group, entry: list[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Reach at terminals float64 [t, h] over all parts, and at the ways on [parts, c, h], a player each."""
        parts, hands = entry[0].shape[0], len(self.live)
        ends = [np.zeros((len(group.terminals), hands)) for _ in range(2)]
        onward = [np.zeros((parts, len(group.onward), hands)) for _ in range(2)]
        batch = group.batch.take(np.arange(group.nodes))
        shown = len(self.board.cards)
        batch.cards[:, 4 : 4 + shown] = self.board.cards
        for part in range(parts):
            reach = [np.zeros((group.size, hands)) for _ in range(2)]
            for player in range(2):
                reach[player][group.roots] = entry[player][part]
            for level in group.levels:
                mine, other = reach[level.player], reach[1 - level.player]
                plays = self._plays(batch.take(level.nodes), part, mine[level.nodes])
                for slot, (targets, holders) in enumerate(zip(level.targets, level.holders, strict=True)):
                    nodes = level.nodes[holders]
                    mine[targets] = mine[nodes] * plays[slot, holders]
                    other[targets] = other[nodes]
            for player in range(2):
                ends[player] += reach[player][group.nodes : group.nodes + len(group.terminals)]
                onward[player][part] = reach[player][group.nodes + len(group.terminals) :]
        return ends, onward

    def _plays(self, batch: HoldemBatch, part: int, reach: np.ndarray) -> np.ndarray:
        """float64 [slots, n, h]: the policy at decisions, 0 for hands that do not get there."""
        rows, columns = np.nonzero((reach > 0) & self.asked)
        slots = self.sweep.tree.batches[0].rules.slots
        found = np.zeros((slots, *reach.shape))
        for first in range(0, len(rows), ROWS):
            some = slice(first, first + ROWS)
            odds = hand_probabilities(self.sweep.policy, batch, part, rows[some], self.live[columns[some]])
            found[:, rows[some], columns[some]] = odds.T
        return found if self.asked.all() else found[..., self.alike]

    def terminals(self, street: int, group: Group, reach: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
        """float64 [t, h] a player: what ending there is worth to each hand; and what the policy itself gets of it."""
        tree, ids = self.sweep.tree.streets[street], group.terminals
        half = self.sweep.game.rules.pot / 2 + tree.contribution[ids].min(axis=1)
        fold = tree.terminal_kind[ids] == FOLD
        worth, own = [], np.zeros(2)
        for player in range(2):
            other, found = reach[1 - player], np.zeros(reach[player].shape)
            sign = np.where(tree.terminal_folder[ids[fold]] == player, -1.0, 1.0)
            found[fold] = _met(other[fold], self.live) * (sign * half[fold])[:, None]
            if not fold.all():
                found[~fold] = self._showdown(other[~fold]) * half[~fold, None]
            worth.append(found)
            own[player] = (reach[player] * found).sum()
        return worth, own

    def _showdown(self, reach: np.ndarray) -> np.ndarray:
        """float64 [n, h]: win minus lose of every hand against reach float64 [n, h], cards to come averaged."""
        if len(self.board.cards) == self.sweep.game.board_cards:
            found = np.empty(reach.shape)
            beaten_hands(np.ascontiguousarray(reach), self._hands, *self._order, found)
            return found
        if self._matrix is None:
            self._matrix = run_out_matrix(self.board.cards, self.live, self.sweep.game)
        return np.asarray(reach.astype(np.float32) @ self._matrix.T)

    def up(self, group: Group, player: int, worth: np.ndarray, after: np.ndarray) -> np.ndarray:
        """float64 [e, h]: value of a best response at every entry."""
        values = np.concatenate([np.zeros((group.nodes, len(self.live))), worth, after])
        for level in reversed(group.levels):
            mine = level.player == player
            found = np.full((len(level.nodes), len(self.live)), -np.inf if mine else 0.0)
            for targets, holders in zip(level.targets, level.holders, strict=True):
                if mine:
                    found[holders] = np.maximum(found[holders], values[targets])
                else:
                    found[holders] += values[targets]
            values[level.nodes] = found
        return np.asarray(values[group.roots])


def _met(reach: np.ndarray, live: np.ndarray) -> np.ndarray:
    """float64 [n, h]: the reach of the hands that share no card with each; reach float64 [n, h] by `live` combos."""
    found = np.empty(reach.shape)
    met_hands(np.ascontiguousarray(reach), np.ascontiguousarray(COMBO_CARDS[live]), found)
    return found
