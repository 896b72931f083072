"""What `algorithm: auto` means for ranges, and which algorithms the range solver can run."""

from __future__ import annotations

from runout.errors import InputError
from runout.solvers.catalog import parse_algorithm
from runout.solvers.schedules import VARIANTS, Schedule, make_schedule

AUTO = "dcfr(1.3,0.4,4,2)"  # reaches 0.3% of the pot soonest over the benchmark spots, without jumps on the way
PREFLOP_AUTO = "dcfr(1.3,0.4,4)"  # the same for classes of hands before the flop, where every iteration is averaged
BLUEPRINT_AUTO = "dcfr(1.5,0,3)"  # lowest of five after 30,000 boards of 20 bb, weighed every five iterations


def blueprint_schedule(text: str) -> Schedule:
    """The schedule by which a blueprint weighs its epochs."""
    found = range_schedule(BLUEPRINT_AUTO if text.strip().lower() == "auto" else text)
    if found.every > 1:
        raise InputError(f"{found}: a blueprint averages every epoch: use every = 1")
    return found


def range_schedule(text: str) -> Schedule:
    """The schedule that `auto`, `dcfr+`, `dcfr(1.5,0,2)`, ... names; sampling and predictive variants are refused."""
    name = text.partition("(")[0].strip().lower()
    usable = [variant for variant in VARIANTS if not make_schedule(variant).at(2).predict]
    if name not in ("auto", *usable):
        raise InputError(f"no algorithm {name!r} runs on ranges: use auto, {', '.join(usable)}")
    found = parse_algorithm(AUTO if name == "auto" else text, on_ranges=True)
    assert isinstance(found, Schedule)
    return found
