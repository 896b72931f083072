"""Amounts of a view in other units: as the game counts, in big blinds, or as shares of the pot.

`InUnits(explorer)` is an explorer that gives its views so; lines and tokens stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import replace

from runout.cursors.view import ActionView, Explorer, HandsView, NodeView, StepView, Summary
from runout.errors import InputError

OWN, BLINDS, POT = "own", "bb", "pot"
UNITS = (OWN, BLINDS, POT)
_AMOUNT = re.compile(r"(.*?)(\d+(?:\.\d+)?)( bb)?$")


def in_units(view: NodeView, units: str) -> NodeView:
    """The view with pot, stacks, bets and EVs in big blinds or in % of its pot; as it is where that is not known."""
    if units not in UNITS:
        raise InputError(f"unknown units {units!r}: use {', '.join(UNITS)}")
    if units == OWN or (units == BLINDS and (view.unit == "bb" or not view.big_blind)) or not view.pot > 0:
        return view
    by, unit = (1 / (view.big_blind or 1), "bb") if units == BLINDS else (100 / view.pot, "% of pot")
    return replace(
        view,
        unit=unit,
        pot=view.pot * by,
        stacks=None if view.stacks is None else (view.stacks[0] * by, view.stacks[1] * by),
        to_call=view.to_call * by,
        put_in=(view.put_in[0] * by, view.put_in[1] * by),
        evs=None if view.evs is None else (view.evs[0] * by, view.evs[1] * by),
        actions=tuple(_action(action, by, units) for action in view.actions),
        hands=tuple(_hands(hands, by) for hands in view.hands),
        strip=tuple(_step(step, by if units == BLINDS else 100 / (step.pot or 1), by, units) for step in view.strip),
        accuracy=None if view.accuracy is None else view.accuracy * by,
        big_blind=None if view.big_blind is None else view.big_blind * by,
    )


def _action(action: ActionView, by: float, units: str) -> ActionView:
    said, name = _AMOUNT.match(action.name), action.name
    if said and units == POT:
        name = f"{said[1].removesuffix('to ')}{round(100 * action.size, 1):g}%"
    elif said:
        name = f"{said[1]}{float(said[2]) * by:.4g}"
    return replace(action, name=name, ev=None if action.ev is None else action.ev * by)


def _hands(hands: HandsView, by: float) -> HandsView:
    return replace(hands, ev=hands.ev * by, action_evs=hands.action_evs * by)


def _step(step: StepView, by: float, pot: float, units: str) -> StepView:
    """A step on the way: in shares, bets are of the pot at that step and its own pot is of the node's."""
    return replace(step, pot=step.pot * pot, actions=tuple(_action(action, by, units) for action in step.actions))


class InUnits:
    """A `view.Explorer` whose views are in the units chosen."""

    def __init__(self, explorer: Explorer, units: str = OWN) -> None:
        self.explorer, self.units = explorer, units

    @property
    def summary(self) -> Summary:
        return self.explorer.summary

    def at(self, line: str) -> NodeView:
        return in_units(self.explorer.at(line), self.units)

    def strip(self, line: str) -> tuple[StepView, ...]:
        return self.explorer.strip(line)

    def next(self) -> str:
        """Switch to the next units; their name."""
        self.units = UNITS[(UNITS.index(self.units) + 1) % len(UNITS)]
        return self.units
