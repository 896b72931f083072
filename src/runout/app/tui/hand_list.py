"""Hands of a small game, one after the other: name, bar, frequencies, EV."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

from runout.app.tui.drawing import Palette, bar
from runout.app.words import number, percent
from runout.cursors.colors import Color
from runout.cursors.view import NodeView

_HEAD = 2  # lines above the first hand


class HandList(Static):
    """A line for each hand; a click or the arrow keys select one."""

    class Picked(Message):
        """A hand was selected."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self.place = 0
        self._count = 0

    def pick(self, place: int) -> None:
        """Select a hand."""
        self.place = min(max(place, 0), max(self._count - 1, 0))
        self.post_message(self.Picked(self.place))

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y - _HEAD < self._count:
            self.pick(event.y - _HEAD)

    def show(self, view: NodeView, colors: list[Color], theme: str, palette: Palette) -> None:
        """Draw the hands of the player to act."""
        hands = view.hands[0] if view.hands else None
        self._count = len(hands.names) if hands else 0
        self.place = min(self.place, max(self._count - 1, 0))
        if hands is None:
            self.update(Text("nobody is to act here", style=palette.dim))
            return
        widest = max(4, *(len(name) for name in hands.names))
        room = max(8, self.size.width - widest - 12 - 9 * len(view.actions) - 2)
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{'hand':<{widest + 2}}{'':<{room}} ", style=palette.dim)
        text.append("".join(f"{action.name[:8]:>9}" for action in view.actions), style=palette.dim)
        text.append(f"{'EV':>9}\n\n", style=palette.dim)
        for place, name in enumerate(hands.names):
            mark, style = ("▸ ", f"bold {palette.accent}") if place == self.place else ("  ", "bold")
            text.append(f"{mark}{name:<{widest}}", style=style)
            text.append_text(
                bar(hands.strategy[:, place], colors, room, float(hands.weight[place]), theme, palette)
            ).append(" ")
            text.append("".join(percent(float(x), 9, 1) for x in hands.strategy[:, place]))
            text.append(number(float(hands.ev[place]), 9) + "\n")
        self.update(text)
