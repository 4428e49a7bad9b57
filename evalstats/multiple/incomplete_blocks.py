"""Which scores of a table with missing cells can be compared, how do they rank, and what would chance make of them?

A dataset compares the classifiers that it has scores of. `values` are centred ranks, 0 where a score is missing; their
column sums have the covariance of a random order within every dataset, which is the Laplacian of a graph: classifiers
are linked where a dataset that does not tie all of them has both.
"""

from __future__ import annotations

__all__ = [
    "METHODS_BESIDE",
    "choose_method",
    "incomplete_scores",
    "inverse_covariance",
    "linked_groups",
    "monte_carlo_tail",
    "observed_ranks",
    "quadratic_form",
]

from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._ranks import midranks, rounded
from evalstats._types import BoolArray, FloatArray, IndexArray

METHODS_BESIDE = ("auto", "monte-carlo", "chi2")
AUTO_DATASETS, AUTO_SEED = 20, 0
ROUNDING = 1e-9  # statistics that differ by less are equal
BLOCK = 2**20  # values drawn at a time


def incomplete_scores(scores: Any) -> FloatArray:
    """Return scores of shape (..., n_datasets, n_classifiers), nan where one is missing; infinities are refused."""
    array = _checks.numbers(scores, "scores")
    missing = np.isnan(array)
    filled: Any = np.where(missing, 0.0, array)
    if hasattr(scores, "index") and hasattr(scores, "columns"):
        filled = type(scores)(filled, index=scores.index, columns=scores.columns)
    return np.where(missing, np.nan, _checks.score_matrix(filled))


def observed_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Rank of each score among those that the dataset has, 1 for the best; nan where it is missing."""
    missing = np.isnan(scores)
    values = rounded(np.where(missing, 0.0, -scores if greater_is_better else scores), tie_tolerance)
    return np.where(missing, np.nan, midranks(np.where(missing, np.inf, values)))


def inverse_covariance(there: BoolArray, variance: FloatArray) -> FloatArray:
    """Return a generalised inverse of the covariance of the column sums, exact in rank.

    The covariance is the sum over the datasets of s^2 (diag(t) - t t' / m) with t telling which m scores are there, and
    s^2 the `variance` of the values of the dataset (with m - 1).
    """
    t = there.astype(np.float64)
    per_score = np.divide(variance, t.sum(axis=1), out=np.zeros(len(t)), where=t.any(axis=1))
    covariance = np.diag(variance @ t) - (t * per_score[:, None]).T @ t
    group = linked_groups(there[variance > 0])
    scale = max(float(np.trace(covariance)) / len(covariance), 1.0)
    return np.asarray(np.linalg.inv(covariance + scale * (group[:, None] == group)))


def linked_groups(there: BoolArray) -> IndexArray:
    """Return for each classifier the first of those that chains of datasets compare it with, itself included."""
    t = there.astype(np.float64)
    linked = (t.T @ t > 0) | np.eye(t.shape[1], dtype=bool)
    while True:
        further = linked.astype(np.float64) @ linked > 0
        if (further == linked).all():
            return np.asarray(np.argmax(linked, axis=1))
        linked = further


def quadratic_form(sums: FloatArray, inverse: FloatArray) -> FloatArray:
    """Return s' V s along the last axis."""
    return np.asarray(((sums @ inverse) * sums).sum(axis=-1))


def choose_method(method: str, n_informative: int) -> str:
    """Return the null distribution to use; by default chi-squared from 20 datasets on that do not tie all."""
    if method != "auto":
        return method
    return "chi2" if n_informative >= AUTO_DATASETS else "monte-carlo"


def monte_carlo_tail(
    values: FloatArray, there: BoolArray, inverse: FloatArray, observed: FloatArray, n_resamples: int, generator: Any
) -> FloatArray:
    """(b + 1) / (m + 1), with b of m random orders within the datasets whose quadratic form reaches the observed."""
    count = np.zeros(len(observed))
    rows = [(np.flatnonzero(t), v[t]) for v, t in zip(values, there, strict=True) if np.any(v)]
    step = max(1, BLOCK // values.shape[1])
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        sums = np.zeros((size, values.shape[1]))
        for columns, row in rows:
            sums[:, columns] += generator.permuted(np.broadcast_to(row, (size, len(row))), axis=1)
        drawn = quadratic_form(sums, inverse)
        count += (drawn >= observed[:, None] * (1 - ROUNDING)).sum(axis=1)
    return (count + 1) / (n_resamples + 1)
