"""External-sampling MCCFR for hold'em, with linear weights (Lanctot et al. 2009; Brown and Sandholm 2019).

1. An iteration walks `traversals` deals for each player: all actions of the traverser, one of the opponent's.
2. Sampled regrets and the opponent's strategies are added up with weight t in iteration t, in a hash table of
   information sets that grows as they are met.
3. The average strategy converges as one over the root of the number of walks.

The walk is in `runout.kernels.mccfr`; it runs on one thread and the result depends on the seed alone.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from runout import memory
from runout.cards.abstraction import AbstractionSettings
from runout.cards.evaluator import tables
from runout.errors import SolutionError
from runout.games.deals import DealPool, left_cards
from runout.games.holdem_batch import HoldemBatch, structure
from runout.games.holdem_game import DEAL_CARDS, HoldemGame
from runout.kernels import mccfr as kernel
from runout.kernels.deals import draw
from runout.solutions.format import STATE, Bundle
from runout.solutions.stored import fitting, require_range
from runout.solvers.card_keys import CardKeys
from runout.solvers.exact_measure import ExactMeasure
from runout.solvers.whole import in_pieces

KIND = "mccfr"
UNIT = "mbb/hand"
BLOCK = 1 << 15  # deals that are laid out at once
FULL = 0.6  # share of a table above which it grows
_FIRST_CAPACITY = 1 << 16
_FIRST_NOTES = 1 << 12
_SAMPLING = 0x5DEECE66D  # what tells the generator of actions from that of deals


class TablePolicy:
    """The average strategies of a table; a `protocols.HoldemPolicy`. Even play where the table knows nothing."""

    weights = np.ones(1)

    def __init__(self, game: HoldemGame, cards: CardKeys, keys: np.ndarray, averages: np.ndarray) -> None:
        self.game, self.cards, self.keys, self.averages = game, cards, keys, averages

    def probabilities(self, batch: HoldemBatch, part: int = 0) -> np.ndarray:
        """float64 [n, slots] of a batch without hands that are over."""
        return self._of_keys(batch, self.cards.acting(batch))

    def of_buckets(self, batch: HoldemBatch, buckets: np.ndarray) -> np.ndarray:
        """float64 [n, slots] of hands in these buckets int [n] of the street; whatever cards the batch has."""
        keys = np.zeros((len(batch), 2, kernel.STREETS), np.uint64)
        streets = np.repeat(np.asarray(buckets, np.int32), 2 * kernel.STREETS).reshape(len(batch), 2, -1)
        kernel.bucket_keys(streets, keys)
        return self._of_keys(batch, keys[np.arange(len(batch)), batch.player, batch.hands["street"]])

    def _of_keys(self, batch: HoldemBatch, cards: np.ndarray) -> np.ndarray:
        keys = np.empty(len(batch), np.uint64)
        kernel.batch_keys(batch.rules, batch.hands, batch.added, cards, keys)
        out = np.empty((len(batch), batch.rules.slots))
        kernel.look_up(batch.rules, batch.streets, batch.hands, keys, self.keys, self.averages, out)
        return out


class HoldemMccfr:
    """MCCFR on dealt hold'em; a `protocols.Trainee`."""

    unit = UNIT

    def __init__(
        self,
        game: HoldemGame,
        traversals: int,
        seed: int = 0,
        pool: DealPool | None = None,
        abstraction: AbstractionSettings | None = None,
    ) -> None:
        self.game, self.traversals, self.pool = game, traversals, pool
        self.iteration = 0
        self.cards = CardKeys(game, abstraction)
        self.table = kernel.new_table(_FIRST_CAPACITY, len(game.slot_names))
        self._rules, self._streets = structure(game)
        self._frames = game.rules.streets * game.actions_a_street
        self._walk = kernel.new_walk(self._frames, _FIRST_NOTES, len(game.slot_names))
        self._generators = np.array([seed, seed ^ _SAMPLING], np.uint64)  # of deals, of actions
        self._visited = np.zeros(1, np.int64)
        self._seconds = 0.0
        self._measured = ExactMeasure(game)
        self._walk_over(np.empty((0, DEAL_CARDS), np.uint8), np.empty(0), 0.0)  # compiles, or loads what was compiled

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        begun = time.perf_counter()
        for _ in range(iterations):
            left, deck = 2 * self.traversals, left_cards(self.game)
            while left > 0:
                deals, importance = self._draw(min(left, BLOCK), deck)
                self._walk_over(deals, importance, self.iteration + 1.0)
                left -= len(deals)
            self.iteration += 1
        self._seconds += time.perf_counter() - begun

    def _draw(self, count: int, deck: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Deals uint8 [count, 9] and the importance of each."""
        generator = self._generators[:1]
        if self.pool is None:
            deals = np.empty((count, DEAL_CARDS), np.uint8)
            draw(generator, deck, np.array(self.game.board, np.uint8), deals)
            return deals, np.ones(count)
        rows = np.empty(count, np.int64)
        kernel.pick(generator, len(self.pool), rows)
        return self.pool.deals[rows], self.pool.weights[rows]

    def _walk_over(self, deals: np.ndarray, importance: np.ndarray, weight: float) -> None:
        shares = np.empty(len(deals))
        kernel.showdown_shares(deals, self.game.board_cards, tables(), shares)
        keys, first = self.cards.of(deals), 0
        while True:
            most = int(FULL * len(self.table.keys))
            first = kernel.walks(
                self._rules,
                self._streets,
                shares,
                keys,
                importance,
                first,
                weight,
                self.table,
                most,
                self._generators[1:],
                self._walk,
                self._visited,
            )
            if first == len(deals):
                return
            if self.table.used[0] >= most:
                self._grow()
            else:
                notes = 2 * len(self._walk.noted_row)
                self._walk = kernel.new_walk(self._frames, notes, len(self.game.slot_names))

    def _grow(self) -> None:
        old, slots = self.table, len(self.game.slot_names)
        _require(2 * len(old.keys), slots, self.size)
        self.table = kernel.new_table(2 * len(old.keys), slots)
        kernel.rehash(old.keys, old.regrets, old.averages, self.table)

    @property
    def size(self) -> int:
        """Information sets in the table."""
        return int(self.table.used[0])

    def policy(self) -> TablePolicy:
        """The average strategy; it keeps changing with the solver."""
        return TablePolicy(self.game, self.cards, self.table.keys, self.table.averages)

    def memory(self) -> int:
        return sum(array.nbytes for array in self.table)

    @property
    def measures(self) -> bool:
        return self._measured.possible

    def measure(self) -> float | None:
        """Exploitability in mbb/hand by the exact best response; None where the range engine cannot hold the game."""
        return self._measured.exploitability(self.policy())

    def metrics(self) -> dict[str, float]:
        samples = 2.0 * self.traversals * self.iteration
        pace = 1 / self._seconds if self._seconds else 0.0
        return {
            "samples": samples,
            "table_size": float(self.size),
            "table_bytes": float(self.memory()),
            "samples_per_second": samples * pace,
            "nodes_per_second": float(self._visited[0]) * pace,
        }

    def state(self) -> dict[str, np.ndarray]:
        """Rows in the order of their keys, so that equal tables are equal arrays."""
        rows = np.flatnonzero(self.table.keys)
        rows = rows[np.argsort(self.table.keys[rows])]
        return {
            "keys": self.table.keys[rows],
            "averages": self.table.averages[rows],
            "regrets": self.table.regrets[rows],
            "generators": self._generators.copy(),
            "iteration": np.array([self.iteration], np.int64),
            "visited": self._visited.copy(),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        for name in ("keys", "averages", "regrets", "generators", "iteration", "visited"):
            if name not in state:
                raise SolutionError(f"the saved state lacks {name!r}: it cannot be gone on from")
        keys, slots = _checked_keys(state["keys"]), len(self.game.slot_names)
        rows = {name: fitting(state, name, (len(keys), slots), np.float32) for name in ("regrets", "averages")}
        require_range(rows["averages"], "averages", 0)
        self.table = _packed(keys, rows["regrets"], rows["averages"])
        self._generators[:] = state["generators"]
        self._visited[:] = state["visited"]
        self.iteration = int(state["iteration"][0])

    def checkpoint(self, resumable: bool) -> Bundle:
        state = self.state()
        solution = {name: state.pop(name) for name in ("keys", "averages")}
        kept = {STATE + name: array for name, array in state.items()} if resumable else {}
        reached = {"table_size": self.size, "samples": 2 * self.traversals * self.iteration, "seconds": self._seconds}
        return Bundle(KIND, {}, reached, {**solution, **kept})

    def restore_from(self, bundle: Bundle) -> None:
        self.restore({name.removeprefix(STATE): array for name, array in bundle.arrays.items()})
        self._seconds = float(bundle.reached["seconds"])


def table_policy(game: HoldemGame, bundle: Bundle) -> TablePolicy:
    """The policy of a checkpoint."""
    keys = _checked_keys(bundle.arrays["keys"])
    averages = fitting(bundle.arrays, "averages", (len(keys), len(game.slot_names)), np.float32, 0)
    settings = bundle.config.get("abstraction")
    abstraction = None if settings is None else AbstractionSettings.model_validate(settings)
    table = _packed(keys, averages, averages)
    return TablePolicy(game, CardKeys(game, abstraction), table.keys, table.averages)


def _checked_keys(keys: np.ndarray) -> np.ndarray:
    """Keys of a table in a file; refused where two rows have one, or one has none."""
    if keys.dtype != np.uint64 or keys.ndim != 1 or not keys.all() or len(np.unique(keys)) != len(keys):
        raise ValueError("its table is not one of this game")
    return keys


def _packed(keys: np.ndarray, regrets: np.ndarray, averages: np.ndarray) -> kernel.Table:
    """A table of these rows with room to grow."""
    capacity = _FIRST_CAPACITY
    while len(keys) >= FULL * capacity:
        capacity *= 2
    _require(capacity, regrets.shape[1], len(keys))
    table = kernel.new_table(capacity, regrets.shape[1])
    kernel.rehash(keys, regrets, averages, table)
    return table


def _require(capacity: int, slots: int, size: int) -> None:
    """Refuse a table that does not fit in memory."""
    what = f"the table of {size:,} information sets is full; a larger one takes"
    memory.require(capacity * (8 + 8 * slots), what, "use a card abstraction, fewer bet sizes or lower raise caps")
