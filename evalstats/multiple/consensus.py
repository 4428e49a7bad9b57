"""Consensus ranking over several tasks."""

from __future__ import annotations

__all__ = ["ConsensusRanking", "consensus_of", "consensus_ranking"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import Record
from evalstats._types import FloatArray, IndexArray, IntArray
from evalstats.metrics.cluster_variance import numbered
from evalstats.multiple.resampled_rankings import kendall_tau_b, min_ranks, units_of
from evalstats.multiple.stability import (
    RankingChange,
    RankingStability,
    Settings,
    instance_scores,
    ranking_change,
    resample_summary,
    stability_of,
)

ALL_TIED = "all classifiers are tied in the consensus, so its rank correlation with other rankings is undefined"


@dataclass(frozen=True, kw_only=True, eq=False)
class ConsensusRanking(Record):
    """Result of `consensus_ranking`.

    Attributes
    ----------
    tasks : tuple
        Names of the tasks, in the order of their first rows.
    weights : ndarray of shape (n_tasks,)
        Weights of the tasks, which add up to 1.
    mean_ranks : ndarray of shape (k,)
        Weighted mean over the tasks of the ranks of each classifier.
    ranks : ndarray of int, shape (k,)
        The consensus: ranks of the mean ranks. Ties get the smallest of their ranks.
    ranks_by_task : ndarray of int, shape (n_tasks, k)
        Ranks on each task.
    task_agreement : ndarray of shape (n_tasks, n_tasks)
        Kendall's tau-b between the rankings on each pair of tasks.
    frequencies, podium, rank_lower, rank_upper, confidence_level : ndarrays, float
        Ranks of the consensus in the resamples, as in `RankingStability`.
    tau, mean_tau, tau_lower, tau_upper, n_all_tied : ndarray, float, int
        Kendall's tau-b between the consensus of each resample and the consensus of all instances, with the other fields
        as in `RankingStability`.
    same_winner, same_podium, same_ranking : float
        Proportions of the resamples, as in `RankingStability`.
    task_changes : tuple of RankingChange
        The tasks whose omission changes the consensus.
    by_task : tuple of RankingStability
        The stability of the ranking on each task.
    n_tasks, n_classifiers, n_resamples : int
        Numbers of tasks, classifiers and resamples.
    seed : int or None
        Seed of the resamples, or None if `rng` was a Generator.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    reason : str or None
        A sentence if the input was degenerate, otherwise None.
    """

    tasks: tuple[Any, ...]
    weights: FloatArray
    mean_ranks: FloatArray
    ranks: IntArray
    ranks_by_task: IntArray
    task_agreement: FloatArray
    frequencies: FloatArray
    podium: FloatArray
    rank_lower: IntArray
    rank_upper: IntArray
    confidence_level: float
    tau: FloatArray
    mean_tau: float
    tau_lower: float
    tau_upper: float
    n_all_tied: int
    same_winner: float
    same_podium: float
    same_ranking: float
    task_changes: tuple[RankingChange, ...]
    by_task: tuple[RankingStability, ...]
    n_tasks: int
    n_classifiers: int
    n_resamples: int
    seed: int | None
    classifiers: tuple[Any, ...] | None
    reason: str | None

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)


def consensus_ranking(
    scores: ArrayLike,
    tasks: ArrayLike,
    *,
    weights: Mapping[Any, float] | None = None,
    rule: str = "mean",
    quantile: float = 0.5,
    clusters: ArrayLike | None = None,
    significance: str = "pairs",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Any = None,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> ConsensusRanking:
    """Estimate the consensus ranking over several tasks and its stability.

    The classifiers are ranked on each task by `rule`, and the consensus ranks them by the mean of these ranks. In each
    resample, the instances of every task are drawn with replacement within the task. The set of tasks is fixed.

    Parameters
    ----------
    scores : array_like of shape (n_instances, n_classifiers)
        One row per instance, one column per classifier. Each task has at least two rows.
    tasks : array_like of shape (n_instances,)
        The task of each row.
    weights : mapping of task to float, optional
        Weight of each task in the mean of the ranks, at least 0. None: equal weights.
    rule : str, default: 'mean'
        As in `ranking_stability`.
    quantile : float, default: 0.5
        As in `ranking_stability`.
    significance : {'pairs', 'ordered-pairs'}, default: 'pairs'
        As in `ranking_stability`.
    alpha : float, default: 0.05
        Significance level of the pairwise tests.
    confidence_level : float, default: 0.95
        Level of the percentile intervals of the ranks and of tau.
    clusters : array_like of shape (n_instances,), optional
        The cluster of each row, such as the patient of an image. Clusters are drawn as a whole within each task.
    n_resamples : int, default: 10000
        Number of random resamples.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    ConsensusRanking

    Raises
    ------
    ValueError
        If scores have the wrong shape, or contain nan or infinity. If there is only one task, or a task has only one
        instance or cluster. If a weight is missing, negative or infinite, or an option is unknown.
    TypeError
        If an argument has the wrong type.

    See Also
    --------
    ranking_stability : the stability of the ranking on one task.

    References
    ----------
    Wiesenfarth, M., Reinke, A., Landman, B. A., Eisenmann, M., Aguilera Saiz, L., Cardoso, M. J., Maier-Hein, L. &
    Kopp-Schneider, A. (2021). Methods and open-source toolkit for analyzing and visualizing challenge results.
    Scientific Reports 11, 2369.

    Examples
    --------
    >>> from evalstats.multiple import consensus_ranking
    >>> scores = [[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8], [0.4, 0.6, 0.5], [0.3, 0.5, 0.6]]
    >>> result = consensus_ranking(scores, ["liver"] * 4 + ["spleen"] * 2)
    >>> result.ranks_by_task
    array([[1, 2, 3],
           [3, 1, 1]])
    >>> result.mean_ranks, result.ranks
    (array([2. , 1.5, 2. ]), array([2, 1, 2]))
    """
    tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = instance_scores(scores)
    task, names = numbered(tasks, "tasks", "task", len(matrix), rows=["scores"], scores=scores)
    if len(names) < 2:
        raise InvalidValueError("tasks must have at least two different values; for one task, use ranking_stability")
    if (alone := np.flatnonzero(np.bincount(task) < 2)).size:
        raise InvalidValueError(f"tasks must have at least two instances each, but {short(names[alone[0]])} has one")
    group = (
        None
        if clusters is None
        else numbered(clusters, "clusters", "cluster", len(matrix), rows=["scores"], scores=scores)[0]
    )
    settings = Settings.checked(
        tolerance,
        rule=rule,
        quantile=quantile,
        significance=significance,
        alpha=alpha,
        confidence_level=confidence_level,
        method="monte-carlo",
        n_resamples=n_resamples,
        greater_is_better=greater_is_better,
    )
    return consensus_of(
        matrix, task, names, group, _shares(weights, names), settings, _checks.random_source(rng), column_names(scores)
    )


def consensus_of(
    matrix: FloatArray,
    task: IndexArray,
    names: Sequence[Any],
    group: Any,
    shares: FloatArray,
    settings: Settings,
    source: Any,
    columns: tuple[Any, ...] | None,
    unit: str = "instance",
    labels: Sequence[Any] | None = None,
) -> ConsensusRanking:
    """Return the consensus of checked scores. `task` contains positions in `names`; `group` contains clusters."""
    generator = source.generator()
    found = {}
    for number in sorted(range(len(names)), key=lambda at: repr(names[at])):  # draws do not depend on the order of rows
        rows = task == number
        units = units_of(None if group is None else group[rows], matrix[rows], None, settings.tie_tolerance)
        if labels is not None and group is None:
            units = units._replace(labels=[labels[row] for row in np.flatnonzero(rows).tolist()])
        found[number] = stability_of(matrix[rows], units, settings, generator, source.seed, columns, unit)
    by_task = tuple(found[number] for number in range(len(names)))
    ranks_by_task = np.array([one.ranks for one in by_task])
    mean_ranks = shares @ ranks_by_task
    ranks = _ranked(mean_ranks)
    drawn = _ranked(sum(share * one._drawn for share, one in zip(shares.tolist(), by_task, strict=True)))
    return ConsensusRanking(
        tasks=tuple(names),
        weights=shares,
        mean_ranks=mean_ranks,
        ranks=ranks,
        ranks_by_task=ranks_by_task,
        task_agreement=np.array([kendall_tau_b(ranks_by_task, one) for one in ranks_by_task]),
        **resample_summary(drawn, ranks, settings.confidence_level),
        task_changes=_without_tasks(ranks_by_task, shares, ranks, names, columns),
        by_task=by_task,
        n_tasks=len(names),
        n_classifiers=matrix.shape[1],
        seed=source.seed,
        classifiers=columns,
        reason=ALL_TIED if (ranks == 1).all() else None,
    )


def _shares(weights: Any, names: list[Any]) -> FloatArray:
    """Return the weights of the tasks, normalized to sum to 1."""
    if weights is None:
        return np.full(len(names), 1 / len(names))
    if not isinstance(weights, Mapping):
        raise InvalidTypeError(f"weights must be a mapping from tasks to numbers, not {short(weights)}")
    if set(weights) != set(names):
        raise InvalidValueError(f"weights must have the keys {listed(names)}, but they have {listed(list(weights))}")
    values = np.array([_checks.finite_real(weights[name], "weights") for name in names])
    if (values < 0).any() or not values.sum() > 0 or not math.isfinite(values.sum()):
        raise InvalidValueError(
            f"weights must be at least 0, and at least one weight must be above 0, but they are {values.tolist()}"
        )
    return np.asarray(values / values.sum())


def _ranked(mean_ranks: FloatArray) -> IntArray:
    return min_ranks(rounded(mean_ranks))


def _without_tasks(
    ranks_by_task: IntArray, shares: FloatArray, ranks: IntArray, names: Sequence[Any], columns: tuple[Any, ...] | None
) -> tuple[RankingChange, ...]:
    """Return the tasks whose omission changes the consensus ranking."""
    everything = np.arange(len(ranks))
    found = []
    for out, name in enumerate(names):
        left = np.delete(np.arange(len(names)), out)
        if not shares[left].sum() > 0:
            continue
        without = _ranked(shares[left] @ ranks_by_task[left] / shares[left].sum())
        found.append(ranking_change(name, ranks, without, everything, columns))
    return tuple(change for change in found if change.pairs)
