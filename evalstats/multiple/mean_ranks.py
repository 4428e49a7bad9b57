"""Ranks of classifiers on datasets, their means, and p-values of differences of rank sums.

Rank 1 is the best, and ties get the mean of their ranks. Differences are for all pairs or with a control. The value of
the control, which is not compared with itself, is nan in every array.
"""

from __future__ import annotations

__all__ = [
    "ALL_TIED",
    "all_agree",
    "checked_ranks",
    "dataset_ranks",
    "mean_ranks",
    "mean_zero",
    "normal_statistic",
    "pair_differences",
    "reason_against_t",
    "reason_if_all_tied",
    "residual",
    "standard_error",
    "standardized",
    "t_pvalue",
    "t_statistic",
]

import math
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._ranks import midranks, rounded
from evalstats._result import reasons
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails

ALL_TIED = "all classifiers are tied on every dataset"
ALL_AGREE = "all datasets agree, so there is no residual variance and the t distribution does not apply"
BLOCK = 2**14  # pairs that are processed together: the t distribution needs half a kilobyte for each pair


def dataset_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Return the rank of each classifier on each dataset, a multiple of one half."""
    values = rounded(scores, tie_tolerance)
    return midranks(-values if greater_is_better else values)


def checked_ranks(
    scores: Any, greater_is_better: Any, tie_tolerance: Any
) -> tuple[FloatArray, int, int, _checks.Tolerance]:
    """Check the arguments, and return the ranks, the numbers of datasets and classifiers, and the tolerance."""
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance)
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    return dataset_ranks(matrix, greater_is_better, tie_tolerance), n, k, tie_tolerance


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


def reason_if_all_tied(ranks: FloatArray, *others: tuple[BoolArray, str]) -> Any:
    """Return a sentence if all classifiers are tied on every dataset; otherwise the first of the others, or None."""
    all_tied = np.all(ranks == ranks[..., :1], axis=(-2, -1))
    return reasons(all_tied.shape, (all_tied, ALL_TIED), *others)


def pair_differences(sums: FloatArray, control: int | None) -> FloatArray:
    """Return sums[i] - sums[j] for all pairs, (..., k, k), or sums[i] - sums[control], (..., k)."""
    if control is None:
        return np.asarray(sums[..., :, None] - sums[..., None, :])
    difference = sums - sums[..., [control]]
    difference[..., control] = np.nan
    return np.asarray(difference)


def mean_zero(ranks: FloatArray) -> FloatArray:
    """Return doubled ranks minus k + 1, which are integers with mean 0 on every dataset."""
    return np.asarray(2 * ranks - (ranks.shape[-1] + 1))


def normal_statistic(difference: FloatArray, variance: FloatArray) -> FloatArray:
    """Return differences in standard deviations, with one variance per table, or 0 if all are tied."""
    return np.asarray(difference / np.sqrt(_per_pair(np.where(variance > 0, variance, 1.0), difference)))


def residual(rows: FloatArray) -> FloatArray:
    """Return n sum(rows^2) - sum(column sums^2), the residual after subtracting the column differences.

    `rows` contains integers of shape (..., n, k), with mean 0 in every row.
    """
    within = rows.shape[-2] * (rows**2).sum(axis=(-2, -1)) - (rows.sum(axis=-2) ** 2).sum(axis=-1)
    return np.where(all_agree(rows), 0.0, np.maximum(within, 0.0))  # above 2^53, the difference is not exact


def all_agree(rows: FloatArray) -> BoolArray:
    """Return whether all rows of a table are equal."""
    return np.asarray((rows == rows[..., :1, :]).all(axis=(-2, -1)))


def t_statistic(difference: FloatArray, rows: FloatArray) -> FloatArray:
    """Return differences of column sums divided by their standard error, from the residual of the rows.

    The standard error is sqrt(2 residual / ((n - 1)(k - 1))): Conover (1999), section 5.8. The statistic is infinite if
    the residual is 0, unless the difference is also 0.
    """
    scale = _per_pair(np.sqrt(2 * residual(rows) / max(_df(rows), 1)), difference)
    with np.errstate(divide="ignore"):
        return np.asarray(difference / np.where((scale == 0) & (difference == 0), 1.0, scale))


def t_pvalue(difference: FloatArray, rows: FloatArray) -> FloatArray:
    """Compute P(|T| >= |t_statistic|). Return nan if the residual is 0 and the difference is not."""
    left = np.broadcast_to(_per_pair(residual(rows), difference), difference.shape)
    between, within = (difference**2).ravel(), np.where(left > 0, 2 * left, 1.0).ravel()
    parts = (slice(start, start + BLOCK) for start in range(0, between.size, BLOCK))
    pvalues = [tails.f_pvalue(between[part], within[part], 1, max(_df(rows), 1)) for part in parts]
    pvalue = np.concatenate(pvalues).reshape(difference.shape)
    return np.where((left == 0) & (difference != 0), np.nan, pvalue)


def reason_against_t(rows: FloatArray) -> Any:
    """Return a sentence if all scores are tied or there is no residual variance; otherwise None."""
    return reason_if_all_tied(rows, (all_agree(rows), ALL_AGREE))


def _df(rows: FloatArray) -> int:
    n: int = rows.shape[-2]
    k: int = rows.shape[-1]
    return (n - 1) * (k - 1)


def _per_pair(values: FloatArray, difference: FloatArray) -> FloatArray:
    """Append the axes of the pairs to an array with one value per table."""
    return values.reshape(values.shape + (1,) * (difference.ndim - values.ndim))
