"""Confidence limits of means and probabilities for small samples."""

from __future__ import annotations

__all__ = ["bounded_mean_draws", "skewed_mean_limits", "skewness_of_mean", "unseen_words", "win_probability_limits"]

from typing import Any

import numpy as np

from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails

NUMBERS_AT_ONCE = 1 << 22
STRAIGHT = 1e-5  # skewness below which the transformation is a straight line, to half of the digits
HALVINGS = 60
RARE, MOST_UNSEEN = 0.1, 0.05


def skewness_of_mean(deviations: FloatArray) -> FloatArray:
    """Return the skewness of the mean of n values from their deviations from it.

    It is the ratio of moments, g_1, divided by sqrt(n). It is 0 for two values and for equal values.
    """
    largest = np.abs(deviations).max(axis=-1, keepdims=True)
    d = deviations / np.where(largest > 0, largest, 1.0)  # so that no cube vanishes
    squares = np.sum(d**2, axis=-1)
    return np.asarray(np.sum(d**3, axis=-1) / np.where(squares > 0, squares, 1.0) ** 1.5)


def skewed_mean_limits(mean: Any, standard_error: Any, skewness: Any, df: Any, level: float) -> tuple[Any, Any]:
    """Return Student's limits of a mean, extended on the side to which the values are skewed.

    `skewness` is the skewness of the mean. The wider limit uses the cubic transformation of Hall (1992), On the removal
    of skewness by transformation, with Student's quantiles instead of normal quantiles. On each side, the wider of the
    two limits is used: a skewness that a few values show by chance never makes an interval narrower.
    """
    quantile = tails.t_quantile(df, (1 + level) / 2)
    low = mean - np.maximum(quantile, _statistic_at(quantile, skewness)) * standard_error
    high = mean - np.minimum(-quantile, _statistic_at(-quantile, skewness)) * standard_error
    return low, high


def _statistic_at(transformed: Any, skewness: Any) -> FloatArray:
    """Return the t statistic with the transform t + s t^2 / 3 + s^2 t^3 / 27 + s / 6."""
    s = np.asarray(skewness, dtype=np.float64)
    inside = s * (transformed - s / 6)
    is_straight = np.abs(s) < STRAIGHT
    curved = 3 / np.where(is_straight, 1.0, s) * (np.cbrt(1 + inside) - 1)
    return np.asarray(np.where(is_straight, transformed - s / 6 - s * transformed**2 / 3, curved))


def unseen_words(n: int) -> str | None:
    """Return a sentence on unseen behavior of one run in ten, or None if it is seen with 95% probability.

    The sentence gives the probability that none of n runs shows a behavior of one run in ten. This depends only on n.
    Runs that show a failure or a long tail have an interval that allows for it. Runs that do not show it look like any
    other runs, and their intervals miss the mean.
    """
    unseen = (1 - RARE) ** n
    if unseen <= MOST_UNSEEN:
        return None
    return (
        f"what happens in one run of ten is in none of {n} runs with probability {unseen:.2f}, and then the interval "
        "of their mean does not allow for it"
    )


def bounded_mean_draws(
    values: FloatArray, bounds: tuple[float, float], n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Return draws whose quantiles are limits of the mean of bounded values.

    For values of shape (n, k), which are k samples, the draws have the shape (2, k, n_resamples). The lower limit at a
    level is the (1 - level) / 2 quantile of the first row, and the upper limit is the (1 + level) / 2 quantile of the
    second: Gaffke's bound, in Learned-Miller & Thomas (2019), algorithm 1. Each draw gives random weights to the values
    and to one more value at the bound, where unseen values may be. For values of 0 and 1, it equals the limit of
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
        # one sample at a time: in a product of matrices the last bit depends on where a column stands
        for of_low, of_high, own in zip(draws[0], draws[1], ordered, strict=True):
            of_low[here] = least + seen @ np.ascontiguousarray(own[::-1] - least)
            of_high[here] = largest - seen @ (largest - own)
    return draws


def win_probability_limits(
    estimate: Any, sizes: tuple[int, int], n_strata: int, level: float, variance: Any
) -> tuple[FloatArray, FloatArray]:
    """Return limits of a win probability between two samples, averaged over strata.

    The limits are the probabilities whose distance from the estimate is Student's quantile times the standard error at
    the limit. The variance is the variance for exponential distributions, method 5 of Newcombe (2006), Confidence
    intervals for an effect size measure based on the Mann-Whitney statistic, part 2. It is scaled to be at least the
    estimated `variance` at the estimate. The limits exist even if all wins are on one side.
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
