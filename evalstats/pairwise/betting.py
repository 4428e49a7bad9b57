"""Tests of all pairs of classifiers by betting, which are valid under optional stopping."""

from __future__ import annotations

__all__ = ["PairwiseBettingTestResult", "pairwise_betting_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import BoolArray, FloatArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.e_values import METHODS, adjust_e_values
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.betting import WIDEST, betting_test

FIELDS = ("statistic", "e_value", "reason")
EQUAL = "in {of} pairs, the scores are equal in every row"


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseBettingTestResult(PairwiseTestResult):
    """Result of `pairwise_betting_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        Mean score of i minus the mean score of j or of the control.
    pvalue : ndarray of the same shape
        1 / `adjusted_e_value`, at most 1. The matrix is symmetric and 1 on the diagonal. With a control, the vector is
        nan for the control.
    unadjusted_pvalue : ndarray of the same shape
        1 / `e_value`, at most 1.
    e_value, adjusted_e_value : ndarray of the same shape
        Evidence against equal means after the last row: the e-value of each pair, and the e-value adjusted for all
        compared pairs. Both are 1 on the diagonal.
    rejected : ndarray of bool, of the same shape
        Whether `adjusted_e_value` is at least 1 / alpha.
    n_datasets : int
        Number of rows.
    alpha : float
        Significance level for which the bets are optimized, and at which hypotheses are rejected.
    bounds : tuple of float
        Smallest and largest possible difference.
    max_bet : float
        Largest fraction of the capital that a bet may lose.
    caution : str or None
        For e-BH, a sentence stating that the false discovery rate refers to the current e-values; otherwise None.
    tie_tolerance : float
        Relative difference below which two scores are treated as equal.
    """

    e_value: FloatArray
    adjusted_e_value: FloatArray
    rejected: BoolArray
    n_datasets: int
    alpha: float
    bounds: tuple[float, float]
    max_bet: float
    caution: str | None
    tie_tolerance: float


def pairwise_betting_test(
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "e-holm",
    alternative: str = "two-sided",
    bounds: tuple[float, float] = WIDEST,
    alpha: float = 0.05,
    max_bet: float = 0.5,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PairwiseBettingTestResult:
    """Test which pairs of classifiers differ in mean score, with tests that may be repeated at any time.

    The null hypothesis for a pair is that the expected next difference, given all earlier rows, is 0. Each pair is
    tested with `betting_test`, and the e-values of all compared pairs are adjusted. With e-Holm, the probability of
    rejecting at least one true null hypothesis is at most alpha at any stopping time. You may test after every batch
    and stop as soon as the result is clear.

    Parameters
    ----------
    scores : array_like of shape (..., n, n_classifiers)
        One row per question, instance, dataset or run, in chronological order, and one column per classifier. A value
        is True or False for a correct or incorrect answer, or a score. The order of the rows must not depend on the
        scores. Leading axes are batch dimensions, and each member is a separate family.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : {'e-holm', 'e-bh'}, default: 'e-holm'
        A method of `adjust_e_values`: it controls the family-wise error rate at any stopping time (``'e-holm'``), or
        the false discovery rate of the current e-values (``'e-bh'``).
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean of the classifier is larger than the mean of the control. A one-sided alternative needs
        a control.
    bounds : tuple of float, default: (-1, 1)
        Smallest and largest possible difference of two scores. The bounds must be known without the scores.
    alpha : float, default: 0.05
        Significance level of all pairs together. The bets are optimized for this level, so choose the level before you
        see the scores.
    max_bet : float, default: 0.5
        Largest fraction of the capital that one bet may lose, between 0 and 1. Choose the fraction before you see the
        scores.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    PairwiseBettingTestResult
        Matrices `statistic`, `pvalue`, `e_value`, `adjusted_e_value` and `rejected`. With a control, they are vectors.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, a difference is outside the bounds, or the scores are not a table. If the
        control is not a column, the alternative is one-sided without a control, or an option is unknown.

    See Also
    --------
    betting_test : the test of one pair, with an interval after any number of rows.
    adjust_e_values : the adjustment, for e-values of any kind.
    pairwise_max_t_test : a test with more power, for a number of rows that is fixed in advance.

    Notes
    -----
    The adjustment uses the e-values after the last row. With more rows, e-values may decrease. With e-Holm, you may
    keep a rejection after an earlier batch, because the family-wise error rate is controlled over all repeated tests
    together. With e-BH, you may not keep an earlier rejection.

    References
    ----------
    Waudby-Smith, I. & Ramdas, A. (2024). Estimating means of bounded random variables by betting. Journal of the Royal
    Statistical Society, Series B 86, 1-27, Theorem 3.

    Vovk, V. & Wang, R. (2021). E-values: calibration, combination and applications. Annals of Statistics 49, 1736-1754.

    Hartog, W. & Lei, L. (2025). Family-wise error rate control with e-values. arXiv 2501.09015.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.pairwise import pairwise_betting_test
    >>> right = np.random.default_rng(1).random((1240, 3)) < [0.85, 0.75, 0.74]
    >>> result = pairwise_betting_test(right)
    >>> result.rejected
    array([[False,  True,  True],
           [ True, False, False],
           [ True, False, False]])
    """
    matrix, _, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance)
    method = _checks.choice(adjust, "adjust", METHODS)
    family = which_pairs.family_of(scores, k, control, "none", alternative)._replace(adjust=method)
    choices: dict[str, Any] = {"bounds": bounds, "alpha": alpha, "max_bet": max_bet, "tie_tolerance": tie_tolerance}

    def test(x: FloatArray, y: FloatArray) -> Any:
        return betting_test(x, y, alternative=family.alternative, **choices)

    pairs, by_classifier = family.pairs, matrix.swapaxes(-1, -2)
    mean, e_value, reason = which_pairs.tested(pairs, by_classifier, test, FIELDS, which_pairs.NUMBERS_AT_ONCE)
    adjusted, is_rejected = np.empty(e_value.shape), np.empty(e_value.shape, dtype=bool)
    for at in np.ndindex(e_value.shape[:-1]):
        found = adjust_e_values(e_value[at], method=method, alpha=alpha)
        adjusted[at], is_rejected[at] = found.adjusted, found.rejected

    game = test(np.zeros(1), np.zeros(1))
    return family.result(
        PairwiseBettingTestResult,
        statistic=pairs.opposed(mean),
        unadjusted=pairs.shared(_as_pvalue(e_value), 1.0),
        adjusted=pairs.shared(_as_pvalue(adjusted), 1.0),
        method="betting",
        reason=which_pairs.reason_of_pairs({EQUAL: reason.astype(bool)}),
        e_value=pairs.shared(e_value, 1.0),
        adjusted_e_value=pairs.shared(adjusted, 1.0),
        rejected=pairs.shared(is_rejected, False),
        n_datasets=matrix.shape[-2],
        alpha=game.alpha,
        bounds=game.bounds,
        max_bet=game.max_bet,
        caution=found.caution,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_betting_test,
        data=Data.TABLE,
        example={"bounds": (-100.0, 100.0)},
        excused=OF_SIZES | {"units and zero": "its bounds have the unit of the scores"},
        sentence="Tests by betting of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)


def _as_pvalue(e_values: FloatArray) -> FloatArray:
    """Convert e-values to p-values: 1 / e, limited to at most 1 and to more than 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(tails.as_pvalue(np.minimum(1 / e_values, 1.0)))
