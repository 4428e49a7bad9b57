"""How much does each case count?"""

from __future__ import annotations

__all__ = ["near_one", "understand_weight"]

from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray

SMALLEST, LARGEST = 1e-300, 1e305
LARGEST_EXPONENT = 200


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
    with np.errstate(over="ignore"):
        total = weight.sum(axis=-1).max() if weight.size else 0.0
    if total and not (total <= LARGEST and weight.max() >= SMALLEST):
        raise InvalidValueError(
            f"the largest sample_weight must be 0, or {SMALLEST:g} or more, and their sum at most {LARGEST:g}, but "
            f"they are {weight.max():g} and {total:g}"
        )
    return weight


def near_one(weight: FloatArray | None) -> FloatArray | None:
    """Return weights whose products are numbers that a float can hold, for scores that do not depend on their scale.

    They are divided by a power of two, which changes no digit.
    """
    if weight is None or not weight.size:
        return weight
    exponent = np.frexp(weight.max())[1]
    return weight if abs(int(exponent)) < LARGEST_EXPONENT else np.ldexp(weight, -exponent)
