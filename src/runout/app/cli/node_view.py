"""How a node of any solution looks in a terminal: where it is, what the hands do, how often the range does what."""

from __future__ import annotations

import sys

import numpy as np
from rich.console import Console

from runout.app.matrix import legend, matrix_lines, plain_lines
from runout.app.words import over_text, place_text, title
from runout.cursors.cells import Cells, cells
from runout.cursors.view import CHANCE, DECISION, FROM_START, MATRIX, HandsView, NodeView, hands_of

RARE = 5e-4  # reach below which a class is not drawn: what it would do there was hardly learnt


def make_console(quiet: bool = False, markup: bool = True) -> Console:
    """Standard output; plain, and wide enough for a table, where it is not a terminal."""
    plain = quiet or not sys.stdout.isatty()
    return Console(
        no_color=plain or None,  # None: as NO_COLOR says
        force_terminal=False if plain else None,
        highlight=False,
        markup=markup,
        emoji=False,
        width=110 if plain else None,
    )


def colored(console: Console) -> bool:
    """Whether colours are seen."""
    return console.is_terminal and not console.no_color


def show_node(console: Console, view: NodeView, theme: str = "standard", place: bool = True) -> None:
    """Where the node is (unless told already), the hands of the player to act and the legend; or how betting ended."""
    if place:
        console.print(place_text(view), markup=False, soft_wrap=True)
    if view.kind != DECISION:
        comes = "a card comes" if view.deal_count == 1 else f"{view.deal_count} cards come"
        console.print(comes if view.kind == CHANCE else over_text(view), markup=False)
        return
    hands = hands_of(view, str(view.player))
    console.print(f"{title(hands.player)} to act{_share(view, hands)}", style="bold", markup=False, soft_wrap=True)
    found, color = cells(view, hands), colored(console)
    kinds = [action.kind for action in view.actions]
    if view.layout != MATRIX:
        for cell, name in enumerate(found.names):
            console.print(cell_text(view, found, cell, name), markup=False)
    elif color:
        for line in matrix_lines(kinds, found.strategy, _drawn(found), console.width, theme):
            console.print(line)
    else:
        for row in plain_lines(kinds, found.strategy, _drawn(found)):
            console.print(row, markup=False, soft_wrap=True)
    console.print(legend(view.actions, theme, color, console.width))


def _share(view: NodeView, hands: HandsView) -> str:
    """How much of all hands is here, in a game that is dealt from the start."""
    share = float(hands.weight @ hands.combos / hands.combos.sum())
    if view.ev_from != FROM_START or view.layout != MATRIX or share > 0.9999995:
        return ""
    if share < RARE:
        return f" with {100 * share:.2g}% of hands: hardly anybody gets here, so this was hardly worked out"
    return f" with {share:.1%} of hands"


def _drawn(found: Cells) -> np.ndarray:
    """float64 [169]: how much of each class to draw; all of it where nobody gets here."""
    kept = np.where(found.weight >= RARE, found.weight, 0.0)
    return kept if kept.any() else np.ones_like(kept)


def cell_text(view: NodeView, found: Cells, cell: int, name: str) -> str:
    """What the hands of one cell do, and the EV of each action; of many actions those that are taken."""
    parts = []
    for place, action in enumerate(view.actions):
        share = found.strategy[place, cell]
        worth = found.action_evs[place, cell] if len(found.action_evs) else np.nan
        if share > RARE or len(view.actions) <= 3:
            ev = "" if np.isnan(worth) else f" (EV {worth:+.4f} {view.unit})"
            parts.append(f"{action.name} {share:.1%}{ev}")
    return f"{name}: " + ", ".join(parts)
