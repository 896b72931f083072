"""Confidence intervals of means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Student's t for 95%, by degrees of freedom from 1 on.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120)
_NORMAL = 1.95996


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and where it lies with 95% confidence; both ends are the mean where it is exact."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} (95%: {self.low:.1f} to {self.high:.1f})"


def estimate(values: np.ndarray) -> Estimate:
    """Of independent values float64 [n]; one value alone says nothing about its spread, so its interval is endless."""
    n, mean = len(values), float(np.mean(values))
    if n < 2:
        return Estimate(mean, -np.inf, np.inf)
    quantile = _T[n - 2] if n - 2 < len(_T) else _NORMAL + 2.5 / (n - 1)  # within 0.003 of t from there on
    half = float(quantile * np.std(values, ddof=1) / np.sqrt(n))
    return Estimate(mean, mean - half, mean + half)


def exact(value: float) -> Estimate:
    """A value that is no estimate."""
    return Estimate(value, value, value)
