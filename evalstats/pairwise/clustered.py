"""All pairs of classifiers on cases that vary together: which differ, if questions share passages or documents?"""

from __future__ import annotations

__all__ = ["PairwiseClusteredTTestResult", "pairwise_clustered_ttest"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration
from evalstats._result import ConfidenceInterval
from evalstats._types import AnyArray, FloatArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import ComparedPairs, PairwiseTestResult
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import (
    LARGEST_EXPONENT,
    NOISE,
    Clusters,
    Moments,
    combined,
    degrees_of_freedom,
    jackknife_factors,
    understand_clusters,
)
from evalstats.paired.clustered import CONSTANT_DIFFERENCE, SINGLE_GROUP
from evalstats.paired.ttest import in_units_of, interval_of_the_mean

# a variance of a difference that is smaller, relative to those of the two, is computed from the differences themselves
CANCELS = 2.0**-4
NUMBERS_AT_ONCE = 2**20

EQUAL = "{of} pairs are equal in every case"
CONSTANT = "{of} pairs: " + CONSTANT_DIFFERENCE
SINGLE = "{of} pairs: " + SINGLE_GROUP


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseClusteredTTestResult(PairwiseTestResult):
    """What `pairwise_clustered_ttest` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        t of each pair: above 0 where classifier i has the higher mean than j, or than the control; 0 on the diagonal,
        nan at the control.
    pvalue : ndarray of the same shape
        Adjusted for all pairs that are compared; symmetric and 1 on the diagonal, or nan at the control. Elsewhere nan
        where the differences of a pair have no variance.
    unadjusted_pvalue : ndarray of the same shape
        The p-value that `clustered_ttest` gives to the pair.
    df : ndarray of the same shape
        Degrees of freedom: one less than the groups where all are of one size, and fewer where they are not; with
        strata no more than those of Satterthwaite; nan on the diagonal.
    mean_difference : ndarray of the same shape
        Mean of i minus that of j, or of the control, over the cases, or, with ``average='macro'``, over the means of
        the strata; 0 on the diagonal.
    standard_error : ndarray of the same shape
        Of the mean difference, cluster-robust, in the unit of the scores; 0 on the diagonal.
    average : str
        ``'micro'`` or ``'macro'``.
    n_instances, n_clusters, n_strata : int
        Number of cases, of groups of cases (each case is one where none were given), and of strata.
    """

    df: FloatArray
    mean_difference: FloatArray
    standard_error: FloatArray
    average: str
    n_instances: int
    n_clusters: int
    n_strata: int

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return an interval of the mean difference of each pair, as if it were the only one.

        It is one-sided when the alternative is, and nan where the differences have no variance. Nothing is adjusted for
        the number of pairs.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            The interval covers the true value about this often.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats.pairwise import pairwise_clustered_ttest
        >>> correct = [[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0]]
        >>> low, high = pairwise_clustered_ttest(correct, clusters=list("aabbccdd")).confidence_interval()
        >>> print(f"{low[0, 1]:.3f} {high[0, 1]:.3f}")
        -0.023 0.773
        """
        return interval_of_the_mean(self, confidence_level)


def pairwise_clustered_ttest(
    scores: Any,
    *,
    clusters: Any = None,
    strata: Any = None,
    average: str = "micro",
    control: Any = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
) -> PairwiseClusteredTTestResult:
    """Learn which pairs of several classifiers differ in their mean score over cases that vary together.

    The null hypothesis of a pair: over groups of this kind, the mean of the differences of the two is 0. Each pair is
    tested as `clustered_ttest` does, and the p-values are adjusted for all pairs that are compared. All pairs of 50
    models on 20,000 questions take less than a second.

    Parameters
    ----------
    scores : array_like of shape (..., n_instances, n_classifiers)
        One row per case, one column per classifier: right or wrong as 1 and 0, or any other numbers; two rows and two
        columns or more. Leading axes are a batch, each member a family of its own.
    clusters : array_like of shape (n_instances,), optional
        Which group each case belongs to, such as its passage, document or user: names or numbers, in any order. None:
        each case is a group.
    strata : array_like of shape (n_instances,), optional
        Which stratum each case belongs to, such as its benchmark. Strata are not sampled: the answer is about these
        benchmarks. A group lies in one stratum.
    average : {'micro', 'macro'}, default: 'micro'
        ``'micro'``: each case counts the same. ``'macro'``: each stratum does. Without strata they are the same.
    control : int or column name, optional
        The column of the classifier that all others are compared with: its index from 0, or, for a data frame, its
        name. None: all pairs.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise`, with a control of `adjust_pvalues`; or ``'none'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean is larger than that of the control. Only with a control may it be one-sided.

    Returns
    -------
    PairwiseClusteredTTestResult
        Matrices `statistic`, `pvalue`, `mean_difference` and more, or, with a control, one row of each; and
        `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If a score is not a finite number, the shape is not that of a table, `clusters` or `strata` do not name one
        group or stratum for each case, a group has cases in two strata, the control is no column, the alternative is
        one-sided without a control, or an option is unknown.

    See Also
    --------
    clustered_ttest : one pair.
    clustered_permutation_test : one pair, exactly, for few groups.
    pairwise_mcnemar_test : right and wrong answers, without strata.

    Notes
    -----
    A pair that does not differ in any case has p = 1; one whose mean difference is the same in every group has an
    infinite t and nan for p, and counts as one that is not rejected when the others are adjusted. `reason` says how
    many such pairs there are.

    References
    ----------
    Bell, R. M. & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with multi-stage
    samples. Survey Methodology 28, 169-181.

    Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika 73,
    13-22.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    Three models, eight questions on four passages.

    >>> from evalstats.pairwise import pairwise_clustered_ttest
    >>> correct = [[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0]]
    >>> result = pairwise_clustered_ttest(correct, clusters=["a", "a", "b", "b", "c", "c", "d", "d"])
    >>> result.mean_difference[0]
    array([0.   , 0.375, 0.625])
    >>> result.unadjusted_pvalue[0].round(3)
    array([1.   , 0.058, 0.08 ])
    """
    table = _table(scores)
    n, k = table.shape[-2:]
    clustering = understand_clusters(clusters, strata, average, n, rows=("scores",), scores=scores)
    family = which_pairs.family_of(scores, k, control, adjust, alternative)
    pairs = family.pairs

    batch = table.shape[:-2]
    sizes = clustering.sizes
    freedom = np.array([degrees_of_freedom(sizes[stratum]) for stratum in clustering.of_stratum()])
    means, errors = zip(*(_moments_of_pairs(table[at], clustering, pairs) for at in np.ndindex(batch)), strict=True)
    mean, error, df = (
        part.reshape(*batch, len(pairs.i))
        for part in combined(Moments(np.stack(means), np.stack(errors), freedom), clustering)
    )
    t = np.where(np.isnan(error), np.nan, in_units_of(error, mean))
    equal = (error == 0) & (mean == 0)
    pvalue = np.where(error > 0, tails.t_pvalue(t, df, family.alternative), np.where(equal, 1.0, np.nan))

    return family.result(
        PairwiseClusteredTTestResult,
        statistic=pairs.opposed(t),
        unadjusted=pairs.shared(pvalue, 1.0),
        method="t",
        reason=which_pairs.reason_of_pairs({EQUAL: equal, CONSTANT: (error == 0) & ~equal, SINGLE: np.isnan(error)}),
        df=pairs.shared(df, np.nan),
        mean_difference=pairs.opposed(mean),
        standard_error=pairs.shared(error),
        average=average,
        n_instances=n,
        n_clusters=clustering.starts.size,
        n_strata=len(clustering.weights),
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_clustered_ttest,
        data=Data.TABLE,
        excused=OF_SIZES,
        sentence="Cluster-robust t-tests of {compared}{in_clusters}: {smallest} ({method:law})",
    ),
)


def _table(scores: Any) -> AnyArray:
    """Return scores as a table; right and wrong answers stay as small as they are."""
    if isinstance(scores, np.ndarray) and scores.dtype.kind in "biu" and not isinstance(scores, np.matrix):
        _checks.score_matrix(np.broadcast_to(0.0, scores.shape), minimum_datasets=2)
        return scores
    return _checks.moderate(_checks.score_matrix(scores, minimum_datasets=2), "scores")


def _moments_of_pairs(table: AnyArray, clustering: Clusters, pairs: ComparedPairs) -> tuple[FloatArray, FloatArray]:
    """Return the mean difference of each pair in each stratum and its standard error, (n_pairs, n_strata).

    The covariances of all classifiers in a stratum are one matrix product, and the variance of a difference follows
    from them; where it nearly cancels it is computed from the differences.
    """
    sums, largest = _sums(table, clustering)
    exponent = int(np.frexp(largest.max())[1])
    if abs(exponent) > LARGEST_EXPONENT:
        sums, largest = np.ldexp(sums, -exponent), np.ldexp(largest, -exponent)
    else:
        exponent = 0
    sizes, largest_of_pair = clustering.sizes, np.maximum(largest[pairs.i], largest[pairs.j])
    differences, errors = [], []
    for stratum, n in zip(clustering.of_stratum(), clustering.n_instances.tolist(), strict=True):
        own, size, g = sums[:, stratum], sizes[stratum], stratum.stop - stratum.start
        means = own.sum(axis=1) / n
        own -= np.outer(means, size)
        if size.min() < size.max():
            factors = jackknife_factors(size)
            own *= factors
            size = size * factors
        square = _squares_of_differences(own, size, largest_of_pair, pairs)
        difference = means[pairs.i] - means[pairs.j]
        is_noise = (square == 0) & (np.abs(difference) <= NOISE * largest_of_pair)
        differences.append(np.where(is_noise, 0.0, difference))
        errors.append(np.sqrt(square * (g / (g - 1))) / n if g > 1 else np.full(square.shape, np.nan))
    return np.ldexp(np.stack(differences, axis=-1), exponent), np.ldexp(np.stack(errors, axis=-1), exponent)


def _sums(table: AnyArray, clustering: Clusters) -> tuple[FloatArray, FloatArray]:
    """Return the sums of each classifier in each group, (k, n_clusters), and its largest score."""
    k = table.shape[1]
    sums, largest = np.empty((k, clustering.starts.size)), np.empty(k)
    for classifier in range(k):  # one column at a time: a table of answers takes an eighth of one of floats
        column = table[:, classifier].astype(np.float64)
        largest[classifier] = np.abs(column).max()
        sums[classifier] = clustering.sums(column)
    return sums, largest


def _squares_of_differences(
    deviations: FloatArray, sizes: FloatArray, largest: FloatArray, pairs: ComparedPairs
) -> FloatArray:
    """Return the sum over groups of the squared differences of the deviations of each pair; noise is 0."""
    products = deviations @ deviations.T
    own = np.diagonal(products)
    both = own[pairs.i] + own[pairs.j]
    square = both - 2 * products[pairs.i, pairs.j]
    cancels = np.flatnonzero(square <= CANCELS * both)
    for some in np.array_split(cancels, 1 + cancels.size * sizes.size // NUMBERS_AT_ONCE):
        d = deviations[pairs.i[some]] - deviations[pairs.j[some]]
        d[np.abs(d) <= NOISE * largest[some, None] * sizes] = 0
        square[some] = np.einsum("ij,ij->i", d, d)
    return np.asarray(square)
