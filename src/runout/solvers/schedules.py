"""Variants of CFR as data: how regrets, averages and predictions are weighted at iteration t.

With instantaneous regrets r_t, every variant is the same update:

    R_t     = R_{t-1} * (positive_t where R_{t-1} > 0, negative_t elsewhere) + r_t
    S_t     = S_{t-1} * average_t + reach_t * strategy_t
    next    ~ max(0, R_t * (positive_{t+1} or negative_{t+1}) + predict_t * r_t)

so negative = 0 is the floor of CFR+ (regrets are floored when they are next used), and average_t = ((t-1)/t)^gamma
weighs iteration t by t^gamma without large numbers. Where only every n-th iteration counts in the average, average_t is
SKIPPED in the others. Nothing here knows a game: tabular and range solvers share it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from runout.errors import InputError

SKIPPED = -1.0  # in place of the weight of the average: nothing is added to it in this iteration

Columns = tuple[float | np.ndarray, ...]  # the same for many iterations: a number where it does not change


class Weights(NamedTuple):
    """The four numbers of one iteration."""

    positive: float  # multiplies positive regrets before the new ones are added
    negative: float  # multiplies negative ones; 0 is a floor at zero
    average: float  # multiplies the sum of strategies before this iteration's is added; or SKIPPED
    predict: float  # how much of the newest regrets is added again to choose the next strategy


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a variant can be given."""

    name: str
    default: float
    meaning: str
    least: float = -math.inf
    rare: bool = False  # not written where it is the default


@dataclass(frozen=True, slots=True)
class Variant:
    """A published variant: its parameters and its weights as a function of them."""

    name: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    weights: Callable[..., Columns]  # (t as an array, *parameters)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A variant with its parameters chosen."""

    variant: Variant
    values: tuple[float, ...]

    @property
    def name(self) -> str:
        return self.variant.name

    def __str__(self) -> str:
        """As it is written everywhere: `dcfr(1.5,0,2)`, or the bare name where every parameter is the default."""
        if self.values == tuple(parameter.default for parameter in self.variant.parameters):
            return self.name
        rare = [parameter.rare and value == parameter.default for parameter, value in self._pairs()]
        written = [value for value, left_out in zip(self.values, rare, strict=True) if not left_out]
        return f"{self.name}({','.join(repr(value).removesuffix('.0') for value in written)})"

    def _pairs(self) -> list[tuple[Parameter, float]]:
        return list(zip(self.variant.parameters, self.values, strict=True))

    @property
    def every(self) -> int:
        """The average counts one iteration in so many."""
        return next((int(value) for parameter, value in self._pairs() if parameter.name == "every"), 1)

    def at(self, t: int) -> Weights:
        """Weights of iteration t, counted from 1."""
        return Weights(*map(float, self.rows(t - 1, 0)[0]))

    def rows(self, done: int, iterations: int) -> np.ndarray:
        """Weights of the iterations after `done`, and of one more for the prediction: float64 [iterations + 1, 4]."""
        t = np.arange(done + 1, done + iterations + 2, dtype=np.float64)
        table = np.empty((len(t), len(Weights._fields)))
        for column, weight in enumerate(self.variant.weights(t, *self.values)):
            table[:, column] = weight
        return table


def discount(t: np.ndarray, power: np.ndarray | float) -> np.ndarray:
    """t^power / (t^power + 1); for a positive power it is 0 at t = 0 and tends to 1."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return np.where(t > 0, 1 / (1 + t ** (-1.0 * power)), 0.0)


def fading(t: np.ndarray, power: np.ndarray | float, every: float = 1) -> np.ndarray:
    """((t - 1) / t)^power: a sum that is multiplied by it at each t weighs term t by t^power.

    With `every`, the first term and each n-th: the one before t is t - n or the first, and others are SKIPPED.
    """
    kept = np.where(t > 1, (np.maximum(t - every, 1) / t) ** power, 0.0)
    return np.where((t % every == 0) | (t == 1), kept, SKIPPED)


def _cfr(t: np.ndarray) -> Columns:
    return (1.0, 1.0, 1.0, 0.0)


def _cfr_plus(t: np.ndarray, gamma: float) -> Columns:
    return (1.0, 0.0, fading(t, gamma), 0.0)


def _linear(t: np.ndarray) -> Columns:
    return ((t - 1) / t, (t - 1) / t, (t - 1) / t, 0.0)


def _dcfr(t: np.ndarray, alpha: float, beta: float, gamma: float, every: float) -> Columns:
    return (discount(t - 1, alpha), discount(t - 1, beta), fading(t, gamma, every), 0.0)


def _dcfr_plus(t: np.ndarray, alpha: float, gamma: float) -> Columns:
    return (discount(t - 1, alpha), 0.0, fading(t, gamma), 0.0)


def _pcfr_plus(t: np.ndarray, gamma: float) -> Columns:
    return (1.0, 0.0, fading(t, gamma), 1.0)


def _pdcfr_plus(t: np.ndarray, alpha: float, gamma: float) -> Columns:
    return (discount(t - 1, alpha), 0.0, fading(t, gamma), 1.0)


def _sapcfr_plus(t: np.ndarray, step: float, gamma: float) -> Columns:
    return (1.0, 0.0, fading(t, gamma), step)


def _hs_dcfr(t: np.ndarray, gamma: float, n: float) -> Columns:
    before = (t - 1) / n
    alpha, beta = np.minimum(1 + 3 * before, 5.0), np.maximum(-1 - 2 * before, -5.0)
    return (discount(t - 1, alpha), discount(t - 1, beta), fading(t, np.maximum(gamma - 5 * t / n, 5.0)), 0.0)


_ALPHA = "positive regrets of iteration t are multiplied by t^α / (t^α + 1)"
_BETA = "negative regrets of iteration t are multiplied by t^β / (t^β + 1)"
_GAMMA = "iteration t counts t^γ in the average"

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant("cfr", "regret matching, plain average", "Zinkevich et al. 2007", (), _cfr),
        Variant(
            "cfr+",
            "regrets floored at zero, linear average",
            "Tammelin 2014",
            (Parameter("gamma", 1.0, _GAMMA, 0.0),),
            _cfr_plus,
        ),
        Variant("lcfr", "linear CFR: iteration t counts t everywhere", "Brown & Sandholm 2019", (), _linear),
        Variant(
            "dcfr",
            "discounted CFR",
            "Brown & Sandholm 2019",
            (
                Parameter("alpha", 1.5, _ALPHA),
                Parameter("beta", 0.0, _BETA),
                Parameter("gamma", 2.0, _GAMMA, 0.0),
                Parameter("every", 1.0, "the average counts every n-th iteration (on ranges)", 1.0, rare=True),
            ),
            _dcfr,
        ),
        Variant(
            "dcfr+",
            "discounted CFR with regrets floored at zero",
            "Xu et al. 2024",
            (Parameter("alpha", 1.5, _ALPHA), Parameter("gamma", 4.0, _GAMMA, 0.0)),
            _dcfr_plus,
        ),
        Variant(
            "pcfr+",
            "predictive CFR+: the newest regrets count twice",
            "Farina, Kroer & Sandholm 2021",
            (Parameter("gamma", 2.0, _GAMMA, 0.0),),
            _pcfr_plus,
        ),
        Variant(
            "pdcfr+",
            "predictive and discounted CFR+",
            "Xu et al. 2024",
            (Parameter("alpha", 2.3, _ALPHA), Parameter("gamma", 5.0, _GAMMA, 0.0)),
            _pdcfr_plus,
        ),
        Variant(
            "sapcfr+",
            "predictive CFR+ with a shorter step for the prediction",
            "Meng et al. 2025",
            (
                Parameter("step", 1 / 3, "share of the newest regrets in the prediction", 0.0),
                Parameter("gamma", 5.0, _GAMMA, 0.0),
            ),
            _sapcfr_plus,
        ),
        Variant(
            "hs-dcfr",
            "DCFR whose parameters move: α = 1 + 3t/n up to 5, β = -1 - 2t/n down to -5, γ falls by 5t/n to 5",
            "Zhang, McAleer & Sandholm 2024",
            (
                Parameter("gamma", 30.0, "power of the average at the start", 5.0),
                Parameter("n", 1000.0, "iterations over which the parameters move by one step", 1.0),
            ),
            _hs_dcfr,
        ),
    )
}


def make_schedule(name: str, *values: float) -> Schedule:
    """The variant `name` with the given parameters, in the order of its table; defaults fill the rest."""
    variant = VARIANTS.get(name)
    if variant is None:
        raise InputError(f"unknown algorithm {name!r}: use {', '.join(VARIANTS)}")
    parameters = variant.parameters
    if len(values) > len(parameters):
        takes = ", ".join(parameter.name for parameter in parameters) or "no parameters"
        raise InputError(f"{name} was given {len(values)} parameters: it takes {takes}")
    filled = tuple(map(float, values)) + tuple(parameter.default for parameter in parameters[len(values) :])
    for parameter, value in zip(parameters, filled, strict=True):
        if not math.isfinite(value):
            raise InputError(f"{name}: {parameter.name} = {value} is not a finite number")
        if value < parameter.least:
            raise InputError(f"{name}: {parameter.name} = {value:g}: use {parameter.least:g} or more")
        if parameter.name == "every" and value != int(value):
            raise InputError(f"{name}: every = {value:g} is not a whole number")
    return Schedule(variant, filled)
