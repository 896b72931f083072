"""Bytes that the neural solvers take, known from their settings before anything is allocated."""

from __future__ import annotations

from typing import NamedTuple

from torch import nn

from runout.games.board_features import BOARD_SIZE
from runout.games.encoders import HoldemEncoder
from runout.games.flop_features import FLOP_SIZE
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import HoldemSettings
from runout.games.protocol import AnyGame
from runout.games.small_encoders import encoder_of
from runout.solvers.neural.board_shard import BoardProblem, engine_bytes
from runout.solvers.neural.flop_shard import FlopProblem
from runout.solvers.neural.holdem_shard import network_shape
from runout.solvers.neural.networks import Shape, new_network
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings, walks_boards, walks_ranges
from runout.solvers.range_memory import estimate

COPIES = 3  # of a run's state while it is saved: in the workers, on its way, and gathered
_FLOAT = 4


class Part(NamedTuple):
    """Something that takes memory."""

    name: str
    bytes: int
    cut: str  # the setting that makes it smaller


def small_parts(
    game: AnyGame,
    network: NetworkSettings,
    sgd: SgdSettings,
    memory: MemorySettings,
    iterations: int | None,
    deep: bool,
) -> list[Part]:
    """Of a small game; a table is as small as the game. `iterations` is None where time alone limits them."""
    encoder = encoder_of(game)
    slots = max(len(encoder.slots), network.num_actions or 0)
    net = new_network(Shape(encoder.size, slots, network.hidden_dim, network.depth), 0)
    sample = 2 + _FLOAT * len(encoder.slots) + _FLOAT
    kept = _reservoirs(sample, sgd, memory, deep) if memory.kind == "reservoir" else 0
    cut = "memory.advantage_cap" + (" or memory.strategy_cap" if deep else "")
    found = [
        Part("reservoirs", kept, cut),
        _buffer(2 * _weights(net), network, 0 if deep else iterations),
        Part("copies while saving", kept, cut),
    ]
    return [part for part in found if part.bytes]


def holdem_parts(
    solver: str,
    game: HoldemSettings,
    network: NetworkSettings,
    sgd: SgdSettings,
    memory: MemorySettings,
    iterations: int | None,
) -> list[Part]:
    """Of hold'em, all processes together. `iterations` is None where time alone limits them."""
    if walks_ranges(game, solver, memory):
        problem = FlopProblem(FlopHoldem.of_limit(game), network, sgd, memory, 0)
        size = estimate(problem.game.tree, problem.game.boards)
        numbers = _FLOAT * sum(count for _, count in size.streets) // 2
        flops = problem.game.boards[1]
        hands = int(flops.tables.count[0].sum())
        both = sum(_weights(problem.network(player, "", 0)) for player in range(2))
        found = [
            Part("tables of regrets", numbers, "game.max_bets_early or game.ranks"),
            Part("range engine", size.bytes(), "game.max_bets_early or game.ranks"),
            Part("features", hands * (FLOP_SIZE + 4 + 2 * 8), "game.ranks"),  # at most: hands that look alike share
            _buffer(both, network, iterations),
            Part("copies while saving", (COPIES - 1) * numbers, "game.max_bets_early or game.ranks"),
        ]
    elif walks_boards(game, solver, memory):
        boards = BoardProblem(game, network, sgd, memory, 1, 0)
        counts = [own.count for both in boards.plan.columns[1:] for own in both]
        sample = BOARD_SIZE + 2 * _FLOAT + _FLOAT * max(counts, default=0)
        kept = _reservoirs(sample, sgd, memory, False)
        cut = "memory.advantage_cap"
        found = [
            Part("reservoirs", kept, cut),
            Part("range engine", memory.shards * engine_bytes(boards), "game.max_bets or the number of bet sizes"),
            _buffer(sum(_weights(boards.network(player, "", 0)) for player in range(2)), network, iterations),
            Part("copies while saving", COPIES * kept, cut),
        ]
    else:
        net = new_network(network_shape(game.game(), network), 0)
        deep = solver == "deep-cfr"
        kept = _reservoirs(sample_bytes(game), sgd, memory, deep)
        cut = "memory.advantage_cap" + (" or memory.strategy_cap" if deep else "")
        found = [
            Part("reservoirs", kept, cut),
            _buffer(2 * _weights(net), network, 0 if deep else iterations),
            Part("copies while saving", COPIES * kept, cut),
        ]
    return [part for part in found if part.bytes]


def sample_bytes(game: HoldemSettings) -> int:
    """Of one sample of hold'em: cards, numbers, legal slots, values, weight and iteration."""
    encoder = HoldemEncoder(game.game())
    slots = len(encoder.slots)
    return encoder.card_size + 2 * encoder.number_size + slots + _FLOAT * slots + 2 * _FLOAT


def _reservoirs(sample: int, sgd: SgdSettings, memory: MemorySettings, strategies: bool) -> int:
    """Of both players, when they are full."""
    fitted, unseen = memory.advantage_cap, max(memory.shards, int(memory.advantage_cap * sgd.held_out))
    return 2 * sample * (fitted + unseen + (memory.strategy_cap if strategies else 0))


def _buffer(weights: int, network: NetworkSettings, iterations: int | None) -> Part:
    """The networks that are kept, of both players."""
    count = 0 if iterations is None else -(-iterations // network.keep_every)
    return Part("model buffer", weights * count, "training.iterations, or keep fewer networks (network.keep_every)")


def _weights(network: nn.Module) -> int:
    return _FLOAT * sum(part.numel() for part in network.parameters())
