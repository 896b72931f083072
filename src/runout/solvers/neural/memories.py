"""What is kept of walks over a small game, and how minibatches are drawn from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch

from runout.errors import InputError
from runout.games.compiled import CompiledGame
from runout.kernels import sampling
from runout.solutions.stored import fitting
from runout.solvers.neural.fitting import Batch
from runout.solvers.neural.player import PlayerNetwork
from runout.solvers.neural.reservoir import Reservoir, random_state, set_random_state
from runout.solvers.neural.settings import DISCOUNTS, MemorySettings, SgdSettings
from runout.solvers.neural.small_sides import SmallSide, advantages
from runout.solvers.sampling import sampling_tree
from runout.solvers.schedules import Schedule, make_schedule

Draw = Callable[[], Batch]


class StatisticsTable:
    """Sums of regrets and of the opponent's reach, row by row: the sufficient statistics of all samples."""

    def __init__(
        self, game: CompiledGame, side: SmallSide, memory: MemorySettings, sgd: SgdSettings, seed: int
    ) -> None:
        self.game, self.side, self.batch_size = game, side, sgd.batch_size
        self.weights: Schedule = make_schedule(DISCOUNTS[memory.discount])
        self.regrets = np.zeros(side.legal.shape)
        self.reach = np.zeros(len(side.numbers))
        self.newest = np.zeros(side.legal.shape)
        self.iteration = 0
        self._random = np.random.default_rng([seed, side.player])
        self._numbers = torch.from_numpy(np.ascontiguousarray(side.numbers))
        self._legal = torch.from_numpy(side.legal.astype(np.float32))

    @property
    def size(self) -> int:
        """Rows that a minibatch is drawn from."""
        return len(self.side.numbers)

    @property
    def seen(self) -> int:
        """Regrets added up so far."""
        return self.iteration * self.size

    def walk(self, strategy: np.ndarray, iteration: int, traversals: int, network: PlayerNetwork) -> int:
        """Add the regrets of one pass over the whole tree; how many nodes it has."""
        found, reach = advantages(self.game, self.side, strategy)
        now = self.weights.at(iteration)
        self.regrets = self.regrets * np.where(self.regrets > 0, now.positive, now.negative) + found
        self.reach = self.reach * now.positive + reach
        self.newest, self.iteration = found, iteration
        return len(self.game.player)

    def targets(self) -> tuple[np.ndarray, np.ndarray]:
        """Normalised advantages [rows, slots] that the next strategy is chosen by, and weights [rows]."""
        after = self.weights.at(self.iteration + 1)
        regrets = self.regrets * np.where(self.regrets > 0, after.positive, after.negative or 1.0)
        regrets = regrets + after.predict * self.newest
        weights = self.reach / self.reach.mean()
        means = np.divide(regrets, self.reach[:, None], out=np.zeros_like(regrets), where=self.reach[:, None] > 0)
        square = (weights[:, None] * means**2 * self.side.legal).sum() / (weights[:, None] * self.side.legal).sum()
        return means / np.sqrt(square + 1e-18), weights

    def batches(self, network: PlayerNetwork) -> Draw:
        """The whole table where it fits in a batch, else rows at random."""
        targets, weights = (torch.from_numpy(part.astype(np.float32)) for part in self.targets())
        whole = Batch(self._numbers, None, _padded(targets, network), _padded(self._legal, network), weights)
        if self.size <= self.batch_size:
            return lambda: whole

        def draw() -> Batch:
            rows = torch.from_numpy(self._random.integers(self.size, size=self.batch_size))
            return Batch(whole.numbers[rows], None, whole.targets[rows], whole.legal[rows], whole.weights[rows])

        return draw

    def held_out(self, network: PlayerNetwork) -> float:
        """Mean squared error over all rows, unweighted: sums have no noise, so nothing needs to be held out."""
        targets, _ = self.targets()
        found = network.advantages(self.side.numbers)
        return float(((found - targets) ** 2 * self.side.legal).sum(axis=1).mean())

    def explained(self, network: PlayerNetwork) -> float:
        """Share of the targets' squares that the network explains."""
        targets, _ = self.targets()
        return _explained(network.advantages(self.side.numbers), targets, self.side.legal)

    @property
    def nbytes(self) -> int:
        return self.regrets.nbytes + self.reach.nbytes

    def state(self) -> dict[str, np.ndarray]:
        return {
            "regrets": self.regrets, "reach": self.reach, "newest": self.newest,
            "iteration": np.array(self.iteration), "random": random_state(self._random),
        }  # fmt: skip

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        own = {"regrets": self.regrets, "reach": self.reach, "newest": self.newest}
        held = [fitting(state, name, one.shape, one.dtype).copy() for name, one in own.items()]
        self.regrets, self.reach, self.newest = held
        self.iteration = int(state["iteration"])
        set_random_state(self._random, state["random"])


class Samples:
    """A reservoir of sampled advantages; a share of them is held out and never fitted."""

    def __init__(
        self, game: CompiledGame, side: SmallSide, memory: MemorySettings, sgd: SgdSettings, seed: int
    ) -> None:
        if memory.discount == "pdcfr+" and not memory.bootstrap:
            raise InputError("memory.discount pdcfr+ floors sums of regrets: use memory.kind table or bootstrap: true")
        self.game, self.side, self.batch_size = game, side, sgd.batch_size
        self.weights: Schedule = make_schedule(DISCOUNTS[memory.discount])
        self.bootstrap, self.share = memory.bootstrap, sgd.held_out
        slots = side.legal.shape[1]
        # Rows of games with few of them take two bytes, as in files of 0.1.0.
        row = np.int16 if len(side.numbers) < 2**15 else np.int32
        columns = {"row": ((), row), "advantage": ((slots,), np.float32), "iteration": ((), np.float32)}
        self.fitted = Reservoir(memory.advantage_cap, columns, seed + 1000 * side.player)
        self.unseen = Reservoir(max(1, int(memory.advantage_cap * self.share)), columns, seed + 1000 * side.player + 1)
        self.strategies = Reservoir(memory.strategy_cap, columns, seed + 1000 * side.player + 2)  # deep-cfr alone
        self.passed = np.zeros(0, np.int32)  # information sets of the opponent that the last walks came by
        self._random = np.random.default_rng([seed, side.player, 7])
        self._generator = self._random.integers(2**63, size=1).astype(np.uint64)
        nodes = len(game.player) if memory.baseline == "history" else 0
        self.baseline, self.met = np.zeros(nodes), np.zeros(nodes, np.int64)  # see kernels.sampling
        self._tree = sampling_tree(game)
        self._slot_of = np.zeros((len(side.set_row), slots), np.int64)  # slot of action a of a set
        self._slot_of[side.set, side.action] = side.slot
        self._actions = np.bincount(side.set)
        self.scale = 1.0

    @property
    def size(self) -> int:
        return len(self.fitted)

    @property
    def seen(self) -> int:
        """Samples drawn so far."""
        return self.fitted.seen + self.unseen.seen

    def walk(self, strategy: np.ndarray, iteration: int, traversals: int, network: PlayerNetwork) -> int:
        """Do `traversals` external-sampling walks; how many nodes they visited."""
        if self.bootstrap:
            self.fitted.clear()
        left, nodes, most = traversals, 0, self.side.legal.shape[1]
        room = len(self.game.player) + 1_000_000
        own, other = np.empty(room, np.int32), np.empty(room, np.int32)
        found = np.zeros((room, most), np.float32)
        passed = []
        while left > 0:
            n, m, done, visited = sampling.collect(
                *(self._tree, left, self.side.player, strategy, self._generator, own, found, other),
                *(self.baseline, self.met),
            )
            left, nodes = left - done, nodes + visited
            self._add(own[:n] - self.game.infoset_start[self.side.player], found[:n], iteration, network)
            passed.append(other[:m].copy())
        self.passed = np.concatenate(passed)
        return nodes

    def remember(self, sets: np.ndarray, strategy: np.ndarray, iteration: int) -> None:
        """Keep what the player played at these of its information sets, for an average network."""
        table = np.zeros(self.side.legal.shape, np.float32)
        table[self.side.rows, self.side.slot] = strategy[self.side.sequence]
        rows = self.side.set_row[sets - self.game.infoset_start[self.side.player]]
        self.strategies.add(
            row=rows, advantage=table[rows], iteration=np.full(len(rows), iteration, np.float32)
        )  # fmt: skip

    def _add(self, sets: np.ndarray, by_action: np.ndarray, iteration: int, network: PlayerNetwork) -> None:
        rows = self.side.set_row[sets]
        advantage = np.zeros((len(sets), self.side.legal.shape[1]), np.float32)
        for action in range(by_action.shape[1]):
            has = self._actions[sets] > action
            advantage[np.flatnonzero(has), self._slot_of[sets[has], action]] = by_action[has, action]
        if self.bootstrap:
            advantage = self._bootstrapped(rows, advantage, iteration, network)
        away = self._random.random(len(rows)) < self.share
        for reservoir, chosen in ((self.fitted, ~away), (self.unseen, away)):
            reservoir.add(
                row=rows[chosen], advantage=advantage[chosen],
                iteration=np.full(int(chosen.sum()), iteration, np.float32),
            )  # fmt: skip
        if iteration == 1 and len(self.fitted):
            self.scale = float(np.sqrt((self.fitted["advantage"] ** 2).mean())) or 1.0

    def _bootstrapped(
        self, rows: np.ndarray, advantage: np.ndarray, iteration: int, network: PlayerNetwork
    ) -> np.ndarray:
        """The weighted mean up to now: of what the last network says, which stands for the past, and the sample."""
        now = self.weights.at(iteration)
        before = network.advantages(self.side.numbers) * self.scale
        kept = np.where(before > 0, now.positive, now.negative) * before
        total = self._sum_of_weights(iteration)
        return np.asarray(((kept[rows] * (total - 1) + advantage) / total).astype(np.float32))

    def _sum_of_weights(self, iteration: int) -> float:
        """Of iterations 1 to t where that of t is 1."""
        factors = self.weights.rows(0, iteration)[:iteration, 0]
        return float(np.cumprod(factors[::-1])[:-1].sum() + 1)

    def _batch(self, reservoir: Reservoir, picked: np.ndarray | slice, network: PlayerNetwork) -> Batch:
        rows = reservoir["row"][picked].astype(np.int64)
        iterations = reservoir["iteration"][picked]
        weights = np.ones(len(rows)) if self.bootstrap else self._sample_weights(iterations)
        parts = (reservoir["advantage"][picked] / self.scale, self.side.legal[rows])
        targets, legal = (torch.from_numpy(np.asarray(part, np.float32)) for part in parts)
        numbers = torch.from_numpy(self.side.numbers[rows])
        return Batch(
            numbers, None, _padded(targets, network), _padded(legal, network),
            torch.from_numpy(weights.astype(np.float32)),
        )  # fmt: skip

    def _sample_weights(self, iterations: np.ndarray) -> np.ndarray:
        """Weight of iteration t among all, rescaled so that the mean is near 1: 2 t / T in linear CFR."""
        last = int(iterations.max())
        table = np.cumprod(np.append(1.0, self.weights.rows(1, last)[: last - 1, 0])[::-1])[::-1] if last > 1 else [1.0]
        table = np.append(np.asarray(table)[1:], 1.0)
        return np.asarray(table[iterations.astype(np.int64) - 1] * last / table.sum())

    def batches(self, network: PlayerNetwork) -> Draw:
        """Samples at random; where a batch has room for all of them, all, with those of one row added up: that is the
        same loss but for a constant, and takes no longer than the rows do."""
        if self.size <= self.batch_size:
            whole = self._whole(network)
            return lambda: whole
        return lambda: self._batch(self.fitted, self._random.integers(self.size, size=self.batch_size), network)

    def _whole(self, network: PlayerNetwork) -> Batch:
        rows, advantage = self.fitted["row"].astype(np.int64), self.fitted["advantage"]
        weights = np.ones(len(rows)) if self.bootstrap else self._sample_weights(self.fitted["iteration"])
        count = len(self.side.numbers)
        total = np.bincount(rows, weights, count)
        sums = [np.bincount(rows, weights * own, count) for own in advantage.T]
        met = np.flatnonzero(total > 0)
        means = np.stack(sums, axis=1)[met] / total[met, None] / self.scale
        targets, legal = (torch.from_numpy(np.asarray(part, np.float32)) for part in (means, self.side.legal[met]))
        share = torch.from_numpy((total[met] / total.sum()).astype(np.float32))
        numbers = torch.from_numpy(self.side.numbers[met])
        return Batch(numbers, None, _padded(targets, network), _padded(legal, network), share)

    def strategy_batches(self, numbers: torch.Tensor, legal: torch.Tensor) -> Draw:
        """Batches of strategies that `remember` kept; numbers and legal slots of all rows are given."""
        weights = self.average_weights()
        random = np.random.default_rng([self.strategies.seen, self.side.player])  # walks draw as if nobody had asked

        def draw() -> Batch:
            picked = random.integers(len(self.strategies), size=self.batch_size)
            rows = torch.from_numpy(self.strategies["row"][picked].astype(np.int64))
            own = torch.from_numpy(self.strategies["advantage"][picked])
            targets = torch.nn.functional.pad(own, (0, legal.shape[1] - own.shape[1]))
            of = weights[self.strategies["iteration"][picked].astype(np.int64) - 1]
            return Batch(numbers[rows], None, targets, legal[rows], torch.from_numpy(of.astype(np.float32)))

        return draw

    def average_weights(self) -> np.ndarray:
        """float64 [iterations]: weight of each iteration in the average, the last one's 1."""
        last = int(self.strategies["iteration"].max())
        rows = np.array([self.weights.at(t).average for t in range(1, last + 1)])
        return np.append(np.cumprod(rows[::-1])[::-1][1:], 1.0)

    def held_out(self, network: PlayerNetwork) -> float:
        """Mean squared error of samples that were never fitted, unweighted, in normalised units."""
        if not len(self.unseen):
            return float("nan")
        targets, legal, found = self._unseen(network)
        return float(((found - targets) ** 2 * legal).sum(axis=1).mean())

    def explained(self, network: PlayerNetwork) -> float:
        """Share of the squares of held-out samples that the network explains; what chance did cannot be."""
        if not len(self.unseen):
            return float("nan")
        targets, legal, found = self._unseen(network)
        return _explained(found, targets, legal)

    def _unseen(self, network: PlayerNetwork) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Targets, legal slots and what the network says of samples that were never fitted, [n, slots] each."""
        rows = self.unseen["row"].astype(np.int64)
        return self.unseen["advantage"] / self.scale, self.side.legal[rows], network.advantages(self.side.numbers)[rows]

    @property
    def nbytes(self) -> int:
        return self.fitted.nbytes + self.unseen.nbytes + self.strategies.nbytes

    def state(self) -> dict[str, np.ndarray]:
        parts = {"fitted": self.fitted.state(), "unseen": self.unseen.state()}
        if self.strategies.seen:
            parts["strategies"] = self.strategies.state()
        return {
            **{f"{part}_{name}": array for part, state in parts.items() for name, array in state.items()},
            "random": random_state(self._random), "generator": self._generator.copy(), "scale": np.array(self.scale),
            **({"baseline": self.baseline.copy(), "met": self.met.copy()} if len(self.met) else {}),
        }  # fmt: skip

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        held = {"fitted": self.fitted, "unseen": self.unseen}
        if "strategies_seen" in state:
            held["strategies"] = self.strategies
        for part, reservoir in held.items():
            reservoir.restore({n.removeprefix(f"{part}_"): a for n, a in state.items() if n.startswith(f"{part}_")})
        set_random_state(self._random, state["random"])
        self._generator[:], self.scale = state["generator"], float(state["scale"])
        if len(self.met):
            self.baseline[:], self.met[:] = state["baseline"], state["met"]


def _padded(rows: torch.Tensor, network: PlayerNetwork) -> torch.Tensor:
    """Rows [n, slots] with zeros for outputs that the game has no slot for."""
    spare = network.shape.slots - rows.shape[1]
    return torch.nn.functional.pad(rows, (0, spare)) if spare else rows


def _explained(found: np.ndarray, targets: np.ndarray, legal: np.ndarray) -> float:
    """1 for a network that says the targets, 0 for one that says nothing, below 0 for one that is worse than that."""
    squares = float((targets**2 * legal).sum())
    return 1 - float(((found - targets) ** 2 * legal).sum()) / squares if squares > 0 else 0.0


def average_batches(side: SmallSide, memory: StatisticsTable | Samples, sums: np.ndarray, slots: int) -> Draw:
    """Batches of strategies for an average network with so many outputs: with a table all rows of sums of reach *
    strategy [rows, slots], with raw samples strategies that walks came by, iteration t with its weight."""
    spare = (0, slots - side.legal.shape[1])
    numbers = torch.from_numpy(np.ascontiguousarray(side.numbers))
    legal = torch.nn.functional.pad(torch.from_numpy(side.legal.astype(np.float32)), spare)
    if isinstance(memory, Samples):
        return memory.strategy_batches(numbers, legal)
    total = sums.sum(axis=1, keepdims=True)
    target = np.divide(sums, total, out=side.legal / side.legal.sum(axis=1, keepdims=True), where=total > 0)
    weight = total[:, 0] / max(total.max(), 1e-300)
    targets = torch.nn.functional.pad(torch.from_numpy(target.astype(np.float32)), spare)
    whole = Batch(numbers, None, targets, legal, torch.from_numpy(weight.astype(np.float32)))
    return lambda: whole
