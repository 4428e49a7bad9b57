"""How far may two accuracies lie apart, given the table of who is right? The limits of Tango and of Newcombe."""

from __future__ import annotations

__all__ = ["discordant", "newcombe_limit", "swapped", "tango_limit", "tango_statistic"]

import math

import numpy as np

from evalstats._types import FloatArray, IntArray

# halvings of [-1, 1] after which the limits of an interval are neighbouring numbers
HALVINGS = 55


def discordant(table: IntArray) -> tuple[IntArray, IntArray]:
    """Return how many cases only x, and only y gets right."""
    return table[..., 0, 1], table[..., 1, 0]


def swapped(table: IntArray) -> IntArray:
    """Return the table of y and x."""
    return table.swapaxes(-1, -2)


def tango_statistic(
    only_x: IntArray | int, only_y: IntArray | int, n: IntArray | int, difference: float | FloatArray
) -> FloatArray:
    """Return Tango's z of the hypothesis that the accuracies have this difference, between -1 and 1."""
    b, c, m = (np.asarray(count, dtype=np.float64) for count in (only_x, only_y, n))
    excess = b - c - m * difference
    deviation = np.sqrt(m * _variance(b, c, m, np.asarray(difference)))
    # no variance is left where no case is discordant and the difference is 0
    return np.where(excess == 0, 0.0, excess / np.where(deviation > 0, deviation, 1.0))


def tango_limit(table: IntArray, z: float) -> FloatArray:
    """Return the difference at which Tango's score statistic is z; it falls as the difference grows."""
    if z < 0:
        return -tango_limit(swapped(table), -z)
    only_x, only_y = (count.astype(np.float64) for count in discordant(table))
    n = table.sum(axis=(-2, -1)).astype(np.float64)
    low, high = np.full(n.shape, -1.0), np.full(n.shape, 1.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        deviation = np.sqrt(n * _variance(only_x, only_y, n, middle))
        is_above = only_x - only_y - n * middle > z * deviation
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return low


def _variance(only_x: FloatArray, only_y: FloatArray, n: FloatArray, difference: FloatArray) -> FloatArray:
    """Variance of one case's contribution, at the most likely probabilities with this difference: Tango (1998), eq. 5.

    The probability that only y is right is the larger root of 2 n q^2 + B q - C = 0.
    """
    b = (2 * n - only_x + only_y) * difference - only_x - only_y
    c = only_y * difference * (1 - difference)
    root = np.sqrt(np.maximum(b * b + 8 * n * c, 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        q = np.where(b > 0, 2 * c / (root + b), (root - b) / (4 * n))
    return np.maximum(2 * q + difference * (1 - difference), 0)


def newcombe_limit(table: IntArray, z: float) -> FloatArray:
    """Return the lower limit of Newcombe's method 10."""
    (both, only_x), (only_y, neither) = np.moveaxis(table.astype(np.float64), (-2, -1), (0, 1))
    n = both + only_x + only_y + neither
    below = _wilson_distance(both + only_x, n, z)
    above = _wilson_distance(only_x + neither, n, z)  # the upper limit for y is the lower one for its errors
    distance = np.sqrt(np.maximum(below**2 - 2 * _phi(both, only_x, only_y, neither) * below * above + above**2, 0))
    return np.asarray(np.maximum((only_x - only_y) / n - math.copysign(1, z) * distance, -1.0))


def _wilson_distance(successes: FloatArray, n: FloatArray, z: float) -> FloatArray:
    """Return how far Wilson's lower limit lies below the observed share."""
    failures = n - successes
    return np.asarray(
        (z * z * (successes - failures) / 2 + z * np.sqrt(n * (successes * failures + z * z * n / 4)))
        / (n * (n + z * z))
    )


def _phi(both: FloatArray, only_x: FloatArray, only_y: FloatArray, neither: FloatArray) -> FloatArray:
    """Return the correlation of x and y, with Newcombe's continuity correction where it is positive."""
    covariance = both * neither - only_x * only_y
    corrected = np.where(covariance > 0, np.maximum(covariance - (both + only_x + only_y + neither) / 2, 0), covariance)
    scale = np.sqrt((both + only_x) * (only_y + neither)) * np.sqrt((both + only_y) * (only_x + neither))
    return np.where(scale > 0, corrected / np.where(scale > 0, scale, 1), 0.0)
