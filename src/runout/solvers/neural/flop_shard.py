"""Public chance sampling in Flop Hold'em.

Walks and memory of one shard:

1. A group of flops is drawn. Networks say, for every hand on them and before the flop, what both players play at all
   betting nodes at once; the range engine sweeps the group, range against range.
2. The player's regrets are added to tables of discounted sums, one number for each hand, flop and action: the
   sufficient statistics of every sample ever drawn, on each flop as often as its group was.
3. Minibatches are hands on flops that were visited, with their mean regrets as targets.

The network never sees betting: it has one output for each action of each betting node of its player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from runout.errors import InputError
from runout.games.flop_features import FLOP_SIZE, FULL, PREFLOP_SIZE
from runout.games.flop_holdem import FlopHoldem
from runout.games.tree import BettingTree
from runout.kernels.flop_networks import add_regrets, gather_rows
from runout.solvers.neural.fitting import Loss
from runout.solvers.neural.flop_plan import FlopGroup, flop_groups, player_columns
from runout.solvers.neural.networks import SEEDS, Network, Shape, device_of, half_precision, new_network
from runout.solvers.neural.reservoir import random_state, set_random_state
from runout.solvers.neural.settings import DISCOUNTS, MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.ranges import RangeGame, range_game
from runout.solvers.schedules import make_schedule

CHUNK = 16_384  # rows that a network answers at a time
PROBE = 4_096  # rows that scales and losses are taken from
GROUP_FLOPS = 110  # flops that a walk of one shard goes over
BEFORE_WIDTH, BEFORE_DEPTH = 64, 2  # of the network for 169 classes
_TINY = np.float32(1e-12)


class FlopNetwork(nn.Module):
    """Two MLPs: one for hands before the flop, one for hands on it."""

    def __init__(self, before: Network, on: Network) -> None:
        super().__init__()
        self.before, self.on = before, on


@dataclass(frozen=True, eq=False)
class FlopProblem:
    """Flop Hold'em for `Worker`."""

    settings: FlopHoldem
    net: NetworkSettings
    sgd: SgdSettings
    memory: MemorySettings
    seed: int
    averages: bool = False
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.averages:
            raise InputError("Flop Hold'em is trained by sd-cfr; deep-cfr has no average network for it: use sd-cfr")
        if self.memory.shards > 2 and self.memory.shards > (flops := len(self.game.boards[1].cards)):
            raise InputError(f"memory.shards = {self.memory.shards}: this deck has {flops} flops to be shared")

    @property
    def polyak(self) -> float:
        return self.net.polyak

    @cached_property
    def game(self) -> RangeGame:
        return range_game(self.settings, threads=1)

    def network(self, player: int, what: str, seed: int) -> FlopNetwork:
        before, on = player_columns(self.game.tree, player)
        first = 4 * (self.seed + SEEDS * seed) + 2 * player
        shape = Shape(FLOP_SIZE, on.count, self.net.hidden_dim, self.net.depth)
        return FlopNetwork(
            new_network(Shape(PREFLOP_SIZE, before.count, BEFORE_WIDTH, BEFORE_DEPTH), first),
            new_network(shape, first + 1),
        ).to(self.device)

    def shard(self, part: int) -> FlopShard:
        return FlopShard(self, part)


def answers(network: Network, numbers: np.ndarray, precision: str = "auto") -> np.ndarray:
    """float32 [n, columns] of bytes [n, numbers]."""
    out = np.empty((len(numbers), network.shape.slots), np.float32)
    with torch.no_grad(), half_precision(precision, device_of(network).type):
        for at in range(0, len(numbers), CHUNK):
            out[at : at + CHUNK] = network(as_rows(numbers[at : at + CHUNK])).float().cpu().numpy()
    return out


def as_rows(numbers: np.ndarray) -> Tensor:
    return torch.from_numpy(numbers).to(torch.float32).mul_(1 / FULL)


class FlopShard:
    """A part of the flops, in groups, with the tables of both players."""

    def __init__(self, problem: FlopProblem, part: int) -> None:
        game, self.problem, self.parts = problem.game, problem, problem.memory.shards
        self.sgd, self.precision = problem.sgd, problem.net.precision
        groups = max(1, round(len(game.boards[1].cards) / self.parts / GROUP_FLOPS))
        mine = flop_groups(game.boards[1], self.parts * groups)[part :: self.parts]
        # A flop of this part is drawn with probability 1 / groups, and this part stands for all of them.
        self.groups = [FlopGroup(game, flops, float(self.parts * groups)) for flops in mine]
        self.tree: BettingTree = game.tree
        self.schedule = make_schedule(DISCOUNTS[problem.memory.discount])
        self.columns = [player_columns(self.tree, player) for player in range(2)]
        self.before = [np.zeros((len(self.groups[0].preflop.combos), c[0].count), np.float32) for c in self.columns]
        self.tables = [np.zeros_like(group.solver.regrets) for group in self.groups]
        self.weight = np.zeros(
            (2, len(self.groups) + 1)
        )  # sums of the weights of what was added; last: before the flop
        self.visits = np.zeros((2, len(self.groups)), np.int64)
        self._random = np.random.default_rng([problem.seed, part])
        self._drawn = 0, 0  # iteration, group
        self.scales: list[tuple[np.ndarray, np.ndarray] | None] = [None, None]

    def walk(self, player: int, iteration: int, networks: list[nn.Module]) -> int:
        """Add the regrets of one sweep of a group; how many hands times betting nodes it went over."""
        fresh = self._drawn[0] != iteration
        if fresh:  # both players walk the same flops
            self._drawn = iteration, int(self._random.integers(len(self.groups)))
        drawn = self._drawn[1]
        group = self.groups[drawn]
        for side, network in enumerate(networks):
            assert isinstance(network, FlopNetwork)
            if side == player and not fresh:
                continue  # this player's strategy is there since the other player's walk
            before = answers(network.before, group.preflop.numbers, self.precision)
            group.play(side, before, answers(network.on, group.shown[0], self.precision))
        before, regrets = group.regrets(player)
        now = self.schedule.at(iteration)
        table = self.before[player]
        table *= np.where(table > 0, np.float32(now.positive), np.float32(now.negative))
        table += before
        self.weight[player, -1] = self.weight[player, -1] * now.positive + 1
        self.visits[player, drawn] += 1
        now = self.schedule.at(int(self.visits[player, drawn]))
        for part in group.part(player):
            add_regrets(self.tables[drawn][part], regrets[part], np.float32(now.positive), np.float32(now.negative))
        self.weight[player, drawn] = self.weight[player, drawn] * now.positive + 1
        return group.rows * sum(len(c.first) - 1 for c in (self.columns[0][1], self.columns[1][1]))

    def sample(self, player: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Bytes [count, numbers] and mean regrets float32 [count, columns] of random hands on flops visited so far."""
        known = np.flatnonzero(self.visits[player])
        sizes = np.array([self.groups[g].rows for g in known])
        counts = self._random.multinomial(count, sizes / sizes.sum())
        numbers, means = [], np.empty((count, self.columns[player][1].count), np.float32)
        at = 0
        for group, n, size in zip(known.tolist(), counts.tolist(), sizes.tolist(), strict=True):
            rows = self._random.integers(size, size=n)
            shown, which = self.groups[group].shown
            numbers.append(shown[which[rows]])
            starts, out = self.groups[group].starts[player][rows], means[at : at + n]
            gather_rows(self.tables[group], starts, self.groups[group].stride, means.shape[1], out)
            out *= np.float32(1 / self.weight[player, group])
            at += n
        return np.concatenate(numbers), means

    def mean_before(self, player: int) -> np.ndarray:
        """float32 [classes, columns]: mean regrets before the flop."""
        return self.before[player] / np.float32(self.weight[player, -1])

    @property
    def samples(self) -> int:
        return int(self.visits[0] @ [group.rows for group in self.groups])

    def statistics(self, player: int, what: str) -> np.ndarray:
        """Mean squares of the targets, by column, before and on the flop."""
        on = self.sample(player, PROBE)[1]
        return np.concatenate([(self.mean_before(player) ** 2).mean(axis=0), (on**2).mean(axis=0)])

    def prepare(self, player: int, what: str, total: np.ndarray) -> None:
        scales, columns = np.sqrt(total / self.parts) + _TINY, self.columns[player][0].count
        self.scales[player] = scales[:columns], scales[columns:]

    def loss(self, player: int, what: str, network: nn.Module) -> Loss:
        """Squared error in units of each column's scale; columns weigh by how many chips they are about."""
        assert isinstance(network, FlopNetwork)
        scales = self.scales[player]
        assert scales is not None
        device = device_of(network)
        preflop = as_rows(self.groups[0].preflop.numbers)
        combos = torch.from_numpy(self.groups[0].preflop.combos).to(device)
        before = torch.from_numpy(self.mean_before(player) / scales[0]).to(device)
        weights = [torch.from_numpy(scale / scale.mean()).to(device) for scale in scales]
        unit, size = torch.from_numpy(np.float32(1) / scales[1]).to(device), max(1, self.sgd.batch_size // self.parts)

        def loss() -> Tensor:
            numbers, means = self.sample(player, size)
            with half_precision(self.precision, device.type):
                found = network.on(as_rows(numbers)).float()
            on = (found - torch.from_numpy(means).to(device) * unit) ** 2
            early = ((network.before(preflop) - before) ** 2 * weights[0]).mean(dim=1)
            total: Tensor = (on * weights[1]).mean() + (early * combos).sum() / combos.sum()
            return total

        return loss

    def error(self, player: int, network: nn.Module) -> float:
        """Mean squared error on hands drawn afresh, unweighted, in units of the scales: sums have no noise."""
        assert isinstance(network, FlopNetwork)
        scales = self.scales[player]
        assert scales is not None
        numbers, means = self.sample(player, PROBE)
        return float(((answers(network.on, numbers, self.precision) - means / scales[1]) ** 2).mean())

    def explained(self, player: int, network: nn.Module) -> float:
        """Share of the targets' squares that the network explains; in units of the scales their mean is 1."""
        return 1 - self.error(player, network)

    def state(self) -> dict[str, np.ndarray]:
        found = {f"table{g}": table for g, table in enumerate(self.tables)}
        found |= {f"before{p}": table for p, table in enumerate(self.before)}
        return {**found, "weight": self.weight, "visits": self.visits, "random": random_state(self._random)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        for group, table in enumerate(self.tables):
            table[:] = state[f"table{group}"]
        for player, table in enumerate(self.before):
            table[:] = state[f"before{player}"]
        self.weight[:], self.visits[:] = state["weight"], state["visits"]
        set_random_state(self._random, state["random"])
