"""The ROC convex hull: which thresholds can be the best one, whatever mistakes cost and however rare a class is?"""

from __future__ import annotations

__all__ = ["RocConvexHull", "hull_counts", "roc_convex_hull"]

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.threshold_counts import ThresholdCounts, counts_of_one

# what these passes leave is for a method that takes a time in proportion to the points, however they lie
N_FIRST_PASSES = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class RocConvexHull(Record):
    """The upper convex hull of a ROC curve; ``fpr, tpr, thresholds = hull`` works.

    Attributes
    ----------
    fpr, tpr : ndarray of shape (m,)
        False and true positive rate at each corner of the hull, from (0, 0) to (1, 1); both increase.
    thresholds : ndarray of shape (m,)
        Decreasing scores: cases with at least this score are called positive. The first is infinite.
    area : float
        Area under the hull: 0.5 where no threshold is better than guessing.
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
    """Find the thresholds that are the best ones for some costs of mistakes or some share of positive cases.

    The hull is the smallest concave curve above the ROC curve. A threshold whose point lies below it is never the
    best one; between two corners, choosing at random between their thresholds reaches each point of the line.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels, of two classes at least.
    y_score : array_like of shape (n,)
        Scores; greater means more likely positive.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (n,), optional
        Weight of each case, 0 or more.

    Returns
    -------
    RocConvexHull
        ``fpr, tpr, thresholds`` and ``area``.

    Raises
    ------
    ValueError
        If there is no positive or no negative case, lengths differ, a score is not finite, a weight is negative, or the
        positive class is not known.
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
    """Return the thresholds at the corners of the hull of each ranking, its first and last threshold among them."""
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
    """Return which points lie above the line between their neighbours: no other point is a corner of the hull."""
    tp, fp = np.diff(counts.tp), np.diff(counts.fp)
    above = np.ones(len(counts.tp), dtype=bool)
    above[1:-1] = tp[:-1] * fp[1:] > tp[1:] * fp[:-1]
    above[counts.starts] = above[counts.lasts] = True
    return above


def _pooled(counts: ThresholdCounts) -> BoolArray:
    """Return where neighbours that are not in order of slope are pooled: the hull is an antitonic regression.

    Fawcett & Niculescu-Mizil (2007), PAV and the ROC convex hull. One call does all rankings: their shares of positive
    cases are moved so far apart that no two of them are pooled.
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
