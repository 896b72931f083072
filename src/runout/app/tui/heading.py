"""The line above the hands: board, whose hands they are, and the views to choose from."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import Static

from runout.app.tui.drawing import Palette, card_text
from runout.app.tui.matrix_view import VIEWS
from runout.app.words import title
from runout.cursors.view import CHANCE, MATRIX, NodeView

_NAMES = {"strategy": "strategy", "ev": "EV", "equity": "equity", "eqr": "EQR", "weight": "weight"}


class Heading(Static):
    """A click chooses a view, or the other player."""

    class ViewChosen(Message):
        """A view was clicked."""

        def __init__(self, view: str) -> None:
            super().__init__()
            self.view = view

    class PlayerClicked(Message):
        """The player's name was clicked."""

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._places: list[tuple[int, int, str]] = []  # columns from, to, and the view there; '' is the player

    def on_click(self, event: events.Click) -> None:
        for first, last, view in self._places:
            if first <= event.x < last:
                self.post_message(self.ViewChosen(view) if view else self.PlayerClicked())

    def show(self, node: NodeView, shown: str, view: str, palette: Palette) -> None:
        """Draw the heading of a node."""
        text = card_text(node.board, palette).append("  " if node.board else "")
        at = text.cell_len
        text.append(f"{title(shown)} ", style=f"bold {palette.accent}")
        self._places = [(at, text.cell_len, "")]
        if node.locked:
            text.append("locked ", style=palette.accent)
        if node.layout == MATRIX and node.kind != CHANCE:
            for name in VIEWS:
                at = text.cell_len
                text.append(f" {_NAMES[name]} ", style="reverse bold" if name == view else "dim")
                self._places.append((at, text.cell_len, name))
        self.update(text)
