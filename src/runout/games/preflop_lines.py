"""The text of betting before the flop: `50bb SBr2.5 BBr8 SBc`.

A word is a position and what it does: r raise to (big blinds), c call (or limp), f fold, x check, a all-in. A stack in
front is that of both players. Case does not matter. Every refusal is one line that names the bad word.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from runout.errors import InputError
from runout.games.betting import ALL_IN, BETTING, CALL, CHECK, FOLD, FOLDED, RAISE, Action, BettingState
from runout.games.preflop import BIG_BLIND, POSITIONS, Preflop, big_blinds, chips
from runout.games.tree import NO_PARENT, same_action

_WORDS = {
    "f": FOLD, "fold": FOLD, "c": CALL, "call": CALL, "limp": CALL, "x": CHECK, "check": CHECK,
    "a": ALL_IN, "all-in": ALL_IN, "allin": ALL_IN, "all in": ALL_IN,
}  # fmt: skip
_LETTERS = {FOLD: "f", CALL: "c", CHECK: "x", ALL_IN: "a", RAISE: "r"}
_RAISE = re.compile(r"(?:r|raise|raise to)\s*(\d+(?:\.\d*)?|\.\d+)(?:\s*bb)?")
_STACK = re.compile(r"(\d+(?:\.\d*)?|\.\d+)bb")
_ACCEPTED = "use f (fold), x (check), c (call), r8 (raise to 8 bb) or a (all-in)"


class Move(NamedTuple):
    """One word of an action string."""

    player: int
    action: Action
    text: str


class ActionString(NamedTuple):
    """An action string: the stack in front of it, in big blinds, and its moves."""

    stack: float | None
    moves: list[Move]


def parse_move(text: str) -> Action:
    """What `r8`, `call`, `All-in`, ... means; chips of a raise filled in."""
    body = " ".join(text.lower().split())
    if body in _WORDS:
        return Action(_WORDS[body])
    if match := _RAISE.fullmatch(body):
        return Action(RAISE, chips(float(match[1]), "a raise"))
    if body in ("r", "raise", "raise to"):
        raise InputError(f"raise {text!r} has no size: say to how many big blinds, as in r8")
    raise InputError(f"unknown action {text!r}: {_ACCEPTED}")


def parse_action_string(text: str) -> ActionString:
    """The stack and moves in `50bb SBr2.5 BBr8 SBc`; whether they are legal is for `follow` to say."""
    words = text.replace(",", " ").split()
    stack = None
    if words and (match := _STACK.fullmatch(words[0].lower())):
        stack = float(match[1])
        words = words[1:]
    moves = []
    for word in words:
        position, rest = word[:2].upper(), word[2:]
        if position not in POSITIONS:
            if _STACK.fullmatch(word.lower()):
                raise InputError(f"stack {word!r} is not in front: write it before the first action")
            raise InputError(f"unknown position in {word!r}: begin each action with SB or BB, as in SBr2.5")
        if not rest:
            raise InputError(f"{word!r} has no action: {_ACCEPTED.replace('use ', f'add to {position} ')}")
        try:
            moves.append(Move(POSITIONS.index(position), parse_move(rest), word))
        except InputError as error:
            raise InputError(f"cannot read {word!r}: {error}") from None
    return ActionString(stack, moves)


def follow(game: Preflop, moves: list[Move]) -> list[Action]:
    """The moves in normal form; InputError names the first that is out of turn or not among the game's actions."""
    state, taken = game.start(), []
    for move in moves:
        if state.status != BETTING:
            raise InputError(f"{move.text!r} comes after the end: {ending(state)}")
        if move.player != state.player:
            raise InputError(f"{move.text!r} is out of turn: {POSITIONS[state.player]} is to act")
        try:
            action = chosen(game, state, move.action)
        except InputError as error:
            raise InputError(f"{move.text!r} is not possible: {error}") from None
        taken.append(action)
        state = state.act(action)
    return taken


def chosen(game: Preflop, state: BettingState, wanted: Action) -> Action:
    """The action of the game's menu that `wanted` is; InputError says why there is none, in big blinds."""
    menu = game.menu(state)
    for action in menu:
        if same_action(action, wanted):
            return action
    owed = state.to_call
    raises = [action for action in menu if action.kind in (RAISE, ALL_IN)]
    if wanted.kind == FOLD:
        raise InputError("there is no bet to fold to; check instead")
    if wanted.kind == CHECK:
        raise InputError(f"cannot check, there are {big_blinds(owed)} bb to call")
    if wanted.kind == CALL:
        raise InputError("this game has no limps: fold or raise" if owed else "there is no bet to call; check instead")
    if not raises:
        why = "the other player is all-in" if state.behind(1 - state.player) == 0 else "no more raises are allowed"
        raise InputError(f"cannot raise, {why}: fold or call")
    sizes = ", ".join(big_blinds(action.amount) for action in raises)
    if wanted.kind == ALL_IN:
        raise InputError(f"this game has no all-in here: use {sizes}")
    legal = state.legal()
    if wanted.amount < legal.smallest:
        why = f"the smallest raise is to {big_blinds(legal.smallest)} bb"
    elif wanted.amount > legal.largest:
        why = f"the stack is {big_blinds(legal.largest)} bb"
    else:
        why = "it is not one of this game's sizes"
    raise InputError(f"cannot raise to {big_blinds(wanted.amount)} bb, {why}: use {sizes}")


def ending(state: BettingState) -> str:
    """How betting ended."""
    if state.status == FOLDED:
        return f"{POSITIONS[state.folder]} folded"
    return "both are all-in" if state.all_in else "the pot is called and the flop comes"


def move_text(player: int, action: Action) -> str:
    """A word of an action string: 'SBr2.5'."""
    size = big_blinds(action.amount) if action.kind == RAISE else ""
    return POSITIONS[player] + _LETTERS[action.kind] + size


def action_name(action: Action) -> str:
    """An action as people read it: 'fold', 'raise to 2.5', 'all-in 100'."""
    words = {FOLD: "fold", CHECK: "check", CALL: "call", RAISE: "raise to", ALL_IN: "all-in"}
    sized = action.kind in (RAISE, ALL_IN)
    return f"{words[action.kind]} {big_blinds(action.amount)}" if sized else words[action.kind]


def node_lines(game: Preflop) -> list[str]:
    """The action string of every decision, '' for the first."""
    street = game.tree.streets[0]
    owner, lines = street.slot_owner(), [""] * street.nodes
    for node in range(street.nodes):
        slot = int(street.parent_slot[node])
        if slot != NO_PARENT:
            above = int(owner[slot])
            word = move_text(int(street.player[above]), Action(int(street.action[slot]), int(street.amount[slot])))
            lines[node] = f"{lines[above]} {word}".strip()
    return lines


def pot_text(state: BettingState) -> str:
    """The pot in big blinds."""
    return f"{state.pot / BIG_BLIND:.10g}"
