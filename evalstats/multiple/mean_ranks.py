"""Ranks of classifiers on datasets, and the mean ranks. Rank 1 is the best, and ties get the mean of their ranks."""

from __future__ import annotations

__all__ = ["ALL_TIED", "dataset_ranks", "mean_ranks", "reason_if_all_tied", "standard_error", "standardized"]

import math
from typing import Any

import numpy as np

from evalstats._ranks import midranks, rounded
from evalstats._result import reasons
from evalstats._types import FloatArray

ALL_TIED = "all classifiers are tied on every dataset"


def dataset_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Return the rank of each classifier on each dataset, a multiple of one half."""
    values = rounded(scores, tie_tolerance)
    return midranks(-values if greater_is_better else values)


def mean_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Return the mean rank of each classifier: (..., n_datasets, n_classifiers) becomes (..., n_classifiers)."""
    return np.asarray(dataset_ranks(scores, greater_is_better, tie_tolerance).sum(axis=-2) / scores.shape[-2])


def standard_error(n_datasets: int, n_classifiers: int) -> float:
    """Return the standard error of the difference of two mean ranks if no classifiers differ and there are no ties."""
    return math.sqrt(n_classifiers * (n_classifiers + 1) / (6 * n_datasets))  # Demšar (2006), section 3.2.2


def standardized(rank_sum_difference: Any, n_datasets: int, n_classifiers: int) -> FloatArray:
    """Convert a difference of rank sums to a difference of mean ranks in standard errors.

    Rank sums are exact, unlike mean ranks. Equal differences therefore have exactly equal statistics and p-values.
    """
    return np.asarray(rank_sum_difference / (n_datasets * standard_error(n_datasets, n_classifiers)))


def reason_if_all_tied(ranks: FloatArray) -> Any:
    """Return a sentence if all classifiers are tied on every dataset, otherwise None."""
    all_tied = np.all(ranks == ranks[..., :1], axis=(-2, -1))
    return reasons(all_tied.shape, (all_tied, ALL_TIED))
