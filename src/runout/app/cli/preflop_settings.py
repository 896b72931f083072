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
    locks: Iterable[str] = (),
    earlier: Preflop | None = None,
    action: str = "",
) -> Preflop:
    """The game of a file (an earlier one, or a preset) with flags and then `--set` overrides in its place.

    `flags` are stack, leaf, realization (a YAML file), target, iterations and algorithm; None where not given. Where
    nothing names a game it has the usual sizes of its depth, or, if those lack the line `action`, many more.
    """
    from runout import config
    from runout.app.cli.spot_flags import read_lock
    from runout.games.preflop import Preflop, push_fold_settings

    given = [name for name, one in (("a file", file), ("--preset", preset), ("--resume", earlier)) if one is not None]
    if len(given) > 1:
        raise InputError(f"give {given[0]} or {given[1]}, not both: each brings its own game")
    if tree not in (None, *TREES):
        raise InputError(f"unknown tree {tree!r}: use {' or '.join(TREES)}")
    data = _base(file, preset, earlier, flags.get("stack"), action)
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
    if given_locks := [read_lock(text) for text in locks]:
        merged["locks"] = [*merged.get("locks", ()), *given_locks]
    game = config.validated(Preflop, merged, file.name) if file is not None else Preflop(**merged)
    asked = any(text.partition("=")[0].strip() == "raise_sizes" for text in overrides)
    if asked and (unused := game.unused_sizes()):
        raise InputError(f"raise_sizes: nobody can ever raise to {', '.join(unused)} in this game; leave it out")
    return game


def require_same_money(game: Preflop, flop_game: Preflop) -> None:
    """Refuse to value the pots of one game by a flop game that was solved for other stacks, blinds or antes, or with
    rake, which flop games do not have."""
    if game.rake.percent:
        raise InputError(
            "rake with --flop-game: its pots were solved without rake, which would also come from bets on the flop; "
            "leave rake out, or leave --flop-game out (the leaf model 'solved' takes rake from called pots)"
        )
    for name, own, solved in (
        ("stack_depth", game.stack_depth, flop_game.stack_depth),
        ("blinds", game.blinds[0] / game.blinds[1], flop_game.blinds[0] / flop_game.blinds[1]),
        ("ante", game.ante, flop_game.ante),
    ):
        if own != solved:
            asked, there = (getattr(one, name) for one in (game, flop_game))
            raise InputError(
                f"the flop game was solved with {name} = {there}, this game has {asked}: solve a flop game for it"
            )


def _base(
    file: Path | None, preset: str | None, earlier: Preflop | None, stack: float | None, action: str
) -> dict[str, Any]:
    from runout import config
    from runout.games.preflop import PRESETS, Preflop, usual_settings

    if file is not None:
        if str(file) in PRESETS and not file.exists():
            raise InputError(f"no such file: {file}; the game that comes with Runout is --preset {file}")
        return config.read_yaml(file)
    if preset is None and earlier is None and stack is not None:
        try:
            Preflop(**usual_settings(stack)).tree().find(action)
            return usual_settings(stack)
        except InputError:  # a line of other sizes, or a stack that is refused below
            pass
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
