"""Ranks: which values are equal, and which rank does each get?

Scores such as 0.3 - 0.2 and 0.9 - 0.8 differ by floating-point noise only. Values are therefore compared after
rounding to 12 significant digits; ``tie_tolerance=0`` compares bits.
"""

from __future__ import annotations

__all__ = ["DEFAULT_TIE_TOLERANCE", "decimals", "differences", "midranks", "rounded"]

import math

import numpy as np
from numpy.typing import NDArray

from evalstats._checks import InvalidValueError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

DEFAULT_TIE_TOLERANCE = 1e-12

EXACT_POWER, LARGEST_POWER = 22, 308  # of ten: an exact float; a float
_POWERS_OF_TEN = np.array([float(f"1e{k}") for k in range(LARGEST_POWER + 1)])

# a power of two times [1, 2) holds at most one power of ten: the decade below it, and where the next one begins
_DECADES = np.floor(np.arange(-1023, 1025) * math.log10(2)).astype(np.int64) + 1
_NEXT_DECADE = np.array([float(f"1e{k}") for k in _DECADES])
_DECADES[0] = -1000  # zero and the subnormal numbers: too small to round


def rounded(values: FloatArray, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> FloatArray:
    """Round each value to as many significant digits as the tolerance names (1e-12: twelve)."""
    if tie_tolerance == 0:
        return values
    return _round_to(values, decimals(values, tie_tolerance))


def differences(
    x: FloatArray,
    y: FloatArray,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    places: tuple[IntArray, IntArray] | None = None,
) -> FloatArray:
    """Return x - y, rounded to that many significant digits of the larger operand; leading axes broadcast.

    `places` are the `decimals` of x and of y, for a caller who uses the same operands many times.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        d = x - y
        if not np.isfinite(d.sum()):
            _refuse_overflow(x, y, d)
    if tie_tolerance == 0:
        return d + 0.0  # no negative zero
    larger = np.minimum(*places) if places else decimals(np.maximum(np.abs(x), np.abs(y)), tie_tolerance)
    return _round_to(d, larger)


def decimals(operand: FloatArray, tie_tolerance: float) -> IntArray:
    """Return the place after the decimal point of the last significant digit of each value."""
    magnitude = np.abs(operand)
    binade = magnitude.view(np.int64) >> 52
    places: IntArray = (round(-math.log10(tie_tolerance)) - _DECADES)[binade]
    places -= magnitude >= _NEXT_DECADE[binade]
    return places


def midranks(values: FloatArray) -> FloatArray:
    """Rank along the last axis, 1 for the smallest; equal values share the mean of their ranks."""
    n = values.shape[-1]
    order = np.argsort(values, axis=-1).reshape(-1, n)
    order += np.arange(0, values.size, n)[:, None]  # positions in the flattened array
    ordered = values.ravel()[order]
    is_first = np.ones(order.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=is_first[:, 1:])
    first = np.flatnonzero(is_first)
    size = np.diff(first, append=values.size)
    ranks = np.empty(values.size)
    ranks[order.ravel()] = np.repeat(first % n + (size + 1) / 2, size)
    return ranks.reshape(values.shape)


def _round_to(values: FloatArray, places: IntArray) -> FloatArray:
    """Round to a number of decimals: equal decimal numbers become equal floats, 0.1 the float nearest to it."""
    if places.min(initial=0) >= 0 and places.max(initial=0) <= EXACT_POWER:
        up = _POWERS_OF_TEN[places]
        result: FloatArray = values * up
        np.rint(result, out=result)
        result /= up
    else:
        result = _round_to_any(values, places)
    result += 0.0  # no negative zero
    return result


def _round_to_any(values: FloatArray, places: IntArray) -> FloatArray:
    """Round where powers of ten are not exact: to multiples of the coarsest unit, which enters once for all."""
    is_tiny = places > LARGEST_POWER
    coarsest = int(places.min())
    places = np.where(is_tiny, coarsest, places)
    if coarsest >= 0 and places.max() <= EXACT_POWER:
        coarsest = 0
    up, down, finer = (
        _POWERS_OF_TEN[np.clip(power, 0, LARGEST_POWER)] for power in (places, -places, places - coarsest)
    )
    unit = _POWERS_OF_TEN[min(abs(coarsest), LARGEST_POWER)]
    with np.errstate(over="ignore"):
        result = np.rint(values / down * up) / finer
        result = result / unit if coarsest > 0 else result * unit
    # too small or too large to be rounded: compared as it is
    return np.where(is_tiny | (places - coarsest > LARGEST_POWER) | ~np.isfinite(result), values, result)


def _refuse_overflow(x: FloatArray, y: FloatArray, d: FloatArray) -> None:
    """Name the first difference that is too large for a float; a sum of finite differences may overflow."""
    if not (is_finite := np.isfinite(d)).all():
        at = tuple(np.argwhere(~is_finite)[0])
        a, b = (np.broadcast_to(operand, d.shape)[at] for operand in (x, y))
        raise InvalidValueError(f"x - y must be finite, but {a} - {b} is too large for a float")
