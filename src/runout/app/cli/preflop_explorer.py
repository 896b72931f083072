"""The interactive explorer of a preflop solution: one screen a decision, actions as keys or words.

f fold, x check, c call, r8 raise to 8 bb, a all-in, b back, q quit; a hand (AKs) shows what it does and its EVs.
"""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from runout.analysis.preflop import PreflopNode, PreflopSolution
from runout.app.cli.preflop_view import hand_text, show_node
from runout.cards.hands import CLASS_NAMES, class_index
from runout.errors import InputError
from runout.games.preflop import WORDING

BACK, QUIT, RESTART = ("b", "back"), ("q", "quit", "exit"), ("root", "start")


def explore(
    solution: PreflopSolution,
    console: Console,
    theme: str = "standard",
    line: str = "",
    read: Callable[[str], str] = input,
) -> None:
    """Show the place that `line` leads to and go where the user says, until he quits or input ends."""
    node, message = solution.at(line), ""
    while True:
        draw(console, solution, node, theme, message)
        try:
            words = read("> ").strip()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if words.lower() in QUIT:
            return
        node, message = answer(solution, node, words)


def answer(solution: PreflopSolution, node: PreflopNode, words: str) -> tuple[PreflopNode, str]:
    """Where an entry leads, and what to say about it."""
    entry = words.lower()
    if not entry:
        return node, ""
    if entry in BACK:
        return (node, "this is the first decision: there is nothing to go back to") if node.before is None else (
            node.before, ""
        )  # fmt: skip
    if entry in RESTART:
        return solution.root, ""
    if entry in ("?", "h", "help"):
        return node, "actions as listed; b back, root, q quit; a hand such as AKs shows what it does and its EVs"
    if not node.over and (hand := _hand(words)) is not None:
        return node, hand_text(node, hand)
    try:
        return node.play(words), ""
    except InputError as error:
        return node, str(error)


def draw(console: Console, solution: PreflopSolution, node: PreflopNode, theme: str, message: str = "") -> None:
    """The whole screen: the game, history and pot, matrix, legend, what can be typed."""
    console.clear()
    figures = f"exploitability {solution.exploitability:.3g} mbb/hand   value to SB {solution.value:+.5f} bb"
    leaf = "" if solution.settings.is_push_fold else f"   leaf model {solution.leaf}"
    title = f"{solution.settings.name}{leaf}   {figures}"
    console.print(title, markup=False, overflow="ellipsis", no_wrap=True, style="dim")
    show_node(console, node, theme)
    console.print(keys(node), markup=False, style="dim")
    console.print(message, markup=False, style="yellow")


def keys(node: PreflopNode) -> str:
    """What can be typed here."""
    moves = [WORDING.token(action, node.state.street, node.state.player)[2:] for action in node.menu]
    back = ["b back"] if node.before is not None else []
    return "   ".join([*([" ".join(moves)] if moves else []), *back, "q quit", "? help"])


def _hand(words: str) -> str | None:
    """The class that an entry names, as in 'aks'; 'a' and 'c' are actions."""
    if len(words) not in (2, 3):
        return None
    try:
        return CLASS_NAMES[class_index(words)]
    except InputError:
        return None
