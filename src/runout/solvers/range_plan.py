"""From a betting tree to the sweep's plan: which row each node and action reads and writes, for one updating player.

The opponent's reach changes only where he acts, so a line has a reach row for its entry and one for each of his actions;
several terminals share a row (the player folds, or calls). Rows that end in a terminal come first, as lanes: showdowns,
then those that end in both, then folds. The last street is cut into groups of entries whose rows stay in the cache.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runout.games.tree import NO_PARENT, TO_CHANCE, TO_FOLD, TO_NODE, TO_RUNOUT, TO_SHOWDOWN, StreetTree
from runout.kernels.showdown import LANES
from runout.kernels.sweep import Plan

Rake = Callable[[float], float]  # chips taken from a pot


def make_plan(
    tree: StreetTree,
    player: int,
    before: tuple[StreetTree, Plan] | None,
    starting_pot: int,
    rake: Rake,
    group_rows: int | None,
) -> Plan:
    """The plan of a street; `before` is the street before it, `group_rows` how many reach rows a group should have."""
    owner = tree.slot_owner()
    theirs = tree.player[owner] != player  # [S]
    groups = _groups(tree, theirs, group_rows)
    node_key, slot_key = _reach_keys(tree, owner, theirs)
    plan = _Rows(tree, groups, node_key, slot_key, theirs)
    values = _values(tree, plan, groups)
    scales = _scales(tree, plan, player, owner, starting_pot, rake)
    return Plan(
        group_entry=np.array(groups, np.int32),
        entry_node=tree.entry_node.astype(np.int32),
        entry_row=plan.row[: tree.entries],
        parent_row=_parent_rows(tree, before),
        mine=(tree.player == player).astype(np.uint8),
        first_slot=tree.first_slot.astype(np.int32),
        node_row=plan.row[node_key],
        slot_row=plan.row[slot_key],
        slot_store=_storage_rows(tree)[0],
        show_end=plan.show_end,
        fold_first=plan.fold_first,
        fold_end=plan.fold_end,
        lane_first=plan.lane_first,
        scales=scales,
        **values,
    )


def storage_rows(tree: StreetTree) -> tuple[int, int]:
    """How many rows (actions) each player has on a street."""
    return _storage_rows(tree)[1]


def _storage_rows(tree: StreetTree) -> tuple[np.ndarray, tuple[int, int]]:
    who = tree.player[tree.slot_owner()]
    rows = np.zeros(tree.slots, np.int32)
    totals = []
    for player in range(2):
        mine = who == player
        rows[mine] = np.arange(mine.sum())
        totals.append(int(mine.sum()))
    return rows, (totals[0], totals[1])


def _groups(tree: StreetTree, theirs: np.ndarray, group_rows: int | None) -> list[int]:
    """Boundaries of the groups of entries."""
    if group_rows is None:
        return [0, tree.entries]
    bounds, rows = [0], 0
    for entry in range(tree.entries):
        first, last = tree.first_slot[tree.entry_node[entry]], tree.first_slot[tree.entry_node[entry + 1]]
        own = 1 + int(theirs[first:last].sum())
        if rows and rows + own > group_rows:
            bounds.append(entry)
            rows = 0
        rows += own
    return [*bounds, tree.entries]


def _reach_keys(tree: StreetTree, owner: np.ndarray, theirs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A number for the reach row in force at each node and after each slot: entries first, then slots."""
    node_key = np.zeros(tree.nodes, np.int64)
    slot_key = np.zeros(tree.slots, np.int64)
    for entry in range(tree.entries):
        for node in range(tree.entry_node[entry], tree.entry_node[entry + 1]):  # a parent comes before its children
            parent = tree.parent_slot[node]
            node_key[node] = entry if parent == NO_PARENT else slot_key[parent]
            for slot in range(tree.first_slot[node], tree.first_slot[node + 1]):
                slot_key[slot] = tree.entries + slot if theirs[slot] else node_key[node]
    return node_key, slot_key


class _Rows:
    """Numbers of the reach rows within their groups, and the lanes among them."""

    def __init__(
        self, tree: StreetTree, groups: list[int], node_key: np.ndarray, slot_key: np.ndarray, theirs: np.ndarray
    ) -> None:
        keys = tree.entries + tree.slots
        show, fold = np.zeros(keys, bool), np.zeros(keys, bool)
        show[slot_key[np.isin(tree.child_kind, (TO_SHOWDOWN, TO_RUNOUT))]] = True
        fold[slot_key[tree.child_kind == TO_FOLD]] = True
        used = np.concatenate([np.ones(tree.entries, bool), theirs])
        entry_of = np.repeat(np.arange(tree.entries), np.diff(tree.first_slot[tree.entry_node]))
        entry = np.concatenate([np.arange(tree.entries), entry_of])
        kind = np.where(show & ~fold, 0, np.where(show, 1, np.where(fold, 2, 3)))  # the order of rows in a group
        self.row = np.full(keys, -1, np.int32)
        self.group = np.searchsorted(groups, entry, side="right") - 1  # [keys]
        count = len(groups) - 1
        self.show_end, self.fold_first, self.fold_end = (np.zeros(count, np.int32) for _ in range(3))
        self.rows = np.zeros(count, np.int32)
        for group in range(count):
            members = np.flatnonzero(used & (self.group == group))
            members = members[np.argsort(kind[members], kind="stable")]
            self.row[members] = np.arange(len(members))
            sizes = np.bincount(kind[members], minlength=4)
            self.show_end[group] = sizes[0] + sizes[1]
            self.fold_first[group] = sizes[0]
            self.fold_end[group] = sizes[0] + sizes[1] + sizes[2]
            self.rows[group] = len(members)
        lanes = _rounded(np.maximum(self.show_end, self.fold_end))
        self.lane_first = np.concatenate([[0], np.cumsum(lanes)]).astype(np.int32)
        self.slot_key = slot_key


def _values(tree: StreetTree, plan: _Rows, groups: list[int]) -> dict[str, np.ndarray]:
    """Value rows within a group: nodes, showdown lanes, fold lanes, entries of the next street."""
    count = len(groups) - 1
    show_value, fold_value = np.zeros(count, np.int32), np.zeros(count, np.int32)
    node_value, slot_value = np.zeros(tree.nodes, np.int32), np.zeros(tree.slots, np.int32)
    chance_value = 0
    for group in range(count):
        first, last = tree.entry_node[groups[group]], tree.entry_node[groups[group + 1]]
        node_value[first:last] = np.arange(last - first)
        show_value[group] = last - first
        folds = show_value[group] + _rounded(plan.show_end[group])
        fold_value[group] = folds - plan.fold_first[group] // LANES * LANES
        chance_value = int(fold_value[group] + _rounded(plan.fold_end[group]))
        for slot in range(tree.first_slot[first], tree.first_slot[last]):
            kind, child, lane = tree.child_kind[slot], tree.child[slot], plan.row[plan.slot_key[slot]]
            slot_value[slot] = (
                node_value[child]
                if kind == TO_NODE
                else chance_value + child
                if kind == TO_CHANCE
                else fold_value[group] + lane
                if kind == TO_FOLD
                else show_value[group] + lane
            )
    return {
        "node_value": node_value,
        "slot_value": slot_value,
        "show_value": show_value,
        "fold_value": fold_value,
        "chance_value": np.array([chance_value], np.int32),
    }


def _scales(tree: StreetTree, plan: _Rows, player: int, owner: np.ndarray, starting_pot: int, rake: Rake) -> np.ndarray:
    """What a lane is worth, as the gain over half of the starting pot: (win - lose, met at showdown, met at a fold)."""
    lanes = int(plan.lane_first[-1])
    scales = np.zeros((3, lanes), np.float32)
    for slot in np.flatnonzero((tree.child_kind != TO_NODE) & (tree.child_kind != TO_CHANCE)):
        key = plan.slot_key[slot]
        lane = plan.lane_first[plan.group[key]] + plan.row[key]
        matched = starting_pot + 2 * int(tree.contribution[tree.child[slot]].min())
        taken = rake(matched)
        if tree.child_kind[slot] == TO_FOLD:
            folder = tree.terminal_folder[tree.child[slot]]
            scales[2, lane] = -matched / 2 if folder == player else matched / 2 - taken
        else:  # win: half the pot less rake; lose: half the pot; tie: half the rake
            scales[0, lane] = (matched - taken) / 2
            scales[1, lane] = -taken / 2
    return scales.ravel()


def _parent_rows(tree: StreetTree, before: tuple[StreetTree, Plan] | None) -> np.ndarray:
    rows = np.zeros(tree.entries, np.int32)
    if before is not None:
        street, plan = before
        slots = np.flatnonzero(street.child_kind == TO_CHANCE)
        rows[street.child[slots]] = plan.slot_row[slots]
    return rows


def _rounded(size):  # type: ignore[no-untyped-def]
    return (size + LANES - 1) // LANES * LANES


def scratch_rows(plan: Plan, next_entries: int) -> tuple[int, int]:
    """Reach rows and value rows that a group needs at most."""
    groups = len(plan.show_end)
    reach = values = 0
    for group in range(groups):
        first, last = plan.group_entry[group], plan.group_entry[group + 1]
        nodes = slice(plan.entry_node[first], plan.entry_node[last])
        slots = slice(plan.first_slot[nodes.start], plan.first_slot[nodes.stop])
        lanes = int(plan.lane_first[group + 1] - plan.lane_first[group])
        used = [lanes - 1, *plan.slot_row[slots], *plan.entry_row[first:last]]
        reach = max(reach, int(max(used)) + 1)
        values = max(values, int(plan.fold_value[group]) + _rounded(int(plan.fold_end[group])) + next_entries)
    return reach, values
