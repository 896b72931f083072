"""Thousands of hands of hold'em advanced together: the batched twin of `games.betting` and `games.holdem_state`.

A hand is one record of `hands`, a row of `added` and a row of `cards`. Actions are semantic slots: fold, check or call,
bet or raise of size i, all-in. A street that is over leads to the next one at once, because all cards are dealt
beforehand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.compiling import inlined, kernel
from runout.kernels.evaluator import flush_suit, rank_strength
from runout.kernels.sampling import uniform

FOLD_SLOT, CALL_SLOT, FIRST_SIZE = 0, 1, 2
MAX_SIZES = 12
ILLEGAL = -1  # total of a slot that may not be played
NO_SLOT = -1
NO_ACTION = -1  # in added int32 [n, 4, most actions a street], the chips that each action put in

NOBODY = -1  # these five as in games.betting
BETTING, FOLDED, CLOSED = 0, 2, 3
OF_POT, OF_BET = 0, 1  # what a size is a multiple of: the pot after calling, or the bet faced


class Structure(NamedTuple):
    """The rules that hold on all streets, as numbers."""

    stack: int  # chips of each player before anything is posted
    pot: int  # chips in the middle that belong to nobody
    ante: int
    big_blind: int  # of player 0
    small_blind: int  # of player 1
    min_bet: int
    first_street: int
    last_street: int
    all_in_slot: int  # NO_SLOT: an all-in is played by the slot of its size
    slots: int
    shown: int  # board cards at showdown
    rake: float  # share of a pot that is taken when the hand ends
    most_rake: float  # chips


MAX_SLOTS = FIRST_SIZE + MAX_SIZES + 1
LEVELS = 4  # lists of sizes of a street: by how many bets and raises were made; the last holds from there on
OVER_LIMP = LEVELS  # and one for a raise over a limp

# Records, not an array a field: passing arrays on to a function counts their references, which costs more than the rest
# of a decision.

# One record a street from preflop, played or not.
STREET = np.dtype(
    [
        ("fixed", np.int64),  # what a bet or raise adds; 0 is no-limit
        ("cap", np.int64),  # bets and raises
        ("opener", np.int64),
        ("limps", np.int64),  # 0: the first player may not just call
        ("all_in", np.float64),  # pots up to which an all-in is offered, besides where a size comes to it; -1: none
        ("sizes", np.int64, (LEVELS + 1,)),  # how many
        ("size", np.int64, (LEVELS + 1, MAX_SIZES, 3)),  # OF_POT or OF_BET, numerator, denominator; smallest first
    ]
)

# One record a hand.
HAND = np.dtype(
    [
        ("spent", np.int32, (2,)),  # chips each put in over the hand
        ("bets", np.int32, (2,)),  # and on this street
        ("last_raise", np.int32),
        ("raises", np.int16),  # bets and raises on this street
        ("acted", np.int16),  # actions on this street
        ("street", np.int8),
        ("status", np.int8),  # BETTING, FOLDED or CLOSED
        ("player", np.int8),  # who is to act, or NOBODY
        ("folder", np.int8),
    ],
    align=True,
)


class LegalSlots(NamedTuple):
    """What the player to act may do. Arrays and not a record: one taken out of an array does not keep that alive."""

    total: np.ndarray  # int64 [MAX_SLOTS]: the player's total on this street after each slot, or ILLEGAL
    legal: np.ndarray  # int64 [MAX_SLOTS]: legal slots in order


@inlined
def new_menu():
    """Room for a menu."""
    return LegalSlots(np.empty(MAX_SLOTS, np.int64), np.empty(MAX_SLOTS, np.int64))


@kernel
def start(rules, streets, hands):
    """Set every hand to before its first action, blinds and antes posted."""
    for i in range(hands.shape[0]):
        hand = hands[i]
        hand.bets[0] = rules.big_blind
        hand.bets[1] = rules.small_blind
        hand.spent[0] = rules.ante + rules.big_blind
        hand.spent[1] = rules.ante + rules.small_blind
        hand.last_raise = rules.min_bet
        hand.raises = 0
        hand.acted = 0
        hand.street = rules.first_street
        hand.status = BETTING
        hand.player = streets[rules.first_street].opener
        hand.folder = NOBODY


@inlined
def raise_bounds(rules, street, hand):
    """Smallest and largest total of a bet or raise; (0, 0) where none is legal."""
    facing = max(hand.bets[0], hand.bets[1])
    largest = hand.bets[hand.player] + rules.stack - hand.spent[hand.player]
    if largest <= facing or hand.raises >= street.cap:
        return 0, 0
    if street.fixed > 0:
        only = min(facing + street.fixed, largest)
        return only, only
    return min(facing + hand.last_raise, largest), largest


@inlined(error_model="numpy")  # no denominator is 0
def fill_menu(rules, street, hand, menu):
    """Set menu.total, the player's total on this street after each slot; ILLEGAL where it may not be played."""
    for k in range(rules.slots):
        menu.total[k] = ILLEGAL
    if hand.status == BETTING:
        own = hand.bets[hand.player]
        facing = max(hand.bets[0], hand.bets[1])
        menu.total[FOLD_SLOT] = own if facing > own else ILLEGAL
        menu.total[CALL_SLOT] = facing if street.limps or hand.acted > 0 or facing == own else ILLEGAL
        smallest, largest = raise_bounds(rules, street, hand)
        if largest > 0 and rules.all_in_slot == NO_SLOT:  # limit: one size, and what is left where it is less
            menu.total[FIRST_SIZE] = smallest
        elif largest > 0:
            pot = rules.pot + hand.spent[0] + hand.spent[1] + facing - own
            reached = largest - facing <= street.all_in * pot
            previous = np.int64(ILLEGAL)
            level = min(np.int64(hand.raises), LEVELS - 1)
            if hand.street == 0 and hand.raises == 0 and hand.acted > 0:
                level = OVER_LIMP
            for k in range(street.sizes[level]):
                numerator, denominator = street.size[level, k, 1], street.size[level, k, 2]
                of_bet = street.size[level, k, 0] == OF_BET
                base = facing if of_bet else pot
                total = (2 * base * numerator + denominator) // (2 * denominator)  # to the nearest chip, halves up
                total = min(max(total if of_bet else facing + total, smallest), largest)
                if total == largest:
                    reached = True
                elif total != previous:  # of sizes that come to the same chips the first one counts
                    menu.total[FIRST_SIZE + k] = total
                    previous = total
            if reached:
                menu.total[rules.all_in_slot] = largest


@inlined
def play(rules, streets, hand, slot, total):
    """Play one legal action: `total` is the player's on this street after it. The chips that it put in."""
    player = hand.player
    facing = max(hand.bets[0], hand.bets[1])
    added = total - hand.bets[player]
    first = hand.acted == 0
    hand.spent[player] += added
    hand.bets[player] = total
    hand.acted += 1
    if slot == FOLD_SLOT:
        hand.status = FOLDED
        hand.folder = player
        hand.player = NOBODY
    elif total > facing:
        hand.raises += 1
        hand.last_raise = max(hand.last_raise, total - facing)
        hand.player = 1 - player
    elif hand.spent[player] == rules.stack or (not first and hand.street == rules.last_street):
        hand.status = CLOSED
        hand.player = NOBODY
    elif first:  # the first check or limp leaves the opponent the option
        hand.player = 1 - player
    else:
        hand.street += 1
        hand.bets[0] = 0
        hand.bets[1] = 0
        hand.raises = 0
        hand.last_raise = rules.min_bet
        hand.acted = 0
        hand.player = streets[hand.street].opener
    return added


@kernel
def totals(rules, streets, hands, out):
    """`fill_menu` of every hand: out int64 [n, slots]."""
    menu = new_menu()
    for i in range(hands.shape[0]):
        fill_menu(rules, streets[hands[i].street], hands[i], menu)
        for k in range(rules.slots):
            out[i, k] = menu.total[k]


@kernel
def bounds(rules, streets, hands, out):
    """`raise_bounds` of every hand: out int64 [n, 2]."""
    for i in range(hands.shape[0]):
        out[i, 0], out[i, 1] = 0, 0
        if hands[i].status == BETTING:
            out[i, 0], out[i, 1] = raise_bounds(rules, streets[hands[i].street], hands[i])


@kernel
def advance(rules, streets, hands, added, slots, amounts):
    """Play slots int64 [n], NO_SLOT leaves a hand as it is; the first hand whose slot is illegal, or -1.

    A size is played to amounts int64 [n] where that is above 0, any legal total. Where one is illegal none is played.
    """
    n = hands.shape[0]
    menu = new_menu()
    chosen = np.empty(n, np.int64)
    for i in range(n):
        chosen[i] = ILLEGAL
        slot, hand = slots[i], hands[i]
        if slot == NO_SLOT:
            continue
        fill_menu(rules, streets[hand.street], hand, menu)
        if slot < 0 or slot >= rules.slots or hand.status != BETTING:
            return i
        if slot >= FIRST_SIZE and amounts[i] > 0:
            smallest, largest = raise_bounds(rules, streets[hand.street], hand)
            if largest == 0 or not smallest <= amounts[i] <= largest:
                return i
            chosen[i] = amounts[i]
        elif menu.total[slot] == ILLEGAL:
            return i
        else:
            chosen[i] = menu.total[slot]
    for i in range(n):
        if chosen[i] != ILLEGAL:
            street, acted = hands[i].street, hands[i].acted
            added[i, street, acted] = play(rules, streets, hands[i], slots[i], chosen[i])
    return -1


@inlined
def _play_at_random(rules, streets, hand, menu, draw):
    """One legal action, each slot alike, by a number in [0, 1); the chips that it put in."""
    fill_menu(rules, streets[hand.street], hand, menu)
    found = 0
    for k in range(rules.slots):
        menu.legal[found] = k  # written over unless it is legal
        found += menu.total[k] != ILLEGAL
    slot = menu.legal[int(draw * found)]
    return play(rules, streets, hand, slot, menu.total[slot])


@kernel
def advance_at_random(rules, streets, hands, added, generator):
    """One random action in every hand that is not over; how many acted."""
    menu = new_menu()
    count = 0
    for i in range(hands.shape[0]):
        if hands[i].status == BETTING:
            street, acted = hands[i].street, hands[i].acted
            added[i, street, acted] = _play_at_random(rules, streets, hands[i], menu, uniform(generator))
            count += 1
    return count


@kernel
def play_out_at_random(rules, streets, hands, added, generator):
    """Random actions until every hand is over; how many there were.

    Hands take turns, and those that are over are left out: one hand after the other would wait for its own results.
    """
    menu = new_menu()
    active = np.empty(hands.shape[0], np.int64)
    running, count = 0, 0
    for i in range(hands.shape[0]):
        active[running] = i
        running += hands[i].status == BETTING
    while running > 0:
        left = 0
        for a in range(running):
            i = active[a]
            street, acted = hands[i].street, hands[i].acted
            added[i, street, acted] = _play_at_random(rules, streets, hands[i], menu, uniform(generator))
            count += 1
            active[left] = i
            left += hands[i].status == BETTING
        running = left
    return count


@inlined
def strength(cards, i, first, shown, tables):
    """Of the hole cards at `first` of deal i with the first `shown` board cards."""
    key = tables.card_key[cards[i, first]] + tables.card_key[cards[i, first + 1]]
    for j in range(4, 4 + shown):
        key += tables.card_key[cards[i, j]]
    suit = flush_suit(key)
    if suit < 0:
        return np.int64(rank_strength(key, tables))
    mask = 0
    for j in range(4 + shown):
        held = j >= 4 or j == first or j == first + 1
        if held and cards[i, j] & 3 == suit:
            mask |= 1 << (cards[i, j] >> 2)
    return np.int64(tables.flush[mask])


@inlined
def after_rake(rules, hand):
    """The pot of a hand that is over, less the rake, which is taken from what was called."""
    called = rules.pot + 2 * min(hand.spent[0], hand.spent[1])
    return rules.pot + hand.spent[0] + hand.spent[1] - min(called * rules.rake, rules.most_rake)


@kernel
def payoffs(rules, hands, cards, tables, out):
    """What each player wins less what each put in: out float64 [n, 2]; 0 where a hand is not over."""
    for i in range(hands.shape[0]):
        hand = hands[i]
        out[i, 0], out[i, 1] = 0.0, 0.0
        if hand.status == BETTING:
            continue
        if hand.status == FOLDED:
            share = float(hand.folder)
        else:
            first = strength(cards, i, 0, rules.shown, tables)
            second = strength(cards, i, 2, rules.shown, tables)
            share = 0.5 if first == second else (1.0 if first > second else 0.0)
        pot = after_rake(rules, hand)
        out[i, 0] = pot * share - hand.spent[0]
        out[i, 1] = pot * (1.0 - share) - hand.spent[1]
