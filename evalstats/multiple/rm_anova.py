"""Repeated-measures analysis of variance of the mean scores of several classifiers."""

from __future__ import annotations

__all__ = ["ALL_TIED", "Decomposition", "RMAnovaTestResult", "decomposed", "means_of_columns", "rm_anova_test"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, noise_of
from evalstats._result import ClassifiersTestResult, reasons
from evalstats._types import BoolArray, ExponentArray, FloatArray
from evalstats.distributions import tail_probabilities as tails

CORRECTIONS = ("none", "greenhouse-geisser", "huynh-feldt")
NO_ERROR = (
    "the classifiers differ by the same amounts on every dataset, so the F distribution does not apply; use a rank "
    "test, such as friedman_test"
)
TWO_CLASSIFIERS = "with two classifiers, there is only one difference, so sphericity holds"
TOO_FEW_DATASETS = "Mauchly's test requires at least as many datasets as classifiers"
SINGULAR = "a linear combination of the scores is the same on every dataset, so sphericity does not hold and W is 0"
NOTHING_LEFT = "there is no residual variance after subtracting the differences between the classifiers"
ALL_TIED = "all classifiers are tied on every dataset"


@dataclass(frozen=True, kw_only=True, eq=False)
class RMAnovaTestResult(ClassifiersTestResult):
    """Result of `rm_anova_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        F, regardless of the correction: the variance between the classifiers divided by the residual variance.
    pvalue : float or ndarray
        p-value with the correction in `correction`. It is nan if there is no residual variance.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        ``'f'``.
    df : tuple of int
        Degrees of freedom before any correction, (k - 1, (k - 1)(n - 1)).
    correction : str
        ``'none'``, ``'greenhouse-geisser'`` or ``'huynh-feldt'``.
    greenhouse_geisser_epsilon, huynh_feldt_epsilon : float or ndarray
        Estimates of the deviation from sphericity: 1 if the differences of all pairs have the same variance, and 1 / (k
        - 1) in the worst case. They are nan if the residual variance is 0.
    sphericity_pvalue, greenhouse_geisser_pvalue, huynh_feldt_pvalue : float or ndarray
        The p-value of F if sphericity holds, and the p-values with both degrees of freedom multiplied by an epsilon.
    mauchly_w, mauchly_pvalue : float or ndarray
        Mauchly's W, which is 1 if the scores are spherical, and the p-value of its test.
    sphericity_reason : str, None or ndarray of object
        A sentence if W or its p-value is nan or has no meaning, otherwise None.
    partial_eta_squared : float or ndarray
        Proportion of the variance within datasets that the classifiers explain, from 0 to 1.
    means : ndarray of shape (..., n_classifiers)
        Mean score of each classifier.
    error_sd : float or ndarray
        Square root of the residual mean square, in the unit of the scores.
    n_datasets, n_classifiers : int
        Shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    df: tuple[int, int]
    correction: str
    greenhouse_geisser_epsilon: Any
    huynh_feldt_epsilon: Any
    sphericity_pvalue: Any
    greenhouse_geisser_pvalue: Any
    huynh_feldt_pvalue: Any
    mauchly_w: Any
    mauchly_pvalue: Any
    sphericity_reason: Any
    partial_eta_squared: Any
    means: FloatArray
    error_sd: Any
    n_datasets: int
    n_classifiers: int
    tie_tolerance: float


class _Sphericity(NamedTuple):
    greenhouse_geisser: FloatArray
    huynh_feldt: FloatArray
    w: FloatArray
    pvalue: FloatArray
    reason: Any


def rm_anova_test(
    scores: Any, *, correction: str = "none", tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> RMAnovaTestResult:
    """Test whether several classifiers have equal mean scores over datasets (repeated-measures ANOVA).

    The null hypothesis is that all classifiers have the same expected score. The scores on each dataset are the effect
    of the dataset plus normally distributed errors. The errors must also be spherical: the differences of all pairs of
    classifiers have the same variance. For scores on datasets, both assumptions are strong (Demšar, 2006).
    `friedman_test` requires neither assumption. To find the pairs that differ, use `tukey_test`.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two rows and two columns, in the same unit.
        Leading axes form a batch of tables. The result does not depend on whether greater scores are better.
    correction : {'none', 'greenhouse-geisser', 'huynh-feldt'}, default: 'none'
        Which p-value is `pvalue`. All three p-values are fields of the result.

        ``'none'``: the errors are assumed to be spherical, as in R's ``aov``. If the standard deviations of the
        classifiers increase evenly from 1 to 3, the type-I error rate is 6% to 7% at the 5% level.

        ``'greenhouse-geisser'``: the degrees of freedom are multiplied by an estimate of epsilon, which protects
        against nonspherical errors but is slightly conservative.

        ``'huynh-feldt'``: the same correction with Huynh and Feldt's larger estimate, at most 1.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether there is residual variance.

    Returns
    -------
    RMAnovaTestResult
        F and its p-value. The result also contains both corrections, Mauchly's test of sphericity and the effect size.

    Raises
    ------
    ValueError
        If scores are not finite, or not a table with at least two rows and columns. If a difference is too large for a
        float, or an option is unknown.
    TypeError
        If scores are not numbers.

    See Also
    --------
    tukey_test : the post-hoc test.
    friedman_test : the test of ranks, without assumptions about the distribution.

    Notes
    -----
    For two classifiers, F is the square of the t statistic of the paired t-test, and the p-values are equal. If all
    classifiers are tied on every dataset, F is 0 and p is 1. If the classifiers differ by the same amounts on every
    dataset, F is infinite and p is nan. In both cases, `reason` states the cause.

    The function has no option that chooses the correction by Mauchly's test, because this test has little power for
    small n. In addition, the two-step procedure does not control the type-I error rate. If sphericity is uncertain, use
    ``'greenhouse-geisser'``.

    Huynh and Feldt's epsilon is the version of 1976: (n (k - 1) e - 2) / ((k - 1)(n - 1 - (k - 1) e)) with Greenhouse
    and Geisser's e. Mauchly's p-value is Box's chi-squared approximation with its second term, as in R.

    References
    ----------
    .. [1] S. W. Greenhouse, S. Geisser (1959). On methods in the analysis of profile data. Psychometrika 24, 95-112.
    .. [2] H. Huynh, L. S. Feldt (1976). Estimation of the Box correction for degrees of freedom from sample data in
       randomized block and split-plot designs. Journal of Educational Statistics 1, 69-82.
    .. [3] J. W. Mauchly (1940). Significance test for sphericity of a normal n-variate distribution. Annals of
       Mathematical Statistics 11, 204-209.
    .. [4] J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
       Research 7, 1-30, section 3.2.1.

    Examples
    --------
    >>> from evalstats import rm_anova_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 93], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> result = rm_anova_test(scores)
    >>> print(f"F{result.df} = {result.statistic:.3f}, p = {result.pvalue:.5f}")
    F(2, 12) = 18.666, p = 0.00021
    >>> print(f"{result.greenhouse_geisser_epsilon:.3f} {result.greenhouse_geisser_pvalue:.5f}")
    0.976 0.00024
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance, minimum_datasets=2)
    correction = _checks.choice(correction, "correction", CORRECTIONS)
    df = (k - 1, (k - 1) * (n - 1))

    parts = decomposed(matrix, tie_tolerance)
    has_error = parts.within > 0
    with np.errstate(over="ignore"):
        noise = np.ldexp(4 * noise_of(tie_tolerance) * np.abs(matrix).max(axis=(-2, -1)), -parts.exponent)
    sphericity = _sphericity(parts.residual, has_error, np.sqrt(n) * noise)

    pvalues = {
        "none": _f_pvalue(parts, df),
        "greenhouse-geisser": _corrected_pvalue(parts, df, sphericity.greenhouse_geisser),
        "huynh-feldt": _corrected_pvalue(parts, df, sphericity.huynh_feldt),
    }

    return RMAnovaTestResult(
        classifiers=column_names(scores),
        statistic=_ratio(parts.between * (n - 1), parts.within),
        pvalue=pvalues[correction],
        alternative="two-sided",
        method=np.full(has_error.shape, "f"),
        reason=reasons(has_error.shape, (~has_error & (parts.between > 0), NO_ERROR), (~has_error, ALL_TIED)),
        df=df,
        correction=correction,
        greenhouse_geisser_epsilon=sphericity.greenhouse_geisser,
        huynh_feldt_epsilon=sphericity.huynh_feldt,
        sphericity_pvalue=pvalues["none"],
        greenhouse_geisser_pvalue=pvalues["greenhouse-geisser"],
        huynh_feldt_pvalue=pvalues["huynh-feldt"],
        mauchly_w=sphericity.w,
        mauchly_pvalue=sphericity.pvalue,
        sphericity_reason=sphericity.reason,
        partial_eta_squared=_ratio(parts.between, parts.between + parts.within),
        means=means_of_columns(matrix),
        error_sd=np.ldexp(np.sqrt(parts.within / df[1]), parts.exponent),
        n_datasets=n,
        n_classifiers=k,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (Declaration(function=rm_anova_test, data=Data.TABLE, excused=OF_SIZES),)


def _f_pvalue(parts: Decomposition, df: tuple[int, int]) -> FloatArray:
    has_error = parts.within > 0
    return _where_no_error(parts, tails.f_pvalue(parts.between, np.where(has_error, parts.within, 1.0), *df))


def _corrected_pvalue(parts: Decomposition, df: tuple[int, int], epsilon: FloatArray) -> FloatArray:
    """Compute the right tail of F with both degrees of freedom multiplied by epsilon."""
    from scipy.special import betainc

    has_error = parts.within > 0
    within, epsilon = np.where(has_error, parts.within, 1.0), np.where(has_error, epsilon, 1.0)
    tail = betainc(df[1] * epsilon / 2, df[0] * epsilon / 2, within / (parts.between + within))
    return _where_no_error(parts, tails.as_pvalue(tail))


def _where_no_error(parts: Decomposition, pvalue: FloatArray) -> FloatArray:
    return np.where(parts.within > 0, pvalue, np.where(parts.between > 0, np.nan, 1.0))


def _sphericity(residual: FloatArray, has_error: BoolArray, noise: FloatArray) -> _Sphericity:
    """Compute both estimates of epsilon, and Mauchly's test, from the covariance matrix of the residuals.

    `noise` is the square root of the largest sum of squares of rounding errors.
    """
    n, k = residual.shape[-2:]
    p = k - 1
    roots = np.where(has_error[..., None], _largest_eigenvalues(residual, min(p, n - 1)), 1.0)
    gg = np.clip(roots.sum(axis=-1) ** 2 / ((roots**2).sum(axis=-1) * p), 1 / p, 1.0)
    hf = np.minimum(_huynh_feldt(gg, n, p), 1.0)

    w: Any
    pvalue: Any
    if k == 2:
        w, pvalue, unknown = 1.0, 1.0, (True, TWO_CLASSIFIERS)
    elif n < k:
        w, pvalue, unknown = np.nan, np.nan, (True, TOO_FEW_DATASETS)
    else:
        is_regular = (roots[..., 0] > k * np.finfo(float).eps * roots[..., -1]) & (np.sqrt(roots[..., 0]) > noise)
        log_w = np.log(np.where(is_regular[..., None], roots / roots.mean(axis=-1, keepdims=True), 1.0)).sum(axis=-1)
        w = np.where(is_regular, np.exp(log_w), 0.0)
        pvalue = np.where(is_regular, _mauchly_pvalue(log_w, n, p), np.nan)
        unknown = (~is_regular, SINGULAR)
    return _Sphericity(
        greenhouse_geisser=np.where(has_error, gg, np.nan),
        huynh_feldt=np.where(has_error, hf, np.nan),
        w=np.where(has_error, w, np.nan),
        pvalue=np.where(has_error, pvalue, np.nan),
        reason=reasons(has_error.shape, (~has_error, NOTHING_LEFT), unknown),
    )


def _largest_eigenvalues(residual: FloatArray, rank: int) -> FloatArray:
    """Return the possibly nonzero eigenvalues of the sums of squares and products, in ascending order."""
    turned = residual.swapaxes(-1, -2)
    n, k = residual.shape[-2:]
    products = residual @ turned if n < k else turned @ residual
    return np.asarray(np.maximum(np.linalg.eigvalsh(products)[..., -rank:], 0.0))


def _huynh_feldt(gg: FloatArray, n: int, p: int) -> FloatArray:
    """Compute the epsilon of Huynh & Feldt (1976) or, if its denominator is 0, its limit."""
    above, below = n * p * gg - 2, p * (n - 1 - p * gg)
    if n == 2:  # gg is 1 / p, so epsilon is also 1 / p for every n
        return gg
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), 1.0)


def _mauchly_pvalue(log_w: FloatArray, n: int, p: int) -> FloatArray:
    """Compute Mauchly's p-value from chi-squared with df and df + 4 degrees of freedom: Box (1949)."""
    rho = 1 - (2 * p * p + p + 2) / (6 * p * (n - 1))
    second = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p * p + 3 * p + 2) / (288 * ((n - 1) * p * rho) ** 2)
    df = p * (p + 1) // 2 - 1
    statistic = np.maximum(-(n - 1) * rho * log_w, 0.0)
    first = tails.chi2_right_tail(statistic, df)
    return tails.as_pvalue(first + second * (tails.chi2_right_tail(statistic, df + 4) - first))


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return the ratio above / below, which is 0 if both are 0, and infinity if only `below` is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(above == 0, 0.0, above / below)


class Decomposition(NamedTuple):
    """Scores without the effect of their dataset, divided by 2 to the power of `exponent`."""

    effect: FloatArray  # mean of each classifier, minus the mean of all
    residual: FloatArray  # residual of each score
    between: FloatArray  # sum of squares of the effects over the whole table
    within: FloatArray  # sum of squares of the residuals; 0 if all datasets have the same differences
    exponent: ExponentArray


def decomposed(scores: FloatArray, tie_tolerance: float) -> Decomposition:
    """Split scores into effects of the classifiers and residuals, without loss of digits for large scores.

    The differences from one classifier, and then from one dataset, are exact if scores are close to each other.
    """
    n = scores.shape[-2]
    with np.errstate(over="ignore"):
        from_first = scores - scores[..., :1]
    largest = np.abs(from_first).max(axis=(-2, -1))
    if not np.isfinite(largest).all():
        raise InvalidValueError("the differences between scores must be finite, but one is too large for a float")
    exponent = np.frexp(largest)[1]
    from_first = np.ldexp(from_first, -exponent[..., None, None])
    effect = from_first.sum(axis=-2) / n
    residual = _centered(from_first - from_first[..., :1, :])

    # rounding to the tolerance changes a difference by less than 10 tolerances; noise of both scores changes it twice
    largest_noise = max(100 * tie_tolerance, 20 * noise_of(tie_tolerance))
    with np.errstate(over="ignore"):
        moved = largest_noise * np.ldexp(np.abs(scores).max(axis=(-2, -1)), -exponent)
    for at in map(tuple, np.argwhere(np.abs(residual).max(axis=(-2, -1)) <= moved)):
        same = _same_differences(scores[at], tie_tolerance)
        if same is not None:
            residual[at] = 0.0
            effect[at] = np.ldexp(same, -exponent[at])
    effect = effect - effect.mean(axis=-1, keepdims=True)
    return Decomposition(
        effect=effect,
        residual=residual,
        between=n * (effect**2).sum(axis=-1),
        within=(residual**2).reshape(*residual.shape[:-2], -1).sum(axis=-1),
        exponent=exponent,
    )


def means_of_columns(scores: FloatArray) -> FloatArray:
    """Return the mean score of each classifier; scaling by a power of two before the sum is exact."""
    shift = scores.shape[-2].bit_length()
    return np.asarray(np.ldexp(np.ldexp(scores, -shift).mean(axis=-2), shift))


def _centered(values: FloatArray) -> FloatArray:
    """Subtract the mean of each row, and then of each column."""
    values = values - values.mean(axis=-1, keepdims=True)
    return np.asarray(values - values.mean(axis=-2, keepdims=True))


def _same_differences(scores: FloatArray, tie_tolerance: float) -> FloatArray | None:
    """Return the difference of each classifier from the first classifier, or None if it depends on the dataset."""
    for tolerance in (tie_tolerance, 0.0):
        difference = differences(scores.T, scores[:, 0], tolerance)
        if (difference == difference[:, :1]).all():
            return difference[:, 0]
    return None
