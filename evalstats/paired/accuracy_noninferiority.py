"""Noninferiority and equivalence of two accuracies on one test set."""

from __future__ import annotations

__all__ = [
    "AccuracyPair",
    "GroupedAccuracyPair",
    "accuracy_equivalence_from_counts",
    "accuracy_equivalence_test",
    "accuracy_noninferiority_from_counts",
    "accuracy_noninferiority_test",
]

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._declarations import ONE_PROBLEM, Data, Declaration, Draw
from evalstats._result import reasons
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.unseen_clusters import ClusterLeads
from evalstats.metrics.cluster_variance import (
    Groups,
    degrees_of_freedom,
    jackknife_factors,
    sums_by_group,
    understand_groups,
)
from evalstats.paired.accuracy_difference_interval import (
    LARGEST,
    discordant,
    newcombe_limit,
    swapped,
    tango_limit,
    tango_statistic,
    unconditional_limit,
    unconditional_pvalue,
)
from evalstats.paired.mcnemar import correctness, counts_of_right, table_of_right
from evalstats.paired.noninferiority_results import (
    EquivalenceTestResult,
    MarginProblem,
    NoninferiorityTestResult,
    OneSided,
    equivalence,
    noninferiority,
    understand_margin,
)

METHODS = ("score", "exact", "newcombe")
SINGLE_GROUP = (
    "all instances are in one cluster, so the variance between clusters cannot be estimated; at least two clusters "
    "are necessary"
)
# Newcombe's limit is searched among the limits of these normal quantiles
FARTHEST, HALVINGS = 40.0, 60


class AccuracyPair:
    """Two classifiers on independent instances, by the table ``[[both correct, only x], [only y, neither]]``."""

    test = "accuracy"

    def __init__(self, table: IntArray, method: str) -> None:
        """Store tables of shape (..., 2, 2)."""
        only_x, only_y = discordant(table)
        self._table, self._method = table, method
        self.n = table.sum(axis=(-2, -1))
        self.difference = (only_x - only_y) / self.n
        if method == "exact" and np.max(self.n) > LARGEST:
            raise InvalidValueError(
                f"method='exact' would take too long for {np.max(self.n)} cases (the limit is {LARGEST}); "
                "use method='score'"
            )

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that accuracy x - accuracy y is the shift."""
        only_x, only_y = discordant(self._table)
        if self._method == "newcombe":
            z = _newcombe_statistic(self._table, shift)
        else:
            z = tango_statistic(only_x, only_y, self.n, shift)
        pvalue = tails.normal_pvalue(z, alternative)
        if self._method == "exact":
            counts, at = ((only_x, only_y), shift) if alternative == "greater" else ((only_y, only_x), -shift)
            pvalue = tails.as_pvalue(_of_each(unconditional_pvalue, *counts, self.n, at))
        return OneSided(z, pvalue, np.full(np.shape(self.n), self._method), reasons(np.shape(self.n)))

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits of the interval that corresponds to the method."""
        if self._method == "exact":
            only_x, only_y = discordant(self._table)
            low = _of_each(unconditional_limit, only_x, only_y, self.n, alpha)
            return low, -_of_each(unconditional_limit, only_y, only_x, self.n, alpha)
        from scipy.special import ndtri

        limit = tango_limit if self._method == "score" else newcombe_limit
        z = -float(ndtri(alpha))
        return limit(self._table, z), -limit(swapped(self._table), z)


class GroupedAccuracyPair:
    """Two classifiers on clusters of instances that are independent of each other.

    Tango's z is divided by the square root of the design effect: the variance of the difference divided by its variance
    for the same number of independent instances (Rao & Scott 1992). If almost no instance is discordant, the data do
    not determine the design effect. Therefore, one pseudo-instance whose whole cluster agrees with it is added; copies
    of an instance are then no additional evidence. For clusters of unequal size, the deviations and the degrees of
    freedom are computed as in `clustered_mean`.
    """

    test = "accuracy"

    def __init__(self, right_x: BoolArray, right_y: BoolArray, clusters: Groups) -> None:
        """Store the correctness of each instance and the clusters of the instances."""
        table = table_of_right(right_x, right_y)
        only_x, only_y = discordant(table)
        n = right_x.shape[-1]
        self._table, self.n = table, table.sum(axis=(-2, -1))
        self.difference = (only_x - only_y) / n
        sizes = np.diff(np.append(clusters.starts, n)).astype(np.float64)
        leads = sums_by_group(right_x, clusters) - sums_by_group(right_y, clusters)
        self.leads = ClusterLeads(sizes / n, leads / n) if leads.ndim == 1 else None
        deviations = (leads - self.difference[..., None] * sizes) * (jackknife_factors(sizes) if len(sizes) > 1 else 1)
        between = (deviations**2).sum(axis=-1)
        of_cases = only_x + only_y - n * self.difference**2
        self._design_effect = np.maximum((between + (sizes**2).sum() / n) / (of_cases + 1), 1.0)
        # groups of one are independent cases
        self._df = np.inf if sizes.max() == 1 else float(degrees_of_freedom(sizes))

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that accuracy x - accuracy y is the shift."""
        z = tango_statistic(*discordant(self._table), self.n, shift) / np.sqrt(self._design_effect)
        if self._df == 0:
            nothing = np.full(z.shape, np.nan)
            return OneSided(nothing, nothing, np.full(z.shape, "score"), reasons(z.shape, (True, SINGLE_GROUP)))
        of_t = np.isfinite(self._df)
        pvalue = tails.t_pvalue(z, self._df, alternative) if of_t else tails.normal_pvalue(z, alternative)
        return OneSided(z, pvalue, np.full(z.shape, "score"), reasons(z.shape))

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits by Tango's z and a multiple of the quantile; nan for a single cluster."""
        from scipy.special import ndtri

        quantile = -float(tails.t_quantile(self._df, alpha) if np.isfinite(self._df) else ndtri(alpha))
        low, high = np.full(self.n.shape, -np.inf), np.full(self.n.shape, np.inf)
        for at in np.ndindex(low.shape) if self._df else ():
            z = quantile * float(np.sqrt(self._design_effect[at]))
            low[at], high[at] = tango_limit(self._table[at], z), -tango_limit(swapped(self._table[at]), z)
        return low, high


def accuracy_noninferiority_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    margin: float,
    method: str = "score",
    clusters: ArrayLike | None = None,
) -> NoninferiorityTestResult:
    """Test whether the accuracy of x is noninferior to the accuracy of y.

    The null hypothesis is that the accuracy of x is lower than the accuracy of y by the margin or more.

    Parameters
    ----------
    x, y : array_like of bool, of shape (..., n)
        Whether x (the candidate) and y (the baseline) are correct on each of n instances: True and False, or 1 and 0.
        The instances must be independent, or `clusters` must contain their clusters. Leading axes are a batch and
        broadcast.
    margin : float
        Largest acceptable loss of accuracy, between 0 and 1, chosen before the data are seen. One percentage point is
        0.01.
    method : {'score', 'exact', 'newcombe'}, default: 'score'
        ``'score'``: Tango's score test with the normal distribution. ``'exact'``: the same statistic, with the p-value
        maximized over the probability of discordant instances; it controls the type-I error rate; up to 2000 instances.
        ``'newcombe'``: the test that corresponds to Newcombe's interval.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, if several instances are correlated (questions about a text, images of a patient):
        names or numbers, in any order. Only with ``'score'``: z is divided by the square root of the design effect and
        compared with Student's distribution. The degrees of freedom are the number of clusters minus one, and fewer for
        clusters of unequal size.

    Returns
    -------
    NoninferiorityTestResult
        z and the one-sided p-value; also the difference of the accuracies, `confidence_interval` and
        `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin is not between 0 and 1, if x and y are not paired, are empty, contain values other than True and
        False (or 1 and 0), if `clusters` does not have one cluster for each instance, or if an option is unknown.

    See Also
    --------
    accuracy_noninferiority_from_counts : The same from the four counts.

    Notes
    -----
    Let b and c be the numbers of instances that only x and only y classifies correctly. Then z is (b - c + n margin)
    divided by its standard deviation at the maximum-likelihood estimate under the difference -margin. It is also
    defined for two classifiers that are correct on the same instances.

    References
    ----------
    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.

    Hsueh, H.-M., Liu, J.-P. & Chen, J. J. (2001). Unconditional exact tests for equivalence or noninferiority for
    paired binary endpoints. Biometrics 57, 478-483.

    Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial proportions based on
    paired data. Statistics in Medicine 17, 2635-2650, method 10.

    Rao, J. N. K. & Scott, A. J. (1992). A simple method for the analysis of clustered binary data. Biometrics 48,
    577-585.

    Examples
    --------
    A smaller model loses four of 400 answers that the baseline had correct, and wins three.

    >>> from evalstats.paired import accuracy_noninferiority_test
    >>> new = [True] * 350 + [False] * 4 + [True] * 3 + [False] * 43
    >>> old = [True] * 350 + [True] * 4 + [False] * 3 + [False] * 43
    >>> result = accuracy_noninferiority_test(new, old, margin=0.02)
    >>> print(f"{result.difference:.4f}, p = {result.pvalue:.4f}")
    -0.0025, p = 0.0197
    """
    method, margin = _checks.choice(method, "method", METHODS), understand_margin(margin, are_shares=True)
    return noninferiority(_problem(x, y, method, clusters), margin, greater_is_better=True)


def accuracy_equivalence_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    margin: float,
    method: str = "score",
    clusters: ArrayLike | None = None,
) -> EquivalenceTestResult:
    """Test whether two classifiers have equivalent accuracies on one test set.

    The function computes two one-sided tests. The null hypothesis is that the accuracies differ by the margin or more.

    Parameters
    ----------
    x, y : array_like of bool, of shape (..., n)
        Whether each classifier is correct on each of n instances: True and False, or 1 and 0. Leading axes are a batch
        and broadcast.
    margin : float
        Smallest relevant difference of the accuracies, between 0 and 1. One percentage point is 0.01.
    method, clusters
        As in `accuracy_noninferiority_test`.

    Returns
    -------
    EquivalenceTestResult
        The larger of the two p-values with its z; also both p-values, the difference of the accuracies,
        `confidence_interval` (of level 1 - 2 alpha) and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        For the same reasons as `accuracy_noninferiority_test`.

    References
    ----------
    Liu, J.-P., Hsueh, H.-M., Hsieh, E. & Chen, J. J. (2002). Tests for equivalence or non-inferiority for paired binary
    data. Statistics in Medicine 21, 231-245.

    Examples
    --------
    >>> from evalstats.paired import accuracy_equivalence_test
    >>> new = [True] * 350 + [False] * 4 + [True] * 3 + [False] * 43
    >>> old = [True] * 350 + [True] * 4 + [False] * 3 + [False] * 43
    >>> result = accuracy_equivalence_test(new, old, margin=0.02)
    >>> low, high = result.confidence_interval(0.90)
    >>> print(f"p = {result.pvalue:.4f}, from {low:.4f} to {high:.4f}")
    p = 0.0197, from -0.0155 to 0.0099
    """
    method, margin = _checks.choice(method, "method", METHODS), understand_margin(margin, are_shares=True)
    return equivalence(_problem(x, y, method, clusters), margin)


def accuracy_noninferiority_from_counts(
    table: ArrayLike, *, margin: float, method: str = "score"
) -> NoninferiorityTestResult:
    """Test whether the accuracy of x is noninferior to the accuracy of y, from a table of counts.

    The test, its null hypothesis and its options are the same as for `accuracy_noninferiority_test`.

    Parameters
    ----------
    table : array_like of int, of shape (..., 2, 2)
        Numbers of instances: ``[[both correct, only x], [only y, neither]]``, where x is the candidate. Leading axes
        are a batch.
    margin : float
        Largest acceptable loss of accuracy, between 0 and 1. One percentage point is 0.01.
    method : {'score', 'exact', 'newcombe'}, default: 'score'
        As in `accuracy_noninferiority_test`.

    Returns
    -------
    NoninferiorityTestResult
        The result of `accuracy_noninferiority_test` for the counted instances.

    Raises
    ------
    ValueError, TypeError
        If the table is not 2 x 2, contains values other than integers of at least 0, or no instance at all, or for the
        same reasons as `accuracy_noninferiority_test`.

    References
    ----------
    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.

    Examples
    --------
    Tango's example: two methods of disinfecting contact lenses, which both work for 43 of 44 pairs of eyes.

    >>> from evalstats.paired import accuracy_noninferiority_from_counts
    >>> result = accuracy_noninferiority_from_counts([[43, 0], [1, 0]], margin=0.1)
    >>> print(f"z = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    z = 1.709, p = 0.044
    """
    method, margin = _checks.choice(method, "method", METHODS), understand_margin(margin, are_shares=True)
    return noninferiority(AccuracyPair(counts_of_right(table), method), margin, greater_is_better=True)


def accuracy_equivalence_from_counts(
    table: ArrayLike, *, margin: float, method: str = "score"
) -> EquivalenceTestResult:
    """Test whether two classifiers have equivalent accuracies, from a table of counts.

    The test, its null hypothesis and its options are the same as for `accuracy_equivalence_test`.

    Parameters
    ----------
    table : array_like of int, of shape (..., 2, 2)
        Numbers of instances: ``[[both correct, only x], [only y, neither]]``. Leading axes are a batch.
    margin : float
        Smallest relevant difference of the accuracies, between 0 and 1. One percentage point is 0.01.
    method : {'score', 'exact', 'newcombe'}, default: 'score'
        As in `accuracy_noninferiority_test`.

    Returns
    -------
    EquivalenceTestResult
        The result of `accuracy_equivalence_test` for the counted instances.

    Raises
    ------
    ValueError, TypeError
        For the same reasons as `accuracy_noninferiority_from_counts`.

    References
    ----------
    Liu, J.-P., Hsueh, H.-M., Hsieh, E. & Chen, J. J. (2002). Tests for equivalence or non-inferiority for paired binary
    data. Statistics in Medicine 21, 231-245.

    Examples
    --------
    >>> from evalstats.paired import accuracy_equivalence_from_counts
    >>> result = accuracy_equivalence_from_counts([[350, 3], [4, 43]], margin=0.02)
    >>> print(f"{result.pvalue_low:.4f} {result.pvalue_high:.4f}")
    0.0197 0.0054
    """
    method, margin = _checks.choice(method, "method", METHODS), understand_margin(margin, are_shares=True)
    return equivalence(AccuracyPair(counts_of_right(table), method), margin)


DECLARATIONS = (
    Declaration(
        function=accuracy_noninferiority_test,
        data=Data.ANSWERS,
        example={"margin": 0.2},
        excused=ONE_PROBLEM,
        inputs={"x, y, groups": Draw("answers_in_groups"), "margin": (0.02, 0.1, 0.3)},
    ),
    Declaration(
        function=accuracy_equivalence_test,
        data=Data.ANSWERS,
        example={"margin": 0.2},
        excused=ONE_PROBLEM,
        inputs={"x, y, groups": Draw("answers_in_groups"), "margin": (0.02, 0.1, 0.3)},
    ),
    Declaration(
        function=accuracy_noninferiority_from_counts,
        data=Data.COUNTS,
        example={"margin": 0.2},
        inputs={"table, margin, method": Draw("counts_and_margin"), "confidence_level": (0.8, 0.9, 0.95)},
    ),
    Declaration(
        function=accuracy_equivalence_from_counts,
        data=Data.COUNTS,
        example={"margin": 0.2},
        inputs={"table, margin, method": Draw("counts_and_margin"), "confidence_level": (0.8, 0.9, 0.95)},
    ),
)


def _problem(x: Any, y: Any, method: str, clusters: Any) -> MarginProblem:
    right_x, right_y = correctness(x, y)
    if clusters is None:
        return AccuracyPair(table_of_right(right_x, right_y), method)
    if method != "score":
        raise InvalidValueError(f"method={method!r} assumes independent instances; with groups, use 'score'")
    return GroupedAccuracyPair(right_x, right_y, understand_groups(clusters, right_x.shape[-1], x=x, y=y))


def _newcombe_statistic(table: IntArray, shift: float) -> FloatArray:
    """Return the normal quantile at which Newcombe's limit is the shift."""
    low = np.full(table.shape[:-2], -FARTHEST)
    high = -low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_above = _of_each_limit(table, middle) > shift
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return low


def _of_each_limit(table: IntArray, z: FloatArray) -> FloatArray:
    limits = np.empty(z.shape)
    for at in np.ndindex(z.shape):
        limits[at] = newcombe_limit(table[at], float(z[at]))
    return limits


def _of_each(function: Any, only_x: Any, only_y: Any, n: Any, number: float) -> FloatArray:
    """Call a function of three counts and a number for each problem of a batch."""
    values = np.empty(np.shape(n))
    for at in np.ndindex(values.shape):
        values[at] = function(int(only_x[at]), int(only_y[at]), int(n[at]), number)
    return values
