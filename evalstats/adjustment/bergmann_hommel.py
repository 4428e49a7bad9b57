"""Bergmann & Hommel's procedure: which pairs differ, given which hypotheses can be true together?"""

from __future__ import annotations

__all__ = ["by_definition", "running_maximum"]

import numpy as np

from evalstats._types import FloatArray
from evalstats.adjustment.exhaustive_sets import CodeArray, best_bottlenecks, block_bottlenecks, pairs_in, ranked
from evalstats.adjustment.interval_hypotheses import most_true_with_pair


def by_definition(matrix: FloatArray, *, on_line: bool) -> FloatArray:
    """Adjust the p-values of a matrix (k, k): Bergmann & Hommel (1988).

    The adjusted p-value of a pair is the largest product, over the exhaustive sets that hold it, of the size of the set
    and its smallest p-value. On a line, which the rows follow, it takes polynomial time.
    """
    values, codes = ranked(matrix)
    if on_line:
        adjusted = most_true_with_pair(codes, values)
        return adjusted + adjusted.T
    return _over_partitions(values, codes.astype(np.uint8))


def running_maximum(adjusted: FloatArray, pvalues: FloatArray) -> FloatArray:
    """Raise each to the largest among those of pairs with the same or a smaller p-value; shape (..., m)."""
    order = np.argsort(pvalues, axis=-1, kind="stable")
    ordered = np.take_along_axis(pvalues, order, axis=-1)
    raised = np.maximum.accumulate(np.take_along_axis(adjusted, order, axis=-1), axis=-1)
    # equal p-values: the last has seen them all
    last = np.ones(ordered.shape, dtype=bool)
    last[..., :-1] = ordered[..., :-1] < ordered[..., 1:]
    raised = np.minimum.accumulate(np.where(last, raised, np.inf)[..., ::-1], axis=-1)[..., ::-1]
    result = np.empty_like(adjusted)
    np.put_along_axis(result, order, raised, axis=-1)
    return result


def _over_partitions(values: FloatArray, codes: CodeArray) -> FloatArray:
    """Try each set of classifiers that holds a pair as its block."""
    k = len(codes)
    products = _products(values, codes).reshape((2,) * k)
    adjusted = np.zeros((k, k))
    for i in range(k):
        for j in range(i):
            together = tuple(1 if axis in (i, j) else slice(None) for axis in reversed(range(k)))
            adjusted[i, j] = adjusted[j, i] = products[together].max()
    return adjusted


def _products(values: FloatArray, codes: CodeArray) -> FloatArray:
    """Largest product of size and smallest p-value over the exhaustive sets with each set of classifiers as a block."""
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
