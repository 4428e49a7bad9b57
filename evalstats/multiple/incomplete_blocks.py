"""Ranks, covariance and permutation distribution for tables with missing scores.

Each dataset has scores of some classifiers. `values` contains centered ranks, which are 0 for missing scores. The
covariance of their column sums is the covariance for a random order within every dataset. This matrix is the Laplacian
of a graph. Two classifiers are linked in the graph if they share a dataset on which not all scores are tied.

Datasets with equal numbers of scores share a weight, and their values are integers times this weight. Therefore, the
sums of the values are exact.
"""

from __future__ import annotations

__all__ = [
    "METHODS_BESIDE",
    "CentredRanks",
    "affordable_tail",
    "incomplete_scores",
    "inverse_covariance",
    "linked_groups",
    "null_tail",
    "observed_ranks",
    "quadratic_form",
]

import itertools
import math
import operator
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import RandomSource
from evalstats._errors import InvalidValueError
from evalstats._ranks import midranks, rounded
from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.distributions.row_permutations import n_orders

METHODS_BESIDE = ("auto", "exact", "monte-carlo", "chi2")
AUTO_ADDITIONS, AUTO_DATASETS = 3e6, 20  # 'auto' is exact up to about 0.3 s
MOST_ADDITIONS, MOST_AT_ONCE = 3e8, 1e7  # method='exact' raises an error above these limits: a minute, 1 GiB
MOST_SCORES = 8  # scores of a dataset: 40,320 orders
LOG_LARGEST_KEY = 62 * math.log(2)
ROUNDING = 1e-9  # a smaller difference of two statistics is rounding error
BLOCK = 2**20  # values that are drawn together


class CentredRanks(NamedTuple):
    """The values of one table: integers times the weight of their dataset, and 0 for a missing score."""

    whole: FloatArray  # (n, k), the sum of each row is 0
    weight: FloatArray  # (n,)
    there: BoolArray  # (n, k)

    @property
    def values(self) -> FloatArray:
        """Return the values, of shape (n, k)."""
        return self.whole * self.weight[:, None]


def incomplete_scores(scores: Any) -> FloatArray:
    """Check scores of shape (..., n_datasets, n_classifiers); nan marks a missing score; infinity is an error."""
    array = _checks.numbers(scores, "scores")
    missing = np.isnan(array)
    filled: Any = np.where(missing, 0.0, array)
    if hasattr(scores, "index") and hasattr(scores, "columns"):
        filled = type(scores)(filled, index=scores.index, columns=scores.columns)
    return np.where(missing, np.nan, _checks.score_matrix(filled))


def observed_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Return the rank of each score in its dataset: rank 1 for the best, and nan for a missing score."""
    missing = np.isnan(scores)
    values = rounded(np.where(missing, 0.0, -scores if greater_is_better else scores), tie_tolerance)
    return np.where(missing, np.nan, midranks(np.where(missing, np.inf, values)))


def inverse_covariance(there: BoolArray, variance: FloatArray) -> FloatArray:
    """Return a generalized inverse of the covariance of the column sums, exact in rank.

    The covariance is the sum over the datasets of s^2 (diag(t) - t t' / m). Here, t indicates which m scores are
    present, and s^2 is the `variance` of the values of the dataset (divisor: m - 1).
    """
    t = there.astype(np.float64)
    per_score = np.divide(variance, t.sum(axis=1), out=np.zeros(len(t)), where=t.any(axis=1))
    covariance = np.diag(variance @ t) - (t * per_score[:, None]).T @ t
    group = linked_groups(there[variance > 0])
    scale = max(float(np.trace(covariance)) / len(covariance), 1.0)
    return np.asarray(np.linalg.inv(covariance + scale * (group[:, None] == group)))


def linked_groups(there: BoolArray) -> IndexArray:
    """Return, for each classifier, the first classifier that is linked to it by a chain of datasets."""
    t = there.astype(np.float64)
    linked = (t.T @ t > 0) | np.eye(t.shape[1], dtype=bool)
    while True:
        further = linked.astype(np.float64) @ linked > 0
        if (further == linked).all():
            return np.asarray(np.argmax(linked, axis=1))
        linked = further


def quadratic_form(sums: FloatArray, inverse: FloatArray) -> FloatArray:
    """Return s' V s along the last axis."""
    return np.asarray(((sums @ inverse) * sums).sum(axis=-1))


def null_tail(
    ranks: CentredRanks,
    inverse: FloatArray,
    observed: FloatArray,
    method: str,
    approximate: str,
    n_resamples: int,
    source: RandomSource,
) -> tuple[str, FloatArray | None]:
    """Choose the null distribution of one table; return P(quadratic form >= s) for each observed s.

    Return None instead of the probabilities if the approximation must be used.
    """
    informative = ranks.whole.any(axis=1)
    ranks = CentredRanks(ranks.whole[informative], ranks.weight[informative], ranks.there[informative])
    if method in ("auto", "exact"):
        tail = affordable_tail(ranks, inverse, observed, AUTO_ADDITIONS if method == "auto" else MOST_ADDITIONS)
        if tail is not None:
            return "exact", tail
    if method == "exact":
        raise InvalidValueError(
            f"method='exact' would take more than {MOST_ADDITIONS:.0e} additions for {len(ranks.whole)} datasets and "
            f"{ranks.whole.shape[1]} classifiers; use a different method"
        )
    if method == approximate or (method == "auto" and len(ranks.whole) >= AUTO_DATASETS):
        return approximate, None
    return "monte-carlo", _monte_carlo_tail(ranks, inverse, observed, n_resamples, source.generator())


def affordable_tail(
    ranks: CentredRanks, inverse: FloatArray, observed: FloatArray, most_additions: float
) -> FloatArray | None:
    """Compute P(quadratic form >= s) for each s over all permutations within the datasets; None if it takes too long.

    Every dataset must have at least two different scores.
    """
    if len(ranks.whole) <= 1:
        return np.ones(len(observed))
    sums = _Sums(ranks)
    if sums.additions(ranks) > most_additions:
        return None
    keys: IntArray = np.zeros(1, dtype=np.int64)
    probability: FloatArray = np.ones(1)
    for orders in map(sums.moves, ranks.whole, ranks.weight, ranks.there):
        keys, same = np.unique((keys[:, None] + orders).ravel(), return_inverse=True)
        weights = np.repeat(probability / len(orders), len(orders))
        probability = np.bincount(same.ravel(), weights=weights).astype(np.float64)
    reached = quadratic_form(sums.of(keys), inverse)
    return np.array([probability[reached >= s * (1 - ROUNDING)].sum() for s in observed])


class _Sums:
    """The rank sums of the classifiers as digits of one integer, with separate digits for each weight of datasets.

    Digits are in -largest to largest. The last classifier of each weight has no digit, because all sums of a weight add
    up to 0.
    """

    def __init__(self, ranks: CentredRanks) -> None:
        self._n_columns = ranks.whole.shape[1]
        self._weights, self._group = np.unique(ranks.weight, return_inverse=True)
        in_play = [np.flatnonzero(ranks.there[self._group == g].any(axis=0)) for g in range(len(self._weights))]
        self._columns, self._last = [columns[:-1] for columns in in_play], [columns[-1] for columns in in_play]
        reach = np.abs(ranks.whole).max(axis=1)
        # largest possible sum of each weight after each dataset
        self._reach = np.cumsum(reach[:, None] * (self._group[:, None] == np.arange(len(self._weights))), axis=0)
        self._largest = self._reach[-1].astype(int).tolist()

    def additions(self, ranks: CentredRanks) -> float:
        """Return a bound of the additions of the convolution, or infinity if the memory is insufficient."""
        n_digits = np.array([len(columns) for columns in self._columns])
        if ranks.there.sum(axis=1).max() > MOST_SCORES or n_digits @ np.log(2 * self._reach[-1] + 1) >= LOG_LARGEST_KEY:
            return math.inf
        orders = np.array([n_orders(row[t].tolist()) for row, t in zip(ranks.whole, ranks.there, strict=True)])
        steps = np.array([self._step(ranks, g) for g in range(len(self._weights))])
        log_paths = np.concatenate([[0.0], np.log(orders).cumsum()[:-1]])
        log_points = np.concatenate([[0.0], (np.log(2 * self._reach / steps + 1) @ n_digits)[:-1]])
        at_once = np.exp(np.minimum(np.minimum(log_paths, log_points), LOG_LARGEST_KEY)) * orders
        return float(at_once.sum()) if at_once.max() <= MOST_AT_ONCE else math.inf

    def _step(self, ranks: CentredRanks, group: int) -> int:
        """Return the greatest common divisor of the differences between the values of a dataset."""
        rows = self._group == group
        lowest = ranks.whole[rows].min(axis=1, keepdims=True)
        apart = np.where(ranks.there[rows], ranks.whole[rows] - lowest, 0.0)
        return int(np.gcd.reduce(apart.astype(np.int64), axis=None))

    def _places(self) -> list[IntArray]:
        """Return the positions of the digits of each weight."""
        bases = [2 * largest + 1 for largest in self._largest]
        starts = itertools.accumulate(
            (base ** len(columns) for base, columns in zip(bases, self._columns, strict=True)), operator.mul, initial=1
        )
        return [
            start * base ** np.arange(len(columns), dtype=np.int64)
            for start, base, columns in zip(starts, bases, self._columns, strict=False)
        ]

    def moves(self, whole: FloatArray, weight: float, there: BoolArray) -> IntArray:
        """Return the number that each distinct order of a dataset adds."""
        group = int(np.searchsorted(self._weights, weight))
        place = np.zeros(self._n_columns, dtype=np.int64)
        place[self._columns[group]] = self._places()[group]
        orders = np.array(sorted(set(itertools.permutations(whole[there].astype(int).tolist()))), dtype=np.int64)
        return np.asarray(orders @ place[there])

    def of(self, keys: IntArray) -> FloatArray:
        """Return the sums of the classifiers, of shape (..., k)."""
        sums = np.zeros((len(keys), self._n_columns))
        places = self._places()
        keys = keys + sum(
            int(largest * place.sum()) for largest, place in zip(self._largest, places, strict=True)
        )  # no digit is negative
        for weight, largest, place, columns, last in zip(
            self._weights, self._largest, places, self._columns, self._last, strict=True
        ):
            digits = keys[:, None] // place % (2 * largest + 1) - largest
            sums[:, columns] += weight * digits
            sums[:, last] -= weight * digits.sum(axis=1)
        return sums


def _monte_carlo_tail(
    ranks: CentredRanks, inverse: FloatArray, observed: FloatArray, n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Compute the Monte Carlo p-value (b + 1) / (m + 1): b of m random permutations reach the observed value."""
    count = np.zeros(len(observed))
    rows = [(np.flatnonzero(t), v[t]) for v, t in zip(ranks.values, ranks.there, strict=True)]
    k = ranks.whole.shape[1]
    step = max(1, BLOCK // k)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        sums = np.zeros((size, k))
        for columns, row in rows:
            sums[:, columns] += generator.permuted(np.broadcast_to(row, (size, len(row))), axis=1)
        drawn = quadratic_form(sums, inverse)
        count += (drawn >= observed[:, None] * (1 - ROUNDING)).sum(axis=1)
    return (count + 1) / (n_resamples + 1)
