"""How likely is so large a lead of heads over tails, if some tosses may end on the edge?"""

from __future__ import annotations

__all__ = ["trinomial_lead_tail"]

import numpy as np

from evalstats._types import FloatArray, IntArray
from evalstats.distributions.binomial import binomial_left_tail

NUMBERS_AT_ONCE = 2**20


def trinomial_lead_tail(lead: IntArray, n_edges: IntArray, n: int) -> FloatArray:
    """P(heads - tails >= lead) in n tosses that end on the edge with probability n_edges / n, and else are fair.

    Bian, McAleer & Wong (2011), with the number of tosses that do not end on the edge summed over: given it, the heads
    are binomial. All terms are positive, so that the far tail keeps its digits.
    """
    lead, n_edges = np.broadcast_arrays(lead, n_edges)
    cases = np.stack([lead.ravel(), n_edges.ravel()])
    distinct, place = np.unique(cases, axis=1, return_inverse=True)
    step = max(1, NUMBERS_AT_ONCE // (n + 1))
    blocks = (distinct[:, at : at + step] for at in range(0, distinct.shape[1], step))
    parts = [_tail(block[0], block[1], n) for block in blocks]
    return np.asarray(np.concatenate(parts)[place.ravel()].reshape(lead.shape))


def _tail(lead: IntArray, n_edges: IntArray, n: int) -> FloatArray:
    from scipy.stats import binom

    decided = np.arange(n + 1)
    weight = np.asarray(binom.pmf(decided, n, ((n - n_edges) / n)[:, None]))
    # as many heads as that: heads - tails >= lead with heads + tails = decided
    fewest_heads = (decided + lead[:, None] + 1) // 2
    at, m = np.nonzero(weight)
    tail = np.zeros(weight.shape)
    tail[at, m] = binomial_left_tail(m - fewest_heads[at, m], m)
    return np.asarray((weight * tail).sum(axis=-1))
