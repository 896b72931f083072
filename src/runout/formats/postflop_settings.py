"""Tree settings of WASM Postflop and Desktop Postflop: JSON with `startingPot`, `oopFlopBet`, and sizes as text.

Their sizes and thresholds mean what Runout's mean; plain numbers are percentages of the pot and thresholds are in
percent. A configuration has no board and no ranges: they come from elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from runout.errors import InputError
from runout.games.betting import FLOP, IP, OOP, RIVER, STREET_NAMES
from runout.games.sizes import PERCENT, Size, parse_size
from runout.games.spot import Spot

_NAMES = tuple(name.capitalize() for name in STREET_NAMES)


def is_postflop_settings(data: Any) -> bool:
    """Whether JSON looks like a file of settings, or like one configuration."""
    return isinstance(data, dict) and ("startingPot" in data or _configurations(data) != [])


def _configurations(data: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Names and values of the configurations in a file."""
    found = []
    for entry in data.get("data", []) if isinstance(data.get("data"), list) else []:
        value = entry.get("value") if isinstance(entry, dict) else None
        if isinstance(value, dict) and "startingPot" in value:
            path = entry.get("path") or entry.get("name") or ""
            found.append(("/".join(map(str, path)) if isinstance(path, list) else str(path), value))
    return found


def read_postflop_settings(data: Any, others: Mapping[str, Any], name: str = "") -> Spot:
    """The spot of a configuration (of that `name`, where there are several); `others` has its `board` and `ranges`."""
    if not is_postflop_settings(data):
        raise InputError("this JSON has no tree settings of WASM or Desktop Postflop: 'startingPot' is missing")
    choices = [("", data)] if "startingPot" in data else _configurations(data)
    chosen = [value for own, value in choices if not name or name == own]
    if len(chosen) != 1:
        raise InputError(
            f"the file has {len(choices)} configurations: name one of {', '.join(own for own, _ in choices)}"
        )
    value = chosen[0]
    missing = [key for key in ("board", "ranges") if not others.get(key)]
    if missing:
        raise InputError(
            f"settings of WASM and Desktop Postflop have no {' and no '.join(missing)}: give --board, --oop, --ip"
        )
    for lines in ("addedLines", "removedLines"):
        if value.get(lines):
            raise InputError(f"{lines} of WASM and Desktop Postflop cannot be read: take them out")
    cap = _number(value, "rakeCap")
    return Spot(
        board=others["board"],
        ranges=others["ranges"],
        pot=int(_number(value, "startingPot")),
        stack=int(_number(value, "effectiveStack")),
        rake={"percent": _number(value, "rakePercent"), "cap": cap or None},
        betting={
            **{STREET_NAMES[street]: _street(value, street) for street in range(FLOP, RIVER + 1)},
            "add_all_in": _number(value, "addAllInThreshold") / 100,
            "force_all_in": _number(value, "forceAllInThreshold") / 100,
            "merge": _number(value, "mergingThreshold") / 100,
        },
    )


def _street(value: Mapping[str, Any], street: int) -> dict[str, Any]:
    texts = {
        (player, kind): _size_text(value.get(f"{player}{_NAMES[street]}{kind}", ""))
        for player in ("oop", "ip") for kind in ("Bet", "Raise")
    }  # fmt: skip
    found: dict[str, Any] = {"bet": texts["oop", "Bet"], "raise": texts["oop", "Raise"]}
    if street > FLOP and value.get("donkOption"):
        found["donk"] = _size_text(value.get(f"oop{_NAMES[street]}Donk", ""))
    if (texts["ip", "Bet"], texts["ip", "Raise"]) != (texts["oop", "Bet"], texts["oop", "Raise"]):
        found["ip"] = {"bet": texts["ip", "Bet"], "raise": texts["ip", "Raise"]}
    return found


def _size_text(value: Any) -> str:
    words = [word.strip() for word in str(value or "").split(",") if word.strip()]
    return ", ".join(str(parse_size(f"{word}%" if re.fullmatch(r"[\d.]+", word) else word)) for word in words)


def _number(value: Mapping[str, Any], key: str) -> float:
    found = value.get(key, 0)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 1e15:
        raise InputError(f"{key} = {found!r}: use a number of 0 or more")
    return float(found)


def write_postflop_settings(spot: Spot, name: str = "Runout") -> str:
    """A file of one configuration; InputError where a spot has locks or lines. A limit of bets is not told there."""
    betting = spot.betting
    for has, what in ((spot.locks, "locks"), (betting.lines or betting.remove_lines, "lines")):
        if has:
            raise InputError(f"settings of WASM and Desktop Postflop have no {what}: write the spot without")
    donks = any(spot.game().menu.streets[street].donk is not None for street in range(FLOP + 1, RIVER + 1))
    value: dict[str, Any] = {
        "startingPot": spot.pot,
        "effectiveStack": spot.stack,
        "rakePercent": spot.rake.percent,
        "rakeCap": spot.rake.cap or 0,
        "donkOption": donks,
    }
    for street in range(FLOP, RIVER + 1):
        menu = spot.game().menu.streets[street]
        for player, own in ((OOP, "oop"), (IP, "ip")):
            value[f"{own}{_NAMES[street]}Bet"] = _written(menu.bet[player])
            value[f"{own}{_NAMES[street]}Raise"] = _written(menu.raises[player][0])
        if street > FLOP:
            donk = menu.bet[OOP] if menu.donk is None and donks else menu.donk
            value[f"oop{_NAMES[street]}Donk"] = _written(donk or ())
    value |= {
        "addAllInThreshold": betting.add_all_in * 100,
        "forceAllInThreshold": betting.force_all_in * 100,
        "mergingThreshold": betting.merge * 100,
        "expectedBoardLength": len(spot.cards),
        "addedLines": "",
        "removedLines": "",
    }
    entry = {"path": [name], "isGroup": False, "value": value}
    return json.dumps({"version": 2, "name": "configurations", "data": [entry]}, indent=1) + "\n"


def _written(sizes: tuple[Size, ...]) -> str:
    return ", ".join(str(size).removesuffix("%") if size.unit == PERCENT else str(size) for size in sizes)
