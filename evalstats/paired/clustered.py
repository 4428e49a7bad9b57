"""Comparison of two classifiers on correlated instances, such as questions on shared passages or documents."""

from __future__ import annotations

__all__ = [
    "CONSTANT_DIFFERENCE",
    "SINGLE_GROUP",
    "ClusteredPermutationTestResult",
    "ClusteredTTestResult",
    "clustered_permutation_test",
    "clustered_ttest",
]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, ONE_PROBLEM, SIDES, SIDES_AND_LEVELS, Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, summands
from evalstats._result import ConfidenceInterval, HypothesisTestResult, reasons
from evalstats._types import FloatArray
from evalstats.distributions import sign_flips
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import Clusters, combined, moments, noise_of_scores, understand_clusters
from evalstats.paired.permutation import interval_of_shifts
from evalstats.paired.ttest import in_units_of, interval_of_the_mean

NO_DIFFERENCE = "x and y are equal for every instance"
NO_GROUP_DIFFERS = "x and y have the same total in every cluster, so no difference has a sign that could change"
CONSTANT_DIFFERENCE = (
    "the mean difference is the same in every cluster, so the differences have no variance and the t distribution "
    "does not apply; use clustered_permutation_test"
)
SINGLE_GROUP = (
    "a stratum has a single cluster, so the standard error cannot be estimated; at least two clusters are necessary"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusteredTTestResult(HypothesisTestResult):
    """Result of `clustered_ttest`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean difference divided by its cluster-robust standard error. It is positive if x has the higher mean.
    pvalue : float or ndarray
        The p-value from the t distribution, or nan if the differences have no variance or there is no standard error.
    df : float or ndarray
        Degrees of freedom: the number of clusters minus one if all clusters have the same size, and fewer if the sizes
        differ. With strata, the degrees of freedom are at most Satterthwaite's.
    mean_difference : float or ndarray
        Mean of x - y over the instances or, with ``average='macro'``, over the means of the strata.
    standard_error : float or ndarray
        Cluster-robust standard error of the mean difference, in the unit of the scores.
    average : str
        ``'micro'`` or ``'macro'``.
    n_instances, n_clusters, n_strata : int
        Numbers of instances, clusters and strata. Without `clusters`, each instance is a cluster.
    strata : tuple
        Names of the strata, in the order of their first instances. The tuple is empty without strata.
    stratum_differences, stratum_standard_errors : ndarray of shape (..., n_strata)
        Mean difference of each stratum and its standard error.
    tie_tolerance : float
        Relative precision at which two scores are treated as equal.
    """

    df: Any
    mean_difference: Any
    standard_error: Any
    average: str
    n_instances: int
    n_clusters: int
    n_strata: int
    strata: tuple[Any, ...]
    stratum_differences: FloatArray
    stratum_standard_errors: FloatArray
    tie_tolerance: float

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference, in the unit of the scores.

        The interval is one-sided if the alternative is one-sided; its limits are nan if the differences have no
        variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats import clustered_ttest
        >>> x, y = [1, 1, 1, 1, 0, 1, 1, 1], [1, 0, 1, 0, 0, 0, 1, 1]
        >>> low, high = clustered_ttest(x, y, clusters=list("aabbccdd")).confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        -0.023 0.773
        """
        return interval_of_the_mean(self, confidence_level)


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusteredPermutationTestResult(HypothesisTestResult):
    """Result of `clustered_permutation_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean of the differences x - y over the instances or, with ``average='macro'``, over the means of the strata.
    pvalue : float or ndarray
        Proportion of the sign assignments with a mean at least as extreme as the observed mean. The observed assignment
        is included.
    method : str or ndarray of str
        ``'exact'``: all sign assignments of the clusters. ``'monte-carlo'``: a random sample of the assignments.
    average : str
        ``'micro'`` or ``'macro'``.
    n_instances, n_clusters, n_strata : int
        Numbers of instances, clusters and strata. Without `clusters`, each instance is a cluster.
    n_zero : int or ndarray
        Number of clusters in which x and y have the same total. The sign of such a cluster has no effect.
    n_resamples : int, None or ndarray of object
        Number of random sign assignments, or None if `method` is ``'exact'``.
    seed : int, None or ndarray of object
        Seed of the random signs, or None if `method` is ``'exact'`` or `rng` was a Generator.
    min_attainable_pvalue : float or ndarray
        Minimum attainable p-value: the p-value of `method` if the differences of all clusters had the sign of the
        alternative. If it exceeds alpha, no result with the observed number of nonzero cluster differences can be
        significant.
    tie_tolerance : float
        Relative precision at which two scores are treated as equal.
    """

    average: str
    n_instances: int
    n_clusters: int
    n_strata: int
    n_zero: Any
    n_resamples: Any
    seed: Any
    min_attainable_pvalue: Any
    tie_tolerance: float
    _totals: FloatArray
    _weights: FloatArray
    _unit: FloatArray
    _noise: FloatArray

    def confidence_interval(
        self, confidence_level: float = 0.95, *, n_resamples: int = 99_999, rng: Any = None
    ) -> ConfidenceInterval:
        """Compute a confidence interval: all shifts of x against y that the test does not reject.

        The limits are mean differences in subsets of the clusters (Hartigan 1969). For up to 20 clusters, all subsets
        are used, so the interval excludes 0 exactly if the test rejects. For more clusters, random subsets are used.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum coverage of the interval for a common shift. The interval is infinite if no finite interval has this
            coverage.
        n_resamples : int, default: 99999
            Number of random subsets if there are more than 20 clusters.
        rng : None, int or numpy.random.Generator, optional
            Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
            used as the seed. A Generator is used directly. Each test of a batch uses the same seed.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, in the unit of the scores. The interval is one-sided if the alternative is one-sided.

        Examples
        --------
        >>> from evalstats.paired import clustered_permutation_test
        >>> x, y = [3, 5, 4, 6, 7, 5, 8, 6, 9, 7, 6, 8], [2, 4, 4, 5, 5, 5, 6, 6, 6, 6, 5, 5]
        >>> result = clustered_permutation_test(x, y, clusters=list("aabbccddeeff"))
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        0.500 2.000
        """
        problem = self._totals, self._weights, self._unit, self._noise
        return interval_of_shifts(*problem, self.alternative, confidence_level, n_resamples, rng)


def clustered_ttest(
    x: ArrayLike,
    y: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    average: str = "micro",
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> ClusteredTTestResult:
    """Test whether two classifiers have equal mean scores on clusters of instances.

    The null hypothesis is that the mean difference x - y is 0 over the population of clusters. Only the clusters, such
    as the passages of questions or the questions of sampled answers, must be independent of each other. If the clusters
    are few or of unequal size, the t distribution has few degrees of freedom. With the equivalent of fewer than about
    20 clusters of equal size, `clustered_permutation_test` has more power.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 instances: 1 and 0 for correct and incorrect, or any other numbers.
        Leading axes are batch dimensions and broadcast; for all pairs of k classifiers, see `pairwise_clustered_ttest`.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, such as its passage, document or user: names or numbers, in any order. None: each
        instance is a cluster.
    strata : array_like of shape (n,), optional
        Stratum of each instance, such as its benchmark. Strata are fixed, not sampled, so the result applies only to
        these strata. Each cluster must be in one stratum.
    average : {'micro', 'macro'}, default: 'micro'
        ``'micro'``: each instance has the same weight. ``'macro'``: each stratum has the same weight. Without strata,
        the two choices are equivalent.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger mean. ``'less'``: x has the smaller mean.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    ClusteredTTestResult
        t and its p-value. The result also contains the mean difference with its standard error, the mean difference of
        each stratum, and `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If x and y are not paired and finite, or have fewer than two instances, or if an option is unknown. If
        `clusters` or `strata` does not have one entry for each instance, or a cluster has instances in two strata.

    See Also
    --------
    clustered_permutation_test : exact test for few clusters.
    mcnemar_test : test of correct and incorrect answers, which supports clusters but not strata.

    Notes
    -----
    The standard error and the degrees of freedom are computed as in `clustered_mean` for the differences, by the
    jackknife over clusters (CV3 or CR3). In simulations of equal performance, the rejection rate at the 5% level is at
    most 6.3% for each simulated distribution of cluster sizes. Two classifiers may have the same mean but different
    errors. Then no test of the mean is reliable if there are few clusters, or if nearly all clusters are entirely
    correct. If all differences are 0, t is 0 and p is 1. If the mean difference is the same in every cluster but not 0,
    t is infinite and p is nan. If a stratum has a single cluster, both are nan. `reason` explains these cases.

    References
    ----------
    Bell, R. M. & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with multi-stage
    samples. Survey Methodology 28, 169-181.

    Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika 73,
    13-22.

    Miller, E. (2024). Adding error bars to evals: a statistical approach to language model evaluations.
    arXiv:2411.00640, section 4.

    Examples
    --------
    Eight questions on four passages.

    >>> from evalstats import clustered_ttest
    >>> x, y = [1, 1, 1, 1, 0, 1, 1, 1], [1, 0, 1, 0, 0, 0, 1, 1]
    >>> result = clustered_ttest(x, y, clusters=["a", "a", "b", "b", "c", "c", "d", "d"])
    >>> print(f"{result.mean_difference}, t({result.df:g}) = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    0.375, t(3) = 3.000, p = 0.058
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    a, b = _scores(x, y, minimum=2)
    clustering = understand_clusters(clusters, strata, average, a.shape[-1], x=x, y=y)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    d, _ = summands(a, b, tie_tolerance)
    largest = np.maximum(np.abs(a).max(axis=-1), np.abs(b).max(axis=-1))
    of_strata = moments(d, clustering, largest, noise_of_scores(x, y))
    mean, error, df = combined(of_strata, clustering)
    statistic = np.where(np.isnan(error), np.nan, in_units_of(error, mean))

    no_difference = (error == 0) & (mean == 0)
    pvalue = np.where(error > 0, tails.t_pvalue(statistic, df, alternative), np.where(no_difference, 1.0, np.nan))

    return ClusteredTTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(mean.shape, "t"),
        reason=reasons(
            mean.shape,
            (np.isnan(error), SINGLE_GROUP),
            (no_difference, NO_DIFFERENCE),
            (error == 0, CONSTANT_DIFFERENCE),
        ),
        df=df,
        mean_difference=mean,
        standard_error=error,
        average=average,
        n_instances=a.shape[-1],
        n_clusters=clustering.starts.size,
        n_strata=len(clustering.weights),
        strata=clustering.strata,
        stratum_differences=of_strata.means,
        stratum_standard_errors=of_strata.standard_errors,
        tie_tolerance=tie_tolerance,
    )


def clustered_permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    average: str = "micro",
    alternative: str = "two-sided",
    n_resamples: int = 9999,
    rng: Any = None,
    method: str = "auto",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> ClusteredPermutationTestResult:
    """Test whether two classifiers differ on clusters of instances, by random signs of clusters.

    The null hypothesis is that swapping x and y in all instances of a cluster does not change the distribution of the
    scores. Given its absolute value, the total difference of a cluster is then positive or negative with equal
    probability. The p-value is the proportion of the sign assignments with a mean at least as extreme as the observed
    mean.

    Parameters
    ----------
    x, y, clusters, strata, average
        As in `clustered_ttest`, with one or more instances.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger scores.
    n_resamples : int, default: 9999
        Number of random sign assignments for the Monte Carlo method. The p-value is at least 1 / (n_resamples + 1).
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Each test of a batch uses the same seed.
    method : {'auto', 'exact', 'monte-carlo'}, default: 'auto'
        As in `permutation_test`, with clusters instead of pairs. ``'auto'`` is exact for up to 40 clusters with a
        nonzero difference. It is also exact for more clusters if the totals are multiples of a common unit, such as
        numbers of correct answers.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. Sums of differences are treated as equal if they agree to this precision: 0.1 + 0.2
        is as extreme as 0.3.

    Returns
    -------
    ClusteredPermutationTestResult
        The mean difference and its p-value. The result also contains the minimum attainable p-value and
        `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        As in `clustered_ttest` (but one instance is sufficient), or if ``'exact'`` would take too long.

    See Also
    --------
    permutation_test : test for independent instances.
    clustered_ttest : test for many clusters; its null hypothesis is only that the means are equal.

    Notes
    -----
    For a fixed seed and few random assignments, the type-I error rate differs from the nominal level. In simulations,
    199 assignments with the seed 0 reject up to 7.2% of true null hypotheses at the 0.05 level. The default of 9999
    assignments reduces this deviation to one seventh.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments. Oliver & Boyd, section 21.

    Hartigan, J. A. (1969). Using subsample values as typical values. Journal of the American Statistical Association
    64, 1303-1317.

    Canay, I. A., Romano, J. P. & Shaikh, A. M. (2017). Randomization tests under an approximate symmetry assumption.
    Econometrica 85, 1013-1030.

    Examples
    --------
    Twelve questions on six passages; x has the higher total on all passages except one.

    >>> from evalstats.paired import clustered_permutation_test
    >>> x, y = [1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1], [1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1]
    >>> result = clustered_permutation_test(x, y, clusters=list("aabbccddeeff"))
    >>> print(f"{result.statistic:.3f}, p = {result.pvalue}, at least {result.min_attainable_pvalue}")
    0.333, p = 0.21875, at least 0.03125
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    a, b = _scores(x, y, minimum=1)
    clustering = understand_clusters(clusters, strata, average, a.shape[-1], x=x, y=y)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    n_resamples = _checks.count(n_resamples, "n_resamples")
    method = _checks.choice(method, "method", sign_flips.METHODS)
    source = _checks.random_source(rng)

    weights = _weights_of_groups(clustering)
    d, noise = summands(a, b, tie_tolerance)
    totals = clustering.sums(d) * weights
    noise = clustering.sums(np.broadcast_to(noise, d.shape)) * weights
    totals = np.where(np.abs(totals) <= noise, 0.0, totals)
    largest = np.maximum(np.abs(a).max(axis=-1), np.abs(b).max(axis=-1))
    unit = min(10 * tie_tolerance, 1) * largest * (clustering.sizes * weights).max()
    noise = noise.sum(axis=-1)
    n_zero = clustering.starts.size - np.count_nonzero(totals, axis=-1)

    law = sign_flips.sign_flips(
        totals, unit, noise, alternative=alternative, n_resamples=n_resamples, method=method, source=source
    )

    return ClusteredPermutationTestResult(
        statistic=totals.sum(axis=-1) / a.shape[-1],
        pvalue=law.pvalue,
        alternative=alternative,
        method=law.method,
        reason=reasons(unit.shape, (n_zero == clustering.starts.size, NO_GROUP_DIFFERS)),
        average=average,
        n_instances=a.shape[-1],
        n_clusters=clustering.starts.size,
        n_strata=len(clustering.weights),
        n_zero=n_zero,
        n_resamples=law.n_resamples,
        seed=source.seed_of(law.n_resamples),
        min_attainable_pvalue=law.min_attainable_pvalue,
        tie_tolerance=tie_tolerance,
        _totals=totals,
        _weights=clustering.sizes * weights,
        _unit=unit,
        _noise=noise,
    )


DECLARATIONS = (
    Declaration(
        function=clustered_ttest,
        data=Data.CLUSTERED_PAIRS,
        excused=ONE_PROBLEM | OF_SIZES,
        inputs={"x, y, groups, strata, average": Draw("clustered_pairs")} | SIDES_AND_LEVELS,
        simulations={"no clusters": {}},
        sentence=(
            "Cluster-robust t-test: mean difference {mean_difference:short}{in_clusters}, t({df:.4g}) = "
            "{statistic:decimal}, {outcome}"
        ),
    ),
    Declaration(
        function=clustered_permutation_test,
        data=Data.CLUSTERED_PAIRS,
        excused=ONE_PROBLEM | OF_SIZES,
        inputs={"x, y, groups": Draw("whole_pairs_in_groups")} | SIDES,
        simulations={"no clusters": {"n_resamples": 199}},
        n_experiments=50,
        sentence=(
            "Permutation test of clusters: mean difference {statistic:short}{in_clusters}, {n_clusters - n_zero} of "
            "which "
            "differ, {outcome}"
        ),
    ),
)


def _scores(x: ArrayLike, y: ArrayLike, *, minimum: int) -> tuple[FloatArray, FloatArray]:
    """Return paired scores of the same shape, whose squares and sums fit into a float."""
    a, b = np.broadcast_arrays(*_checks.paired(x, y, minimum=minimum))
    return _checks.moderate(a, "x"), _checks.moderate(b, "y")


def _weights_of_groups(clustering: Clusters) -> FloatArray:
    """Return the weight of the instances of each cluster, normalized to a mean of 1 over the instances."""
    if len(clustering.weights) == 1:
        return np.ones(clustering.starts.size)
    n = clustering.n_instances
    of_strata = clustering.weights * n.sum() / n
    same = np.isclose(of_strata, 1, rtol=1e-12, atol=0)
    return np.repeat(np.where(same, 1.0, of_strata), clustering.n_clusters)
