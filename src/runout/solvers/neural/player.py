"""One player's advantage network: fitted in normalised units, played as it is or averaged over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from runout.solvers.neural.fitting import ALONE, Batch, Fitter, FittingTeam, Loss, masked_loss
from runout.solvers.neural.matching import matched
from runout.solvers.neural.networks import SEEDS, Network, Shape, new_network, set_weights, statistics, weights_of
from runout.solvers.neural.settings import NetworkSettings, SgdSettings


class PlayerNetwork:
    """A network that says what each slot is worth over the mixture, up to a scale of its own."""

    def __init__(
        self, shape: Shape, mean: np.ndarray, scale: np.ndarray, network: NetworkSettings, sgd: SgdSettings, seed: int
    ) -> None:
        self.shape = shape

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
        return cls(shape, *statistics(numbers), network, sgd, 2 * seed + player)

    def fit(self, losses: Sequence[Loss], iteration: int, team: FittingTeam = ALONE) -> float:
        """Fit to the memory of iterations 1 to `iteration`; the mean loss of the last batches."""
        self.fitter.restart(iteration)
        loss = self.fitter.fit(losses, team=team)
        self._played = self._polyak * self._played + (1 - self._polyak) * weights_of(self.network)
        return loss

    def played(self) -> np.ndarray:
        """float32 [parameters]: the weights that are played now."""
        return self._played.astype(np.float32)

    def advantages(
        self, numbers: np.ndarray, weights: np.ndarray | None = None, cards: np.ndarray | None = None
    ) -> np.ndarray:
        """float64 [n, slots] under the weights played now, or those given."""
        set_weights(self._shown, self._played if weights is None else weights)
        ids = None if cards is None else torch.from_numpy(np.ascontiguousarray(cards, np.int64))
        with torch.no_grad():
            return np.asarray(
                self._shown(torch.from_numpy(np.ascontiguousarray(numbers)), ids).cpu().numpy().astype(np.float64)
            )

    def state(self) -> dict[str, np.ndarray]:
        return {**self.fitter.state(), "played": self._played.copy()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.fitter.restore(state)
        self._played = np.array(state["played"], np.float32)


def average_table(
    numbers: np.ndarray, legal: np.ndarray, sums: np.ndarray, shape: Shape, sgd: SgdSettings, seed: int
) -> np.ndarray:
    """float64 [rows, slots]: what an average network plays that was fitted to sums of reach * strategy [rows, slots].

    It starts afresh each time, so that what it plays depends on the sums and the seed alone.
    """
    total = sums.sum(axis=1, keepdims=True)
    target = np.divide(sums, total, out=legal / legal.sum(axis=1, keepdims=True), where=total > 0)
    mean, scale = statistics(numbers)
    network = new_network(shape, seed, mean, scale)
    fitter = Fitter(network, sgd, lambda _: network)
    weight = total[:, 0] / max(total.max(), 1e-300)
    batch = Batch(
        *(torch.from_numpy(np.ascontiguousarray(numbers)), None),
        *(torch.from_numpy(np.asarray(part, np.float32)) for part in (target, legal, weight)),
    )
    fitter.fit([lambda: masked_loss(network, batch)], sgd.average_steps)
    with torch.no_grad():
        found = network(batch.numbers).numpy().astype(np.float64)
    return matched(np.where(legal, np.maximum(found, 0), 0), legal)
