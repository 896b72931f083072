"""TexasSolver's result files: JSON with the strategy of every hand at every node of the first streets.

A decision has `actions`, `childrens` by action, `player` (1 is out of position) and `strategy`; a deal has `dealcards`.
Amounts are chips that the action adds. Nodes that end the hand are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from runout import files
from runout.cards.cards import card_name
from runout.errors import InputError
from runout.explorers.ranges import RangeExplorer
from runout.games.betting import CALL, CHECK, FOLD, Action, BettingState
from runout.games.points import CHANCE, DECISION, Point

_WORDS = {CHECK: "CHECK", CALL: "CALL", FOLD: "FOLD"}
_DIGITS = 6


def write_texas_result(explorer: RangeExplorer, path: str | Path, rounds: int) -> None:
    """Write the first `rounds` streets; every turn card is a subtree, so that two or more take much room."""
    if rounds < 1:
        raise InputError(f"{rounds} rounds to dump: use 1 (the first street) or more")
    with files.replacing(Path(path)) as file:
        for part in _node(explorer, explorer.lines.root, rounds):
            file.write(part)
        file.write("\n")


def action_text(action: Action, state: BettingState) -> str:
    """'CHECK', 'BET 94.000000', 'RAISE 282.000000'."""
    if action.kind in _WORDS:
        return _WORDS[action.kind]
    added = action.amount - state.bets[state.player]
    return f"{'RAISE' if state.facing else 'BET'} {added:.6f}"


def _node(explorer: RangeExplorer, point: Point, rounds: int) -> Iterator[str]:
    """The JSON of a node in parts."""
    if point.kind == CHANCE:
        yield from _chance(explorer, point, rounds)
        return
    order = sorted(range(len(point.menu)), key=lambda number: point.menu[number].kind == FOLD)  # folds come last
    names = [action_text(point.menu[number], point.state) for number in order]
    yield f'{{"actions":{json.dumps(names)},"player":{1 - point.state.player},'
    below = [(name, _after(explorer, point, number)) for name, number in zip(names, order, strict=True)]
    shown = [(name, child) for name, child in below if _is_shown(child, rounds)]
    if shown:
        yield '"childrens":{'
        for place, (name, child) in enumerate(shown):
            yield f"{',' if place else ''}{json.dumps(name)}:"
            yield from _node(explorer, child, rounds)
        yield "},"
    hands = explorer.playing(point.line)
    rows = hands.strategy[order].T.round(_DIGITS).tolist()
    strategy = {"actions": names, "strategy": dict(zip(hands.names, rows, strict=True))}
    yield f'"strategy":{json.dumps(strategy, separators=(",", ":"))},"node_type":"action_node"}}'


def _chance(explorer: RangeExplorer, point: Point, rounds: int) -> Iterator[str]:
    cards = [card_name(card) for card in explorer.lines.deck if card not in point.board]
    yield '{"dealcards":{'
    for place, card in enumerate(cards):
        yield f'{"," if place else ""}"{card}":'
        yield from _node(explorer, explorer.lines.deal(point, card), rounds - 1)
    yield f'}},"deal_number":{len(cards)},"node_type":"chance_node"}}'


def _after(explorer: RangeExplorer, point: Point, number: int) -> Point:
    return explorer.lines.play(point, explorer.lines.token(point, number))


def _is_shown(point: Point, rounds: int) -> bool:
    return point.kind == DECISION or (point.kind == CHANCE and rounds > 1)
