"""The betting tree for people: how large each street is, and the lines as far as they fit on a screen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from runout.app.matrix import action_colors
from runout.app.words import title
from runout.cursors.colors import hex_color
from runout.errors import InputError
from runout.games.betting import ACTION_NAMES, STREET_NAMES, Action
from runout.games.lines import action_name
from runout.games.tree import TO_CHANCE, TO_FOLD, TO_NODE, TO_RUNOUT, BettingTree, LineEnd

ROWS = 60  # as many rows of lines as a tall terminal shows


def show_tree(tree: BettingTree, line: str = "", rows: int = ROWS) -> RenderableType:
    """Counts by street, then the lines below `line`, as many actions deep as `rows` rows allow."""
    return Group(counts_table(tree), Text(), lines_below(tree, line, rows))


def counts_table(tree: BettingTree) -> Table:
    """One row per street and, where there are several, one for all."""
    table = Table(title="Betting tree", title_justify="left", box=None, pad_edge=False)
    table.add_column("street")
    columns = {"entries": "ways in", "nodes": "decisions", "actions": "actions", "folds": "folds"}
    columns |= {"showdowns": "showdowns", "runouts": "all-in run-outs"}
    for heading in columns.values():
        table.add_column(heading, justify="right")
    rows = tree.counts()
    for row in rows:
        table.add_row(str(row["street"]), *(f"{row[key]:,}" for key in columns))
    if len(rows) > 1:
        table.add_row("all", *(f"{sum(int(row[key]) for row in rows):,}" for key in columns), style="bold")
    return table


def lines_below(tree: BettingTree, line: str = "", rows: int = ROWS) -> Tree:
    """The lines below `line` as a tree; what does not fit is counted."""
    start = tree.find(line)
    if start.kind == TO_CHANCE:
        start = _next_street(tree, start)
    if start.kind != TO_NODE:
        raise InputError(f"the hand is over after line {line!r}: there is nothing below it")
    below = _decisions_below(tree)
    depth = 1
    while (
        depth < 100 and (more := _rows(tree, start, depth + 1, rows)) <= rows and more > _rows(tree, start, depth, rows)
    ):
        depth += 1
    drawn = Tree(_node_label(tree, start))
    _draw(tree, start, depth, below, drawn)
    return drawn


def _draw(tree: BettingTree, place: LineEnd, depth: int, below: list[np.ndarray], branch: Tree) -> None:
    children = list(_children(tree, place))
    colors = action_colors([ACTION_NAMES[action.kind] for action, _ in children])
    for (action, child), color in zip(children, colors, strict=True):
        label = Text(action_name(action), style=hex_color(color))
        if child.kind == TO_CHANCE:
            child = _next_street(tree, child)
            label.append(f"  {_street_label(tree, child)}", style="dim")
        elif child.kind == TO_RUNOUT:
            label.append("  all-in, board run out", style="dim")
        elif child.kind not in (TO_NODE, TO_FOLD):
            label.append("  showdown", style="dim")
        if child.kind == TO_NODE and depth == 1:
            count = int(below[child.street][child.index])
            label.append(f"  … {count:,} decision{'s' * (count != 1)}", style="dim")
        grown = branch.add(label)
        if child.kind == TO_NODE and depth > 1:
            _draw(tree, child, depth - 1, below, grown)


def _rows(tree: BettingTree, place: LineEnd, depth: int, enough: int) -> int:
    """Rows that `_draw` would add; stops counting a little after `enough`."""
    total = 0
    for _, child in _children(tree, place):
        total += 1
        if depth > 1 and child.kind in (TO_NODE, TO_CHANCE) and total <= enough:
            inner = _next_street(tree, child) if child.kind == TO_CHANCE else child
            total += _rows(tree, inner, depth - 1, enough - total)
    return total


def _children(tree: BettingTree, place: LineEnd) -> Iterator[tuple[Action, LineEnd]]:
    street = tree.streets[place.street]
    for edge, action in enumerate(street.actions(place.index), int(street.first_edge[place.index])):
        yield action, LineEnd(place.street, int(street.child_kind[edge]), int(street.child[edge]))


def _next_street(tree: BettingTree, place: LineEnd) -> LineEnd:
    """The first decision after the deal that `place` stands for."""
    return LineEnd(place.street + 1, TO_NODE, int(tree.streets[place.street + 1].entry_node[place.index]))


def _node_label(tree: BettingTree, place: LineEnd) -> Text:
    street = tree.streets[place.street]
    label = Text(title(tree.wording.players[street.player[place.index]]), style="bold")
    return label.append(f"  {_street_label(tree, place)}", style="dim")


def _street_label(tree: BettingTree, place: LineEnd) -> str:
    street = tree.streets[place.street]
    entry = street.entry_of(place.index)
    return f"{STREET_NAMES[street.street]}: pot {street.entry_pot[entry]:,}, {street.entry_stack[entry]:,} behind"


def _decisions_below(tree: BettingTree) -> list[np.ndarray]:
    """For each street int64 [N]: decisions in the subtree of a node, itself included, later streets too."""
    counts: list[np.ndarray] = [np.zeros(0, dtype=np.int64)] * len(tree.streets)
    for index in range(len(tree.streets) - 1, -1, -1):
        street = tree.streets[index]
        count = np.ones(street.nodes, dtype=np.int64)
        owner = street.edge_owner()
        for edge in np.flatnonzero(street.child_kind == TO_CHANCE):
            entry_root = tree.streets[index + 1].entry_node[street.child[edge]]
            count[owner[edge]] += counts[index + 1][entry_root]
        for node in range(street.nodes - 1, -1, -1):  # children come after their parent
            edge = street.parent_edge[node]
            if edge >= 0:
                count[owner[edge]] += count[node]
        counts[index] = count
    return counts
