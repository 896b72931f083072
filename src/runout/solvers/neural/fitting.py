"""Fit a network to weighted targets, one iteration's worth of minibatches.

- The loss is the squared error of legal slots only, each row by its weight (the mean weight of a batch is 1).
- Targets are divided by their root mean square, which moves slowly enough that a warm start stays one.
- Adam with a cosine from `learning_rate` to `final_learning_rate`, gradients clipped by their norm.
- A loss or gradient that is not a number stops the run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from runout.errors import TrainingError
from runout.solvers.neural.networks import set_weights, weights_of
from runout.solvers.neural.settings import SgdSettings


class Batch(NamedTuple):
    """Rows to fit."""

    numbers: Tensor  # float32 [n, numbers]
    cards: Tensor | None  # int64 [n, cards]
    targets: Tensor  # float32 [n, slots]
    legal: Tensor  # float32 [n, slots], 1 or 0
    weights: Tensor  # float32 [n]


_NOTHING = 1e-30
Loss = Callable[[], Tensor]  # of a fresh minibatch


class FittingTeam:
    """The processes that fit one network together; this one is alone."""

    processes = 1
    parts = 1  # losses in all processes together
    sent = 0  # bytes that this process has sent to the others

    def add(self, rows: np.ndarray) -> np.ndarray:
        """float32 [n]: rows float32 [losses of this process, n] of all processes, added up in the order of the losses.
        All must call it."""
        return added(rows)


def added(rows: np.ndarray) -> np.ndarray:
    """The sum of rows, one after the other: the same bits whoever adds them up."""
    total = rows[0].copy()
    for row in rows[1:]:
        total += row
    return np.asarray(total)


ALONE = FittingTeam()


class Fitter:
    """A network with its optimiser."""

    def __init__(self, network: nn.Module, settings: SgdSettings, fresh: Callable[[int], nn.Module]) -> None:
        self.network, self.settings, self._fresh = network, settings, fresh
        self._new_optimiser()

    def _new_optimiser(self) -> None:
        self._parameters = list(self.network.parameters())
        self._adam = torch.optim.Adam(self._parameters, lr=self.settings.learning_rate, foreach=True)

    def restart(self, iteration: int) -> None:
        """Fresh weights and a fresh optimiser where settings say so; otherwise the last ones are kept."""
        if self.settings.reinitialise:
            set_weights(self.network, weights_of(self._fresh(iteration)))
            self._new_optimiser()

    def fit(self, losses: Sequence[Loss], steps: int | None = None, team: FittingTeam = ALONE) -> float:
        """Take `steps` steps down the mean of `losses` here and in the other processes; its mean over the last quarter.

        Every loss draws its own minibatch. Gradients are added up in a fixed order, so results do not depend on how
        many processes share the work.
        """
        steps = self.settings.steps if steps is None else steps
        tail = 0.0
        for step in range(steps):
            self._set_rate(step / steps)
            self._adam.zero_grad(set_to_none=False)
            found, rows = 0.0, []
            for loss in losses:
                value = loss()
                value.backward()  # type: ignore[no-untyped-call]
                found += value.item()
                if team.processes > 1:  # else they add up where they are
                    rows.append(self._gradient())
                    self._adam.zero_grad(set_to_none=False)
            self._shared(team, rows)
            norm = nn.utils.clip_grad_norm_(self._parameters, self.settings.grad_clip_norm, foreach=True)
            if not math.isfinite(float(norm)):
                raise TrainingError("the loss is not a number any more: try a smaller sgd.learning_rate")
            self._adam.step()
            if step >= steps - max(1, steps // 4):
                tail += found / len(losses)
        return tail / max(1, steps // 4)

    def _set_rate(self, done: float) -> None:
        first, last = self.settings.learning_rate, self.settings.final_learning_rate
        for group in self._adam.param_groups:
            group["lr"] = last + (first - last) * 0.5 * (1 + math.cos(math.pi * done))

    def _gradient(self) -> np.ndarray:
        """float32 [parameters], a copy."""
        gradients = [part.grad.reshape(-1) for part in self._parameters if part.grad is not None]
        return np.asarray(torch.cat(gradients).cpu().numpy())

    def _shared(self, team: FittingTeam, rows: list[np.ndarray]) -> None:
        """The mean of all losses' gradients, in place of those found here."""
        gradients = [part.grad for part in self._parameters if part.grad is not None]
        if rows:
            flat = torch.from_numpy(team.add(np.stack(rows)))
            at = 0
            for part in gradients:
                part.copy_(flat[at : at + part.numel()].view_as(part))
                at += part.numel()
        if team.parts > 1:
            torch._foreach_mul_(gradients, 1 / team.parts)

    def state(self) -> dict[str, np.ndarray]:
        """Weights and moments, to continue from."""
        found = {"weights": weights_of(self.network)}
        kept = [self._adam.state.get(part, {}) for part in self._parameters]
        if all(kept):
            for name in ("exp_avg", "exp_avg_sq"):
                found[name] = torch.cat([one[name].reshape(-1) for one in kept]).cpu().numpy().copy()
            found["step"] = np.array(float(kept[0]["step"]))
        return found

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        set_weights(self.network, state["weights"])
        self._new_optimiser()
        if "step" not in state:
            return
        at = 0
        for part in self._parameters:
            here = slice(at, at + part.numel())
            self._adam.state[part] = {
                "step": torch.tensor(float(state["step"])),
                "exp_avg": torch.from_numpy(state["exp_avg"][here].copy()).to(part.device).view_as(part),
                "exp_avg_sq": torch.from_numpy(state["exp_avg_sq"][here].copy()).to(part.device).view_as(part),
            }
            at += part.numel()


def masked_loss(network: nn.Module, batch: Batch) -> Tensor:
    """Weighted mean over rows of the squared error summed over legal slots."""
    found = network(batch.numbers, batch.cards)
    targets, legal, weights = (part.to(found.device) for part in (batch.targets, batch.legal, batch.weights))
    error = ((found - targets) ** 2 * legal).sum(dim=1)
    loss: torch.Tensor = (error * weights).sum() / weights.sum().clamp(min=_NOTHING)  # rows that nobody reaches
    return loss
