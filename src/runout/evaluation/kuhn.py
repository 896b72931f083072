"""The equilibria of Kuhn poker: one for each alpha from 0 to 1/3.

The first player bluffs the jack with probability alpha, bets the king with 3 alpha and calls with the queen with
alpha + 1/3; everything else is fixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NEAR = 0.05  # strategies whose probabilities are all nearer than this are called members


@dataclass(frozen=True, slots=True)
class KuhnFamily:
    """The member of the family nearest to a strategy, by its bluffs."""

    alpha: float  # how often the first player bets the jack
    king: float  # how often it bets the king: 3 alpha in equilibrium
    queen: float  # how often it calls with the queen after a check: alpha + 1/3 in equilibrium
    distance: float  # largest difference of any probability from the family's

    def __str__(self) -> str:
        if self.distance > NEAR:
            return f"not in Kuhn's family of equilibria (bluff α, value-bet 3α): {self.distance:.2f} away from it"
        return (
            f"in Kuhn's family of equilibria: bluff α = {self.alpha:.4f}, value-bet {self.king:.4f} "
            f"(3α = {3 * self.alpha:.4f}), call with Q {self.queen:.4f} (α + ⅓ = {self.alpha + 1 / 3:.4f}); "
            f"at most {self.distance:.1e} away"
        )


def kuhn_family(policy: Mapping[str, Mapping[str, float]]) -> KuhnFamily:
    """Where `policy` (information set -> action -> probability) lies in the family."""
    alpha = min(max(policy["J"]["bet"], 0.0), 1 / 3)
    expected = {
        ("J", "bet"): alpha,
        ("Q", "bet"): 0.0,
        ("K", "bet"): 3 * alpha,
        ("J x-b", "call"): 0.0,
        ("Q x-b", "call"): alpha + 1 / 3,
        ("K x-b", "call"): 1.0,
        ("J x", "bet"): 1 / 3,
        ("Q x", "bet"): 0.0,
        ("K x", "bet"): 1.0,
        ("J b", "call"): 0.0,
        ("Q b", "call"): 1 / 3,
        ("K b", "call"): 1.0,
    }
    distance = max(abs(policy[key][action] - odds) for (key, action), odds in expected.items())
    return KuhnFamily(policy["J"]["bet"], policy["K"]["bet"], policy["Q x-b"]["call"], distance)
