"""A bot against its own blueprint, range against range: only boards and public actions are drawn.

Up to the street from which on it solves anew a bot plays its blueprint, so nothing is won there and nothing has to be
measured. A hand is dealt and played up to that street; there

1. what the bot's whole range wins from the blueprint's whole range in the subgame, less what the blueprint would have
   won in its place, is exact: two sweeps of the range engine, every hand, every line and every board to come;
2. in the mode `turn` the river is solved again: the hand is played on, the bot by its turn solution, and on the river
   that comes the same difference, of the new solution and of the turn's, is added.

The mean over all hands, those that end before included, is what the bot wins a hand. Seats are both played.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.cards.hands import COMBO_CARDS, combo
from runout.errors import InputError
from runout.evaluation.intervals import Estimate, estimate
from runout.evaluation.match import OnDone
from runout.games.betting import start
from runout.games.deals import draw_deals
from runout.games.points import BOARD_CARDS
from runout.kernels.lines import AVERAGE
from runout.solvers.bot import MODES, Bot, BotSettings, next_state
from runout.solvers.range_values import range_value
from runout.solvers.ranges import RangeSolver
from runout.solvers.subgames import SCHEDULE, Subgame, play_as


@dataclass(frozen=True)
class RangeMatch:
    """What a bot wins from its blueprint, in mbb/hand."""

    wins: Estimate
    by_seat: tuple[Estimate, Estimate]
    hands: int  # dealt
    subgames: int  # of them, in both seats, in which something was solved anew


def against_blueprint(bot: Bot, hands: int, seed: int = 0, on_done: OnDone | None = None) -> RangeMatch:
    """Deal so many hands, each played with the bot in either seat."""
    if hands < 2:
        raise InputError(f"hands = {hands}: use 2 or more")
    if not bot.with_all_bets:
        raise InputError(f"tree = {bot.settings.tree}: what is won range against range is known with tree = game alone")
    game, other = bot.game, Bot(bot.policy, BotSettings(mode="blueprint"))
    deals = draw_deals(game, hands, np.array([seed], np.uint64))
    won, solved = np.zeros((hands, 2)), 0
    for number, cards in enumerate(deals):
        for seat in range(2):
            rng = np.random.default_rng([seed, number])  # the same draws in both seats
            played = _Hand(bot, other, cards, seat, rng)
            won[number, seat] = played.gain() * 1000 / game.big_blind
            solved += played.solved
        if on_done is not None:
            on_done(number + 1, hands)
    return RangeMatch(estimate(won.mean(axis=1)), (estimate(won[:, 0]), estimate(won[:, 1])), hands, solved)


class _Hand:
    """One hand, with the bot in a seat."""

    def __init__(self, bot: Bot, other: Bot, cards: np.ndarray, seat: int, rng: np.random.Generator) -> None:
        self.bot, self.other, self.seat, self.rng = bot, other, seat, rng
        self.held = combo(int(cards[0]), int(cards[1])), combo(int(cards[2]), int(cards[3]))
        self.cards = tuple(int(card) for card in cards[4:])
        self.state = start(bot.game.rules)
        self.ranges = bot.game.weights.copy()
        self.solved = 0

    def gain(self) -> float:
        """Chips that the bot wins more than the blueprint would, in expectation given what was drawn."""
        total, first = 0.0, MODES[self.bot.settings.mode]
        while not self.state.over:
            if self.state.street >= first and self.state.acted == 0:
                total += self._difference()
                if self.state.street == self.bot.game.rules.last_street:
                    break
            self._act()
        return total

    @property
    def board(self) -> tuple[int, ...]:
        return self.cards[: BOARD_CARDS[self.state.street]]

    def _act(self) -> None:
        player = self.state.player
        answer = (self.bot if player == self.seat else self.other).answer(self.state, self.board)
        shares = answer.shares[:, self.held[player]]
        number = int(np.searchsorted(np.cumsum(shares), self.rng.random() * shares.sum(), side="right"))
        number = min(number, len(shares) - 1)
        self.ranges[player] = self.ranges[player] * answer.shares[number]
        self.state = next_state(self.state, answer.actions[number])
        self.ranges *= ~np.isin(COMBO_CARDS, self.board).any(axis=1)

    def _difference(self) -> float:
        """What the subgame that begins here is worth more to the bot by what was solved anew just now."""
        here = self.bot.followed(self.seat, self.state, self.board)
        before = self.bot.followed(self.seat, self.state, self.board, anew=False)
        if here.known is before.known:
            return 0.0
        self.solved += 1
        subgame = Subgame(self.bot.game, self.state, self.board, self.ranges, self.seat)
        solver = RangeSolver(subgame.range_game(subgame.tree(), self.ranges), SCHEDULE, 1)
        theirs = self.other.followed(1 - self.seat, self.state, self.board)
        values = []
        for at in (theirs, here, before):
            assert at.place is not None
            play_as(solver, at.known, at.place, 1 - self.seat if at is theirs else self.seat)
            values.append(range_value(solver, self.seat, AVERAGE))
        return values[1] - values[2]
