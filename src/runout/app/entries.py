"""What a typed entry or a key means at a node: an action, cards, a whole line, or hands to look at."""

from __future__ import annotations

from runout.cards.hands import COMBO_CLASS, hand_combos
from runout.cursors.view import CHANCE, MATRIX, PREFLOP, Explorer, HandsView, NodeView, extended
from runout.errors import InputError

BACK, ROOT = ("b", "back", "u"), ("root", "start")


def bare(view: NodeView, token: str) -> str:
    """A token without the position in front: 'r2.5' of 'SBr2.5'."""
    for player in view.players:
        if token.upper().startswith(player.upper()):
            return token[len(player) :]
    return token


def with_letter(view: NodeView, letter: str) -> list[int]:
    """The numbers of the actions that a letter may mean."""
    return [n for n, one in enumerate(view.actions) if bare(view, one.token)[:1].lower() == letter.lower()]


def named_cells(view: NodeView, hands: HandsView, text: str) -> list[int]:
    """The cells that hands such as 'aks', 'AK' or 'AcKh' are in; none where the text names no hand."""
    wanted = text.strip().lower()
    if view.layout != MATRIX:
        return [int(cell) for name, cell in zip(hands.names, hands.cell, strict=True) if name.lower() == wanted]
    try:
        return sorted({int(COMBO_CLASS[combo]) for combo in hand_combos(wanted)})
    except InputError:
        return []


def follow(explorer: Explorer, view: NodeView, text: str) -> NodeView:
    """The node that an entry leads to: cards where some come, actions from this node on, or the address of any node.

    All of the entry is followed, or an InputError says what is wrong with it.
    """
    entry = text.strip()
    if entry.lower() in ("", *ROOT):
        return explorer.at("")
    if entry.lower() in BACK:
        if len(view.strip) < 2:
            raise InputError("this is the start: there is nothing to go back to")
        return explorer.at(view.strip[-2].line)
    for action in view.actions:
        if entry.lower() in (action.token.lower(), action.name.lower(), bare(view, action.token).lower()):
            return explorer.at(extended(view, action.token))
    try:
        return _from_here(explorer, view, entry)
    except InputError as error:
        here = error
    if not _is_line(view, entry):
        raise here
    try:
        return explorer.at(entry)
    except InputError as whole:
        begins_here = view.player is not None and entry.upper().startswith(view.player.upper())
        raise (here if begins_here else whole) from None


def _from_here(explorer: Explorer, view: NodeView, entry: str) -> NodeView:
    if view.kind == CHANCE:
        return explorer.at(extended(view, entry, cards=True))
    if view.street != PREFLOP:
        return explorer.at(extended(view, entry))
    try:
        return explorer.at(extended(view, _with_position(view, entry.replace(" ", ""))))  # 'raise to 8' is one word
    except InputError:
        words = entry.split()
        if len(words) == 1:
            raise
    for word in words:
        view = explorer.at(extended(view, _with_position(view, word)))
    return view


def _with_position(view: NodeView, word: str) -> str:
    return word if _is_named(view, word) or view.player is None else view.player + word


def _is_named(view: NodeView, word: str) -> bool:
    return word.upper().startswith(tuple(player.upper() for player in view.players))


def _is_line(view: NodeView, entry: str) -> bool:
    """Whether an entry may be the address of a node, and not only a word that continues from here."""
    dashes = "-" in entry.lower().replace("all-in", "").strip("-")
    return _is_named(view, entry) or entry[:1].isdigit() or "|" in entry or dashes  # a line may begin with its stack
