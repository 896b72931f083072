"""Runs that save to a directory: held for the whole run, and never taken from another game by mistake."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from pydantic import BaseModel

from runout.errors import RunoutError, SolutionError
from runout.solutions.format import check_replaceable, placed, read_settings
from runout.solutions.output import Output, held

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def holds_output(solve: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Make a function hold the directory of its keyword `output` for as long as it runs: it gets an `Output`."""

    @wraps(solve)
    def holding(*arguments: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        given: Any = keywords.get("output")
        with held(given) as output:
            if output is not None:
                check_replaceable(output.place)
                keywords["output"] = output
            found = solve(*arguments, **keywords)
            if output is not None and (output.place / "meta.json").exists():
                placed(found, output.place)
            return found

    return holding


def require_replaceable(output: str | Path | Output | None, kind: str, same: Callable[[dict[str, Any]], bool]) -> None:
    """Refuse to replace a solution of another kind, or of another game than `same` finds in its settings.

    Not where `output` is told to `force` it.
    """
    if not isinstance(output, Output) or output.force or not (output.place / "meta.json").exists():
        return
    try:
        found = read_settings(output.place)
        fits = found.kind == kind and same(found.config)
        what = f"a {found.kind} solution{' of another game' if found.kind == kind else ''}"
    except (RunoutError, TypeError, ValueError, KeyError):
        fits, what = False, "a solution that cannot be read"
    if not fits:
        raise SolutionError(f"{output.path} holds {what}: choose another name, or give --force to replace it")


def same_settings(now: BaseModel, free: tuple[str, ...] = ()) -> Callable[[dict[str, Any]], bool]:
    """Whether the settings in a file are of the same game as `now`, however it is solved; `free` ones may differ."""
    ours = now.model_dump(exclude={"solve", *free})
    return lambda config: type(now)(**config).model_dump(exclude={"solve", *free}) == ours
