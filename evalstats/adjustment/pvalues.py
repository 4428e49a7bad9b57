"""Multiple-testing adjustment of p-values."""

from __future__ import annotations

__all__ = ["adjust_pvalues"]

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray, IntArray

# below this, k p equals the level: k c_k = alpha + O(alpha^2)
LINEAR = 1e-17
CHUNK = 2**17  # numbers: 1 MB


def adjust_pvalues(pvalues: ArrayLike, method: str = "holm", *, nan_policy: str = "raise") -> FloatArray:
    """Adjust p-values for multiple testing.

    Each adjusted p-value is the smallest level at which the procedure rejects the hypothesis. Compare the adjusted
    p-value with alpha, as you would compare a single p-value.

    Parameters
    ----------
    pvalues : array_like of shape (..., m)
        The p-values of a family of m hypotheses, in any order. Leading axes are a batch of families.
    method : str, default: 'holm'
        The procedure, which determines the controlled error rate and the assumed dependence between the tests.

        ================== ============================= =======================================
        ``method``         controls                      under
        ================== ============================= =======================================
        ``'bonferroni'``   FWER                          any dependence
        ``'holm'``         FWER                          any dependence; at least as powerful as Bonferroni
        ``'sidak'``        FWER                          independence or positive dependence
        ``'holm-sidak'``   FWER                          independence or positive dependence
        ``'hochberg'``     FWER                          independence or positive dependence
        ``'hommel'``       FWER                          independence or positive dependence
        ``'rom'``          FWER                          independence
        ``'holland'``      FWER                          the same procedure as ``'holm-sidak'``
        ``'li'``           FWER                          independence; the largest p-value affects all
        ``'finner'``       FWER                          independence, and only if no hypothesis is false
        ``'bh'``           FDR                           independence or positive dependence
        ``'by'``           FDR                           any dependence
        ================== ============================= =======================================

        FWER (family-wise error rate): the probability of at least one false rejection. FDR (false discovery rate): the
        expected proportion of false rejections among all rejections.
    nan_policy : {'raise', 'omit', 'count'}, default: 'raise'
        Treatment of a p-value of nan. ``'omit'``: the hypothesis leaves the family, which becomes smaller. ``'count'``:
        the hypothesis stays in the family as not rejected, as if its p-value were 1. Its adjusted p-value is nan.

    Returns
    -------
    ndarray of shape (..., m)
        The adjusted p-values in the order of the input. Adjusted p-values are never smaller than the unadjusted
        p-values and never larger than 1.

    Notes
    -----
    Use Finner's procedure only to reproduce published results. Suppose that 5 of 10 hypotheses are false and always
    rejected. Finner's procedure then makes a false rejection among the other 5 hypotheses with probability 1 - .95^3 =
    .14 at alpha = 0.05.

    Li's procedure needs independent p-values. With ten true hypotheses whose statistics have correlations of 0.5, its
    family-wise error rate is 7.3% at the 0.05 level.

    Raises
    ------
    ValueError
        If there is no p-value, a p-value is outside [0, 1], a p-value is nan with `nan_policy` ``'raise'``, or a choice
        is unknown.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. Biometrika 75, 800-802.

    Hommel, G. (1988). A stagewise rejective multiple test procedure based on a modified Bonferroni test. Biometrika
    75, 383-386.

    Rom, D. M. (1990). A sequentially rejective test procedure based on a modified Bonferroni inequality. Biometrika 77,
    663-665.

    Holland, B. S. & Copenhaver, M. D. (1987). An improved sequentially rejective Bonferroni test procedure. Biometrics
    43, 417-423.

    Finner, H. (1993). On a monotonicity problem in step-down multiple test procedures. Journal of the American
    Statistical Association 88, 920-923.

    Li, J. (2008). A two-step rejection procedure for testing multiple hypotheses. Journal of Statistical Planning and
    Inference 138, 1521-1527.

    Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate: a practical and powerful approach to
    multiple testing. Journal of the Royal Statistical Society B 57, 289-300.

    Examples
    --------
    >>> from evalstats import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjust_pvalues([0.01, 0.04, 0.03], method="hochberg")
    array([0.03, 0.04, 0.04])
    """
    p = checked_pvalues(pvalues, nan_policy)
    adjust = ADJUSTMENTS[_checks.choice(method, "method", tuple(ADJUSTMENTS))]

    counted = np.where(np.isnan(p), 1.0, p) if nan_policy == "count" else p
    order = np.argsort(counted, axis=-1, kind="stable")
    ordered = np.take_along_axis(counted, order, axis=-1)
    adjusted = _without_nan(adjust, ordered) if nan_policy == "omit" else adjust(ordered)
    # rounding must not make an adjusted p-value smaller than the p-value
    adjusted = np.clip(adjusted, ordered, 1.0)

    result = np.empty_like(p)
    np.put_along_axis(result, order, adjusted, axis=-1)
    return np.where(np.isnan(p), np.nan, result)


def checked_pvalues(value: Any, nan_policy: str) -> FloatArray:
    """Return p-values of any shape, or raise an error that names the first invalid value; `nan_policy` allows nan."""
    _checks.choice(nan_policy, "nan_policy", ("raise", "omit", "count"))
    p = _checks.numbers(value, "pvalues")
    if p.ndim == 0 or p.size == 0:
        raise InvalidValueError(f"pvalues must hold at least one p-value per family, but its shape is {p.shape}")
    inside = (p >= 0) & (p <= 1)
    outside = np.argwhere(~inside if nan_policy == "raise" else ~inside & ~np.isnan(p))
    if len(outside):
        at = tuple(outside[0])
        place = f"pvalues[{', '.join(map(str, at))}]"
        if np.isnan(p[at]):
            raise InvalidValueError(
                f"pvalues must not be nan, but {place} is: use nan_policy='omit' to make the family smaller, or "
                "'count' to keep it as a hypothesis that is not rejected"
            )
        raise InvalidValueError(f"pvalues must lie between 0 and 1, but {place} is {p[at]}")
    return p


def _without_nan(adjust: Callable[[FloatArray], FloatArray], ordered: FloatArray) -> FloatArray:
    """Adjust each family without its nan values, which are sorted to its end."""
    families = ordered.reshape(-1, ordered.shape[-1])
    sizes = np.count_nonzero(~np.isnan(families), axis=-1)
    adjusted = np.full(families.shape, np.nan)
    for size in np.unique(sizes[sizes > 0]):
        alike = sizes == size
        adjusted[alike, :size] = adjust(families[alike, :size])
    return adjusted.reshape(ordered.shape)


# Each procedure takes p-values in ascending order along the last axis, p_1 <= ... <= p_m, and may return values above
# 1.
def _bonferroni(p: FloatArray) -> FloatArray:
    return float(p.shape[-1]) * p


def _sidak(p: FloatArray) -> FloatArray:
    return _at_least_one(p, p.shape[-1])


def _holm(p: FloatArray) -> FloatArray:
    return _step_down(_n_left(p) * p)


def _holm_sidak(p: FloatArray) -> FloatArray:
    return _step_down(_at_least_one(p, _n_left(p)))


def _hochberg(p: FloatArray) -> FloatArray:
    return _step_up(_n_left(p) * p)


def _hommel(p: FloatArray) -> FloatArray:
    """Compute the largest p-value of the Simes test over all sets that contain each hypothesis: Hommel (1988)."""
    m = p.shape[-1]
    adjusted = p.copy()
    for size in range(2, m + 1):
        # the set of this size with the largest p-value: the hypothesis with the largest others, or the largest of all
        others = np.min(size * p[..., m - size + 1 :] / np.arange(2, size + 1), axis=-1, keepdims=True)
        simes = np.minimum(size * p, others)
        simes[..., m - size + 1 :] = simes[..., m - size, np.newaxis]
        np.maximum(adjusted, simes, out=adjusted)
    return adjusted


def _rom(p: FloatArray) -> FloatArray:
    """Compute the level at which each p-value reaches its critical value, then step up: Rom (1990)."""
    n_left = np.broadcast_to(_n_left(p), p.shape)
    # Sidak's level is never above Rom's, and close to it; Hochberg's is never below
    low, levels = _at_least_one(p, n_left), n_left * p
    # among equal p-values, the last has the smallest level
    may_decide = np.ones(p.shape, dtype=bool)
    may_decide[..., :-1] = p[..., :-1] != p[..., 1:]
    for likely in (_step_up(low), np.inf):
        solve = may_decide & (low <= likely) & (low < _step_up(levels))
        levels[solve] = rejection_level(p[solve], n_left[solve].astype(np.int64))
        may_decide &= ~solve
    return _step_up(levels)


def _finner(p: FloatArray) -> FloatArray:
    m = p.shape[-1]
    return _step_down(_at_least_one(p, m / np.arange(1, m + 1)))


def _li(p: FloatArray) -> FloatArray:
    """Reject all if max p <= alpha; otherwise reject if p <= alpha / (1 - alpha) (1 - max p): Li (2008)."""
    largest = p[..., -1:]
    with np.errstate(invalid="ignore"):
        levels = np.where((p == largest) | (p == 0), p, p / (p + (1 - largest)))
    return _step_down(np.minimum(levels, largest))


def _benjamini_hochberg(p: FloatArray) -> FloatArray:
    m = p.shape[-1]
    return _step_up(m / np.arange(1, m + 1) * p)


def _benjamini_yekutieli(p: FloatArray) -> FloatArray:
    m, rank = p.shape[-1], np.arange(1, p.shape[-1] + 1)
    return _step_up(np.sum(1 / rank) * m / rank * p)


ADJUSTMENTS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "holm-sidak": _holm_sidak,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "rom": _rom,
    "finner": _finner,
    "holland": _holm_sidak,
    "li": _li,
    "bh": _benjamini_hochberg,
    "by": _benjamini_yekutieli,
}


def _n_left(p: FloatArray) -> FloatArray:
    """Return the number of hypotheses that are not yet rejected at each step: m, m - 1, ..., 1."""
    return np.arange(p.shape[-1], 0, -1, dtype=np.float64)


def _at_least_one(p: FloatArray, n: int | FloatArray) -> FloatArray:
    """Compute 1 - (1 - p)^n without cancellation: the probability that one of n p-values is at most p."""
    with np.errstate(divide="ignore"):
        return np.where(np.equal(n, 1), p, -np.expm1(n * np.log1p(-p)))


def _step_down(p: FloatArray) -> FloatArray:
    """Step down: no hypothesis is rejected before all hypotheses with smaller p-values are rejected."""
    return np.maximum.accumulate(p, axis=-1)


def _step_up(p: FloatArray) -> FloatArray:
    """Step up: each hypothesis is rejected as soon as a hypothesis with a larger p-value is rejected."""
    return np.minimum.accumulate(p[..., ::-1], axis=-1)[..., ::-1]


def rejection_level(p: FloatArray, k: IntArray) -> FloatArray:
    """Return the smallest alpha with p <= c_k(alpha) for the k-th largest p of its family; 1 if none exists.

    p and k have the shape (n,). c_k increases with alpha and is convex. From Šidák's level, Newton's first step passes
    the root, and the following steps decrease to the root.
    """
    level = np.minimum(k * p, 1.0)
    if not len(p):
        return level
    largest = int(k.max())
    never = p >= critical_values(np.ones(1), largest)[0][k, 0]
    level[never & (k > 2)] = 1.0
    curved = np.flatnonzero((k > 2) & (level > LINEAR) & ~never)
    # similar levels and sizes are processed together: a chunk needs the terms of its largest level and size
    curved = curved[np.lexsort((k[curved], np.frexp(level[curved])[1]))]
    n_at_once = max(CHUNK // (largest + 1), 16)
    for start in range(0, len(curved), n_at_once):
        chunk = curved[start : start + n_at_once]
        level[chunk] = _root(p[chunk], k[chunk], level[chunk])
    return level


def critical_values(alpha: FloatArray, largest: int) -> tuple[FloatArray, FloatArray]:
    """Return c_0, ..., c_largest of shape (largest + 1, n) for n levels, and their derivatives; c_0 is not used.

    Rom (1990): k c_k = sum_{i=1}^{k-1} alpha^i - sum_{i=1}^{k-2} C(k, i) c_{i+1}^(k-i), c_1 = alpha. With these values,
    the probability of a rejection is alpha for any number of independent true hypotheses.
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
        # a negligible term that at least halves at each step remains negligible
        while first < k - 2 and (now[0] < 1e-19 * alpha).all() and (2 * k * values[first + 1] < k - first).all():
            first, now = first + 1, now[1:]
    return values, slopes


def _root(p: FloatArray, k: IntArray, high: FloatArray) -> FloatArray:
    """Find the root by Newton's method between Šidák's and Hochberg's levels; replace a step outside by bisection."""
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
