"""Hold'em of any number of streets as networks and the range engine share it: entries, columns, rows.

An *entry* is a way to enter a street. Below every entry of a street betting goes on alike, so a network is asked once
for a hand on a board and an entry, and answers for all of the player's actions there: one *column* for each line of the
street and slot. `rows` says which of them an entry has, and where the engine keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.games.betting import BETTING, NOBODY, STREET_OVER, BettingState
from runout.games.encoders import HoldemEncoder
from runout.games.holdem_batch import NO_SLOT, HoldemBatch
from runout.games.holdem_game import DEAL_CARDS, HoldemGame
from runout.games.tree import NO_PARENT, BettingTree
from runout.solvers.range_plan import storage_places

NO_ROW = -1


@dataclass(frozen=True, eq=False)
class StreetColumns:
    """The actions of one player on one street: E entries, C columns in D decisions."""

    rows: np.ndarray  # int64 [E, C]: row of the engine's storage, NO_ROW where the entry has no such action
    first: np.ndarray  # int64 [D + 1]: first column of each decision
    slot: np.ndarray  # int64 [C]
    of: dict[tuple[int, ...], tuple[int, int, int]]  # by slots that lead there: entry, decision, player

    @property
    def entries(self) -> int:
        return len(self.rows)

    @property
    def count(self) -> int:
        return int(self.rows.shape[1])

    @property
    def decision(self) -> np.ndarray:
        """int64 [C]: the decision of each column."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


@dataclass(frozen=True, eq=False)
class BoardPlan:
    """Columns by street and player, and what networks are shown of entries."""

    columns: tuple[tuple[StreetColumns, StreetColumns], ...]  # [street][player]
    shown: tuple[np.ndarray, ...]  # [street]: float32 [E, numbers], the betting that leads to each entry

    @classmethod
    def of(cls, game: HoldemGame, tree: BettingTree) -> BoardPlan:
        """Of a game and its tree."""
        columns, shown = [], []
        entries: list[tuple[BettingState, tuple[int, ...]]] = [(game.start(), ())]
        for street in range(len(tree.streets)):
            found, below = _street(game, tree, street, entries)
            columns.append(found)
            shown.append(_shown(game, [path for _, path in entries]))
            entries = below
        return cls(tuple(columns), tuple(shown))


def _street(
    game: HoldemGame, tree: BettingTree, index: int, entries: list[tuple[BettingState, tuple[int, ...]]]
) -> tuple[tuple[StreetColumns, StreetColumns], list[tuple[BettingState, tuple[int, ...]]]]:
    street, (places, _) = tree.streets[index], storage_places(tree.streets[index])
    at: dict[int, tuple[BettingState, tuple[int, ...], int]] = {}  # by node: state, slots of the whole line, entry
    lines: list[dict[tuple[int, ...], dict[int, dict[int, int]]]] = [{}, {}]  # player, line of the street, slot, entry
    of: dict[tuple[int, ...], tuple[int, int, int]] = {}
    width = len(street.entry_node) - 1
    below: dict[int, tuple[BettingState, tuple[int, ...]]] = {}
    for node in range(street.nodes):
        if street.player[node] == NOBODY:
            continue
        if street.parent_edge[node] == NO_PARENT:
            entry = street.entry_of(node)
            at[node] = (*entries[entry], entry)
        state, path, entry = at.pop(node)
        slots = {action: number for number, action in game.slots(state).items()}
        own, player = path[len(entries[entry][1]) :], int(street.player[node])
        of[path] = entry, 0, player
        for edge, action in enumerate(street.actions(node), int(street.first_edge[node])):
            slot = slots[action]
            lines[player].setdefault(own, {}).setdefault(slot, {})[entry] = int(places[edge])
            after = state.act(action)
            if after.status == STREET_OVER:
                below[int(street.child[edge])] = after.next_street(), (*path, slot)
            elif after.status == BETTING:
                at[int(street.child[edge])] = after, (*path, slot), entry
    made = []
    for player in range(2):
        rows, first, slot_of = [], [0], []
        number: dict[tuple[int, ...], int] = {}
        for line in sorted(lines[player], key=lambda one: (len(one), one)):
            number[line] = len(number)
            for slot in sorted(lines[player][line]):
                row = np.full(width, NO_ROW, np.int64)
                for entry, place in lines[player][line][slot].items():
                    row[entry] = place
                rows.append(row)
                slot_of.append(slot)
            first.append(len(rows))
        own_of = {
            path: (entry, number[path[len(entries[entry][1]) :]], who)
            for path, (entry, _, who) in of.items()
            if who == player
        }
        table = np.stack(rows, axis=1) if rows else np.zeros((width, 0), np.int64)
        made.append(StreetColumns(table, np.array(first, np.int64), np.array(slot_of, np.int64), own_of))
    nothing = (game.start(), ())  # of entries at which all chips are in: nobody acts there
    wide = len(tree.streets[index + 1].entry_node) - 1 if index + 1 < len(tree.streets) else 0
    return (made[0], made[1]), [below.get(entry, nothing) for entry in range(wide)]


def _shown(game: HoldemGame, paths: list[tuple[int, ...]]) -> np.ndarray:
    """float32 [entries, numbers]: as `HoldemEncoder` shows betting."""
    batch = HoldemBatch(game, np.tile(np.array(game.deck[:DEAL_CARDS], np.uint8), (len(paths), 1)))
    for place in range(max(map(len, paths))):
        batch.act(np.array([path[place] if place < len(path) else NO_SLOT for path in paths]))
    encoder = HoldemEncoder(game)
    going = np.flatnonzero(batch.hands["status"] == 0)
    numbers = np.zeros((len(paths), encoder.number_size), np.float32)
    if len(going):
        numbers[going] = encoder.encode_batch(batch.take(going)).numbers
    return numbers
