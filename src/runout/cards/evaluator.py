"""Hand strength of five, six or seven cards: a number that orders hands, its category and its name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources

import numpy as np

from runout.cards.cards import DECK, require_distinct
from runout.cards.evaluator_tables import CATEGORIES
from runout.errors import InputError
from runout.kernels.evaluator import EvaluatorTables, hand_strengths

_RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


@cache
def _data() -> dict[str, np.ndarray]:
    with resources.files("runout.cards").joinpath("data/evaluator.npz").open("rb") as file:
        return dict(np.load(file, allow_pickle=False))


@cache
def tables() -> EvaluatorTables:
    """The evaluator's look-up tables, as the kernels take them."""
    return EvaluatorTables(*(_data()[name] for name in EvaluatorTables._fields))


def strengths(hands: np.ndarray) -> np.ndarray:
    """Strengths uint16 [n] of hands uint8 [n, 5 to 7] of distinct card ids; larger is stronger, equal is a tie."""
    hands = np.asarray(hands)
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= 7:
        raise InputError(f"hands of shape {hands.shape}: use rows of 5, 6 or 7 cards")
    if hands.size and not 0 <= hands.min() <= hands.max() < DECK:
        raise InputError(f"hands with card ids {hands.min()} to {hands.max()}: use 0 (2c) to {DECK - 1} (As)")
    out = np.empty(len(hands), np.uint16)
    hand_strengths(np.ascontiguousarray(hands, np.uint8), tables(), out)
    return out


def strength(hand: Sequence[int]) -> int:
    """The strength of one hand of five to seven cards, from 1 (seven high) to 7462 (royal flush)."""
    require_distinct(hand)
    return int(strengths(np.array([hand], np.int64))[0])


def strength_categories() -> np.ndarray:
    """uint8 [7463]: the index into CATEGORIES of every strength."""
    return _data()["category"]


def category(value: int) -> str:
    """The category of a strength: 'two pair'."""
    return CATEGORIES[_data()["category"][value]]


def name(value: int) -> str:
    """A strength in words: 'two pair, kings and fours, ace kicker'."""
    kind = category(value)
    ranks = [int(rank) for rank in _data()["ranks"][value]]
    high, many = _RANK_WORDS[ranks[0]], _plural(ranks[0])
    if kind == "straight flush" and high == "ace":
        return "royal flush"
    if kind in ("straight", "straight flush", "flush"):
        return f"{kind}, {high} high"
    if kind == "full house":
        return f"full house, {many} over {_plural(ranks[3])}"
    if kind == "two pair":
        return f"two pair, {many} and {_plural(ranks[2])}, {_RANK_WORDS[ranks[4]]} kicker"
    if kind == "high card":
        return f"high card, {high}"
    held = {"pair": 2, "three of a kind": 3, "four of a kind": 4}[kind]
    return f"{kind}, {many}, {_RANK_WORDS[ranks[held]]} kicker"


def _plural(rank: int) -> str:
    word = _RANK_WORDS[rank]
    return word + ("es" if word == "six" else "s")
