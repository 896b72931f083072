"""The slow, obvious twin of the range solver: betting states, real cards and one pair of hands at a time, in float64.

Nothing is shared with the solver but the rules of betting: no betting tree, no tables of boards, no classes of suits.
`walk` gives what each hand of a player gains over half of the starting pot, summed over the weights of the opponent's
hands: what a hand does at its own decisions is a function of the caller's, so that an expected value (mix), a best
response (max, over information sets and not over deals) and CFR (mix and learn) are the same walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from reference.showdown import value
from runout.cards.cards import card_name
from runout.cards.hands import COMBO_CARDS
from runout.cards.ranges import Range
from runout.games.betting import BETTING, FOLDED, PREFLOP, STREET_OVER, Action, BettingState, Rules, start
from runout.games.lines import IN_CHIPS, Wording, in_big_blinds
from runout.games.spot import Rake, Spot
from runout.solvers.schedules import Schedule

Board = tuple[int, ...]
Reach = dict[int, float]  # by combo
Policy = Callable[[str, Board, int, int], Sequence[float]]  # line, board, combo, actions -> probability of each action
Decide = Callable[[str, Board, int, list[float], float], float]  # line, board, combo, action values, own reach -> value


@lru_cache(maxsize=1 << 18)
def _strength(cards: frozenset[int]) -> tuple[int, ...]:
    return value(cards)


@lru_cache(maxsize=1 << 18)
def _winner(board: frozenset[int], first: int, second: int) -> int:
    """1 where the combo `first` wins, -1 where it loses, 0 for a tie."""
    a, b = (_strength(board | frozenset(_cards(combo))) for combo in (first, second))
    return (a > b) - (a < b)


@cache
def _cards(combo: int) -> tuple[int, int]:
    return int(COMBO_CARDS[combo][0]), int(COMBO_CARDS[combo][1])


def meet(first: int, second: int) -> bool:
    """Whether two combos can be dealt together."""
    return not set(_cards(first)) & set(_cards(second))


IN_BLINDS = in_big_blinds(1)


@dataclass(frozen=True)
class WholeHand:
    """A game from the blinds on, with as much of a `Spot` as the twin asks for."""

    betting_rules: Rules
    menu: Callable[[BettingState], list[Action]]
    weights: np.ndarray  # float64 [2, 1326]
    deck: tuple[int, ...]
    deals: tuple[int, ...] = (3, 1, 1)  # cards that come before the second street and later ones
    rake: Any = field(default_factory=lambda: Rake.model_validate({}))
    pot: int = 0
    cards: tuple[int, ...] = ()
    wording: Wording = IN_BLINDS

    def rules(self) -> Rules:
        return self.betting_rules

    def range(self, player: int) -> Range:
        return Range(self.weights[player])


class Postflop:
    """A spot, or a whole hand, that is walked with cards in hand."""

    def __init__(self, spot: Spot | WholeHand) -> None:
        self.spot = spot
        self.met: dict[tuple[Action, ...], list[tuple[str, str, BettingState]]] = {}
        weights = [spot.range(player).weights for player in range(2)]
        self.ranges: list[Reach] = [{int(c): float(side[c]) for c in side.nonzero()[0]} for side in weights]

    def deals(self) -> float:
        """Weight of all pairs of hands that can be dealt together."""
        first, second = self.ranges
        return sum(w * v for i, w in first.items() for j, v in second.items() if meet(i, j))

    def walk(self, player: int, policy: Policy, decide: Decide) -> Reach:
        """Root values of every hand of `player` when the opponent plays a policy; his own reach is by it too."""
        walk = _Walk(self.spot, player, policy, decide, self.met)
        board, mine = tuple(self.spot.cards), self.ranges[player]
        return walk.betting(start(self.spot.rules()), board, "", "", mine, self.ranges[1 - player])

    def hand_values(self, player: int, policies: Sequence[Policy]) -> Reach:
        """Root values of every hand of `player` when both play their policies."""

        def mix(line: str, board: Board, hand: int, values: list[float], own: float) -> float:
            chances = policies[player](line, board, hand, len(values))
            return sum(p * v for p, v in zip(chances, values, strict=True))

        return self.walk(player, policies[1 - player], mix)

    def best_values(self, player: int, policies: Sequence[Policy]) -> Reach:
        """Root values of every hand of `player` who does best against the other one's policy."""
        return self.walk(player, policies[1 - player], lambda line, board, hand, values, own: max(values))

    def mean(self, player: int, values: Reach) -> float:
        """Values of hands as chips a deal."""
        return sum(self.ranges[player][hand] * v for hand, v in values.items()) / self.deals()

    def exploitability(self, policies: Sequence[Policy]) -> float:
        """Mean over both players of (best response - own strategy), in chips a deal."""
        gains = 0.0
        for player in range(2):
            gains += self.mean(player, self.best_values(player, policies))
            gains -= self.mean(player, self.hand_values(player, policies))
        return gains / 2


@dataclass(frozen=True)
class _Walk:
    spot: Spot | WholeHand
    player: int
    policy: Policy
    decide: Decide
    met: dict[tuple[Action, ...], list[tuple[str, str, BettingState]]]

    def betting(self, state: BettingState, board: Board, line: str, joint: str, mine: Reach, theirs: Reach) -> Reach:
        """Values of `mine` from a state on; `line` is its address, `joint` what comes before the next action."""
        if state.status == STREET_OVER:
            return self.chance(state.next_street(), board, line, mine, theirs)
        if state.status != BETTING:
            return {hand: self.terminal(state, board, hand, theirs) for hand in mine}
        actions = self.actions(state)
        own = state.player == self.player
        acting = mine if own else theirs
        chances = {hand: self.policy(line, board, hand, len(actions)) for hand in acting}
        after = []
        for index, (word, between, later) in enumerate(actions):
            left = {hand: reach * chances[hand][index] for hand, reach in acting.items()}
            sides = (left, theirs) if own else (mine, left)
            after.append(self.betting(later, board, line + joint + word, between, *sides))
        if not own:
            return {hand: sum(values[hand] for values in after) for hand in mine}
        return {hand: self.decide(line, board, hand, [values[hand] for values in after], mine[hand]) for hand in mine}

    def actions(self, state: BettingState) -> list[tuple[str, str, BettingState]]:
        """What can be done: its word, what stands between it and the next word, and the state after it."""
        if state.played not in self.met:  # the same betting comes on every board
            wording = getattr(self.spot, "wording", IN_CHIPS)
            between = " " if wording.preflop and state.street == PREFLOP else "-"
            self.met[state.played] = [
                (wording.token(action, state.street, state.player), between, state.act(action))
                for action in self.spot.menu(state)
            ]
        return self.met[state.played]

    def chance(self, state: BettingState, board: Board, line: str, mine: Reach, theirs: Reach) -> Reach:
        """All cards that can come; a pair of hands takes four of those that are left."""
        total = dict.fromkeys(mine, 0.0)
        left = [card for card in self._deck if card not in board]
        deals = getattr(self.spot, "deals", (1,) * 4)
        size = deals[state.street - state.rules.first_street - 1]
        for dealt in combinations(left, size):
            sides = [{h: r for h, r in side.items() if not set(dealt) & set(_cards(h))} for side in (mine, theirs)]
            names = " ".join(card_name(card) for card in dealt)
            values = self.betting(state, (*board, *dealt), f"{line}|{names}", "|", *sides)
            for hand, v in values.items():
                total[hand] += v / comb(len(left) - 4, size)
        return total

    @property
    def _deck(self) -> tuple[int, ...]:
        return getattr(self.spot, "deck", tuple(range(52)))

    def terminal(self, state: BettingState, board: Board, hand: int, theirs: Reach) -> float:
        pot = self.spot.pot + 2 * min(state.spent)  # an uncalled bet goes back
        lost = -pot / 2
        won = pot - self.spot.rake.of(pot) + lost
        total = 0.0
        for other, reach in theirs.items():
            if not reach or not meet(hand, other):
                continue
            if state.status == FOLDED:
                total += reach * (lost if state.folder == self.player else won)
            else:
                wins, ties, losses = results(board, hand, other, self._deck)
                total += reach * (wins * won + ties * (won + lost) / 2 + losses * lost)
        return total


@lru_cache(maxsize=1 << 18)
def results(
    board: Board, hand: int, other: int, deck: tuple[int, ...] = tuple(range(52))
) -> tuple[float, float, float]:
    """Shares of wins, ties and losses of a combo against another over all run-outs."""
    taken = {*board, *_cards(hand), *_cards(other)}
    left = [card for card in deck if card not in taken]
    missing = 5 - len(board)
    found = [_winner(frozenset(board + more), hand, other) for more in combinations(left, missing)]
    wins, ties, losses = (found.count(result) / comb(len(left), missing) for result in (1, 0, -1))
    return wins, ties, losses


class SlowCFR:
    """CFR with alternating updates by the book, a dictionary entry for each information set.

    An average weighs each iteration's strategy by the reach of the player himself.
    """

    def __init__(self, game: Postflop, schedule: Schedule) -> None:
        self.game, self.schedule, self.iteration = game, schedule, 0
        self.regrets: dict[tuple[str, int], list[float]] = {}
        self.averages: dict[tuple[str, int], list[float]] = {}

    def step(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iteration += 1
            for player in range(2):
                self.game.walk(player, self.current, self._learn)

    def current(self, line: str, board: Board, hand: int, actions: int) -> list[float]:
        return _matched(self.regrets.get((line, hand), [0.0] * actions))

    def average(self, line: str, board: Board, hand: int, actions: int) -> list[float]:
        return _matched(self.averages.get((line, hand), [0.0] * actions))

    def _learn(self, line: str, board: Board, hand: int, values: list[float], own: float) -> float:
        weights = self.schedule.at(self.iteration)
        none = [0.0] * len(values)
        strategy = self.current(line, board, hand, len(values))
        value = sum(p * v for p, v in zip(strategy, values, strict=True))
        before, average = self.regrets.get((line, hand), none), self.averages.get((line, hand), none)
        self.regrets[line, hand] = [
            regret * (weights.positive if regret > 0 else weights.negative) + v - value
            for regret, v in zip(before, values, strict=True)
        ]
        every = self.schedule.every
        if self.iteration == 1 or self.iteration % every == 0:
            # Every n-th iteration t counts t^gamma, and so does the first.
            kept = weights.average
            if every > 1:
                kept = (max(self.iteration - every, 1) / self.iteration) ** self.schedule.values[2]
                kept = kept if self.iteration > 1 else 0.0
            self.averages[line, hand] = [a * kept + own * p for a, p in zip(average, strategy, strict=True)]
        return value


def _matched(numbers: list[float]) -> list[float]:
    """What is positive, in proportion; even where nothing is."""
    above = [max(x, 0.0) for x in numbers]
    total = sum(above)
    return [x / total for x in above] if total > 0 else [1 / len(above)] * len(above)
