"""Conversion of correct and incorrect answers to predictions.

If each model has one correct or incorrect answer to each question of one benchmark, without clusters, this module
converts the answers to predictions. The results of a comparison therefore do not depend on the layout of the source.
"""

from __future__ import annotations

__all__ = [
    "METRICS_OF_RIGHT",
    "answers_of_predictions",
    "are_single_answers",
    "is_right_or_wrong",
    "predictions_of_answers",
]

from collections.abc import Sequence

import numpy as np

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
