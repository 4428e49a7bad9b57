"""Confidence intervals for proportions."""

from __future__ import annotations

__all__ = ["accuracy_interval", "mean_share_limits", "proportion_interval", "score_limits", "successes_and_trials"]

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval
from evalstats._types import FloatArray, IntArray
from evalstats.metrics.counts import place_of, whole_numbers, whole_tables

PROPORTION_METHODS = ("wilson", "clopper-pearson")
NORMAL_95 = 1.959963984540054


def proportion_interval(
    n_successes: ArrayLike, n: ArrayLike, *, method: str = "wilson", confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Compute a confidence interval for a proportion.

    Parameters
    ----------
    n_successes, n : array_like of int
        Numbers of successes and of independent trials. The two arguments broadcast.
    method : {'wilson', 'clopper-pearson'}, default: 'wilson'
        ``'wilson'``: the probabilities that a score test does not reject. The coverage is close to the confidence
        level. At the nominal level 95%, it is 91.4% with 10 trials and probability 0.95. With 50 trials and probability
        0.5, it is 93.5%. ``'clopper-pearson'``: the exact interval, which is wider than Wilson's. The coverage is at
        least the confidence level.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval.

    Returns
    -------
    ConfidenceInterval
        The interval contains the observed proportion. Without trials, the limits are 0 and 1.

    Raises
    ------
    ValueError, TypeError
        If a count is not an integer of at least 0, or there are more successes than trials. If the confidence level is
        not between 0 and 1.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22, 209-212.

    Clopper, C. J. & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case of the
    binomial. Biometrika 26, 404-413.

    Examples
    --------
    >>> from evalstats.metrics import proportion_interval
    >>> low, high = proportion_interval(81, 100)
    >>> print(f"{low:.4f} {high:.4f}")
    0.7222 0.8749
    >>> low, high = proportion_interval(81, 100, method="clopper-pearson")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7193 0.8816
    """
    limits = {"wilson": _wilson, "clopper-pearson": _clopper_pearson}[
        _checks.choice(method, "method", PROPORTION_METHODS)
    ]
    level = _checks.confidence_level(confidence_level)
    successes, trials = successes_and_trials(n_successes, n)

    low, high = limits(successes, trials - successes, (1 - level) / 2)

    return ConfidenceInterval(
        low=low, high=high, confidence_level=level, attained_level=np.full(successes.shape, level)
    )


def successes_and_trials(n_successes: Any, n: Any) -> tuple[IntArray, IntArray]:
    """Return integers of successes and of trials, broadcast against each other."""
    _labels.same_labels(n_successes=n_successes, n=n)
    successes, trials = whole_numbers(n_successes, "n_successes"), whole_numbers(n, "n")
    try:
        successes, trials = np.broadcast_arrays(successes, trials)
    except ValueError as error:
        raise InvalidValueError(
            f"n_successes and n must broadcast, but their shapes are {successes.shape} and {trials.shape}"
        ) from error
    if (successes > trials).any():
        at = tuple(np.argwhere(successes > trials)[0])
        raise InvalidValueError(
            f"n_successes must not be more than n, but n_successes{place_of(at)} is {successes[at]} "
            f"and n is {trials[at]}"
        )
    return successes, trials


def accuracy_interval(
    counts: ArrayLike, *, method: str = "wilson", confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Compute a confidence interval for the accuracy.

    Parameters
    ----------
    counts : array_like of int, of shape (..., k, k)
        Confusion counts. See `confusion_counts`.
    method, confidence_level
        As in `proportion_interval`.

    Returns
    -------
    ConfidenceInterval

    Raises
    ------
    ValueError, TypeError
        If the counts are not square tables of integers of at least 0, or under the same conditions as
        `proportion_interval`.

    Notes
    -----
    The coverage of Wilson's interval at the nominal level 95% is 91.2% with 10 instances and an accuracy of 0.95.

    The interval is valid for one trained classifier and independent test instances. The interval does not include the
    variation between repeated trainings, as in the folds of a cross-validation.

    Examples
    --------
    >>> from evalstats.metrics import accuracy_interval
    >>> low, high = accuracy_interval([[90, 2], [4, 4]])
    >>> print(f"{low:.4f} {high:.4f}")
    0.8752 0.9722
    """
    tables = whole_tables(counts)
    right = np.trace(tables, axis1=-2, axis2=-1)
    return proportion_interval(right, tables.sum(axis=(-2, -1)), method=method, confidence_level=confidence_level)


def _wilson(successes: IntArray, failures: IntArray, tail: float) -> tuple[FloatArray, FloatArray]:
    from scipy.special import ndtri

    return score_limits(successes.astype(np.float64), failures.astype(np.float64), ndtri(tail) ** 2)


def score_limits(successes: FloatArray, failures: FloatArray, square: Any) -> tuple[FloatArray, FloatArray]:
    """Return the roots of (p - observed)^2 = z^2 p (1 - p) / n: Wilson (1927); counts may be fractions."""
    return _smaller_root(successes, failures, square), 1 - _smaller_root(failures, successes, square)


def mean_share_limits(mean: float, variance: float, n: int, *, z: float = NORMAL_95) -> tuple[float, float]:
    """Return Wilson's limits (95% by default) for the mean of `n` proportions, given their variance.

    If the proportions are not all 0 or 1, their mean is as precise as a proportion from more than `n` trials. The
    limits use this effective number of trials.
    """
    effective = n * mean * (1 - mean) / variance if variance > 1e-12 else float(n)
    low, high = score_limits(np.array(mean * effective), np.array((1 - mean) * effective), z**2)
    return max(0.0, float(low)), min(1.0, float(high))


def _smaller_root(x: FloatArray, failures: FloatArray, square: Any) -> FloatArray:
    """Return the smaller root of a quadratic equation without cancellation."""
    n = x + failures
    with np.errstate(invalid="ignore", divide="ignore"):
        larger = x + square / 2 + np.sqrt(square * (x * failures / n + square / 4))
        return np.where(x > 0, x * x / n / larger, 0.0)


def _clopper_pearson(successes: IntArray, failures: IntArray, tail: float) -> tuple[FloatArray, FloatArray]:
    """Return the Clopper-Pearson limits, each with the error probability `tail`."""
    from scipy.special import betainccinv, betaincinv

    low = np.where(successes > 0, betaincinv(np.maximum(successes, 1), failures + 1, tail), 0.0)
    high = np.where(failures > 0, betainccinv(successes + 1, np.maximum(failures, 1), tail), 1.0)
    return low, high
