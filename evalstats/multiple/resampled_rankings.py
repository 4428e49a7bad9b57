"""Rankings of classifiers on resampled instances: resamples, ranking rules, and agreement between rankings."""

from __future__ import annotations

__all__ = [
    "METHODS",
    "ORDERED",
    "RULES",
    "SIGNIFICANCE",
    "RankingRule",
    "Units",
    "is_enumerated",
    "kendall_tau_b",
    "min_ranks",
    "resample_counts",
    "significance_map",
    "units_of",
]

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from evalstats._canonical_order import unsigned_order
from evalstats._errors import InvalidValueError
from evalstats._ranks import differences, rounded
from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.distributions.signed_rank import SignedRankLaw
from evalstats.metrics.cluster_variance import numbered
from evalstats.multiple.mean_ranks import dataset_ranks

RULES = ("mean", "median", "quantile", "mean-rank", "significance")  # the first three aggregate scores
ORDERED = "ordered-pairs"
SIGNIFICANCE = ("pairs", ORDERED)
# with more differences, exact distributions take minutes
MOST_EXACT_DIFFERENCES, LARGEST_EXACT = 10_000_000, 10_000
NUMBERS_AT_ONCE = 1 << 22
METHODS = ("auto", "exact", "monte-carlo")
MOST_EXACT = 7  # 7 units have 823,543 resamples


class RankingRule(NamedTuple):
    """A rule that ranks classifiers, and the scores to which it is applied.

    Rows of `scores` are instances, columns are classifiers, and a larger score is better.
    """

    name: str
    scores: FloatArray
    quantile: float
    alpha: float
    ordered: bool
    tie_tolerance: float

    def criterion(self, counts: FloatArray) -> FloatArray:
        """Return the values by which classifiers are ranked, (m, k), for m sets of counts of the instances, (m, n).

        A larger value is better, except for mean ranks.
        """
        if self.name == "mean":
            return np.asarray(counts @ self.scores / counts.sum(axis=1, keepdims=True))
        if self.name == "mean-rank":
            return np.asarray(counts @ self.ranks_of_instances() / counts.sum(axis=1, keepdims=True))
        if self.name == "significance":
            return self._numbers_beaten(counts)
        return _weighted_quantiles(self.scores, counts, 0.5 if self.name == "median" else self.quantile)

    def ranks(self, counts: FloatArray) -> IntArray:
        """Return the ranks, (m, k). Rank 1 is the best, and ties get the smallest of their ranks."""
        return self.ranks_by(self.criterion(counts))

    def ranks_by(self, criterion: FloatArray) -> IntArray:
        """Return the ranks by the values of `criterion`."""
        values = rounded(criterion, self.tie_tolerance)
        return min_ranks(values if self.name == "mean-rank" else -values)

    def ranks_of_instances(self) -> FloatArray:
        """Return the rank of each classifier on each instance. Ties get their mean rank."""
        return dataset_ranks(self.scores, True, self.tie_tolerance)

    def ranks_without(self, number: IndexArray, n_units: int) -> IntArray:
        """Return the ranks without each unit, (n_units, k). `number` is the unit of each instance."""
        n = len(number)
        if self.name in ("mean", "mean-rank") and n * n_units > NUMBERS_AT_ONCE:
            # less accurate with an outlier than separate sums of the remaining scores, which take n times as long
            values = self.scores if self.name == "mean" else self.ranks_of_instances()
            of_units = np.zeros((n_units, values.shape[1]))
            np.add.at(of_units, number, values)
            left = n - np.bincount(number, minlength=n_units)
            return self.ranks_by((values.sum(axis=0) - of_units) / left[:, None])
        step = max(NUMBERS_AT_ONCE // n, 1)
        units = np.arange(n_units)[:, None]
        blocks = [self.ranks((units[at : at + step] != number).astype(float)) for at in range(0, n_units, step)]
        return np.concatenate(blocks)

    def adjusted(self, greater: FloatArray, less: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return adjusted p-values of i against j, and of j against i, from one-sided p-values, (m, n_pairs)."""
        if self.ordered:
            both = adjust_pvalues(np.concatenate([greater, less], axis=1), "holm")
            return both[:, : greater.shape[1]], both[:, greater.shape[1] :]
        both = adjust_pvalues(np.minimum(1.0, 2 * np.minimum(greater, less)), "holm")
        return both, both

    def _numbers_beaten(self, counts: FloatArray) -> FloatArray:
        """Return, for each classifier, the number of classifiers that are significantly worse."""
        k = self.scores.shape[1]
        greater, less = _one_sided_pvalues(self.scores, counts, self.tie_tolerance)
        better, worse = self.adjusted(greater, less)
        superior = (better <= self.alpha) & (self.ordered | (greater < less))
        inferior = (worse <= self.alpha) & (self.ordered | (less < greater))
        first, second = np.triu_indices(k, 1)
        columns = np.arange(k)
        of_first, of_second = ((side[:, None] == columns).astype(float) for side in (first, second))
        return np.asarray(superior @ of_first + inferior @ of_second)


def min_ranks(values: FloatArray | IntArray) -> IntArray:
    """Return the ranks along the last axis. The smallest value has rank 1, and ties get the smallest of their ranks."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(values, method="min", axis=-1)).astype(np.intp)


def significance_map(rule: RankingRule) -> tuple[FloatArray, BoolArray]:
    """Return the adjusted p-values of all pairs on all instances, (k, k), and which pairs show superiority."""
    scores, k = rule.scores, rule.scores.shape[1]
    first, second = np.triu_indices(k, 1)
    if not rule.ordered and len(scores) <= LARGEST_EXACT and len(first) * len(scores) <= MOST_EXACT_DIFFERENCES:
        greater, less = _exact_pvalues(scores, rule.tie_tolerance)
    else:
        greater, less = _one_sided_pvalues(scores, np.ones((1, len(scores))), rule.tie_tolerance)
    pvalue, (better, worse) = np.ones((k, k)), rule.adjusted(greater, less)
    pvalue[first, second], pvalue[second, first] = better[0], worse[0]
    superior = pvalue <= rule.alpha
    if not rule.ordered:
        superior[first, second] &= greater[0] < less[0]
        superior[second, first] &= less[0] < greater[0]
    np.fill_diagonal(superior, False)
    return pvalue, superior


def _one_sided_pvalues(scores: FloatArray, counts: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return one-sided p-values of the Wilcoxon signed-rank test for resampled instances, of shape (m, n_pairs).

    The first array is for the alternative that the first classifier of a pair is better. Zeros are left out, and the
    normal approximation has the correction for ties and the continuity correction.
    """
    from scipy.special import ndtr

    first, second = np.triu_indices(scores.shape[1], 1)
    found = np.ones((2, len(counts), len(first)))
    for at, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        d, starts, order = _by_size(differences(scores[:, i], scores[:, j], tie_tolerance))
        if not d.size:
            continue
        ordered = counts[:, order]
        n_tied = np.add.reduceat(ordered, starts, axis=1)
        n_positive = np.add.reduceat(ordered * (d > 0), starts, axis=1)
        last = n_tied.cumsum(axis=1)
        midrank = last - (n_tied - 1) / 2
        n = last[:, -1]
        away = (n_positive * midrank).sum(axis=1) - n * (n + 1) / 4
        sd = np.sqrt((n_tied * midrank**2).sum(axis=1)) / 2
        is_known = sd > 0
        for side, towards in enumerate((away, -away)):
            found[side, :, at] = np.where(is_known, ndtr(-(towards - 0.5) / np.where(is_known, sd, 1.0)), 1.0)
    return found[0], found[1]


def _exact_pvalues(scores: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the exact one-sided p-values of all pairs, (1, n_pairs), on all instances."""
    first, second = np.triu_indices(scores.shape[1], 1)
    found = np.ones((2, 1, len(first)))
    for at, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        d, starts, _ = _by_size(differences(scores[:, i], scores[:, j], tie_tolerance))
        if d.size:
            n_tied = np.diff(starts, append=d.size)
            doubled = 2 * starts + n_tied + 1  # the midranks
            positive = int((np.repeat(doubled, n_tied) * (d > 0)).sum())
            law = SignedRankLaw(doubled, n_tied)
            found[:, 0, at] = law.cdf(np.array([int(doubled @ n_tied) - positive, positive]))
    return found[0], found[1]


def _by_size(d: FloatArray) -> tuple[FloatArray, IndexArray, IndexArray]:
    """Return the nonzero differences sorted by size, the start of each group of ties, and their positions."""
    order = np.argsort(np.abs(d), kind="stable")
    order = order[d[order] != 0]
    return d[order], np.flatnonzero(np.diff(np.abs(d[order]), prepend=-1.0)), order


def _weighted_quantiles(scores: FloatArray, counts: FloatArray, quantile: float) -> FloatArray:
    """Return the quantile of each column, with the rows repeated by their counts, as numpy.quantile does."""
    found = np.empty((len(counts), scores.shape[1]))
    at = (counts.sum(axis=1, keepdims=True) - 1) * quantile
    low = np.floor(at)
    for column, values in enumerate(scores.T):
        order = np.argsort(values, kind="stable")
        reached = counts[:, order].astype(np.float32 if counts.shape[1] < 2**23 else np.float64).cumsum(axis=1)
        smaller, larger = (values[order][_first_beyond(reached, place)] for place in (low, np.ceil(at)))
        found[:, column] = smaller + (at - low)[:, 0] * (larger - smaller)
    return found


def _first_beyond(reached: FloatArray, place: FloatArray) -> IntArray:
    """Return the index of the first column of each row that exceeds the value of the row."""
    return np.asarray(np.argmax(reached > place, axis=1))


def kendall_tau_b(rankings: IntArray, ranking: IntArray) -> FloatArray:
    """Return Kendall's tau-b of each ranking, (m, k), with one ranking, (k,), or nan if all classifiers are tied.

    Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33, 239-251.
    """
    k = len(ranking)
    first, second = np.triu_indices(k, 1)
    of_one = np.sign(ranking[first] - ranking[second]).astype(np.int8)
    found = np.empty(len(rankings))
    step = max(NUMBERS_AT_ONCE // len(first), 1)
    for start in range(0, len(rankings), step):
        block = rankings[start : start + step]
        signs = np.sign(block[:, first] - block[:, second]).astype(np.float32)
        n_untied = np.abs(signs).sum(axis=1, dtype=np.float64) * int(np.abs(of_one).sum())
        length = np.sqrt(np.where(n_untied > 0, n_untied, math.nan))
        found[start : start + step] = (signs @ of_one.astype(np.float32)).astype(np.float64) / length
    return found


class Units(NamedTuple):
    """The units of resampling: the instances, or the clusters that are drawn as a whole."""

    number: IndexArray  # number of the unit of each instance, (n,)
    labels: list[Any]
    order: IndexArray  # order of the units, which depends only on their scores

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.labels)

    def counts(self, of_units: FloatArray) -> FloatArray:
        """Return how often each instance occurs, (m, n), given how often each unit occurs, (m, n_units)."""
        return of_units if self.is_single else of_units[:, self.number]

    @property
    def is_single(self) -> bool:
        """Whether each instance is a unit."""
        return self.n == self.number.size


def units_of(clusters: Any, scores: FloatArray, labels: Any, tie_tolerance: float) -> Units:
    """Return the units of a table of scores. `labels` contains the scores with their labels."""
    n = len(scores)
    if clusters is None:
        names = list(labels.index) if hasattr(labels, "index") and hasattr(labels, "columns") else list(range(n))
        return Units(np.arange(n), names, unsigned_order(rounded(scores, tie_tolerance))[0])
    number, names = numbered(clusters, "clusters", "cluster", n, rows=["scores"], scores=labels)
    if len(names) < 2:
        raise InvalidValueError("clusters must have at least two different values, but all rows have the same value")
    members: list[list[int]] = [[] for _ in names]
    by_content = unsigned_order(rounded(scores, tie_tolerance))[0]
    for at, instance in enumerate(by_content.tolist()):
        members[number[instance]].append(at)
    return Units(number, names, np.array(sorted(range(len(names)), key=members.__getitem__)))


def is_enumerated(method: str, n_units: int, n_resamples: int) -> bool:
    """Return whether all resamples are enumerated."""
    if method == "exact" and n_units > MOST_EXACT:
        raise InvalidValueError(
            f"method='exact' would need {n_units}^{n_units} resamples (the limit is {MOST_EXACT} instances or clusters)"
            "; use method='monte-carlo'"
        )
    return method == "exact" or (method == "auto" and n_units <= MOST_EXACT and n_units**n_units <= n_resamples)


def resample_counts(units: Units, n_resamples: int, generator: np.random.Generator | None) -> Iterator[FloatArray]:
    """Yield how often each instance occurs, (m, n), in random resamples or, without a generator, in all resamples."""
    n = units.n
    if generator is None:
        drawn = np.array(list(itertools.product(range(n), repeat=n)))
        yield units.counts(_counted(drawn, n))
        return
    step = max(NUMBERS_AT_ONCE // max(n, units.number.size), 1)
    for start in range(0, n_resamples, step):
        drawn = units.order[generator.integers(0, n, size=(min(step, n_resamples - start), n))]
        yield units.counts(_counted(drawn, n))


def _counted(drawn: IndexArray, n: int) -> FloatArray:
    """Count how often each unit occurs in each row of drawn units."""
    drawn += n * np.arange(len(drawn))[:, None]
    return np.bincount(drawn.ravel(), minlength=n * len(drawn)).reshape(len(drawn), n).astype(np.float64)
