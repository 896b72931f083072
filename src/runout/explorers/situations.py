"""The situations of a game before the flop that players have names for: who opens, who faces a 3-bet, which pot it is.

`situations(explorer)` follows the most common raise of every decision, so that a tree of any number of sizes has a
dozen situations: decisions in the order of the raises before them, and the called pots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from runout.cursors.view import DECISION, PREFLOP, ActionView, Explorer, StepView, extended
from runout.errors import InputError

FLOP = "flop"  # what ends a called pot
_RAISES = ("raise", "bet", "all-in")
_FACED = ("", "raise", "3-bet", "4-bet", "5-bet", "6-bet")
_LIMPED = " (limped)"
_POTS = ("limped pot", "single-raised pot", "3-bet pot", "4-bet pot", "5-bet pot")


@dataclass(frozen=True, slots=True)
class Situation:
    """A line of a chart under the name that players give it."""

    line: str
    name: str  # "SB vs 3-bet", "single-raised pot", "3-bet pot (limped)"
    kind: str  # "decision", or "flop" where the pot is called and the flop comes
    pot: float  # bb
    share: float  # how often it comes to this, 0 to 1


def situations(explorer: Explorer) -> list[Situation]:
    """Decisions first, fewest raises first; then called pots. An InputError where a game does not begin preflop."""
    root = explorer.strip("")[-1]
    if root.street != PREFLOP or root.kind != DECISION:
        raise InputError(f"{explorer.summary.title} does not begin before the flop: there are no situations to list")
    found = sorted(_walk(explorer, root, 0, False, 1.0), key=lambda pair: pair[0])
    named = [one for _, one in found]
    return [one for one in named if one.kind == DECISION] + [one for one in named if one.kind == FLOP]


def _walk(
    explorer: Explorer, step: StepView, raises: int, limped: bool, share: float
) -> Iterator[tuple[tuple[int, bool], Situation]]:
    """Situations from a decision on, each with what it is sorted by."""
    yield (raises, limped), Situation(step.line, _decision(step, raises, limped), DECISION, step.pot, share)
    best = max((one for one in step.actions if one.kind in _RAISES), key=_often, default=None)
    for action in step.actions:
        part = share * _often(action)
        after = explorer.strip(extended(step, action.token))[-1]
        if action.kind == "fold" or (action.kind in _RAISES and action is not best):
            continue
        first = step.line == "" and action.kind == "call"
        if after.kind == DECISION and after.street == PREFLOP:
            more = action.kind in _RAISES
            yield from _walk(explorer, after, raises + more, limped or first, part)
        elif after.ending == FLOP or after.kind == "chance":
            name = _POTS[min(raises, len(_POTS) - 1)]
            name += _LIMPED if limped and raises else ""
            yield (raises, limped), Situation(after.line, name, FLOP, after.pot, part)


def _decision(step: StepView, raises: int, limped: bool) -> str:
    player = step.player or ""
    if not step.line:
        return f"{player} first in"
    if not raises:
        return f"{player} vs limp"
    if limped and raises == 1:
        return f"{player} limp vs raise"
    faced = "all-in" if all(one.kind not in _RAISES for one in step.actions) else _FACED[min(raises, len(_FACED) - 1)]
    return f"{player} vs {faced}{_LIMPED if limped else ''}"


def _often(action: ActionView) -> float:
    return action.frequency if action.frequency == action.frequency else 0.0  # NaN: nobody comes here
