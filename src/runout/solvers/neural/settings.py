"""Settings of the neural solvers: sections `network`, `sgd` and `memory` of a training config."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from runout.config import Settings

DISCOUNTS = {
    "linear": "lcfr",
    "uniform": "cfr",
    "dcfr": "dcfr",
    "pdcfr+": "pdcfr+",
}  # the variants of CFR that they are


class NetworkSettings(Settings):
    """The networks, one a player."""

    kind: Literal["auto", "mlp", "cards"] = "auto"  # auto: cards where the game is hold'em
    hidden_dim: int = Field(64, ge=4, le=4096)  # width of the hidden layers
    depth: int = Field(3, ge=1, le=12)  # hidden layers
    card_dim: int = Field(64, ge=4, le=1024)  # width of the card embeddings, network `cards`
    num_actions: int | None = Field(None, ge=1)  # outputs; None: as many slots as the game has, and no fewer will do
    keep_every: int = Field(1, ge=1)  # iterations from one network of the model buffer to the next
    precision: Literal["auto", "float32", "bfloat16"] = (
        "auto"  # of products in hold'em; auto: bfloat16 where it is fast
    )
    polyak: float = Field(0.0, ge=0.0, lt=1.0)  # share of the old weights in the network that is played; 0: none


class SgdSettings(Settings):
    """How a network is fitted each iteration."""

    steps: int = Field(200, ge=1)  # minibatches an iteration and player
    batch_size: int = Field(1024, ge=1)  # rows of one; a table smaller than that is taken whole
    learning_rate: float = Field(1e-3, gt=0, le=1)
    final_learning_rate: float = Field(1e-4, gt=0, le=1)  # reached at the last step of an iteration, cosine
    grad_clip_norm: float = Field(1.0, gt=0)
    reinitialise: bool = False  # start from fresh weights each iteration instead of the last ones
    average_steps: int = Field(
        4000, ge=1
    )  # minibatches for the average network of deep-cfr, fitted when it is asked for
    held_out: float = Field(0.02, ge=0.0, lt=1.0)  # share of samples that is never fitted, for the logged loss


class MemorySettings(Settings):
    """What is kept of the walks."""

    kind: Literal["auto", "table", "reservoir"] = "auto"  # table: sums by information set, lossless; small games only
    advantage_cap: int = Field(1_000_000, ge=1)  # samples of a reservoir of advantages, one a player
    strategy_cap: int = Field(1_000_000, ge=1)  # and of strategies, for deep-cfr
    discount: Literal["linear", "uniform", "dcfr", "pdcfr+"] = "linear"  # weight of iteration t among all
    bootstrap: bool = False  # targets from the last network instead of a memory of earlier iterations
