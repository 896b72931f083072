"""External-sampling MCCFR on dealt hold'em: information sets in a hash table, walks without recursion.

A walk follows one deal for one traverser. At the traverser's decisions all actions are tried, at the opponent's one is
drawn. What it learns is noted down and added to the table when the walk is over, so a walk that finds the table or its
own arrays too small leaves nothing behind and is done again once there is room: results do not depend on sizes.

A key joins two numbers: that of the cards a player sees (`card_keys`, or a bucket's) and that of the betting so far.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.compiling import inlined, kernel
from runout.kernels.deals import STEP, mixed
from runout.kernels.encoders import canonical_row, hashed
from runout.kernels.holdem import (
    BETTING,
    FOLD_SLOT,
    FOLDED,
    HAND,
    ILLEGAL,
    MAX_SLOTS,
    NO_ACTION,
    after_rake,
    fill_menu,
    new_menu,
    play,
    start,
    strength,
)
from runout.kernels.sampling import uniform

EMPTY = np.uint64(0)  # no information set has this key
NOT_FOUND = -1
STREETS = 4


class Table(NamedTuple):
    """Information sets by open addressing; capacity is a power of two."""

    keys: np.ndarray  # uint64 [capacity], EMPTY where there is none
    regrets: np.ndarray  # float32 [capacity, slots]
    averages: np.ndarray  # float32 [capacity, slots]: sums of weight times strategy
    used: np.ndarray  # int64 [1]


class Walk(NamedTuple):
    """Scratch of a walk: a frame for each of the traverser's decisions on the way, and what is to be added."""

    hands: np.ndarray  # HAND [frames + 1], the last one for where the walk stands
    history: np.ndarray  # uint64 [frames]
    row: np.ndarray  # int64 [frames]: in the table
    slot: np.ndarray  # int64 [frames]: being tried
    totals: np.ndarray  # int64 [frames, MAX_SLOTS]
    strategy: np.ndarray  # float64 [frames + 1, MAX_SLOTS], the last one for the opponent's
    values: np.ndarray  # float64 [frames, MAX_SLOTS]
    noted_row: np.ndarray  # int64 [notes]: of the table; regrets as they are, averages as -1 - row
    noted: np.ndarray  # float32 [notes, slots]


@inlined
def _card_key(cards, i, player, street, seen):
    """The number of what a player sees on a street, suits renamed; seen int8 [1, 7] is scratch."""
    canonical_row(cards, i, player, 0 if street == 0 else street + 2, seen, 0)
    key = hashed(np.uint64(0), player)
    for j in range(7):
        key = hashed(key, seen[0, j] + 1)
    return key


@kernel
def card_keys(cards, first_street, last_street, out):
    """Numbers of what players see of cards uint8 [n, 9]: out uint64 [n, 2, 4] by player and street."""
    seen = np.empty((1, 7), np.int8)
    for i in range(cards.shape[0]):
        for player in range(2):
            for street in range(first_street, last_street + 1):
                out[i, player, street] = _card_key(cards, i, player, street, seen)


@kernel
def acting_card_keys(cards, hands, out):
    """Of the players to act alone: out uint64 [n]; 0 where a hand is over."""
    seen = np.empty((1, 7), np.int8)
    for i in range(cards.shape[0]):
        acting = hands[i].status == BETTING
        out[i] = _card_key(cards, i, hands[i].player, hands[i].street, seen) if acting else np.uint64(0)


@kernel
def bucket_keys(buckets, out):
    """The same of buckets int32 [n, 2, 4]: hands of a bucket are told apart no more."""
    for i in range(buckets.shape[0]):
        for player in range(2):
            for street in range(STREETS):
                out[i, player, street] = hashed(
                    hashed(hashed(np.uint64(1), player), street), buckets[i, player, street]
                )


@inlined
def joined(cards, history):
    """The key of an information set."""
    key = mixed(cards ^ (history + STEP))
    return key if key != EMPTY else np.uint64(1)


@kernel
def batch_keys(rules, hands, added, keys, out):
    """Keys out uint64 [n] of the decisions of a batch; keys uint64 [n] of their cards. EMPTY where a hand is over."""
    for i in range(hands.shape[0]):
        out[i] = EMPTY
        if hands[i].status != BETTING:
            continue
        history = np.uint64(0)
        for street in range(rules.first_street, hands[i].street + 1):
            if street > rules.first_street:
                history = hashed(history, 0)
            for place in range(added.shape[2]):
                if added[i, street, place] == NO_ACTION:
                    break
                history = hashed(history, added[i, street, place] + 1)
        out[i] = joined(keys[i], history)


@inlined
def _find(keys, key):
    """Where a key stands, or the empty place for it."""
    mask = np.uint64(keys.shape[0] - 1)
    at = key & mask
    while keys[at] != key and keys[at] != EMPTY:
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@inlined
def _find_or_add(table, key, most):
    """The row of a key, new or not; NOT_FOUND where `most` are in the table already."""
    at = _find(table.keys, key)
    if table.keys[at] == EMPTY:
        if table.used[0] >= most:
            return np.int64(NOT_FOUND)
        table.keys[at] = key
        table.used[0] += 1
    return at


@kernel
def rehash(old_keys, old_regrets, old_averages, table):
    """Put the rows of smaller or packed tables into an empty one."""
    for i in range(old_keys.shape[0]):
        if old_keys[i] != EMPTY:
            at = _find(table.keys, old_keys[i])
            table.keys[at] = old_keys[i]
            for k in range(table.regrets.shape[1]):
                table.regrets[at, k] = old_regrets[i, k]
                table.averages[at, k] = old_averages[i, k]
            table.used[0] += 1


@kernel
def look_up(rules, streets, hands, keys, table_keys, averages, out):
    """Average strategies out float64 [n, slots] of decisions with keys uint64 [n]; even where nothing is known."""
    menu = new_menu()
    for i in range(hands.shape[0]):
        fill_menu(rules, streets[hands[i].street], hands[i], menu)
        at = _find(table_keys, keys[i])
        known = table_keys[at] != EMPTY and keys[i] != EMPTY
        total, legal = 0.0, 0
        for k in range(rules.slots):
            out[i, k] = 0.0
            if menu.total[k] != ILLEGAL:
                legal += 1
                if known:
                    out[i, k] = averages[at, k]
                    total += averages[at, k]
        for k in range(rules.slots):
            if menu.total[k] != ILLEGAL:
                out[i, k] = out[i, k] / total if total > 0.0 else 1.0 / legal


@inlined
def _match(rules, regrets, row, totals, frame, strategy, place):
    """strategy[place]: in proportion to positive regrets, even where there are none."""
    total, legal = 0.0, 0
    for k in range(rules.slots):
        strategy[place, k] = 0.0
        if totals[frame, k] != ILLEGAL:
            legal += 1
            strategy[place, k] = max(regrets[row, k], np.float32(0.0))
            total += strategy[place, k]
    for k in range(rules.slots):
        if totals[frame, k] != ILLEGAL:
            strategy[place, k] = strategy[place, k] / total if total > 0.0 else 1.0 / legal


@inlined
def _next_slot(rules, totals, frame, slot):
    """The first legal slot from `slot` on; rules.slots where there is none."""
    while slot < rules.slots and totals[frame, slot] == ILLEGAL:
        slot += 1
    return slot


@inlined
def _fill(rules, streets, hand, menu, totals, frame):
    fill_menu(rules, streets[hand.street], hand, menu)
    for k in range(rules.slots):
        totals[frame, k] = menu.total[k]


@inlined
def _played(rules, streets, hand, slot, total, history):
    """Play an action; the number of the betting after it."""
    street = hand.street
    history = hashed(history, play(rules, streets, hand, slot, total) + 1)
    return hashed(history, 0) if hand.street != street else history


@inlined
def _payoff(rules, hand, share, traverser):
    """Chips that the traverser wins; `share` of the pot is player 0's at a showdown."""
    if hand.status == FOLDED:
        share = float(hand.folder)
    pot = after_rake(rules, hand)
    return pot * (share if traverser == 0 else 1.0 - share) - hand.spent[traverser]


@inlined
def _try_first(rules, streets, here, menu, table, row, history, walk, depth):
    """A frame for a decision of the traverser, with the first action played; the number of the betting after it."""
    _fill(rules, streets, here, menu, walk.totals, depth)
    _match(rules, table.regrets, row, walk.totals, depth, walk.strategy, depth)
    walk.hands[depth] = here
    walk.history[depth], walk.row[depth] = history, row
    slot = _next_slot(rules, walk.totals, depth, FOLD_SLOT)
    walk.slot[depth] = slot
    return _played(rules, streets, here, slot, walk.totals[depth, slot], history)


@inlined
def _draw_action(rules, streets, here, menu, table, row, history, walk, totals, noted, scale, draw):
    """Note down the opponent's strategy and play an action of it; the number of the betting after it."""
    place = walk.strategy.shape[0] - 1
    _fill(rules, streets, here, menu, totals, 0)
    _match(rules, table.regrets, row, totals, 0, walk.strategy, place)
    slot = -1
    walk.noted_row[noted] = -1 - row
    for k in range(rules.slots):
        odds = walk.strategy[place, k]
        walk.noted[noted, k] = scale * odds
        if odds > 0.0 and (slot < 0 or draw >= 0.0):
            slot = k
            draw -= odds
    return _played(rules, streets, here, slot, totals[0, slot], history)


@inlined
def _close(rules, walk, depth, noted, scale):
    """Note down the regrets of a decision of the traverser whose actions have all been tried; its value."""
    value = 0.0
    for k in range(rules.slots):
        if walk.totals[depth, k] != ILLEGAL:
            value += walk.strategy[depth, k] * walk.values[depth, k]
    walk.noted_row[noted] = walk.row[depth]
    for k in range(rules.slots):
        legal = walk.totals[depth, k] != ILLEGAL
        walk.noted[noted, k] = scale * (walk.values[depth, k] - value) if legal else 0.0
    return value


@inlined
def _add(rules, table, walk, noted):
    """Add what was noted down to the table."""
    for i in range(noted):
        row = walk.noted_row[i]
        if row >= 0:
            for k in range(rules.slots):
                table.regrets[row, k] += walk.noted[i, k]
        else:
            for k in range(rules.slots):
                table.averages[-1 - row, k] += walk.noted[i, k]


@kernel
def walks(rules, streets, shares, keys, importance, first, weight, table, most, generator, walk, counts):
    """Walk over deals first, first + 1, ...; even ones are walked by player 0, odd ones by player 1.

    shares float64 [n] and keys uint64 [n, 2, 4] of the deals, importance float64 [n] of each, on top of `weight`.
    Returns the first deal that was not walked: n, or one that needs a larger table or larger scratch. counts int64 [1]
    grows by the decisions that were visited.
    """
    frames, notes = walk.row.shape[0], walk.noted_row.shape[0]
    menu, totals = new_menu(), np.empty((1, MAX_SLOTS), np.int64)
    here = walk.hands[frames]
    for deal in range(first, shares.shape[0]):
        traverser = deal & 1
        saved, scale = generator[0], weight * importance[deal]
        start(rules, streets, walk.hands[frames : frames + 1])
        history, depth, noted, visited, done = np.uint64(0), -1, 0, 0, False
        while not done:
            if here.status == BETTING:
                row = _find_or_add(table, joined(keys[deal, here.player, here.street], history), most)
                if row == NOT_FOUND or noted + depth + 2 >= notes or depth + 1 >= frames:
                    generator[0] = saved
                    return deal
                visited += 1
                if here.player == traverser:
                    depth += 1
                    history = _try_first(rules, streets, here, menu, table, row, history, walk, depth)
                else:
                    draw = uniform(generator)
                    history = _draw_action(
                        rules, streets, here, menu, table, row, history, walk, totals, noted, scale, draw
                    )
                    noted += 1
                continue
            value = _payoff(rules, here, shares[deal], traverser)
            while depth >= 0:
                walk.values[depth, walk.slot[depth]] = value
                slot = _next_slot(rules, walk.totals, depth, walk.slot[depth] + 1)
                if slot < rules.slots:
                    walk.slot[depth] = slot
                    walk.hands[frames] = walk.hands[depth]
                    history = _played(rules, streets, here, slot, walk.totals[depth, slot], walk.history[depth])
                    break
                value = _close(rules, walk, depth, noted, scale)
                noted += 1
                depth -= 1
            done = depth < 0
        counts[0] += visited
        _add(rules, table, walk, noted)
    return shares.shape[0]


@kernel
def showdown_shares(cards, shown, tables, out):
    """Player 0's share of the pot at a showdown: out float64 [n] of cards uint8 [n, 9]."""
    for i in range(cards.shape[0]):
        first, second = strength(cards, i, 0, shown, tables), strength(cards, i, 2, shown, tables)
        out[i] = 0.5 if first == second else (1.0 if first > second else 0.0)


@kernel
def pick(generator, size, out):
    """Fill out int64 [n] with numbers below `size`, all alike."""
    for i in range(out.shape[0]):
        out[i] = int(uniform(generator) * size)


def new_walk(frames: int, notes: int, slots: int) -> Walk:
    """Scratch of a walk."""
    return Walk(
        np.empty(frames + 1, HAND),
        np.empty(frames, np.uint64),
        np.empty(frames, np.int64),
        np.empty(frames, np.int64),
        np.empty((frames, MAX_SLOTS), np.int64),
        np.empty((frames + 1, MAX_SLOTS)),
        np.empty((frames, MAX_SLOTS)),
        np.empty(notes, np.int64),
        np.empty((notes, slots), np.float32),
    )


def new_table(capacity: int, slots: int) -> Table:
    """An empty table."""
    shape = (capacity, slots)
    return Table(
        np.zeros(capacity, np.uint64), np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(1, np.int64)
    )
