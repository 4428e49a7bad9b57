"""Which arrays are tables of counts?"""

from __future__ import annotations

__all__ = ["counts", "square_table"]

from typing import Any

import numpy as np

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray

LARGEST_COUNT = 2.0**50  # the sum of a table of any size that there is stays a whole number


def counts(value: Any, name: str, shape: str) -> FloatArray:
    """Return an array of counts with at least two axes: whole numbers, 0 or more."""
    array = _checks.finite(_checks.numbers(value, name), name)
    _checks.batch(array, name)
    if array.ndim < 2 or array.size == 0:
        raise InvalidValueError(f"{name} must have the shape {shape}, but its shape is {array.shape}")
    wrong = (array < 0) | (array != np.rint(array)) | (array > LARGEST_COUNT)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = ", ".join(map(str, at))
        raise InvalidValueError(f"{name} must hold whole numbers from 0 to 2^50, but {name}[{place}] is {array[at]:g}")
    return array


def square_table(value: Any) -> tuple[FloatArray, tuple[Any, ...]]:
    """Return counts of shape (..., k, k) and the labels of rows and columns, which must be the same."""
    labels = _labels.square_labels(value, "table", missing=0)
    table = counts(value, "table", "(..., k, k)")
    n_rows, n_columns = table.shape[-2:]
    if n_rows != n_columns:
        raise InvalidValueError(
            f"table must have a row and a column for each label, but it has {n_rows} rows and {n_columns} columns"
        )
    if (empty := table.sum(axis=(-2, -1)) == 0).any():
        which = f"table[{', '.join(map(str, np.argwhere(empty)[0]))}]" if empty.ndim else "table"
        raise InvalidValueError(f"a table must hold at least one case, but {which} is all 0")
    return table, tuple(range(n_rows)) if labels is None else labels
