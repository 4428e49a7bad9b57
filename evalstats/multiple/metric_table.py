"""A table of classifiers and several measures: what does it hold, and in which direction is each measure better?"""

from __future__ import annotations

__all__ = ["MeasureTable", "understand_measures"]

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._types import BoolArray, FloatArray


class MeasureTable(NamedTuple):
    """Values of shape (n_classifiers, n_measures), and for each measure whether greater values are better."""

    values: FloatArray
    greater_is_better: BoolArray
    classifiers: tuple[str, ...]
    measures: tuple[str, ...]

    @property
    def merits(self) -> FloatArray:
        """The values with their signs turned where smaller ones are better."""
        merits: FloatArray = np.where(self.greater_is_better, self.values, -self.values)
        return merits


def understand_measures(scores: Any, greater_is_better: Any, classifiers: Any, measures: Any) -> MeasureTable:
    """Return the table, with names from a data frame, as given, or by number."""
    values = _checks.numbers(scores, "scores")
    if values.ndim != 2 or values.size == 0:
        raise InvalidValueError(
            f"scores must have the shape (n_classifiers, n_measures), but their shape is {values.shape}"
        )
    values = _checks.moderate(_checks.finite(values, "scores"), "scores")
    k, m = values.shape
    rows = _names(classifiers, "classifiers", getattr(scores, "index", None), k, "classifier")
    columns = _names(measures, "measures", getattr(scores, "columns", None), m, "measure")
    return MeasureTable(values, _directions(greater_is_better, m), rows, columns)


def _names(given: Any, argument: str, labels: Any, n: int, word: str) -> tuple[str, ...]:
    if given is None:
        has_labels = labels is not None and not callable(labels)
        known: Sequence[Any] = list(map(str, labels)) if has_labels else [f"{word} {i + 1}" for i in range(n)]
    else:
        known = [_checks.text(name, "a name") for name in _checks.listed(given, argument, "str")]
    if len(known) != n:
        raise InvalidValueError(f"{argument} must hold a name for each of {n}, but it holds {len(known)}")
    for name in known:
        if known.count(name) > 1:
            raise InvalidValueError(f"{argument} must be different from each other, but {short(name)} is there twice")
    return tuple(known)


def _directions(value: Any, m: int) -> BoolArray:
    if isinstance(value, bool | np.bool_):
        return np.full(m, bool(value))
    try:
        listed = _checks.listed(value, "greater_is_better", "True and False")
        directions = [_checks.boolean(one, "greater_is_better of a measure") for one in listed]
    except InvalidTypeError as error:
        raise InvalidTypeError(
            f"greater_is_better must be True or False, or one of them for each measure, not {short(value)}"
        ) from error
    if len(directions) != m:
        raise InvalidValueError(
            f"greater_is_better must hold one value for each of the {m} measures, but it holds {len(directions)}"
        )
    return np.array(directions, dtype=bool)
