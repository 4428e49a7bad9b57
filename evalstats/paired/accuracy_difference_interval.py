"""Intervals for the difference of two accuracies: Tango, Newcombe, and the exact unconditional test."""

from __future__ import annotations

__all__ = [
    "LARGEST",
    "discordant",
    "most_only_y",
    "newcombe_limit",
    "right_tail",
    "swapped",
    "tango_limit",
    "tango_statistic",
    "unconditional_limit",
    "unconditional_pvalue",
]

import math

import numpy as np

from evalstats._types import FloatArray, IntArray

# bisections of [-1, 1] after which both limits are adjacent floating-point numbers
HALVINGS = 55
# instances: with more, a limit takes more than a few seconds, and the asymptotic test is as accurate
LARGEST = 2000
# a smaller difference of two statistics is rounding error
SLACK = 1e-9
# number of values of the nuisance parameter, and number of refinements near the best values
FEWEST_TRIED, ROUNDS, NEIGHBOURS = 128, 5, 12
HALVINGS_OF_PVALUE = 26


def discordant(table: IntArray) -> tuple[IntArray, IntArray]:
    """Return the numbers of instances that only x and only y, respectively, classify correctly."""
    return table[..., 0, 1], table[..., 1, 0]


def swapped(table: IntArray) -> IntArray:
    """Return the table with x and y swapped."""
    return table.swapaxes(-1, -2)


def tango_statistic(
    only_x: IntArray | int, only_y: IntArray | int, n: IntArray | int, difference: float | FloatArray
) -> FloatArray:
    """Return Tango's z for the null hypothesis that accuracy x - accuracy y is `difference`, between -1 and 1."""
    b, c, m = (np.asarray(count, dtype=np.float64) for count in (only_x, only_y, n))
    excess = b - c - m * difference
    deviation = np.sqrt(m * _variance(b, c, m, np.asarray(difference)))
    # the variance is 0 if no instance is discordant and the difference is 0
    return np.where(excess == 0, 0.0, excess / np.where(deviation > 0, deviation, 1.0))


def tango_limit(table: IntArray, z: float) -> FloatArray:
    """Return the difference at which Tango's statistic, which decreases as the difference increases, is z."""
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
    """Return the variance of one instance at the maximum-likelihood estimate for this difference: Tango (1998), eq. 5.

    The probability that only y is correct is the larger root of 2 n q^2 + B q - C = 0.
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
    above = _wilson_distance(only_x + neither, n, z)  # the upper limit for y is the lower limit for its errors
    distance = np.sqrt(np.maximum(below**2 - 2 * _phi(both, only_x, only_y, neither) * below * above + above**2, 0))
    return np.asarray(np.maximum((only_x - only_y) / n - math.copysign(1, z) * distance, -1.0))


def _wilson_distance(successes: FloatArray, n: FloatArray, z: float) -> FloatArray:
    """Return the distance of Wilson's lower limit from the observed proportion."""
    failures = n - successes
    return np.asarray(
        (z * z * (successes - failures) / 2 + z * np.sqrt(n * (successes * failures + z * z * n / 4)))
        / (n * (n + z * z))
    )


def _phi(both: FloatArray, only_x: FloatArray, only_y: FloatArray, neither: FloatArray) -> FloatArray:
    """Return the correlation of x and y, with Newcombe's continuity correction if it is positive."""
    covariance = both * neither - only_x * only_y
    corrected = np.where(covariance > 0, np.maximum(covariance - (both + only_x + only_y + neither) / 2, 0), covariance)
    scale = np.sqrt((both + only_x) * (only_y + neither)) * np.sqrt((both + only_y) * (only_x + neither))
    return np.where(scale > 0, corrected / np.where(scale > 0, scale, 1), 0.0)


# The exact unconditional test orders the tables by Tango's statistic. The probability of a statistic at least as large
# as observed is maximized over the probability that only y is correct.
def unconditional_pvalue(only_x: int, only_y: int, n: int, shift: float) -> float:
    """Return the p-value of the null hypothesis that accuracy x - accuracy y is at most the shift; -1 < shift < 1."""
    observed = float(tango_statistic(only_x, only_y, n, shift))
    most = most_only_y(n, shift, observed - SLACK * max(1.0, abs(observed)))
    low, high = max(0.0, -shift), (1 - shift) / 2
    angle = np.linspace(0, np.pi / 2, FEWEST_TRIED + 8 * int(np.sqrt(n)))
    tried = low + (high - low) * np.sin(angle) ** 2  # denser at the ends, where the binomial distribution is narrow
    tails = right_tail(most, tried, shift)
    best = float(tails.max())
    for _ in range(ROUNDS):
        peaks = np.argsort(tails)[-2:]
        left, right = tried[np.maximum(peaks - 1, 0)], tried[np.minimum(peaks + 1, tried.size - 1)]
        tried = np.unique(np.linspace(left, right, NEIGHBOURS))
        tails = right_tail(most, tried, shift)
        best = max(best, float(tails.max()))
    return min(best, 1.0)


def unconditional_limit(only_x: int, only_y: int, n: int, alpha: float) -> float:
    """Return the lower limit at confidence level 1 - alpha: all smaller differences are rejected at alpha."""
    low, high = -1.0, (only_x - only_y) / n
    if high == -1:
        return -1.0
    for _ in range(HALVINGS_OF_PVALUE):
        middle = (low + high) / 2
        is_rejected = unconditional_pvalue(only_x, only_y, n, middle) <= alpha
        low, high = (middle, high) if is_rejected else (low, middle)
    return low


def most_only_y(n: int, shift: float, smallest: float) -> IntArray:
    """Return the largest counts of only y at which z >= `smallest`, for counts of only x from 0 to n; -1: none.

    Tango's z decreases as more instances are correct only for y.
    """
    only_x = np.arange(n + 1)
    low, high = np.full(n + 1, -1), n - only_x
    while (low < high).any():
        middle = (low + high + 1) // 2
        z = tango_statistic(only_x, np.maximum(middle, 0), np.full(n + 1, n), shift)
        is_large = z >= smallest
        low, high = np.where(is_large, middle, low), np.where(is_large, high, middle - 1)
    return low


def right_tail(most: IntArray, q: FloatArray, shift: float) -> FloatArray:
    """Return, for each probability q that only y is correct, P(count of only y <= `most` at the count of only x).

    `most` has an entry for each number of instances that only x classifies correctly. The probability that only x is
    correct is q + shift.
    """
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    n = most.size - 1
    only_x = np.arange(n + 1)
    p = np.clip(q + shift, 0.0, 1.0)[:, None]
    log_binomial = gammaln(n + 1) - gammaln(only_x + 1) - gammaln(n - only_x + 1)
    weight = np.exp(log_binomial + xlogy(only_x, p) + xlog1py(n - only_x, -p))
    share = np.clip(q[:, None] / np.where(p < 1, 1 - p, 1.0), 0.0, 1.0)
    tail = np.where(most >= n - only_x, 1.0, bdtr(np.clip(most, 0, None), n - only_x, share))
    return np.asarray((weight * np.where(most < 0, 0.0, tail)).sum(axis=-1))
