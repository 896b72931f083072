"""The betting of another program's tree as a spot has it: by sizes where they make the same tree, else by its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from runout.errors import InputError
from runout.formats.pio_nodes import betting_by_lines, tree_numbers
from runout.games.betting import (
    ALL_IN,
    BET,
    CALL,
    CHECK,
    FLOP,
    FOLD,
    RAISE,
    STREET_NAMES,
    Action,
    BettingState,
    Offered,
)
from runout.games.spot import Spot
from runout.games.tree import BettingTree, StreetTree, build

MOST_LINES = 20_000


def with_betting(settings: Mapping[str, Any], sizes: Mapping[str, Any], menu: Offered) -> Spot:
    """The spot of `settings` whose tree is that of `menu`; `sizes` are the betting that it may be said in."""
    spot = Spot(**{**settings, "betting": dict(sizes)})
    start = spot.game().start()
    wanted = build(start, menu).with_streets(spot.rules().streets)
    if same_tree(spot.tree(), wanted):
        return spot
    lines = betting_by_lines(start, tree_numbers(start, menu))
    if len(lines) > MOST_LINES:
        raise InputError(f"the tree has {len(lines):,} lines and cannot be said in sizes: use at most {MOST_LINES:,}")
    betting: dict[str, Any] = {name: {} for name in STREET_NAMES[FLOP:]}
    return Spot(**{**settings, "betting": {**betting, "lines": lines}})


def same_tree(one: BettingTree, other: BettingTree) -> bool:
    """Whether two betting trees are equal, array by array."""
    if len(one.streets) != len(other.streets):
        return False
    names = [part.name for part in fields(StreetTree)]
    pairs = zip(one.streets, other.streets, strict=True)
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for a, b in pairs for name in names)


def offered(state: BettingState, totals: set[int]) -> list[Action]:
    """Fold, check and call, and bets or raises to these totals on the street, those that are legal, smallest first."""
    passive = [FOLD, CALL] if state.to_call else [CHECK]
    legal = state.legal()
    larger = sorted({min(max(total, legal.smallest), legal.largest) for total in totals} if legal.bet_or_raise else ())
    everything = state.bets[state.player] + state.behind(state.player)
    kind = RAISE if state.facing else BET
    made = [Action(ALL_IN if total == everything else kind, total) for total in larger]
    return [state.verify(Action(one)) for one in passive] + made
