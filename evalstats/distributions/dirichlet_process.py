"""The signed-rank statistic under a Dirichlet process prior.

If the datasets are sorted by their differences, the pairs with d_i + d_j above the rope form a staircase in the table
of i and j. The sum of w_i w_j over this staircase then takes one running sum instead of n^2 products. For three
probabilities with a Dirichlet distribution, the module also computes the probability that each is the largest.
"""

from __future__ import annotations

__all__ = ["UnorderedProcess", "draws_of_weights", "largest_share_probabilities"]

import math
from collections.abc import Iterator

import numpy as np

from evalstats._canonical_order import is_mirrored
from evalstats._types import FloatArray

DRAWS_AT_ONCE = 4096  # maximum number of draws at once, so a row fits into the cache
ROUNDING = 4e-15  # rounding noise of a sum of two differences, relative to the differences
LOG_NEGLIGIBLE = 42.0  # exp(-42) is below half the last digit of 1
WIDEST_STEP = 0.15
LEAST_FOR_STIRLING = 20.0  # for larger values, four terms of the series are exact up to rounding


class DirichletProcess:
    """The three outcome probabilities as a function of the weights for the prior and the datasets.

    Parameters
    ----------
    d : array of shape (n,)
        The differences.
    rope : float
        Half the width of the region of practical equivalence.
    prior_at : float
        Position of the pseudo-observation of the prior.
    ties : {'rope', 'split'}
        Whether a pair exactly on a limit of the rope is within it or counts half.
    is_rounded : bool
        Whether to allow for the rounding noise of a sum of two differences.
    noise : float or array of shape (n,), default: 0
        Additional error of each difference.
    """

    def __init__(
        self,
        d: FloatArray,
        rope: float,
        prior_at: float,
        ties: str,
        *,
        is_rounded: bool,
        noise: float | FloatArray = 0.0,
    ) -> None:
        z, noise = np.concatenate([[prior_at], d]), np.concatenate([[0.0], np.broadcast_to(noise, d.shape)])
        rounding = ROUNDING if is_rounded else 0.0
        self._above = _staircases(z, noise, 2 * rope, rounding, ties)
        self._below = _staircases(-z, noise, 2 * rope, rounding, ties)

    def shares(self, weights: FloatArray) -> FloatArray:
        """Return the probabilities of less, rope and greater, (3, S), for weights (1 + n, S) with the prior first."""
        square = weights.sum(axis=0) ** 2
        less, greater = (
            sum(steps.sum_of_products(weights) for steps in side) / len(side) / square
            for side in (self._below, self._above)
        )
        return np.stack([less, np.maximum(1 - less - greater, 0.0), greater])

    def expected(self, alpha: FloatArray) -> FloatArray:
        """Return the posterior mean of the probabilities, from E w_i w_j = a_i (a_j + [i = j]) / (A (A + 1))."""
        total = alpha.sum()
        less, greater = (
            sum(float(steps.sum_of_products(alpha[:, None])[0] + steps.sum_of_diagonal(alpha)) for steps in side)
            / (len(side) * total * (total + 1))
            for side in (self._below, self._above)
        )
        return np.array([less, max(1 - less - greater, 0.0), greater])


class UnorderedProcess(DirichletProcess):
    """Dirichlet process whose weights refer to the sorted datasets, independent of the input order.

    Swapping the two classifiers swaps the first and the last probability.
    """

    def __init__(
        self,
        d: FloatArray,
        rope: float,
        prior_at: float,
        ties: str,
        *,
        is_rounded: bool,
        noise: float | FloatArray = 0.0,
    ) -> None:
        self._turn = -1 if is_mirrored(d) else 1
        d, noise = self._turn * d, np.broadcast_to(noise, d.shape)
        order = np.lexsort((noise, d))
        d, noise = d[order], noise[order]
        # halves, because the sum of two halves never overflows
        self.is_symmetric = prior_at == 0 and bool((np.abs(d / 2 + d[::-1] / 2) <= noise / 2 + noise[::-1] / 2).all())
        super().__init__(d, rope, self._turn * prior_at, ties, is_rounded=is_rounded, noise=noise)

    def shares(self, weights: FloatArray) -> FloatArray:
        """Return the probabilities of less, rope and greater, as `DirichletProcess.shares` does."""
        return super().shares(weights)[:: self._turn]

    def expected(self, alpha: FloatArray) -> FloatArray:
        """Return the posterior mean of the three probabilities. `alpha` is the same for all datasets."""
        return super().expected(alpha)[:: self._turn]


def _staircases(z: FloatArray, noise: FloatArray, edge: float, rounding: float, ties: str) -> list[_Staircase]:
    """Return the sums above the limit; if ties are split, also return the sums above or equal to the limit.

    A sum is above the limit if it exceeds the limit by more than the noise of its two terms.
    """
    above = _Staircase(z - noise, edge, rounding)
    if ties == "rope":
        return [above]
    above_or_on = _Staircase(z + noise, edge, -rounding, strict=False)
    return [above] if above.places == above_or_on.places else [above, above_or_on]


class _Staircase:
    """The pairs (i, j) of sorted z whose sum is above a limit: the first such j for each i."""

    def __init__(self, z: FloatArray, edge: float, rounding: float, *, strict: bool = True) -> None:
        order = np.argsort(z, kind="stable")
        z = z[order]
        margin = rounding * np.where(np.isfinite(z), np.abs(z) + edge, 0.0)
        first = np.searchsorted(z, edge - z + margin, side="right" if strict else "left")
        # (i, i) is one of the pairs, and so is (j, j) for all later j
        rows = np.flatnonzero(first <= np.arange(len(z)))
        self._order = order.tolist()
        self.rows = list(zip(rows.tolist(), first[rows].tolist(), strict=True))
        self.places = self._order, self.rows

    def sum_of_products(self, weights: FloatArray) -> FloatArray:
        """Sum w_i w_j over the pairs, for each column of weights of shape (1 + n, S)."""
        total = np.zeros(weights.shape[1])
        if not self.rows:
            return total
        order = self._order
        before, after = np.zeros_like(total), np.empty_like(total)
        low = self.rows[0][0]
        for i, first in self.rows:
            while low > first:
                low -= 1
                before += weights[order[low]]
            w = weights[order[i]]
            # w_i (w_i + 2 sum of w_j over first <= j < i)
            np.add(before, w, out=after)
            before += after
            before *= w
            total += before
            before, after = after, before
        return total

    def sum_of_diagonal(self, alpha: FloatArray) -> float:
        """Sum a_i over all i for which (i, i) is one of the pairs."""
        return float(sum(alpha[self._order[i]] for i, _ in self.rows))


def draws_of_weights(n: int, prior_strength: float, n_simulations: int, seed: int) -> Iterator[FloatArray]:
    """Yield weights of shape (1 + n, at most DRAWS_AT_ONCE), proportional to Dirichlet draws.

    The weights use two alternating buffers: while one buffer is summed, a second thread fills the other buffer.
    """
    from concurrent.futures import ThreadPoolExecutor

    rng = np.random.default_rng(seed)
    sizes = [min(DRAWS_AT_ONCE, n_simulations - start) for start in range(0, n_simulations, DRAWS_AT_ONCE)]
    buffers = [np.empty((1 + n) * sizes[0]) for _ in range(2)]

    def draw(block: int) -> FloatArray:
        weights = buffers[block % 2][: (1 + n) * sizes[block]].reshape(1 + n, sizes[block])
        weights[0] = rng.standard_gamma(prior_strength, sizes[block])
        rng.standard_exponential(out=weights[1:])
        return weights

    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(draw, 0)
        for block in range(len(sizes)):
            weights = waiting.result()
            if block + 1 < len(sizes):
                waiting = thread.submit(draw, block + 1)
            yield weights


def largest_share_probabilities(alpha: FloatArray) -> FloatArray:
    """Return, for parameters of shape (..., 3), the probability that each component is the largest.

    If a parameter is 0, the component is 0. At least one parameter is 1 or more.
    """
    rows, inverse = np.unique(alpha.reshape(-1, 3), axis=0, return_inverse=True)
    return np.array([_probabilities(row) for row in rows])[inverse.ravel()].reshape(alpha.shape)


def _probabilities(alpha: FloatArray) -> FloatArray:
    """Integrate f_c F_a F_b of three gamma variables over the logarithm of the variable.

    The integrand is log-concave, analytic in a strip around the real line and negligible at both ends. Therefore, the
    trapezoid rule is exact up to rounding. The integrand has its maximum between a third of the largest parameter and
    this parameter. The width of the peak is about 1 / sqrt(sum of the parameters).
    """
    from scipy.special import gammainc

    largest, total = float(alpha.max()), float(alpha.sum())
    left = math.log(largest / 3) - LOG_NEGLIGIBLE / largest - math.sqrt(2 * LOG_NEGLIGIBLE / largest)
    right = math.log(largest + math.sqrt(2 * LOG_NEGLIGIBLE * largest) + LOG_NEGLIGIBLE)
    step = min(WIDEST_STEP, 0.5 / math.sqrt(total))
    t = np.arange(left, right + step, step)
    g = np.exp(t)
    is_possible = alpha > 0
    below = np.ones((3, t.size))
    below[is_possible] = gammainc(alpha[is_possible, None], g)
    p = np.zeros(3)
    for c in np.flatnonzero(is_possible):
        a, b = (other for other in range(3) if other != c)
        p[c] = step * np.sum(_density_of_logarithm(t, float(alpha[c])) * below[a] * below[b])
    return np.asarray(p / p.sum())  # rounding of a sum of many terms may exceed 1; a probability is never above 1


def _density_of_logarithm(t: FloatArray, alpha: float) -> FloatArray:
    """Compute the density of the logarithm of a gamma variable, without cancellation near its mode."""
    u = t - math.log(alpha)
    if alpha < LEAST_FOR_STIRLING:
        log_peak = alpha * math.log(alpha) - alpha - math.lgamma(alpha)
    else:
        series = (1 - (1 / 30 - (1 / 105 - 1 / (140 * alpha**2)) / alpha**2) / alpha**2) / (12 * alpha)
        log_peak = math.log(alpha / (2 * math.pi)) / 2 - series
    return np.asarray(np.exp(log_peak - alpha * (np.expm1(u) - u)))
