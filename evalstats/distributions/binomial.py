"""How likely are so few heads in n fair tosses?"""

from __future__ import annotations

__all__ = ["binomial_left_tail"]

import os

import numpy as np

from evalstats._types import FloatArray, IntArray

# from so many tails on, equal ones are looked for, since one takes as long as sorting hundreds
MANY = 1000
LARGEST_TO_PACK = 2**31
# tails for one thread: the function behind them lets other threads run
FOR_ONE_THREAD = 2**14


def binomial_left_tail(k: IntArray, n: IntArray) -> FloatArray:
    """P(K <= k) for K binomial (n, 1/2): 0 for k < 0, and right to about 1e-14 of itself however small it is."""
    k, n = np.broadcast_arrays(k, n)
    if k.size < MANY or n.max() >= LARGEST_TO_PACK:
        return _tail(k, n)
    packed, place = np.unique((k.ravel() + 1) * LARGEST_TO_PACK + n.ravel(), return_inverse=True)
    return _tail(packed // LARGEST_TO_PACK - 1, packed % LARGEST_TO_PACK)[place].reshape(k.shape)


def _tail(k: IntArray, n: IntArray) -> FloatArray:
    tail = np.where(k < 0, 0.0, np.where(k < n, np.ldexp(1.0, -n), 1.0))
    inside = (k > 0) & (k < n)
    tail[inside] = _beta_tails((k[inside] + 1).astype(np.float64), (n - k)[inside].astype(np.float64))
    return tail


def _beta_tails(a: FloatArray, b: FloatArray) -> FloatArray:
    """P(X >= 1/2) for beta distributed X, right to 1e-14 with b in the millions, where bdtr keeps eleven digits."""
    from concurrent.futures import ThreadPoolExecutor

    from scipy.special import betaincc

    if a.size <= FOR_ONE_THREAD:
        return np.asarray(betaincc(a, b, 0.5))
    parts = [slice(start, start + FOR_ONE_THREAD) for start in range(0, a.size, FOR_ONE_THREAD)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return np.concatenate(list(threads.map(lambda part: betaincc(a[part], b[part], 0.5), parts)))
