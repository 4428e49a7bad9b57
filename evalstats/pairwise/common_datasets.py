"""Pairwise tests with missing scores, where each pair is compared on the datasets with scores of both classifiers."""

from __future__ import annotations

__all__ = ["CommonDatasetsTestResult", "common_datasets_test", "of_common_datasets"]

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray, IndexArray, IntArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.multiple.incomplete_blocks import incomplete_scores
from evalstats.paired.sign import sign_test
from evalstats.paired.wilcoxon import EXACT_UP_TO, wilcoxon_test

NOTHING_COMMON = "in {of} pairs, there is no common dataset"
EQUAL = "in {of} pairs, the scores are equal on every common dataset, so there is no difference to test"


@dataclass(frozen=True, kw_only=True, eq=False)
class CommonDatasetsTestResult(PairwiseTestResult):
    """Result of `common_datasets_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (k, k), or (k,) with a control
        W+ of classifier i against j, or the number of wins of i. It is nan for pairs without a common dataset, on the
        diagonal, and for the control.
    pvalue : ndarray of the same shape
        p-values adjusted for all compared pairs. The matrix is symmetric, with 1 on the diagonal. The p-values are nan
        for the control, and for pairs without a common dataset. The hypothesis for such a pair counts in the family as
        not rejected.
    method : str
        ``'exact'`` or ``'asymptotic'`` for Wilcoxon tests, ``'binomial'`` for sign tests.
    test : {'wilcoxon', 'sign'}
        The test of each pair.
    effect : ndarray of the same shape
        The rank-biserial correlation, or wins minus losses for sign tests. It is positive if i has the larger scores.
    n_common : ndarray of int, of the same shape
        Number of datasets on which both classifiers have a score. It is 0 for the control.
    n_datasets : int
        Number of datasets.
    min_attainable_pvalue : float
        A lower bound for the adjusted p-values of all pairs in a table with the same missing scores. It is nan if no
        two classifiers have a common dataset.
    tie_tolerance : float
        The value of the argument.
    """

    test: str
    effect: FloatArray
    n_common: IntArray
    n_datasets: int
    min_attainable_pvalue: float
    tie_tolerance: float


def common_datasets_test(
    scores: Any,
    *,
    test: str = "wilcoxon",
    control: Any = None,
    adjust: str = "holm",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> CommonDatasetsTestResult:
    """Test which pairs of classifiers differ over the datasets on which both classifiers have scores.

    The null hypothesis for a pair is the null hypothesis of `wilcoxon_test` or `sign_test`. Whether a score is missing
    must not depend on its value. For a complete table, the results equal the results of `pairwise_wilcoxon_test` or
    `pairwise_sign_test`.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_classifiers)
        One row per dataset and one column per classifier. The value nan marks a missing score.
    test : {'wilcoxon', 'sign'}, default: 'wilcoxon'
        The test of each pair.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    CommonDatasetsTestResult

    Examples
    --------
    >>> from evalstats.pairwise.common_datasets import common_datasets_test
    >>> nan = float("nan")
    >>> scores = [[7, 5, 6], [9, 6, nan], [8, 5, 7], [6, nan, 2], [9, 4, 3], [7, 1, 1]]
    >>> result = common_datasets_test(scores)
    >>> result.n_common[0]
    array([6, 5, 5])
    >>> result.pvalue[0]
    array([1.    , 0.1875, 0.1875])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = incomplete_scores(scores)
    if matrix.ndim != 2:
        raise InvalidValueError(
            f"scores must have the shape (n_datasets, n_classifiers), but it has the shape {matrix.shape}"
        )
    k = matrix.shape[1]
    test = _checks.choice(test, "test", ("wilcoxon", "sign"))
    family = which_pairs.family_of(scores, k, control, adjust)

    method = "binomial" if test == "sign" else "exact" if len(matrix) <= EXACT_UP_TO else "asymptotic"
    pairs = family.pairs
    there = (~np.isnan(matrix)).T
    shared = there.astype(np.int64) @ there.T
    n_common = shared[pairs.i, pairs.j]
    of_pairs = np.full((6, len(pairs.i)), np.nan)
    for at, x, y in of_common_datasets(matrix.T[pairs.i], matrix.T[pairs.j]):
        for row, values in zip(of_pairs, _tested(x, y, test, method, tie_tolerance), strict=True):
            row[at] = values
    of_i, of_j, pvalue, effect, smallest, n_different = of_pairs

    # all adjustments for pairs start like Holm's method
    adjust = "holm" if family.adjust in PAIRWISE_ONLY else family.adjust
    best = which_pairs.adjusted_family(pairs.shared(smallest, 1.0), adjust, pairs.control)
    return family.result(
        CommonDatasetsTestResult,
        statistic=pairs.placed(of_i, of_j, np.nan),
        unadjusted=pairs.shared(pvalue, 1.0),
        method=method,
        reason=which_pairs.reason_of_pairs({NOTHING_COMMON: n_common == 0, EQUAL: n_different == 0}),
        test=test,
        effect=pairs.opposed(effect),
        n_common=shared if pairs.control is None else pairs.shared(n_common),
        n_datasets=len(matrix),
        min_attainable_pvalue=float(np.fmin.reduce(pairs.taken(best))),
        tie_tolerance=tie_tolerance,
    )


def of_common_datasets(x: FloatArray, y: FloatArray) -> Iterator[tuple[IndexArray, FloatArray, FloatArray]]:
    """Group pairs of samples, (n_pairs, n) with nan, by their number of common values, and yield them.

    Pairs without common values are omitted.
    """
    common = ~(np.isnan(x) | np.isnan(y))
    sizes = common.sum(axis=1)
    for n in np.unique(sizes[sizes > 0]):
        at = np.flatnonzero(sizes == n)
        own = common[at]
        yield at, x[at][own].reshape(len(at), n), y[at][own].reshape(len(at), n)


def _tested(x: FloatArray, y: FloatArray, test: str, method: str, tie_tolerance: float) -> tuple[Any, ...]:
    """Return the statistic in both directions, p, effect, minimum attainable p, and the number of differences."""
    ahead = np.ones(x.shape[1]), np.zeros(x.shape[1])
    if test == "sign":
        sign = sign_test(x, y, tie_tolerance=tie_tolerance)
        wins, losses = sign.n_wins, sign.n_losses
        return wins, losses, sign.pvalue, wins - losses, sign_test(*ahead).min_attainable_pvalue, wins + losses
    signed = wilcoxon_test(x, y, method=method, tie_tolerance=tie_tolerance)
    n = x.shape[1] - signed.n_zero
    other = n * (n + 1) / 2 - signed.statistic
    smallest = wilcoxon_test(*ahead, method=method).min_attainable_pvalue
    return signed.statistic, other, signed.pvalue, signed.rank_biserial, smallest, n
