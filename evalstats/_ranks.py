"""Ranks: which values are equal, and which rank does each get?

Scores such as 0.3 - 0.2 and 0.9 - 0.8 differ by floating-point noise only. Values are therefore compared after
rounding to 12 significant digits; ``tie_tolerance=0`` compares bits.
"""

from __future__ import annotations

__all__ = ["DEFAULT_TIE_TOLERANCE", "differences", "midranks", "rounded"]

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

DEFAULT_TIE_TOLERANCE = 1e-12


def rounded(values: FloatArray, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> FloatArray:
    """Round each value to as many significant digits as the tolerance names (1e-12: twelve)."""
    if tie_tolerance == 0:
        return values
    return _round_to(values, np.abs(values), tie_tolerance)


def differences(x: FloatArray, y: FloatArray, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> FloatArray:
    """Return x - y, rounded to that many significant digits of the larger operand; leading axes broadcast."""
    d = x - y
    if tie_tolerance == 0:
        return d
    return _round_to(d, np.maximum(np.abs(x), np.abs(y)), tie_tolerance)


def midranks(values: FloatArray) -> FloatArray:
    """Rank along the last axis, 1 for the smallest; equal values share the mean of their ranks."""
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    position = np.arange(1, values.shape[-1] + 1)
    starts = np.ones(values.shape, dtype=bool)
    starts[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    ends = np.ones(values.shape, dtype=bool)
    ends[..., :-1] = starts[..., 1:]
    first = np.maximum.accumulate(np.where(starts, position, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, position, values.shape[-1])[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=-1)
    return ranks


def _round_to(values: FloatArray, operand: FloatArray, tie_tolerance: float) -> FloatArray:
    """Round to a decimal unit: `tie_tolerance` of the power of ten above the operand."""
    with np.errstate(divide="ignore"):
        decade = np.floor(np.log10(operand)) + 1
    digits = np.clip(np.round(-np.log10(tie_tolerance)) - decade, -300, 300)
    digits = np.where(np.isfinite(digits), digits, 0)
    # multiply and divide by whole powers of ten, which are exact up to 1e22: 0.1 comes back as the double nearest to 0.1
    up = 10.0 ** np.maximum(digits, 0)
    down = 10.0 ** np.maximum(-digits, 0)
    with np.errstate(over="ignore"):
        scaled = values / down * up
    # values too small to scale without overflow are compared as they are
    result: FloatArray = np.where(np.isfinite(scaled), np.rint(scaled) / up * down, values)
    return result + 0.0  # no negative zero
