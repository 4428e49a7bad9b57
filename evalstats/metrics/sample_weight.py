"""How much does each case count?"""

from __future__ import annotations

__all__ = ["understand_weight"]

from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray

SMALLEST, LARGEST = 1e-60, 1e60


def understand_weight(sample_weight: Any, n: int | None = None) -> FloatArray:
    """Return weights that are finite and 0 or more, the last axis as long as the number of cases where it is given."""
    weight = _checks.finite(_checks.numbers(sample_weight, "sample_weight"), "sample_weight")
    if n is not None and (weight.ndim == 0 or weight.shape[-1] != n):
        raise InvalidValueError(
            f"sample_weight must hold one weight for each of the {n} cases, but its shape is {weight.shape}"
        )
    if weight.ndim == 0:
        raise InvalidValueError("sample_weight must hold one weight for each case, but it is a single number")
    if weight.size and weight.min() < 0:
        at = ", ".join(str(i) for i in np.argwhere(weight < 0)[0])
        raise InvalidValueError(
            f"sample_weight must be 0 or more, but sample_weight[{at}] is {weight[weight < 0][0]:g}"
        )
    # sums of weights, and products of sums, must be numbers that a float can hold
    if weight.size and not (weight.max() == 0 or SMALLEST <= weight.max() <= LARGEST):
        raise InvalidValueError(
            f"the largest sample_weight must be 0, or lie between {SMALLEST:g} and {LARGEST:g}, but it is "
            f"{weight.max():g}"
        )
    return weight
