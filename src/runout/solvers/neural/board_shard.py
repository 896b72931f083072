"""Public chance sampling in hold'em of any number of streets.

Walks and memory of one shard:

1. Boards are drawn, a few at a time. Networks say what both players play with every hand at every betting node of them,
   and the range engine sweeps each board, range against range.
2. Of every street some pairs of a hand and an entry are drawn, and the regrets of all the player's actions there go to
   a reservoir with what networks are shown; before the flop, sums of all regrets are kept by class.
3. Minibatches are samples of a street, iteration t with weight t (or as `memory.discount` says). Targets are in units
   of the usual size of regrets at their decision: those of likely and unlikely lines differ by orders of magnitude.

Odds of entries are those of the first iteration, for good: so no iteration weighs more at an entry than it should.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import torch
from torch import Tensor, nn

from runout.errors import InputError
from runout.games.board_features import BOARD_SIZE
from runout.games.holdem import HoldemSettings
from runout.games.points import BOARD_CARDS
from runout.kernels.board_networks import gather_entries, row_squares
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.neural.board_networks import BoardNetwork, as_numbers, new_board_network
from runout.solvers.neural.board_plan import BoardPlan, StreetColumns
from runout.solvers.neural.board_walk import BoardWalk, board_game
from runout.solvers.neural.fitting import Loss
from runout.solvers.neural.holdem_shard import WEIGHTS
from runout.solvers.neural.networks import SEEDS, device_of
from runout.solvers.neural.reservoir import Reservoir, random_state, set_random_state
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.neural.worker import beginning

TOGETHER = 2  # boards that are swept at a time: bounds the memory of a walk
PER_BOARD = 6_000  # samples of a street that a board gives
PROBE = 4_096
_TINY = 1e-12
EVEN = 0.2  # share of the samples that is drawn evenly over entries


@dataclass(frozen=True, eq=False)
class BoardProblem:
    """Hold'em from before the flop for `Worker`, walked board by board."""

    settings: HoldemSettings
    net: NetworkSettings
    sgd: SgdSettings
    memory: MemorySettings
    boards: int  # of a player and iteration
    seed: int
    averages: bool = False
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.memory.discount not in WEIGHTS:
            raise InputError(f"memory.discount = {self.memory.discount}: in hold'em it is one of {', '.join(WEIGHTS)}")

    @property
    def rounds(self) -> int:
        """Of sweeps in every shard: boards are drawn a few at a time."""
        return -(-self.boards // (self.memory.shards * TOGETHER))

    @property
    def polyak(self) -> float:
        return self.net.polyak

    @cached_property
    def game(self) -> BlueprintGame:
        return board_game(self.settings.game())

    @cached_property
    def plan(self) -> BoardPlan:
        return BoardPlan.of(self.game.game, self.game.tree)

    def network(self, player: int, what: str, seed: int) -> BoardNetwork:
        return new_board_network(self.plan, player, self.net, 4 * (self.seed + SEEDS * seed) + 2 * player).to(
            self.device
        )

    def shard(self, part: int) -> BoardShard:
        return BoardShard(self, part)


def engine_bytes(problem: BoardProblem) -> int:
    """Of the numbers of both players on the boards that are swept together, and of the engine's copies of them."""
    game, deck = problem.game, len(problem.game.game.deck)
    rows = game.rows
    swept = sum(int(rows[:, s].sum()) * comb(deck - BOARD_CARDS[s], 2) for s in range(1, game.streets))
    return 2 * 4 * 2 * TOGETHER * swept


class BoardShard:
    """A part of the boards, with the memories of both players."""

    def __init__(self, problem: BoardProblem, part: int) -> None:
        self.problem, self.part, self.parts = problem, part, problem.memory.shards
        self.streets = len(problem.plan.columns)
        self.walker = BoardWalk(problem.game, TOGETHER, problem.seed)
        self._random = np.random.default_rng([problem.seed, part, 17])
        room = max(1, problem.memory.advantage_cap // self.parts // max(1, self.streets - 1))
        self.fitted, self.unseen = ([self._reservoirs(p, cap) for p in range(2)] for cap in self._rooms(room))
        classes = len(self.walker.classes)
        columns = [self._columns(0, player) for player in range(2)]
        self.before = [np.zeros((classes, own.count)) for own in columns]
        self.weight = np.zeros(2)
        # Mean squares of regrets by street, player, entry and decision, and what they are a mean of.
        self.squares = [[np.zeros((own.entries, len(own.first) - 1)) for own in both] for both in problem.plan.columns]
        self.counted = np.zeros(2)
        self.odds: list[list[np.ndarray]] = [[np.zeros(0), np.zeros(0)] for _ in range(self.streets)]
        self.scales: list[list[np.ndarray]] = [[np.zeros(0), np.zeros(0)] for _ in range(self.streets)]

    def _columns(self, street: int, player: int) -> StreetColumns:
        return self.problem.plan.columns[street][player]

    def _rooms(self, room: int) -> tuple[int, int]:
        return room, max(1, int(room * self.problem.sgd.held_out))

    def _reservoirs(self, player: int, room: int) -> list[Reservoir]:
        found = []
        for street in range(1, self.streets):
            columns = {
                "numbers": ((BOARD_SIZE,), np.uint8), "entry": ((), np.int32),
                "values": ((self._columns(street, player).count,), np.float32), "iteration": ((), np.int32),
            }  # fmt: skip
            found.append(Reservoir(room, columns, int(self._random.integers(2**62))))
        return found

    def walk(self, player: int, iteration: int, networks: list[nn.Module]) -> int:
        """Sweep this shard's part of the boards; how many hands times betting nodes it went over."""
        own = [network for network in networks if isinstance(network, BoardNetwork)]
        rounds, visited = self.problem.rounds, 0
        total = np.zeros_like(self.before[player])
        for number in range(rounds):
            cards, flops = self._boards(iteration, number)
            shown = self.walker.sweep(player, own, cards, flops)
            visited += self._keep(player, iteration, shown)
            total += self._early(player)
        power = WEIGHTS[self.problem.memory.discount]
        factor = ((iteration - 1) / iteration) ** power if iteration > 1 else 0.0
        self.before[player] = self.before[player] * factor + total / rounds
        self.weight[player] = self.weight[player] * factor + 1
        return visited

    def _boards(self, iteration: int, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Boards uint8 [TOGETHER, 5] and their flops: the same for both players, others in every shard."""
        return self.walker.engine.draw((iteration * self.problem.rounds + number) * self.parts + self.part)

    def _early(self, player: int) -> np.ndarray:
        """float64 [classes, columns]: regrets before the flop, of one hand of each class."""
        rows, preflop = self._columns(0, player).rows[0], self.walker.preflop
        changes = self.walker.engine.root_changes(player)[self.walker.classes]
        return np.asarray(changes[:, rows] / preflop.combos[:, None])

    def _keep(self, player: int, iteration: int, shown: list[list[np.ndarray]]) -> int:
        visited, first = 0, iteration == 1
        self.counted[player] += 1
        for street in range(1, self.streets):
            columns, changes = self._columns(street, player), self.walker.engine.changes(player, street)
            hands = self.walker.hands(street)
            squares = np.zeros(changes.shape[1])
            row_squares(changes, hands, squares)
            by_column = np.where(columns.rows >= 0, squares[np.maximum(columns.rows, 0)], 0.0) / (hands * TOGETHER)
            now = (
                np.add.reduceat(by_column, columns.first[:-1], axis=1)
                if columns.count
                else self.squares[street][player]
            )
            self.squares[street][player] += now
            if first:
                self._set_odds(street, player)
            self._sample(player, street, iteration, changes, shown[street - 1], hands)
            visited += hands * TOGETHER * int((columns.rows >= 0).any(axis=1).sum()) * max(1, len(columns.first) - 1)
        return visited

    def _set_odds(self, street: int, player: int) -> None:
        """Entries are drawn by the size of their regrets under the first, even strategies, some of them evenly."""
        sizes = np.sqrt(self.squares[street][player].sum(axis=1))
        played = (self._columns(street, player).rows >= 0).any(axis=1)
        even = played / max(1, played.sum())
        total = sizes.sum()
        self.odds[street][player] = even if total <= 0 else (1 - EVEN) * sizes / total + EVEN * even

    def _sample(
        self, player: int, street: int, iteration: int, changes: np.ndarray, shown: list[np.ndarray], hands: int
    ) -> None:
        columns, count = self._columns(street, player), PER_BOARD * TOGETHER
        odds = self.odds[street][player]
        if not columns.count or odds.sum() <= 0:
            return
        board, hand = self._random.integers(TOGETHER, size=count), self._random.integers(hands, size=count)
        entry = self._random.choice(len(odds), count, p=odds / odds.sum())
        values = np.empty((count, columns.count), np.float32)
        gather_entries(changes, columns.rows, board, entry, hand, values)
        numbers = np.stack(shown)[board, hand]
        away = self._random.random(count) < self.problem.sgd.held_out
        for kept, chosen in ((self.fitted, ~away), (self.unseen, away)):
            kept[player][street - 1].add(
                numbers=numbers[chosen], entry=entry[chosen], values=values[chosen],
                iteration=np.full(int(chosen.sum()), iteration),
            )  # fmt: skip

    @property
    def samples(self) -> int:
        return sum(one.seen for part in (self.fitted, self.unseen) for both in part for one in both)

    def statistics(self, player: int, what: str) -> np.ndarray:
        """Mean squares of regrets, all streets after each other; before the flop those of the targets by column."""
        early = (self.before[player] / max(self.weight[player], _TINY)) ** 2
        parts = [early.mean(axis=0), *(both[player].ravel() / self.counted[player] for both in self.squares[1:])]
        return np.concatenate(parts).astype(np.float32)

    def prepare(self, player: int, what: str, total: np.ndarray) -> None:
        at = self._columns(0, player).count
        early = np.sqrt(total[:at] / self.parts)
        self.scales[0][player] = np.full(at, np.sqrt(np.mean(early**2)) + _TINY)
        for street in range(1, self.streets):
            shape = self.squares[street][player].shape
            part = total[at : at + shape[0] * shape[1]].reshape(shape)
            self.scales[street][player] = np.sqrt(part / self.parts) + _TINY
            at += part.size

    def loss(self, player: int, what: str, network: nn.Module) -> Loss:
        """Squared errors in units of each decision's scale, by which it weighs among those of its entry."""
        assert isinstance(network, BoardNetwork)
        device = device_of(network)
        size = max(1, self.problem.sgd.batch_size // self.parts // max(1, self.streets - 1))
        early = torch.from_numpy(
            (self.before[player] / self.weight[player] / self.scales[0][player]).astype(np.float32)
        )
        preflop, combos = as_numbers(self.walker.preflop.numbers), torch.from_numpy(self.walker.preflop.combos)

        def loss() -> Tensor:
            wrong = ((network.before(preflop.to(device)) - early.to(device)) ** 2).mean(dim=1)
            total: Tensor = (wrong * combos.to(device)).sum() / combos.sum()
            for street in range(1, self.streets):
                reservoir = self.fitted[player][street - 1]
                if len(reservoir):
                    rows = self._random.integers(len(reservoir), size=size)
                    error, weights = self._errors(player, street, network, reservoir, rows)
                    total = total + (error * weights).sum() / weights.sum().clamp(min=_TINY)
            return total

        return loss

    def _errors(
        self, player: int, street: int, network: BoardNetwork, reservoir: Reservoir, rows: np.ndarray
    ) -> tuple[Tensor, Tensor]:
        """Errors [n] of samples, and the weights of their iterations."""
        found, targets, shares = self._compared(player, street, network, reservoir, rows)
        iterations = reservoir["iteration"][rows].astype(np.float64)
        power = WEIGHTS[self.problem.memory.discount]
        weights = torch.from_numpy(((iterations / iterations.max()) ** power).astype(np.float32)).to(found.device)
        return ((found - targets) ** 2 * shares).sum(dim=1), weights

    def _compared(
        self, player: int, street: int, network: BoardNetwork, reservoir: Reservoir, rows: np.ndarray
    ) -> tuple[Tensor, Tensor, Tensor]:
        """What the network says, targets, and what columns weigh, [n, columns] each."""
        columns, device = self._columns(street, player), device_of(network)
        entry = reservoir["entry"][rows].astype(np.int64)
        scales = self.scales[street][player][entry][:, columns.decision]
        legal = columns.rows[entry] >= 0
        shares = np.where(legal, scales, 0.0)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), _TINY)
        targets = np.where(legal, reservoir["values"][rows] / scales, 0.0)
        found = network.on[street - 1](
            as_numbers(reservoir["numbers"][rows]).to(device), torch.from_numpy(entry).to(device)
        )
        parts = (torch.from_numpy(np.asarray(part, np.float32)).to(device) for part in (targets, shares))
        return (found, *parts)

    def error(self, player: int, network: nn.Module) -> float:
        """Mean squared error of held-out samples, unweighted, in units of the scales; all streets."""
        wrong, _ = self._unseen(player, network)
        return float(np.mean(wrong)) if wrong else float("nan")

    def explained(self, player: int, network: nn.Module) -> float:
        """Share of the squares of held-out samples that the network explains."""
        wrong, squares = self._unseen(player, network)
        return 1 - float(np.sum(wrong) / np.sum(squares)) if wrong and np.sum(squares) > 0 else float("nan")

    def _unseen(self, player: int, network: nn.Module) -> tuple[list[float], list[float]]:
        """Errors of held-out samples, and mean squares of their targets, by street."""
        assert isinstance(network, BoardNetwork)
        wrong, squares = [], []
        for street in range(1, self.streets):
            reservoir = self.unseen[player][street - 1]
            if not len(reservoir):
                continue
            rows = np.arange(max(0, len(reservoir) - PROBE), len(reservoir))
            with torch.no_grad():
                found, targets, shares = self._compared(player, street, network, reservoir, rows)
                wrong.append(float((((found - targets) ** 2) * shares).sum(dim=1).mean()))
                squares.append(float((targets**2 * shares).sum(dim=1).mean()))
        return wrong, squares

    def state(self) -> dict[str, np.ndarray]:
        found = {"random": random_state(self._random), "weight": self.weight, "counted": self.counted}
        for player in range(2):
            found[f"before{player}"] = self.before[player]
            for street in range(1, self.streets):
                name = f"{player}{street}"
                found[f"squares{name}"] = self.squares[street][player]
                found[f"odds{name}"] = self.odds[street][player]
                for kind, kept in (("fitted", self.fitted), ("unseen", self.unseen)):
                    state = kept[player][street - 1].state()
                    found |= {f"{kind}{name}_{part}": array for part, array in state.items()}
        return found

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        set_random_state(self._random, state["random"])
        self.weight[:], self.counted[:] = state["weight"], state["counted"]
        for player in range(2):
            self.before[player] = np.array(state[f"before{player}"])
            for street in range(1, self.streets):
                name = f"{player}{street}"
                self.squares[street][player] = np.array(state[f"squares{name}"])
                self.odds[street][player] = np.array(state[f"odds{name}"])
                for kind, kept in (("fitted", self.fitted), ("unseen", self.unseen)):
                    kept[player][street - 1].restore(beginning(state, f"{kind}{name}_"))
