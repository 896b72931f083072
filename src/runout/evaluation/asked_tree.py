"""The betting tree of a game of hold'em, with a hand of the batched game standing at every decision.

So a policy can be asked about all decisions of a street at once. A street is cut into groups of entries, each numbered
from 0: first its decisions, then its terminals, then the ways on to the next street; every action leads to one number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from runout.cursors.mixtures import public_deal
from runout.games import tree as trees
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.tree import NO_PARENT, TO_CHANCE, TO_NODE, StreetTree


@dataclass(frozen=True, eq=False)
class Level:
    """Decisions of one player that are equally many actions away from their entries."""

    player: int
    nodes: np.ndarray  # int64 [n]: numbers in the group
    targets: tuple[np.ndarray, ...]  # for each slot of the game int64: where it leads, of the decisions that have it
    holders: tuple[np.ndarray, ...]  # for each slot int64: which of `nodes` have it


@dataclass(frozen=True, eq=False)
class Group:
    """Some entries of a street and all that is below them on that street."""

    entries: np.ndarray  # int64 [e]: numbers in the street
    roots: np.ndarray  # int64 [e]: the first decision of each, a number in the group
    batch: HoldemBatch  # a row a decision; cards mean nothing
    levels: list[Level]
    terminals: np.ndarray  # int64 [t]: numbers in the street
    onward: np.ndarray  # int64 [c]: entries of the next street

    @property
    def nodes(self) -> int:
        return len(self.batch)

    @property
    def size(self) -> int:
        """Decisions, terminals and ways on."""
        return self.nodes + len(self.terminals) + len(self.onward)


@dataclass(frozen=True, eq=False)
class AskedTree:
    """All streets of a game's betting."""

    game: HoldemGame
    streets: tuple[StreetTree, ...]
    batches: tuple[HoldemBatch, ...]  # by street, a row a decision

    def groups(self, street: int, most_nodes: int) -> Iterator[Group]:
        """The street in groups of whole entries, with at most this many decisions unless it is one entry."""
        tree = self.streets[street]
        first = 0
        while first < tree.entries:
            last = first + 1
            while last < tree.entries and tree.entry_node[last + 1] - tree.entry_node[first] <= most_nodes:
                last += 1
            yield _group(tree, self.batches[street], first, last)
            first = last

    def group(self, street: int, entry: int) -> Group:
        """One entry of a street; its root is decision 0."""
        return _group(self.streets[street], self.batches[street], entry, entry + 1)


def asked_tree(game: HoldemGame) -> AskedTree:
    """The betting tree of a game; an InputError where it is too large to be built."""
    tree = trees.build(game.start(), game.menu)
    entry = HoldemBatch(game, public_deal(game, ())[None])
    batches = []
    for street in tree.streets:
        rows = entry.take(np.zeros(street.nodes, np.int64))
        owner, depth = street.edge_owner(), _depths(street)
        roots = street.entry_node[:-1]
        rows.hands[roots], rows.added[roots] = entry.hands, entry.added
        for level in range(1, int(depth.max(initial=0)) + 1):
            nodes = np.flatnonzero(depth == level)
            edges = street.parent_edge[nodes]
            after = rows.take(owner[edges])
            after.act(_meaning(after, street, edges, owner[edges]))
            rows.hands[nodes], rows.added[nodes] = after.hands, after.added
        batches.append(rows)
        on = np.flatnonzero(street.child_kind == TO_CHANCE)
        on = on[np.argsort(street.child[on])]
        entry = rows.take(owner[on])
        entry.act(_meaning(entry, street, on, owner[on]))
    return AskedTree(game, tree.streets, tuple(batches))


def _meaning(batch: HoldemBatch, street: StreetTree, edges: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """int64 [n]: the slot of the game that each edge of the tree stands for; rows of the batch stand at `nodes`."""
    place = edges - street.first_edge[nodes]  # the how-manieth legal action
    return np.asarray(np.argmax(np.cumsum(batch.legal(), axis=1) == place[:, None] + 1, axis=1))


def _depths(street: StreetTree) -> np.ndarray:
    owner, depth = street.edge_owner(), np.zeros(street.nodes, np.int64)
    for node, edge in enumerate(street.parent_edge):  # a parent comes before its children
        if edge != NO_PARENT:
            depth[node] = depth[owner[edge]] + 1
    return depth


def _group(street: StreetTree, batch: HoldemBatch, first: int, last: int) -> Group:
    begin, end = int(street.entry_node[first]), int(street.entry_node[last])
    rows = batch.take(np.arange(begin, end))
    edges = np.arange(street.first_edge[begin], street.first_edge[end])
    kind, child = street.child_kind[edges], street.child[edges].astype(np.int64)
    ends, on = (kind != TO_NODE) & (kind != TO_CHANCE), kind == TO_CHANCE
    target = child - begin
    target[ends] = end - begin + np.arange(ends.sum())
    target[on] = end - begin + ends.sum() + np.arange(on.sum())
    owner = street.edge_owner()[edges] - begin
    meaning = _meaning(rows.take(owner), street, edges, owner + begin)
    depth, player = _depths(street)[begin:end], street.player[begin:end]
    levels = []
    for level in range(int(depth.max(initial=-1)) + 1):
        for side in range(2):
            nodes = np.flatnonzero((depth == level) & (player == side))
            if len(nodes):
                levels.append(_level(side, nodes, owner, target, meaning, batch.rules.slots))
    entries = np.arange(first, last)
    return Group(entries, street.entry_node[first:last].astype(np.int64) - begin, rows, levels, child[ends], child[on])


def _level(
    player: int, nodes: np.ndarray, owner: np.ndarray, target: np.ndarray, meaning: np.ndarray, slots: int
) -> Level:
    mine = np.isin(owner, nodes)
    own, to, what = np.searchsorted(nodes, owner[mine]), target[mine], meaning[mine]
    return Level(
        player,
        nodes,
        tuple(to[what == slot] for slot in range(slots)),
        tuple(own[what == slot] for slot in range(slots)),
    )
