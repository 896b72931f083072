"""Small random games with perfect recall: private types, public actions, sometimes a public card in between."""

from __future__ import annotations

import random
from typing import NamedTuple

from runout.games.protocol import CHANCE, TERMINAL


class State(NamedTuple):
    types: tuple[int, ...]  # of player 0 and player 1, once dealt
    past: tuple[str, ...]  # public actions and cards


class RandomGame:
    """Everything follows from the seed: number of types, their odds, who acts, how many actions, payoffs.

    Without `ties` no two payoffs are equal, so that rounding does not decide what regret matching plays.
    """

    name = "random"
    ante = 1.0

    def __init__(self, seed: int, depth: int = 4, ties: bool = True) -> None:
        self.seed, self.depth, self.ties = seed, depth, ties
        draw = random.Random(seed)
        self.odds = [self._odds(draw, draw.randint(1, 3)) for _ in range(2)]

    @staticmethod
    def _odds(draw: random.Random, count: int) -> tuple[float, ...]:
        weights = [draw.random() + 0.05 for _ in range(count)]
        return tuple(weight / sum(weights) for weight in weights)

    def _draw(self, *what: object) -> random.Random:
        return random.Random(f"{self.seed} {what}")

    def root(self) -> State:
        return State((), ())

    def player(self, state: State) -> int:
        if len(state.types) < 2:
            return CHANCE
        draw = self._draw("player", state.past)
        if len(state.past) == self.depth or (state.past and draw.random() < 0.15):
            return TERMINAL
        return draw.choice([0, 1, 0, 1, CHANCE])

    def actions(self, state: State) -> tuple[str, ...]:
        if len(state.types) < 2:
            return tuple(f"t{i}" for i in range(len(self.odds[len(state.types)])))
        return tuple("abcd"[: self._draw("actions", state.past).randint(1, 4)])

    def chance(self, state: State) -> tuple[float, ...]:
        if len(state.types) < 2:
            return self.odds[len(state.types)]
        return self._odds(self._draw("odds", state.past), len(self.actions(state)))

    def next(self, state: State, action: str) -> State:
        if len(state.types) < 2:
            return State((*state.types, int(action[1:])), ())
        return State(state.types, (*state.past, action))

    def returns(self, state: State) -> tuple[float, float]:
        draw = self._draw("payoff", state)
        chips = draw.choice([-3.0, -1.0, 0.0, 1.0, 2.5]) if self.ties else draw.uniform(-3, 3)
        return chips, -chips

    def infoset(self, state: State) -> str:
        player = self.player(state)
        return f"{player}:{state.types[player]} {'-'.join(state.past)}"

    def describe(self, state: State) -> str:
        return self.infoset(state)
