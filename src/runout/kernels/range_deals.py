"""Hands of a whole range laid out as deals, and what they win of a pot that is checked down."""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import kernel
from runout.kernels.evaluator import board_strengths


@kernel
def range_deals(shown, players, boards, rows, combos, deck, hands, out):
    """Deals in which the player to act holds a hand of the range; the rest is filled from `deck`.

    For each i: the open cards boards uint8 [n, 5] of rows[i] (the first shown[rows[i]] of them), the seat
    players[rows[i]] and the cards hands[combos[i]] give out uint8 [i, 9]. Nine different cards where the hand and the
    open cards are.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        own = 2 * players[row]
        a, b = hands[combos[i], 0], hands[combos[i], 1]
        taken = (np.uint64(1) << np.uint64(a)) | (np.uint64(1) << np.uint64(b))
        out[i, own], out[i, own + 1] = a, b
        for j in range(shown[row]):
            out[i, 4 + j] = boards[row, j]
            taken |= np.uint64(1) << np.uint64(boards[row, j])
        card = 0
        for j in range(9):
            if j == own or j == own + 1 or (j >= 4 and j < 4 + shown[row]):
                continue
            while (taken >> np.uint64(deck[card])) & np.uint64(1):
                card += 1
            out[i, j] = deck[card]
            card += 1


@kernel
def hand_shares(hole, board, missing, deck, hands, tables, out):
    """Mean share of the pot of a hand against hands uint8 [h, 2] over all run-outs of `missing` (0-2) cards of `deck`.

    board uint8 [3 to 5]: the open cards. out float64 [h]; 0 for hands that share a card with `hole` or the board.
    """
    h = hands.shape[0]
    open_cards = board.shape[0]
    full = np.empty(open_cards + missing, np.uint8)
    full[:open_cards] = board
    taken = (np.uint64(1) << np.uint64(hole[0])) | (np.uint64(1) << np.uint64(hole[1]))
    for c in board:
        taken |= np.uint64(1) << np.uint64(c)
    left = np.empty(52, np.uint8)
    n = 0
    for c in deck:
        if not (taken >> np.uint64(c)) & np.uint64(1):
            left[n] = c
            n += 1
    live = np.empty(h, np.int64)
    count = 0
    for i in range(h):
        a, b = np.uint64(hands[i, 0]), np.uint64(hands[i, 1])
        out[i] = 0.0
        if not ((taken >> a) | (taken >> b)) & np.uint64(1):
            live[count] = i
            count += 1
    held = np.empty((count + 1, 2), np.uint8)
    for k in range(count):
        held[k] = hands[live[k]]
    held[count] = hole
    strength = np.empty(count + 1, np.int32)
    share = np.zeros(count)
    first_end = n if missing > 0 else 1
    for x in range(first_end):
        if missing > 0:
            full[open_cards] = left[x]
        second_end = n if missing > 1 else x + 2
        for y in range(x + 1, second_end):
            if missing > 1:
                full[open_cards + 1] = left[y]
            board_strengths(full, held, tables, strength)
            own = strength[count]
            for k in range(count):
                if strength[k] > 0:
                    share[k] += 0.5 * np.float64(own > strength[k]) + 0.5 * np.float64(own >= strength[k])
    meet = n - 2  # cards that can come for a given pair of hands
    runs = 1.0 if missing == 0 else (float(meet) if missing == 1 else meet * (meet - 1) / 2.0)
    for k in range(count):
        out[live[k]] = share[k] / runs


@kernel
def met_hands(reach, hands, out):
    """The reach of the hands that share no card with each: reach and out float64 [n, h], hands uint8 [h, 2]."""
    by_card = np.zeros(52)
    for row in range(reach.shape[0]):
        total = 0.0
        by_card[:] = 0.0
        for i in range(hands.shape[0]):
            total += reach[row, i]
            by_card[hands[i, 0]] += reach[row, i]
            by_card[hands[i, 1]] += reach[row, i]
        for i in range(hands.shape[0]):
            out[row, i] = total - by_card[hands[i, 0]] - by_card[hands[i, 1]] + reach[row, i]


@kernel
def beaten_hands(reach, hands, order, strength, out):
    """The reach of the weaker hands less that of the stronger ones, of those that share no card with each.

    reach and out float64 [n, h], hands uint8 [h, 2], order int64 [h] by ascending strength int32 [h].
    """
    h = hands.shape[0]
    by_card = np.zeros(52)
    for row in range(reach.shape[0]):
        for step in (1, -1):  # up the order for those that are beaten, down it for those that win
            total = 0.0
            by_card[:] = 0.0
            first = 0 if step == 1 else h - 1
            while 0 <= first < h:
                last = first
                while 0 <= last < h and strength[order[last]] == strength[order[first]]:
                    i = order[last]
                    found = total - by_card[hands[i, 0]] - by_card[hands[i, 1]]
                    out[row, i] = found if step == 1 else out[row, i] - found
                    last += step
                while first != last:
                    i = order[first]
                    total += reach[row, i]
                    by_card[hands[i, 0]] += reach[row, i]
                    by_card[hands[i, 1]] += reach[row, i]
                    first += step
