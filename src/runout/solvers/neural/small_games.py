"""Deep CFR and Single Deep CFR in games that can be listed whole: Kuhn and Leduc.

Iteration t, for player 0 and then for player 1:

1. Walk: with a table, over the whole tree; with a reservoir, `traversals` external-sampling walks. The opponent is
   played by the opponent's own network.
2. Remember: the table keeps, for each row, discounted sums of regrets and of the opponent's reach. Their quotient is
   the weighted mean of all samples that would ever have been drawn, so nothing is lost by not keeping those.
3. Fit the player's network to it, in normalised units, and play by regret matching on what it says.

SD-CFR's average is the sum over t of weight_t * reach_t * strategy_t; drawing one network per game with odds weight_t
plays the same. Deep CFR fits a second network to that average and plays it instead.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np
import torch

from runout.errors import InputError
from runout.games.catalog import load_game
from runout.games.compiled import CompiledGame, compile_game
from runout.games.small_encoders import SmallGameEncoder, kuhn_encoder, leduc_encoder
from runout.solvers.neural.fitting import Loss, masked_loss
from runout.solvers.neural.matching import matched
from runout.solvers.neural.memories import Draw, Samples, StatisticsTable
from runout.solvers.neural.player import PlayerNetwork, average_table
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.neural.small_sides import SmallSide, own_reach
from runout.solvers.tabular import normalised, uniform_strategy
from runout.solvers.whole import uninterrupted

ENCODERS = {"kuhn": kuhn_encoder, "leduc": leduc_encoder}
SOLVERS = ("sd-cfr", "deep-cfr")


class NeuralSmallGame:
    """A `protocols.Solver` of a small game; its policy is a table like those of other solvers."""

    def __init__(
        self,
        solver: str,
        name: str,
        network: NetworkSettings,
        sgd: SgdSettings,
        memory: MemorySettings,
        traversals: int = 1000,
        seed: int = 0,
    ) -> None:
        torch.set_num_threads(1)
        if solver not in SOLVERS:
            raise InputError(f"unknown neural solver {solver!r}: use {' or '.join(SOLVERS)}")
        self.solver, self.traversals = solver, traversals
        self.game: CompiledGame = compile_game(load_game(name))
        encoder: SmallGameEncoder = ENCODERS[name]()
        self.sides = [SmallSide.of(self.game, encoder, player) for player in range(2)]
        self.players = [
            PlayerNetwork.of(side.numbers, side.legal, network, sgd, seed, i) for i, side in enumerate(self.sides)
        ]
        kind = Samples if memory.kind == "reservoir" else StatisticsTable
        self.memories = [kind(self.game, side, memory, sgd, seed) for side in self.sides]
        self.weights = self.memories[0].weights  # of iterations in the average
        self.sgd, self.seed = sgd, seed
        self.iteration = 0
        self.networks: list[list[np.ndarray]] = [[], []]  # model buffer: weights played at iterations 1, 2, ...
        self.kept: list[int] = []  # iterations of the model buffer
        self._keep_every = network.keep_every
        self._strategy = uniform_strategy(self.game)
        self._average = np.zeros(self.game.sequences)
        self._metrics: dict[str, float] = {}
        self._nodes = 0

    def step(self, iterations: int) -> None:
        for _ in range(iterations):
            with uninterrupted():
                self._iterate()

    def _iterate(self) -> None:
        t = self.iteration + 1
        if (t - 1) % self._keep_every == 0:
            self.kept.append(t)
            for player, network in enumerate(self.players):
                self.networks[player].append(network.played())
        average = self.weights.at(t).average
        walking = fitting = 0.0
        losses, visited = [], 0
        for side in self.sides:
            self._average[side.sequence] *= average
            self._average[side.sequence] += own_reach(self.game, side, self._strategy)
        for side, network, memory in zip(self.sides, self.players, self.memories, strict=True):
            begun = time.perf_counter()
            visited += memory.walk(self._strategy, t, self.traversals, network)
            walked = time.perf_counter()
            losses.append(network.fit([_loss(network, memory.batches(network))], t))
            side.spread(matched(network.advantages(side.numbers), side.legal), self._strategy)
            walking += walked - begun
            fitting += time.perf_counter() - walked
        self.iteration = t
        self._nodes += visited
        rows = 2 * self.sgd.steps * min(self.sgd.batch_size, self.memories[0].size)
        self._metrics = {
            "loss": self._held_out(),
            "fitted_loss": float(np.mean(losses)),
            "samples": float(sum(memory.seen for memory in self.memories)),
            "nodes": float(self._nodes),
            "walking_seconds": walking,
            "fitting_seconds": fitting,
            "nodes_per_second": visited / max(walking, 1e-9),
            "rows_per_second": rows / max(fitting, 1e-9),
        }  # fmt: skip

    def _held_out(self) -> float:
        both = zip(self.memories, self.players, strict=True)
        return float(np.mean([memory.held_out(network) for memory, network in both]))

    def metrics(self) -> dict[str, float]:
        """Of the last iteration."""
        return dict(self._metrics)

    def policy(self) -> np.ndarray:
        """float64 [sequences]: the explicit average (sd-cfr), or what the average network plays (deep-cfr)."""
        average = normalised(self.game, self._average)
        if self.solver == "sd-cfr" or not self.iteration:
            return average
        out = average.copy()
        for side in self.sides:
            sums = side.gathered(self._average[side.sequence])
            side.spread(
                average_table(
                    side.numbers, side.legal, sums, self.players[0].shape, self.sgd, self.seed + self.iteration
                ),
                out,
            )
        return out

    def current(self) -> np.ndarray:
        """float64 [sequences]: what the newest networks play."""
        return self._strategy.copy()

    def part(self, number: int) -> np.ndarray:
        """float64 [sequences]: what network `number` of the model buffer plays."""
        strategy = uniform_strategy(self.game)
        for side, network, kept in zip(self.sides, self.players, self.networks, strict=True):
            side.spread(matched(network.advantages(side.numbers, kept[number]), side.legal), strategy)
        return strategy

    def part_weights(self) -> np.ndarray:
        """float64 [networks kept]: odds with which each of them is drawn for a game; they add up to 1."""
        rows = np.array([self.weights.at(t).average for t in range(1, self.iteration + 1)])
        after = np.append(np.cumprod(rows[::-1])[::-1][1:], 1.0)[np.array(self.kept) - 1]
        return np.asarray(after / after.sum())

    def memory(self) -> int:
        buffer = sum(one.nbytes for kept in self.networks for one in kept)
        return buffer + sum(memory.nbytes for memory in self.memories)

    def state(self) -> dict[str, np.ndarray]:
        found = {
            "iteration": np.array(self.iteration),
            "nodes": np.array(self._nodes),
            "strategy": self._strategy.copy(),
            "average": self._average.copy(),
            "kept": np.array(self.kept, np.int64),
        }
        for player in range(2):
            parts = {"network": self.players[player].state(), "memory": self.memories[player].state()}
            found |= {f"{part}{player}_{name}": a for part, state in parts.items() for name, a in state.items()}
            found[f"buffer{player}"] = np.array(self.networks[player], np.float32)
        return found

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        for player in range(2):
            for part, target in (("network", self.players[player]), ("memory", self.memories[player])):
                prefix = f"{part}{player}_"
                target.restore({n.removeprefix(prefix): a for n, a in state.items() if n.startswith(prefix)})
            self.networks[player] = list(state[f"buffer{player}"])
        self._strategy[:], self._average[:] = state["strategy"], state["average"]
        self.kept = state["kept"].tolist()
        self.iteration, self._nodes = int(state["iteration"]), int(state["nodes"])


def _loss(network: PlayerNetwork, draw: Draw) -> Loss:
    return lambda: masked_loss(network.network, draw())
