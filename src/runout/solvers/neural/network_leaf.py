"""One street solved, and the next valued by a network: a flop in seconds.

The solver is that of `torch_backend_ranges`, with the cards of the next street as its last boards. What the hands of
either player are worth there, given both ranges as they get there, a value network says for all cards and lines at
once. In every iteration these are the ranges of the strategies of that iteration (Moravcik and others 2017), and for
measurements those of the average strategies.

So exploitability is by the network too: what could be gained on this street if its values were right.
"""

from __future__ import annotations

import numpy as np
import torch

from runout.cards.strength_features import strength_features
from runout.kernels.lines import AVERAGE
from runout.kernels.tables import Rows
from runout.kernels.threads import thread_map
from runout.solvers.neural.value_networks import Shown, ValueNetwork
from runout.solvers.ranges import RangeGame
from runout.solvers.schedules import Schedule
from runout.solvers.torch_backend_ranges import TorchRangeSolver, dealt


class LeafSolver(TorchRangeSolver):
    """Solves what `first_street` gives."""

    own_reach = True

    def __init__(self, game: RangeGame, schedule: Schedule, network: ValueNetwork, threads: int = 0) -> None:
        super().__init__(game, schedule, device="cpu")
        tree, last = game.tree.streets[1], self.streets[1]
        self.network = network
        self._pot = torch.tensor(tree.entry_pot.astype(np.float32))
        self._ratio = torch.tensor((tree.entry_stack / tree.entry_pot).astype(np.float32))
        shown = np.stack(thread_map(lambda board: strength_features(board.tolist()), game.boards[1].cards, threads))
        rows = torch.from_numpy(shown)
        with torch.inference_mode():
            hands = network.hands(rows)
            live = (rows.sum(dim=2, keepdim=True) > 0).float()
            self._mean = (hands.seen * live).sum(dim=1) / live.sum(dim=1)
            self._shown = [self._held(hands, player) for player in range(2)]
        none, row = torch.zeros(last.count, dtype=torch.int64), torch.zeros(1, dtype=torch.int64)
        first = [self._ranges[player, None, None, : self.streets[0].width[player]] for player in range(2)]
        self._begins = [dealt(first[player], none, row, last.up[player]) for player in range(2)]  # [boards, 1, hands]

    def _held(self, hands: Shown, player: int) -> Shown:
        """What is shown of the hands of a player, in the order of the rows; nothing where there is none."""
        last = self.streets[1]
        place = torch.zeros((last.count, last.width[player], 1), dtype=torch.int64)
        held = torch.zeros((last.count, last.width[player], 1))
        for board in range(last.count):
            combos = torch.from_numpy(self.hands(player, 1, board).astype(np.int64))
            place[board, : len(combos), 0] = combos
            held[board, : len(combos)] = 1
        return Shown(*(part.gather(1, place.expand(-1, -1, part.shape[2])) * held for part in hands))

    def _visit(
        self,
        street: int,
        first: int,
        end: int,
        player: int,
        mode: int,
        weights: list[float],
        theirs: torch.Tensor,
        own: torch.Tensor,
    ) -> torch.Tensor:
        if street == 0:
            return super()._visit(street, first, end, player, mode, weights, theirs, own)
        place = slice(first, end)
        reach = [own if side == player else theirs for side in range(2)]
        for side in range(2):  # a line that a player never takes is valued for the range at the start
            never = reach[side].sum(dim=2, keepdim=True) <= 0
            reach[side] = torch.where(never, self._begins[side][place], reach[side])
        ranges = [part / part.sum(dim=2, keepdim=True).clamp(min=1e-20) for part in reach]
        met = [self._met(1, place, side, reach[1 - side])[1] for side in range(2)]
        hands = [Shown(*(part[place] for part in shown)) for shown in self._shown]
        ratio = self._ratio.expand(end - first, -1)
        gains = self.network((hands[0], hands[1]), self._mean[place], (ranges[0], ranges[1]), ratio)
        # Both players' gains add up to nothing over all deals: what a network leaves is taken off either's.
        left = torch.zeros(())
        for side in range(2):
            deals = reach[side] * met[side]
            left = left + (gains[side] * deals).sum(dim=2) / deals.sum(dim=2).clamp(min=1e-20)
        found: torch.Tensor = (gains[player] - left[:, :, None] / 2) * self._pot[:, None]
        return found * self._met(1, place, player, theirs)[1]

    def rows(self, player: int, street: int, board: int, node: int) -> Rows:
        """Values of the average strategies; reach is not among them."""
        self.values(player, AVERAGE)
        found, values = self._scratch[0].rows[0], self._walked
        stride = int(self.boards[0].stride[player, 0])
        flat = values[:, :stride].contiguous().numpy().ravel()
        found.values[: len(flat)] = flat
        return found
