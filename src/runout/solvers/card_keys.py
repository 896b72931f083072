"""Numbers of what players see of dealt cards: every hand told apart up to suits, or buckets of a card abstraction."""

from __future__ import annotations

import numpy as np

from runout.cards.abstraction import Abstraction, AbstractionSettings
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.kernels import mccfr as kernel


class CardKeys:
    """The card part of information set keys of one game."""

    def __init__(self, game: HoldemGame, abstraction: AbstractionSettings | None = None) -> None:
        self.game = game
        self.abstraction = (
            None
            if abstraction is None
            else Abstraction(abstraction, game.deck, game.rules.last_street, game.board_cards)
        )

    def of(self, deals: np.ndarray) -> np.ndarray:
        """uint64 [n, 2, 4] of deals uint8 [n, 9], by player and street; streets that are not played hold anything."""
        keys = np.zeros((len(deals), 2, kernel.STREETS), np.uint64)
        if self.abstraction is not None:
            kernel.bucket_keys(self.abstraction.buckets(deals), keys)
            return keys
        kernel.card_keys(deals, self.game.rules.first_street, self.game.rules.last_street, keys)
        return keys

    def acting(self, batch: HoldemBatch) -> np.ndarray:
        """uint64 [n]: of what the players to act see in a batch."""
        if self.abstraction is None:
            keys = np.empty(len(batch), np.uint64)
            kernel.acting_card_keys(batch.cards, batch.hands, keys)
            return keys
        return np.asarray(self.of(batch.cards)[np.arange(len(batch)), batch.player, batch.hands["street"]])
