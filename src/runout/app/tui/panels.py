"""The right side: both ranges, the actions, and the selected hands one by one."""

from __future__ import annotations

import numpy as np
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

from runout.app.matrix import plain_keys
from runout.app.tui.drawing import Palette, bar, hand_text, on
from runout.app.words import amount, bets_in_all, number, percent, title
from runout.cards.categories import worth_saying
from runout.cursors.cells import Cells
from runout.cursors.colors import Color, hex_color
from runout.cursors.view import CHANCE, HandsView, NodeView, realised
from runout.explorers.node_reports import CategoryRow

_ROOMY = 40  # columns from which on there is room for more


class RangesPanel(Static):
    """Pot, stacks, and the EV, equity and EQR of both ranges."""

    def show(self, view: NodeView, shown: str | None, palette: Palette) -> None:
        """Draw a node; `shown` is the player whose hands are on screen."""
        text = Text()
        pot = "" if view.pot != view.pot else f"pot {amount(view.pot)} {view.unit}"
        call = f"  {amount(view.to_call)} to call" if view.to_call else ""
        text.append(f"{pot}{call}\n", style="bold")
        wide = max(6, *(len(name) + 2 for name in view.players))
        heads = f"{'EV':>6}" + (f"{'equity':>7}{'EQR':>5}" if view.equities else "")
        stacks = f"{'stack':>8}" if view.stacks and self.size.width >= _ROOMY else ""
        text.append(f"{'':<{wide}}{heads}{stacks}\n", style=palette.dim)
        for side, name in enumerate(view.players):
            mark = "▸" if name == shown else " "
            text.append(f"{mark}{title(name):<{wide - 1}}", style="bold")
            text.append(number(view.evs[side] if view.evs else None, 6))
            if view.equities:
                text.append(percent(view.equities[side], 7, 1))
                text.append(percent(realised(view, name), 5))
            text.append(amount(view.stacks[side], 8) if view.stacks and stacks else "", style=palette.dim)
            text.append("\n")
        self.update(text)


class ActionsPanel(Static):
    """What can be done, with its key, how often it is and what it is worth; a click plays it."""

    class Played(Message):
        """An action was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._count, self._first = 0, 0

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y - self._first < self._count:
            self.post_message(self.Played(event.y - self._first))

    def show(self, view: NodeView, colors: list[Color], cells: Cells | None, cell: int, palette: Palette) -> None:
        """Draw the actions of a node; of the selected cell too, where it has a strategy and there is room."""
        self._count = len(view.actions)
        text, roomy = Text(), self.size.width >= _ROOMY
        own = roomy and bool(view.actions) and cells is not None and len(cells.strategy) == len(view.actions)
        worth = any(action.ev is not None for action in view.actions)
        more = own and worth and self.size.width >= 48
        wide = 13 if roomy else 10
        if own and cells is not None:
            heads = f"{'range':>7}" + (f"{'EV':>8}" if worth else "")
            heads += f"{cells.names[cell][:7]:>8}" + (f"{'EV':>7}" if more else "")
            text.append(f"{'':<{wide + 4}}{heads}\n", style=palette.dim)
        self._first = int(own)
        for place, (action, color) in enumerate(zip(view.actions, colors, strict=True)):
            text.append(f"{place + 1:>2} " if roomy else f"{place + 1:<2}", style=on(color))
            name = action.name if roomy else action.name.replace("raise to", "raise")
            text.append(f" {name:<{wide}}"[: wide + 1], style="bold")
            text.append(percent(action.frequency, 7 if roomy else 5, 1 if roomy else 0))
            text.append(number(action.ev, 8 if roomy else 6) if worth else "", style=palette.dim)
            if own and cells is not None:
                text.append(percent(float(cells.strategy[place, cell]), 8))
            if more and cells is not None and len(cells.action_evs):
                text.append(number(float(cells.action_evs[place, cell]), 7), style=palette.dim)
            text.append("\n")
        if total := bets_in_all(view.actions):
            text.append(f"{'':<{4 if roomy else 3}}{total}\n", style=palette.dim)
        if not view.actions:
            ending = f"the hand ends: {view.ending or 'over'}" if view.kind != CHANCE else "pick the cards that come"
            text.append(ending, style=palette.accent)
        self.update(text)


class HandsPanel(Static):
    """The selected class combo by combo."""

    def show_class(
        self, hands: HandsView, cell: int, kinds: list[str], colors: list[Color], theme: str, palette: Palette
    ) -> None:
        """Draw the hands of one cell: how often each takes every action, in percent, and what it is worth."""
        rows, text = np.flatnonzero(hands.cell == cell), Text()
        roomy, wide = self.size.width >= _ROOMY, max(5, *(len(name) + 1 for name in hands.names))
        acts = len(hands.strategy) > 0
        room = (12 if roomy else 0) if acts else 7  # a bar where there is room beside the numbers
        each = 5 if roomy else 4  # columns of a frequency
        left = self.size.width - wide - room - each * len(hands.strategy)  # columns for what hands are worth
        worth = not np.isnan(hands.ev).all() and (roomy or left >= 6)
        shares = not np.isnan(hands.equity).all() and (roomy or left >= 5 + 6 * worth)
        values = shares or worth
        if not len(rows):
            text.append("not in the range", style=palette.dim)
        elif values:
            heads = (f"{'EV':>7}" if roomy else f"{'EV':>6}") if worth else ""
            heads += "" if not shares else f"{'equity':>8}" if roomy else f"{'eq':>5}"
            heads += f"{'EQR':>6}" if roomy and worth and shares else ""
            taken = "".join(f"{key:>{each}}" for key in plain_keys(kinds)) if acts else ""
            text.append(f"{'':<{wide + room}}{taken}{heads}\n", style=palette.dim)
        for row in rows:
            text.append_text(hand_text(hands.names[row], palette)).append(" " * (wide - len(hands.names[row])))
            mix = hands.strategy[:, row]
            if room:
                text.append_text(bar(mix, colors, room, float(hands.weight[row]), theme, palette))
            for share, color in zip(mix, colors, strict=True) if acts else ():
                strong = f"bold {hex_color(color)}" if share >= 0.5 else ""
                text.append(f"{100 * float(share):>{each}.0f}", style=strong)
            if worth:
                text.append(number(float(hands.ev[row]), 7 if roomy else 6))
            if shares:
                text.append(percent(float(hands.equity[row]), 8 if roomy else 5, 1 if roomy else 0))
                text.append(percent(float(hands.eqr[row]), 6) if roomy and worth else "")
            if hands.categories and self.size.width >= 54:
                what = [hands.categories[row], *worth_saying(hands.labels[row])]
                text.append("  " + ", ".join(what), style=palette.dim)
            text.append("\n")
        self.update(text)


class KindsPanel(Static):
    """The range by kinds of hands."""

    def show(self, rows: list[CategoryRow], colors: list[Color], theme: str, palette: Palette) -> None:
        """Draw a line for each kind."""
        text, roomy = Text(), self.size.width >= _ROOMY
        room = (12 if roomy else 6) if rows and rows[0].frequencies else 0
        text.append(f"{'':<13}{'share':>6} {'':<{room}}", style=palette.dim)
        text.append((f"{'equity':>7}{'EV':>8}" if roomy else "") + "\n", style=palette.dim)
        for row in rows:
            text.append(f"{row.name:<13}"[:13], style="bold")
            text.append(percent(row.share, 6, 1) + " ")
            text.append_text(bar(np.array(row.frequencies), colors, room, 1.0, theme, palette))
            text.append((percent(row.equity, 7) + number(row.ev, 8) if roomy else "") + "\n")
        self.update(text)
