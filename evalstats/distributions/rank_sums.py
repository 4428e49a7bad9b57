"""Null distribution of the Friedman test.

The *spread* is S = sum_j (2 R_j - n (k + 1))^2, where R_j is the rank sum of classifier j over n datasets. Doubled
midranks are integers, so S is an integer and S >= s is decided without rounding error. Given the ties, Friedman's
statistic (corrected or not) and Iman & Davenport's F are increasing functions of S. Therefore, one distribution is
sufficient for all of these statistics.

A *pattern* is the sorted tuple of the doubled midranks of one dataset. It is (2, 4, 6) without ties and (3, 3, 6) if
the two best are tied. Under the null hypothesis, all distinct arrangements of a pattern are equally likely, and
datasets are independent. A pattern in which all ranks are tied adds nothing to S; callers omit it.
"""

from __future__ import annotations

__all__ = ["Pattern", "count_at_least", "exact_cost", "exact_tail"]

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evalstats._types import AnyArray, FloatArray, IntArray

Columns = list[AnyArray]  # rank sums, one array per classifier, in the smallest sufficient integer type
Pattern = tuple[int, ...]

BLOCK = 2**15  # elements that stay in a fast cache
LARGEST_BLOCK = 2**20
LARGEST_PACKED_TABLE = 2**14
MOST_PACKED_CLASSIFIERS = 7
HOPELESS = 600.0  # largest logarithm of a cost that fits into a float


@lru_cache(maxsize=4096)
def n_arrangements(pattern: Pattern) -> int:
    """Count the distinct permutations of a pattern: k! over the factorials of the sizes of its ties."""
    return math.factorial(len(pattern)) // math.prod(map(math.factorial, Counter(pattern).values()))


# Exact: convolution over datasets.


def exact_tail(patterns: Sequence[Pattern], spread: int) -> float:
    """Compute P(S >= spread) with a relative error near 1e-15, even in the far tail."""
    if len(patterns) <= 1:  # S is the same in every order
        return 1.0
    if len(patterns[0]) == 2:
        return _binomial_tail(len(patterns), math.isqrt(spread // 2))
    support, tail = _law(tuple(sorted(patterns, key=_whole_ranks_first)))
    return float(tail[np.searchsorted(support, spread)])


def exact_cost(patterns: Sequence[Pattern]) -> tuple[float, float]:
    """Estimate the number of additions of `exact_tail`, and the number of cells of its largest table.

    The sorted rank sums after m datasets are the integer points of one chamber of a permutohedron. Without ties, its
    volume is k^(k-2) / k! m^(k-1). Adding 0.8 to m accounts for the points on its boundary (within 10% if m > k).
    """
    n, k = len(patterns), len(patterns[0]) if patterns else 2
    if n <= 1 or k == 2:
        return float(n), 1.0
    patterns = sorted(patterns, key=_whole_ranks_first)
    log_orders = np.array([math.log(n_arrangements(pattern)) for pattern in patterns])
    most_unequal = np.cumsum(patterns, axis=0)
    low, high = _limits(most_unequal[:-1])
    width = (high - low) / np.array([[_unit(pattern)] for pattern in patterns[:-1]])
    log_density = (k - 2) * math.log(k) - math.lgamma(k + 1) - (k - 1) * math.log((k - 1) / 2)
    log_volume = log_density + np.log(width + 0.4 * (k - 1)).sum(axis=1)
    log_paths = np.concatenate([[0.0], log_orders[1:-1].cumsum()])
    log_states = np.maximum(np.minimum(log_volume, log_paths), 0)
    log_cells = max(np.log1p(width[1:]).sum(axis=1).max(initial=0), math.log(k) + log_orders.max())
    additions = np.exp(np.minimum(log_states + log_orders[1:], HOPELESS)).sum()
    return float(additions), max(math.exp(min(log_cells, HOPELESS)), float(_spread(most_unequal[-1], n)))


def _binomial_tail(n: int, difference: int) -> float:
    """Compute P(|wins - losses| >= difference) in n fair tosses (Friedman's test of two classifiers)."""
    from scipy.special import betainc

    wins = (n + difference) // 2
    return min(1.0, 2 * float(betainc(wins, n - wins + 1, 0.5)))


@lru_cache(maxsize=32)
def _law(patterns: tuple[Pattern, ...]) -> tuple[IntArray, FloatArray]:
    """Return the values of S in ascending order, and P(S >= s) for each value and for an s above the largest value.

    The classifiers are exchangeable under the null hypothesis. Vectors of rank sums that agree after sorting are
    equally likely, so only the sorted vector is stored, with the total probability.
    """
    small = np.int16 if 2 * len(patterns) * len(patterns[0]) < 2**15 else np.int32
    columns: Columns = [np.array([value], dtype=small) for value in patterns[0]]
    probability = np.ones(1)
    most_unequal = np.cumsum(patterns, axis=0)
    for pattern, bound in zip(patterns[1:-1], most_unequal[1:-1], strict=True):
        columns, probability = _add_dataset(columns, probability, pattern, bound)
    table = _spread_after_last(columns, probability, patterns[-1], len(patterns), most_unequal[-1])
    support = np.flatnonzero(table)
    tail = np.minimum(table[support][::-1].cumsum()[::-1], 1.0)
    tail[0] = 1.0
    return support, np.append(tail, 0.0)  # larger values have probabilities that are too small for a float


def _add_dataset(
    columns: Columns, probability: FloatArray, pattern: Pattern, most_unequal: IntArray
) -> tuple[Columns, FloatArray]:
    """Convolve the distribution of the sorted rank sums with one more dataset."""
    small = columns[0].dtype.type
    unit = _unit(pattern)
    orders = _arrangements(pattern).astype(small)
    low = [unit * math.ceil(limit / unit) for limit in _limits(most_unequal)[0]]
    length = [int(high - start) // unit + 1 for start, high in zip(low, _limits(most_unequal)[1], strict=True)]
    table = np.zeros(math.prod(length))
    for part in _parts(len(probability), len(orders), len(table)):
        moved = [column[part, None] + order for column, order in zip(columns, orders.T, strict=True)]
        _sort_columns(moved)
        cell = np.zeros(moved[0].shape, dtype=np.int32)
        for column, start, steps in reversed(list(zip(moved, low, length, strict=False))):
            cell *= steps
            cell += (column - small(start)) // small(unit)
        table += _totals(cell, probability[part], len(table))
    cells = np.flatnonzero(table)
    columns, rest = [], cells
    for start, steps in zip(low, length, strict=True):
        rest, step = np.divmod(rest, steps)
        columns.append((start + unit * step).astype(small))
    columns.append((most_unequal.sum() - sum(columns, np.int64(0))).astype(small))  # the sum of all columns is known
    return columns, table[cells] / len(orders)


def _spread_after_last(
    columns: Columns, probability: FloatArray, pattern: Pattern, n: int, most_unequal: IntArray
) -> FloatArray:
    """Return the probability of each S = 0, 1, 2, ... after the last dataset, without sorting the sums."""
    orders = _arrangements(pattern).astype(np.int64)
    centre = n * (len(pattern) + 1)
    table = np.zeros(_spread(most_unequal, n) + 1)
    for part in _parts(len(probability), len(orders), len(table)):
        spread = np.zeros((len(probability[part]), len(orders)), dtype=np.int64)
        for column, order in zip(columns, orders.T, strict=True):
            spread += (column[part, None] + (order - centre)) ** 2
        table += _totals(spread, probability[part], len(table))
    return table / len(orders)


def _spread(sums: IntArray, n: int) -> int:
    """Compute S for one vector of doubled rank sums."""
    return int(((sums - n * (len(sums) + 1)) ** 2).sum())


def _totals(cell: AnyArray, probability: FloatArray, n_cells: int) -> FloatArray:
    """Add the probability of each row to the cells that the row lists."""
    weights = np.broadcast_to(probability[:, None], cell.shape)
    return np.asarray(np.bincount(cell.ravel(), weights=weights.ravel(), minlength=n_cells), dtype=np.float64)


def _parts(n_states: int, n_orders: int, n_cells: int) -> Iterator[slice]:
    """Split the states into parts that fit into the cache with their permutations, unless the table is larger."""
    elements = min(max(BLOCK, n_cells // 2), LARGEST_BLOCK)
    rows = max(1, elements // n_orders)
    return (slice(start, start + rows) for start in range(0, n_states, rows))


def _sort_columns(columns: Columns) -> None:
    """Sort every row across the columns, in place, by comparing and swapping whole columns."""
    for end in range(len(columns) - 1, 0, -1):
        for j in range(end):
            smaller = np.minimum(columns[j], columns[j + 1])
            np.maximum(columns[j], columns[j + 1], out=columns[j + 1])
            columns[j] = smaller


def _limits(most_unequal: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest value of each sorted rank sum except the last.

    The total of the first i sorted sums is smallest if the sums are as unequal as possible. The i-th sum is at least
    the mean of the first i sums, which gives the lower limit. The upper limit follows in the same way from the last
    sums.
    """
    k = most_unequal.shape[-1]
    first = np.arange(1, k)
    up_to = most_unequal.cumsum(axis=-1)
    low = up_to[..., :-1] / first
    high = (up_to[..., -1:] - up_to[..., :-1] + most_unequal[..., :-1]) / (k + 1 - first)
    return low, high


def _whole_ranks_first(pattern: Pattern) -> tuple[bool, Pattern]:
    """Return a sort key that processes datasets with integer ranks first, which keeps the tables small."""
    return _unit(pattern) == 1, pattern


def _unit(pattern: Pattern) -> int:
    return 1 if any(value % 2 for value in pattern) else 2


@lru_cache(maxsize=64)
def _arrangements(pattern: Pattern) -> NDArray[np.int16]:
    """Return every distinct permutation of a pattern, one per row."""
    values, counts = np.unique(np.array(pattern, dtype=np.int16), return_counts=True)
    orders = np.empty((1, 0), dtype=np.int16)
    left = counts[None, :].astype(np.int8)
    for _ in pattern:
        row, choice = np.nonzero(left)  # every order so far, with every remaining value
        orders = np.column_stack([orders[row], values[choice]])
        left = left[row]
        left[np.arange(len(row)), choice] -= 1
    return orders


# Monte Carlo: random permutations.


def count_at_least(
    patterns: Sequence[Pattern], spreads: Sequence[int], n_resamples: int, rng: np.random.Generator
) -> list[int]:
    """Count the random permutations of all datasets, out of `n_resamples`, that reach each of the spreads."""
    n, k = len(patterns), len(patterns[0])
    draws = _packed_draws if k <= MOST_PACKED_CLASSIFIERS else _sorted_draws
    counts = [0] * len(spreads)
    for sums in draws(patterns, n_resamples, rng):
        off_centre = np.subtract(sums, n * (k + 1), out=sums)
        drawn = np.einsum("ij,ij->j", off_centre, off_centre)
        counts = [count + int(np.count_nonzero(drawn >= spread)) for count, spread in zip(counts, spreads, strict=True)]
    return counts


def _packed_draws(patterns: Sequence[Pattern], n_resamples: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield rank sums of shape (k, block), with the k ranks of a permutation as bit fields of one integer.

    One random index and one addition update k sums. Two datasets share a table if the table of all pairs of their
    permutations is small.
    """
    k = len(patterns[0])
    bits = 64 // k
    capacity = (2**bits - 1) // (2 * k)  # number of datasets that a field can hold
    field = np.uint64(2**bits - 1)
    shifts = [np.uint64(bits * j) for j in range(k)]
    tables = _packed_tables(patterns, shifts, capacity)
    for size in _sizes(n_resamples, BLOCK):
        sums = np.zeros((k, size), dtype=np.int64)
        packed, held = np.zeros(size, dtype=np.uint64), 0
        for table, n_datasets in tables:
            if held + n_datasets > capacity:
                _unpack(packed, shifts, field, sums)
                packed, held = np.zeros(size, dtype=np.uint64), 0
            packed += table[rng.integers(len(table), size=size)]
            held += n_datasets
        _unpack(packed, shifts, field, sums)
        yield sums


def _unpack(packed: NDArray[np.uint64], shifts: Sequence[np.uint64], field: np.uint64, sums: IntArray) -> None:
    """Add the bit fields to the rank sums."""
    for j, shift in enumerate(shifts):
        sums[j] += (packed >> shift & field).view(np.int64)


def _packed_tables(
    patterns: Sequence[Pattern], shifts: Sequence[np.uint64], capacity: int
) -> list[tuple[NDArray[np.uint64], int]]:
    """Return tables of equally likely packed rank sums, each with the number of datasets that it represents."""
    tables: list[tuple[NDArray[np.uint64], int]] = []
    for pattern in patterns:
        orders = _arrangements(pattern).astype(np.uint64)
        table = np.bitwise_or.reduce(orders << np.array(shifts), axis=1)
        if tables:
            last, n_datasets = tables[-1]
            if len(last) * len(table) <= LARGEST_PACKED_TABLE and n_datasets < capacity:
                tables[-1] = (np.add.outer(last, table).ravel(), n_datasets + 1)
                continue
        tables.append((table, 1))
    return tables


def _sorted_draws(patterns: Sequence[Pattern], n_resamples: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield rank sums of shape (k, block) by sorting random keys with the rank in their lowest bits.

    Keys that agree in all random bits keep the order of the ranks. For k = 128, two keys agree with a probability of
    2^-23; for more classifiers, longer keys are used.
    """
    k = len(patterns[0])
    key = np.uint32 if k <= 2**7 else np.uint64
    keys_per_word = 8 // np.dtype(key).itemsize
    rank_bits = key(2 ** (2 * k).bit_length() - 1)
    ranks = np.array(patterns, dtype=key)
    for size in _sizes(n_resamples, max(1, BLOCK // k)):
        sums = np.zeros((size, k), dtype=key)
        for row in ranks:
            words = rng.integers(2**64 - 1, size=-(-size * k // keys_per_word), dtype=np.uint64, endpoint=True)
            keys: AnyArray = words.view(key)[: size * k].reshape(size, k)
            keys &= ~rank_bits
            keys |= row
            keys.sort(axis=1)
            keys &= rank_bits
            sums += keys
        yield sums.T.astype(np.int64)


def _sizes(total: int, largest: int) -> Iterator[int]:
    return (min(largest, total - start) for start in range(0, total, largest))
