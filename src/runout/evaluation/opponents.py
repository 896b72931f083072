"""Simple policies of hold'em to play against, by name: uniform, call, fold, raise."""

from __future__ import annotations

import numpy as np

from runout.errors import InputError
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import CALL_SLOT, FOLD_SLOT
from runout.protocols import HoldemPolicy

FIRST_RAISE = -2  # in place of a slot: the smallest bet or raise


class Uniform:
    """Every legal action alike."""

    weights = np.ones(1)

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        legal = batch.legal().astype(np.float64)
        return np.asarray(legal / legal.sum(axis=1, keepdims=True))


class Always:
    """The first of some slots that is legal, always."""

    weights = np.ones(1)

    def __init__(self, prefer: tuple[int, ...]) -> None:
        self.prefer = prefer

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        legal = batch.legal()
        raises = legal.copy()
        raises[:, [FOLD_SLOT, CALL_SLOT]] = False
        slot = np.full(len(batch), -1)
        for wanted in self.prefer:
            option = np.where(raises.any(axis=1), raises.argmax(axis=1), -1)
            if wanted != FIRST_RAISE:
                option = np.where(legal[:, wanted], wanted, -1)
            slot = np.where(slot < 0, option, slot)
        return np.asarray(np.eye(legal.shape[1])[slot])


NAMED: dict[str, HoldemPolicy] = {
    "uniform": Uniform(),
    "call": Always((CALL_SLOT, FIRST_RAISE, FOLD_SLOT)),  # check or call; raise where a game has no limps
    "fold": Always((FOLD_SLOT, CALL_SLOT)),  # fold to a bet, else check
    "raise": Always((FIRST_RAISE, CALL_SLOT, FOLD_SLOT)),  # the smallest bet or raise, else call
}


def named_policy(name: str) -> HoldemPolicy:
    """The policy with this name; an InputError names those there are."""
    if name not in NAMED:
        raise InputError(f"unknown policy {name!r}: use {', '.join(NAMED)}")
    return NAMED[name]
