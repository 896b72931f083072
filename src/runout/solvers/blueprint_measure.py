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
from dataclasses import dataclass
from itertools import count
from math import comb
from queue import Queue

import numpy as np

from runout.cards.hands import CLASSES, COMBO_CARDS, COMBO_CLASS
from runout.games.boards import board_tree
from runout.kernels import blueprint as kernel
from runout.kernels.lines import AVERAGE, BEST_RESPONSE
from runout.kernels.tables import CHILD_FIRST, NODE_VALUE, STORE, STRIDE, Boards, Buckets, SweepGame
from runout.kernels.threads import thread_count, thread_map
from runout.solvers.blueprint import new_notes
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.flop_choice import FlopChoice
from runout.solvers.range_memory import new_storage, working_memory
from runout.solvers.ranges import make_plans

ASKED = ((0, BEST_RESPONSE), (1, BEST_RESPONSE), (0, AVERAGE), (1, AVERAGE))  # what is found on a flop


@dataclass(frozen=True)
class Measured:
    """What a blueprint comes to, in chips of a hand."""

    exploitability: float  # mean over both seats
    gains: tuple[float, float]  # what a best response of each player wins more than the blueprint does
    values: tuple[float, float]  # what each wins when both play the blueprint


class BlueprintMeasure:
    """Sweeps flops under one blueprint; for one thread."""

    def __init__(self, what: BlueprintGame, buckets: Buckets) -> None:
        self.what, self.buckets = what, buckets
        self.plans = make_plans(what.range_game(), what.streets)
        root = what.root().tables
        table = root.table.copy()
        table[:, CHILD_FIRST] = [0, 1]
        self.root = root._replace(table=table)
        self._ranges = np.ones((2, int(root.stride.max())), np.float32)
        for player in range(2):
            self._ranges[player, root.count[player, 0] :] = 0
        self._notes = new_notes(np.zeros(4, np.int64))

    def flop(self, flop: int) -> np.ndarray:
        """float64 [4, entries, 169]: values of the lines on a flop, by class, for each of ASKED."""
        game = self._below(flop)
        found = np.zeros((len(ASKED), game.plans[0][1].entry_count, CLASSES))
        for row, (player, mode) in enumerate(ASKED):
            kernel.flop_values(game, player, mode, self._scratch)
            stride = int(game.boards[1].stride[player, 0])
            combos = game.boards[1].combos(player, 0)
            out = self._scratch.rows[1].out.reshape(-1)[: found.shape[1] * stride].reshape(-1, stride)
            for entry in range(found.shape[1]):
                found[row, entry] = np.bincount(COMBO_CLASS[combos], out[entry, : len(combos)], CLASSES)
        return found

    def _below(self, flop: int) -> SweepGame:
        cards = self.what.abstraction.flops[flop]
        weights = self.what.game.weights * ~np.isin(COMBO_CARDS, cards).any(axis=1)
        deals = (1,) * (self.what.streets - 2)
        streets = board_tree(cards.tolist(), weights, deals, deck=self.what.game.deck)
        boards = [self.root]
        for street, found in enumerate(streets, 1):
            part = found.tables._replace(bucket=np.zeros(len(found.tables.card_a), np.int32))
            if street == 1:
                part = part._replace(up=self._up(part))
            kernel.bucket_boards(part, street, found.cards, flop, self.what.abstraction.tables, self._notes)
            boards.append(part)
        return self._placed(boards)

    def _up(self, boards: Boards) -> np.ndarray:
        """Where each hand of the flop stands among those of the empty board."""
        up = boards.up.copy()
        for player in range(2):
            first, count = int(boards.hands[player, 0]), int(boards.count[player, 0])
            up[first : first + count] = np.searchsorted(self.root.combos(player, 0), boards.combos(player, 0))
        return up

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
        chips = []
        for row, (player, mode) in enumerate(ASKED):
            chance = mean[row][:, COMBO_CLASS[self.root.combos(player, 0)]].astype(np.float32)
            kernel.root_values(self._game, player, mode, np.ascontiguousarray(chance), self._scratch)
            stride = int(self.root.table[0, STRIDE + player])
            at = int(self.plans[player][0].nodes[0, NODE_VALUE]) * stride
            own = self._scratch.rows[0].values[at : at + self.root.count[player, 0]]
            chips.append(float(own.astype(np.float64).sum()) / deals)
        gains = chips[0] - chips[2], chips[1] - chips[3]
        return Measured(sum(gains) / 2, gains, (chips[2], chips[3]))


def measure_flops(
    what: BlueprintGame,
    buckets: Buckets,
    choice: FlopChoice,
    threads: int = 0,
    on_done: Callable[[int, int], None] | None = None,
) -> Measured:
    """What a blueprint comes to over these flops; each is a task of one thread."""
    workers: Queue[BlueprintMeasure] = Queue()
    for _ in range(thread_count(threads)):
        workers.put(BlueprintMeasure(what, buckets))
    done = count(1)

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
