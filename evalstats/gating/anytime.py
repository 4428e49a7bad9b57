"""Anytime-valid noninferiority tests, which can be repeated when more instances arrive."""

from __future__ import annotations

__all__ = ["AnytimePair", "in_order", "limits_of", "loss_of_items", "of_clusters", "over_tasks"]

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evalstats._errors import InvalidValueError, short
from evalstats._types import FloatArray, IndexArray
from evalstats.comparison.designs.questions import MOST_SORTED, sorted_by
from evalstats.paired.betting import WIDEST, betting_test
from evalstats.paired.noninferiority_results import OneSided

Steps = tuple[FloatArray, FloatArray]  # scores of the baseline and of the candidate for the bets


class AnytimePair:
    """Scores of the baseline and the candidate at each step, in order, for a `betting_test` of any shift.

    A step is an instance, a cluster of instances, one instance of every task, or a dataset.
    """

    test = "betting"

    def __init__(self, new: FloatArray, old: FloatArray, alpha: float, bounds: tuple[float, float] = WIDEST) -> None:
        """Store the scores. The bets suit the significance level `alpha`. `bounds` limits candidate - baseline."""
        self._sides, self._alpha, self._bounds = (new, old), alpha, bounds
        self.n = len(new)
        self.difference = float(np.mean(new) - np.mean(old))

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test whether the mean of candidate - baseline equals the shift."""
        choices: dict[str, Any] = {"alternative": alternative, "alpha": self._alpha, "bounds": self._bounds}
        result = betting_test(*self._sides, null_difference=shift, **choices)
        return OneSided(result.e_value, result.pvalue, result.method, None)

    def limits(self, alpha: float) -> tuple[float, float]:
        """Return the limits after the last step. Each limit is valid at all times with confidence 1 - alpha."""
        result = betting_test(*self._sides, alpha=self._alpha, bounds=self._bounds)
        low, high = result.confidence_interval(1 - 2 * alpha)
        return low, high


class _ScoredPair(AnytimePair):
    """Pair with the mean scores of the baseline and the candidate over its steps."""

    scores: tuple[float, float]


def in_order(
    old: FloatArray, new: FloatArray, alpha: float, task: str, *, greater_is_better: bool = True
) -> _ScoredPair:
    """Return the test of steps in random order, or raise an error if the order is sorted."""
    _refuse_sorted(old, new, task)
    return _pair(old, new, alpha, greater_is_better)


def _pair(old: FloatArray, new: FloatArray, alpha: float, greater_is_better: bool = True) -> _ScoredPair:
    pair = _ScoredPair(new, old, alpha) if greater_is_better else _ScoredPair(old, new, alpha)
    pair.scores = float(np.mean(old)), float(np.mean(new))
    return pair


def of_clusters(clusters: Sequence[str] | None, old: FloatArray, new: FloatArray) -> Steps:
    """Return the means of the clusters, in the order of their first instances.

    The bets use means instead of sums, because the size of the next cluster is unknown.
    """
    if clusters is None:
        return old, new
    codes = {cluster: code for code, cluster in enumerate(dict.fromkeys(clusters))}
    of_case = np.array([codes[cluster] for cluster in clusters])
    sizes = np.bincount(of_case)
    return np.bincount(of_case, weights=old) / sizes, np.bincount(of_case, weights=new) / sizes


def over_tasks(
    old: FloatArray,
    new: FloatArray,
    place: IndexArray,
    clusters: Sequence[str] | None,
    tasks: Sequence[str],
    average: str,
    alpha: float,
) -> _ScoredPair:
    """Return the test for a mean over tasks. `place` is the position of each instance among all tasks.

    For a macro mean, a step is the next instance (or cluster) of every task, until the first task ends. For a micro
    mean, a step is the next instance.
    """
    if average == "micro":
        return _over_cases(old, new, place, clusters, tasks, alpha)
    at: dict[str, list[int]] = {}
    for i in np.argsort(place, kind="stable").tolist():
        at.setdefault(tasks[i], []).append(i)
    steps = []
    for task, own in at.items():
        groups = None if clusters is None else [clusters[i] for i in own]
        reduced = of_clusters(groups, old[own], new[own])
        _refuse_sorted(*reduced, task)
        steps.append(reduced)
    n = min(len(first) for first, _ in steps)
    first, second = (np.mean([task[side][:n] for task in steps], axis=0) for side in (0, 1))
    return _pair(first, second, alpha)


def _over_cases(
    old: FloatArray,
    new: FloatArray,
    place: IndexArray,
    clusters: Sequence[str] | None,
    tasks: Sequence[str],
    alpha: float,
) -> _ScoredPair:
    if clusters is not None:
        raise InvalidValueError(
            "anytime with a micro mean needs questions without clusters, because the size of the next cluster is "
            "unknown; use average='macro', which gives the clusters equal weights"
        )
    order = np.argsort(place, kind="stable")
    named = np.array([tasks[i] for i in order.tolist()])
    for task in dict.fromkeys(named.tolist()):
        if abs(z := sorted_by(named == task)) > MOST_SORTED:
            raise InvalidValueError(
                f"anytime with a micro mean needs the tasks mixed in random order, but the questions of {short(task)} "
                f"come {'last' if z > 0 else 'first'}; mix the tasks, or use average='macro'"
            )
    return in_order(old[order], new[order], alpha, "all tasks")


def loss_of_items(metric: str, y_true: Any, answers: Any, task: str) -> FloatArray:
    """Return the loss of each question, between 0 and 1. The mean of the losses is the metric."""
    from evalstats.metrics.probabilities import brier_score_loss

    if metric == "error_rate":
        return np.array([a != b for a, b in zip(y_true, answers, strict=True)], dtype=np.float64)
    if metric == "brier" and len(set(y_true)) == 2:
        labels = sorted(set(y_true))
        columns = (np.asarray(values)[:, None] for values in (y_true, answers))
        return np.asarray(brier_score_loss(*columns, labels=labels), dtype=np.float64)
    raise InvalidValueError(
        f"metric with anytime must be a mean of losses between 0 and 1, not {metric} of {short(task)}; use accuracy, "
        "error_rate or (for two classes) brier"
    )


def limits_of(metric: str, unit: str, x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the bounds for the difference between two scores of a dataset, from the range of the metric."""
    from evalstats.metrics import METRICS
    from evalstats.tables.prediction_scores import usual_name

    record = METRICS.get(usual_name(metric))
    if record is None or not math.isfinite(record.range[1] - record.range[0]):
        raise InvalidValueError(
            f"anytime needs a metric with known limits, not {short(metric)}; name the metric of the scores with "
            "metric=, such as accuracy, or leave out anytime"
        )
    scale = 100.0 if unit == "%" else 1.0
    low, high = (scale * limit for limit in record.range)
    worst = max((value for side in (x, y) for value in side.tolist()), key=lambda value: max(low - value, value - high))
    if not low <= worst <= high:
        raise InvalidValueError(
            f"anytime needs scores of {metric} between {low:g} and {high:g}, but they contain {worst:g}; use "
            "proportions instead of percentages"
        )
    return low - high, high - low


def _refuse_sorted(old: FloatArray, new: FloatArray, task: str) -> None:
    """Raise an error if correct answers accumulate at the beginning or the end, so the order is not random."""
    for values, what in ((old, "correct answers of the baseline"), (new, "correct answers of the candidate")):
        if abs(z := sorted_by(values)) > MOST_SORTED:
            raise InvalidValueError(
                f"anytime needs questions in random order, but the {what} in {short(task)} come "
                f"{'last' if z > 0 else 'first'}; randomize the order once, and add new questions at "
                "the end"
            )
