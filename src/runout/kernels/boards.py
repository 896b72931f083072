"""Canonical boards: one for each class of boards that differ only by a renaming of suits."""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import kernel


@kernel
def _is_canonical(masks, permutations):
    """How many permutations leave the four suit masks as they are; 0 where one of them gives a larger tuple."""
    fixed = 0
    for g in range(permutations.shape[0]):
        same = True
        for s in range(4):
            image = masks[permutations[g, s]]
            if image != masks[s]:
                if image > masks[s]:
                    return 0
                same = False
                break
        if same:
            fixed += 1
    return fixed


@kernel
def canonical_sets(deck, size, permutations, out, weights):
    """Fill out uint8 [n, size] and weights int64 [n] with canonical subsets of `deck` (ascending); returns n.

    With an empty `out` it only counts. The permutations int64 [g, 4] must form a group that maps the deck to itself.
    """
    picks = np.arange(size)
    masks = np.zeros(4, np.int64)
    found = 0
    n = deck.shape[0]
    if size > n:
        return 0
    while True:
        masks[:] = 0
        for i in range(size):
            c = deck[picks[i]]
            masks[c & 3] |= 1 << (c >> 2)
        fixed = _is_canonical(masks, permutations)
        if fixed > 0:
            if out.shape[0] > 0:
                for i in range(size):
                    out[found, i] = deck[picks[i]]
                weights[found] = permutations.shape[0] // fixed
            found += 1
        i = size - 1
        while i >= 0 and picks[i] == n - size + i:
            i -= 1
        if i < 0:
            return found
        picks[i] += 1
        for j in range(i + 1, size):
            picks[j] = picks[j - 1] + 1
