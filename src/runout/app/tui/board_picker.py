"""Picks the cards that come: a grid of the deck, by mouse, arrow keys or typing."""

from __future__ import annotations

import random

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from runout.app.tui.drawing import Palette, card_text
from runout.app.words import SUIT_SIGNS
from runout.cards.cards import RANKS

SUIT_ORDER = "shdc"
_NARROWEST, _WIDEST = 4, 7  # columns of a card
_HEAD = 3  # lines above the grid
_GAP = 2  # lines of a row


class BoardPicker(Widget):
    """Four rows of thirteen cards; those that are gone are dim."""

    class Dealt(Message):
        """All cards that come were picked."""

        def __init__(self, cards: list[str]) -> None:
            super().__init__()
            self.cards = cards

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(id=id)
        self.palette = palette
        self.deals: tuple[str, ...] = ()
        self.boards: tuple[str, ...] = ()
        self.count = 0
        self.picked: list[str] = []
        self.typed = ""
        self.row, self.column = 0, 0

    def show(self, deals: tuple[str, ...], count: int, boards: tuple[str, ...], palette: Palette) -> None:
        """Begin to pick `count` of these cards; `boards` are whole deals, where only those can come."""
        self.deals, self.count, self.boards, self.palette = deals, count, boards, palette
        self.picked, self.typed = [], ""
        self.refresh()

    def plain(self) -> bool:
        """Whether cards are those of a full deck; small games have others."""
        return all(len(card) == 2 and card[1] in SUIT_SIGNS for card in self.deals)

    @property
    def _cell(self) -> int:
        return min(max(self.size.width // len(RANKS), _NARROWEST), _WIDEST)

    def _grid(self) -> list[list[str]]:
        if self.plain():
            return [[rank + suit for rank in reversed(RANKS)] for suit in SUIT_ORDER]
        return [list(self.deals)]

    def move(self, rows: int, columns: int) -> None:
        """Move the cursor."""
        grid = self._grid()
        self.row = (self.row + rows) % len(grid)
        self.column = (self.column + columns) % len(grid[0])
        self.refresh()

    def press(self) -> None:
        """Pick the card under the cursor."""
        grid = self._grid()
        self.choose(grid[min(self.row, len(grid) - 1)][min(self.column, len(grid[0]) - 1)])

    def choose(self, card: str) -> None:
        """Pick a card, or put it back."""
        if card in self.picked:
            self.picked.remove(card)
        elif card in self.deals and len(self.picked) < self.count:
            self.picked.append(card)
        self.refresh()
        if self.count and len(self.picked) == self.count:
            self.post_message(self.Dealt(list(self.picked)))

    def deal_random(self) -> None:
        """Fill up with random cards."""
        if self.boards:
            self.picked = []
            for card in random.choice(self.boards).split():
                self.choose(card)
            return
        left = [card for card in self.deals if card not in self.picked]
        for card in random.sample(left, self.count - len(self.picked)):
            self.choose(card)

    def type(self, letter: str) -> bool:
        """Take a letter of a card, 'A' then 'h'; False where it is none."""
        if not self.plain():
            found = [card for card in self.deals if card.lower() == letter.lower()]
            if found:
                self.choose(found[0])
            return bool(found)
        if not self.typed and letter.upper() in RANKS:
            self.typed = letter.upper()
        elif self.typed and letter.lower() in SUIT_SIGNS:
            card, self.typed = self.typed + letter.lower(), ""
            self.choose(card)
        else:
            return False
        self.refresh()
        return True

    def take_back(self) -> bool:
        """Undo the last letter or card; False where there is none."""
        if self.typed:
            self.typed = ""
        elif self.picked:
            self.picked.pop()
        else:
            return False
        self.refresh()
        return True

    def on_click(self, event: events.Click) -> None:
        row, column = (event.y - _HEAD) // _GAP, event.x // self._cell
        grid = self._grid()
        if event.y >= _HEAD and 0 <= row < len(grid) and 0 <= column < len(grid[0]):
            self.row, self.column = row, column
            self.press()

    def render_line(self, y: int) -> Strip:
        palette, width = self.palette, self.size.width
        blank = Style(bgcolor=palette.screen)
        if y == 0:
            what = f"{self.count} cards come" if self.count > 1 else "a card comes"
            dim = Style(color=palette.dim, bgcolor=palette.screen)
            head = Style(color=palette.text, bgcolor=palette.screen, bold=True)
            line = [Segment(what, head), Segment("  click, type it, or r for random", dim)]
            return Strip(line).adjust_cell_length(width, blank)
        if y == 1:
            picked = card_text(self.picked, palette)
            picked.append(f" {self.typed}_" if self.typed else "", style=palette.accent)
            return Strip(list(picked.render(self.app.console, end=""))).adjust_cell_length(width, blank)
        row, inside = divmod(y - _HEAD, _GAP)
        grid = self._grid()
        if inside or not 0 <= row < len(grid):
            return Strip.blank(width, blank)
        segments = []
        for column, card in enumerate(grid[row]):
            segments += [
                Segment(f"{_sign(card):^{self._cell - 1}}", self._style(card, row, column)),
                Segment(" ", blank),
            ]
        return Strip(segments).adjust_cell_length(width, blank)

    def _style(self, card: str, row: int, column: int) -> Style:
        palette = self.palette
        if row == self.row and column == self.column:
            return Style(color=palette.screen, bgcolor=palette.accent, bold=True)
        if card in self.picked:
            return Style(color=palette.screen, bgcolor=palette.text, bold=True)
        if card not in self.deals:
            return Style(color=palette.empty, bgcolor=palette.screen)
        return Style(color=palette.suits.get(card[-1], palette.text), bgcolor=palette.empty, bold=True)


def _sign(card: str) -> str:
    return card[0] + SUIT_SIGNS[card[1]] if len(card) == 2 and card[1] in SUIT_SIGNS else card
