"""Standardized mean differences: Cohen's d and d_z, Hedges' g."""

from __future__ import annotations

__all__ = ["StandardizedEffectResult", "cohen_d", "cohen_dz", "hedges_g"]

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, rounded
from evalstats._result import ConfidenceInterval, reasons
from evalstats._types import BoolArray, ExponentArray, FloatArray
from evalstats.distributions.noncentral_t import noncentrality_limits
from evalstats.distributions.tail_probabilities import gamma_ratio
from evalstats.effects.effect_size import COHEN, EffectSizeResult, two_samples
from evalstats.paired.ttest import paired_ttest

NO_DIFFERENCE = "there is neither a difference nor any variance: the effect is 0, and its precision is unknown"
NO_VARIANCE = (
    "x and y differ, but there is no variance, so the effect in standard deviations is infinite and has no interval; "
    "the difference itself, or a rank-based effect size such as rank_biserial, can be reported"
)
NO_CORRECTION = "with 1 degree of freedom, d has no mean, so no multiple of d is unbiased and Hedges' g is undefined"


@dataclass(frozen=True, kw_only=True, eq=False)
class StandardizedEffectResult(EffectSizeResult):
    """Result of `cohen_dz`, `cohen_d` and `hedges_g`.

    Attributes
    ----------
    df : int
        Degrees of freedom of the standard deviation.
    tie_tolerance : float
        Relative precision at which two values are treated as equal.
    """

    df: int
    tie_tolerance: float
    _unit: float  # factor that converts a noncentrality of t to the unit of the effect

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the effect from the noncentral t distribution.

        The interval contains the effects for which the observed t statistic is not in a tail of its distribution. The
        interval is not symmetric about the estimate.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval. It is exact for normally distributed, independent data.

        Returns
        -------
        ConfidenceInterval
            The limits are nan if there is no variance.

        Examples
        --------
        >>> from evalstats.effects import cohen_dz
        >>> result = cohen_dz([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        -0.164 2.006
        """
        level = _checks.confidence_level(confidence_level)
        has_error = np.isfinite(self.standard_error)
        t = np.where(has_error, self.estimate, np.nan) / self._unit if self._unit else np.full(has_error.shape, np.nan)
        low, high = noncentrality_limits(t, self.df, (1 - level) / 2)
        return ConfidenceInterval(
            low=low * self._unit,
            high=high * self._unit,
            confidence_level=level,
            attained_level=np.where(has_error, level, np.nan),
        )


def cohen_dz(x: ArrayLike, y: ArrayLike, *, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> StandardizedEffectResult:
    """Compute Cohen's d_z: the mean paired difference in standard deviations of the differences.

    d_z = t / sqrt(n) is the effect size of `paired_ttest`. It measures the consistency of the difference over datasets,
    not the size of the difference in the unit of the scores.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 datasets. Leading axes are batch dimensions and broadcast.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    StandardizedEffectResult
        The effect, which is positive if x is larger, with `confidence_interval` and `magnitude`.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, or contain nan or infinity.

    Notes
    -----
    The standard error is sqrt(1/n + d_z^2 / (2 n)). If there are no differences, d_z is 0. If all differences have the
    same nonzero value, d_z is infinite. In both cases, `reason` states the cause.

    The folds of a cross-validation share training data. For scores of folds, d_z increases with the overlap of the
    training sets, and its interval is much too narrow. Therefore, do not use d_z for folds.

    References
    ----------
    Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences, 2nd ed., chapter 2. Erlbaum.

    Examples
    --------
    >>> from evalstats.effects import cohen_dz
    >>> result = cohen_dz([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
    >>> print(f"{result.estimate:.3f} ({result.magnitude} by {result.magnitude_source})")
    0.956 (large by Cohen (1988))
    """
    return _effect("Cohen's d_z", x, y, paired=True, tie_tolerance=tie_tolerance)


def cohen_d(x: ArrayLike, y: ArrayLike, *, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> StandardizedEffectResult:
    """Compute Cohen's d: the difference between two means in pooled standard deviations.

    Parameters
    ----------
    x : array_like of shape (..., n_x)
        Scores of one classifier, for example in n_x independent runs.
    y : array_like of shape (..., n_y)
        Scores of another classifier, in separate runs, with n_x + n_y >= 3. Leading axes are batch dimensions and
        broadcast.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality. The tolerance determines only whether a sample has a nonzero variance.

    Returns
    -------
    StandardizedEffectResult
        The effect, which is positive if x is larger, with `confidence_interval` and `magnitude`.

    Raises
    ------
    ValueError
        If there are fewer than three values in total, a sample is empty, or a sample contains nan or infinity.

    Notes
    -----
    The standard error is sqrt(1/n_x + 1/n_y + d^2 / (2 (n_x + n_y))). If all values within each sample are equal, d is
    0 or infinite, and `reason` states the cause.

    For scores on the same datasets, d mixes the difference between the classifiers with the differences between the
    datasets. The interval assumes independent samples, so it is wrong for such scores. Use `cohen_dz` or
    `rank_biserial` instead.

    References
    ----------
    Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences, 2nd ed., chapter 2. Erlbaum.

    Hedges, L. V. & Olkin, I. (1985). Statistical Methods for Meta-Analysis, chapter 5. Academic Press.

    Examples
    --------
    >>> from evalstats.effects import cohen_d
    >>> result = cohen_d([0.81, 0.84, 0.79, 0.90], [0.78, 0.82, 0.80, 0.84, 0.79])
    >>> low, high = result.confidence_interval()
    >>> print(f"{result.estimate:.3f}, 95% interval {low:.3f} to {high:.3f}")
    0.799, 95% interval -0.604 to 2.151
    """
    return _effect("Cohen's d", x, y, paired=False, tie_tolerance=tie_tolerance)


def hedges_g(
    x: ArrayLike, y: ArrayLike, *, paired: bool = False, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> StandardizedEffectResult:
    """Compute Hedges' g: the standardized mean difference without small-sample bias.

    Cohen's d is too large on average, by 8% for two samples of 6. Hedges' g is J d, where J < 1 makes the estimate
    unbiased for normally distributed, independent data.

    Parameters
    ----------
    x : array_like of shape (..., n_x)
        Scores of one classifier.
    y : array_like of shape (..., n_y)
        Scores of another classifier. If `paired`, x and y have the same number of scores, on the same datasets. Leading
        axes are batch dimensions and broadcast.
    paired : bool, default: False
        False: J times `cohen_d`, for independent samples. True: J times `cohen_dz`, for scores on the same datasets.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality. For pairs, this comparison applies to the differences. The tolerance determines only whether the
        variance is nonzero.

    Returns
    -------
    StandardizedEffectResult
        The effect, which is positive if x is larger, with `confidence_interval` and `magnitude`.

    Raises
    ------
    ValueError
        Under the same conditions as `cohen_d` or `cohen_dz`.
    TypeError
        If `paired` is not True or False.

    Notes
    -----
    The factor J = Gamma(df / 2) / (sqrt(df / 2) Gamma((df - 1) / 2)) is exact. The usual factor 1 - 3 / (4 df - 1) is
    an approximation. With one degree of freedom, g is nan, and `reason` states the cause. The standard error and the
    interval of g are J times the values for d.

    References
    ----------
    Hedges, L. V. (1981). Distribution theory for Glass's estimator of effect size and related estimators. Journal of
    Educational Statistics 6, 107-128.

    Examples
    --------
    >>> from evalstats.effects import hedges_g
    >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
    >>> print(f"{hedges_g(x, y).estimate:.3f}, {hedges_g(x, y, paired=True).estimate:.3f} of the differences")
    0.632, 0.763 of the differences
    """
    paired = _checks.boolean(paired, "paired")
    return _effect("Hedges' g", x, y, paired=paired, unbiased=True, tie_tolerance=tie_tolerance)


def small_sample_correction(df: int) -> float:
    """Return the factor J that makes d unbiased (Hedges 1981), or 0 for one degree of freedom."""
    return 0.0 if df == 1 else gamma_ratio((df - 1) / 2) / math.sqrt(df / 2)


def _effect(
    name: str, x: ArrayLike, y: ArrayLike, *, paired: bool, tie_tolerance: float, unbiased: bool = False
) -> StandardizedEffectResult:
    """Return d, or the unbiased g, for pairs or for independent samples."""
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    if paired:
        test = paired_ttest(x, y, tie_tolerance=tie_tolerance)
        d, varies = np.asarray(test.cohen_dz), np.asarray(test.standard_error) > 0
        n_x = n_y = n = test.n_pairs
        df, per_case = n - 1, 1 / n
    else:
        x, y = two_samples(x, y, minimum=3)
        d, varies = _pooled_d(x, y, tie_tolerance)
        n_x, n_y = x.shape[-1], y.shape[-1]
        n, df, per_case = n_x + n_y, n_x + n_y - 2, 1 / n_x + 1 / n_y

    factor = small_sample_correction(df) if unbiased else 1.0
    has_value = np.full(d.shape, factor > 0) | ~varies
    finite = np.where(varies, d, 0.0)
    standard_error = factor * np.hypot(math.sqrt(per_case), finite / math.sqrt(2 * n))  # Hedges & Olkin (1985), ch. 5
    return StandardizedEffectResult(
        estimate=np.where(has_value, np.where(varies, factor * finite, d), np.nan),
        standard_error=np.where(varies & has_value, standard_error, np.nan),
        reason=reasons(
            d.shape, (~varies & (d == 0), NO_DIFFERENCE), (~varies, NO_VARIANCE), (~has_value, NO_CORRECTION)
        ),
        name=name,
        n_x=n_x,
        n_y=n_y,
        paired=paired,
        df=df,
        tie_tolerance=tie_tolerance,
        _magnitudes=COHEN,
        _unit=factor * math.sqrt(per_case),
    )


def _pooled_d(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[FloatArray, BoolArray]:
    """Return the difference between the means in pooled standard deviations, and whether there is any variance."""
    varies = ~(_all_same(x, tie_tolerance) & _all_same(y, tie_tolerance))
    # powers of two change no digit; they prevent overflow of sums and underflow of squares of small deviations
    a, b, _ = _in_powers_of_two(x, y)
    first_a, first_b = a[..., :1], b[..., :1]
    a, b = a - first_a, b - first_b
    mean_a, mean_b = (values.mean(axis=-1, keepdims=True, dtype=np.longdouble) for values in (a, b))
    difference = ((mean_a - mean_b) + (first_a - first_b))[..., 0].astype(np.float64)
    a, b, unit_of_sd = _in_powers_of_two(*((v - mean).astype(np.float64) for v, mean in ((a, mean_a), (b, mean_b))))
    squares = np.sum(a * a, axis=-1) + np.sum(b * b, axis=-1)
    sd = np.sqrt(squares / (x.shape[-1] + y.shape[-1] - 2))
    constant = differences(x[..., :1], y[..., :1], tie_tolerance)[..., 0]
    with np.errstate(over="ignore"):
        d = np.ldexp(np.divide(difference, sd, out=np.zeros(varies.shape), where=varies), -unit_of_sd)
    return np.where(varies, d, np.where(constant == 0, 0.0, np.copysign(np.inf, constant))), varies


def _in_powers_of_two(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, ExponentArray]:
    """Return both samples in units of the next power of two above the largest value, and its exponent."""
    exponent = np.frexp(np.maximum(np.abs(a).max(axis=-1), np.abs(b).max(axis=-1)))[1]
    a, b = (np.ascontiguousarray(np.ldexp(values, -exponent[..., None])) for values in (a, b))
    return a, b, exponent


def _all_same(values: FloatArray, tie_tolerance: float) -> BoolArray:
    same: BoolArray = np.all((r := rounded(np.ascontiguousarray(values), tie_tolerance)) == r[..., :1], axis=-1)
    return same
