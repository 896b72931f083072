"""What the losses of a training run tell: where they began, where they are, which way they go."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from runout.errors import SolutionError
from runout.solutions.format import read_meta

METRICS = "metrics.jsonl"
_CHANGE = 0.02  # of a mean from which on it moves


@dataclass(frozen=True, slots=True)
class LossSummary:
    """Held-out losses of a run."""

    first: float
    last: float
    trend: str  # "falling", "flat" or "rising": the last quarter of the run against its first
    iterations: tuple[int, int]  # of the first and of the last
    points: int

    def to_dict(self) -> dict[str, Any]:
        return {"first": self.first, "last": self.last, "trend": self.trend, "iterations": list(self.iterations)}

    def __str__(self) -> str:
        first, last = self.iterations
        return f"loss {self.first:.4g} at iteration {first:,}, {self.last:.4g} at {last:,}: {self.trend}"


def loss_summary(bundle: Path) -> LossSummary | None:
    """Of the directory of a run, or of the run up to a checkpoint of it; None where no losses were written."""
    for folder, last in ((bundle, None), (bundle.resolve().parent, _iteration(bundle))):
        rows = [row for row in _rows(folder / METRICS) if last is None or row["iteration"] <= last]
        losses = [(int(row["iteration"]), float(row["loss"])) for row in rows if _number(row.get("loss"))]
        if losses:
            return summarise(losses)
    return None


def summarise(losses: list[tuple[int, float]]) -> LossSummary:
    """Of (iteration, loss), at least one."""
    quarter = max(1, len(losses) // 4)
    values = [loss for _, loss in losses]
    last, before = values[-quarter:], values[:quarter]
    trend = "flat"
    if len(values) > 1:
        now, then = sum(last) / len(last), sum(before) / len(before)
        trend = "falling" if now < then * (1 - _CHANGE) else "rising" if now > then * (1 + _CHANGE) else "flat"
    return LossSummary(values[0], values[-1], trend, (losses[0][0], losses[-1][0]), len(losses))


def _iteration(bundle: Path) -> int | None:
    """After which a checkpoint was written."""
    try:
        return int(read_meta(bundle)["reached"]["iterations"])
    except (SolutionError, KeyError, TypeError, ValueError):
        return None


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:  # killed in the middle of it
            break
        if isinstance(row, dict) and _number(row.get("iteration")):
            found.append(row)
    return found


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
