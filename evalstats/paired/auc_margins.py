"""Does a new classifier rank the cases of a test set as well as the old one, up to a margin?"""

from __future__ import annotations

__all__ = ["AreaMargin", "auc_equivalence_test", "auc_noninferiority_test"]

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats._result import reasons
from evalstats._types import FloatArray
from evalstats.distributions import tails
from evalstats.paired.delong import DeLongTestResult, delong_test
from evalstats.paired.margin_results import (
    EquivalenceTestResult,
    NoninferiorityTestResult,
    OneSided,
    equivalence,
    noninferiority,
    understand_margin,
)

NO_VARIANCE = (
    "the difference of the areas has no variance, so that the normal distribution does not apply; the difference is "
    "not known exactly for that"
)


class AreaMargin:
    """Two classifiers by the areas under their ROC curves, from what `delong_test` returned."""

    test = "auc"

    def __init__(self, result: DeLongTestResult) -> None:
        """Take the areas as they were estimated."""
        self.n = np.asarray(result.n_positive) + np.asarray(result.n_negative)
        self.difference, self._error = np.asarray(result.difference), np.asarray(result.standard_error)

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that the difference of the areas is the shift: Liu et al. (2006), section 3."""
        has_variance = self._error > 0
        excess = self.difference - shift
        z = np.where(has_variance, excess / np.where(has_variance, self._error, 1.0), np.nan)
        return OneSided(
            z,
            tails.normal_pvalue(z, alternative),
            np.full(z.shape, "asymptotic"),
            reasons(z.shape, (~has_variance, NO_VARIANCE)),
        )

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits, cut off at -1 and 1; nan without a variance."""
        from scipy.special import ndtri

        reach = np.where(self._error > 0, -float(ndtri(alpha)) * self._error, np.nan)
        return np.maximum(self.difference - reach, -1.0), np.minimum(self.difference + reach, 1.0)


def auc_noninferiority_test(
    y_true: ArrayLike, x: ArrayLike, y: ArrayLike, *, margin: float, pos_label: Any = None
) -> NoninferiorityTestResult:
    """Tell whether one classifier is shown to rank the cases of a test set as well as another, but for a margin.

    The null hypothesis: the area under the ROC curve of x is below that of y by the margin or more. The cases must be
    independent of each other; where they come in groups, see `metric_noninferiority_test`.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n cases, of two classes.
    x, y : array_like of shape (..., n)
        Scores that the new and the old classifier give to these cases; greater means more likely positive. Leading axes
        are a batch and broadcast.
    margin : float
        Which loss of area is still good enough: above 0 and below 1, and chosen before the scores are seen.
    pos_label : label, optional
        The positive class; all others are negative. Without it: the greater one of two labels.

    Returns
    -------
    NoninferiorityTestResult
        z and the one-sided p-value; also the difference of the areas, `confidence_interval` and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin does not lie between 0 and 1, and as `delong_test` does.

    Notes
    -----
    z is the difference of the areas plus the margin, over DeLong's standard error of the difference. Where this is 0 or
    unknown p is nan, and `reason` says so.

    References
    ----------
    Liu, J.-P., Ma, M.-C., Wu, C.-y. & Tai, J.-Y. (2006). Tests of equivalence and non-inferiority for diagnostic
    accuracy based on the paired areas under ROC curves. Statistics in Medicine 25, 1219-1238.

    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.

    Examples
    --------
    >>> from evalstats import auc_noninferiority_test
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = auc_noninferiority_test(y_true, [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8], margin=0.3)
    >>> print(f"z = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    z = 1.700, p = 0.045
    """
    margin = understand_margin(margin, are_shares=True)
    return noninferiority(AreaMargin(delong_test(y_true, x, y, pos_label=pos_label)), margin, greater_is_better=True)


def auc_equivalence_test(
    y_true: ArrayLike, x: ArrayLike, y: ArrayLike, *, margin: float, pos_label: Any = None
) -> EquivalenceTestResult:
    """Tell whether two classifiers are shown to rank the cases of a test set equally well, but for a margin.

    Two one-sided tests. The null hypothesis: the areas under the ROC curves differ by the margin or more.

    Parameters
    ----------
    y_true, x, y
        As in `auc_noninferiority_test`.
    margin : float
        Which difference of the areas does not matter yet: above 0 and below 1.
    pos_label : label, optional
        The positive class; all others are negative. Without it: the greater one of two labels.

    Returns
    -------
    EquivalenceTestResult
        The larger one of both p-values with its z; also both p-values, the difference of the areas,
        `confidence_interval` (of level 1 - 2 alpha) and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin does not lie between 0 and 1, and as `delong_test` does.

    References
    ----------
    Liu, J.-P., Ma, M.-C., Wu, C.-y. & Tai, J.-Y. (2006). Tests of equivalence and non-inferiority for diagnostic
    accuracy based on the paired areas under ROC curves. Statistics in Medicine 25, 1219-1238.

    Examples
    --------
    >>> from evalstats import auc_equivalence_test
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = auc_equivalence_test(y_true, [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8], margin=0.3)
    >>> low, high = result.confidence_interval(0.90)
    >>> print(f"p = {result.pvalue:.3f}, from {low:.3f} to {high:.3f}")
    p = 0.242, from -0.286 to 0.536
    """
    margin = understand_margin(margin, are_shares=True)
    return equivalence(AreaMargin(delong_test(y_true, x, y, pos_label=pos_label)), margin)
