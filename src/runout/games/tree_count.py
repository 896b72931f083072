"""How large a betting tree would be, before it is built.

Lines that lead to the same bets are counted together: one pass over the streets, level by level, with how many lines
come to each state. So millions of nodes are counted without being made, and a tree that is too large is refused with
the street that makes it so.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, BETTING, RAISE, STREET_NAMES, STREET_OVER, BettingState, Offered

MAX_NODES = 2_000_000
MAX_RAISES = 200  # bets and raises on one street: no game of poker comes near
MAX_STATES = 300_000  # that are told apart here; above, building the tree will say


def require_size(start: BettingState, menu: Offered, most: int | None = None) -> list[int]:
    """Refuse a tree of more than `most` nodes (MAX_NODES where none are given), or with endless raises.

    Gives the nodes of each street, fewer than there are where counting stopped at too many different states.
    """
    most, seen = most or MAX_NODES, 0
    counts: list[int] = []
    key = partial(key_of, menu)
    entries: dict[Hashable, tuple[BettingState, int]] = {key(start): (start, 1)}
    for street in range(start.street, start.rules.last_street + 1):
        nodes, widest, level = 0, 0, entries
        after: dict[Hashable, tuple[BettingState, int]] = {}
        counted = sum(counts)  # nodes of the streets before
        coming = sum(lines for _, lines in entries.values())  # nodes that are sure to come
        checked = 2 * (start.rules.last_street - street)  # nodes of a line that is checked through to the end
        while level:
            below: dict[Hashable, tuple[BettingState, int]] = {}
            for state, lines in level.values():
                nodes, coming, seen = nodes + lines, coming - lines, seen + 1
                if state.raises > MAX_RAISES:
                    raise InputError(
                        f"the {STREET_NAMES[street]} goes on for more than {MAX_RAISES} bets and raises: give larger "
                        "sizes there, or a raise cap"
                    )
                if counted + nodes + coming > most:
                    raise InputError(_too_large(most, street, widest))
                if seen > MAX_STATES:
                    return [*counts, nodes]
                actions = menu(state)
                widest = max(widest, sum(action.kind in (BET, RAISE, ALL_IN) for action in actions))
                for action in actions:
                    child = state.play(action)
                    if child.status == BETTING:
                        _add(below, key(child), child, lines)
                        coming += lines
                    elif child.status == STREET_OVER:
                        child = child.next_street()
                        _add(after, key(child), child, lines)
                        coming += lines * checked
            level = below
        counts.append(nodes)
        entries = after
    return counts


def _too_large(most: int, street: int, widest: int) -> str:
    sizes = f", where up to {widest} bets or raises are offered at once" if widest > 1 else ""
    return (
        f"the betting tree passes {most:,} nodes on the {STREET_NAMES[street]}{sizes}: give fewer or larger sizes "
        "there or before, or cap raises"
    )


def _add(found: dict[Hashable, tuple[BettingState, int]], key: Hashable, state: BettingState, lines: int) -> None:
    had = found.get(key)
    found[key] = (state, lines + (had[1] if had is not None else 0))


def key_of(menu: Offered, state: BettingState) -> Hashable:
    """Equal for states that continue in the same way, whatever was played before where the menu does not ask for it."""
    if not getattr(menu, "forgetful", False):
        return state.played
    return (
        state.player, state.spent, state.bets, state.raises, state.last_raise, state.acted > 0, state.last_caller,
    )  # fmt: skip
