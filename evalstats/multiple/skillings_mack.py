"""Skillings and Mack's test: do several classifiers differ over many datasets, though some scores are missing?"""

from __future__ import annotations

__all__ = ["SkillingsMackTestResult", "skillings_mack_test"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalstats import _checks
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import HypothesisTestResult, unbatch
from evalstats.distributions import tails
from evalstats.multiple.incomplete_blocks import (
    AUTO_SEED,
    METHODS_BESIDE,
    choose_method,
    incomplete_scores,
    inverse_covariance,
    linked_groups,
    monte_carlo_tail,
    observed_ranks,
    quadratic_form,
)
from evalstats.multiple.rank_sum_pvalues import ALL_TIED, SMALLEST_FLOAT

FloatArray = NDArray[np.float64]

NOTHING_TO_COMPARE = "no dataset has two scores to compare"
ONE_DATASET = "with one dataset all orders of the classifiers are equally extreme"


@dataclass(frozen=True, kw_only=True, eq=False)
class SkillingsMackTestResult(HypothesisTestResult):
    """Whether several classifiers differ where scores are missing; see `skillings_mack_test`.

    Attributes
    ----------
    statistic : float or ndarray
        `chi2`.
    pvalue : float or ndarray
        The p-value by the method that `method` names.
    alternative : str
        Always ``'two-sided'``.
    method : str or ndarray of str
        The null distribution really used: ``'chi2'`` or ``'monte-carlo'``.
    reason : str, None or ndarray of object
        None, or a sentence when the input was degenerate or falls into parts that no dataset links.
    df : int or ndarray of int
        The rank of the covariance: k minus the number of groups that datasets link; k - 1 if they link all classifiers.
    chi2, chi2_pvalue : float or ndarray
        The statistic corrected for ties, and its p-value by the chi-squared distribution.
    chi2_uncorrected : float or ndarray
        The statistic as Skillings & Mack give it, with the covariance that holds without ties.
    adjusted_rank_sums : ndarray of shape (..., n_classifiers)
        Skillings & Mack's weighted sums of centred ranks; negative where a classifier ranks better than the others.
    mean_ranks : ndarray of shape (..., n_classifiers)
        Mean rank of each classifier among the scores of its datasets, 1 for the best; nan where it has none. They
        are not comparable if datasets have different numbers of scores.
    n_datasets, n_classifiers : int
        Shape of the table.
    n_missing : int or ndarray of int
        Number of missing scores.
    dropped_datasets : tuple of int or ndarray of object
        Rows left out because they have fewer than two scores.
    smallest_pvalue : float or ndarray
        The p-value, by the method used, if every dataset had ordered its classifiers by their adjusted rank sums; the
        p-value itself where that is smaller.
    n_resamples : int, None or ndarray of object
        Number of random arrangements; None where `method` is not ``'monte-carlo'``.
    tie_tolerance : float
        The relative precision to which scores were rounded before they were compared.
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
    smallest_pvalue: Any
    n_resamples: Any
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
    """Tell whether several classifiers differ over many datasets when some scores are missing.

    The null hypothesis: on every dataset all orders of the classifiers that it has are equally likely. What is missing
    must not depend on how good it would have been: a run that failed because the classifier is bad is no missing score.
    Every score of a dataset with two or more is used. On a complete table this is Friedman's test.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset, one column per classifier, at least two columns and one row; nan where a score is missing.
        Leading axes are a batch of tables, each with missing scores of its own.
    method : {'auto', 'chi2', 'monte-carlo'}, default: 'auto'
        The null distribution.

        ``'monte-carlo'``: random orders of the observed ranks within every dataset, ties included; right for every
        table, with a random error.

        ``'chi2'``: for many datasets.

        ``'auto'``: chi2 from 20 datasets on that do not tie all classifiers they have, Monte Carlo below.
    n_resamples : int, default: 9999
        Number of random orders for Monte Carlo; the p-value is never below 1 / (n_resamples + 1).
    rng : None, int or numpy.random.Generator, optional
        Source of the random orders; every table of a batch starts from it. Where ``'auto'`` comes to Monte Carlo, None
        means the seed 0.
    greater_is_better : bool, default: True
        False for losses and error rates: then the smallest score gets rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied; 0 compares bits.

    Returns
    -------
    SkillingsMackTestResult
        The statistic with and without correction for ties, and which datasets were left out.

    Raises
    ------
    InvalidValueError
        If scores hold infinities or are not a table, or an option is unknown.

    See Also
    --------
    durbin_test : for balanced designs; without ties the same statistic, and an F form.
    friedman_test : for complete tables, exactly where that is affordable.

    Notes
    -----
    If no dataset links some classifiers to the others, directly or through further ones, only differences within the
    linked groups are tested: `df` is smaller, and `reason` names the groups.

    Skillings & Mack's covariance holds without ties; it makes the test conservative with them. Here the covariance is
    that of the observed ranks. Without ties the two are one.

    References
    ----------
    .. [1] J. H. Skillings, G. A. Mack (1981). On the use of a Friedman-type statistic in balanced and unbalanced block
       designs. Technometrics 23, 171-177.
    .. [2] M. Chatfield, A. Mander (2009). The Skillings-Mack test (Friedman test when there are missing data). Stata
       Journal 9, 299-305.

    Examples
    --------
    >>> from evalstats import skillings_mack_test
    >>> nan = float("nan")
    >>> scores = [
    ...     [0.81, 0.79, 0.70], [0.64, nan, 0.60], [0.72, 0.70, nan], [0.93, 0.90, 0.91], [nan, 0.55, 0.52],
    ...     [0.78, 0.70, 0.66],
    ... ]
    >>> result = skillings_mack_test(scores)
    >>> print(f"{result.statistic:.3f} on {result.df} df, p = {result.pvalue:.3f} ({result.method})")
    7.053 on 2 df, p = 0.026 (monte-carlo)
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = incomplete_scores(scores)
    method = _checks.choice(method, "method", METHODS_BESIDE)
    n_resamples = _checks.count(n_resamples, "n_resamples")
    if rng is not None:
        _checks.generator(rng)
    ranks = observed_ranks(matrix, _checks.boolean(greater_is_better, "greater_is_better"), tie_tolerance)
    shape, (n, k) = ranks.shape[:-2], ranks.shape[-2:]

    tables = [_test(table, method, n_resamples, rng) for table in ranks.reshape(-1, n, k)]

    fields: dict[str, Any] = {}
    for name in _Table._fields:
        values = [getattr(table, name) for table in tables]
        fields[name] = np.empty(len(values), dtype=object)
        fields[name][:] = values
        if name not in ("reason", "dropped_datasets", "n_resamples"):
            fields[name] = np.array(values)
        fields[name] = fields[name].reshape(shape + fields[name].shape[1:])
    return SkillingsMackTestResult(
        **{name: unbatch(values) for name, values in fields.items()},
        statistic=unbatch(fields["chi2"]),
        alternative="two-sided",
        n_datasets=n,
        n_classifiers=k,
        tie_tolerance=tie_tolerance,
    )


class _Table(NamedTuple):
    """The result for one table."""

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
    smallest_pvalue: float
    n_resamples: int | None


def _test(ranks: FloatArray, method: str, n_resamples: int, rng: Any) -> _Table:
    there = ~np.isnan(ranks)
    n_scores = there.sum(axis=1)
    used = n_scores > 1
    ranks, there, m = ranks[used], there[used], n_scores[used]
    values = _weighted_ranks(ranks, there, m)
    sums = values.sum(axis=0)

    variance = (values**2).sum(axis=1) / (m - 1)
    inverse = inverse_covariance(there, variance)
    statistics = quadratic_form(np.stack([sums, _in_one_order(values, there, sums).sum(axis=0)]), inverse)
    statistics[1] = statistics.max()
    df = ranks.shape[1] - len(set(linked_groups(there[variance > 0]).tolist()))

    null = choose_method(method, int((variance > 0).sum()))
    chi2_pvalues = np.maximum(tails.chi2_right_tail(statistics, df), SMALLEST_FLOAT) if df else np.ones(2)
    pvalues = chi2_pvalues
    if null == "monte-carlo":
        generator = _checks.generator(AUTO_SEED if method == "auto" and rng is None else rng)
        pvalues = monte_carlo_tail(values, there, inverse, statistics, n_resamples, generator)

    return _Table(
        pvalue=float(pvalues[0]),
        method=null,
        reason=_reason(there, variance),
        df=df,
        chi2=float(statistics[0]),
        chi2_pvalue=float(chi2_pvalues[0]),
        chi2_uncorrected=float(quadratic_form(sums, inverse_covariance(there, m.astype(np.float64)))),
        adjusted_rank_sums=sums,
        mean_ranks=_column_means(ranks, there),
        n_missing=int((len(n_scores) * ranks.shape[1]) - n_scores.sum()),
        dropped_datasets=tuple(np.flatnonzero(~used).tolist()),
        smallest_pvalue=float(pvalues[1]),
        n_resamples=n_resamples if null == "monte-carlo" else None,
    )


def _weighted_ranks(ranks: FloatArray, there: NDArray[np.bool_], m: NDArray[np.int64]) -> FloatArray:
    """sqrt(12 / (m + 1)) (r - (m + 1) / 2), 0 where missing: Skillings & Mack (1981), section 2."""
    centred = np.where(there, ranks - (m[:, None] + 1) / 2, 0.0)
    return centred * np.sqrt(12 / (m[:, None] + 1))


def _in_one_order(values: FloatArray, there: NDArray[np.bool_], sums: FloatArray) -> FloatArray:
    """Give the values of each dataset to its classifiers in the order of the column sums."""
    order = np.argsort(sums, kind="stable")
    ordered = np.zeros_like(values)
    for row, value, t in zip(ordered, values, there, strict=True):
        row[order[t[order]]] = np.sort(value[t])
    return ordered


def _column_means(ranks: FloatArray, there: NDArray[np.bool_]) -> FloatArray:
    n = there.sum(axis=0)
    means = np.divide(np.where(there, ranks, 0.0).sum(axis=0), n, out=np.full(len(n), np.nan), where=n > 0)
    return np.asarray(means)


def _reason(there: NDArray[np.bool_], variance: FloatArray) -> str | None:
    if not len(there):
        return NOTHING_TO_COMPARE
    if not variance.any():
        return ALL_TIED
    group = linked_groups(there[variance > 0])
    if group.any():
        which = "" if linked_groups(there).any() else " that tells any classifiers apart"
        groups = [str(np.flatnonzero(group == first).tolist()) for first in sorted(set(group.tolist()))]
        return (
            f"no dataset{which} links the groups of classifiers {' and '.join(groups)}, so that only differences "
            f"within them are tested"
        )
    return ONE_DATASET if np.count_nonzero(variance) == 1 else None
