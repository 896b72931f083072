"""Ranges: a weight from 0 to 1 for each of the 1326 combos."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TypeAlias

import numpy as np

from runout.cards import cards as card_text
from runout.cards import notation
from runout.cards.hands import (
    CLASS_COMBOS,
    CLASS_NAMES,
    CLASSES,
    COMBO_CARDS,
    COMBO_CLASS,
    COMBOS,
    MATRIX,
    combo_name,
    hand_combos,
)
from runout.cards.matrix_html import MatrixCell, matrix_html
from runout.errors import InputError

Cards: TypeAlias = "str | Iterable[int]"  # 'As Kh' or card ids

FAINTEST = 1e-6  # largest weight of a range that single precision can still count with
_HOLDS = (COMBO_CARDS[None, :, :] == np.arange(52)[:, None, None]).any(axis=2)  # bool [52 cards, 1326]
_FILL = "linear-gradient(#22c55e,#22c55e)"  # colour of a range in a notebook
_CLASS_FIRST = np.unique(COMBO_CLASS, return_index=True)[1]  # [169] a combo of each class


class Range:
    """A range: a weight from 0 to 1 for each of the 1326 combos. It never changes.

    ours = Range("QQ+,AKs:0.5")
    ours.combos(), len(ours), "AKs" in ours
    for combo, weight in ours: ...
    ours | Range("JJ"), ours & Range("AK"), ours - Range("KK")
    """

    __slots__ = ("_weights",)
    _weights: np.ndarray

    def __init__(self, source: str | Range | Mapping[str, float] | np.ndarray) -> None:
        """From text ('QQ+,AKs:0.5'), from hands with weights ({'QQ': 1, 'AKs': 0.5}), or from an array of
        1326 weights by combo or 169 by class."""
        if isinstance(source, str):
            weights = notation.parse(source)
        elif isinstance(source, Range):
            weights = source._weights
        elif isinstance(source, Mapping):
            weights = _from_hands(source)
        else:
            weights = _from_array(source)
        weights.setflags(write=False)
        self._weights = weights

    @classmethod
    def parse(cls, text: str) -> Range:
        """The range that `text` means."""
        return cls(text)

    @classmethod
    def all(cls) -> Range:
        """Every hand with weight 1."""
        return cls(np.ones(COMBOS))

    @property
    def weights(self) -> np.ndarray:
        """float64 [1326], read-only, by combo index."""
        return self._weights

    @property
    def classes(self) -> np.ndarray:
        """float64 [169]: the mean weight of the combos of each class."""
        some = self._weights[_CLASS_FIRST]  # summing differences keeps the weight of a uniform class exact
        return some + np.bincount(COMBO_CLASS, self._weights - some[COMBO_CLASS], CLASSES) / CLASS_COMBOS

    @property
    def matrix(self) -> np.ndarray:
        """float64 [13, 13]: mean weights as players lay them out, aces first, suited above the diagonal."""
        return self.classes[MATRIX]

    @property
    def count(self) -> int:
        """How many combos have a weight above 0."""
        return int(np.count_nonzero(self._weights))

    def combos(self) -> float:
        """The sum of the weights."""
        return float(self._weights.sum())

    def weight(self, hand: str) -> float:
        """The weight of a combo ('AsKh'), or the mean weight of 'AKs', 'AKo', 'AK' or 'AA'."""
        weights = self._weights[hand_combos(hand)]
        return float(weights[0] + (weights - weights[0]).mean())

    def without(self, dead: Cards) -> Range:
        """This range with every hand that holds one of the `dead` cards at weight 0."""
        return Range(np.where(_HOLDS[_ids(dead)].any(axis=0), 0.0, self._weights))

    def require_some(self, dead: Cards = (), name: str = "range", faintest: float = 0.0) -> Range:
        """`without(dead)`, refused when nothing is left, or nothing with a weight of `faintest` or more; `name` is what
        the message calls this range."""
        left = self.without(dead)
        if left.count and left.weights.max() < faintest:
            most = left.weights.max()
            raise InputError(f"{name} is too faint to count with: its largest weight is {most:g}; use weights near 1")
        if left.count:
            return left
        if not self.count:
            raise InputError(f"{name} is empty: give at least one hand a weight above 0")
        held = np.unique(COMBO_CARDS[self._weights > 0])
        blockers = card_text.cards_text(c for c in _ids(dead) if c in held)
        raise InputError(
            f"{name} {_shortened(str(self))!r} has no hand left: all are blocked by {blockers}; add other hands"
        )

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Every combo with a weight above 0, as ('AsKh', 1.0)."""
        for index in np.flatnonzero(self._weights).tolist():
            yield combo_name(index), float(self._weights[index])

    def __len__(self) -> int:
        """How many combos have a weight above 0."""
        return self.count

    def __bool__(self) -> bool:
        return bool(self._weights.any())

    def __contains__(self, hand: object) -> bool:
        """Whether any combo of a hand ('AsKh', 'AKs', 'AK') has a weight above 0."""
        return isinstance(hand, str) and bool(self._weights[hand_combos(hand)].any())

    def __or__(self, other: Range) -> Range:
        """Union: the larger weight of each combo."""
        return Range(np.maximum(self._weights, other._weights)) if isinstance(other, Range) else NotImplemented

    def __and__(self, other: Range) -> Range:
        """Intersection: the smaller weight of each combo."""
        return Range(np.minimum(self._weights, other._weights)) if isinstance(other, Range) else NotImplemented

    def __sub__(self, other: Range) -> Range:
        """Difference: what is left of each weight after the other is taken away, at least 0."""
        return Range(np.maximum(self._weights - other._weights, 0.0)) if isinstance(other, Range) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self._weights, other._weights) if isinstance(other, Range) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._weights.tobytes())

    def __str__(self) -> str:
        return notation.text(self._weights)

    def __repr__(self) -> str:
        return f"Range({_shortened(str(self), 100)!r})"

    def _repr_html_(self) -> str:
        """The matrix, for notebooks."""
        titles = [f"{name} {weight:.0%}" for name, weight in zip(CLASS_NAMES, self.classes, strict=True)]
        drawn = [MatrixCell(_FILL, float(w), title) for w, title in zip(self.classes, titles, strict=True)]
        head = f"{self.combos():.6g} combos, {self.combos() / COMBOS:.1%} of all hands"
        text = f'<div style="opacity:.8">{escape(_shortened(str(self), 300))}</div>'
        return f'<div style="font:14px system-ui,sans-serif"><b>{head}</b>{text}{matrix_html(drawn)}</div>'

    def __reduce__(self) -> tuple[type[Range], tuple[np.ndarray]]:
        return Range, (self._weights,)


def _from_hands(hands: Mapping[str, float]) -> np.ndarray:
    weights = np.zeros(COMBOS)
    for hand, weight in reversed(list(hands.items())):  # the first wins, as in text
        if not 0 <= weight <= 1:
            raise InputError(f"weight {weight} of {hand!r} is out of range: use 0 to 1")
        weights[hand_combos(hand)] = weight + 0.0  # -0.0 becomes 0.0, so that equal ranges hash alike
    return weights


def _from_array(source: np.ndarray) -> np.ndarray:
    weights = np.array(source, dtype=np.float64) + 0.0
    if weights.shape == (CLASSES,):
        weights = weights[COMBO_CLASS]
    if weights.shape != (COMBOS,):
        shape = " × ".join(map(str, weights.shape)) or "one number"
        raise InputError(f"a range needs {COMBOS} weights by combo or {CLASSES} by class, not {shape}")
    bad = np.flatnonzero(~((weights >= 0) & (weights <= 1)))  # catches nan too
    if bad.size:
        raise InputError(f"weight {weights[bad[0]]} of {combo_name(int(bad[0]))} is out of range: use 0 to 1")
    return weights


def _ids(dead: Cards) -> list[int]:
    ids = card_text.cards(dead) if isinstance(dead, str) else [int(c) for c in dead]
    for c in ids:
        if not 0 <= c < card_text.DECK:
            raise InputError(f"no card has the id {c}: use 0 (2c) to {card_text.DECK - 1} (As)")
    return ids


def _shortened(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1].rpartition(",")[0] + ",…"
