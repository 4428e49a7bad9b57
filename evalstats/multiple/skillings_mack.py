"""The Skillings-Mack test of several classifiers with missing scores."""

from __future__ import annotations

__all__ = ["SkillingsMackTestResult", "skillings_mack_test"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._canonical_order import unsigned_form
from evalstats._checks import RandomSource
from evalstats._declarations import Data, Declaration
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ClassifiersTestResult
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple import incomplete_blocks
from evalstats.multiple.mean_ranks import ALL_TIED

NOTHING_TO_COMPARE = "no dataset has two scores to compare"
ONE_DATASET = "with one dataset, all orders of the classifiers are equally extreme"


@dataclass(frozen=True, kw_only=True, eq=False)
class SkillingsMackTestResult(ClassifiersTestResult):
    """Result of `skillings_mack_test`.

    Attributes
    ----------
    statistic : float or ndarray
        `chi2`.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        The null distribution that was used: ``'exact'``, ``'chi2'`` or ``'monte-carlo'``.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate or if no dataset links groups of classifiers, otherwise None.
    df : int or ndarray of int
        Degrees of freedom: k minus the number of linked groups, or k - 1 if all classifiers are linked.
    chi2, chi2_pvalue : float or ndarray
        The statistic corrected for ties, and its p-value from the chi-squared distribution.
    chi2_uncorrected : float or ndarray
        The statistic of Skillings & Mack, whose covariance assumes no ties.
    adjusted_rank_sums : ndarray of shape (..., n_classifiers)
        Skillings & Mack's weighted sums of centered ranks. The sum is negative if a classifier ranks better than the
        others on average.
    mean_ranks : ndarray of shape (..., n_classifiers)
        Mean rank of each classifier in its datasets. It is nan if the classifier has no scores. Rank 1 is the best.
        Mean ranks are not comparable if datasets have different numbers of scores.
    n_datasets, n_classifiers : int
        Shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    n_missing : int or ndarray of int
        Number of missing scores.
    dropped_datasets : tuple of int or ndarray of object
        Rows that were omitted because they have fewer than two scores.
    min_attainable_pvalue : float or ndarray
        The p-value of `method` for a table in which every dataset orders its classifiers by their adjusted rank
        sums. If `pvalue` is smaller, this field is equal to `pvalue`.
    n_resamples : int, None or ndarray of object
        Number of random arrangements, or None if `method` is not ``'monte-carlo'``.
    seed : int, None or ndarray of object
        Seed of the random arrangements, or None without random arrangements or if `rng` was a Generator.
    tie_tolerance : float
        The relative precision to which scores were rounded before the comparison.
    """

    df: Any
    chi2: Any
    chi2_pvalue: Any
    chi2_uncorrected: Any
    adjusted_rank_sums: FloatArray
    mean_ranks: FloatArray
    n_datasets: int
    n_classifiers: int
    n_missing: Any
    dropped_datasets: Any
    min_attainable_pvalue: Any
    n_resamples: Any
    seed: Any
    tie_tolerance: float


def skillings_mack_test(
    scores: Any,
    *,
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> SkillingsMackTestResult:
    """Test whether several classifiers differ over datasets with missing scores (Skillings-Mack test).

    The null hypothesis is that all orders of the classifiers of a dataset are equally likely. The reason for a missing
    score must not depend on the score. For example, this condition is violated if a run failed because the classifier
    performs poorly. The test uses every dataset with two or more scores. For a complete table, the test is the Friedman
    test.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns. The value nan marks a
        missing score. Leading axes form a batch of tables, each with its own missing scores.
    method : {'auto', 'exact', 'chi2', 'monte-carlo'}, default: 'auto'
        The null distribution.

        ``'exact'``: all permutations of the observed ranks within every dataset, including ties. This method is valid
        for every table. It raises an error if the computation would take minutes.

        ``'monte-carlo'``: random permutations of the ranks. This method is valid for every table, but the p-value has a
        random error.

        ``'chi2'``: the chi-squared approximation for many datasets.

        ``'auto'``: exact if the computation takes about 0.3 s or less. Otherwise, chi2 if there are 20 or more datasets
        with at least two different scores, and Monte Carlo if there are fewer such datasets.
    n_resamples : int, default: 9999
        Number of random permutations for the Monte Carlo method. The p-value is never below 1 / (n_resamples + 1).
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Each table of a batch uses the same seed.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    SkillingsMackTestResult
        The statistic with and without correction for ties, and the omitted datasets.

    Raises
    ------
    InvalidValueError
        If scores are infinite or not a table, or an option is unknown. If ``'exact'`` takes too long.

    See Also
    --------
    durbin_test : the test for balanced designs, which has the same statistic without ties and also an F form.
    friedman_test : the test for complete tables.

    Notes
    -----
    If some classifiers are not linked to the others by a chain of datasets, the test compares only classifiers within
    the linked groups. `df` is then smaller, and `reason` names the groups.

    Skillings & Mack's covariance assumes that there are no ties. With ties, this covariance makes the test
    conservative. This function uses the covariance of the observed ranks. Without ties, both covariances are equal.

    References
    ----------
    .. [1] J. H. Skillings, G. A. Mack (1981). On the use of a Friedman-type statistic in balanced and unbalanced block
       designs. Technometrics 23, 171-177.
    .. [2] M. Chatfield, A. Mander (2009). The Skillings-Mack test (Friedman test when there are missing data). Stata
       Journal 9, 299-305.

    Examples
    --------
    >>> from evalstats.multiple import skillings_mack_test
    >>> nan = float("nan")
    >>> scores = [
    ...     [0.81, 0.79, 0.70], [0.64, nan, 0.60], [0.72, 0.70, nan], [0.93, 0.90, 0.91], [nan, 0.55, 0.52],
    ...     [0.78, 0.70, 0.66],
    ... ]
    >>> result = skillings_mack_test(scores)
    >>> print(f"{result.statistic:.3f} on {result.df} df, p = {result.pvalue:.3f} ({result.method})")
    7.053 on 2 df, p = 0.024 (exact)
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = incomplete_blocks.incomplete_scores(scores)
    method = _checks.choice(method, "method", incomplete_blocks.METHODS_BESIDE)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    ranks = incomplete_blocks.observed_ranks(
        matrix, _checks.boolean(greater_is_better, "greater_is_better"), tie_tolerance
    )
    shape, (n, k) = ranks.shape[:-2], ranks.shape[-2:]

    tables = [_test(table, method, n_resamples, source) for table in ranks.reshape(-1, n, k)]

    fields: dict[str, Any] = {}
    for name in _Table._fields:
        values = [getattr(table, name) for table in tables]
        fields[name] = np.empty(len(values), dtype=object)
        fields[name][:] = values
        if name not in ("reason", "dropped_datasets", "n_resamples", "seed"):
            fields[name] = np.array(values)
        fields[name] = fields[name].reshape(shape + fields[name].shape[1:])
    return SkillingsMackTestResult(
        classifiers=column_names(scores),
        **fields,
        statistic=fields["chi2"],
        alternative="two-sided",
        n_datasets=n,
        n_classifiers=k,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=skillings_mack_test, data=Data.TABLE, excused={"nan and infinity": "nan means a missing score"}
    ),
)


class _Table(NamedTuple):
    """Result for one table."""

    pvalue: float
    method: str
    reason: str | None
    df: int
    chi2: float
    chi2_pvalue: float
    chi2_uncorrected: float
    adjusted_rank_sums: FloatArray
    mean_ranks: FloatArray
    n_missing: int
    dropped_datasets: tuple[int, ...]
    min_attainable_pvalue: float
    n_resamples: int | None
    seed: int | None


def _test(table: FloatArray, method: str, n_resamples: int, source: RandomSource) -> _Table:
    n_scores = (~np.isnan(table)).sum(axis=1)
    used = n_scores > 1
    # the order of datasets and classifiers and the sign of scores then change nothing, not even the last bit
    rows, columns, sign = unsigned_form(2 * table[used] - (n_scores[used, None] + 1))
    ranks = table[used][np.ix_(rows, columns)]
    centered = _weighted_ranks(ranks, sign)
    values, there = centered.values, centered.there
    m, sums = there.sum(axis=1), values.sum(axis=0)

    variance = (values**2).sum(axis=1) / (m - 1)
    inverse = incomplete_blocks.inverse_covariance(there, variance)
    statistics = incomplete_blocks.quadratic_form(
        np.stack([sums, _in_one_order(values, there, sums).sum(axis=0)]), inverse
    )
    statistics[1] = statistics.max()
    df = ranks.shape[1] - len(set(incomplete_blocks.linked_groups(there[variance > 0]).tolist()))

    null, tail = incomplete_blocks.null_tail(centered, inverse, statistics, method, "chi2", n_resamples, source)
    chi2_pvalues = tails.chi2_pvalue(statistics, df) if df else np.ones(2)
    pvalues = chi2_pvalues if tail is None else tails.as_pvalue(tail)
    drawn = n_resamples if null == "monte-carlo" else None
    place = np.argsort(columns)

    return _Table(
        pvalue=float(pvalues[0]),
        method=null,
        reason=_reason(there[:, place], variance),
        df=df,
        chi2=float(statistics[0]),
        chi2_pvalue=float(chi2_pvalues[0]),
        chi2_uncorrected=float(
            incomplete_blocks.quadratic_form(sums, incomplete_blocks.inverse_covariance(there, m.astype(np.float64)))
        ),
        adjusted_rank_sums=sign * sums[place] + 0.0,  # no -0.0
        mean_ranks=_column_means(ranks, there)[place],
        n_missing=int((len(n_scores) * ranks.shape[1]) - n_scores.sum()),
        dropped_datasets=tuple(np.flatnonzero(~used).tolist()),
        min_attainable_pvalue=float(pvalues[1]),
        n_resamples=drawn,
        seed=source.seed_of(drawn),
    )


def _weighted_ranks(ranks: FloatArray, sign: int) -> incomplete_blocks.CentredRanks:
    """Compute sqrt(12 / (m + 1)) (r - (m + 1) / 2), 0 if missing: Skillings & Mack (1981), section 2."""
    there = ~np.isnan(ranks)
    m = there.sum(axis=1)
    return incomplete_blocks.CentredRanks(
        np.where(there, sign * (2 * ranks - (m[:, None] + 1)), 0.0), np.sqrt(12 / (m + 1)) / 2, there
    )


def _in_one_order(values: FloatArray, there: BoolArray, sums: FloatArray) -> FloatArray:
    """Reorder the values of each dataset in the order of the column sums."""
    order = np.argsort(sums, kind="stable")
    ordered = np.zeros_like(values)
    for row, value, t in zip(ordered, values, there, strict=True):
        row[order[t[order]]] = np.sort(value[t])
    return ordered


def _column_means(ranks: FloatArray, there: BoolArray) -> FloatArray:
    n = there.sum(axis=0)
    means = np.divide(np.where(there, ranks, 0.0).sum(axis=0), n, out=np.full(len(n), np.nan), where=n > 0)
    return np.asarray(means)


def _reason(there: BoolArray, variance: FloatArray) -> str | None:
    if not len(there):
        return NOTHING_TO_COMPARE
    if not variance.any():
        return ALL_TIED
    group = incomplete_blocks.linked_groups(there[variance > 0])
    if group.any():
        which = "" if incomplete_blocks.linked_groups(there).any() else " with different scores"
        groups = [str(np.flatnonzero(group == first).tolist()) for first in sorted(set(group.tolist()))]
        return (
            f"no dataset{which} links the groups of classifiers {' and '.join(groups)}, so only differences "
            "within the groups are tested"
        )
    return ONE_DATASET if np.count_nonzero(variance) == 1 else None
