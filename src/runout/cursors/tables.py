"""Nodes hand by hand, as CSV and as JSON: one form for every kind of solution."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

import numpy as np

from runout.cursors.cells import cells
from runout.cursors.view import DECISION, Explorer, HandsView, NodeView, extended, hands_of

FOLD = "fold"  # ends the hand: nothing is below it
DIGITS = 7  # significant ones: as many as a float32 has


def decisions_below(explorer: Explorer, line: str) -> Iterator[NodeView]:
    """The decision at `line` and those below it on the same street, parents first; nothing where nobody acts."""
    start = explorer.at(line)
    waiting = [start]
    while waiting:
        view = waiting.pop()
        if view.kind == DECISION and view.board == start.board:
            yield view
            waiting += [
                explorer.at(extended(view, action.token)) for action in reversed(view.actions) if action.kind != FOLD
            ]


def acting_first(view: NodeView) -> list[HandsView]:
    """The hands of a view, those of the player to act first."""
    return sorted(view.hands, key=lambda hands: hands.player != view.player)


def hand_columns(view: NodeView, hands: HandsView, names: Sequence[str]) -> dict[str, Sequence[str] | np.ndarray]:
    """A table of hands by column: what each is worth, then how often it takes each of the actions `names`, then its EV
    after each. NaN where a number is not known or the action is not to be had."""
    missing = np.full(len(hands.names), np.nan)
    columns: dict[str, Sequence[str] | np.ndarray] = {
        "hand": hands.names,
        "combos": hands.combos,
        "reach": hands.weight,
        "ev": hands.ev,
        "equity": hands.equity,
        "eqr": hands.eqr,
    }
    for start, rows in (("", hands.strategy), ("ev ", hands.action_evs)):
        by_name = dict(zip((action.name for action in view.actions), rows, strict=False))  # none for who waits
        columns |= {start + name: by_name.get(name, missing) for name in names}
    return columns


def hand_words(hands: HandsView) -> dict[str, list[str]]:
    """Columns with what hands are: 'top pair', 'top kicker; flush draw'; empty before the flop."""
    nothing = [""] * len(hands.names)
    return {"category": hands.categories or nothing, "labels": ["; ".join(own) for own in hands.labels] or nothing}


def write_csv(file: TextIO, tables: Iterable[tuple[NodeView, HandsView]]) -> None:
    """A row for each hand of each table; a cell is empty where a number is not known or an action is not to be had."""
    tables = list(tables)
    names = list(dict.fromkeys(action.name for view, _ in tables for action in view.actions))
    kinds = ["category", "labels"] if any(hands.categories for _, hands in tables) else []
    writer = csv.writer(file, lineterminator="\n")
    for number, (view, hands) in enumerate(tables):
        columns = hand_columns(view, hands, names)
        if number == 0:
            writer.writerow(["line", "board", "pot", "player", *columns, *kinds])
        where = [view.line, " ".join(view.board), _text(view.pot), hands.player]
        cells = [[_text(x) for x in one.tolist()] if isinstance(one, np.ndarray) else one for one in columns.values()]
        words = list(hand_words(hands).values()) if kinds else []
        writer.writerows([*where, *row] for row in zip(*cells, *words, strict=True))


def node_record(view: NodeView) -> dict[str, Any]:
    """A node as plain data that JSON can hold: None where a number is not known."""
    return {
        "line": view.line,
        "kind": view.kind,
        "board": list(view.board),
        "pot": _number(view.pot),
        "unit": view.unit,
        "player": view.player,
        "resolved": view.resolved,
        "actions": [action.name for action in view.actions],
        "frequencies": [_number(action.frequency) for action in view.actions],
        "ev": _numbers(view.evs),
        "equity": _numbers(view.equities),
        "notes": list(view.notes),
        **{hands.player: _hands_record(hands) for hands in acting_first(view)},
    }


def class_record(view: NodeView) -> dict[str, Any]:
    """A decision by classes: {"player", "actions", "frequencies", "hands": {class: frequency of each action}}."""
    found = cells(view, hands_of(view, str(view.player)))
    mixes = zip(found.names, found.strategy.T.tolist(), strict=True)
    return {
        "player": view.player,
        "actions": [action.name for action in view.actions],
        "frequencies": [action.frequency for action in view.actions],
        "hands": {name: [round(x, 9) for x in mix] for name, mix in mixes if mix[0] == mix[0]},  # NaN: not in the deck
    }


def percents_of_hands(view: NodeView) -> list[float]:
    """The part of all hands, each counted once, that takes each action of a node, in percent."""
    hands = hands_of(view, str(view.player))
    taken = np.nan_to_num(hands.strategy) * hands.weight
    return [float(share) for share in taken @ hands.combos / hands.combos.sum() * 100]


def _hands_record(hands: HandsView) -> dict[str, Any]:
    found: dict[str, Any] = {
        "hands": hands.names,
        "combos": _numbers(hands.combos),
        "reach": _numbers(hands.weight),
        "ev": _numbers(hands.ev),
        "equity": _numbers(hands.equity),
    }
    if len(hands.strategy):
        found["strategy"] = [_numbers(row) for row in hands.strategy]
        found["action_evs"] = [_numbers(row) for row in hands.action_evs]
    return found


def _text(x: float) -> str:
    return "" if x != x else f"{round(x, 9):.{DIGITS}g}"  # noise of rounding is 0


def _number(x: float) -> float | None:
    return None if x != x else float(_text(x))


def _numbers(column: Sequence[float] | np.ndarray | None) -> list[float | None]:
    return [] if column is None else [_number(float(x)) for x in column]
