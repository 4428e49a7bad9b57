"""Pairwise sign tests of several classifiers over datasets."""

from __future__ import annotations

__all__ = ["PairwiseSignTestResult", "pairwise_sign_test"]

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import IntArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.paired.sign import TIES, sign_test

FIELDS = ("n_wins", "n_losses", "pvalue")
EQUAL = "in {of} pairs, the scores are equal in every row, so there are no wins and losses to test"


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseSignTestResult(PairwiseTestResult):
    """Result of `pairwise_sign_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        Number of wins of classifier i over j, or over the control. With ``ties='split'``, half of the ties are added.
        The wins of j over i are at [j, i], so the matrix is neither symmetric nor antisymmetric. With a control, the
        vector is nan for the control.
    n_wins : ndarray of int, of the same shape
        Number of datasets on which i has the larger score. It is 0 on the diagonal and for the control.
    win_difference : ndarray of int, of the same shape
        Number of wins minus number of losses. It is positive if i wins more often than j (or the control).
    n_ties : ndarray of int, of the same shape
        Number of datasets on which the two classifiers are equal. It is 0 for the control.
    n_datasets : int
        Number of datasets.
    min_attainable_pvalue : float
        The minimum attainable adjusted p-value of a pair in a table with the same shape as the scores. It is attained
        if, in every compared pair, one classifier wins on all datasets.
    ties : str
        ``'drop'``, ``'split'`` or ``'keep'``.
    tie_tolerance : float
        Relative difference below which two scores are treated as equal.
    """

    n_wins: IntArray
    win_difference: IntArray
    n_ties: IntArray
    n_datasets: int
    min_attainable_pvalue: float
    ties: str
    tie_tolerance: float


def pairwise_sign_test(
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
    ties: str = "drop",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PairwiseSignTestResult:
    """Test which pairs of classifiers differ in the number of wins over datasets (sign tests).

    The null hypothesis for a pair is that either classifier is equally likely to be better on a dataset on which the
    two differ. Each pair is tested with `sign_test`, and the p-values are adjusted for all compared pairs. Unlike in
    tests of mean ranks, the unadjusted p-value of a pair does not depend on the other classifiers in the table.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two classifiers, in any unit. Leading axes are
        batch dimensions, and each member is a separate family.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: a win over the control is more likely than a loss. A one-sided alternative needs a control.
    ties : {'drop', 'split', 'keep'}, default: 'drop'
        Treatment of ties, as in `sign_test`: ties are ignored, count as half a win and half a loss, or are a third
        outcome.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    PairwiseSignTestResult
        Matrices `statistic`, `pvalue`, `n_wins`, `win_difference` and more. With a control, they are vectors.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, or the scores are not a table. If the control is not a column, the
        alternative is one-sided without a control, or an option is unknown.

    See Also
    --------
    sign_test : the test of one pair, with a confidence interval for the probability of a win.
    pairwise_wilcoxon_test : tests that also use the sizes of the differences.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30, section 3.1.4.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> from evalstats.pairwise import pairwise_sign_test
    >>> scores = [[7, 5, 6], [9, 6, 8], [8, 5, 9], [6, 4, 5], [9, 5, 5], [7, 6, 4], [8, 7, 7], [5, 1, 2], [6, 3, 5]]
    >>> result = pairwise_sign_test(scores)
    >>> result.win_difference
    array([[ 0,  9,  7],
           [-9,  0, -5],
           [-7,  5,  0]])
    >>> result.pvalue.round(4)
    array([[1.    , 0.0117, 0.0781],
           [0.0117, 1.    , 0.125 ],
           [0.0781, 0.125 , 1.    ]])
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance)
    family = which_pairs.family_of(scores, k, control, adjust, alternative)
    ties = _checks.choice(ties, "ties", TIES)

    pairs = family.pairs
    test = partial(sign_test, alternative=family.alternative, ties=ties, tie_tolerance=tie_tolerance)
    wins, losses, pvalue = which_pairs.tested(pairs, matrix.swapaxes(-1, -2), test, FIELDS, which_pairs.NUMBERS_AT_ONCE)
    n_ties = n - wins - losses
    half = 0.5 if ties == "split" else 0.0

    smallest = test(np.ones(n), np.zeros(n)).min_attainable_pvalue
    return family.result(
        PairwiseSignTestResult,
        statistic=pairs.placed(wins + half * n_ties, losses + half * n_ties, half * n),
        unadjusted=pairs.shared(pvalue, 1.0),
        method="trinomial" if ties == "keep" else "binomial",
        reason=which_pairs.reason_of_pairs({EQUAL: n_ties == n}),
        n_wins=pairs.placed(wins, losses, 0),
        win_difference=pairs.placed(wins - losses, losses - wins, 0),
        n_ties=pairs.shared(n_ties, n),
        n_datasets=n,
        min_attainable_pvalue=which_pairs.smallest_adjusted(smallest, family),
        ties=ties,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_sign_test,
        data=Data.TABLE,
        inputs={"scores, adjust, control, alternative": Draw("family_in_one_unit"), "ties": ("drop", "split", "keep")},
        sentence="Sign tests of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)
