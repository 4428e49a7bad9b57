"""DeLong's test: does one classifier rank the cases of a test set better than another?"""

from __future__ import annotations

__all__ = ["DeLongTestResult", "delong_test"]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats import _checks, _tails
from evalstats._checks import InvalidValueError
from evalstats._result import ConfidenceInterval, HypothesisTestResult, unbatch
from evalstats.metrics import classes
from evalstats.metrics.delong import DelongCovariance, delong_covariance
from evalstats.metrics.positive_class import positive_cases

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

SAME_ORDER = (
    "x and y put every case in the same place among those of the other class, so there is no difference to test"
)
NO_DIFFERENCE = "x and y have equal areas, and their difference has no variance"
CONSTANT_DIFFERENCE = (
    "one classifier is ahead by the same amount in every case, so the difference of the areas has no variance and the "
    "normal distribution does not apply; the difference is not known exactly for that"
)

# below this share of var(x) + var(y), var(x) + var(y) - 2 cov(x, y) has lost three digits or more
CANCELLED = 1e-3
SMALLEST_FLOAT = math.ulp(0.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class DeLongTestResult(HypothesisTestResult):
    """What `delong_test` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    statistic : float or ndarray
        z, the difference in standard errors; positive where x has the larger area.
    pvalue : float or ndarray
        From the normal distribution; nan where the variance cannot be estimated.
    auc_x, auc_y : float or ndarray
        Areas under the ROC curves.
    difference : float or ndarray
        auc_x - auc_y.
    standard_error : float or ndarray
        Of the difference.
    covariance : ndarray of shape (..., 2, 2)
        Estimated covariance of auc_x and auc_y.
    n_positive, n_negative : int or ndarray of int
        Number of cases of each class.
    """

    auc_x: Any
    auc_y: Any
    difference: Any
    standard_error: Any
    covariance: FloatArray
    n_positive: Any
    n_negative: Any

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return an interval of the difference of the areas, cut off at -1 and 1.

        It is one-sided when the alternative is, and nan where the difference has no variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            How often the interval covers the difference, with many cases of both classes.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats import delong_test
        >>> result = delong_test([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        -0.365 0.615
        """
        from scipy.special import ndtri

        level = _checks.confidence_level(confidence_level)
        error, difference = np.asarray(self.standard_error), np.asarray(self.difference)
        margin = float(ndtri((1 + level) / 2 if self.alternative == "two-sided" else level)) * error
        has_variance = error > 0
        low = np.full(error.shape, -1.0) if self.alternative == "less" else np.maximum(difference - margin, -1)
        high = np.full(error.shape, 1.0) if self.alternative == "greater" else np.minimum(difference + margin, 1)
        return ConfidenceInterval(
            low=unbatch(np.where(has_variance, low, np.nan)),
            high=unbatch(np.where(has_variance, high, np.nan)),
            confidence_level=level,
            attained_level=unbatch(np.where(has_variance, level, np.nan)),
        )


def delong_test(
    y_true: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    pos_label: Any = None,
    alternative: str = "two-sided",
) -> DeLongTestResult:
    """Tell whether one classifier has a larger area under the ROC curve than another on the same test set.

    The null hypothesis: over all cases of this kind, the two trained classifiers have equal areas. The cases must be
    independent of each other: several rows of one patient are not. How much the areas would change if the classifiers
    were trained again the test cannot tell.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n cases, of two classes.
    x, y : array_like of shape (..., n)
        Scores that two classifiers give to these cases; greater means more likely positive. Only their order counts, so
        that the two need no common scale. Leading axes are a batch and broadcast.
    pos_label : label, optional
        The positive class; all others are negative. Without it: the greater one of two labels.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the area of x is larger; ``'less'``: smaller.

    Returns
    -------
    DeLongTestResult
        z and its p-value; also both areas, their difference with its standard error, their covariance, and
        `confidence_interval`.

    Raises
    ------
    ValueError
        If the shapes do not fit, a score is not finite, there is no positive or no negative case, or an option is
        unknown.
    TypeError
        If scores are not numbers.

    See Also
    --------
    evalstats.metrics.delong_covariance : the areas of more than two classifiers and how they vary together.

    Notes
    -----
    Where x and y put every case in the same place, z is 0 and p is 1. Where the areas differ but the difference has no
    variance, z is infinite and p is nan; with a single case of a class z and p are nan. In all these cases `reason`
    says so. A p-value too small for a float is given as the smallest positive one, 5e-324.

    References
    ----------
    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.

    Examples
    --------
    >>> from evalstats import delong_test
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = delong_test(y_true, [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8])
    >>> result.auc_x, result.auc_y
    (0.875, 0.75)
    >>> print(f"z = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    z = 0.500, p = 0.617
    """
    classes.same_index(y_true=y_true, x=x, y=y)
    x, y = np.broadcast_arrays(*_checks.paired(x, y))
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    if positive.shape[-1] != x.shape[-1]:
        raise InvalidValueError(
            f"y_true and x must be paired: y_true has {positive.shape[-1]} cases, x has {x.shape[-1]}"
        )

    areas = delong_covariance(positive, np.stack([x, y], axis=-2))
    difference, variance, same_order = _difference_and_variance(areas, positive, x, y)
    statistic = _in_units_of(np.sqrt(variance), difference)
    statistic[same_order] = 0.0

    pvalue = np.where(variance > 0, _pvalue(statistic, alternative), np.where(statistic == 0, 1.0, np.nan))
    reason = np.array(areas.reason, dtype=object)
    reason[(variance == 0) & (difference != 0)] = CONSTANT_DIFFERENCE
    reason[(variance == 0) & (difference == 0)] = NO_DIFFERENCE
    reason[same_order] = SAME_ORDER

    return DeLongTestResult(
        statistic=unbatch(statistic),
        pvalue=unbatch(pvalue),
        alternative=alternative,
        method=unbatch(np.full(statistic.shape, "asymptotic")),
        reason=unbatch(reason),
        auc_x=unbatch(areas.auc[..., 0]),
        auc_y=unbatch(areas.auc[..., 1]),
        difference=unbatch(difference),
        standard_error=unbatch(np.sqrt(variance)),
        covariance=areas.covariance,
        n_positive=areas.n_positive,
        n_negative=areas.n_negative,
    )


def _difference_and_variance(
    areas: DelongCovariance, positive: BoolArray, x: FloatArray, y: FloatArray
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the difference of the areas, its variance, and whether both classifiers put all cases in the same place.

    Two classifiers that agree nearly everywhere have nearly equal variances and covariance, and what is left of them
    is noise; their difference is then taken case by case.
    """
    difference = np.asarray(areas.auc[..., 0] - areas.auc[..., 1])
    covariance = areas.covariance
    total = covariance[..., 0, 0] + covariance[..., 1, 1]
    variance = np.asarray(total - 2 * covariance[..., 0, 1])
    same_order = np.zeros(difference.shape, dtype=bool)
    shape = (*difference.shape, x.shape[-1])
    positive, x, y = np.broadcast_to(positive, shape), np.broadcast_to(x, shape), np.broadcast_to(y, shape)
    for at in map(tuple, np.argwhere(~(variance > CANCELLED * total))):  # nan too
        difference[at], variance[at], same_order[at] = _case_by_case(positive[at], x[at], y[at])
    return difference, variance, same_order


def _case_by_case(positive: BoolArray, x: FloatArray, y: FloatArray) -> tuple[float, float, bool]:
    """Return difference, variance and sameness from the differences of the doubled placements, which are whole."""
    of_positive = _doubled_placements(x[positive], x[~positive]) - _doubled_placements(y[positive], y[~positive])
    of_negative = _doubled_placements(x[~positive], x[positive]) - _doubled_placements(y[~positive], y[positive])
    m, n = len(of_positive), len(of_negative)
    variance = _variance(of_positive) / (4 * m * n**2) + _variance(of_negative) / (4 * n * m**2)
    return float(of_positive.sum()) / (2 * m * n), variance, not (of_positive.any() or of_negative.any())


def _doubled_placements(scores: FloatArray, others: FloatArray) -> FloatArray:
    """Count twice the others below each score, and once those equal to it."""
    others = np.sort(others)
    return (np.searchsorted(others, scores, "left") + np.searchsorted(others, scores, "right")).astype(np.float64)


def _variance(values: FloatArray) -> float:
    return float(np.var(values, ddof=1)) if len(values) > 1 else math.nan


def _in_units_of(error: FloatArray, difference: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((error == 0) & (difference == 0), 0.0, difference / error)


def _pvalue(z: FloatArray, alternative: str) -> FloatArray:
    if alternative == "two-sided":
        tail = 2 * _tails.normal_right_tail(np.abs(z))
    else:
        tail = _tails.normal_right_tail(z if alternative == "greater" else -z)
    return np.maximum(tail, SMALLEST_FLOAT)
