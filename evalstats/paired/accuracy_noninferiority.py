"""Is a new classifier right as often as the old one, up to a margin, in the same cases of one test set?"""

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
SINGLE_GROUP = "all cases are one group, so that nothing tells how groups vary; two are needed"
# Newcombe's limit is searched among the limits of these normal quantiles
FARTHEST, HALVINGS = 40.0, 60


class AccuracyPair:
    """Two classifiers on independent cases, by the table ``[[both right, only x], [only y, neither]]``."""

    test = "accuracy"

    def __init__(self, table: IntArray, method: str) -> None:
        """Take tables of shape (..., 2, 2)."""
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
        """Return the limits that belong to the method."""
        if self._method == "exact":
            only_x, only_y = discordant(self._table)
            low = _of_each(unconditional_limit, only_x, only_y, self.n, alpha)
            return low, -_of_each(unconditional_limit, only_y, only_x, self.n, alpha)
        from scipy.special import ndtri

        limit = tango_limit if self._method == "score" else newcombe_limit
        z = -float(ndtri(alpha))
        return limit(self._table, z), -limit(swapped(self._table), z)


class GroupedAccuracyPair:
    """Two classifiers on cases in groups, of which only the groups are independent of each other.

    Tango's z is divided by the root of the design effect: how many times larger the variance of the difference is than
    that of as many independent cases (Rao & Scott 1992). Where hardly any case is discordant the data cannot tell it,
    so that one more case is counted whose whole group goes with it; copies of a case are then no evidence at all. Where
    groups are of unequal size, their deviations and the degrees of freedom are those of `clustered_mean`.
    """

    test = "accuracy"

    def __init__(self, right_x: BoolArray, right_y: BoolArray, clusters: Groups) -> None:
        """Take who is right in each case, and the groups of the cases."""
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
        """Return the limits that Tango's z would have at so many times the quantile; none of one group."""
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
    """Tell whether one classifier is shown to be right as often as another on one test set, but for a margin.

    The null hypothesis: the accuracy of x is below that of y by the margin or more.

    Parameters
    ----------
    x, y : array_like of bool, of shape (..., n)
        Whether the new and the old classifier is right in each of n cases: True and False, or 1 and 0. The cases must
        be independent of each other, or else come in `clusters` that are. Leading axes are a batch and broadcast.
    margin : float
        Which loss of accuracy is still good enough: above 0 and below 1, and chosen before the answers are seen. One
        percentage point is 0.01.
    method : {'score', 'exact', 'newcombe'}, default: 'score'
        ``'score'``: Tango's score test, normal. ``'exact'``: the same statistic, with the largest probability that any
        share of discordant cases gives it; it never rejects a true null hypothesis too often, for up to 2000 cases.
        ``'newcombe'``: the test that belongs to Newcombe's interval.
    clusters : array_like of shape (n,), optional
        Which item each case belongs to, where several cases come from one (questions about a text, images of a
        patient): names or numbers, in any order. Of ``'score'`` only: z is divided by the root of the design effect,
        and has Student's distribution with one degree of freedom less than there are groups, or fewer where they are of
        unequal size.

    Returns
    -------
    NoninferiorityTestResult
        z and the one-sided p-value; also the difference of the accuracies, `confidence_interval` and
        `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin does not lie between 0 and 1, if x and y are not paired, are empty, hold anything but True and
        False (or 1 and 0), if `clusters` does not name one group for each case, or if an option is unknown.

    See Also
    --------
    accuracy_noninferiority_from_counts : The same from the four counts.

    Notes
    -----
    With b and c cases that only x and only y gets right, z is (b - c + n margin) over its standard deviation at the
    most likely probabilities whose difference is -margin. Two classifiers that are right in the same cases have a z
    too.

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
    A smaller model loses four of 400 answers that the old one had right, and wins three.

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
    """Tell whether two classifiers are shown to be right equally often on one test set, but for a margin.

    Two one-sided tests. The null hypothesis: the accuracies differ by the margin or more.

    Parameters
    ----------
    x, y : array_like of bool, of shape (..., n)
        Whether each classifier is right in each of n cases: True and False, or 1 and 0. Leading axes are a batch and
        broadcast.
    margin : float
        Which difference of the accuracies does not matter yet: above 0 and below 1. One percentage point is 0.01.
    method, clusters
        As in `accuracy_noninferiority_test`.

    Returns
    -------
    EquivalenceTestResult
        The larger one of both p-values with its z; also both p-values, the difference of the accuracies,
        `confidence_interval` (of level 1 - 2 alpha) and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        As `accuracy_noninferiority_test` does.

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
    """Tell whether one classifier is shown to be right as often as another, from a table of counts.

    The test, its null hypothesis and its choices are those of `accuracy_noninferiority_test`.

    Parameters
    ----------
    table : array_like of int, of shape (..., 2, 2)
        Numbers of cases: ``[[both right, only x], [only y, neither]]``, where x is the new classifier. Leading axes are
        a batch.
    margin : float
        Which loss of accuracy is still good enough: above 0 and below 1. One percentage point is 0.01.
    method : {'score', 'exact', 'newcombe'}, default: 'score'
        As in `accuracy_noninferiority_test`.

    Returns
    -------
    NoninferiorityTestResult
        What `accuracy_noninferiority_test` returns for the cases that were counted.

    Raises
    ------
    ValueError, TypeError
        If the table is not 2 x 2, holds anything but whole numbers of 0 or more, or no case at all, or as
        `accuracy_noninferiority_test` does.

    References
    ----------
    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.

    Examples
    --------
    Tango's example: two ways to disinfect contact lenses, which both work in 43 of 44 pairs of eyes.

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
    """Tell whether two classifiers are shown to be right equally often, from a table of counts.

    The test, its null hypothesis and its choices are those of `accuracy_equivalence_test`.

    Parameters
    ----------
    table : array_like of int, of shape (..., 2, 2)
        Numbers of cases: ``[[both right, only x], [only y, neither]]``. Leading axes are a batch.
    margin : float
        Which difference of the accuracies does not matter yet: above 0 and below 1. One percentage point is 0.01.
    method : {'score', 'exact', 'newcombe'}, default: 'score'
        As in `accuracy_noninferiority_test`.

    Returns
    -------
    EquivalenceTestResult
        What `accuracy_equivalence_test` returns for the cases that were counted.

    Raises
    ------
    ValueError, TypeError
        As `accuracy_noninferiority_from_counts` does.

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
        raise InvalidValueError(
            f"method={method!r} takes the cases as independent of each other; with groups use 'score'"
        )
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
