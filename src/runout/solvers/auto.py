"""What `algorithm: auto` means for ranges, and which algorithms the range solver can run."""

from __future__ import annotations

from runout.errors import InputError
from runout.solvers.catalog import parse_algorithm
from runout.solvers.schedules import VARIANTS, Schedule

AUTO = "dcfr(1.5,0,5)"


def range_schedule(text: str) -> Schedule:
    """The schedule that `auto`, `dcfr+`, `dcfr(1.5,0,2)`, ... names; sampling and predictive variants are refused."""
    found = parse_algorithm(AUTO if text.strip().lower() == "auto" else text)
    if not isinstance(found, Schedule) or found.at(2).predict:
        usable = [name for name, variant in VARIANTS.items() if not _predicts(variant.name)]
        raise InputError(f"{found.name} does not run on ranges: use auto, {', '.join(usable)}")
    return found


def _predicts(name: str) -> bool:
    found = parse_algorithm(name)
    return isinstance(found, Schedule) and bool(found.at(2).predict)
