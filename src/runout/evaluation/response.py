"""What answering a policy with some response showed: the record that local and sampled best responses share."""

from __future__ import annotations

from dataclasses import dataclass

from runout.evaluation.intervals import Estimate

EXACT = "exact"
LOCAL = "local best response"
BY_NETWORK = "by a value network"  # on the first street, if a network is right about later ones
SAMPLED = "best response on sampled boards"


@dataclass(frozen=True, slots=True)
class Response:
    """In mbb/hand. Gains are what the response wins more than the policy itself does in that seat."""

    method: str  # EXACT, LOCAL or SAMPLED
    exploitability: Estimate  # the mean of both gains
    gains: tuple[Estimate, Estimate]  # of the big blind and of the small blind
    values: tuple[float, float]  # of the policy against itself, exact or as far as the sample tells
    says: str  # what the figure bounds, in plain words
    size: str  # what was looked at: "1,000 deals in both seats"
