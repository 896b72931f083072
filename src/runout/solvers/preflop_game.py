"""A game before the flop as arrays: its lines, and what its ends pay by class against class.

`weights[i, j]` is the probability that two players are dealt classes i and j, every pair of combos that shares no card
counted once. For an opponent whose reach of a line is r [169], the ends of that line are worth to each of our classes

    base * (r @ weights) + share * (r @ (weights * shares))

and all lines together are one matrix product for each table of shares. Units are big blinds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from runout import memory
from runout.cards.equity169 import equity_table, pair_table
from runout.cards.hands import CLASSES
from runout.cards.ranges import Range
from runout.errors import InputError
from runout.games.betting import FOLD, IP
from runout.games.preflop import BIG_BLIND, Preflop
from runout.games.tree import TO_NODE, StreetTree
from runout.kernels.preflop import Ends, Lines
from runout.solvers.preflop_leaves import Leaf, LeafModel, leaf_model

SEAT = "SB"  # as long as every seat's name, which stands before an action
_RAISE_TO = re.compile(r"r\d*\.?\d+")


class Block(NamedTuple):
    """A matrix product: `reach rows of the opponent` [rows] times `matrix` gives rows of the products."""

    rows: np.ndarray  # int64 [R]: which of the opponent's reach rows
    matrix: np.ndarray  # float64 [169 of the opponent, 169 own]


@dataclass(frozen=True, eq=False)
class PreflopGame:
    """What a solver of any backend needs."""

    settings: Preflop
    leaf: str  # name of the leaf model
    street: StreetTree
    lines: Lines
    rows: tuple[int, int]  # reach rows of each player
    blocks: tuple[list[Block], list[Block]]  # to each player, in the order of the products
    ends: tuple[Ends, Ends]  # to each player
    weights: np.ndarray  # float64 [169, 169]: odds of the deals, sums to one
    tables: dict[str, np.ndarray]  # line of each called pot that sees a flop -> the leaf model's shares
    given: np.ndarray  # bool [nodes, 169]: classes whose strategy is locked; empty where none is
    locked: np.ndarray  # float64 [edges, 169]: that strategy

    @property
    def edges(self) -> int:
        return self.street.edges

    @property
    def nodes(self) -> int:
        return self.street.nodes

    @classmethod
    def of(cls, settings: Preflop, model: LeafModel | None = None) -> PreflopGame:
        """The arrays of a game; `model` replaces the leaf model that the settings name."""
        chosen = leaf_model(settings) if model is None else model
        street = settings.tree().streets[0]
        lines, rows = _lines(street)
        weights = pair_table() / pair_table().sum()
        shares, tables = _shares(settings, street, chosen)
        parts = [_payoffs(settings, street, lines, weights, shares, player) for player in (0, 1)]
        blocks, ends = (parts[0][0], parts[1][0]), (parts[0][1], parts[1][1])
        given, locked = _locks(settings, street)
        return cls(settings, chosen.name, street, lines, rows, blocks, ends, weights, tables, given, locked)

    def keep_locks(self, strategy: np.ndarray) -> np.ndarray:
        """The strategy float64 [edges, 169] with what is locked in its place, changed where it stands."""
        if len(self.given):
            of_edges = self.given[self.street.edge_owner()]
            strategy[of_edges] = self.locked[of_edges]
        return strategy


def require_memory(game: PreflopGame, available: int | None = None) -> None:
    """Refuse a game whose solver does not fit in this machine's memory."""
    advice = "give fewer or larger raise_sizes, or cap raises with max_bets"
    memory.require(needed_bytes(game), f"{game.edges:,} actions before the flop need", advice, available)


def needed_bytes(game: PreflopGame) -> int:
    """What solving a game takes in memory."""
    rows = 9 * game.edges + 2 * game.nodes + sum(game.rows)  # tables, their copies when saving, values, products
    return rows * CLASSES * 8


def _lines(street: StreetTree) -> tuple[Lines, tuple[int, int]]:
    owner = street.edge_owner()
    child = np.where(street.child_kind == TO_NODE, street.child, -1 - street.child).astype(np.int32)
    row = np.zeros(street.edges, np.int32)
    rows = [1, 1]
    for edge in range(street.edges):
        player = street.player[owner[edge]]
        row[edge] = rows[player]
        rows[player] += 1
    node_row = np.zeros((2, street.nodes), np.int32)
    for node in range(1, street.nodes):
        edge = street.parent_edge[node]
        node_row[:, node] = node_row[:, owner[edge]]
        node_row[street.player[owner[edge]], node] = row[edge]
    return Lines(street.player, street.first_edge, child, row, node_row), (rows[0], rows[1])


def _locks(settings: Preflop, street: StreetTree) -> tuple[np.ndarray, np.ndarray]:
    if not settings.locks:
        return np.zeros((0, CLASSES), bool), np.zeros((0, CLASSES))
    tree = settings.tree()
    given, locked = np.zeros((street.nodes, CLASSES), bool), np.zeros((street.edges, CLASSES))
    for lock in settings.locks:
        node = tree.node(lock.line)[1]
        first, last = int(street.first_edge[node]), int(street.first_edge[node + 1])
        words = [tree.line_after(0, edge).split()[-1][len(SEAT) :] for edge in range(first, last)]
        held = Range(lock.hands).classes > 0
        if (given[node] & held).any():
            raise InputError(f"two locks give hands of {lock.hands} a strategy at {lock.line or 'the start'!r}")
        given[node] |= held
        for word, share in lock.strategy.items():
            asked = f"r{float(word[1:]):g}" if _RAISE_TO.fullmatch(word) else word
            if asked not in words:
                raise InputError(f"lock {lock.line or 'the start'!r}: no action {word!r} there: use {', '.join(words)}")
            locked[first + words.index(asked), held] += share
    return given, locked


def called_leaves(settings: Preflop) -> dict[int, Leaf]:
    """By terminal: the pots that are called with chips behind, in the order of the tree's actions."""
    street, stack = settings.tree().streets[0], settings.tree().stack
    found = {}
    for edge in np.flatnonzero(street.child_kind != TO_NODE):
        end = int(street.child[edge])
        spent = street.contribution[end]
        if street.terminal_kind[end] != FOLD and spent[0] < stack:
            line = settings.tree().line_after(0, int(edge))
            found[end] = Leaf(line, spent.sum() / BIG_BLIND, (stack - spent[0]) / BIG_BLIND)
    return found


def _shares(
    settings: Preflop, street: StreetTree, model: LeafModel
) -> tuple[list[np.ndarray | None], dict[str, np.ndarray]]:
    """The small blind's shares at each terminal, None after a fold; and those of the model by line."""
    all_in = equity_table()
    found = [None if kind == FOLD else all_in for kind in street.terminal_kind]
    tables: dict[str, np.ndarray] = {}
    for end, leaf in called_leaves(settings).items():
        table = np.asarray(model.shares(leaf))
        assert table.shape == (CLASSES, CLASSES), f"{model.name} gives shares of shape {table.shape}"
        found[end] = tables[leaf.line] = table
    return found, tables


def _payoffs(
    settings: Preflop,
    street: StreetTree,
    lines: Lines,
    weights: np.ndarray,
    shares: list[np.ndarray | None],
    player: int,
) -> tuple[list[Block], Ends]:
    """Products and terminals of one player; terminals with the same table of shares are one product."""
    opponent_row = _opponent_rows(street, lines, 1 - player)
    base, share = np.empty(street.terminals), np.zeros(street.terminals)
    spent = street.contribution / BIG_BLIND
    for end in range(street.terminals):
        if street.terminal_kind[end] == FOLD:
            base[end] = -spent[end, player] if street.terminal_folder[end] == player else spent[end, 1 - player]
        else:
            pot = spent[end].sum()
            base[end], share[end] = -spent[end, player], pot - settings.rake.of(pot)
    tables: dict[int, list[int]] = {}
    for end, table in enumerate(shares):
        if table is not None:
            tables.setdefault(id(table), []).append(end)
    every, base_row = np.unique(opponent_row, return_inverse=True)
    blocks, share_row, offset = [Block(every, np.ascontiguousarray(weights.T))], np.zeros(street.terminals, int), 0
    for ends in tables.values():
        offset += len(blocks[-1].rows)
        rows, inverse = np.unique(opponent_row[ends], return_inverse=True)
        own = shares[ends[0]]
        assert own is not None
        own = own if player == IP else 1 - own.T  # [own, opponent]
        blocks.append(Block(rows, np.ascontiguousarray((weights * own).T)))
        share_row[ends] = offset + inverse
    return blocks, Ends(base_row.astype(np.int32), base, share_row.astype(np.int32), share)


def _opponent_rows(street: StreetTree, lines: Lines, opponent: int) -> np.ndarray:
    """int64 [T]: the opponent's reach row at each terminal."""
    rows = np.zeros(street.terminals, np.int64)
    owner = street.edge_owner()
    for edge in np.flatnonzero(street.child_kind != TO_NODE):
        node = owner[edge]
        acts = street.player[node] == opponent
        rows[street.child[edge]] = lines.row[edge] if acts else lines.node_row[opponent, node]
    return rows
