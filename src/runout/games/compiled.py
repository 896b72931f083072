"""A game as flat arrays, made once: every solver, best response and sampler works on this record and never on states.

Nodes are in level order: the root is node 0, the children of a node are neighbours, and every level is a slice.
Information sets and sequences are numbered for each player by depth and number of actions: `runout.kernels.tabular`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from runout.games.check import require_valid
from runout.games.protocol import CHANCE, TERMINAL, AnyGame
from runout.kernels.tabular import Side

NO_PARENT = -1
NO_INFOSET = -1
EMPTY_SEQUENCE = 0  # of each player: nothing played yet


@dataclass(frozen=True, slots=True)
class InfoSet:
    """What a player knows at a decision."""

    key: str
    text: str  # for people
    player: int
    actions: tuple[str, ...]
    sequences: np.ndarray  # int64 [actions]: where its actions are in arrays of shape [sequences]


@dataclass(frozen=True, eq=False, repr=False)
class CompiledGame:
    """Flat arrays of one game; shapes beside each field."""

    name: str
    ante: float
    player: np.ndarray  # int8 [nodes]: 0, 1, CHANCE or TERMINAL
    parent: np.ndarray  # int32 [nodes]; NO_PARENT at the root
    first_child: np.ndarray  # int32 [nodes]
    children: np.ndarray  # int32 [nodes]: how many
    chance: np.ndarray  # float64 [nodes]: probability of the step to this node if chance made it, else 1
    chance_reach: np.ndarray  # float64 [nodes]: product of `chance` from the root
    payoff: np.ndarray  # float64 [nodes]: chips to player 0 at terminals, else 0
    infoset: np.ndarray  # int32 [nodes]; NO_INFOSET where no player acts
    sequence: np.ndarray  # int32 [2, nodes]: last sequence of each player on the way, in that player's numbering
    levels: np.ndarray  # int32 [levels + 1]: first node of each level
    infosets: tuple[InfoSet, ...]  # player 0's first, each player's in the order of its groups
    infoset_start: tuple[int, int, int]  # first information set of each player, and the end
    sequence_start: tuple[int, int, int]  # likewise in arrays of shape [sequences]; the first is EMPTY_SEQUENCE
    sides: tuple[Side, Side]

    def __repr__(self) -> str:
        return f"CompiledGame({self.name}, {len(self.player):,} nodes, {len(self.infosets):,} information sets)"

    @property
    def sequences(self) -> int:
        return self.sequence_start[2]

    def part(self, array: np.ndarray, player: int) -> np.ndarray:
        """View of one player's part of an array of shape [sequences]."""
        return array[self.sequence_start[player] : self.sequence_start[player + 1]]

    @cached_property
    def by_key(self) -> dict[str, InfoSet]:
        return {infoset.key: infoset for infoset in self.infosets}

    @cached_property
    def fingerprint(self) -> str:
        """Equal for games with the same tree, payoffs and information sets."""
        digest = hashlib.sha256()
        for array in (self.player, self.parent, self.chance, self.payoff, self.infoset):
            digest.update(np.ascontiguousarray(array).tobytes())
        for infoset in self.infosets:
            digest.update(repr((infoset.key, infoset.actions)).encode())
        return digest.hexdigest()


def compile_game(game: AnyGame | CompiledGame, check: bool = True) -> CompiledGame:
    """Turn a game of your own into flat arrays that solvers run on; a game with mistakes is refused with the reason."""
    if isinstance(game, CompiledGame):
        return game
    if check:
        require_valid(game)
    return _Builder(game).build()


class _Set(NamedTuple):
    """An information set as it is found."""

    key: str
    text: str
    player: int
    actions: tuple[str, ...]
    parent: int  # set at which its player acted last, in order of discovery; NO_INFOSET where none
    parent_action: int


class _Builder:
    """Walks the game level by level, then numbers information sets and sequences."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.player: list[int] = []
        self.parent: list[int] = []
        self.number: list[int] = []  # which child of its parent a node is
        self.children: list[int] = []
        self.chance: list[float] = []
        self.payoff: list[float] = []
        self.found: list[int] = []  # [nodes]: information set in order of discovery
        self.levels: list[int] = [0]
        self.index: dict[str, int] = {}  # key -> information set in order of discovery
        self.sets: list[_Set] = []

    def build(self) -> CompiledGame:
        self._walk()
        player = np.array(self.player, np.int8)
        parent = np.array(self.parent, np.int32)
        children = np.array(self.children, np.int32)
        first_child = np.zeros(len(player), np.int32)
        first_child[children > 0] = 1 + np.unique(parent[1:], return_index=True)[1]
        numbering = _number(self.sets)
        found = np.array(self.found, np.int32)
        infoset = numbering.position[found]
        chance = np.array(self.chance)
        chance_reach, sequence = self._carried_down(player, parent, chance, found, numbering.local)
        payoff = np.array(self.payoff)
        ends = player == TERMINAL
        cells = chance_reach[ends] * payoff[ends]
        sides = tuple(
            Side(*numbering.sides[p], *_payoff_matrix(sequence[p, ends], sequence[1 - p, ends], cells * (1 - 2 * p)))
            for p in range(2)
        )
        return CompiledGame(
            name=self.game.name,
            ante=float(self.game.ante),
            player=player,
            parent=parent,
            first_child=first_child,
            children=children,
            chance=chance,
            chance_reach=chance_reach,
            payoff=payoff,
            infoset=infoset,
            sequence=sequence,
            levels=np.array(self.levels, np.int32),
            infosets=numbering.infosets,
            infoset_start=numbering.infoset_start,
            sequence_start=numbering.sequence_start,
            sides=(sides[0], sides[1]),
        )

    def _carried_down(
        self, player: np.ndarray, parent: np.ndarray, chance: np.ndarray, found: np.ndarray, local: list[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Reach of chance [nodes] and last sequence of each player [2, nodes], level by level."""
        reach = chance.copy()
        sequence = np.full((2, len(player)), EMPTY_SEQUENCE, np.int32)
        first = np.array([numbers[0] for numbers in local], np.int32)
        stride = np.array([numbers[1] - numbers[0] if len(numbers) > 1 else 0 for numbers in local], np.int32)
        number = np.array(self.number, np.int32)
        for start, end in pairwise(self.levels[1:]):
            above = parent[start:end]
            reach[start:end] *= reach[above]
            sequence[:, start:end] = sequence[:, above]
            for p in range(2):
                acted = player[above] == p
                infoset = found[above[acted]]
                sequence[p, start:end][acted] = first[infoset] + stride[infoset] * number[start:end][acted]
        return reach, sequence

    def _walk(self) -> None:
        Pending = tuple[Any, int, int, float, tuple[tuple[int, int], tuple[int, int]]]
        none = (NO_INFOSET, 0)
        level: list[Pending] = [(self.game.root(), NO_PARENT, 0, 1.0, (none, none))]
        while level:
            following: list[Pending] = []
            for state, parent, number, odds, last in level:
                node = len(self.player)
                player = self.game.player(state)
                actions = () if player == TERMINAL else tuple(self.game.actions(state))
                weights: Sequence[float] = self.game.chance(state) if player == CHANCE else (1.0,) * len(actions)
                self.player.append(player)
                self.parent.append(parent)
                self.number.append(number)
                self.chance.append(odds)
                self.children.append(len(actions))
                self.payoff.append(float(self.game.returns(state)[0]) if player == TERMINAL else 0.0)
                found = self._infoset(state, player, actions, last) if player >= 0 else NO_INFOSET
                self.found.append(found)
                for i, action in enumerate(actions):
                    after = last
                    if player >= 0:
                        after = ((found, i), last[1]) if player == 0 else (last[0], (found, i))
                    following.append((self.game.next(state, action), node, i, float(weights[i]), after))
            self.levels.append(len(self.player))
            level = following

    def _infoset(
        self, state: Any, player: int, actions: tuple[str, ...], last: tuple[tuple[int, int], tuple[int, int]]
    ) -> int:
        key = self.game.infoset(state)
        if key not in self.index:
            self.index[key] = len(self.sets)
            self.sets.append(_Set(key, self.game.describe(state), player, actions, *last[player]))
        return self.index[key]


@dataclass(frozen=True, slots=True)
class _Numbering:
    infosets: tuple[InfoSet, ...]
    position: np.ndarray  # int32 [sets in order of discovery + 1]: index in `infosets`; NO_INFOSET at the end
    local: list[np.ndarray]  # for each set in order of discovery its player's own sequence numbers
    sides: tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]  # groups, parents
    infoset_start: tuple[int, int, int]
    sequence_start: tuple[int, int, int]


def _number(sets: list[_Set]) -> _Numbering:
    """Number the sets of each player by (depth, actions, discovery) and their sequences group by group."""
    depth: list[int] = []
    for found in sets:
        depth.append(0 if found.parent == NO_INFOSET else depth[found.parent] + 1)

    def kind(i: int) -> tuple[int, int]:
        return depth[i], len(sets[i].actions)

    ordered: list[InfoSet] = []
    position = np.full(len(sets) + 1, NO_INFOSET, np.int32)  # the last place is that of NO_INFOSET
    local: list[np.ndarray] = [np.zeros(0, np.int64)] * len(sets)
    sides, starts, offset = [], [0], [0]
    for player in range(2):
        mine = sorted((i for i in range(len(sets)) if sets[i].player == player), key=lambda i: (kind(i), i))
        groups: list[list[int]] = []
        start = EMPTY_SEQUENCE + 1
        for (_, actions), members in groupby(mine, key=kind):
            group = list(members)
            groups.append([len(ordered) - starts[-1], len(group), start, actions])
            for place, i in enumerate(group):
                local[i] = start + place + len(group) * np.arange(actions)
                position[i] = len(ordered)
                ordered.append(InfoSet(sets[i].key, sets[i].text, player, sets[i].actions, offset[-1] + local[i]))
            start += len(group) * actions
        parents = [
            EMPTY_SEQUENCE if sets[i].parent == NO_INFOSET else local[sets[i].parent][sets[i].parent_action]
            for i in mine
        ]
        sides.append((np.array(groups, np.uint64).reshape(-1, 4), np.array(parents, np.uint32)))
        starts.append(len(ordered))
        offset.append(offset[-1] + start)
    return _Numbering(
        tuple(ordered), position, local, (sides[0], sides[1]), (0, starts[1], starts[2]), (0, offset[1], offset[2])
    )


# A block of the payoff matrix costs about as much to start as this many cells; rows are padded where that is cheaper.
BLOCK_COST = 24


def _payoff_matrix(
    own: np.ndarray, other: np.ndarray, cells: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Blocks of rows of nearly equal length, each stored column by column: the last four fields of a Side."""
    width = int(other.max()) + 1
    pairs, where = np.unique(own.astype(np.int64) * width + other, return_inverse=True)
    totals = np.bincount(where, weights=cells, minlength=len(pairs))
    pairs, totals = pairs[totals != 0], totals[totals != 0]
    row, column = pairs // width, pairs % width
    rows, first, lengths = np.unique(row, return_index=True, return_counts=True)
    order = np.lexsort((rows, -lengths))
    buckets, columns, payoffs, cell, start = [], [], [], 0, 0
    while start < len(order):
        longest = lengths[order[start]]
        padding = np.cumsum(longest - lengths[order[start:]])
        end = start + int(np.searchsorted(padding, BLOCK_COST, side="right"))
        block = order[start:end]
        grid = np.arange(longest)[:, None]
        filled = grid < lengths[block]
        source = np.where(filled, first[block] + grid, 0)
        columns.append(np.where(filled, column[source], 0).ravel())
        payoffs.append(np.where(filled, totals[source], 0.0).ravel())
        buckets.append([start, end - start, int(longest), cell])
        cell += filled.size
        start = end
    return (
        np.array(buckets, np.uint64).reshape(-1, 4),
        rows[order].astype(np.uint32),
        np.concatenate([*columns, np.zeros(0)]).astype(np.uint32),
        np.concatenate([*payoffs, np.zeros(0)]),
    )
