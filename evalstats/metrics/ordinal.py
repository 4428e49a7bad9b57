"""Scores of ordered classes."""

from __future__ import annotations

__all__ = ["kendall_tau_b", "ordinal_absolute_error", "ordinal_squared_error"]

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats._errors import InvalidValueError
from evalstats._result import unbatch
from evalstats._types import AnyArray, FloatArray
from evalstats.metrics.counts import confusion_counts
from evalstats.metrics.formulas import fill_value, policy, report


def ordinal_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the mean absolute error for ordered classes: the mean distance from the true class.

    Use this error if the number of errors matters more than their size (Gaudette & Japkowicz 2009).

    Parameters
    ----------
    y_true, y_pred : array_like of shape (..., n)
        True and predicted labels of n instances. Leading axes are batch dimensions and broadcast.
    labels : sequence, optional
        All classes in order. Adjacent classes have the distance 1. Default: all labels that occur, sorted. These labels
        must be numbers or booleans. With this default, a class that does not occur does not count in the distance.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if all weights are zero. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``: nan, with one warning for
        the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError
        If lengths differ, a label is not among `labels`, a weight is negative, or labels are text without an order.
    TypeError
        If labels have different types.

    References
    ----------
    Gaudette, L. & Japkowicz, N. (2009). Evaluation methods for ordinal classification. Canadian AI, 207-210.

    Examples
    --------
    >>> from evalstats.metrics import ordinal_absolute_error
    >>> order = ["poor", "fair", "good"]
    >>> ordinal_absolute_error(["poor", "fair", "good", "good"], ["poor", "fair", "poor", "fair"], labels=order)
    0.75
    """
    return _of_tables(y_true, y_pred, labels, sample_weight, undefined, "ordinal_absolute_error", _absolute)


def ordinal_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the mean squared error for ordered classes: the mean squared distance from the true class.

    Use this error if large errors matter more than the number of errors (Gaudette & Japkowicz 2009).

    Parameters
    ----------
    y_true, y_pred, labels, sample_weight, undefined
        As in `ordinal_absolute_error`.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `ordinal_absolute_error`.

    References
    ----------
    Gaudette, L. & Japkowicz, N. (2009). Evaluation methods for ordinal classification. Canadian AI, 207-210.

    Examples
    --------
    >>> from evalstats.metrics import ordinal_squared_error
    >>> ordinal_squared_error([0, 1, 2, 2], [0, 1, 0, 1])
    1.25
    """
    return _of_tables(y_true, y_pred, labels, sample_weight, undefined, "ordinal_squared_error", _squared)


def kendall_tau_b(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute Kendall's tau-b between true and predicted classes.

    A value of 1 means the same order, 0 means no association, and -1 means the opposite order. In contrast to the
    ordinal errors, tau-b depends only on the order of the classes, not on distances between classes.

    Parameters
    ----------
    y_true, y_pred, labels, sample_weight
        As in `ordinal_absolute_error`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if all true or all predicted labels belong to one class. ``'raise'``: an error. ``'nan'``: nan.
        ``'warn'``: nan, with one warning for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `ordinal_absolute_error`.

    References
    ----------
    Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33, 239-251.

    Examples
    --------
    >>> from evalstats.metrics import kendall_tau_b
    >>> round(kendall_tau_b([0, 1, 2, 2], [0, 1, 0, 1]), 4)
    0.2236
    """
    return _of_tables(y_true, y_pred, labels, sample_weight, undefined, "kendall_tau_b", _tau_b)


def _of_tables(
    y_true: Any,
    y_pred: Any,
    labels: Any,
    sample_weight: Any,
    undefined: Any,
    function: str,
    score: Callable[[FloatArray], FloatArray],
) -> Any:
    undefined = policy(undefined)
    if labels is None:
        _refuse_words(y_true, "y_true")
        _refuse_words(y_pred, "y_pred")
    counts = confusion_counts(y_true, y_pred, labels=labels, sample_weight=sample_weight).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.asarray(score(counts))
    missing = np.isnan(values)
    when = (
        "all true or all predicted labels belong to one class"
        if function == "kendall_tau_b"
        else "all weights are zero"
    )
    report(missing, undefined, function=function, when=when, usual=math.nan)
    return unbatch(np.where(missing, fill_value(undefined, math.nan), values))


def _refuse_words(value: Any, name: str) -> None:
    first = np.asarray(value, dtype=object).ravel()[:1]
    if first.size and isinstance(first[0], str | bytes):
        raise InvalidValueError(f"labels must list the classes in their order, because {name} holds text")


def _distances(counts: AnyArray) -> FloatArray:
    place = np.arange(counts.shape[-1], dtype=np.float64)
    return np.abs(place[:, None] - place)


def _absolute(counts: FloatArray) -> FloatArray:
    mean: FloatArray = (counts * _distances(counts)).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))
    return mean


def _squared(counts: FloatArray) -> FloatArray:
    mean: FloatArray = (counts * _distances(counts) ** 2).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))
    return mean


def _tau_b(counts: FloatArray) -> FloatArray:
    """Return (C - D) / sqrt(T U): C concordant and D discordant pairs, T and U pairs not tied in each labeling.

    Each pair is counted twice, with the product of the weights of both instances.
    """
    total = counts.sum(axis=(-2, -1))
    sums = counts.cumsum(axis=-2).cumsum(axis=-1)
    zero = np.zeros_like(counts)
    above_left, above = zero.copy(), zero.copy()
    above_left[..., 1:, 1:] = sums[..., :-1, :-1]  # instances that precede in both orders
    above[..., 1:, :] = sums[..., :-1, -1:]
    until = zero.copy()
    until[..., 1:, :] = sums[..., :-1, :]
    above_right = above - until
    in_order = 2 * (counts * (above_left - above_right)).sum(axis=(-2, -1))
    not_tied = [total**2 - (counts.sum(axis=axis) ** 2).sum(axis=-1) for axis in (-1, -2)]
    tau: FloatArray = in_order / np.sqrt(not_tied[0] * not_tied[1])
    return tau.clip(-1, 1)
