"""How large can a signed-rank sum be by chance? Its exact null distribution, with any ties and any number of ranks.

Given the absolute differences, each rank counts towards the sum with probability 1/2, independently. Short tails are
counted by dynamic programming. Long ones are read from the characteristic function of the law tilted towards the tail:
all that the trapezoid rule then adds up is of the size of the answer, however small the answer is.
"""

from __future__ import annotations

__all__ = [
    "LARGEST_ERROR",
    "NEGLIGIBLE_COST",
    "SignedRankLaw",
    "counting_cost",
    "log_cosh",
    "number_of_sets",
    "untied_law",
]

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats._types import FloatArray, IntArray

LARGEST_ERROR = 1e-12  # relative, proven for every tail that is inverted
FIRST_TILT, STEP_OF_TILTS = 3.0, 2.0  # times one over the standard deviation
LARGEST_COUNT = 1000  # 2^1000 sets of ranks are as many as a float counts safely
SMALLEST_LOG = -745.2  # a probability below exp of this is 0 in floating point
CHUNK = 1 << 14
STEPS_AT_ONCE = 8  # ranks counted between two looks at how far their sums reach

# nanoseconds, measured: one rank in the dynamic programme, one sum of it, one factor of the characteristic function
RANK_COST, SUM_COST, FACTOR_COST = 1200, 0.5, 24
NEGLIGIBLE_COST = 500_000


@dataclass(frozen=True)
class _Tilt:
    """The law with P(X = x) weighted by exp(tilt x), for the sums between its mean and the mean of the tilt before."""

    tilt: float
    cumulant: float  # log of E exp(tilt (X - centre))
    lowest: float
    highest: float
    standard_deviation: float


@dataclass(frozen=True)
class _Inversion:
    """The trapezoid rule for sum_j exp(tilt j) P_tilt(X = w - j), as a function of w."""

    period: int
    nodes: IntArray
    terms: NDArray[np.complex128]

    def __call__(self, w: IntArray) -> FloatArray:
        angle = (w[..., None] * self.nodes % self.period) * (2 * math.pi / self.period)
        total: FloatArray = np.sum(self.terms.real * np.cos(angle) + self.terms.imag * np.sin(angle), axis=-1)
        return total


class SignedRankLaw:
    """Law of a sum of whole-numbered ranks, each counted with probability 1/2.

    Parameters
    ----------
    ranks, counts : ndarray of int
        The distinct ranks (midranks doubled, so that they are whole) and how often each occurs.
    is_asked_once : bool, default: False
        Whether one sum will be asked for: then only what its own tail needs is counted, and nothing is kept. Its
        answer is the same to the last bit.
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
        """P(X <= sum). By symmetry P(X >= sum) is P(X <= total - sum)."""
        w = np.floor_divide(np.asarray(sums, dtype=np.int64), self.unit)
        is_upper = 2 * w > self._total
        tail = self._lower_tail(np.where(is_upper, self._total - w - 1, w))
        return np.where(is_upper, 1 - tail, tail)

    def quantile(self, probability: float) -> int:
        """Return the smallest sum w with P(X <= w) >= probability, a probability of at most 1/2."""
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
        """P(X <= w) for sums up to half the total: for the largest, with all that share its tilt, then for the next."""
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
        """Count the sets of ranks that have a sum of at most 0, 1, ... up to `largest` or further."""
        n_sets = self._n_sets
        if largest >= n_sets.size:
            n_sets = np.ones(1 + min(max(largest, 2 * n_sets.size), self._total // 2))
            for rank, count in zip(self._ranks.tolist(), self._counts.tolist(), strict=True):
                for _ in range(count if rank < n_sets.size else 0):
                    n_sets[rank:] += n_sets[:-rank]
            self._n_sets = n_sets  # when it is complete: another thread may read it
        return n_sets

    def _number_of_sets(self, w: int) -> float:
        """Count the sets of ranks that have a sum of at most w, by the sums that this number needs and no others."""
        ranks = np.repeat(self._ranks, self._counts)
        ranks = ranks[ranks <= w]
        sums = np.cumsum(ranks)
        lowest = np.maximum(w - (ranks.sum() - sums), 0)
        return number_of_sets(ranks.tolist(), sums.tolist(), lowest.tolist(), w)

    def _tilt_for(self, w: int) -> int | None:
        """Return the index of the first tilt with a mean of at most w; None if P(X <= w) is too small for a float.

        The tilts form a fixed grid, so that a sum has the same answer in whatever company it is asked for.
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
        """Sum log cosh(tilt rank / 2), which is log E exp(tilt (X - centre)), without cancellation near 0."""
        return float(np.sum(self._c * log_cosh(-tilt / 2 * self._r)))

    def _inversion(self, index: int) -> _Inversion | None:
        if index not in self._inversions:
            self._inversions[index] = self._invert(self._tilts[index])
        return self._inversions[index]

    def _invert(self, tilt: _Tilt) -> _Inversion | None:
        """Invert with an error proven to be small, or return None where it is cheaper to count."""
        margin = 8.0  # of a logarithm: the answer is a few hundredths, and is known only afterwards
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
        """Find how many nodes the trapezoid rule needs for an aliasing error near exp(-goal), and bound that error.

        With N nodes the rule gives the sum over all m of G(w + m N), where G(x) = exp(tilt x) P(X <= x) / M(tilt) is
        the answer and M the moment generating function, and G(x) <= exp(-step x) M(tilt + step) / M(tilt) for every
        step that leaves the tilt negative (Chernoff).
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
        gives V on a grid. Between the points of the grid the square root of V moves by at most standard deviation /
        sqrt(2) per unit of t, because V >= 0 and V'' <= variance.
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
        # the grid is coarse beside the peak at 0, where 1 - cos x >= x^2 / 2 - x^4 / 24 says more
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
    """Law of twice the sum of the ranks 1, ..., n without ties, kept for the next caller."""
    return SignedRankLaw(2 * np.arange(1, n + 1), np.ones(n, dtype=np.int64))


def counting_cost(n_ranks: Any, w: Any) -> FloatArray:
    """Nanoseconds to count the sets of so many ranks that have a sum of at most w; infinite where a float cannot."""
    return np.where(n_ranks > LARGEST_COUNT, np.inf, n_ranks * (RANK_COST + SUM_COST * w))


def log_cosh(x: FloatArray) -> FloatArray:
    """Logarithm of cosh x, x >= 0, without cancellation near 0."""
    near = np.log1p(2 * np.sinh(np.minimum(x, 1) / 2) ** 2)
    far = x + np.log1p(np.exp(-2 * x)) - math.log(2)
    return np.where(x < 1, near, far)


def number_of_sets(ranks: list[int], sums: list[int], lowest: list[int], w: int) -> float:
    """Count the sets of ranks that have a sum of at most w; the ranks ascend, and none is larger than w.

    Up to the sum of all ranks so far the counts differ; beyond it they are the power of two of all sets. Down from
    w by all ranks to come, to `lowest`, they are needed; below they are not.
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
    """Lower bound of the inverted values over all sums of a tilt: P(X <= w) does not fall between two points."""
    points = np.linspace(tilt.lowest, tilt.highest, 9)
    width = points[1] - points[0] + 1
    return float(inversion(np.floor(points).astype(np.int64)).min()) * math.exp(tilt.tilt * width)
