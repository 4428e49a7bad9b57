"""Tests and limits of a mean difference over clusters that allow for unseen clusters.

A t-test of clusters relies on the observed variance. If a model fails in rare whole clusters, a sample may contain none
of them: in 21% of samples of 30 clusters, a type of cluster with a proportion of 5% is missing.
"""

from __future__ import annotations

__all__ = ["ClusterLeads", "fewest_clusters", "share_never_seen"]

import math
from typing import Any

import numpy as np

from evalstats._types import FloatArray, IntArray

# clusters of more kinds than these are put together with their neighbours
MOST_KINDS = 2000
# of the trapezoidal rule, along a line in the complex plane; the terms of many clusters fall soon
STEP, END, END_OF_ONE = 0.05, 7.0, 40.0
LIMIT_TOLERANCE = 1e-12


class ClusterLeads:
    """Leads of one model over another in each cluster, and in one more cluster with the worst possible value.

    The mean is the mean of a Bayesian bootstrap: each cluster, including the additional one, gets a random weight from
    an exponential distribution. The p-value is the probability that the mean is not larger than the shift. For n
    clusters of equal size without any difference, the limit is 1 - alpha^(1/n), which is the exact limit for the
    proportion of an unseen type of cluster. It is a conjecture that the limit is valid for every bounded distribution
    (Learned-Miller & Thomas 2019, for clusters of equal size). docs/error-rates-questions.md has simulation results.
    """

    def __init__(self, weights: FloatArray, leads: FloatArray, largest: float = 1.0) -> None:
        """Store the weight of each cluster in the mean, its contribution, and the largest difference of an instance."""
        self.effective = float(weights.sum() ** 2 / (weights**2).sum())
        self.largest = largest
        self.one_more = float(weights.sum()) / self.effective
        self._weights, self._leads, self._counts = _kinds(weights, leads)

    def pvalue(self, shift: float, alternative: str) -> float:
        """Test whether the mean difference is the shift, against ``'greater'`` or ``'less'``."""
        sign = 1.0 if alternative == "greater" else -1.0
        z = sign * (self._leads - shift * self._weights)
        return _not_above_zero(np.append(z, -self.one_more * (self.largest + sign * shift)), np.append(self._counts, 1))

    def pvalue_of_seen(self, shift: float) -> float:
        """Test whether the mean difference is larger than the shift, without the additional cluster."""
        return _not_above_zero(self._leads - shift * self._weights, self._counts)

    def limits(self, alpha: float, inner: tuple[float, float]) -> tuple[float, float]:
        """Return one-sided lower and upper limits of the mean difference at confidence level 1 - alpha.

        The limits are at least as wide as the `inner` limits of another test.
        """
        low, high = inner
        return self._limit(alpha, "greater", -self.largest, low), self._limit(alpha, "less", high, self.largest)

    def _limit(self, alpha: float, alternative: str, first: float, last: float) -> float:
        from scipy.optimize import brentq

        inner, outer = (last, first) if alternative == "greater" else (first, last)
        if not first < last or self.pvalue(inner, alternative) <= alpha:
            return inner
        found: Any = brentq(lambda shift: self.pvalue(shift, alternative) - alpha, inner, outer, xtol=LIMIT_TOLERANCE)
        return float(found)


def share_never_seen(n_clusters: float, alpha: float) -> float:
    """Return the upper limit of the proportion of a type of cluster that is absent among n clusters."""
    return -math.expm1(math.log(alpha) / n_clusters)


def fewest_clusters(margin: float, alpha: float) -> int:
    """Return the number of equal clusters for which this proportion is at most the margin."""
    return 1 if margin >= 1 else math.ceil(round(math.log(alpha) / math.log1p(-margin), 9))


def _kinds(weights: FloatArray, leads: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return each distinct pair of weight and lead once, with its number of clusters."""
    pairs, counts = np.unique(weights + 1j * leads, return_counts=True)
    kinds = np.stack([pairs.real, pairs.imag], axis=1)
    if len(kinds) > MOST_KINDS:  # neighbours are of about one weight and one lead
        parts = np.array_split(np.arange(len(kinds)), MOST_KINDS)
        starts = np.array([part[0] for part in parts])
        sums = np.add.reduceat(kinds * counts[:, None], starts, axis=0)
        counts = np.add.reduceat(counts, starts)
        kinds = sums / counts[:, None]
    return kinds[:, 0], kinds[:, 1], counts


def _not_above_zero(z: FloatArray, counts: IntArray) -> float:
    """Compute the probability that a weighted sum of independent standard exponentials is at most 0.

    The moment generating function is inverted along the line through its saddle point (Daniels 1954), where it does not
    oscillate. The step size grows as sinh, so the trapezoid rule converges exponentially.
    """
    z, counts = z[z != 0], counts[z != 0]
    if z.size == 0 or z.max() < 0:
        return 1.0
    if z.min() > 0:
        return 0.0
    z = z / np.abs(z).max()
    return 1 - _below_zero(-z, counts) if counts @ z < 0 else _below_zero(z, counts)


def _below_zero(z: FloatArray, counts: IntArray) -> float:
    """Compute the same probability for a sum with a nonnegative expected value."""
    from scipy.optimize import brentq

    def slope(at: float) -> float:
        return float(counts @ (z / (1 - at * z))) - 1 / at

    first = 1 / float(z.min())
    saddle: Any = brentq(slope, first * (1 - 1e-13), first * 1e-13, xtol=abs(first) * 1e-14)
    width = 1 / math.sqrt(float(counts @ (z / (1 - saddle * z)) ** 2) + 1 / saddle**2)
    steps = np.arange(0.0, END + END_OF_ONE / float(counts.sum()), STEP)
    line = saddle + 1j * width * np.sinh(steps)
    logs = -np.log1p(np.outer(line, -z)) @ counts - np.log(-line)
    values = np.exp(logs).real * width * np.cosh(steps)
    return float(np.clip((values.sum() - values[0] / 2) * STEP / math.pi, 0.0, 1.0))
