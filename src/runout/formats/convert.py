"""From one program's file to another's: spots, ranges and played hands.

The format is found by name and contents unless it is told:

spot = read_spot("tree.txt")                   # a Pio tree script, a TexasSolver script, YAML, a solved spot, ...
convert("tree.txt", "spot.yaml")
convert("chart.rng", "range.txt", to="gto+")
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from runout import files
from runout.cards.ranges import Range
from runout.errors import InputError, SolutionError
from runout.formats.charts import MOST_BYTES, RANGE_FORMATS, read_ranges, read_text, write_range
from runout.formats.pio_script import is_pio_script, read_pio_script, write_pio_script
from runout.formats.postflop_settings import is_postflop_settings, read_postflop_settings, write_postflop_settings
from runout.formats.spot_betting import same_tree
from runout.formats.texas_script import is_texas_script, read_texas_script, write_texas_script
from runout.games.spot import Spot
from runout.hands.ohh import is_ohh, ohh_text
from runout.hands.phh import is_phh, phh_text
from runout.hands.pokerstars import is_pokerstars
from runout.hands.pokerstars_writer import pokerstars_text
from runout.hands.read import read_hands
from runout.hands.record import PlayedHand
from runout.solutions.format import read_settings

SPOT_FORMATS = ("yaml", "solution", "pio", "texas", "wasm")
WRITERS: dict[str, Callable[[Spot], str]] = {
    "yaml": lambda spot: yaml.safe_dump(settings_of(spot), sort_keys=False, allow_unicode=True),
    "pio": write_pio_script,
    "texas": write_texas_script,
    "wasm": write_postflop_settings,
}
HAND_FORMATS = ("hands",)  # PokerStars, GG, PHH and OHH: the reader finds out which
_HANDS_BY_SUFFIX = {".phh": "phh", ".phhs": "phh", ".ohh": "ohh", ".jsonl": "ohh"}
_BY_SUFFIX = {".yaml": "yaml", ".yml": "yaml", ".json": "wasm"}


def settings_of(spot: Spot) -> dict[str, Any]:
    """A spot as its file has it, without what is as by default."""
    return spot.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)


def format_of(path: str | Path) -> str:
    """The format of a file or folder: one of SPOT_FORMATS, RANGE_FORMATS or HAND_FORMATS."""
    place = Path(path)
    if place.is_dir():
        return "solution" if (place / "meta.json").exists() else "monker" if any(place.glob("*.rng")) else "hrc"
    suffix = place.suffix.lower()
    if suffix in (".yaml", ".yml", ".rng"):
        return "monker" if suffix == ".rng" else "yaml"
    if place.is_file() and place.stat().st_size > MOST_BYTES:
        return "hands"  # nothing else is as large
    text = read_text(place)
    if is_pokerstars(text) or is_ohh(text) or is_phh(text):
        return "hands"
    if text.lstrip().startswith("{"):
        return "wasm" if is_postflop_settings(_json(text, place)) else "hrc"
    return "texas" if is_texas_script(text) else "pio" if is_pio_script(text) else "range"


def read_spot(path: str | Path, others: Mapping[str, Any] | None = None, format_: str = "", name: str = "") -> Spot:
    """The spot of a file. `others` are its board and ranges where the format has none; `name` is one of several."""
    place, chosen = Path(path), format_ or format_of(path)
    if chosen == "yaml":
        return Spot.load(place)
    if chosen == "solution":
        return _solved_spot(place)
    text = read_text(place)
    if chosen == "pio":
        return read_pio_script(text)
    if chosen == "texas":
        return read_texas_script(text).spot()
    if chosen == "wasm":
        return read_postflop_settings(_json(text, place), others or {}, name)
    raise InputError(f"unknown format {chosen!r} for a spot: use {', '.join(SPOT_FORMATS)}")


def _solved_spot(path: Path) -> Spot:
    found = read_settings(path)
    if found.kind != "postflop":
        raise SolutionError(f"{path} holds a {found.kind} solution: only postflop spots can be converted")
    return Spot(**found.config)


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}") from None


def write_spot(spot: Spot, path: str | Path, format_: str = "") -> str:
    """Write a spot, in the format that the name ends with unless told; gives the format."""
    place = Path(path)
    chosen = format_ or _BY_SUFFIX.get(place.suffix.lower(), "")
    if chosen not in WRITERS:
        what = f"unknown format {chosen!r} for a spot" if chosen else f"the name {place.name!r} does not say a format"
        raise InputError(f"{what}: use --to {', '.join(WRITERS)}")
    files.write_text(place, WRITERS[chosen](spot))
    return chosen


def convert(
    source: str | Path,
    target: str | Path,
    from_: str = "",
    to: str = "",
    others: Mapping[str, Any] | None = None,
    name: str = "",
) -> str:
    """Convert a file; gives a sentence about it. Of several ranges or configurations in a file, `name` is one."""
    files.check_place(Path(target))
    chosen = from_ or format_of(source)
    if chosen in HAND_FORMATS:
        return _convert_hands(source, Path(target), to)
    if chosen in RANGE_FORMATS:
        found = read_ranges(source)
        if name and name not in found:
            raise InputError(f"{source} has no range {name!r}: use {_named(found)}")
        if not name and len(found) > 1:
            raise InputError(f"{source} has {len(found)} ranges: name one with --name: {_named(found)}")
        label, range_ = (name, found[name]) if name else next(iter(found.items()))
        write_range(range_, target, to)
        return f"wrote {label}, {range_.combos():g} combos, to {target}"
    if chosen not in SPOT_FORMATS:
        raise InputError(f"unknown format {chosen!r}: use {', '.join((*SPOT_FORMATS, *RANGE_FORMATS, *HAND_FORMATS))}")
    spot = read_spot(source, others, chosen, name)
    written = write_spot(spot, target, to)
    again = read_spot(target, {"board": spot.board, "ranges": spot.ranges}, written)
    same = same_tree(again.tree(), spot.tree())
    differs = "" if same else f"; the tree that it means there differs: {again.tree().nodes:,} decisions"
    return f"wrote {spot.game().name}, {spot.tree().nodes:,} decisions, to {target} as {written}{differs}"


def _convert_hands(source: str | Path, target: Path, to: str) -> str:
    """Hands that can be used are written, and those that cannot are counted."""
    chosen = to or _HANDS_BY_SUFFIX.get(target.suffix.lower(), "")
    if chosen not in HAND_WRITERS:
        what = f"unknown format {chosen!r} for hands" if chosen else f"the name {target.name!r} does not say a format"
        raise InputError(f"{what}: use --to {', '.join(HAND_WRITERS)}")
    read = read_hands(source)
    if not read.hands:
        raise InputError(f"no hand of {source} can be used: {read.failures[0]}")
    write, written, failures = HAND_WRITERS[chosen], 0, [str(one) for one in read.failures]
    with files.replacing(target) as file:
        for hand in read.hands:
            try:
                text = write(replace(hand, number=written + 1))
            except InputError as error:
                failures.append(str(error))
                continue
            file.write("\n" * bool(written) + text)
            written += 1
        if not written:
            raise InputError(f"no hand of {source} can be written as {chosen}: {failures[0]}")
    left = f"; {len(failures):,} could not be used, the first: {failures[0]}" if failures else ""
    return f"wrote {written:,} hands to {target} as {chosen}{left}"


HAND_WRITERS: dict[str, Callable[[PlayedHand], str]] = {
    "pokerstars": lambda hand: f"{pokerstars_text(hand)}\n",
    "phh": lambda hand: phh_text(hand, header=True),
    "ohh": lambda hand: f"{ohh_text(hand)}\n",
}


def _named(found: Mapping[str, Range]) -> str:
    names = list(found)
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
