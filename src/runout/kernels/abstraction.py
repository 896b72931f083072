"""How strong hands are against random ones, now and over cards to come, and the buckets of dealt cards.

Strength is the share of the pot against a hand drawn at random from the cards that are left. Over run-outs its mean
(EHS) says how good a hand is and the mean of its square (EHS2) how much of that is still to be decided.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.combos import combo_number
from runout.kernels.compiling import inlined, inner, kernel
from runout.kernels.equity import sort_by_strength
from runout.kernels.evaluator import board_strengths

SCALE = 65535.0  # of shares kept as uint16
CLUSTERS = 8  # of opponents' hands, by their equity before the flop


class BucketTables(NamedTuple):
    """What dealt cards are looked up in. Rows of boards as sets of cards, hands renamed to the row's suits."""

    preflop: np.ndarray  # int32 [1326]
    flop_row: np.ndarray  # int32 [22100], by the number of the set
    flop_renaming: np.ndarray  # uint8 [22100]
    flop: np.ndarray  # uint16 [rows, 1326]
    turn_row: np.ndarray  # int32 [270725]; empty where there is no turn
    turn_renaming: np.ndarray  # uint8 [270725]
    turn: np.ndarray  # uint16 [rows, 1326]
    river_board: np.ndarray  # uint16 [2598960], by the number of the set: its group of boards; empty where there is one
    river: np.ndarray  # float64 [boards, groups - 1]: shares from which on the next group of buckets begins; one is one
    # bucket where hands go by strength alone
    river_first: np.ndarray  # int32 [groups + 1]: the first bucket of each group; empty by strength alone
    river_centers: np.ndarray  # float32 [buckets, CLUSTERS]: shares against clusters of opponents; empty the same
    clusters: np.ndarray  # int32 [1326]: the cluster of each combo
    images: np.ndarray  # int16 [24, 1326]: combos under renamings
    hands: np.ndarray  # uint8 [h, 2]: of the deck
    lossless: np.ndarray  # bool [4]: streets on which hands share a bucket only where they differ by suits alone
    fixing_first: np.ndarray  # int32 [flops + 1]: where the renamings of each canonical flop begin
    fixing: np.ndarray  # uint8: renamings that leave a flop as it is
    place: np.ndarray  # int32 [1326]: the number of a combo among the hands of the deck
    position: np.ndarray  # int64 [52]: the place of a card in the deck
    card_images: np.ndarray  # uint8 [24, 52]: cards under renamings
    deck_cards: int


@inlined
def _shares(board, hands, tables, strength, order, spare, total, by_card, opponents, out):
    """Shares of the pot out float64 [h] of hands on a full board against a random hand; -1 where blocked."""
    board_strengths(board, hands, tables, strength)
    n = 0
    for i in range(hands.shape[0]):
        out[i] = -1.0
        if strength[i] > 0:
            order[n] = i
            n += 1
    sort_by_strength(strength, order[:n], spare)
    total, first = 0, 0
    by_card[:] = 0  # [2, 52]: hands below with each card, and of the group
    while first < n:
        last = first
        while last < n and strength[order[last]] == strength[order[first]]:
            by_card[1, hands[order[last], 0]] += 1
            by_card[1, hands[order[last], 1]] += 1
            last += 1
        for k in range(first, last):
            a, b = hands[order[k], 0], hands[order[k], 1]
            won = total - by_card[0, a] - by_card[0, b]
            tied = (last - first) - by_card[1, a] - by_card[1, b] + 1
            out[order[k]] = (won + 0.5 * tied) / opponents
        for k in range(first, last):
            a, b = hands[order[k], 0], hands[order[k], 1]
            by_card[0, a] += by_card[1, a]
            by_card[1, a] = 0
            by_card[0, b] += by_card[1, b]
            by_card[1, b] = 0
        total += last - first
        first = last


@kernel
def expected_strengths(board, missing, deck, hands, tables, mean, square):
    """EHS and EHS2 float64 [h] of hands uint8 [h, 2] of a deck on a board, over run-outs of `missing` cards (0 to 2).

    Hands that the board blocks get -1.
    """
    h, known = hands.shape[0], board.shape[0]
    strength, order, spare = np.empty(h, np.int32), np.empty(h, np.int32), np.empty(h, np.int32)
    by_card, shares = np.zeros((2, 52), np.int64), np.empty(h)
    left = deck.shape[0] - known - missing - 2
    opponents = left * (left - 1) / 2
    full = np.empty(known + missing, np.uint8)
    full[:known] = board
    taken = np.zeros(52, np.bool_)
    for card in board:
        taken[card] = True
    met = np.zeros(h, np.int64)
    mean[:] = 0.0
    square[:] = 0.0
    for x in range(deck.shape[0] if missing > 0 else 1):
        if missing > 0:
            if taken[deck[x]]:
                continue
            full[known] = deck[x]
        for y in range(x + 1 if missing > 1 else 0, deck.shape[0] if missing > 1 else 1):
            if missing > 1:
                if taken[deck[y]]:
                    continue
                full[known + 1] = deck[y]
            _shares(full, hands, tables, strength, order, spare, 0, by_card, opponents, shares)
            for i in range(h):
                if shares[i] >= 0.0:
                    met[i] += 1
                    mean[i] += shares[i]
                    square[i] += shares[i] * shares[i]
    for i in range(h):
        mean[i] = mean[i] / met[i] if met[i] > 0 else -1.0
        square[i] = square[i] / met[i] if met[i] > 0 else -1.0


@kernel
def river_shares(boards, hands, tables, out):
    """Doubled numbers of hands that lose, ties once, from 1 on: out uint16 [n, 1326]; 0 for blocked hands. Boards uint8
    [n, 5]."""
    h = hands.shape[0]
    strength, order, spare = np.empty(h, np.int32), np.empty(h, np.int32), np.empty(h, np.int32)
    by_card, shares = np.zeros((2, 52), np.int64), np.empty(h)
    for i in range(boards.shape[0]):
        _shares(boards[i], hands, tables, strength, order, spare, 0, by_card, 0.5, shares)
        for k in range(h):
            a, b = np.int64(hands[k, 0]), np.int64(hands[k, 1])
            out[i, combo_number(max(a, b), min(a, b))] = np.uint16(0 if shares[k] < 0 else 1 + np.rint(shares[k]))


@kernel
def dealt_shares(cards, hands, tables, out):
    """Shares out float64 [n, 2] of both players' hands on their full boards: cards uint8 [n, 9]."""
    h = hands.shape[0]
    strength = np.empty(h, np.int32)
    for i in range(cards.shape[0]):
        board_strengths(cards[i, 4:9], hands, tables, strength)
        _both_shares(cards, i, hands, strength, out, i)


@inner
def _own_strength(a, b, hands, strength):
    """The strength of the hand (a, b), whichever card is named first."""
    for k in range(hands.shape[0]):
        if (hands[k, 0] == a and hands[k, 1] == b) or (hands[k, 0] == b and hands[k, 1] == a):
            return strength[k]
    return np.int32(0)


@inlined
def _both_shares(cards, i, hands, strength, out, row):
    for player in range(2):
        a, b = cards[i, 2 * player], cards[i, 2 * player + 1]
        own = _own_strength(a, b, hands, strength)
        won, met = 0.0, 0
        for k in range(hands.shape[0]):
            c, d = hands[k, 0], hands[k, 1]
            if strength[k] > 0 and c != a and c != b and d != a and d != b:
                met += 1
                won += 1.0 if strength[k] < own else (0.5 if strength[k] == own else 0.0)
        out[row, player] = won / met


@kernel
def _shares_by_cluster(cards, i, hands, clusters, strength, shares, out, row):
    """Shares out float64 [., 2, CLUSTERS] of both players' hands against the clusters of opponents."""
    won, tied, met = np.zeros(CLUSTERS), np.zeros(CLUSTERS), np.zeros(CLUSTERS)
    for player in range(2):
        a, b = cards[i, 2 * player], cards[i, 2 * player + 1]
        own = _own_strength(a, b, hands, strength)
        won[:], tied[:], met[:] = 0.0, 0.0, 0.0
        for k in range(hands.shape[0]):
            c, d = hands[k, 0], hands[k, 1]
            if strength[k] > 0 and c != a and c != b and d != a and d != b:
                cluster = clusters[combo_number(np.int64(max(c, d)), np.int64(min(c, d)))]
                met[cluster] += 1.0
                if strength[k] < own:
                    won[cluster] += 1.0
                elif strength[k] == own:
                    tied[cluster] += 1.0
        for c in range(CLUSTERS):
            out[row, player, c] = cluster_share(won[c], tied[c], met[c], shares[row, player])


@kernel
def dealt_cluster_shares(cards, hands, clusters, tables, shares, out):
    """Shares float64 [n, 2] against any hand and out float64 [n, 2, CLUSTERS] against clusters, of dealt cards."""
    strength = np.empty(hands.shape[0], np.int32)
    for i in range(cards.shape[0]):
        board_strengths(cards[i, 4:9], hands, tables, strength)
        _both_shares(cards, i, hands, strength, shares, i)
        _shares_by_cluster(cards, i, hands, clusters, strength, shares, out, i)


@kernel
def set_number(cards, size):
    """The number of the set of the first 3 to 5 cards uint8 among all sets of that size, in colexicographic order."""
    board = np.empty(5, np.int64)
    for j in range(size):
        card = np.int64(cards[j])
        k = j
        while k > 0 and board[k - 1] > card:
            board[k] = board[k - 1]
            k -= 1
        board[k] = card
    a, b, c = board[0], board[1], board[2]
    number = a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6
    if size > 3:
        d = board[3]
        number += d * (d - 1) * (d - 2) * (d - 3) // 24
    if size > 4:
        e = board[4]
        number += e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120
    return number


@inlined
def _combo(cards, i, player):
    a, b = np.int64(cards[i, 2 * player]), np.int64(cards[i, 2 * player + 1])
    return combo_number(max(a, b), min(a, b))


@kernel
def bucket_rows(mean, square, group, mean_cuts, square_cuts, first, each, out):
    """Buckets out uint16 [n, 1326] of the hands of n boards by their strengths, uint16 [n, 1326], 0 for blocked ones.

    group [n]: the board's; cuts as in `cards.bucket_cuts.Cuts`; first: of each part; each: buckets of a group.
    """
    for i in range(mean.shape[0]):
        g = np.int64(group[i])
        for k in range(mean.shape[1]):
            if mean[i, k] > 0:
                part = np.searchsorted(mean_cuts[g], np.int32(mean[i, k]), side="right")
                within = np.searchsorted(square_cuts[g, part], np.int32(square[i, k]), side="right")
                out[i, k] = np.uint16(g * each + first[part] + within)


@kernel
def set_numbers(cards, size, out):
    """Numbers out int64 [n] of the sets of the first 3 to 5 board cards of cards uint8 [n, 9]."""
    for i in range(cards.shape[0]):
        out[i] = set_number(cards[i, 4:], size)


@inner
def set_bucket(tables, street, cards, flop, combo):
    """The bucket of a combo before the last street, or of a lossless one; cards: a canonical flop, `flop`, and more."""
    if street == 0:
        return np.int64(tables.preflop[combo])
    if tables.lossless[street]:
        least = np.int64(1) << 62  # of all renamings that leave the flop as it is
        for i in range(tables.fixing_first[flop], tables.fixing_first[flop + 1]):
            name, number = tables.fixing[i], flop
            for j in range(3, cards.shape[0]):
                number = number * tables.deck_cards + tables.position[tables.card_images[name, cards[j]]]
            number = number * tables.hands.shape[0] + tables.place[tables.images[name, combo]]
            least = min(least, number)
        return least
    if street == 1:
        return np.int64(tables.flop[flop, combo])
    turn = set_number(cards, 4)
    return np.int64(tables.turn[tables.turn_row[turn], tables.images[tables.turn_renaming[turn], combo]])


@inner
def river_boards(tables, board):
    """The group of boards that a full board uint8 [5] belongs to."""
    return np.int64(tables.river_board[set_number(board, 5)]) if tables.river_board.shape[0] > 0 else np.int64(0)


@inner
def river_bucket(tables, boards, share, shares):
    """The bucket of a hand on the river: by its group of boards, its share of the pot against any hand and, within a
    group of like ones, by the nearest center of its shares float64 [CLUSTERS] against clusters of hands."""
    group = np.searchsorted(tables.river[boards], share, side="right")
    if tables.river_first.shape[0] == 0:
        return np.int64(boards * (tables.river.shape[1] + 1) + group)
    best, nearest = np.int64(tables.river_first[group]), np.inf
    for bucket in range(tables.river_first[group], tables.river_first[group + 1]):
        distance = 0.0
        for c in range(CLUSTERS):
            off = shares[c] - tables.river_centers[bucket, c]
            distance += off * off
        if distance < nearest:
            best, nearest = np.int64(bucket), distance
    return best


@inner
def cluster_share(won, tied, met, share):
    """The share of the pot against a cluster; that against any hand where the cluster has none to meet."""
    return (won + 0.5 * tied) / met if met > 0 else share


@kernel
def deal_buckets(cards, last_street, buckets, tables, out):
    """Buckets out int32 [n, 2, 4] of dealt cards uint8 [n, 9], by player and street up to the last."""
    strength = np.empty(buckets.hands.shape[0], np.int32)
    shares, board = np.empty((1, 2)), np.empty(5, np.uint8)
    against = np.zeros((1, 2, CLUSTERS))
    for i in range(cards.shape[0]):
        flop, renaming = np.int64(0), np.int64(0)
        if last_street > 0:
            number = set_number(cards[i, 4:], 3)
            flop, renaming = np.int64(buckets.flop_row[number]), np.int64(buckets.flop_renaming[number])
        for k in range(5):
            board[k] = buckets.card_images[renaming, cards[i, 4 + k]]
        alike = np.int64(0)
        if last_street > 2 and not buckets.lossless[3]:
            alike = river_boards(buckets, cards[i, 4:9])
            board_strengths(cards[i, 4:9], buckets.hands, tables, strength)
            _both_shares(cards, i, buckets.hands, strength, shares, 0)
            if buckets.river_first.shape[0] > 0:
                _shares_by_cluster(cards, i, buckets.hands, buckets.clusters, strength, shares, against, 0)
        for player in range(2):
            combo = _combo(cards, i, player)
            own = np.int64(buckets.images[renaming, combo])
            for street in range(last_street + 1):
                if street == 3 and not buckets.lossless[3]:
                    out[i, player, 3] = river_bucket(buckets, alike, shares[0, player], against[0, player])
                else:
                    out[i, player, street] = set_bucket(
                        buckets, street, board[: street + 2], flop, own if street else combo
                    )
