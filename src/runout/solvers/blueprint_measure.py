"""Exact values of a blueprint: best responses to it, over all boards of all flops or of a weighted set of flops.

1. Flops are independent. Of one, every turn and river up to suits is swept: the opponent plays the average strategy of
   the blueprint, the player the best action with every hand on every board (or the blueprint too). What a flop gives is
   small: the value of each line that reaches it, by class of hands.
2. Before the flop the values of all flops, weighted, are put below the lines that see a flop, and one more step of the
   same kind gives the value of the game.

With a set of flops this is exactly what the strategy loses in the game with these flops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import comb
from queue import Queue
from secrets import token_hex

import numpy as np

from runout.cards.hands import CLASSES, COMBO_CARDS, COMBO_CLASS, combo_index
from runout.games.boards import below_flop
from runout.games.flop_choice import FlopChoice
from runout.kernels import blueprint as kernel
from runout.kernels.abstraction import set_numbers
from runout.kernels.board_buckets import bucket_boards, list_all_runs, put_side_by_side
from runout.kernels.lines import AVERAGE, BEST_RESPONSE, LATER
from runout.kernels.tables import CHILD_FIRST, EDGE_VALUE, NODE_VALUE, STORE, STRIDE, Boards, Buckets, SweepGame
from runout.kernels.threads import thread_count, thread_map
from runout.protocols import Executor
from runout.solvers.blueprint import new_notes
from runout.solvers.blueprint_game import BlueprintGame, with_buckets
from runout.solvers.range_memory import aligned, new_storage, working_memory
from runout.solvers.ranges import make_plans


@dataclass(frozen=True)
class Measured:
    """What a blueprint comes to, in chips of a hand."""

    exploitability: float  # mean over both seats
    gains: tuple[float, float]  # what a best response of each player wins more than the blueprint does
    values: tuple[float, float]  # what each wins when both play the blueprint
    by_street: tuple[float, ...] = ()  # mean gains of responses that play the blueprint before each street; where asked


class BlueprintMeasure:
    """Sweeps flops under one blueprint; for one thread."""

    def __init__(self, what: BlueprintGame, buckets: Buckets, by_street: bool = False) -> None:
        self.what, self.buckets = what, buckets
        self.plans = make_plans(what.range_game(), what.streets)
        root = what.root().tables
        table = root.table.copy()
        table[:, CHILD_FIRST] = [0, 1]
        self.root = root._replace(table=table)
        self._ranges = np.ones((2, int(root.stride.max())), np.float32)
        for player in range(2):
            self._ranges[player, root.count[player, 0] :] = 0
        self._notes = new_notes()
        # What is found on a flop: by whom, in which mode. One player may win what the other loses.
        zero_sum = not what.game.rake.percent and not what.game.rules.pot
        played = 1 if zero_sum else 2
        self.asked = [(0, BEST_RESPONSE), (1, BEST_RESPONSE), *((player, AVERAGE) for player in range(played))]
        self.later = [BEST_RESPONSE + LATER * street for street in range(what.streets)] if by_street else []
        self.asked += [(player, mode) for mode in self.later[1:] for player in range(2)]

    def flop(self, flop: int) -> np.ndarray:
        """float64 [asked, entries, 169]: values of the lines on a flop, by class, for each that is asked for."""
        game = self._below(flop)
        found = np.zeros((len(self.asked), game.plans[0][1].entry_count, CLASSES))
        for row, (player, mode) in enumerate(self.asked):
            kernel.flop_values(game, player, mode, self._scratch)
            stride = int(game.boards[1].stride[player, 0])
            combos = game.boards[1].combos(player, 0)
            out = self._scratch.rows[1].out.reshape(-1)[: found.shape[1] * stride].reshape(-1, stride)
            for entry in range(found.shape[1]):
                found[row, entry] = np.bincount(COMBO_CLASS[combos], out[entry, : len(combos)], CLASSES)
        return found

    def after_actions(self, cards: Sequence[int], player: int) -> tuple[np.ndarray, np.ndarray]:
        """float32 [edges of the flop's tree, h], int64 [h]: what every action on a flop of three cards leads to for
        each hand of a player when both play the blueprint, summed over the opponent's reach; and the hands.
        For games that go on after the flop."""
        number = np.empty(1, np.int64)
        set_numbers(np.array([[0, 0, 0, 0, *cards, 0, 0]], np.uint8), 3, number)
        tables = self.what.abstraction.tables
        renaming = tables.card_images[int(tables.flop_renaming[number[0]])]
        game = self._below(int(tables.flop_row[number[0]]))
        kernel.flop_values(game, player, AVERAGE, self._scratch)
        part, plan = game.boards[1], self.plans[player][1]
        at = plan.edges[: self.what.tree.streets[1].edges, EDGE_VALUE].astype(np.int64) * int(part.stride[player, 0])
        found = self._scratch.rows[1].values[at[:, None] + np.arange(int(part.count[player, 0]))]
        back = np.argsort(renaming)  # to the suits of these cards
        named = COMBO_CARDS[part.combos(player, 0)]
        return found, combo_index(back[named[:, 0]], back[named[:, 1]])

    def _below(self, flop: int) -> SweepGame:
        cards = self.what.abstraction.flops[flop]
        deals = (1,) * (self.what.streets - 2)
        streets = below_flop(self.root, cards.tolist(), self.what.game.weights, deals, deck=self.what.game.deck)
        boards = [self.root]
        for street, found in enumerate(streets, 1):
            part, tables = with_buckets(found.tables), self.what.abstraction.tables
            self.what.abstraction.meet(found.cards)
            bucket_boards(part, street, found.cards, flop, tables, self._notes)
            if street == len(streets) and not tables.lossless[street]:
                put_side_by_side(part, self._notes)
            list_all_runs(part)
            boards.append(part)
        return self._placed(boards)

    def _placed(self, boards: list[Boards]) -> SweepGame:
        """The game with these boards; all boards of a street share a place in storage, loaded when each is entered."""
        at = 0
        for street, part in enumerate(boards):
            for player in range(2):
                part.table[:, STORE + player] = at
                at += int(self.what.rows[player, street]) * int(part.stride.max())
        if "_game" not in self.__dict__:
            storage = new_storage(at, 0, "float32")
            self._game, scratch = working_memory(self.plans, tuple(boards), storage, self._ranges, 1, self.buckets)
            self._scratch = scratch[0]
        missing = len(self._game.boards) - len(boards)
        return self._game._replace(boards=(*boards, *self._game.boards[len(boards) : len(boards) + missing]))

    def total(self, shares: Sequence[float], found: Sequence[np.ndarray]) -> Measured:
        """What the values of flops come to, each with its share of all flops."""
        deck = len(self.what.game.deck)
        scale = comb(deck, 3) / comb(deck - 4, 3)
        by_class = scale * sum(share * values for share, values in zip(shares, found, strict=True))
        size = np.bincount(COMBO_CLASS[self.root.combos(0, 0)], minlength=CLASSES)
        mean = np.divide(by_class, size, out=np.zeros_like(by_class), where=size > 0)
        deals = self.what.range_game().deals
        chips = {}
        for row, (player, mode) in enumerate(self.asked):
            chance = mean[row][:, COMBO_CLASS[self.root.combos(player, 0)]].astype(np.float32)
            kernel.root_values(self._game, player, mode, np.ascontiguousarray(chance), self._scratch)
            stride = int(self.root.table[0, STRIDE + player])
            at = int(self.plans[player][0].nodes[0, NODE_VALUE]) * stride
            own = self._scratch.rows[0].values[at : at + self.root.count[player, 0]]
            chips[player, mode] = float(own.astype(np.float64).sum()) / deals
        values = chips[0, AVERAGE], chips.get((1, AVERAGE), -chips[0, AVERAGE])
        noise = 1e-6 * self.what.game.rules.stack  # of float32 rows: a gain cannot be below zero by more than that

        def gain(player: int, mode: int) -> float:
            found = chips[player, mode] - values[player]
            return 0.0 if -noise < found < 0 else found

        gains = gain(0, BEST_RESPONSE), gain(1, BEST_RESPONSE)
        by_street = ((gain(0, mode) + gain(1, mode)) / 2 for mode in self.later)
        return Measured(sum(gains) / 2, gains, values, tuple(by_street))


@dataclass(frozen=True)
class FlopWork:
    """What a process needs to measure flops of one blueprint."""

    key: str  # another for each measurement
    what: BlueprintGame
    averages: np.ndarray  # float32: of its buckets
    by_street: bool


def flop_values(work: FlopWork, flop: int) -> np.ndarray:
    """A task for an executor: see `BlueprintMeasure.flop`. A process makes what it needs once."""
    if work.key not in _MADE:
        own = deepcopy(work.what)  # what comes from a cluster's store cannot be written to
        buckets = own.empty_buckets()._replace(averages=aligned(own.numbers))
        buckets.averages[:] = work.averages
        _MADE.clear()
        _MADE[work.key] = BlueprintMeasure(own, buckets, work.by_street)
    return _MADE[work.key].flop(flop)


_MADE: dict[str, BlueprintMeasure] = {}  # in a process of an executor: the one of the measurement under way


def measure_flops(
    what: BlueprintGame,
    buckets: Buckets,
    choice: FlopChoice,
    threads: int = 0,
    on_done: Callable[[int, int], None] | None = None,
    by_street: bool = False,
    executor: Executor | None = None,
) -> Measured:
    """What a blueprint comes to over these flops; each is a task of one thread, here or where an executor runs it.

    by_street: also what responses gain that begin on a later street.
    """
    done = count(1)
    if executor is not None:
        work = FlopWork(token_hex(8), what, buckets.averages, by_street)

        def heard(_: np.ndarray) -> None:
            if on_done is not None:
                on_done(next(done), len(choice.flops))

        listed = executor.map(partial(flop_values, work), [int(flop) for flop in choice.flops], heard)
        last = BlueprintMeasure(what, buckets, by_street)
        last.flop(int(choice.flops[0]))  # lays out its memory
        return last.total(choice.shares.tolist(), listed)
    workers: Queue[BlueprintMeasure] = Queue()
    for _ in range(min(thread_count(threads), len(choice.flops))):  # first in, first out: each is used
        workers.put(BlueprintMeasure(what, buckets, by_street))

    def values(flop: int) -> np.ndarray:
        worker = workers.get()
        try:
            return worker.flop(flop)
        finally:
            workers.put(worker)
            if on_done is not None:
                on_done(next(done), len(choice.flops))

    found = thread_map(values, [int(flop) for flop in choice.flops], threads)
    return workers.get().total(choice.shares.tolist(), found)
