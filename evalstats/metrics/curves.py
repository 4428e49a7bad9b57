"""ROC curves, precision-recall curves and ROC convex hulls."""

from __future__ import annotations

__all__ = [
    "PrecisionRecallCurve",
    "RocConvexHull",
    "RocCurve",
    "hull_counts",
    "precision_recall_curve",
    "roc_convex_hull",
    "roc_curve",
]

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.formulas import fill_value, policy, report
from evalstats.metrics.ranking_counts import ThresholdCounts, counts_of_one
from evalstats.metrics.score_input import understand_rankings

# after these passes, a method whose time is linear in the number of points processes the remaining points
N_FIRST_PASSES = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class RocCurve(Record):
    """A ROC curve. You can unpack it: ``fpr, tpr, thresholds = curve``.

    Attributes
    ----------
    fpr, tpr : ndarray of shape (m,)
        False and true positive rate if every instance whose score is at least the threshold is predicted positive. Both
        rates increase.
    thresholds : ndarray of shape (m,)
        Decreasing scores. The first threshold is infinite, so no instance is predicted positive.
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray

    def _axes(self) -> tuple[str, ...]:
        return ("point",)

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.fpr
        yield self.tpr
        yield self.thresholds


@dataclass(frozen=True, kw_only=True, eq=False)
class PrecisionRecallCurve(Record):
    """A precision-recall curve. You can unpack it: ``precision, recall, thresholds = curve``.

    Attributes
    ----------
    precision, recall : ndarray of shape (m + 1,)
        Precision and recall if every instance whose score is at least the threshold is predicted positive. Recall
        decreases. The last point, precision 1 at recall 0, has no threshold.
    thresholds : ndarray of shape (m,)
        Increasing scores.
    """

    precision: FloatArray
    recall: FloatArray
    thresholds: FloatArray

    def _axes(self) -> tuple[str, ...]:
        return ("point",)

    def _told(self) -> Iterator[tuple[str, Any]]:
        # the last point has no threshold
        yield from {**dict(super()._told()), "thresholds": np.append(self.thresholds, np.nan)}.items()

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.precision
        yield self.recall
        yield self.thresholds


class Steps(NamedTuple):
    """Weights of the positive and negative instances whose score is at least each distinct score (decreasing)."""

    tp: FloatArray
    fp: FloatArray
    thresholds: FloatArray


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
    undefined: str = "raise",
) -> RocCurve:
    """Compute the ROC curve.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels.
    y_score : array_like of shape (n,)
        Scores. A greater score means that the positive class is more likely.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: 1 if the labels are 0 and 1 or -1 and 1, and True
        if the labels are False and True.
    sample_weight : array_like of shape (n,), optional
        Weight of each instance, 0 or more.
    drop_intermediate : bool, default: False
        Leave out points that are on a straight line between their neighbors.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do about a rate without instances in its denominator. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``:
        nan, as in scikit-learn, with a warning. ``'zero'``: 0.

    Returns
    -------
    RocCurve
        ``fpr, tpr, thresholds``: one point for each distinct score, and one initial point.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, a weight is negative, or the positive class is unknown.
    TypeError
        If scores are not numbers.

    References
    ----------
    Fawcett, T. (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861-874.

    Examples
    --------
    >>> from evalstats.metrics import roc_curve
    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr
    array([0. , 0. , 0.5, 0.5, 1. ])
    >>> tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    >>> thresholds
    array([ inf, 0.8 , 0.4 , 0.35, 0.1 ])
    """
    undefined = policy(undefined)
    drop = _checks.boolean(drop_intermediate, "drop_intermediate")
    tp, fp, thresholds = steps(*_one_ranking(y_true, y_score, pos_label, sample_weight))

    if drop and len(tp) > 2:
        bend = (np.diff(fp, 2) != 0) | (np.diff(tp, 2) != 0)
        kept = np.concatenate([[True], bend, [True]])
        tp, fp, thresholds = tp[kept], fp[kept], thresholds[kept]
    tp, fp = np.append(0.0, tp), np.append(0.0, fp)
    return RocCurve(
        fpr=_rate(fp, undefined, "the false positive rate of roc_curve", "there is no negative instance", math.nan),
        tpr=_rate(tp, undefined, "the true positive rate of roc_curve", "there is no positive instance", math.nan),
        thresholds=np.append(math.inf, thresholds),
    )


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
    undefined: str = "raise",
) -> PrecisionRecallCurve:
    """Compute the precision-recall curve.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.
    drop_intermediate : bool, default: False
        Leave out points between two other points with the same recall.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do about recall if there are no positive instances. ``'raise'``: an error. ``'warn'``: 1, as in
        scikit-learn, with a warning. ``'nan'``: nan. ``'zero'``: 0.

    Returns
    -------
    PrecisionRecallCurve
        ``precision, recall, thresholds``: one point for each distinct score, smallest first, and a last point without a
        threshold.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `roc_curve`.

    Examples
    --------
    >>> from evalstats.metrics import precision_recall_curve
    >>> precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision.round(3)
    array([0.5  , 0.667, 0.5  , 1.   , 1.   ])
    >>> recall
    array([1. , 1. , 0.5, 0.5, 0. ])
    >>> thresholds
    array([0.1 , 0.35, 0.4 , 0.8 ])
    """
    undefined = policy(undefined)
    drop = _checks.boolean(drop_intermediate, "drop_intermediate")
    tp, fp, thresholds = steps(*_one_ranking(y_true, y_score, pos_label, sample_weight))

    if drop and len(tp) > 2:
        kept = np.concatenate([[True], (np.diff(tp[:-1]) != 0) | (np.diff(tp[1:]) != 0), [True]])
        tp, fp, thresholds = tp[kept], fp[kept], thresholds[kept]
    recall = _rate(tp, undefined, "the recall of precision_recall_curve", "there is no positive instance", 1.0)
    return PrecisionRecallCurve(
        precision=np.append((tp / (tp + fp))[::-1], 1.0),
        recall=np.append(recall[::-1], 0.0),
        thresholds=thresholds[::-1].copy(),
    )


def steps(positive: BoolArray, score: FloatArray, weight: FloatArray | None) -> Steps:
    """Return the weights that pass each threshold, with the greatest score first; ignore instances without weight."""
    if weight is not None:
        kept = weight > 0
        positive, score, weight = positive[kept], score[kept], weight[kept]
    order = np.argsort(score, kind="stable")[::-1]
    positive, score = positive[order], score[order]
    last = np.flatnonzero(np.append(score[1:] != score[:-1], np.ones(min(len(score), 1), dtype=bool)))
    one = np.ones(len(score)) if weight is None else weight[order]
    return Steps(np.cumsum(one * positive)[last], np.cumsum(one * ~positive)[last], score[last])


def _one_ranking(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any
) -> tuple[BoolArray, FloatArray, FloatArray | None]:
    """Validate one ranking, and return its positive instances, scores and weights. Batches are not supported."""
    rankings = understand_rankings(y_true, y_score, pos_label, sample_weight)
    if rankings.batch:
        shapes = f"the shapes are {rankings.positive.shape} and {rankings.score.shape}"
        raise InvalidValueError(f"y_true and y_score must have the shape (n,) for a curve, but {shapes}")
    return rankings.positive, rankings.score.astype(np.float64, copy=False), rankings.weight


def _rate(weights: FloatArray, undefined: str, function: str, when: str, usual: float) -> FloatArray:
    """Return cumulative weights divided by the total weight."""
    if len(weights) and weights[-1] > 0:
        share: FloatArray = weights / weights[-1]
        return share
    report(np.asarray(True), undefined, function=function, when=when, usual=usual)
    return np.full(len(weights), fill_value(undefined, usual))


@dataclass(frozen=True, kw_only=True, eq=False)
class RocConvexHull(Record):
    """The upper convex hull of a ROC curve. You can unpack it: ``fpr, tpr, thresholds = hull``.

    Attributes
    ----------
    fpr, tpr : ndarray of shape (m,)
        False and true positive rate at each corner of the hull, from (0, 0) to (1, 1). Both rates increase.
    thresholds : ndarray of shape (m,)
        Decreasing scores: instances whose score is at least the threshold are predicted positive. The first threshold
        is infinite.
    area : float
        Area under the hull. It is 0.5 if no threshold is better than guessing.
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    area: float

    def _axes(self) -> tuple[str, ...]:
        return ("point",)

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.fpr
        yield self.tpr
        yield self.thresholds


def roc_convex_hull(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> RocConvexHull:
    """Find the thresholds that are optimal for at least one ratio of error costs or one prevalence.

    The hull is the smallest concave curve above the ROC curve. A threshold whose point is below the hull is never
    optimal. A random choice between the thresholds of two corners attains each point on the line between these corners.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels of at least two classes.
    y_score : array_like of shape (n,)
        Scores. A greater score means that the positive class is more likely.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (n,), optional
        Weight of each instance, 0 or more.

    Returns
    -------
    RocConvexHull
        The corners ``fpr``, ``tpr`` and ``thresholds``, and the ``area``.

    Raises
    ------
    ValueError
        If there is no positive or no negative instance, lengths differ, or the positive class is unknown. If a score is
        not finite or a weight is negative.
    TypeError
        If scores are not numbers.

    References
    ----------
    Provost, F. & Fawcett, T. (2001). Robust classification for imprecise environments. Machine Learning 42, 203-231.

    Examples
    --------
    >>> from evalstats.metrics import roc_convex_hull
    >>> hull = roc_convex_hull([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])
    >>> hull.fpr
    array([0. , 0. , 0.5, 1. ])
    >>> hull.tpr.round(3)
    array([0.   , 0.667, 1.   , 1.   ])
    >>> hull.thresholds
    array([ inf, 0.8 , 0.35, 0.1 ])
    >>> round(hull.area, 4)
    0.9167
    """
    counts = hull_counts(counts_of_one(y_true, y_score, pos_label, sample_weight, "roc_convex_hull"))
    fpr, tpr = counts.fp / counts.fp[-1], counts.tp / counts.tp[-1]
    area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2
    assert counts.threshold is not None
    return RocConvexHull(fpr=fpr, tpr=tpr, thresholds=counts.threshold, area=float(area))


def hull_counts(counts: ThresholdCounts) -> ThresholdCounts:
    """Return the thresholds at the corners of the hull of each ranking, including the first and the last threshold."""
    for _ in range(N_FIRST_PASSES):
        keep = _corners(counts)
        if keep.all():
            return counts
        counts = counts.kept(keep)
    counts = counts.kept(_pooled(counts))
    while not (keep := _corners(counts)).all():
        counts = counts.kept(keep)
    return counts


def _corners(counts: ThresholdCounts) -> BoolArray:
    """Return which points are above the line between their neighbors, like every corner of the hull."""
    tp, fp = np.diff(counts.tp), np.diff(counts.fp)
    above = np.ones(len(counts.tp), dtype=bool)
    above[1:-1] = tp[:-1] * fp[1:] > tp[1:] * fp[:-1]
    above[counts.starts] = above[counts.lasts] = True
    return above


def _pooled(counts: ThresholdCounts) -> BoolArray:
    """Return the limits of the blocks of the antitonic regression, which are the corners of the hull.

    See Fawcett & Niculescu-Mizil (2007), PAV and the ROC convex hull. One call processes all rankings: a shift
    separates their proportions of positive instances, so instances of different rankings are never pooled.
    """
    from scipy.optimize import isotonic_regression

    inside = np.ones(len(counts.tp) - 1, dtype=bool)
    inside[counts.lasts[:-1]] = False
    steps = np.flatnonzero(inside)
    tp, fp = np.diff(counts.tp)[steps], np.diff(counts.fp)[steps]
    share = tp / (tp + fp) - 2.0 * counts.rows[steps]
    blocks = isotonic_regression(share, weights=tp + fp, increasing=False).blocks
    keep = np.zeros(len(counts.tp), dtype=bool)
    keep[steps[blocks[:-1]]] = keep[counts.starts] = keep[counts.lasts] = True
    return keep
