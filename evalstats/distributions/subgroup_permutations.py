"""Null distributions of differences between subgroups: permuted labels, and exact tests of two-column tables."""

from __future__ import annotations

__all__ = ["exact_two_column_pvalue", "permuted_interactions"]

import numpy as np

from evalstats._types import FloatArray, IndexArray, IntArray

MOST_TABLES = 2_000_000  # that are enumerated
BLOCK = 2**20  # number of values that are permuted at a time
MOST_VALUES = 30  # different values whose counts are drawn instead
NOISE = 1e-12  # rounding error of a sum, relative to the largest
EQUAL = 1 + 1e-7  # relative precision of probabilities, as in R


def exact_two_column_pvalue(first: IntArray, second: IntArray, n_resamples: int, rng: np.random.Generator) -> float:
    """Return the p-value of Fisher's exact test for a table with the columns `first` and `second`.

    The p-value is the total probability of all tables with these margins that are at most as probable as the observed
    table. If there are more than two million tables, random tables are drawn.

    Parameters
    ----------
    first, second : ndarray of int, of shape (k,)
        Counts of each row.
    n_resamples : int
        Number of drawn tables.
    rng : numpy.random.Generator
        Source of the drawn tables.

    Returns
    -------
    float
        The p-value, which is 1 if a column or all rows except one are empty.

    References
    ----------
    Freeman, G. H. & Halton, J. H. (1951). Note on an exact treatment of contingency, goodness of fit and other problems
    of significance. Biometrika 38, 141-149.

    Examples
    --------
    >>> import numpy as np
    >>> p = exact_two_column_pvalue(np.array([10, 6, 1]), np.array([2, 5, 6]), 999, np.random.default_rng(0))
    >>> print(f"{p:.4f}")
    0.0129
    """
    rows = first + second
    kept = rows > 0
    first, rows = first[kept], rows[kept]
    total = int(first.sum())
    if rows.size < 2 or total in (0, rows.sum()):
        return 1.0
    observed = float(_log_ways(first, rows).sum())
    if np.prod(rows[:-1].astype(np.float64) + 1) <= MOST_TABLES:
        sums, logs = np.zeros(1, dtype=np.int64), np.zeros(1)
        left = np.append(np.cumsum(rows[::-1])[::-1][1:], 0)
        for size, after in zip(rows.tolist(), left.tolist(), strict=True):
            counts = np.arange(size + 1)
            sums = (sums[:, None] + counts).ravel()
            logs = (logs[:, None] + _log_ways(counts, np.full(size + 1, size))).ravel()
            possible = (sums <= total) & (sums + after >= total)
            sums, logs = sums[possible], logs[possible]
        ways = np.exp(logs - logs.max())
        return float(min(1.0, ways[ways <= np.exp(observed - logs.max()) * EQUAL].sum() / ways.sum()))
    drawn = rng.multivariate_hypergeometric(rows, total, size=n_resamples, method="marginals")
    extreme = _log_ways(drawn, rows).sum(axis=1) <= observed + np.log(EQUAL)
    return float((np.count_nonzero(extreme) + 1) / (n_resamples + 1))


def permuted_interactions(
    sums: FloatArray, sizes: FloatArray, group: IndexArray, n_resamples: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the interaction statistic Q and its p-value from permutations of the subgroup labels.

    Parameters
    ----------
    sums, sizes : ndarray of shape (n,)
        Sum of the differences and number of instances of each unit.
    group : ndarray of int, of shape (n,)
        Subgroup of each unit, from 0. Every subgroup contains a unit.
    n_resamples : int
        Number of permutations.
    rng : numpy.random.Generator
        Source of the permutations.

    Returns
    -------
    tuple of two float
        Q, and the p-value (b + 1) / (n_resamples + 1) for b permutations with at least this Q. In Q, a subgroup without
        variance has the variance of all units. Q is 0 and the p-value is 1 if no unit differs from the mean.

    Examples
    --------
    >>> import numpy as np
    >>> d, group = np.array([1.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, -1.0]), np.repeat([0, 1], 4)
    >>> q, p = permuted_interactions(d, np.ones(8), group, 999, np.random.default_rng(0))
    >>> print(f"{q:.2f}")
    14.29
    """
    unit = float(np.abs(sums).max()) * NOISE  # rounding errors do not separate equal units
    if unit > 0:
        sums = np.round(sums / unit) * unit
    sums, sizes, group = _in_order(sums, sizes, group)
    starts = np.searchsorted(group, np.arange(int(group.max()) + 1))
    residual = sums - sizes * (sums.sum() / sizes.sum())
    pooled = float((residual**2).sum() / (sizes**2).sum())
    if pooled <= 1e-24 * max(float((sums**2).sum()), 1e-300):
        return 0.0, 1.0
    values, place = np.unique(sums, return_inverse=True)
    observed = float(_interactions(sums[None], sizes[None], starts, pooled)[0])
    if values.size <= MOST_VALUES and (sizes == 1).all():
        drawn = _by_counts(values, np.bincount(place.ravel()), np.diff(np.append(starts, sums.size)), n_resamples, rng)
        found = _q(*drawn, np.diff(np.append(starts, sums.size)).astype(np.float64), pooled)
    else:
        found = np.empty(n_resamples)
        step = max(1, BLOCK // sums.size)
        for start in range(0, n_resamples, step):
            many = min(step, n_resamples - start)
            turned = rng.permuted(np.tile(np.arange(sums.size), (many, 1)), axis=1)
            found[start : start + many] = _interactions(sums[turned], sizes[turned], starts, pooled)
    extreme = np.count_nonzero(found >= observed * (1 - 1e-9) - 1e-9)  # Q has no unit, and may be 0
    return observed, float((extreme + 1) / (n_resamples + 1))


def _in_order(sums: FloatArray, sizes: FloatArray, group: IndexArray) -> tuple[FloatArray, FloatArray, IndexArray]:
    """Return the units in an order that depends only on their content, with the sign that makes the numbers larger."""
    orders = [np.lexsort((sizes, values, group)) for values in (sums, -sums)]
    first, second = sums[orders[0]], -sums[orders[1]]
    differ = np.flatnonzero(first != second)[:1]
    mirrored = bool(differ.size and first[differ[0]] < second[differ[0]])
    return (second if mirrored else first), sizes[orders[mirrored]], group[orders[mirrored]]


def _log_ways(count: IntArray, size: IntArray) -> FloatArray:
    """Return the logarithm of the binomial coefficients."""
    from scipy.special import gammaln

    return np.asarray(gammaln(size + 1) - gammaln(count + 1) - gammaln(size - count + 1))


def _interactions(sums: FloatArray, sizes: FloatArray, starts: IndexArray, pooled: float) -> FloatArray:
    """Return Q of each row of units, whose subgroups begin at `starts`."""
    n = np.add.reduceat(sizes, starts, axis=1)
    mean = np.add.reduceat(sums, starts, axis=1) / n
    width = np.diff(np.append(starts, sums.shape[1]))
    residual = sums - np.repeat(mean, width, axis=1) * sizes
    squares, of_sizes = np.add.reduceat(residual**2, starts, axis=1), np.add.reduceat(sizes**2, starts, axis=1)
    is_constant = squares <= 1e-20 * pooled * of_sizes
    return _weighted(mean, np.where(is_constant, pooled * of_sizes, squares) / n**2)


def _by_counts(
    values: FloatArray, counts: IntArray, sizes: IntArray, n_resamples: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw how often each value occurs in each subgroup. Return the means and the mean squares."""
    left = np.tile(counts, (n_resamples, 1))
    means, squares = np.empty((n_resamples, sizes.size)), np.empty((n_resamples, sizes.size))
    for g, size in enumerate(sizes.tolist()):
        drawn, needed = np.zeros_like(left), np.full(n_resamples, size)
        after = left.sum(axis=1)
        for v in range(values.size):
            after = after - left[:, v]
            drawn[:, v] = rng.hypergeometric(left[:, v], after, needed)
            needed = needed - drawn[:, v]
        left = left - drawn
        means[:, g], squares[:, g] = drawn @ values / size, drawn @ values**2 / size
    return means, squares


def _q(means: FloatArray, squares: FloatArray, sizes: FloatArray, pooled: float) -> FloatArray:
    variance = squares - means**2
    return _weighted(means, np.where(variance <= 1e-12 * pooled, pooled, variance) / sizes)


def _weighted(mean: FloatArray, variance: FloatArray) -> FloatArray:
    """Return the sum of the squared distances from the weighted mean, divided by the variances."""
    weight = 1 / variance
    centre = (weight * mean).sum(axis=1, keepdims=True) / weight.sum(axis=1, keepdims=True)
    return np.asarray((weight * (mean - centre) ** 2).sum(axis=1))
