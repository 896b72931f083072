"""Colours, numbers and bars that the widgets share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.style import Style
from rich.text import Text
from textual.theme import Theme

from runout.app.matrix import shares, toned
from runout.app.words import SUIT_SIGNS
from runout.cursors.colors import Color, hex_color, ink, scale_color


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours that depend on whether the screen is dark."""

    text: str
    dim: str
    empty: str  # a cell or bar with nothing in it
    screen: str
    panel: str
    accent: str
    suits: dict[str, str]


DARK = Palette(
    text="#e4e7ee", dim="#7d8598", empty="#20242f", screen="#11131a", panel="#1a1e28", accent="#f5b041",
    suits={"c": "#4ade80", "d": "#60a5fa", "h": "#f87171", "s": "#d4d8e2"},
)  # fmt: skip
LIGHT = Palette(
    text="#1d2230", dim="#666e7f", empty="#e4e7ed", screen="#fafbfc", panel="#eceef3", accent="#b45309",
    suits={"c": "#15803d", "d": "#1d4ed8", "h": "#dc2626", "s": "#111827"},
)  # fmt: skip


def screen_theme(name: str, palette: Palette, dark: bool) -> Theme:
    """A theme of Textual's with the colours of a palette."""
    return Theme(
        name=name, primary="#3b82f6", accent=palette.accent, foreground=palette.text, background=palette.screen,
        surface=palette.screen, panel=palette.panel, warning=palette.accent, dark=dark,
    )  # fmt: skip


def on(color: Color, bold: bool = True) -> Style:
    """Text that reads well on a colour."""
    return Style(color=hex_color(ink(color)), bgcolor=hex_color(color), bold=bold)


def heat(share: float) -> Style:
    """A cell on the scale from amber to dark red."""
    return on(scale_color(min(max(share, 0.0), 1.0)))


def bar(mix: np.ndarray, colors: Sequence[Color], width: int, weight: float, theme: str, palette: Palette) -> Text:
    """A stacked bar of actions, as long as the reach of the hand."""
    text = Text(no_wrap=True)
    if not width or not weight > 0 or np.isnan(mix).any() or not mix.sum() > 0:
        return text.append("·" * width, style=palette.dim)
    filled = max(1, round(width * min(weight, 1.0)))
    for owner in shares(mix, filled):
        text.append(" ", style=Style(bgcolor=hex_color(toned(colors[owner], float(mix[owner]), theme))))
    return text.append(" " * (width - filled), style=Style(bgcolor=palette.empty))


def card_text(names: Sequence[str], palette: Palette, separator: str = " ") -> Text:
    """Cards with coloured suits: Q♠ J♥ 2♥; other words as they are."""
    text = Text()
    for place, name in enumerate(names):
        text.append(separator if place else "")
        if len(name) == 2 and name[1] in SUIT_SIGNS:
            text.append(name[0] + SUIT_SIGNS[name[1]], style=Style(color=palette.suits[name[1]], bold=True))
        else:
            text.append(name, style=Style(bold=True))
    return text


def hand_text(name: str, palette: Palette) -> Text:
    """A combo with coloured suits; a class or another name as it is."""
    if len(name) == 4 and name[1] in SUIT_SIGNS and name[3] in SUIT_SIGNS:
        return card_text([name[:2], name[2:]], palette, "")
    return Text(name, style="bold")
