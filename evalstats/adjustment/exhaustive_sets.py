"""Sets of hypotheses about pairs of classifiers that can be true together.

Equality of classifiers is an equivalence relation. The true hypotheses are therefore the pairs inside the blocks of a
partition of the classifiers: an exhaustive set (Bergmann & Hommel 1988).
"""

from __future__ import annotations

__all__ = ["by_definition", "dynamic", "enforce_monotonicity", "ranked", "static"]

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evalstats._types import FloatArray, IntArray
from evalstats.adjustment.interval_hypotheses import most_true_on_line, most_true_with_pair, pairs_in

CodeArray = NDArray[np.uint8]
# the smallest code of blocks without a pair: larger than the code of any p-value
NO_PAIR = 255


def ranked(matrix: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the distinct p-values of the pairs, ascending, and their ranks from 1 as a matrix with diagonal 0."""
    between = np.triu_indices(len(matrix), 1)
    values, places = np.unique(matrix[between], return_inverse=True)
    codes = np.zeros(matrix.shape, dtype=np.int64)
    codes[between] = places + 1
    return values, codes + codes.T


@lru_cache(maxsize=64)
def numbers_of_true(k: int) -> tuple[int, ...]:
    """Return S(k), the possible numbers of true hypotheses among the pairs of k classifiers, ascending.

    Shaffer (1986): S(k) is the union of C(j, 2) + S(k - j). Here S is a set of bits.
    """
    sets = [1]
    for size in range(1, k + 1):
        members = sets[-1]
        for block in range(2, size + 1):
            members |= sets[size - block] << pairs_in(block)
        sets.append(members)
    return tuple(s for s, bit in enumerate(reversed(bin(sets[k])[2:])) if bit == "1")


def block_bottlenecks(codes: CodeArray) -> CodeArray:
    """Return the smallest code inside each set of classifiers, of shape (2^k,). Bit i of the index is classifier i."""
    k = len(codes)
    smallest = np.full(2**k, NO_PAIR, dtype=np.uint8)
    for h in range(k):
        with_h = np.full(2**h, NO_PAIR, dtype=np.uint8)
        for i in range(h):
            np.minimum(with_h[: 2**i], codes[h, i], out=with_h[2**i : 2 ** (i + 1)])
        np.minimum(smallest[: 2**h], with_h, out=smallest[2**h : 2 ** (h + 1)])
    return smallest


def best_bottlenecks(codes: CodeArray) -> CodeArray:
    """Return the largest smallest code over the partitions of each set of classifiers with each number of pairs.

    The codes, of shape (k, k), are ranks of the p-values from 1. In the result of shape (2^k, C(k, 2) + 1), 0 means
    that there is no such partition. The block that contains the last classifier h of a set is h with a subset T of the
    others. For each T, one operation processes all sets without T. The table is viewed as a cube with 2 cells per
    classifier.
    """
    k = len(codes)
    blocks = block_bottlenecks(codes)
    best = np.zeros((2**k, pairs_in(k) + 1), dtype=np.uint8)
    best[0, 0] = NO_PAIR
    for h in range(k):
        cube = (2,) * h + (-1,)
        without_h, with_h = best[: 2**h].reshape(cube), best[2**h : 2 ** (h + 1)].reshape(cube)
        for others in range(2**h):
            inside = [others >> i & 1 for i in reversed(range(h))]
            own, rest = pairs_in(1 + sum(inside)), pairs_in(h - sum(inside)) + 1
            before = without_h[(*(0 if i else slice(None) for i in inside), slice(rest))]
            after = with_h[(*(1 if i else slice(None) for i in inside), slice(own, own + rest))]
            np.maximum(after, np.minimum(before, blocks[2**h + others]), out=after)
    return best


def most_true(best: CodeArray, n_codes: int) -> IntArray:
    """Return, for each code 1, ..., n_codes, the largest number of true hypotheses with this code or a larger one."""
    number = np.zeros(NO_PAIR + 1, dtype=np.int64)
    np.maximum.at(number, best[-1], np.arange(best.shape[1]))
    return np.maximum.accumulate(number[::-1])[::-1][1 : n_codes + 1]


def static(pvalues: FloatArray, k: int) -> FloatArray:
    """Adjust the p-values of all pairs of k classifiers, shape (..., C(k, 2)): Shaffer (1986).

    The i-th smallest p-value is multiplied by the largest number of hypotheses that can be true if i - 1 are false.
    """
    m = pairs_in(k)
    possible = np.array(numbers_of_true(k))
    n_true = possible[np.searchsorted(possible, np.arange(m, 0, -1), side="right") - 1]
    order = np.argsort(pvalues, axis=-1, kind="stable")
    adjusted = np.maximum.accumulate(n_true * np.take_along_axis(pvalues, order, axis=-1), axis=-1)
    result = np.empty_like(pvalues)
    np.put_along_axis(result, order, adjusted, axis=-1)
    return result


def dynamic(matrix: FloatArray, *, on_line: bool) -> FloatArray:
    """Adjust the p-values of a matrix (k, k): Shaffer (1986), as García & Herrera (2008) describe it.

    The i-th smallest p-value is multiplied by the largest number of hypotheses that can be true if exactly the
    hypotheses with smaller p-values are false. The adjusted p-values are then made monotone. If the classifiers are on
    a line in the order of the rows, the function takes polynomial time.
    """
    values, codes = ranked(matrix)
    n_true = most_true_on_line(codes) if on_line else most_true(best_bottlenecks(codes.astype(np.uint8)), len(values))
    return np.maximum.accumulate(np.append(0.0, values * n_true))[codes]


def by_definition(matrix: FloatArray, *, on_line: bool) -> FloatArray:
    """Adjust the p-values of a matrix (k, k): Bergmann & Hommel (1988).

    Consider all exhaustive sets that contain a pair. The adjusted p-value of the pair is the largest product of the
    size of a set and the smallest p-value in this set. If the classifiers are on a line in the order of the rows, the
    function takes polynomial time.
    """
    values, codes = ranked(matrix)
    if on_line:
        adjusted = most_true_with_pair(codes, values)
        return adjusted + adjusted.T
    return _over_partitions(values, codes.astype(np.uint8))


def enforce_monotonicity(adjusted: FloatArray, pvalues: FloatArray) -> FloatArray:
    """Raise each value to the largest among pairs with the same or a smaller p-value; shape (..., m)."""
    order = np.argsort(pvalues, axis=-1, kind="stable")
    ordered = np.take_along_axis(pvalues, order, axis=-1)
    raised = np.maximum.accumulate(np.take_along_axis(adjusted, order, axis=-1), axis=-1)
    # for equal p-values, the last value is the maximum over all of them
    last = np.ones(ordered.shape, dtype=bool)
    last[..., :-1] = ordered[..., :-1] < ordered[..., 1:]
    raised = np.minimum.accumulate(np.where(last, raised, np.inf)[..., ::-1], axis=-1)[..., ::-1]
    result = np.empty_like(adjusted)
    np.put_along_axis(result, order, raised, axis=-1)
    return result


def _over_partitions(values: FloatArray, codes: CodeArray) -> FloatArray:
    """Maximize over the sets of classifiers that contain both classifiers of a pair."""
    k = len(codes)
    products = _products(values, codes).reshape((2,) * k)
    adjusted = np.zeros((k, k))
    for i in range(k):
        for j in range(i):
            together = tuple(1 if axis in (i, j) else slice(None) for axis in reversed(range(k)))
            adjusted[i, j] = adjusted[j, i] = products[together].max()
    return adjusted


def _products(values: FloatArray, codes: CodeArray) -> FloatArray:
    """Return, for each block, the largest product of size and smallest p-value over exhaustive sets with the block."""
    k = len(codes)
    blocks, best = block_bottlenecks(codes), best_bottlenecks(codes)
    sizes = (np.arange(2**k)[:, np.newaxis] >> np.arange(k) & 1).sum(axis=1)
    value = np.concatenate([[0.0], values])
    products = np.zeros(2**k)
    for size in range(2, k + 1):
        members = np.flatnonzero(sizes == size)
        n = pairs_in(k - size) + 1
        smallest = np.minimum(best[2**k - 1 - members, :n], blocks[members, np.newaxis])
        products[members] = np.max(value[smallest] * np.arange(pairs_in(size), pairs_in(size) + n), axis=1)
    return products
