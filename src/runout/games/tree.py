"""The betting tree: every line of betting, without cards, as flat arrays split by street.

A street is entered in one or more ways (`entries`); below each entry stand its decision nodes, entry after entry, in
depth-first order, so that a parent comes before its children. The actions of a node are neighbouring `edges`; a edge
leads to a node of the same street, to a terminal of this street, or to an entry of the next street.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from runout.errors import InputError
from runout.games import tree_count
from runout.games.betting import (
    BETTING,
    CHECK,
    CLOSED,
    FOLD,
    FOLDED,
    NOBODY,
    STREET_NAMES,
    STREET_OVER,
    Action,
    BettingState,
    Offered,
)
from runout.games.lines import IN_CHIPS, Wording
from runout.games.tree_count import require_size

NO_PARENT = -1

# child_kind: where an action edge leads.
TO_NODE = 0  # a decision node of this street
TO_FOLD = 1  # a terminal: somebody folded
TO_SHOWDOWN = 2  # a terminal: hands are shown on the board as it is
TO_CHANCE = 3  # the next street
TO_RUNOUT = 4  # a terminal: all-in and called before the last street, the board is run out

# terminal_kind: FOLD (0, as the action), or
SHOWDOWN = 1
RUNOUT = 2


@dataclass(frozen=True, eq=False)  # arrays have no plain equality
class StreetTree:
    """The betting of one street. E entries, N decision nodes, S action edges, T terminals."""

    street: int  # PREFLOP, FLOP, TURN or RIVER
    entry_pot: np.ndarray  # int64 [E]: chips in the middle when the street begins
    entry_stack: np.ndarray  # int64 [E]: chips that each player has behind then
    entry_edge: np.ndarray  # int32 [E]: the edge of the street before that leads here, NO_PARENT on the first street
    entry_node: np.ndarray  # int32 [E + 1]: the nodes of entry e are entry_node[e] : entry_node[e + 1]
    player: np.ndarray  # int8 [N]: who acts
    parent_edge: np.ndarray  # int32 [N]: the edge that leads here, or NO_PARENT at the root of an entry
    first_edge: np.ndarray  # int32 [N + 1]: the edges of node n are first_edge[n] : first_edge[n + 1]
    action: np.ndarray  # int8 [S]: FOLD, CHECK, CALL, BET, RAISE or ALL_IN of `betting`
    amount: np.ndarray  # int64 [S]: the player's total on this street after the action
    child_kind: np.ndarray  # int8 [S]: TO_NODE, TO_FOLD, TO_SHOWDOWN, TO_CHANCE or TO_RUNOUT
    child: np.ndarray  # int32 [S]: node of this street, terminal of this street or entry of the next street
    terminal_kind: np.ndarray  # int8 [T]: FOLD, SHOWDOWN or RUNOUT
    terminal_folder: np.ndarray  # int8 [T]: who folded, or NOBODY
    contribution: np.ndarray  # int64 [T, 2]: chips each put in since the tree's root, its pot not included

    @property
    def entries(self) -> int:
        return len(self.entry_pot)

    @property
    def nodes(self) -> int:
        return len(self.player)

    @property
    def edges(self) -> int:
        return len(self.action)

    @property
    def terminals(self) -> int:
        return len(self.terminal_kind)

    def actions(self, node: int) -> list[Action]:
        """What can be done at a node, in the order of its edges."""
        edges = range(self.first_edge[node], self.first_edge[node + 1])
        return [Action(int(self.action[s]), int(self.amount[s])) for s in edges]

    def entry_of(self, node: int) -> int:
        """The entry below which a node stands."""
        return int(np.searchsorted(self.entry_node, node, side="right")) - 1

    def edge_node(self, edge: int) -> int:
        """The node that a edge belongs to."""
        return int(np.searchsorted(self.first_edge, edge, side="right")) - 1

    def edge_owner(self) -> np.ndarray:
        """int32 [S]: the node that each edge belongs to."""
        return np.repeat(np.arange(self.nodes, dtype=np.int32), np.diff(self.first_edge))


@dataclass(frozen=True)
class LineEnd:
    """What a line leads to: `index` of a node, of a terminal, or (TO_CHANCE) of an entry of the street after."""

    street: int  # index into BettingTree.streets
    kind: int  # TO_NODE, TO_FOLD, ...
    index: int


@dataclass(frozen=True)
class BettingTree:
    """The streets of a betting tree, first to last; `streets[0]` has one entry."""

    start: BettingState  # the state at the root
    streets: tuple[StreetTree, ...]
    wording: Wording = IN_CHIPS  # how its lines are written

    @property
    def starting_pot(self) -> int:
        """Chips that no contribution counts: the pot of a postflop spot, 0 where the hand begins with blinds."""
        return self.start.rules.pot

    @property
    def stack(self) -> int:
        """Chips of each player at the start; blinds, where there are any, included."""
        return self.start.rules.stack

    @property
    def nodes(self) -> int:
        """Decision nodes over all streets."""
        return sum(street.nodes for street in self.streets)

    @property
    def terminals(self) -> int:
        return sum(street.terminals for street in self.streets)

    @property
    def chances(self) -> int:
        """Points at which a street's cards are dealt and betting continues."""
        return sum(street.entries for street in self.streets[1:])

    @property
    def public_nodes(self) -> int:
        """Decisions, terminals and deals, a run-out taking a deal for each street to come: as other solvers count."""
        last = self.start.rules.last_street
        runouts = sum(int((s.terminal_kind == RUNOUT).sum()) * (last - s.street) for s in self.streets)
        return self.nodes + self.terminals + self.chances + runouts

    def with_streets(self, count: int) -> BettingTree:
        """The same tree with `count` streets, empty ones at the end where all lines end before."""
        streets = list(self.streets)
        while len(streets) < count:
            streets.append(_StreetBuilder(streets[-1].street + 1, lambda _: (), 0, 0).finished())
        return replace(self, streets=tuple(streets))

    def dealt_out(self) -> BettingTree:
        """The same tree, but all-ins after the first street go through the streets to come: a node at which NOBODY acts
        and which has one action, a street, up to a showdown on the last."""
        streets = list(self.streets)
        for index in range(1, len(streets) - 1):
            streets[index], streets[index + 1] = _dealt_out(
                streets[index], streets[index + 1], index + 2 == len(streets)
            )
        return replace(self, streets=tuple(streets))

    def line_of(self, street: int, node: int) -> str:
        """The line that leads to a node of `streets[street]`, with '?' for the cards."""
        tree = self.streets[street]
        edge = int(tree.parent_edge[node])
        return self._line(street, edge, tree.entry_of(node))

    def line_after(self, street: int, edge: int) -> str:
        """The line that ends with an action of `streets[street]`, with '?' for the cards."""
        return self._line(street, edge, 0)

    def entry_line(self, street: int, entry: int) -> str:
        """The line that leads to an entry of `streets[street]`: it ends with '|?', and is '' on the first street."""
        return self._line(street, NO_PARENT, entry)

    def _line(self, street: int, edge: int, entry: int) -> str:
        """Back from a edge, or from an entry where there is none, to the root."""
        words: list[list[str]] = [[] for _ in range(street + 1)]
        while street >= 0:
            tree = self.streets[street]
            while edge != NO_PARENT:
                node = tree.edge_node(edge)
                action = Action(int(tree.action[edge]), int(tree.amount[edge]))
                words[street].append(self.wording.token(action, tree.street, int(tree.player[node])))
                edge = int(tree.parent_edge[node])
                entry = tree.entry_of(node) if edge == NO_PARENT else entry
            street, edge = street - 1, int(tree.entry_edge[entry])
        return self.wording.join([tokens[::-1] for tokens in words])

    def lines(self, street: int) -> list[str]:
        """The lines of all nodes of `streets[street]`."""
        return [self.line_of(street, node) for node in range(self.streets[street].nodes)]

    def find(self, line: str) -> LineEnd:
        """Where a line leads, whatever cards it has; InputError names the first action that is not there."""
        return self._followed(line)[0]

    def path(self, line: str) -> list[tuple[int, int]]:
        """Street index and edge of every action of a line."""
        return self._followed(line)[1]

    def _followed(self, line: str) -> tuple[LineEnd, list[tuple[int, int]]]:
        found = self.wording.read(line)
        edges: list[tuple[int, int]] = []
        place, state = LineEnd(0, TO_NODE, 0), self.start
        for number, words in enumerate(found.streets):
            if number:
                if place.kind != TO_CHANCE:
                    raise InputError(f"line {line!r} deals a card before betting on street {number} is over")
                entry = self.streets[place.street + 1].entry_node[place.index]
                place, state = LineEnd(place.street + 1, TO_NODE, int(entry)), state.next_street()
            for word in words:
                tree = self.streets[place.street]
                actions = tree.actions(place.index) if place.kind == TO_NODE else []
                chosen = self.wording.choose(state, actions, word)
                edge = int(tree.first_edge[place.index]) + chosen
                edges.append((place.street, edge))
                place = LineEnd(place.street, int(tree.child_kind[edge]), int(tree.child[edge]))
                state = state.act(actions[chosen])
        return place, edges

    def node(self, line: str) -> tuple[int, int]:
        """Street index and node that a line leads to; refused where nobody is to act."""
        place = self.find(line)
        if place.kind != TO_NODE:
            raise InputError(f"line {line!r} does not end where a player is to act: take an action off or add a card")
        return place.street, place.index

    def action_names(self, street: int, node: int) -> list[str]:
        """The actions of a node as people read them: 'check', 'bet 94', 'raise to 210', 'all-in 900'."""
        return [self.wording.name(action) for action in self.streets[street].actions(node)]

    def counts(self) -> list[dict[str, int | str]]:
        """One row per street: its name, entries, decision nodes, actions and terminals of each kind."""
        return [
            {
                "street": STREET_NAMES[tree.street],
                "entries": tree.entries,
                "nodes": tree.nodes,
                "actions": tree.edges,
                "folds": int(np.count_nonzero(tree.terminal_kind == FOLD)),
                "showdowns": int(np.count_nonzero(tree.terminal_kind == SHOWDOWN)),
                "runouts": int(np.count_nonzero(tree.terminal_kind == RUNOUT)),
            }
            for tree in self.streets
        ]


def build(start: BettingState, menu: Offered, most: int | None = None, wording: Wording = IN_CHIPS) -> BettingTree:
    """The tree of all lines from `start` on, where a player can do what `menu` lists (in normal form, see `verify`);
    refused where it has more than `most` nodes (`tree_count.MAX_NODES` where none are given)."""
    require_size(start, menu, most)
    most, streets = most or tree_count.MAX_NODES, []
    entries, left = [(start, NO_PARENT)], most
    for street in range(start.street, start.rules.last_street + 1):
        builder = _StreetBuilder(street, menu, left, most)
        for state, edge in entries:
            builder.add_entry(state, edge)
        streets.append(builder.finished())
        left -= len(builder.player)
        entries = builder.next_entries
        if not entries:
            break
    return BettingTree(start, tuple(streets), wording)


def _dealt_out(street: StreetTree, after: StreetTree, last: bool) -> tuple[StreetTree, StreetTree]:
    """A street whose all-ins lead to new entries at the end of the street after it."""
    edges = np.flatnonzero(street.child_kind == TO_RUNOUT)
    ends = street.child[edges]
    count, nodes, terminals = len(edges), after.nodes, after.terminals
    kind, child = street.child_kind.copy(), street.child.copy()
    kind[edges], child[edges] = TO_CHANCE, after.entries + np.arange(count)
    contribution = street.contribution[ends]

    def more(old: np.ndarray, new: np.ndarray | int) -> np.ndarray:
        return np.concatenate([old, np.broadcast_to(np.asarray(new, old.dtype), (count, *old.shape[1:]))])

    return replace(street, child_kind=kind, child=child), replace(
        after,
        entry_pot=more(after.entry_pot, 2 * contribution.min(axis=1)),
        entry_stack=more(after.entry_stack, 0),
        entry_edge=more(after.entry_edge, edges),
        entry_node=more(after.entry_node, nodes + 1 + np.arange(count)),
        player=more(after.player, NOBODY),
        parent_edge=more(after.parent_edge, NO_PARENT),
        first_edge=more(after.first_edge, after.edges + 1 + np.arange(count)),
        action=more(after.action, CHECK),
        amount=more(after.amount, 0),
        child_kind=more(after.child_kind, TO_SHOWDOWN if last else TO_RUNOUT),
        child=more(after.child, terminals + np.arange(count)),
        terminal_kind=more(after.terminal_kind, SHOWDOWN if last else RUNOUT),
        terminal_folder=more(after.terminal_folder, NOBODY),
        contribution=more(after.contribution, contribution),
    )


class _StreetBuilder:
    """Grows one street, node by node; the lists are the fields of StreetTree."""

    def __init__(self, street: int, menu: Offered, room: int, most: int) -> None:
        self.street, self.menu, self.room, self.most = street, menu, room, most
        self.entry_pot: list[int] = []
        self.entry_stack: list[int] = []
        self.entry_edge: list[int] = []
        self.entry_node: list[int] = [0]
        self.player: list[int] = []
        self.parent_edge: list[int] = []
        self.first_edge: list[int] = [0]
        self.action: list[int] = []
        self.amount: list[int] = []
        self.child_kind: list[int] = []
        self.child: list[int] = []
        self.terminal_kind: list[int] = []
        self.terminal_folder: list[int] = []
        self.contribution: list[tuple[int, int]] = []
        self.next_entries: list[tuple[BettingState, int]] = []  # and the edges that lead to them

    def add_entry(self, state: BettingState, edge: int) -> None:
        self.entry_pot.append(state.pot)
        self.entry_stack.append(min(state.behind(0), state.behind(1)))
        self.entry_edge.append(edge)
        waiting = [(state, NO_PARENT)]  # a stack, last first: depth-first order without recursion
        while waiting:
            here, parent_edge = waiting.pop()
            if parent_edge != NO_PARENT:
                self.child[parent_edge] = len(self.player)
            waiting.extend(reversed(self._add_node(here, parent_edge)))
        self.entry_node.append(len(self.player))

    def _add_node(self, state: BettingState, parent_edge: int) -> list[tuple[BettingState, int]]:
        """Write a node and its edges; gives the nodes that come below it."""
        if len(self.player) >= self.room:
            raise InputError(f"the betting tree passes {self.most:,} nodes: give fewer or larger sizes, or cap raises")
        self.player.append(state.player)
        self.parent_edge.append(parent_edge)
        below = []
        for action in self.menu(state):
            after = state.play(action)
            if after.status == BETTING:
                below.append((after, len(self.action)))
            self._add_edge(action, after)
        self.first_edge.append(len(self.action))
        return below

    def _add_edge(self, action: Action, after: BettingState) -> None:
        if after.status == BETTING:
            self.child_kind.append(TO_NODE)
            self.child.append(NO_PARENT)  # its node is not numbered yet
        elif after.status == STREET_OVER:
            self.child_kind.append(TO_CHANCE)
            self.child.append(len(self.next_entries))
            self.next_entries.append((after.next_street(), len(self.action)))
        else:
            runout = after.status == CLOSED and self.street < after.rules.last_street
            folded = after.status == FOLDED
            self.child_kind.append(TO_FOLD if folded else TO_RUNOUT if runout else TO_SHOWDOWN)
            self.child.append(len(self.terminal_kind))
            self.terminal_kind.append(FOLD if folded else RUNOUT if runout else SHOWDOWN)
            self.terminal_folder.append(after.folder)
            self.contribution.append(after.spent)
        self.action.append(action.kind)
        self.amount.append(action.amount)

    def finished(self) -> StreetTree:
        return StreetTree(
            street=self.street,
            entry_pot=np.array(self.entry_pot, dtype=np.int64),
            entry_stack=np.array(self.entry_stack, dtype=np.int64),
            entry_edge=np.array(self.entry_edge, dtype=np.int32),
            entry_node=np.array(self.entry_node, dtype=np.int32),
            player=np.array(self.player, dtype=np.int8),
            parent_edge=np.array(self.parent_edge, dtype=np.int32),
            first_edge=np.array(self.first_edge, dtype=np.int32),
            action=np.array(self.action, dtype=np.int8),
            amount=np.array(self.amount, dtype=np.int64),
            child_kind=np.array(self.child_kind, dtype=np.int8),
            child=np.array(self.child, dtype=np.int32),
            terminal_kind=np.array(self.terminal_kind, dtype=np.int8),
            terminal_folder=np.array(self.terminal_folder, dtype=np.int8),
            contribution=np.array(self.contribution, dtype=np.int64).reshape(-1, 2),
        )
