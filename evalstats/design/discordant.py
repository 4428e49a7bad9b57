"""Power of tests that compare wins with losses if the number of informative instances is random.

The power of the sign test and the power of McNemar's test have the same formula. The first parameter is the probability
that a dataset is not tied, or that a row is discordant; such datasets or rows are informative. The second parameter is
the probability that x wins on an informative dataset or row. The power is the mean of the power for each number of
informative datasets or rows, weighted by the probability of the number.
"""

from __future__ import annotations

__all__ = ["Discordant", "WinsTest"]

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from evalstats._types import FloatArray, IntArray
from evalstats.paired.mcnemar import mcnemar_test

# numbers that deviate from their mean by this many standard deviations, and 40 more, have a probability below 1e-20
DEVIATIONS = 10
# maximum number of instances for which all smaller numbers are tried; above it, only the nearest numbers are tried
ALL_TRIED = 2000
MOST_TRIED = 5000


class WinsTest(NamedTuple):
    """Computation of the p-value from wins and losses, and the rejection rule; `alternative` is not 'less'."""

    alpha: float
    alternative: str
    method: str = "exact"
    correction: bool = True


class Discordant(NamedTuple):
    """Probability that an instance is informative, and probability that an informative instance is a win."""

    proportion: float
    win_probability: float

    def power(self, n: int, test: WinsTest) -> float:
        """Return the probability that the test rejects for n instances."""
        low, weights = _window(n, self.proportion)
        return float(weights @ _rejections(low, low + len(weights) - 1, self.win_probability, test))

    def first_that_suffices(self, enough: int, target: float, test: WinsTest) -> int:
        """Return the smallest n at or slightly below `enough` that has the target power, which `enough` has.

        As a function of n, the power of a discrete test is a sawtooth. It decreases where one more instance does not
        change the critical number of wins.
        """
        start = 1 if enough <= ALL_TRIED else max(enough * 9 // 10, enough - MOST_TRIED)
        low, weights = _window(enough, self.proportion)
        rejections = _rejections(_window(start, self.proportion)[0], low + len(weights) - 1, self.win_probability, test)
        offset = _window(start, self.proportion)[0]
        for n in range(start, enough):
            low, weights = _window(n, self.proportion)
            if weights @ rejections[low - offset : low - offset + len(weights)] >= target:
                return n
        return enough


def _window(n: int, share: float) -> tuple[int, FloatArray]:
    """Return the smallest relevant number of informative instances, and the probabilities of this and larger numbers.

    Products of ratios from the mode outwards are more accurate than differences of log factorials.
    """
    if share >= 1:
        return n, np.ones(1)
    reach = DEVIATIONS * math.sqrt(n * share * (1 - share)) + 40
    low, high = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
    mode = min(high, max(low, math.floor((n + 1) * share)))
    odds = share / (1 - share)
    above = np.arange(mode, high)
    below = np.arange(mode, low, -1)
    up = np.cumprod((n - above) / (above + 1) * odds)
    down = np.cumprod(below / (n - below + 1) / odds)
    weights = np.concatenate([down[::-1], [1.0], up])
    return low, weights / weights.sum()


def _rejections(low: int, high: int, win_probability: float, test: WinsTest) -> FloatArray:
    """Return the probability of a rejection for each number of informative instances from `low` to `high`."""
    from scipy.special import betainc

    n = np.arange(low, high + 1)
    wins = _critical_wins(low, high, test)
    probabilities = [win_probability] + [1 - win_probability] * (test.alternative == "two-sided")
    result = np.zeros(n.shape)
    is_possible = (wins <= n) & (wins > 0)
    for probability in probabilities:
        result[is_possible] += betainc(wins[is_possible], (n - wins + 1)[is_possible], probability)
    return np.where(wins == 0, 1.0, result)


@lru_cache(maxsize=64)
def _critical_wins(low: int, high: int, test: WinsTest) -> IntArray:
    """Return, for each number n of informative instances, the smallest number of wins that rejects, or n + 1."""
    from scipy.special import ndtri

    n = np.arange(low, high + 1)
    least = (n + 1) // 2 if test.alternative == "two-sided" else np.zeros_like(n)
    most = n + 1
    tail = test.alpha / (2 if test.alternative == "two-sided" else 1)
    normal = ((n - ndtri(max(tail, 1e-300)) * np.sqrt(n)) / 2).astype(np.int64)
    nearby = [normal - 2, normal + 2]  # saves most of the bisection steps, without an effect on the result
    while (is_open := least < most).any():
        wins = np.clip(nearby.pop(), least, np.maximum(most - 1, least)) if nearby else (least + most) // 2
        tables = np.zeros((*n.shape, 2, 2), dtype=np.int64)
        # one concordant instance prevents an empty table
        tables[:, 0, 0], tables[:, 0, 1] = 1, np.minimum(wins, n)
        tables[:, 1, 0] = n - tables[:, 0, 1]
        pvalue = mcnemar_test(
            counts=tables, alternative=test.alternative, method=test.method, correction=test.correction
        ).pvalue
        rejects = pvalue <= test.alpha
        least, most = np.where(is_open & ~rejects, wins + 1, least), np.where(is_open & rejects, wins, most)
    return least
