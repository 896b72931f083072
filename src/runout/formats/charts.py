"""Ranges and charts of other programs: Pio and GTO+ text, MonkerSolver's `.rng` files, HRC's JSON nodes.

read_ranges("chart.rng")        {'0.0.40100': Range}
read_ranges("nodes/155.json")   {'fold': Range, 'raise to 2500': Range}
write_range(range_, "out.rng")

A chart has one weight for each of the 169 classes; where a range tells combos of a class apart, only text can hold it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from runout import files
from runout.cards.hands import CLASS_NAMES, COMBO_CLASS, combo_name, hand_combos
from runout.cards.ranges import Range
from runout.errors import InputError

RANGE_FORMATS = ("range", "pio-range", "gto+", "monker", "hrc")
MONKER_ACTIONS = {"0": "fold", "1": "call", "2": "pot", "3": "all-in", "5": "min-raise"}
HRC_ACTIONS = {"F": "fold", "C": "call", "R": "raise to"}
MOST_BYTES = 1 << 26  # of one file


def read_ranges(path: str | Path) -> dict[str, Range]:
    """The ranges of a file by name: one of a text or a `.rng` file, one an action of an HRC node; those of all charts
    of a folder, with their names in front."""
    place = Path(path)
    if place.is_dir():
        charts = sorted([*place.glob("*.rng"), *place.glob("nodes/*.json")], key=_by_number)
        found = {
            f"{one.stem}: {name}" if name != one.stem else name: range_
            for one in charts
            for name, range_ in read_ranges(one).items()
        }
        if not found:
            raise InputError(f"{place} holds no charts: name a folder with .rng files, or with nodes/*.json of HRC")
        return found
    text = read_text(place)
    if place.suffix.lower() == ".rng":
        return {place.stem: read_monker(text)[0]}
    if text.lstrip().startswith("{"):
        return read_hrc(_json(text, place))
    return {place.stem: Range(text.strip())}


def read_text(path: Path) -> str:
    """A small text file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is too large for what it should be: {path.stat().st_size:,} bytes")
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}") from None


def _by_number(path: Path) -> tuple[str, int, str]:
    return path.suffix, int(path.stem) if path.stem.isdigit() else -1, path.stem


# Text


def pio_text(range_: Range) -> str:
    """A range as PioSOLVER writes it: a weight a class, combos where those of a class differ; no spans, none at 0."""
    return ",".join(f"{hand}:{weight!r}" if weight != 1 else hand for hand, weight in _hands(range_))


def gto_text(range_: Range) -> str:
    """A range as GTO+ writes it: hands of weight 1, then groups in percent, `[50.0]JTs,KJo[/50.0]`."""
    groups: dict[float, list[str]] = {}
    for hand, weight in _hands(range_):
        groups.setdefault(weight, []).append(hand)
    parts = []
    for weight, hands in sorted(groups.items(), reverse=True):
        percent = f"{weight * 100:.10g}"
        percent = percent if "." in percent or "e" in percent else f"{percent}.0"
        text = ",".join(hands)
        parts.append(text if weight == 1 else f"[{percent}]{text}[/{percent}]")
    return ",".join(parts)


def _hands(range_: Range) -> list[tuple[str, float]]:
    """Classes and single combos with weights above 0, in the order of classes."""
    found: list[tuple[str, float]] = []
    for index, name in enumerate(CLASS_NAMES):
        combos = np.flatnonzero(index == COMBO_CLASS)[::-1]
        weights = range_.weights[combos]
        if (weights == weights[0]).all():
            found += [(name, float(weights[0]))] if weights[0] > 0 else []
        else:
            found += [(combo_name(int(c)), float(w)) for c, w in zip(combos, weights, strict=True) if w > 0]
    return found


# MonkerSolver


def read_monker(text: str) -> tuple[Range, dict[str, float]]:
    """The range of a `.rng` file, and the EV of each hand in chips: lines of a hand, then of `frequency;EV`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or len(lines) % 2:
        raise InputError("a .rng file has a line with a hand, then one with frequency;EV, for each hand")
    weights: dict[str, float] = {}
    evs: dict[str, float] = {}
    for hand, value in zip(lines[::2], lines[1::2], strict=True):
        share, _, ev = value.partition(";")
        weights[hand], evs[hand] = _share(share, hand), _number(ev or "0", hand)
    return Range(weights), evs


def write_monker(range_: Range, evs: Mapping[str, float] | None = None) -> str:
    """A `.rng` file; EVs are 0 where none are given."""
    rows = _by_class(range_)
    return "".join(f"{name}\n{weight!r};{(evs or {}).get(name, 0.0):g}\n" for name, weight in rows)


def monker_line(name: str) -> list[str]:
    """What the codes of a file's name mean, '0.0.40100.1' is fold, fold, raise 100% of the pot, call."""
    words = []
    for code in name.removesuffix(".rng").split("."):
        if code in MONKER_ACTIONS:
            words.append(MONKER_ACTIONS[code])
        elif re.fullmatch(r"40\d{3}", code):
            words.append(f"raise {int(code[2:])}% of the pot")
        elif code.isdigit() and 14 <= int(code) <= 28:
            words.append(f"raise to {(int(code) - 11) / 2:g} bb")
        else:
            raise InputError(
                f"unknown action code {code!r} in {name!r}: names are codes between dots, as in 0.0.40100.1"
            )
    return words


# HRC


def read_hrc(node: Any) -> dict[str, Range]:
    """The ranges of a node of HRC, one for each action: the weight of a hand times how often it takes the action.

    A node without actions has one range, 'all'.
    """
    hands = node.get("hands") if isinstance(node, dict) else None
    actions = node.get("actions", []) if isinstance(node, dict) else None
    if not isinstance(hands, dict) or not isinstance(actions, list) or not hands:
        raise InputError("this JSON is no chart of HRC: a node has 'actions' and 'hands'")
    names = [_hrc_action(action) for action in actions]
    found: dict[str, dict[str, float]] = {name: {} for name in names or ["all"]}
    for hand, row in hands.items():
        weight = _share(row.get("weight", 1.0) if isinstance(row, dict) else None, hand)
        if not names:
            found["all"][hand] = weight
            continue
        played = row.get("played")
        if not isinstance(played, list) or len(played) != len(names):
            raise InputError(f"hand {hand!r} has no frequency for each of the {len(names)} actions")
        for name, share in zip(names, played, strict=True):
            found[name][hand] = weight * _share(share, hand)
    return {name: Range(weights) for name, weights in found.items()}


def _hrc_action(action: Any) -> str:
    kind = action.get("type") if isinstance(action, dict) else None
    if kind not in HRC_ACTIONS:
        raise InputError(f"unknown action {action!r} in a chart of HRC: types are F, C and R")
    amount = action.get("amount")
    return f"{HRC_ACTIONS[kind]} {amount:g}" if kind == "R" and isinstance(amount, int | float) else HRC_ACTIONS[kind]


def write_hrc(range_: Range) -> str:
    """A node of HRC that holds a range and no actions."""
    hands = {name: {"weight": weight, "played": [], "evs": []} for name, weight in _by_class(range_)}
    node = {"player": 0, "street": 0, "children": 0, "sequence": [], "actions": [], "hands": hands}
    return json.dumps(node, indent=1) + "\n"


# Writing


WRITERS: dict[str, Callable[[Range], str]] = {
    "range": lambda range_: f"{range_}\n",
    "pio-range": lambda range_: f"{pio_text(range_)}\n",
    "gto+": lambda range_: f"{gto_text(range_)}\n",
    "monker": write_monker,
    "hrc": write_hrc,
}


def write_range(range_: Range, path: str | Path, format_: str = "") -> None:
    """Write a range to a file, in the format that its name ends with unless told: `.rng`, `.json`, else Pio's text."""
    place = Path(path)
    chosen = format_ or {".rng": "monker", ".json": "hrc"}.get(place.suffix.lower(), "pio-range")
    if chosen not in WRITERS:
        raise InputError(f"unknown format {chosen!r} for a range: use {', '.join(WRITERS)}")
    files.write_text(place, WRITERS[chosen](range_))


def _by_class(range_: Range) -> list[tuple[str, float]]:
    """Every class with its weight; refused where combos of a class differ."""
    for name, weight in zip(CLASS_NAMES, range_.classes.tolist(), strict=True):
        if not (range_.weights[hand_combos(name)] == weight).all():
            raise InputError(f"combos of {name} have different weights and charts have one a class: write text instead")
    return list(zip(CLASS_NAMES, range_.classes.tolist(), strict=True))


def _share(value: Any, hand: str) -> float:
    found = _number(value, hand)
    if not -1e-9 <= found <= 1 + 1e-6:
        raise InputError(f"frequency {value} of {hand!r} is out of range: use 0 to 1")
    return min(max(found, 0.0), 1.0)


def _number(value: Any, hand: str) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = float("nan")
    if not abs(found) < 1e300:
        raise InputError(f"{value!r} of {hand!r} is no number")
    return found
