"""Conversion of correct and incorrect answers to predictions, and their numbers in each fold.

If each model has one correct or incorrect answer to each question of one benchmark, without clusters, this module
converts the answers to predictions. The results of a comparison therefore do not depend on the layout of the source.
"""

from __future__ import annotations

__all__ = [
    "METRICS_OF_RIGHT",
    "OF_RIGHT_CASES",
    "WORD",
    "RightCounts",
    "RightPatterns",
    "answers_of_predictions",
    "are_single_answers",
    "is_right_or_wrong",
    "patterns_of_words",
    "predictions_of_answers",
    "right_counts",
    "right_patterns",
]

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.metrics.labels import score_from_counts
from evalstats.tables.aligned_instances import aligned_cases
from evalstats.tables.categorical import joined
from evalstats.tables.items import QuestionScores
from evalstats.tables.predictions import Predictions

# labels of answers that are marked as correct or incorrect
RIGHT, WRONG = "right", "wrong"
# metrics that can be computed from these labels
METRICS_OF_RIGHT = ("accuracy", "error_rate")


def are_single_answers(items: QuestionScores) -> bool:
    """Return whether each model has one correct (1) or incorrect (0) answer to each question of one benchmark.

    Clusters with one question each do not count as clusters.
    """
    if items.benchmark.any() or items.n_samples.max() > 1:
        return False
    if items.cluster is not None and len(np.unique(items.cluster)) < len(items.questions):
        return False
    return bool(np.isin(items.scores, (0.0, 1.0)).all())


def predictions_of_answers(
    items: QuestionScores, dataset: str, classifiers: Sequence[str], *, greater_is_better: bool, source: str | None
) -> Predictions:
    """Convert individual answers to predictions. The true label is always ``'right'``.

    Parameters
    ----------
    items : QuestionScores
        Answers that `are_single_answers` accepts.
    dataset : str
        Name of the benchmark.
    classifiers : sequence of str
        Names of the models, in the order of the columns of the scores.
    greater_is_better : bool
        False if a score of 1 is an error.
    source : str or None
        Name of the file.
    """
    n, k = items.scores.shape
    is_right = (items.scores.T == 1) == greater_is_better
    labels = (RIGHT,) if is_right.all() else (RIGHT, WRONG)
    nothing = np.broadcast_to(np.intp(0), n * k)
    return Predictions(
        datasets=(dataset,),
        classifiers=tuple(classifiers),
        repeats=("",),
        folds=("",),
        labels=labels,
        positives=(None if len(labels) == 1 else WRONG,),
        dataset=nothing,
        classifier=np.repeat(np.arange(k), n),
        repeat=nothing,
        fold=nothing,
        y_true=np.zeros(n * k, dtype=np.intp),
        y_pred=np.where(is_right, 0, 1).ravel(),
        y_score=None,
        instance=np.tile(np.arange(n), k),
        source=source,
        _subgroup=None if items.subgroup is None else items.subgroup.at(np.tile(np.arange(n), k)),
    )


def answers_of_predictions(predictions: Predictions, names: Sequence[str]) -> QuestionScores:
    """Convert correct or incorrect predictions of one dataset to answers to its instances: 1 is correct.

    Parameters
    ----------
    predictions : Predictions
        Predictions that `is_right_or_wrong` accepts, with a number for each instance.
    names : sequence of str
        Name of each instance, by its number.
    """
    assert predictions.y_pred is not None
    n, k = len(names), len(predictions.classifiers)
    is_right = predictions.y_pred == predictions.labels.index(RIGHT)
    return QuestionScores(
        questions=tuple(names),
        benchmark=np.zeros(n, dtype=np.intp),
        cluster=None if predictions._cluster is None else predictions._cluster.code[:n],
        scores=is_right.reshape(k, n).T.astype(np.float64),
        n_samples=np.ones((n, k), dtype=np.intp),
        within=np.zeros((n, k)),
        columns={},
        subgroup=None if predictions._subgroup is None else predictions._subgroup.at(slice(n)),
    )


def is_right_or_wrong(predictions: Predictions) -> bool:
    """Return whether predictions only mark instances as correct or incorrect, without labels."""
    labels = predictions.labels
    if predictions.y_pred is None or RIGHT not in labels or not set(labels) <= {RIGHT, WRONG}:
        return False
    return bool((predictions.y_true == labels.index(RIGHT)).all())


# metrics that depend only on the number of correct predictions
OF_RIGHT_CASES = ("accuracy", "error_rate")


class RightCounts(NamedTuple):
    """Counts of correct predictions in each run (a repeat of a classifier on a dataset) and in its folds.

    Arrays of runs have the shape (n_runs,), and arrays of folds (n_folds_of_all_runs,).
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
    """Compute the score of each fold and of each repeat by a metric of `OF_RIGHT_CASES`."""
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
    """Return the score for each count, by a metric that depends only on the number of correct predictions."""
    tables = np.zeros((len(n), 2, 2), dtype=np.int64)
    tables[:, 0, 0], tables[:, 0, 1] = n_right, n - n_right
    scores: FloatArray = score_from_counts(metric, tables, undefined="nan")
    return scores


# number of classifiers in an integer of 64 bits; with one bit each, sums stay positive
WORD = 62


class RightPatterns(NamedTuple):
    """Patterns of correct predictions of k classifiers on one dataset, each with its number of instances."""

    is_right: BoolArray  # (n_patterns, k)
    n_instances: IntArray  # (n_patterns,)

    def select(self, columns: Sequence[int]) -> RightPatterns:
        """Return the patterns of some classifiers, in the given order."""
        return RightPatterns(self.is_right[:, list(columns)], self.n_instances)

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.n_instances.sum())

    @property
    def both(self) -> IntArray:
        """Number of instances that both classifiers of each pair predict correctly, shape (k, k)."""
        is_right = self.is_right.astype(np.int64)
        both: IntArray = (is_right.T * self.n_instances) @ is_right
        return both

    @property
    def tables(self) -> IntArray:
        """McNemar's tables ``[[both correct, only i correct], [only j correct, neither]]``, shape (k, k, 2, 2)."""
        both = self.both
        n_right = np.diag(both)
        only_i, only_j = n_right[:, np.newaxis] - both, n_right - both
        cells = np.stack([both, only_i, only_j, self.n - both - only_i - only_j], axis=-1)
        return cells.reshape(*both.shape, 2, 2)


def right_patterns(predictions: Predictions) -> RightPatterns:
    """Count how often each pattern of correct and incorrect predictions occurs.

    Parameters
    ----------
    predictions : Predictions
        Predictions for one dataset, as in `aligned_cases`.

    Returns
    -------
    RightPatterns
        The classifiers are in the order of `predictions`.

    Raises
    ------
    InvalidValueError
        Under the same conditions as `aligned_cases`.
    """
    counted = predictions._counted
    if counted is not None and counted.patterns is not None and predictions.y_pred is not None:
        return counted.patterns
    is_right = aligned_cases(predictions).is_right
    k = len(is_right)
    if k > WORD:
        return RightPatterns(is_right.T, np.ones(is_right.shape[-1], dtype=np.int64))
    words = np.zeros(is_right.shape[-1], dtype=np.int64)
    for j in range(k):
        words |= is_right[j].astype(np.int64) << j
    if k <= 16:
        n_instances = np.bincount(words, minlength=2**k)
        found = np.flatnonzero(n_instances)
        return patterns_of_words([found], n_instances[found], k)
    found, n_instances = np.unique(words, return_counts=True)
    return patterns_of_words([found], n_instances, k)


def patterns_of_words(words: Sequence[IntArray], n_instances: IntArray, k: int) -> RightPatterns:
    """Return the patterns whose bits are stored in integers. Each integer holds the bits of `WORD` classifiers."""
    bits = [(words[j // WORD] >> (j % WORD)) & 1 for j in range(k)]
    return RightPatterns(np.stack(bits, axis=-1).astype(bool), n_instances.astype(np.int64))
