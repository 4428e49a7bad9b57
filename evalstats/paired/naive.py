"""For comparison only: what would the t-test say if the folds of a cross-validation were independent?"""

from __future__ import annotations

__all__ = ["NaiveResampledTTestResult", "naive_resampled_ttest"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, SIDES, Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import HypothesisTestResult
from evalstats.paired.ttest import CONSTANT_OVER_FOLDS, in_units_of, mean_and_sd, pvalue_and_reason


@dataclass(frozen=True, kw_only=True, eq=False)
class NaiveResampledTTestResult(HypothesisTestResult):
    """What `naive_resampled_ttest` returns; ``statistic, pvalue = result`` works.

    There is no interval: it would be too short by the same factor as the standard error.

    Attributes
    ----------
    statistic : float or ndarray
        Mean difference in standard errors that are too small; positive where x has the higher mean.
    pvalue : float or ndarray
        Too small; nan where x and y differ by the same amount in every fold.
    df : int
        Degrees of freedom, one less than the scores.
    n_scores : int
        Number of fold scores of each classifier.
    mean_difference : float or ndarray
        Mean of x - y over the folds, in the unit of the scores.
    standard_error : float or ndarray
        What the standard error of the mean difference would be if the folds were independent.
    tie_tolerance : float
        Relative precision at which two differences are the same.
    """

    df: int
    n_scores: int
    mean_difference: Any
    standard_error: Any
    tie_tolerance: float


def naive_resampled_ttest(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> NaiveResampledTTestResult:
    """Tell what the t-test would say if the scores of resampled folds were independent; for comparison only.

    They are not, since their training sets overlap, and the p-value is too small: do not report it. The test is here
    because many papers and programs have it, so that its numbers can be recomputed and compared with those of
    `corrected_ttest`, the test to take. One function serves random splits, the k folds of a cross-validation, and the
    folds of repeated ones: their naive tests have one formula and differ in how wrong they are.

    Where the null hypothesis holds and the correction is right about the correlation of the folds, this test rejects at
    level .05 with probability

    ===================================  =====
    30 random splits, 2/3 to train on      .61
    10-fold cross-validation               .15
    10 times 10-fold cross-validation      .57
    ===================================  =====

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 folds. Leading axes are a batch and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean of x is larger; ``'less'``: smaller.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are the same; 0 compares bits.
        It only decides whether the differences have any variance.

    Returns
    -------
    NaiveResampledTTestResult
        t and the p-value that is too small.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, hold nan or infinity, or if an option is unknown.

    See Also
    --------
    corrected_ttest : the same with the right standard error.
    paired_ttest : the same formula for scores of different datasets.

    Notes
    -----
    With n scores whose differences have the correlation rho, the mean varies 1 + n rho / (1 - rho) times as much as the
    formula says; the correction of Nadeau & Bengio takes rho = n_test / (n_train + n_test). Dietterich found that the
    test should never be used on random splits, and that on 10 folds it rejects somewhat too often.

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification learning algorithms.
    Neural Computation 10, 1895-1923.

    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Examples
    --------
    Five folds of 100 cases; the corrected test has p = 0.227.

    >>> from evalstats import naive_resampled_ttest
    >>> result = naive_resampled_ttest([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
    >>> print(f"t = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.3f}")
    t = 2.138, df = 4, p = 0.099
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = _checks.paired(x, y, minimum=2)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    n = x.shape[-1]
    mean, sd = mean_and_sd(x, y, tie_tolerance)
    standard_error = sd / np.sqrt(n)
    statistic = np.sqrt(n) * in_units_of(sd, mean)

    pvalue, reason = pvalue_and_reason(statistic, sd, n - 1, alternative, CONSTANT_OVER_FOLDS)

    return NaiveResampledTTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(mean.shape, "t"),
        reason=reason,
        df=n - 1,
        n_scores=n,
        mean_difference=mean,
        standard_error=standard_error,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=naive_resampled_ttest,
        data=Data.PAIRS,
        excused=OF_SIZES,
        inputs={"x, y": Draw("pairs", {"smallest": 2})} | SIDES,
        simulations={"independent scores": {}},
        sentence=(
            "Naive resampled t-test, for comparison only since its p-value is too small: mean difference "
            "{mean_difference:short}, {t}, {outcome}"
        ),
    ),
)
