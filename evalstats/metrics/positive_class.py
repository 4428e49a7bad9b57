"""Which class is the positive one, and which cases are of it?"""

from __future__ import annotations

__all__ = ["cases_of", "one_is_usual", "positive_cases"]

from collections.abc import Collection
from typing import Any

import numpy as np

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._types import AnyArray, BoolArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import BOOLEANS, NUMBERS, Labels


def positive_cases(true: Labels, pos_label: Any, *, greater_of_two: bool = False) -> BoolArray:
    """Return which cases are positive.

    Without `pos_label`: True, or 1 where that is usual, or the greater one of two labels if this is wanted.
    """
    if pos_label is None:
        if true.kind == BOOLEANS:
            return true.array
        pos_label = _default_positive(true, greater_of_two)
    elif not classes.fits(pos_label, true.kind):
        raise InvalidTypeError(
            f"pos_label must be of the kind of y_true, which holds {true.kind}, not {short(pos_label)}"
        )
    positive = cases_of(true.array, pos_label)
    if not positive.any() and len(present := _present(true)) > 1:
        raise InvalidValueError(f"pos_label must be one of {classes.shown(present)}, not {short(pos_label)}")
    return positive


def cases_of(labels: AnyArray, label: Any) -> BoolArray:
    """Return which cases have this label."""
    if labels.dtype == object:
        # a label may be a tuple, which numpy would take for an array
        single = np.empty((), dtype=object)
        single[()] = label
        return np.equal(labels, single).astype(bool)
    equal: BoolArray = np.equal(labels, label)
    return equal


def one_is_usual(present: Collection[Any]) -> bool:
    """Return whether 1 is the positive class by custom: of 0 and 1, or of -1 and 1."""
    return set(present) <= {0, 1} or set(present) <= {-1, 1}


def _default_positive(true: Labels, greater_of_two: bool) -> Any:
    if true.kind == NUMBERS and true.array.min() >= 0 and true.array.max() <= 1:
        return 1
    present = _present(true)
    if one_is_usual(present):
        return 1
    if greater_of_two and len(present) == 2:
        return present[1]
    if len(present) > 2:
        hint = "choose multi_class='ovr' or 'ovo', or pos_label" if greater_of_two else "pos_label must name one"
        raise InvalidValueError(f"y_true holds {len(present)} classes, {classes.shown(present)}: {hint}")
    raise InvalidValueError(f"pos_label must name the positive class: y_true holds {classes.shown(present)}")


def _present(true: Labels) -> list[Any]:
    """Return the labels that occur, sorted; objects of other kinds in the order of how they are written."""
    return sorted(classes.distinct(true), key=repr if true.kind == "other objects" else None)
