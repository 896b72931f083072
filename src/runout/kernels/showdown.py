"""Values of all terminals of one board, sixteen lines side by side.

Every line of a board shares the order of hands by strength and the cards that they block. So the hands are walked once,
weakest first, with running sums of the opponent's reach: a total, and one sum for each card. A sum is a vector with one
lane per line.

Why three sums are enough: an opponent's hand cannot be held if it shares a card with ours, (a, b). So what we can meet
is the total, less the hands with card a, less the hands with card b. Only our own combo has both cards and is taken off
twice; it is added back where that matters.

1. Turn sixteen rows of reach (line by hand) into hand by line.
2. Walk groups of equal strength. Before a group's opponents are added, total - by_card[a] - by_card[b] is the reach of
   weaker opponents that the hand (a, b) can meet; after, of weaker and equal ones. Their sum is `twice`.
3. At the end the same expression is that of all opponents, `met` (less the hand itself, which went out twice):
   win minus lose = twice - met, because the hand's own share cancels.
4. Scale by what the line is worth and turn the block back to line by hand.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import inner
from runout.kernels.simd import add, load16, mul, spread16, store16, sub, transpose16
from runout.kernels.tables import COUNT, HANDS, LANES, MATRIX, NO_CARD, STRENGTH_FIRST, STRIDE

BLOCK = 32  # lines that are walked side by side: two vectors of LANES


@inner()
def lane_values(boards, player, board, reach, lane, two, show, scales, lanes, space, wide):
    """Values of LANES lines of one board from `lane` on (of BLOCK lines if `two`), as [hand, lane] in `space`.

    reach: rows of the opponent. scales float32 [3, lanes]: what a line pays for winning rather than losing, and what it
    pays for each opponent met, at a showdown and at a fold.
    `space` has four parts; the first three have `wide` rows of BLOCK numbers, one row per hand:
      showdown values (without `show`: the reach that each hand can meet); fold values; the opponent's reach, turned;
      and at the end the sums by card.
    Two vectors are worked on side by side, so that one can compute while the other waits for a sum just stored.
    """
    other = 1 - player
    at = boards.table[board]
    count, stride, hands = at[COUNT + player], at[STRIDE + player], at[HANDS + player]
    their_count, their_stride, their_hands = at[COUNT + other], at[STRIDE + other], at[HANDS + other]
    card_a, card_b = boards.card_a, boards.card_b
    folds, turned = wide * BLOCK, 2 * wide * BLOCK
    sums = (3 * wide + 1) * BLOCK
    # Step 1: from [line, hand] to [hand, line], in blocks of 16 by 16.
    for h in range(0, their_stride, LANES):
        to = turned + h * BLOCK
        transpose16(reach, lane * their_stride + h, their_stride, space, to, BLOCK)
        if two:
            transpose16(reach, (lane + LANES) * their_stride + h, their_stride, space, to + LANES, BLOCK)
    zero = spread16(np.float32(0.0))
    for c in range(2 * (NO_CARD + 1)):
        store16(space, sums + c * LANES, zero)
    # Step 2: groups of equal strength, weakest first. Hands before i and before j are weaker than the group.
    total0, total1 = zero, zero
    i = 0
    j = 0
    first, last = at[STRENGTH_FIRST], boards.table[board + 1, STRENGTH_FIRST]
    my_end, their_end = boards.ends[player], boards.ends[other]
    for g in range(first, last if show else first):
        i_end = my_end[g]
        j_end = their_end[g]
        # Our hands of the group: the weaker opponents. If no opponent is equal, the sum after the group is the same, so
        # it is doubled here and the third loop is not needed.
        for k in range(i, i_end):
            a = sums + np.int64(card_a[hands + k]) * BLOCK
            b = sums + np.int64(card_b[hands + k]) * BLOCK
            x0 = sub(sub(total0, load16(space, a)), load16(space, b))
            store16(space, k * BLOCK, add(x0, x0) if j == j_end else x0)
            if two:
                x1 = sub(sub(total1, load16(space, a + LANES)), load16(space, b + LANES))
                store16(space, k * BLOCK + LANES, add(x1, x1) if j == j_end else x1)
        if j < j_end:
            # The opponents of the group join the sums; then our hands get the weaker and equal ones on top.
            for k in range(j, j_end):
                a = sums + np.int64(card_a[their_hands + k]) * BLOCK
                b = sums + np.int64(card_b[their_hands + k]) * BLOCK
                total0 = _add_hand(space, turned + k * BLOCK, a, b, total0)
                if two:
                    total1 = _add_hand(space, turned + k * BLOCK + LANES, a + LANES, b + LANES, total1)
            for k in range(i, i_end):
                a = sums + np.int64(card_a[hands + k]) * BLOCK
                b = sums + np.int64(card_b[hands + k]) * BLOCK
                x0 = sub(sub(total0, load16(space, a)), load16(space, b))
                store16(space, k * BLOCK, add(load16(space, k * BLOCK), x0))
                if two:
                    x1 = sub(sub(total1, load16(space, a + LANES)), load16(space, b + LANES))
                    store16(space, k * BLOCK + LANES, add(load16(space, k * BLOCK + LANES), x1))
        i = i_end
        j = j_end
    # Without a showdown the order does not matter: only the sums over all opponents are needed.
    for k in range(0 if show else their_count):
        a = sums + np.int64(card_a[their_hands + k]) * BLOCK
        b = sums + np.int64(card_b[their_hands + k]) * BLOCK
        total0 = _add_hand(space, turned + k * BLOCK, a, b, total0)
        if two:
            total1 = _add_hand(space, turned + k * BLOCK + LANES, a + LANES, b + LANES, total1)
    store16(space, turned + their_stride * BLOCK, zero)  # the reach of a combo that the opponent does not hold
    store16(space, turned + their_stride * BLOCK + LANES, zero)
    # Step 3: x is what a hand can meet, less the own combo, which was taken off twice; `met` has it back. `twice` has
    # weaker opponents two times and equal ones once, so twice - x is weaker minus stronger: win minus lose.
    for half in range(0, BLOCK if two else LANES, LANES):
        win, met_show = load16(scales, lane + half), load16(scales, lanes + lane + half)
        met_fold = load16(scales, 2 * lanes + lane + half)
        total = total0 if half == 0 else total1
        for k in range(count):
            a = sums + np.int64(card_a[hands + k]) * BLOCK + half
            b = sums + np.int64(card_b[hands + k]) * BLOCK + half
            x = sub(sub(total, load16(space, a)), load16(space, b))
            met = add(x, load16(space, turned + np.int64(boards.same[hands + k]) * BLOCK + half))
            if show:
                beats = sub(load16(space, k * BLOCK + half), x)
                store16(space, k * BLOCK + half, add(mul(beats, win), mul(met, met_show)))
            else:
                store16(space, k * BLOCK + half, met)
            store16(space, folds + k * BLOCK + half, mul(met, met_fold))
        for k in range(count, stride):
            store16(space, k * BLOCK + half, zero)
            store16(space, folds + k * BLOCK + half, zero)


@inner()
def _add_hand(space, source, a, b, total):
    """Add the reach of an opponent's hand to the sums of its cards; returns the new total."""
    r = load16(space, source)
    store16(space, a, add(load16(space, a), r))
    store16(space, b, add(load16(space, b), r))
    return add(total, r)


@inner()
def run_outs(boards, player, board, lane, half, scales, lanes, space, wide):
    """All-ins before the last street, after `lane_values`: the matrix of mean results times the reach of the lines.

    boards.runouts has, for each pair of hands, win minus lose averaged over all cards to come. Four of our hands are
    summed at once, so that each vector of reach is loaded once for all four.
    """
    at = boards.table[board]
    mine, theirs = at[COUNT + player], at[COUNT + 1 - player]
    width = at[STRIDE + 1]
    turned = 2 * wide * BLOCK + half
    win, met = load16(scales, lane + half), load16(scales, lanes + lane + half)
    factor = spread16(np.float32(1.0 - 2.0 * player))  # the matrix is player 0's
    my_step, their_step = (width, np.int64(1)) if player == 0 else (np.int64(1), width)
    for k in range(0, mine, 4):
        total0 = sub(win, win)
        total1, total2, total3 = total0, total0, total0
        row = at[MATRIX] + k * my_step
        for j in range(theirs):
            r = load16(space, turned + j * BLOCK)
            cell = row + j * their_step
            total0 = add(total0, mul(r, spread16(boards.runouts[cell])))
            total1 = add(total1, mul(r, spread16(boards.runouts[cell + my_step])))
            total2 = add(total2, mul(r, spread16(boards.runouts[cell + 2 * my_step])))
            total3 = add(total3, mul(r, spread16(boards.runouts[cell + 3 * my_step])))
        for part in range(min(4, mine - k)):
            total = total0 if part == 0 else total1 if part == 1 else total2 if part == 2 else total3
            to = (k + part) * BLOCK + half
            store16(space, to, add(mul(mul(total, factor), win), mul(load16(space, to), met)))
