"""What a solved range game says about a board: strategies, and values of both players after every action.

A `LineSource` answers for one game. `LiveLines` reads a solver; `StoredLines` reads rows that `stored_rows` made, all
streets but the last. Values are the solver's: gains over half of the starting pot, summed over the opponent's reach.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from cachetools import LRUCache

from runout.kernels.tables import EDGE_VALUE
from runout.solvers.ranges import RangeGame, RangeSolver

_KEPT = 24  # boards whose lines are kept, least recently used out first


@dataclass(frozen=True, slots=True)
class BoardLines:
    """What each action of a board's lines leads to when both play their average strategies, from `first_edge` on."""

    first_edge: int
    after: tuple[np.ndarray, np.ndarray]  # float32 [edges, h] a player: value after the action, whoever takes it


class LineSource(Protocol):
    """Where a cursor reads strategies and values; hands of a player are in the order of `Boards.combos`."""

    game: RangeGame
    streets: int  # streets that it knows, of those of the game

    def strategy(self, street: int, board: int, node: int) -> np.ndarray:
        """float32 [actions, h]: the average strategy of the player who acts."""

    def lines(self, street: int, board: int, node: int) -> BoardLines:
        """BoardLines of a board, those through `node` among them."""

    def below(self, street: int, board: int) -> tuple[LineSource, int]:
        """Who answers for a board of a later street and for all below it, and the number of the board there."""


class LiveLines:
    """The lines of a solver, read anew when it has moved on. Not while it is stepping: both use its working memory."""

    def __init__(self, solver: RangeSolver) -> None:
        self.solver, self.game = solver, solver.game
        self.streets = len(self.game.boards)
        self._kept: LRUCache[tuple[int, int, int], BoardLines] = LRUCache(_KEPT)
        self._read_at = solver.version
        self._reading = threading.Lock()

    def strategy(self, street: int, board: int, node: int) -> np.ndarray:
        return self.solver.strategy(street, board, node)

    def lines(self, street: int, board: int, node: int) -> BoardLines:
        last = street == self.streets - 1
        key = (street, board, self.game.tree.streets[street].entry_of(node) if last else -1)
        with self._reading:
            if self._read_at != self.solver.version:
                self._kept.clear()
                self._read_at = self.solver.version
            if key not in self._kept:
                self._kept[key] = self._read(*key)
            return self._kept[key]

    def below(self, street: int, board: int) -> tuple[LineSource, int]:
        return self, board

    def first_values(self) -> dict[str, np.ndarray]:
        """float32 [edges, h] a player: values of the first street, two whole sweeps, to be kept with a solution.

        Nothing where the first street is the last one: its lines are read by the entry, at once.
        """
        if self.streets == 1:
            return {}
        return {f"first_values_{side}": rows for side, rows in zip(_SIDES, self.lines(0, 0, 0).after, strict=True)}

    def take_first_values(self, kept: Mapping[str, np.ndarray]) -> bool:
        """Use what `first_values` gave for the solver as it stands; False where arrays are missing or do not fit."""
        rows = [np.array(kept.get(f"first_values_{side}", np.zeros(0)), np.float32) for side in _SIDES]
        edges, count = self.game.tree.streets[0].edges, self.game.boards[0].tables.count[:, 0]
        fit = [row.shape == (edges, own) and bool(np.isfinite(row).all()) for row, own in zip(rows, count, strict=True)]
        if self.streets == 1 or not all(fit):
            return False
        self._kept[0, 0, -1] = BoardLines(0, (rows[0], rows[1]))
        return True

    def _read(self, street: int, board: int, entry: int) -> BoardLines:
        """The lines of one entry, or of all (-1)."""
        tree, solver = self.game.tree.streets[street], self.solver
        first, last = tree.entry_node[[0, -1]] if entry < 0 else tree.entry_node[entry : entry + 2]
        edges = slice(int(tree.first_edge[first]), int(tree.first_edge[last]))
        after = []
        for player in range(2):
            rows = solver.rows(player, street, board, int(first)).values
            stride, count = (int(n[player, board]) for n in (solver.boards[street].stride, solver.boards[street].count))
            at = solver.plans[player][street].edges[edges, EDGE_VALUE].astype(np.int64) * stride
            after.append(rows[at[:, None] + np.arange(count)])
        return BoardLines(edges.start, (after[0], after[1]))


class StoredLines:
    """The lines of all streets but the last, from the rows of `stored_rows`."""

    def __init__(self, game: RangeGame, rows: Mapping[str, np.ndarray]) -> None:
        self.game, self._rows = game, rows
        self.streets = len(game.boards) - 1
        if self.streets == 0:
            raise ValueError("its first street is the river, and rivers are left out")
        self._first = {name: firsts for street in range(len(game.boards) - 1) for name, firsts in _layout(game, street)}
        for name, firsts in self._first.items():
            if rows[name].shape != (firsts[-1],):
                raise ValueError(f"{name} has {rows[name].size:,} numbers where {firsts[-1]:,} belong")

    def strategy(self, street: int, board: int, node: int) -> np.ndarray:
        tree = self.game.tree.streets[street]
        return self._between(
            f"strategy_{street}", street, board, int(tree.first_edge[node]), int(tree.first_edge[node + 1])
        )

    def lines(self, street: int, board: int, node: int) -> BoardLines:
        edges = self.game.tree.streets[street].edges
        after = [self._between(f"values_{side}_{street}", street, board, 0, edges) for side in _SIDES]
        return BoardLines(0, (after[0], after[1]))

    def below(self, street: int, board: int) -> tuple[LineSource, int]:
        return self, board

    def _between(self, name: str, street: int, board: int, first: int, last: int) -> np.ndarray:
        """float32 [edges, h]: rows of the edges of a board."""
        edges = self.game.tree.streets[street].edges
        start, end = self._first[name][board * edges + first], self._first[name][board * edges + last]
        return np.asarray(self._rows[name][start:end]).reshape(last - first, -1)


_SIDES = ("oop", "ip")


def stored_rows(source: LineSource) -> dict[str, np.ndarray]:
    """Flat float32 arrays of all streets but the last: rows by board and edge, one number for each hand of a player.

    `strategy_0` has the acting player's probabilities; `values_oop_0` and `values_ip_0` what the edge leads to.
    """
    game = source.game
    found: dict[str, np.ndarray] = {}
    for street in range(len(game.boards) - 1):
        tree = game.tree.streets[street]
        parts: dict[str, list[np.ndarray]] = {name: [] for name, _ in _layout(game, street)}
        for board in range(len(game.boards[street].cards)):
            parts[f"strategy_{street}"] += [source.strategy(street, board, n).ravel() for n in range(tree.nodes)]
            for side, rows in zip(_SIDES, source.lines(street, board, 0).after if tree.nodes else (), strict=False):
                parts[f"values_{side}_{street}"].append(rows.ravel())
        none = np.zeros(0, np.float32)
        found |= {name: np.concatenate([none, *rows]).astype(np.float32, copy=False) for name, rows in parts.items()}
    return found


def _layout(game: RangeGame, street: int) -> list[tuple[str, np.ndarray]]:
    """For each array of a street int64 [boards * edges + 1]: where the row of each edge begins."""
    tree, count = game.tree.streets[street], game.boards[street].tables.count.astype(np.int64)
    actors = tree.player[tree.edge_owner()] if tree.edges else np.zeros(0, np.int8)
    widths = {f"strategy_{street}": count[actors.astype(np.int64)].T}
    widths |= {f"values_{side}_{street}": np.repeat(count[p], tree.edges) for p, side in enumerate(_SIDES)}
    return [(name, np.concatenate([[0], np.cumsum(rows.ravel())])) for name, rows in widths.items()]
