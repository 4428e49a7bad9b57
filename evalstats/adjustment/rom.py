"""At which level does Rom's step-up procedure reject a p-value?"""

from __future__ import annotations

__all__ = ["rejection_level"]

import numpy as np

from evalstats._types import FloatArray, IntArray

# k p below this is the level itself: k c_k = alpha + O(alpha^2)
LINEAR = 1e-17
CHUNK = 2**17  # numbers: 1 MB


def rejection_level(p: FloatArray, k: IntArray) -> FloatArray:
    """Return the smallest alpha with p <= c_k(alpha), where p is the k-th largest of its family; 1 where none is.

    p and k have the shape (n,). c_k grows with alpha and is convex: from Sidak's level Newton's first step passes the
    root, and the others come down to it.
    """
    level = np.minimum(k * p, 1.0)
    if not len(p):
        return level
    largest = int(k.max())
    never = p >= critical_values(np.ones(1), largest)[0][k, 0]
    level[never & (k > 2)] = 1.0
    curved = np.flatnonzero((k > 2) & (level > LINEAR) & ~never)
    # alike levels and sizes together: a chunk needs the terms of its largest level and size
    curved = curved[np.lexsort((k[curved], np.frexp(level[curved])[1]))]
    n_at_once = max(CHUNK // (largest + 1), 16)
    for start in range(0, len(curved), n_at_once):
        chunk = curved[start : start + n_at_once]
        level[chunk] = _root(p[chunk], k[chunk], level[chunk])
    return level


def critical_values(alpha: FloatArray, largest: int) -> tuple[FloatArray, FloatArray]:
    """Return c_0, ..., c_largest of shape (largest + 1, n) for n levels, and their derivatives; c_0 is not used.

    Rom (1990): k c_k = sum_{i=1}^{k-1} alpha^i - sum_{i=1}^{k-2} C(k, i) c_{i+1}^(k-i), c_1 = alpha, makes
    the probability of a rejection alpha for any number of independent true hypotheses.
    """
    values, slopes = np.zeros((2, largest + 1, len(alpha)))
    terms, rates = np.zeros((2, largest + 1, len(alpha)))  # C(k, i) c_{i+1}^(k-i), and c_i' / c_i
    values[1], slopes[1] = alpha, 1.0
    values[2:3], slopes[2:3], rates[2:3] = alpha / 2, 0.5, 1 / alpha
    power, powers, powers_slope = alpha, alpha.copy(), np.ones_like(alpha)
    first = 1
    for k in range(3, largest + 1):
        powers_slope += (k - 1) * power
        power = power * alpha
        powers += power
        terms[k - 2] = (k - 1) * values[k - 1]
        i = np.arange(first, k - 1)[:, np.newaxis]
        terms[first : k - 1] *= k / np.maximum(k - i, 1) * values[first + 1 : k]
        now = terms[first : k - 1]
        values[k] = (powers - now.sum(axis=0)) / k
        slopes[k] = (powers_slope - (now * (k - i) * rates[first + 1 : k]).sum(axis=0)) / k
        rates[k] = slopes[k] / values[k]
        # a term that is negligible and halves at each step remains so
        while first < k - 2 and (now[0] < 1e-19 * alpha).all() and (2 * k * values[first + 1] < k - first).all():
            first, now = first + 1, now[1:]
    return values, slopes


def _root(p: FloatArray, k: IntArray, high: FloatArray) -> FloatArray:
    """Newton's method between Sidak's and Hochberg's levels, and bisection where it leads outside."""
    low = -np.expm1(k * np.log1p(-np.minimum(p, 1 - 1e-16)))
    root, high = low.copy(), high.copy()
    active = np.arange(len(p))
    for _ in range(60):
        alpha, own = root[active], (k[active], np.arange(len(active)))
        values, slopes = critical_values(alpha, int(k[active].max()))
        excess = values[own] - p[active]
        low[active] = np.where(excess < 0, np.maximum(low[active], alpha), low[active])
        high[active] = np.where(excess >= 0, alpha, high[active])
        moved = alpha - excess / slopes[own]
        outside = (moved < low[active]) | (moved > high[active])
        root[active] = np.where(outside, (low[active] + high[active]) / 2, moved)
        active = active[np.abs(root[active] - alpha) > 4e-16 * alpha]
        if not len(active):
            break
    return root
