"""What is the mean over cases with weights, and what is said where none has weight?"""

from __future__ import annotations

__all__ = ["filled_score", "mean_score", "weighted_mean", "weighted_sum"]

import math
from typing import Any

import numpy as np

from evalstats._result import unbatch
from evalstats._types import FloatArray
from evalstats.metrics.undefined import fill_value, report

NO_WEIGHT = "no case has weight"


def weighted_sum(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Sum over the cases, each problem in the same order whatever the batch."""
    weighted = np.ascontiguousarray(values if weight is None else values * weight)
    return np.asarray(weighted.sum(axis=-1), dtype=np.float64)


def weighted_mean(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the mean over the cases; nan where no case has weight."""
    if weight is None:
        return np.divide(weighted_sum(values, None), values.shape[-1])
    # divided by the largest weight first: a sum of tiny or huge weights neither vanishes nor overflows
    largest = weight.max(axis=-1, keepdims=True)
    weight = weight / np.where(largest > 0, largest, 1)
    with np.errstate(invalid="ignore"):
        return np.divide(weighted_sum(values, weight), weighted_sum(weight, None))


def mean_score(values: FloatArray, weight: FloatArray | None, chosen: str, function: str) -> Any:
    """Return the mean over the cases, and what the policy says where no case has weight."""
    return filled_score(weighted_mean(values, weight), chosen, function, NO_WEIGHT)


def filled_score(scores: FloatArray, chosen: str, function: str, when: str) -> Any:
    """Give undefined scores, which are nan, the value that the policy says; scikit-learn has none."""
    undefined = np.isnan(scores)
    report(undefined, chosen, function=function, when=when, usual=math.nan)
    return unbatch(np.where(undefined, fill_value(chosen, math.nan), scores))
