"""The range solver: CFR over ranges on a betting tree times boards.

1. An iteration sweeps once for each player: the opponent's reach down every line, all terminals of a board in one pass,
   values back up, regrets and averages updated on the way (`kernels.sweep`).
2. What a variant of CFR does with them is a row of its schedule: how much of the old regrets and average is kept.
3. The average strategy converges; exploitability is exact: a best response against it is one more sweep a player.

Values are gains over half of the starting pot, so without rake the two players' values add up to zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from runout.games.betting import RIVER
from runout.games.boards import BoardStreet, board_tree
from runout.games.spot import Spot
from runout.games.tree import RUNOUT, BettingTree
from runout.kernels.showdown import BLOCK, LANES
from runout.kernels.sweep import AVERAGE, BEST_RESPONSE, UPDATE, probe, sweeps
from runout.kernels.tables import (
    FIRST_ENTRY,
    NODE_ROW,
    NODE_VALUE,
    SLOT_STORE,
    SLOT_VALUE,
    STORE,
    Boards,
    Game,
    Plan,
    Scratch,
    Team,
)
from runout.kernels.team import TEAM_STATE
from runout.kernels.threads import thread_count
from runout.solvers.range_plan import make_plan, scratch_rows, storage_rows
from runout.solvers.schedules import Schedule

GROUP_ROWS = 64  # reach rows of a group of last-street lines


@dataclass(frozen=True)
class RangeGame:
    """What is solved: betting, boards, ranges and rake."""

    tree: BettingTree
    boards: list[BoardStreet]
    weights: np.ndarray  # float64 [2, 1326]: ranges at the root, blocked hands 0
    rake: Callable[[float], float]  # chips taken from a pot

    @classmethod
    def of(cls, spot: Spot, isomorphism: bool = True, threads: int = 0) -> RangeGame:
        """The game of a postflop spot."""
        tree = spot.tree().with_streets(RIVER - spot.street + 1)
        weights = np.stack([spot.range(player).weights for player in range(2)])
        runouts = [bool((street.terminal_kind == RUNOUT).any()) for street in tree.streets]
        boards = board_tree(spot.cards, weights, len(tree.streets), runouts, isomorphism, threads)
        return cls(tree, boards, weights, spot.rake.of)


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node under the average strategies, by the hands that each player can hold there."""

    reach: tuple[np.ndarray, np.ndarray]  # float64 [h] a player: weight in the range times own actions so far
    value: tuple[
        np.ndarray, np.ndarray
    ]  # float64 [h]: gain over half of the starting pot, summed over opponents' reach
    action_values: np.ndarray  # float64 [actions, h]: the same after each action of the player who acts


class RangeSolver:
    """Solves a RangeGame; a `protocols.Solver`."""

    def __init__(self, game: RangeGame, schedule: Schedule, threads: int = 0, weighed: bool = False) -> None:
        self.game, self.schedule = game, schedule
        self.threads = thread_count(threads)
        self.iteration = 0
        self.plans = _plans(game)
        self.boards, size = _with_storage(game)
        self.regrets, self.averages = _aligned(size), _aligned(size)
        self.ranges = _root_ranges(game, self.boards[0])
        self._arrays, self._scratch = self._working_memory(weighed)
        self._pool = ThreadPoolExecutor(self.threads)

    def step(self, iterations: int) -> None:
        rows = self.schedule.rows(self.iteration, iterations)[:iterations, :3]
        self._sweep(0, 1, UPDATE, np.ascontiguousarray(rows, np.float32))
        self.iteration += iterations

    def values(self, player: int, mode: int) -> np.ndarray:
        """Root values of each hand of `player` (his order of hands at the root), weighted by the opponent's reach."""
        self._sweep(player, player, mode, np.ones((1, 3), np.float32))
        stride = int(self.boards[0].stride[player, 0])
        row = int(self.plans[player][0].nodes[0, NODE_VALUE]) * stride
        return self._arrays.root_values[row : row + self.boards[0].count[player, 0]].astype(np.float64)

    def exploitability(self) -> float:
        """Mean over both players of (best response - own strategy), in chips a deal."""
        gains = 0.0
        for player in range(2):
            own = self.ranges[player, : self.boards[0].count[player, 0]].astype(np.float64)
            gains += float(own @ self.values(player, BEST_RESPONSE))
            if self.game.rake(1e9) > 0:
                gains -= float(own @ self.values(player, AVERAGE))
        return gains / 2 / self.deals

    def hands(self, player: int, street: int, board: int) -> np.ndarray:
        """int64 [h]: combos that a player can hold on a board, in the order of its rows."""
        table = self.boards[street]
        first = table.hands[player, board]
        part = slice(first, first + table.count[player, board])
        a, b = table.card_a[part].astype(np.int64), table.card_b[part].astype(np.int64)
        return a * (a - 1) // 2 + b

    def strategy(self, street: int, board: int, node: int) -> np.ndarray:
        """float32 [actions, hands]: the average strategy of the player who acts; even where nothing was learnt."""
        rows = self._rows(self.averages, street, board, node)
        total = rows.sum(axis=0)
        return np.divide(rows, total, out=np.full_like(rows, 1 / len(rows)), where=total > 0)

    def _rows(self, stored: np.ndarray, street: int, board: int, node: int) -> np.ndarray:
        """float32 [actions, hands]: a view of the rows of a node."""
        tree, table = self.game.tree.streets[street], self.boards[street]
        player = int(tree.player[node])
        stride, count = int(table.stride[player, board]), int(table.count[player, board])
        first = int(self.plans[player][street].slots[tree.first_slot[node], SLOT_STORE])
        actions = int(tree.first_slot[node + 1] - tree.first_slot[node])
        at = int(table.store[player, board]) + first * stride
        return stored[at : at + actions * stride].reshape(actions, stride)[:, :count]

    def look(self, street: int, board: int, node: int) -> NodeView:
        """Reach and values of both players at a node when both play their average strategies."""
        tree = self.game.tree.streets[street]
        actor = int(tree.player[node])
        reach, value, action_values = [np.zeros(0)] * 2, [np.zeros(0)] * 2, np.zeros((0, 0))
        for player in range(2):
            plan = self.plans[player][street]
            found_reach, found_values = self._probe(player, street, board, node)
            widths = [int(self.boards[street].stride[side, board]) for side in (player, 1 - player)]
            counts = [int(self.boards[street].count[side, board]) for side in (player, 1 - player)]
            at = int(plan.nodes[node, NODE_ROW]) * widths[1]
            reach[1 - player] = found_reach[at : at + counts[1]].astype(np.float64)
            at = int(plan.nodes[node, NODE_VALUE]) * widths[0]
            value[player] = found_values[at : at + counts[0]].astype(np.float64)
            if player == actor:
                slots = plan.slots[tree.first_slot[node] : tree.first_slot[node + 1], SLOT_VALUE].astype(np.int64)
                action_values = found_values[slots[:, None] * widths[0] + np.arange(counts[0])].astype(np.float64)
        return NodeView((reach[0], reach[1]), (value[0], value[1]), action_values)

    def _probe(self, player: int, street: int, board: int, node: int) -> tuple[np.ndarray, np.ndarray]:
        """Reach rows of the opponent and value rows of the player, of the group of lines that `node` belongs to."""
        if street == 0:
            self.values(player, AVERAGE)
            return self._arrays.root_reach, self._arrays.root_values
        last = street == len(self.boards) - 1
        scratch = self._scratch[0]
        group = 0
        if last:
            entry = self.game.tree.streets[street].entry_of(node)
            group = int(np.searchsorted(self.plans[player][street].groups[:, FIRST_ENTRY], entry, side="right")) - 1
        path = [board, -1] if street == 1 else [int(self.game.boards[2].parent[board]), board]
        probe(self._arrays, player, *path, group, scratch)
        return (scratch.reach, scratch.values) if last else (scratch.middle_reach, scratch.middle_values)

    def _sweep(self, first: int, last: int, mode: int, rows: np.ndarray) -> None:
        state = np.zeros(TEAM_STATE, np.int64)

        def member(thread: int) -> None:
            team = Team(state, thread, self.threads)
            sweeps(team, self._arrays, first, last, mode, rows, self._scratch[thread])

        if self.threads == 1:
            member(0)
        else:
            list(self._pool.map(member, range(self.threads)))

    def _working_memory(self, weighed: bool) -> tuple[Game, list[Scratch]]:
        """Rows of the root and of each thread, and what boards of the second street hand back."""
        streets = len(self.boards)
        strides = [int(street.stride.max()) for street in self.boards]
        rows = []
        for index in range(streets):
            after = self.plans[0][index + 1].entry_count if index + 1 < streets else 0
            needs = [scratch_rows(self.plans[player][index], after) for player in range(2)]
            rows.append([max(n[i] for n in needs) * strides[index] for i in range(2)])
        middle = rows[1] if streets == 3 else [0, 0]
        wide, entries = max(strides), self.plans[0][-1].entry_count
        scratch = [
            Scratch(
                reach=_aligned(rows[-1][0]), own=_aligned(rows[-1][0]), values=_aligned(rows[-1][1]),
                middle_reach=_aligned(middle[0]), middle_own=_aligned(middle[0]), middle_values=_aligned(middle[1]),
                entry=_aligned(entries * strides[-1]), lanes=_aligned((3 * wide + 54) * BLOCK),
            )
            for _ in range(self.threads)
        ]  # fmt: skip
        plans = [(*side, *[_nothing(side[0])] * (3 - streets)) for side in self.plans]
        boards = (*self.boards, *[_nothing(self.boards[0])] * (3 - streets))
        sizes = boards[1].stride * plans[0][1].entry_count
        game = Game(
            streets=streets, weighed=weighed, plans=(plans[0], plans[1]),
            boards=boards, regrets=self.regrets, averages=self.averages,
            ranges=self.ranges, root_reach=_aligned(rows[0][0]), root_own=_aligned(rows[0][0]),
            root_values=_aligned(rows[0][1]), out=_aligned(int(sizes.sum(axis=1).max(initial=0))),
            out_first=np.cumsum(sizes, axis=1) - sizes,
        )  # fmt: skip
        return game, scratch

    @property
    def deals(self) -> float:
        """Weight of all pairs of hands that can be dealt together."""
        from runout.cards.hands import COMBO_CARDS

        first, second = self.game.weights
        by_card = np.bincount(COMBO_CARDS.ravel(), np.repeat(second, 2), 52)
        return float(first @ (second.sum() - by_card[COMBO_CARDS].sum(axis=1) + second))

    def memory(self) -> int:
        return self.regrets.nbytes + self.averages.nbytes

    def state(self) -> dict[str, np.ndarray]:
        return {"regrets": self.regrets, "averages": self.averages, "iteration": np.array(self.iteration)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.regrets[:], self.averages[:] = state["regrets"], state["averages"]
        self.iteration = int(state["iteration"])


def _plans(game: RangeGame) -> tuple[tuple[Plan, ...], tuple[Plan, ...]]:
    found = []
    for player in range(2):
        plans: list[Plan] = []
        for index, street in enumerate(game.tree.streets):
            last = index == len(game.boards) - 1
            before = (game.tree.streets[index - 1], plans[-1]) if plans else None
            rows = GROUP_ROWS if last else None
            plans.append(make_plan(street, player, before, game.tree.starting_pot, game.rake, rows))
        found.append(tuple(plans))
    return found[0], found[1]


def _with_storage(game: RangeGame) -> tuple[tuple[Boards, ...], int]:
    """The boards with places in the storage, and its size in numbers."""
    boards, at = [], 0
    for street, tree in zip(game.boards, game.tree.streets, strict=True):
        sizes = (street.tables.stride.T * storage_rows(tree)).ravel()
        ends = at + np.cumsum(sizes)
        table = street.tables.table.copy()
        table[:-1, STORE : STORE + 2] = (ends - sizes).reshape(-1, 2)
        boards.append(street.tables._replace(table=table))
        at = int(ends[-1])
    return tuple(boards), at


def _root_ranges(game: RangeGame, root: Boards) -> np.ndarray:
    ranges = np.zeros((2, int(root.stride.max())), np.float32)
    for player in range(2):
        first, count = root.hands[player, 0], root.count[player, 0]
        a, b = (part[first : first + count].astype(np.int64) for part in (root.card_a, root.card_b))
        ranges[player, :count] = game.weights[player][a * (a - 1) // 2 + b]
    return ranges


def _nothing(like: Plan | Boards) -> Any:
    """A plan or boards of a street that is not there, of the same types."""
    shapes = [(1, field.shape[1]) if field.ndim == 2 else (0,) for field in like]
    return type(like)(*(np.zeros(shape, field.dtype) for shape, field in zip(shapes, like, strict=True)))


def _aligned(size: int) -> np.ndarray:
    """float32 zeros that begin on a cache line."""
    raw = np.zeros(size + LANES, np.float32)
    start = (-raw.ctypes.data % 64) // 4
    return raw[start : start + size]
