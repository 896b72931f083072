"""The betting tree of a spot with bets added and taken out at its nodes, as pages and programs write it.

`edited_spot(settings, add=[("x", "33%")], remove=["x-b94"])` gives settings whose `lines` and `remove_lines` say so:
betting is the same on all cards, so the cards of an address do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, RAISE, Action
from runout.games.lines import ANY_CARD
from runout.games.points import DECISION, Point
from runout.games.sizes import TIMES, parse_sizes
from runout.games.spot import Spot

MOST_VARIANTS = 8
_SIZED = (BET, RAISE, ALL_IN)


@dataclass(frozen=True)
class SizeVariant:
    """A spot in which a player has one size at a node."""

    size: str  # as it was asked for: "33%"
    token: str  # what it adds to the line: "b60"
    name: str  # as people read it: "bet 60"
    spot: dict[str, Any]  # settings


def edited_spot(
    settings: Mapping[str, Any], add: Iterable[tuple[str, str]] = (), remove: Iterable[str] = ()
) -> dict[str, Any]:
    """Settings with a bet or raise more for each (line of the node, size), and without the last action of each line."""
    found = _explicit(settings)
    for line, size in add:
        for action in _actions(found, line, size):
            found = _with(found, action)
    for line in remove:
        found = _without(found, line)
    Spot(**found)  # an InputError names what cannot be played
    return found


def size_variants(settings: Mapping[str, Any], line: str, sizes: str) -> list[SizeVariant]:
    """One spot for each size ('33 75 150'): the player to act at a node has that bet or raise and no other."""
    words = [str(size) for size in parse_sizes(sizes)]
    if not 1 <= len(words) <= MOST_VARIANTS:
        raise InputError(f"{len(words)} sizes: give 1 to {MOST_VARIANTS}, as in '33 75 150'")
    found: list[SizeVariant] = []
    for word in words:
        point = _point(settings, line)
        wanted = _action(point, word)
        token = point.wording.token(wanted, point.state.street, point.state.player)
        if token in [one.token for one in found]:
            continue  # two sizes that are the same bet here
        changed = _explicit(settings)
        for action in point.menu:
            if action.kind in _SIZED and action != wanted:
                changed = _without(changed, _address(point, action))
        if wanted not in point.menu:
            changed = _with(changed, _address(point, wanted))
        Spot(**changed)
        found.append(SizeVariant(word, token, point.wording.name(wanted), changed))
    return found


def _explicit(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with all of the betting written out: a street that is left out means something else beside lines."""
    whole = Spot(**settings).model_dump(mode="json", by_alias=True, exclude_none=True)
    return {**settings, "betting": whole["betting"]}


def _point(settings: Mapping[str, Any], line: str) -> Point:
    point = Spot(**settings).game().lines.at(line)
    if point.kind != DECISION:
        raise InputError(f"nobody acts at {line!r}: choose a decision")
    return point


def _actions(settings: Mapping[str, Any], line: str, sizes: str) -> list[str]:
    """Addresses of the bets that sizes make at a node."""
    point = _point(settings, line)
    words = [str(size) for size in parse_sizes(sizes)]
    if not words:
        raise InputError("no size is given: use one such as 33%")
    return [_address(point, _action(point, word)) for word in words]


def _action(point: Point, word: str) -> Action:
    """The bet or raise that a size means at a node, moved to the nearest legal one."""
    state, legal = point.state, point.state.legal()
    if not legal.bet_or_raise:
        raise InputError(
            f"no bet or raise is legal at {point.line or 'the root'!r}: raise the cap, or choose another node"
        )
    (size,) = parse_sizes(word)
    if size.unit == TIMES and not state.facing:
        raise InputError(
            f"{word!r} at {point.line or 'the root'!r}: there is no bet yet to multiply; use a percentage (50%)"
        )
    total = min(max(size.total(state), legal.smallest), legal.largest)
    everything = state.bets[state.player] + state.behind(state.player)
    kind = ALL_IN if total == everything else RAISE if state.facing else BET
    return Action(kind, total)


def _address(point: Point, action: Action) -> str:
    """The line to a node and on by an action, for every card."""
    token = point.wording.token(action, point.state.street, point.state.player)
    words = (*point.words[:-1], (*point.words[-1], token))
    return point.wording.join(words, (ANY_CARD,) * len(point.dealt))


def _with(settings: dict[str, Any], address: str) -> dict[str, Any]:
    betting = settings["betting"]
    lines = list(dict.fromkeys([*betting.get("lines", []), address]))
    removed = [one for one in betting.get("remove_lines", []) if one != address]
    return {**settings, "betting": {**betting, "lines": lines, "remove_lines": removed}}


def _without(settings: dict[str, Any], line: str) -> dict[str, Any]:
    point = Spot(**settings).game().lines.at(line)
    if point.before is None or point.number < 0 or point.before.menu[point.number].kind not in _SIZED:
        raise InputError(f"{line!r} ends with no bet or raise: folds, calls and checks stay")
    address = _address(point.before, point.before.menu[point.number])
    betting = settings["betting"]
    added = [one for one in betting.get("lines", []) if one != address]
    bare = {**settings, "betting": {**betting, "lines": added}}
    if _offers(bare, point.before, point.before.menu[point.number]):
        removed = list(dict.fromkeys([*betting.get("remove_lines", []), address]))
        bare["betting"]["remove_lines"] = removed
    return bare


def _offers(settings: Mapping[str, Any], point: Point, action: Action) -> bool:
    return action in Spot(**settings).game().menu(point.state)
