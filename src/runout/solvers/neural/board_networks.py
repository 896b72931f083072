"""Networks of a player on boards: one for each street, of hands and of the betting that led there.

Before the flop a plain network answers for all 169 classes. Later a hand on its board and the entry of a street go
through layers of their own, both are added, and one more layer answers for all actions of the street: so a board takes
one pass over its hands, one over the entries, and one small product for each pair.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from runout.games.board_features import BOARD_SIZE
from runout.games.flop_features import FULL, PREFLOP_SIZE
from runout.solvers.neural.board_plan import BoardPlan
from runout.solvers.neural.networks import Network, Shape, new_network
from runout.solvers.neural.settings import NetworkSettings

BEFORE_WIDTH, BEFORE_DEPTH = 64, 2  # of the network for 169 classes


def as_numbers(rows: np.ndarray) -> Tensor:
    """float32 of bytes."""
    return torch.from_numpy(rows).to(torch.float32).mul_(1 / FULL)


class StreetNetwork(nn.Module):
    """Of one street after the first."""

    def __init__(self, columns: int, shown: np.ndarray, hidden_dim: int, depth: int) -> None:
        super().__init__()
        self.shown: Tensor
        self.register_buffer("shown", torch.from_numpy(np.ascontiguousarray(shown)), persistent=False)
        self.hand = nn.ModuleList()
        for layer in range(depth):
            self.hand.append(nn.Linear(BOARD_SIZE if layer == 0 else hidden_dim, hidden_dim))
            self.hand.append(nn.LayerNorm(hidden_dim))
        self.entry = nn.Linear(shown.shape[1], hidden_dim)
        self.each = nn.Embedding(len(shown), hidden_dim)  # what tells entries apart that betting alone does not
        self.normal = nn.LayerNorm(hidden_dim)
        nn.init.normal_(self.each.weight, std=0.05)
        self.last = nn.Linear(hidden_dim, columns)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def hands(self, numbers: Tensor) -> Tensor:
        """[n, width] of hands float32 [n, BOARD_SIZE]."""
        row = numbers
        for layer in range(0, len(self.hand), 2):
            row = torch.relu(self.hand[layer + 1](self.hand[layer](row)))
        return row

    def entries(self) -> Tensor:
        """[entries, width] of all entries."""
        found: Tensor = self.normal(self.entry(self.shown) + self.each.weight)
        return found

    def join(self, hands: Tensor, entries: Tensor) -> Tensor:
        """[..., columns] of both, in shapes that go together."""
        found: Tensor = self.last(torch.relu(hands + entries))
        return found

    def forward(self, numbers: Tensor, entry: Tensor) -> Tensor:
        """[n, columns] of hands and the numbers int64 [n] of their entries."""
        return self.join(self.hands(numbers), self.entries()[entry])


class BoardNetwork(nn.Module):
    """All streets of one player."""

    def __init__(self, before: Network, streets: list[StreetNetwork]) -> None:
        super().__init__()
        self.before, self.streets = before, nn.ModuleList(streets)

    @property
    def on(self) -> list[StreetNetwork]:
        """By street after the first."""
        return [one for one in self.streets if isinstance(one, StreetNetwork)]


def new_board_network(plan: BoardPlan, player: int, settings: NetworkSettings, seed: int) -> BoardNetwork:
    """A fresh network; the same seed gives the same weights."""
    first = plan.columns[0][player].count
    before = new_network(Shape(PREFLOP_SIZE, first, BEFORE_WIDTH, BEFORE_DEPTH), seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed + 1)
        streets = [
            StreetNetwork(plan.columns[street][player].count, plan.shown[street], settings.hidden_dim, settings.depth)
            for street in range(1, len(plan.columns))
        ]
    return BoardNetwork(before, streets)
