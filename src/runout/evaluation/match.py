"""Head to head: what one strategy wins from another.

Hold'em is played out with duplicate deals: every deal is played four times, with the strategies in either seat and with
the hole cards exchanged, so that luck in cards cancels. The random numbers that draw parts and actions belong to the
deal and the seat and are the same in both seatings, so a strategy against itself comes to exactly 0. The interval is
over deals, which are independent. Small games need no playing: the expectation is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from runout.cursors.game_solution import GameSolution
from runout.errors import InputError
from runout.evaluation.intervals import Estimate, estimate, exact
from runout.games.deals import draw_deals
from runout.games.holdem_batch import NO_SLOT, HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.lines import POSITIONS
from runout.protocols import HoldemPolicy
from runout.solvers.game_response import assess

PLAYS = 4  # of every deal: two seatings, hole cards as dealt and exchanged
DEALS_AT_ONCE = 8192

OnDone = Callable[[int, int], None]  # hears how many hands are done, and how many there are


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What the first strategy wins, in `unit` a hand."""

    wins: Estimate
    by_seat: tuple[tuple[str, Estimate], ...]  # with the first strategy in each seat
    unit: str
    hands: int  # played; 0 where the expectation is exact
    method: str

    @property
    def says(self) -> str:
        """What came out, in a sentence."""
        won, low, high = self.wins.mean, self.wins.low, self.wins.high
        does = "wins" if won >= 0 else "loses"
        what = f"the first strategy {does} {abs(won):.1f} {self.unit} on average over both seats"
        if self.method == "exact":
            return f"{what}, exactly."
        sure = low > 0 or high < 0
        tail = "the difference is real at 95% confidence" if sure else "that is within the noise: no winner is shown"
        return f"{what}, 95% interval {low:.1f} to {high:.1f}; {tail}."


def play_match(
    game: HoldemGame,
    first: HoldemPolicy,
    second: HoldemPolicy,
    hands: int = 100_000,
    seed: int = 0,
    on_done: OnDone | None = None,
) -> MatchResult:
    """Play about this many hands (a multiple of four) and say what `first` wins, in mbb per hand."""
    if hands < 2 * PLAYS:
        raise InputError(f"hands = {hands}: use {2 * PLAYS} or more, two deals played four times each")
    deals = hands // PLAYS
    generator = np.array([seed], np.uint64)
    rng = np.random.default_rng(seed)
    won = []
    for start in range(0, deals, DEALS_AT_ONCE):
        count = min(DEALS_AT_ONCE, deals - start)
        won.append(_play_deals(game, first, second, draw_deals(game, count, generator), rng))
        if on_done is not None:
            on_done(PLAYS * (start + count), PLAYS * deals)
    mbb = np.concatenate(won) * 1000 / game.big_blind
    seats = tuple((POSITIONS[seat], estimate(mbb[:, seat])) for seat in range(2))
    return MatchResult(estimate(mbb.mean(axis=1)), seats, "mbb/hand", PLAYS * deals, "duplicate deals")


def _play_deals(
    game: HoldemGame, first: HoldemPolicy, second: HoldemPolicy, deals: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """float64 [n, 2]: chips that `first` wins of each deal in seat 0 and in seat 1, cards as dealt and exchanged."""
    exchanged = deals[:, [2, 3, 0, 1, 4, 5, 6, 7, 8]]
    both = np.concatenate([deals, exchanged])
    stream = np.random.default_rng(rng.integers(1 << 63))
    draws = stream.random((2, len(both)))  # parts, by seat
    won = np.empty((len(deals), 2))
    seed = int(rng.integers(1 << 63))
    for seat in range(2):
        policies = (first, second) if seat == 0 else (second, first)
        parts = np.stack([draw_parts(policies[s], draws[s]) for s in range(2)], axis=1)
        returns = play(game, policies, parts, both, np.random.default_rng(seed))
        won[:, seat] = returns[:, seat].reshape(2, len(deals)).mean(axis=0)
    return won


def draw_parts(policy: HoldemPolicy, draws: np.ndarray) -> np.ndarray:
    """int64 [n]: a part for each hand, by numbers in [0, 1)."""
    ends = np.cumsum(policy.weights)
    return np.asarray(np.minimum(np.searchsorted(ends, draws * ends[-1], side="right"), len(ends) - 1))


def draw_slots(probabilities: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """int64 [n]: a slot for each row of float64 [n, slots], by numbers in [0, 1); never one of probability 0."""
    ends = np.cumsum(probabilities, axis=1)
    slots = (ends <= (draws * ends[:, -1])[:, None]).sum(axis=1)
    last = probabilities.shape[1] - 1 - (probabilities[:, ::-1] > 0).argmax(axis=1)
    return np.asarray(np.minimum(slots, last))


def play(
    game: HoldemGame,
    policies: Sequence[HoldemPolicy],
    parts: np.ndarray,
    deals: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """float64 [n, 2]: chips won by each seat; policies by seat, parts int64 [n, 2] of each hand and seat."""
    batch = HoldemBatch(game, deals)
    while not batch.over.all():
        draws = rng.random(len(batch))
        slots = np.full(len(batch), NO_SLOT)
        for seat in range(2):
            acting = np.flatnonzero(batch.player == seat)
            for part in np.unique(parts[acting, seat]):
                rows = acting[parts[acting, seat] == part]
                slots[rows] = draw_slots(policies[seat].probabilities(batch.take(rows), int(part)), draws[rows])
        batch.act(slots)
    return batch.returns()


def exact_match(first: GameSolution, second: GameSolution) -> MatchResult:
    """What a solution of a small game wins from another of the same game, in thousandths of an ante."""
    game = first.game
    if second.game.fingerprint != game.fingerprint:
        raise InputError(f"the first is a solution of {game.name}, the second of {second.game.name}: use the same game")
    values = []
    for seat in range(2):
        own, other = (first, second) if seat == 0 else (second, first)
        split = game.sequence_start[1]
        strategy = np.concatenate([own.strategy[:split], other.strategy[split:]])
        value = assess(game, strategy).value  # to player 0
        values.append((value if seat == 0 else -value) * 1000 / game.ante)
    seats = tuple((f"player {seat + 1}", exact(values[seat])) for seat in range(2))
    return MatchResult(exact(float(np.mean(values))), seats, "mA/g", 0, "exact")
