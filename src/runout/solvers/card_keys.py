"""Numbers of what players see of dealt cards: every hand told apart up to suits, or buckets of a card abstraction."""

from __future__ import annotations

import numpy as np

from runout.cards.abstraction import AbstractionSettings
from runout.games.holdem import Holdem
from runout.kernels import mccfr as kernel


class CardKeys:
    """The card part of information set keys of one game."""

    def __init__(self, game: Holdem, abstraction: AbstractionSettings | None = None) -> None:
        self.game, self.abstraction = game, abstraction

    def of(self, deals: np.ndarray) -> np.ndarray:
        """uint64 [n, 2, 4] of deals uint8 [n, 9], by player and street; streets that are not played hold anything."""
        keys = np.zeros((len(deals), 2, kernel.STREETS), np.uint64)
        kernel.card_keys(deals, self.game.rules.first_street, self.game.rules.last_street, keys)
        return keys
