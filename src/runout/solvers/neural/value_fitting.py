"""Fitting a value network to solved subgames: Huber error of what every hand gains, in pots."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import huber_loss

from runout.cards.strength_features import strength_features
from runout.errors import InputError
from runout.solutions.format import Bundle
from runout.solvers.neural.value_networks import ValueNetwork, network_bundle

BATCH, RATE, LAST_RATE = 32, 2e-3, 2e-5
AT_ONCE = 500  # subgames whose features are held in memory
HUBER = 1.0  # pots: errors above it count linearly
OUTSIDE = 0.5  # weight of a hand that a range does not hold, beside the most likely one

Part = Callable[[], Mapping[str, np.ndarray]]  # boards, ratios, ranges and values of some subgames


class ValueBatch(NamedTuple):
    shown: Tensor  # [n, 1326, FEATURES]
    ranges: Tensor  # [n, 2, 1326]
    ratios: Tensor  # [n]
    values: Tensor  # [n, 2, 1326], NaN where a hand meets no other


def fit_values(
    fitted: Sequence[Part], held_out: Sequence[Part], cards: int, seconds: float, seed: int, say: Callable[[str], None]
) -> Bundle:
    """A network for boards with so many cards, fitted for so many CPU seconds, with its errors on what was held out.

    The learning rate follows a cosine down to the last second.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network, random = ValueNetwork(), np.random.default_rng(seed)
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    begun, steps, told, used = time.process_time(), 0, 0.0, 0.0
    while used < seconds:
        for number in random.permutation(len(fitted)).tolist():
            for batch in _batches(fitted[number](), random):
                used = time.process_time() - begun
                for group in optimiser.param_groups:
                    group["lr"] = LAST_RATE + (RATE - LAST_RATE) * (1 + np.cos(np.pi * min(used / seconds, 1))) / 2
                error, known, shares = _errors(network, batch)
                weight = known * (OUTSIDE + (1 - OUTSIDE) * shares / shares.amax(dim=2, keepdim=True))
                loss = (error * weight).sum() / weight.sum()
                if not torch.isfinite(loss):
                    raise InputError(f"the loss is no number after {steps:,} steps: some subgame is not what it says")
                optimiser.zero_grad()
                torch.autograd.backward(loss)
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimiser.step()
                steps += 1
            if used >= seconds:
                break
            if used > 1.5 * told:
                told = used
                say(_told(used, steps, _measured(network, held_out)))
    found = _measured(network, held_out)
    say(_told(used, steps, found))
    subgames = sum(len(part()["ratios"]) for part in fitted)
    reached = {"seconds": used, "steps": steps, **found}
    return network_bundle(network, cards, {"seed": seed, "subgames": subgames}, reached)


def _told(used: float, steps: int, found: Mapping[str, float]) -> str:
    return f"{used:.0f} s, {steps:,} steps: Huber {found['huber']:.5f} pots, in range {found['huber_in_range']:.5f}"


def _batches(part: Mapping[str, np.ndarray], random: np.random.Generator | None) -> Iterator[ValueBatch]:
    """All subgames of a part, in an order that is drawn or in their own."""
    count = len(part["ratios"])
    order = np.arange(count) if random is None else random.permutation(count)
    for first in range(0, count, AT_ONCE):
        some = order[first : first + AT_ONCE]
        shown = np.stack([strength_features(board.tolist()) for board in part["boards"][some]])
        for at in range(0, len(some), BATCH):
            rows = some[at : at + BATCH]
            numbers = (torch.from_numpy(part[name][rows].astype(np.float32)) for name in ("ranges", "ratios", "values"))
            yield ValueBatch(torch.from_numpy(shown[at : at + BATCH]), *numbers)


def _errors(network: ValueNetwork, batch: ValueBatch) -> tuple[Tensor, Tensor, Tensor]:
    """Huber error of every hand [n, 2, 1326], 1 where it counts, and ranges that add up to 1."""
    hands = network.hands(batch.shown)
    live = (batch.shown.sum(dim=2, keepdim=True) > 0).float()
    mean = (hands.seen * live).sum(dim=1) / live.sum(dim=1)
    shares = batch.ranges / batch.ranges.sum(dim=2, keepdim=True)
    found = network((hands, hands), mean, (shares[:, :1], shares[:, 1:]), batch.ratios[:, None])
    gains, known = torch.cat(found, dim=1), ~torch.isnan(batch.values)
    wanted = torch.where(known, batch.values, gains.detach())
    return huber_loss(gains, wanted, reduction="none", delta=HUBER), known.float(), shares


def _measured(network: ValueNetwork, parts: Sequence[Part]) -> dict[str, float]:
    """Mean Huber error over all hands, and weighed by the ranges."""
    total = count = weighed = sides = 0.0
    with torch.inference_mode():
        for part in parts:
            for batch in _batches(part(), None):
                error, known, shares = _errors(network, batch)
                total, count = total + float(error.sum()), count + float(known.sum())
                weighed, sides = weighed + float((error * shares).sum()), sides + 2 * len(shares)
    return {"huber": total / count, "huber_in_range": weighed / sides}
