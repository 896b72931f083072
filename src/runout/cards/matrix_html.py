"""The 13×13 matrix of hands as HTML, for notebooks; it reads well on a light and on a dark page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from runout.cards.hands import CLASS_NAMES, MATRIX

EMPTY = "rgba(128,128,128,.14)"  # ground of a cell, as far as it is not filled
_GRID = "display:grid;grid-template-columns:repeat(13,minmax(0,2.9em));gap:2px;max-width:40em;margin:.4em 0"
_CELL = "height:2.3em;border-radius:3px;padding:.15em .3em;font:600 .78em/1.2 system-ui,sans-serif;overflow:hidden"
_ON_COLOR = "color:#fff;text-shadow:0 0 2px #000,0 0 2px #000"
_TOP = 0.55  # filled up to here, a cell has its name above the colour
_OUTSIDE = "color:rgba(128,128,128,.95)"


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One class of hands."""

    fill: str  # CSS: a colour or a gradient
    share: float  # how much of the height is filled, 0 to 1
    title: str  # is shown when the pointer is on the cell


def matrix_html(cells: Sequence[MatrixCell]) -> str:
    """The matrix; `cells` are in the order of `CLASS_NAMES`."""
    drawn = [_cell(CLASS_NAMES[index], cells[index]) for index in MATRIX.ravel().tolist()]
    return f'<div style="{_GRID}">{"".join(drawn)}</div>'


def _cell(name: str, cell: MatrixCell) -> str:
    if cell.share <= 0:
        return f'<div style="{_CELL};background:{EMPTY};{_OUTSIDE}">{name}</div>'
    height = max(8.0, 100 * min(1.0, cell.share))
    ground = f"background:{cell.fill} bottom/100% {height:.3g}% no-repeat,{EMPTY}"
    ink = _ON_COLOR if cell.share > _TOP else "color:inherit"
    return f'<div title="{escape(cell.title)}" style="{_CELL};{ground};{ink}">{name}</div>'


def bar(shares: Sequence[tuple[str, float]]) -> str:
    """A CSS gradient with a piece for each (colour, share), from left to right."""
    total, at, stops = sum(share for _, share in shares), 0.0, []
    for color, share in shares:
        if share > 0:
            stops.append(f"{color} {at:.4g}% {at + 100 * share / total:.4g}%")
            at += 100 * share / total
    return f"linear-gradient(90deg,{','.join(stops)})" if stops else EMPTY
