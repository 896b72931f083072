"""Equity of a hand or range against another: exact over all run-outs, or sampled with its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from runout.cards.cards import board as parse_board
from runout.cards.cards import cards, cards_text, require_distinct
from runout.cards.equity169 import combo_equity_table
from runout.cards.evaluator import tables
from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.cards.ranges import Range
from runout.cards.suits import canonical_subsets, combo_images, symmetries
from runout.errors import InputError
from runout.kernels.equity import opponents, range_equity, sampled_equity
from runout.kernels.threads import thread_map

_MOST_DEAD = 52 - 9  # two hands and a board must be left
_PARTS = 16  # pieces of work, whatever the number of threads, so that sums do not depend on it


@dataclass(frozen=True, slots=True, repr=False)
class Equity:
    """What two sides can expect of the pot when the hand is checked down."""

    equity: tuple[float, float]
    exact: bool
    standard_error: float  # of each side's equity; 0 when exact
    hands: tuple[np.ndarray, np.ndarray]  # float64 [1326] each: equity of every combo, NaN where it cannot be held
    deals: int  # boards that were counted, or samples that were dealt

    def __repr__(self) -> str:
        first, second = self.equity
        how = f"exact over {self.deals:,} boards" if self.exact else f"{self.deals:,} deals, ±{self.standard_error:.2%}"
        return f"Equity({first:.4%}, {second:.4%}, {how})"


def equity(
    first: Range | str,
    second: Range | str,
    board: str | Sequence[int] = (),
    dead: str | Sequence[int] = (),
    samples: int | None = None,
    seed: int = 0,
    threads: int = 0,
) -> Equity:
    """Who wins how often if all cards are dealt without betting: a hand or range against another.

        runout.equity("AA", "KK"), runout.equity("QQ+,AK", "22+", board="Ah Kd 2c")

    Args:
        first: a hand or a range.
        second: a hand or a range.
        board: cards on the table: none, 3, 4 or 5.
        dead: cards that nobody can hold.
        samples: deal this many hands at random; exact without it.
        seed: seed of the random deals.
        threads: threads to use; 0: one for each core.
    """
    if samples is not None and samples < 2:  # one deal has no standard error
        raise InputError(f"samples = {samples}: use 2 or more, or leave it out for the exact equity")
    if not 0 <= seed < 1 << 64:
        raise InputError(f"seed = {seed}: use 0 to 2 ** 64 - 1")
    on_board = parse_board(board if isinstance(board, str) else cards_text(board))
    gone = cards(dead) if isinstance(dead, str) else list(dead)
    require_distinct([*on_board, *gone], " among board and dead cards")
    if len(gone) > _MOST_DEAD:
        raise InputError(f"{len(gone)} dead cards leave too few for two hands and a board: use at most {_MOST_DEAD}")
    weights = np.stack([_weights(side, [*on_board, *gone]) for side in (first, second)])
    met = opponents(COMBO_CARDS, weights)  # [2, 1326] weight of the hands that each combo can meet
    _require_a_deal(weights, met)
    if samples is not None:
        return _sampled(weights, met, on_board, gone, samples, seed)
    if not on_board and not gone:
        return _from_table(weights, met)
    return _enumerated(weights, met, on_board, gone, threads)


def _weights(side: Range | str, dead: list[int]) -> np.ndarray:
    parsed = Range(side) if isinstance(side, str) else side
    return parsed.require_some(dead).weights


def _require_a_deal(weights: np.ndarray, met: np.ndarray) -> None:
    """Refuse ranges of which no two hands can be dealt together, naming the cards that they share."""
    if not met[0][weights[0] > 0].any():
        first, second = (np.unique(COMBO_CARDS[side > 0]) for side in weights)
        common = cards_text(np.intersect1d(first, second))
        raise InputError(f"no hands of the two sides can be dealt together: both need {common}; add other hands")


def _from_table(weights: np.ndarray, met: np.ndarray) -> Equity:
    """Before the flop: sums over the exact table of all pairs of hands."""
    return _exact(weights, weights[::-1] @ combo_equity_table().T, met, comb(52, 5))


def _enumerated(weights: np.ndarray, met: np.ndarray, board: list[int], dead: list[int], threads: int) -> Equity:
    share, deals, boards = run_out_shares(weights, np.flatnonzero(weights.any(axis=0)), board, dead, threads)
    return _exact(weights, share, met * deals, boards)


def run_out_shares(
    weights: np.ndarray, live: np.ndarray, board: Sequence[int], dead: Sequence[int] = (), threads: int = 0
) -> tuple[np.ndarray, int, int]:
    """What each of the `live` combos wins of the hands it meets, float64 [2, 1326], added up over all run-outs.

    weights float64 [2, 1326]. With it come the number of boards on which two given hands meet, and of boards in all.
    """
    group = symmetries([board, dead], weights)
    deck = np.setdiff1d(np.arange(52), [*board, *dead])
    completions, counts = canonical_subsets(deck, 5 - len(board), group)
    boards = np.hstack([np.tile(np.array(board, np.uint8), (len(completions), 1)), completions])
    hands, held = np.ascontiguousarray(COMBO_CARDS[live]), np.ascontiguousarray(weights[:, live])

    def sums(part: np.ndarray) -> np.ndarray:
        share = np.zeros((2, len(live)))
        range_equity(boards[part], counts[part], hands, held, tables(), share)
        return share

    parts = np.array_split(np.arange(len(boards)), _PARTS)
    found = np.zeros((2, COMBOS))
    found[:, live] = np.sum(thread_map(sums, parts, threads), axis=0)
    share = found[:, combo_images()[group]].mean(axis=1)  # each board stands for its renamed copies too
    return share, comb(len(deck) - 4, 5 - len(board)), int(counts.sum())


def _exact(weights: np.ndarray, share: np.ndarray, met: np.ndarray, boards: int) -> Equity:
    value = float((weights[0] * share[0]).sum() / (weights[0] * met[0]).sum())
    return Equity((value, 1.0 - value), True, 0.0, _per_hand(weights, share, met), boards)


def _per_hand(weights: np.ndarray, share: np.ndarray, met: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ratio = np.divide(share, met, out=np.full(share.shape, np.nan), where=(weights > 0) & (met > 0))
    return ratio[0], ratio[1]


def _sampled(
    weights: np.ndarray, met: np.ndarray, board: list[int], dead: list[int], samples: int, seed: int
) -> Equity:
    live = np.flatnonzero(weights.any(axis=0))
    found = np.zeros((2, 2, len(live)))  # results and deals, by side and hand
    taken = np.uint64(sum(1 << c for c in [*board, *dead]))
    total, squares = sampled_equity(
        samples, np.uint64(seed), np.array(board, np.uint8), taken, np.ascontiguousarray(COMBO_CARDS[live]),
        weights[0, live] * met[0, live], weights[1, live], tables(), found[0], found[1],
    )  # fmt: skip
    share, dealt = np.zeros((2, COMBOS)), np.zeros((2, COMBOS))
    share[:, live], dealt[:, live] = found
    value = total / samples
    spread = max(0.0, squares / samples - value * value)
    error = float(np.sqrt(spread / (samples - 1)))
    return Equity((value, 1.0 - value), False, error, _per_hand(weights, share, dealt), samples)
