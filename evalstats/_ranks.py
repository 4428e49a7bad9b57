"""Ranks: which values are equal, and which rank does each get?

Scores such as 0.3 - 0.2 and 0.9 - 0.8 differ by floating-point noise only. Values are therefore compared after
rounding to 12 significant digits; ``tie_tolerance=0`` compares bits.

Differences that are compared with each other must be rounded to the same decimal: 30/30 - 29/30 and 29/30 - 28/30 are
equal, but not if one is rounded to 11 decimals, because 1.0 is in another decade, and the other to 12.
"""

from __future__ import annotations

__all__ = ["DEFAULT_TIE_TOLERANCE", "differences", "extent", "midranks", "rounded"]

import math

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray, IntArray

Extent = tuple[FloatArray, FloatArray]

DEFAULT_TIE_TOLERANCE = 1e-12
SHARED_DECADES = 3

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
    return _round_to(values, _decimals(values, tie_tolerance))


def differences(
    x: FloatArray,
    y: FloatArray,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    extents: tuple[Extent, Extent] | None = None,
) -> FloatArray:
    """Return x - y without the noise of floating point; leading axes broadcast.

    All differences along the last axis are rounded to the last significant digit of the largest score, those of scores
    that are over 1000 times smaller to a digit that is as many decades finer. A difference is 0 only where it vanishes
    in the significant digits of its own larger operand.

    `extents` are the `extent` of x and of y, for a caller who uses the same operands many times.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        d = x - y
        if not np.isfinite(d.sum()):
            _refuse_overflow(x, y, d)
    if tie_tolerance == 0:
        return d + 0.0  # no negative zero
    (smallest_x, largest_x), (smallest_y, largest_y) = extents or (extent(x), extent(y))
    places = _decimals(np.maximum(largest_x, largest_y), tie_tolerance)[..., None]
    finest = places + SHARED_DECADES
    if (_decimals(np.maximum(smallest_x, smallest_y), tie_tolerance)[..., None] > finest).any():
        larger = np.maximum(np.abs(x), np.abs(y))
        if (_decimals(larger.min(axis=-1, keepdims=True, initial=np.inf), tie_tolerance) > finest).any():
            places = np.maximum(_decimals(larger, tie_tolerance) - SHARED_DECADES, places)
    result = _round_to(d, places)
    is_zero = result == 0
    if is_zero.any():
        a, b = (np.broadcast_to(operand, d.shape)[is_zero] for operand in (x, y))
        result[is_zero] = _round_to(d[is_zero], _decimals(np.maximum(np.abs(a), np.abs(b)), tie_tolerance))
    return result


def extent(values: FloatArray) -> Extent:
    """Return the smallest and the largest absolute value along the last axis."""
    magnitude = np.abs(values)
    return magnitude.min(axis=-1, initial=np.inf), magnitude.max(axis=-1, initial=0)


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


def _decimals(values: FloatArray, tie_tolerance: float) -> IntArray:
    """Return the place after the decimal point of the last significant digit of each value."""
    magnitude = np.abs(values)
    binade = magnitude.view(np.int64) >> 52
    places: IntArray = (round(-math.log10(tie_tolerance)) - _DECADES)[binade]
    places -= magnitude >= _NEXT_DECADE[binade]
    return places


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
    """Round where powers of ten are not exact: in each row to multiples of its coarsest unit, which enters once."""
    is_tiny = places > LARGEST_POWER
    coarsest = places.min(axis=-1, keepdims=True, initial=2 * LARGEST_POWER)
    places = np.where(is_tiny, coarsest, places)
    is_exact = (coarsest >= 0) & (places <= EXACT_POWER).all(axis=-1, keepdims=True)
    coarsest = np.where(is_exact, 0, coarsest)
    up, down, finer, unit = (
        _POWERS_OF_TEN[np.clip(power, 0, LARGEST_POWER)]
        for power in (places, -places, places - coarsest, np.abs(coarsest))
    )
    with np.errstate(over="ignore"):
        result = np.rint(values / down * up) / finer
        result = np.where(coarsest > 0, result / unit, result * unit)
    # too small or too large to be rounded: compared as it is
    return np.where(is_tiny | (places - coarsest > LARGEST_POWER) | ~np.isfinite(result), values, result)


def _refuse_overflow(x: FloatArray, y: FloatArray, d: FloatArray) -> None:
    """Name the first difference that is too large for a float; a sum of finite differences may overflow."""
    if not (is_finite := np.isfinite(d)).all():
        at = tuple(np.argwhere(~is_finite)[0])
        a, b = (np.broadcast_to(operand, d.shape)[at] for operand in (x, y))
        raise InvalidValueError(f"x - y must be finite, but {a} - {b} is too large for a float")
