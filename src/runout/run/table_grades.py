"""Grades of your decisions at the table: what each lost beside the best action, in big blinds.

Where the values come from is said with each grade:

* before the flop, the chart whose stack is near the table's;
* on the flop, the blueprint played by both from there on, over every turn and river;
* on turn and river, the rest of the hand solved anew at the table's stacks and bets, with the ranges that got there.

Where none of them can be believed, because stacks or sizes are too far off, there is no grade.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import numpy as np

from runout.cards.cards import card_name
from runout.cards.hands import combo
from runout.cursors.preflop_solution import load_preflop
from runout.cursors.view import NodeView, extended, hands_of
from runout.errors import InputError
from runout.evaluation.decision_values import TOO_FAR, FlopValues, Worth, followed, solved_values
from runout.explorers.parts import size_share
from runout.explorers.practice import grade_of, row_of
from runout.explorers.preflop import PreflopExplorer
from runout.games.betting import FLOP, PREFLOP, RIVER, STREET_NAMES, TURN, Action, BettingState, start
from runout.games.points import BOARD_CARDS
from runout.run.depths import nearest
from runout.run.table_hand import BLIND, TableHand, action_words
from runout.run.table_view import BLUEPRINT, CHART, SOLVED, TableGrade
from runout.solvers.bot import Bot, next_state
from runout.solvers.solved_leaf import shipped_charts
from runout.solvers.subgames import BlueprintKnown

NEAR = 1.3  # stacks whose ratio is larger have nothing to say about each other before the turn
_SAME, _ALIKE = 0.06, 1.05  # sizes (a logarithm) and stacks (a ratio) that are taken as equal


class Grader:
    """Grades hands that were played against the bot of one blueprint."""

    def __init__(self, depth: float, bot: Bot) -> None:
        self.depth, self.game = depth, bot.game
        self._known, self._flops = BlueprintKnown(bot.policy), FlopValues(bot.policy)
        self._guard = threading.Lock()

    def grade(self, hand: TableHand) -> tuple[TableGrade, ...]:
        """Of all decisions that can be graded, in their order; takes seconds where a hand saw a flop."""
        with self._guard:  # one at a time: flops are swept in the same memory
            return self._grade(hand)

    def _grade(self, hand: TableHand) -> tuple[TableGrade, ...]:
        stack = hand.state.rules.stack / BLIND
        found = _by_chart(hand, stack)
        steps = followed(self._known, self.game, hand.state, hand.cards)
        flop = [step for step in steps if step.here.street <= FLOP]
        if _ratio(stack, self.depth) <= NEAR and all(step.off <= TOO_FAR for step in flop):
            alike = _ratio(stack, self.depth) <= _ALIKE
            worths = self._flops.worths(flop, hand.cards, hand.seat)
            found += [_graded(hand, worth, BLUEPRINT, self.game.big_blind, alike) for worth in worths]
        for street in (TURN, RIVER):
            part = [step for step in steps if step.here.street == street]
            if any(step.here.player == hand.seat for step in part):
                worths = solved_values(self.game, part, hand.cards, hand.seat)
                found += [_graded(hand, worth, SOLVED, BLIND, True) for worth in worths]
        return tuple(found)


def _graded(hand: TableHand, worth: Worth, how: str, blind: float, alike: bool) -> TableGrade:
    best, step = int(worth.values.argmax()), worth.step
    lost = max(0.0, float(worth.values[best] - worth.values[worth.taken])) / blind
    words = action_words(worth.state, worth.actions[best])
    return _of(hand, step.here, step.action, words, lost, alike and worth.off < _SAME, how)


def _ratio(one: float, other: float) -> float:
    return max(one / other, other / one)


def _of(
    hand: TableHand,
    here: BettingState,
    action: Action,
    best: str,
    lost: float,
    exact: bool,
    how: str,
    accuracy: float | None = None,
) -> TableGrade:
    board = tuple(card_name(c) for c in hand.cards[4 : 4 + BOARD_CARDS[here.street]])
    words, grade = action_words(here, action), grade_of(lost, here.pot / BLIND, accuracy)
    return TableGrade(STREET_NAMES[here.street], board, words, best, lost, grade, exact, how)


@lru_cache(4)
def _chart(stack: float) -> tuple[float, PreflopExplorer] | None:
    """The chart with the nearest stack, and which one that is; None where none is near."""
    charts = shipped_charts()
    depth = nearest(charts, stack)
    return (depth, PreflopExplorer(load_preflop(charts[depth]))) if _ratio(depth, stack) <= NEAR else None


def _by_chart(hand: TableHand, stack: float) -> list[TableGrade]:
    """Your decisions before the flop, as far as the chart has the line."""
    found, named = list[TableGrade](), _chart(stack)
    if named is None:
        return found
    depth, chart = named
    view, here, alike = chart.at(""), start(hand.state.rules), _ratio(depth, stack) <= _ALIKE
    for action in hand.state.played:
        if here.street != PREFLOP or not view.actions:
            break
        number, off = _on_chart(here, action, view)
        if number is None or off > TOO_FAR:
            break
        if here.player == hand.seat:
            values = _chart_values(view, combo(*hand.cards[2 * hand.seat : 2 * hand.seat + 2]))
            if values is not None:
                best = int(values.argmax())
                lost = float(values[best] - values[number])
                name = view.actions[best].name
                name = f"call {here.to_call / BLIND:g}" if name == "call" else name
                found.append(_of(hand, here, action, name, lost, alike and off < _SAME, CHART, view.accuracy))
        view, here = chart.at(extended(view, view.actions[number].token)), next_state(here, action)
    return found


def _on_chart(here: BettingState, action: Action, view: NodeView) -> tuple[int | None, float]:
    """The number of the action of a chart that is nearest to one at the table, and how far off it is."""
    kind = action_words(here, action).split()[0]
    sizes = {number: one.size for number, one in enumerate(view.actions) if one.size > 0}
    if kind in ("fold", "check", "call") or any(view.actions[number].kind == kind == "all-in" for number in sizes):
        same = [number for number, one in enumerate(view.actions) if one.kind == kind]
        return (same[0], 0.0) if same else (None, np.inf)
    if not sizes:
        return None, np.inf
    wanted = size_share(here, action)
    number = min(sizes, key=lambda one: abs(np.log(sizes[one] / wanted)))
    return number, float(abs(np.log(sizes[number] / wanted)))


def _chart_values(view: NodeView, held: int) -> np.ndarray | None:
    """float64 [actions] in bb; None where the chart knows none."""
    hands = hands_of(view, str(view.player))
    try:
        row = row_of(view, hands, held)
    except InputError:
        return None
    if len(hands.action_evs) != len(view.actions):
        return None
    values = np.asarray(hands.action_evs, np.float64)[:, row]
    return values if np.isfinite(values).all() else None
