"""Deep CFR and Single Deep CFR for games too large for a table of strategies: what every process of a team does.

Iteration t, for player 0 and then for player 1:

1. every shard walks the game with the networks that are played now, and adds what it saw to its memory;
2. the player's advantage network is fitted to the memories of all shards together;
3. deep-cfr also fits the player's average network to the strategies that were met.

A problem says what networks and shards are (`FlopProblem`, `HoldemProblem`). There are `memory.shards` shards; how
many processes share them changes nothing in the result.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

from runout.solvers.neural.fitting import Fitter, FittingTeam, Loss
from runout.solvers.neural.networks import set_weights, weights_of
from runout.solvers.neural.settings import MemorySettings, SgdSettings

ADVANTAGES, AVERAGES = "advantages", "averages"


class Shard(Protocol):
    """A part of the walks and of the memory."""

    def walk(self, player: int, iteration: int, networks: list[nn.Module]) -> int:
        """Walk for a player and remember; how many nodes were visited."""

    def statistics(self, player: int, what: str) -> np.ndarray:
        """float32 [n]: what `prepare` needs of all shards, to be added up."""

    def prepare(self, player: int, what: str, total: np.ndarray) -> None:
        """Take the sum of all shards' statistics: units of targets and the like."""

    def loss(self, player: int, what: str, network: nn.Module) -> Loss:
        """The loss of minibatches of this shard's memory."""

    def error(self, player: int, network: nn.Module) -> float:
        """Unweighted loss of samples that are not fitted."""

    def explained(self, player: int, network: nn.Module) -> float:
        """Share of the squares of such samples that the network explains."""

    @property
    def samples(self) -> int:
        """How many were seen so far."""

    def state(self) -> dict[str, np.ndarray]: ...

    def restore(self, state: Mapping[str, np.ndarray]) -> None: ...


class TrainingProblem(Protocol):
    """A game to be trained on."""

    @property
    def sgd(self) -> SgdSettings: ...

    @property
    def memory(self) -> MemorySettings: ...

    @property
    def polyak(self) -> float: ...

    @property
    def averages(self) -> bool:
        """Whether average networks are fitted (deep-cfr)."""

    def network(self, player: int, what: str, seed: int) -> nn.Module:
        """A fresh network."""

    def shard(self, part: int) -> Shard:
        """Shard number `part` of `memory.shards`."""


class Worker:
    """Some of the shards, and copies of both players' networks."""

    def __init__(self, team: FittingTeam, parts: range, problem: TrainingProblem) -> None:
        torch.set_num_threads(1)
        self.team, self.problem = team, problem
        self.shards = [problem.shard(part) for part in parts]
        kinds = [ADVANTAGES, AVERAGES] if problem.averages else [ADVANTAGES]
        self.networks = {what: [problem.network(player, what, 0) for player in range(2)] for what in kinds}
        self.fitters = {
            what: [self._fitter(what, player, network) for player, network in enumerate(networks)]
            for what, networks in self.networks.items()
        }
        self.played = [weights_of(network) for network in self.networks[ADVANTAGES]]
        self._shown = [problem.network(player, ADVANTAGES, 0) for player in range(2)]

    def _fitter(self, what: str, player: int, network: nn.Module) -> Fitter:
        return Fitter(network, self.problem.sgd, lambda t: self.problem.network(player, what, t))

    def iterate(self, iteration: int) -> dict[str, float]:
        """One iteration; what it did. All processes of the team do it together."""
        found = dict.fromkeys(("loss", "explained", "fitted_loss", "nodes", "walking_seconds", "fitting_seconds"), 0.0)
        polyak, before = self.problem.polyak, self.team.sent
        for player in range(2):
            begun = time.perf_counter()
            for shown, weights in zip(self._shown, self.played, strict=True):
                set_weights(shown, weights)
            found["nodes"] += sum(shard.walk(player, iteration, self._shown) for shard in self.shards)
            walked = time.perf_counter()
            found["fitted_loss"] += self._fit(player, ADVANTAGES, iteration) / 2
            network = self.networks[ADVANTAGES][player]
            self.played[player] = polyak * self.played[player] + (1 - polyak) * weights_of(network)
            if self.problem.averages:  # of the opponent, whom the walk met
                self._fit(1 - player, AVERAGES, iteration)
            found["loss"] += float(np.mean([shard.error(player, network) for shard in self.shards])) / 2
            found["explained"] += float(np.mean([shard.explained(player, network) for shard in self.shards])) / 2
            found["walking_seconds"] += walked - begun
            found["fitting_seconds"] += time.perf_counter() - walked
        found["samples"] = float(sum(shard.samples for shard in self.shards))
        found["sent"] = float(self.team.sent - before)
        return found

    def _fit(self, player: int, what: str, iteration: int) -> float:
        parts = [shard.statistics(player, what) for shard in self.shards]
        total = self.team.add(np.stack(parts).astype(np.float32))
        for shard in self.shards:
            shard.prepare(player, what, total)
        network, fitter = self.networks[what][player], self.fitters[what][player]
        if what == ADVANTAGES:
            fitter.restart(iteration)
        return fitter.fit([shard.loss(player, what, network) for shard in self.shards], team=self.team)

    def weights(self) -> list[np.ndarray]:
        """float32 [parameters] of both players' advantage networks, as they are played now; then the average ones."""
        averages = [weights_of(network) for network in self.networks.get(AVERAGES, [])]
        return [own.astype(np.float32) for own in self.played] + averages

    def parameters(self) -> int:
        """Of the largest network."""
        return max(sum(p.numel() for p in network.parameters()) for both in self.networks.values() for network in both)

    def state(self) -> dict[str, dict[str, np.ndarray]]:
        """Arrays of the shards here, and of the networks, which are the same everywhere."""
        networks = {
            f"{what}{player}_{name}": array
            for what, fitters in self.fitters.items()
            for player, fitter in enumerate(fitters)
            for name, array in fitter.state().items()
        }
        networks |= {f"played{player}": own.copy() for player, own in enumerate(self.played)}
        return {"networks": networks, **{f"shard{n}": shard.state() for n, shard in enumerate(self.shards)}}

    def restore(self, state: Mapping[str, Mapping[str, np.ndarray]]) -> None:
        for what, fitters in self.fitters.items():
            for player, fitter in enumerate(fitters):
                fitter.restore(beginning(state["networks"], f"{what}{player}_"))
        self.played = [np.array(state["networks"][f"played{player}"], np.float32) for player in range(2)]
        for number, shard in enumerate(self.shards):
            shard.restore(state[f"shard{number}"])


def beginning(state: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The entries whose names begin with `prefix`, without it."""
    return {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
