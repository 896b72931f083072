"""Range text to weights and back.

A range is groups between commas (semicolons, spaces and line breaks do as well); on overlap the first group wins.

    AA  AK  AKs  AKo  AsKh      a pair, all sixteen, four suited, twelve offsuit, one combo
    QQ+  98s+                   pairs and connectors slide both cards: QQ KK AA; 98s T9s JTs QJs KQs AKs
    KJo+  86s+  AsTs+           anything else raises the kicker: KJo KQo; 86s 87s
    77-44  T9s-65s  A5s-A2s     a span of equal gap slides both cards, one of equal high card the kicker; either order
    15%  top 15%                the best classes by equity against a random hand, the last one in part
    random  100%  *  none       every hand, no hand
    AKs:0.5  AKs@50  AKs:50%    weights, for any group; [50]AKs,AQs[/50] for several
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from runout.cards.cards import RANKS, SUITS
from runout.cards.hands import CLASS_COMBOS, COMBO_CARDS, COMBO_CLASS, COMBOS, combo, combo_name
from runout.errors import InputError

ACCEPTED = "use hands (AA, AK, AKs, AKo, AsKh), 22+, A5s-A2s, weights (AKs:0.5) or a share (top 15%)"

_HAND = r"(?:10|[2-9TJQKA])(?:[cdhs](?:10|[2-9TJQKA])[cdhs]|(?:10|[2-9TJQKA])[so]?)"
_GROUP = re.compile(rf"({_HAND})(\+|-({_HAND}))?", re.IGNORECASE)
_SHARE = re.compile(r"(?:top)?(\d+\.?\d*|\.\d+)%", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_TAG = re.compile(r"\[\s*(/?)([^\[\]]*)\]")
_CARD_PAIR = re.compile(r"(?<!\S)([2-9TJQKA][cdhs])\s+([2-9TJQKA][cdhs])(?=[\s,;:@]|$)", re.IGNORECASE)
_EVERY_HAND = {"random", "100%", "*"}


class Hand(NamedTuple):
    """Two ranks, 0 to 12, high first, and which suits: '' all, 's', 'o', or two suits such as 'sh'."""

    high: int
    low: int
    suits: str


def parse(text: str) -> np.ndarray:
    """The weights [1326] that `text` means."""
    weights = np.zeros(COMBOS)
    groups = [_group(*item) for item in _items(text)]
    if not groups:
        raise InputError(f"empty range: {ACCEPTED}")
    for combos, weight in reversed(groups):  # the first group is written last, so it wins
        weights[combos] = weight
    return weights


def _items(text: str) -> list[tuple[str, float | None]]:
    """The groups in `text`, each with the weight of the [50]…[/50] around it."""
    text = re.sub(r"\s*([-–:@])\s*", lambda found: found[1].replace("–", "-"), text)
    text = re.sub(r"\btop\s+", "top", text, flags=re.IGNORECASE)
    text = re.sub(r"(?<=\d)\s+%", "%", text)
    items: list[tuple[str, float | None]] = []
    opened = ""  # text of the tag that is open
    weight = None
    place = 0
    for tag in _TAG.finditer(text):
        items += [(item, weight) for item in _split(text[place : tag.start()])]
        place = tag.end()
        closing, value = tag[1], tag[2].strip()
        if closing and not opened:
            raise InputError(f"[/{value}] closes nothing: write [{value}]AKs[/{value}]")
        if closing and _weight(value, tag[0], percent=True) != weight:
            raise InputError(f"[{opened}] is closed by [/{value}]: close it with [/{opened}]")
        if not closing and opened:
            raise InputError(f"[{value}] stands inside [{opened}]: close that first with [/{opened}]")
        opened, weight = ("", None) if closing else (value, _weight(value, tag[0], percent=True))
    if opened:
        raise InputError(f"[{opened}] is never closed: end it with [/{opened}]")
    return items + [(item, None) for item in _split(text[place:])]


def _split(text: str) -> list[str]:
    return re.sub(r"[,;]", " ", _CARD_PAIR.sub(r"\1\2", text)).split()


def _group(item: str, outer: float | None) -> tuple[np.ndarray, float | np.ndarray]:
    """Combos of one group and their weight or weights."""
    body, mark, value = re.fullmatch(r"([^:@]*)([:@]?)(.*)", item, re.DOTALL).groups()  # type: ignore[union-attr]
    if mark and outer is not None:
        raise InputError(f"{item!r} has a weight of its own inside [{outer * 100:g}]…: keep one of the two")
    weight = _weight(value, item, percent=mark == "@") if mark else 1.0 if outer is None else outer
    lower = body.lower()
    if lower in _EVERY_HAND:
        return np.arange(COMBOS), weight
    if lower == "none":
        return np.arange(COMBOS), 0.0
    share = _SHARE.fullmatch(body)
    if share:
        combos, weights = _top(share[1])
        return combos, weights * weight
    return _combos(body), weight


def _weight(value: str, where: str, percent: bool) -> float:
    """The number of a weight as a fraction; `percent` says that it counts in hundredths."""
    number = value
    if value.endswith("%"):
        number, percent = value[:-1], True
    if not _NUMBER.fullmatch(number):
        usage = "[50]AKs[/50]" if where.startswith("[") else "AKs:0.5 or AKs@50"
        raise InputError(f"cannot read the weight {value!r} in {where!r}: use a number, as in {usage}")
    weight, limit = float(number), 100 if percent else 1
    if not 0 <= weight <= limit:
        unit = " percent" if percent else ""
        raise InputError(f"weight {number} in {where!r} is out of range: use 0 to {limit}{unit}")
    return weight / limit + 0.0


@lru_cache(maxsize=64)
def _top(percent: str) -> tuple[np.ndarray, np.ndarray]:
    """The best `percent` of all combos by class, and their weights: the last class is there in part."""
    wanted = Fraction(percent) * COMBOS / 100  # exact, so that the last weight prints as a person expects
    if not 0 < wanted <= COMBOS:
        raise InputError(f"a range cannot be the top {percent}%: use a share above 0% and up to 100%, as in 'top 15%'")
    from runout.cards.equity169 import equity_vs_random  # reads a table; most ranges do not need it

    order = np.argsort(-equity_vs_random(), kind="stable")
    upto = np.cumsum(CLASS_COMBOS[order])
    last = int(np.searchsorted(upto, float(wanted)))
    size = int(CLASS_COMBOS[order[last]])
    share = np.zeros(len(order))
    share[order[:last]] = 1
    share[order[last]] = float((wanted - int(upto[last]) + size) / size)
    weights = share[COMBO_CLASS]
    combos = np.flatnonzero(weights)
    return combos, weights[combos]


@lru_cache(maxsize=4096)
def _combos(body: str) -> np.ndarray:
    """The combos of a hand, a hand with '+' or a span."""
    found = _GROUP.fullmatch(body)
    if not found:
        raise InputError(f"cannot read {body!r} in a range: {ACCEPTED}")
    first = _hand(found[1])
    if not found[2]:
        hands = [first]
    elif found[2] == "+":
        gap = first.high - first.low
        if gap <= 1:
            hands = [Hand(high, high - gap, first.suits) for high in range(first.high, 13)]
        else:
            hands = [Hand(first.high, low, first.suits) for low in range(first.low, first.high)]
    else:
        hands = _span(first, _hand(found[3]), body)
    return np.concatenate([_hand_combos(hand) for hand in hands])


def _span(a: Hand, b: Hand, text: str) -> list[Hand]:
    gap = a.high - a.low
    if a.suits != b.suits:
        raise InputError(f"the ends of {text!r} differ in suits: use two of a kind, as in A5s-A2s or KQo-KTo")
    if gap == b.high - b.low:
        return [Hand(high, high - gap, a.suits) for high in range(min(a.high, b.high), max(a.high, b.high) + 1)]
    if a.high == b.high and gap and b.high > b.low:
        return [Hand(a.high, low, a.suits) for low in range(min(a.low, b.low), max(a.low, b.low) + 1)]
    raise InputError(f"{text!r} is no span: use pairs (77-44), one high card (A5s-A2s) or one gap (T9s-65s)")


def _hand(text: str) -> Hand:
    body = text.upper().replace("10", "T")
    if len(body) == 4:
        (high, first), (low, second) = sorted(
            ((RANKS.index(body[i]), SUITS.index(body[i + 1].lower())) for i in (0, 2)), reverse=True
        )
        if (high, first) == (low, second):
            raise InputError(f"hand {text!r} holds {RANKS[high]}{SUITS[first]} twice: use two different cards")
        return Hand(high, low, SUITS[first] + SUITS[second])
    low, high = sorted(RANKS.index(rank) for rank in body[:2])
    if high == low and len(body) == 3:
        raise InputError(f"{text!r} is a pair and takes no suffix: use {body[:2]}")
    return Hand(high, low, body[2:].lower())


def _hand_combos(hand: Hand) -> np.ndarray:
    high, low, suits = hand
    if len(suits) == 2:
        return np.array([combo(4 * high + SUITS.index(suits[0]), 4 * low + SUITS.index(suits[1]))])
    ranks = (COMBO_CARDS[:, 0] // 4 == high) & (COMBO_CARDS[:, 1] // 4 == low)
    suited = COMBO_CARDS[:, 0] % 4 == COMBO_CARDS[:, 1] % 4
    return np.flatnonzero(ranks & {"": True, "s": suited, "o": ~suited}[suits])


def text(weights: np.ndarray) -> str:
    """The shortest common notation of weights [1326]; `parse` gives the same weights back, to the bit."""
    if not weights.any():
        return "none"
    if (weights == weights[0]).all():
        return "100%" + _weight_text(weights[0])
    lowest, highest = np.full(169, np.inf), np.full(169, -np.inf)
    np.minimum.at(lowest, COMBO_CLASS, weights)
    np.maximum.at(highest, COMBO_CLASS, weights)
    uniform = lowest == highest
    parts = []
    for weight in sorted(set(weights[weights > 0].tolist()), reverse=True):
        groups = _class_groups(uniform & (lowest == weight))
        groups += [combo_name(i) for i in np.flatnonzero((weights == weight) & ~uniform[COMBO_CLASS])[::-1]]
        parts += [group + _weight_text(weight) for group in groups]
    return ",".join(parts)


def _weight_text(weight: float) -> str:
    return "" if weight == 1 else f":{float(weight)!r}"


def _class_groups(members: np.ndarray) -> list[str]:
    """Groups that cover exactly the classes in `members` [169]: pairs, then two ranks suited, offsuit or both."""
    if not members.any():
        return []
    groups = [_run_text(low, low, top, top, "") for low, top in _runs(members[12::-1])]
    suited, offsuit = _two_ranks(members[13:91]), _two_ranks(members[91:])
    suited_groups, offsuit_groups = _cover(suited, "s"), _cover(offsuit, "o")
    both = [group for group in suited_groups if _as_offsuit(group) in offsuit_groups]
    groups += [group.replace("s", "") if group in both else group for group in suited_groups]
    merged = {_as_offsuit(group) for group in both}
    return groups + [group for group in offsuit_groups if group not in merged]


def _as_offsuit(group: str) -> str:
    return group.replace("s", "o")


def _two_ranks(members: np.ndarray) -> np.ndarray:
    """Members of one suitedness as bool [13, 13] by rank of the high and of the low card."""
    a, b = np.triu_indices(13, 1)  # 0 = ace, in the order of the classes
    table = np.zeros((13, 13), dtype=bool)
    table[12 - a, 12 - b] = members
    return table


def _cover(table: np.ndarray, suffix: str) -> list[str]:
    """Runs of kickers, and diagonal runs of what would stand alone where that is shorter."""
    groups: dict[tuple[int, int], str] = {}  # by the best hand of the group, for the order
    alone = np.zeros_like(table)
    for high in range(12, 0, -1):
        for low, top in _runs(table[high, :high]):
            groups[high, top] = _run_text(high, low, high, top, suffix)
            alone[high, top] = low == top
    for gap in range(1, 12):
        for start, end in _runs(np.diagonal(table, -gap)):  # indices are the low card's rank
            singles = [low for low in range(start, end + 1) if alone[low + gap, low]]
            if len(singles) < 2:
                continue
            low, top = singles[0], end if gap == 1 and end == 11 else singles[-1]
            span = _run_text(low + gap, low, top + gap, top, suffix)
            if len(span) < 4 * len(singles) - 1:
                for single in singles:
                    del groups[single + gap, single]
                groups[singles[-1] + gap, singles[-1]] = span
    return [groups[key] for key in sorted(groups, reverse=True)]


def _runs(members: np.ndarray) -> list[tuple[int, int]]:
    """First and last index of each run of true values, the last run first."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], members.astype(np.int8), [0]])))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)[::-1]]


def _run_text(high: int, low: int, top_high: int, top_low: int, suffix: str) -> str:
    """The run from the hand (high, low) up to (top_high, top_low): 'AKs', 'A5s-A2s' or 'A9s+'."""
    worst, best = RANKS[high] + RANKS[low] + suffix, RANKS[top_high] + RANKS[top_low] + suffix
    if worst == best:
        return best
    slides = high - low <= 1
    if (slides and top_high == 12) or (not slides and high == top_high and top_low == high - 1):
        return f"{worst}+"
    return f"{best}-{worst}"
