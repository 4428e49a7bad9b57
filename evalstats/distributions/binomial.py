"""Tail probabilities of fair coin tosses, with and without ties."""

from __future__ import annotations

__all__ = ["binomial_left_tail", "trinomial_lead_tail"]

import os

import numpy as np

from evalstats._types import FloatArray, IntArray

# from so many tails on, equal ones are looked for, since one takes as long as sorting hundreds
MANY = 1000
LARGEST_TO_PACK = 2**31
# tails for one thread: the function behind them lets other threads run
FOR_ONE_THREAD = 2**14
NUMBERS_AT_ONCE = 2**20


def binomial_left_tail(k: IntArray, n: IntArray) -> FloatArray:
    """Compute P(K <= k) for K binomial (n, 1/2), with a relative error of about 1e-14; 0 for k < 0."""
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
    """Compute P(X >= 1/2) for a beta variable X, to 1e-14 also for b in the millions (bdtr: eleven digits)."""
    from concurrent.futures import ThreadPoolExecutor

    from scipy.special import betaincc

    if a.size <= FOR_ONE_THREAD:
        return np.asarray(betaincc(a, b, 0.5))
    parts = [slice(start, start + FOR_ONE_THREAD) for start in range(0, a.size, FOR_ONE_THREAD)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return np.concatenate(list(threads.map(lambda part: betaincc(a[part], b[part], 0.5), parts)))


def trinomial_lead_tail(lead: IntArray, n_edges: IntArray, n: int) -> FloatArray:
    """Compute P(heads - tails >= lead) in n tosses that tie with probability n_edges / n.

    The sum is over the number of tosses that do not tie, given which the heads are binomial: Bian, McAleer & Wong
    (2011). All terms are positive, so the far tail is accurate.
    """
    lead, n_edges = np.broadcast_arrays(lead, n_edges)
    cases = np.stack([lead.ravel(), n_edges.ravel()])
    distinct, place = np.unique(cases, axis=1, return_inverse=True)
    step = max(1, NUMBERS_AT_ONCE // (n + 1))
    blocks = (distinct[:, at : at + step] for at in range(0, distinct.shape[1], step))
    parts = [_trinomial_tail(block[0], block[1], n) for block in blocks]
    return np.asarray(np.concatenate(parts)[place.ravel()].reshape(lead.shape))


def _trinomial_tail(lead: IntArray, n_edges: IntArray, n: int) -> FloatArray:
    from scipy.stats import binom

    decided = np.arange(n + 1)
    weight = np.asarray(binom.pmf(decided, n, ((n - n_edges) / n)[:, None]))
    # as many heads as that: heads - tails >= lead with heads + tails = decided
    fewest_heads = (decided + lead[:, None] + 1) // 2
    at, m = np.nonzero(weight)
    tail = np.zeros(weight.shape)
    tail[at, m] = binomial_left_tail(m - fewest_heads[at, m], m)
    return np.asarray((weight * tail).sum(axis=-1))
