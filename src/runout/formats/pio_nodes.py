"""PioSOLVER's names of nodes and lines: `r:0:c:b50:c:8h`, and the numbers of `add_line`.

A node is `r` (the start), `r:0` (the first decision), then actions and cards: `c` check or call, `f` fold, `bN` bet or
raise, where N is all that the player has put in since the start. A line is a node without its cards. The numbers of
`add_line` are what the acting player has put in after each action, all streets in one list: `12 12 12 31` is bet 12,
call, then on the turn check and a bet of 19 more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from runout.errors import InputError
from runout.games.betting import (
    ALL_IN,
    BET,
    BETTING,
    CALL,
    CHECK,
    FOLD,
    RAISE,
    STREET_OVER,
    Action,
    BettingState,
    Offered,
)
from runout.games.lines import IN_CHIPS
from runout.games.points import CHANCE, DECISION, HoldemLines, Point
from runout.games.tree import NO_PARENT, BettingTree

ROOT = "r"
FIRST = "r:0"
_CARD = re.compile(r"[2-9TJQKA][cdhs]", re.IGNORECASE)
_ACCEPTED = "use r, r:0, then c, f, bN and cards, as in r:0:c:b50:c:8h"


def word(action: Action, state: BettingState) -> str:
    """What an action adds to the name of the node at which betting stands at `state`."""
    if action.kind == FOLD:
        return "f"
    if action.kind in (CHECK, CALL):
        return "c"
    return f"b{total(action, state)}"


def total(action: Action, state: BettingState) -> int:
    """Chips that the player to act will have put in since the start."""
    return state.spent[state.player] - state.bets[state.player] + action.amount


def node_name(point: Point) -> str:
    """The name of a node; `r:0` for the first decision."""
    words = [FIRST]
    for before, after in pairwise(point.path):
        if after.number >= 0:
            words.append(word(before.menu[after.number], before.state))
        else:
            words += after.dealt[-1].split()
    return ":".join(words)


def point_at(lines: HoldemLines, name: str) -> Point:
    """The point that a name leads to, `r` and `r:0` both to the first decision; InputError says what is wrong."""
    head, *words = name.strip().split(":")
    if head != ROOT or (words and words[0] != "0"):
        raise InputError(f"unknown node {name!r}: {_ACCEPTED}")
    point = lines.root
    for given in words[1:]:
        point = _followed(lines, point, given, name)
    return point


def _followed(lines: HoldemLines, point: Point, given: str, name: str) -> Point:
    if point.kind == CHANCE:
        if not _CARD.fullmatch(given):
            raise InputError(f"no node {name!r}: a card comes where it has {given!r}")
        return lines.deal(point, given[0].upper() + given[1].lower())
    offered = [word(action, point.state) for action in point.menu]
    if point.kind != DECISION or given not in offered:
        there = f"there are {', '.join(offered)}" if offered else "the hand is over before it"
        raise InputError(f"no node {name!r}: it has {given!r} where {there}")
    return lines.play(point, lines.token(point, offered.index(given)))


def line_numbers(name: str) -> list[int]:
    """The numbers of `add_line` for a line or node: 'r:0:c:b50:c' is 0, 50, 50; folds and cards add nothing."""
    head, *words = name.strip().split(":")
    if head != ROOT or (words and words[0] != "0"):
        raise InputError(f"unknown line {name!r}: {_ACCEPTED}")
    found: list[int] = []
    for given in words[1:]:
        if given == "c":
            found.append(max(found, default=0))
        elif re.fullmatch(r"b\d{1,15}", given):
            found.append(int(given[1:]))
        elif given != "f" and not _CARD.fullmatch(given):
            raise InputError(f"cannot read {given!r} in line {name!r}: {_ACCEPTED}")
    return found


def steps(start: BettingState, numbers: Sequence[int]) -> Iterator[tuple[BettingState, Action]]:
    """The decisions of a line in numbers, with what is done at each; InputError names a bad number."""
    state = start
    for place, number in enumerate(numbers):
        if state.status == STREET_OVER:
            state = state.next_street()
        if state.status != BETTING:
            raise InputError(f"line {_shown(numbers)} goes on after the end: take off all from number {place + 1} on")
        level = max(state.spent)
        if number < level:
            raise InputError(f"line {_shown(numbers)} has {number} where {level} are in already: use {level} or more")
        if number == level:
            action = Action(CALL if state.to_call else CHECK)
        else:
            player = state.player
            amount = number - state.spent[player] + state.bets[player]
            action = Action(RAISE if state.facing else BET, amount)
        try:
            action = state.verify(action)
        except InputError as error:
            raise InputError(f"line {_shown(numbers)}, number {place + 1}: {error}") from None
        yield state, action
        state = state.play(action)


def line_text(start: BettingState, numbers: Sequence[int]) -> str:
    """The line in numbers as Runout writes it, with '?' for cards, up to its last bet or raise; '' without one."""
    found: list[tuple[int, str, bool]] = []
    for state, action in steps(start, numbers):
        larger = action.kind in (BET, RAISE, ALL_IN)
        found.append((state.street - start.street, IN_CHIPS.token(action, state.street, state.player), larger))
    while found and not found[-1][2]:
        found.pop()
    if not found:
        return ""
    streets: list[list[str]] = [[] for _ in range(found[-1][0] + 1)]
    for street, token, _ in found:
        streets[street].append(token)
    return IN_CHIPS.join(streets)


def tree_numbers(start: BettingState, menu: Offered) -> list[list[int]]:
    """The fewest lines in numbers that make a tree: every bet and raise is on one of them, in depth-first order.

    A tree of checks has none.
    """
    made: list[list[int]] = []
    longer: set[int] = set()  # lines that another one begins with
    waiting: list[tuple[BettingState, tuple[int, ...], int]] = [(start, (), -1)]
    while waiting:
        state, before, last = waiting.pop()
        if state.status == STREET_OVER:
            state = state.next_street()
        below = []
        for action in menu(state):
            if action.kind == FOLD:
                continue
            numbers, newest = (*before, total(action, state)), last
            if action.kind in (BET, RAISE, ALL_IN):
                longer.add(last)
                newest = len(made)
                made.append(list(numbers))
            after = state.play(action)
            if not after.over:
                below.append((after, numbers, newest))
        waiting.extend(reversed(below))
    return [numbers for place, numbers in enumerate(made) if place not in longer]


def betting_by_lines(start: BettingState, lines: Iterable[Sequence[int]]) -> list[str]:
    """Lines in numbers as the `lines` of a spot's betting; those without a bet or raise add nothing to a tree."""
    texts = (line_text(start, numbers) for numbers in lines)
    return list(dict.fromkeys(text for text in texts if text))


def edge_names(tree: BettingTree) -> list[list[str]]:
    """For each street, the line that ends with each of its actions; a line stands behind all that it begins with."""
    found: list[list[str]] = []
    for index, street in enumerate(tree.streets):
        names = [""] * street.edges
        for entry in range(street.entries):
            first = FIRST if not index else found[-1][street.entry_edge[entry]]
            before = tree.stack - int(street.entry_stack[entry])
            for node in range(int(street.entry_node[entry]), int(street.entry_node[entry + 1])):
                parent = int(street.parent_edge[node])
                here = first if parent == NO_PARENT else names[parent]
                for edge in range(int(street.first_edge[node]), int(street.first_edge[node + 1])):
                    kind = int(street.action[edge])
                    last = "f" if kind == FOLD else "c" if kind in (CHECK, CALL) else f"b{before + street.amount[edge]}"
                    names[edge] = f"{here}:{last}"
        found.append(names)
    return found


def _shown(numbers: Sequence[int]) -> str:
    return " ".join(str(number) for number in numbers[:12]) + (" …" if len(numbers) > 12 else "")


def forced(
    start: BettingState, lines: Iterable[Sequence[int]], kept: Iterable[Sequence[int]]
) -> tuple[list[str], list[dict[str, Any]]]:
    """What makes the lines `kept` the only ones where they go: lines to remove from the tree of all `lines`, and locks.

    At a decision of a kept line the other bets and raises go; where it bets and could check, a lock takes the check
    away. Folds and calls stay: a bet can always be answered.
    """
    tree: dict[str, set[int]] = {}  # bets and raises of all lines by the line before
    for numbers in lines:
        for before, state, action in _with_texts(start, numbers):
            if action.kind in (BET, RAISE, ALL_IN):
                tree.setdefault(before, set()).add(total(action, state))
    wanted: dict[str, tuple[BettingState, set[Action]]] = {}
    for numbers in kept:
        for before, state, action in _with_texts(start, numbers):
            wanted.setdefault(before, (state, set()))[1].add(action)
    removed: list[str] = []
    locks: list[dict[str, Any]] = []
    for before, (state, actions) in wanted.items():
        bets = {total(action, state): action for action in actions if action.kind in (BET, RAISE, ALL_IN)}
        own = state.spent[state.player] - state.bets[state.player]
        for number in sorted(tree.get(before, set()) - set(bets)):
            larger = state.verify(Action(RAISE if state.facing else BET, number - own))
            removed.append(_joined(before, IN_CHIPS.token(larger, state.street, state.player)))
        if not state.to_call and len(bets) == len(actions) == 1:
            token = IN_CHIPS.token(next(iter(actions)), state.street, state.player)
            locks.append({"line": before, "strategy": {token: 1.0}})
    return removed, locks


def _with_texts(start: BettingState, numbers: Sequence[int]) -> Iterator[tuple[str, BettingState, Action]]:
    """The decisions of a line, each with its address in Runout's words."""
    text, street = "", start.street
    for state, action in steps(start, numbers):
        if state.street != street:
            text, street = f"{text}|?", state.street
        yield text, state, action
        text = _joined(text, IN_CHIPS.token(action, state.street, state.player))


def _joined(before: str, token: str) -> str:
    if before.endswith("?"):
        return f"{before}|{token}"
    return f"{before}-{token}" if before else token
