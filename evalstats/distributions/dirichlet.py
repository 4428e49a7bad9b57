"""Three shares have a Dirichlet distribution: how probable is it of each that it is the largest?"""

from __future__ import annotations

__all__ = ["largest_share_probabilities"]

import math

import numpy as np

from evalstats._types import FloatArray

LOG_NEGLIGIBLE = 42.0  # exp(-42) is below half the last digit of 1
WIDEST_STEP = 0.15
LEAST_FOR_STIRLING = 20.0  # from here on four terms of the series are exact to rounding


def largest_share_probabilities(alpha: FloatArray) -> FloatArray:
    """Return, for parameters of shape (..., 3), the probability of each share to be the largest.

    A parameter of 0 is a share that is 0. At least one parameter is 1 or more.
    """
    rows, inverse = np.unique(alpha.reshape(-1, 3), axis=0, return_inverse=True)
    return np.array([_probabilities(row) for row in rows])[inverse.ravel()].reshape(alpha.shape)


def _probabilities(alpha: FloatArray) -> FloatArray:
    """Integrate f_c F_a F_b, of three gamma variables whose shares they are, over the logarithm of the variable.

    The integrand is a logarithmically concave bump, analytic in a strip around the real line and negligible at both
    ends, so that the trapezoid rule is exact to rounding. Its top lies between a third of the
    largest parameter and that parameter, and it is about 1 / sqrt(sum of the parameters) wide.
    """
    from scipy.special import gammainc

    largest, total = float(alpha.max()), float(alpha.sum())
    left = math.log(largest / 3) - LOG_NEGLIGIBLE / largest - math.sqrt(2 * LOG_NEGLIGIBLE / largest)
    right = math.log(largest + math.sqrt(2 * LOG_NEGLIGIBLE * largest) + LOG_NEGLIGIBLE)
    step = min(WIDEST_STEP, 0.5 / math.sqrt(total))
    t = np.arange(left, right + step, step)
    g = np.exp(t)
    is_possible = alpha > 0
    below = np.ones((3, t.size))
    below[is_possible] = gammainc(alpha[is_possible, None], g)
    p = np.zeros(3)
    for c in np.flatnonzero(is_possible):
        a, b = (other for other in range(3) if other != c)
        p[c] = step * np.sum(_density_of_logarithm(t, float(alpha[c])) * below[a] * below[b])
    return np.asarray(p / p.sum())  # what rounding adds to a sum of many terms; a probability is never above 1


def _density_of_logarithm(t: FloatArray, alpha: float) -> FloatArray:
    """Density of the logarithm of a gamma variable; around its mode the digits of a large parameter do not cancel."""
    u = t - math.log(alpha)
    if alpha < LEAST_FOR_STIRLING:
        log_peak = alpha * math.log(alpha) - alpha - math.lgamma(alpha)
    else:
        series = (1 - (1 / 30 - (1 / 105 - 1 / (140 * alpha**2)) / alpha**2) / alpha**2) / (12 * alpha)
        log_peak = math.log(alpha / (2 * math.pi)) / 2 - series
    return np.asarray(np.exp(log_peak - alpha * (np.expm1(u) - u)))
