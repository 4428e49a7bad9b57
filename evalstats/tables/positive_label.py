"""Check that there is a positive label, and that scores are scores of this label."""

from __future__ import annotations

__all__ = ["Scored", "check_positive_label", "check_scored_label", "refuse_other_label"]

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from evalstats._errors import listed
from evalstats._types import BoolArray, FloatArray
from evalstats.tables.errors import TableError, short
from evalstats.tables.predictions import Predictions

# mean number of standard errors by which areas under the ROC curve are below 0.5 if the scores are of another label
FEWEST_ERRORS = 2.0
MIDDLE = 0.5  # of the probabilities of two labels


class Scored(NamedTuple):
    """Scores of one classifier, with the instances that are positive and that it predicts as positive."""

    is_positive: BoolArray
    is_predicted: BoolArray | None
    score: FloatArray


def check_positive_label(predictions: Predictions, metric: str, average: str = "") -> None:
    """Raise an error if a dataset has no positive label; `average` is a similar metric that needs none."""
    if None not in predictions.positives:
        return
    d = predictions.positives.index(None)
    own = np.unique(predictions.y_true[predictions.dataset == d]).tolist()
    labels = listed([predictions.labels[i] for i in own])
    raise TableError(
        f"{metric} needs a positive label, and dataset {short(predictions.datasets[d])} has the labels {labels}",
        "choose one with {}" + (f", or choose an average over the labels, such as {average}" if average else ""),
        "pos_label",
    )


def check_scored_label(predictions: Predictions) -> None:
    """Raise an error if the scores seem to belong to another label than the positive label of a dataset.

    The usual positive label is accepted if the caller gave it.
    """
    if predictions.y_score is None:
        return
    for d, (dataset, positive) in enumerate(zip(predictions.datasets, predictions.positives, strict=True)):
        if dataset not in predictions._unconfirmed or positive not in predictions.labels:
            continue
        own = predictions.y_true[predictions.dataset == d]
        others = [predictions.labels[i] for i in np.unique(own).tolist() if predictions.labels[i] != positive]
        scored = list(_classifiers(predictions, d, predictions.labels.index(positive)))
        place = f"{predictions.source or 'the predictions'}, dataset {short(dataset)}: "
        refuse_other_label(place, scored, positive, others, may_confirm=predictions._unconfirmed[dataset])


def refuse_other_label(
    place: str, scored: Sequence[Scored], positive: str, others: Sequence[str], *, may_confirm: bool
) -> None:
    """Raise an error if the classifiers have greater scores for other labels, or scores of each predicted label."""
    errors = [_errors_above_chance(one) for one in scored]
    if scored and np.mean(errors) < -FEWEST_ERRORS and max(errors) < FEWEST_ERRORS:
        hint = f"pass {{}} if they are scores of {short(others[0])}" if len(others) == 1 else "name their label with {}"
        hint += f"; if they are scores of {short(positive)}, name {short(positive)} there" if may_confirm else ""
        problem = f"{place}the scores are smaller for the positive label {short(positive)} than for {listed(others)}"
        raise TableError(problem, hint, "pos_label", others[0] if len(others) == 1 else "")
    decided = [one for one in scored if one.is_predicted is not None and 0 < one.is_predicted.mean() < 1]
    if decided and all(map(_is_confidence, decided)):
        raise TableError(
            f"{place}no score is below {MIDDLE}, although {listed(others)} is predicted too: the scores seem to be "
            f"confidences of each predicted label, not scores of the positive label {short(positive)}",
            "write 1 - score where another label is predicted"
            + (f", or pass {{}} if they are scores of {short(positive)}" if may_confirm else ""),
            "pos_label",
            positive,
        )


def _classifiers(predictions: Predictions, d: int, positive: int) -> Iterator[Scored]:
    """Yield the scores of each classifier on a dataset, in its first repeat."""
    assert predictions.y_score is not None
    for c in range(len(predictions.classifiers)):
        rows = np.flatnonzero((predictions.dataset == d) & (predictions.classifier == c))
        rows = rows[predictions.repeat[rows] == predictions.repeat[rows[:1]]]
        predicted = None if predictions.y_pred is None else np.equal(predictions.y_pred[rows], positive)
        yield Scored(np.equal(predictions.y_true[rows], positive), predicted, predictions.y_score[rows])


def _errors_above_chance(scored: Scored) -> float:
    """Return by how many standard errors the area under the ROC curve is above 0.5; 0 if it is undefined.

    Scores are compared with the predicted labels, or with the true labels if nothing or a single label is predicted.
    """
    from evalstats.metrics import roc_auc_score

    is_positive = scored.is_positive
    if scored.is_predicted is not None and 0 < scored.is_predicted.mean() < 1:
        is_positive = scored.is_predicted
    n_positive = int(is_positive.sum())
    n_negative = is_positive.size - n_positive
    if not n_positive or not n_negative:
        return 0.0
    error = np.sqrt((n_positive + n_negative + 1) / (12 * n_positive * n_negative))  # of equal distributions
    return float((roc_auc_score(is_positive, scored.score, pos_label=True) - MIDDLE) / error)


def _is_confidence(scored: Scored) -> bool:
    """Return whether the probabilities of two predicted labels are all above the middle, and overlap."""
    is_predicted, score = scored.is_predicted, scored.score
    assert is_predicted is not None
    overlap = score[~is_predicted].max() > score[is_predicted].min()
    return bool(overlap and score.min() >= MIDDLE and score.max() <= 1)
