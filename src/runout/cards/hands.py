"""Two-card hands: 1326 combos, 169 classes and the 13×13 matrix.

A combo is an unordered pair of cards, numbered by (high card id, low card id): index = high * (high - 1) / 2 + low.
Classes are numbered pairs 0-12 (AA = 0), suited 13-90 (AKs = 13), offsuit 91-168 (AKo = 91), high ranks first.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from runout.cards.cards import RANKS, card, card_name
from runout.errors import InputError
from runout.kernels.combos import combo_number

COMBOS = 1326
CLASSES = 169


def _combo_cards() -> np.ndarray:
    high, low = np.tril_indices(52, -1)
    return np.stack([high, low], axis=1).astype(np.uint8)


def _combo_classes() -> np.ndarray:
    high, low = COMBO_CARDS[:, 0] // 4, COMBO_CARDS[:, 1] // 4  # ranks; high >= low
    suited = COMBO_CARDS[:, 0] % 4 == COMBO_CARDS[:, 1] % 4
    a, b = 12 - high.astype(np.int64), 12 - low.astype(np.int64)  # 0 = ace; a <= b
    two_ranks = a * (25 - a) // 2 + (b - a - 1)  # AK = 0, AQ = 1, ..., 32 = 77
    return np.where(a == b, a, np.where(suited, 13, 91) + two_ranks).astype(np.uint8)


def _class_names() -> tuple[str, ...]:
    names = [""] * CLASSES
    for (high, low), index in zip(COMBO_CARDS, COMBO_CLASS, strict=True):
        suffix = "" if high // 4 == low // 4 else "s" if high % 4 == low % 4 else "o"
        names[index] = RANKS[high // 4] + RANKS[low // 4] + suffix
    return tuple(names)


COMBO_CARDS = _combo_cards()  # uint8 [1326, 2], higher id first
COMBO_CLASS = _combo_classes()  # uint8 [1326]
CLASS_NAMES = _class_names()  # 169 names
CLASS_COMBOS = np.bincount(COMBO_CLASS, minlength=CLASSES)  # [169]: 6, 4 or 12


def combo(first: int, second: int) -> int:
    """The index of the combo of two different cards, in either order."""
    return int(combo_number(max(first, second), min(first, second)))


def combo_index(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """int64: the same for arrays of cards."""
    first, second = first.astype(np.int64), second.astype(np.int64)
    return np.asarray(combo_number(np.maximum(first, second), np.minimum(first, second)))


def combo_name(index: int) -> str:
    """The text of a combo, high card first: 'AsKh'."""
    high, low = COMBO_CARDS[index]
    return card_name(int(high)) + card_name(int(low))


@cache
def disjoint_combos() -> np.ndarray:
    """bool [1326, 1326]: which combos share no card, so that two players can hold them."""
    held = (np.uint64(1) << COMBO_CARDS.astype(np.uint64)).sum(axis=1)  # a bit for each card
    return np.asarray((held[:, None] & held) == 0)


def class_index(text: str) -> int:
    """The class 'AA', 'AKs' or 'AKo' (also 'kao'); 'AK' is both suited and offsuit, so no class."""
    name = _normalised(text)
    if name in _CLASS_INDEX:
        return _CLASS_INDEX[name]
    if len(name) == 2 and name + "s" in _CLASS_INDEX:
        raise InputError(f"{text!r} is sixteen combos, not one class: use {name}s or {name}o")
    raise InputError(f"unknown hand class {text!r}: use a pair (AA), a suited (AKs) or an offsuit hand (AKo)")


def class_at(row: int, column: int) -> int:
    """The class in a cell of the 13×13 matrix: row and column 0 are aces, suited hands above the diagonal."""
    a, b = min(row, column), max(row, column)
    if a == b:
        return a
    return (13 if row < column else 91) + a * (25 - a) // 2 + (b - a - 1)


MATRIX = np.array([[class_at(r, c) for c in range(13)] for r in range(13)], dtype=np.uint8)  # [13, 13] class indices


def hand_combos(text: str) -> list[int]:
    """The combos of 'AA', 'AK', 'AKs', 'AKo' or 'AcKh'; card order does not matter ('KA' is 'AK')."""
    body = text.strip()
    if not body:
        raise InputError("empty hand: use a class (AKs) or two cards (AsKh)")
    if re.fullmatch(r"([2-9TJQKA][cdhs]){2}", body, re.IGNORECASE):
        first, second = card(body[:2]), card(body[2:])
        if first == second:
            raise InputError(f"hand {text!r} holds {card_name(first)} twice: use two different cards")
        return [combo(first, second)]
    name = _normalised(body)
    wanted = [name] if name in _CLASS_INDEX else [name + "s", name + "o"]
    if not all(part in _CLASS_INDEX for part in wanted):
        raise InputError(f"unknown hand {text!r}: use two ranks (AA, AK, AKs, AKo) or two cards (AsKh)")
    classes = [_CLASS_INDEX[part] for part in wanted]
    return [int(i) for i in np.flatnonzero(np.isin(COMBO_CLASS, classes))]


def _normalised(text: str) -> str:
    """Ranks in capitals, high first, suffix in lower case; left as it is where it is no hand."""
    body = text.strip()
    if not re.fullmatch(r"[2-9TJQKA]{2}[so]?", body, re.IGNORECASE):
        return body
    ranks = sorted(body[:2].upper(), key=RANKS.index, reverse=True)
    return "".join(ranks) + body[2:].lower()


_CLASS_INDEX = {name: index for index, name in enumerate(CLASS_NAMES)}
