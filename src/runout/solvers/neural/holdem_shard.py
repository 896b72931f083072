"""Deep CFR for dealt hold'em, limit and no-limit: walks over deals, and reservoirs of what they saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from runout.errors import InputError
from runout.games.deals import DealPool, draw_deals
from runout.games.encoders import Features, HoldemEncoder
from runout.games.holdem import HoldemSettings
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.solvers.neural.fitting import Batch, Loss, masked_loss
from runout.solvers.neural.holdem_walk import Seen, walk
from runout.solvers.neural.matching import matched
from runout.solvers.neural.networks import SEEDS, Network, Shape, device_of, half_precision, new_network
from runout.solvers.neural.reservoir import Reservoir, random_state, set_random_state
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.neural.worker import ADVANTAGES, beginning

HOLE = 2
CHUNK = 8_192  # rows that a network answers at a time
TOGETHER = 512  # deals of one lock step: bounds the memory of a walk
PROBE = 4_096
WEIGHTS = {"linear": 1.0, "uniform": 0.0, "dcfr": 1.5}  # iteration t weighs t to this power


def network_shape(game: HoldemGame, settings: NetworkSettings) -> Shape:
    """The network that a game of hold'em has by these settings."""
    encoder = HoldemEncoder(game)
    slots = max(len(encoder.slots), settings.num_actions or 0)
    cards = (HOLE, *(after - before for before, after in pairwise(BOARD_CARDS)))
    if settings.kind == "mlp":
        return Shape(encoder.number_size + sum(cards) * 17, slots, settings.hidden_dim, settings.depth)
    return Shape(encoder.number_size, slots, settings.hidden_dim, settings.depth, cards, settings.card_dim)


def network_rows(shape: Shape, features: Features) -> tuple[Tensor, Tensor | None]:
    """Numbers and cards as a network of this shape takes them; a plain MLP sees ranks and suits as numbers."""
    numbers = torch.from_numpy(np.asarray(features.numbers, np.float32))
    cards = torch.from_numpy(features.cards.astype(np.int64))
    if shape.card_groups:
        return numbers, cards
    marks = torch.zeros(*cards.shape, 17)
    dealt = cards >= 0
    ids = cards.clamp(min=0)
    marks.scatter_(2, (ids // 4).unsqueeze(2), dealt.unsqueeze(2).float())
    marks.scatter_(2, (13 + ids % 4).unsqueeze(2), dealt.unsqueeze(2).float())
    return torch.cat([numbers, marks.reshape(len(cards), -1)], dim=1), None


def answers(network: Network, features: Features, precision: str) -> np.ndarray:
    """float64 [n, slots of the game]."""
    slots = features.legal.shape[1]
    out = np.empty((len(features.legal), slots))
    with torch.no_grad(), half_precision(precision, device_of(network).type):
        for at in range(0, len(out), CHUNK):
            part = Features(*(column[at : at + CHUNK] for column in features))
            out[at : at + CHUNK] = network(*network_rows(network.shape, part))[:, :slots].float().cpu().numpy()
    return out


@dataclass(frozen=True, eq=False)
class HoldemProblem:
    """Dealt hold'em for `Worker`."""

    settings: HoldemSettings
    net: NetworkSettings
    sgd: SgdSettings
    memory: MemorySettings
    traversals: int  # a player and iteration
    seed: int
    pool: DealPool | None = None
    averages: bool = False
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.memory.kind == "table":
            raise InputError("memory.kind table is for small games: use reservoir (or auto) for hold'em")
        if self.memory.bootstrap or self.memory.discount not in WEIGHTS:
            raise InputError(f"hold'em keeps a reservoir: memory.discount is one of {', '.join(WEIGHTS)}, no bootstrap")

    @property
    def polyak(self) -> float:
        return self.net.polyak

    @cached_property
    def game(self) -> HoldemGame:
        return self.settings.game()

    def network(self, player: int, what: str, seed: int) -> Network:
        number = 4 * (self.seed + SEEDS * seed) + 2 * player + (what == ADVANTAGES)
        return new_network(network_shape(self.game, self.net), number).to(self.device)

    def shard(self, part: int) -> HoldemShard:
        return HoldemShard(self, part)


class HoldemShard:
    """A part of the walks, with reservoirs of both players."""

    def __init__(self, problem: HoldemProblem, part: int) -> None:
        self.problem, self.encoder, self.parts = problem, HoldemEncoder(problem.game), problem.memory.shards
        self.size = max(1, problem.sgd.batch_size // self.parts)
        self._random = np.random.default_rng([problem.seed, part, 11])
        self._generator = self._random.integers(2**63, size=1).astype(np.uint64)
        slots = len(self.encoder.slots)
        columns = {
            "cards": ((self.encoder.card_size,), np.int8), "numbers": ((self.encoder.number_size,), np.float16),
            "legal": ((slots,), np.bool_), "values": ((slots,), np.float32), "weight": ((), np.float32),
            "iteration": ((), np.int32),
        }  # fmt: skip
        memory, held_out = problem.memory, problem.sgd.held_out

        def reservoirs(cap: int, number: int) -> list[Reservoir]:
            room = max(1, cap // self.parts)
            return [Reservoir(room, columns, int(self._random.integers(2**62)) + number) for _ in range(2)]

        self.fitted = reservoirs(memory.advantage_cap, 0)
        self.unseen = reservoirs(int(memory.advantage_cap * held_out), 1)
        self.strategies = reservoirs(memory.strategy_cap, 2) if problem.averages else []
        self.scale = [1.0, 1.0]

    def walk(self, player: int, iteration: int, networks: list[nn.Module]) -> int:
        """Do this shard's part of the traversals; how many nodes they visited."""
        precision = self.problem.net.precision

        def strategy(who: int, features: Features) -> np.ndarray:
            network = networks[who]
            assert isinstance(network, Network)
            return matched(answers(network, features, precision), features.legal)

        nodes, left = 0, max(1, self.problem.traversals // self.parts)
        while left > 0:
            deals, weights = self._deals(min(left, TOGETHER))
            left -= len(deals)
            mine, theirs, visited = walk(self.encoder, deals, player, strategy, self._random)
            nodes += visited
            self._keep(mine, weights, iteration, player)
            if self.strategies:
                for seen in theirs:
                    self._offer(self.strategies[1 - player], seen, weights, iteration, slice(None))
        return nodes

    def _deals(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Deals uint8 [count, 9] and their importance weights: of the pool, or fresh ones."""
        pool = self.problem.pool
        if pool is None:
            return draw_deals(self.problem.game, count, self._generator), np.ones(count)
        rows = self._random.integers(len(pool), size=count)
        return pool.deals[rows], pool.weights[rows]

    def _keep(self, levels: list[Seen], weights: np.ndarray, iteration: int, player: int) -> None:
        for seen in levels:
            away = self._random.random(len(seen.deal)) < self.problem.sgd.held_out
            self._offer(self.fitted[player], seen, weights, iteration, ~away)
            self._offer(self.unseen[player], seen, weights, iteration, away)

    def _offer(
        self, reservoir: Reservoir, seen: Seen, weights: np.ndarray, iteration: int, rows: np.ndarray | slice
    ) -> None:
        if not len(seen.deal[rows]):
            return
        reservoir.add(
            cards=seen.features.cards[rows], numbers=seen.features.numbers[rows], legal=seen.features.legal[rows],
            values=seen.values[rows], weight=weights[seen.deal[rows]],
            iteration=np.full(len(seen.deal[rows]), iteration),
        )  # fmt: skip

    @property
    def samples(self) -> int:
        return sum(one.seen for one in (*self.fitted, *self.unseen))

    def statistics(self, player: int, what: str) -> np.ndarray:
        """Mean square of the targets here."""
        if what != ADVANTAGES:
            return np.ones(1, np.float32)
        return np.array([np.mean(self.fitted[player]["values"][:PROBE] ** 2)], np.float32)

    def prepare(self, player: int, what: str, total: np.ndarray) -> None:
        if what == ADVANTAGES and self.scale[player] == 1.0:  # chosen once: a warm start stays one
            self.scale[player] = float(np.sqrt(total[0] / self.parts)) or 1.0

    def loss(self, player: int, what: str, network: nn.Module) -> Loss:
        assert isinstance(network, Network)
        reservoir = self.fitted[player] if what == ADVANTAGES else self.strategies[player]
        unit = self.scale[player] if what == ADVANTAGES else 1.0

        def loss() -> Tensor:
            rows = self._random.integers(len(reservoir), size=self.size)
            batch = self._batch(reservoir, rows, unit, network)
            with half_precision(self.problem.net.precision, self.problem.device):
                return masked_loss(network, batch)

        return loss

    def _batch(self, reservoir: Reservoir, rows: np.ndarray | slice, unit: float, network: Network) -> Batch:
        legal = reservoir["legal"][rows]
        features = Features(reservoir["cards"][rows], reservoir["numbers"][rows], legal)
        numbers, cards = network_rows(network.shape, features)
        iterations = reservoir["iteration"][rows].astype(np.float64)
        power = WEIGHTS[self.problem.memory.discount]
        weights = reservoir["weight"][rows] * (iterations / iterations.max()) ** power
        spare = network.shape.slots - legal.shape[1]
        targets, mask = (
            torch.nn.functional.pad(torch.from_numpy(np.asarray(part, np.float32)), (0, spare))
            for part in (reservoir["values"][rows] / unit, legal)
        )
        return Batch(numbers, cards, targets, mask, torch.from_numpy(weights.astype(np.float32)))

    def error(self, player: int, network: nn.Module) -> float:
        """Mean squared error of held-out samples, unweighted, in normalised units."""
        assert isinstance(network, Network)
        if not len(self.unseen[player]):
            return float("nan")
        rows = np.arange(max(0, len(self.unseen[player]) - PROBE), len(self.unseen[player]))
        batch = self._batch(self.unseen[player], rows, self.scale[player], network)
        with torch.no_grad():
            return float(masked_loss(network, batch._replace(weights=torch.ones(len(rows)))))

    def explained(self, player: int, network: nn.Module) -> float:
        """Share of the squares of held-out samples that the network explains."""
        if not len(self.unseen[player]):
            return float("nan")
        values, legal = self.unseen[player]["values"][-PROBE:], self.unseen[player]["legal"][-PROBE:]
        squares = float((values**2 * legal).sum(axis=1).mean()) / self.scale[player] ** 2
        return 1 - self.error(player, network) / squares if squares > 0 else float("nan")

    def state(self) -> dict[str, np.ndarray]:
        found = {"random": random_state(self._random), "generator": self._generator, "scale": np.array(self.scale)}
        for kind, reservoirs in self._reservoirs().items():
            for player, one in enumerate(reservoirs):
                found |= {f"{kind}{player}_{name}": array for name, array in one.state().items()}
        return found

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        set_random_state(self._random, state["random"])
        self._generator[:], self.scale = state["generator"], state["scale"].tolist()
        for kind, reservoirs in self._reservoirs().items():
            for player, one in enumerate(reservoirs):
                one.restore(beginning(state, f"{kind}{player}_"))

    def _reservoirs(self) -> dict[str, list[Reservoir]]:
        return {"fitted": self.fitted, "unseen": self.unseen, "strategies": self.strategies}
