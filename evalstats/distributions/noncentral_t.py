"""Noncentral t distribution: power of the t-test and limits for the noncentrality."""

from __future__ import annotations

__all__ = ["noncentrality_limits", "t_power"]

import math

import numpy as np

from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails

# beyond this point, the density of the standard deviation, relative to its mode, is below the precision of a float
NEGLIGIBLE = 42.0
# beyond these noncentralities, in standard deviations of log S, the tail given S is nearly a step function
FAR = 1000
NODES, WEIGHTS = np.polynomial.legendre.leggauss(128)
FARTHEST_Z = 9.0  # the normal distribution has a probability of 1e-19 beyond this value
LEAST_TAIL = 1e-19
PER_BLOCK = 1024  # number of problems that are solved at once: they need 1 MB for each of several arrays
MOST_STEPS = 200


def t_power(noncentrality: float, df: float, alpha: float, alternative: str) -> float:
    """Return the probability that a noncentral T with `df` degrees of freedom is in the rejection region.

    T = (Z + noncentrality) / S. Given S, the tail is a tail of the normal Z. The trapezoid rule in log S is exact up to
    rounding, because the density of log S and all its derivatives vanish at both ends.
    """
    from scipy.special import ndtr

    n_sides = 2 if alternative == "two-sided" else 1
    critical = -float(tails.t_quantile(df, alpha / n_sides))
    if alternative == "less":
        noncentrality = -noncentrality

    if abs(noncentrality) > FAR * math.sqrt(2 * df):
        return _far_power(abs(noncentrality) if n_sides == 2 else noncentrality, df, critical)
    u = _grid(df, max(math.sqrt(2 * df), abs(noncentrality), 1.0), _loss(noncentrality, df, critical))
    density = np.exp(df * (u - np.expm1(2 * u) / 2))
    bound = critical * np.exp(u)
    tail = ndtr(noncentrality - bound)
    if n_sides == 2:
        tail = tail + ndtr(-noncentrality - bound)

    # numerator and denominator are summed in the same way, so the power is 1 on every machine if every tail is 1
    return float((density * tail).sum() / density.sum())


def _far_power(noncentrality: float, df: float, critical: float) -> float:
    """Compute P(Z + noncentrality > critical S) by integration over Z."""
    from scipy.special import gammainc, gammaincc

    z = np.linspace(-9, 9, 361)
    density = np.exp(-z * z / 2)
    s = np.clip((z + noncentrality) / critical, 0, 1e100) if critical else np.zeros_like(z)
    is_below = (gammainc if critical > 0 else gammaincc)(df / 2, df / 2 * s * s)
    return float((density * is_below).sum() / density.sum())


def _loss(noncentrality: float, df: float, critical: float) -> float:
    """Return the logarithm of the maximum of the integrand divided by the integrand at S = 0 without the density.

    The tail decreases with S like exp(noncentrality bound - bound^2 / 2). At the maximum, the density increases at the
    same rate.
    """
    if noncentrality >= 0 or critical <= 0:
        return 0.0
    slope, curvature = -noncentrality * critical, df + critical * critical
    s = 2 * df / (slope + math.hypot(slope, 2 * math.sqrt(curvature * df)))
    return df * ((s * s - 1) / 2 - math.log(s)) + slope * s + (critical * s) ** 2 / 2


def _grid(df: float, steepness: float, loss: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the relevant grid of log S, fine enough for the steepest factor of the integrand."""
    drop = NEGLIGIBLE + loss
    low = -0.5 - drop / df if df < 4 * drop else -2 * math.sqrt(drop / df)
    high = math.sqrt(NEGLIGIBLE / df)
    return np.linspace(low, high, math.ceil((high - low) * 8 * steepness) + 1)


# The limits of the noncentrality are the confidence interval of every standardized mean difference. The distribution
# is integrated numerically: T = (Z + delta) / U with a normal Z and U^2 = chi-squared / df. The integral runs over
# the variable (U or Z / t) that varies less, so the conditional probability is smooth.
def noncentrality_limits(t: FloatArray, df: float, tail: float) -> tuple[FloatArray, FloatArray]:
    """Return the noncentralities for which P(T >= t) and P(T <= t), respectively, are `tail`: lower and upper limit."""
    flat = np.asarray(t, dtype=np.float64).ravel()
    limits = np.full((2, flat.size), np.nan)
    finite = np.flatnonzero(np.isfinite(flat))
    for start in range(0, finite.size, PER_BLOCK):
        block = finite[start : start + PER_BLOCK]
        limits[0, block] = -_upper_limit(-flat[block], df, tail)
        limits[1, block] = _upper_limit(flat[block], df, tail)
    low, high = limits.reshape(2, *np.shape(t))
    return low, high


def left_tail(t: FloatArray, df: float, delta: FloatArray) -> FloatArray:
    """Compute P(T <= t) for a noncentral t distribution, for vectors t and delta."""
    varies_less = np.abs(t) <= np.sqrt(2 * df)
    result = np.empty(t.shape)
    result[varies_less] = _given_u(t[varies_less], df, delta[varies_less])
    result[~varies_less] = _given_z(t[~varies_less], df, delta[~varies_less])
    return result


def _upper_limit(t: FloatArray, df: float, tail: float) -> FloatArray:
    """Solve P(T <= t) = tail for the noncentrality by the Illinois method, on the scale of normal quantiles."""
    from scipy.special import ndtri

    def miss(t: FloatArray, delta: FloatArray) -> FloatArray:
        return np.asarray(ndtri(np.clip(left_tail(t, df, delta), 1e-300, 1 - 1e-16)) - ndtri(tail))

    low, high = _bracket(t, df, tail)
    at_low, at_high = miss(t, low), miss(t, high)
    result = np.empty(t.shape)
    todo = np.arange(t.size)
    for _ in range(MOST_STEPS):
        middle = high - at_high * (high - low) / (at_high - at_low)
        at_middle = miss(t[todo], middle)
        crosses = (at_middle > 0) != (at_high > 0)
        low, at_low = np.where(crosses, high, low), np.where(crosses, at_high, at_low / 2)
        step, high, at_high = np.abs(middle - high), middle, at_middle
        result[todo] = middle
        goes_on = (np.minimum(step, np.abs(high - low)) > 1e-14 * (1 + np.abs(high))) & (np.abs(at_high) > 1e-15)
        if not goes_on.any():
            break
        todo = todo[goes_on]
        low, at_low, high, at_high = low[goes_on], at_low[goes_on], high[goes_on], at_high[goes_on]
    return result


def _bracket(t: FloatArray, df: float, tail: float) -> tuple[FloatArray, FloatArray]:
    """Return noncentralities below and above the solution."""
    from scipy.special import ndtri

    few, most = tail / 2, (1 - tail) / 2
    is_positive = t >= 0
    low = t * np.where(is_positive, _u_below(df, most), _u_above(df, most)) + ndtri(most)
    high = t * np.where(is_positive, _u_above(df, few), _u_below(df, few)) - ndtri(few)
    return low, high


def _given_u(t: FloatArray, df: float, delta: FloatArray) -> FloatArray:
    """Integrate P(Z <= t u - delta) over the density of U."""
    from scipy.special import ndtr

    low, high = _u_below(df, LEAST_TAIL), _u_above(df, LEAST_TAIL)
    v = (low + high) / 2 - 1 + (high - low) / 2 * NODES
    density = WEIGHTS * np.exp(df * (np.log1p(v) - v - v * v / 2) - np.log1p(v))
    return np.asarray(np.sum(ndtr(t[:, None] * (1 + v) - delta[:, None]) * (density / density.sum()), axis=-1))


def _given_z(t: FloatArray, df: float, delta: FloatArray) -> FloatArray:
    """Integrate the probability that U is beyond (z + delta) / t over the density of Z."""
    from scipy.special import gammainc, gammaincc, ndtr

    is_positive = t > 0
    shift = np.where(is_positive, delta, -delta)
    start = np.clip(-shift, -FARTHEST_Z, FARTHEST_Z)
    half = (FARTHEST_Z - start) / 2
    z = start[:, None] + half[:, None] * (1 + NODES)
    u = np.maximum(z + shift[:, None], 0.0) / np.abs(t)[:, None]
    argument = df / 2 * u * u
    side = np.where(is_positive[:, None], gammaincc(df / 2, argument), gammainc(df / 2, argument))
    integral = half / np.sqrt(2 * np.pi) * np.sum(np.exp(-z * z / 2) * side * WEIGHTS, axis=-1)
    return np.asarray(np.where(is_positive, ndtr(-shift), 0.0) + integral)


def _u_below(df: float, p: float) -> float:
    """Return the quantile of U with left-tail probability p."""
    from scipy.special import gammaincinv

    return float(np.sqrt(2 * gammaincinv(df / 2, p) / df))


def _u_above(df: float, p: float) -> float:
    """Return the quantile of U with right-tail probability p."""
    from scipy.special import gammainccinv

    return float(np.sqrt(2 * gammainccinv(df / 2, p) / df))
