"""The record of a pair of classifiers: the decision and the effect sizes."""

from __future__ import annotations

__all__ = ["BenchmarkDifference", "LazyEstimates", "Pair"]

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evalstats._result import Record

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
