"""Records as JSON: dataclasses as objects, arrays as lists, NaN and infinities as null."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

import numpy as np
from fastapi import Response

DIGITS = 6  # after the point: more than anybody sees, and a third of the bytes


def plain(value: Any) -> Any:
    """`value` as what JSON can hold."""
    if isinstance(value, np.ndarray):
        return _listed(value)
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return _rounded(value) if isfinite(value) else None
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def _rounded(value: float) -> float:
    """As many digits as anybody sees, also of what is small: losses and exploitabilities far along."""
    return round(value, DIGITS) if abs(value) >= 0.1 else float(f"{value:.{DIGITS}g}")


def _listed(array: np.ndarray) -> list[Any]:
    if array.dtype.kind == "f":
        array = np.round(array.astype(np.float64), DIGITS)
        known = np.isfinite(array)
        array = array if known.all() else np.where(known, array.astype(object), np.array(None))
    found: list[Any] = array.tolist()
    return found


class Json(Response):
    """A record as the body of a response."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(plain(content), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
