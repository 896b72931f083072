"""The blueprint solver: public chance sampling on the range engine, learnt by buckets of hands.

1. An iteration updates one player, players in turn: draw a batch of boards (flop, turn, river) and sweep all lines of
   each, all hands against all hands, under the strategies as they are (`kernels.blueprint`).
2. Boards are drawn from the whole deck and hands that they block drop out, so the value of a pair of hands is scaled at
   each deal by how likely the cards are for the pair: on average it is the value of the whole game.
3. Changes of regrets and averages are added up by buckets. After each epoch what was learnt is weighed, as a variant of
   CFR weighs iterations (`schedules`).

The average strategy converges to an equilibrium of the game in which players see buckets; where every bucket is one
hand ("lossless"), of the game itself. The result depends on the seed alone, not on the number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb

import numpy as np

from runout import memory
from runout.cards.abstraction import Abstraction
from runout.cards.evaluator import tables
from runout.cards.hands import COMBO_CLASS, COMBOS
from runout.errors import InputError
from runout.games.boards import BoardStreet, board_tree
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.games.tree import RUNOUT, BettingTree
from runout.kernels import blueprint as kernel
from runout.kernels.simd import LANES
from runout.kernels.tables import (
    BOARD_COLUMNS,
    CHILD_FIRST,
    COUNT,
    HANDS,
    IMAGE_COUNT,
    MOST_STREETS,
    STORE,
    STRENGTH_FIRST,
    STRIDE,
    Boards,
    Buckets,
    Member,
    StreetPlan,
)
from runout.kernels.team import TEAM_STATE
from runout.kernels.threads import thread_count
from runout.solvers.range_memory import aligned, new_storage, working_memory
from runout.solvers.range_plan import storage_rows
from runout.solvers.ranges import RangeGame, make_plans
from runout.solvers.schedules import Schedule


@dataclass(frozen=True)
class BlueprintGame:
    """What is solved: the tree of a game, its all-ins dealt out, and the buckets of hands."""

    game: HoldemGame
    tree: BettingTree
    abstraction: Abstraction

    @classmethod
    def of(cls, game: HoldemGame, abstraction: Abstraction) -> BlueprintGame:
        """Refused where the game is not one that begins before the flop with all hands."""
        if game.board or game.ranges is not None or game.rules.last_street == 0:
            raise InputError(f"{game.name}: a blueprint is of a game from before the flop on, with all hands")
        if game.board_cards != BOARD_CARDS[game.rules.last_street]:
            raise InputError(f"{game.name}: a blueprint wants hands shown on the board of the last street that is bet on")
        return cls(game, game.tree().dealt_out(), abstraction)

    @property
    def streets(self) -> int:
        return len(self.tree.streets)

    @property
    def rows(self) -> np.ndarray:
        """int64 [2, MOST_STREETS]: actions of each player on each street."""
        found = np.zeros((2, MOST_STREETS), np.int64)
        for street, tree in enumerate(self.tree.streets):
            found[:, street] = storage_rows(tree)
        return found

    @property
    def width(self) -> np.ndarray:
        """int64 [MOST_STREETS]: numbers of an action, one for each bucket, in whole vectors."""
        found = np.zeros(MOST_STREETS, np.int64)
        found[: self.streets] = self.abstraction.sizes
        return -(-found // LANES) * LANES

    @property
    def numbers(self) -> int:
        """Regrets in all; averages are as many."""
        return int((self.rows * self.width).sum())

    def new_buckets(self) -> Buckets:
        """Room for everything that is learnt, with nothing in it."""
        sizes = (self.rows * self.width).ravel()
        first = (np.cumsum(sizes) - sizes).reshape(2, MOST_STREETS)
        return Buckets(aligned(self.numbers), aligned(self.numbers), first, self.width)

    def range_game(self) -> RangeGame:
        """Betting, ranges and rake for the range engine, without boards."""
        return RangeGame(self.tree, [], self.game.weights, self.game.rake.of)

    def root(self) -> BoardStreet:
        """The empty board, with what all-ins before the flop come to."""
        all_in = bool((self.tree.streets[0].terminal_kind == RUNOUT).any())
        root = board_tree((), self.game.weights, (3,), (all_in,), deck=self.game.deck)[0]
        table = root.tables.table.copy()
        table[:, IMAGE_COUNT] = 1  # hands that differ by suits share a bucket
        bucket = np.zeros(int(root.tables.stride[:, 0].sum()), np.int32)
        for player in range(2):
            first = int(root.tables.hands[player, 0])
            combos = root.tables.combos(player, 0)
            bucket[first : first + len(combos)] = self.abstraction.tables.preflop[combos]
        return BoardStreet(root.cards, root.parent, root.copies, root.tables._replace(table=table, bucket=bucket))


class BlueprintSolver:
    """Learns a blueprint; a `protocols.Solver`."""

    def __init__(
        self, what: BlueprintGame, schedule: Schedule, batch: int, epoch: int, seed: int = 0, threads: int = 0
    ) -> None:
        self.what, self.schedule = what, schedule
        self.batch, self.epoch, self.seed = batch, epoch, seed
        self.threads = thread_count(threads)
        self.iteration = 0
        self.buckets = what.new_buckets()
        game = what.range_game()
        plans = make_plans(game, len(what.tree.streets))
        root = what.root()
        boards = (root.tables, *(_sampled(what, street, batch) for street in range(1, what.streets)))
        self._store, private, numbers = self._places(boards)
        ranges = np.zeros((2, int(boards[0].stride.max())), np.float32)
        for player in range(2):
            ranges[player, : boards[0].count[player, 0]] = 1.0
        self._sweep, self._scratch = working_memory(
            plans, boards, new_storage(numbers, 0, "float32"), ranges, self.threads, self.buckets
        )
        self._pool = ThreadPoolExecutor(self.threads)
        self._notes = [new_notes(first) for first in private]
        copies = what.abstraction.flop_copies
        self._odds = np.cumsum(copies) / copies.sum()

    def _places(self, boards: tuple[Boards, ...]) -> tuple[np.ndarray, np.ndarray, int]:
        """Storage: of the empty board both players' rows, of each board of the batch those of the player who learns,
        and of each thread the opponent's. Where that of the boards begins and how much each has, int64 [2, 4]; where
        that of the threads begins, int64 [threads, 4]; numbers in all."""
        rows, strides = self.what.rows, [int(street.stride.max()) for street in boards]
        at = 0
        for player in range(2):
            boards[0].table[0, STORE + player] = at
            at += int(rows[player, 0]) * strides[0]
        store, private = np.zeros((2, MOST_STREETS), np.int64), np.zeros((self.threads, MOST_STREETS), np.int64)
        for street in range(1, self.what.streets):
            store[:, street] = at, rows[:, street].max() * strides[street]
            at += self.batch * int(store[1, street])
            private[:, street] = at + np.arange(self.threads) * store[1, street]
            at += self.threads * int(store[1, street])
        return store, private, at

    def step(self, iterations: int) -> None:
        for _ in range(iterations):
            cards, flops = self.draw(self.iteration)
            self.learn(self.iteration % 2, cards, flops)
            self.iteration += 1
            if self.iteration % (2 * self.epoch) == 0:
                self._discount(self.iteration // (2 * self.epoch))

    def draw(self, iteration: int) -> tuple[np.ndarray, np.ndarray]:
        """The boards of an iteration, uint8 [batch, 5], and the numbers of their flops, int64 [batch]."""
        random = np.random.Generator(np.random.Philox(key=self.seed, counter=iteration))
        flops = np.searchsorted(self._odds, random.random(self.batch), side="right")
        flops = np.minimum(flops, len(self._odds) - 1)
        deck = np.array(self.what.game.deck, np.uint8)
        keys = random.random((self.batch, len(deck)))
        first = self.what.abstraction.flops[flops]
        keys[(deck[None, :, None] == first[:, None, :]).any(axis=2)] = 2.0  # not dealt again
        order = np.argpartition(keys, 2, axis=1)[:, :2]
        order = np.take_along_axis(order, np.argsort(np.take_along_axis(keys, order, axis=1), axis=1), axis=1)
        return np.concatenate([first, deck[order]], axis=1), flops.astype(np.int64)

    def learn(self, player: int, cards: np.ndarray, flops: np.ndarray) -> None:
        """One update of a player over these boards; as many as `batch`."""
        buckets = self.what.abstraction.tables
        dealing = kernel.Dealing(np.ascontiguousarray(cards), flops, self._store, tables(), buckets)
        state, rows = np.zeros(TEAM_STATE, np.int64), self.what.rows[player]

        def member(thread: int) -> None:
            team = Member(state, thread, self.threads)
            kernel.learn_batch(team, self._sweep, dealing, rows, player, self._scratch[thread], self._notes[thread])

        if self.threads == 1:
            member(0)
        else:
            list(self._pool.map(member, range(self.threads)))

    def _discount(self, epoch: int) -> None:
        weights = self.schedule.at(epoch + 1)
        kernel.discount(self.buckets.regrets, self.buckets.averages, *np.array(weights[:3], np.float32))

    def memory(self) -> int:
        return sum(array.nbytes for array in (*self.buckets, self._sweep.storage.regrets, self._sweep.storage.averages))

    def state(self) -> dict[str, np.ndarray]:
        return {
            "regrets": self.buckets.regrets,
            "averages": self.buckets.averages,
            "iteration": np.array(self.iteration),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.buckets.regrets[:] = state["regrets"]
        self.buckets.averages[:] = state["averages"]
        self.iteration = int(state["iteration"])


def _sampled(what: BlueprintGame, street: int, batch: int) -> Boards:
    """Room for the boards of a batch on one street; both players hold the same hands."""
    deck, last = len(what.game.deck), street == what.streets - 1
    shown = BOARD_CARDS[street]
    count = comb(deck - shown, 2)
    stride = -(-count // LANES) * LANES
    table = np.zeros((batch + 1, BOARD_COLUMNS), np.int64)
    places = np.arange(batch + 1)
    for player in range(2):
        table[:, COUNT + player], table[:, STRIDE + player] = count, stride
        table[:, HANDS + player] = places * stride
    table[:, CHILD_FIRST] = places
    table[:, STRENGTH_FIRST] = places * stride if last else 0
    table[:, IMAGE_COUNT] = 1
    dealt = shown - BOARD_CARDS[street - 1]
    left = deck - BOARD_CARDS[street - 1]
    weight = comb(left, dealt) / comb(left - 4, dealt) / (batch if street == 1 else 1)
    size = batch * stride
    return Boards(
        table=table,
        weight=np.full(batch, weight, np.float32),
        up=np.zeros(size, np.int16),
        same=np.zeros(size, np.int16),
        card_a=np.zeros(size, np.uint8),
        card_b=np.zeros(size, np.uint8),
        ends=np.zeros((2, size if last else 0), np.int16),
        images=np.zeros(0, np.int16),
        runouts=np.zeros(0, np.float32),
        bucket=np.zeros(size, np.int32),
    )


def new_notes(store: np.ndarray) -> kernel.Notes:
    """Working memory of a thread; store: where its place for the opponent's rows is."""
    four = (np.zeros(COMBOS, np.int32) for _ in range(4))
    return kernel.Notes(store, np.zeros((COMBOS, 2), np.uint8), *four, np.zeros((2, 52), np.int64))
