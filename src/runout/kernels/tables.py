"""The tables that the sweep walks, packed into few arrays: what a kernel takes is compiled into every call it makes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.combos import combo_number

# Plan.nodes
FIRST_EDGE, MINE, NODE_ROW, NODE_VALUE, LOCKED = range(5)
THEIRS, OWN, NOBODYS = range(3)  # values of MINE: who acts at a node, seen from the updating player
# Plan.edges
EDGE_ROW, EDGE_STORE, EDGE_VALUE = range(3)
# Plan.entries
FIRST_NODE, ENTRY_ROW, PARENT_ROW = range(3)
# Plan.groups
FIRST_ENTRY, SHOW_END, FOLD_FIRST, FOLD_END, SHOW_VALUE, FOLD_VALUE, FIRST_LANE, CHANCE_VALUE, NEXT_ENTRIES = range(9)
# Boards.table; of the first seven there is one column a player
COUNT, STRIDE, HANDS, STORE, STORE_ROW, IMAGE_FIRST, RUNS = range(0, 14, 2)
CHILD_FIRST, STRENGTH_FIRST, IMAGE_COUNT, MATRIX = range(14, 18)
BOARD_COLUMNS = 18

MOST_STREETS = 4  # preflop, flop, turn, river
LANES = 16  # float32 in a vector: rows are as long as a multiple of it
NO_NUMBERS = -1  # nothing is learnt by buckets for the player on the street
NO_CARD = 52  # the card of the hands that only fill a row up to a multiple of LANES; its sum is never looked at


class StreetPlan(NamedTuple):
    """The betting of one street as the sweep for one player walks it: what is read and written where.

    E entries in G groups (one group but on the last street), N nodes, S edges. Rows are numbered within a group: reach
    rows (of the opponent) with the lanes first, value rows (of the player) with nodes first.
    """

    nodes: np.ndarray  # int32 [N + 1, 5]: first edge; who acts (THEIRS, OWN, NOBODYS); reach row in force; value row;
    # 1 where the node is locked on some board
    edges: np.ndarray  # int32 [S, 3]: reach row after it; row in the actor's storage of a board; value row after it
    entries: np.ndarray  # int32 [E + 1, 3]: first node; reach row; reach row on the street before
    groups: np.ndarray  # int32 [G + 1, 9]: first entry; lanes 0 to SHOW_END - 1 end in a showdown or run-out,
    # FOLD_FIRST to FOLD_END - 1 in a fold; value rows of lane 0's showdown and fold; first lane in `scales`; value row
    # of the next street's first entry, and how many entries it has
    scales: np.ndarray  # float32 [3 * lanes]: win, met at showdown, met at fold by lane; a group has whole LANES

    @property
    def entry_count(self) -> int:
        return len(self.entries) - 1

    @property
    def group_count(self) -> int:
        return len(self.groups) - 1


class Boards(NamedTuple):
    """The boards of one street; B of them, hands in flat arrays padded a board and player."""

    table: np.ndarray  # int64 [B + 1, BOARD_COLUMNS]; the last row ends what begins at each board
    weight: np.ndarray  # float32 [B]: cards it stands for over cards that can come
    up: np.ndarray  # int16: the hand's index on the board before
    same: np.ndarray  # int16: the opponent's index of the same combo, or the opponent's stride
    card_a: np.ndarray  # uint8
    card_b: np.ndarray  # uint8
    ends: np.ndarray  # int16 [2, groups]: where each strength group ends among the hands of each player (last street)
    images: np.ndarray  # int16: hand indices under each renaming of suits, a padded row each, and a row of the smallest
    runouts: np.ndarray  # float32: mean of win minus lose over all run-outs, by hands of player 0 and player 1; on the
    # last street, where it is not empty, it takes the place of the showdown
    bucket: np.ndarray  # int32: the hand's bucket; empty where every hand has numbers of its own
    # Hands that follow each other and share a bucket are a run; or, where runs would be short, every hand is one. A
    # board's runs begin where its hands do. No buckets: None, which kernels know when they are compiled.
    run_end: np.ndarray | None = None  # int32: hands before its end; of the last one, the padding included
    run_bucket: np.ndarray | None = None  # int32

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(field.nbytes for field in self if field is not None)

    @property
    def count(self) -> np.ndarray:
        """int64 [2, B]: hands of each player that the board does not block."""
        return self.table[:-1, COUNT : COUNT + 2].T

    @property
    def stride(self) -> np.ndarray:
        """int64 [2, B]: the same, rounded up to a multiple of LANES."""
        return self.table[:-1, STRIDE : STRIDE + 2].T

    @property
    def hands(self) -> np.ndarray:
        """int64 [2, B]: where they begin in up, same, card_a, card_b and bucket, and where runs do."""
        return self.table[:-1, HANDS : HANDS + 2].T

    def combos(self, player: int, board: int) -> np.ndarray:
        """int64 [h]: combos that a player can hold on a board, in the order of its rows."""
        first = self.hands[player, board]
        part = slice(first, first + self.count[player, board])
        return combo_number(self.card_a[part].astype(np.int64), self.card_b[part].astype(np.int64))

    @property
    def store(self) -> np.ndarray:
        """int64 [2, B]: where each player's regrets and averages begin."""
        return self.table[:-1, STORE : STORE + 2].T


class Storage(NamedTuple):
    """What is learnt: rows of numbers, one row for each action of a node on a board, one number for each hand or, where
    there are buckets, for each run of hands."""

    regrets: np.ndarray  # float32, or int16 times the scale of the row
    averages: np.ndarray
    regret_scales: np.ndarray  # float32 [rows]; empty for float32
    average_scales: np.ndarray
    locks: np.ndarray  # int64 [L, 4]: street, board, node, where its mask begins
    masks: np.ndarray  # float32: 1 for hands whose strategy is given, 0 for the others; a padded row a lock


class Buckets(NamedTuple):
    """What is learnt by buckets of hands, in place of every hand of every board; empty where nothing is.

    The numbers of an action stand side by side, one for each bucket of its street.
    """

    regrets: np.ndarray  # float32
    averages: np.ndarray  # float32
    first: np.ndarray  # int64 [2, MOST_STREETS]: where the rows of each player and street begin, or NO_NUMBERS
    width: np.ndarray  # int64 [MOST_STREETS]: numbers of a row


class Gadget(NamedTuple):
    """How a player comes into a game that is solved anew: with every hand by choice, see `kernels.gadget`; arrays are
    empty where nobody has one."""

    kind: int  # RE_SOLVE or MAX_MARGIN
    player: int  # who chooses
    certain: np.ndarray  # float32 [stride]: reach of each hand at the root whatever is chosen
    weight: np.ndarray  # float32 [stride]: and how much more when it comes in; 0 for those that only pad
    instead: np.ndarray  # float32 [stride]: what a hand gets that stays out, counted as values are
    regrets: np.ndarray  # float32 [2 * stride]: of coming in, and of staying out


class Rows(NamedTuple):
    """Working rows of one street, for one board at a time: float32, a row has one number for each hand."""

    reach: np.ndarray  # of the opponent
    own: np.ndarray  # of the updating player
    sigma: np.ndarray  # the updating player's strategy; by runs where there are buckets, the opponent's before it
    values: np.ndarray
    out: np.ndarray  # values of the board's entries, for the board before; a row for each entry
    part: np.ndarray  # what a part of the boards below comes to, where `SweepGame.parts` is more than 1


class SweepGame(NamedTuple):
    """What the threads of a team share. Games of fewer than MOST_STREETS have empty streets at the end."""

    streets: int
    plans: tuple[tuple[StreetPlan, ...], tuple[StreetPlan, ...]]  # [player][street]
    boards: tuple[Boards, ...]  # [street]
    storage: Storage
    ranges: np.ndarray  # float32 [2, stride]: weights at the root
    out: np.ndarray  # float32: values of the entries of every board of the second street
    out_first: np.ndarray  # int64 [2, boards of the second street]: where each board's begin, by player
    buckets: Buckets
    gadget: Gadget
    parts: int  # in which the values of the boards of the last street below a board are added up
    partial: np.ndarray  # float32: the sums of all parts, where threads share the boards below a board; else empty


class Member(NamedTuple):
    """A thread of a team."""

    state: np.ndarray  # int64 [TEAM_STATE], shared by the team
    thread: int
    threads: int


class Scratch(NamedTuple):
    """Working memory of one thread; the rows of the first street are the same arrays for all threads."""

    rows: tuple[Rows, ...]  # [street]
    path: np.ndarray  # int64 [MOST_STREETS]: the board of each street that is being walked
    child: np.ndarray  # int64 [MOST_STREETS]: the next board below it
    lanes: np.ndarray  # [(3 * stride + 1 + 53) * BLOCK]: showdown and fold values by hand, reach turned, sums by card
    packing: np.ndarray  # [2 * actions * stride]: rows of a node before they are packed, or its sums by runs
