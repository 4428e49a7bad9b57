"""May clusters of a kind that no sample held change what is shown of a mean difference?

A t-test of clusters believes the variance that it sees. Where a model errs in whole clusters, and rarely, a sample may
hold none of them: of 30 clusters none is one of 5 % in 21 % of samples.
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
    """By how much one model is ahead of another in each cluster, and one cluster more in which it is as bad as can be.

    The mean is that of a Bayesian bootstrap: each cluster, and the one more, gets a random weight of an exponential
    distribution. The p-value is the probability that the mean is no larger than the shift. Of n clusters of equal size
    without any difference the limit is 1 - alpha^(1/n), the exact one for a share of clusters of which none was seen.
    That its limit holds for every bounded distribution is a conjecture (Learned-Miller & Thomas 2019, for clusters of
    equal size); docs/error-rates-questions.md has what was simulated.
    """

    def __init__(self, weights: FloatArray, leads: FloatArray, largest: float = 1.0) -> None:
        """Take the weight of each cluster in the mean, what it adds to it, and by how much a case can differ."""
        self.effective = float(weights.sum() ** 2 / (weights**2).sum())
        self.largest = largest
        self.one_more = float(weights.sum()) / self.effective
        self._weights, self._leads, self._counts = _kinds(weights, leads)

    def pvalue(self, shift: float, alternative: str) -> float:
        """Test that the mean difference is the shift, against ``'greater'`` or ``'less'``."""
        sign = 1.0 if alternative == "greater" else -1.0
        z = sign * (self._leads - shift * self._weights)
        return _not_above_zero(np.append(z, -self.one_more * (self.largest + sign * shift)), np.append(self._counts, 1))

    def pvalue_of_seen(self, shift: float) -> float:
        """Test that the mean difference is larger than the shift without the one more cluster."""
        return _not_above_zero(self._leads - shift * self._weights, self._counts)

    def limits(self, alpha: float, inner: tuple[float, float]) -> tuple[float, float]:
        """Return the lower and the upper limit of the mean difference, each of confidence level 1 - alpha alone.

        They are no closer than the `inner` ones, those of another test.
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
    """Return which share of all clusters may be of a kind of which none is among n, with confidence 1 - alpha."""
    return -math.expm1(math.log(alpha) / n_clusters)


def fewest_clusters(margin: float, alpha: float) -> int:
    """Return of how many clusters that differ nowhere such a share is no more than the margin, as a share of 1."""
    return 1 if margin >= 1 else math.ceil(round(math.log(alpha) / math.log1p(-margin), 9))


def _kinds(weights: FloatArray, leads: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return clusters of one weight and one lead once, with their number."""
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
    """Return the probability that a sum of independent standard exponential variables, each times its z, is at most 0.

    The moment generating function is inverted along the line through its saddle point (Daniels 1954), where it does
    not oscillate. The steps grow as sinh, so that the trapezoidal rule converges exponentially.
    """
    z, counts = z[z != 0], counts[z != 0]
    if z.size == 0 or z.max() < 0:
        return 1.0
    if z.min() > 0:
        return 0.0
    z = z / np.abs(z).max()
    return 1 - _below_zero(-z, counts) if counts @ z < 0 else _below_zero(z, counts)


def _below_zero(z: FloatArray, counts: IntArray) -> float:
    """Return the same of a sum whose expected value is not below 0."""
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
