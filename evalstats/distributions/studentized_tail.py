"""How likely is so large a multiple of a standard deviation, if the standard deviation is itself an estimate?

A statistic whose tail is known for a standard deviation of 1 is divided by an independent estimate s of it, with df s^2
from a chi-squared distribution. It exceeds q where its own value exceeds x = q s. The integrand over log x is positive
and analytic: nothing cancels, the trapezoid rule converges geometrically, and one grid of x serves all q.
"""

from __future__ import annotations

__all__ = ["isf", "sf"]

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from evalstats._types import FloatArray

Tail = Callable[[FloatArray], FloatArray]

BLOCK = 2**10  # values of q at a time
LOG_X = -45.0, 4.2  # here every tail that is used is 1 and 0, to the last bit


def sf(q: FloatArray, tail: Tail, k: int, df: float) -> FloatArray:
    """Return P(X > q s) with a small relative error, even in the far tail.

    The tail of X falls with x like exp(-x^2 / 4), and is at most k^2 / 2 times that.
    """
    q = np.asarray(q, dtype=np.float64)
    of_q = np.where(np.isnan(q), np.nan, np.where(q > 0, 0.0, 1.0))
    inside = (q > 0) & (q < np.inf)
    log_q = np.log(q[inside])
    blocks = [_tail_and_slope(log_q[i : i + BLOCK], tail, k, df)[0] for i in range(0, log_q.size, BLOCK)]
    of_q[inside] = np.concatenate([*blocks, []])
    return np.asarray(np.minimum(of_q, 1.0))


def isf(p: float, tail: Tail, k: int, df: float, first_guess: float) -> float:
    """Solve P(X > q s) = p by Newton's steps, from a guess that may lie far below.

    On the logarithm as a function of log q, which is concave, being that of a convolution of two log-concave functions:
    once above the root they come down to it and never pass it.
    """
    log_q = np.array([math.log(first_guess)])
    for _ in range(100):
        found, slope = _tail_and_slope(log_q, tail, k, df)
        with np.errstate(divide="ignore", invalid="ignore"):  # the tail is flat where it is 1
            step = np.fmin(np.log(p / found) * found / slope, 1.0)  # not so far that the tail vanishes
        log_q += step
        if abs(step[0]) < 1e-8:  # what remains is of the order of its square
            break
    return math.exp(log_q[0])


def _tail_and_slope(log_q: FloatArray, tail: Tail, k: int, df: float) -> tuple[FloatArray, FloatArray]:
    """P(X > q s) and its derivative with respect to log q."""
    step = 1 / (1.9 * math.sqrt(df) + 3 * math.log(k) + 6)  # halving it changes no sum by more than rounding
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
    """How far to the left and right of 0 df (w - exp(2 w) / 2) is not yet lower by 36 and the logarithm of k^2."""
    drop = (36 + 2 * math.log(k)) / df
    # |w - (exp(2 w) - 1) / 2| is at least w^2 / (1 + |w|) to the left, and to the right w^2
    return (drop + math.sqrt(drop * drop + 4 * drop)) / 2, min(math.sqrt(drop), math.log1p(4 * drop + 4) / 2)


def _log_density(log_s: FloatArray) -> FloatArray:
    """Logarithm of the density of log s for one degree of freedom, 0 at its maximum."""
    return np.asarray(log_s - np.expm1(2 * log_s) / 2)


@lru_cache(maxsize=256)
def _mass(df: float) -> float:
    """Integral of exp(df times `_log_density`)."""
    left, right = _reach(2, df)
    step = 1 / (1.9 * math.sqrt(df) + 8)
    log_s = np.asarray(step * np.arange(-math.ceil(left / step), math.ceil(right / step) + 1), dtype=np.float64)
    return float(step * np.exp(df * _log_density(log_s)).sum())
