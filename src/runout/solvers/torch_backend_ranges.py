"""The range solver in torch, on the CPU or a GPU: all boards of a street as one batch.

The sweep is that of `runout.kernels.sweep`, with the same tables, plans and storage:

1. reach of the opponent goes down the lines of all boards at once, depth by depth;
2. boards below are swept in chunks that fit the working memory, and add their values to the chance rows;
3. showdowns are differences of running sums over hands in order of strength; folds need sums by card only; all-ins
   before the last street are a product with the matrix of their results;
4. values go back up, with regrets and averages on the way.

Numbers are float32. Every sum is taken in a fixed order, and chunks do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch.nn.functional import pad

from runout import memory
from runout.errors import InputError
from runout.games.tree import StreetTree
from runout.kernels.lines import AVERAGE, BEST_RESPONSE, LATER, UPDATE
from runout.kernels.sweep import DOWN, END
from runout.kernels.tables import OWN, STORE, STRIDE, Rows, Storage
from runout.solvers.range_plan import make_plan, storage_rows
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.schedules import Schedule
from runout.solvers.torch_backend import pick_device
from runout.solvers.torch_backend_boards import NodeLevel, TensorBoards, TensorPlan

WORKING = 1 << 29  # bytes of working rows that a chunk of boards may take


class TorchRangeSolver(RangeSolver):
    """Solves a RangeGame in torch; regrets and averages are on the device while it steps."""

    own_reach = False  # whether the player's own reach is always walked down, not only for averages

    def __init__(self, game: RangeGame, schedule: Schedule, storage: str = "float32", device: str = "auto") -> None:
        if storage != "float32":
            raise InputError(f"storage = {storage!r}: torch solves in float32 only")
        self.device = pick_device(device)
        if self.device.type == "cpu":
            torch.set_num_threads(1)
        super().__init__(game, schedule, 1, storage)
        size = self._arrays.storage.regrets.nbytes * 2 + WORKING
        free = torch.cuda.mem_get_info(self.device)[0] if self.device.type == "cuda" else None
        memory.require(size, f"the copy of this game on {self.device} needs", "solve it with --backend numba", free)
        self.streets = [
            TensorBoards(tables, street, self.boards[index - 1] if index else None, self.device)
            for index, (tables, street) in enumerate(zip(self.boards, game.boards, strict=True))
        ]
        self.sides = [self._plans(player) for player in range(2)]
        self._learned = [_Learned(street, betting) for street, betting in zip(self.streets, game.tree.streets)]  # noqa: B905
        self._ranges = torch.tensor(self.ranges, device=self.device)
        self._root: list[torch.Tensor] = [torch.zeros(0, device=self.device)] * 2
        self._walked: torch.Tensor = self._root[0]  # value rows [rows, hands] of the first street, of the last sweep
        self._ahead, self._behind = False, True  # whether the tensors, or the arrays of the storage, are newer

    def _plans(self, player: int) -> list[TensorPlan]:
        """The plans of a player, each street in one group."""
        plans, before = [], None
        for street in self.game.tree.streets:
            plan = make_plan(street, player, before, self.game.tree.starting_pot, self.game.rake, [0, street.entries])
            before = street, plan
            plans.append(TensorPlan(street, plan, self.device))
        return plans

    # What is learnt stands in two places: tensors, which step, and the arrays that files and explorers read.

    @property
    def storage(self) -> Storage:
        found = super().storage
        self._behind = True  # the caller may write
        return found

    def _read_all(self, *names: str) -> None:
        super()._read_all(*names)
        if self._ahead:
            self._copy(to_tensors=False)

    def _learnt(self, name: str, place: slice) -> np.ndarray:
        self._read_all()
        return super()._learnt(name, place)

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._ahead, self._behind = False, True
        super().restore(state)

    def enter_through(self, *_: object) -> None:
        raise InputError("a subgame that is entered by choice is solved by numba only")

    def _copy(self, to_tensors: bool) -> None:
        """Bring the tensors, or the arrays, up to date."""
        kept = self._arrays.storage
        for street, boards in zip(self._learned, self.streets, strict=True):
            for name, array in (("regrets", kept.regrets), ("averages", kept.averages)):
                for player, tensor in enumerate(getattr(street, name)):
                    host = np.zeros(tuple(tensor.shape), np.float32) if to_tensors else tensor.cpu().numpy()
                    rows = tensor.shape[1]
                    for board in range(boards.count):
                        at, stride = int(boards.table[board, STORE + player]), int(boards.table[board, STRIDE + player])
                        flat = array[at : at + rows * stride].reshape(rows, stride)
                        if to_tensors:
                            host[board, :, :stride] = flat
                        else:
                            flat[:] = host[board, :, :stride]
                    if to_tensors:
                        tensor.copy_(torch.from_numpy(host))
        self._ahead = self._behind = False

    # The sweep.

    def sweep(
        self, first: int, last: int, mode: int, weights: np.ndarray, parts: tuple[int, int] = (DOWN, END)
    ) -> None:
        if parts != (DOWN, END):
            raise InputError("a game that is shared out is solved by numba only")
        if self._behind:
            super()._read_all("regrets", "averages")
            self._copy(to_tensors=True)
        with torch.inference_mode():
            for row in weights.tolist():
                for player in range(first, last + 1):
                    root = [self._ranges[who : who + 1, None, : self.streets[0].width[who]] for who in range(2)]
                    found = self._visit(0, 0, 1, player, mode, row, root[1 - player], root[player])
                    self._root[player] = found[0, 0]
        self._ahead = self._ahead or (mode == UPDATE and len(weights) > 0)

    def rows(self, player: int, street: int, board: int, node: int) -> Rows:
        """Looked at on the CPU, whatever the device."""
        if street > 0:
            return super().rows(player, street, board, node)
        super().sweep(player, player, AVERAGE, np.ones((1, 3), np.float32))
        return self._scratch[0].rows[0]

    def values(self, player: int, mode: int) -> np.ndarray:
        self.sweep(player, player, mode, np.ones((1, 3), np.float32))
        count = int(self.boards[0].count[player, 0])
        return np.asarray(self._root[player][:count].cpu().numpy(), np.float64)

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
        """Values [boards, entries, hands] of the boards first : end of a street, and of all below them.

        theirs, own: reach [boards, entries, hands] of the opponent and of the player, where the street begins.
        """
        boards, plan = self.streets[street], self.sides[player][street]
        own_plan = self.sides[1 - player][street]
        learned, place = self._learned[street], slice(first, end)
        here = AVERAGE if mode // LATER > street else mode % LATER
        source = learned.regrets if here == UPDATE else learned.averages
        reach = _forward(plan, source[1 - player][place], theirs)
        averaging = here == UPDATE and weights[2] >= 0
        mine = _forward(own_plan, source[player][place], own) if averaging or self.own_reach else own[:, :0]
        values = reach.new_zeros(end - first, plan.values, boards.width[player])
        self._terminals(street, place, player, plan, reach, values)
        if street + 1 < len(self.streets):
            self._below(street, first, end, player, mode, weights, reach, mine, values)
        for level in reversed(plan.levels):
            after = values[:, level.edge_value]
            if level.mine != OWN:
                values[:, level.node_value] = after.sum(dim=2)
            elif here == BEST_RESPONSE:
                best = after.amax(dim=2)
                values[:, level.node_value] = self._kept(street, place, player, level, after, best)
            else:
                shares = _shares(source[player][place, level.edge_store])
                value = (shares * after).sum(dim=2)
                values[:, level.node_value] = value
                if here == UPDATE:
                    self._learn(street, place, player, own_plan, level, after - value[:, :, None], mine, weights)
        if here == UPDATE and street + 1 < len(self.streets):
            _unify(learned, boards, place, player)
        if street == 0:
            self._walked = values[0]
        return values[:, plan.entry_value]

    def _below(
        self,
        street: int,
        first: int,
        end: int,
        player: int,
        mode: int,
        weights: list[float],
        reach: torch.Tensor,
        mine: torch.Tensor,
        values: torch.Tensor,
    ) -> None:
        """Sweep the boards that can follow, chunk by chunk, and add their values to the chance rows."""
        boards, below = self.streets[street], self.streets[street + 1]
        plan, own_plan = self.sides[player][street + 1], self.sides[1 - player][street + 1]
        entries = len(plan.entry_row)
        if entries == 0:
            return
        place = self.sides[player][street].chance_value
        rows = slice(place, place + entries)
        a_board = 4 * (2 * plan.rows + own_plan.rows + plan.values + 8 * plan.fold_end) * max(below.width)
        chunk = max(1, WORKING // a_board)
        for begin in range(boards.child_first[first], boards.child_first[end], chunk):
            stop = min(begin + chunk, boards.child_first[end])
            parent = below.parent[begin:stop] - first
            their_rows = dealt(reach, parent, plan.parent_row, below.up[1 - player][begin:stop])
            own_rows = dealt(mine, parent, own_plan.parent_row, below.up[player][begin:stop]) if mine.shape[1] else None
            own_rows = their_rows[:, :, :0] if own_rows is None else own_rows
            found = self._visit(street + 1, begin, stop, player, mode, weights, their_rows, own_rows)
            found = pad(found, (0, 1)) * below.weight[begin:stop, None, None]
            down = below.down[player][begin:stop, None].expand(-1, entries, -1)
            found = found.gather(2, down)
            for board in range(first, end):  # the boards below one stand side by side: one sum, in a fixed order
                low, high = max(boards.child_first[board], begin), min(boards.child_first[board + 1], stop)
                if low < high:
                    values[board - first, rows] += found[low - begin : high - begin].sum(dim=0)
        perms, numbers, _ = (part[first:end] for part in boards.images[player])
        if perms.shape[1] > 1:
            total = values[:, rows].new_zeros(values[:, rows].shape)
            for g in range(perms.shape[1]):
                taken = values[:, rows].gather(2, perms[:, g, None].expand(-1, entries, -1))
                total += taken * (g < numbers)[:, None, None]
            values[:, rows] = total / numbers[:, None, None]

    def _terminals(
        self, street: int, place: slice, player: int, plan: TensorPlan, reach: torch.Tensor, values: torch.Tensor
    ) -> None:
        """Values of all folds, showdowns and run-outs; see `kernels.showdown`, which has the derivation."""
        if plan.fold_end == 0:
            return
        boards, lanes = self.streets[street], reach[:, : plan.fold_end]
        free, met, valid = self._met(street, place, player, lanes)
        win, met_show, met_fold = (scale[None, : plan.fold_end, None] for scale in plan.scales)
        values[:, plan.fold_value : plan.fold_value + plan.fold_end] = met * met_fold
        if plan.show_end == 0:
            return
        shows = slice(0, plan.show_end)
        if boards.runouts is None:
            beats = self._beats(street, place, player, lanes[:, shows]) - free[:, shows]
        else:
            matrix = boards.runouts[place]
            beats = lanes[:, shows] @ (matrix.transpose(1, 2) if player == 0 else -matrix)
        worth = beats * valid * win[:, shows] + met[:, shows] * met_show[:, shows]
        values[:, plan.show_value : plan.show_value + plan.show_end] = worth

    def _met(
        self, street: int, place: slice, player: int, lanes: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Opponents of each hand of the player, lanes [boards, lines, hands] being their reach: all that have neither
        of its cards less those that have both, all that can be dealt with it, and which places hold a hand at all."""
        boards = self.streets[street]
        cards = boards.hand_cards[player][place]
        sums = lanes @ boards.card_sums[1 - player][place]
        blocked = sum(_looked_up(sums, cards[:, :, k]) for k in range(2))
        free = lanes.sum(dim=2, keepdim=True) - blocked
        met = free + _looked_up(pad(lanes, (0, 1)), boards.same[player][place])
        valid = cards[:, None, :, 0] < sums.shape[2] - 1
        return free, met * valid, valid

    def _beats(self, street: int, place: slice, player: int, lanes: torch.Tensor) -> torch.Tensor:
        """Weaker opponents twice and equal ones once, less those that hold a card of the hand."""
        ranks = self.streets[street].ranks[player]
        running = pad(lanes.cumsum(dim=2), (1, 0))
        total = _looked_up(running, ranks.below[place]) + _looked_up(running, ranks.upto[place])
        by_card = pad(_looked_up(lanes, ranks.by_card[place]).cumsum(dim=2), (1, 0))
        for k in range(2):
            begin, below, upto = (_looked_up(by_card, ranks.held[place, k, which]) for which in range(3))
            total -= below + upto - 2 * begin
        return total

    def _learn(
        self,
        street: int,
        place: slice,
        player: int,
        own_plan: TensorPlan,
        level: NodeLevel,
        gain: torch.Tensor,
        mine: torch.Tensor,
        weights: list[float],
    ) -> None:
        """New regrets and averages of some nodes."""
        learned = self._learned[street]
        positive, negative, average = weights
        old = learned.regrets[player][place, level.edge_store]
        fresh = old * torch.where(old > 0, positive, negative) + gain
        learned.regrets[player][place, level.edge_store] = self._kept(street, place, player, level, old, fresh)
        if average < 0:
            return
        reached = own_plan.rows_after(level.edge_store)
        sums = learned.averages[player][place, level.edge_store]
        learned.averages[player][place, level.edge_store] = sums * average + mine[:, reached]

    def _kept(
        self, street: int, place: slice, player: int, level: NodeLevel, old: torch.Tensor, fresh: torch.Tensor
    ) -> torch.Tensor:
        """`fresh`, but where hands are locked: their old regrets, or (of a best response) what their strategy gets."""
        kept = self._arrays.storage
        for at, board, node, mask in kept.locks.tolist():
            where = np.flatnonzero(level.nodes == node)
            if at != street or not place.start <= board < place.stop or len(where) == 0:
                continue
            row, spot = board - place.start, int(where[0])
            width = fresh.shape[-1]
            stride = int(self.streets[street].table[board, STRIDE + player])
            hands = torch.zeros(width, dtype=torch.bool, device=self.device)
            hands[:stride] = torch.tensor(kept.masks[mask : mask + stride] > 0, device=self.device)
            instead = old[row, spot]
            if fresh.dim() < old.dim():  # values, not regrets
                shares = _shares(self._learned[street].averages[player][board, level.edge_store[spot]][None, None])
                instead = (shares[0, 0] * instead).sum(dim=0)
            fresh[row, spot] = torch.where(hands, instead, fresh[row, spot])
        return fresh


class _Learned:
    """Regrets and averages of a street on the device: one tensor [boards, rows, hands] a player."""

    def __init__(self, boards: TensorBoards, tree: StreetTree) -> None:
        rows = storage_rows(tree)
        shapes = [(boards.count, rows[player], boards.width[player]) for player in range(2)]
        self.regrets = [torch.zeros(shape, device=boards.device) for shape in shapes]
        self.averages = [torch.zeros(shape, device=boards.device) for shape in shapes]


def _shares(stored: torch.Tensor) -> torch.Tensor:
    """The strategy that is positive in storage [boards, nodes, actions, hands], in proportion; even where none is."""
    positive = stored.clamp(min=0)
    total = positive.sum(dim=2, keepdim=True)
    return torch.where(total > 0, positive / total.clamp(min=1e-38), 1 / stored.shape[2])


def _forward(plan: TensorPlan, stored: torch.Tensor, entering: torch.Tensor) -> torch.Tensor:
    """Reach rows [boards, rows, hands] of the player whose strategy is stored, from the reach of the entries on."""
    reach = entering.new_zeros(len(entering), plan.rows, entering.shape[2])
    reach[:, plan.entry_row] = entering
    for level in plan.theirs:
        after = _shares(stored[:, level.edge_store]) * reach[:, level.node_row, None]
        reach[:, level.edge_row] = after
    return reach


def dealt(reach: torch.Tensor, parent: torch.Tensor, rows: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """Reach of the entries of boards below, from the rows of the boards before."""
    before = pad(reach[:, rows], (0, 1))[parent]
    return before.gather(2, up[:, None].expand(-1, len(rows), -1))


def _looked_up(rows: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """rows [boards, lines, x] at places [boards, hands]: [boards, lines, hands]."""
    return rows.gather(2, places[:, None].expand(-1, rows.shape[1], -1))


def _unify(learned: _Learned, boards: TensorBoards, place: slice, player: int) -> None:
    """Hands that are images of each other get the very same numbers: those of the first image."""
    perms, _, first = (part[place] for part in boards.images[player])
    if perms.shape[1] > 1:
        for tensor in (learned.regrets[player], learned.averages[player]):
            tensor[place] = _looked_up(tensor[place], first)
