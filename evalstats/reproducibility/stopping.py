"""Stopping rules for repeated runs."""

from __future__ import annotations

__all__ = [
    "AnytimeValid",
    "FixedRuns",
    "KolmogorovSmirnov",
    "RankCorrelation",
    "StoppingRule",
    "StoppingRuleReplay",
    "replay_stopping_rule",
]

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, compared, noise_of, rounded
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.paired.betting import BettingTest
from evalstats.paired.sequential import SequentialSignTest
from evalstats.reproducibility.run_overlap import OverlapResult, overlap

CONSTANT = "all instances have the same mean probability, so further runs do not change their order"
NEVER = "the rule did not stop in any order of the recorded runs"
SOMETIMES = "the rule did not stop in {n} of {orders} orders, which mean_runs does not include"


class StoppingRule(ABC):
    """Base class of stopping rules for repeated experiments.

    A rule receives one run at a time, for one classifier on one dataset or for a pair of classifiers. Call
    ``rule.update(...)`` until ``rule.stopped`` is True. The attribute ``stopped`` remains False if the rule never
    stops.

    Attributes
    ----------
    needs : str
        Input of `update` for each run: ``'nothing'``, ``'estimate'`` (the score of the run), ``'probabilities'`` (of
        every instance) or ``'pair'`` (the scores of two classifiers).
    n_runs : int
        Number of runs so far.
    stopped : bool
        Whether no more runs are necessary. If further runs are added to a rule that has stopped, the rule raises an
        error.
    """

    needs: ClassVar[str]

    def __init__(self) -> None:
        self.n_runs = 0
        self.stopped = False

    @abstractmethod
    def fresh(self) -> Self:
        """Return a new rule with the same arguments.

        Returns
        -------
        StoppingRule
            A rule of the same class.
        """

    @abstractmethod
    def update(self, run: Any) -> bool:
        """Add one more run and return whether no more runs are necessary.

        Parameters
        ----------
        run : float or array_like
            The input that the rule `needs`.

        Returns
        -------
        bool
            `stopped`.
        """

    def _refuse_more(self) -> None:
        if self.stopped:
            raise InvalidValueError(f"{self!r} has stopped after {self.n_runs} runs; use fresh() for other runs")

    def _count(self) -> None:
        self._refuse_more()
        self.n_runs += 1


class FixedRuns(StoppingRule):
    """Stop after a fixed number of runs, regardless of their results.

    Parameters
    ----------
    n : int
        Number of runs, at least 1. Raeder, Hoens & Chawla (2010) tried 10 and 50.

    Examples
    --------
    >>> from evalstats.reproducibility import FixedRuns
    >>> rule = FixedRuns(2)
    >>> rule.update(), rule.update(), rule
    (False, True, FixedRuns(2))
    """

    needs = "nothing"

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = _checks.count(n, "n")

    def __repr__(self) -> str:
        return f"FixedRuns({self.n})"

    def fresh(self) -> Self:
        """Return a new rule with the same number of runs.

        Returns
        -------
        FixedRuns
            A rule with ``n_runs`` 0.
        """
        return type(self)(self.n)

    def update(self, run: Any = None) -> bool:
        """Count one more run.

        Parameters
        ----------
        run : any, default: None
            Ignored.

        Returns
        -------
        bool
            Whether `n` runs are reached.
        """
        self._count()
        self.stopped = self.n_runs >= self.n
        return self.stopped


class RankCorrelation(StoppingRule):
    """Stop if one more run hardly changes the order of the instances by their mean probability.

    After each run, the rule computes Spearman's rank correlation between the mean probabilities of the instances after
    and before the run. It stops if the correlation is at least the threshold. At least two runs are necessary. The time
    for a run does not depend on the number of earlier runs.

    Parameters
    ----------
    threshold : float, default: 0.9999
        Threshold between 0 and 1. Raeder, Hoens & Chawla (2010) recommend 1 - 1e-4. With the threshold 1 - 1e-3, the
        rule stops too early. With 1 - 1e-5, the rule may not stop for trees and nearest neighbors.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Attributes
    ----------
    correlation : float or None
        The latest correlation (the smallest correlation over the classes), or None before the second run.
    reason : str or None
        A sentence if all mean probabilities are equal, otherwise None.

    Notes
    -----
    Equal means get the mean of their ranks. If all means are equal, Spearman's coefficient is 0/0. If all means were
    also equal before the run, the order has not changed, and the correlation is defined as 1. If the means differed
    before the run, the correlation is defined as 0. Thus, the rule stops after two runs for a classifier that gives all
    instances the same probability.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section V.

    Examples
    --------
    >>> from evalstats.reproducibility import RankCorrelation
    >>> rule = RankCorrelation(threshold=0.95)
    >>> runs = [[0.1, 0.4, 0.3, 0.8], [0.2, 0.3, 0.4, 0.9], [0.1, 0.5, 0.3, 0.7], [0.2, 0.4, 0.3, 0.8]]
    >>> for probabilities in runs:
    ...     if rule.update(probabilities):
    ...         break
    >>> rule.n_runs, rule.correlation
    (4, 1.0)
    """

    needs = "probabilities"

    def __init__(self, threshold: float = 0.9999, *, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> None:
        super().__init__()
        self.threshold = _checks.proportion(threshold, "threshold")
        self.tie_tolerance = _checks.tolerance(tie_tolerance)
        self.correlation: float | None = None
        self.reason: str | None = None
        self._shape: tuple[int, ...] | None = None
        self._classes: list[_RunningRanks] = []

    def __repr__(self) -> str:
        return f"RankCorrelation(threshold={self.threshold!r})"

    def fresh(self) -> Self:
        """Return a new rule with the same threshold.

        Returns
        -------
        RankCorrelation
            A rule with ``n_runs`` 0.
        """
        return type(self)(self.threshold, tie_tolerance=self.tie_tolerance)

    def update(self, run: ArrayLike) -> bool:
        """Add the probabilities of one more run.

        Parameters
        ----------
        run : array_like of shape (n_instances,) or (n_instances, n_classes)
            Probability of the positive class for each instance when it was in a test fold, always in the same order of
            instances. Other scores of the instances are also accepted, because only ranks are used. With several
            classes, the correlation for every class must reach the threshold.

        Returns
        -------
        bool
            Whether the correlation has reached the threshold.

        Raises
        ------
        ValueError
            If a probability is nan or infinite, there are fewer than 2 instances, or the number of instances differs
            from the earlier runs.
        """
        columns = self._columns(run)
        self._count()
        if not self._classes:
            self._classes = [_RunningRanks(len(column), self.tie_tolerance) for column in columns]
        correlations = [of_class.add(column) for of_class, column in zip(self._classes, columns, strict=True)]
        if self.n_runs > 1:
            self.correlation = min(correlations)
            self.stopped = self.correlation >= self.threshold
        self.reason = CONSTANT if any(of_class.is_constant for of_class in self._classes) else None
        return self.stopped

    def _columns(self, run: ArrayLike) -> FloatArray:
        """Return the probabilities with one row per class."""
        probabilities = _checks.finite(_checks.numbers(run, "probabilities"), "probabilities")
        if probabilities.ndim not in {1, 2} or len(probabilities) < 2 or probabilities.size == 0:
            raise InvalidValueError(
                "probabilities must have the shape (n_instances,) or (n_instances, n_classes) with 2 instances or "
                f"more, but their shape is {probabilities.shape}"
            )
        if self._shape is None:
            self._shape = probabilities.shape
        if probabilities.shape != self._shape:
            raise InvalidValueError(
                f"every run must give probabilities of the same instances: run 1 has the shape {self._shape}, "
                f"run {self.n_runs + 1} has the shape {probabilities.shape}"
            )
        return np.atleast_2d(probabilities.T)


class KolmogorovSmirnov(StoppingRule):
    """Stop if the estimates of the even-numbered and the odd-numbered runs have nearly the same distribution.

    After every second run, the rule computes the largest distance between the two empirical distribution functions. It
    stops if the distance is below the threshold. The time for a run hardly depends on the number of earlier runs.

    Parameters
    ----------
    threshold : float, default: 0.1
        Threshold between 0 and 1. Raeder, Hoens & Chawla (2010) tried 0.1 and 0.2.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Attributes
    ----------
    distance : float or None
        Kolmogorov-Smirnov D at the latest even number of runs, or None before the second run.

    Notes
    -----
    The rule depends only on the order of the estimates. If no two estimates are equal, the number of runs until the
    rule stops has the same distribution for every classifier, dataset and metric. The mean number is about 51 for the
    threshold 0.2, and 200 for 0.1. The rule gives no information on the difference between two classifiers. With ties,
    the rule stops earlier, for example after two runs if the two estimates are equal.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section V.

    Examples
    --------
    >>> from evalstats.reproducibility import KolmogorovSmirnov
    >>> rule = KolmogorovSmirnov(threshold=0.4)
    >>> for estimate in [0.81, 0.84, 0.83, 0.80, 0.85, 0.82, 0.79, 0.78]:
    ...     if rule.update(estimate):
    ...         break
    >>> rule.stopped, rule.n_runs, round(rule.distance, 3)
    (True, 6, 0.333)
    """

    needs = "estimate"

    def __init__(self, threshold: float = 0.1, *, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> None:
        super().__init__()
        self.threshold = _checks.proportion(threshold, "threshold")
        self.tie_tolerance = _checks.tolerance(tie_tolerance)
        self.distance: float | None = None
        self._steps = _SortedSteps()
        self._firsts: dict[float, float] = {}  # the first estimate of each distinct value

    def __repr__(self) -> str:
        return f"KolmogorovSmirnov(threshold={self.threshold!r})"

    def fresh(self) -> Self:
        """Return a new rule with the same threshold.

        Returns
        -------
        KolmogorovSmirnov
            A rule with ``n_runs`` 0.
        """
        return type(self)(self.threshold, tie_tolerance=self.tie_tolerance)

    def update(self, run: float) -> bool:
        """Add the estimate of one more run.

        Parameters
        ----------
        run : float
            Score of the classifier in this run, such as its area under the ROC curve.

        Returns
        -------
        bool
            Whether the distance is below the threshold.

        Raises
        ------
        ValueError
            If the estimate is nan or infinite.
        """
        tie_tolerance = self.tie_tolerance
        if type(run) in (float, np.float64) and math.isfinite(run):  # a plain number needs no further check
            estimate = float(run)
        else:
            tie_tolerance = _checks.tolerance(tie_tolerance, run)
            checked = _checks.finite(_checks.numbers(run, "estimate"), "estimate")
            if checked.ndim:
                raise InvalidTypeError(
                    f"estimate must be a single score for each run, but its shape is {checked.shape}"
                )
            estimate = checked.item()
        self._count()
        is_odd = self.n_runs % 2 == 1
        self._steps.add(self._among_those_before(estimate, tie_tolerance), 1 if is_odd else -1)
        if not is_odd:
            self.distance = self._steps.largest_sum() / (self.n_runs // 2)
            self.stopped = self.distance < self.threshold
        return self.stopped

    def _among_those_before(self, estimate: float, tie_tolerance: float) -> float:
        """Return an earlier estimate that is tied with the estimate, or the estimate itself."""
        value = float(rounded(np.array([estimate]), tie_tolerance)[0])
        if value not in self._firsts:
            reach = max(20 * tie_tolerance, 4 * noise_of(tie_tolerance)) * abs(value)
            for beside in self._steps.neighbors(value):
                if abs(beside - value) <= reach and not compared(self._firsts[beside], estimate, tie_tolerance):
                    return beside
            self._firsts[value] = estimate
        return value


@dataclass(frozen=True, kw_only=True, eq=False)
class StoppingRuleReplay(Record):
    """Result of `replay_stopping_rule`.

    Attributes
    ----------
    rule : str
        The rule.
    mean_runs : float
        Mean number of runs over the orders in which the rule stopped. It is nan if there is no such order.
    not_stopped_proportion : float
        Proportion of the orders in which the rule did not stop within the recorded runs. `mean_runs` does not
        include these orders.
    n_runs : ndarray of int, of shape (n_resamples,)
        Number of runs that the rule used, or the number of all runs if the rule did not stop.
    stopped : ndarray of bool, of shape (n_resamples,)
        Whether the rule stopped.
    estimates : ndarray of shape (n_resamples,)
        The final estimate: the mean score of the runs used.
    n_resamples, n_recorded : int
        Number of random orders, and number of recorded runs.
    seed : int or None
        Seed of the orders, or None if `rng` was a Generator.
    reason : str or None
        A sentence if the rule did not stop in some orders, otherwise None.
    """

    rule: str
    mean_runs: float
    not_stopped_proportion: float
    n_runs: IntArray
    stopped: BoolArray
    estimates: FloatArray
    n_resamples: int
    seed: int | None
    n_recorded: int
    reason: str | None
    _orders: IntArray

    def _axes(self) -> tuple[str, ...]:
        return ("order",)

    def overlap(self, other: StoppingRuleReplay) -> OverlapResult:
        """Estimate how consistently one of two classifiers leads if a rule stops their runs (Table III, columns R).

        The replays use the same recorded runs repeatedly, so they are not independent. `win_share` and
        `reproducibility` are computed as in the paper, but their intervals are too narrow.

        Parameters
        ----------
        other : StoppingRuleReplay
            Replay for the other classifier over the same orders: call `replay_stopping_rule` with the same seed as
            `rng`.

        Returns
        -------
        OverlapResult
            Result with the final estimates of this classifier as x.

        Examples
        --------
        >>> import numpy as np
        >>> from evalstats.reproducibility import FixedRuns, replay_stopping_rule
        >>> x, y = np.random.default_rng(1).normal([[0.81], [0.80]], 0.02, size=(2, 100))
        >>> for n in 2, 10, 50:
        ...     a, b = (replay_stopping_rule(FixedRuns(n), scores, rng=0) for scores in (x, y))
        ...     print(n, round(a.overlap(b).reproducibility, 2))
        2 0.44
        10 0.76
        50 1.0
        """
        if not np.array_equal(self._orders, other._orders):
            raise InvalidValueError(
                "both replays must use the same orders of the runs: call replay_stopping_rule() with the same rng "
                "and n_resamples"
            )
        return overlap(self.estimates, other.estimates)


def replay_stopping_rule(
    rule: StoppingRule,
    estimates: ArrayLike,
    *,
    probabilities: ArrayLike | None = None,
    other_scores: ArrayLike | None = None,
    n_resamples: int = 50,
    rng: Any = None,
) -> StoppingRuleReplay:
    """Replay a stopping rule on recorded runs, and return the number of runs and the final estimates.

    Parameters
    ----------
    rule : StoppingRule
        `FixedRuns`, `RankCorrelation`, `KolmogorovSmirnov`, `AnytimeValid` or your own rule. The function does not
        change the rule.
    estimates : array_like of shape (n_recorded,)
        Score of one classifier on one dataset in each of at least 2 recorded runs.
    probabilities : array_like of shape (n_recorded, n_instances) or (n_recorded, n_instances, n_classes), optional
        The probabilities of every run, for `RankCorrelation`.
    other_scores : array_like of shape (n_recorded,), optional
        Score of the other classifier in the same runs, for `AnytimeValid`.
    n_resamples : int, default: 50
        Number of random orders of the runs, at least 2. The paper uses 50 random orders.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. The same seed for two classifiers gives the same orders, as
        `StoppingRuleReplay.overlap` requires.

    Returns
    -------
    StoppingRuleReplay
        The result also has the method `overlap`, which compares two classifiers.

    Raises
    ------
    ValueError
        If an estimate is nan or infinite, there are fewer than 2 estimates, or the numbers of runs differ.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section V and Table III.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.reproducibility import KolmogorovSmirnov, replay_stopping_rule
    >>> estimates = np.random.default_rng(1).normal(0.8, 0.02, size=500)
    >>> result = replay_stopping_rule(KolmogorovSmirnov(0.2), estimates, rng=0)
    >>> round(result.mean_runs), result.not_stopped_proportion
    (47, 0.0)
    """
    if not isinstance(rule, StoppingRule):
        raise InvalidTypeError(f"rule must be a stopping rule such as FixedRuns(10), not {short(rule)}")
    scores, of_run = _understand_runs(rule, estimates, probabilities, other_scores)
    n_resamples, source = _checks.resampling(n_resamples, rng, minimum=2)
    generator = source.generator()

    orders = np.array([generator.permutation(len(scores)) for _ in range(n_resamples)])
    n_runs, stopped = zip(*(_follow(rule.fresh(), of_run, order) for order in orders), strict=True)
    used, is_stopped = np.array(n_runs), np.array(stopped)
    final = np.array([scores[order[:n]].mean() for order, n in zip(orders, used, strict=True)])
    n_not_stopped = int((~is_stopped).sum())
    return StoppingRuleReplay(
        rule=repr(rule),
        mean_runs=float(used[is_stopped].mean()) if is_stopped.any() else float("nan"),
        not_stopped_proportion=n_not_stopped / n_resamples,
        n_runs=used,
        stopped=is_stopped,
        estimates=final,
        n_resamples=n_resamples,
        seed=source.seed,
        n_recorded=len(scores),
        reason=NEVER
        if n_not_stopped == n_resamples
        else SOMETIMES.format(n=n_not_stopped, orders=n_resamples)
        if n_not_stopped
        else None,
        _orders=orders,
    )


def _understand_runs(rule: StoppingRule, estimates: Any, probabilities: Any, other: Any) -> tuple[FloatArray, Any]:
    """Validate and return the estimates, and the input of the stopping rule for each run."""
    rows = ("estimates", "probabilities", "other")
    _labels.same_labels(rows=rows, estimates=estimates, probabilities=probabilities, other=other)
    scores = _recorded(estimates, "estimates", dimensions=(1,))
    runs: dict[str, Any] = {"probabilities": None, "pair": None}
    if probabilities is not None:
        runs["probabilities"] = _recorded(probabilities, "probabilities", dimensions=(2, 3))
    if other is not None:
        runs["pair"] = _recorded(other, "other", dimensions=(1,))
    for given, name in ((runs["probabilities"], "probabilities"), (runs["pair"], "scores of the other classifier")):
        if given is not None and len(given) != len(scores):
            raise InvalidValueError(f"there are estimates of {len(scores)} runs, but {name} for {len(given)} runs")
    if rule.needs == "probabilities" and probabilities is None:
        raise InvalidValueError(f"{rule!r} needs the probabilities of every run")
    if rule.needs == "pair" and other is None:
        raise InvalidValueError(
            f"{rule!r} needs the scores of the other classifier in the same runs: pass other_scores="
        )
    if other is not None:
        runs["pair"] = np.column_stack([scores, runs["pair"]])
    return scores, runs.get(rule.needs, scores)


def _recorded(runs: ArrayLike, name: str, dimensions: tuple[int, ...]) -> FloatArray:
    array = _checks.numbers(runs, name)
    if array.ndim not in dimensions or len(array) < 2 or array.size == 0:
        raise InvalidValueError(
            f"{name} must hold at least 2 runs along the first axis, but the shape is {array.shape}"
        )
    return _checks.moderate(_checks.finite(array, name), name)


def _follow(rule: StoppingRule, runs: FloatArray, order: IntArray) -> tuple[int, bool]:
    for run in order:
        if rule.update(runs[run]):
            break
    return rule.n_runs, rule.stopped


class _RunningRanks:
    """Sums of the probabilities of every instance, and the rank correlation between consecutive runs.

    The ranks of the sums equal the ranks of the means. The sums in their old order are nearly sorted, so the stable
    sort of NumPy is fast.
    """

    def __init__(self, n: int, tie_tolerance: float) -> None:
        self.is_constant = False
        self._tie_tolerance = tie_tolerance
        self._sums = np.zeros(n)
        self._order = np.arange(n)
        self._ranks = np.arange(1.0, n + 1)
        self._deviations = np.zeros(n)  # of the ranks from their mean

    def add(self, probabilities: FloatArray) -> float:
        self._sums += probabilities
        ordered = self._sums[self._order]
        order = np.argsort(ordered, kind="stable")
        self._order = self._order[order]
        before, was_constant = self._deviations, self.is_constant
        self._deviations = np.empty(len(ordered))
        self._deviations[self._order] = self._midranks(ordered[order]) - (len(ordered) + 1) / 2
        self.is_constant = not self._deviations.any()
        if was_constant or self.is_constant:
            return float(was_constant and self.is_constant)
        squares = np.dot(before, before) * np.dot(self._deviations, self._deviations)
        return float(np.dot(before, self._deviations) / np.sqrt(squares)) if squares else 0.0

    def _midranks(self, ordered: FloatArray) -> FloatArray:
        largest = max(abs(ordered[0]), abs(ordered[-1]))
        if np.diff(ordered).min() > 10 * self._tie_tolerance * largest:
            return self._ranks  # the values are too far apart to become equal by rounding
        values = rounded(ordered, self._tie_tolerance)
        first = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
        size = np.diff(first, append=len(values))
        return np.repeat(first + (size + 1) / 2, size)


class _SortedSteps:
    """Sorted distinct values with a step at each value, and the largest absolute cumulative sum of the steps.

    The values are stored in blocks with their own sums, so a new value changes only one block.
    """

    MOST = 128  # values in a block

    def __init__(self) -> None:
        self._lasts: list[float] = []  # the last value of each block
        self._values: list[list[float]] = []
        self._steps: list[list[int]] = []
        self._sums: list[tuple[int, int, int]] = []  # lowest, highest and last value of each block

    def add(self, value: float, step: int) -> None:
        if not self._lasts:
            self._insert_block(0, [value], [step])
            return
        block = min(bisect_left(self._lasts, value), len(self._lasts) - 1)
        values, steps = self._values[block], self._steps[block]
        place = bisect_left(values, value)
        if place < len(values) and values[place] == value:
            steps[place] += step
        else:
            values.insert(place, value)
            steps.insert(place, step)
        if len(values) > self.MOST:
            half = len(values) // 2
            self._insert_block(block + 1, values[half:], steps[half:])
            del values[half:], steps[half:]
        self._lasts[block] = values[-1]
        self._sums[block] = _lowest_highest_last(steps)

    def neighbors(self, value: float) -> list[float]:
        """Return the nearest smaller value that is not among the values, and the nearest larger value."""
        block = bisect_left(self._lasts, value)
        below = self._lasts[block - 1 : block] if block else []
        if block == len(self._lasts):
            return below
        values = self._values[block]
        place = bisect_left(values, value)
        return [*(values[place - 1 : place] if place else below), values[place]]

    def largest_sum(self) -> int:
        before = largest = 0
        for lowest, highest, last in self._sums:
            largest = max(largest, before + highest, -before - lowest)
            before += last
        return largest

    def _insert_block(self, block: int, values: list[float], steps: list[int]) -> None:
        self._lasts.insert(block, values[-1])
        self._values.insert(block, values)
        self._steps.insert(block, steps)
        self._sums.insert(block, _lowest_highest_last(steps))


def _lowest_highest_last(steps: list[int]) -> tuple[int, int, int]:
    sums = list(accumulate(steps))
    return min(sums), max(sums), sums[-1]


class AnytimeValid(StoppingRule):
    """Stop when an anytime-valid p-value decides the comparison of two classifiers.

    Other rules stop if estimates are stable. An ordinary test after such a stop, or after every run, does not keep its
    nominal level. This rule is an anytime-valid test: if neither classifier is better, the probability that it stops at
    any time is at most alpha. The rule may never stop. A maximum number of runs does not increase the type-I error
    rate.

    Parameters
    ----------
    alpha : float, default: 0.05
        Significance level. For all m pairs of several classifiers together, use `of_pairs`: the level of each pair is
        alpha / m.
    bounds : tuple of float, optional
        Smallest and largest possible difference between the two scores. With bounds, the rule tests the mean difference
        with `betting_test`. Without bounds, it tests which classifier wins more runs with `sequential_sign_test`, which
        usually requires far fewer runs.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Attributes
    ----------
    pvalue : float
        The two-sided anytime-valid p-value.
    test : SequentialSignTest or BettingTest
        The test for all runs so far, with its interval.

    Notes
    -----
    If the runs are repeats of cross-validation on one dataset, the conclusion applies to further runs on this dataset.
    If each run uses a different dataset, the conclusion applies to similar datasets.

    References
    ----------
    Ramdas, A., Grünwald, P., Vovk, V. & Shafer, G. (2023). Game-theoretic statistics and safe anytime-valid inference.
    Statistical Science 38, 576-601.

    Examples
    --------
    >>> from evalstats.reproducibility import AnytimeValid
    >>> rule = AnytimeValid()
    >>> for x in [0.81, 0.84, 0.83, 0.80, 0.85, 0.82, 0.79, 0.83, 0.81]:
    ...     if rule.update((x, 0.78)):
    ...         break
    >>> rule.stopped, rule.n_runs, round(rule.pvalue, 3), rule.test.n_wins
    (True, 8, 0.035, 8)
    """

    needs = "pair"

    def __init__(
        self,
        alpha: float = 0.05,
        *,
        bounds: tuple[float, float] | None = None,
        tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    ) -> None:
        super().__init__()
        self.alpha = _checks.proportion(alpha, "alpha")
        self.tie_tolerance = _checks.tolerance(tie_tolerance)
        self.test: SequentialSignTest | BettingTest
        if bounds is None:
            self.test, self.bounds = SequentialSignTest(tie_tolerance=self.tie_tolerance), None
        else:
            self.test = BettingTest(bounds=bounds, alpha=self.alpha, tie_tolerance=self.tie_tolerance)
            self.bounds = self.test.bounds

    def __repr__(self) -> str:
        return f"AnytimeValid({self.alpha!r}{'' if self.bounds is None else f', bounds={self.bounds!r}'})"

    @property
    def pvalue(self) -> float:
        """The anytime-valid p-value."""
        return self.test.pvalue

    def fresh(self) -> Self:
        """Return a new rule with the same arguments.

        Returns
        -------
        AnytimeValid
            A rule with ``n_runs`` 0.
        """
        return type(self)(self.alpha, bounds=self.bounds, tie_tolerance=self.tie_tolerance)

    def of_pairs(self, n_pairs: int) -> Self:
        """Return a rule for one of several pairs, with Bonferroni's adjustment of alpha for all pairs.

        Parameters
        ----------
        n_pairs : int
            Number of pairs.

        Returns
        -------
        AnytimeValid
            A rule with ``n_runs`` 0 and `alpha` divided by the number of pairs.

        Examples
        --------
        >>> from evalstats.reproducibility import AnytimeValid
        >>> AnytimeValid(0.05).of_pairs(10)
        AnytimeValid(0.005)
        """
        level = self.alpha / _checks.count(n_pairs, "n_pairs")
        return type(self)(level, bounds=self.bounds, tie_tolerance=self.tie_tolerance)

    def update(self, run: ArrayLike, other: Any = None) -> bool:
        """Add the scores of both classifiers in one more run: ``rule.update((x, y))`` or ``rule.update(x, y)``.

        Parameters
        ----------
        run : array_like of shape (2,), or float
            Scores of both classifiers, or the score of the first.
        other : float, optional
            Score of the second classifier, if `run` is the score of the first.

        Returns
        -------
        bool
            Whether the p-value is at most alpha.

        Raises
        ------
        ValueError
            If a score is nan or infinite, the number of scores is not 2, or the difference between the scores is
            outside of the bounds.
        """
        run = run if other is None else [run, other]
        tie_tolerance = _checks.tolerance(self.tie_tolerance, run)
        pair = _checks.finite(_checks.numbers(run, "run"), "run")
        if pair.shape != (2,):
            raise InvalidValueError(f"run must hold the scores of two classifiers, but its shape is {pair.shape}")
        self._refuse_more()
        self.test.tie_tolerance = tie_tolerance
        pvalue = self.test.update(pair[:1], pair[1:])
        self.n_runs += 1
        self.stopped = pvalue <= self.alpha
        return self.stopped
