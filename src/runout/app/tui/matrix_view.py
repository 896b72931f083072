"""The 13×13 matrix: stacked bars of what each class does, or a heat map of EV, equity, EQR or weight."""

from __future__ import annotations

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from runout.app.matrix import shares, toned
from runout.app.tui.drawing import Palette, heat, on
from runout.app.words import number
from runout.cards.hands import CLASS_NAMES, MATRIX
from runout.cursors.cells import Cells
from runout.cursors.colors import Color

STRATEGY, EV, EQUITY, EQR, WEIGHT = "strategy", "ev", "equity", "eqr", "weight"
VIEWS = (STRATEGY, EV, EQUITY, EQR, WEIGHT)
SIDE = 13
_NARROWEST, _WIDEST, _TALLEST = 4, 11, 3


class MatrixView(Widget):
    """Classes of hands; a click or the arrow keys select one."""

    class Picked(Message):
        """A class was selected."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, palette: Palette, theme: str, *, id: str) -> None:
        super().__init__(id=id)
        self.palette, self.action_theme = palette, theme
        self.cells: Cells | None = None
        self.shades: list[Color] = []  # of the actions
        self.view = STRATEGY
        self.row, self.column = 0, 0

    def show(self, cells: Cells | None, shades: list[Color], view: str, palette: Palette) -> None:
        """Draw other numbers."""
        self.cells, self.shades, self.view, self.palette = cells, shades, view, palette
        self.refresh()

    @property
    def cell(self) -> int:
        """The selected class."""
        return int(MATRIX[self.row, self.column])

    def pick(self, cell: int) -> None:
        """Select a class."""
        row, column = np.argwhere(cell == MATRIX)[0]
        self.row, self.column = int(row), int(column)
        self.refresh()
        self.post_message(self.Picked(cell))

    def move(self, rows: int, columns: int) -> None:
        """Select a neighbour."""
        row, column = min(max(self.row + rows, 0), SIDE - 1), min(max(self.column + columns, 0), SIDE - 1)
        self.pick(int(MATRIX[row, column]))

    @staticmethod
    def cell_size(width: int, height: int) -> Size:
        """How large cells are in a space."""
        return Size(min(max(width // SIDE, _NARROWEST), _WIDEST), min(max(height // SIDE, 1), _TALLEST))

    def on_click(self, event: events.Click) -> None:
        size = self.cell_size(self.size.width, self.size.height)
        row, column = event.y // size.height, event.x // size.width
        if 0 <= row < SIDE and 0 <= column < SIDE:
            self.pick(int(MATRIX[row, column]))

    def render_line(self, y: int) -> Strip:
        size = self.cell_size(self.size.width, self.size.height)
        row, inside = divmod(y, size.height)
        if row >= SIDE or self.cells is None:
            return Strip.blank(self.size.width, Style(bgcolor=self.palette.screen))
        segments: list[Segment] = []
        for column in range(SIDE):
            index = int(MATRIX[row, column])
            chosen = row == self.row and column == self.column
            segments += self._cell(index, size, inside, chosen)
        return Strip(segments).simplify().adjust_cell_length(self.size.width, Style(bgcolor=self.palette.screen))

    def _cell(self, index: int, size: Size, inside: int, chosen: bool) -> list[Segment]:
        inner, last = size.width - 1, size.height > 1 and inside == size.height - 1
        words = self._words(index, inner, size.height)
        text = f"{words[inside] if inside < len(words) else '':<{inner}}"[:inner]
        styles = self._styles(index, inner)
        screen = self.palette.screen
        if chosen and inside == 0:
            named = min(inner, max(len(words[0]), 3))
            styles[:named] = [Style(color=screen, bgcolor=self.palette.accent, bold=True)] * named
        gap = Segment("▌" if chosen else " ", Style(color=self.palette.accent, bgcolor=screen))
        if last:  # half a line keeps rows apart
            halves = [Style(color=style.bgcolor, bgcolor=screen) for style in styles]
            gap = Segment("▘" if chosen else " ", Style(color=self.palette.accent, bgcolor=screen))
            return [*(Segment("▀", style) for style in halves), gap]
        return [*(Segment(letter, style) for letter, style in zip(text, styles, strict=True)), gap]

    def _words(self, index: int, inner: int, height: int) -> list[str]:
        """What stands in a cell, line by line."""
        assert self.cells is not None
        name, here = CLASS_NAMES[index], self.cells.weight[index] > 0
        if self.view == STRATEGY:
            worth = self.cells.ev[index]
            return [name, number(worth) if here and not np.isnan(worth) else ""] if height > 2 else [name]
        if not here:
            return [name]
        text = self._value_text(index)
        if height > 2:
            return [name, text]
        return [f"{name} {text}"] if inner >= 4 + len(text) else [text[:inner]]

    def _value_text(self, index: int) -> str:
        assert self.cells is not None
        value = float(self.cells.value(self.view)[index])
        if np.isnan(value):
            return "–"
        if self.view == EV:
            return f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}"
        return f"{value * 100:.0f}"

    def _styles(self, index: int, inner: int) -> list[Style]:
        """The background of each column of a cell."""
        assert self.cells is not None
        weight, palette = float(self.cells.weight[index]), self.palette
        empty = Style(color=palette.dim, bgcolor=palette.empty)
        if not weight > 0:
            return [empty] * inner
        rest = Style(color=palette.text, bgcolor=palette.empty, bold=True)
        if self.view != STRATEGY:
            value = self._share(index)
            return [rest if np.isnan(value) else heat(value)] * inner
        mix = self.cells.strategy[:, index]
        if not len(mix) or np.isnan(mix).any() or not mix.sum() > 0:
            held = max(1, round(inner * min(weight, 1.0)))
            return [on((96, 104, 122))] * held + [rest] * (inner - held)
        filled = max(1, round(inner * min(weight, 1.0)))
        owners = shares(mix, filled)
        drawn = [on(toned(self.shades[owner], float(mix[owner]), self.action_theme)) for owner in owners]
        return drawn + [rest] * (inner - filled)

    def _share(self, index: int) -> float:
        """Where a class stands on the scale of the view, 0 to 1."""
        assert self.cells is not None
        values = self.cells.value(self.view)
        if self.view in (EQUITY, WEIGHT):
            return float(values[index])
        if self.view == EQR:
            return float(values[index]) / 2
        known = values[(self.cells.weight > 0) & ~np.isnan(values)]
        spread = float(known.max() - known.min()) if len(known) else 0.0
        return float((values[index] - known.min()) / spread) if spread > 0 else 0.5
