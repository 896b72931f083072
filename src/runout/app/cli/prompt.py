"""A prompt that walks through any solution: one screen a node; actions, hands and lines as words.

f fold, x check, c call, r8 raise to 8, a all-in, b back, q quit; hands (AKs, AK, AcKh) show what they do and their EVs.
"""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from runout.app.cli.node_view import cell_text, show_node
from runout.app.entries import bare, follow, named_cells, with_letter
from runout.cursors.cells import cells
from runout.cursors.view import DECISION, Explorer, NodeView, hands_of
from runout.errors import InputError

QUIT, HELP = ("q", "quit", "exit"), ("?", "h", "help")


def explore(
    explorer: Explorer,
    console: Console,
    heading: str,
    line: str = "",
    theme: str = "standard",
    read: Callable[[str], str] = input,
) -> None:
    """Show the node at `line` and go where the user says, until the word is quit or the input ends."""
    view, message = explorer.at(line), ""
    while True:
        console.clear()
        console.print(heading, markup=False, overflow="ellipsis", no_wrap=True, style="dim")
        show_node(console, view, theme)
        console.print(_keys(view), markup=False, style="dim")
        console.print(message, markup=False, style="yellow")
        try:
            words = read("> ").strip()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if words.lower() in QUIT:
            return
        view, message = answer(explorer, view, words)


def answer(explorer: Explorer, view: NodeView, words: str) -> tuple[NodeView, str]:
    """Where an entry leads, and what to say about it."""
    if not words:
        return view, ""
    if words.lower() in HELP:
        return view, "actions as listed, several words or a whole line; hands (AKs, AK, AcKh); b back, root, q quit"
    if view.kind == DECISION and not with_letter(view, words):  # 'a' and 'c' are actions
        hands = hands_of(view, str(view.player))
        found = cells(view, hands)
        named = named_cells(view, hands, words)
        if named:
            return view, "\n".join(cell_text(view, found, cell, found.names[cell]) for cell in named)
    try:
        return follow(explorer, view, words), ""
    except InputError as error:
        return view, str(error)


def _keys(view: NodeView) -> str:
    """What can be typed here."""
    moves = " ".join(bare(view, action.token) for action in view.actions)
    back = "b back" if len(view.strip) > 1 else ""
    return "   ".join(part for part in (moves, back, "q quit", "? help") if part)
