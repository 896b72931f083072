"""Reports over a node that take the whole screen: the equity graph, and what each next card does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from runout.app.plots import BRAILLE, DOTS
from runout.app.tui.drawing import Palette, card_text, heat
from runout.app.words import SUIT_SIGNS, title
from runout.cards.cards import RANKS
from runout.cursors.view import CHANCE, Explorer, NodeView
from runout.errors import InputError
from runout.explorers.node_reports import EquityCurve, Runout, equity_curve, runouts

_MARGIN = 6  # columns left of a graph
_CELL = 4  # columns of a card, so that thirteen fit on a screen of 80
KEYS = (
    ("1 to 9", "take an action"),
    ("backspace, u", "one step back"),
    ("home", "to the start"),
    ("arrows", "another class; cards at a deal"),
    ("enter", "deal the cards that are chosen"),
    ("v", "strategy, EV, equity, EQR, weight"),
    ("p", "the other player"),
    ("i", "hands by kind, or combo by combo"),
    ("g", "equity graph of both ranges"),
    ("o", "what each next card does"),
    (": or /", "go to an action, cards, a hand or a whole line"),
    ("y", "copy the line"),
    ("l", "light or dark"),
    ("e", "solve this spot exactly, from a trained strategy"),
    ("$", "amounts in chips, big blinds, % of the pot"),
    ("q", "quit"),
)


class ReportScreen(ModalScreen[None]):
    """A text that is looked at and closed again; with several, `v` or tab shows the next."""

    CSS = "ReportScreen > VerticalScroll { background: $background; padding: 1 2; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,g,o,backspace,enter,question_mark", "dismiss(None)", "close"),
        Binding("v,tab", "next", "next"),
    ]

    def __init__(self, texts: Sequence[Text]) -> None:
        super().__init__()
        self._texts, self._at = list(texts), 0

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._texts[0], id="report")

    def action_next(self) -> None:
        """Show the next text."""
        self._at = (self._at + 1) % len(self._texts)
        self.query_one("#report", Static).update(self._texts[self._at])


def help_text(palette: Palette) -> Text:
    """The keys, one a line."""
    text = Text("Keys\n\n", style="bold")
    for key, what in KEYS:
        text.append(f" {key:<14}", style=palette.accent).append(f"{what}\n")
    return text.append("\nesc: back", style=palette.dim)


def graph_screen(node: NodeView, palette: Palette, width: int, height: int) -> ReportScreen:
    """Range against range at a node, on a screen of this size; an InputError where no equities are known."""
    curves = [equity_curve(node, hands.player) for hands in node.hands]
    if not any(len(curve.share) for curve in curves):
        raise InputError("no equities are known here")
    colors = [palette.suits["d"], palette.accent][: len(curves)]
    return ReportScreen([graph_text(curves, colors, width - 6, height - 8, palette.dim)])


def runouts_screen(explorer: Explorer, node: NodeView, palette: Palette) -> ReportScreen:
    """What each card does at this deal, or at the last one on the way; an InputError where no single card came."""
    deals = [step.line for step in node.strip if step.kind == CHANCE and len(step.cards) <= 1]
    rows = runouts(explorer, deals[-1] if deals else node.line)
    found = measures(rows, node.players)
    if not found:
        raise InputError("nothing is known of the cards that come here")
    return ReportScreen([runouts_text(rows, one, palette, len(found) > 1) for one in found])


def graph_text(curves: Sequence[EquityCurve], colors: Sequence[str], width: int, height: int, dim: str) -> Text:
    """Equity over the share of each range, worst hands on the left; where curves share a cell the later one shows."""
    columns, rows = max(20, width - _MARGIN), max(6, height)
    cells: dict[tuple[int, int], tuple[int, int]] = {}  # place -> dots, curve
    for which, curve in enumerate(curves):
        if not len(curve.share):
            continue
        before = None
        for x in range(2 * columns):
            hand = min(int(np.searchsorted(curve.share, (x + 0.5) / (2 * columns))), len(curve.share) - 1)
            y = round((1 - float(curve.equity[hand])) * (4 * rows - 1))
            last = y if before is None else before
            for dot in range(min(y, last), max(y, last) + 1):
                place = dot // 4, x // 2
                dots = cells[place][0] if place in cells and cells[place][1] == which else 0
                cells[place] = dots | DOTS[dot % 4][x % 2], which
            before = y
    text = Text("equity, worst hands to best: ", no_wrap=True)
    for curve, color in zip(curves, colors, strict=True):
        text.append(f" ━ {title(curve.player)}", style=f"bold {color}")
    text.append("\n\n")
    for row in range(rows):
        level = 1 - row / (rows - 1)
        label = f"{level:.0%}" if row % max(1, (rows - 1) // 4) == 0 else ""
        text.append(f"{label:>{_MARGIN - 2}} │", style=dim)
        for column in range(columns):
            dots, which = cells.get((row, column), (0, 0))
            text.append(chr(BRAILLE + dots) if dots else " ", style=colors[which])
        text.append("\n")
    text.append(f"{'':>{_MARGIN - 1}}└{'─' * columns}\n", style=dim)
    return text.append(f"{'':>{_MARGIN}}0%{'of the range':^{columns - 6}}100%\n", style=dim)


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that a next card changes."""

    name: str
    values: tuple[float | None, ...]  # by card
    share: bool  # shown in percent


def measures(rows: Sequence[Runout], players: Sequence[str]) -> list[Measure]:
    """What is known of the cards: EV and equity of both players, and how often each action is taken then."""
    found = []
    for side, player in enumerate(players):
        if any(row.evs for row in rows):
            found.append(
                Measure(f"EV of {title(player)}", tuple(row.evs[side] if row.evs else None for row in rows), False)
            )
        if any(row.equities for row in rows):
            equities = tuple(row.equities[side] if row.equities else None for row in rows)
            found.append(Measure(f"equity of {title(player)}", equities, True))
    actions = dict.fromkeys(name for row in rows for name in row.actions)
    actor = next((row.player for row in rows if row.player), "")
    for name in actions:
        taken = tuple(row.frequencies[row.actions.index(name)] if name in row.actions else None for row in rows)
        found.append(Measure(f"{title(actor)} {name}", taken, True))
    return found


def runouts_text(rows: Sequence[Runout], measure: Measure, palette: Palette, more: bool = True) -> Text:
    """Every card with a measure, coloured from low to high, and which cards are best and worst."""
    known = {row.card: x for row, x in zip(rows, measure.values, strict=True) if x is not None and not np.isnan(x)}
    low, high = (min(known.values()), max(known.values())) if known else (0.0, 0.0)

    def shown(x: float) -> str:
        if measure.share:
            return f"{100 * x:.0f}%"
        return next(text for places in (2, 1, 0) if len(text := f"{x:.{places}f}") <= _CELL or not places)

    def cell(card: str) -> Text:
        if card not in known:
            return Text("·".center(_CELL), style=palette.dim)
        part = (known[card] - low) / (high - low) if high > low else 0.5
        return Text(shown(known[card]).center(_CELL), style=heat(part))

    text = Text(no_wrap=True).append(measure.name, style="bold")
    text.append("   v: another measure   esc: back\n\n" if more else "   esc: back\n\n", style=palette.dim)
    if all(len(row.card) == 2 and row.card[1] in SUIT_SIGNS for row in rows):
        text.append("   " + "".join(rank.center(_CELL + 1) for rank in RANKS[::-1]) + "\n", style="bold")
        for suit in "shdc":
            text.append(f" {SUIT_SIGNS[suit]} ", style=f"bold {palette.suits[suit]}")
            for rank in RANKS[::-1]:
                text.append_text(cell(rank + suit)).append(" ")
            text.append("\n\n")
    else:
        for row in rows:
            text.append(f" {row.card:<4}", style="bold").append_text(cell(row.card)).append("\n")
    order = sorted(known, key=lambda card: -known[card])
    if len(order) > 5:
        text.append("highest ").append_text(card_text(order[:5], palette)).append("   lowest ")
        text.append_text(card_text(order[-5:], palette)).append("\n")
    return text
