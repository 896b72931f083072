"""The ranges with which two players come to the flop of a played hand: `ranges_for` is the one place that chooses them.

From a solution that begins before the flop, a chart unless another is given: those of the line that is nearest to what
was played. At tables of more than two, or where none of its lines will do: built-in ones, rough shares of hands by how
often the pot was raised, and by whom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from runout.cards.cards import cards_text
from runout.cards.hands import combo
from runout.cards.ranges import Range
from runout.cursors.cursor import AnySolution, Node
from runout.cursors.preflop_solution import PreflopSolution, load_preflop
from runout.errors import InputError
from runout.games.betting import BET, CALL, CHECK, FLOP, FOLD, IP, OOP, PREFLOP, RAISE
from runout.games.lines import POSITIONS
from runout.games.points import BOARD_CARDS
from runout.hands.record import Move, PlayedHand
from runout.hands.replay import Replay
from runout.solvers.solved_leaf import shipped_charts

OFF_RANGE = 0.02  # the weight of a hand that was held and is in no range: it is graded and hardly changes anything


class SpotRanges(NamedTuple):
    """The ranges at the flop, and where they come from in a few words."""

    oop: Range
    ip: Range
    where: str


class Band(NamedTuple):
    """Hands by how good they are: the best `until` percent without most of the best `after`, which play otherwise."""

    after: float
    until: float
    kept: float = 0.15  # of the best ones

    def range(self) -> Range:
        weights = Range(f"{self.until:g}%").weights.copy()
        if self.after:
            weights -= (1 - self.kept) * Range(f"{self.after:g}%").weights
        return Range(np.clip(weights, 0.0, 1.0))

    def __str__(self) -> str:
        return f"best {self.until:g}%" + (f" but for most of the best {self.after:g}%" if self.after else "")


POTS = ("limped pot", "single-raised pot", "3-bet pot", "4-bet pot")
# By raises before the flop: who raised last, who called. In a limped pot: the first and the last to act.
HEADS_UP = (
    (Band(20, 95), Band(15, 100)),
    (Band(0, 80), Band(12, 70)),
    (Band(0, 20), Band(5, 40)),
    (Band(0, 6), Band(2, 16, 0.5)),
)
MORE_PLAYERS = (
    (Band(15, 70), Band(15, 90)),
    (Band(0, 28), Band(6, 32)),
    (Band(0, 9), Band(3, 15)),
    (Band(0, 4), Band(2, 9, 0.5)),
)


def ranges_for(hand: PlayedHand, again: Replay, sources: Sequence[AnySolution] = ()) -> SpotRanges:
    """The ranges at the flop of a hand that is heads-up there; known hands are in them, if only just."""
    if again.heads_up is None:
        raise InputError(f"{hand.where}: not heads-up at the flop")
    why = ""
    found = None
    if sources and hand.players == 2:
        try:
            found = _from_solution(nearest_source(sources, hand), hand)
        except InputError as error:
            why = f"; {error}"
    elif sources:
        why = "; solutions of two players say nothing of larger tables"
    found = found or _built_in(hand, again, why)
    seats = again.heads_up.seats
    oop, ip = (_with_hand(one, hand.seats[seat].cards) for one, seat in zip(found[:2], seats, strict=True))
    return SpotRanges(oop, ip, found.where)


@lru_cache(maxsize=1)
def chart_sources() -> tuple[AnySolution, ...]:
    """The charts that come with Runout."""
    return tuple(load_preflop(path) for path in shipped_charts().values())


def nearest_source(sources: Sequence[AnySolution], hand: PlayedHand) -> AnySolution:
    """The solution whose stacks are nearest to those of a hand."""
    return min(sources, key=lambda one: abs(math.log(_depth(one) / depth(hand))))


def depth(hand: PlayedHand) -> float:
    """The shorter stack, in big blinds."""
    return max(hand.big_blinds(min(seat.stack for seat in hand.seats)), 1e-3)


def require_source(solution: AnySolution, name: str) -> None:
    """Refuse a solution that has no hands before the flop."""
    root = solution.root
    if root.players != POSITIONS or root.street != "preflop":
        raise InputError(f"{name} has nothing before the flop: use a preflop solution or a trained strategy")


def _depth(solution: AnySolution) -> float:
    """The stack of a solution's game, in big blinds."""
    view = solution.root.view
    return max(behind + put_in for behind, put_in in zip(view.stacks or (100.0, 100.0), view.put_in, strict=True))


def _with_hand(found: Range, cards: tuple[int, ...]) -> Range:
    if len(cards) != 2:
        return found
    weights = found.weights.copy()
    held = combo(*cards)
    weights[held] = max(weights[held], OFF_RANGE)
    return Range(weights)


def in_range(found: Range, cards: tuple[int, ...]) -> bool:
    """Whether a hand is there by more than its being held."""
    return float(found.weights[combo(*cards)]) > OFF_RANGE


# From a solution


class Step(NamedTuple):
    """A move before the flop at the node of a solution where it is looked up."""

    move: Move
    node: Node
    taken: int  # number of the action that is nearest


def nearest_steps(solution: AnySolution, hand: PlayedHand) -> tuple[list[Step], Node]:
    """What was played before the flop as a line of a solution, step by step, and the node after it."""
    node, steps = solution.root, []
    for move in hand.moves:
        if move.street != PREFLOP:
            break
        taken = _nearest(node, move, hand)
        steps.append(Step(move, node, taken))
        node = node.play(node.actions[taken])
    return steps, node


def _nearest(node: Node, move: Move, hand: PlayedHand) -> int:
    """The number of the action that a move is nearest to."""
    names = node.actions
    if move.kind in (FOLD, CHECK, CALL):
        word = {FOLD: "fold", CHECK: "check", CALL: "call"}[move.kind]
        if word in names:
            return names.index(word)
        raise InputError(f"no {word} in the solution after {node.line or 'the start'!r}")
    total, stack = hand.big_blinds(move.amount), hand.big_blinds(min(seat.stack for seat in hand.seats))
    larger = {number: float(name.split()[-1]) for number, name in enumerate(names) if name[0] in "bra"}
    if not larger:
        raise InputError(f"no raise in the solution after {node.line or 'the start'!r}")
    if total >= stack * 0.999:
        return max(larger, key=larger.__getitem__)
    return min(larger, key=lambda number: abs(math.log(larger[number] / max(total, 1e-6))))


def _from_solution(source: AnySolution, hand: PlayedHand) -> SpotRanges:
    _, node = nearest_steps(source, hand)
    ranges = node.spot(cards_text(hand.board[: BOARD_CARDS[FLOP]])).ranges
    name = source.path.name if source.path is not None else source.title
    if isinstance(source, PreflopSolution) and source.is_chart:
        name = f"chart of {_depth(source):g} bb"
    deep = f", {_depth(source):g} bb deep" if abs(_depth(source) / depth(hand) - 1) > 0.1 else ""
    return SpotRanges(Range(ranges.oop), Range(ranges.ip), f"{name} at {node.line}{deep}")


# Built in


def _built_in(hand: PlayedHand, again: Replay, why: str) -> SpotRanges:
    assert again.heads_up is not None
    seats = again.heads_up.seats
    raises = [move.seat for move in hand.moves if move.street == PREFLOP and move.kind in (BET, RAISE)]
    pot = min(len(raises), len(POTS) - 1)
    active, passive = (HEADS_UP if hand.players == 2 else MORE_PLAYERS)[pot]
    raiser = seats.index(raises[-1]) if raises and raises[-1] in seats else IP if hand.players == 2 else OOP
    bands = (active, passive) if raiser == OOP else (passive, active)
    table = "heads-up" if hand.players == 2 else "more players"
    words = ("limper", "other") if not raises else ("raiser", "caller")
    says = f"built-in, rough: {table}, {POTS[pot]}: {words[0]} {active}, {words[1]} {passive}{why}"
    return SpotRanges(bands[OOP].range(), bands[IP].range(), says)
