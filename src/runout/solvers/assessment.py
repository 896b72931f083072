"""How good a pair of strategies is, exactly: what both are worth and what best responses to them would win."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Assessment:
    """Figures by player, all in `unit`: chips or big blinds, per hand."""

    values: tuple[float, float]  # what each player wins when both play their own strategy
    best_responses: tuple[float, float]  # what each would win by a best response to the other's strategy
    unit: str = "chips"

    @property
    def value(self) -> float:
        """To player 0."""
        return self.values[0]

    @property
    def gains(self) -> tuple[float, float]:
        """What a best response wins more than the own strategy."""
        return self.best_responses[0] - self.values[0], self.best_responses[1] - self.values[1]

    @property
    def nash_conv(self) -> float:
        """Both gains together: what some papers call exploitability."""
        return sum(self.best_responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        """The mean of the two gains."""
        return self.nash_conv / 2
