"""How often lines are played, over all cards that can come.

1. The reach of both players goes down the actions of every solved board, from the first street on.
2. A line is played as often as pairs of hands get there, of all pairs that can be dealt; a board counts as often as the
   cards that it stands for come.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.errors import InputError
from runout.games.tree import NO_PARENT, TO_CHANCE
from runout.solvers.range_lines import LineSource

_HOLDS = np.zeros((COMBOS, 52))
_HOLDS[np.arange(COMBOS)[:, None], COMBO_CARDS] = 1.0


def line_frequency(source: LineSource, line: str) -> float:
    """How often a line is played, over all cards; '' is 1. InputError where the line is not in the tree."""
    tree = source.game.tree
    path, wanted = tree.path(line), [np.zeros(street.edges, bool) for street in tree.streets]
    for street, edge in path:
        wanted[street][edge] = True
    return float(line_frequencies(source, wanted)[path[-1][0]][path[-1][1]]) if path else 1.0


def line_frequencies(source: LineSource, wanted: Sequence[np.ndarray] | None = None) -> list[np.ndarray]:
    """float64 [edges] for each street: how often each action is taken from the start on, over all cards.

    wanted: bool [edges] for each street, which actions to follow; all of them by default. The others are 0.
    """
    trees = source.game.tree.streets
    chosen = [np.ones(tree.edges, bool) for tree in trees] if wanted is None else wanted
    if any(part.any() for part in chosen[source.streets :]):
        raise InputError("this solution was saved without its last street, so its lines cannot be counted")
    found = [np.zeros(tree.edges) for tree in trees]
    waiting = [(0, 0, 1.0, {0: source.game.weights})]  # street, board, its chance, reach by entry
    while waiting:
        street, board, chance, entries = waiting.pop()
        after: dict[int, np.ndarray] = {}
        for entry, reach in entries.items():
            _count(source, street, board, entry, reach, chosen[street], chance, found[street], after)
        if not after or street + 1 >= source.streets or not chosen[street + 1].any():
            continue
        below = source.game.boards[street + 1]
        for child in np.flatnonzero(below.parent == board).tolist():
            dealt = below.cards[child, source.game.boards[street].cards.shape[1] :]
            free = ~np.isin(COMBO_CARDS, dealt).any(axis=1)
            reaches = {entry: np.where(free, reach, 0.0) for entry, reach in after.items()}
            copies = int(below.copies[child])
            deals = round(copies / float(below.tables.weight[child]))  # the weight is a float32 of copies / deals
            waiting.append((street + 1, child, chance * copies / deals, reaches))
    return [part / source.game.deals for part in found]


def _count(
    source: LineSource,
    street: int,
    board: int,
    entry: int,
    reach: np.ndarray,
    wanted: np.ndarray,
    chance: float,
    found: np.ndarray,
    after: dict[int, np.ndarray],
) -> None:
    """Add the actions below one entry on one board to `found`; `after` gets the reach of entries of the next street."""
    tree, table = source.game.tree.streets[street], source.game.boards[street].tables
    hands = [table.combos(player, board) for player in range(2)]
    reached: dict[int, np.ndarray] = {}  # by edge
    for node in range(int(tree.entry_node[entry]), int(tree.entry_node[entry + 1])):
        parent = int(tree.parent_edge[node])
        here = reach if parent == NO_PARENT else reached.get(parent)
        edges = range(int(tree.first_edge[node]), int(tree.first_edge[node + 1]))
        if here is None or not wanted[edges.start : edges.stop].any():
            continue
        player, rows = int(tree.player[node]), source.strategy(street, board, node)
        for edge, row in zip(edges, rows, strict=True):
            if wanted[edge]:
                mine = np.zeros(COMBOS)
                mine[hands[player]] = here[player, hands[player]] * row
                reached[edge] = np.stack([mine, here[1]] if player == 0 else [here[0], mine])
                if tree.child_kind[edge] == TO_CHANCE:
                    after[int(tree.child[edge])] = reached[edge]
    if reached:
        found[list(reached)] += chance * _pair_weights(np.stack(list(reached.values())))


def _pair_weights(reach: np.ndarray) -> np.ndarray:
    """float64 [n]: the weight of all pairs of hands that can meet; reach float64 [n, 2, 1326]."""
    by_card, totals = reach @ _HOLDS, reach.sum(axis=2)
    same = (reach[:, 0] * reach[:, 1]).sum(axis=1)  # taken off twice
    pairs = totals[:, 0] * totals[:, 1] - (by_card[:, 0] * by_card[:, 1]).sum(axis=1) + same
    return np.asarray(np.maximum(pairs, 0.0))
