"""What a policy does with every hand of a range, and which hands it gets to a decision with.

A policy is a mixture: one of its parts is drawn for a hand and then plays on. What an observer sees at a decision is
the mean over parts, each weighed by its odds times what the player's own actions under that part leave of the hand:

    strategy(a | hand) = sum of weight_k reach_k(hand) strategy_k(a | hand)  /  sum of weight_k reach_k(hand)

Reaches here are those products: weight_k reach_k, so that they add up over parts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import DEAL_CARDS, HoldemGame
from runout.games.points import BOARD_CARDS
from runout.kernels.range_deals import range_deals
from runout.protocols import HoldemPolicy

ROWS = 1 << 17  # hands that a policy is asked about at once


def open_cards(batch: HoldemBatch) -> np.ndarray:
    """int64 [n]: board cards that the player to act sees."""
    return np.asarray(np.array(BOARD_CARDS)[batch.hands["street"]])


def deck_hands(game: HoldemGame) -> np.ndarray:
    """bool [1326]: hands that the deck of a game has."""
    return np.asarray(np.isin(COMBO_CARDS, game.deck).all(axis=1))


def live_hands(batch: HoldemBatch) -> np.ndarray:
    """bool [n, 1326]: hands that the open cards of each row leave."""
    shown, held = open_cards(batch), np.tile(deck_hands(batch.game), (len(batch), 1))
    for place in range(5):
        rows = np.flatnonzero(shown > place)
        card = batch.cards[rows, 4 + place]
        held[rows] &= (COMBO_CARDS[None, :, 0] != card[:, None]) & (COMBO_CARDS[None, :, 1] != card[:, None])
    return held


def range_probabilities(
    policy: HoldemPolicy, batch: HoldemBatch, part: int, wanted: np.ndarray | None = None
) -> np.ndarray:
    """float64 [n, 1326, slots]: what one part does with every hand that the player to act can hold in each row.

    The rows' own hole cards do not matter, and the policy is shown nothing that the player does not see. Hands that are
    blocked, or not `wanted` bool [n, 1326], are 0.
    """
    asked = live_hands(batch) if wanted is None else wanted & live_hands(batch)
    rows, combos = np.nonzero(asked)
    found = np.zeros((len(batch), COMBOS, batch.rules.slots))
    for first in range(0, len(rows), ROWS):
        some = slice(first, first + ROWS)
        found[rows[some], combos[some]] = hand_probabilities(policy, batch, part, rows[some], combos[some])
    return found


def hand_probabilities(
    policy: HoldemPolicy, batch: HoldemBatch, part: int, rows: np.ndarray, combos: np.ndarray
) -> np.ndarray:
    """float64 [m, slots]: what one part does in rows[i] of a batch when the player to act holds combos[i]."""
    public = batch.take(rows)
    deals = np.empty((len(rows), DEAL_CARDS), np.uint8)
    boards = np.ascontiguousarray(batch.cards[:, 4:])
    deck = np.array(batch.game.deck, np.uint8)
    range_deals(open_cards(batch), batch.player.astype(np.int64), boards, rows, combos, deck, COMBO_CARDS, deals)
    public.cards = deals
    return policy.probabilities(public, part)


def first_reach(policy: HoldemPolicy, rows: int) -> np.ndarray:
    """float64 [rows, parts, 1326]: reaches before the player has acted."""
    weights = np.asarray(policy.weights, np.float64)
    return np.broadcast_to(weights[None, :, None], (rows, len(weights), COMBOS)).copy()


def part_probabilities(policy: HoldemPolicy, batch: HoldemBatch, reach: np.ndarray) -> np.ndarray:
    """float64 [n, parts, 1326, slots]: of every part, where reach float64 [n, parts, 1326] is not 0."""
    parts = [range_probabilities(policy, batch, part, reach[:, part] > 0) for part in range(reach.shape[1])]
    return np.stack(parts, axis=1)


def mixed(reach: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """float64 [n, 1326, slots]: the mixture as an observer sees it; 0 where no part gets there with a hand."""
    total = reach.sum(axis=1)[..., None]
    played = np.einsum("npc,npcs->ncs", reach, probabilities)
    return np.asarray(np.divide(played, total, out=np.zeros_like(played), where=total > 0))


def public_deal(game: HoldemGame, board: Sequence[int]) -> np.ndarray:
    """uint8 [9]: a deal with these board cards first, the rest filled with the lowest that are left."""
    known = [int(c) for c in (board or game.board)]
    rest = [c for c in game.deck if c not in known]
    missing = 5 - len(known)
    return np.array([*rest[missing : missing + 4], *known, *rest[:missing]], np.uint8)
