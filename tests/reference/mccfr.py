"""External-sampling MCCFR as the papers write it: recursive, over scalar states, tables by text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.games.holdem_game import HoldemGame
from runout.games.holdem_state import HoldemState

MASK = (1 << 64) - 1


class Uniform:
    """SplitMix64 as numbers in [0, 1)."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def __call__(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) / 2**53


class SlowMccfr:
    """Tables {(player, information set): float64 [slots]} and an example state of each set."""

    def __init__(self, game: HoldemGame, seed: int) -> None:
        self.game = game
        self.draw = Uniform(seed)
        self.regrets: dict[tuple[int, str], np.ndarray] = {}
        self.averages: dict[tuple[int, str], np.ndarray] = {}
        self.states: dict[tuple[int, str], HoldemState] = {}

    def walk(self, cards: Sequence[int], traverser: int, weight: float) -> float:
        self.noted: list[tuple[np.ndarray, np.ndarray]] = []
        value = self._value(self.game.deal([int(card) for card in cards]), traverser, weight)
        for table, more in self.noted:
            table += more
        return value

    def _value(self, state: HoldemState, traverser: int, weight: float) -> float:
        if state.over:
            return state.returns()[traverser]
        key = state.player, state.infoset()
        self.states.setdefault(key, state)
        slots = len(self.game.slot_names)
        regrets = self.regrets.setdefault(key, np.zeros(slots))
        averages = self.averages.setdefault(key, np.zeros(slots))
        legal = state.slots()
        positive = np.zeros(slots)
        positive[legal] = np.maximum(regrets[legal], 0)
        if not positive.sum():
            positive[legal] = 1
        strategy = positive / positive.sum()
        if state.player != traverser:
            self.noted.append((averages, weight * strategy))
            draw, chosen = self.draw(), None
            for slot in legal:
                if strategy[slot] > 0 and (chosen is None or draw >= 0):
                    chosen = slot
                    draw -= strategy[slot]
            return self._value(state.play(chosen), traverser, weight)
        values = np.zeros(slots)
        for slot in legal:
            values[slot] = self._value(state.play(slot), traverser, weight)
        value = float(strategy @ values)
        gained = np.zeros(slots)
        gained[legal] = weight * (values[legal] - value)
        self.noted.append((regrets, gained))
        return value
