"""Features of many hands of hold'em at once: the batched twin of `cards.canonical` and of `games.encoders`."""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import inlined, kernel
from runout.kernels.deals import STEP, mixed
from runout.kernels.holdem import BETTING, NO_ACTION

MISSING = -1
PLACE = 3  # features of a place in the betting: occurred, size as a fraction of the pot, all-in
GENERAL = 4  # pot, own stack, the other's stack, seat


@inlined
def _sorted_down(out, i, first, last):
    """Sort out[i, first:last] from high to low."""
    for a in range(first + 1, last):
        b = a
        while b > first and out[i, b - 1] < out[i, b]:
            out[i, b - 1], out[i, b] = out[i, b], out[i, b - 1]
            b -= 1


@inlined
def canonical_row(cards, i, player, shown, out, row):
    """out[row], int8 [7]: what a player of deal i sees, suits renamed; `shown` board cards lie open."""
    described = np.zeros(4, np.int64)  # of each suit: ranks in the hand, on the flop, turn and river, 13 bits each
    for j in range(2 + shown):
        card = cards[i, 2 * player + j] if j < 2 else cards[i, 2 + j]
        part = 3 if j < 2 else 2 if j < 5 else 1 if j == 5 else 0
        described[card & 3] |= 1 << (13 * part + (card >> 2))
    names = np.zeros(4, np.int64)
    for suit in range(4):
        for other in range(4):
            lower = described[other] < described[suit] or (described[other] == described[suit] and other < suit)
            names[suit] += lower
    for j in range(7):
        if j < 2 + shown:
            card = cards[i, 2 * player + j] if j < 2 else cards[i, 2 + j]
            out[row, j] = (card >> 2) * 4 + names[card & 3]
        else:
            out[row, j] = MISSING
    _sorted_down(out, row, 0, 2)
    if shown >= 3:
        _sorted_down(out, row, 2, 5)


@kernel
def canonical_hands(cards, players, shown, out):
    """Canonical cards of many players: cards uint8 [n, 9], players int8 [n], shown int8 [n]; out int8 [n, 7]."""
    for i in range(cards.shape[0]):
        canonical_row(cards, i, players[i], shown[i], out, i)


@kernel
def betting_features(rules, streets, hands, added, out):
    """What has been bet: out float32 [n, streets * places * PLACE + GENERAL]; the first hand that is over, or -1."""
    places = added.shape[2]
    paid = np.empty(2, np.int64)
    for i in range(hands.shape[0]):
        hand = hands[i]
        if hand.status != BETTING:
            return i
        out[i, :] = 0.0
        paid[0] = rules.ante + rules.big_blind
        paid[1] = rules.ante + rules.small_blind
        at = 0
        for street in range(rules.first_street, rules.last_street + 1):
            player = streets[street].opener  # then they take turns
            for place in range(places):
                chips = added[i, street, place]
                if chips != NO_ACTION:
                    out[i, at] = 1.0
                    out[i, at + 1] = chips / (rules.pot + paid[0] + paid[1])
                    paid[player] += chips
                    out[i, at + 2] = 1.0 if paid[player] == rules.stack else 0.0
                    player = 1 - player
                at += PLACE
        own = hand.player
        out[i, at] = (rules.pot + paid[0] + paid[1]) / (rules.pot + 2 * rules.stack)
        out[i, at + 1] = (rules.stack - paid[own]) / rules.stack
        out[i, at + 2] = (rules.stack - paid[1 - own]) / rules.stack
        out[i, at + 3] = own
    return -1


@inlined
def hashed(key, value):
    """The key of what was seen before, and one more number."""
    return mixed((key ^ np.uint64(value)) + STEP)


@kernel
def infoset_keys(rules, hands, cards, added, out):
    """uint64 [n]: a number for each information set; cards int8 [n, 7] canonical. Hands that are over get 0."""
    for i in range(hands.shape[0]):
        out[i] = 0
        if hands[i].status != BETTING:
            continue
        key = hashed(np.uint64(0), hands[i].player)
        for j in range(7):
            key = hashed(key, cards[i, j] + 1)
        for street in range(rules.first_street, hands[i].street + 1):
            for place in range(added.shape[2]):
                chips = added[i, street, place]
                if chips == NO_ACTION:
                    break
                key = hashed(key, chips + 1)
            key = hashed(key, 0)  # the street ends
        out[i] = key
