"""Exact null distribution of the signed-rank sum, with ties and for any number of ranks.

Given the absolute differences, each rank counts in the sum with probability 1/2, independently. Short tails are counted
by dynamic programming. Long tails are computed from the characteristic function of the distribution that is
exponentially tilted towards the tail. All terms of the trapezoid rule then have the order of magnitude of the result,
however small the result is.
"""

from __future__ import annotations

__all__ = ["SignedRankLaw", "cdf_of_rows", "untied_law", "walsh_averages", "walsh_median"]

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails

LARGEST_ERROR = 1e-12  # relative error bound, proven for every tail that is inverted
FIRST_TILT, STEP_OF_TILTS = 3.0, 2.0  # in units of one over the standard deviation
LARGEST_COUNT = 1000  # a float can count up to 2^1000 sets of ranks safely
SMALLEST_LOG = -745.2  # a probability below exp(SMALLEST_LOG) is 0 in floating point
CHUNK = 1 << 14
STEPS_AT_ONCE = 8  # number of ranks that are counted between two checks of the range of their sums
# measured time in nanoseconds of one rank and one sum in the dynamic program, and of one factor of the characteristic
# function
RANK_COST, SUM_COST, FACTOR_COST = 1200, 0.5, 24
NEGLIGIBLE_COST = 500_000
MANY = 256  # rows with one tilt
FEW = 4  # times fewer distinct ranks than ranks: their characteristic function is large at too many nodes
LONG = 300_000  # nanoseconds to count a tail
SMALLEST_TILT = 2.5  # in units of one over the standard deviation
MARGIN = 2.0  # of a logarithm
LARGE, MOST_TERMS = 3e-14, 200  # in comparison with their sum; of one row: with more, it is as fast to count
SINGLE_PRECISION = 3e-3  # relative, above what rounding does to a term of the hundreds of factors of such a table
LARGEST_TABLE = 1 << 22
ROWS_AT_ONCE = 1 << 10
_Guess = tuple[FloatArray, FloatArray, FloatArray]  # the arrays that `_normal_guess` returns
SORTED_UP_TO = 700  # differences; the Walsh averages of more differences are searched, not sorted


@dataclass(frozen=True)
class _Tilt:
    """Distribution weighted by exp(tilt x), for sums between its mean and the mean of the previous tilt."""

    tilt: float
    cumulant: float  # log of E exp(tilt (X - centre))
    lowest: float
    highest: float
    standard_deviation: float


@dataclass(frozen=True)
class _Inversion:
    """Trapezoid rule for sum_j exp(tilt j) P_tilt(X = w - j), as a function of w."""

    period: int
    nodes: IntArray
    terms: NDArray[np.complex128]

    def __call__(self, w: IntArray) -> FloatArray:
        angle = (w[..., None] * self.nodes % self.period) * (2 * math.pi / self.period)
        total: FloatArray = np.sum(self.terms.real * np.cos(angle) + self.terms.imag * np.sin(angle), axis=-1)
        return total


class SignedRankLaw:
    """Distribution of a sum of integer ranks, each counted with probability 1/2.

    Parameters
    ----------
    ranks, counts : ndarray of int
        The distinct ranks (doubled midranks, which are integers) and their frequencies.
    is_asked_once : bool, default: False
        Whether only one sum is needed. If so, only the counts for its tail are computed, and nothing is stored. The
        result is the same to the last bit.
    """

    def __init__(self, ranks: IntArray, counts: IntArray, *, is_asked_once: bool = False) -> None:
        self._is_asked_once = is_asked_once
        self.n = int(counts.sum())
        self.unit = int(np.gcd.reduce(ranks))
        self._ranks, self._counts = ranks // self.unit, counts
        self._total = int((self._ranks * counts).sum())
        self._centre = self._total / 2
        self._r, self._c = self._ranks.astype(np.float64), counts.astype(np.float64)
        self._standard_deviation = math.sqrt(np.sum(self._c * self._r**2)) / 2
        self._n_sets = np.ones(1)
        self._tilts: list[_Tilt] = []
        self._inversions: dict[int, _Inversion | None] = {}

    def cdf(self, sums: ArrayLike) -> Any:
        """Compute P(X <= sum). By symmetry, P(X >= sum) is P(X <= total - sum)."""
        w = np.floor_divide(np.asarray(sums, dtype=np.int64), self.unit)
        is_upper = 2 * w > self._total
        tail = self._lower_tail(np.where(is_upper, self._total - w - 1, w))
        return np.where(is_upper, 1 - tail, tail)

    def quantile(self, probability: float) -> int:
        """Return the smallest sum w with P(X <= w) >= probability, for a probability of at most 1/2."""
        step = math.ceil(self._standard_deviation)
        high = self._total // 2
        while high >= step and self.cdf((high - step) * self.unit) >= probability:
            high -= step
        low = max(high - step + 1, 0)
        while low < high:
            middle = (low + high) // 2
            if self.cdf(middle * self.unit) >= probability:
                high = middle
            else:
                low = middle + 1
        return low * self.unit

    def _lower_tail(self, w: IntArray) -> FloatArray:
        """Compute P(X <= w) for sums up to half the total, in groups of sums that share a tilt."""
        tail = np.zeros(w.shape)
        pending = w >= 0
        while pending.any():
            largest = int(w[pending].max())
            here = pending
            inversion = None
            if self._counting_cost(largest) > NEGLIGIBLE_COST:
                index = self._tilt_for(largest)
                if index is None:
                    break
                tilt = self._tilts[index]
                here = pending & (w >= tilt.lowest)
                inversion = self._inversion(index)
            if inversion is None:
                is_one = self._is_asked_once and w.size == 1
                n_sets = self._number_of_sets(largest) if is_one else self._numbers_of_sets(largest)[w[here]]
                tail[here] = np.ldexp(n_sets, -self.n)
            else:
                tail[here] = np.exp(tilt.cumulant - tilt.tilt * (w[here] - self._centre)) * inversion(w[here])
            pending = pending & ~here
        return tail

    def _counting_cost(self, w: float) -> float:
        return float(counting_cost(self._counts[self._ranks <= w].sum(), w))

    def _numbers_of_sets(self, largest: int) -> FloatArray:
        """Count the sets of ranks with a sum of at most 0, 1, ... up to `largest` or beyond."""
        n_sets = self._n_sets
        if largest >= n_sets.size:
            n_sets = np.ones(1 + min(max(largest, 2 * n_sets.size), self._total // 2))
            for rank, count in zip(self._ranks.tolist(), self._counts.tolist(), strict=True):
                for _ in range(count if rank < n_sets.size else 0):
                    n_sets[rank:] += n_sets[:-rank]
            self._n_sets = n_sets  # only when it is complete, because another thread may read it
        return n_sets

    def _number_of_sets(self, w: int) -> float:
        """Count the sets of ranks with a sum of at most w."""
        ranks = np.repeat(self._ranks, self._counts)
        ranks = ranks[ranks <= w]
        sums = np.cumsum(ranks)
        lowest = np.maximum(w - (ranks.sum() - sums), 0)
        return number_of_sets(ranks.tolist(), sums.tolist(), lowest.tolist(), w)

    def _tilt_for(self, w: int) -> int | None:
        """Return the index of the first tilt with a mean of at most w; None if P(X <= w) is too small for a float.

        The grid of tilts is fixed, so the result for a sum does not depend on the other sums of the call.
        """
        index = 0
        while True:
            if index == len(self._tilts):
                self._tilts.append(self._next_tilt())
            tilt = self._tilts[index]
            if tilt.lowest <= w:
                return index
            if tilt.cumulant - tilt.tilt * (w - self._centre) < SMALLEST_LOG:  # Chernoff's bound
                return None
            index += 1

    def _next_tilt(self) -> _Tilt:
        if self._tilts:
            before = self._tilts[-1]
            highest, tilt = before.lowest, before.tilt - STEP_OF_TILTS / before.standard_deviation
        else:
            highest, tilt = self._centre, -FIRST_TILT / self._standard_deviation
        probability = self._probabilities(tilt)
        return _Tilt(
            tilt=tilt,
            cumulant=self._cumulant(tilt),
            lowest=float(np.sum(self._c * self._r * probability)),
            highest=highest,
            standard_deviation=math.sqrt(np.sum(self._c * self._r**2 * probability * (1 - probability))),
        )

    def _probabilities(self, tilt: float) -> FloatArray:
        odds = np.exp(tilt * self._r)
        probabilities: FloatArray = odds / (1 + odds)
        return probabilities

    def _cumulant(self, tilt: float) -> float:
        """Sum log cosh(tilt rank / 2), which is log E exp(tilt (X - center)), without cancellation near 0."""
        return float(np.sum(self._c * log_cosh(-tilt / 2 * self._r)))

    def _inversion(self, index: int) -> _Inversion | None:
        if index not in self._inversions:
            self._inversions[index] = self._invert(self._tilts[index])
        return self._inversions[index]

    def _invert(self, tilt: _Tilt) -> _Inversion | None:
        """Compute P(X <= w) by inversion with a proven error bound, or return None if counting is faster."""
        margin = 8.0  # of a logarithm: the error is a few hundredths, and it is known only afterwards
        while True:
            goal = margin - math.log(LARGEST_ERROR)
            period, aliases = self._period(tilt, goal)
            neglected = goal + math.log1p(tilt.standard_deviation)
            nodes = self._nodes(tilt, period, neglected)
            if nodes.size * self._r.size * FACTOR_COST > self._counting_cost(tilt.highest):
                return None
            t = 2 * math.pi / period * nodes
            terms = self._characteristic_function(tilt, nodes, period) / -np.expm1(tilt.tilt + 1j * t)
            terms[1:] *= 2  # the nodes -k, and no node is its own mirror image because the period is odd
            inversion = _Inversion(period, nodes, terms / period)
            error = aliases + math.exp(-neglected) / -math.expm1(tilt.tilt)
            if error <= LARGEST_ERROR * _smallest(inversion, tilt):
                return inversion
            margin += 5

    def _period(self, tilt: _Tilt, goal: float) -> tuple[int, float]:
        """Find the number of nodes of the trapezoid rule for an aliasing error near exp(-goal), and an error bound.

        With N nodes, the rule gives the sum over all m of G(w + m N). Here G(x) = exp(tilt x) P(X <= x) / M(tilt) is
        the result and M is the moment generating function. G(x) <= exp(-step x) M(tilt + step) / M(tilt) for every step
        that leaves the tilt negative (Chernoff).
        """
        step = 8 / tilt.standard_deviation
        up = min(step, -tilt.tilt)
        log_up = self._cumulant(tilt.tilt + up) - tilt.cumulant - up * (tilt.lowest - self._centre)
        log_down = self._cumulant(tilt.tilt - step) - tilt.cumulant + step * (tilt.highest - self._centre)
        period = int(max((goal + log_up) / up, min((goal + log_down) / step, tilt.highest + 1))) | 1
        error = math.exp(log_up - up * period) / -math.expm1(-up * period)
        if period <= tilt.highest:
            error += math.exp(log_down - step * period) / -math.expm1(-step * period)
        return period, error

    def _nodes(self, tilt: _Tilt, period: int, neglected: float) -> IntArray:
        """Find the nodes k >= 0 at which the characteristic function may exceed exp(-neglected).

        Its logarithm is at most -V(t), where V(t) is the sum of p (1 - p) (1 - cos(rank t)). One Fourier transform
        computes V on a grid. Between the points of the grid, the square root of V changes by at most standard deviation
        / sqrt(2) per unit of t, because V >= 0 and V'' <= variance.
        """
        probability = self._probabilities(tilt.tilt)
        weights = self._c * probability * (1 - probability)
        height = float(weights.sum())
        if height <= neglected:
            return np.arange(period // 2 + 1)
        slope = tilt.standard_deviation / math.sqrt(2)
        slack = max((math.sqrt(height) - math.sqrt(neglected)) / 3, 0.2)
        n_grid = 1 << math.ceil(math.log2(math.pi * slope / slack + 8))
        on_grid = np.bincount(self._ranks % n_grid, weights=weights, minlength=n_grid)
        root = np.sqrt(np.maximum(height - np.fft.rfft(on_grid).real, 0))
        alive = np.flatnonzero(root - slope * math.pi / n_grid < math.sqrt(neglected))
        first = np.maximum(np.ceil((alive - 0.5) * period / n_grid), 0).astype(np.int64)
        last = np.minimum(np.floor((alive + 0.5) * period / n_grid), period // 2).astype(np.int64)
        size = np.maximum(last - first + 1, 0)
        nodes = np.unique(np.repeat(first - np.cumsum(size) + size, size) + np.arange(size.sum()))
        # the grid is coarse near the peak at 0, where 1 - cos x >= x^2 / 2 - x^4 / 24 is a sharper bound
        t = 2 * math.pi / period * nodes
        fourth = float(np.sum(weights * self._r**4))
        return nodes[t**2 * (tilt.standard_deviation**2 / 2 - fourth * t**2 / 24) <= neglected]

    def _characteristic_function(self, tilt: _Tilt, nodes: IntArray, period: int) -> NDArray[np.complex128]:
        probability = self._probabilities(tilt.tilt)[:, None]
        rank, count = self._r[:, None], self._c[:, None]
        is_tied = self._counts > 1
        values = np.empty(nodes.size, dtype=np.complex128)
        step = max(1, CHUNK // self._r.size)
        for start in range(0, nodes.size, step):
            turns = rank * nodes[start : start + step]
            turns -= period * np.rint(turns / period)  # exact: whole numbers
            factors = np.exp(turns * (2j * math.pi / period))
            factors *= probability
            factors += 1 - probability
            factors[is_tied] **= count[is_tied]
            values[start : start + step] = np.multiply.reduce(factors, axis=0)
        return values


@lru_cache(maxsize=64)
def untied_law(n: int) -> SignedRankLaw:
    """Return the cached distribution of twice the sum of the ranks 1, ..., n without ties."""
    return SignedRankLaw(2 * np.arange(1, n + 1), np.ones(n, dtype=np.int64))


def counting_cost(n_ranks: Any, w: Any) -> FloatArray:
    """Estimate the nanoseconds to count the sets with a sum of at most w; return infinity if a float overflows."""
    return np.where(n_ranks > LARGEST_COUNT, np.inf, n_ranks * (RANK_COST + SUM_COST * w))


def log_cosh(x: FloatArray) -> FloatArray:
    """Compute the logarithm of cosh x, x >= 0, without cancellation near 0."""
    near = np.log1p(2 * np.sinh(np.minimum(x, 1) / 2) ** 2)
    far = x + np.log1p(np.exp(-2 * x)) - math.log(2)
    return np.where(x < 1, near, far)


def number_of_sets(ranks: list[int], sums: list[int], lowest: list[int], w: int) -> float:
    """Count the sets of ranks with a sum of at most w. The ranks ascend and are at most w.

    The counts are stored for sums up to the sum of the ranks so far (`sums`). For a larger sum, every set is counted,
    so the count is a power of two. Sums below w minus all remaining ranks (`lowest`) cannot change the result.
    """
    if not ranks or sums[-1] <= w:
        return math.ldexp(1.0, len(ranks))
    below = ranks[-1]  # no set has a sum below 0
    old, new = np.empty((2, below + w + 1))
    old[:below] = new[:below] = 0.0
    old[below], reached, add = 1.0, 0, np.add
    for start in range(0, len(ranks), STEPS_AT_ONCE):
        block = ranks[start : start + STEPS_AT_ONCE]
        reach = min(sums[start + len(block) - 1], w)
        old[below + reached + 1 : below + reach + 1] = math.ldexp(1.0, start)
        reached, end = reach, below + reach + 1
        for rank, low in zip(block, lowest[start:], strict=False):
            at = below + low
            add(old[at:end], old[at - rank : end - rank], new[at:end])
            old, new = new, old
    return float(old[below + w])


def _smallest(inversion: _Inversion, tilt: _Tilt) -> float:
    """Return a lower bound of the inverted values over all sums of a tilt."""
    points = np.linspace(tilt.lowest, tilt.highest, 9)
    width = points[1] - points[0] + 1
    return float(inversion(np.floor(points).astype(np.int64)).min()) * math.exp(tilt.tilt * width)


# Short tails of many sums, each with its own ties, are counted one by one. Long tails are inverted together, as
# `SignedRankLaw` does: rows whose standard deviations are close share a tilt, a period and a table of the logarithms
# of the factors of their characteristic functions. One product of matrices in single precision gives every term of
# every row. Only a few terms are so large that they are needed in double precision.
def cdf_of_rows(ranks: IntArray, sums: IntArray) -> FloatArray:
    """Compute P(X <= sum) for one distribution and one sum per row, as `SignedRankLaw` does.

    Each row has its ranks in ascending order, repeated for ties and preceded by zeros, which are ignored. Up to `MANY`
    rows have the same results as `SignedRankLaw` to the last bit. For more rows, long tails may differ by rounding
    errors.
    """
    unit = np.gcd.reduce(ranks, axis=-1)
    ranks = ranks // unit[:, np.newaxis]
    n_ranked, total, w = np.count_nonzero(ranks, axis=-1), ranks.sum(axis=-1), sums // unit
    is_upper = 2 * w > total
    w = np.where(is_upper, total - w - 1, w)
    first = ranks.shape[-1] - n_ranked
    n_counted = np.count_nonzero(ranks <= w[:, np.newaxis], axis=-1) - first
    cumulative = np.cumsum(ranks, axis=-1)
    largest = np.take_along_axis(cumulative, np.maximum(first + n_counted - 1, 0)[:, np.newaxis], axis=-1)
    lowest = np.maximum(w[:, np.newaxis] - (largest - cumulative), 0)
    cost = counting_cost(n_counted, w)  # only the ranks up to the sum are counted; for a sum below 0, none is counted
    tail = np.where(w < 0, 0.0, np.nan)
    n_distinct = 1 + np.count_nonzero(np.diff(ranks), axis=-1)
    if (is_long := (w >= 0) & (cost > LONG) & (FEW * n_distinct > n_ranked)).sum() >= MANY:
        tail[is_long] = _inverted(ranks[is_long], w[is_long])
    for i in np.flatnonzero(np.isnan(tail)).tolist():
        if cost[i] <= NEGLIGIBLE_COST:
            at = slice(int(first[i]), int(first[i] + n_counted[i]))
            n_sets = number_of_sets(
                ranks[i, at].tolist(), cumulative[i, at].tolist(), lowest[i, at].tolist(), int(w[i])
            )
            tail[i] = math.ldexp(n_sets, -int(n_ranked[i]))
        else:
            law = SignedRankLaw(*np.unique(ranks[i, first[i] :], return_counts=True), is_asked_once=True)
            tail[i] = law.cdf(w[i : i + 1])[0]
    return np.where(is_upper, 1 - tail, tail)


def _inverted(ranks: IntArray, w: IntArray) -> FloatArray:
    """Compute P(X <= w) of many rows by inversion. Return nan if counting is faster or the error bound is too large.

    The tilts are powers of the root of 2. A row uses the smallest tilt for which its mean is at most w.
    """
    tail = np.full(w.shape, np.nan)
    deviations = np.sqrt(np.einsum("ij,ij->i", ranks, ranks)) / 2
    exponent = np.ceil(2 * np.log2(SMALLEST_TILT / deviations)).astype(np.int64)
    is_open = np.ones(w.shape, dtype=bool)
    while is_open.any():
        lowest = int(exponent[is_open].min())
        at = np.flatnonzero(is_open & (exponent == lowest))
        tilt, largest = -(2.0 ** (lowest / 2)), int(ranks[at].max())
        is_above = _mean(tilt, largest, ranks[at]) > w[at]
        exponent[at[is_above]] += 1
        at = at[~is_above]
        is_open[at] = False
        if len(at) >= MANY:
            guessed = _normal_guess(tilt, largest, ranks[at], w[at])
            shared = _shared(tilt, largest, w[at], guessed)
            if shared.n_nodes * largest <= LARGEST_TABLE:
                tail[at] = shared.tail(ranks[at], w[at], guessed)
    return tail


@dataclass(frozen=True)
class _SharedTilt:
    """Distributions of ranks up to the largest, weighted by exp(tilt x). The tilt is negative."""

    tilt: float
    largest: int
    period: int

    @property
    def n_nodes(self) -> int:
        return self.period // 2 + 1

    @cached_property
    def tables(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logarithms and angles of the factors of each rank at each node, and of the weights without ranks.

        A factor 1 - p + p exp(i x) has the square (1 - 2 p)^2 + 4 p (1 - p) cos(x / 2)^2.
        """
        at = np.arange(self.largest + 1)[:, np.newaxis] * np.arange(self.n_nodes) % self.period
        t = 2 * math.pi / self.period * np.arange(self.period)
        p = _probabilities(self.tilt, self.largest)[:, np.newaxis]
        logs = np.log((1 - 2 * p) ** 2 + 4 * p * (1 - p) * (np.cos(t / 2) ** 2)[at]).astype(np.float32) / 2
        p = p.astype(np.float32)
        angles = np.arctan2(p * np.sin(t).astype(np.float32)[at], 1 - p + p * np.cos(t).astype(np.float32)[at])
        weights = self._weights(np.arange(self.n_nodes))
        logs[0], angles[0] = np.log(np.abs(weights)), np.angle(weights)
        return logs, angles

    def tail(self, ranks: IntArray, w: IntArray, guessed: _Guess) -> FloatArray:
        """Compute P(X <= w) with a proven bound on the relative error. Return nan if the bound is too large."""
        above, cumulant, guess = guessed
        values, errors = np.empty((2, len(w)))
        for start in range(0, len(w), ROWS_AT_ONCE):
            at = slice(start, start + ROWS_AT_ONCE)
            values[at], errors[at] = self._values(ranks[at], w[at], guess[at])
        # P(X <= w + m period) is at most 1 for m = 1, 2, ..., and 0 for m < 0
        errors += np.exp(self.tilt * (above + self.period) - cumulant) / -math.expm1(self.tilt * self.period)
        is_proven = (errors <= LARGEST_ERROR * values) & (w < self.period)
        return np.where(is_proven, np.exp(cumulant - self.tilt * above) * values, np.nan)

    def _values(self, ranks: IntArray, w: IntArray, guess: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Sum the terms of the trapezoid rule and bound the error; only large terms use double precision."""
        n_columns = self.largest + 1
        flat = (ranks + n_columns * np.arange(len(ranks))[:, np.newaxis]).ravel()
        counts = np.bincount(flat, minlength=len(ranks) * n_columns).reshape(-1, n_columns).astype(np.float32)
        counts[:, 0] = 1
        logs, angles = self.tables
        terms = counts @ logs
        is_large = terms > np.log(LARGE * guess)[:, np.newaxis].astype(np.float32)
        np.exp(terms, out=terms)
        terms[is_large] = 0
        errors = terms.sum(axis=-1, dtype=np.float64)
        values = self._sums_of_large(ranks, w, is_large)
        if len(some := np.flatnonzero(errors > LARGEST_ERROR / 3 * guess)):
            turns = np.outer(w[some], np.arange(self.n_nodes) / self.period)
            turns -= np.rint(turns)
            angle = counts[some] @ angles
            angle -= (2 * math.pi * turns).astype(np.float32)
            values[some] += np.einsum("ij,ij->i", terms[some], np.cos(angle), dtype=np.float64)
            errors[some] *= SINGLE_PRECISION
        return values, errors

    def _sums_of_large(self, ranks: IntArray, w: IntArray, is_large: BoolArray) -> FloatArray:
        """Return the sum of the large terms of each row, or nan if there are too many terms."""
        used = np.flatnonzero(is_large.any(axis=0))
        is_large = is_large[:, used]
        p = _probabilities(self.tilt, self.largest)[:, np.newaxis]
        roots = np.exp(2j * math.pi / self.period * np.arange(self.period))
        factors = p * roots[np.arange(self.largest + 1)[:, np.newaxis] * used % self.period] + (1 - p)
        weights = self._weights(used)
        values = np.full(w.shape, np.nan)
        for i, of_row in enumerate(is_large):
            at = np.flatnonzero(of_row)
            if len(at) <= MOST_TERMS:
                terms = np.multiply.reduce(factors[ranks[i][:, np.newaxis], at], axis=0)
                terms *= roots[-w[i] * used[at] % self.period]
                values[i] = np.sum(terms * weights[at]).real
        return values

    def _weights(self, nodes: IntArray) -> NDArray[np.complex128]:
        """Return the weights of the nodes of the characteristic function, including their mirror images."""
        sides = np.where(nodes == 0, 1, 2)
        weights: NDArray[np.complex128] = (
            sides / self.period / -np.expm1(self.tilt + 2j * math.pi / self.period * nodes)
        )
        return weights


def _shared(tilt: float, largest: int, w: IntArray, guessed: _Guess) -> _SharedTilt:
    """Choose a period for which the error exp(tilt period) / P(X <= w) is small for nearly all rows."""
    above, cumulant, guess = guessed
    log_tail = np.log(guess) + cumulant - tilt * above
    decay = MARGIN - math.log(LARGEST_ERROR) - log_tail.min()
    return _SharedTilt(tilt, largest, max(int(decay / -tilt), int(w.max())) | 1)


def _probabilities(tilt: float, largest: int) -> FloatArray:
    """Return the probability of a positive sign at each rank under the tilted distribution; 0 for rank 0."""
    odds = np.exp(tilt * np.arange(largest + 1.0))
    odds[0] = 0
    probabilities: FloatArray = odds / (1 + odds)
    return probabilities


def _mean(tilt: float, largest: int, ranks: IntArray) -> FloatArray:
    mean: FloatArray = (_probabilities(tilt, largest) * np.arange(largest + 1))[ranks].sum(axis=-1)
    return mean


def _normal_guess(tilt: float, largest: int, ranks: IntArray, w: IntArray) -> _Guess:
    """Return w - center, the cumulant, and P(X <= w) / exp(cumulant - tilt (w - center)) of a normal model."""
    rank, p = np.arange(largest + 1.0), _probabilities(tilt, largest)
    centered = w - ranks.sum(axis=-1) / 2
    cumulant = log_cosh(-tilt / 2 * rank)[ranks].sum(axis=-1)
    deviation = np.sqrt((rank**2 * p * (1 - p))[ranks].sum(axis=-1))
    above, step = (w - _mean(tilt, largest, ranks)) / deviation, -tilt * deviation
    return centered, cumulant, np.exp(step * (step / 2 - above)) * tails.normal_right_tail(step - above)


def walsh_median(d: FloatArray) -> float:
    """Return the median of the Walsh averages of sorted differences (Hodges & Lehmann 1963); 0 if empty."""
    n = d.size * (d.size + 1) // 2
    if n == 0:
        return 0.0
    lower, upper = walsh_averages(d, [(n + 1) // 2, n // 2 + 1])
    return lower / 2 + upper / 2


def walsh_averages(d: FloatArray, positions: list[int]) -> list[float]:
    """Return the Walsh averages (d[i] + d[j]) / 2, i <= j, at these positions, counted from 1."""
    half = d / 2
    if d.size <= SORTED_UP_TO:
        averages = np.add.outer(half, half)[_upper_triangle(d.size)]
        at = np.array(positions) - 1
        return list(np.partition(averages, at)[at].tolist())
    return [_search_sums(half, position) for position in positions]


@lru_cache(maxsize=8)
def _upper_triangle(n: int) -> BoolArray:
    return ~np.tri(n, k=-1, dtype=bool)


def _search_sums(values: FloatArray, position: int) -> float:
    """Find the sum values[i] + values[j], i <= j, at a position by bisection over all floats."""
    first_equal, next_value = (np.searchsorted(values, values, side=side) for side in ("left", "right"))
    low, high = _float_index(2 * values[0]) - 1, _float_index(2 * values[-1])
    with np.errstate(over="ignore"):  # infinity is above every value, which is sufficient here
        while high - low > 1:
            middle = (low + high) // 2
            if _count_sums(values, first_equal, next_value, _float_at(middle)) >= position:
                high = middle
            else:
                low = middle
    return _float_at(high)


def _count_sums(values: FloatArray, first_equal: IntArray, next_value: IntArray, limit: float) -> int:
    """Count the rounded sums values[i] + values[j], i <= j, that are at most `limit`."""
    last = values.size - 1
    n_below = np.searchsorted(values, limit - values, side="right")
    # limit - values is rounded too, so move over neighbors as long as their sums require it
    while (more := (n_below <= last) & (values + values[np.minimum(n_below, last)] <= limit)).any():
        n_below[more] = next_value[n_below[more]]
    while (less := (n_below > 0) & (values + values[n_below - 1] > limit)).any():
        n_below[less] = first_equal[n_below[less] - 1]
    return (int(n_below.sum()) + int(np.count_nonzero(2 * values <= limit))) // 2


def _float_index(value: float) -> int:
    """Return the position of a float in the order of all floats, 0 for zero."""
    index = int(np.abs(np.float64(value)).view(np.int64))
    return index if value >= 0 else -index


def _float_at(index: int) -> float:
    value = float(np.int64(abs(index)).view(np.float64))
    return value if index >= 0 else -value
