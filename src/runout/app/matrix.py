"""The 13×13 matrix for terminals: what every class of hands does, as stacked bars in colour or as plain text.

Fold is blue, check and call green, bets go from amber to violet by size, all-in is the darkest red. The theme `classic`
has fold red, call green, raises blue and all-in yellow, bright where an action is taken at least 85% of the time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.text import Text

from runout.app.words import bets_in_all
from runout.cards.hands import CLASS_NAMES, MATRIX
from runout.cursors import colors
from runout.cursors.colors import Color, blend, hex_color, ink, scale_color
from runout.cursors.view import ActionView
from runout.errors import InputError

THEMES = ("standard", "classic")
BRIGHT = 0.85  # frequency from which on `classic` is bright

_CLASSIC: dict[str, Color] = {
    "fold": (214, 64, 64),
    "check": (70, 180, 80),
    "call": (70, 180, 80),
    "all-in": (240, 214, 70),
}
_BLUES = ((120, 170, 240), (50, 90, 210))
_WIDEST, _NARROWEST = 7, 4  # characters of a cell


def check_theme(theme: str) -> str:
    """`theme`, or an InputError that names those there are."""
    if theme not in THEMES:
        raise InputError(f"unknown theme {theme!r}: use {' or '.join(THEMES)}")
    return theme


def action_colors(kinds: Sequence[str], theme: str = "standard") -> list[Color]:
    """A colour for each action of a node by its kind ("fold", "bet", ...); sizes of bets rise in their order."""
    if theme == "standard":
        return colors.action_colors(kinds)
    sized = [place for place, kind in enumerate(kinds) if kind not in _CLASSIC]
    shades = {place: i / (len(sized) - 1) if len(sized) > 1 else 0.4 for i, place in enumerate(sized)}
    return [_CLASSIC.get(kind) or blend(*_BLUES, shades[place]) for place, kind in enumerate(kinds)]


def matrix_lines(
    kinds: Sequence[str], strategy: np.ndarray, weight: np.ndarray, width: int, theme: str = "standard"
) -> list[Text]:
    """Thirteen lines of coloured cells that fit in `width` columns.

    strategy float64 [actions, 169]; weight float64 [169]: how much of a class is in the range, the filled part of its
    cell.
    """
    cell = min(_WIDEST, max(_NARROWEST, width // 13))
    shades = action_colors(kinds, theme)
    lines = []
    for row in MATRIX:
        line = Text(no_wrap=True, end="")
        for index in row:
            line.append_text(_cell(CLASS_NAMES[index], strategy[:, index], float(weight[index]), cell, shades, theme))
        lines.append(line)
    return lines


def _cell(name: str, mix: np.ndarray, weight: float, cell: int, colors: Sequence[Color], theme: str) -> Text:
    inner = cell - 1  # a gap to the next one
    if not weight > 0 or np.isnan(mix).any():
        return Text(f"{name:<{cell}}", style="dim")
    text = Text()
    filled = max(1, round(inner * weight))
    owners = shares(mix, filled)
    for at, letter in enumerate(f"{name:<{inner}}"[:inner]):
        if at >= filled:
            text.append(letter, style="bold")
            continue
        color = toned(colors[owners[at]], float(mix[owners[at]]), theme)
        text.append(letter, style=f"bold {hex_color(ink(color))} on {hex_color(color)}")
    return text.append(" " * (cell - inner))


def toned(color: Color, frequency: float, theme: str) -> Color:
    """An action's colour in a cell; `classic` is dull below 85%."""
    return blend(color, (90, 90, 90), 0.45) if theme == "classic" and frequency < BRIGHT else color


def shares(mix: np.ndarray, places: int) -> list[int]:
    """Which action owns each place: in proportion, by largest remainder."""
    exact = mix / mix.sum() * places
    counts = np.floor(exact).astype(int)
    for action in np.argsort(counts - exact, kind="stable")[: places - int(counts.sum())]:
        counts[action] += 1
    return [action for action, count in enumerate(counts) for _ in range(count)]


def plain_lines(kinds: Sequence[str], strategy: np.ndarray, weight: np.ndarray) -> list[str]:
    """Thirteen lines of text: each class with the action it takes most and how often in percent, unless always."""
    keys = plain_keys(kinds)
    cells = []
    for index in MATRIX.ravel():
        mix = strategy[:, index]
        if not weight[index] > 0 or np.isnan(mix).any():
            cells.append(".")
            continue
        best = int(np.argmax(mix))
        percent = f"{100 * mix[best]:.0f}"
        colon = ":" if keys[best][-1].isdigit() else ""
        cells.append(f"{CLASS_NAMES[index]} {keys[best]}" + ("" if percent == "100" else colon + percent))
    widest = max(len(cell) for cell in cells)
    return [" ".join(f"{cell:<{widest}}" for cell in cells[r * 13 : r * 13 + 13]).rstrip() for r in range(13)]


def plain_keys(kinds: Sequence[str]) -> list[str]:
    """A short name for each action: x, c, f, a, and b or r, numbered where there are several sizes."""
    letters = ["x" if kind == "check" else kind[0] for kind in kinds]
    return [
        f"{letter}{letters[: i + 1].count(letter)}" if letters.count(letter) > 1 else letter
        for i, letter in enumerate(letters)
    ]


def legend(
    actions: Sequence[ActionView], theme: str = "standard", color: bool = True, width: int | None = None
) -> Text:
    """The actions with their colours and how often the whole range takes them; lines of a `width` end between them."""
    text = Text()
    kinds = [action.kind for action in actions]
    for action, shade, key in zip(actions, action_colors(kinds, theme), plain_keys(kinds), strict=True):
        label = f" {action.name} {action.frequency:.1%}" if color else f"{key} = {action.name} {action.frequency:.1%}"
        line = text.plain.rpartition("\n")[2]
        if width is not None and line and len(line) + len(label) + 2 > width:
            text.rstrip()
            text.append("\n")
        if color:
            text.append("  ", style=f"on {hex_color(shade)}")
        text.append(label + "   ")
    text.rstrip()
    total = bets_in_all(actions)
    return text if total is None else text.append(f"   {total}")


def scale_style(share: float) -> str:
    """The style of a cell on a scale from red (0) to green (1)."""
    color = scale_color(share)
    return f"bold {hex_color(ink(color))} on {hex_color(color)}"
