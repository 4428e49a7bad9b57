"""Are two samples of cases comparable: the same columns, and numbers in all of them?"""

from __future__ import annotations

__all__ = ["two_samples"]

from typing import Any

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._types import FloatArray


def two_samples(x: Any, y: Any, *, minimum: int) -> tuple[FloatArray, FloatArray]:
    """Return two samples as arrays of shape (n_cases, n_features) with the same features."""
    named = [list(columns) for sample in (x, y) if (columns := getattr(sample, "columns", None)) is not None]
    if len(named) == 2 and named[0] != named[1]:
        only = [name for name in (*named[0], *named[1]) if (name in named[0]) != (name in named[1])]
        what = f"only one has {short(only[0])}" if only else "they are in another order"
        raise InvalidValueError(f"x and y must have the same columns, but {what}")
    a, b = (_matrix(sample, name, minimum) for sample, name in ((x, "x"), (y, "y")))
    if a.shape[1] != b.shape[1]:
        raise InvalidValueError(
            f"x and y must have the same features, but x has {a.shape[1]} columns and y has {b.shape[1]}"
        )
    return a, b


def _matrix(sample: Any, name: str, minimum: int) -> FloatArray:
    array = _checks.numbers(sample, name)
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidValueError(f"{name} must have the shape (n_cases, n_features), but its shape is {array.shape}")
    if len(array) < minimum:
        raise InvalidValueError(f"{name} must have at least {minimum} cases, but it has {len(array)}")
    return _checks.moderate(_checks.finite(array, name), name)
