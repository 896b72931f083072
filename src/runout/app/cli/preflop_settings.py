"""What `runout preflop` is asked to solve: a file or a preset, and the flags that change it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runout.errors import InputError

if TYPE_CHECKING:
    from runout.games.preflop import Preflop

TREES = ("full", "push-fold")
MOST_STACKS = 200


def game_from(
    file: Path | None,
    preset: str | None,
    tree: str | None,
    flags: Mapping[str, Any],
    overrides: Iterable[str],
    earlier: Preflop | None = None,
) -> Preflop:
    """The game of a file (an earlier one, or a preset) with flags and then `--set` overrides in its place.

    `flags` are stack, leaf, realization (a YAML file), target, iterations and algorithm; None where not given.
    """
    from runout import config
    from runout.games.preflop import Preflop, push_fold_settings

    given = [name for name, one in (("a file", file), ("--preset", preset), ("--resume", earlier)) if one is not None]
    if len(given) > 1:
        raise InputError(f"give {given[0]} or {given[1]}, not both: each brings its own game")
    if tree not in (None, *TREES):
        raise InputError(f"unknown tree {tree!r}: use {' or '.join(TREES)}")
    data = _base(file, preset, earlier)
    if flags.get("stack") is not None:
        data["stack_depth"] = flags["stack"]
    if tree == "push-fold":
        if flags.get("stack") is None and not given:
            raise InputError("push/fold needs a stack: --stack 10, or --stacks 2:25 for a chart")
        data |= push_fold_settings(data.get("stack_depth", 0.0))
    if flags.get("realization") is not None:
        data |= {"leaf": "realization", "realization": config.read_yaml(flags["realization"])}
    if flags.get("leaf") is not None:
        data["leaf"] = flags["leaf"]
    solve = {name: flags[name] for name in ("target", "iterations", "algorithm") if flags.get(name) is not None}
    if solve:
        data["solve"] = {**(data.get("solve") or {}), **solve}
    merged = config.apply_overrides(data, overrides)
    return config.validated(Preflop, merged, file.name) if file is not None else Preflop(**merged)


def _base(file: Path | None, preset: str | None, earlier: Preflop | None) -> dict[str, Any]:
    from runout import config
    from runout.games.preflop import Preflop

    if file is not None:
        return config.read_yaml(file)
    chosen = earlier if earlier is not None else Preflop.preset(preset or "standard")
    return chosen.model_dump(mode="json", by_alias=True, exclude_none=True)


def stack_of(stack: float | None, action: str) -> float | None:
    """The stack that --stack or the front of --action names; both only where they agree."""
    from runout.games.lines import read_stack

    named = read_stack(action)[0]
    if stack is not None and named is not None and stack != named:
        raise InputError(f"--stack {stack:g} and the {named:g}bb of --action differ: give one of the two")
    return named if stack is None else stack


def parse_stacks(text: str) -> list[float]:
    """Stacks in '2:25' (steps of 1), '2:10:0.5' or '5,10,15'."""
    accepted = "use 2:25, 2:10:0.5 or 5,10,15"
    try:
        if ":" in text:
            first, last, *step = (float(part) for part in text.split(":"))
            by = step[0] if step else 1.0
            if len(step) > 1 or not by > 0 or not first <= last:
                raise ValueError
            count = int((last - first) / by + 1e-9) + 1
            if count > MOST_STACKS:
                raise InputError(f"--stacks {text!r} is {count:,} stacks: use at most {MOST_STACKS}")
            return [round(first + by * i, 6) for i in range(count)]
        return [float(part) for part in text.split(",")]
    except InputError:
        raise
    except (ValueError, OverflowError):
        raise InputError(f"cannot read --stacks {text!r}: {accepted}") from None
