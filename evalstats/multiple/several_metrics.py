"""Comparison of classifiers by several metrics: Pareto front and ranks."""

from __future__ import annotations

__all__ = ["MeasureTable", "ParetoFront", "RanksByMetric", "pareto_front", "ranks_by_metric", "understand_metrics"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._labels import column_names, named, row_names
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class ParetoFront(Record):
    """Result of `pareto_front`.

    Attributes
    ----------
    classifiers : tuple or None
        Names of the classifiers, or None for an array without names.
    on_front : ndarray of bool, shape (n_classifiers,)
        Whether no other classifier dominates the classifier.
    n_dominating : ndarray of int, shape (n_classifiers,)
        Number of classifiers that dominate the classifier.
    dominates : ndarray of bool, shape (n_classifiers, n_classifiers)
        Whether the classifier of the row dominates the classifier of the column.
    """

    classifiers: tuple[Any, ...] | None
    on_front: BoolArray
    n_dominating: IntArray
    dominates: BoolArray

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)


@dataclass(frozen=True, kw_only=True, eq=False)
class RanksByMetric(Record):
    """Result of `ranks_by_metric`.

    Attributes
    ----------
    classifiers, metrics : tuple or None
        Names, or None for an array without names.
    ranks : ndarray of int, shape (n_classifiers, n_metrics)
        Ranks in each metric. Rank 1 is the best, and ties get the smallest of their ranks.
    n_best : int
        Number of ranks that count as best.
    n_among_best : ndarray of int, shape (n_classifiers,)
        Number of metrics in which a classifier has one of the best ranks.
    nearly_always_best : tuple
        Classifiers with one of the best ranks in all metrics, or in all except one: their names, or their rows if they
        have no names.
    """

    classifiers: tuple[Any, ...] | None
    metrics: tuple[Any, ...] | None
    ranks: IntArray
    n_best: int
    n_among_best: IntArray
    nearly_always_best: tuple[Any, ...]

    def _axes(self) -> tuple[str, ...]:
        return ("classifier", "metric")


def pareto_front(
    scores: ArrayLike,
    *,
    greater_is_better: bool | Sequence[bool] = True,
    classifiers: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
) -> ParetoFront:
    """Find the classifiers that no other classifier dominates (Pareto front).

    A classifier dominates another classifier if it is at least as good in every metric and better in at least one
    metric. A dominated classifier is not the best for any positive weights of the metrics.

    Parameters
    ----------
    scores : array_like of shape (n_classifiers, n_metrics)
        One row per classifier, one column per metric. The index and the columns of a data frame contain the names.
    greater_is_better : bool or sequence of bool, default: True
        Direction of each metric, or of all metrics: False for losses, error rates and times, where a smaller value is
        better.
    classifiers, metrics : sequence of str, optional
        Names of the rows and columns. Default: the names in the table.

    Returns
    -------
    ParetoFront

    Raises
    ------
    ValueError
        If the scores are not a table of finite numbers, or names or directions do not match.
    TypeError
        If scores are not numbers.

    Examples
    --------
    The metrics are the accuracy and the training time in seconds:

    >>> from evalstats.multiple import pareto_front
    >>> front = pareto_front([[0.9, 60], [0.85, 2], [0.84, 3]], greater_is_better=[True, False])
    >>> front.on_front
    array([ True,  True, False])
    """
    table = understand_metrics(scores, greater_is_better, classifiers, metrics)
    merits, k = table.merits, len(table.values)
    no_worse, better = np.ones((k, k), dtype=bool), np.zeros((k, k), dtype=bool)
    for merit in merits.T:
        no_worse &= merit[:, None] >= merit
        better |= merit[:, None] > merit
    dominates = no_worse & better
    n_dominating = dominates.sum(axis=0)
    return ParetoFront(
        classifiers=table.classifiers, on_front=n_dominating == 0, n_dominating=n_dominating, dominates=dominates
    )


def ranks_by_metric(
    scores: ArrayLike,
    *,
    greater_is_better: bool | Sequence[bool] = True,
    n_best: int = 3,
    classifiers: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
) -> RanksByMetric:
    """Rank classifiers by several metrics, and find classifiers that are among the best in nearly all.

    Japkowicz proposed this report. If readers prefer different metrics, a classifier that is among the best three in
    all metrics, or in all except one, is a good choice.

    Parameters
    ----------
    scores, greater_is_better, classifiers, metrics
        As in `pareto_front`.
    n_best : int, default: 3
        Number of ranks that count as best.

    Returns
    -------
    RanksByMetric

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `pareto_front`.

    References
    ----------
    Japkowicz, N. Machine Learning Evaluation: A Classification Perspective. Tutorial slides. Slides 10 to 14.

    Examples
    --------
    >>> from evalstats.multiple import ranks_by_metric
    >>> ranks = ranks_by_metric([[0.9, 60], [0.85, 2], [0.84, 3]], greater_is_better=[True, False], n_best=2)
    >>> ranks.ranks
    array([[1, 3],
           [2, 1],
           [3, 2]])
    >>> ranks.n_among_best
    array([1, 2, 1])
    """
    table = understand_metrics(scores, greater_is_better, classifiers, metrics)
    n_best = _checks.count(n_best, "n_best")
    ordered = np.sort(-table.merits, axis=0)
    ranks = np.stack([1 + np.searchsorted(o, x) for o, x in zip(ordered.T, -table.merits.T, strict=True)], axis=-1)
    n_among_best = (ranks <= n_best).sum(axis=-1)
    nearly = np.flatnonzero(n_among_best >= table.values.shape[1] - 1).tolist()
    return RanksByMetric(
        classifiers=table.classifiers,
        metrics=table.metrics,
        ranks=ranks,
        n_best=n_best,
        n_among_best=n_among_best,
        nearly_always_best=tuple(named(i, table.classifiers) for i in nearly),
    )


class MeasureTable(NamedTuple):
    """Values of shape (n_classifiers, n_metrics), and the direction of each metric."""

    values: FloatArray
    greater_is_better: BoolArray
    classifiers: tuple[Any, ...] | None
    metrics: tuple[Any, ...] | None

    @property
    def merits(self) -> FloatArray:
        """Return the values, with reversed signs if smaller values are better."""
        merits: FloatArray = np.where(self.greater_is_better, self.values, -self.values)
        return merits


def understand_metrics(scores: Any, greater_is_better: Any, classifiers: Any, metrics: Any) -> MeasureTable:
    """Check the table. Names come from the arguments or the table."""
    values = _checks.numbers(scores, "scores")
    if values.ndim != 2 or values.size == 0:
        raise InvalidValueError(
            f"scores must have the shape (n_classifiers, n_metrics), but their shape is {values.shape}"
        )
    values = _checks.moderate(_checks.finite(values, "scores"), "scores")
    k, m = values.shape
    rows = row_names(scores) if classifiers is None else _names(classifiers, "classifiers", k)
    columns = column_names(scores) if metrics is None else _names(metrics, "metrics", m)
    return MeasureTable(values, _directions(greater_is_better, m), rows, columns)


def _names(given: Any, argument: str, n: int) -> tuple[str, ...]:
    known = [_checks.text(name, "a name") for name in _checks.listed(given, argument, "str")]
    if len(known) != n:
        raise InvalidValueError(f"{argument} must hold {n} names, but it holds {len(known)}")
    for name in known:
        if known.count(name) > 1:
            raise InvalidValueError(f"{argument} must be different from each other, but {short(name)} occurs twice")
    return tuple(known)


def _directions(value: Any, m: int) -> BoolArray:
    if isinstance(value, bool | np.bool_):
        return np.full(m, bool(value))
    try:
        listed = _checks.listed(value, "greater_is_better", "True and False")
        directions = [_checks.boolean(one, "greater_is_better of a metric") for one in listed]
    except InvalidTypeError as error:
        raise InvalidTypeError(
            "greater_is_better must be True or False, or a sequence with True or False for each metric, not "
            f"{short(value)}"
        ) from error
    if len(directions) != m:
        raise InvalidValueError(
            f"greater_is_better must hold one value for each of the {m} metrics, not {len(directions)}"
        )
    return np.array(directions, dtype=bool)
