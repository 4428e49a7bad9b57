"""Tail probabilities of the normal, chi-squared, F and Student's distributions, and of fair coin tosses.

The module uses only the standard library and numpy, because an import of scipy.special takes longer than a whole
comparison. For integer degrees of freedom, there are closed forms whose terms are all positive, so there is no
cancellation.

A tail probability below the smallest float is 0, but a p-value is never 0. Only `as_pvalue` converts probabilities to
p-values.
"""

from __future__ import annotations

__all__ = [
    "as_pvalue",
    "binomial_left_tail",
    "chi2_pvalue",
    "chi2_right_tail",
    "erfc",
    "erfc_inverse",
    "erfc_times_exp",
    "f_pvalue",
    "f_right_tail",
    "gamma_ratio",
    "normal_pvalue",
    "normal_right_tail",
    "t_between",
    "t_pvalue",
    "t_quantile",
    "trinomial_lead_tail",
]

import math
import os
from typing import Any

import numpy as np

from evalstats._types import FloatArray, IntArray

SMALLEST_FLOAT = math.ulp(0.0)
ROOT_OF_PI = math.sqrt(math.pi)
ERFC_ENDS = 26.0  # beyond this value, math.erfc loses digits and then underflows

# Up to this number of degrees of freedom (of the numerator), a sum overflows only if the tail is below the smallest
# double. This holds if the leading factor is at least exp(-LOWEST), and smaller factors are not used.
MOST_DF = 500
LOWEST = 1450.0

# Nodes and weights for the integral of exp(-s) f(s) over s > 0, with s = exp(u - exp(-u)): the trapezoid rule in u is
# exact to rounding, even where f is infinite at 0 as an inverse root.
U = np.arange(-4.5, 3.8, 0.125)
NODES = np.exp(U - np.exp(-U))
WEIGHTS = 0.125 * NODES * (1 + np.exp(-U)) * np.exp(-NODES)
# Below this value of t, the distribution function equals its Taylor series of third order up to rounding.
NEAR_ZERO = 1e-3


def as_pvalue(probability: Any) -> FloatArray:
    """Convert probabilities to p-values: at least the smallest float, 5e-324, and at most 1; nan stays nan."""
    return np.asarray(np.minimum(np.maximum(probability, SMALLEST_FLOAT), 1.0))  # np.clip takes three times as long


def normal_pvalue(z: FloatArray, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of a standard normal statistic. 'greater' is the right tail."""
    z, n_sides = _against(z, alternative)
    return as_pvalue(n_sides * normal_right_tail(z))


def t_pvalue(t: FloatArray, df: Any, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value under Student's distribution. Infinite degrees of freedom give the normal distribution."""
    from scipy.special import poch, stdtr

    t, n_sides = _against(t, alternative)
    is_normal = np.isinf(df)
    tail = np.where(is_normal, normal_right_tail(t), stdtr(df, -t))
    near = (np.abs(t) < NEAR_ZERO) & ~is_normal
    # in this range, SciPy's incomplete beta function loses digits: 5e-10 at t = 1e-7 with 1 degree of freedom
    if near.any():
        df = np.asarray(df, dtype=np.float64)
        with np.errstate(all="ignore"):
            density = _t_density(np.zeros(()), df, poch(df / 2, 0.5))
            tail = np.where(near, 0.5 - t * density * (1 - (df + 1) * t * t / (6 * df)), tail)
    return as_pvalue(n_sides * tail)


def t_between(low: FloatArray, high: FloatArray, df: int) -> FloatArray:
    """Compute P(low < T < high) for Student's T up to rounding, without cancellation.

    Within one unit, the density is integrated by Gauss-Legendre quadrature. Wider regions are computed as the
    difference between two left tails and should not be to the right of 0.
    """
    from scipy.special import stdtr

    middle, half = (low + high) / 2, (high - low) / 2
    density = np.zeros_like(half)
    for node, weight in zip(*np.polynomial.legendre.leggauss(20), strict=True):
        density += weight * _t_density(middle + half * node, df, gamma_ratio(df / 2))
    narrow = half * density
    return np.asarray(np.where(half <= 0.5, narrow, stdtr(df, high) - stdtr(df, low)))


def chi2_pvalue(x: FloatArray, df: int) -> FloatArray:
    """Return the p-value of a chi-squared statistic, x >= 0."""
    return as_pvalue(chi2_right_tail(x, df))


def f_pvalue(between: FloatArray, within: FloatArray, df_between: int, df_within: int) -> FloatArray:
    """Return the p-value of an F statistic from its two sums of squares. See `f_right_tail`."""
    return as_pvalue(f_right_tail(between, within, df_between, df_within))


def t_quantile(df: Any, p: Any) -> Any:
    """Return the quantile t with P(T <= t) = p under Student's distribution; normal for infinite degrees of freedom.

    Before SciPy 1.17, scipy.special.stdtrit has a relative error of 1e-8. One Newton step corrects the quantile to the
    last digit. The step uses the smaller tail, in which a probability is accurate.
    """
    from scipy.special import ndtri, poch, stdtr, stdtrit

    df, p = np.asarray(df, dtype=np.float64), np.asarray(p, dtype=np.float64)
    tail = np.minimum(p, 1 - p)
    t = -np.abs(stdtrit(df, tail))
    with np.errstate(all="ignore"):
        # the 12 digits of poch are sufficient for a step
        step = (stdtr(df, t) - tail) / _t_density(t, df, poch(df / 2, 0.5))
        t = t - np.where(np.abs(step) < 1e-3 * np.abs(t), step, 0.0)  # nan, too, is not a step
    t = np.where(np.isinf(df), ndtri(tail), t)
    ends = [(tail == 0) & ~np.isnan(df), (tail == 0.5) & ~np.isnan(df)]  # not SciPy's before 1.17
    t = np.select(ends, [-math.inf, 0.0], t)
    return np.where(p > 0.5, -t, t)[()]


def _t_density(t: FloatArray, df: Any, ratio: Any) -> FloatArray:
    """Return the density of Student's distribution at t, where `ratio` is Gamma((df + 1) / 2) / Gamma(df / 2)."""
    return np.asarray(ratio / np.sqrt(df * math.pi) * np.exp(-(df + 1) / 2 * np.log1p(t * t / df)))


def _against(statistic: FloatArray, alternative: str) -> tuple[FloatArray, int]:
    """Return the statistic oriented towards the alternative, and the number of tails."""
    statistic = np.asarray(statistic, dtype=np.float64)
    if alternative == "two-sided":
        return np.abs(statistic), 2
    return (statistic if alternative == "greater" else -statistic), 1


def erfc(x: FloatArray) -> FloatArray:
    """Return the complementary error function of every element."""
    x = np.asarray(x, dtype=np.float64)
    return np.fromiter(map(math.erfc, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)


def erfc_times_exp(x: FloatArray, exponent: FloatArray | float) -> FloatArray:
    """Return erfc(x) exp(exponent), which underflows only if the product underflows."""
    x, exponent = np.broadcast_arrays(np.asarray(x, dtype=np.float64), exponent)
    product = np.asarray(erfc(x) * np.exp(exponent))
    if (is_far := x > ERFC_ENDS).any():
        far = x[is_far]
        product[is_far] = np.exp(exponent[is_far] - far * far) * _far_erfcx(far)
    return product


def erfc_inverse(log_p: float) -> float:
    """Return the x > 0 with log(erfc(x)) = log_p < 0, for any log_p.

    The function uses Newton's method for log(erfc(x)), which is concave. The start value is above the root, because
    erfc(x) <= exp(-x^2), so every step stays above the root.
    """
    x = math.sqrt(-log_p)
    for _ in range(100):
        erfcx = float(_far_erfcx(x)) if x > ERFC_ENDS else math.erfc(x) * math.exp(x * x)
        step = (math.log(erfcx) - x * x - log_p) * erfcx * ROOT_OF_PI / 2
        x += step
        if abs(step) < 1e-8 * x:  # the remaining error is of the order of the squared step
            break
    return x


def normal_right_tail(z: FloatArray) -> FloatArray:
    """Compute P(Z > z) for a standard normal Z."""
    return erfc(np.asarray(z) / math.sqrt(2)) / 2


def chi2_right_tail(x: FloatArray, df: int) -> FloatArray:
    """Compute P(X > x) for a chi-squared X with integer degrees of freedom, and x >= 0.

    For even df and y = x / 2, P is the sum of exp(-y) y^j / Gamma(j + 1) over j = 0, 1, ... below df / 2. For odd
    df, the sum is over j = 1/2, 3/2, ..., and erfc(sqrt(y)) is added.
    """
    if df > MOST_DF:
        from scipy.special import chdtrc

        return np.asarray(chdtrc(df, x))
    y = np.minimum(x, 2 * LOWEST) / 2
    j = _later_terms(df)
    quarter = np.exp(-y / 4)
    tail = _times_fourth_power(_sum_of_products(y[..., None] / j), quarter)
    if df % 2:
        tail = erfc(np.sqrt(y)) + (df > 1) * 2 / ROOT_OF_PI * np.sqrt(y) * tail
    return np.minimum(tail, 1.0)


def f_right_tail(between: FloatArray, within: FloatArray, df_between: int, df_within: int) -> FloatArray:
    """Compute P(X > F) for F = (between / df_between) / (within / df_within) with integer degrees of freedom.

    The function uses the two sums of squares instead of F, because a small proportion of their total then loses no
    digits. With the proportions v and w and a = df_within / 2, the probability is the sum of w^a v^j Gamma(a + j) /
    (Gamma(a) Gamma(j + 1)) over the same j as for chi-squared. For odd df_between, the two tails of Student's
    distribution are added.
    """
    if df_between > MOST_DF:
        from scipy.special import betainc

        return np.asarray(betainc(df_within / 2, df_between / 2, within / (between + within)))
    a = df_within / 2
    total = between + within
    smallest = max(math.exp(-LOWEST / a), SMALLEST_FLOAT)
    v, w = np.minimum(between / total, 1 - smallest), np.maximum(within / total, smallest)
    j = _later_terms(df_between)
    # the rounding error of w, which raising to the power of a would multiply
    rounding = np.where(w > 0.5, 1 - w - v, 0.0) / w
    quarter = np.power(w, a / 4) * (1 + a / 4 * rounding)
    terms = _sum_of_products(v[..., None] * ((a + j - 1) / j))
    if df_between % 2:
        terms = _student(v, w, a) + (df_between > 1) * gamma_ratio(a) * 2 / ROOT_OF_PI * np.sqrt(v) * terms
    return np.minimum(_times_fourth_power(terms, quarter), 1.0)


def _student(v: FloatArray, w: FloatArray, a: float) -> FloatArray:
    """Return the two tails of Student's distribution over w^a.

    The result, multiplied by Gamma(a) sqrt(pi) / Gamma(a + 1/2), is the integral of
    exp(-s) / sqrt(1 - w exp(-s / a)) / a over s > 0. If v is small, the integrand is too steep. Then the probability
    between the tails is a short sum, and its subtraction from 1 loses no digits.
    """
    factor = gamma_ratio(a) / ROOT_OF_PI
    tails = np.asarray(
        factor / a * np.sum(WEIGHTS / np.sqrt(v[..., None] - w[..., None] * np.expm1(-NODES / a)), axis=-1)
    )
    if (is_small := v * (a + 2) < 1).any():
        small = v[is_small]
        j = np.arange(1.5, 50)
        centre = 2 * factor * np.sqrt(small) * _sum_of_products(small[:, None] * ((a + j - 1) / j))
        tails[is_small] = np.power(1 - small, -a) - centre
    return tails


def _later_terms(df: int) -> FloatArray:
    """Return the values of j below df / 2 without the first: 1, 2, ... or 3/2, 5/2, ..."""
    return np.arange(1.5 if df % 2 else 1.0, df / 2)


def _sum_of_products(ratios: FloatArray) -> FloatArray:
    """Compute 1 + r_1 + r_1 r_2 + r_1 r_2 r_3 + ... along the last axis."""
    return np.asarray(1 + np.cumprod(ratios, axis=-1).sum(axis=-1))


def _times_fourth_power(large: FloatArray, small: FloatArray) -> FloatArray:
    """Multiply step by step, because the fourth power may underflow even if the product does not."""
    return large * small * small * small * small


def gamma_ratio(a: float) -> float:
    """Compute Gamma(a + 1/2) / Gamma(a)."""
    if a < 150:
        return math.gamma(a + 0.5) / math.gamma(a)
    u = a - 0.25  # the asymptotic series at this point has even powers only
    return math.sqrt(u) * (1 + 1 / (64 * u**2) - 19 / (8192 * u**4))


def _far_erfcx(x: FloatArray | float) -> FloatArray | float:
    """Return exp(x^2) erfc(x) by its asymptotic series, which is exact to rounding beyond ERFC_ENDS."""
    t = 0.5 / (x * x)
    series: FloatArray | float = 1.0
    for factor in (13, 11, 9, 7, 5, 3, 1):
        series = 1 - factor * t * series
    return series / (x * ROOT_OF_PI)


# --- fair coin tosses -------------------------------------------------------------------------------------------------


# with at least this number of tails, equal tails are combined, because one tail takes as long as sorting hundreds
MANY = 1000
LARGEST_TO_PACK = 2**31
# number of tails for one thread; their function lets other threads run
FOR_ONE_THREAD = 2**14
NUMBERS_AT_ONCE = 2**20


def binomial_left_tail(k: IntArray, n: IntArray) -> FloatArray:
    """Compute P(K <= k) for K binomial (n, 1/2), with a relative error of about 1e-14. The result is 0 for k < 0."""
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
    """Compute P(X >= 1/2) for a beta variable X to 1e-14, even for b in the millions (bdtr has eleven digits)."""
    from concurrent.futures import ThreadPoolExecutor

    from scipy.special import betaincc

    if a.size <= FOR_ONE_THREAD:
        return np.asarray(betaincc(a, b, 0.5))
    parts = [slice(start, start + FOR_ONE_THREAD) for start in range(0, a.size, FOR_ONE_THREAD)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return np.concatenate(list(threads.map(lambda part: betaincc(a[part], b[part], 0.5), parts)))


def trinomial_lead_tail(lead: IntArray, n_edges: IntArray, n: int) -> FloatArray:
    """Compute P(heads - tails >= lead) for n tosses of a coin that lands on its edge with probability n_edges / n.

    The sum is over the number of tosses that do not land on the edge. Given this number, the heads are binomial: Bian,
    McAleer & Wong (2011). All terms are positive, so the far tail is accurate.
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
    # required number of heads: heads - tails >= lead with heads + tails = decided
    fewest_heads = (decided + lead[:, None] + 1) // 2
    at, m = np.nonzero(weight)
    tail = np.zeros(weight.shape)
    tail[at, m] = binomial_left_tail(m - fewest_heads[at, m], m)
    return np.asarray((weight * tail).sum(axis=-1))
