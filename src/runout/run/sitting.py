"""A bot at a table of any stacks and blinds: it plays the blueprint whose stack is nearest.

What is done at the table is done again in the game of the blueprint, in its chips: a bet that is too large or too small
there becomes the nearest that is legal, and an all-in stays one. What the bot answers is taken back the same way.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from runout.cards.hands import combo
from runout.cursors.bots import load_bot
from runout.evaluation.aivat import Aivat
from runout.games.betting import ALL_IN, BET, CALL, CHECK, FOLD, RAISE, Action, BettingState, start
from runout.games.showdowns import shares
from runout.run.depths import nearest
from runout.run.table_grades import Grader
from runout.solvers.bot import Bot, BotSettings, next_state

MARGIN = 0.08  # of equity above the price: where the blueprint's game has ended and only a call is asked for


class Opponent:
    """The bot of one blueprint, with what is found about hands against it; for all tables."""

    def __init__(self, depth: float, bot: Bot) -> None:
        self.depth, self.bot = depth, bot  # bb of the blueprint

    @cached_property
    def grader(self) -> Grader:
        return Grader(self.depth, self.bot)

    @cached_property
    def luck(self) -> Aivat:
        """Knows neither player's strategy."""
        return Aivat(self.bot.game, (None, None), self.bot.policy)


class Sitting:
    """Bots by stack, loaded when they are first needed; for one table or many."""

    def __init__(self, blueprints: dict[float, Path], settings: BotSettings | None = None) -> None:
        nearest(blueprints, 1.0)  # refused where there is none
        self.blueprints, self.settings = blueprints, settings or BotSettings()
        self._opponents: dict[float, Opponent] = {}
        self._guard = threading.RLock()

    def at(self, stack: float) -> Opponent:
        """The bot of the blueprint whose stack is nearest to so many bb."""
        depth = nearest(self.blueprints, stack)
        with self._guard:
            if depth not in self._opponents:
                bot = load_bot(self.blueprints[depth], self.settings).policy
                assert isinstance(bot, Bot)
                self._opponents[depth] = Opponent(depth, bot)
            return self._opponents[depth]

    def decide(
        self, state: BettingState, board: Sequence[int], hole: Sequence[int], rng: np.random.Generator
    ) -> tuple[Action, str]:
        """What the bot does for the player to act, and how it came to that."""
        bot = self.at(state.rules.stack / state.rules.blinds[0]).bot
        with self._guard:  # a bot follows one hand at a time
            there = played_there(state, bot)
            if there.over or there.player != state.player or there.street != state.street:
                return _priced(state, board, hole, bot), "equity"
            answer = bot.answer(there, board)
            odds = np.maximum(answer.shares[:, combo(int(hole[0]), int(hole[1]))], 0.0)
            taken = answer.actions[int(rng.choice(len(odds), p=odds / odds.sum()))]
            return back(state, there, taken), answer.how


def played_there(state: BettingState, bot: Bot) -> BettingState:
    """What was played at a table, in the game of a bot; it may have ended there earlier."""
    rules = bot.game.rules
    scale = rules.blinds[0] / state.rules.blinds[0]
    at = start(rules)
    here = start(state.rules)
    for action in state.played:
        if at.over:
            break
        whole = action.kind == ALL_IN or action.amount == here.bets[here.player] + here.behind(here.player)
        at = next_state(at, _moved(at, action, scale, whole))
        here = next_state(here, action)
    return at


def _moved(at: BettingState, action: Action, scale: float, all_in: bool) -> Action:
    legal = at.legal()
    if action.kind == FOLD and legal.fold:
        return at.verify(Action(FOLD))
    if action.kind in (FOLD, CHECK, CALL) or not legal.largest:
        return at.verify(Action(CALL if legal.call else CHECK))
    if all_in and legal.largest <= 1.5 * action.amount * scale:
        return at.verify(Action(ALL_IN))
    total = min(max(round(action.amount * scale), legal.smallest), legal.largest)
    return at.verify(Action(RAISE if at.facing else BET, total))


def back(state: BettingState, there: BettingState, action: Action) -> Action:
    """An action of a bot's game as one of the table."""
    legal = state.legal()
    if action.kind == FOLD and legal.fold:
        return state.verify(Action(FOLD))
    if action.kind in (FOLD, CHECK, CALL) or not legal.largest:
        return state.verify(Action(CALL if legal.call else CHECK))
    if action.amount >= there.legal().largest:
        return state.verify(Action(ALL_IN))
    scale = state.rules.blinds[0] / there.rules.blinds[0]
    total = min(max(round(action.amount * scale), legal.smallest), legal.largest)
    return state.verify(Action(RAISE if state.facing else BET, total))


def _priced(state: BettingState, board: Sequence[int], hole: Sequence[int], bot: Bot) -> Action:
    """Check, or call with the equity against any hand that pays for it."""
    if not state.to_call:
        return state.verify(Action(CHECK))
    against = shares(hole, board, bot.game)
    equity = float(against.sum() / max(np.count_nonzero(against), 1))
    pays = equity >= state.to_call / (state.pot + state.to_call) + MARGIN
    return state.verify(Action(CALL if pays else FOLD))
