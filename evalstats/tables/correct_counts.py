"""Numbers of correct predictions in each fold, counted for all folds at once and for any number of labels."""

from __future__ import annotations

__all__ = ["OF_RIGHT_CASES", "RightCounts", "right_counts"]

from typing import NamedTuple

import numpy as np

from evalstats._types import FloatArray, IndexArray
from evalstats.metrics.labels import score_from_counts
from evalstats.tables.categorical import joined
from evalstats.tables.predictions import Predictions

# metrics that need nothing else of the confusion counts
OF_RIGHT_CASES = ("accuracy", "error_rate")


class RightCounts(NamedTuple):
    """Counts of each run (a repeat of a classifier on a dataset) and of its folds, in the order of rows.

    Arrays of runs have the shape (n_runs,), those of folds (n_folds_of_all_runs,).
    """

    dataset: IndexArray  # of each run
    classifier: IndexArray
    repeat: IndexArray
    scores: FloatArray  # of all instances of each run
    n_instances: IndexArray
    begins: IndexArray  # (n_runs + 1,): where the folds of each run begin
    fold: IndexArray  # of each fold
    fold_scores: FloatArray


def right_counts(predictions: Predictions, metric: str) -> RightCounts:
    """Compute the score of each fold, and of each repeat, by a metric of `OF_RIGHT_CASES`."""
    rows = predictions
    keys = rows.dataset, rows.classifier, rows.repeat
    differs = np.zeros(len(rows.y_true), dtype=bool)
    differs[0] = True
    for key in keys:
        if key.strides != (0,):  # one value in all rows
            differs[1:] |= key[1:] != key[:-1]
    starts = np.flatnonzero(differs)
    run = np.cumsum(differs, dtype=np.intp) - 1
    first, code = joined([run, rows.fold])
    weight = None if rows._counted is None else rows._counted.n_instances
    is_right = rows.y_true == rows.y_pred
    n = np.bincount(code, weight).astype(np.intp)
    n_right = np.bincount(code, is_right if weight is None else is_right * weight).astype(np.intp)
    of_run = run[first]
    begins = np.searchsorted(of_run, np.arange(len(starts) + 1))
    totals, totals_right = (np.add.reduceat(counts, begins[:-1]) for counts in (n, n_right))
    return RightCounts(
        dataset=rows.dataset[starts],
        classifier=rows.classifier[starts],
        repeat=rows.repeat[starts],
        scores=_scores(metric, totals, totals_right),
        n_instances=totals,
        begins=begins,
        fold=rows.fold[first],
        fold_scores=_scores(metric, n, n_right),
    )


def _scores(metric: str, n: IndexArray, n_right: IndexArray) -> FloatArray:
    """Return the score of each count: the metric depends only on the numbers of correct and incorrect predictions."""
    tables = np.zeros((len(n), 2, 2), dtype=np.int64)
    tables[:, 0, 0], tables[:, 0, 1] = n_right, n - n_right
    scores: FloatArray = score_from_counts(metric, tables, undefined="nan")
    return scores
