"""The Diebold-Mariano test: comparison of two forecasters with autocorrelated losses."""

from __future__ import annotations

__all__ = ["DieboldMarianoTestResult", "diebold_mariano_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, noise_of, summands
from evalstats._result import HypothesisTestResult, reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails

METHODS, VARIANCES = ("t", "asymptotic"), ("acf", "bartlett")
NO_DIFFERENCE = "x and y have equal losses at every time, so there is no difference to test"
NO_VARIANCE = "the loss difference of x and y is the same at every time, so it has no variance"
NOT_POSITIVE = (
    "the estimated variance is not positive; with variance='bartlett', it is positive if the loss differences vary"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class DieboldMarianoTestResult(HypothesisTestResult):
    """Result of `diebold_mariano_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean loss difference divided by its standard error. For ``'t'``, this ratio is multiplied by the factor of
        Harvey, Leybourne and Newbold. The statistic is infinite if all differences have the same nonzero value, and nan
        if the differences vary but the estimated variance is not positive.
    pvalue : float or ndarray
        The p-value. It is 1 if x and y have equal losses at every time, and nan if the statistic is infinite or nan.
    mean_difference : float or ndarray
        Mean loss of x minus the mean loss of y.
    standard_error : float or ndarray
        Standard error of the mean difference, which includes the autocovariances. It is 0 if all differences are equal,
        and nan if the differences vary but the estimated variance is not positive.
    n_times : int
        Number n of times.
    horizon : int
        Number of steps ahead of the forecast.
    variance : str
        ``'acf'`` or ``'bartlett'``.
    df : int
        Degrees of freedom of ``'t'``, n - 1.
    """

    mean_difference: Any
    standard_error: Any
    n_times: int
    horizon: int
    variance: str
    df: int


def diebold_mariano_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    horizon: int = 1,
    alternative: str = "two-sided",
    method: str = "t",
    variance: str = "acf",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> DieboldMarianoTestResult:
    """Test whether two forecasters have equal mean loss, for losses that are correlated in time.

    Use the test for predictions on a stream or for a time series, where losses at neighboring times are correlated. The
    paired t-test ignores this correlation. The null hypothesis is that the expected losses are equal. The test compares
    forecasts, not models, and is not valid for forecasts of nested models.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Losses of two forecasters at the same n times, in chronological order. Losses are absolute or squared errors,
        log losses, or 0 and 1 for correct and incorrect predictions, respectively. Leading axes are batch dimensions
        and broadcast.
    horizon : int, default: 1
        Number of steps ahead of the forecast, smaller than n. The losses of forecasts h steps ahead are correlated over
        h - 1 times, so the variance includes h - 1 autocovariances.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger mean loss. ``'less'``: x has the smaller mean loss.
    method : {'t', 'asymptotic'}, default: 't'
        ``'t'``: Student's distribution and the correction of Harvey, Leybourne & Newbold. ``'asymptotic'``: the normal
        distribution, as in Diebold and Mariano. For short series and long horizons, ``'asymptotic'`` rejects far too
        often.
    variance : {'acf', 'bartlett'}, default: 'acf'
        ``'acf'``: unweighted autocovariances; if the resulting variance is not positive, p is nan. ``'bartlett'``:
        autocovariances with decreasing weights, which prevent a negative variance.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    DieboldMarianoTestResult
        The statistic and its p-value. The result also contains the mean difference with its standard error.

    Raises
    ------
    ValueError, TypeError
        If x and y are not paired and finite, or have fewer than two values. If the horizon is not an integer from 1 to
        n - 1, or an option is unknown.

    Notes
    -----
    Let d = x - y, g_k the autocovariances (divided by n) and v = (g_0 + 2 sum of g_k for k < h) / n. The statistic is
    mean(d) / sqrt(v). With ``'t'``, it is multiplied by sqrt((n + 1 - 2 h + h (h - 1) / n) / n). Autocovariances can
    cancel. A variance that rounding errors of the losses can reach is not positive.

    References
    ----------
    Diebold, F. X. & Mariano, R. S. (1995). Comparing predictive accuracy. Journal of Business & Economic Statistics 13,
    253-263.

    Harvey, D., Leybourne, S. & Newbold, P. (1997). Testing the equality of prediction mean squared errors.
    International Journal of Forecasting 13, 281-291.

    Examples
    --------
    >>> from evalstats.paired import diebold_mariano_test
    >>> first = [0.9, 1.1, 0.4, 0.8, 1.5, 1.3, 0.7, 0.2, 1.0, 1.2]
    >>> second = [0.7, 0.8, 0.5, 0.4, 1.1, 1.2, 0.8, 0.1, 0.6, 0.9]
    >>> result = diebold_mariano_test(first, second)
    >>> print(f"{result.mean_difference:.2f}, t = {result.statistic:.3f}, p = {result.pvalue:.4f}")
    0.20, t = 3.254, p = 0.0099
    """
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance, minimum=2)
    n = x.shape[-1]
    horizon = _checks.count(horizon, "horizon")
    if horizon >= n:
        raise InvalidValueError(f"horizon must be smaller than the number of time points ({n}), but it is {horizon}")
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    method = _checks.choice(method, "method", METHODS)
    variance = _checks.choice(variance, "variance", VARIANCES)

    x, y = _checks.moderate(x, "x"), _checks.moderate(y, "y")
    rounded = differences(x, y, tie_tolerance)
    is_constant = (rounded == rounded[..., :1]).all(axis=-1)
    d = np.where(is_constant[..., np.newaxis], rounded, summands(x, y, tie_tolerance)[0])
    mean = d.mean(axis=-1)
    noise = 4 * noise_of(tie_tolerance) * np.maximum(np.abs(x), np.abs(y)).max(axis=-1, keepdims=True)
    squared = np.where(is_constant, 0.0, _squared_error(d, noise, horizon, variance))
    is_known = squared > 0
    standard_error = np.sqrt(np.where(is_known, squared, 1.0))
    factor = np.sqrt((n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n) if method == "t" else 1.0
    statistic = np.where(is_known, factor * mean / standard_error, np.where(is_constant, _infinite(mean), np.nan))
    known = np.where(is_known, statistic, 0.0)
    pvalue = tails.t_pvalue(known, n - 1, alternative) if method == "t" else tails.normal_pvalue(known, alternative)
    is_equal = is_constant & (mean == 0)

    return DieboldMarianoTestResult(
        statistic=statistic,
        pvalue=np.where(is_known, pvalue, np.where(is_equal, 1.0, np.nan)),
        alternative=alternative,
        method=np.full(mean.shape, method),
        reason=reasons(mean.shape, (is_equal, NO_DIFFERENCE), (is_constant, NO_VARIANCE), (~is_known, NOT_POSITIVE)),
        mean_difference=mean,
        standard_error=np.where(is_known, standard_error, np.where(is_constant, 0.0, np.nan)),
        n_times=n,
        horizon=horizon,
        variance=variance,
        df=n - 1,
    )


DECLARATIONS = (
    Declaration(
        function=diebold_mariano_test,
        data=Data.PAIRS,
        excused=OF_SIZES | {"any order": "processes a stream"},
        inputs={
            "x, y": Draw("losses"),
            "horizon": (1, 2, 3),
            "alternative": _checks.ALTERNATIVES,
            "method": ("t", "asymptotic"),
            "variance": ("acf", "bartlett"),
        },
        simulations={"horizon 1": {}},
        sentence=(
            "Diebold-Mariano test: mean loss difference {mean_difference:short} over {n_times:count time}, {z_or_t}, "
            "{outcome}"
        ),
    ),
)


def _squared_error(d: FloatArray, noise: FloatArray, horizon: int, variance: str) -> FloatArray:
    """Return the estimated variance of the mean, from autocovariances over horizon - 1 times.

    Autocovariances that cancel leave rounding errors of the differences, whose size is `noise`. A sum that such errors
    can reach is 0.
    """
    n = d.shape[-1]
    centered = d - d.mean(axis=-1, keepdims=True)
    total = (centered**2).sum(axis=-1)
    for k in range(1, horizon):
        weight = 1 - k / horizon if variance == "bartlett" else 1.0
        total = total + 2 * weight * (centered[..., k:] * centered[..., :-k]).sum(axis=-1)
    largest_error = (4 * horizon - 2) * (noise * np.abs(centered)).sum(axis=-1)
    return np.asarray(np.where(total > largest_error, total, 0.0) / n**2)


def _infinite(mean: FloatArray) -> FloatArray:
    return np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
