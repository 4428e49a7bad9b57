"""How large can many signed-rank sums be by chance, each with ties of its own?

Short tails are counted one by one. Long ones of many rows are inverted together, as `SignedRankLaw` does: rows whose
standard deviations are close share a tilt, a period and a table of the logarithms of the factors of their
characteristic functions. One product of matrices in single precision has every term of every row. Few of them are so
large that they are needed in double precision.
"""

from __future__ import annotations

__all__ = ["cdf_of_rows"]

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.signed_rank import (
    LARGEST_ERROR,
    NEGLIGIBLE_COST,
    SignedRankLaw,
    counting_cost,
    log_cosh,
    number_of_sets,
)

MANY = 256  # rows with one tilt
FEW = 4  # times fewer distinct ranks than ranks: their characteristic function is large at too many nodes
LONG = 300_000  # nanoseconds to count a tail
SMALLEST_TILT = 2.5  # times one over the standard deviation
MARGIN = 2.0  # of a logarithm
LARGE, MOST_TERMS = 3e-14, 200  # in comparison with their sum; of one row: with more, it is as fast to count
SINGLE_PRECISION = 3e-3  # relative, above what rounding does to a term of the hundreds of factors of such a table
LARGEST_TABLE = 1 << 22
ROWS_AT_ONCE = 1 << 10

_Guess = tuple[FloatArray, FloatArray, FloatArray]  # what `_normal_guess` returns


def cdf_of_rows(ranks: IntArray, sums: IntArray) -> FloatArray:
    """P(X <= sum) of as many laws as there are rows, one sum of each, as `SignedRankLaw` has it.

    Each row holds its ranks, equal ones as often as they occur, in ascending order; zeros before them are none. Up to
    `MANY` rows have the same answers to the last bit; among more rows long tails may differ by rounding.
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
    cost = counting_cost(n_counted, w)  # of the ranks up to the sum; of a sum below 0 none is counted
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
    """P(X <= w) of many rows; nan where too few share a tilt, where counting is faster, or an error not proven small.

    The tilts are powers of the root of 2. A row takes the smallest that moves its mean to w or below.
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
    """Laws of ranks up to the largest, weighted by exp(tilt x); the tilt is negative."""

    tilt: float
    largest: int
    period: int

    @property
    def n_nodes(self) -> int:
        return self.period // 2 + 1

    @cached_property
    def tables(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logarithms and angles of the factors of each rank at each node, and of the weights where no rank stands.

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
        """P(X <= w) with a relative error that is proven to be small; nan where it is not."""
        above, cumulant, guess = guessed
        values, errors = np.empty((2, len(w)))
        for start in range(0, len(w), ROWS_AT_ONCE):
            at = slice(start, start + ROWS_AT_ONCE)
            values[at], errors[at] = self._values(ranks[at], w[at], guess[at])
        # what is P(X <= w + m period) for m = 1, 2, ... is at most 1, and 0 for m < 0
        errors += np.exp(self.tilt * (above + self.period) - cumulant) / -math.expm1(self.tilt * self.period)
        is_proven = (errors <= LARGEST_ERROR * values) & (w < self.period)
        return np.where(is_proven, np.exp(cumulant - self.tilt * above) * values, np.nan)

    def _values(self, ranks: IntArray, w: IntArray, guess: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Add up the terms of the trapezoid rule, and bound the error: large terms in double precision, others not."""
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
        """Add up these terms of each row; nan where they are too many."""
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
        """Return what the characteristic function is multiplied by; a node stands for its mirror image too."""
        sides = np.where(nodes == 0, 1, 2)
        weights: NDArray[np.complex128] = (
            sides / self.period / -np.expm1(self.tilt + 2j * math.pi / self.period * nodes)
        )
        return weights


def _shared(tilt: float, largest: int, w: IntArray, guessed: _Guess) -> _SharedTilt:
    """Choose a period for which nearly all rows have a small error: it is exp(tilt period) / P(X <= w)."""
    above, cumulant, guess = guessed
    log_tail = np.log(guess) + cumulant - tilt * above
    decay = MARGIN - math.log(LARGEST_ERROR) - log_tail.min()
    return _SharedTilt(tilt, largest, max(int(decay / -tilt), int(w.max())) | 1)


def _probabilities(tilt: float, largest: int) -> FloatArray:
    """How likely each rank 0, 1, ... counts under the tilted law; 0 stands for no rank."""
    odds = np.exp(tilt * np.arange(largest + 1.0))
    odds[0] = 0
    probabilities: FloatArray = odds / (1 + odds)
    return probabilities


def _mean(tilt: float, largest: int, ranks: IntArray) -> FloatArray:
    mean: FloatArray = (_probabilities(tilt, largest) * np.arange(largest + 1))[ranks].sum(axis=-1)
    return mean


def _normal_guess(tilt: float, largest: int, ranks: IntArray, w: IntArray) -> _Guess:
    """Return w - centre, the cumulant, and P(X <= w) / exp(cumulant - tilt (w - centre)) of a normal tilted law."""
    rank, p = np.arange(largest + 1.0), _probabilities(tilt, largest)
    centred = w - ranks.sum(axis=-1) / 2
    cumulant = log_cosh(-tilt / 2 * rank)[ranks].sum(axis=-1)
    deviation = np.sqrt((rank**2 * p * (1 - p))[ranks].sum(axis=-1))
    above, step = (w - _mean(tilt, largest, ranks)) / deviation, -tilt * deviation
    return centred, cumulant, np.exp(step * (step / 2 - above)) * tails.normal_right_tail(step - above)
