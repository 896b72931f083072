"""Values of all terminals of one board, sixteen lines side by side.

Every line of a board shares the order of hands by strength and the cards that they block. So the hands are walked once,
weakest first, with running sums over the opponent's hands: in all, and by card, each with one lane a line.

1. Turn sixteen rows of reach (line by hand) into hand by line.
2. Walk groups of equal strength. Before a group's opponents are added, total - by_card[a] - by_card[b] is the reach of
   weaker opponents that the hand (a, b) can meet; after, of weaker and equal ones. Their sum is `twice`.
3. At the end the same expression is that of all opponents, `met` (less the hand itself, which went out twice):
   win minus lose = twice - met, because the hand's own share cancels.
4. Scale by what the line is worth and turn the block back to line by hand.

Sums are float64, so that what a large total hides is not lost.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from runout.kernels.simd import (
    add,
    load8,
    load16,
    mul,
    narrow,
    spread8,
    store8,
    store16,
    sub,
    transpose16,
    widen_high,
    widen_low,
)

LANES = 16
NO_CARD = 52  # of the hands that fill a row up to a multiple of LANES


@njit(cache=True, nogil=True)
def lane_values(
    reach, their_stride, first_lane, show, fold, their_count, my_count, my_stride, my_hands, their_hands,
    card_a, card_b, same, group_first, group_last, my_end, their_end, scales, lanes, turned, sums, out_show, out_fold,
):  # fmt: skip
    """Values of the lanes `first_lane` to + 15, as [hand, lane] in out_show and out_fold.

    reach float32 rows of `their_stride`; my_hands and their_hands: where the hands of this board begin in card_a, card_b
    and same (the opponent's index of the same combo, or their_stride); my_end, their_end int16: where each strength
    group of group_first to group_last ends; scales float32 [3, lanes]: win, met-at-showdown, met-at-fold. Without `show`
    out_show is the reach that each hand can meet.
    """
    for h in range(0, their_stride, LANES):
        transpose16(reach, first_lane * their_stride + h, their_stride, turned, h * LANES, LANES)
    zero = spread8(0.0)
    for c in range(53 * 2):
        store8(sums, c * 8, zero)
    total0 = zero
    total1 = zero
    if show:
        i = 0
        j = 0
        for g in range(group_first, group_last):
            i_end = my_end[g]
            j_end = their_end[g]
            both = j < j_end
            for k in range(i, i_end):
                a = np.int64(card_a[my_hands + k]) * 16
                b = np.int64(card_b[my_hands + k]) * 16
                x0 = sub(sub(total0, load8(sums, a)), load8(sums, b))
                x1 = sub(sub(total1, load8(sums, a + 8)), load8(sums, b + 8))
                if not both:
                    x0 = add(x0, x0)
                    x1 = add(x1, x1)
                store16(out_show, k * LANES, narrow(x0, x1))
            for k in range(j, j_end):
                r = load16(turned, k * LANES)
                r0 = widen_low(r)
                r1 = widen_high(r)
                total0 = add(total0, r0)
                total1 = add(total1, r1)
                a = np.int64(card_a[their_hands + k]) * 16
                b = np.int64(card_b[their_hands + k]) * 16
                store8(sums, a, add(load8(sums, a), r0))
                store8(sums, a + 8, add(load8(sums, a + 8), r1))
                store8(sums, b, add(load8(sums, b), r0))
                store8(sums, b + 8, add(load8(sums, b + 8), r1))
            if both:
                for k in range(i, i_end):
                    a = np.int64(card_a[my_hands + k]) * 16
                    b = np.int64(card_b[my_hands + k]) * 16
                    x0 = sub(sub(total0, load8(sums, a)), load8(sums, b))
                    x1 = sub(sub(total1, load8(sums, a + 8)), load8(sums, b + 8))
                    store16(out_show, k * LANES, add(load16(out_show, k * LANES), narrow(x0, x1)))
            i = i_end
            j = j_end
    else:
        for k in range(their_count):
            r = load16(turned, k * LANES)
            r0 = widen_low(r)
            r1 = widen_high(r)
            total0 = add(total0, r0)
            total1 = add(total1, r1)
            a = np.int64(card_a[their_hands + k]) * 16
            b = np.int64(card_b[their_hands + k]) * 16
            store8(sums, a, add(load8(sums, a), r0))
            store8(sums, a + 8, add(load8(sums, a + 8), r1))
            store8(sums, b, add(load8(sums, b), r0))
            store8(sums, b + 8, add(load8(sums, b + 8), r1))
    win = load16(scales, first_lane)
    met_show = load16(scales, lanes + first_lane)
    met_fold = load16(scales, 2 * lanes + first_lane)
    none = sub(win, win)
    store16(turned, their_stride * LANES, none)  # the reach of a combo that the opponent does not hold
    for k in range(my_count):
        a = np.int64(card_a[my_hands + k]) * 16
        b = np.int64(card_b[my_hands + k]) * 16
        x0 = sub(sub(total0, load8(sums, a)), load8(sums, b))
        x1 = sub(sub(total1, load8(sums, a + 8)), load8(sums, b + 8))
        x = narrow(x0, x1)
        met = add(x, load16(turned, np.int64(same[my_hands + k]) * LANES))
        if show:
            beats = sub(load16(out_show, k * LANES), x)
            store16(out_show, k * LANES, add(mul(beats, win), mul(met, met_show)))
        else:
            store16(out_show, k * LANES, met)
        if fold:
            store16(out_fold, k * LANES, mul(met, met_fold))
    for k in range(my_count, my_stride):
        store16(out_show, k * LANES, none)
        store16(out_fold, k * LANES, none)
