"""Hands that a trained strategy plays against itself, as records of played hands.

1. Thousands of hands are dealt and played side by side (`match.play`), and every step is noted.
2. Each hand becomes a record: a big blind is 1.00, two players change seats from hand to hand.

A seed gives the same hands, however many are drawn beyond them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from runout.errors import InputError
from runout.evaluation.match import draw_parts, play
from runout.games.betting import BET, CALL, CHECK, FOLD, PREFLOP, RAISE, RIVER
from runout.games.deals import draw_deals
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import CALL_SLOT, FOLD_SLOT, HoldemGame
from runout.games.points import BOARD_CARDS
from runout.hands.record import Move, PlayedHand, Seat
from runout.kernels.holdem import FOLDED
from runout.protocols import HoldemPolicy

HANDS_AT_ONCE = 2048
NAMES = ("Runout A", "Runout B")
BIG_BLIND = 100  # cents
BEGUN = datetime(2025, 1, 1)
BETWEEN = timedelta(seconds=60)
FIRST_ID = 10**12


class _Step(NamedTuple):
    """One action of every hand; arrays by hand, player -1 where a hand is over."""

    player: np.ndarray
    street: np.ndarray
    kind: np.ndarray
    total: np.ndarray  # chips of the player on the street after it


def self_play(game: HoldemGame, policy: HoldemPolicy, count: int, seed: int = 0) -> Iterator[PlayedHand]:
    """`count` hands of a strategy against itself."""
    rules = game.rules
    if not game.no_limit or rules.first_street != PREFLOP or rules.last_street != RIVER:
        raise InputError(f"{game.name} is not played out in full: use a no-limit game from the blinds to the river")
    if count < 1:
        raise InputError(f"{count} hands: use 1 or more")
    scale, rest = divmod(BIG_BLIND, rules.blinds[0])
    if rest:
        raise InputError(f"a big blind of {rules.blinds[0]} chips has no cents: use a divisor of {BIG_BLIND}")
    for block in range(-(-count // HANDS_AT_ONCE)):
        first = block * HANDS_AT_ONCE
        # whole blocks, each with a seed of its own: the first hands are the same whatever the count
        deals, steps, returns, hands = _played(game, policy, np.random.SeedSequence([seed, block]))
        for row in range(min(HANDS_AT_ONCE, count - first)):
            moves = _moves(steps, row, scale)
            yield _record(game, deals[row], moves, returns[row], hands[row], scale, first + row, seed)


def _played(
    game: HoldemGame, policy: HoldemPolicy, seeds: np.random.SeedSequence
) -> tuple[np.ndarray, list[_Step], np.ndarray, np.ndarray]:
    """The deals of a block, what was done, what each seat won, and the hands in the end (as `HoldemBatch.hands`)."""
    rng = np.random.default_rng(seeds)
    deals = draw_deals(game, HANDS_AT_ONCE, np.array([rng.integers(1 << 63)], np.uint64))
    parts = np.stack([draw_parts(policy, rng.random(HANDS_AT_ONCE)) for _ in range(2)], axis=1)
    steps: list[_Step] = []
    batches: list[HoldemBatch] = []

    def note(batch: HoldemBatch, slots: np.ndarray) -> None:
        batches[:] = [batch]
        rows = np.arange(len(batch))
        player = batch.player.astype(np.int64)
        acting = player >= 0
        total = np.where(acting, batch.totals()[rows, np.where(acting, slots, 0)], 0)
        bets = batch.hands["bets"]
        facing, own = bets.max(axis=1), bets[rows, np.maximum(player, 0)]
        passive = np.where(facing > own, CALL, CHECK)
        kind = np.select([slots == FOLD_SLOT, slots == CALL_SLOT], [FOLD, passive], np.where(facing > 0, RAISE, BET))
        steps.append(_Step(player, batch.hands["street"].copy(), kind, np.where(slots == FOLD_SLOT, own, total)))

    returns = play(game, (policy, policy), parts, deals, rng, note)
    return deals, steps, returns, batches[0].hands


def _moves(steps: list[_Step], row: int, scale: int) -> tuple[Move, ...]:
    found = []
    for step in steps:
        player = int(step.player[row])
        if player < 0:
            break
        found.append(Move(player, int(step.street[row]), int(step.kind[row]), int(step.total[row]) * scale))
    return tuple(found)


def _record(
    game: HoldemGame,
    deal: np.ndarray,
    moves: tuple[Move, ...],
    returns: np.ndarray,
    hand: np.void,
    scale: int,
    number: int,
    seed: int,
) -> PlayedHand:
    rules, folded = game.rules, hand["status"] == FOLDED
    cards = [int(card) for card in deal]
    board = tuple(cards[4 : 4 + (BOARD_CARDS[hand["street"]] if folded else BOARD_CARDS[RIVER])])
    spent = [int(chips) for chips in hand["spent"]]
    pot = (rules.pot + 2 * min(spent)) * scale
    taken = tuple(
        round((float(won) + min(spent)) * scale) if won + min(spent) > 0 else 0 for won in map(float, returns)
    )
    seats = []
    for seat in range(2):
        place = (seat + number) % 2  # at the table
        seats.append(
            Seat(
                name=NAMES[place],
                stack=(rules.stack + rules.pot) * scale,  # chips for the ante of the big blind are no part of the game
                number=place + 1,
                cards=tuple(cards[2 * seat : 2 * seat + 2]),
                ante=(rules.ante + (rules.pot if seat == 0 else 0)) * scale,
                blind=rules.blinds[seat] * scale,
                showed=not folded,
            )
        )
    return PlayedHand(
        id=str(FIRST_ID + seed * 10**8 + number),
        seats=tuple(seats),
        small_blind=rules.blinds[1] * scale,
        big_blind=rules.blinds[0] * scale,
        moves=moves,
        boards=(board,),
        collected=taken,
        rake=pot - sum(taken),
        pot=pot,
        decimals=2,
        currency="$",
        site="Runout",
        table=f"Runout {seed}",
        hero=number % 2,  # the seat of the first name
        time=BEGUN + BETWEEN * number,
        number=number + 1,
    )
