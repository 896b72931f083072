"""Pools of deals: drawn once from a seed, then played over and over.

A uniform pool is a plain sample. A stratified one holds at least `min_per_class` deals of every class, the class of a
deal being that of the better final hand (high card to straight flush), so that rare hands are seen. That changes the
odds of chance; `weights` undo it: the mean of weight times value over a pool estimates the expectation over all deals
without bias, because every class weighs its exact odds and within a class deals are uniform.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from pydantic import Field, model_validator

from runout.cards.evaluator import strength_categories, tables
from runout.cards.evaluator_tables import CATEGORIES
from runout.cards.hands import COMBO_CARDS
from runout.cards.suits import canonical_boards
from runout.config import Settings
from runout.errors import InputError
from runout.games.holdem import HoldemSettings
from runout.games.holdem_game import DEAL_CARDS, FULL_DECK, HoldemGame
from runout.kernels import deals as kernel

CLASSES = len(CATEGORIES)

# Deals (ordered pairs of hands and a board) whose better hand is of each class, by board cards.
COUNTS = {
    3: (8357866704, 15822692160, 2392821648, 1099815408, 217974816, 108993584, 80237664, 13490880, 864736),
    5: (
        164934908760,
        1032473672280,
        873847077192,
        199977030024,
        223032153384,
        145956609752,
        130800383136,
        8679934464,
        1679233408,
    ),
}


class DealSettings(Settings):
    """How a pool is drawn."""

    count: int = Field(50_000, ge=1, le=50_000_000, description="deals in the pool")
    min_per_class: int = Field(
        0, ge=0, description="fewest deals of each class of final hand (high card to straight flush); 0: a plain sample"
    )
    max_rejections: int = Field(
        10_000_000, ge=0, lt=2**63, description="most deals that are thrown away in the search for rare classes"
    )
    seed: int = Field(0, ge=0, lt=2**63, description="seed of the draw")

    @model_validator(mode="after")
    def _fits(self) -> DealSettings:
        if self.min_per_class * CLASSES > self.count:
            raise InputError(
                f"min_per_class = {self.min_per_class} of {CLASSES} classes is more than count = {self.count}: "
                f"use at most {self.count // CLASSES}"
            )
        return self


@dataclass(frozen=True, eq=False, repr=False)  # arrays have no plain equality
class DealPool:
    """Deals of one game."""

    game: HoldemSettings
    settings: DealSettings
    deals: np.ndarray  # uint8 [n, 9]: two cards of player 0, two of player 1, five of the board
    weights: np.ndarray  # float64 [n]: mean 1
    classes: np.ndarray  # uint8 [n]: indices into CATEGORIES
    rejections: int  # deals that were thrown away

    def __repr__(self) -> str:
        return f"DealPool({self.game.game().name}, {len(self):,} deals)"

    def __len__(self) -> int:
        return len(self.deals)

    def histogram(self) -> list[ClassCount]:
        """How many deals of each class there are, beside their odds."""
        counts = np.bincount(self.classes, minlength=CLASSES)
        odds = class_odds(self.game.game())
        return [
            ClassCount(name, int(counts[c]), float(odds[c]), float(odds[c] * len(self) / counts[c]) if counts[c] else 0)
            for c, name in enumerate(CATEGORIES)
        ]

    def missing(self) -> list[str]:
        """Classes that can be dealt and are not in the pool."""
        return [row.name for row in self.histogram() if row.odds and not row.deals]


@dataclass(frozen=True, slots=True)
class ClassCount:
    """One line of the report of a pool."""

    name: str
    deals: int
    odds: float  # share of all deals of the game
    ratio: float  # odds over the share in the pool; the weight of such a deal where the pool is stratified


def make_pool(game: HoldemSettings, settings: DealSettings) -> DealPool:
    """Draw a pool; the same settings give the same pool."""
    rules = game.game()
    flop, generator = np.array(rules.board, np.uint8), np.array([settings.seed], np.uint64)
    deals = draw_deals(rules, settings.count, generator)
    classes = deal_classes(rules, deals)
    weights, rejections = np.ones(settings.count), 0
    if settings.min_per_class:
        odds = class_odds(rules)
        short = np.maximum(settings.min_per_class - np.bincount(classes, minlength=CLASSES), 0) * (odds > 0)
        extra = np.empty((short.sum(), DEAL_CARDS), np.uint8)
        found, rejections = kernel.draw_missing(
            generator,
            left_cards(rules),
            flop,
            short.copy(),
            settings.max_rejections,
            rules.board_cards,
            tables(),
            strength_categories(),
            extra,
        )
        keep = _kept(classes, found, settings.min_per_class)
        deals = np.concatenate([deals[keep], extra[:found]])
        deals = deals[np.random.default_rng(settings.seed).permutation(len(deals))]
        classes = deal_classes(rules, deals)
        weights = _weights(classes, odds)
    return DealPool(game, settings, deals, weights, classes, int(rejections))


def draw_deals(game: HoldemGame, count: int, generator: np.ndarray) -> np.ndarray:
    """uint8 [count, 9]: uniform deals of a game; generator uint64 [1] is moved on."""
    deals = np.empty((count, DEAL_CARDS), np.uint8)
    kernel.draw(generator, left_cards(game), np.array(game.board, np.uint8), deals)
    return deals


def left_cards(game: HoldemGame) -> np.ndarray:
    """uint8: the cards that are dealt from, those of a given flop left out."""
    return np.array([card for card in game.deck if card not in game.board], np.uint8)


def _kept(classes: np.ndarray, room: int, least: int) -> np.ndarray:
    """Rows left when `room` deals are taken away, the last ones of classes that have more than `least`.

    It looks at classes only, so what is left of a class is still a uniform sample of it.
    """
    counts = np.bincount(classes, minlength=CLASSES)
    keep = np.ones(len(classes), bool)
    for row in range(len(classes) - 1, -1, -1):
        if not room:
            break
        if counts[classes[row]] > least:
            counts[classes[row]] -= 1
            keep[row] = False
            room -= 1
    return keep


def _weights(classes: np.ndarray, odds: np.ndarray) -> np.ndarray:
    counts = np.bincount(classes, minlength=CLASSES)
    by_class = np.divide(odds, counts, out=np.zeros(CLASSES), where=counts > 0)
    weights = by_class[classes]  # a class that was not found leaves its odds to the others
    return np.asarray(
        weights * (len(classes) / weights.sum())
    )  # a class that was not found leaves its odds to the others


def deal_classes(game: HoldemGame, deals: np.ndarray) -> np.ndarray:
    """uint8 [n]: the class of the better final hand of each deal."""
    out = np.empty(len(deals), np.uint8)
    kernel.classes(deals, game.board_cards, tables(), strength_categories(), out)
    return out


def class_odds(game: HoldemGame) -> np.ndarray:
    """float64 [9]: the exact share of each class among all deals."""
    if len(game.deck) < len(FULL_DECK):
        counts = count_deck(game.deck, game.board_cards)
    else:
        counts = count_flop(game.board, game.board_cards) if game.board else COUNTS[game.board_cards]
    return np.array(counts, np.float64) / sum(counts)


@cache
def count_flop(flop: tuple[int, ...], shown: int) -> tuple[int, ...]:
    """Deals of each class that have this flop."""
    rest = [c for c in range(52) if c not in flop]
    boards = np.array([(*flop, *more) for more in combinations(rest, shown - len(flop))], np.uint8)
    return _count(boards, np.ones(len(boards), np.int64))


@cache
def count_deck(deck: tuple[int, ...], shown: int) -> tuple[int, ...]:
    """Deals of each class from a reduced deck."""
    boards = np.array(list(combinations(deck, shown)), np.uint8)
    return _count(boards, np.ones(len(boards), np.int64), deck)


def count_all(shown: int) -> tuple[int, ...]:
    """Deals of each class over all boards of `shown` cards: what COUNTS holds."""
    return _count(*canonical_boards(shown))


def _count(boards: np.ndarray, counts: np.ndarray, deck: tuple[int, ...] = FULL_DECK) -> tuple[int, ...]:
    out = np.zeros(CLASSES, np.int64)
    hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, deck).all(axis=1)])
    kernel.count_classes(boards, counts, hands, tables(), strength_categories(), out)
    left = len(deck) - boards.shape[1]
    assert out.sum() == counts.sum() * comb(left, 2) * comb(left - 2, 2)
    return tuple(int(n) for n in out)
