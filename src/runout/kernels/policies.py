"""Hands of a whole range laid out as deals, and what they win of a pot that is checked down."""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import kernel
from runout.kernels.evaluator import board_strengths


@kernel
def range_deals(shown, players, boards, rows, combos, hands, out):
    """Deals in which the player to act holds a hand of his range; what he cannot see is filled with the lowest cards.

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
            while (taken >> np.uint64(card)) & np.uint64(1):
                card += 1
            out[i, j] = card
            card += 1


@kernel
def hand_shares(hole, board, missing, hands, tables, out):
    """Mean share of the pot of one hand against every hand of uint8 [h, 2], over all run-outs of `missing` cards (0-2).

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
    for c in range(52):
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
