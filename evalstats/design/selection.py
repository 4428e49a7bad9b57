"""Sensitivity of a ranking to the selection of the datasets."""

from __future__ import annotations

__all__ = ["DatasetSelectionSensitivity", "dataset_selection_sensitivity"]

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.multiple.mean_ranks import dataset_ranks

# maximum number of selections for a complete enumeration
MOST_SELECTIONS = 200_000


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetSelectionSensitivity(Record):
    """Result of `dataset_selection_sensitivity`.

    Attributes
    ----------
    win_proportion : ndarray of shape (n_classifiers,)
        Proportion of the selections in which the classifier has the best mean rank. Tied classifiers share a win.
    best_selection : ndarray of int, shape (n_classifiers, n_selected)
        The most favorable of the examined selections for the classifier: the selection with the largest lead over the
        strongest competitor.
    wins_somewhere : ndarray of bool, shape (n_classifiers,)
        Whether the classifier is the only best classifier in any examined selection.
    mean_ranks : ndarray of shape (n_classifiers,)
        Mean ranks over all datasets.
    n_selected, n_datasets : int
        Number of selected datasets, and number of all datasets.
    n_selections : int
        Number of examined selections.
    is_exact : bool
        Whether all selections were examined.
    seed : int or None
        Seed of the random selections, or None if all selections were examined or `rng` was a Generator.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    """

    win_proportion: FloatArray
    best_selection: IntArray
    wins_somewhere: BoolArray
    mean_ranks: FloatArray
    n_selected: int
    n_datasets: int
    n_selections: int
    is_exact: bool
    seed: int | None
    classifiers: tuple[Any, ...] | None

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)


def dataset_selection_sensitivity(
    scores: ArrayLike,
    *,
    n_selected: int,
    greater_is_better: bool = True,
    n_resamples: int = 20_000,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> DatasetSelectionSensitivity:
    """Compute how much a ranking depends on the selection of the datasets.

    If there are many datasets, nearly every classifier wins on some selection of the datasets. Check whether a paper
    states how its datasets were chosen.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_classifiers)
        One row per dataset and one column per classifier.
    n_selected : int
        Number of selected datasets.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    n_resamples : int, default: 20000
        Number of random selections, if there are more than 200,000 selections.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    DatasetSelectionSensitivity

    Raises
    ------
    ValueError
        If `scores` has the wrong shape or contains nan or infinity, or `n_selected` is larger than the number of
        datasets.
    TypeError
        If an argument has the wrong type.

    References
    ----------
    LaLoudouana, D. & Tarate, M. B. (2003). Data set selection. Journal of Machine Learning Gossip 1, 11-19.

    Examples
    --------
    >>> from evalstats import example_table
    >>> from evalstats.design import dataset_selection_sensitivity
    >>> table = example_table("japkowicz-accuracy")
    >>> found = dataset_selection_sensitivity(table.scores, n_selected=3)
    >>> table.classifiers, found.win_proportion.round(2)
    (('NB', 'SVM', 'AdaBoost', 'Random Forest'), array([0.09, 0.25, 0.  , 0.65]))
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    table = _checks.score_matrix(scores)
    if table.ndim != 2:
        raise InvalidValueError(
            f"scores must have the shape (n_datasets, n_classifiers), but its shape is {table.shape}"
        )
    n = len(table)
    n_selected = _checks.count(n_selected, "n_selected")
    if n_selected > n:
        raise InvalidValueError(f"n_selected must be at most the number of datasets, {n}, not {n_selected}")
    n_resamples, source = _checks.resampling(n_resamples, rng)
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")

    ranks = dataset_ranks(table, greater_is_better, tie_tolerance)
    is_exact = math.comb(n, n_selected) <= MOST_SELECTIONS
    picked = _all_selections(n, n_selected) if is_exact else _some(n, n_selected, n_resamples, source.generator())
    sums = ranks[picked].sum(axis=1)  # multiples of one half: exact
    best = sums == sums.min(axis=1, keepdims=True)
    ahead = _ahead(sums)
    return DatasetSelectionSensitivity(
        win_proportion=(best / best.sum(axis=1, keepdims=True)).mean(axis=0),
        best_selection=np.sort(picked[ahead.argmax(axis=0)], axis=1),
        wins_somewhere=np.asarray((ahead > 0).any(axis=0)),
        mean_ranks=ranks.mean(axis=0),
        n_selected=n_selected,
        n_datasets=n,
        n_selections=len(picked),
        is_exact=is_exact,
        seed=None if is_exact else source.seed,
        classifiers=column_names(scores),
    )


def _ahead(sums: FloatArray) -> FloatArray:
    """Return the rank sum of each classifier minus the rank sum of its strongest competitor, in each selection."""
    first, second = np.partition(sums, 1, axis=1)[:, :2].T
    rival = np.where(sums == first[:, None], second[:, None], first[:, None])
    return np.asarray(rival - sums)


def _all_selections(n: int, n_selected: int) -> IntArray:
    flat = itertools.chain.from_iterable(itertools.combinations(range(n), n_selected))
    return np.fromiter(flat, dtype=np.int64).reshape(-1, n_selected)


def _some(n: int, n_selected: int, n_resamples: int, generator: np.random.Generator) -> IntArray:
    drawn = generator.permuted(np.tile(np.arange(n), (n_resamples, 1)), axis=1)
    return np.asarray(drawn[:, :n_selected], dtype=np.int64)
