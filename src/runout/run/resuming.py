"""Continue an earlier solution: with other limits, but with the same game, storage and algorithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel

from runout.errors import InputError
from runout.solvers.schedules import Schedule

AnySettings = TypeVar("AnySettings", bound=BaseModel)


def with_solve(settings: AnySettings, **changes: Any) -> AnySettings:
    """The same game with some of its `solve` settings replaced, those that are not None."""
    given = {name: value for name, value in changes.items() if value is not None}
    if not given:
        return settings
    data = settings.model_dump(by_alias=True)
    return type(settings)(**(data | {"solve": data["solve"] | given}))


def require_same_run(
    was: BaseModel,
    now: BaseModel,
    made_by: str,
    schedule: Callable[[str], Schedule],
    noun: str = "game",
    free: tuple[str, ...] = (),
) -> None:
    """Refuse to continue a solution with another game, storage or algorithm; settings that are `free` may differ.

    `made_by` is the algorithm of the solution, and `schedule` reads the one that is asked for now.
    """
    if type(was) is not type(now):
        raise InputError(f"the solution is of {getattr(was, 'kind', was)}, not of {getattr(now, 'kind', now)}")
    theirs, ours = (one.model_dump(exclude={"solve", *free}) for one in (was, now))
    for key, value in theirs.items():
        if value != ours[key]:
            plain = all(isinstance(one, str | int | float) for one in (value, ours[key]))
            differs = f"is {value}, not {ours[key]}" if plain else "differs"
            raise InputError(
                f"the solution is of another {noun}: its {key} {differs}; resume it without changing the {noun}"
            )
    solve, asked = (one.model_dump()["solve"] for one in (was, now))
    if solve.get("storage") != asked.get("storage"):
        raise InputError(f"cannot resume with {asked['storage']}: the solution has {solve['storage']} storage")
    wanted = asked["algorithm"].strip().lower()
    if wanted != "auto":  # auto is whatever it meant then
        require_same_algorithm(made_by, str(schedule(wanted)))


def require_same_algorithm(was: str, now: str) -> None:
    """Refuse to continue a solution with another algorithm than the one that made it."""
    if was != now:
        raise InputError(f"cannot resume with {now}: the solution was made by {was}")
