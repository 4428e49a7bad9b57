"""Which rank does each classifier get, dataset by dataset and on average? 1 is the best, ties share their mean rank."""

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
    """Rank of each classifier on each dataset; multiples of one half."""
    values = rounded(scores, tie_tolerance)
    return midranks(-values if greater_is_better else values)


def mean_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Mean rank of each classifier: scores of shape (..., n_datasets, n_classifiers) give (..., n_classifiers)."""
    return np.asarray(dataset_ranks(scores, greater_is_better, tie_tolerance).sum(axis=-2) / scores.shape[-2])


def standard_error(n_datasets: int, n_classifiers: int) -> float:
    """Return the standard error of the difference of two mean ranks, if no classifiers differ and none are tied."""
    return math.sqrt(n_classifiers * (n_classifiers + 1) / (6 * n_datasets))  # Demšar (2006), section 3.2.2


def standardized(rank_sum_difference: Any, n_datasets: int, n_classifiers: int) -> FloatArray:
    """Return a difference of rank sums as a difference of mean ranks in standard errors.

    Rank sums are exact, mean ranks are not: so equal differences give equal statistics and p-values, to the last bit.
    """
    return np.asarray(rank_sum_difference / (n_datasets * standard_error(n_datasets, n_classifiers)))


def reason_if_all_tied(ranks: FloatArray) -> Any:
    """Sentence where no dataset tells any two classifiers apart, else None."""
    all_tied = np.all(ranks == ranks[..., :1], axis=(-2, -1))
    return reasons(all_tied.shape, (all_tied, ALL_TIED))
