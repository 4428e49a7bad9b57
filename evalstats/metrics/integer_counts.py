"""Which tables hold numbers of cases, and not sums of weights?"""

from __future__ import annotations

__all__ = ["place_of", "whole_numbers", "whole_tables"]

from typing import Any

import numpy as np

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._types import IntArray


def whole_tables(counts: Any) -> IntArray:
    """Return square tables of whole numbers, 0 or more."""
    _labels.square_labels(counts, "counts", missing=0)
    tables = whole_numbers(counts, "counts")
    _checks.batch(tables, "counts")
    if tables.ndim < 2 or tables.shape[-1] != tables.shape[-2] or tables.size == 0:
        raise InvalidValueError(
            f"counts must have the shape (..., k, k) with k of 1 or more, but its shape is {tables.shape}"
        )
    return tables


def whole_numbers(value: Any, name: str) -> IntArray:
    """Return whole numbers, 0 or more."""
    numbers = _checks.finite(_checks.numbers(value, name), name)
    wrong = (numbers < 0) | (numbers != np.floor(numbers)) | (numbers > 2**53)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise InvalidValueError(
            f"{name} must be whole numbers of 0 or more, but {name}{place_of(at)} is {numbers[at]:.17g}"
        )
    return numbers.astype(np.int64)


def place_of(at: Any) -> str:
    """Return a position as a message writes it after the name of an array."""
    return f"[{', '.join(str(int(i)) for i in at)}]" if len(at) else ""
