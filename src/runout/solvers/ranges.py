"""The range solver: CFR over ranges on a betting tree times boards.

1. An iteration sweeps once for each player: the opponent's reach down every line, all terminals of a board in one pass,
   values back up, regrets and averages updated on the way (`kernels.sweep`).
2. What a variant of CFR does with them is a row of its schedule: how much of the old regrets and average is kept.
3. The average strategy converges; exploitability is exact: a best response against it is one more sweep a player.

Values are gains over half of the starting pot, so without rake the two players' values add up to zero.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from runout.cards.hands import COMBO_CARDS
from runout.errors import InputError, SolutionError
from runout.games.betting import CHECK, Action, BettingState
from runout.games.boards import BoardStreet
from runout.games.flop_holdem import TwoStreets
from runout.games.holdem_game import HoldemDocument, HoldemGame
from runout.games.spot import Spot
from runout.games.tree import BettingTree, build
from runout.kernels.lines import AVERAGE, BEST_RESPONSE, KEEP_NOTHING, UPDATE
from runout.kernels.sweep import DOWN, END, probe, sweeps
from runout.kernels.tables import (
    EDGE_STORE,
    FIRST_ENTRY,
    LOCKED,
    NODE_VALUE,
    STORE_ROW,
    Boards,
    Gadget,
    Member,
    Rows,
    Storage,
    StreetPlan,
)
from runout.kernels.team import TEAM_STATE
from runout.kernels.threads import Threads, thread_count
from runout.solutions.stored import StoredArray, fitting, require_range
from runout.solvers.range_memory import aligned, estimate, new_storage, place_boards, working_memory
from runout.solvers.range_plan import group_bounds, make_plan
from runout.solvers.schedules import Schedule
from runout.solvers.whole import in_pieces

AVERAGES = ("averages", "average_scales")
_LEARNT = ("regrets", "regret_scales", *AVERAGES)
_PART = 1 << 22  # numbers that are brought from a file at a time
GROUP_ROWS = 128  # reach rows of a group of last-street lines


@dataclass(frozen=True)
class RangeGame:
    """What is solved: betting, boards, ranges and rake."""

    tree: BettingTree
    boards: list[BoardStreet]
    weights: np.ndarray  # float64 [2, 1326]: ranges at the root, blocked hands 0
    rake: Callable[[float], float]  # chips taken from a pot

    @cached_property
    def deals(self) -> float:
        """Weight of all pairs of hands that can be dealt together."""
        first, second = self.weights
        by_card = np.bincount(COMBO_CARDS.ravel(), np.repeat(second, 2), 52)
        return float(first @ (second.sum() - by_card[COMBO_CARDS].sum(axis=1) + second))

    @classmethod
    def of(cls, what: HoldemGame | HoldemDocument, isomorphism: bool = True, threads: int = 0) -> RangeGame:
        """A game of hold'em, or the game that settings stand for, as the solver takes it."""
        game = what if isinstance(what, HoldemGame) else what.game()
        valued = isinstance(what, Spot) and what.solve.leaf == "network"  # the cards that come next, no later ones
        boards = game.boards(isomorphism, threads, 2 if valued else None)
        return cls(game.tree(), boards, game.weights, game.rake.of)


def first_street(spot: Spot, whole: RangeGame) -> RangeGame:
    """The first street of a spot and the cards that can come after it, with no betting on them.

    whole: the game of the spot, with boards of two streets.
    """
    game = spot.game()

    def offered(state: BettingState) -> list[Action]:
        return game.menu(state) if state.street == spot.street else [state.verify(Action(CHECK))]

    tree = build(game.start(), offered, None, game.wording).with_streets(2)
    return replace(whole, tree=replace(tree, streets=tree.streets[:2]))


def range_game(settings: TwoStreets, isomorphism: bool = True, threads: int | None = None) -> RangeGame:
    """A game of two streets as the solver takes it; its tables are made by as many threads as its settings say."""
    return RangeGame.of(settings, isomorphism, settings.solve.threads if threads is None else threads)


class RangeSolver:
    """Solves a RangeGame; a `protocols.Solver`."""

    def __init__(
        self,
        game: RangeGame,
        schedule: Schedule,
        threads: int = 0,
        storage: str = "float32",
    ) -> None:
        self.game, self.schedule = game, schedule
        self.threads = thread_count(threads)
        self.iteration = 0
        self.plans = make_plans(game, len(game.boards))
        self.boards, numbers, rows = place_boards(game.tree, game.boards)
        self.ranges = root_ranges(game, self.boards[0])
        kept = new_storage(numbers, rows, storage)
        self._arrays, self._scratch = working_memory(self.plans, self.boards, kept, self.ranges, self.threads)
        self._begin(Threads(self.threads))

    def _begin(self, pool: Threads) -> None:
        """What does not depend on the game."""
        self._pool = pool
        self._weights = 0, np.zeros((0, 3), np.float32)  # of the iterations from the first number on
        self._unread: dict[str, StoredArray] = {}  # parts of the storage that are still in a file
        self._reading = threading.Lock()
        self._lock_changes = 0

    @property
    def storage(self) -> Storage:
        """Regrets and averages of every action, board and hand."""
        self._read_all(*_LEARNT)
        return self._arrays.storage

    @property
    def version(self) -> tuple[int, int]:
        """Changes whenever the solver steps, or a node is locked or unlocked."""
        return self.iteration, self._lock_changes

    def _read_all(self, *names: str) -> None:
        """Bring parts of the storage from their file, verified, before a kernel sees them."""
        with self._reading:
            for name in names:
                if name in self._unread:
                    stored, own = self._unread[name], getattr(self._arrays.storage, name)
                    for first in range(0, len(own), _PART):
                        own[first : first + _PART] = _checked(name, stored[first : first + _PART])
                    del self._unread[name]

    def _learnt(self, name: str, place: slice) -> np.ndarray:
        """Numbers of the storage, wherever they are."""
        stored = self._unread.get(name)
        if stored is None:
            found: np.ndarray = getattr(self._arrays.storage, name)[place]
            return found
        return _checked(name, stored[place])

    @property
    def regrets(self) -> np.ndarray:
        return self.storage.regrets

    @property
    def averages(self) -> np.ndarray:
        return self.storage.averages

    @property
    def deals(self) -> float:
        """Weight of all pairs of hands that can be dealt together."""
        return self.game.deals

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        first, rows = self._weights
        if not first <= self.iteration <= self.iteration + iterations <= first + len(rows):
            ahead = max(iterations, 256)  # a short step should not wait for its weights
            first, rows = self.iteration, self.schedule.rows(self.iteration, ahead)[:ahead, :3].astype(np.float32)
            self._weights = first, rows
        at = self.iteration - first
        self.sweep(0, 1, UPDATE, rows[at : at + iterations])
        self.iteration += iterations

    def values(self, player: int, mode: int) -> np.ndarray:
        """Root values of each hand of `player`, in that player's order, weighted by the opponent's reach."""
        self.sweep(player, player, mode, np.ones((1, 3), np.float32))
        stride = int(self.boards[0].stride[player, 0])
        row = int(self.plans[player][0].nodes[0, NODE_VALUE]) * stride
        return self._scratch[0].rows[0].values[row : row + self.boards[0].count[player, 0]].astype(np.float64)

    def exploitability(self) -> float:
        """Mean over both players of (best response - own strategy), in chips a deal."""
        gains = 0.0
        for player in range(2):
            own = self.ranges[player, : self.boards[0].count[player, 0]].astype(np.float64)
            gains += float(own @ self.values(player, BEST_RESPONSE))
            if self.game.rake(1e9) > 0:
                gains -= float(own @ self.values(player, AVERAGE))
        gain = gains / 2 / self.deals
        met = self.game.weights[0].sum() * self.game.weights[1].sum() / self.deals
        rounding = 1e-5 * self.game.tree.start.pot * met  # of float32 sums over all hands, blocked ones too
        return 0.0 if -rounding < gain < 0 else gain

    def hands(self, player: int, street: int, board: int) -> np.ndarray:
        """int64 [h]: combos that a player can hold on a board, in the order of its rows."""
        return self.boards[street].combos(player, board)

    def strategy(self, street: int, board: int, node: int) -> np.ndarray:
        """float32 [actions, hands]: the average strategy of the player who acts; even where nothing was learnt."""
        place, rows, count = self._place(street, board, node)
        stored = self._learnt("averages", place).reshape(rows.stop - rows.start, -1)[:, :count].astype(np.float32)
        if self._arrays.storage.average_scales.size:
            stored *= self._learnt("average_scales", rows)[:, None]
        total = stored.sum(axis=0)
        return np.asarray(np.divide(stored, total, out=np.full_like(stored, 1 / len(stored)), where=total > 0))

    def set_average(self, street: int, board: int, node: int, strategy: np.ndarray) -> None:
        """Make [actions, hands] the average strategy of a node, up to a factor a hand; for float32 storage."""
        place, rows, count = self._place(street, board, node)
        self.storage.averages[place].reshape(rows.stop - rows.start, -1)[:, :count] = strategy

    def lock(self, street: int, board: int, node: int, strategy: np.ndarray, hands: np.ndarray) -> None:
        """Fix the strategy [actions, hands] of the hands bool [hands] at a node; the others keep learning."""
        place, rows, count = self._place(street, board, node)
        kept = self.storage
        for stored, scales in ((kept.regrets, kept.regret_scales), (kept.averages, kept.average_scales)):
            values = stored[place].reshape(rows.stop - rows.start, -1).astype(np.float32)
            if scales.size:
                values *= scales[rows, None]
            values[:, :count] = np.where(hands, strategy, values[:, :count])
            if scales.size:
                scales[rows] = np.abs(values).max(axis=1) / 32767
                values = np.rint(values / np.maximum(scales[rows, None], 1e-30))
            stored[place] = values.ravel()
        mask = aligned(values.shape[1])
        mask[:count] = hands | self.lock_mask(street, board, node)
        others = [lock for lock in kept.locks if tuple(lock[:3]) != (street, board, node)]
        locks = np.array([*others, (street, board, node, len(kept.masks))], np.int64)
        self._set_locks(locks, np.concatenate([kept.masks, mask]))

    def unlock(self, street: int, board: int, node: int) -> None:
        """Let the hands of a node learn again, from the strategy that was fixed there."""
        kept = self._arrays.storage
        others = [lock.tolist() for lock in kept.locks if tuple(lock[:3]) != (street, board, node)]
        masks, first = [np.zeros(0, np.float32)], 0  # those that nobody needs are dropped
        for lock in others:
            player = int(self.game.tree.streets[lock[0]].player[lock[2]])
            mask = kept.masks[lock[3] : lock[3] + int(self.boards[lock[0]].stride[player, lock[1]])]
            lock[3], first = first, first + len(mask)
            masks.append(mask)
        for side in range(2):
            self.plans[side][street].nodes[node, LOCKED] = 0
        self._set_locks(np.array(others, np.int64).reshape(-1, 4), np.concatenate(masks))

    def lock_mask(self, street: int, board: int, node: int) -> np.ndarray:
        """bool [hands]: whose strategy is fixed at a node."""
        count = self._place(street, board, node)[2]
        for lock in self._arrays.storage.locks:
            if tuple(lock[:3]) == (street, board, node):
                return self._arrays.storage.masks[lock[3] : lock[3] + count] > 0
        return np.zeros(count, bool)

    def _set_locks(self, locks: np.ndarray, masks: np.ndarray) -> None:
        self._lock_changes += 1
        self._arrays = self._arrays._replace(storage=self._arrays.storage._replace(locks=locks, masks=masks))
        for street, _, node, _ in locks:
            for side in range(2):
                self.plans[side][street].nodes[node, LOCKED] = 1

    def enter_through(
        self, kind: int, player: int, certain: np.ndarray, weights: np.ndarray, instead: np.ndarray
    ) -> None:
        """Let `player` choose at the root with which hands to come in, from the next step on.

        certain, weights, instead: float64 [hands] of the player, see `kernels.tables.Gadget`.
        """
        stride, count = int(self.boards[0].stride[player, 0]), int(self.boards[0].count[player, 0])
        rows = aligned(stride), aligned(stride), aligned(stride)
        for row, given in zip(rows, (certain, weights, instead), strict=True):
            row[:count] = given
        self._arrays = self._arrays._replace(gadget=Gadget(kind, player, *rows, regrets=aligned(2 * stride)))

    def _place(self, street: int, board: int, node: int) -> tuple[slice, slice, int]:
        """Where the numbers of a node stand in storage, which rows they are, and how many hands there are."""
        tree, table = self.game.tree.streets[street], self.boards[street]
        player = int(tree.player[node])
        stride = int(table.stride[player, board])
        first = int(self.plans[player][street].edges[tree.first_edge[node], EDGE_STORE])
        actions = int(tree.first_edge[node + 1] - tree.first_edge[node])
        at, row = int(table.store[player, board]) + first * stride, int(table.table[board, STORE_ROW + player]) + first
        return slice(at, at + actions * stride), slice(row, row + actions), int(table.count[player, board])

    def rows(self, player: int, street: int, board: int, node: int) -> Rows:
        """Average-strategy reach of the opponent and values of the player, of the lines that `node` belongs to.

        The rows are working memory: the next sweep overwrites them.
        """
        if street == 0:
            self.values(player, AVERAGE)
            return self._scratch[0].rows[0]
        path, group = [board], -1
        for above in range(street, 0, -1):
            path.insert(0, int(self.game.boards[above].parent[path[0]]))
        if street == len(self.boards) - 1:
            entry = self.game.tree.streets[street].entry_of(node)
            group = int(np.searchsorted(self.plans[player][street].groups[:, FIRST_ENTRY], entry, side="right")) - 1
        self._read_all(*AVERAGES)
        probe(self._arrays, player, np.array(path), group, KEEP_NOTHING, self._scratch[0])
        return self._scratch[0].rows[street]

    def sweep(
        self, first: int, last: int, mode: int, weights: np.ndarray, parts: tuple[int, int] = (DOWN, END)
    ) -> None:
        """Sweep for the players `first` to `last`, once for each row of weights.

        weights float32 [n, 3]: what old positive regrets, old negative regrets and old averages are multiplied by;
        mode: UPDATE changes regrets and averages, BEST_RESPONSE and AVERAGE only find values; parts: see `sweeps`.
        """
        self._read_all(*(_LEARNT if mode == UPDATE else AVERAGES))
        state = np.zeros(TEAM_STATE, np.int64)

        def member(thread: int) -> None:
            team = Member(state, thread, self.threads)
            sweeps(team, self._arrays, first, last, mode, weights, self._scratch[thread], *parts)

        self._pool.run(member)

    def policy(self) -> Callable[[int, int, int], np.ndarray]:
        """The average strategy: street, board and node to probabilities [actions, hands]."""
        return self.strategy

    def memory(self) -> int:
        return sum(array.nbytes for array in self._arrays.storage)

    def state(self) -> dict[str, np.ndarray]:
        """Views, not copies: saved before the next step, or copied by the caller."""
        return {**self.storage._asdict(), "iteration": np.array(self.iteration)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """What is a `StoredArray` is read when it is needed."""
        for name in _LEARNT:
            own, found = getattr(self._arrays.storage, name), state[name]
            if (found.shape, found.dtype) != (own.shape, own.dtype):
                raise ValueError(f"{name} has {found.size:,} {found.dtype} where {own.size:,} {own.dtype} belong")
        locks, masks = self._checked_locks(state)
        held: dict[str, Any] = {name: state[name] for name in _LEARNT}
        self._unread = {name: one for name, one in held.items() if isinstance(one, StoredArray)}
        for name in _LEARNT:
            if name not in self._unread:
                getattr(self._arrays.storage, name)[:] = _checked(name, state[name])
        self._set_locks(locks, masks)
        self.iteration = int(state["iteration"])

    def _checked_locks(self, state: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Locked nodes and whose strategy is fixed there; refused where a kernel would read outside of them."""
        locks = fitting(state, "locks", (len(state["locks"]), 4), np.int64, 0)
        masks = fitting(state, "masks", (len(state["masks"]),), np.float32, 0, 1)
        for street, board, node, first in locks.tolist():
            if street >= len(self.boards) or board >= len(self.game.boards[street].cards):
                raise ValueError(f"a board is locked that is none: {board}")
            if node >= self.game.tree.streets[street].nodes:
                raise ValueError(f"a node is locked that is none: {node}")
            stride = int(self.boards[street].stride[int(self.game.tree.streets[street].player[node]), board])
            if first + stride > len(masks):
                raise ValueError("locks and their masks do not belong together")
        return locks.copy(), masks.copy()


BACKENDS = ("numba", "torch")


def make_range_solver(
    game: RangeGame,
    schedule: Schedule,
    threads: int = 0,
    storage: str = "float32",
    backend: str = "numba",
    device: str = "auto",
) -> RangeSolver:
    """A solver of `game` on a backend; threads matter only to numba, the device only to torch."""
    if backend not in BACKENDS:
        raise InputError(f"unknown backend {backend!r}: use {' or '.join(BACKENDS)}")
    if backend == "torch":
        from runout.solvers.torch_backend_ranges import TorchRangeSolver

        return TorchRangeSolver(game, schedule, storage, device)
    return RangeSolver(game, schedule, threads, storage)


def on_backend(solver: RangeSolver, backend: str, device: str) -> RangeSolver:
    """The solver itself where it runs on numba and should; otherwise one that continues from its numbers."""
    if backend == "numba" and type(solver) is RangeSolver:
        return solver
    kind = "int16" if solver.storage.regret_scales.size else "float32"
    other = make_range_solver(solver.game, solver.schedule, solver.threads, kind, backend, device)
    other.restore(solver.state())
    return other


def restored_solver(
    game: RangeGame, schedule: Schedule, threads: int, storage: str, state: Mapping[str, np.ndarray]
) -> RangeSolver:
    """A solver that continues from a state; refused, before memory is taken, where that is not of this game."""
    numbers = sum(count for _, count in estimate(game.tree, game.boards).streets) // 2
    if state["regrets"].size != numbers:
        raise ValueError(f"regrets has {state['regrets'].size:,} numbers where {numbers:,} belong")
    solver = RangeSolver(game, schedule, threads, storage)
    solver.restore(state)
    return solver


def _checked(name: str, found: np.ndarray) -> np.ndarray:
    """Numbers of a file; SolutionError where they are none, or negative where that cannot be."""
    try:
        require_range(found, name, None if name == "regrets" else 0)
    except ValueError as error:
        raise SolutionError(f"the solution is damaged: {error}") from None
    return found


def make_plans(game: RangeGame, streets: int) -> tuple[tuple[StreetPlan, ...], tuple[StreetPlan, ...]]:
    found = []
    for player in range(2):
        plans: list[StreetPlan] = []
        for index, street in enumerate(game.tree.streets):
            last = index == streets - 1
            before = (game.tree.streets[index - 1], plans[-1]) if plans else None
            bounds = group_bounds(street, GROUP_ROWS) if last else [0, street.entries]
            plans.append(make_plan(street, player, before, game.tree.starting_pot, game.rake, bounds))
        found.append(tuple(plans))
    return found[0], found[1]


def root_ranges(game: RangeGame, root: Boards) -> np.ndarray:
    """float32 [2, stride]: the players' hands at the start, in the order of the first board."""
    ranges = np.zeros((2, int(root.stride.max())), np.float32)
    for player in range(2):
        ranges[player, : root.count[player, 0]] = game.weights[player][root.combos(player, 0)]
    return ranges
