"""The studentized range distribution.

The statistic is the range of k independent normal variables, divided by their standard deviation or by an independent
estimate of it. If the standard deviation is known, the degrees of freedom are infinite, as in the Nemenyi test. If it
is estimated, the degrees of freedom are the degrees of freedom of the estimate, as in Tukey's test.
"""

from __future__ import annotations

__all__ = ["isf", "sf", "standardized_isf", "standardized_sf"]

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails

Tail = Callable[[FloatArray], FloatArray]
BLOCK = 2**10  # values of q at a time
LOG_X = -45.0, 4.2  # at these limits, the tails are 1 and 0 to the last bit
# Between two edges, log(P(range of k > q) / P(range of 2 > q)) is a polynomial of this degree up to rounding. Beyond
# the last edge, it is constant.
EDGES = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24], dtype=np.float64)
MIDDLE, HALF_WIDTH = (EDGES[1:] + EDGES[:-1]) / 2, np.diff(EDGES) / 2
DEGREE = 21


# A statistic X whose tail is known for a standard deviation of 1 is divided by an independent estimate s of the
# standard deviation, with df s^2 from a chi-squared distribution. The ratio exceeds q if X exceeds x = q s. The
# integrand over log x is positive and analytic: nothing cancels, the trapezoid rule converges geometrically, and one
# grid of x serves all q.
def standardized_sf(q: FloatArray, tail: Tail, k: int, df: float) -> FloatArray:
    """Compute P(X > q s) with a small relative error, even in the far tail.

    The tail of X decreases with x like exp(-x^2 / 4) and is at most k^2 / 2 times this value.
    """
    q = np.asarray(q, dtype=np.float64)
    of_q = np.where(np.isnan(q), np.nan, np.where(q > 0, 0.0, 1.0))
    inside = (q > 0) & (q < np.inf)
    log_q = np.log(q[inside])
    blocks = [_tail_and_slope(log_q[i : i + BLOCK], tail, k, df)[0] for i in range(0, log_q.size, BLOCK)]
    of_q[inside] = np.concatenate([*blocks, []])
    return np.asarray(np.minimum(of_q, 1.0))


def standardized_isf(p: float, tail: Tail, k: int, df: float, first_guess: float) -> float:
    """Solve P(X > q s) = p by Newton's method, from a starting value that may be far below the root.

    The steps use the logarithm as a function of log q. This function is concave, because it is a convolution of two
    log-concave functions. Steps above the root decrease to it and never pass it.
    """
    log_q = np.array([math.log(first_guess)])
    for _ in range(100):
        found, slope = _tail_and_slope(log_q, tail, k, df)
        with np.errstate(divide="ignore", invalid="ignore"):  # the tail is flat where it is 1
            # the step is limited so that the tail does not vanish
            step = np.fmin(np.log(p / found) * found / slope, 1.0)
        log_q += step
        if abs(step[0]) < 1e-8:  # the remaining error is of the order of the squared step
            break
    return math.exp(log_q[0])


def _tail_and_slope(log_q: FloatArray, tail: Tail, k: int, df: float) -> tuple[FloatArray, FloatArray]:
    """Compute P(X > q s) and its derivative with respect to log q."""
    step = 1 / (1.9 * math.sqrt(df) + 3 * math.log(k) + 6)  # halving the step changes no sum by more than rounding
    left, right = _reach(k, df)
    # the integrand is near exp(df (w - exp(2 w) / 2)) with w = log(s / s_0), where the two exponents balance at s_0
    log_s0 = -np.logaddexp(0.0, 2 * log_q - math.log(2 * df)) / 2
    start = np.floor((log_q + log_s0 - left) / step)
    node = start[:, None] + np.arange(math.ceil((left + right) / step) + 2)
    grid = np.clip(node, *np.rint(np.array(LOG_X) / step)).astype(np.int64)
    lowest = grid.min()
    of_x = tail(np.exp(step * np.arange(lowest, grid.max() + 1)))[grid - lowest]
    log_s = step * node - log_q[:, None]
    terms = of_x * np.exp(df * _log_density(log_s)) * (step / _mass(df))
    return terms.sum(axis=-1), (terms * df * np.expm1(2 * log_s)).sum(axis=-1)


def _reach(k: int, df: float) -> tuple[float, float]:
    """Return the distances from 0 at which df (w - exp(2 w) / 2) is lower by 36 plus the logarithm of k^2."""
    drop = (36 + 2 * math.log(k)) / df
    # |w - (exp(2 w) - 1) / 2| is at least w^2 / (1 + |w|) to the left, and to the right w^2
    return (drop + math.sqrt(drop * drop + 4 * drop)) / 2, min(math.sqrt(drop), math.log1p(4 * drop + 4) / 2)


def _log_density(log_s: FloatArray) -> FloatArray:
    """Compute the log density of log s for one degree of freedom, 0 at its maximum."""
    return np.asarray(log_s - np.expm1(2 * log_s) / 2)


@lru_cache(maxsize=256)
def _mass(df: float) -> float:
    """Compute the integral of exp(df times `_log_density`)."""
    left, right = _reach(2, df)
    step = 1 / (1.9 * math.sqrt(df) + 8)
    log_s = np.asarray(step * np.arange(-math.ceil(left / step), math.ceil(right / step) + 1), dtype=np.float64)
    return float(step * np.exp(df * _log_density(log_s)).sum())


def sf(q: FloatArray, k: int, df: float = math.inf) -> FloatArray:
    """Compute P(range > q) for k variables, with a small relative error down to the smallest double."""
    if df < math.inf:
        return standardized_sf(q, lambda x: sf(x, k), k, df)
    of_k = tails.erfc_times_exp(q / 2, 0.0 if k == 2 else _log_ratio(q, k))  # of two: erfc(q / 2)
    return np.where(q > 0, np.minimum(of_k, 1.0), 1.0)


@lru_cache(maxsize=256)
def isf(p: float, k: int, df: float = math.inf) -> float:
    """Return the q that the range of k variables exceeds with probability p, for any p between 0 and 1."""
    if df < math.inf:
        return standardized_isf(p, lambda x: sf(x, k), k, df, first_guess=isf(p, k))
    if p > 0.5:
        return _quantile_from_below(1 - p, k)
    # Bonferroni's bound over all pairs: exact for two variables and, in double precision, in the far tail
    bound = 2 * tails.erfc_inverse(math.log(p) - math.log(k * (k - 1) / 2))
    return bound if k == 2 or bound >= EDGES[-1] else _isf_from_above(p, k, bound)


def _isf_from_above(p: float, k: int, q: float) -> float:
    """Solve P(range > q) = p by Newton's method on its concave logarithm, from above the root."""
    for _ in range(100):
        smallest = _smallest(q, k)
        tail = float(_tail(smallest, k))
        step = math.log(tail / p) * tail / float(_density(smallest, q, k))
        q += step
        if abs(step) < 1e-8 * q:  # the remaining error is of the order of the squared step
            break
    return q


def _quantile_from_below(p: float, k: int) -> float:
    """Solve P(range <= q) = p by Newton's method on its logarithm as a concave function of log q."""
    # below the root, because no interval of length q has a higher probability than the interval around 0: P <= k P(|Z|
    # <= q / 2)^(k - 1)
    q = math.sqrt(8) * tails.erfc_inverse(math.log1p(-((p / k) ** (1 / (k - 1)))))
    for _ in range(100):
        smallest = _smallest(q, k)
        body = float(_body(smallest, k))
        step = -math.log(body / p) * body / (q * float(_density(smallest, q, k)))
        q *= math.exp(step)
        if abs(step) < 1e-8:
            break
    return q


def _log_ratio(q: FloatArray, k: int) -> FloatArray:
    """Compute log(P(range of k > q) / P(range of 2 > q))."""
    from numpy.polynomial.chebyshev import chebval

    inside = np.minimum(q, EDGES[-1])
    piece = np.minimum(np.searchsorted(EDGES, inside, side="right") - 1, len(MIDDLE) - 1)
    x = (inside - MIDDLE[piece]) / HALF_WIDTH[piece]
    return np.asarray(chebval(x, _chebyshev_coefficients(k)[:, piece], tensor=False))


@lru_cache(maxsize=256)
def _chebyshev_coefficients(k: int) -> FloatArray:
    """Return the coefficients of the polynomials of `_log_ratio`, one column for each piece."""
    from numpy.polynomial.chebyshev import chebinterpolate

    def log_ratio(x: FloatArray) -> Any:
        q = MIDDLE + HALF_WIDTH * x[:, None]
        return np.log(_tail(_smallest(q, k), k) / tails.erfc(q / 2))

    return chebinterpolate(log_ratio, DEGREE)


# The smallest of the k variables is z. The others lie above z, and the range is at most q if none lies above z + q.
# All three integrands over z are positive and entire: nothing cancels, and the trapezoid rule converges geometrically.
class _Smallest(NamedTuple):
    """Nodes z for the smallest variable, along the last axis."""

    z: FloatArray
    weight: FloatArray
    above: FloatArray  # P(Z > z)
    beyond: FloatArray  # P(Z > z + q)


def _smallest(q: FloatArray | float, k: int) -> _Smallest:
    q = np.asarray(q, dtype=np.float64)[..., None]
    step = 1 / (1.4 + 1.25 * math.log(k))  # halving the step changes no sum by more than rounding
    # the nodes of every q are around -q / 2, on a common grid
    start = -np.rint(q / 2 / step).astype(int) - math.ceil(9 / step)
    grid = step * np.arange(start.min(), start.max() + math.ceil(15 / step) + 2)
    node = start - start.min() + np.arange(math.ceil(15 / step) + 2)
    z = grid[node]
    return _Smallest(
        z=z,
        weight=(k * step * _normal_density(grid))[node],
        above=tails.normal_right_tail(grid)[node],
        beyond=tails.normal_right_tail(z + q),
    )


def _tail(smallest: _Smallest, k: int) -> FloatArray:
    """Compute P(range > q)."""
    _, weight, above, beyond = smallest
    with np.errstate(divide="ignore"):  # the logarithm is that of 0 if every variable above z lies beyond z + q
        some_beyond = -np.expm1((k - 1) * np.log1p(-beyond / above))
    return np.asarray(np.sum(weight * above ** (k - 1) * some_beyond, axis=-1))


def _body(smallest: _Smallest, k: int) -> FloatArray:
    """Compute P(range <= q)."""
    _, weight, above, beyond = smallest
    return np.asarray(np.sum(weight * (above - beyond) ** (k - 1), axis=-1))


def _density(smallest: _Smallest, q: float, k: int) -> FloatArray:
    """Compute the density of the range at q."""
    z, weight, above, beyond = smallest
    return np.asarray(np.sum((k - 1) * weight * _normal_density(z + q) * (above - beyond) ** (k - 2), axis=-1))


def _normal_density(z: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-z * z / 2) / math.sqrt(2 * math.pi))
