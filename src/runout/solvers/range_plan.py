"""From a betting tree to the sweep's plan: which row each node and action reads and writes, for one updating player.

The opponent's reach changes only where the opponent acts, so a line has a reach row for its entry and one for each such
action; several terminals share a row (the player folds, or calls). Rows that end in a terminal come first, as lanes:
showdowns, then those that end in both, then folds. The last street is cut into groups of entries whose rows stay in
the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runout.games.tree import NO_PARENT, TO_CHANCE, TO_FOLD, TO_NODE, TO_RUNOUT, TO_SHOWDOWN, StreetTree
from runout.kernels.showdown import BLOCK
from runout.kernels.tables import (
    CHANCE_VALUE,
    EDGE_ROW,
    EDGE_STORE,
    EDGE_VALUE,
    ENTRY_ROW,
    FIRST_EDGE,
    FIRST_ENTRY,
    FIRST_LANE,
    FIRST_NODE,
    FOLD_END,
    FOLD_FIRST,
    FOLD_VALUE,
    LANES,
    MINE,
    NEXT_ENTRIES,
    NOBODYS,
    NODE_ROW,
    NODE_VALUE,
    OWN,
    PARENT_ROW,
    SHOW_END,
    SHOW_VALUE,
    THEIRS,
    StreetPlan,
)

Rake = Callable[[float], float]  # chips taken from a pot


def make_plan(
    tree: StreetTree,
    player: int,
    before: tuple[StreetTree, StreetPlan] | None,
    starting_pot: int,
    rake: Rake,
    bounds: list[int],
) -> StreetPlan:
    """The plan of a street; `before` is the street before it, `bounds` where its groups of entries begin and end."""
    owner = tree.edge_owner()
    theirs = tree.player[owner] == 1 - player  # [S]
    node_key, edge_key = _reach_keys(tree, theirs)
    rows = _Rows(tree, bounds, edge_key, theirs)
    nodes = np.zeros((tree.nodes + 1, 5), np.int32)
    nodes[:, FIRST_EDGE] = tree.first_edge
    nodes[:-1, MINE] = np.select([tree.player == player, tree.player == 1 - player], [OWN, THEIRS], NOBODYS)
    nodes[:-1, NODE_ROW] = rows.row[node_key]
    edges = np.zeros((tree.edges, 3), np.int32)
    edges[:, EDGE_ROW] = rows.row[edge_key]
    edges[:, EDGE_STORE] = storage_places(tree)[0]
    entries = np.zeros((tree.entries + 1, 3), np.int32)
    entries[:, FIRST_NODE] = tree.entry_node
    entries[:-1, ENTRY_ROW] = rows.row[: tree.entries]
    entries[:-1, PARENT_ROW] = _parent_rows(tree, before)
    _number_values(tree, rows, nodes, edges)
    return StreetPlan(nodes, edges, entries, rows.groups, _scales(tree, rows, player, starting_pot, rake))


def storage_rows(tree: StreetTree) -> tuple[int, int]:
    """How many rows (actions) each player has on a street."""
    return storage_places(tree)[1]


def storage_places(tree: StreetTree) -> tuple[np.ndarray, tuple[int, int]]:
    """int32 [S]: the row of each action among those of its player, and how many rows each player has."""
    who = tree.player[tree.edge_owner()]
    rows = np.zeros(tree.edges, np.int32)
    totals = []
    for player in range(2):
        mine = who == player
        rows[mine] = np.arange(mine.sum())
        totals.append(int(mine.sum()))
    return rows, (totals[0], totals[1])


def group_bounds(tree: StreetTree, most_rows: int) -> list[int]:
    """Where to cut the entries of a last street, for both players alike, so that a group has at most this many rows."""
    bounds, rows = [0], np.zeros(2, np.int64)
    who = tree.player[tree.edge_owner()]
    for entry in range(tree.entries):
        first, last = tree.first_edge[tree.entry_node[entry : entry + 2]]
        own = 1 + np.array([(who[first:last] == player).sum() for player in range(2)])
        if rows.any() and (rows + own).max() > most_rows:
            bounds.append(entry)
            rows[:] = 0
        rows += own
    return [*bounds, tree.entries]


def _reach_keys(tree: StreetTree, theirs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A number for the reach row in force at each node and after each edge: entries first, then edges."""
    node_key = np.zeros(tree.nodes, np.int64)
    edge_key = np.zeros(tree.edges, np.int64)
    for entry in range(tree.entries):
        for node in range(tree.entry_node[entry], tree.entry_node[entry + 1]):  # a parent comes before its children
            parent = tree.parent_edge[node]
            node_key[node] = entry if parent == NO_PARENT else edge_key[parent]
            for edge in range(tree.first_edge[node], tree.first_edge[node + 1]):
                edge_key[edge] = tree.entries + edge if theirs[edge] else node_key[node]
    return node_key, edge_key


class _Rows:
    """Numbers of the reach rows within their groups, and the lanes among them."""

    def __init__(self, tree: StreetTree, bounds: list[int], edge_key: np.ndarray, theirs: np.ndarray) -> None:
        keys = tree.entries + tree.edges
        show, fold = np.zeros(keys, bool), np.zeros(keys, bool)
        show[edge_key[np.isin(tree.child_kind, (TO_SHOWDOWN, TO_RUNOUT))]] = True
        fold[edge_key[tree.child_kind == TO_FOLD]] = True
        used = np.concatenate([np.ones(tree.entries, bool), theirs])
        entry_of = np.repeat(np.arange(tree.entries), np.diff(tree.first_edge[tree.entry_node]))
        entry = np.concatenate([np.arange(tree.entries), entry_of])
        kind = np.where(show & ~fold, 0, np.where(show, 1, np.where(fold, 2, 3)))  # the order of rows in a group
        self.edge_key = edge_key
        self.row = np.full(keys, -1, np.int32)
        self.group = np.searchsorted(bounds, entry, side="right") - 1  # [keys]
        self.groups = np.zeros((len(bounds), 9), np.int32)
        self.groups[:, FIRST_ENTRY] = bounds
        self.groups[:, NEXT_ENTRIES] = (tree.child_kind == TO_CHANCE).sum()
        for group in range(len(bounds) - 1):
            members = np.flatnonzero(used & (self.group == group))
            members = members[np.argsort(kind[members], kind="stable")]
            self.row[members] = np.arange(len(members))
            sizes = np.bincount(kind[members], minlength=4)
            places = self.groups[group]
            places[SHOW_END], places[FOLD_FIRST] = sizes[0] + sizes[1], sizes[0]
            places[FOLD_END] = sizes[:3].sum()
            self.groups[group + 1, FIRST_LANE] = places[FIRST_LANE] + _rounded(sizes[:3].sum(), BLOCK)
            nodes = int(tree.entry_node[bounds[group + 1]] - tree.entry_node[bounds[group]])
            places[SHOW_VALUE] = nodes  # value rows: nodes, showdown lanes, fold lanes, entries of the next street
            places[FOLD_VALUE] = nodes + _rounded(places[SHOW_END]) - places[FOLD_FIRST] // LANES * LANES
            places[CHANCE_VALUE] = places[FOLD_VALUE] + _rounded(places[FOLD_END])


def _number_values(tree: StreetTree, rows: _Rows, nodes: np.ndarray, edges: np.ndarray) -> None:
    """Value rows of nodes and of what follows each action."""
    owner = tree.edge_owner()
    first = tree.entry_node[rows.groups[:-1, FIRST_ENTRY]]  # first node of each group
    nodes[:-1, NODE_VALUE] = np.arange(tree.nodes) - np.repeat(first, np.diff([*first, tree.nodes]))
    lane = rows.row[rows.edge_key]
    places = rows.groups[rows.group[tree.entries + np.arange(tree.edges)]]  # [S, 9]
    at_node = nodes[np.where(tree.child_kind == TO_NODE, tree.child, owner), NODE_VALUE]
    kinds = [tree.child_kind == TO_NODE, tree.child_kind == TO_CHANCE, tree.child_kind == TO_FOLD]
    choices = [at_node, places[:, CHANCE_VALUE] + tree.child, places[:, FOLD_VALUE] + lane]
    edges[:, EDGE_VALUE] = np.select(kinds, choices, places[:, SHOW_VALUE] + lane)


def _scales(tree: StreetTree, rows: _Rows, player: int, starting_pot: int, rake: Rake) -> np.ndarray:
    """What a lane is worth, as the gain over half of the starting pot: (win - lose, met at showdown, met at a fold)."""
    lanes = int(rows.groups[-1, FIRST_LANE])
    scales = np.zeros((3, lanes), np.float32)
    for edge in np.flatnonzero((tree.child_kind != TO_NODE) & (tree.child_kind != TO_CHANCE)):
        key = rows.edge_key[edge]
        lane = rows.groups[rows.group[key], FIRST_LANE] + rows.row[key]
        matched = starting_pot + 2 * int(tree.contribution[tree.child[edge]].min())
        taken = rake(matched)
        if tree.child_kind[edge] == TO_FOLD:
            folder = tree.terminal_folder[tree.child[edge]]
            scales[2, lane] = -matched / 2 if folder == player else matched / 2 - taken
        else:  # win: half the pot less rake; lose: half the pot; tie: half the rake
            scales[0, lane] = (matched - taken) / 2
            scales[1, lane] = -taken / 2
    return scales.ravel()


def _parent_rows(tree: StreetTree, before: tuple[StreetTree, StreetPlan] | None) -> np.ndarray:
    rows = np.zeros(tree.entries, np.int32)
    if before is not None:
        street, plan = before
        edges = np.flatnonzero(street.child_kind == TO_CHANCE)
        rows[street.child[edges]] = plan.edges[edges, EDGE_ROW]
    return rows


def _rounded(size: Any, unit: int = LANES) -> Any:
    return (size + unit - 1) // unit * unit


def scratch_rows(plan: StreetPlan, next_entries: int) -> tuple[int, int]:
    """Reach rows and value rows that a group needs at most."""
    reach = values = 0
    for group in range(plan.group_count):
        places, after = plan.groups[group], plan.groups[group + 1]
        entries = plan.entries[places[FIRST_ENTRY] : after[FIRST_ENTRY]]
        nodes = slice(plan.entries[places[FIRST_ENTRY], FIRST_NODE], plan.entries[after[FIRST_ENTRY], FIRST_NODE])
        edges = plan.edges[plan.nodes[nodes.start, FIRST_EDGE] : plan.nodes[nodes.stop, FIRST_EDGE]]
        last = max(edges[:, EDGE_ROW].max(initial=-1), entries[:, ENTRY_ROW].max(initial=-1))
        reach = max(reach, int(last) + 1, int(after[FIRST_LANE] - places[FIRST_LANE]))
        values = max(values, int(places[CHANCE_VALUE]) + next_entries)
    return reach, values
