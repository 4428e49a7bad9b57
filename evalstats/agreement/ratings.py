"""Conversion of ratings to counts: the number of raters for each label."""

from __future__ import annotations

__all__ = ["Ratings", "label_codes", "label_counts", "understand"]

from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import Codes
from evalstats.metrics.counts import tally

LARGEST_COUNT = 2.0**50  # up to this value, the sum of a table of any size is an exact integer


class Ratings(NamedTuple):
    """Ratings of shape (..., n_instances, n_raters). A missing rating has an arbitrary value."""

    array: AnyArray
    is_given: BoolArray
    raters: tuple[Any, ...] | None = None


def understand(ratings: Any) -> Ratings:
    """Return the ratings, and a mask that is True for ratings that are not None, nan or masked."""
    is_masked = np.ma.getmaskarray(ratings) if isinstance(ratings, np.ma.MaskedArray) else False
    raters = _labels.column_names(ratings, "ratings")
    ratings = _labels.without_names(_labels.aligned_frames(ratings, "ratings"), "ratings")
    array = _checks.mixed(ratings, "ratings")
    if array.ndim < 2 or array.size == 0 or any(isinstance(value, list | tuple) for value in array.flat[:1]):
        raise InvalidValueError(
            "ratings must be a regular array of shape (n_instances, n_raters) with at least one instance, but its "
            f"shape is {array.shape}"
        )
    if array.shape[-1] < 2:
        raise InvalidValueError("ratings must hold the labels of two raters or more, but it has one column")
    is_given = ~(_is_missing(array) | is_masked)
    if not is_given.any():
        raise InvalidValueError("ratings must hold at least one label, but all are missing")
    return Ratings(np.where(is_given, array, array[is_given][0]), is_given, raters)


def label_codes(ratings: Ratings, labels: Any) -> tuple[Codes, tuple[Any, ...]]:
    """Return the ratings as label numbers, and the labels: as listed, or all labels that occur, sorted."""
    understood = classes.understand(ratings.array, "ratings")
    if labels is None:
        names = classes.in_order(classes.distinct(understood))
    else:
        names = classes.given_classes(labels, understood.kind)
    return classes.class_codes(understood, names), tuple(names)


def label_counts(ratings: Ratings, labels: Any) -> tuple[FloatArray, tuple[Any, ...]]:
    """Return the counts of each label for each instance, of shape (..., n_instances, k), and the labels."""
    codes, names = label_codes(ratings, labels)
    weight = None if ratings.is_given.all() else ratings.is_given.astype(np.float64)
    return tally([codes], weight).astype(np.float64), names


def _is_missing(array: AnyArray) -> BoolArray:
    if array.dtype.kind == "f":
        return np.isnan(array)
    if array.dtype.kind != "O":
        return np.zeros(array.shape, dtype=bool)
    return np.fromiter(map(_checks.is_no_label, array.flat), dtype=bool, count=array.size).reshape(array.shape)


def counts(value: Any, name: str, shape: str) -> FloatArray:
    """Return an array of counts with at least two axes, which are nonnegative integers."""
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


def square_table(value: Any, name: str = "table") -> tuple[FloatArray, tuple[Any, ...]]:
    """Return counts of shape (..., k, k) and the labels of rows and columns, which must be the same."""
    labels = _labels.square_labels(value, name, missing=0)
    table = counts(value, name, "(..., k, k)")
    n_rows, n_columns = table.shape[-2:]
    if n_rows != n_columns:
        raise InvalidValueError(
            f"{name} must have a row and a column for each label, but there are {n_rows} rows and {n_columns} columns"
        )
    if (empty := table.sum(axis=(-2, -1)) == 0).any():
        which = f"{name}[{', '.join(map(str, np.argwhere(empty)[0]))}]" if empty.ndim else name
        raise InvalidValueError(f"a table must hold at least one instance, but {which} is all 0")
    return table, tuple(range(n_rows)) if labels is None else labels
