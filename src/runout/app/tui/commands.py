"""What a typed entry or a key means at a node: an action, cards, a whole line, or a hand to look at."""

from __future__ import annotations

from collections.abc import Sequence

from runout.analysis.node_reports import extended
from runout.analysis.view import CHANCE, PREFLOP, Explorer, NodeView
from runout.errors import InputError


def letter_of(view: NodeView, number: int) -> str:
    """The key of an action: the first letter of its token, the position before it left out."""
    token = view.actions[number].token
    for player in view.players:
        if token.upper().startswith(player.upper()):
            token = token[len(player) :]
    return token[:1].lower()


def with_letter(view: NodeView, letter: str) -> list[int]:
    """The actions that a letter may mean."""
    return [number for number in range(len(view.actions)) if letter_of(view, number) == letter.lower()]


def named_cell(names: Sequence[str], hands: Sequence[str], cells: Sequence[int], text: str) -> int | None:
    """The cell of a class or a hand that was typed, 'aks' or 'AsKh'."""
    wanted = text.strip().lower()
    for cell, name in enumerate(names):
        if name.lower() == wanted:
            return cell
    for name, cell in zip(hands, cells, strict=True):
        if wanted in (name.lower(), (name[2:] + name[:2]).lower()):
            return int(cell)
    return None


def follow(explorer: Explorer, view: NodeView, text: str) -> NodeView:
    """The node that an entry leads to: cards where some come, an action of the node, or the address of any node."""
    entry = text.strip()
    if entry.lower() in ("root", "start", ""):
        return explorer.at("")
    if entry.lower() in ("back", "u"):
        return explorer.at(view.strip[-2].line if len(view.strip) > 1 else "")
    for action in view.actions:
        if entry.lower() in (action.token.lower(), action.name.lower()):
            return explorer.at(extended(view, action.token))
    step = entry
    if view.street == PREFLOP and view.player and not entry.upper().startswith(tuple(view.players)):
        step = view.player + entry.replace(" ", "")  # a move without its position
    errors = []
    for line in (extended(view, step, cards=view.kind == CHANCE), entry):
        try:
            return explorer.at(line)
        except InputError as error:
            errors.append(error)
    whole = "|" in entry or "-" in entry.strip("-") or " " in entry
    raise errors[1] if whole and view.kind != CHANCE else errors[0]
