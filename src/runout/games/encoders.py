"""What a network is shown of a decision of hold'em: cards as ids, betting as numbers, legal slots as a mask.

- Cards: seven ids (hand, flop, turn, river), suits renamed to the canonical form, -1 for cards to come; `card_features`
  splits them into rank, suit and card for embeddings that are added up.
- Betting: for every street and place in its order of actions three numbers: whether there was an action, the chips it
  put in as a fraction of the pot before it, whether it was for all chips. Then the pot as a share of all chips, the
  own stack and the other's as shares of a full one, and the seat.

Chips put in tell every action apart (a check puts in none, a call what is owed, a raise more), so two decisions that
their player can tell apart never look the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.cards.canonical import CARDS
from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, CALL, RAISE
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.holdem_state import HoldemState
from runout.games.points import BOARD_CARDS
from runout.kernels import encoders as kernel

_PUTS_IN = (CALL, BET, RAISE, ALL_IN)


class Features(NamedTuple):
    """One decision, or n of them with n in front of every shape."""

    cards: np.ndarray  # int8 [card_size]: card ids, -1 where none is dealt
    numbers: np.ndarray  # float32 [number_size]
    legal: np.ndarray  # bool [slots]


class HoldemEncoder:
    """Decisions of one game of hold'em."""

    card_size = CARDS

    def __init__(self, game: HoldemGame) -> None:
        self.game = game
        self.slots = game.slot_names
        self.places = game.actions_a_street
        self.number_size = game.rules.streets * self.places * kernel.PLACE + kernel.GENERAL

    @property
    def size(self) -> int:
        return self.card_size + self.number_size

    def encode(self, state: HoldemState, player: int | None = None) -> Features:
        """One decision, as the player to act sees it or as `player` does, who may be waiting: then nothing is legal."""
        if state.over:
            raise InputError("the hand is over: nobody is to act, so there is nothing to encode")
        seat = state.player if player is None else player
        if seat not in (0, 1):
            raise InputError(f"player = {seat}: use 0 or 1")
        legal = np.zeros(len(self.slots), bool)
        if seat == state.player:
            legal[state.slots()] = True
        return Features(np.array(state.canonical_cards(seat), np.int8), self._numbers(state, seat), legal)

    def _numbers(self, state: HoldemState, own: int) -> np.ndarray:
        rules = self.game.rules
        paid = [rules.ante + rules.blinds[0], rules.ante + rules.blinds[1]]
        places = np.zeros((rules.streets, self.places, kernel.PLACE), np.float32)
        for street in range(rules.first_street, len(state.history)):
            bets = list(rules.blinds) if street == rules.first_street else [0, 0]
            player = rules.opener(street)
            for place, action in enumerate(state.history[street]):
                chips = action.amount - bets[player] if action.kind in _PUTS_IN else 0
                pot = rules.pot + sum(paid)
                paid[player] += chips
                bets[player] += chips
                places[street - rules.first_street, place] = 1, chips / pot, paid[player] == rules.stack
                player = 1 - player
        general = (
            (rules.pot + sum(paid)) / (rules.pot + 2 * rules.stack),
            (rules.stack - paid[own]) / rules.stack,
            (rules.stack - paid[1 - own]) / rules.stack,
            own,
        )
        return np.concatenate([places.ravel(), np.array(general, np.float32)])

    def encode_batch(self, batch: HoldemBatch) -> Features:
        """The decisions of all hands of a batch; `HoldemBatch.take` leaves out those that are over."""
        if batch.game != self.game:
            raise InputError(f"the batch is of {batch.game.name}; this encoder is for {self.game.name}")
        numbers = np.empty((len(batch), self.number_size), np.float32)
        over = kernel.betting_features(batch.rules, batch.streets, batch.hands, batch.added, numbers)
        if over >= 0:
            raise InputError(f"hand {over} is over: nobody is to act, so there is nothing to encode")
        return Features(seen_cards(batch), numbers, batch.legal())


def seen_cards(batch: HoldemBatch) -> np.ndarray:
    """int8 [n, 7]: what the player to act sees, in canonical form; of hands that are over, what player 0 saw."""
    cards = np.empty((len(batch), CARDS), np.int8)
    shown = np.array(BOARD_CARDS, np.int8)[batch.hands["street"]]
    kernel.canonical_hands(batch.cards, np.maximum(batch.player, 0), shown, cards)
    return cards


def infoset_keys(batch: HoldemBatch) -> np.ndarray:
    """uint64 [n]: one number for each information set, as `HoldemState.infoset` has one text; 0 where a hand is over.

    A hash of 64 bits: among a million sets two share a number with a chance of one in 37 million.
    """
    keys = np.empty(len(batch), np.uint64)
    kernel.infoset_keys(batch.rules, batch.hands, seen_cards(batch), batch.added, keys)
    return keys


def card_features(cards: np.ndarray) -> np.ndarray:
    """int8 [..., 3] of card ids [...]: rank (0 to 12), suit (0 to 3), card (0 to 51); -1 in all for a missing card."""
    ids = np.asarray(cards, np.int8)
    dealt = ids >= 0
    return np.stack([np.where(dealt, ids // 4, -1), np.where(dealt, ids % 4, -1), ids], axis=-1).astype(np.int8)
