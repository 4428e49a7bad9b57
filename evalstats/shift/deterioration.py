"""Loss of performance of a classifier after a distribution shift."""

from __future__ import annotations

__all__ = ["PerformanceDeterioration", "performance_deterioration"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import Record, reasons, unbatch
from evalstats._types import FloatArray

NOTHING_TO_LOSE = (
    "a classifier trained on the new data is not better than the trivial classifier, so there is no advantage to lose"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PerformanceDeterioration(Record):
    """Result of `performance_deterioration`.

    Attributes
    ----------
    estimate : float or ndarray
        Performance deterioration pD. It is 0 without deterioration, and 1 if the classifier is not better than the
        trivial classifier. It is negative if the classifier has a lower error rate than a classifier trained on the new
        data. It is nan if there is a `reason`.
    is_trivial : bool or ndarray
        Whether the classifier has a higher error rate than the trivial classifier. If so, pD is set to 1.
    reason : str, None or ndarray of object
        A sentence if pD is undefined, otherwise None.
    """

    estimate: Any
    is_trivial: Any
    reason: Any


def performance_deterioration(
    error_test: ArrayLike, error_ideal: ArrayLike, error_trivial: ArrayLike
) -> PerformanceDeterioration:
    """Compute the performance deterioration of a classifier after a distribution shift.

    After a shift, an error rate may increase because the classifier is unsuitable or because the new data are harder to
    classify. The function therefore compares the error rate with two other error rates on the same new data. The first
    is the error rate of the same kind of classifier trained on the new data. The second is the error rate of the
    trivial classifier. The result is the proportion of the advantage over the trivial classifier that the classifier
    has lost.

    Parameters
    ----------
    error_test : array_like of shape (...)
        Error rates between 0 and 1, on data after the shift, of a classifier that was trained before the shift.
    error_ideal : array_like of shape (...)
        Error rates of the same kind of classifier, trained and tested on data after the shift.
    error_trivial : array_like of shape (...)
        Error rates of the classifier that always predicts the most frequent class.

    Returns
    -------
    PerformanceDeterioration
        ``(error_test - error_ideal) / (error_trivial - error_ideal)``, or 1 if `error_test` is above `error_trivial`.

    Raises
    ------
    ValueError
        If an error rate is nan or not between 0 and 1, or the shapes do not broadcast.
    TypeError
        If error rates are not numbers.

    References
    ----------
    Alaiz-Rodriguez, R. & Japkowicz, N. (2008). Assessing the impact of changing environments on classifier performance.
    Canadian AI, 13-24.

    Examples
    --------
    >>> from evalstats.shift import performance_deterioration
    >>> performance_deterioration([0.2, 0.4, 0.5, 0.05], 0.1, 0.4).estimate.round(4)
    array([ 0.3333,  1.    ,  1.    , -0.1667])
    """
    _labels.same_labels(error_test=error_test, error_ideal=error_ideal, error_trivial=error_trivial)
    test, ideal, trivial = (
        _rates(value, name)
        for value, name in ((error_test, "error_test"), (error_ideal, "error_ideal"), (error_trivial, "error_trivial"))
    )
    try:
        test, ideal, trivial = np.broadcast_arrays(test, ideal, trivial)
    except ValueError as error:
        raise InvalidValueError(
            "error_test, error_ideal and error_trivial must have shapes that broadcast, but they are "
            f"{test.shape}, {ideal.shape} and {trivial.shape}"
        ) from error
    above, empty = test > trivial, ideal >= trivial
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (test - ideal) / (trivial - ideal)
    estimate = np.where(empty, np.nan, np.where(above, 1.0, share))
    return PerformanceDeterioration(
        estimate=unbatch(estimate), is_trivial=unbatch(above), reason=reasons(estimate.shape, (empty, NOTHING_TO_LOSE))
    )


def _rates(value: Any, name: str) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, name), name)
    if array.size and not (array.min() >= 0 and array.max() <= 1):
        raise InvalidValueError(
            f"{name} must hold error rates from 0 to 1, but its values range from {array.min():g} to {array.max():g}"
        )
    return array
