"""Suit isomorphism: boards and hands that differ only by a renaming of suits.

A renaming is a permutation p of the four suits: card 4 * rank + suit becomes 4 * rank + p[suit]. A group of renamings
that leaves everything known (board, dead cards, ranges) as it is sorts the unseen cards into classes of equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np

from runout.cards.hands import COMBO_CARDS, combo_index
from runout.kernels.boards import canonical_sets

SUIT_PERMUTATIONS = np.array(list(permutations(range(4))), np.int64)  # [24, 4], the identity first


@cache
def card_images() -> np.ndarray:
    """uint8 [24, 52]: the card that each card becomes under each renaming."""
    ids = np.arange(52)
    return (ids // 4 * 4 + SUIT_PERMUTATIONS[:, ids % 4]).astype(np.uint8)


@cache
def combo_images() -> np.ndarray:
    """int16 [24, 1326]: the combo that each combo becomes under each renaming."""
    images = card_images()[:, COMBO_CARDS]  # [24, 1326, 2]
    return combo_index(images[:, :, 0], images[:, :, 1]).astype(np.int16)


def symmetries(known: Iterable[Sequence[int]] = (), weights: Iterable[np.ndarray] = ()) -> np.ndarray:
    """Indices into SUIT_PERMUTATIONS that map each known set of cards to itself and each weights [1326] to itself."""
    keep = np.ones(24, bool)
    for cards in known:
        own = np.sort(np.asarray(cards, np.int64))
        keep &= (np.sort(card_images()[:, own], axis=1) == own).all(axis=1)
    for values in weights:
        keep &= (values[combo_images()] == values).all(axis=1)
    return np.flatnonzero(keep)


@cache
def canonical_boards(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Boards uint8 [n, size], cards ascending, and how many each stands for: 1,755 flops, 134,459 boards of five."""
    return canonical_subsets(np.arange(52), size, np.arange(24))


def canonical_subsets(deck: np.ndarray, size: int, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Subsets of `deck`, one for each class under the renamings in `group`, and the number of subsets in its class."""
    deck = np.ascontiguousarray(deck, np.int64)
    renamings = SUIT_PERMUTATIONS[group]
    none = np.zeros((0, size), np.uint8)
    count = canonical_sets(deck, size, renamings, none, np.zeros(0, np.int64))
    out, weights = np.empty((count, size), np.uint8), np.empty(count, np.int64)
    if count:
        canonical_sets(deck, size, renamings, out, weights)
    return out, weights


@dataclass(frozen=True, slots=True)
class NextCard:
    """A class of equivalent next cards, solved once for `card`."""

    card: int
    copies: tuple[int, ...]  # renamings that turn `card` into each card of its class; the identity (0) first

    @property
    def cards(self) -> tuple[int, ...]:
        """Every card of the class."""
        return tuple(int(card_images()[g, self.card]) for g in self.copies)


def next_cards(board: Sequence[int], group: np.ndarray) -> list[NextCard]:
    """The classes of cards that can come next on `board`, under renamings that leave board and ranges as they are."""
    classes: dict[int, dict[int, int]] = {}
    done = set(board)
    for card in range(52):
        if card in done:
            continue
        images: dict[int, int] = {}
        for g in sorted(int(g) for g in group):
            images.setdefault(int(card_images()[g, card]), g)
        done |= set(images)
        classes[card] = images
    return [NextCard(card, tuple(images.values())) for card, images in classes.items()]
