"""Flags of `runout solve` that say what the spot is: each is a setting of the YAML file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runout.games.spot import Spot

# The setting that each flag is, with dots for nested ones; `bet` and `raise` are those of every street.
SETTINGS = {
    "board": "board",
    "pot": "pot",
    "stack": "stack",
    "spr": "spr",
    "oop": "ranges.oop",
    "ip": "ranges.ip",
    "flop_bet": "betting.flop.bet",
    "flop_raise": "betting.flop.raise",
    "turn_bet": "betting.turn.bet",
    "turn_raise": "betting.turn.raise",
    "turn_donk": "betting.turn.donk",
    "river_bet": "betting.river.bet",
    "river_raise": "betting.river.raise",
    "river_donk": "betting.river.donk",
    "add_all_in": "betting.add_all_in",
    "force_all_in": "betting.force_all_in",
    "merge": "betting.merge",
    "max_bets": "betting.max_bets",
    "rake": "rake.percent",
    "rake_cap": "rake.cap",
    "big_blind": "big_blind",
    "target": "solve.target",
    "iterations": "solve.iterations",
    "threads": "solve.threads",
    "storage": "solve.storage",
    "algorithm": "solve.algorithm",
}
_EVERY_STREET = {"bet": "bet", "raise_": "raise"}
_STREETS = ("flop", "turn", "river")


def spot_from(
    file: Path | None, flags: Mapping[str, Any], overrides: Iterable[str], earlier: Spot | None = None
) -> Spot:
    """The spot of a file (an earlier one, or the embedded one) with flags and then `--set` overrides in its place."""
    from runout import config
    from runout.errors import InputError
    from runout.games.holdem_game import raises_to_bets, renamed
    from runout.games.spot import Spot, default_settings

    if file is not None and earlier is not None:
        raise InputError("give a spot or --resume, not both: a resumed solution brings its own spot")
    if file is not None:
        data = config.read_yaml(file)
    elif earlier is not None:
        data = earlier.model_dump(mode="json", by_alias=True, exclude_none=True)
    else:
        data = default_settings()
    given = {name: value for name, value in flags.items() if value is not None}
    if "max_raises" in given:
        given = renamed(given, "max_raises", "max_bets", raises_to_bets)
    if "max_bets" in given and "max_raises" in (data.get("betting") or {}):
        data = {**data, "betting": {key: value for key, value in data["betting"].items() if key != "max_raises"}}
    if "spr" in given and "stack" not in given:
        data = {key: value for key, value in data.items() if key != "stack"}
    if "stack" in given:
        data = {key: value for key, value in data.items() if key != "spr"}
    merged = config.apply_overrides(_with(data, given), overrides)
    if given.get("lock"):
        merged["locks"] = [*merged.get("locks", ()), *(_lock(text) for text in given["lock"])]
    return Spot(**merged) if file is None else config.validated(Spot, merged, file.name)


def _with(data: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `data` with the settings that the flags mean; those for one street win over those for all."""
    from runout.config import apply_overrides

    places = {
        f"betting.{street}.{key}": given[flag]
        for flag, key in _EVERY_STREET.items()
        if flag in given
        for street in _STREETS
    }
    places |= {SETTINGS[flag]: value for flag, value in given.items() if flag in SETTINGS}
    merged = apply_overrides(data, [f"{place}=" for place in places])  # a copy with every group in place
    for place, value in places.items():
        *parents, last = place.split(".")
        group = merged
        for parent in parents:
            group = group[parent]
        group[last] = value
    return merged


def _lock(text: str) -> dict[str, Any]:
    """A lock from 'LINE: ACTION=SHARE, ...' or 'LINE @ HANDS: ACTION=SHARE, ...'."""
    from runout.errors import InputError

    place, colon, shares = text.rpartition(":")
    line, _, hands = place.partition("@")
    try:
        strategy = {word.strip(): float(share) for word, share in (part.split("=") for part in shares.split(","))}
    except ValueError:
        colon = ""
    if not colon:
        raise InputError(f"cannot read --lock {text!r}: use 'x-b94: c=0.75, f=0.25' or 'x-b94 @ QQ+,AK: c=1'")
    return {"line": line.strip(), "strategy": strategy} | ({"hands": hands.strip()} if hands.strip() else {})
