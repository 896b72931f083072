"""What a small game is: rules as functions of an immutable state.

Two players, 0 and 1, play for chips that one wins and the other loses. A state is any hashable value; it never changes,
`next` returns another one. `runout.check_game` plays a game through and reports every rule that it breaks.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeVar

CHANCE = -1  # `player` of a state at which the dealer acts
TERMINAL = -2  # `player` of a state at which the game is over

State = TypeVar("State", bound=Hashable)


class Game(Protocol[State]):
    """The rules of a two-player zero-sum game with perfect recall."""

    name: str
    ante: float  # chips; people read exploitability in thousandths of it (mA/g)

    def root(self) -> State:
        """The state before anything has happened."""

    def player(self, state: State) -> int:
        """Who acts: 0, 1, CHANCE or TERMINAL."""

    def actions(self, state: State) -> Sequence[str]:
        """Names of the legal actions of a player, or of the outcomes of chance, in a fixed order."""

    def chance(self, state: State) -> Sequence[float]:
        """Probability of each action of a CHANCE state."""

    def next(self, state: State, action: str) -> State:
        """The state after `action`."""

    def returns(self, state: State) -> tuple[float, float]:
        """Chips won by each player at a TERMINAL state."""

    def infoset(self, state: State) -> str:
        """Key of what the player to act knows: equal for states that it cannot tell apart, and for no others."""

    def describe(self, state: State) -> str:
        """The same for people. Sets that differ in nothing that matters (suits) may share a text."""


AnyGame = Game[Any]
