"""The right side: both ranges, the actions, and the selected hands one by one."""

from __future__ import annotations

import numpy as np
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

from runout.analysis.cells import Cells
from runout.analysis.explorers.parts import mix_note
from runout.analysis.node_reports import CategoryRow
from runout.analysis.view import FROM_START, HandsView, NodeView
from runout.app.matrix import Color, hex_color
from runout.app.tui.drawing import Palette, bar, hand_text, number, on, percent

_BAR = 10


class RangesPanel(Static):
    """Pot, stacks, and the EV, equity and EQR of both ranges."""

    def show(self, view: NodeView, shown: str | None, palette: Palette) -> None:
        """Draw a node; `shown` is the player whose hands are on screen."""
        text = Text(no_wrap=True, overflow="ellipsis")
        pot = "" if view.pot != view.pot else f"pot {number(view.pot)} {view.unit}"
        call = f"   {number(view.to_call)} to call" if view.to_call else ""
        text.append(f"{pot}{call}\n", style="bold")
        heads = ["EV", "equity", "EQR"] if view.equities else ["EV"] if view.evs else []
        text.append(f"{'':<10}" + "".join(f"{head:>8}" for head in heads) + "\n", style=palette.dim)
        for side, name in enumerate(view.players):
            mark = "▸" if name == shown else " "
            stack = f" {number(view.stacks[side])}" if view.stacks and not heads else ""
            text.append(f"{mark}{name.upper() if len(name) <= 3 else name:<9}"[:10].ljust(10), style="bold")
            text.append(stack)
            if view.evs:
                text.append(number(view.evs[side], 8))
            elif heads:
                text.append(f"{'–':>8}")
            if view.equities:
                text.append(percent(view.equities[side], 8, 1))
                text.append(percent(_realised(view, side), 8))
            text.append("\n")
        self.update(text)


def _realised(view: NodeView, side: int) -> float | None:
    if (
        view.evs is None
        or view.equities is None
        or not view.equities[side] * view.pot > 0
        or view.ev_from == FROM_START
    ):
        return None
    return view.evs[side] / (view.equities[side] * view.pot)


class ActionsPanel(Static):
    """What can be done, with its key, how often it is and what it is worth; a click plays it."""

    class Played(Message):
        """An action was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._count = 0

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y < self._count:
            self.post_message(self.Played(event.y))

    def show(self, view: NodeView, colors: list[Color], cells: Cells | None, cell: int, palette: Palette) -> None:
        """Draw the actions of a node; of the selected cell too, where it has a strategy."""
        self._count = len(view.actions)
        text = Text(no_wrap=True, overflow="ellipsis")
        own = cells is not None and len(cells.strategy) == len(view.actions)
        for place, (action, color) in enumerate(zip(view.actions, colors, strict=True)):
            text.append(f" {place + 1} ", style=on(color))
            text.append(f" {action.name:<12}"[:13], style="bold")
            text.append(percent(action.frequency, 6, 1 if action.frequency < 0.9995 else 0))
            text.append(number(action.ev, 8) if action.ev is not None else "", style=palette.dim)
            if own and cells is not None and place < len(cells.strategy):
                text.append(percent(float(cells.strategy[place, cell]), 6), style=hex_color(color))
            text.append("\n")
        if not view.actions:
            ending = f"the hand ends: {view.ending}" if view.ending else "cards come: pick them on the left"
            text.append(ending, style=palette.accent)
        self.update(text)


class HandsPanel(Static):
    """The selected class combo by combo, or the kinds of hands of the range."""

    def show_class(
        self, view: NodeView, hands: HandsView, cell: int, colors: list[Color], theme: str, palette: Palette
    ) -> None:
        """Draw the hands of one cell."""
        rows = np.flatnonzero(hands.cell == cell)
        text = Text(no_wrap=True, overflow="ellipsis")
        values = not np.isnan(hands.ev).all() or not np.isnan(hands.equity).all()
        if not len(rows):
            text.append("not in the range", style=palette.dim)
        elif values:
            text.append(f"{'':<{_BAR + 5}}{'EV':>7}{'equity':>8}{'EQR':>6}\n", style=palette.dim)
        for row in rows:
            text.append_text(hand_text(hands.names[row], palette)).append(" " * (5 - len(hands.names[row])))
            mix = hands.strategy[:, row]
            text.append_text(bar(mix, colors, _BAR, float(hands.weight[row]), theme, palette))
            if values:
                text.append(number(float(hands.ev[row]), 7) + percent(float(hands.equity[row]), 8, 1))
                text.append(percent(float(hands.eqr[row]), 6))
            elif len(mix):
                text.append("".join(percent(float(x), 6) for x in mix))
            if hands.categories and self.size.width > 50:
                kinds = [hands.categories[row], *([hands.draws[row]] if hands.draws[row] else [])]
                text.append("  " + ", ".join(kinds), style=palette.dim)
            text.append("\n")
        if len(rows) and (note := mix_note(hands, view.pot if view.pot == view.pot else 1.0, rows)):
            text.append(f"\n{note}", style=palette.accent)
        text.no_wrap = False
        self.update(text)

    def show_kinds(self, rows: list[CategoryRow], colors: list[Color], theme: str, palette: Palette) -> None:
        """Draw the range by kinds of hands."""
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{'':<15}{'share':>6}{'':<{_BAR + 1}}{'equity':>7}{'EV':>7}\n", style=palette.dim)
        for row in rows:
            text.append(f"{row.name:<15}"[:15], style="bold")
            text.append(percent(row.share, 6, 1) + " ")
            text.append_text(bar(np.array(row.frequencies), colors, _BAR, 1.0, theme, palette))
            text.append(percent(row.equity, 7) + number(row.ev, 7) + "\n")
        self.update(text)
