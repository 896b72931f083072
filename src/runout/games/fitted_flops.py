"""Small weighted sets of flops that stand for all 1,755: 'fitted-23', 'fitted-49', 'fitted-95', 'fitted-184'."""

from __future__ import annotations

from importlib import resources

from runout.errors import InputError

SIZES = (23, 49, 95, 184)


def fitted_flops(size: int) -> str:
    """The set of this size as text: a flop and its weight on each line."""
    if size not in SIZES:
        raise InputError(f"no set fitted-{size}: use fitted-{', -'.join(map(str, SIZES))}")
    return resources.files("runout.games").joinpath(f"data/fitted-{size}.txt").read_text(encoding="utf-8")
