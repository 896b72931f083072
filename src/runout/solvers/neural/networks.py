"""The networks: a plain MLP, and the card-embedding network of the Deep CFR paper (Brown et al. 2019).

Both take rows of numbers, normalised by statistics that are fixed when the network is made, and for hold'em rows of
card ids; they give one output a slot. The last layer starts at zero, so a fresh network advises nothing.
Weights travel as one flat float32 array: between processes, into the model buffer and into files.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

RANKS, SUITS, CARDS = 13, 4, 52
SEEDS = 1_000_003  # a prime: seeds of iterations and players do not meet


@dataclass(frozen=True)
class Shape:
    """What a network is made of; enough to make it again."""

    numbers: int  # inputs besides cards
    slots: int  # outputs
    hidden_dim: int
    depth: int
    card_groups: tuple[int, ...] = ()  # cards of each group: 2 hole cards, 3 of the flop, 1, 1; none: a plain MLP
    card_dim: int = 0


class Network(nn.Module):
    """See the module; made by `new_network`."""

    def __init__(self, shape: Shape, mean: np.ndarray, scale: np.ndarray) -> None:
        super().__init__()
        self.shape = shape
        self.mean: Tensor
        self.scale: Tensor
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32), persistent=False)
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float32), persistent=False)
        self.cards = CardEmbedding(shape) if shape.card_groups else None
        width = shape.numbers + (self.cards.size if self.cards is not None else 0)
        self.hidden = nn.ModuleList(
            nn.Linear(width if layer == 0 else shape.hidden_dim, shape.hidden_dim) for layer in range(shape.depth)
        )
        self.last = nn.Linear(shape.hidden_dim, shape.slots)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, numbers: Tensor, cards: Tensor | None = None) -> Tensor:
        """[n, slots] of numbers float32 [n, numbers] and cards int64 [n, cards], -1 for a card to come."""
        row = (numbers.to(self.mean.device) - self.mean) / self.scale
        if self.cards is not None and cards is not None:
            row = torch.cat([self.cards(cards.to(self.mean.device)), row], dim=1)
        for layer, linear in enumerate(self.hidden):
            out = torch.relu(linear(row))
            row = out + row if layer and self.cards is not None else out  # skip connections, as in the paper
        found: torch.Tensor = self.last(row)
        return found


class CardEmbedding(nn.Module):
    """Every group of cards as the sum of rank, suit and card embeddings of its cards, mixed by a layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.groups, dim = shape.card_groups, shape.card_dim
        groups = len(self.groups)
        self.rank = nn.Embedding(groups * (RANKS + 1), dim)  # the last row of a group: no card
        self.suit = nn.Embedding(groups * (SUITS + 1), dim)
        self.card = nn.Embedding(groups * (CARDS + 1), dim)
        for table in (self.rank, self.suit, self.card):
            nn.init.normal_(table.weight, std=0.5)
        self.mix = nn.Linear(groups * dim, shape.hidden_dim)
        self.size = shape.hidden_dim

    def forward(self, cards: Tensor) -> Tensor:
        parts, first = [], 0
        missing = cards < 0
        ranks = torch.where(missing, RANKS, cards // 4)
        suits = torch.where(missing, SUITS, cards % 4)
        ids = torch.where(missing, CARDS, cards)
        for group, count in enumerate(self.groups):
            here = slice(first, first + count)
            found = self.rank(ranks[:, here] + group * (RANKS + 1))
            found = found + self.suit(suits[:, here] + group * (SUITS + 1))
            found = found + self.card(ids[:, here] + group * (CARDS + 1))
            parts.append(found.sum(dim=1))
            first += count
        return torch.relu(self.mix(torch.relu(torch.cat(parts, dim=1))))


def new_network(shape: Shape, seed: int, mean: np.ndarray | None = None, scale: np.ndarray | None = None) -> Network:
    """A fresh network; the same seed gives the same weights, whatever else draws numbers."""
    mean = np.zeros(shape.numbers, np.float32) if mean is None else mean
    scale = np.ones(shape.numbers, np.float32) if scale is None else scale
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Network(shape, mean, scale)


def fast_in_half() -> bool:
    """True if the processor multiplies matrices in bfloat16, twice as fast as in float32."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported() and torch.cpu._is_avx512_bf16_supported())


def half_precision(wanted: str, device: str = "cpu") -> torch.autocast:
    """A context in which matrices are multiplied in bfloat16, where that is wanted, or fast (auto)."""
    half = wanted == "bfloat16" or (wanted == "auto" and fast_in_half())
    return torch.autocast(device, torch.bfloat16, enabled=half)


def device_of(network: nn.Module) -> torch.device:
    """Where a network lives."""
    return next(network.parameters()).device


def weights_of(network: nn.Module) -> np.ndarray:
    """float32 [parameters], a copy."""
    with torch.no_grad():
        return torch.cat([part.reshape(-1) for part in network.parameters()]).cpu().numpy().copy()


def set_weights(network: nn.Module, flat: np.ndarray) -> None:
    """Take up weights that `weights_of` gave."""
    wanted = sum(part.numel() for part in network.parameters())
    if len(flat) != wanted:
        raise ValueError(f"{len(flat)} weights for a network of {wanted}")
    source, at = torch.from_numpy(np.array(flat, np.float32)), 0
    with torch.no_grad():
        for part in network.parameters():
            part.copy_(source[at : at + part.numel()].view_as(part))
            at += part.numel()


def statistics(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and scale of every column of numbers [n, numbers]; columns that do not vary are left as they are."""
    mean, scale = numbers.mean(axis=0), numbers.std(axis=0)
    still = scale < 1e-3
    return np.where(still, 0, mean).astype(np.float32), np.where(still, 1, scale).astype(np.float32)
