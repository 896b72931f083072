"""The leaf model `flop-game`: what a called pot is worth when the flop is played as a solved flop game does.

solver = RangeSolver(...)                                    of a FlopGame whose preflop tree holds the called pots
PreflopGame.of(game.preflop, FlopGameLeaf(solver))     the preflop game with those values

For a pair of hands and a flop, both play their average strategies of the line; results are averaged over the flops that
the pair leaves. Strategies on the flop stay as they are, so this is a model: a solve of the flop game itself lets both
streets answer each other.
"""

from __future__ import annotations

import numpy as np

from runout.cards.equity169 import equity_table
from runout.cards.hands import CLASSES, COMBO_CLASS, disjoint_combos
from runout.errors import InputError
from runout.games.betting import NOBODY
from runout.games.tree import NO_PARENT, TO_CHANCE, TO_NODE
from runout.kernels.tables import MATRIX
from runout.solvers.preflop_leaves import Leaf
from runout.solvers.ranges import RangeSolver


class FlopGameLeaf:
    """A `LeafModel`. Shares are of the pot as it is called, so a pair that loses further bets can have less than 0."""

    name = "flop-game"

    def __init__(self, solver: RangeSolver) -> None:
        self.solver = solver
        self._entries = _entries(solver)
        self._known: dict[str, np.ndarray] = {}

    @property
    def lines(self) -> list[str]:
        """The called pots that it knows."""
        return list(self._entries)

    def shares(self, leaf: Leaf) -> np.ndarray:
        """float64 [169, 169]: what the SB's class (row) gets of the pot against the BB's (column)."""
        if leaf.line not in self._entries:
            known = ", ".join(self._entries)
            raise InputError(f"the flop game has no called pot {leaf.line!r}: its preflop tree has {known}")
        if leaf.line not in self._known:
            self._known[leaf.line] = self._computed(self._entries[leaf.line])
        return self._known[leaf.line]

    def _computed(self, entry: int) -> np.ndarray:
        total, met = np.zeros((CLASSES, CLASSES)), np.zeros((CLASSES, CLASSES))
        boards = self.solver.boards[1]
        for board, weight in enumerate(boards.weight.astype(np.float64)):
            hands = [self.solver.hands(player, 1, board) for player in range(2)]
            meet = disjoint_combos()[np.ix_(*hands)].astype(np.float32)
            first, second = (np.eye(CLASSES, dtype=np.float32)[COMBO_CLASS[side]] for side in hands)
            total += weight * (first.T @ (self._results(entry, board) * meet) @ second)
            met += weight * (first.T @ meet @ second)
        mean = np.divide(total, met, out=1 - equity_table(), where=met > 0)  # [BB, SB]
        return np.ascontiguousarray(mean.T)

    def _results(self, entry: int, board: int) -> np.ndarray:
        """float32 [BB's hands, SB's hands]: what the SB gets of the pot at the entry, less what the SB adds to it."""
        tree, boards = self.solver.game.tree.streets[1], self.solver.boards[1]
        pot = float(tree.entry_pot[entry])
        reach: dict[int, list[np.ndarray]] = {}
        sides: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])  # reach of each player at each terminal
        plain, shown = [], []  # of the SB: pots won in any case, and pots that depend on the showdown
        for node in range(int(tree.entry_node[entry]), int(tree.entry_node[entry + 1])):
            parent = int(tree.parent_edge[node])
            here = (
                [np.ones(int(boards.count[p, board]), np.float32) for p in range(2)]
                if parent == NO_PARENT
                else reach.pop(parent)
            )
            strategy, actor = self.solver.strategy(1, board, node), int(tree.player[node])
            for number, edge in enumerate(range(int(tree.first_edge[node]), int(tree.first_edge[node + 1]))):
                after = list(here)
                after[actor] = here[actor] * strategy[number]
                if tree.child_kind[edge] == TO_NODE:
                    reach[edge] = after
                    continue
                end = int(tree.child[edge])
                matched, folder = 2.0 * float(tree.contribution[end].min()), int(tree.terminal_folder[end])
                for player in range(2):
                    sides[player].append(after[player])
                lost, won = (pot - matched) / 2, (pot + matched) / 2
                plain.append(pot / 2 if folder == NOBODY else won if folder == 0 else lost)
                shown.append(matched / 2 if folder == NOBODY else 0.0)
        first, second = np.stack(sides[0]), np.stack(sides[1])
        at, width = int(boards.table[board, MATRIX]), int(boards.stride[1, board])
        matrix = boards.runouts[at : at + first.shape[1] * width].reshape(-1, width)[:, : second.shape[1]]
        sure = (first * np.array(plain, np.float32)[:, None] / pot).T @ second
        return np.asarray(sure - ((first * np.array(shown, np.float32)[:, None] / pot).T @ second) * matrix)


def _entries(solver: RangeSolver) -> dict[str, int]:
    """The entry of the flop that each called pot leads to; lines as in `Leaf`."""
    tree = solver.game.tree
    street = tree.streets[0]
    called = np.flatnonzero(street.child_kind == TO_CHANCE)
    return {tree.line_after(0, int(edge)): int(street.child[edge]) for edge in called}
