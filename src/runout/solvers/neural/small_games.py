"""Deep CFR and Single Deep CFR in games that can be listed whole: Kuhn, Leduc, OpenSpiel's and your own.

Iteration t, for player 0 and then for player 1:

1. Walk: with a table, over the whole tree; with a reservoir, `traversals` external-sampling walks. The opponent is
   played by the opponent's own network.
2. Remember: the table keeps, for each row, discounted sums of regrets and of the opponent's reach. Their quotient is
   the weighted mean of all samples that would ever have been drawn, so nothing is lost by not keeping those.
3. Fit the player's network to it, in normalised units, and play by regret matching on what it says.

SD-CFR's average is the sum over the networks that are kept of weight_t * reach_t * strategy_t; drawing one of them per
game with odds weight_t plays the same. Deep CFR fits a second network to the average of all iterations (with a table:
to exact sums; with a reservoir: to strategies that walks came by) and plays it instead.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np
import torch

from runout.errors import InputError
from runout.games.compiled import CompiledGame, compile_game
from runout.games.protocol import AnyGame
from runout.solvers.neural.fitting import Loss, masked_loss
from runout.solvers.neural.matching import matched
from runout.solvers.neural.memories import Draw, Samples, StatisticsTable, average_batches
from runout.solvers.neural.player import PlayerNetwork, average_network
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.neural.small_policies import SmallMixture, small_sides
from runout.solvers.neural.small_sides import own_reach
from runout.solvers.tabular import normalised, uniform_strategy
from runout.solvers.whole import uninterrupted

SOLVERS = ("sd-cfr", "deep-cfr")


class NeuralSmallGame:
    """A `protocols.Solver` of a small game; its policy is what the networks that it keeps play, as a table."""

    def __init__(
        self,
        solver: str,
        rules: AnyGame,
        network: NetworkSettings,
        sgd: SgdSettings,
        memory: MemorySettings,
        traversals: int = 1000,
        seed: int = 0,
    ) -> None:
        torch.set_num_threads(1)
        if solver not in SOLVERS:
            raise InputError(f"unknown neural solver {solver!r}: use {' or '.join(SOLVERS)}")
        self.solver, self.traversals, self.rules = solver, traversals, rules
        self.game: CompiledGame = compile_game(rules)
        self.sides = small_sides(rules, self.game)
        for player, side in enumerate(self.sides):
            if not len(side.numbers):
                raise InputError(f"player {player} of {self.game.name} decides nothing: there is nothing to learn")
        self.players = [
            PlayerNetwork.of(side.numbers, side.legal, network, sgd, seed, i) for i, side in enumerate(self.sides)
        ]
        self.deep = solver == "deep-cfr"
        kind = Samples if memory.kind == "reservoir" else StatisticsTable
        self.memories = [kind(self.game, side, memory, sgd, seed) for side in self.sides]
        self.weights = self.memories[0].weights  # of iterations in the average
        self.network, self.sgd, self.seed = network, sgd, seed
        self.iteration = 0
        self.networks: list[list[np.ndarray]] = [[], []]  # model buffer (sd-cfr): weights played at iterations `kept`
        self.kept: list[int] = []
        self._mixture = SmallMixture(rules, self.game, network)
        self._strategy = uniform_strategy(self.game)
        self._average = np.zeros(
            self.game.sequences
        )  # sums of reach * strategy: of the model buffer, or all (deep-cfr)
        self._fitted: tuple[int, list[np.ndarray]] = (0, [])  # iteration, average networks (deep-cfr)
        self._metrics: dict[str, float] = {}
        self._nodes = 0

    def step(self, iterations: int) -> None:
        for _ in range(iterations):
            with uninterrupted():
                self._iterate()

    def _iterate(self) -> None:
        t = self.iteration + 1
        keeps = not self.deep and (t - 1) % self.network.keep_every == 0
        if keeps:
            self.kept.append(t)
            for player, network in enumerate(self.players):
                self.networks[player].append(network.played())
        average = self.weights.at(t).average
        walking = fitting = 0.0
        losses, visited = [], 0
        for side in self.sides:
            self._average[side.sequence] *= average
            if keeps or self.deep:
                self._average[side.sequence] += own_reach(self.game, side, self._strategy)
        for side, network, memory in zip(self.sides, self.players, self.memories, strict=True):
            begun = time.perf_counter()
            visited += memory.walk(self._strategy, t, self.traversals, network)
            other = self.memories[1 - side.player]
            if self.deep and isinstance(memory, Samples) and isinstance(other, Samples):
                other.remember(memory.passed, self._strategy, t)
            walked = time.perf_counter()
            losses.append(network.fit([_loss(network, memory.batches(network))], t))
            side.spread(matched(network.advantages(side.numbers), side.legal), self._strategy)
            walking += walked - begun
            fitting += time.perf_counter() - walked
        self.iteration = t
        self._nodes += visited
        rows = 2 * self.sgd.steps * min(self.sgd.batch_size, self.memories[0].size)
        self._metrics = {
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

    def _explained(self) -> float:
        both = zip(self.memories, self.players, strict=True)
        return float(np.mean([memory.explained(network) for memory, network in both]))

    def metrics(self) -> dict[str, float]:
        """Of the last iteration; losses are worked out when they are asked for."""
        if not self.iteration:
            return {}
        return {"loss": self._held_out(), "explained": self._explained(), **self._metrics}

    def policy(self) -> np.ndarray:
        """float64 [sequences]: what the kept networks play (sd-cfr), or the average network does (deep-cfr)."""
        if self.deep:
            return self._mixture.played(self.averages(), averages=True)
        return normalised(self.game, self._average)

    def averages(self) -> list[np.ndarray]:
        """float32 [parameters] of both players' average networks (deep-cfr), fitted when they are first asked for."""
        if not self.iteration:
            return [network.played() for network in self.players]  # which say nothing yet: uniform
        if self._fitted[0] != self.iteration:
            found = []
            for side, memory in zip(self.sides, self.memories, strict=True):
                sums = side.gathered(self._average[side.sequence])
                draw = average_batches(side, memory, sums, self.players[0].shape.slots)
                seed = self.seed + self.iteration
                found.append(average_network(side.numbers, self.players[side.player].shape, self.sgd, seed, draw))
            self._fitted = self.iteration, found
        return self._fitted[1]

    def current(self) -> np.ndarray:
        """float64 [sequences]: what the newest networks play."""
        return self._strategy.copy()

    def part(self, number: int) -> np.ndarray:
        """float64 [sequences]: what network `number` of the model buffer plays."""
        return self._mixture.played([own[number] for own in self.networks])

    def part_weights(self) -> np.ndarray:
        """float64 [networks kept]: odds with which each of them is drawn for a game; they add up to 1."""
        weights = self._kept_weights()
        return weights / weights.sum() if self.kept else weights

    def _kept_weights(self) -> np.ndarray:
        """float64 [networks kept]: weight of each in the sums; that of the last iteration is 1."""
        if not self.kept:
            return np.zeros(0)
        rows = np.array([self.weights.at(t).average for t in range(1, self.iteration + 1)])
        after = np.append(np.cumprod(rows[::-1])[::-1][1:], 1.0)[np.array(self.kept) - 1]
        return np.asarray(after)

    def memory(self) -> int:
        buffer = sum(one.nbytes for kept in self.networks for one in kept)
        return buffer + sum(memory.nbytes for memory in self.memories)

    def state(self) -> dict[str, np.ndarray]:
        found = {
            "iteration": np.array(self.iteration),
            "nodes": np.array(self._nodes),
            "strategy": self._strategy.copy(),
            "mixture": self._average.copy(),
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
        self._strategy[:] = state["strategy"]
        self.kept = state["kept"].tolist()
        self.iteration, self._nodes = int(state["iteration"]), int(state["nodes"])
        if "mixture" in state:
            self._average[:] = state["mixture"]
        elif self.deep:
            self._average[:] = state["average"]
        else:  # Runout 0.1.0 added all iterations up, whatever it kept
            self._average[:] = 0
            for number, weight in enumerate(self._kept_weights()):
                strategy = self.part(number)
                for side in self.sides:
                    self._average[side.sequence] += weight * own_reach(self.game, side, strategy)


def _loss(network: PlayerNetwork, draw: Draw) -> Loss:
    return lambda: masked_loss(network.network, draw())
