"""The 5x2cv tests: comparison of two classifiers by five repeats of two-fold cross-validation."""

from __future__ import annotations

__all__ = ["FTest5x2cvResult", "TTest5x2cvResult", "ftest_5x2cv", "ttest_5x2cv"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, SIDES, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import HypothesisTestResult, reasons
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.ttest import sd_in_the_unit_of_the_scores

NO_DIFFERENCE = "x and y are equal in every fold"
NO_VARIANCE = (
    "in every repeat, x and y differ by the same amount in both folds, so the differences have no variance and "
    "neither the t nor the F distribution applies; use a test of the predictions, such as McNemar's test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class TTest5x2cvResult(HypothesisTestResult):
    """Result of `ttest_5x2cv`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Difference in the first fold divided by its standard error. It is positive if x is larger.
    pvalue : float or ndarray
        The p-value from the t distribution with 5 degrees of freedom. It is nan if the differences have no variance.
    df : int
        Degrees of freedom: 5.
    first_difference : float or ndarray
        x - y in the first fold of the first repeat, in the unit of the scores.
    mean_difference : float or ndarray
        Mean of x - y over all ten folds, in the unit of the scores. The test does not use this mean.
    standard_error : float or ndarray
        Square root of the mean variance within the repeats, in the unit of the scores.
    statistics_of_all_orderings, pvalues_of_all_orderings : ndarray of shape (..., 5, 2)
        t and p for each choice of the first fold: element [..., i, j] is for fold j of repeat i. Element [..., 0, 0] is
        the result of the test itself.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    df: int
    first_difference: Any
    mean_difference: Any
    standard_error: Any
    statistics_of_all_orderings: FloatArray
    pvalues_of_all_orderings: FloatArray
    tie_tolerance: float


@dataclass(frozen=True, kw_only=True, eq=False)
class FTest5x2cvResult(HypothesisTestResult):
    """Result of `ftest_5x2cv`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean square of the ten differences divided by the mean variance within the repeats.
    pvalue : float or ndarray
        The p-value from the F distribution. It is nan if the differences have no variance.
    df : tuple of int
        Degrees of freedom: 10 and 5.
    mean_difference : float or ndarray
        Mean of x - y over all ten folds, in the unit of the scores. F has no sign. The sign of this mean shows which
        classifier is better.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    df: tuple[int, int]
    mean_difference: Any
    tie_tolerance: float


def ttest_5x2cv(
    x: ArrayLike, y: ArrayLike, *, alternative: str = "two-sided", tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> TTest5x2cvResult:
    """Test whether two classifiers differ in five repeats of two-fold cross-validation (t-test).

    The numerator of t is the difference in the first fold. The other nine differences contribute only to the estimate
    of the variance. The null hypothesis is that the two classifiers, trained on half of the instances, have the same
    expected score. The order of the folds is arbitrary: `statistics_of_all_orderings` shows its effect, and
    `ftest_5x2cv` does not depend on it.

    Parameters
    ----------
    x, y : array_like of shape (..., 5, 2)
        Scores of two classifiers: row i contains the scores of the two folds of repeat i. Leading axes are batch
        dimensions and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger expected score. ``'less'``: x has the smaller expected score.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    TTest5x2cvResult
        t and its p-value. The result also contains the ten t values and p-values that result if each fold in turn is
        the first fold.

    Raises
    ------
    ValueError
        If x or y does not have the shape (..., 5, 2), or contains nan or infinity, or if an option is unknown.

    Notes
    -----
    Let d = x - y. Then t is d[0, 0] / sqrt((s_1^2 + ... + s_5^2) / 5), with 5 degrees of freedom. The variance of the
    two differences in repeat i is s_i^2 = (d[i, 0] - d[i, 1])^2 / 2.

    If all differences are 0, t is 0 and p is 1. If only the variances are 0, t is infinite (or nan if the first
    difference is 0), and p is nan. In both cases, `reason` states the cause.

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification learning
    algorithms. Neural Computation 10, 1895-1923, section 3.5.

    Examples
    --------
    >>> from evalstats import ttest_5x2cv
    >>> x = [[0.82, 0.79], [0.85, 0.80], [0.81, 0.84], [0.83, 0.80], [0.86, 0.79]]
    >>> y = [[0.78, 0.78], [0.80, 0.79], [0.79, 0.80], [0.82, 0.79], [0.80, 0.78]]
    >>> result = ttest_5x2cv(x, y)
    >>> print(f"t = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.3f}")
    t = 1.721, df = 5, p = 0.146
    >>> pvalues = result.pvalues_of_all_orderings
    >>> print(f"with another fold first, p = {pvalues.min():.3f} to {pvalues.max():.3f}")
    with another fold first, p = 0.049 to 0.685
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = _five_by_two(x, y)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    d, variances, exponent = _differences(x, y, tie_tolerance)
    is_equal, has_variance = np.all(d == 0, axis=(-2, -1)), np.any(variances > 0, axis=-1)
    standard_error = np.sqrt(variances.mean(axis=-1))
    statistics = _ratio(d, standard_error[..., None, None], is_equal[..., None, None])

    without_law = np.where(is_equal, 1.0, np.nan)[..., None, None]
    pvalues = np.where(has_variance[..., None, None], tails.t_pvalue(statistics, 5, alternative), without_law)

    return TTest5x2cvResult(
        statistic=statistics[..., 0, 0],
        pvalue=pvalues[..., 0, 0],
        alternative=alternative,
        method=np.full(is_equal.shape, "t"),
        reason=reasons(is_equal.shape, (~has_variance & is_equal, NO_DIFFERENCE), (~has_variance, NO_VARIANCE)),
        df=5,
        first_difference=np.ldexp(d[..., 0, 0], exponent),
        mean_difference=np.ldexp(_sum(d) / 10, exponent),
        standard_error=sd_in_the_unit_of_the_scores(standard_error, exponent),
        statistics_of_all_orderings=statistics,
        pvalues_of_all_orderings=pvalues,
        tie_tolerance=tie_tolerance,
    )


def ftest_5x2cv(x: ArrayLike, y: ArrayLike, *, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> FTest5x2cvResult:
    """Test whether two classifiers differ in five repeats of two-fold cross-validation (F-test).

    All ten differences are in the numerator. Therefore, in contrast to `ttest_5x2cv`, the result does not depend on the
    order of the folds. The null hypothesis is that the two classifiers, trained on half of the instances, have the same
    expected score. F has no sign, so the test has no one-sided alternative.

    Parameters
    ----------
    x, y : array_like of shape (..., 5, 2)
        Scores of two classifiers: row i contains the scores of the two folds of repeat i. Leading axes are batch
        dimensions and broadcast.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    FTest5x2cvResult
        F and its p-value, and the mean difference.

    Raises
    ------
    ValueError
        If x or y does not have the shape (..., 5, 2), or contains nan or infinity, or if an option is unknown.

    Notes
    -----
    F = (sum of the ten squared differences) / (2 (s_1^2 + ... + s_5^2)), with the variances of `ttest_5x2cv`. F has 10
    and 5 degrees of freedom. F is also the mean of the squares of the ten t values.

    If all differences are 0, F is 0 and p is 1. If only the variances are 0, F is infinite and p is nan. In both cases,
    `reason` states the cause.

    References
    ----------
    Alpaydin, E. (1999). Combined 5x2cv F test for comparing supervised classification learning algorithms. Neural
    Computation 11, 1885-1892.

    Examples
    --------
    >>> from evalstats import ftest_5x2cv
    >>> x = [[0.82, 0.79], [0.85, 0.80], [0.81, 0.84], [0.83, 0.80], [0.86, 0.79]]
    >>> y = [[0.78, 0.78], [0.80, 0.79], [0.79, 0.80], [0.82, 0.79], [0.80, 0.78]]
    >>> result = ftest_5x2cv(x, y)
    >>> print(f"F = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.3f}")
    F = 1.889, df = (10, 5), p = 0.250
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = _five_by_two(x, y)

    d, variances, exponent = _differences(x, y, tie_tolerance)
    is_equal, has_variance = np.all(d == 0, axis=(-2, -1)), np.any(variances > 0, axis=-1)
    squares, within = _sum(np.square(d)), variances.sum(axis=-1)
    statistic = _ratio(squares, 2 * within, is_equal)

    tail = tails.f_pvalue(squares, np.where(has_variance, within, 1.0), 10, 5)
    pvalue = np.where(has_variance, tail, np.where(is_equal, 1.0, np.nan))

    return FTest5x2cvResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method=np.full(is_equal.shape, "f"),
        reason=reasons(is_equal.shape, (~has_variance & is_equal, NO_DIFFERENCE), (~has_variance, NO_VARIANCE)),
        df=(10, 5),
        mean_difference=np.ldexp(_sum(d) / 10, exponent),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=ttest_5x2cv,
        data=Data.FIVE_BY_TWO,
        excused=OF_SIZES | {"any order": "the numerator is the first difference"},
        inputs={"x, y": Draw("folds", {"shapes": ((5, 2),)})} | SIDES,
        simulations={"": {}},
        sentence="5x2cv t-test: difference {first_difference:short} in the first fold, {t}, {outcome}{other_orderings}",
    ),
    Declaration(
        function=ftest_5x2cv,
        data=Data.FIVE_BY_TWO,
        excused=OF_SIZES,
        inputs={"x, y": Draw("folds", {"shapes": ((5, 2),)})},
        simulations={"": {}},
        sentence="5x2cv F-test: mean difference {mean_difference:short}, {f_or_chi2}, {outcome}",
    ),
)


def _five_by_two(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    for values, name in ((x, "x"), (y, "y")):
        shape = _checks.numbers(values, name).shape
        if shape[-2:] != (5, 2):
            raise InvalidValueError(
                f"{name} must have the shape (..., 5, 2), five repeats of two folds, but its shape is {shape}"
            )
    return _checks.paired(x, y)


def _differences(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray, Any]:
    """Return x - y divided by a power of two, the variance in each repeat, and the exponent.

    The division by a power of two is exact and prevents underflow of the squares of scores such as 1e-200. Differences
    that are tied within rounding errors are exactly equal in the result.
    """
    x, y = np.broadcast_arrays(x, y)
    ten = (*x.shape[:-2], 10)
    rounded = differences(x.reshape(ten), y.reshape(ten), tie_tolerance).reshape(x.shape)
    is_same = rounded[..., 0] == rounded[..., 1]
    d = np.where((rounded == 0) | is_same.all(axis=-1)[..., None, None], rounded, x - y)
    exponent = np.frexp(np.abs(d).max(axis=(-2, -1)))[1]
    d = np.ldexp(d, -exponent[..., None, None])
    variances = np.where(is_same, 0.0, np.square(d[..., 0] - d[..., 1]) / 2)  # Dietterich (1998), section 3.5
    return d, variances, exponent


def _sum(folds: FloatArray) -> FloatArray:
    """Sum over the ten folds."""
    return np.asarray(np.ascontiguousarray(folds).reshape(*folds.shape[:-2], 10).sum(axis=-1))


def _ratio(numerator: FloatArray, denominator: FloatArray, is_equal: BoolArray) -> FloatArray:
    """Return the ratio: 0 if all differences are 0, infinity or nan if a nonzero difference has no variance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(is_equal, 0.0, numerator / denominator)
