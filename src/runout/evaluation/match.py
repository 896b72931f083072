"""Head to head: what one strategy wins from another.

Hold'em is played out with duplicate deals: every deal is played four times, with the strategies in either seat and with
the hole cards exchanged, so that luck in cards cancels. The random numbers that draw parts and actions belong to the
deal and the seat and are the same in both seatings, so a strategy against itself comes to exactly 0. The interval is
over deals, which are independent. Some of the hands are adjusted by AIVAT (`aivat`), which takes most of the luck out
that is left. Small games need no playing: the expectation is exact, and so is the spread of a played hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from runout.cursors.game_solution import GameSolution
from runout.errors import InputError
from runout.evaluation.aivat import Aivat, BoardEquities
from runout.evaluation.asked_tree import asked_tree
from runout.evaluation.intervals import Estimate, estimate, exact
from runout.evaluation.small_aivat import BOTH, small_aivat
from runout.explorers.public_lines import history_values
from runout.games.compiled import CompiledGame
from runout.games.deals import draw_deals
from runout.games.holdem_batch import NO_SLOT, HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.lines import POSITIONS
from runout.games.protocol import TERMINAL
from runout.protocols import HoldemPolicy
from runout.solvers.bot import Bot
from runout.solvers.game_response import assess

PLAYS = 4  # of every deal: two seatings, hole cards as dealt and exchanged
DEALS_AT_ONCE = 8192

OnDone = Callable[[int, int], None]  # hears how many hands are done, and how many there are


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The same with the luck taken out, in the unit of the match."""

    wins: Estimate
    hands: int  # that were adjusted; 0 where the expectation is exact
    known: tuple[bool, bool]  # whose policy it may look at: of the first strategy, of the second
    raw: float  # standard deviation of the result of a single hand
    left: float  # and of the same once adjusted

    @property
    def worth(self) -> int:
        """Raw hands, each dealt anew, whose mean would have as narrow an interval."""
        error = (self.wins.high - self.wins.low) / (2 * 1.96)
        return round((self.raw / error) ** 2) if error > 1e-6 * self.raw else 0  # rounding alone is no interval

    @property
    def says(self) -> str:
        """What came out, in a sentence."""
        gone = f"a hand deviates by {self.left:.1f} where raw hands do by {self.raw:.1f}"
        share = 1 - self.left / self.raw if self.raw else 0.0
        gone += f": {share:.1%} of the deviation is gone" if self.raw else ""
        if not self.hands:
            return gone
        low, high = self.wins.low, self.wins.high
        mean = f"AIVAT of {self.hands:,} hands: {self.wins.mean:+.1f} (95% {low:.1f} to {high:.1f})"
        return f"{mean}, worth {self.worth:,} raw hands; {gone}" if self.worth else f"{mean}; {gone}"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What the first strategy wins, in `unit` a hand."""

    wins: Estimate
    by_seat: tuple[tuple[str, Estimate], ...]  # with the first strategy in each seat
    unit: str
    hands: int  # played; 0 where the expectation is exact
    method: str
    aivat: Adjusted | None = None

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
    aivat: int = 0,
    known: tuple[bool, bool] = BOTH,
) -> MatchResult:
    """Play about this many hands (a multiple of four) and say what `first` wins, in mbb per hand.

    aivat: how many of them are adjusted, looking at the policies that are `known`.
    """
    if hands < 2 * PLAYS:
        raise InputError(f"hands = {hands}: use {2 * PLAYS} or more, two deals played four times each")
    deals = hands // PLAYS
    generator = np.array([seed], np.uint64)
    rng = np.random.default_rng(seed)
    if aivat and aivat < 2 * PLAYS:
        raise InputError(f"AIVAT of {aivat} hands: use {2 * PLAYS} or more, or 0 for none")
    adjusted = _Adjusting(game, first, second, known, min(aivat, hands) // PLAYS, on_done) if aivat else None
    won = []
    at_once = min(DEALS_AT_ONCE, most_at_once(first), most_at_once(second))
    for start in range(0, deals, at_once):
        count = min(at_once, deals - start)
        won.append(_play_deals(game, first, second, draw_deals(game, count, generator), rng, adjusted))
        if on_done is not None:
            on_done(PLAYS * (start + count), PLAYS * deals)
    mbb = np.concatenate(won) * 1000 / game.big_blind
    seats = tuple((POSITIONS[seat], estimate(mbb[:, seat])) for seat in range(2))
    found = None if adjusted is None else adjusted.result()
    return MatchResult(estimate(mbb.mean(axis=1)), seats, "mbb/hand", PLAYS * deals, "duplicate deals", found)


class _Adjusting:
    """The first deals of a match, adjusted."""

    def __init__(
        self,
        game: HoldemGame,
        first: HoldemPolicy,
        second: HoldemPolicy,
        known: tuple[bool, bool],
        deals: int,
        on_done: OnDone | None,
    ) -> None:
        # a bot's play depends on time, and its whole range at every decision would take too much of it
        self.known = known[0] and not isinstance(first, Bot), known[1] and not isinstance(second, Bot)
        self.game, self.left, self.deals, self.on_done = game, deals, deals, on_done
        seen = first if self.known[0] else None, second if self.known[1] else None
        model = next((policy for policy in (*seen, first) if policy is not None), first)
        model = model.policy if isinstance(model, Bot) else model
        tree, boards = asked_tree(game), BoardEquities(game)
        orders = (0, 1), (1, 0)
        self.by_seat = [Aivat(game, (seen[a], seen[b]), model, boards, tree) for a, b in orders]
        self.found: list[np.ndarray] = []  # float64 [n, 2, plays]: chips of the first strategy, adjusted and raw

    def deals_of(self, both: np.ndarray, slots: list[list[np.ndarray]], returns: list[np.ndarray]) -> None:
        """Take what was played of deals and of the same with cards exchanged, with the first strategy in each seat."""
        count = len(both) // 2
        now = min(self.left, count)
        found = np.zeros((now, 2, PLAYS))
        for deal in range(now):
            for play, (seat, row) in enumerate((seat, row) for seat in range(2) for row in (deal, deal + count)):
                played = [int(step[row]) for step in slots[seat] if step[row] != NO_SLOT]
                value = self.by_seat[seat].adjusted(both[row], played)  # of player 0
                found[deal, 0, play] = value if seat == 0 else self.game.rules.pot - value
                found[deal, 1, play] = returns[seat][row, seat]
            self.left -= 1
            if self.on_done is not None:
                self.on_done(PLAYS * (self.deals - self.left), PLAYS * self.deals)
        self.found.append(found)

    def result(self) -> Adjusted:
        mbb = np.concatenate(self.found) * 1000 / self.game.big_blind
        left, raw = (float(np.std(mbb[:, which])) for which in range(2))
        return Adjusted(estimate(mbb[:, 0].mean(axis=1)), mbb[:, 0].size, self.known, raw, left)


def most_at_once(policy: HoldemPolicy) -> int:
    """Deals that a policy wants to be asked about side by side at most; a bot forgets what it solved for more."""
    return int(getattr(policy, "deals_at_once", DEALS_AT_ONCE))


def _play_deals(
    game: HoldemGame,
    first: HoldemPolicy,
    second: HoldemPolicy,
    deals: np.ndarray,
    rng: np.random.Generator,
    adjusting: _Adjusting | None,
) -> np.ndarray:
    """float64 [n, 2]: chips that `first` wins of each deal in seat 0 and in seat 1, cards as dealt and exchanged."""
    exchanged = deals[:, [2, 3, 0, 1, 4, 5, 6, 7, 8]]
    both = np.concatenate([deals, exchanged])
    stream = np.random.default_rng(rng.integers(1 << 63))
    draws = stream.random((2, len(both)))  # parts, by seat
    won = np.empty((len(deals), 2))
    seed = int(rng.integers(1 << 63))
    slots: list[list[np.ndarray]] = [[], []]  # by seat of the first strategy and step
    results = []
    for seat in range(2):
        policies = (first, second) if seat == 0 else (second, first)
        parts = np.stack([draw_parts(policies[s], draws[s]) for s in range(2)], axis=1)
        noted = slots[seat]

        def note(_: HoldemBatch, played: np.ndarray, noted: list[np.ndarray] = noted) -> None:
            noted.append(played)

        returns = play(game, policies, parts, both, np.random.default_rng(seed), note)
        won[:, seat] = returns[:, seat].reshape(2, len(deals)).mean(axis=0)
        results.append(returns)
    if adjusting is not None and adjusting.left:
        adjusting.deals_of(both, slots, results)
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
    on_step: Callable[[HoldemBatch, np.ndarray], None] | None = None,
) -> np.ndarray:
    """float64 [n, 2]: chips won by each seat; policies by seat, parts int64 [n, 2] of each hand and seat.

    `on_step` sees the hands and the slots int64 [n] that are about to be played in them.
    """
    batch = HoldemBatch(game, deals)
    while not batch.over.all():
        draws = rng.random(len(batch))
        slots = np.full(len(batch), NO_SLOT)
        for seat in range(2):
            acting = np.flatnonzero(batch.player == seat)
            for part in np.unique(parts[acting, seat]):
                rows = acting[parts[acting, seat] == part]
                slots[rows] = draw_slots(policies[seat].probabilities(batch.take(rows), int(part)), draws[rows])
        if on_step is not None:
            on_step(batch, slots)
        batch.act(slots)
    return batch.returns()


def exact_match(first: GameSolution, second: GameSolution, known: tuple[bool, bool] = BOTH) -> MatchResult:
    """What a solution of a small game wins from another of the same game, in thousandths of an ante."""
    game = first.game
    if second.game.fingerprint != game.fingerprint:
        raise InputError(f"the first is a solution of {game.name}, the second of {second.game.name}: use the same game")
    values, spreads = [], []
    for seat in range(2):
        own, other = (first, second) if seat == 0 else (second, first)
        split = game.sequence_start[1]
        strategy = np.concatenate([own.strategy[:split], other.strategy[split:]])
        value = assess(game, strategy).value  # to player 0
        values.append((value if seat == 0 else -value) * 1000 / game.ante)
        spreads.append(_spreads(game, strategy, known, seat))
    seats = tuple((f"player {seat + 1}", exact(values[seat])) for seat in range(2))
    wins = exact(float(np.mean(values)))
    raw, left = np.sqrt(np.mean(np.square(spreads), axis=0)) * 1000 / game.ante
    return MatchResult(wins, seats, "mA/g", 0, "exact", Adjusted(wins, 0, known, float(raw), float(left)))


def _spreads(game: CompiledGame, strategy: np.ndarray, known: tuple[bool, bool], seat: int) -> tuple[float, float]:
    """Standard deviation of a played game in chips, raw and adjusted, the first strategy in this seat."""
    reach = np.where(game.player == TERMINAL, history_values(game, strategy)[0], 0.0)
    seen = known if seat == 0 else (known[1], known[0])
    found = [game.payoff, small_aivat(game, strategy, seen)]
    raw, left = (float(np.sqrt(max(0.0, reach @ (x - reach @ x) ** 2))) for x in found)
    return raw, left
