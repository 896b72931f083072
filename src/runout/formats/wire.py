"""Hands of heads-up no-limit hold'em as other programs send them over a wire: ACPC 2.0.0 and Slumbot.

ACPC: `MATCHSTATE:position:hand:betting:cards`; a raise is the total over the hand, position 0 the big blind.
Slumbot: `b200c/kk/kb400`; a bet is the total on the street, client_pos 0 the big blind.

Both are read by the rules of `games.betting`: what is not possible is refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from runout.cards.cards import card, card_name
from runout.errors import InputError
from runout.games.betting import (
    BET,
    CALL,
    CHECK,
    CLOSED,
    FOLD,
    RAISE,
    STREET_OVER,
    Action,
    BettingState,
    Rules,
    start,
)
from runout.games.points import BOARD_CARDS

VERSION = "VERSION:2.0.0"
_ACPC = re.compile(r"f|c|r\d+|/|(.)")
_SLUMBOT = re.compile(r"k|c|f|b\d+|/|(.)")


@dataclass(frozen=True)
class WireState:
    """What a message of an ACPC dealer says."""

    position: int  # of whoever gets it
    hand: int
    state: BettingState
    holes: tuple[tuple[int, ...], tuple[int, ...]]  # by position; empty where they are not shown
    board: tuple[int, ...]


def read_acpc(line: str, rules: Rules) -> WireState:
    """A message `MATCHSTATE:...`; InputError says what is wrong with it."""
    parts = line.strip().split(":")
    if len(parts) < 5 or parts[0] != "MATCHSTATE" or not parts[1].isdecimal() or not parts[2].isdecimal():
        raise InputError(f"{_short(line)} is no match state: MATCHSTATE:position:hand:betting:cards is expected")
    position = int(parts[1])
    if position not in (0, 1):
        raise InputError(f"position {position}: two players have 0 and 1")
    state = read_betting(parts[3], rules)
    holes, board = _cards(parts[4])
    shown = 5 if state.status == CLOSED else BOARD_CARDS[state.street]
    if len(board) != shown:
        raise InputError(f"{len(board)} board cards after {parts[3]!r}: there are {shown}")
    return WireState(position, int(parts[2]), state, holes, board)


def read_betting(text: str, rules: Rules, slumbot: bool = False) -> BettingState:
    """The betting of a hand, on the next street where one is over."""
    state, slashes, wanted = start(rules), 0, 0
    for match in (_SLUMBOT if slumbot else _ACPC).finditer(text):
        word = match.group()
        if match.group(1):
            raise InputError(f"unknown action {word!r} in {_short(text)}")
        if word == "/":
            slashes += 1
            continue
        if slashes != wanted:
            raise InputError(f"{_short(text)} has {slashes} streets before {word!r}: there are {wanted}")
        try:
            state = state.act(_action(state, word))
        except InputError as error:
            raise InputError(f"{word!r} in {_short(text)} is not possible: {error}") from None
        if state.status == STREET_OVER:
            state = state.next_street()
            wanted += 1
    if state.status == CLOSED:
        wanted = rules.last_street
    if slashes not in (wanted, wanted - (state.acted == 0)) and not (state.over and slashes <= wanted):
        raise InputError(f"{_short(text)} has {slashes} streets that are over: there are {wanted}")
    return state


def _action(state: BettingState, word: str) -> Action:
    if word == "f":
        return Action(FOLD)
    if word in ("c", "k"):
        if word == "k" and state.to_call:
            raise InputError(f"cannot check: there are {state.to_call} chips to call")
        return Action(CALL if state.to_call else CHECK)
    amount = int(word[1:])
    if word[0] == "r":  # over the whole hand
        amount -= state.spent[state.player] - state.bets[state.player]
    return Action(RAISE if state.facing else BET, amount)


def write_betting(state: BettingState, slumbot: bool = False) -> str:
    """The betting of a hand: ACPC's, or Slumbot's."""
    words: list[str] = []
    here = start(state.rules)
    for action in state.played:
        words.append(write_action(here, action, slumbot))
        here = here.play(action)
        if here.status == STREET_OVER:
            here = here.next_street()
            words.append("/")
    if here.status == CLOSED:
        words.append("/" * (state.rules.last_street - here.street))
    return "".join(words)


def write_action(state: BettingState, action: Action, slumbot: bool = False) -> str:
    """One action."""
    if action.kind == FOLD:
        return "f"
    if action.kind in (CHECK, CALL):
        return "k" if slumbot and action.kind == CHECK else "c"
    if slumbot:
        return f"b{action.amount}"
    return f"r{action.amount + state.spent[state.player] - state.bets[state.player]}"


def write_acpc(
    position: int, hand: int, state: BettingState, holes: Sequence[Sequence[int]], board: Sequence[int]
) -> str:
    """A message of a dealer; a hole that is not to be seen is empty."""
    return f"MATCHSTATE:{position}:{hand}:{write_betting(state)}:{write_cards(state, holes, board)}"


def write_cards(state: BettingState, holes: Sequence[Sequence[int]], board: Sequence[int]) -> str:
    """`9s8h|9c6h/8c8d5c/6s/2d`: holes by position, and the board as far as it lies open."""
    shown = 5 if state.status == CLOSED else BOARD_CARDS[state.street]
    text = "|".join("".join(map(card_name, hole)) for hole in holes)
    for first, last in ((0, 3), (3, 4), (4, 5)):
        if shown >= last:
            text += "/" + "".join(map(card_name, board[first:last]))
    return text


def _cards(text: str) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]:
    hole, *boards = text.split("/")
    holes = [_hand(part, 2) for part in hole.split("|")]
    if len(holes) != 2:
        raise InputError(f"{_short(text)} has cards of {len(holes)} players: two play")
    board: list[int] = []
    for number, part in enumerate(boards):
        board += _hand(part, 3 if number == 0 else 1)
    every = [*holes[0], *holes[1], *board]
    if len(set(every)) != len(every) or len(board) > 5:
        raise InputError(f"{_short(text)} has a card twice, or too many")
    return (holes[0], holes[1]), tuple(board)


def _hand(text: str, count: int) -> tuple[int, ...]:
    if len(text) not in (0, 2 * count):
        raise InputError(f"{_short(text)} are not {count} cards")
    return tuple(card(text[i : i + 2]) for i in range(0, len(text), 2))


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
