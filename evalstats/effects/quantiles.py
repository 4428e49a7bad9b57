"""Akinshin's gamma: the difference between quantiles in robust standard deviations."""

from __future__ import annotations

__all__ = ["GammaEffectResult", "akinshin_gamma"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._canonical_order import content_order
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, rounded
from evalstats._result import ConfidenceInterval, interval_of, reasons
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions.tail_probabilities import t_quantile
from evalstats.effects.effect_size import COHEN, EffectSizeResult, two_samples

NO_DIFFERENCE = "there is neither a difference nor any variance: the effect is 0, and its precision is unknown"
NO_VARIANCE = "x and y differ, but there is no variance, so the effect in standard deviations is infinite"
NO_VARIANCE_RESAMPLED = (
    "some bootstrap samples of x and y have no variance, so the effects in these samples are infinite and there is "
    "no standard error"
)

CONSISTENCY = 1.482602218505602  # standard deviation of a normal distribution in units of its median absolute deviation
TOO_FEW = "a sample has fewer than 5 values, so the effect has no interval"
FEWEST = 5

LARGEST = 1e300
VALUES_AT_ONCE = 2**20  # number of values in the resamples that are processed together


@dataclass(frozen=True, kw_only=True, eq=False)
class GammaEffectResult(EffectSizeResult):
    """Result of `akinshin_gamma`.

    Attributes
    ----------
    quantile : float or ndarray
        The compared quantile or quantiles. Several quantiles form the last axis of the estimate.
    n_resamples : int
        Number of bootstrap samples for the standard error and the interval.
    seed : int or None
        Seed of the bootstrap samples, or None if `rng` was a Generator.
    tie_tolerance : float
        Relative precision at which two values are treated as equal.
    """

    quantile: Any
    n_resamples: int
    seed: int | None
    tie_tolerance: float
    _replicates: FloatArray  # sorted, along the last axis

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str = "expanded") -> ConfidenceInterval:
        """Compute a bootstrap confidence interval for the effect.

        Bootstrap samples of n values vary less than samples from the population, and percentile intervals do not
        account for small n. Therefore, Student's quantile times sqrt(n / (n - 1)) is converted to the levels of the
        quantiles by the normal distribution. Here, n is the number of pairs, or half of the total number of values in
        both samples.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Approximate coverage of the interval. 95% intervals have a coverage of 92% to 98% for 5 to 20 values in each
            sample.
        method : {'expanded', 'percentile'}, default: 'expanded'
            ``'percentile'``: the quantiles at the unchanged levels. The coverage of the 95% interval is 82% to 93% for
            4 or 5 values, and the interval is half as wide as with ``'expanded'``.

        Returns
        -------
        ConfidenceInterval
            The limits are infinite if too many bootstrap samples have no variance. They are nan if x and y have no
            variance, and with ``'expanded'`` if either sample has fewer than 5 values.

        References
        ----------
        Hesterberg, T. C. (2015). What teachers should know about the bootstrap. American Statistician 69(4), 371-386.

        Examples
        --------
        >>> from evalstats.effects import akinshin_gamma
        >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85, 0.86], [0.78, 0.82, 0.80, 0.84, 0.79, 0.81]
        >>> low, high = akinshin_gamma(x, y, rng=1).confidence_interval(0.9)
        >>> print(f"{low:.1f} {high:.1f}")
        -0.2 4.2
        """
        from scipy.special import ndtr

        level = _checks.confidence_level(confidence_level)
        is_expanded = _checks.choice(method, "method", ("expanded", "percentile")) == "expanded"
        tail = (1 - level) / 2
        if is_expanded:
            n = self.n_x if self.paired else (self.n_x + self.n_y) / 2
            df = n - 1 if self.paired else 2 * n - 2
            tail = float(ndtr(t_quantile(df, tail) * np.sqrt(n / (n - 1))))
        place = min(max(round((self.n_resamples + 1) * tail), 1), (self.n_resamples + 1) // 2) - 1
        is_enough = not is_expanded or min(self.n_x, self.n_y) >= FEWEST
        low, high = (np.where(is_enough, self._replicates[..., at], np.nan) for at in (place, -1 - place))
        return interval_of(low, high, level, seed=self.seed)


def akinshin_gamma(
    x: ArrayLike,
    y: ArrayLike,
    *,
    quantile: ArrayLike = 0.5,
    paired: bool = False,
    n_resamples: int = 1999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> GammaEffectResult:
    """Compute Akinshin's gamma: the difference between quantiles in pooled median absolute deviations.

    For normal distributions with equal variance, gamma equals Cohen's d at every quantile, but is less sensitive to
    outliers. Several quantiles show in which part two distributions differ, for example only in the worst runs.

    Parameters
    ----------
    x : array_like of shape (..., n_x)
        Scores of one classifier.
    y : array_like of shape (..., n_y)
        Scores of another classifier. If `paired`, x and y have the same number of scores, on the same datasets. n_x +
        n_y >= 3. Leading axes are batch dimensions and broadcast.
    quantile : float or array_like of shape (m,), default: 0.5
        Level of the quantile, between 0 and 1. Several levels, such as ``np.arange(0.2, 0.81, 0.05)``, give an estimate
        of shape (..., m).
    paired : bool, default: False
        Whether the bootstrap draws pairs (True) or draws from x and y independently (False). The estimate does not
        depend on this choice.
    n_resamples : int, default: 1999
        Number of bootstrap samples.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. The members of a batch are drawn one after another.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality. The tolerance determines only whether a sample has a nonzero variance.

    Returns
    -------
    GammaEffectResult
        The effect, which is positive if x is larger (Akinshin uses the opposite sign), with `confidence_interval` and
        `magnitude`.

    Raises
    ------
    ValueError
        If there are fewer than three values in total, or a sample is empty or contains nan or infinity. If a quantile
        is not between 0 and 1.

    Notes
    -----
    gamma_p = (Q_p(x) - Q_p(y)) / PMAD. Q is the quantile of Harrell & Davis. PMAD^2 is the mean of the squared median
    absolute deviations of x and y, weighted by n_x - 1 and n_y - 1. The medians in the deviations are also quantiles
    Q_0.5. The factor 1.4826 makes each deviation an estimate of the standard deviation of normal data. In small
    samples, PMAD is too small and gamma is too large on average.

    References
    ----------
    Akinshin, A. (2020). Nonparametric Cohen's d-consistent effect size.
    https://aakinshin.net/posts/nonparametric-effect-size/

    Harrell, F. E. & Davis, C. E. (1982). A new distribution-free quantile estimator. Biometrika 69, 635-640.

    Examples
    --------
    >>> from evalstats.effects import akinshin_gamma
    >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85, 0.86], [0.78, 0.82, 0.80, 0.84, 0.79, 0.81]
    >>> print(f"{akinshin_gamma(x, y).estimate:.3f}")
    1.123
    >>> akinshin_gamma(x, y, quantile=[0.25, 0.5, 0.75]).estimate.round(2)
    array([0.68, 1.12, 1.44])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    paired = _checks.boolean(paired, "paired")
    x, y = two_samples(*(_checks.paired(x, y) if paired else (x, y)), minimum=3)
    p = _quantiles(quantile)
    n_resamples, source = _checks.resampling(n_resamples, rng, minimum=19)
    generator = source.generator()

    x, y, varies = _without_noise(*_in_common_unit(x, y), tie_tolerance)
    estimate = _gamma(x, y, p.ravel())
    replicates = np.full((*estimate.shape, n_resamples), np.nan)
    for member in np.argwhere(varies):
        at = tuple(member)
        of_x, of_y = _in_order(x[at], y[at], paired)
        of_second, of_first = _in_order(y[at], x[at], paired)
        if (of_second.tolist(), of_first.tolist()) < (of_x.tolist(), of_y.tolist()):  # so that exchange is a mirror
            replicates[at] = -_resampled(of_second, of_first, p.ravel(), paired, n_resamples, generator)
        else:
            replicates[at] = _resampled(of_x, of_y, p.ravel(), paired, n_resamples, generator)

    if p.ndim == 0:
        estimate, replicates = estimate[..., 0], replicates[..., 0, :]
    else:
        varies = np.broadcast_to(varies[..., None], estimate.shape)
    has_error = np.asarray(np.isfinite(replicates).all(axis=-1))
    finite = np.where(has_error[..., None], replicates, 0.0)
    # scaling by a power of two changes no digit, and prevents overflow of squares
    exponent = np.frexp(np.abs(finite).max(axis=-1))[1]
    spread = np.ldexp(np.std(np.ldexp(finite, -exponent[..., None]), axis=-1, ddof=1), exponent)
    standard_error = np.where(has_error, spread, np.nan)
    return GammaEffectResult(
        estimate=estimate,
        standard_error=standard_error,
        reason=reasons(
            estimate.shape,
            (~varies & (estimate == 0), NO_DIFFERENCE),
            (~varies, NO_VARIANCE),
            (~has_error, NO_VARIANCE_RESAMPLED),
            (np.full(estimate.shape, min(x.shape[-1], y.shape[-1]) < FEWEST), TOO_FEW),
        ),
        name="Akinshin's gamma",
        n_x=x.shape[-1],
        n_y=y.shape[-1],
        paired=paired,
        quantile=p,
        n_resamples=n_resamples,
        seed=source.seed,
        tie_tolerance=tie_tolerance,
        _magnitudes=COHEN,
        _replicates=np.sort(replicates, axis=-1),
    )


def _in_order(x: FloatArray, y: FloatArray, paired: bool) -> tuple[FloatArray, FloatArray]:
    """Sort the values or the pairs, so the result does not depend on their order."""
    if not paired:
        return np.sort(x), np.sort(y)
    order = content_order(np.column_stack([x, y]))
    return x[order], y[order]


def harrell_davis(values: FloatArray, p: FloatArray) -> FloatArray:
    """Compute Harrell-Davis quantiles along the last axis, of shape (..., m).

    The weight of an order statistic is the probability that a beta variable is in its part of [0, 1]: Harrell & Davis
    (1982).
    """
    from scipy.special import betainc

    n = values.shape[-1]
    p = p[:, None]
    weights = np.diff(betainc((n + 1) * p, (n + 1) * (1 - p), np.arange(n + 1) / n), axis=-1)
    ordered = np.sort(values, axis=-1)
    # relative to the smallest value, so a quantile of a constant sample equals its value exactly
    smallest = ordered[..., :1]
    # not @, because its order of summation depends on the shape of a batch
    return np.asarray(smallest + np.sum((ordered - smallest)[..., None, :] * weights, axis=-1))


def _quantiles(quantile: ArrayLike) -> FloatArray:
    p = _checks.numbers(quantile, "quantile")
    if p.ndim > 1 or p.size == 0:
        raise InvalidValueError(f"quantile must be a number or a list of numbers, but its shape is {p.shape}")
    if not np.all((p > 0) & (p < 1)):
        first = p[~((p > 0) & (p < 1))].flat[0] if p.ndim else p
        raise InvalidValueError(f"quantile must lie between 0 and 1, not {first}")
    return p


def _in_common_unit(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return both samples, divided by a power of two if they exceed 1e300 to prevent overflow."""
    largest = np.maximum(np.abs(x).max(axis=-1), np.abs(y).max(axis=-1))
    exponent = np.where(largest > LARGEST, 10, 0)[..., None]
    return np.ldexp(x, -exponent), np.ldexp(y, -exponent)


def _without_noise(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the samples, and whether either sample varies. Values that differ only by rounding noise become equal."""
    samples, varies = [], []
    for values in (x, y):
        r = rounded(np.ascontiguousarray(values), tie_tolerance)
        is_constant = np.all(r == r[..., :1], axis=-1, keepdims=True)
        samples.append(np.where(is_constant, r[..., :1], values))
        varies.append(~is_constant[..., 0])
    a, b = samples
    either = varies[0] | varies[1]
    is_zero = ~either & (differences(a[..., :1], b[..., :1], tie_tolerance)[..., 0] == 0)
    return a, np.where(is_zero[..., None], a[..., :1], b), either


def _gamma(x: FloatArray, y: FloatArray, p: FloatArray) -> FloatArray:
    """Return gamma of shape (..., m), which is 0 or infinite if the deviation is 0."""
    n, m = x.shape[-1], y.shape[-1]
    difference = harrell_davis(x, p) - harrell_davis(y, p)
    a, b = _median_deviation(x), _median_deviation(y)
    largest = np.maximum(a, b)
    scale = np.where(largest > 0, largest, 1.0)  # so that no square vanishes
    pooled = scale * np.sqrt(((n - 1) * (a / scale) ** 2 + (m - 1) * (b / scale) ** 2) / (n + m - 2))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(difference == 0, 0.0, difference / pooled[..., None])


def _median_deviation(values: FloatArray) -> FloatArray:
    """Return the median absolute deviation, scaled to a standard deviation, or 0 for a single value."""
    half = np.array([0.5])
    deviations = np.abs(values - harrell_davis(values, half))
    return CONSISTENCY * harrell_davis(deviations, half)[..., 0]


def _resampled(
    x: FloatArray, y: FloatArray, p: FloatArray, paired: bool, n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Return gamma of bootstrap samples of one member, of shape (m, n_resamples)."""
    n, m = x.size, y.size
    size = max(1, VALUES_AT_ONCE // (max(n, m) * p.size))
    parts = []
    for start in range(0, n_resamples, size):
        count = min(size, n_resamples - start)
        of_x = generator.integers(n, size=(count, n))
        of_y = of_x if paired else generator.integers(m, size=(count, m))
        parts.append(_gamma(x[of_x], y[of_y], p))
    return np.concatenate(parts).T
