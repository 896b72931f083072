"""Which blueprints there are, by stack: in folders that are named, and those that come with Runout."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from runout.errors import InputError, RunoutError
from runout.solutions.format import read_meta, read_settings, shipped_blueprints, solution_path

KIND = "blueprint"
GAME = "no_limit_holdem"


def find_blueprints(places: Iterable[str | Path] = (), shipped: bool = True, strict: bool = True) -> dict[float, Path]:
    """{stack in bb: directory} of blueprints of no-limit hold'em from the blinds on, in ascending order.

    A place is a run, a checkpoint, a folder of runs, or the name of one that comes with Runout; of two with the same
    stack the one that is named first is taken, and those that come with Runout last. A place without any is refused,
    unless not `strict`.
    """
    found: dict[float, Path] = {}
    for place in places:
        here = _in(Path(place))
        if not here and strict:
            raise InputError(f"{place} is no blueprint of no-limit hold'em, nor a folder of them: see runout train")
        found = here | found
    if shipped:
        found = shipped_blueprints() | found
    return dict(sorted(found.items()))


def nearest(blueprints: dict[float, Path], stack: float) -> float:
    """The stack of the blueprint that is nearest to this one, by ratio."""
    if not blueprints:
        raise InputError(
            "there is no blueprint to play: train one (runout train -c configs/train/hunl-20bb.yaml), name its folder"
        )
    return min(blueprints, key=lambda one: max(one / stack, stack / one))


def _in(folder: Path) -> dict[float, Path]:
    own = _stack(folder)
    if own is not None:
        return {own: folder}
    found: dict[float, Path] = {}
    for run in sorted(folder.iterdir()) if folder.is_dir() else ():
        stack = _stack(run) if run.is_dir() else None
        if stack is not None:
            found.setdefault(stack, run)
    return found


def _stack(run: Path) -> float | None:
    """The stack of the blueprint in a directory; None where there is none."""
    try:
        place = solution_path(run)
        if read_meta(place)["kind"] != KIND:
            return None
        config = read_settings(place).config
        game = config.get("game") or {}
        whole = config.get("game_type") == GAME and not game.get("board") and int(game.get("num_streets", 4)) == 4
        return float(game["stack_depth"]) if whole else None
    except (RunoutError, KeyError, TypeError, ValueError, OSError):
        return None
