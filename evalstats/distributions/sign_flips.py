"""Null distribution of a sum of differences under random signs.

The distribution over all sign assignments is computed exactly or from random assignments. The module also finds the
shifts of the differences that the test does not reject.
"""

from __future__ import annotations

__all__ = ["FEW", "METHODS", "SignFlips", "sign_flips", "typical_limits"]

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from evalstats._canonical_order import is_mirrored
from evalstats._checks import RandomSource
from evalstats._errors import InvalidValueError
from evalstats._types import AnyArray, BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.signed_rank import SignedRankLaw

METHODS = ("auto", "exact", "monte-carlo")

# 'auto' is exact up to these limits, about 0.3 s; the second limit is the sum of |d| in its unit per pair, for at least
# 100 pairs
AUTO_PAIRS, AUTO_UNITS = 40, 80_000
# above these limits (10 s, 2 GiB), method='exact' raises an error
MOST_PAIRS, MOST_UNITS, LARGEST_SUM = 48, 640_000, 2**31
SMALL_UNITS_PAIRS = 100
FEW = 20  # number of differences up to which two lists of 1024 sums are the fastest method

LARGEST_SLACK = 1e-6  # of the sum of |d|
BLOCK = 2**20  # random signs at a time


class SignFlips(NamedTuple):
    """For each member of a batch, the p-value, its minimum, the method, and the number of random assignments."""

    pvalue: FloatArray
    min_attainable_pvalue: FloatArray
    method: AnyArray
    n_resamples: AnyArray  # None where the method is exact


def sign_flips(
    d: FloatArray,
    unit: FloatArray,
    noise: FloatArray,
    *,
    alternative: str,
    n_resamples: int,
    method: str,
    source: RandomSource,
) -> SignFlips:
    """Compute p-values for the sums of differences, which have the shape (..., n).

    `unit` is the possible rounding error of one difference of a member, and `noise` is the possible rounding error of
    the sum of its differences.
    """
    n, shape = d.shape[-1], d.shape[:-1]
    pvalues, used = np.ones((2, noise.size)), np.full(noise.size, "exact", dtype="<U11")
    resamples = np.full(noise.size, None, dtype=object)
    for i, (row, of_row) in enumerate(zip(d.reshape(-1, n), zip(unit.flat, noise.flat, strict=True), strict=True)):
        signs = _signs(row, *of_row)
        lattice = _lattice(signs) if signs.sizes.size > FEW and method != "monte-carlo" else None
        if _is_exact(signs, lattice, method):
            pvalues[:, i] = _exact_pvalues(signs, lattice, alternative)
        else:
            pvalues[:, i] = _monte_carlo_pvalues(signs, n_resamples, source.generator(), alternative)
            used[i], resamples[i] = "monte-carlo", n_resamples
    pvalue, smallest = pvalues.reshape(2, *shape)
    return SignFlips(pvalue, smallest, used.reshape(shape), resamples.reshape(shape))


def typical_limits(
    d: FloatArray,
    weights: FloatArray,
    unit: FloatArray,
    noise: FloatArray,
    *,
    level: float,
    alternative: str,
    n_resamples: int,
    source: RandomSource,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the limits of the shifts that the test does not reject, and the attained confidence level.

    The limits are weighted means of subsets of the differences (Hartigan 1969). A shift t is subtracted from each
    difference according to its weight. The level at which the test rejects t follows from the number of subsets with a
    mean beyond t.
    """
    n_sides = 2 if alternative == "two-sided" else 1
    rows, shape = d.reshape(-1, d.shape[-1]), d.shape[:-1]
    low, high, attained = np.full(len(rows), -np.inf), np.full(len(rows), np.inf), np.ones(len(rows))
    for i, (row, of_row, of_sum) in enumerate(zip(rows, unit.flat, noise.flat, strict=True)):
        means = _subset_means(row, weights, of_row, of_sum, n_resamples, source)
        n_intervals = means.size + 1  # all intervals between two means contain the shift with equal probability
        # number of values in a tail, without the rounding error that makes 0.05 of 20 less than 1
        position = math.floor((1 - level) / n_sides * n_intervals * (1 + 1e-12))
        if position > 0:
            low[i], high[i] = np.partition(means, [position - 1, means.size - position])[[position - 1, -position]]
            attained[i] = 1 - n_sides * position / n_intervals
    if alternative == "less":
        low[:] = -np.inf
    if alternative == "greater":
        high[:] = np.inf
    return low.reshape(shape), high.reshape(shape), attained.reshape(shape)


class _Signs(NamedTuple):
    """Input of the null distribution of one batch member, in units of a power of two to prevent overflow."""

    sizes: FloatArray  # |d| of the nonzero differences, ascending
    is_positive: BoolArray
    unit: float  # maximum rounding error of a difference
    slack: float  # two sums that differ by at most this are equal


class _Lattice(NamedTuple):
    """Nonzero |d| as integer multiples of their common unit."""

    multiples: IntArray
    total: int


def _signs(d: FloatArray, unit: float, noise: float) -> _Signs:
    d = d[d != 0]
    d = d[np.argsort(np.abs(d), kind="stable")]
    exponent = int(np.frexp(d[-1])[1]) if d.size else 0
    sizes, unit = np.ldexp(np.abs(d), -exponent), _scaled(unit, exponent)
    return _Signs(sizes, d > 0, unit, _slack(sizes, unit, _scaled(noise, exponent)))


def _slack(sizes: FloatArray, unit: float, noise: float) -> float:
    """Return the largest difference that noise and rounding errors can cause between two equal sums."""
    total = float(sizes.sum())
    return max(min(sizes.size * unit / 2, LARGEST_SLACK * total), noise, sizes.size * 2.0**-52 * total)


def _most_units(n: int, units: int) -> int:
    """Return the largest sum of |d| (in multiples of the common unit) for which the exact distribution is computed."""
    return min(units * max(n, SMALL_UNITS_PAIRS), LARGEST_SUM)


def _lattice(signs: _Signs) -> _Lattice | None:
    """Find the greatest common divisor of all |d| up to rounding, or None if it is too small."""
    sizes = np.unique(signs.sizes)
    total = float(signs.sizes.sum())
    smallest = total / _most_units(signs.sizes.size, MOST_UNITS)
    step = float(sizes[0])
    for size in sizes.tolist():  # Euclid's algorithm
        rest = size
        while rest > smallest / 2:
            step, rest = rest, abs(math.remainder(step, rest))
        if step < smallest:
            return None
        step = size / round(size / step)  # a larger size determines the step more precisely
    multiples = np.rint(signs.sizes / step)
    step = float(multiples @ signs.sizes / (multiples @ multiples))  # least squares
    if step < smallest or np.abs(signs.sizes - multiples * step).max() > min(signs.unit, step / 1000):
        return None
    return _Lattice(multiples.astype(np.int64), int(multiples.sum()))


def _is_exact(signs: _Signs, lattice: _Lattice | None, method: str) -> bool:
    """Return whether the exact null distribution is used. The choice depends on the scores, but not on the computer."""
    if method == "monte-carlo":
        return False
    n = signs.sizes.size
    pairs, units = (AUTO_PAIRS, AUTO_UNITS) if method == "auto" else (MOST_PAIRS, MOST_UNITS)
    if n <= pairs or (lattice is not None and lattice.total <= _most_units(n, units)):
        return True
    if method == "exact":
        raise InvalidValueError(
            f"method='exact' would take too long for {n} nonzero differences without a common unit (the limit is "
            f"{MOST_PAIRS}); use method='monte-carlo'"
        )
    return False


def _exact_pvalues(signs: _Signs, lattice: _Lattice | None, alternative: str) -> tuple[float, float]:
    """Return the p-value and the minimum attainable p-value for this number of nonzero differences."""
    n = signs.sizes.size
    if n == 0:
        return 1.0, 1.0
    n_sides = 2 if alternative == "two-sided" else 1
    if lattice is not None and (lattice.total <= _most_units(n, AUTO_UNITS) or n > MOST_PAIRS):
        law = SignedRankLaw(*np.unique(lattice.multiples, return_counts=True))
        tail = float(law.cdf(_against(lattice.multiples, signs.is_positive, alternative)))
    else:
        bound = _against(signs.sizes, signs.is_positive, alternative) + signs.slack
        tail = math.ldexp(_count_up_to(signs.sizes, bound), -n)
    pvalue, smallest = (min(1.0, n_sides * p) for p in (tail, math.ldexp(1.0, -n)))
    return float(tails.as_pvalue(pvalue)), float(tails.as_pvalue(smallest))


def _against(sizes: FloatArray | IntArray, is_positive: BoolArray, alternative: str) -> Any:
    """Return the sum of the differences that contradict the alternative. A smaller sum leads to a smaller p-value."""
    positive, negative = sizes[is_positive].sum(), sizes[~is_positive].sum()
    return {"greater": negative, "less": positive, "two-sided": min(positive, negative)}[alternative]


def _count_up_to(sizes: FloatArray, bound: float) -> int:
    """Count the subsets with a sum of at most `bound` by combining the sums of two halves."""
    ours, theirs = _sorted_sums(sizes[::2]), _sorted_sums(sizes[1::2])
    return int(np.searchsorted(ours, bound - theirs, side="right").sum())


def _sorted_sums(sizes: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.sort(np.concatenate([sums, sums + size]), kind="stable")  # merges two sorted runs
    return sums


def _monte_carlo_pvalues(
    signs: _Signs, n_resamples: int, rng: np.random.Generator, alternative: str
) -> tuple[float, float]:
    """Compute (b + 1) / (m + 1), where b of m random sign assignments are at least as extreme as observed."""
    sizes = signs.sizes
    if sizes.size == 0:
        return 1.0, 1.0
    total = float(sizes.sum())
    bounds = np.array([_against(sizes, signs.is_positive, alternative), 0.0]) + signs.slack
    counts = np.zeros(2, dtype=np.int64)
    for subsets in _random_subsets(sizes.size, n_resamples, rng):
        sums = subsets @ sizes
        if alternative == "two-sided":
            sums = np.minimum(sums, total - sums)
        counts += (sums[:, None] <= bounds).sum(axis=0)
    pvalue, smallest = ((counts + 1) / (n_resamples + 1)).tolist()
    return pvalue, smallest


def _subset_means(
    d: FloatArray, weights: FloatArray, unit: float, noise: float, n_resamples: int, source: RandomSource
) -> FloatArray:
    """Return the means of all nonempty subsets, or of random subsets, without rounding noise near 0."""
    sign = -1 if is_mirrored(d) else 1
    order = np.lexsort((weights, sign * d))  # independent of the order of the differences, and of x and y
    d, weights = sign * d[order], weights[order]
    exponent = int(np.frexp(np.abs(d).max())[1])
    scaled = np.stack([np.ldexp(d, -exponent), weights])
    if d.size <= FEW:
        sums = np.zeros((2, 1))
        for column in scaled.T:
            sums = np.concatenate([sums, sums + column[:, None]], axis=1)
    else:
        subsets = _random_subsets(d.size, n_resamples, source.generator())
        sums = np.concatenate([subset @ scaled.T for subset in subsets]).T
    total, size = sums[:, sums[1] > 0]
    slack = _slack(np.abs(scaled[0]), _scaled(unit, exponent), _scaled(noise, exponent))
    means: FloatArray = np.ldexp(np.where(np.abs(total) <= slack, 0.0, sign * total) / size, exponent)
    return means


def _random_subsets(n: int, n_subsets: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield blocks of rows of 0 and 1, each with probability 1/2."""
    step = max(1, BLOCK // n)
    for start in range(0, n_subsets, step):
        size = min(step, n_subsets - start), -(-n // 8)
        yield np.unpackbits(rng.integers(0, 256, size, dtype=np.uint8), axis=-1, count=n).astype(np.float64)


def _scaled(unit: float, exponent: int) -> float:
    with np.errstate(over="ignore"):
        return float(np.ldexp(unit, -exponent))
