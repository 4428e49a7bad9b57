"""Which label did each rater give to each case? Ratings become counts: how many raters gave each label."""

from __future__ import annotations

__all__ = ["Ratings", "label_codes", "label_counts", "understand"]

from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import Codes
from evalstats.metrics.counts import tally


class Ratings(NamedTuple):
    """Ratings of shape (..., n_cases, n_raters); where one was not given stands any other."""

    array: AnyArray
    is_given: BoolArray


def understand(ratings: Any) -> Ratings:
    """Return ratings and which of them were given: None, nan and masked values were not."""
    is_masked = np.ma.getmaskarray(ratings) if isinstance(ratings, np.ma.MaskedArray) else False
    # of a list with text and nan numpy would make the text 'nan'
    array = np.array(ratings, dtype=object) if isinstance(ratings, list | tuple) else np.asarray(ratings)
    if array.ndim < 2 or array.size == 0 or any(isinstance(value, list | tuple) for value in array.flat[:1]):
        raise InvalidValueError(
            "ratings must be a regular array of shape (n_cases, n_raters), a row for each case and a column for each "
            f"rater, but its shape is {array.shape}"
        )
    if array.shape[-1] < 2:
        raise InvalidValueError("ratings must hold the labels of two raters or more, but it has one column")
    is_given = ~(_is_missing(array) | is_masked)
    if not is_given.any():
        raise InvalidValueError("ratings must hold at least one label, but all are missing")
    return Ratings(np.where(is_given, array, array[is_given][0]), is_given)


def label_codes(ratings: Ratings, labels: Any) -> tuple[Codes, tuple[Any, ...]]:
    """Return the labels as numbers, and the labels: those listed, or else those that occur, sorted."""
    understood = classes.understand(ratings.array, "ratings")
    if labels is None:
        names = classes.in_order(classes.distinct(understood))
    else:
        names = classes.given_classes(labels, understood.kind)
    return classes.class_codes(understood, names), tuple(names)


def label_counts(ratings: Ratings, labels: Any) -> tuple[FloatArray, tuple[Any, ...]]:
    """Return how often each case was given each label, of shape (..., n_cases, k), and the labels."""
    codes, names = label_codes(ratings, labels)
    weight = None if ratings.is_given.all() else ratings.is_given.astype(np.float64)
    return tally([codes], weight).astype(np.float64), names


def _is_missing(array: AnyArray) -> BoolArray:
    if array.dtype.kind == "f":
        return np.isnan(array)
    if array.dtype.kind != "O":
        return np.zeros(array.shape, dtype=bool)
    return np.fromiter(map(_is_no_label, array.flat), dtype=bool, count=array.size).reshape(array.shape)


def _is_no_label(value: Any) -> bool:
    """Nan differs from itself, and pandas.NA does not say."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124  # a nan is what differs from itself
    except TypeError:
        return True
