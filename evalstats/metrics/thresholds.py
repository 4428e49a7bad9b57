"""Metrics of hard labels at each threshold, and the best threshold."""

from __future__ import annotations

__all__ = ["BestThreshold", "ThresholdScores", "best_threshold", "scores_at_thresholds"]

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidTypeError
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.metrics.formulas import LABEL_METRICS, policy, report
from evalstats.metrics.labels import score_from_counts
from evalstats.metrics.ranking_counts import ThresholdCounts, counts_of_one, threshold_counts
from evalstats.metrics.score_input import understand_rankings

OF_OTHER_QUESTIONS = ("average", "labels", "pos_label")


@dataclass(frozen=True, kw_only=True, eq=False)
class ThresholdScores(Record):
    """A metric of hard labels at each threshold. You can unpack it: ``scores, thresholds = result``.

    Attributes
    ----------
    scores : ndarray of shape (m,)
        The score of the labels if every instance whose score is at least the threshold is predicted positive. The value
        is nan if the formula is 0/0.
    thresholds : ndarray of shape (m,)
        Thresholds in decreasing order. The first threshold is infinite, so no instance is predicted positive.
    best_score : float
        The greatest value of the metric (for an error, the smallest). It is nan if all values are nan.
    best_threshold : float
        The greatest threshold at which the metric is best.
    metric : str
        Name of the metric.
    """

    scores: FloatArray
    thresholds: FloatArray
    best_score: float
    best_threshold: float
    metric: str

    def _axes(self) -> tuple[str, ...]:
        return ("point",)

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.scores
        yield self.thresholds


@dataclass(frozen=True, kw_only=True, eq=False)
class BestThreshold(Record):
    """The best value of a metric over all thresholds. You can unpack it: ``score, threshold = result``.

    Attributes
    ----------
    score : float or ndarray
        The greatest value of the metric (for an error, the smallest).
    threshold : float or ndarray
        The greatest threshold at which the metric is best. It is infinite if the metric is best without positive
        predictions.
    metric : str
        Name of the metric.
    """

    score: Any
    threshold: Any
    metric: str

    def __iter__(self) -> Iterator[Any]:
        yield self.score
        yield self.threshold


def scores_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: str = "accuracy",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    **choices: Any,
) -> ThresholdScores:
    """Compute a score of labels, such as accuracy or F1, at each threshold of the scores.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels of at least two classes.
    y_score : array_like of shape (n,)
        Scores. A greater score means that the positive class is more likely.
    metric : str, default: 'accuracy'
        A metric of hard labels, as in `score_from_counts`.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (n,), optional
        Weight of each instance, 0 or more.
    **choices
        Options of the function that computes the metric: `beta`, `adjusted`, `weights`.

    Returns
    -------
    ThresholdScores
        ``scores, thresholds``: one value for each distinct score, and one initial value.

    Raises
    ------
    ValueError
        If there is no positive or no negative instance, lengths differ, a score is not finite, or a weight is negative.
        If the positive class, the metric or an option is unknown.
    TypeError
        If scores are not numbers, or the metric does not support an option.

    Examples
    --------
    >>> from evalstats.metrics import scores_at_thresholds
    >>> result = scores_at_thresholds([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9], metric="f1")
    >>> result.scores.round(3)
    array([0.   , 0.5  , 0.8  , 0.667, 0.857, 0.75 ])
    >>> result.best_threshold
    0.35
    """
    _check_metric(metric, choices)
    counts = counts_of_one(y_true, y_score, pos_label, sample_weight, "scores_at_thresholds")
    scores = _scores(counts, metric, choices)
    ((best, threshold),) = zip(*_best(counts, scores, metric), strict=True)
    assert counts.threshold is not None
    return ThresholdScores(
        scores=scores, thresholds=counts.threshold, best_score=best, best_threshold=threshold, metric=metric
    )


def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: str = "accuracy",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "raise",
    **choices: Any,
) -> BestThreshold:
    """Find the threshold with the best accuracy, F1 or other metric of hard labels, for many classifiers.

    On average, the score is better than on new instances, because the threshold was chosen on the same instances.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances.
    y_score : array_like of shape (..., n)
        Scores. A greater score means that the positive class is more likely. Leading axes are batch dimensions and
        broadcast.
    metric, **choices
        As in `scores_at_thresholds`.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if the score is 0/0 at every threshold. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``: nan, with
        one warning for the whole batch. ``'zero'``: 0. The threshold is nan.

    Returns
    -------
    BestThreshold
        ``score, threshold``: floats or arrays of shape (...).

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `scores_at_thresholds`.

    Examples
    --------
    >>> from evalstats.metrics import best_threshold
    >>> score, threshold = best_threshold([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])
    >>> score, threshold
    (0.8, 0.8)
    """
    undefined = policy(undefined)
    _check_metric(metric, choices)
    rankings = understand_rankings(y_true, y_score, pos_label, sample_weight)
    values, where = np.empty(rankings.batch), np.empty(rankings.batch)
    for rows, counts in threshold_counts(rankings, thresholds=True):
        found = _best(counts, _scores(counts, metric, choices), metric)
        values[rows], where[rows] = (part.reshape(values[rows].shape) for part in found)
    when = "it is 0/0 at every threshold"
    missing = np.isnan(values)
    report(missing, undefined, function=f"best_threshold of {metric}", when=when, usual=np.nan)
    return BestThreshold(
        score=np.where(missing, 0.0, values) if undefined == "zero" else values, threshold=where, metric=metric
    )


def _check_metric(metric: Any, choices: dict[str, Any]) -> None:
    _checks.choice(metric, "metric", tuple(LABEL_METRICS))
    for name in OF_OTHER_QUESTIONS:
        if name in choices:
            raise InvalidTypeError(
                f"{metric} at a threshold is for the positive class, and does not accept the option {name!r}"
            )


def _scores(counts: ThresholdCounts, metric: str, choices: dict[str, Any]) -> FloatArray:
    fn = counts.tp[counts.lasts][counts.rows] - counts.tp
    tn = counts.fp[counts.lasts][counts.rows] - counts.fp
    tables = np.stack([tn, counts.fp, fn, counts.tp], axis=-1).reshape(-1, 2, 2)
    scores: FloatArray = score_from_counts(metric, tables, undefined="nan", **choices)
    return scores


def _best(counts: ThresholdCounts, scores: FloatArray, metric: str) -> tuple[FloatArray, FloatArray]:
    """Return the best score of each ranking and the first threshold with this score."""
    sign = 1.0 if LABEL_METRICS[metric].greater_is_better else -1.0
    best = np.fmax.reduceat(sign * scores, counts.starts)
    here = np.flatnonzero(sign * scores == best[counts.rows])
    rows, first = np.unique(counts.rows[here], return_index=True)
    threshold = np.full(len(best), np.nan)
    assert counts.threshold is not None
    threshold[rows] = counts.threshold[here[first]]
    return sign * best, threshold
