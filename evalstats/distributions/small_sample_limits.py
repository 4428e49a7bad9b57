"""Confidence limits for means and probabilities for small samples and for samples with unseen clusters."""

from __future__ import annotations

__all__ = [
    "ClusterLeads",
    "bounded_mean_draws",
    "fewest_clusters",
    "share_never_seen",
    "skewed_mean_limits",
    "skewness_of_mean",
    "unseen_words",
    "win_probability_limits",
    "with_skewness",
    "without_skewness",
]

import math
from typing import Any

import numpy as np

from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails

NUMBERS_AT_ONCE = 1 << 22
HALVINGS = 60
RARE, MOST_UNSEEN = 0.1, 0.05


def skewness_of_mean(deviations: FloatArray) -> FloatArray:
    """Return the skewness of the mean of n values, given their deviations from the mean.

    The estimate is the ratio of moments g_1 divided by sqrt(n), and 0 for two values or equal values.
    """
    largest = np.abs(deviations).max(axis=-1, keepdims=True)
    d = deviations / np.where(largest > 0, largest, 1.0)  # so that no cube vanishes
    squares = np.sum(d**2, axis=-1)
    return np.asarray(np.sum(d**3, axis=-1) / np.where(squares > 0, squares, 1.0) ** 1.5)


def skewed_mean_limits(mean: Any, standard_error: Any, skewness: Any, df: Any, level: float) -> tuple[Any, Any]:
    """Return the limits of Student's t interval for a mean, extended toward the longer tail of the values.

    `skewness` is the skewness of the mean. The wider limit uses the cubic transformation of Hall (1992), On the removal
    of skewness by transformation, with Student's quantiles instead of normal quantiles. On each side, the wider of the
    two limits is used. A skewness that is due to chance in a few values therefore never makes an interval narrower.
    """
    quantile = tails.t_quantile(df, (1 + level) / 2)
    low = mean - np.maximum(quantile, with_skewness(quantile, skewness)) * standard_error
    high = mean - np.minimum(-quantile, with_skewness(-quantile, skewness)) * standard_error
    return low, high


def without_skewness(t: Any, skewness: Any) -> FloatArray:
    """Return the monotone cubic transform of a t statistic whose numerator has this skewness: Hall (1992)."""
    return np.asarray(t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6)


def with_skewness(transformed: Any, skewness: Any) -> FloatArray:
    """Return the t statistic with this value of `without_skewness`."""
    # equal to 3 / skewness * (root - 1), but without cancellation near a skewness of 0
    shifted = transformed - skewness / 6
    root = np.cbrt(1 + skewness * shifted)
    return np.asarray(3 * shifted / (root**2 + root + 1))


def unseen_words(n: int) -> str | None:
    """Return a sentence on an event that occurs in one run of ten, or None if 95% of samples contain the event.

    The sentence gives the probability that n runs do not contain an event, such as a failure, that occurs in one run of
    ten. This probability depends only on n. If a sample contains the event, its interval is wide. If it does not, its
    interval may not contain the mean.
    """
    unseen = (1 - RARE) ** n
    if unseen <= MOST_UNSEEN:
        return None
    return (
        f"an event that occurs in one run of ten is absent from {n} runs with probability {unseen:.2f}; the interval "
        "for the mean then does not account for the event"
    )


def bounded_mean_draws(
    values: FloatArray, bounds: tuple[float, float], n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Return draws whose quantiles are limits for the mean of bounded values.

    For values of shape (n, k), which are k samples, the draws have the shape (2, k, n_resamples). The lower limit at a
    level is the (1 - level) / 2 quantile of the first row. The upper limit is the (1 + level) / 2 quantile of the
    second: Gaffke's bound, in Learned-Miller & Thomas (2019), algorithm 1. Each draw gives random weights to the values
    and to one more value at the bound, where unseen values may be. For values of 0 and 1, the bound equals the limit of
    Clopper & Pearson.
    """
    n, k = values.shape
    least, largest = bounds
    ordered = np.sort(values.T, axis=-1)  # in no order of the rows
    draws = np.empty((2, k, n_resamples))
    step = max(NUMBERS_AT_ONCE // (n + 1), 1)
    for start in range(0, n_resamples, step):
        weights = generator.standard_exponential((min(step, n_resamples - start), n + 1))
        weights /= weights.sum(axis=1, keepdims=True)
        here, seen = slice(start, start + len(weights)), np.ascontiguousarray(weights[:, :n])
        # one sample at a time, because in a product of matrices the last bit depends on the position of a column
        for of_low, of_high, own in zip(draws[0], draws[1], ordered, strict=True):
            of_low[here] = least + seen @ np.ascontiguousarray(own[::-1] - least)
            of_high[here] = largest - seen @ (largest - own)
    return draws


def win_probability_limits(
    estimate: Any, sizes: tuple[int, int], n_strata: int, level: float, variance: Any
) -> tuple[FloatArray, FloatArray]:
    """Return limits for the probability that one sample wins against the other, averaged over strata.

    The limits are the probabilities whose distance from the estimate is Student's quantile times the standard error at
    the limit. The variance formula holds for exponential distributions: method 5 of Newcombe (2006), Confidence
    intervals for an effect size measure based on the Mann-Whitney statistic, part 2. The variance is scaled to be at
    least the estimated `variance` at the estimate. The limits exist even if all wins are on one side.
    """
    p = np.asarray(estimate, dtype=np.float64)
    quantile = float(tails.t_quantile(n_strata * (sum(sizes) - 2), (1 + level) / 2))
    there = _win_variance(p, sizes) / n_strata
    factor = np.maximum(np.divide(variance, there, out=np.ones_like(p), where=there > 0), 1) / n_strata

    def upper(share: FloatArray) -> FloatArray:
        inside, outside = share, np.ones_like(share)
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            is_inside = middle - share <= quantile * np.sqrt(factor * _win_variance(middle, sizes))
            inside, outside = np.where(is_inside, middle, inside), np.where(is_inside, outside, middle)
        return outside

    return np.asarray(1 - upper(1 - p)), np.asarray(upper(p))


def _win_variance(p: FloatArray, sizes: tuple[int, int]) -> FloatArray:
    n, m = sizes
    return np.asarray(p * (1 - p) / (n * m) * (1 + ((n + m) / 2 - 1) * ((1 - p) / (2 - p) + p / (1 + p))))


# --- unseen clusters --------------------------------------------------------------------------------------------------


# if there are more types of clusters than this, neighboring types are combined
MOST_KINDS = 2000
# number of nodes of the trapezoidal rule, along a line in the complex plane; with many clusters, the terms fall quickly
STEP, END, END_OF_ONE = 0.05, 7.0, 40.0
LIMIT_TOLERANCE = 1e-12


class ClusterLeads:
    """Leads of one model over the other in each cluster, with an additional cluster that has the worst possible value.

    The mean is the mean of a Bayesian bootstrap: each cluster, including the additional one, gets a random weight from
    an exponential distribution. The p-value is the probability, over these weights, that the weighted mean is not
    larger than the shift. If the two models have equal scores in all of n clusters of equal size, the upper confidence
    limit is 1 - alpha^(1/n). This limit is the exact limit for the proportion of an unseen type of cluster. The
    validity of the limit for every bounded distribution is a conjecture (Learned-Miller & Thomas 2019, for clusters of
    equal size). docs/error-rates-questions.md has simulation results.
    """

    def __init__(self, weights: FloatArray, leads: FloatArray, largest: float = 1.0) -> None:
        """Store the weight and the contribution of each cluster, and the largest difference on one instance."""
        self.effective = float(weights.sum() ** 2 / (weights**2).sum())
        self.largest = largest
        self.one_more = float(weights.sum()) / self.effective
        self._weights, self._leads, self._counts = _kinds(weights, leads)

    def pvalue(self, shift: float, alternative: str) -> float:
        """Test the null hypothesis that the mean difference equals the shift, against ``'greater'`` or ``'less'``."""
        sign = 1.0 if alternative == "greater" else -1.0
        z = sign * (self._leads - shift * self._weights)
        return _not_above_zero(np.append(z, -self.one_more * (self.largest + sign * shift)), np.append(self._counts, 1))

    def pvalue_of_seen(self, shift: float) -> float:
        """Test whether the mean difference is larger than the shift, without the additional cluster."""
        return _not_above_zero(self._leads - shift * self._weights, self._counts)

    def limits(self, alpha: float, inner: tuple[float, float]) -> tuple[float, float]:
        """Return one-sided lower and upper limits of the mean difference at confidence level 1 - alpha.

        The interval contains the `inner` limits, which are from a different test.
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
    """Return the upper limit for the proportion of a type of cluster that does not occur among n clusters."""
    return -math.expm1(math.log(alpha) / n_clusters)


def fewest_clusters(margin: float, alpha: float) -> int:
    """Return the number of equal clusters for which `share_never_seen` is at most the margin."""
    return 1 if margin >= 1 else math.ceil(round(math.log(alpha) / math.log1p(-margin), 9))


def _kinds(weights: FloatArray, leads: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return each distinct pair of weight and lead once, with its number of clusters."""
    pairs, counts = np.unique(weights + 1j * leads, return_counts=True)
    kinds = np.stack([pairs.real, pairs.imag], axis=1)
    if len(kinds) > MOST_KINDS:  # neighbors have about the same weight and the same lead
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
    """Compute the probability of `_not_above_zero` for a sum with a nonnegative expected value."""
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
