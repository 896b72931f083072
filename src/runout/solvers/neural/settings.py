"""Settings of the neural solvers: sections `network`, `sgd` and `memory` of a training config."""

from __future__ import annotations

from typing import Literal, TypeGuard

from pydantic import Field

from runout.config import Settings
from runout.games.holdem import HoldemSettings, LimitHoldem
from runout.games.points import BOARD_CARDS

DISCOUNTS = {
    "linear": "lcfr",
    "uniform": "cfr",
    "dcfr": "dcfr",
    "pdcfr+": "pdcfr+",
}  # the variants of CFR that they are


class NetworkSettings(Settings):
    """The networks, one for each player."""

    kind: Literal["auto", "mlp", "cards"] = Field(
        "auto",
        description="mlp: a plain network; cards: sums of rank, suit and card embeddings, as in the Deep CFR paper; "
        "auto: cards in hold'em",
    )
    hidden_dim: int = Field(64, ge=4, le=4096, description="width of the hidden layers")
    depth: int = Field(3, ge=1, le=12, description="number of hidden layers")
    card_dim: int = Field(64, ge=4, le=1024, description="width of the card embeddings of kind `cards`")
    num_actions: int | None = Field(
        None, ge=1, description="outputs, at least as many as the game has slots; none: exactly that many"
    )
    keep_every: int = Field(1, ge=1, description="iterations between two networks that are kept for the average")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="of matrix products in hold'em; auto: bfloat16 where it is fast"
    )
    polyak: float = Field(
        0.0, ge=0.0, lt=1.0, description="share of the old weights in the network that is played; 0: none"
    )


class SgdSettings(Settings):
    """How a network is fitted in each iteration."""

    steps: int = Field(200, ge=1, description="minibatches per iteration and player")
    batch_size: int = Field(
        1024, ge=1, description="rows per minibatch; a smaller memory of a small game is taken whole"
    )
    learning_rate: float = Field(1e-3, gt=0, le=1, description="learning rate at the first step of an iteration")
    final_learning_rate: float = Field(
        1e-4, gt=0, le=1, description="learning rate at the last step of an iteration; a cosine leads there"
    )
    grad_clip_norm: float = Field(1.0, gt=0, description="largest norm of a gradient; longer ones are shortened to it")
    reinitialise: bool = Field(False, description="start every iteration from fresh weights, not from the last ones")
    average_steps: int = Field(4000, ge=1, description="minibatches for the average network of deep-cfr")
    held_out: float = Field(
        0.02, ge=0.0, lt=1.0, description="share of samples that is never fitted; the logged loss is theirs"
    )


class MemorySettings(Settings):
    """What is remembered of the walks."""

    kind: Literal["auto", "table", "reservoir"] = Field(
        "auto", description="table: sums by information set, small games only; reservoir: samples"
    )
    advantage_cap: int = Field(1_000_000, ge=1, description="most samples of advantages that each player keeps")
    strategy_cap: int = Field(
        1_000_000, ge=1, description="most samples of strategies that each player keeps (deep-cfr)"
    )
    discount: Literal["linear", "uniform", "dcfr", "pdcfr+"] = Field(
        "linear", description="how iterations are weighted against each other"
    )
    shards: int = Field(
        2,
        ge=1,
        le=1024,
        description="shards of hold'em's walks, samples and minibatches, each with random numbers of its own: no more "
        "processes, or cores of a cluster, train together. Results depend on them, not on who has them",
    )
    baseline: Literal["none", "history"] = Field(
        "none",
        description="history: a running mean of what every history was worth takes noise out of sampled walks, without "
        "bias (VR-MCCFR); for reservoirs of small games",
    )
    bootstrap: bool = Field(
        False, description="take targets from the last network instead of a memory of earlier iterations"
    )


def walks_boards(game: HoldemSettings, solver: str, memory: MemorySettings) -> bool:
    """Whether a run sweeps sampled boards: sd-cfr in hold'em from before the flop with betting on every street up to
    the showdown, unless raw samples of dealt hands are asked for."""
    rules = game.game()
    whole = (
        not rules.board and rules.rules.last_street > 0 and rules.board_cards == BOARD_CARDS[rules.rules.last_street]
    )
    return solver == "sd-cfr" and memory.kind == "auto" and whole and not walks_ranges(game, solver, memory)


def walks_ranges(game: HoldemSettings, solver: str, memory: MemorySettings) -> TypeGuard[LimitHoldem]:
    """Whether a run goes over ranges: sd-cfr in Flop Hold'em, unless raw samples are asked for."""
    return solver == "sd-cfr" and memory.kind != "reservoir" and isinstance(game, LimitHoldem) and game.num_streets == 2
