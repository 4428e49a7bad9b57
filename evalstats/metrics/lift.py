"""Lift, gain and break-even point of a ranking."""

from __future__ import annotations

__all__ = ["LIFT_METRICS", "LiftCurve", "break_even_point", "lift_curve", "lift_score"]

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import Record, unbatch
from evalstats._types import FloatArray
from evalstats.metrics.formulas import fill_value, policy, report
from evalstats.metrics.ranking_counts import ThresholdCounts, counts_of_one, threshold_counts
from evalstats.metrics.registry import Metric
from evalstats.metrics.score_input import understand_rankings

LIFT_METRICS = {
    "lift": Metric(
        function="lift_score",
        needs="scores",
        greater_is_better=True,
        range=(0.0, math.inf),
        undefined_when="there is no positive instance",
        sklearn=None,
    ),
    "break_even_point": Metric(
        function="break_even_point",
        needs="scores",
        greater_is_better=True,
        range=(0.0, 1.0),
        undefined_when="there is no positive instance",
        sklearn=None,
    ),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class LiftCurve(Record):
    """Lift and gain for each proportion of instances predicted positive: ``proportion, lift, gain = curve``.

    Attributes
    ----------
    proportion : ndarray of shape (m,)
        Proportion of the instances whose score is at least the threshold. The proportion increases from 0 to 1.
    lift : ndarray of shape (m,)
        Proportion of positive instances among the instances whose score is at least the threshold, divided by the
        proportion among all instances. The last value is 1. The value at proportion 0 is the lift of the greatest
        score.
    gain : ndarray of shape (m,)
        Proportion of the positive instances whose score is at least the threshold: the true positive rate.
    thresholds : ndarray of shape (m,)
        Decreasing scores. The first threshold is infinite.
    """

    proportion: FloatArray
    lift: FloatArray
    gain: FloatArray
    thresholds: FloatArray

    def _axes(self) -> tuple[str, ...]:
        return ("point",)

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.proportion
        yield self.lift
        yield self.gain


def lift_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> LiftCurve:
    """Compute the lift curve and the gain curve of a ranking.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels, with at least one positive and one negative instance.
    y_score : array_like of shape (n,)
        Scores. A greater score means that the positive class is more likely.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (n,), optional
        Weight of each instance, 0 or more.

    Returns
    -------
    LiftCurve
        ``proportion, lift, gain`` and ``thresholds``. Between two points, instances of equal score are in random order,
        so the expected gain is a straight line.

    Raises
    ------
    ValueError
        If there is no positive or no negative instance, lengths differ, or the positive class is unknown. If a score is
        not finite or a weight is negative.
    TypeError
        If scores are not numbers.

    References
    ----------
    Piatetsky-Shapiro, G. & Steingold, S. (2000). Measuring lift quality in database marketing. ACM SIGKDD Explorations
    2(2), 76-80.

    Examples
    --------
    >>> from evalstats.metrics import lift_curve
    >>> curve = lift_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.2, 0.9])
    >>> curve.proportion
    array([0. , 0.2, 0.4, 0.6, 0.8, 1. ])
    >>> curve.gain
    array([0. , 0.5, 0.5, 1. , 1. , 1. ])
    >>> curve.lift.round(3)
    array([2.5  , 2.5  , 1.25 , 1.667, 1.25 , 1.   ])
    """
    counts = counts_of_one(y_true, y_score, pos_label, sample_weight, "lift_curve")
    proportion, gain = (counts.tp + counts.fp) / (counts.tp[-1] + counts.fp[-1]), counts.tp / counts.tp[-1]
    lift = gain[1:] / proportion[1:]
    assert counts.threshold is not None
    return LiftCurve(proportion=proportion, lift=np.append(lift[0], lift), gain=gain, thresholds=counts.threshold)


def lift_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fraction: float = 0.1,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the lift: the prevalence among the top-ranked instances divided by the overall prevalence.

    Guessing has a lift of 1. If the cut is within a group of equal scores, the value is the expected value over all
    permutations of the tied instances.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances.
    y_score : array_like of shape (..., n)
        Scores. A greater score means that the positive class is more likely. Leading axes are batch dimensions and
        broadcast.
    fraction : float, default: 0.1
        Proportion, above 0 and at most 1, of the instances above the cut.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if no instance is positive. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``: nan, with one warning
        for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError
        If `fraction` is not above 0 and at most 1, or no instance is positive. If the lengths differ, a score is not
        finite, a weight is negative, or the positive class is unknown.
    TypeError
        If scores are not numbers.

    Examples
    --------
    >>> from evalstats.metrics import lift_score
    >>> lift_score([0, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.2, 0.9], fraction=0.4)
    1.25
    """
    undefined = policy(undefined)
    part = _checks.real(fraction, "fraction")
    if not 0 < part <= 1:
        raise InvalidValueError(f"fraction must be greater than 0 and at most 1, not {short(fraction)}")

    def lift(counts: ThresholdCounts, positive: FloatArray, total: FloatArray) -> FloatArray:
        found: FloatArray = _found(counts, part * total) / (part * positive)
        return found

    return _answer("lift", _of_rankings(y_true, y_score, pos_label, sample_weight, lift), undefined)


def break_even_point(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the break-even point: the precision at the cut at which precision equals recall.

    If this cut is within a group of equal scores, the value is the expected value over all permutations of the tied
    instances.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, undefined
        As in `lift_score`.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `lift_score`.

    References
    ----------
    Joachims, T. (1998). Text categorization with support vector machines. ECML, 137-142. Section 5.

    Examples
    --------
    >>> from evalstats.metrics import break_even_point
    >>> break_even_point([0, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.2, 0.9])
    0.5
    """
    undefined = policy(undefined)

    def precision(counts: ThresholdCounts, positive: FloatArray, _: FloatArray) -> FloatArray:
        found: FloatArray = _found(counts, positive) / positive
        return found

    return _answer("break_even_point", _of_rankings(y_true, y_score, pos_label, sample_weight, precision), undefined)


def _of_rankings(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, value: Any) -> FloatArray:
    """Return a value of the counts of each ranking, or nan if no instance is positive."""
    rankings = understand_rankings(y_true, y_score, pos_label, sample_weight)
    values = np.empty(rankings.batch)
    for rows, counts in threshold_counts(rankings):
        positive, total = counts.tp[counts.lasts], counts.tp[counts.lasts] + counts.fp[counts.lasts]
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.where(positive > 0, value(counts, positive, total), np.nan)
        values[rows] = found.reshape(values[rows].shape)
    return values


def _found(counts: ThresholdCounts, wanted: FloatArray) -> FloatArray:
    """Return the weight of the positive instances among the top instances, up to a total weight, for each ranking."""
    passed = counts.tp + counts.fp
    n_below = np.add.reduceat(passed < wanted[counts.rows], counts.starts, dtype=np.intp)
    after = np.minimum(counts.starts + np.maximum(n_below, 1), counts.lasts)
    before = np.maximum(after - 1, counts.starts)
    width = passed[after] - passed[before]
    part = np.where(width > 0, (wanted - passed[before]) / np.where(width > 0, width, 1.0), 0.0).clip(0, 1)
    found: FloatArray = counts.tp[before] + part * (counts.tp[after] - counts.tp[before])
    return found


def _answer(metric: str, values: FloatArray, undefined: str) -> Any:
    record = LIFT_METRICS[metric]
    report(np.isnan(values), undefined, function=record.function, when=record.undefined_when, usual=math.nan)
    return unbatch(np.where(np.isnan(values), fill_value(undefined, math.nan), values))
