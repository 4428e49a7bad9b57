"""How often does a t-test reject when the mean is not 0? Tails of the noncentral t distribution."""

from __future__ import annotations

__all__ = ["t_power"]

import math

import numpy as np

from evalstats.distributions import tail_probabilities as tails

# from here on the density of the standard deviation, relative to its mode, is below the precision of a float
NEGLIGIBLE = 42.0
# noncentralities, in standard deviations of log S, from which on the tail given S is nearly a step
FAR = 1000


def t_power(noncentrality: float, df: int, alpha: float, alternative: str) -> float:
    """Return the probability that T, noncentral with `df` degrees of freedom, lies where the t-test rejects.

    T = (Z + noncentrality) / S; given S, the tail is that of the normal Z. The trapezoid rule in log S is exact to
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

    # summed alike above and below, so that where every tail is 1 the power is 1 on every machine
    return float((density * tail).sum() / density.sum())


def _far_power(noncentrality: float, df: int, critical: float) -> float:
    """P(Z + noncentrality > critical S), integrated over Z instead of S: given Z it varies little."""
    from scipy.special import gammainc, gammaincc

    z = np.linspace(-9, 9, 361)
    density = np.exp(-z * z / 2)
    s = np.clip((z + noncentrality) / critical, 0, 1e100) if critical else np.zeros_like(z)
    is_below = (gammainc if critical > 0 else gammaincc)(df / 2, df / 2 * s * s)
    return float((density * is_below).sum() / density.sum())


def _loss(noncentrality: float, df: int, critical: float) -> float:
    """Logarithm of how much smaller the integrand at its top is than at S = 0 without its density: 0 on the near side.

    The tail falls with S like exp(noncentrality bound - bound^2 / 2), and has its top where the density rises as much.
    """
    if noncentrality >= 0 or critical <= 0:
        return 0.0
    slope, curvature = -noncentrality * critical, df + critical * critical
    s = 2 * df / (slope + math.hypot(slope, 2 * math.sqrt(curvature * df)))
    return df * ((s * s - 1) / 2 - math.log(s)) + slope * s + (critical * s) ** 2 / 2


def _grid(df: int, steepness: float, loss: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Values of log S that matter, narrow enough for the steepest factor of the integrand."""
    drop = NEGLIGIBLE + loss
    low = -0.5 - drop / df if df < 4 * drop else -2 * math.sqrt(drop / df)
    high = math.sqrt(NEGLIGIBLE / df)
    return np.linspace(low, high, math.ceil((high - low) * 8 * steepness) + 1)
