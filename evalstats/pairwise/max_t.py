"""Max-T tests of means or signed ranks for all pairs, by random signs, by bootstrap or by the range."""

from __future__ import annotations

__all__ = ["PairwiseMaxTTestResult", "pairwise_max_t_test"]

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._canonical_order import unsigned_order, unsigned_rows
from evalstats._checks import RandomSource
from evalstats._declarations import OF_SIZES, Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, midranks, rounded, summands
from evalstats._types import FloatArray, IndexArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import ComparedPairs, Family, PairwiseTestResult
from evalstats.metrics.cluster_variance import Clusters, understand_clusters

METHODS = ("auto", "exact", "monte-carlo", "bootstrap", "range")
EQUAL = "in {of} pairs, the scores are equal in every row, so no difference has a sign that could change"
CONSTANT = (
    "in {of} pairs, the scores differ by the same amount in every row, so the bootstrap cannot estimate the "
    "variance of the mean; use method='auto' (random signs)"
)

RANGE = "range"
MOST_DATASETS = 20  # limit of an exact test: a million sign assignments
FLIPS_AT_ONCE, NUMBERS_AT_ONCE = 2**14, 2**22
SLACK = 1e-10  # possible rounding error of statistics between -1 and 1


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseMaxTTestResult(PairwiseTestResult):
    """Result of `pairwise_max_t_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        Student's t for the mean difference between i and j or the control. It is infinite if the difference is the same
        on every dataset. With `ranks`, the statistic is the sum of the signed ranks divided by the square root of the
        sum of their squares. With ``method='range'``, it is the mean difference. The matrix is antisymmetric. With a
        control, the vector is nan for the control.
    pvalue : ndarray of the same shape
        p-values adjusted for all compared pairs. The matrix is symmetric, with 1 on the diagonal. The p-value is nan
        for the control and, with the bootstrap, if a pair differs by the same amount on every dataset.
    unadjusted_pvalue : ndarray of the same shape
        Proportion of the sign assignments in which the t of the pair is at least as extreme as the observed t, as in
        `permutation_test`. With other methods, bootstrap samples or permutations within datasets replace the sign
        assignments.
    adjustment : str
        ``'step-down'`` or ``'single-step'``.
    ranks : bool
        The value of the argument.
    mean_difference : ndarray of the same shape
        Mean score of i minus the mean score of j or of the control, in the unit of the scores.
    n_datasets : int
        Number n of datasets, or of instances.
    n_clusters : int
        Number of units that have their own sign or that are drawn: the clusters or, without clusters, the rows.
    average : str
        ``'micro'`` or ``'macro'``.
    min_attainable_pvalue : float or ndarray
        Minimum attainable p-value of `method` for a pair in a table with the same shape as the scores.
    n_resamples : int, None or ndarray of object
        Number of random sign assignments, of bootstrap samples or of permutations, or None if all possibilities were
        enumerated.
    seed : int, None or ndarray of object
        Seed of the random draws, or None if all possibilities were enumerated or `rng` was a Generator.
    tie_tolerance : float
        Relative precision at which two scores are treated as equal.
    """

    ranks: bool
    mean_difference: FloatArray
    n_datasets: int
    n_clusters: int
    average: str
    min_attainable_pvalue: Any
    n_resamples: Any
    seed: Any
    tie_tolerance: float


def pairwise_max_t_test(
    scores: Any,
    *,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    average: str = "micro",
    control: Any = None,
    ranks: bool = False,
    step_down: bool = True,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PairwiseMaxTTestResult:
    """Test which pairs of classifiers differ in mean score or in signed ranks (max-T adjustment).

    The function uses the max-T procedure of Westfall & Young. Romano & Wolf showed that this procedure is valid for any
    set of true null hypotheses. Consider the differences of a set of pairs. The null hypothesis is that, on every
    dataset, reversing the signs of all these differences together does not change their distribution. The statistics of
    pairs that share a classifier, or that contain similar classifiers, are dependent. The resampling accounts for this
    dependence, whereas Holm's adjustment must allow for any dependence.

    With `ranks`, the signed ranks of the differences of each pair replace the differences. This method extends the
    Wilcoxon signed-rank test to many pairs. For two classifiers, the exact versions of the two tests give the same
    p-value. The influence of an outlier is limited to its rank.

    With ``method='bootstrap'``, the null hypothesis for a pair is that its mean difference in the population of
    datasets is 0. The differences may be skewed. With this method, the type-I error rate is controlled asymptotically
    for many datasets, but not exactly for a given number of datasets.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two rows and two columns, on the same scale.
        Leading axes are batch dimensions, and each member is a separate family. The folds of a cross-validation are not
        a sample of datasets; use `pairwise_corrected_ttest`. With `clusters`, one row per instance, such as a question.
    clusters : array_like of shape (n,), optional
        The cluster of each row. Rows of one cluster are correlated, such as questions about one text. All differences
        of a cluster change their sign together, or the cluster is drawn as a whole.
    strata : array_like of shape (n,), optional
        Stratum of each row, such as its benchmark. All rows of a cluster must be in the same stratum. The bootstrap
        does not support strata.
    average : {'micro', 'macro'}, default: 'micro'
        ``'micro'``: each row has the same weight. ``'macro'``: each stratum has the same weight.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    ranks : bool, default: False
        True: use each pair's signed ranks of the nonzero differences instead of the differences. The bootstrap and
        ``'range'`` do not support ranks.
    step_down : bool, default: True
        True: after the pair with the largest t, each pair is compared with the largest t of the remaining pairs, which
        increases the power. False: all pairs are compared with the largest t of all pairs.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean of the classifier is larger than the mean of the control. A one-sided alternative needs
        a control.
    method : {'auto', 'exact', 'monte-carlo', 'bootstrap', 'range'}, default: 'auto'
        ``'exact'``: all 2^n sign assignments, for up to 20 datasets or clusters. ``'monte-carlo'``: random assignments.
        ``'auto'``: exact if there are at most `n_resamples` assignments. ``'bootstrap'``: datasets or clusters are
        drawn with replacement, and t is computed around the observed mean differences, as in Romano & Wolf. Use the
        bootstrap only for ten or more datasets or clusters. ``'range'``: the randomized Tukey HSD test (see Notes).
    n_resamples : int, default: 9999
        Number of random sign assignments, of bootstrap samples or of permutations.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    PairwiseMaxTTestResult
        Matrices `statistic`, `pvalue`, `mean_difference` and more. With a control, they are vectors.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, or the scores are not a table. If there are fewer than two datasets or
        clusters, or a cluster has rows in two strata. If the control is not a column, the alternative is one-sided
        without a control, or an option is unknown. If there are more than 20 datasets or clusters for ``'exact'``,
        strata or ranks for ``'bootstrap'``, or ranks or a control for ``'range'``.

    See Also
    --------
    permutation_test, wilcoxon_test : the test of the mean or of the signed ranks of one pair.
    clustered_permutation_test : the test of one pair on correlated instances.
    pairwise_paired_ttest, pairwise_clustered_ttest : t-tests of all pairs, with any adjustment.
    steel_sign_test : comparison with a control by wins and losses.

    Notes
    -----
    If there are clusters, t is computed from the totals of the clusters. The mean over all rows is proportional to the
    mean of the totals.

    The signs of all differences of a dataset are kept or changed together. The pairs are ordered by decreasing t. For
    each sign assignment, the largest t of a pair and all later pairs is computed. The p-value of the pair is the
    proportion of assignments in which this value is at least the observed t of the pair. The observed assignment is
    included. Each p-value is at least as large as the previous p-value. With random assignments and bootstrap samples,
    the p-value is (b + 1) / (m + 1). Here, b of m draws are at least as extreme as the observed data. In a bootstrap
    sample, t is the mean difference minus the observed mean difference, divided by the standard error in this sample.
    If all differences in a bootstrap sample are equal, t is infinite.

    With ``method='range'``, the null hypothesis is that the scores of all classifiers have the same distribution. The
    scores are permuted within each dataset, or the totals within each cluster. The range of the means (largest minus
    smallest) is computed for each permutation. The p-value of a pair is the proportion of the permutations whose range
    is at least the observed mean difference of the pair. All (k!)^n permutations are enumerated if there are at most
    `n_resamples`. If there are more, random permutations are used, and the p-value is (b + 1) / (m + 1). The range test
    is always single-step, whatever the value of `step_down` is. The range test controls the family-wise error rate only
    if all classifiers perform equally, because each permutation exchanges all classifiers. In a simulation, two
    classifiers with equal performance had the first and the last rank on each dataset, in random order. The other
    classifiers differed in performance. The true null hypothesis for these two classifiers was rejected in up to 26.5%
    of simulated tables at the 5% level. An omnibus test rejected first, and then the range test.

    The sum of the signed ranks of a pair is divided by the square root of the sum of their squares. Therefore, the
    statistics of pairs with ties or zeros are comparable with the statistics of other pairs. The random draws do not
    depend on the sign of the scores, so accuracies and the corresponding error rates lead to the same p-values.

    ``'range'`` assumes that all differences have the same variance. In simulations with unequal variances, 30 datasets
    and 10 classifiers, its family-wise error rate is 9.0% at the 5% level.

    References
    ----------
    Westfall, P. H. & Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley, algorithm 4.1.

    Romano, J. P. & Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing. Journal of
    the American Statistical Association 100, 94-108.

    Romano, J. P. & Wolf, M. (2016). Efficient computation of adjusted p-values for resampling-based stepdown multiple
    testing. Statistics & Probability Letters 113, 38-40, section 2.

    Carterette, B. (2012). Multiple testing in statistical analysis of systems-based information retrieval experiments.
    ACM Transactions on Information Systems 30(1), article 4.

    Examples
    --------
    >>> from evalstats.pairwise import pairwise_max_t_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 89], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> result = pairwise_max_t_test(scores)
    >>> result.pvalue.round(4)
    array([[1.    , 0.1094, 0.0312],
           [0.1094, 1.    , 0.1094],
           [0.0312, 0.1094, 1.    ]])
    >>> pairwise_max_t_test(scores, ranks=True).pvalue[0].round(4)
    array([1.    , 0.0781, 0.0625])
    >>> bool(pairwise_max_t_test(scores, method="bootstrap").pvalue[0, 2] < 0.05)
    True

    The randomized Tukey HSD test of three retrieval systems on four queries, with all 1,296 permutations:

    >>> queries = [[0.9, 0.7, 0.6], [0.5, 0.4, 0.45], [0.8, 0.75, 0.3], [0.6, 0.65, 0.2]]
    >>> pairwise_max_t_test(queries, method="range").pvalue.round(6)
    array([[1.      , 0.953704, 0.050926],
           [0.953704, 1.      , 0.226852],
           [0.050926, 0.226852, 1.      ]])
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance, minimum_datasets=2)
    clustering = understand_clusters(clusters, strata, average, n, rows=["scores"], scores=scores)
    step_down = _checks.boolean(step_down, "step_down")
    family = which_pairs.joint_family(scores, k, control, alternative=alternative, step_down=step_down)
    alternative = family.alternative
    method = _checks.choice(method, "method", METHODS)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    ranks = _checks.boolean(ranks, "ranks")
    _refuse_what_does_not_fit(clustering, method, ranks, control)

    matrix = _totals(matrix, clustering)
    n_clusters = matrix.shape[-2]
    sizes: dict[str, Any] = {"n_datasets": n, "n_clusters": n_clusters, "average": average}
    if method == RANGE:
        return _range_test(matrix, family._replace(adjust="single-step"), n_resamples, source, tie_tolerance, sizes)
    pairs = family.pairs
    n_sides = 2 if alternative == "two-sided" else 1
    is_bootstrap = method == "bootstrap"
    is_exact = _is_exact(n_clusters, n_sides, method, n_resamples)
    shape = matrix.shape[:-2]
    t, mean, pvalue, alone = (np.empty((*shape, len(pairs.i))) for _ in range(4))
    is_equal, is_constant = np.empty((2, *t.shape), dtype=bool)
    # reversing all signs changes no absolute value, so a two-sided test can fix the first sign
    flips = _all_flips(n_clusters, n_sides) if is_exact else None
    draw, statistics = (_random_counts, _Recentered) if is_bootstrap else (_random_flips, _Sums)
    for at in np.ndindex(shape):
        # the draws are assigned to datasets in an order that depends only on the scores
        table = matrix[at]
        if not is_exact:
            table = table[unsigned_order(rounded(table, tie_tolerance))[0]]
        d, noise = _differences(table, pairs, tie_tolerance)
        mean[at], is_equal[at] = _means(d) * (n_clusters / n), ~d.any(axis=-1)
        if ranks:
            d, noise = _signed_ranks(table, pairs, tie_tolerance), np.zeros(len(d))
        sums = statistics(table, d, noise, pairs)
        is_constant[at] = sums.is_constant
        t[at] = math.sqrt(n_clusters) * sums.cosine if ranks else sums.student()
        drawn = draw(n_clusters, n_resamples, source) if flips is None else flips
        counts = _counts(sums, drawn, alternative, step_down)
        pvalue[at], alone[at] = counts / len(drawn) if is_exact else (counts + 1) / (n_resamples + 1)
    pvalue[is_constant] = alone[is_constant] = np.nan

    resamples = np.full(shape, None if is_exact else n_resamples, dtype=object)
    return family.result(
        PairwiseMaxTTestResult,
        statistic=pairs.opposed(t),
        unadjusted=pairs.shared(alone, 1.0),
        adjusted=pairs.shared(pvalue, 1.0),
        method="bootstrap" if is_bootstrap else "exact" if is_exact else "monte-carlo",
        reason=which_pairs.reason_of_pairs({EQUAL: is_equal, CONSTANT: is_constant}),
        ranks=ranks,
        mean_difference=pairs.opposed(mean),
        **sizes,
        min_attainable_pvalue=n_sides * 0.5**n_clusters if is_exact else 1 / (n_resamples + 1),
        n_resamples=resamples,
        seed=source.seed_of(resamples),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_max_t_test,
        data=Data.TABLE,
        excused=OF_SIZES,
        sentence="Max-T test of {ranks} of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
        words={"ranks": {True: "signed ranks", False: "mean differences"}},
    ),
)


def _range_test(
    matrix: FloatArray,
    family: Family,
    n_resamples: int,
    source: RandomSource,
    tie_tolerance: float,
    sizes: dict[str, Any],
) -> PairwiseMaxTTestResult:
    """Test all pairs by the range of the means under permutations within the rows."""
    shape, pairs, (n, k) = matrix.shape[:-2], family.pairs, matrix.shape[-2:]
    scale = n / sizes["n_datasets"]
    is_exact = n * math.lgamma(k + 1) <= math.log(n_resamples) + SLACK
    mean, pvalue, alone = (np.empty((*shape, len(pairs.i))) for _ in range(3))
    is_equal = np.empty(mean.shape, dtype=bool)
    for at in np.ndindex(shape):
        table = matrix[at]
        d, noise = _differences(table, pairs, tie_tolerance)
        mean[at], is_equal[at] = _means(d) * scale, ~d.any(axis=-1)
        middle = table.max(axis=1, keepdims=True) / 2 + table.min(axis=1, keepdims=True) / 2
        unit = float(np.abs(table - middle).max()) or 1.0
        # rows are permuted, so sorting them first makes the draws independent of the order of the classifiers
        rows = unsigned_rows(rounded((table - middle) / unit, tie_tolerance))
        slack = np.maximum(SLACK * n, noise / unit)
        counts, n_drawn = _range_counts(rows, np.abs(d.sum(axis=-1)) / unit - slack, is_exact, n_resamples, source)
        pvalue[at], alone[at] = counts / n_drawn if is_exact else (counts + 1) / (n_drawn + 1)
    resamples = np.full(shape, None if is_exact else n_resamples, dtype=object)
    return family.result(
        PairwiseMaxTTestResult,
        statistic=pairs.opposed(mean),
        unadjusted=pairs.shared(alone, 1.0),
        adjusted=pairs.shared(pvalue, 1.0),
        method=RANGE,
        reason=which_pairs.reason_of_pairs({EQUAL: is_equal}),
        ranks=False,
        mean_difference=pairs.opposed(mean),
        **sizes,
        min_attainable_pvalue=float(k * (k - 1)) ** (1 - n) if is_exact else 1 / (n_resamples + 1),
        n_resamples=resamples,
        seed=source.seed_of(resamples),
        tie_tolerance=tie_tolerance,
    )


def _range_counts(
    rows: FloatArray, thresholds: FloatArray, is_exact: bool, n_resamples: int, source: RandomSource
) -> tuple[FloatArray, int]:
    """Count the permutations within rows in which the range of the sums, or one difference, reaches each threshold.

    All differences of two columns have the same distribution, so only the difference of the first two columns is used.
    """
    n, k = rows.shape
    if is_exact:
        orders = np.array(list(itertools.permutations(range(k))))
        sums = np.zeros((1, k))
        for row in rows:
            sums = (sums[:, None] + row[orders]).reshape(-1, k)
        blocks: Iterator[FloatArray] = iter([sums])
    else:
        generator, step = source.generator(), max(1, NUMBERS_AT_ONCE // (4 * n * k))
        blocks = (
            generator.permuted(np.broadcast_to(rows, (min(step, n_resamples - at), n, k)), axis=-1).sum(axis=1)
            for at in range(0, n_resamples, step)
        )
    counts, n_drawn = np.zeros((2, len(thresholds))), 0
    for sums in blocks:
        n_drawn += len(sums)
        for side, reached in enumerate((np.ptp(sums, axis=1), np.abs(sums[:, 0] - sums[:, 1]))):
            counts[side] += len(sums) - np.searchsorted(np.sort(reached), thresholds)
    return counts, n_drawn


def _refuse_what_does_not_fit(clustering: Clusters, method: str, ranks: bool, control: Any) -> None:
    if method == RANGE and (ranks or control is not None):
        asked = "ranks=True" if ranks else "a control"
        raise InvalidValueError(f"method='range' does not support {asked}; use method='auto'")
    if ranks and method == "bootstrap":
        raise InvalidValueError("method='bootstrap' does not support ranks=True; use method='auto'")
    n_clusters, n_strata = int(clustering.n_clusters.sum()), len(clustering.n_clusters)
    if n_clusters < 2:
        raise InvalidValueError("clusters must have at least two different values, but all rows have the same value")
    if method == "bootstrap" and n_strata > 1:
        raise InvalidValueError(
            f"method='bootstrap' resamples all clusters together and does not support {n_strata} strata; use "
            "method='auto'"
        )


def _totals(matrix: FloatArray, clustering: Clusters) -> FloatArray:
    """Return the total of each cluster, (..., n_clusters, k), with the weight of each stratum in the mean."""
    if not clustering.is_grouped and len(clustering.n_clusters) == 1:
        return matrix
    totals = clustering.sums(np.swapaxes(matrix, -1, -2))
    weights = clustering.weights / clustering.n_instances * clustering.order.size
    return np.asarray(np.swapaxes(totals * np.repeat(weights, clustering.n_clusters), -1, -2))


def _is_exact(n: int, n_sides: int, method: str, n_resamples: int) -> bool:
    if method == "exact" and n > MOST_DATASETS:
        raise InvalidValueError(
            f"method='exact' would need 2^{n} sign assignments (the limit is {MOST_DATASETS}); use method='monte-carlo'"
        )
    return method == "exact" or (method == "auto" and n <= MOST_DATASETS and 2**n <= n_sides * n_resamples)


def _differences(matrix: FloatArray, pairs: ComparedPairs, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the differences of all pairs on each dataset, (n_pairs, n), and the rounding error of their sum."""
    columns = matrix.T
    blocks = [summands(columns[i], columns[j], tie_tolerance) for i, j in pairs.blocks(matrix.shape[0])]
    return np.concatenate([d for d, _ in blocks]), np.concatenate([noise.sum(axis=-1) for _, noise in blocks])


def _signed_ranks(matrix: FloatArray, pairs: ComparedPairs, tie_tolerance: float) -> FloatArray:
    """Return the signed ranks of the differences of each pair, (n_pairs, n), or 0 for a zero difference."""
    columns = matrix.T
    blocks = [differences(columns[i], columns[j], tie_tolerance) for i, j in pairs.blocks(matrix.shape[0])]
    d = np.concatenate(blocks)
    ranks = midranks(np.abs(d)) - (d == 0).sum(axis=-1, keepdims=True)
    return np.asarray(np.sign(d) * ranks)


def _means(d: FloatArray) -> FloatArray:
    """Return the mean of each row without overflow of the sum."""
    return np.asarray((d / d.shape[-1]).sum(axis=-1))


class _Sums:
    """Sums of the differences of each pair under random signs, as cosines between signs and differences.

    Student's t is an increasing function of the cosine, and the signs do not change the length that divides a sum.
    """

    def __init__(self, table: FloatArray, d: FloatArray, noise: FloatArray, pairs: ComparedPairs) -> None:
        """Store a table, (n, k), the differences of the pairs, (n_pairs, n), and the rounding errors of their sums."""
        unit = np.abs(d).max() or 1.0
        scaled = d / unit
        largest = np.abs(scaled).max(axis=-1, keepdims=True)
        scaled = scaled / np.where(largest > 0, largest, 1.0)
        length = np.sqrt((scaled**2).sum(axis=-1, keepdims=True) * d.shape[-1])
        self._part = scaled / np.where(length > 0, length, 1.0)
        self.cosine = self._part.sum(axis=-1)
        self.is_constant = np.zeros(len(d), dtype=bool)  # but not 0: resamples contain no information on such a pair
        self._pairs = pairs
        # the sum of x - y is computed as sum(x) - sum(y), which is faster, unless digits would be lost
        middle = table.max(axis=1, keepdims=True) / 2 + table.min(axis=1, keepdims=True) / 2
        with np.errstate(over="ignore"):  # tied scores may differ by much, relative to the largest difference
            self._centered = ((table - middle) / unit).T
        true_length = (largest * length)[:, 0]
        self._scale = np.where(true_length > 0, 1 / np.where(true_length > 0, true_length, 1.0), 0.0)
        with np.errstate(over="ignore"):
            self._noise = noise / unit * self._scale
        self.slack = np.maximum(SLACK, self._noise)  # closer cosines may be equal
        lost = np.finfo(float).eps * np.abs(self._centered).sum(axis=-1).max() * self._scale.max()
        # the scores still contain the amounts that the tolerance removed from the differences
        with np.errstate(over="ignore", invalid="ignore"):
            taken = np.abs(self._centered[pairs.i] - self._centered[pairs.j] - d / unit).sum(axis=-1) * self._scale
        lost = max(lost, taken.max())
        self._is_close = not np.isfinite(lost) or lost > SLACK / 10

    def student(self) -> FloatArray:
        """Return Student's t of each pair, sqrt(n - 1) c / sqrt(1 - c^2) of the cosine c, infinite without variance."""
        n = self._part.shape[-1]
        # 1 - c^2 would lose the digits of a large t
        left = n * ((self._part - self.cosine[:, None] / n) ** 2).sum(axis=-1)
        with np.errstate(over="ignore"):
            is_constant = left <= np.maximum(self._noise, n * np.finfo(float).eps) ** 2
        t = math.sqrt(n - 1) * self.cosine / np.sqrt(np.where(is_constant, 1.0, left))
        return np.asarray(np.where(is_constant & (self.cosine != 0), np.copysign(np.inf, self.cosine), t))

    def resampled(self, order: IndexArray, flips: FloatArray) -> Iterator[FloatArray]:
        """Yield the cosines of each pair, in this order, under all sign flips. The rows may share memory."""
        turned = flips.T
        if self._is_close:
            step = max(1, NUMBERS_AT_ONCE // len(flips))
            for at in range(0, len(order), step):
                yield from self._part[order[at : at + step]] @ turned
            return
        sums, row = self._centered @ turned, np.empty(len(flips))
        first, second, scale = (of[order].tolist() for of in (self._pairs.i, self._pairs.j, self._scale))
        for i, j, by in zip(first, second, scale, strict=True):
            np.subtract(sums[i], sums[j], out=row)
            row *= by
            yield row


class _Recentered(_Sums):
    """Cosines for bootstrap samples of the differences minus their observed mean."""

    def __init__(self, table: FloatArray, d: FloatArray, noise: FloatArray, pairs: ComparedPairs) -> None:
        """Store the arguments of `_Sums`."""
        super().__init__(table, d, noise, pairs)
        centered = d - _means(d)[:, None]
        # a deviation from the mean by noise alone is set to 0; otherwise such a resample would have an infinite t
        lost = noise + d.shape[1] * np.finfo(float).eps * np.abs(d).max(axis=-1)
        centered[np.abs(centered) <= lost[:, None]] = 0.0
        largest = np.abs(centered).max(axis=-1)
        self.is_constant = (largest == 0) & d.any(axis=-1)
        self._away = centered / np.where(largest > 0, largest, 1.0)[:, None]

    def resampled(self, order: IndexArray, counts: FloatArray) -> Iterator[FloatArray]:
        """Yield the cosines of each pair, in this order, for bootstrap samples with these counts of the datasets."""
        n, drawn = counts.shape[1], np.ascontiguousarray(counts.T)
        step = max(1, NUMBERS_AT_ONCE // len(counts))
        for at in range(0, len(order), step):
            away = self._away[order[at : at + step]]
            cosines = away @ drawn
            length = away**2 @ drawn
            length *= n
            np.sqrt(length, out=length)
            np.divide(cosines, length, out=cosines, where=length > 0)  # else all differences equal the mean
            yield from cosines


def _all_flips(n: int, n_sides: int) -> FloatArray:
    free = n - (n_sides == 2)
    bits = np.arange(2**free)[:, None] >> np.arange(free) & 1
    return np.hstack([np.ones((2**free, n - free)), 1.0 - 2.0 * bits])


def _random_flips(n: int, n_resamples: int, source: RandomSource) -> FloatArray:
    drawn = np.frombuffer(source.generator().bytes(-(-n * n_resamples // 8)), dtype=np.uint8)
    flips = np.unpackbits(drawn, count=n * n_resamples).reshape(n_resamples, n).astype(np.float64)
    flips *= -2
    flips += 1
    return flips


def _random_counts(n: int, n_resamples: int, source: RandomSource) -> FloatArray:
    """Return how often each dataset occurs in each bootstrap sample."""
    drawn = source.generator().integers(0, n, size=(n_resamples, n))
    drawn += n * np.arange(n_resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=n * n_resamples).reshape(n_resamples, n).astype(np.float64)


def _counts(sums: _Sums, flips: FloatArray, alternative: str, step_down: bool) -> FloatArray:
    """Count, for each pair, the flips in which the maximum, and the statistic of the pair, reaches the observed value.

    The pairs are ordered from the smallest statistic to the largest, so a running maximum gives the largest statistic.
    """
    towards: Callable[..., Any] = {"greater": np.positive, "less": np.negative, "two-sided": np.abs}[alternative]
    observed = towards(sums.cosine)
    order = np.argsort(observed, kind="stable")
    order = order[~sums.is_constant[order]]
    threshold = (observed - sums.slack)[order].tolist()
    counts, of_all = np.zeros((2, len(order))), np.zeros(len(order))
    for start in range(0, len(flips), FLIPS_AT_ONCE):
        block = flips[start : start + FLIPS_AT_ONCE]
        largest = np.full(len(block), -np.inf)
        for j, row in enumerate(sums.resampled(order, block)):
            towards(row, out=row)
            np.maximum(largest, row, out=largest)
            counts[0, j] += np.count_nonzero(largest >= threshold[j])
            counts[1, j] += np.count_nonzero(row >= threshold[j])
        of_all += len(block) - np.searchsorted(np.sort(largest), threshold)
    counts[0] = np.maximum.accumulate(counts[0, ::-1])[::-1] if step_down else of_all
    placed = np.zeros((2, len(observed)))
    placed[:, order] = counts
    return placed
