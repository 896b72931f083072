"""One player's advantage network: fitted in normalised units, played as it is or averaged over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch

from runout.solvers.neural.fitting import ALONE, Batch, Fitter, FittingTeam, Loss, masked_loss
from runout.solvers.neural.networks import SEEDS, Network, Shape, new_network, set_weights, statistics, weights_of
from runout.solvers.neural.settings import NetworkSettings, SgdSettings


class PlayerNetwork:
    """A network that says what each slot is worth over the mixture, up to a scale of its own."""

    def __init__(
        self,
        shape: Shape,
        slots: int,
        mean: np.ndarray,
        scale: np.ndarray,
        network: NetworkSettings,
        sgd: SgdSettings,
        seed: int,
    ) -> None:
        self.shape, self.slots = shape, slots  # of the game; the network may have spare outputs

        def fresh(iteration: int) -> Network:
            return new_network(shape, seed + SEEDS * iteration, mean, scale)

        self.network = fresh(0)
        self.fitter = Fitter(self.network, sgd, fresh)
        self._polyak = network.polyak
        self._played = weights_of(self.network)  # where they differ from the fitted ones
        self._shown = fresh(0)  # carries weights of the model buffer to be looked at

    @classmethod
    def of(
        cls, numbers: np.ndarray, legal: np.ndarray, network: NetworkSettings, sgd: SgdSettings, seed: int, player: int
    ) -> PlayerNetwork:
        """A plain MLP for rows that are all known: numbers [rows, numbers], legal [rows, slots]."""
        slots = max(legal.shape[1], network.num_actions or 0)
        shape = Shape(numbers.shape[1], slots, network.hidden_dim, network.depth)
        return cls(shape, legal.shape[1], *statistics(numbers), network, sgd, 2 * seed + player)

    def fit(self, losses: Sequence[Loss], iteration: int, team: FittingTeam = ALONE) -> float:
        """Fit to the memory of iterations 1 to `iteration`; the mean loss of the last batches."""
        self.fitter.restart(iteration)
        loss = self.fitter.fit(losses, team=team)
        self._played = self._polyak * self._played + (1 - self._polyak) * weights_of(self.network)
        return loss

    def played(self) -> np.ndarray:
        """float32 [parameters]: the weights that are played now."""
        return self._played.astype(np.float32)

    def advantages(self, numbers: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
        """float64 [n, slots of the game] under the weights played now, or those given."""
        set_weights(self._shown, self._played if weights is None else weights)
        with torch.no_grad():
            found = self._shown(torch.from_numpy(np.ascontiguousarray(numbers)))
        return np.asarray(found.cpu().numpy()[:, : self.slots].astype(np.float64))

    def state(self) -> dict[str, np.ndarray]:
        return {**self.fitter.state(), "played": self._played.copy()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.fitter.restore(state)
        self._played = np.array(state["played"], np.float32)


def average_network(
    numbers: np.ndarray, shape: Shape, sgd: SgdSettings, seed: int, batches: Callable[[], Batch]
) -> np.ndarray:
    """float32 [parameters]: of an average network (deep-cfr), fitted to batches of strategies.

    It starts afresh each time, so that what it plays depends on the batches and the seed alone.
    """
    network = new_network(shape, seed, *statistics(numbers))
    fitter = Fitter(network, sgd, lambda _: network)
    fitter.fit([lambda: masked_loss(network, batches())], sgd.average_steps)
    return weights_of(network)
