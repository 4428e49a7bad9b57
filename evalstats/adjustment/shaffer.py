"""Shaffer's procedures: how many hypotheses about pairs can still be true when some are false?"""

from __future__ import annotations

__all__ = ["dynamic", "static"]

import numpy as np

from evalstats._types import FloatArray
from evalstats.adjustment.exhaustive_sets import best_bottlenecks, most_true, numbers_of_true, pairs_in, ranked
from evalstats.adjustment.interval_hypotheses import most_true_on_line


def static(pvalues: FloatArray, k: int) -> FloatArray:
    """Adjust the p-values of all pairs of k classifiers, shape (..., C(k, 2)): Shaffer (1986).

    The i-th smallest p-value is multiplied by the largest number of hypotheses that can be true when i - 1 are false.
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

    The i-th smallest p-value is multiplied by the largest number of hypotheses that can be true when just those with
    smaller p-values are false; then no p-value is adjusted to less than a smaller one. On a line, which the rows
    follow, it takes polynomial time.
    """
    values, codes = ranked(matrix)
    n_true = most_true_on_line(codes) if on_line else most_true(best_bottlenecks(codes.astype(np.uint8)), len(values))
    return np.maximum.accumulate(np.append(0.0, values * n_true))[codes]
