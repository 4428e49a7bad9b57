"""How likely is it at most that one classifier looks so good, whatever share of the cases tells the two apart?

The exact unconditional test of a difference of two accuracies: tables are ordered by Tango's statistic, and the
probability of the observed one or a better one is maximised over the share of cases that only y gets right.
"""

from __future__ import annotations

__all__ = ["LARGEST", "most_only_y", "right_tail", "unconditional_limit", "unconditional_pvalue"]

import numpy as np

from evalstats._types import FloatArray, IntArray
from evalstats.paired.accuracy_difference_interval import tango_statistic

# cases: beyond, a limit takes more than some seconds, and the asymptotic test is as good
LARGEST = 2000
# two statistics that differ by no more are equal
SLACK = 1e-9
# how many values of the nuisance are tried, and how often the neighbourhood of the best ones is looked at again
FEWEST_TRIED, ROUNDS, NEIGHBOURS = 128, 5, 12
HALVINGS = 26


def unconditional_pvalue(only_x: int, only_y: int, n: int, shift: float) -> float:
    """Return the p-value of the hypothesis that accuracy x - accuracy y is the shift or less; -1 < shift < 1."""
    observed = float(tango_statistic(only_x, only_y, n, shift))
    most = most_only_y(n, shift, observed - SLACK * max(1.0, abs(observed)))
    low, high = max(0.0, -shift), (1 - shift) / 2
    angle = np.linspace(0, np.pi / 2, FEWEST_TRIED + 8 * int(np.sqrt(n)))
    tried = low + (high - low) * np.sin(angle) ** 2  # denser at the ends, where the binomial law is narrow
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
    """Return the difference up to which all are rejected at alpha: the lower limit of level 1 - alpha."""
    low, high = -1.0, (only_x - only_y) / n
    if high == -1:
        return -1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_rejected = unconditional_pvalue(only_x, only_y, n, middle) <= alpha
        low, high = (middle, high) if is_rejected else (low, middle)
    return low


def most_only_y(n: int, shift: float, smallest: float) -> IntArray:
    """Return, for 0 to n cases that only x gets right, at how many that only y does z is still so large; -1: never.

    Tango's z falls as more cases are right for y only.
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
    """P(only y is right in at most so many cases, given the number in which only x is), for each probability q of it.

    `most` has an entry for each number of cases that only x gets right, whose probability is q + shift.
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
