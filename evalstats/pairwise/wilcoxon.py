"""Pairwise Wilcoxon signed-rank tests of several classifiers over datasets."""

from __future__ import annotations

__all__ = ["PairwiseWilcoxonTestResult", "pairwise_wilcoxon_test"]

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray, IntArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.wilcoxon import EXACT_UP_TO, RANKS_AT_ONCE, smallest_exact_pvalue, wilcoxon_test

FIELDS = ("statistic", "pvalue", "z", "rank_biserial", "n_zero")
# limits: more differences take minutes with ties; with at most this number of datasets, the normal tail is inaccurate
MOST_EXACT, SMALL = 10_000_000, 60
EQUAL = "in {of} pairs, the scores are equal in every row, so there is no difference to test"


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseWilcoxonTestResult(PairwiseTestResult):
    """Result of `pairwise_wilcoxon_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        W+ of classifier i against j, or against the control: the sum of the ranks of the datasets on which i has the
        larger score. The element [j, i] contains W+ of j against i, which is the sum of the remaining ranks. With a
        control, the vector is nan for the control.
    method : str or ndarray of str
        ``'exact'`` or ``'asymptotic'``: the null distribution for all pairs of a family.
    rank_biserial : ndarray of the same shape
        Matched-pairs rank-biserial correlation, from -1 to 1. It is positive if i has the larger scores, 0 on the
        diagonal, and nan for the control.
    z : ndarray of the same shape
        Standardized statistic of the normal approximation, with the chosen continuity correction.
    n_zero : ndarray of int, of the same shape
        Number of datasets on which the two classifiers are equal. It is 0 for the control.
    n_datasets : int
        Number of datasets.
    min_attainable_pvalue : float
        The minimum attainable adjusted p-value of a pair in a table with the same shape as the scores. It is attained
        if, in every compared pair, one classifier wins on all datasets by the same amount.
    zero_method, correction, tie_tolerance : str, bool, float
        The values of the arguments. Only ``'asymptotic'`` uses the correction.
    """

    rank_biserial: FloatArray
    z: FloatArray
    n_zero: IntArray
    n_datasets: int
    min_attainable_pvalue: float
    zero_method: str
    correction: bool
    tie_tolerance: float


def pairwise_wilcoxon_test(
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
    zero_method: str = "wilcox",
    method: str = "auto",
    correction: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PairwiseWilcoxonTestResult:
    """Test which pairs of classifiers differ over datasets (Wilcoxon signed-rank tests).

    The null hypothesis for a pair is that the differences between the two classifiers are symmetric around zero. Each
    pair is tested with `wilcoxon_test`, and the p-values are adjusted for all compared pairs. Unlike in tests of mean
    ranks, the unadjusted p-value of a pair does not depend on the other classifiers in the table.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two classifiers. The differences on different
        datasets must be comparable. Leading axes are batch dimensions, and each member is a separate family.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the scores are larger than the scores of the control. A one-sided alternative needs a control.
    zero_method : {'wilcox', 'pratt', 'zsplit'}, default: 'wilcox'
        Treatment of zero differences, as in `wilcoxon_test`.
    method : {'auto', 'exact', 'asymptotic'}, default: 'auto'
        The null distribution, which is the same for all pairs. ``'auto'``: exact for up to 10,000 datasets or, if all
        pairs together have more than 10 million differences, for up to 60 datasets.
    correction : bool, default: True
        Continuity correction of the normal approximation, as in `wilcoxon_test`.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    PairwiseWilcoxonTestResult
        Matrices `statistic`, `pvalue`, `rank_biserial` and more. With a control, they are vectors.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, the scores are not a table, or a difference overflows. If the control is not
        a column, the alternative is one-sided without a control, or an option is unknown.

    See Also
    --------
    wilcoxon_test : the test of one pair, with the Hodges-Lehmann estimate and its interval.
    pairwise_sign_test : tests that use only wins and losses.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.

    Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc tests based on mean-ranks? Journal of
    Machine Learning Research 17, 1-10.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> from evalstats import pairwise_wilcoxon_test
    >>> scores = [[70, 51, 64], [90, 62, 81], [80, 55, 91], [60, 48, 55], [90, 57, 52], [70, 64, 43], [80, 73, 72]]
    >>> result = pairwise_wilcoxon_test(scores)
    >>> result.statistic
    array([[ 0., 28., 23.],
           [ 0.,  0.,  9.],
           [ 5., 19.,  0.]])
    >>> result.rank_biserial[0].round(3)
    array([0.   , 1.   , 0.643])
    >>> result.pvalue.round(4)
    array([[1.    , 0.0469, 0.3125],
           [0.0469, 1.    , 0.4688],
           [0.3125, 0.4688, 1.    ]])
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance)
    family = which_pairs.family_of(scores, k, control, adjust, alternative)
    zero_method = _checks.choice(zero_method, "zero_method", ("wilcox", "pratt", "zsplit"))
    method = _checks.choice(method, "method", ("auto", "exact", "asymptotic"))
    correction = _checks.boolean(correction, "correction")

    pairs = family.pairs
    if method == "auto":
        method = "exact" if n <= (EXACT_UP_TO if len(pairs.i) * n <= MOST_EXACT else SMALL) else "asymptotic"
    test = partial(
        wilcoxon_test,
        alternative=family.alternative,
        zero_method=zero_method,
        method=method,
        correction=correction,
        tie_tolerance=tie_tolerance,
    )
    w, pvalue, z, rank_biserial, n_zero = which_pairs.tested(
        pairs, matrix.swapaxes(-1, -2), test, FIELDS, RANKS_AT_ONCE
    )

    if method == "exact":
        smallest = float(tails.as_pvalue(smallest_exact_pvalue(np.array(n), family.alternative)))
    else:
        smallest = test(np.ones(n), np.zeros(n)).min_attainable_pvalue
    return family.result(
        PairwiseWilcoxonTestResult,
        statistic=pairs.placed(
            w, _rank_sum(n, n_zero, zero_method) - w, float(_rank_sum(n, np.array(n), zero_method)) / 2
        ),
        unadjusted=pairs.shared(pvalue, 1.0),
        method=method,
        reason=which_pairs.reason_of_pairs({EQUAL: n_zero == n}),
        rank_biserial=pairs.opposed(rank_biserial),
        z=pairs.opposed(z),
        n_zero=pairs.shared(n_zero, n),
        n_datasets=n,
        min_attainable_pvalue=which_pairs.smallest_adjusted(smallest, family),
        zero_method=zero_method,
        correction=correction,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_wilcoxon_test,
        data=Data.TABLE,
        excused=OF_SIZES,
        sentence="Wilcoxon signed-rank tests of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)


def _rank_sum(n: int, n_zero: IntArray, zero_method: str) -> FloatArray:
    """Return the sum of all ranks of a pair: W+ plus W-."""
    if zero_method == "zsplit":
        return np.full(n_zero.shape, n * (n + 1) / 2)
    if zero_method == "pratt":
        return (n * (n + 1) - n_zero * (n_zero + 1)) / 2
    return (n - n_zero) * (n - n_zero + 1) / 2
