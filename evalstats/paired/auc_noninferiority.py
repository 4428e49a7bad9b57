"""Noninferiority and equivalence of two areas under the ROC curve on one test set."""

from __future__ import annotations

__all__ = ["AreaMargin", "area_margin", "auc_equivalence_test", "auc_noninferiority_test"]

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import CONFIDENCE_LEVELS, Data, Declaration, Draw
from evalstats._result import reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import positive_cases
from evalstats.metrics.delong import doubled_placements
from evalstats.paired.delong import DeLongTestResult, delong_test
from evalstats.paired.noninferiority_results import (
    EquivalenceTestResult,
    NoninferiorityTestResult,
    OneSided,
    equivalence,
    noninferiority,
    understand_margin,
)

METHODS = ("t", "normal")
# of a case that is added to each class, by which the places differ as much as in any: held where few cases are known
ADDED = 0.5
NO_VARIANCE = (
    "the difference of the areas has no variance, so the normal distribution does not apply; this does not mean "
    "that the difference is known exactly"
)
SINGLE_CASE = "with a single positive or a single negative instance, the difference of the areas has no variance"


class AreaMargin:
    """Two areas under ROC curves, the standard error of their difference, and its distribution."""

    test = "auc"

    def __init__(self, areas: DeLongTestResult, method: str, error: FloatArray, df: FloatArray) -> None:
        """Store the estimated areas and the standard error of their difference."""
        self.areas, self.method, self.error, self.df = areas, method, error, df
        self.n = np.asarray(areas.n_positive) + np.asarray(areas.n_negative)
        self.difference = np.asarray(areas.difference)

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that the difference of the areas is the shift: Liu et al. (2006), section 3."""
        has_variance = self.error > 0
        excess = self.difference - shift
        t = np.where(has_variance, excess / np.where(has_variance, self.error, 1.0), np.nan)
        is_t = self.method == "t"
        return OneSided(
            t,
            tails.t_pvalue(t, self.df, alternative) if is_t else tails.normal_pvalue(t, alternative),
            np.full(t.shape, "t" if is_t else "asymptotic"),
            reasons(t.shape, (~has_variance, SINGLE_CASE if is_t else NO_VARIANCE)),
        )

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits, truncated at -1 and 1; nan without a variance."""
        from scipy.special import ndtri

        quantile = tails.t_quantile(self.df, 1 - alpha) if self.method == "t" else -float(ndtri(alpha))
        reach = np.where(self.error > 0, quantile * self.error, np.nan)
        return np.maximum(self.difference - reach, -1.0), np.minimum(self.difference + reach, 1.0)


def area_margin(y_true: Any, x: Any, y: Any, *, pos_label: Any = None, method: str = "t") -> AreaMargin:
    """Compare two areas, by t with a variance adjusted for few instances, or by DeLong's method."""
    method = _checks.choice(method, "method", METHODS)
    areas = delong_test(y_true, x, y, pos_label=pos_label)
    error = np.asarray(areas.standard_error)
    if method == "normal":
        return AreaMargin(areas, method, error, np.full(error.shape, np.inf))

    score = np.stack(np.broadcast_arrays(*_checks.paired(x, y)), axis=-2)
    *batch, _, n = np.broadcast_shapes(score.shape, (*error.shape, 1, 1))
    is_positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    is_positive = np.broadcast_to(is_positive, (*batch, n)).reshape(-1, n)
    below = doubled_placements(is_positive, np.broadcast_to(score, (*batch, 2, n)).reshape(-1, 2, n))
    m = is_positive.sum(axis=-1, keepdims=True)
    differs = (below[:, 0] - below[:, 1]) / (2 * np.where(is_positive, n - m, m))
    largest = np.abs(differs).max(axis=-1)
    parts, freedom = [], []
    for own in (is_positive, ~is_positive):
        size = own.sum(axis=-1)
        mean = np.where(own, differs, 0.0).sum(axis=-1) / size
        squares = np.where(own, (differs - mean[:, np.newaxis]) ** 2, 0.0).sum(axis=-1)
        # of an added case the square is that between the largest difference and the largest that there can be
        squares += ADDED * np.where(largest > 0, largest, 1.0)
        freedom.append(size - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            parts.append(squares / (size * np.where(size > 1, size - 1, np.nan)))
    variance = parts[0] + parts[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        df = variance**2 / sum(part**2 / own for part, own in zip(parts, freedom, strict=True))
    return AreaMargin(areas, method, np.sqrt(variance).reshape(batch), df.reshape(batch))


def auc_noninferiority_test(
    y_true: ArrayLike, x: ArrayLike, y: ArrayLike, *, margin: float, pos_label: Any = None, method: str = "t"
) -> NoninferiorityTestResult:
    """Test whether the AUC of x is noninferior to the AUC of y.

    The null hypothesis is that the area under the ROC curve of x is smaller than the area of y by the margin or more.
    The instances must be independent; for clusters of instances, see `metric_noninferiority_test`.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances, of two classes.
    x, y : array_like of shape (..., n)
        Scores of x (the candidate) and y (the baseline) for these instances; greater means more likely positive.
        Leading axes are a batch and broadcast.
    margin : float
        Largest acceptable loss of area, between 0 and 1, chosen before the scores are seen.
    pos_label : label, optional
        The positive class; all others are negative. Default: the greater of two labels.
    method : {'t', 'normal'}, default: 't'
        ``'t'``: controls the type-I error rate with few instances and rare positive instances (see Notes).
        ``'normal'``: the test of Liu et al., which needs some hundreds of instances of each class.

    Returns
    -------
    NoninferiorityTestResult
        t and the one-sided p-value; also the difference of the areas, `confidence_interval` and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin is not between 0 and 1, an option is unknown, or for the same reasons as `delong_test`.

    Notes
    -----
    The statistic is the difference of the areas plus the margin, divided by its standard error. With DeLong's standard
    error and the normal distribution, the test rejects at its margin in up to 22% of samples of 40 instances with areas
    near 1, instead of 5%, because few instances do not show rare losses. Therefore, half a pseudo-instance is added to
    each class. Its square is the largest squared difference of the placements of an instance (1 if there is none). The
    degrees of freedom of t are Satterthwaite's. In simulations of 20 to 200 instances, this test rejects in at most
    about 6%; with ten or fewer positive instances, it rejects in far less than 5% and has little power. With a single
    instance of a class, p is nan, and `reason` explains why.

    References
    ----------
    Liu, J.-P., Ma, M.-C., Wu, C.-y. & Tai, J.-Y. (2006). Tests of equivalence and non-inferiority for diagnostic
    accuracy based on the paired areas under ROC curves. Statistics in Medicine 25, 1219-1238.

    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.

    Examples
    --------
    >>> from evalstats.paired import auc_noninferiority_test
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = auc_noninferiority_test(y_true, [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8], margin=0.3)
    >>> print(f"t = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    t = 1.317, p = 0.124
    """
    margin = understand_margin(margin, are_shares=True)
    return noninferiority(area_margin(y_true, x, y, pos_label=pos_label, method=method), margin, greater_is_better=True)


def auc_equivalence_test(
    y_true: ArrayLike, x: ArrayLike, y: ArrayLike, *, margin: float, pos_label: Any = None, method: str = "t"
) -> EquivalenceTestResult:
    """Test whether two classifiers have equivalent AUCs on one test set.

    The function computes two one-sided tests. The null hypothesis is that the areas under the ROC curves differ by the
    margin or more.

    Parameters
    ----------
    y_true, x, y
        As in `auc_noninferiority_test`.
    margin : float
        Smallest relevant difference of the areas, between 0 and 1.
    pos_label : label, optional
        The positive class; all others are negative. Default: the greater of two labels.
    method : {'t', 'normal'}, default: 't'
        ``'t'``: controls the type-I error rate with few instances and rare positive instances (see Notes).
        ``'normal'``: the test of Liu et al., which needs some hundreds of instances of each class.

    Returns
    -------
    EquivalenceTestResult
        The larger of the two p-values with its t; also both p-values, the difference of the areas,
        `confidence_interval` (of level 1 - 2 alpha) and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin is not between 0 and 1, an option is unknown, or for the same reasons as `delong_test`.

    References
    ----------
    Liu, J.-P., Ma, M.-C., Wu, C.-y. & Tai, J.-Y. (2006). Tests of equivalence and non-inferiority for diagnostic
    accuracy based on the paired areas under ROC curves. Statistics in Medicine 25, 1219-1238.

    Examples
    --------
    >>> from evalstats.paired import auc_equivalence_test
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = auc_equivalence_test(y_true, [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8], margin=0.3)
    >>> low, high = result.confidence_interval(0.90)
    >>> print(f"p = {result.pvalue:.3f}, from {low:.3f} to {high:.3f}")
    p = 0.306, from -0.531 to 0.781
    """
    margin = understand_margin(margin, are_shares=True)
    return equivalence(area_margin(y_true, x, y, pos_label=pos_label, method=method), margin)


DECLARATIONS = tuple(
    Declaration(
        function=function,
        data=Data.CLASS_SCORES,
        example={"margin": 0.2},
        inputs={
            "y_true, x, y": Draw("two_rankings"),
            "margin": (0.01, 0.1, 0.5),
            "method": ("normal",),
            "confidence_level": CONFIDENCE_LEVELS,
        },
    )
    for function in (auc_noninferiority_test, auc_equivalence_test)
)
