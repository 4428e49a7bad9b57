"""Which answers to questions are right or wrong and nothing more, so that they are predictions of what is right?

One right or wrong answer of each model to each question of one benchmark, without clusters, is the same in whatever
layout it is written: it becomes predictions here, so that no layout has a way into the decision.
"""

from __future__ import annotations

__all__ = ["METRICS_OF_RIGHT", "are_single_answers", "is_right_or_wrong", "predictions_of_answers"]

from collections.abc import Sequence

import numpy as np

from evalstats.tables.items import ItemScores
from evalstats.tables.predictions import Predictions

# the only labels of answers that are known to be right or wrong
RIGHT, WRONG = "right", "wrong"
# what can be computed from them
METRICS_OF_RIGHT = ("accuracy", "error_rate")


def are_single_answers(items: ItemScores) -> bool:
    """Tell whether each model answered each question of one benchmark once, right (1) or wrong (0).

    Clusters of one question each are none.
    """
    if items.stratum.any() or items.n_samples.max() > 1:
        return False
    if items.cluster is not None and len(np.unique(items.cluster)) < len(items.items):
        return False
    return bool(np.isin(items.scores, (0.0, 1.0)).all())


def predictions_of_answers(
    items: ItemScores, dataset: str, classifiers: Sequence[str], *, greater_is_better: bool, source: str | None
) -> Predictions:
    """Return single answers as predictions, whose true label is always ``'right'``.

    Parameters
    ----------
    items : ItemScores
        As `are_single_answers` accepts them.
    dataset : str
        Name of the benchmark.
    classifiers : sequence of str
        Names of the models, in the order of the columns of the scores.
    greater_is_better : bool
        False: 1 is an error.
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
        case=np.tile(np.arange(n), k),
        source=source,
    )


def is_right_or_wrong(predictions: Predictions) -> bool:
    """Tell whether predictions say right or wrong of each case, and have no labels of their own."""
    labels = predictions.labels
    if predictions.y_pred is None or RIGHT not in labels or not set(labels) <= {RIGHT, WRONG}:
        return False
    return bool((predictions.y_true == labels.index(RIGHT)).all())
