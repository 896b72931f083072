"""The same CFR in torch, on the CPU or a GPU: whole groups of information sets at a time.

The arrays, their order and the update are those of `runout.kernels.tabular`; each of its loops is one tensor operation
here, and Python loops only over depths and blocks of the payoff matrix. Numbers are float64 (float32 on Apple's GPUs,
which have nothing wider). On the CPU additions come in the same order too: small games give the very same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch

from runout.errors import InputError
from runout.games.compiled import CompiledGame
from runout.kernels.tabular import Side
from runout.solvers.schedules import Schedule
from runout.solvers.tabular import CHUNK, Which, chosen_strategy, restored, uniform_strategy
from runout.solvers.whole import in_pieces


class TorchSolver:
    """CFR in torch; see `runout.protocols.Solver`."""

    def __init__(self, game: CompiledGame, schedule: Schedule, alternating: bool = True, device: str = "auto") -> None:
        self.device = pick_device(device)
        if self.device.type == "cpu":
            torch.set_num_threads(1)  # tensors are small: more threads cost more than they bring
        self.game = game
        self.schedule = schedule
        self.alternating = alternating
        self.iteration = 0
        self._players = tuple(_Player(game, p, self.device) for p in range(2))

    def step(self, iterations: int) -> None:
        in_pieces(iterations, self._step)

    def _step(self, iterations: int) -> None:
        first, second = self._players
        with torch.inference_mode():
            for done in range(0, iterations, CHUNK):
                chunk = min(iterations - done, CHUNK)
                weights = self.schedule.rows(self.iteration, chunk).tolist()
                for t in range(chunk):
                    if done + t == iterations - 1:
                        first.last, second.last = first.strategy.clone(), second.strategy.clone()
                    first.find_end_values(second.plan)
                    if not self.alternating:
                        second.find_end_values(first.plan)
                    first.learn(weights[t], weights[t + 1])
                    if self.alternating:
                        second.find_end_values(first.plan)
                    second.learn(weights[t], weights[t + 1])
                self.iteration += chunk

    def policy(self, which: Which = "average") -> np.ndarray:
        """Probability of each sequence's action, float64 [sequences]; see `TabularSolver.policy`."""
        state = self.state()
        return chosen_strategy(self.game, which, state["average"], state["strategy"], state["last"])

    def memory(self) -> int:
        return sum(array.nbytes for array in self.state().values())

    def state(self) -> dict[str, np.ndarray]:
        names = ("regrets", "strategy", "average", "last")
        arrays = {
            name: np.concatenate([getattr(p, name).cpu().numpy().astype(np.float64) for p in self._players])
            for name in names
        }
        return {**arrays, "iteration": np.array([self.iteration], np.int64)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        tables = {name: np.empty(self.game.sequences) for name in ("regrets", "strategy", "average", "last")}
        self.iteration = restored(state, tables)
        for number, player in enumerate(self._players):
            for name, table in tables.items():
                setattr(player, name, player.tensor(self.game.part(table, number)))
            player.realise()


class _Player:
    """One player's tables and its passes over them."""

    def __init__(self, game: CompiledGame, number: int, device: torch.device) -> None:
        self.device = device
        self.real = torch.float32 if device.type == "mps" else torch.float64
        side = game.sides[number]
        self.groups = [tuple(map(int, group)) for group in side.groups]
        self.parents = self.index(side.parents)
        self.blocks = [self._block(side, *map(int, bucket)) for bucket in side.buckets]
        self.strategy = self.tensor(game.part(uniform_strategy(game), number))
        self.last = self.strategy.clone()
        self.regrets, self.average = torch.zeros_like(self.strategy), torch.zeros_like(self.strategy)
        self.plan, self.values = torch.ones_like(self.strategy), torch.zeros_like(self.strategy)
        self.realise()

    def tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.tensor(array, dtype=self.real, device=self.device)

    def index(self, array: np.ndarray) -> torch.Tensor:
        return torch.tensor(array.astype(np.int64), device=self.device)

    def _block(self, side: Side, first: int, count: int, width: int, cell: int) -> tuple[torch.Tensor, ...]:
        cells = slice(cell, cell + width * count)
        shape = (width, count)
        rows = self.index(side.rows[first : first + count])
        return rows, self.index(side.columns[cells].reshape(shape)), self.tensor(side.payoffs[cells].reshape(shape))

    def find_end_values(self, plan: torch.Tensor) -> None:
        self.values.zero_()
        for rows, columns, payoffs in self.blocks:
            products = payoffs * plan[columns]
            odd = len(products) % 2
            pairs = products[odd::2] + products[odd + 1 :: 2]
            self.values[rows] = _total(torch.cat((products[:1], pairs)) if odd else pairs)

    def learn(self, now: list[float], then: list[float]) -> None:
        positive, negative, fade, predict = now
        self.average.mul_(fade).add_(self.plan)
        values = self.values
        for first, count, start, actions in reversed(self.groups):
            part = slice(start, start + actions * count)
            gains = values[part].view(actions, count)
            worth = _total(self.strategy[part].view(actions, count) * gains)
            values.index_add_(0, self.parents[first : first + count], worth)
            gains -= worth
        # The empty sequence has no regret; its place is kept at zero.
        gains = values.clone()
        gains[0] = 0
        self.regrets = _discounted(self.regrets, positive, negative).add_(gains)
        wanted = _discounted(self.regrets, then[0], then[1]).add_(gains * predict).clamp_(min=0)
        for _, count, start, actions in self.groups:
            part = slice(start, start + actions * count)
            grid = wanted[part].view(actions, count)
            total = _total(grid)
            self.strategy[part] = torch.where(total > 0, grid / total, 1.0 / actions).view(-1)
        self.realise()

    def realise(self) -> None:
        self.plan[0] = 1
        for first, count, start, actions in self.groups:
            part = slice(start, start + actions * count)
            above = self.plan[self.parents[first : first + count]]
            self.plan[part] = (self.strategy[part].view(actions, count) * above).view(-1)


def _total(rows: torch.Tensor) -> torch.Tensor:
    """Sum over the first dimension, in the order of the compiled loops where that is not too slow."""
    if len(rows) > 32:
        return rows.sum(0)
    total = rows[0].clone()
    for row in rows[1:]:
        total += row
    return total


def _discounted(regrets: torch.Tensor, positive: float, negative: float) -> torch.Tensor:
    return torch.where(regrets > 0, regrets * positive, regrets * negative)


def pick_device(name: str) -> torch.device:
    """The device called `name`; "auto" is the GPU where there is one."""
    present = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        return torch.device(next(device for device in ("cuda", "mps", "cpu") if present[device]))
    if name not in present:
        raise InputError(f"unknown device {name!r}: use auto, cpu, cuda or mps")
    if not present[name]:
        usable = ", ".join(device for device, here in present.items() if here)
        raise InputError(f"device {name!r} is not available on this machine: use {usable}")
    return torch.device(name)
