"""Rank and scores of each classifier in a comparison, the order of the compared pairs, and the record of a pair."""

from __future__ import annotations

__all__ = ["FAMILY_WISE", "BenchmarkDifference", "LazyEstimates", "ModelScore", "Pair", "RankedPairs", "Ranking"]

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from evalstats._result import Record
from evalstats._types import IndexArray

# adjustments that control the family-wise error rate under any dependence and any set of different pairs; single-step:
# the test is for all pairs
FAMILY_WISE = ("bonferroni", "e-holm", "holm", "single-step")


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelScore(Record):
    """Score of one model on the questions of all compared benchmarks.

    Attributes
    ----------
    classifier : str
        The model.
    score, standard_error : float
        Mean score of the model, and its cluster-robust standard error. The standard error is nan if a benchmark has a
        single cluster.
    low, high : float
        Limits of the interval for the mean score at level 1 - alpha. The interval is within [0, 1] if the scores are
        within [0, 1].
    design_effect : float
        Variance of the mean score relative to the variance for independent questions, or 1 without clusters.
    intraclass_correlation : float
        Proportion of the variance of individual answers that lies between questions, and not within them. It is nan if
        each question has one answer.
    benchmarks : dict of str to float
        The mean score on each benchmark.
    """

    classifier: str
    score: float
    standard_error: float
    low: float
    high: float
    design_effect: float
    intraclass_correlation: float
    benchmarks: dict[str, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking(Record):
    """The classifiers of a comparison from the best to the worst. `to_frame` and `to_columns` return the table.

    Attributes
    ----------
    classifiers : tuple of str
        Names of the classifiers.
    mean_ranks : tuple of float or None
        Mean rank of each classifier over datasets, or None in other designs, which order the classifiers by their
        scores.
    mean_scores, median_scores : tuple of float
        Mean and median score of each classifier over the datasets for which it has a score.
    letters : tuple of str
        Letters of each classifier in the compact letter display. Classifiers that share a letter are not significantly
        different. The tuple is empty if there is a control, or if a required omnibus test does not reject.
    rank_lower, rank_upper : tuple of int
        Smallest and largest rank in the confidence set of each classifier. The set contains all ranks that the
        significant pairs allow. The sets contain the true ranks of all classifiers simultaneously with confidence 1 -
        alpha. The true rank is 1 plus the number of classifiers that are better in the sense of the pairwise test. The
        tuples are empty with a control. They are also empty if the pairwise tests control the family-wise error rate
        only under further conditions. Without an adjustment, the tests do not control this rate, and the tuples are
        empty too.
    """

    classifiers: tuple[str, ...]
    mean_ranks: tuple[float, ...] | None
    mean_scores: tuple[float, ...]
    median_scores: tuple[float, ...]
    letters: tuple[str, ...]
    rank_lower: tuple[int, ...]
    rank_upper: tuple[int, ...]

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the columns of a table with a row for each classifier, from the best to the worst.

        Returns
        -------
        dict of str to list
            The columns `classifier`, `mean_rank`, `mean_score`, `median_score`, `letters`, `rank_lower` and
            `rank_upper`, if they are defined.
        """
        columns = {
            "classifier": self.classifiers,
            "mean_rank": self.mean_ranks,
            "mean_score": self.mean_scores,
            "median_score": self.median_scores,
            "letters": self.letters,
            "rank_lower": self.rank_lower,
            "rank_upper": self.rank_upper,
        }
        return {name: list(values) for name, values in columns.items() if values}


# --- pairs ------------------------------------------------------------------------------------------------------------


class RankedPairs(Sequence[tuple[int, int]]):
    """Compared pairs in the order of a ranking: the best classifier with all others, then the second best, and so on.

    Parameters
    ----------
    order : sequence of int
        Indices of the classifiers, from the best to the worst.
    control : int, optional
        Index of the control, which is the second classifier of each pair. By default, all pairs are compared.
    """

    def __init__(self, order: Sequence[int], control: int | None = None) -> None:
        self._order, self._control = list(order), control
        self._others = [i for i in order if i != control]

    def __len__(self) -> int:
        k = len(self._order)
        return k * (k - 1) // 2 if self._control is None else len(self._others)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        if self._control is None:
            return itertools.combinations(self._order, 2)
        return zip(self._others, itertools.repeat(self._control), strict=False)

    @overload
    def __getitem__(self, at: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[int, int]]: ...
    def __getitem__(self, at: int | slice) -> tuple[int, int] | list[tuple[int, int]]:
        if isinstance(at, slice):
            first, second = self.sides(range(len(self))[at])
            return list(zip(first.tolist(), second.tolist(), strict=True))
        first, second = self.sides([range(len(self))[at]])
        return int(first[0]), int(second[0])

    def sides(self, at: Sequence[int] | None = None) -> tuple[IndexArray, IndexArray]:
        """Return the first and the second classifiers of the pairs at the given positions, by default of all pairs."""
        places = np.arange(len(self)) if at is None else np.asarray(at, dtype=np.intp)
        if self._control is not None:
            return np.array(self._others, dtype=np.intp)[places], np.full(places.shape, self._control)
        order, k = np.array(self._order, dtype=np.intp), len(self._order)
        starts = np.concatenate([[0], np.arange(k - 1, 0, -1).cumsum()[:-1]]).astype(np.intp)
        row = np.searchsorted(starts, places, side="right") - 1
        return order[row], order[places - starts[row] + row + 1]

    def of(self, matrix: Any) -> Any:
        """Return the entry of a matrix for each pair; with a control, the matrix may be a single column."""
        if self._control is not None:
            return matrix[self._others] if matrix.ndim == 1 else matrix[self._others, self._control]
        found = np.empty(len(self), dtype=matrix.dtype)
        start = 0
        for i, first in enumerate(self._order[:-1]):  # row by row: positions of all pairs need twice the memory
            behind = self._order[i + 1 :]
            found[start : start + len(behind)] = matrix[first, behind]
            start += len(behind)
        return found


# maximum numbers of pairs, and of averages of two differences, in a batch of estimates
MOST_AT_ONCE, AVERAGES_AT_ONCE = 64, 2_000_000


class LazyEstimates:
    """Hodges-Lehmann estimates of pairs, each a median of n^2 / 2 averages, computed on demand in batches."""

    def __init__(self, estimates: Callable[[Sequence[int]], list[float]], at: Sequence[int], n: int) -> None:
        self._estimates, self._at = estimates, at
        self._step = max(1, min(MOST_AT_ONCE, AVERAGES_AT_ONCE // n**2))
        self._known: dict[int, list[float]] = {}  # by the number of the block

    def of(self, place: int) -> float:
        """Return the estimate of the pair at a position."""
        block, within = divmod(place, self._step)
        if block not in self._known:
            start = block * self._step
            self._known[block] = self._estimates(self._at[start : start + self._step])
        return self._known[block][within]


class _WhenAsked:
    """Field with a value, or with a function without arguments that computes the value when it is read."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, record: Any, owner: type) -> Any:
        if record is None:
            return None  # dataclass() asks for the default
        value = vars(record)[self._name]
        if callable(value):
            value = vars(record)[self._name] = value()
        return None if value is None else float(value)

    def __set__(self, record: Any, value: Callable[[], float] | float | None) -> None:
        vars(record)[self._name] = value


@dataclass(frozen=True, kw_only=True, eq=False)
class BenchmarkDifference(Record):
    """Difference between two models on one benchmark, without adjustment.

    Attributes
    ----------
    benchmark : str
    difference, standard_error : float
        Mean score of `first` minus the mean score of `second`, and its cluster-robust standard error.
    """

    benchmark: str
    difference: float
    standard_error: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair(Record):
    """Test and decision for two classifiers.

    Fields that belong to other designs are None. `to_dict` and tables leave these fields out.

    Attributes
    ----------
    first, second : str
        The classifiers. `second` is the control if there is one. Without a control, `first` is ranked higher, but for
        two classifiers on several datasets, `first` is the first column.
    statistic, pvalue : float
        Statistic and p-value of the test of this pair. The p-value is adjusted for all compared pairs.
    different : bool
        Whether the two classifiers differ significantly. False does not mean that they are equal.
    n_wins, n_ties, n_losses : int or None
        Numbers of common datasets, folds or questions on which `first` is better than, equal to and worse than
        `second`, respectively. For instances: numbers of instances that only `first` predicts correctly, that both or
        neither predict correctly, and that only `second` predicts correctly. They are None if the test does not count
        wins and losses.
    mean_rank_difference : float or None
        Over datasets: mean rank of `first` minus mean rank of `second`. It is negative if `first` is better.
    rank_biserial : float or None
        Over datasets: matched-pairs rank-biserial correlation, from -1 to 1. It is positive if `first` is better.
    hodges_lehmann : float or None
        Over datasets: Hodges-Lehmann estimate of the difference in score, `first` minus `second`, in the unit of the
        metric. It is computed on demand.
    difference : float or None
        On one dataset or on questions: score of `first` minus score of `second`, in the unit of the metric.
    low, high : float or None
        Limits of the confidence interval for the difference at level 1 - alpha, not adjusted for the other pairs.
    unadjusted_pvalue : float or None
        The p-value without adjustment.
    standard_error : float or None
        On questions: cluster-robust standard error of the difference.
    df : float or None
        On questions: degrees of freedom of the t distribution, or None for a test with random sign flips.
    benchmarks : tuple of BenchmarkDifference or None
        On questions: the difference on each benchmark.
    """

    first: str
    second: str
    statistic: float
    pvalue: float
    different: bool
    n_wins: int | None
    n_ties: int | None
    n_losses: int | None
    # fields of one design have the documented type; they are None in other designs
    mean_rank_difference: Any = None
    rank_biserial: Any = None
    hodges_lehmann: _WhenAsked = _WhenAsked()
    difference: Any = None
    low: Any = None
    high: Any = None
    unadjusted_pvalue: Any = None
    standard_error: Any = None
    df: Any = None
    benchmarks: tuple[BenchmarkDifference, ...] | None = None

    def _public(self) -> Iterator[tuple[str, Any]]:
        return ((name, value) for name, value in super()._public() if value is not None or name in _COUNTED)


# fields of every design, but not of every test
_COUNTED = ("n_wins", "n_ties", "n_losses")
