"""What local best response thinks of its actions in one hand, the slow way: every opponent's hand is dealt."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from runout.cards.evaluator import strength
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_state import HoldemState, new_hand


def action_values(state: HoldemState, slots: list[int], policy) -> dict[int, float]:
    """Chips that each legal slot is worth to the player to act, folding 0; `slots` led here. Turn and river only."""
    seat = state.player
    known = {*state.hole(seat), *state.board}
    deals = [_dealt(state, seat, held) for held in combinations([c for c in range(52) if c not in known], 2)]
    range_ = _range(state, deals, slots, policy, seat)
    share = np.array([_share(state, seat, deal) for deal in deals])
    betting = state.betting
    pot = betting.pot
    values = {}
    for slot in state.menu():
        if slot == 0:
            values[slot] = 0.0
            continue
        after = state.play(slot)
        put = after.betting.spent[seat] - betting.spent[seat]
        if slot == 1:
            values[slot] = float(range_ @ share / range_.sum() * (pot + put) - put)
            continue
        folds = range_ * _play(state, deals, [*slots, slot], policy)[:, 0]
        folded, left = folds.sum() / range_.sum(), range_ - folds
        owed = after.betting.spent[seat] - after.betting.spent[1 - seat]
        called = left @ share / left.sum() * (pot + put + owed) - put if left.sum() > 0 else 0.0
        values[slot] = float(folded * pot + (1 - folded) * called)
    return values


def _dealt(state: HoldemState, seat: int, held: tuple[int, int]) -> list[int]:
    """Nine cards with this hand for the opponent; cards to come are any others."""
    own, board = list(state.hole(seat)), list(state.board)
    rest = [c for c in range(52) if c not in {*own, *board, *held}]
    holes = [*own, *held] if seat == 0 else [*held, *own]
    return [*holes, *board, *rest[: 5 - len(board)]]


def _play(state: HoldemState, deals: list[list[int]], slots: list[int], policy) -> np.ndarray:
    """[parts-averaged by reach] what the opponent does after `slots`: [hands, slots], weighed by the reach of parts."""
    batch = HoldemBatch(state.game, np.array(deals, np.uint8))
    opponent = 1 - state.player
    reach = np.tile(policy.weights, (len(deals), 1))
    for slot in slots:
        if batch.player[0] == opponent:
            asked = [policy.probabilities(batch, part)[:, slot] for part in range(len(policy.weights))]
            reach = reach * np.stack(asked, axis=1)
        batch.act(np.full(len(deals), slot))
    last = np.stack([policy.probabilities(batch, part) for part in range(len(policy.weights))], axis=1)
    total = reach.sum(axis=1, keepdims=True)
    return np.einsum("np,nps->ns", np.divide(reach, total, out=np.zeros_like(reach), where=total > 0), last)


def _range(state: HoldemState, deals: list[list[int]], slots: list[int], policy, seat: int) -> np.ndarray:
    """[hands] odds that the opponent has played `slots` with each hand."""
    odds = np.zeros(len(deals))
    for part, weight in enumerate(policy.weights):
        batch, own = HoldemBatch(state.game, np.array(deals, np.uint8)), np.full(len(deals), weight)
        for slot in slots:
            if batch.player[0] != seat:
                own = own * policy.probabilities(batch, part)[:, slot]
            batch.act(np.full(len(deals), slot))
        odds += own
    return odds


def _share(state: HoldemState, seat: int, deal: list[int]) -> float:
    """Of the pot over all rivers to come."""
    own, other = (deal[2 * side : 2 * side + 2] for side in (seat, 1 - seat))
    open_cards = list(state.board)
    left = [c for c in range(52) if c not in {*own, *other, *open_cards}]
    boards = [[*open_cards, *more] for more in combinations(left, state.game.board_cards - len(open_cards))]
    results = []
    for board in boards:
        mine, theirs = strength([*own, *board]), strength([*other, *board])
        results.append(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
    return float(np.mean(results))


def state_after(game, deal, slots: list[int]) -> HoldemState:
    """One dealt hand after these slots."""
    state = new_hand(game, [int(c) for c in deal])
    for slot in slots:
        state = state.play(slot)
    return state
