"""Data envelopment analysis of classifiers with several metrics."""

from __future__ import annotations

__all__ = ["DEAEfficiency", "dea_efficiency"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats._errors import EvalstatsError, InvalidValueError, short
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray
from evalstats.multiple.several_metrics import MeasureTable, understand_metrics

# HiGHS solves the program to a tolerance of 1e-7 or better
CLOSE = 1e-6
# HiGHS treats smaller coefficients as 0
SMALLEST = 1e-8
# the weight of a metric is relative to its largest score
SMALLEST_SCALE = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class DEAEfficiency(Record):
    """Result of `dea_efficiency`.

    Attributes
    ----------
    classifiers, metrics : tuple or None
        Names, or None for an array without names.
    efficiencies : ndarray of shape (n_classifiers,)
        Efficiency of each classifier, from 0 to 1: its largest ratio of weighted outputs to weighted inputs. The
        outputs are the metrics to maximize, and the inputs are the metrics to minimize. The weights must not give any
        classifier a ratio above 1.
    is_efficient : ndarray of bool, shape (n_classifiers,)
        Whether the efficiency is 1 and no mixture of classifiers is at least as good in all metrics and better in at
        least one. A mixture is a weighted sum with nonnegative weights.
    weights : ndarray of shape (n_classifiers, n_metrics)
        The weights that maximize the efficiency of each classifier, per unit of each metric. The weights are not always
        unique.
    peers : ndarray of shape (n_classifiers, n_classifiers)
        Weights of the efficient classifiers in a mixture. The outputs of the mixture are at least the outputs of the
        classifier. The inputs of the mixture are at most the inputs of the classifier times the efficiency of the
        classifier.
    """

    classifiers: tuple[Any, ...] | None
    metrics: tuple[Any, ...] | None
    efficiencies: FloatArray
    is_efficient: BoolArray
    weights: FloatArray
    peers: FloatArray

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)


class Sides(NamedTuple):
    """The metrics to maximize and the metrics to minimize, each divided by its largest value."""

    merits: FloatArray
    burdens: FloatArray


def dea_efficiency(
    scores: ArrayLike,
    *,
    greater_is_better: bool | Sequence[bool] = True,
    classifiers: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
) -> DEAEfficiency:
    """Compute the efficiency of each classifier by data envelopment analysis.

    The efficiency is a weighted sum of the metrics to maximize divided by a weighted sum of the metrics to minimize.
    For each classifier, the weights are chosen to maximize its efficiency. Only a classifier with efficiency 1 is the
    best for at least one choice of weights.

    Parameters
    ----------
    scores : array_like of shape (n_classifiers, n_metrics)
        One row per classifier, one column per metric. All scores are 0 or more. The index and the columns of a data
        frame contain the names.
    greater_is_better : bool or sequence of bool, default: True
        Direction of each metric, or of all metrics: False for losses, error rates and times, where a smaller value is
        better. If all metrics have the same direction, the missing part of the ratio is set to 1.
    classifiers, metrics : sequence of str, optional
        Names of the rows and columns. Default: the names in the table.

    Returns
    -------
    DEAEfficiency

    Raises
    ------
    ValueError
        If the scores are not a table of finite nonnegative numbers, or names or directions do not match. If a
        classifier has 0 in every metric to minimize (its efficiency would be infinite), or all classifiers have 0 in
        all metrics to maximize.
    TypeError
        If scores are not numbers.

    References
    ----------
    Nakhaeizadeh, G. & Schnabl, A. (1997). Development of multi-criteria metrics for evaluation of data mining
    algorithms. Proceedings of the Third International Conference on Knowledge Discovery and Data Mining (KDD), 37-42.
    Charnes, A., Cooper, W. W. & Rhodes, E. (1978). Measuring the efficiency of decision making units. European Journal
    of Operational Research 2, 429-444.

    Examples
    --------
    The metrics are the accuracy and the training time in seconds:

    >>> from evalstats.multiple import dea_efficiency
    >>> result = dea_efficiency([[0.9, 60], [0.8, 2], [0.84, 3]], greater_is_better=[True, False])
    >>> result.efficiencies.round(3)
    array([0.038, 1.   , 0.7  ])
    """
    table = understand_metrics(scores, greater_is_better, classifiers, metrics)
    sides = _sides(table)
    frontier = _candidates(sides)
    k = len(table.values)
    values, efficient = np.zeros(k), np.zeros(k, dtype=bool)
    weights, peers = np.empty_like(table.values), np.zeros((k, k))
    on_frontier = np.flatnonzero(frontier).tolist()
    for n_solved, i in enumerate([*on_frontier, *np.flatnonzero(~frontier).tolist()]):
        if n_solved == len(on_frontier):  # the other classifiers are compared with the efficient ones
            frontier = frontier & (values > 1 - CLOSE)
        values[i], peers[i, frontier], of_merits, of_burdens = _program(sides, i, frontier)
        all_count = min(of_merits.min(), of_burdens.min()) > CLOSE
        efficient[i] = values[i] > 1 - CLOSE and (all_count or not _has_slack(sides, i, frontier))
        if table.greater_is_better.any():
            weights[i, table.greater_is_better] = of_merits
        if not table.greater_is_better.all():
            weights[i, ~table.greater_is_better] = of_burdens
    largest = table.values.max(axis=0)
    return DEAEfficiency(
        classifiers=table.classifiers,
        metrics=table.metrics,
        efficiencies=values,
        is_efficient=efficient,
        weights=weights / np.where(largest > 0, largest, 1.0),
        peers=peers,
    )


def _sides(table: MeasureTable) -> Sides:
    if table.values.min() < 0:
        i, j = np.argwhere(table.values < 0)[0].tolist()
        place = f"{_told(j, table.metrics, 'column')} of {_told(i, table.classifiers, 'row')} is {table.values[i, j]:g}"
        raise InvalidValueError(f"scores must be nonnegative for dea_efficiency, but {place}")
    largest = table.values.max(axis=0)
    if ((largest > 0) & (largest < SMALLEST_SCALE)).any():
        j = int(np.argmax((largest > 0) & (largest < SMALLEST_SCALE)))
        raise InvalidValueError(
            f"the largest score of a metric must be 0 or at least {SMALLEST_SCALE:g} for dea_efficiency, but "
            f"the scores of {_told(j, table.metrics, 'column')} go up to {largest[j]:g}; use a smaller unit"
        )
    shares = table.values / np.where(largest > 0, largest, 1.0)
    merits, burdens = shares[:, table.greater_is_better], shares[:, ~table.greater_is_better]
    one = np.ones((len(shares), 1))
    merits, burdens = (side if side.shape[1] else one for side in (merits, burdens))
    if not merits.any():
        raise InvalidValueError(
            "scores must hold a number above 0 in a metric to maximize, but all are 0, so every efficiency would be 0"
        )
    if (burdens.max(axis=1) < SMALLEST).any():
        name = _told(int(np.argmin(burdens.max(axis=1))), table.classifiers, "row")
        raise InvalidValueError(
            f"scores must be above 0 in a metric to minimize, but all such scores of {name} are 0 or nearly 0; omit "
            "these metrics or the classifier"
        )
    return Sides(merits, burdens)


def _told(place: int, names: tuple[Any, ...] | None, axis: str) -> str:
    return f"{axis} {place}" if names is None else short(names[place])


def _candidates(sides: Sides) -> BoolArray:
    """Return the nondominated classifiers, and only the first of several equal classifiers."""
    everything = np.hstack([sides.merits, -sides.burdens])
    k = len(everything)
    no_worse, better = np.ones((k, k), dtype=bool), np.zeros((k, k), dtype=bool)
    for merit in everything.T:
        no_worse &= merit[:, None] >= merit
        better |= merit[:, None] > merit
    equal_and_before = no_worse & no_worse.T & np.triu(np.ones((k, k), dtype=bool), 1)
    is_beaten: BoolArray = np.any((no_worse & better) | equal_and_before, axis=0)
    return ~is_beaten


def _program(sides: Sides, i: int, frontier: BoolArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Solve the envelopment form of the linear program. Its multipliers are the weights of the metrics.

    The program minimizes the factor of the inputs of i (Charnes, Cooper & Rhodes 1978, eq. 5). For this factor, a
    mixture of classifiers has at least the outputs of i and at most the reduced inputs of i.
    """
    merits, burdens = sides.merits[frontier], sides.burdens[frontier]
    n_merits, n_burdens = merits.shape[1], burdens.shape[1]
    limits = np.zeros((n_merits + n_burdens, merits.shape[0] + 1))
    limits[:n_merits, 1:] = -merits.T
    limits[n_merits:, 1:] = burdens.T
    limits[n_merits:, 0] = -sides.burdens[i]
    bound = np.append(-sides.merits[i], np.zeros(n_burdens))
    cost = np.zeros(limits.shape[1])
    cost[0] = 1.0
    solution = _solve(cost, limits, bound)
    multipliers = -solution.ineqlin.marginals
    share = min(max(float(solution.x[0]), 0.0), 1.0)
    return share, solution.x[1:].clip(0), multipliers[:n_merits].clip(0), multipliers[n_merits:].clip(0)


def _has_slack(sides: Sides, i: int, frontier: BoolArray) -> bool:
    """Return whether a mixture of other classifiers is at least as good in all metrics and better in one metric."""
    everything = np.hstack([sides.merits, -sides.burdens])
    n_metrics, n_others = everything.shape[1], int(frontier.sum())
    limits = np.hstack([np.eye(n_metrics), -everything[frontier].T])
    cost = np.append(-np.ones(n_metrics), np.zeros(n_others))
    return bool(-_solve(cost, limits, -everything[i]).fun > CLOSE)


def _solve(cost: FloatArray, limits: FloatArray, bound: FloatArray) -> Any:
    from scipy.optimize import linprog

    solution = linprog(cost, A_ub=limits, b_ub=bound, method="highs-ds", options={"presolve": False})
    if solution.status != 0:
        raise EvalstatsError(f"the linear program was not solved: {solution.message}")
    return solution
