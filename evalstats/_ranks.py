"""Ranks, and the rule that determines which values are tied.

Scores such as 0.3 - 0.2 and 0.9 - 0.8 differ only by floating-point rounding error. Values that differ only by rounding
error are therefore first made equal and then rounded to 12 significant digits. ``tie_tolerance=0`` requires identical
numbers. Rounding alone would split ties: every second multiple of 1/40960 lies midway between two rounded decimals.
docs/results-and-errors.md states the properties and proves them.

Differences that are compared with each other must be rounded to the same decimal. For example,
30/30 - 29/30 and 29/30 - 28/30 are equal. If each difference had the precision of its own scores, they would differ:
30/30 has 11 decimals and 29/30 has 12.
"""

from __future__ import annotations

__all__ = [
    "DEFAULT_TIE_TOLERANCE",
    "compared",
    "differences",
    "differences_and_edge",
    "extent",
    "midranks",
    "noise_of",
    "rounded",
    "significant_digits",
    "summands",
]

import math

import numpy as np

from evalstats._checks import Tolerance
from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray, IntArray

Extent = tuple[FloatArray, FloatArray]

DEFAULT_TIE_TOLERANCE = Tolerance(1e-12)
SHARED_DECADES = 3
LARGEST_NOISE = 2.0**-4  # in units of the tolerance: a larger number makes most values uncertain

EXACT_POWER, LARGEST_POWER = 22, 308  # of ten: an exact float; a float
_POWERS_OF_TEN = np.array([float(f"1e{k}") for k in range(LARGEST_POWER + 1)])

# a power of two times [1, 2) holds at most one power of ten: the decade below it, and where the next one begins
_DECADES = np.floor(np.arange(-1023, 1025) * math.log10(2)).astype(np.int64) + 1
_NEXT_DECADE = np.array([float(f"1e{k}") for k in _DECADES])
_DECADES[0] = -1000  # zero and the subnormal numbers: too small to round


def noise_of(tie_tolerance: float) -> float:
    """Return the relative rounding error of one score: the error in the tolerance, or the error of double precision."""
    return (tie_tolerance if isinstance(tie_tolerance, Tolerance) else Tolerance(tie_tolerance)).noise


def significant_digits(tie_tolerance: float) -> int:
    """Return the number of significant digits in which tied scores agree: 12, or 6 in single precision; 0 for all."""
    return round(-math.log10(max(tie_tolerance, 2 * noise_of(tie_tolerance)))) if tie_tolerance else 0


def rounded(values: FloatArray, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> FloatArray:
    """Make tied values along the last axis identical, before they are ranked or compared.

    Values that differ only by rounding error become identical, and each is rounded to the number of significant digits
    of the tolerance (1e-12: twelve).
    """
    if tie_tolerance == 0:
        return values
    noise = 2 * noise_of(tie_tolerance)  # of two scores
    places = _decimals(values, tie_tolerance)
    if noise > LARGEST_NOISE * tie_tolerance or not _is_simple(places):
        return _round_each(_as_one(values, np.abs(values), noise)[0], tie_tolerance)
    up = _POWERS_OF_TEN[places]
    result, doubtful = _round_simply(values * up, up, noise / tie_tolerance)
    if doubtful.size:
        rows = result.reshape(-1, values.shape[-1])
        some = values.reshape(rows.shape)[doubtful]
        rows[doubtful] = _round_each(_as_one(some, np.abs(some), noise)[0], tie_tolerance)
    return result


def compared(x: FloatArray | float, y: FloatArray | float, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> FloatArray:
    """Return 1 if x is the larger of two scores, -1 if y is, and 0 if they are equal."""
    a, b = np.moveaxis(rounded(np.stack(np.broadcast_arrays(x, y), axis=-1), tie_tolerance), -1, 0)
    return np.asarray(np.sign(a - b))


def differences(
    x: FloatArray,
    y: FloatArray,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    extents: tuple[Extent, Extent] | None = None,
) -> FloatArray:
    """Return x - y without floating-point rounding error. Leading axes broadcast.

    Differences along the last axis whose absolute values differ only by rounding error become identical in magnitude.
    All are then rounded to the last significant digit of the largest score. If the scores of a difference are more than
    1000 times smaller, the difference is rounded to a correspondingly finer digit. A difference is 0 only if both
    scores agree in the significant digits of the larger score.

    `extents` are the `extent` of x and of y, for callers that use the same operands repeatedly.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        d = x - y
        if not np.isfinite(d.sum()):
            _refuse_overflow(x, y, d)
    if tie_tolerance == 0:
        return d + 0.0  # no negative zero
    noise = 4 * noise_of(tie_tolerance)  # rounding error of two differences of two scores each
    (smallest_x, largest_x), (smallest_y, largest_y) = extents or (extent(x), extent(y))
    largest = np.maximum(largest_x, largest_y)
    places = _decimals(largest, tie_tolerance)
    if noise > LARGEST_NOISE * tie_tolerance or not _is_simple(places):
        return _settled(d, x, y, places, tie_tolerance)
    up = _POWERS_OF_TEN[places][..., None]
    d *= up
    result, doubtful = _round_simply(d, up, float((noise * largest[..., None] * up).max(initial=0)))
    unsettled = np.zeros(places.shape, dtype=bool)
    if doubtful.size:
        unsettled.reshape(-1)[doubtful] = True
    if not result.all() and (vanishes := (result == 0) & (d != 0)).any():
        a, b = (np.broadcast_to(v, d.shape)[vanishes] for v in (x, y))
        vanishes[vanishes] = np.abs(a - b) > noise / 2 * np.maximum(np.abs(a), np.abs(b))
        unsettled |= vanishes.any(axis=-1)
    if (_decimals(np.maximum(smallest_x, smallest_y), tie_tolerance) > places + SHARED_DECADES).any():
        larger = np.maximum(np.abs(x), np.abs(y))
        smallest = np.where(larger == 0, np.inf, larger).min(axis=-1, initial=np.inf)
        unsettled |= _decimals(smallest, tie_tolerance) > places + SHARED_DECADES
    if unsettled.any():
        x, y = (np.broadcast_to(v, d.shape)[unsettled] for v in (x, y))
        result[unsettled] = _settled(x - y, x, y, places[unsettled], tie_tolerance)
    return result


def differences_and_edge(
    x: FloatArray, y: FloatArray, edge: float, tie_tolerance: float
) -> tuple[FloatArray, FloatArray]:
    """Return `differences`, and `edge` of shape (..., 1), rounded to the same decimal as the differences."""
    x, y = np.broadcast_arrays(x, y)
    last = (*x.shape[:-1], 1)
    d = differences(
        np.concatenate([x, np.full(last, edge)], axis=-1),
        np.concatenate([y, np.zeros(last)], axis=-1),
        tie_tolerance,
        (extent(x), extent(y)),  # only the scores determine the last digit
    )
    return d[..., :-1], d[..., -1:]


def summands(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return differences for tests that compare their sums, and the maximum rounding error of each difference.

    The differences are not rounded, because rounding would change sums of fractions such as 1/3. If the tolerance is 0
    or larger than the default, `differences` are returned.
    """
    d = differences(x, y, tie_tolerance)
    if not 0 < tie_tolerance <= DEFAULT_TIE_TOLERANCE:
        return d, np.zeros(d.shape)
    return np.where(d == 0, 0.0, x - y), 2 * noise_of(tie_tolerance) * np.maximum(np.abs(x), np.abs(y))


def extent(values: FloatArray) -> Extent:
    """Return the smallest and the largest absolute value along the last axis."""
    magnitude = np.abs(values)
    return magnitude.min(axis=-1, initial=np.inf), magnitude.max(axis=-1, initial=0)


def midranks(values: FloatArray) -> FloatArray:
    """Rank along the last axis, 1 for the smallest value; equal values share the mean of their ranks."""
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


def _settled(d: FloatArray, x: FloatArray, y: FloatArray, places: IntArray, tie_tolerance: float) -> FloatArray:
    """Return the rounded differences, with values near the same rounding boundary rounded in the same direction.

    `places` are the decimals of the largest score of each row.
    """
    noise = noise_of(tie_tolerance)
    larger = np.maximum(np.abs(x), np.abs(y))
    size = np.abs(d)
    is_zero = (size <= 2 * noise * larger) | (_round_each(d, tie_tolerance, larger) == 0)
    size, larger = _as_one(np.where(is_zero, 0.0, size), larger, 4 * noise)
    finer = _decimals(larger, tie_tolerance) - SHARED_DECADES
    result = _round_to(size, np.maximum(finer, places[..., None]))
    own = _round_each(size, tie_tolerance, larger)
    result = np.where(result == 0, np.where(own == 0, size, own), result)
    return np.where(d < 0, 0.0 - result, result)


def _as_one(values: FloatArray, scale: FloatArray, noise: float) -> tuple[FloatArray, FloatArray]:
    """Give values that differ only by rounding error the value of smallest magnitude and the largest of their scales.

    Two adjacent values belong to one group if they differ by at most the rounding error times their larger scale,
    unless one is 0. If a group is wider than the rounding error, its values are not changed.
    """
    n = values.shape[-1]
    if values.size == 0:
        return values, scale
    rows, scale = values.reshape(-1, n), np.broadcast_to(scale, values.shape).reshape(-1, n)
    order = np.argsort(rows, axis=-1, kind="stable")
    ordered, own = np.take_along_axis(rows, order, axis=-1), np.take_along_axis(scale, order, axis=-1)
    is_first = np.ones(rows.shape, dtype=bool)
    with np.errstate(over="ignore"):
        is_first[:, 1:] = ordered[:, 1:] - ordered[:, :-1] > noise * np.maximum(own[:, 1:], own[:, :-1])
    is_first[:, 1:] |= (ordered[:, 1:] == 0) != (ordered[:, :-1] == 0)
    first = np.flatnonzero(is_first)
    size = np.diff(first, append=rows.size)
    lowest, highest = ordered.ravel()[first], ordered.ravel()[first + size - 1]
    largest = np.maximum.reduceat(own.ravel(), first)
    with np.errstate(over="ignore"):
        is_one = np.repeat(highest - lowest <= noise * largest, size).reshape(rows.shape)
    nearest = np.repeat(np.where(highest < 0, highest, lowest), size).reshape(rows.shape)
    result, result_scale = np.empty(rows.shape), np.empty(rows.shape)
    np.put_along_axis(result, order, np.where(is_one, nearest, ordered), axis=-1)
    largest = np.repeat(largest, size).reshape(rows.shape)
    np.put_along_axis(result_scale, order, np.where(is_one, largest, own), axis=-1)
    return result.reshape(values.shape), result_scale.reshape(values.shape)


def _is_simple(places: IntArray) -> bool:
    """Return whether floats represent the powers of ten for all decimal positions exactly."""
    return bool(places.min(initial=0) >= 0 and places.max(initial=0) <= EXACT_POWER)


def _round_simply(scaled: FloatArray, up: FloatArray, noise: float) -> tuple[FloatArray, IntArray]:
    """Round the values times `up`, and return the rows in which rounding may have separated two values.

    Such values lie on both sides of the middle between two adjacent integers, within the rounding error. In all other
    rows, rounding removes the floating-point error. Afterwards, `scaled` contains the remainders of rounding.
    """
    result = np.rint(scaled)
    scaled -= result
    limit = 0.5 - 1.01 * noise
    at = np.flatnonzero((scaled >= limit) | (scaled <= -limit))
    doubtful = at[:0]
    if at.size > 1:
        doubtful = _rows_of_both_sides(result.ravel()[at], scaled.ravel()[at], at // scaled.shape[-1])
    result /= up
    result += 0.0  # no negative zero
    return result, doubtful


def _rows_of_both_sides(result: FloatArray, off: FloatArray, row: IntArray) -> IntArray:
    """Return the rows that contain values on both sides of the middle between two integers."""
    is_above = result * off < 0
    below = np.abs(result) - is_above
    ordered = np.sort(below)
    if not (ordered[1:] == ordered[:-1]).any():
        return row[:0]
    order = np.lexsort((below, row))
    row, below, is_above = row[order], below[order], is_above[order]
    meet = (row[1:] == row[:-1]) & (below[1:] == below[:-1]) & (is_above[1:] != is_above[:-1])
    return np.unique(row[1:][meet])


def _round_each(values: FloatArray, tie_tolerance: float, scale: FloatArray | None = None) -> FloatArray:
    """Round each value to the significant digits of its own scale."""
    return _round_to(values, _decimals(values if scale is None else scale, tie_tolerance))


def _decimals(values: FloatArray, tie_tolerance: float) -> IntArray:
    """Return the decimal position of the last significant digit of each value."""
    magnitude = np.abs(values)
    binade = magnitude.view(np.int64) >> 52
    places: IntArray = (round(-math.log10(tie_tolerance)) - _DECADES)[binade]
    places -= magnitude >= _NEXT_DECADE[binade]
    return places


def _round_to(values: FloatArray, places: IntArray) -> FloatArray:
    """Round to the floats nearest to decimal numbers with the given number of decimals."""
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
    """Round each row to multiples of its largest unit, if floats do not represent the powers of ten exactly."""
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
        # 1e-307 and 10: no power of ten converts one unit to the other
        result = np.where(places - coarsest > LARGEST_POWER, np.rint(values * up) / up, result)
    # too small or too large for rounding, so it is compared without rounding
    return np.where(is_tiny | ~np.isfinite(result), values, result)


def _refuse_overflow(x: FloatArray, y: FloatArray, d: FloatArray) -> None:
    """Raise an error that names the first difference that is too large for a float."""
    if not (is_finite := np.isfinite(d)).all():
        at = tuple(np.argwhere(~is_finite)[0])
        a, b = (np.broadcast_to(operand, d.shape)[at] for operand in (x, y))
        raise InvalidValueError(f"x - y must be finite, but {a} - {b} is too large for a float")
