"""How much information do two labellings share by chance, if only the sizes of their clusters are given?"""

from __future__ import annotations

__all__ = ["expected_mutual_information"]

import numpy as np

from evalstats._types import FloatArray, IndexArray
from evalstats.agreement.contingency import Contingency

AT_ONCE = 2**20


def expected_mutual_information(table: Contingency) -> FloatArray:
    """Return the expectation in nats for each table: Vinh, Epps & Bailey (2010), eq. 24a.

    It is a sum over the pairs of a class and a cluster that depends on their sizes only: each pair of sizes is summed
    once, whatever the number of runs.
    """
    n = table.n
    one, other = (sizes.astype(np.intp) for sizes in (table.class_sizes, table.cluster_sizes))
    keys = (one[:, :, None] * (n + 1) + other[:, None, :]).ravel()
    run = np.repeat(np.arange(table.m), one.shape[1] * other.shape[1])
    filled = ((one[:, :, None] > 0) & (other[:, None, :] > 0)).ravel()
    pairs, place = np.unique(keys[filled], return_inverse=True)
    of_pair = _of_sizes(*np.divmod(pairs, n + 1), n)
    return np.bincount(run[filled], of_pair[place], table.m).astype(np.float64, copy=False)


def _of_sizes(a: IndexArray, b: IndexArray, n: int) -> FloatArray:
    """Return the sum over the number of common cases, which is hypergeometric, of its information."""
    from scipy.special import gammaln

    log_factorial = gammaln(np.arange(n + 1) + 1.0)
    low, high = np.maximum(a + b - n, 1), np.minimum(a, b)
    lengths = high - low + 1
    values = np.empty(len(a))
    ends = np.cumsum(lengths)
    start = 0
    while start < len(a):
        before = ends[start] - lengths[start]
        stop = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), start + 1)
        some = slice(start, stop)
        which = np.repeat(np.arange(stop - start), lengths[some])
        common = np.arange(len(which)) - (ends[some] - lengths[some] - before)[which] + low[some][which]
        x, y = a[some][which], b[some][which]
        of_sizes = log_factorial[a] + log_factorial[b] + log_factorial[n - a] + log_factorial[n - b] - log_factorial[n]
        log_probability = of_sizes[some][which] - (
            log_factorial[common]
            + log_factorial[x - common]
            + log_factorial[y - common]
            + log_factorial[n - x - y + common]
        )
        information = common / n * (np.log(common) + np.log(n) - np.log(x) - np.log(y))
        values[some] = np.bincount(which, information * np.exp(log_probability), stop - start)
        start = stop
    return values
