"""How much of its use does a classifier lose where the world is not the one that it was trained on?"""

from __future__ import annotations

__all__ = ["PerformanceDeterioration", "performance_deterioration"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._result import Record, reasons, unbatch
from evalstats._types import FloatArray

NOTHING_TO_LOSE = "a classifier trained on the new data errs no less than the trivial one, so that nothing can be lost"


@dataclass(frozen=True, kw_only=True, eq=False)
class PerformanceDeterioration(Record):
    """What `performance_deterioration` returns.

    Attributes
    ----------
    estimate : float or ndarray
        pD: 0 where nothing is lost, 1 where the classifier is no better than the trivial one, negative where it errs
        less than one that was trained on the new data; nan where `reason` says why.
    is_trivial : bool or ndarray
        Whether the classifier errs more than the trivial one, so that pD is cut at 1.
    reason : str, None or ndarray of object
        None, or a sentence when pD has no meaning.
    """

    estimate: Any
    is_trivial: Any
    reason: Any


def performance_deterioration(
    error_test: ArrayLike, error_ideal: ArrayLike, error_trivial: ArrayLike
) -> PerformanceDeterioration:
    """Tell which share of what a classifier could gain over a trivial one is lost when the world has changed.

    An error rate rises when the world changes, and it rises too when the new world is only harder. So it is compared
    with two others on the same new data: that of the same kind of classifier trained on the new data, and that of the
    trivial classifier.

    Parameters
    ----------
    error_test : array_like of shape (...)
        Error rates, within 0 and 1, of a classifier that was trained before the change, on data after it.
    error_ideal : array_like of shape (...)
        Error rates of the same classifier trained and tested on data after the change.
    error_trivial : array_like of shape (...)
        Error rates of the classifier that always predicts the most frequent class.

    Returns
    -------
    PerformanceDeterioration
        ``(error_test - error_ideal) / (error_trivial - error_ideal)``, or 1 where `error_test` is above
        `error_trivial`.

    Raises
    ------
    ValueError
        If an error rate is nan or outside of 0 and 1, or the shapes do not broadcast.
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
        for value, name in (
            (error_test, "error_test"),
            (error_ideal, "error_ideal"),
            (error_trivial, "error_trivial"),
        )
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
        estimate=unbatch(estimate),
        is_trivial=unbatch(above),
        reason=reasons(estimate.shape, (empty, NOTHING_TO_LOSE)),
    )


def _rates(value: Any, name: str) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, name), name)
    if array.size and not (array.min() >= 0 and array.max() <= 1):
        raise InvalidValueError(
            f"{name} must hold error rates from 0 to 1, but it holds {array.min():g} to {array.max():g}"
        )
    return array
