"""The t-test for paired scores: does one classifier have the higher mean?"""

from __future__ import annotations

__all__ = ["PairedTTestResult", "paired_ttest"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats import _checks
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import ConfidenceInterval, HypothesisTestResult, unbatch

FloatArray = NDArray[np.float64]

NO_DIFFERENCE = "x and y are equal in every pair"
CONSTANT_DIFFERENCE = (
    "x and y differ by the same amount in every pair, so the differences have no variance and the t distribution does "
    "not apply; a rank test does, for example wilcoxon_test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTTestResult(HypothesisTestResult):
    """What `paired_ttest` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    statistic : float or ndarray
        Mean difference in standard errors; positive where x has the higher mean.
    pvalue : float or ndarray
        From the t distribution; nan where x and y differ by the same amount in every pair.
    df : int
        Degrees of freedom, one less than the pairs.
    n_pairs : int
        Number of pairs.
    mean_difference : float or ndarray
        Mean of x - y, in the unit of the scores.
    standard_error : float or ndarray
        Of the mean difference, in the unit of the scores.
    cohen_dz : float or ndarray
        Mean difference in standard deviations of the differences: the effect size.
    tie_tolerance : float
        Relative precision at which two differences are the same.
    """

    df: int
    n_pairs: int
    mean_difference: Any
    standard_error: Any
    cohen_dz: Any
    tie_tolerance: float

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return an interval of the mean difference, in the unit of the scores.

        It is one-sided when the alternative is, and nan where the differences have no variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            How often the interval covers the mean difference, if the differences are normally distributed.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats import paired_ttest
        >>> result = paired_ttest([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.0072 0.0552
        """
        from scipy.special import stdtrit

        level = _checks.confidence_level(confidence_level)
        margin = stdtrit(self.df, (1 + level) / 2 if self.alternative == "two-sided" else level) * self.standard_error
        mean = np.asarray(self.mean_difference)
        has_variance = np.asarray(self.standard_error) > 0
        low = np.full(mean.shape, -np.inf) if self.alternative == "less" else mean - margin
        high = np.full(mean.shape, np.inf) if self.alternative == "greater" else mean + margin
        return ConfidenceInterval(
            low=unbatch(np.where(has_variance, low, np.nan)),
            high=unbatch(np.where(has_variance, high, np.nan)),
            confidence_level=level,
            attained_level=unbatch(np.where(has_variance, level, np.nan)),
        )


def paired_ttest(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PairedTTestResult:
    """Tell whether one classifier has a higher mean score than another on the same datasets.

    The null hypothesis: the differences x - y are a sample of a normal distribution with mean 0. Over datasets this is
    a strong assumption: scores of different datasets are hardly on one scale, and one outlier can decide; prefer
    `wilcoxon_test`. The folds of a cross-validation share training data and are no sample at all: the p-value is then
    too small.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 datasets. Leading axes are a batch and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean of x is larger; ``'less'``: smaller.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are the same: 0.3 - 0.2 and
        0.9 - 0.8. It only decides whether the differences have any variance; 0 compares bits.

    Returns
    -------
    PairedTTestResult
        t and its p-value; also the mean difference with its standard error, `confidence_interval`, and Cohen's d_z.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, hold nan or infinity, or if an option is unknown.

    Notes
    -----
    Without any difference t is 0 and p is 1. If all differences are the same but not 0, t is infinite and p is nan: no
    variance can be estimated. In both cases `reason` says so.

    References
    ----------
    Student (1908). The probable error of a mean. Biometrika 6, 1-25.

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30, section 3.1.2.

    Examples
    --------
    >>> from evalstats import paired_ttest
    >>> result = paired_ttest([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
    >>> print(f"t = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.3f}")
    t = 2.138, df = 4, p = 0.099
    """
    x, y = _checks.paired(x, y, minimum=2)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    tie_tolerance = _checks.tolerance(tie_tolerance)

    n = x.shape[-1]
    mean, sd = _mean_and_sd(x, y, tie_tolerance)
    dz = _in_units_of(sd, mean)
    statistic = np.sqrt(n) * dz

    pvalue = np.where(sd > 0, _pvalue(statistic, n - 1, alternative), np.where(mean == 0, 1.0, np.nan))
    reason = np.where(sd > 0, np.full(mean.shape, None), np.where(mean == 0, NO_DIFFERENCE, CONSTANT_DIFFERENCE))

    return PairedTTestResult(
        statistic=unbatch(statistic),
        pvalue=unbatch(pvalue),
        alternative=alternative,
        method=unbatch(np.full(mean.shape, "t")),
        reason=unbatch(reason),
        df=n - 1,
        n_pairs=n,
        mean_difference=unbatch(mean),
        standard_error=unbatch(sd / np.sqrt(n)),
        cohen_dz=unbatch(dz),
        tie_tolerance=tie_tolerance,
    )


def _mean_and_sd(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of the differences; the latter is exactly 0 where they are all the same."""
    rounded = differences(x, y, tie_tolerance)
    d = np.subtract(x, y, order="C")  # so that a batch sums each member in the order of a single problem
    is_constant = _all_same(rounded) | _all_same(d)
    constant = np.where(_all_same(rounded), rounded[..., 0], d[..., 0])
    # a power of two changes no digit, and keeps the squares of scores such as 1e-200 from vanishing
    exponent = np.frexp(np.max(np.abs(d), axis=-1))[1]
    d = np.ldexp(d, -exponent[..., np.newaxis])
    # differences may nearly cancel: extended precision, where the machine has it, keeps the digits that are left
    mean = np.mean(d, axis=-1, dtype=np.longdouble).astype(np.float64)
    sd = np.std(d, axis=-1, ddof=1)
    return np.where(is_constant, constant, np.ldexp(mean, exponent)), np.where(is_constant, 0.0, np.ldexp(sd, exponent))


def _all_same(values: FloatArray) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = np.all(values == values[..., :1], axis=-1)
    return same


def _in_units_of(sd: FloatArray, mean: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mean == 0, 0.0, mean / sd)


def _pvalue(t: FloatArray, df: int, alternative: str) -> FloatArray:
    from scipy.special import stdtr

    if alternative == "two-sided":
        return np.asarray(2 * stdtr(df, -np.abs(t)))
    return np.asarray(stdtr(df, -t if alternative == "greater" else t))
