"""The hands of a board and their buckets: listed, put side by side, and gathered into runs (`bucket_lines`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.abstraction import CLUSTERS, cluster_share, river_boards, river_bucket, set_bucket
from runout.kernels.bucket_lines import run_width
from runout.kernels.combos import combo_number
from runout.kernels.compiling import inner, lent
from runout.kernels.equity import sort_by_strength
from runout.kernels.evaluator import board_strengths
from runout.kernels.tables import COUNT, HANDS, NO_CARD, RUNS, STRENGTH_FIRST, STRIDE

SHORT_RUNS = 4  # hands in the mean: shorter ones cost more than they save
SORTED_BITS = (1 << 14) - 1  # of a bucket's number, by which hands are put side by side: all that are sorted by
ALL_CARDS = 52  # the row of counts by card that counts every hand


class BoardNotes(NamedTuple):
    """Working memory of one thread: to sort hands with, and where rows of its boards are that are only read."""

    store: np.ndarray  # int64 [2, MOST_STREETS]: of each player
    pair: np.ndarray  # uint8 [1326, 2]
    source: np.ndarray  # int32 [1326]
    strength: np.ndarray  # int32 [1326]
    order: np.ndarray  # int32 [1326]
    spare: np.ndarray  # int32 [1326]
    by_card: np.ndarray  # int64 [2, 52]
    by_cluster: (
        np.ndarray
    )  # int64 [3, 53, CLUSTERS]: opponents below, of the same strength, in all; by card, and (52) all
    shares: np.ndarray  # float64 [CLUSTERS]


@inner()
def list_hands(boards, board, before, before_row, dealt, shown, last, evaluator, notes):
    """The hands of a board, in the order of the board before or, on the last street, by strength with its groups.

    dealt uint8 [k]: the cards that came; shown uint8 [c]: all cards of the board. Both players hold the same hands.
    """
    at, first = boards.table[board], boards.table[board, HANDS]
    count_before, first_before = before.table[before_row, COUNT], before.table[before_row, HANDS]
    n = 0
    for i in range(count_before):
        a, b = before.card_a[first_before + i], before.card_b[first_before + i]
        blocked = False
        for card in dealt:
            blocked = blocked or card in (a, b)
        if not blocked:
            notes.pair[n, 0], notes.pair[n, 1] = a, b
            notes.source[n], notes.order[n] = i, n
            n += 1
    if last:
        board_strengths(shown, notes.pair[:n], evaluator, notes.strength)
        sort_by_strength(notes.strength, notes.order[:n], notes.spare)
        group, groups_end = at[STRENGTH_FIRST], boards.table[board + 1, STRENGTH_FIRST]
        for k in range(n):
            if k + 1 == n or notes.strength[notes.order[k + 1]] != notes.strength[notes.order[k]]:
                boards.ends[0, group], boards.ends[1, group] = k + 1, k + 1
                group += 1
        boards.ends[:, group:groups_end] = n  # groups without hands
    for k in range(n):
        i = notes.order[k]
        boards.up[first + k], boards.same[first + k] = notes.source[i], k
        boards.card_a[first + k], boards.card_b[first + k] = notes.pair[i, 0], notes.pair[i, 1]
    for k in range(n, at[STRIDE]):
        boards.up[first + k], boards.same[first + k] = 0, at[STRIDE]
        boards.card_a[first + k], boards.card_b[first + k] = NO_CARD, NO_CARD
        boards.bucket[first + k] = 0


@inner()
def side_by_side(boards, board, last, notes):
    """Put hands of a bucket side by side; on the last street, where they go by strength, those of the same strength.

    Both players hold the same hands in the same order (`same` stays as it is), and no board follows yet.
    """
    at, first = boards.table[board], boards.table[board, HANDS]
    n = at[COUNT]
    for k in range(n):
        notes.order[k], notes.strength[k] = k, boards.bucket[first + k] & SORTED_BITS
    sort_by_strength(notes.strength, notes.order[:n], notes.spare)
    if last:
        k, weakest = 0, at[STRENGTH_FIRST]
        for group in range(weakest, boards.table[board + 1, STRENGTH_FIRST]):
            while k < boards.ends[0, group]:
                notes.strength[k] = group - weakest
                k += 1
        sort_by_strength(notes.strength, notes.order[:n], notes.spare)
    for k in range(n):
        i = first + notes.order[k]
        notes.source[k], notes.spare[k] = boards.up[i], boards.bucket[i]
        notes.pair[k, 0], notes.pair[k, 1] = boards.card_a[i], boards.card_b[i]
    for player in range(2):
        first = at[HANDS + player]
        for k in range(n):
            boards.up[first + k], boards.bucket[first + k] = notes.source[k], notes.spare[k]
            boards.card_a[first + k], boards.card_b[first + k] = notes.pair[k, 0], notes.pair[k, 1]


@inner()
def list_runs(boards, board):
    """Neighbours of the same bucket; where they would be few in the mean, every hand is a run."""
    at = boards.table[board]
    for player in range(2):
        first, n, stride = at[HANDS + player], at[COUNT + player], at[STRIDE + player]
        changes = 1
        for k in range(1, n):
            changes += boards.bucket[first + k] != boards.bucket[first + k - 1]
        each_hand = changes > n // SHORT_RUNS
        runs = 0
        for k in range(n):
            if each_hand or k + 1 == n or boards.bucket[first + k + 1] != boards.bucket[first + k]:
                boards.run_end[first + runs] = k + 1 if k + 1 < n else stride
                boards.run_bucket[first + runs] = boards.bucket[first + k]
                runs += 1
        at[RUNS + player] = runs
        for run in range(runs, run_width(at, player)):
            boards.run_bucket[first + run] = 0  # looked up with the others, and not used


@lent()
def list_all_runs(boards):
    """`list_runs` of boards whose buckets are known."""
    for board in range(boards.weight.shape[0]):
        list_runs(boards, board)


@inner()
def find_buckets(boards, board, street, cards, flop, tables, notes):
    """The buckets of a board's hands; cards uint8 [3 + street - 1], the first three the canonical flop `flop`."""
    first, count = boards.table[board, HANDS], boards.table[board, COUNT]
    if street == 3 and not tables.lossless[3]:
        river_buckets(boards, board, cards, tables, notes)
        return
    for k in range(count):
        combo = combo_number(np.int64(boards.card_a[first + k]), np.int64(boards.card_b[first + k]))
        boards.bucket[first + k] = set_bucket(tables, street, cards, flop, combo)


@inner()
def river_buckets(boards, board, cards, tables, notes):
    """Buckets by the group of boards and the share of the pot against a random hand: weaker hands and half of the equal
    ones, by groups; and where the abstraction asks for them, by the shares against clusters of hands."""
    first = boards.table[board, HANDS]
    by_card = notes.by_card  # [2, 52]: hands below with each card, and of the group
    by_card[:] = 0
    left = tables.deck_cards - 7
    opponents = left * (left - 1) / 2
    clustered, alike = tables.river_first.shape[0] > 0, river_boards(tables, cards)
    if clustered:
        notes.by_cluster[:] = 0
        for k in range(boards.table[board, COUNT]):
            count_cluster(boards, first + k, tables, notes.by_cluster[2], 1)
    below, start = 0, 0
    for group in range(boards.table[board, STRENGTH_FIRST], boards.table[board + 1, STRENGTH_FIRST]):
        end = np.int64(boards.ends[0, group])
        for k in range(start, end):
            by_card[1, boards.card_a[first + k]] += 1
            by_card[1, boards.card_b[first + k]] += 1
            if clustered:
                count_cluster(boards, first + k, tables, notes.by_cluster[1], 1)
        for k in range(start, end):
            a, b = boards.card_a[first + k], boards.card_b[first + k]
            won = below - by_card[0, a] - by_card[0, b]
            tied = (end - start) - by_card[1, a] - by_card[1, b] + 1
            share = (won + 0.5 * tied) / opponents
            if clustered:
                against_clusters(a, b, tables, notes, share)
            boards.bucket[first + k] = river_bucket(tables, alike, share, notes.shares)
        for k in range(start, end):
            a, b = boards.card_a[first + k], boards.card_b[first + k]
            by_card[0, a] += by_card[1, a]
            by_card[1, a] = 0
            by_card[0, b] += by_card[1, b]
            by_card[1, b] = 0
            if clustered:
                count_cluster(boards, first + k, tables, notes.by_cluster[0], 1)
                count_cluster(boards, first + k, tables, notes.by_cluster[1], -1)
        below += end - start
        start = end


@inner()
def count_cluster(boards, hand, tables, counts, change):
    """Count a hand in its cluster, in all and for both of its cards."""
    a, b = np.int64(boards.card_a[hand]), np.int64(boards.card_b[hand])
    cluster = tables.clusters[combo_number(a, b)]
    counts[a, cluster] += change
    counts[b, cluster] += change
    counts[ALL_CARDS, cluster] += change


@inner()
def against_clusters(a, b, tables, notes, share):
    """notes.shares: of the hand (a, b), from opponents counted in all less those with one of its cards; the hand itself
    goes out twice and so comes in once more."""
    own = tables.clusters[combo_number(np.int64(a), np.int64(b))]
    counts = notes.by_cluster
    for c in range(CLUSTERS):
        itself = 1 if c == own else 0
        won = counts[0, ALL_CARDS, c] - counts[0, a, c] - counts[0, b, c]
        tied = counts[1, ALL_CARDS, c] - counts[1, a, c] - counts[1, b, c] + itself
        met = counts[2, ALL_CARDS, c] - counts[2, a, c] - counts[2, b, c] + itself
        notes.shares[c] = cluster_share(float(won), float(tied), float(met), share)


@lent()
def bucket_boards(boards, street, cards, flop, tables, notes):
    """Buckets of the hands of every board uint8 [B, c] of a street below one canonical flop."""
    for board in range(cards.shape[0]):
        at = boards.table[board]
        find_buckets(boards, board, street, cards[board], flop, tables, notes)
        for k in range(at[COUNT]):  # both players hold the same hands in the same order
            boards.bucket[at[HANDS + 1] + k] = boards.bucket[at[HANDS] + k]


@lent()
def put_side_by_side(boards, notes):
    """`side_by_side` of all boards of a last street; their hands change places."""
    for board in range(boards.weight.shape[0]):
        side_by_side(boards, board, np.bool_(True), notes)
