"""Random games of hold'em, deals and hands for property tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from hypothesis import strategies as st

from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.games.holdem_game import HoldemGame
from runout.games.holdem_state import HoldemState

_LIMIT = st.builds(
    lambda depth, streets, early, late: LimitHoldem(
        stack_depth=depth / 2, num_streets=streets, max_raises_early=early, max_raises_late=late
    ),
    st.one_of(st.integers(2, 30), st.integers(2, 400)),
    st.sampled_from([2, 4]),
    st.integers(0, 4),
    st.integers(0, 4),
)
_SIZES = st.lists(st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.66, 0.75, 1, 1.5, 2.5]), max_size=3, unique=True)


@st.composite
def _no_limit(draw: st.DrawFn) -> NoLimitHoldem:
    board = draw(st.sampled_from(["", "", "Qs Jh 2h", "7c 7d 7h"]))
    limps = bool(board) or draw(st.sampled_from([True, True, False]))
    return NoLimitHoldem(
        stack_depth=draw(st.one_of(st.integers(250, 3000), st.integers(250, 20000))) / 100,
        bet_sizes=tuple(draw(_SIZES)),
        turn_bet_sizes=draw(st.one_of(st.none(), _SIZES)),
        river_bet_sizes=draw(st.one_of(st.none(), _SIZES)),
        raise_sizes=draw(st.one_of(st.none(), _SIZES)),
        preflop_raises=draw(st.one_of(st.none(), st.sampled_from([(2.5,), (2.2, 3.0), ((2.0,), (2.75, 4.0), (2.4,))]))),
        limps=limps,
        iso_raises=draw(st.sampled_from([None, (3.5,), (3.0, 4.0)])) if limps else None,
        ante=0.0 if board else draw(st.sampled_from([0.0, 0.0, 0.13])),
        big_blind_ante=0.0 if board else draw(st.sampled_from([0.0, 0.0, 1.0])),
        rake=draw(st.sampled_from([{}, {}, {"percent": 5}, {"percent": 5, "cap": 0.5}])),
        max_raises_per_street=draw(st.integers(0, 5)),
        all_in=draw(st.sampled_from([True, False, 0.75, 2.0])),
        num_streets=draw(st.integers(2, 4)),
        board=board,
        pot=draw(st.sampled_from([1.0, 2.0, 2.5])),
    )


SETTINGS: st.SearchStrategy[HoldemSettings] = st.one_of(_LIMIT, _no_limit())


def deals_of(game: HoldemGame, count: int, seed: int) -> np.ndarray:
    """uint8 [count, 9], by sorting random numbers."""
    order = np.random.default_rng(seed).random((count, 52))
    order[:, list(game.board)] = 2.0  # never among the first nine
    deals = np.argsort(order, axis=1)[:, :9].astype(np.uint8)
    if game.board:
        deals[:, 4:7] = game.board
    return deals


def random_hand(game: HoldemGame, seed: int, fold: float = 0.2) -> list[HoldemState]:
    """Every state of a hand played at random, the end included; a fold is taken with a chance of `fold`."""
    rng = np.random.default_rng(seed)
    states = [game.deal(deals_of(game, 1, seed)[0])]
    while not states[-1].over:
        slots = states[-1].slots()
        if len(slots) > 1 and slots[0] == 0 and rng.random() > fold:
            slots = slots[1:]
        states.append(states[-1].play(int(rng.choice(slots))))
    return states


def renamed(cards: Iterable[int], suits: Sequence[int]) -> list[int]:
    """The cards with suit s called suits[s]."""
    return [int(c) // 4 * 4 + suits[int(c) % 4] for c in cards]
