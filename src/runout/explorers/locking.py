"""A spot with a strategy given at a node, hand by hand, as pages and programs write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runout.errors import InputError

ALL = "*"
EVERYBODY = "100%"  # the hands of a lock that names none
_CLOSE = 0.01  # how far shares may be from adding up to 1: people round


def locked_spot(settings: Mapping[str, Any], line: str, strategy: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """The settings of a spot with one more lock for each mix that hands are given ('*': all hands that are not named).

    Hands are combos or classes ('AsKh', 'AKs'), actions tokens of the line ('x', 'b94'); shares are made to add up to 1
    where rounding kept them from it. Locks that were there stay, but for those of the same hands at the same node.
    """
    groups: dict[tuple[tuple[str, float], ...], list[str]] = {}
    for hand, mix in strategy.items():
        groups.setdefault(_whole(hand, mix), []).append(hand)
    everyone = [mix for mix, hands in groups.items() if ALL in hands]
    locks = [{"line": line, "strategy": dict(mix)} for mix in everyone]
    for shares, hands in groups.items():
        named = [hand for hand in hands if hand != ALL]
        if named:
            locks.append({"line": line, "strategy": dict(shares), "hands": ",".join(named)})
    if not locks:
        raise InputError("no hands are given: name some, or '*' for all")
    fresh = {(lock["line"], lock.get("hands", EVERYBODY)) for lock in locks}
    earlier = [old for old in settings.get("locks", []) if (old["line"], old.get("hands", EVERYBODY)) not in fresh]
    return {**settings, "locks": [*earlier, *locks]}


def _whole(hand: str, mix: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    total = sum(mix.values())
    if not mix or min(mix.values()) < 0 or not abs(total - 1) <= _CLOSE:
        raise InputError(f"the shares of {hand!r} add up to {total:g}: use shares from 0 to 1 that add up to 1")
    return tuple(sorted((action, share / total) for action, share in mix.items()))
