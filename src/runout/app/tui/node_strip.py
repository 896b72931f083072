"""The history: every decision and deal on the way, each a place to go back to."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

from runout.app.tui.drawing import Palette, card_text
from runout.app.words import amount, percent, title
from runout.cursors.view import CHANCE, TERMINAL, NodeView, StepView


class NodeStrip(Static):
    """Two lines: who and the pot, what was done and how often; a click goes there."""

    class Chosen(Message):
        """A node of the history was clicked."""

        def __init__(self, line: str) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._places: list[tuple[int, int, str]] = []  # columns from, to, and the address there

    def on_click(self, event: events.Click) -> None:
        for first, last, line in self._places:
            if first <= event.x < last:
                self.post_message(self.Chosen(line))

    def show(self, view: NodeView, palette: Palette) -> None:
        """Draw the way to a node, its end where it is too long."""
        blocks = [(_block(step, palette, view), step.line) for step in view.strip]
        room = self.size.width or 80
        kept: list[tuple[tuple[Text, Text], str, int]] = []
        for block, line in reversed(blocks):
            width = max(part.cell_len for part in block) + 3
            if kept and sum(one[2] for one in kept) + width > room - 2:
                kept.append(((Text("…", style=palette.dim), Text("…", style=palette.dim)), line, 2))
                break
            kept.append((block, line, width))
        first, second, at = Text(no_wrap=True), Text(no_wrap=True), 0
        self._places = []
        for block, line, width in reversed(kept):
            self._places.append((at, at + width, line))
            for row, part in zip((first, second), block, strict=True):
                row.append_text(part).append(" " * max(0, width - part.cell_len - 2))
            arrow = "" if line == blocks[-1][1] and width > 2 else "› "
            first.append(arrow if width > 2 else "", style=palette.dim)
            second.append("  " if arrow and width > 2 else "")
            at += width
        self.update(Text("\n").join([first, second]))


def _block(step: StepView, palette: Palette, view: NodeView) -> tuple[Text, Text]:
    """A step in two lines."""
    here = step.taken is None
    pot = "" if step.pot != step.pot else f" {amount(step.pot)}"
    if step.kind == CHANCE:
        cards = card_text(step.cards, palette) if step.cards else Text("deal", style=f"bold {palette.accent}")
        return Text(f"cards{pot}", style=palette.dim), cards
    if step.kind == TERMINAL:
        return Text(f"end{pot}", style=palette.dim), Text(view.ending or "over", style=f"bold {palette.accent}")
    who = Text(title(step.player or ""), style="bold")
    who.append(pot, style=palette.dim)
    if here:
        return who, Text("to act", style=f"bold {palette.accent}")
    taken = next((one for one in step.actions if one.token == step.taken), None)
    done = Text(taken.name if taken else str(step.taken))
    if taken is not None:
        done.append(f" {percent(taken.frequency)}", style=palette.dim)
    return who, done
