"""The H-measure: expected reduction of cost under a fixed cost distribution."""

from __future__ import annotations

__all__ = ["COST_METRICS", "h_measure"]

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import unbatch
from evalstats._types import FloatArray
from evalstats.metrics.curves import hull_counts
from evalstats.metrics.formulas import fill_value, policy, report
from evalstats.metrics.ranking_counts import ThresholdCounts, threshold_counts
from evalstats.metrics.registry import Metric
from evalstats.metrics.score_input import understand_rankings

COST_METRICS = {
    "h_measure": Metric(
        function="h_measure",
        needs="scores",
        greater_is_better=True,
        range=(0.0, 1.0),
        undefined_when="there is no positive or no negative instance",
        sklearn=None,
    )
}
# beyond this ratio, nearly all probability of the cost distribution is in a range without information from the data
LARGEST_RATIO = 1e9
SMALL = 0.3


def h_measure(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    severity_ratio: float | None = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the H-measure: the relative reduction of cost, averaged over a cost distribution.

    A false positive costs c, and a false negative costs 1 - c. The cost c has a beta distribution, which is the same
    for all classifiers. For each c, the best threshold is used. A value of 0 means that the classifier is not better
    than a constant prediction, and a value of 1 means a perfect classifier. The area under the ROC curve averages over
    a different distribution for each classifier (Hand 2009).

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances.
    y_score : array_like of shape (..., n)
        Scores. A greater score means that the positive class is more likely. Leading axes are batch dimensions and
        broadcast.
    pos_label : label, optional
        As in `roc_curve`.
    severity_ratio : float, optional
        Ratio of the cost of a false positive to the cost of a false negative. The distribution of costs is Beta(2, 1 +
        1 / severity_ratio), whose mode has this ratio. With the ratio 1, the distribution is Beta(2, 2), as in Hand
        (2009). Default: the ratio of positive to negative instances, so errors in the rarer class are more expensive.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if all instances belong to one class. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``: nan, with
        one warning for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, a weight is negative, or the positive class is unknown. If
        `severity_ratio` is not above 0, or all instances belong to one class.
    TypeError
        If scores are not numbers.

    References
    ----------
    Hand, D. J. (2009). Measuring classifier performance: a coherent alternative to the area under the ROC curve.
    Machine Learning 77, 103-123. Eq. 10 to 15.
    Hand, D. J. & Anagnostopoulos, C. (2014). A better Beta for the H measure of classification performance. Pattern
    Recognition Letters 40, 41-46.

    Examples
    --------
    >>> from evalstats.metrics import h_measure
    >>> round(h_measure([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9]), 4)
    0.5893
    >>> round(h_measure([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9], severity_ratio=1), 4)
    0.58
    """
    undefined = policy(undefined)
    ratio = _severity_ratio(severity_ratio)
    rankings = understand_rankings(y_true, y_score, pos_label, sample_weight)

    values = np.empty(rankings.batch)
    for rows, counts in threshold_counts(rankings, corners=True):
        values[rows] = _saved(hull_counts(counts), ratio).reshape(values[rows].shape)
    record = COST_METRICS["h_measure"]
    report(np.isnan(values), undefined, function=record.function, when=record.undefined_when, usual=math.nan)
    return unbatch(np.where(np.isnan(values), fill_value(undefined, math.nan), values))


def _severity_ratio(value: Any) -> float | None:
    if value is None:
        return None
    ratio = _checks.real(value, "severity_ratio")
    if not 1 / LARGEST_RATIO <= ratio <= LARGEST_RATIO:
        raise InvalidValueError(
            f"severity_ratio must be a number from {1 / LARGEST_RATIO:g} to {LARGEST_RATIO:g}, not {short(value)}"
        )
    return ratio


def _saved(hull: ThresholdCounts, ratio: float | None) -> FloatArray:
    """Return 1 - L / L_max of each ranking: Hand (2009), eq. 15, or nan if a class is absent.

    Between two corners of the hull, the proportion of positive instances equals the cost c at which both thresholds
    have the same loss. Summation by parts shows that the loss is the mean of `_loss` at these proportions.
    """
    tp, fp = np.diff(hull.tp), np.diff(hull.fp)
    inside = np.ones(len(tp), dtype=bool)
    inside[hull.lasts[:-1]] = False
    tp, fp, rows = tp[inside], fp[inside], hull.rows[:-1][inside]
    positive, negative = hull.tp[hull.lasts], hull.fp[hull.lasts]
    has_both = (positive > 0) & (negative > 0)
    of_all = np.where(has_both, positive, 1.0), np.where(has_both, negative, 1.0)
    second_shape = 1 + 1 / (of_all[0] / of_all[1] if ratio is None else np.full(len(positive), ratio))
    loss = np.bincount(rows, (tp + fp) * _loss(tp, fp, second_shape[rows]), minlength=len(positive))
    worst = (of_all[0] + of_all[1]) * _loss(*of_all, second_shape)
    saved: FloatArray = np.where(has_both, 1 - loss / worst, np.nan)
    return saved.clip(0, 1)


def _loss(tp: FloatArray, fp: FloatArray, b: FloatArray) -> FloatArray:
    """Return the mean cost, over c with the distribution Beta(2, b), of instances of equal rank.

    The instances are predicted positive if c is below their proportion of positive instances. The integrals of c and of
    1 - c follow from the distributions Beta(3, b) and Beta(2, b + 1).
    """
    from scipy.special import betainc

    share, other = tp / (tp + fp), fp / (tp + fp)
    with np.errstate(divide="ignore"):
        power = np.exp(b * np.log(np.where(share < 0.5, 1.0, other)) + b * np.log1p(np.where(share < 0.5, -share, 0.0)))
    below = 1 - power * (1 + b * share * (1 + (b + 1) * share / 2))
    small = b * share < SMALL
    below[small] = betainc(3.0, b[small], share[small])  # used if the difference would lose digits
    above = power * other * (1 + (b + 1) * share)
    loss: FloatArray = (other * 2 * below + share * b * above) / (2 + b)
    return loss
