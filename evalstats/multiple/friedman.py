"""The Friedman test of several classifiers over datasets."""

from __future__ import annotations

__all__ = ["FriedmanTestResult", "friedman_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._canonical_order import unsigned_rows
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, noise_of, rounded
from evalstats._result import ClassifiersTestResult, reasons, unbatch
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.rank_sums import Pattern, count_at_least, exact_cost, exact_tail
from evalstats.multiple.mean_ranks import ALL_TIED

METHODS = ("auto", "exact", "chi2", "f", "monte-carlo")

# 'auto' is exact up to this number of additions, about 0.2 s; the choice is the same on every machine
AUTO_ADDITIONS = 2.5e7
AUTO_CELLS = 2**22
AUTO_CLASSIFIERS = 9
AUTO_DATASETS = 1000
# from here, the error of chi2 at p = 0.05 and 0.01 is at most two standard errors of 9,999 resamples
CHI2_DATASETS = 20

# method='exact' raises an error above these limits: minutes, 1 GiB
MOST_ADDITIONS = 1e10
MOST_CELLS = 2**26

BLOCK = 2**16  # scores that are ranked together: they fit into a fast cache

ONE_DATASET = "with one dataset, all orders of the classifiers are equally extreme"
ALL_AGREE = "all datasets agree, so F is infinite; its p-value is the exact probability of agreement"


@dataclass(frozen=True, kw_only=True, eq=False)
class FriedmanTestResult(ClassifiersTestResult):
    """Result of `friedman_test`.

    Attributes
    ----------
    statistic : float or ndarray
        `chi2`, or `f` for ``method='f'``.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        The null distribution that was used: ``'exact'``, ``'monte-carlo'``, ``'chi2'`` or ``'f'``.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate or F is not finite, otherwise None.
    df : int or tuple of int
        Degrees of freedom: k - 1 or, for ``method='f'``, the pair (k - 1, (k - 1)(n - 1)).
    mean_ranks : ndarray of shape (..., n_classifiers)
        Mean rank of each classifier. Rank 1 is the best, and ties get the mean of their ranks.
    n_datasets, n_classifiers : int
        n and k, the shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    kendall_w : float or ndarray
        Kendall's coefficient of concordance W = chi2 / (n (k - 1)). W is 1 if all datasets agree, and 0 for equal mean
        ranks.
    chi2, chi2_pvalue : float or ndarray
        Friedman's statistic corrected for ties, and its p-value from the chi-squared distribution.
    chi2_uncorrected : float or ndarray
        Friedman's statistic without the correction for ties, as in Demšar's formula. It equals `chi2` if there are no
        ties.
    f, f_pvalue : float or ndarray
        Iman & Davenport's statistic, from the tie-corrected `chi2`, and its p-value from the F distribution.
    min_attainable_pvalue : float or ndarray
        The minimum attainable p-value of `method`, which is attained if the ranks have the same order on every dataset.
        If it exceeds alpha, the test cannot reject for any scores with the observed ties.
    n_resamples : int, None or ndarray of object
        Number of random arrangements, or None if `method` is not ``'monte-carlo'``.
    seed : int, None or ndarray of object
        Seed of the random arrangements, or None without random arrangements or if `rng` was a Generator.
    tie_tolerance : float
        The relative precision to which scores were rounded before the comparison.
    """

    df: int | tuple[int, int]
    mean_ranks: FloatArray
    n_datasets: int
    n_classifiers: int
    kendall_w: Any
    chi2: Any
    chi2_pvalue: Any
    chi2_uncorrected: Any
    f: Any
    f_pvalue: Any
    min_attainable_pvalue: Any
    n_resamples: Any
    seed: Any
    tie_tolerance: float

    @property
    def f_uncorrected(self) -> Any:
        """Iman & Davenport's statistic from `chi2_uncorrected`, as in Demšar and most publications.

        The value equals `f` if there are no ties. Use the p-value of `f`, which accounts for the ties.
        """
        n, k, chi2 = self.n_datasets, self.n_classifiers, np.asarray(self.chi2_uncorrected)
        with np.errstate(divide="ignore", invalid="ignore"):
            return unbatch((n - 1) * chi2 / (n * (k - 1) - chi2))


def friedman_test(
    scores: Any,
    *,
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> FriedmanTestResult:
    """Test whether several classifiers differ over datasets (Friedman test).

    The null hypothesis is that all orders of the classifiers are equally likely on every dataset, given its ties. A
    small p-value is evidence that at least one classifier ranks better than another. To find the pairs that differ, use
    a post-hoc test.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns. Leading axes are batch
        dimensions. Only the order within a row counts, so the scores of datasets may have different scales.
    method : {'auto', 'exact', 'chi2', 'f', 'monte-carlo'}, default: 'auto'
        The null distribution.

        ``'exact'``: the permutation distribution of the observed ranks with their ties. This method is valid for every
        table. It raises an error if the computation would take minutes.

        ``'monte-carlo'``: random arrangements of the observed ranks. This method is valid for every table, but the
        p-value has a random error.

        ``'chi2'``: Friedman's approximation, with k - 1 degrees of freedom. With four or more classifiers, this method
        is conservative, in particular if there are few datasets. With two or three classifiers or with many ties, it
        may be liberal if there are few datasets. For 4 datasets and 3 classifiers, it rejects 6.9% of true null
        hypotheses at the 5% level.

        ``'f'``: Iman & Davenport's approximation. This method is liberal: for 5 datasets and 4 classifiers, it rejects
        6.7% of true null hypotheses at the 5% level.

        ``'auto'``: exact if the computation takes about 0.2 s or less. Otherwise, chi2 if there are 20 or more datasets
        with at least two different scores, and Monte Carlo if there are fewer. Without ties, the computation is fast
        enough for up to 292 datasets of 3 classifiers, 49 of 4, 15 of 5 and 6 of 6.
    n_resamples : int, default: 9999
        Number of random arrangements for the Monte Carlo method. The p-value is never below 1 / (n_resamples + 1).
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Each table of a batch uses the same seed.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    FriedmanTestResult
        All statistics, for any `method`.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, or an option is unknown. If ``'exact'`` takes too long.

    See Also
    --------
    nemenyi_test, bonferroni_dunn_test : post-hoc tests.
    wilcoxon_test : test of two classifiers that also uses the sizes of the differences.

    Notes
    -----
    `chi2` is corrected for ties, as in R. Demšar (2006) computes F from the statistic without the correction. The
    property `f_uncorrected` returns this F.

    If all datasets agree completely, F is infinite and the F distribution would give p = 0. `f_pvalue` is then the
    exact probability of this agreement, k!^(1 - n) without ties. A p-value below the smallest positive float is
    returned as this float, 5e-324.

    References
    ----------
    .. [1] M. Friedman (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of
       variance. Journal of the American Statistical Association 32, 675-701.
    .. [2] R. L. Iman, J. M. Davenport (1980). Approximations of the critical region of the Friedman statistic.
       Communications in Statistics A9, 571-595.
    .. [3] J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine
       Learning Research 7, 1-30. Section 3.2.2.

    Examples
    --------
    Accuracies of three classifiers on ten domains:

    >>> from evalstats import friedman_test
    >>> scores = [
    ...     [85.83, 75.86, 84.19], [85.91, 73.18, 85.90], [86.12, 69.08, 83.83], [85.82, 74.05, 85.11],
    ...     [86.28, 74.71, 86.38], [86.42, 65.90, 81.20], [85.91, 76.25, 86.38], [86.10, 75.10, 86.75],
    ...     [85.95, 70.50, 88.03], [86.12, 73.95, 87.18],
    ... ]
    >>> result = friedman_test(scores)
    >>> result.mean_ranks
    array([1.5, 3. , 1.5])
    >>> result.statistic, result.method
    (15.0, 'exact')
    >>> f"{result.pvalue:.4g}, by chi-squared {result.chi2_pvalue:.4g}"
    '0.0001104, by chi-squared 0.0005531'
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    names = column_names(scores)
    scores = _checks.score_matrix(scores)
    method = _checks.choice(method, "method", METHODS)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    if _checks.boolean(greater_is_better, "greater_is_better"):
        scores = -scores
    shape, (n, k) = scores.shape[:-2], scores.shape[-2:]

    ranks, rank_sums = _doubled_ranks(scores.reshape(-1, n, k), tie_tolerance)
    within = np.einsum("tnk,tnk->t", ranks, ranks) - n * k * (k + 1) ** 2
    spread = np.stack([_spread(rank_sums, n), _spread(ranks.sum(axis=1), n)])  # observed; same order on every dataset
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = np.where(within > 0, (k - 1) * spread / within, 0.0)
        f = np.where(within > 0, (n - 1) * spread / (n * within - spread), 0.0)

    chi2_pvalue, f_pvalue = _chi2_pvalue(chi2, k), _f_pvalue(spread, within, ranks)
    pvalue = (f_pvalue if method == "f" else chi2_pvalue).copy()
    null = np.array([_null(table, method) for table in ranks])
    resamples = np.full(len(null), None, dtype=object)
    for i in np.flatnonzero(null == "exact"):
        pvalue[:, i] = _exact_pvalues(_patterns(ranks[i]), spread[:, i])
    for i in np.flatnonzero(null == "monte-carlo"):
        pvalue[:, i] = _monte_carlo_pvalues(_patterns(ranks[i]), spread[:, i], n_resamples, source.generator())
        resamples[i] = n_resamples

    fields = {
        "statistic": (f if method == "f" else chi2)[0],
        "pvalue": pvalue[0],
        "method": null,
        "reason": reasons(
            (len(ranks),),
            (np.isnan(f[0]), ONE_DATASET),
            ((f[0] == np.inf) & (method == "f"), ALL_AGREE),
            (within == 0, ALL_TIED),
        ),
        "kendall_w": chi2[0] / (n * (k - 1)),
        "chi2": chi2[0],
        "chi2_pvalue": chi2_pvalue[0],
        "chi2_uncorrected": 3 * spread[0] / (n * k * (k + 1)),
        "f": f[0],
        "f_pvalue": f_pvalue[0],
        "min_attainable_pvalue": pvalue[1],
        "n_resamples": resamples,
        "seed": np.asarray(source.seed_of(resamples), dtype=object),
    }
    return FriedmanTestResult(
        classifiers=names,
        **{name: values.reshape(shape) for name, values in fields.items()},
        alternative="two-sided",
        df=(k - 1, (k - 1) * (n - 1)) if method == "f" else k - 1,
        mean_ranks=rank_sums.reshape(*shape, k) / (2 * n),
        n_datasets=n,
        n_classifiers=k,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=friedman_test,
        data=Data.RANKED_TABLE,
        variants={
            "exact": {"method": "exact"},
            "chi2": {"method": "chi2"},
            "f": {"method": "f"},
            "monte-carlo": {"method": "monte-carlo", "n_resamples": 199, "rng": 1},
        },
    ),
)


def _doubled_ranks(tables: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the doubled midranks of every dataset, sorted, and the doubled rank sum of every classifier.

    Doubled midranks are integers, so all values before the first division are exact.
    """
    n_tables, n, k = tables.shape
    ranks, rank_sums = np.empty(tables.shape), np.empty((n_tables, k))
    step = max(1, BLOCK // (n * k))
    for start in range(0, n_tables, step):
        part = slice(start, start + step)
        rows = tables[part].reshape(-1, k)
        order = np.argsort(rows, axis=-1)
        ordered = np.take(rows, order + np.arange(0, rows.size, k)[:, None])
        ranks[part] = _doubled_midranks(_tied_neighbors(ordered, tie_tolerance)).reshape(-1, n, k)
        cell = order.reshape(-1, n, k) + np.arange(0, rows.size // n, k)[:, None, None]
        rank_sums[part] = np.bincount(cell.ravel(), weights=ranks[part].ravel()).reshape(-1, k)
    return ranks, rank_sums


def _tied_neighbors(ordered: FloatArray, tie_tolerance: float) -> BoolArray:
    """Return which sorted scores are tied with the previous score; only rows with a narrow gap are rounded."""
    with np.errstate(over="ignore"):
        gap = ordered[:, 1:] - ordered[:, :-1]
    tied = np.asarray(gap == 0)
    # equal scores differ by at most one unit of the last digit, which is 10 tolerances or less, or by rounding noise
    widest = np.maximum(np.abs(ordered[:, :1]), np.abs(ordered[:, -1:]))
    narrow = ((gap <= max(11 * tie_tolerance, 3 * noise_of(tie_tolerance)) * widest) & ~tied).any(axis=1)
    if narrow.any():
        close = rounded(ordered[narrow], tie_tolerance)
        tied[narrow] = close[:, 1:] == close[:, :-1]
    return tied


def _doubled_midranks(tied: BoolArray) -> FloatArray:
    """Return the first plus the last position of each group of tied neighbors, counted from 1."""
    shape = len(tied), tied.shape[1] + 1
    position = np.broadcast_to(np.arange(1, shape[1] + 1), shape)
    if not tied.any():
        return 2.0 * position
    is_first = np.ones(shape, dtype=bool)
    np.logical_not(tied, out=is_first[:, 1:])
    size = np.diff(np.flatnonzero(is_first), append=is_first.size)
    return np.repeat(2.0 * position[is_first] + size - 1, size).reshape(shape)


def _spread(doubled_rank_sums: FloatArray, n: int) -> FloatArray:
    """Compute S = sum_j (2 R_j - n (k + 1))^2, the sum of squares of the centered doubled rank sums."""
    k = doubled_rank_sums.shape[-1]
    return np.asarray(((doubled_rank_sums - n * (k + 1)) ** 2).sum(axis=-1))


def _chi2_pvalue(chi2: FloatArray, k: int) -> FloatArray:
    return tails.chi2_pvalue(chi2, k - 1)


def _f_pvalue(spread: FloatArray, within: FloatArray, ranks: FloatArray) -> FloatArray:
    """Compute the p-value of F, which is the exact probability of W = 1 if W is 1.

    F is (n - 1) W / (1 - W), whose numerator and denominator are integers. W is 1 only if all datasets have the same
    pattern of ties in the same order.
    """
    n, k = ranks.shape[-2:]
    disagreement = np.where(within > 0, n * within - spread, 1.0)
    pvalue = tails.f_right_tail(spread, disagreement, k - 1, max(n - 1, 1) * (k - 1))
    return tails.as_pvalue(np.where(disagreement > 0, pvalue, _chance_of_agreement(ranks)))


def _chance_of_agreement(ranks: FloatArray) -> FloatArray:
    """Return the probability that n random orders of the first pattern are all equal: (number of orders)^(1 - n)."""
    n, k = ranks.shape[-2:]
    position = np.arange(1, k + 1)
    pattern = ranks[:, 0]
    start = np.ones(pattern.shape, dtype=bool)
    start[:, 1:] = pattern[:, 1:] != pattern[:, :-1]
    first = np.maximum.accumulate(np.where(start, position, 0), axis=-1)
    log_orders = np.log(position / (position - first + 1)).sum(axis=-1)  # k! over the factorials of the tie sizes
    return np.asarray(np.exp((1 - n) * log_orders))


def _patterns(ranks: FloatArray) -> list[Pattern]:
    """Return the sorted doubled midranks of the datasets without a complete tie, in a canonical order."""
    centered = unsigned_rows(ranks[ranks[:, 0] != ranks[:, -1]] - (ranks.shape[1] + 1))
    return [tuple(row) for row in (centered.astype(int) + ranks.shape[1] + 1).tolist()]


def _null(ranks: FloatArray, method: str) -> str:
    """Choose the null distribution for the ranks of one table."""
    if method != "auto":
        return method
    n, k = int((ranks[:, 0] != ranks[:, -1]).sum()), ranks.shape[1]
    approximate = "chi2" if n >= CHI2_DATASETS else "monte-carlo"
    if n <= 1 or k == 2:
        return "exact"
    if n > AUTO_DATASETS or k > AUTO_CLASSIFIERS:
        return approximate
    additions, cells = exact_cost(_patterns(ranks))
    return "exact" if additions <= AUTO_ADDITIONS and cells <= AUTO_CELLS else approximate


def _exact_pvalues(patterns: list[Pattern], spreads: FloatArray) -> list[float]:
    """Compute P(S >= s) for each s, or raise an error if the computation would take too long."""
    additions, cells = exact_cost(patterns)
    if additions > MOST_ADDITIONS or cells > MOST_CELLS:
        raise InvalidValueError(
            f"method='exact' would take about {additions:.0e} additions and {8 * cells:.0e} bytes for {len(patterns)} "
            f"datasets and {len(patterns[0])} classifiers (the limits are {MOST_ADDITIONS:.0e} and "
            f"{8 * MOST_CELLS:.0e}); use method='monte-carlo' or method='chi2'"
        )
    return [float(tails.as_pvalue(exact_tail(patterns, int(spread)))) for spread in spreads]


def _monte_carlo_pvalues(
    patterns: list[Pattern], spreads: FloatArray, n_resamples: int, rng: np.random.Generator
) -> list[float]:
    """Compute the Monte Carlo p-value (b + 1) / (m + 1): b of m random permutations have at least the observed S."""
    if not patterns:
        return [1.0, 1.0]
    counts = count_at_least(patterns, [int(spread) for spread in spreads], n_resamples, rng)
    return [(count + 1) / (n_resamples + 1) for count in counts]
