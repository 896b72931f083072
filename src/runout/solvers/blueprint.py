"""The blueprint solver: public chance sampling on the range engine, learnt by buckets of hands.

1. An iteration updates one player, players in turn: draw a batch of boards (flop, turn, river) and sweep all lines of
   each, all hands against all hands, under the strategies as they are (`kernels.blueprint`).
2. Boards are drawn from the whole deck and hands that they block drop out, so the value of a pair of hands is scaled at
   each deal by how likely the cards are for the pair: on average it is the value of the whole game.
3. Changes of regrets and averages are added up by buckets. After each epoch what was learnt is weighed, as a variant of
   CFR weighs iterations (`schedules`).

The average strategy converges to an equilibrium of the game in which players see buckets; where every bucket is one
hand ("lossless"), of the game itself. The result depends on the seed alone, not on the number of threads.

With `answers` each player learns against an opponent of its own, who before the last streets learns with buckets and
there sees every card and answers what the player plays now in the best way (CFR-BR; Johanson and others, 2012). What
the player learns then is what loses least there among all strategies that see buckets; it does not count on an opponent
who sees buckets too. Who answers on the turn has to know what every river brings: all of them are dealt then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb

import numpy as np

from runout.cards.cards import DECK
from runout.cards.equity169 import equity_table, pair_table
from runout.cards.evaluator import tables
from runout.cards.hands import CLASS_COMBOS, CLASSES, COMBO_CLASS, COMBOS, combo_index
from runout.games.points import BOARD_CARDS
from runout.kernels import blueprint as kernel
from runout.kernels.abstraction import CLUSTERS
from runout.kernels.board_buckets import ALL_CARDS, BoardNotes
from runout.kernels.board_luck import CheckedDown
from runout.kernels.bucket_lines import run_width
from runout.kernels.tables import (
    BOARD_COLUMNS,
    CHANCE_VALUE,
    CHILD_FIRST,
    COUNT,
    HANDS,
    IMAGE_COUNT,
    LANES,
    MOST_STREETS,
    NEXT_ENTRIES,
    NO_NUMBERS,
    RUNS,
    STORE,
    STRENGTH_FIRST,
    STRIDE,
    Boards,
    Buckets,
    Member,
    Rows,
)
from runout.kernels.team import TEAM_STATE
from runout.kernels.threads import Threads, thread_count
from runout.solvers.blueprint_game import BlueprintGame, take_over, with_buckets
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.range_memory import aligned, new_storage, working_memory
from runout.solvers.ranges import make_plans
from runout.solvers.schedules import Schedule
from runout.solvers.whole import in_pieces

_NO_ROUND = -1, np.zeros(0, np.int64)


class BlueprintSolver:
    """Learns a blueprint; a `protocols.Solver`."""

    def __init__(
        self,
        what: BlueprintGame,
        schedule: Schedule,
        batch: int,
        epoch: int,
        seed: int = 0,
        threads: int = 0,
        own: bool = False,
        answers: int = 0,
        keep_preflop: bool = False,
    ) -> None:
        """own: every hand of a batch has numbers of its own after the first street, which somebody else fills in.
        answers: on how many streets, the last ones, opponents answer; at most 2, and not before the flop.
        keep_preflop: before the flop players play what they begin from."""
        assert answers < what.streets
        assert answers < 2 or (answers == 2 and what.streets == MOST_STREETS)
        assert not (answers and own)
        self.answers, self.keep_preflop = answers, keep_preflop
        self._shared = what.streets - answers if answers else 0  # streets, the first ones, on which opponents learn too
        # Boards of each street below a flop that is drawn.
        self._each = [1] * what.streets
        if answers > 1:
            self._each[-1] = what.rivers
        self.what, self.schedule = what, schedule
        self.batch, self.epoch, self.seed = batch, epoch, seed
        self.threads = min(thread_count(threads), batch) if answers else thread_count(threads)
        self.iteration, self.epochs_before = 0, 0
        what.require_memory(batch, self.threads, own, answers)
        self.own = own
        self.buckets = what.new_buckets(batch if own else None)
        self._whole = self._with_opponents()
        game = what.range_game()
        plans = make_plans(game, len(what.tree.streets))
        root = what.root()
        boards = (root.tables, *(_sampled(what, street, batch, self._each) for street in range(1, what.streets)))
        self._store, private, numbers = self._places(boards)
        ranges = np.zeros((2, int(boards[0].stride.max())), np.float32)
        for player in range(2):
            ranges[player, : boards[0].count[player, 0]] = 1.0
        self._sweep, self._scratch = working_memory(
            plans, boards, new_storage(numbers, 0, "float32"), ranges, self.threads, self.buckets
        )
        if answers:  # values of the boards for both players at once
            size, first = len(self._sweep.out), self._sweep.out_first
            self._sweep = self._sweep._replace(out=aligned(2 * size), out_first=first + np.array([[0], [size]]))
        # An opponent who answers has a first street of its own; the threads share it, as they do the player's.
        self._answering = self._scratch
        if answers:
            top = Rows(*(aligned(len(part)) for part in self._scratch[0].rows[0]))
            self._answering = [each._replace(rows=(top, *each.rows[1:])) for each in self._scratch]
        self._checked = _checked_down(what)
        self._pool = Threads(self.threads)
        self._notes = [new_notes(first) for first in private]
        copies = what.abstraction.flop_copies
        self._odds = np.cumsum(copies) / copies.sum()
        self._round = -(-len(copies) // batch)  # iterations of a player in which all flops come once, if equally likely
        # Of each player and shard: the round's number and its flops.
        self._rounds: dict[tuple[int, int], tuple[int, np.ndarray]] = {}

    def _places(self, boards: tuple[Boards, ...]) -> tuple[np.ndarray, np.ndarray, int]:
        """Storage: of the empty board both players' rows, of each board of the batch those of the player who learns and
        of an opponent who learns too, and of each thread the opponent's, with answers both players'. As in
        `Dealing.store`; as in `BoardNotes.store` of each thread; numbers in all."""
        rows, strides = self.what.rows, [int(street.stride.max()) for street in boards]
        at = 0
        for player in range(2):
            boards[0].table[0, STORE + player] = at
            at += int(rows[player, 0]) * strides[0]
        store, private = np.zeros((3, MOST_STREETS), np.int64), np.zeros((self.threads, 2, MOST_STREETS), np.int64)
        for street in range(1, self.what.streets):
            each = int(rows[:, street].max()) * strides[street]
            store[:, street] = at, at + self.batch * each, each
            of_flop, sides = each * self._each[street], 2 if self.answers else 1
            at += self.batch * of_flop * (2 if street < self._shared else 1)
            private[:, :, street] = at + of_flop * np.arange(sides * self.threads).reshape(-1, sides)
            at += sides * self.threads * of_flop
        return store, private, at

    def _with_opponents(self) -> tuple[Buckets, Buckets]:
        """What is learnt, as the player of each seat finds it: with the numbers of the opponent who answers, which
        stand behind those of the players."""
        if not self.answers:
            return self.buckets, self.buckets
        sizes = self.what.rows * self.what.width
        sizes[:, self._shared :] = 0
        first = len(self.buckets.regrets) + (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
        first[:, self._shared :] = NO_NUMBERS
        regrets, averages = (aligned(len(self.buckets.regrets) + int(sizes.sum())) for _ in range(2))
        players = slice(0, len(self.buckets.regrets))
        self.buckets = self.buckets._replace(regrets=regrets[players], averages=averages[players])
        seats = [np.stack([self.buckets.first[0], first[1]]), np.stack([first[0], self.buckets.first[1]])]
        one, other = (Buckets(regrets, averages, np.ascontiguousarray(seat), self.what.width) for seat in seats)
        return one, other

    def begin_from(
        self, other: BlueprintGame, regrets: np.ndarray, averages: np.ndarray, epochs: int, scale: Sequence[float] = ()
    ) -> None:
        """Take over what was learnt with other buckets in so many epochs, and weigh later ones as if going on.

        scale: by street, how many boards an epoch has here for each that one had there; numbers are made that much
        larger, as if they had been learnt here.
        """
        self.epochs_before = epochs
        take_over(self.what, self.buckets, other, other.empty_buckets()._replace(regrets=regrets, averages=averages))
        for player, (street, factor) in product(range(2), enumerate(scale)):
            first, count = self.buckets.first[player, street], self.what.rows[player, street] * self.what.width[street]
            for numbers in (self.buckets.regrets, self.buckets.averages):
                numbers[first : first + count] *= np.float32(factor)
        for player, seat in enumerate(self._whole):  # opponents begin as the player of their seat
            for street in range(self._shared):
                count = int(self.what.rows[1 - player, street] * self.what.width[street])
                to, source = int(seat.first[1 - player, street]), int(self.buckets.first[1 - player, street])
                seat.regrets[to : to + count] = self.buckets.regrets[source : source + count]
        if self.keep_preflop:  # the average is what is played from now on
            for player in range(2):
                first = int(self.buckets.first[player, 0])
                kept = slice(first, first + int(self.what.rows[player, 0] * self.what.width[0]))
                self.buckets.regrets[kept] = self.buckets.averages[kept]

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        for _ in range(iterations):
            cards, flops = self.draw(self.iteration)
            self.learn(self.iteration % 2, cards, flops)
            self.iteration += 1
            if self.iteration % (2 * self.epoch) == 0:
                self._discount(self.epochs_before + self.iteration // (2 * self.epoch))

    def draw(self, iteration: int, shard: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """The boards of an iteration, uint8 [batch, 5], and the numbers of their flops, int64 [batch]."""
        random = np.random.Generator(np.random.Philox(key=[self.seed, shard], counter=iteration))
        flops = self._flops_of(iteration, shard)
        deck = np.array(self.what.game.deck, np.uint8)
        keys = random.random((self.batch, len(deck)))
        first = self.what.abstraction.flops[flops]
        keys[(deck[None, :, None] == first[:, None, :]).any(axis=2)] = 2.0  # not dealt again
        order = np.argpartition(keys, 2, axis=1)[:, :2]
        order = np.take_along_axis(order, np.argsort(np.take_along_axis(keys, order, axis=1), axis=1), axis=1)
        return np.concatenate([first, deck[order]], axis=1), flops

    def _flops_of(self, iteration: int, shard: int) -> np.ndarray:
        """int64 [batch]: each of a player's flops comes in a round of iterations as often as it should, to within one.

        Each draw by itself is as likely to give a flop as a deal is: nothing is biased, and chance has less to say.
        """
        player, (number, place) = iteration % 2, divmod(iteration // 2, self._round)
        if self._rounds.get((player, shard), _NO_ROUND)[0] != number:
            random = np.random.Generator(np.random.Philox(key=[self.seed, shard], counter=[number, player, 1, 0]))
            boards = self._round * self.batch
            flops = np.searchsorted(self._odds, (np.arange(boards) + random.random()) / boards, side="right")
            self._rounds[player, shard] = number, random.permutation(np.minimum(flops, len(self._odds) - 1))
        return self._rounds[player, shard][1][place * self.batch : (place + 1) * self.batch]

    def learn(self, player: int, cards: np.ndarray, flops: np.ndarray) -> None:
        """One update of a player over these boards; as many as `batch`."""
        dealing = self._dealing(cards, flops, self._shared or MOST_STREETS)
        state, game = np.zeros(TEAM_STATE, np.int64), self._sweep._replace(buckets=self._whole[player])
        rows = np.stack([self.what.rows[player], self.what.rows[1 - player]])
        rows[1, self._shared :] = 0
        if self.keep_preflop:  # opponents who answer go on learning there
            rows[0, 0] = 0

        def member(thread: int) -> None:
            team = Member(state, thread, self.threads)
            kernel.learn_batch(
                team, game, dealing, rows, player, self._scratch[thread], self._answering[thread], self._notes[thread]
            )  # fmt: skip

        self._pool.run(member)

    def _dealing(self, cards: np.ndarray, flops: np.ndarray, answers_from: int = MOST_STREETS) -> kernel.Dealing:
        assert len(cards) == self.batch
        buckets = self.what.abstraction.tables
        self.what.abstraction.meet(cards)
        if self._each[-1] > 1:
            cards = _every_river(cards, self.what.game.deck)
        return kernel.Dealing(
            np.ascontiguousarray(cards), flops, self._store, answers_from, tables(), buckets, self._checked, self.own
        )

    def listed(self, cards: np.ndarray, flops: np.ndarray) -> tuple[Boards, ...]:
        """The hands of these boards on every street, as `learn` will go over them; it is overwritten by the next."""
        kernel.list_boards(self._sweep, self._dealing(cards, flops), 0, self._notes[0])
        return self._sweep.boards

    def listed_combos(self, cards: np.ndarray, flops: np.ndarray) -> list[list[np.ndarray]]:
        """The hands of these boards, [street after the first][board], int64 [hands] each in the engine's order."""
        assert self.answers < 2
        listed, found = self.listed(cards, flops), []
        for street in range(1, self.what.streets):
            at, own = listed[street], []
            for board in range(len(cards)):
                first, count = int(at.table[board, HANDS]), int(at.table[board, COUNT])
                held = at.card_a[first : first + count], at.card_b[first : first + count]
                own.append(combo_index(*(one.astype(np.int64) for one in held)))
            found.append(own)
        return found

    def listed_places(self, street: int) -> list[np.ndarray]:
        """Of each board listed last: the buckets of its hands, int32 [hands]; a view."""
        boards = self._sweep.boards[street]
        found = []
        for board in range(self.batch):
            first, count = int(boards.table[board, HANDS]), int(boards.table[board, COUNT])
            found.append(boards.bucket[first : first + count])
        return found

    def line_values(self, player: int, cards: np.ndarray, flops: np.ndarray) -> np.ndarray:
        """float64 [entries, 169]: what a hand of each class wins on the lines that see a flop when both play their
        averages, in the mean of these boards (as many as `batch`), summed over the opponent's reach of all combos."""
        kernel.value_batch(self._sweep, self._dealing(cards, flops), player, self._scratch[0], self._notes[0])
        root, group = self._sweep.boards[0], self._sweep.plans[player][0].groups[0]
        stride, combos = int(root.table[0, STRIDE + player]), root.combos(player, 0)
        first, entries = int(group[CHANCE_VALUE]) * stride, int(group[NEXT_ENTRIES])
        rows = self._scratch[0].rows[0].values[first : first + entries * stride].reshape(entries, stride)
        classes, held = COMBO_CLASS[combos], rows[:, : len(combos)].astype(np.float64)
        return np.stack([np.bincount(classes, row, CLASSES) for row in held]) / np.bincount(classes, minlength=CLASSES)

    def changes(self, player: int, street: int) -> np.ndarray:
        """float32 [batch, rows, hands]: regrets of the last `learn` on a street after the first, where every hand has
        numbers of its own; a view."""
        assert self.own
        first, each = int(self._store[0, street]), int(self._store[2, street])
        stride = int(self._sweep.boards[street].table[0, STRIDE])
        whole = self._sweep.storage.regrets[first : first + self.batch * each].reshape(self.batch, -1)
        rows = int(self.what.rows[player, street])
        return whole[:, : rows * stride].reshape(self.batch, rows, stride)

    def root_changes(self, player: int) -> np.ndarray:
        """float64 [buckets, rows]: the same before the flop, added up over the hands of each bucket."""
        root = self._sweep.boards[0]
        at, rows = root.table[0], int(self.what.rows[player, 0])
        runs, first, hands = (int(at[column + player]) for column in (RUNS, STORE, HANDS))
        width = int(run_width.py_func(at, player))
        found = np.zeros((self.what.abstraction.sizes[0], rows))
        assert root.run_bucket is not None
        changes = self._sweep.storage.regrets[first : first + rows * width].reshape(rows, width)
        np.add.at(found, root.run_bucket[hands : hands + runs], changes[:, :runs].T)
        return found

    def _discount(self, epoch: int) -> None:
        weights = self.schedule.at(epoch + 1)
        whole = self._whole[0]
        kernel.discount(whole.regrets, whole.averages, *np.array(weights[:3], np.float32))

    def policy(self) -> BlueprintPolicy:
        """The average strategy; it changes with the solver."""
        return BlueprintPolicy(self.what, self.buckets)

    def memory(self) -> int:
        return sum(
            array.nbytes for array in (*self._whole[0], self._sweep.storage.regrets, self._sweep.storage.averages)
        )

    def state(self) -> dict[str, np.ndarray]:
        return {
            "regrets": self.buckets.regrets,
            "averages": self.buckets.averages,
            "iteration": np.array(self.iteration),
            "epochs_before": np.array(self.epochs_before),
            **({"opponents": self._opponents()} if self.answers else {}),
        }

    def _opponents(self) -> np.ndarray:
        """The regrets of the opponents who answer; a view."""
        return self._whole[0].regrets[len(self.buckets.regrets) :]

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.buckets.regrets[:] = state["regrets"]
        self.buckets.averages[:] = state["averages"]
        if self.answers:
            self._opponents()[:] = state["opponents"]
        self.iteration, self.epochs_before = int(state["iteration"]), int(state.get("epochs_before", 0))


def _checked_down(what: BlueprintGame) -> CheckedDown:
    """Half of each pot that sees a flop, and what hands win there without bets; known of the full deck and river."""
    buckets = what.abstraction.sizes[0]
    if len(what.game.deck) < DECK or what.streets < MOST_STREETS or buckets != CLASSES:
        return CheckedDown(np.zeros(0), np.zeros((0, 0)))
    of_bucket = np.zeros(CLASSES, np.int64)
    of_bucket[what.abstraction.tables.preflop] = COMBO_CLASS
    won = (2 * equity_table() - 1) * pair_table() / CLASS_COMBOS[:, None]
    return CheckedDown(what.tree.streets[1].entry_pot / 2, np.ascontiguousarray(won[np.ix_(of_bucket, of_bucket)]))


def _every_river(cards: np.ndarray, deck: Sequence[int]) -> np.ndarray:
    """uint8 [n * rivers, 5]: boards uint8 [n, 5] with every river in place of their own."""
    left = [[card for card in deck if card not in board[:4]] for board in cards.tolist()]
    found = np.repeat(cards, len(left[0]), axis=0)
    found[:, 4] = np.concatenate(left)
    return found


def _sampled(what: BlueprintGame, street: int, flops: int, each: Sequence[int]) -> Boards:
    """Room for the boards of a batch on one street, so many of `each` street for a flop; both players hold the same
    hands."""
    deck, last = len(what.game.deck), street == what.streets - 1
    shown = BOARD_CARDS[street]
    count = comb(deck - shown, 2)
    stride = -(-count // LANES) * LANES
    batch = flops * each[street]
    table = np.zeros((batch + 1, BOARD_COLUMNS), np.int64)
    places = np.arange(batch + 1)
    for player in range(2):
        table[:, COUNT + player], table[:, STRIDE + player] = count, stride
        table[:, HANDS + player] = places * stride
    table[:, CHILD_FIRST] = places * (1 if last else each[street + 1] // each[street])
    table[:, STRENGTH_FIRST] = places * stride if last else 0
    table[:, IMAGE_COUNT] = 1
    dealt = shown - BOARD_CARDS[street - 1]
    left = deck - BOARD_CARDS[street - 1]
    weight = comb(left, dealt) / comb(left - 4, dealt) / (flops if street == 1 else each[street] // each[street - 1])
    size = batch * stride
    boards = Boards(
        table=table,
        weight=np.full(batch, weight, np.float32),
        up=np.zeros(size, np.int16),
        same=np.zeros(size, np.int16),
        card_a=np.zeros(size, np.uint8),
        card_b=np.zeros(size, np.uint8),
        ends=np.zeros((2, size if last else 0), np.int16),
        images=np.zeros(0, np.int16),
        runouts=np.zeros(0, np.float32),
        bucket=np.zeros(0, np.int32),
    )
    return with_buckets(boards)


def new_notes(store: np.ndarray | None = None) -> BoardNotes:
    """Working memory of a thread; store: as in `BoardNotes`, not needed to list hands alone."""
    store = np.zeros((2, MOST_STREETS), np.int64) if store is None else store
    source, strength, order, spare = (np.zeros(COMBOS, np.int32) for _ in range(4))
    pair, by_card = np.zeros((COMBOS, 2), np.uint8), np.zeros((2, 52), np.int64)
    by_cluster, shares = np.zeros((3, ALL_CARDS + 1, CLUSTERS), np.int64), np.zeros(CLUSTERS)
    return BoardNotes(store, pair, source, strength, order, spare, by_card, by_cluster, shares)
