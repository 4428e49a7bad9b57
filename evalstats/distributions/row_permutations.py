"""Null distribution of the spread of column sums under random permutations within rows.

The values are integers with mean 0 in every row. The *spread* is the sum of the squared column sums. Given the rows,
the statistics of Quade's test and of the aligned ranks test are increasing functions of the spread. Friedman's
statistic has a faster algorithm in `rank_sums`, because all its rows contain similar ranks.
"""

from __future__ import annotations

__all__ = ["METHODS_BESIDE", "chance_of_agreement", "exact_tail", "n_orders", "permuted_pvalues", "spread"]

import itertools
import math
from typing import NamedTuple

import numpy as np

from evalstats._canonical_order import unsigned_rows
from evalstats._checks import RandomSource
from evalstats._errors import InvalidValueError
from evalstats._types import AnyArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails

METHODS_BESIDE = ("auto", "exact", "monte-carlo")  # in addition to the large-sample distribution of each test

AUTO_ADDITIONS, AUTO_DATASETS = 3e6, 20  # 'auto' is exact up to about 0.3 s
MOST_ADDITIONS, MOST_AT_ONCE = 3e8, 1e7  # above these limits (a minute, 1 GiB), method='exact' raises an error
MOST_CLASSIFIERS = 8  # 40,320 orders of a row
LARGEST_KEY = 2**62
BLOCK = 2**20  # values drawn at a time


def spread(rows: FloatArray) -> FloatArray:
    """Return the sum of the squared column sums for tables of shape (..., n, k)."""
    return np.asarray((rows.sum(axis=-2) ** 2).sum(axis=-1))


def permutation_tail(
    rows: FloatArray, method: str, approximate: str, n_resamples: int, source: RandomSource
) -> tuple[str, FloatArray | None]:
    """Choose the null distribution of one table; return P(spread >= s) for the observed and the largest possible s.

    Return None instead of the probabilities if the approximation must be used.
    """
    spreads = np.array([spread(rows), spread(np.sort(rows, axis=-1))])
    rows = unsigned_rows(rows)
    informative = rows[(rows != 0).any(axis=-1)]
    if method == "exact" or (method == "auto" and _additions(informative) <= AUTO_ADDITIONS):
        return "exact", exact_tail(informative, spreads)
    if method == approximate or (method == "auto" and len(informative) >= AUTO_DATASETS):
        return approximate, None
    return "monte-carlo", monte_carlo_tail(rows, spreads, n_resamples, source.generator())


class PermutedPvalues(NamedTuple):
    """The p-values of a batch of tables, their minimum attainable p-values, and their null distributions."""

    pvalue: FloatArray
    smallest: FloatArray
    method: AnyArray
    n_resamples: AnyArray


def permuted_pvalues(
    rows: FloatArray,
    approximation: tuple[FloatArray, FloatArray],
    method: str,
    approximate: str,
    n_resamples: int,
    source: RandomSource,
) -> PermutedPvalues:
    """Test the spread of the column sums for each table in a batch.

    The method is exact, Monte Carlo or an approximation.
    """
    pvalue, smallest = (np.array(values) for values in approximation)
    shape = rows.shape[:-2]
    null, resamples = np.full(shape, "monte-carlo"), np.full(shape, None, dtype=object)
    for at in np.ndindex(shape):
        null[at], tail = permutation_tail(rows[at], method, approximate, n_resamples, source)
        if tail is not None:
            pvalue[at], smallest[at] = tails.as_pvalue(tail)
            resamples[at] = n_resamples if null[at] == "monte-carlo" else None
    return PermutedPvalues(pvalue, smallest, null, resamples)


def exact_tail(rows: FloatArray, spreads: FloatArray) -> FloatArray:
    """Compute P(spread >= s) for each s over all permutations of all rows. Rows with only 0 are omitted."""
    if len(rows) <= 1:
        return np.ones(len(spreads))
    if _additions(rows) > MOST_ADDITIONS:
        raise InvalidValueError(
            f"method='exact' would take about {_additions(rows):.0e} additions for {len(rows)} datasets and "
            f"{rows.shape[1]} classifiers (the limit is {MOST_ADDITIONS:.0e}); use a different method"
        )
    k, largest = rows.shape[1], int(np.abs(rows).max(axis=1).sum())
    # all sums except the last, which follows from the others, are digits of one number
    place = (2 * largest + 1) ** np.arange(k - 1)
    # columns are exchangeable, so the first row need not be permuted
    keys: IntArray = rows[:1, :-1].astype(np.int64) @ place
    probability: FloatArray = np.ones(1)
    for row in rows[1:].astype(np.int64):
        orders = np.array(sorted(set(itertools.permutations(row.tolist()))))
        moved = (keys[:, None] + orders[:, :-1] @ place).ravel()
        keys, same = np.unique(moved, return_inverse=True)
        weights = np.repeat(probability / len(orders), len(orders))
        probability = np.bincount(same.ravel(), weights=weights).astype(np.float64)
    digits = (keys + largest * place.sum())[:, None] // place % (2 * largest + 1) - largest
    reached = (digits**2).sum(axis=1) + digits.sum(axis=1) ** 2
    return np.array([probability[reached >= s].sum() for s in spreads])


def monte_carlo_tail(
    rows: FloatArray, spreads: FloatArray, n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Compute (b + 1) / (m + 1) for each s, where b of m random permutations of all rows have a spread >= s."""
    count = np.zeros(len(spreads))
    step = max(1, BLOCK // rows.size)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = spread(generator.permuted(np.broadcast_to(rows, (size, *rows.shape)), axis=-1))
        count += (drawn >= spreads[:, None]).sum(axis=1)
    return (count + 1) / (n_resamples + 1)


def chance_of_agreement(rows: FloatArray) -> float:
    """Return the probability that random permutations of rows with the same values are all equal."""
    orders = n_orders(rows[0].tolist())
    # integers, which may be too large for a float; with 2^1076 or more, the result is 0
    power = min(len(rows) - 1, 1076 // max(orders.bit_length() - 1, 1) + 1)
    return float(1 / orders**power)


def _additions(rows: FloatArray) -> float:
    """Return an upper bound for the number of additions in `exact_tail`, or infinity if the memory is too small."""
    n, k = rows.shape
    if n <= 1:
        return 0.0
    if k > MOST_CLASSIFIERS:
        return math.inf
    unit = int(np.gcd.reduce(rows.astype(np.int64), axis=None))
    width = 2 * np.abs(rows).max(axis=1).cumsum() + 1
    if (k - 1) * math.log(width[-1]) >= math.log(LARGEST_KEY):
        return math.inf
    orders = np.array([n_orders(row) for row in rows.tolist()])
    log_paths = np.log(orders[1:]).cumsum()
    log_points = (k - 1) * np.log(width / unit)
    log_states = np.minimum(np.concatenate([[0.0], log_paths[:-1]]), log_points[:-1])
    at_once = np.exp(log_states) * orders[1:]
    return float(at_once.sum()) if at_once.max() <= MOST_AT_ONCE else math.inf


def n_orders(row: list[float]) -> int:
    """Count the distinct permutations of the values of a row."""
    sizes = (row.count(value) for value in set(row))
    return math.factorial(len(row)) // math.prod(map(math.factorial, sizes))
