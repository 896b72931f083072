"""The same CFR before the flop in torch, on the CPU or a GPU: all lines of one depth at a time.

The arrays and the update are those of `runout.kernels.preflop`; each of its loops is a few tensor operations a level,
and the value of all ends is one matrix product for each table of shares. Numbers are float64 (float32 on Apple's GPUs).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch

from runout.cards.hands import CLASSES
from runout.kernels.preflop import ROUNDING, SMALLEST, TINY
from runout.solvers.preflop import normalised
from runout.solvers.preflop_game import PreflopGame
from runout.solvers.schedules import Schedule
from runout.solvers.tabular import restored
from runout.solvers.torch_backend import pick_device
from runout.solvers.whole import in_pieces


class _Level(NamedTuple):
    """The decisions that come after the same number of actions: one player's, since players take turns."""

    player: int
    nodes: torch.Tensor  # int64 [n]
    edges: torch.Tensor  # int64 [s]
    owner: torch.Tensor  # int64 [s]: position of each edge's node in `nodes`
    parent: torch.Tensor  # int64 [n]: the edge that leads to each node; empty at the root
    row: torch.Tensor  # int64 [s]: reach row of each edge
    above: torch.Tensor  # int64 [s]: reach row of its node


class TorchPreflopSolver:
    """CFR in torch; see `runout.protocols.Solver`."""

    def __init__(self, game: PreflopGame, schedule: Schedule, device: str = "auto") -> None:
        self.device = pick_device(device)
        self.real = torch.float32 if self.device.type == "mps" else torch.float64
        if self.device.type == "cpu":
            torch.set_num_threads(1)  # tensors are small: more threads cost more than they bring
        self.game, self.schedule, self.iteration = game, schedule, 0
        self._levels = self._split()
        self._tables = _Tables(self, game)
        self._regrets = self.tensor(np.zeros((game.edges, CLASSES)))
        self._average = torch.zeros_like(self._regrets)
        self._strategy = self.tensor(normalised(game, np.zeros((game.edges, CLASSES))))
        self._values = torch.zeros_like(self._regrets)

    def tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.tensor(array, dtype=self.real, device=self.device)

    def index(self, array: np.ndarray) -> torch.Tensor:
        return torch.tensor(np.asarray(array, np.int64), device=self.device)

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        weights = self.schedule.rows(self.iteration, max(iterations, 1)).tolist()
        with torch.inference_mode():
            for t in range(iterations):
                for player in (0, 1):
                    self._update(player, weights[t], weights[t + 1])
                self.iteration += 1

    def policy(self) -> np.ndarray:
        """The average strategy, float64 [edges, 169]."""
        return normalised(self.game, self.state()["average"])

    def memory(self) -> int:
        return sum(array.nbytes for array in self.state().values())

    def state(self) -> dict[str, np.ndarray]:
        tensors = {"regrets": self._regrets, "strategy": self._strategy, "average": self._average}
        arrays = {name: one.cpu().numpy().astype(np.float64) for name, one in tensors.items()}
        return {**arrays, "iteration": np.array([self.iteration], np.int64)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        tables = {name: np.empty((self.game.edges, CLASSES)) for name in ("regrets", "strategy", "average")}
        self.iteration = restored(state, tables)
        self._regrets, self._strategy, self._average = map(self.tensor, tables.values())

    def _split(self) -> list[_Level]:
        street, lines = self.game.street, self.game.lines
        owner, depth = street.edge_owner(), np.zeros(street.nodes, np.int64)
        for node in range(1, street.nodes):
            depth[node] = depth[owner[street.parent_edge[node]]] + 1
        levels = []
        for level in range(int(depth.max()) + 1):
            nodes = np.flatnonzero(depth == level)
            edges = np.flatnonzero(np.isin(owner, nodes))
            player = int(street.player[nodes[0]])
            parent = street.parent_edge[nodes] if level else np.zeros(0)
            level_of = _Level(
                player=player,
                nodes=self.index(nodes),
                edges=self.index(edges),
                owner=self.index(np.searchsorted(nodes, owner[edges])),
                parent=self.index(parent),
                row=self.index(lines.row[edges]),
                above=self.index(lines.node_row[player, owner[edges]]),
            )
            levels.append(level_of)
        return levels

    def _reach(self, player: int) -> torch.Tensor:
        rows = self.tensor(np.ones((self.game.rows[player], CLASSES)))
        for level in self._levels:
            if level.player == player:
                reach = rows[level.above] * self._strategy[level.edges]
                rows[level.row] = torch.where(reach > TINY, reach, 0.0)
        return rows

    def _update(self, player: int, now: list[float], then: list[float]) -> None:
        values, strategy = self._values, self._strategy
        self._tables.end_values(player, self._reach(1 - player), values)
        worth: list[torch.Tensor] = []
        for level in reversed(self._levels):
            here = values[level.edges]
            if level.player == player:
                here = here * strategy[level.edges]
            total = torch.zeros((len(level.nodes), CLASSES), dtype=self.real, device=self.device)
            total.index_add_(0, level.owner, here)
            worth.append(total)
            if len(level.parent):
                values[level.parent] = total
        own = self._reach(player)
        for level, total in zip(reversed(self._levels), worth, strict=True):
            if level.player == player:
                self._learn(level, total[level.owner], own, now, then)

    def _learn(
        self, level: _Level, worth: torch.Tensor, own: torch.Tensor, now: list[float], then: list[float]
    ) -> None:
        edges = level.edges
        positive, negative, fade, predict = now
        self._average[edges] = self._average[edges] * fade + own[level.row]
        value = self._values[edges]
        gain = value - worth
        gain = torch.where(gain.abs() <= ROUNDING * (value.abs() + worth.abs()), 0.0, gain)
        new = _discounted(self._regrets[edges], positive, negative) + gain
        self._regrets[edges] = torch.where(new.abs() > SMALLEST, new, 0.0)
        wanted = (_discounted(new, then[0], then[1]) + predict * gain).clamp_(min=0)
        total = torch.zeros((len(level.nodes), CLASSES), dtype=self.real, device=self.device)
        counts = torch.zeros((len(level.nodes), 1), dtype=self.real, device=self.device)
        total.index_add_(0, level.owner, wanted)
        counts.index_add_(0, level.owner, torch.ones_like(wanted[:, :1]))
        total, counts = total[level.owner], counts[level.owner]
        mix = torch.where(total > 0, wanted / total, 1.0 / counts)
        self._strategy[edges] = torch.where(mix > TINY, mix, 0.0)


class _Tables:
    """What the ends pay, on the device."""

    def __init__(self, solver: TorchPreflopSolver, game: PreflopGame) -> None:
        ends_at = np.flatnonzero(game.lines.child < 0)
        self.edges = solver.index(ends_at)
        order = -1 - game.lines.child[ends_at]
        self.blocks = [[(solver.index(b.rows), solver.tensor(b.matrix)) for b in blocks] for blocks in game.blocks]
        self.rows = [(solver.index(e.base_row[order]), solver.index(e.share_row[order])) for e in game.ends]
        self.pays = [(solver.tensor(e.base[order, None]), solver.tensor(e.share[order, None])) for e in game.ends]

    def end_values(self, player: int, reach: torch.Tensor, values: torch.Tensor) -> None:
        """Write the values of all edges that end the betting."""
        products = torch.cat([reach[rows] @ matrix for rows, matrix in self.blocks[player]])
        (base_row, share_row), (base, share) = self.rows[player], self.pays[player]
        values[self.edges] = base * products[base_row] + share * products[share_row]


def _discounted(regrets: torch.Tensor, positive: float, negative: float) -> torch.Tensor:
    return torch.where(regrets > 0, regrets * positive, regrets * negative)
