"""What networks of a small game play, as a table of the whole game: those that are kept, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.errors import SolutionError
from runout.games.compiled import CompiledGame
from runout.games.protocol import AnyGame
from runout.games.small_encoders import encoder_of
from runout.solvers.neural.matching import matched
from runout.solvers.neural.player import PlayerNetwork
from runout.solvers.neural.settings import NetworkSettings, SgdSettings
from runout.solvers.neural.small_sides import SmallSide, own_reach
from runout.solvers.tabular import normalised, uniform_strategy


def small_sides(rules: AnyGame, game: CompiledGame) -> list[SmallSide]:
    """Both players of a game as networks see them."""
    encoder = encoder_of(rules)
    return [SmallSide.of(game, encoder, player) for player in range(2)]


class SmallMixture:
    """Networks of both players, drawn once a game with odds in proportion to `weights`."""

    def __init__(self, rules: AnyGame, game: CompiledGame, network: NetworkSettings) -> None:
        self.game, self.sides, sgd = game, small_sides(rules, game), SgdSettings.model_validate({})
        self._players = [PlayerNetwork.of(side.numbers, side.legal, network, sgd, 0, 0) for side in self.sides]

    def played(self, parts: Sequence[np.ndarray], averages: bool = False) -> np.ndarray:
        """float64 [sequences]: what networks with the weights float32 [parameters] of both players play."""
        strategy = uniform_strategy(self.game)
        for side, network, weights in zip(self.sides, self._players, parts, strict=True):
            found = network.advantages(side.numbers, weights)
            side.spread(matched(np.maximum(found, 0) if averages else found, side.legal), strategy)
        return strategy

    def average(self, parts: Sequence[np.ndarray], weights: np.ndarray) -> np.ndarray:
        """float64 [sequences]: the mixture of parts float32 [networks, parameters] of both players, which is the mean
        of their strategies weighted by `weights` and by each one's own reach."""
        total = np.zeros(self.game.sequences)
        for number, weight in enumerate(weights):
            strategy = self.played([own[number] for own in parts])
            for side in self.sides:
                total[side.sequence] += weight * own_reach(self.game, side, strategy)
        return normalised(self.game, total)


def mixture_in(
    rules: AnyGame, game: CompiledGame, network: NetworkSettings, arrays: dict[str, np.ndarray], averages: bool
) -> np.ndarray:
    """float64 [sequences]: what the networks of a checkpoint play. Refused where they are of another game or broken."""
    name = "network_averages" if averages else "network_advantages"
    parts, weights = [arrays[f"{name}{player}"] for player in range(2)], np.asarray(arrays["weights"])
    mixture = SmallMixture(rules, game, network)
    for player, own in enumerate(parts):
        if own.ndim != 2 or len(own) != (1 if averages else len(weights)):
            raise SolutionError(f"the networks of player {player} and their weights do not belong together")
        if not np.isfinite(own).all():
            raise SolutionError(f"the networks of player {player} hold numbers that are none")
    if averages:
        return mixture.played([own[0] for own in parts], averages=True)
    if not len(weights):
        return uniform_strategy(game)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        raise SolutionError("the networks have no odds")
    return mixture.average(parts, weights)
