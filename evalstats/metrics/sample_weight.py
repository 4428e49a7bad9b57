"""Weights of instances."""

from __future__ import annotations

__all__ = ["filled_score", "mean_score", "near_one", "understand_weight", "weighted_mean", "weighted_sum"]

import math
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._result import unbatch
from evalstats._types import FloatArray
from evalstats.metrics.undefined import fill_value, report

SMALLEST, LARGEST = 1e-300, 1e305
LARGEST_EXPONENT = 200
NO_WEIGHT = "no instance has weight"


def understand_weight(sample_weight: Any, n: int | None = None) -> FloatArray:
    """Return finite weights of at least 0; the last axis has the number of instances if it is given."""
    weight = _checks.finite(_checks.numbers(sample_weight, "sample_weight"), "sample_weight")
    if n is not None and (weight.ndim == 0 or weight.shape[-1] != n):
        raise InvalidValueError(
            f"sample_weight must hold one weight for each of the {n} instances, but its shape is {weight.shape}"
        )
    if weight.ndim == 0:
        raise InvalidValueError("sample_weight must hold one weight for each instance, but it is a single number")
    if weight.size and weight.min() < 0:
        at = ", ".join(str(i) for i in np.argwhere(weight < 0)[0])
        raise InvalidValueError(
            f"sample_weight must be 0 or more, but sample_weight[{at}] is {weight[weight < 0][0]:g}"
        )
    with np.errstate(over="ignore"):
        total = weight.sum(axis=-1).max() if weight.size else 0.0
    if total and not (total <= LARGEST and weight.max() >= SMALLEST):
        raise InvalidValueError(
            f"the largest sample_weight must be 0, or {SMALLEST:g} or more, and their sum at most {LARGEST:g}, but "
            f"they are {weight.max():g} and {total:g}"
        )
    return weight


def near_one(weight: FloatArray | None) -> FloatArray | None:
    """Return weights whose products fit in a float, for scores that do not depend on their scale.

    They are divided by a power of two, which changes no digit.
    """
    if weight is None or not weight.size:
        return weight
    exponent = np.frexp(weight.max())[1]
    return weight if abs(int(exponent)) < LARGEST_EXPONENT else np.ldexp(weight, -exponent)


def weighted_sum(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Sum over the instances, in the same order for each problem, whatever the batch."""
    weighted = np.ascontiguousarray(values if weight is None else values * weight)
    return np.asarray(weighted.sum(axis=-1), dtype=np.float64)


def weighted_mean(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the mean over the instances; nan if no instance has weight."""
    if weight is None:
        return np.divide(weighted_sum(values, None), values.shape[-1])
    # divided by the largest weight first: a sum of tiny or huge weights neither vanishes nor overflows
    largest = weight.max(axis=-1, keepdims=True)
    weight = weight / np.where(largest > 0, largest, 1)
    with np.errstate(invalid="ignore"):
        return np.divide(weighted_sum(values, weight), weighted_sum(weight, None))


def mean_score(values: FloatArray, weight: FloatArray | None, chosen: str, function: str) -> Any:
    """Return the mean over the instances, and the value of `undefined` if no instance has weight."""
    return filled_score(weighted_mean(values, weight), chosen, function, NO_WEIGHT)


def filled_score(scores: FloatArray, chosen: str, function: str, when: str) -> Any:
    """Replace undefined scores, which are nan, according to `undefined`; scikit-learn has no value for them."""
    undefined = np.isnan(scores)
    report(undefined, chosen, function=function, when=when, usual=math.nan)
    return unbatch(np.where(undefined, fill_value(chosen, math.nan), scores))
