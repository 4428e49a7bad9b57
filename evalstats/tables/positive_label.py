"""Checks of the positive label of each dataset, and of the label that the scores belong to."""

from __future__ import annotations

__all__ = [
    "MIDDLE",
    "LabelEvidence",
    "check_positive_label",
    "check_scored_label",
    "label_evidence",
    "refuse_other_label",
]

import itertools
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
MOST_CHECKED = 50_000  # rows of one classifier; of more, every second, third ... row


class LabelEvidence(NamedTuple):
    """Evidence for the label to which the scores of one classifier belong."""

    errors: float  # by how many standard errors the area under the ROC curve is above 0.5
    is_confidence: bool | None  # whether the scores are above the middle for two predicted labels; None: one or none


def check_positive_label(predictions: Predictions, metric: str, average: str = "") -> None:
    """Raise an error if a dataset has no positive label. `average` is a similar metric that needs no positive label."""
    if None not in predictions.positives:
        return
    d = predictions.positives.index(None)
    dataset, labels = short(predictions.datasets[d]), listed(_labels_of(predictions, d))
    raise TableError(
        f"{metric} needs a positive label, and dataset {dataset} has the labels {labels}",
        "choose one with {}" + (f", or choose an average over the labels, such as {average}" if average else ""),
        "pos_label",
    )


def check_scored_label(predictions: Predictions) -> None:
    """Raise an error if the scores seem to belong to a label other than the positive label of a dataset.

    If the caller gave the usual positive label, only confidences in the predicted labels are rejected.
    """
    kept = None if predictions._counted is None else predictions._counted.kept
    if predictions.y_score is None and kept is None:
        return
    found: dict[int, list[LabelEvidence]] = {}
    for rows in _classifiers(predictions):
        d = int(predictions.dataset[rows.start])
        is_guess = predictions.datasets[d] in predictions._unconfirmed
        has_both = predictions.y_pred is not None and predictions.y_score is not None
        if (is_guess or has_both) and predictions.positives[d] in predictions.labels:
            own = _evidence_of(predictions, rows)
            found.setdefault(d, []).append(own if is_guess else own._replace(errors=0.0))
    for d, evidence in found.items():
        if not any(_doubts(evidence)):
            continue
        dataset, positive = predictions.datasets[d], predictions.positives[d] or ""
        others = [label for label in _labels_of(predictions, d) if label != positive]
        place = f"{predictions.source or 'the predictions'}, dataset {short(dataset)}: "
        refuse_other_label(place, evidence, positive, others, may_confirm=predictions._unconfirmed.get(dataset, False))


def refuse_other_label(
    place: str,
    evidence: Sequence[LabelEvidence],
    positive: str,
    others: Sequence[str],
    *,
    may_confirm: bool,
    otherwise: str = "",
) -> None:
    """Raise an error if the scores seem to belong to other labels, or to the predicted label of each instance.

    The message also advises what to do if the scores belong to the positive label: `otherwise`, or confirm this label.
    """
    are_of_others, are_confidences = _doubts(evidence)
    if are_of_others:
        hint = f"pass {{}} if they are scores of {short(others[0])}" if len(others) == 1 else "name their label with {}"
        if otherwise := f"name {short(positive)} instead" if may_confirm else otherwise:
            hint += f"; if they are scores of {short(positive)}, {otherwise}"
        problem = f"{place}the scores are smaller for the positive label {short(positive)} than for {listed(others)}"
        raise TableError(problem, hint, "pos_label", others[0] if len(others) == 1 else "")
    if are_confidences:
        raise TableError(
            f"{place}no score is below {MIDDLE}, although {listed(others)} is predicted too: the scores seem to be "
            f"confidences in the predicted labels, not scores of the positive label {short(positive)}",
            f"write 1 - score if a different label is predicted; if they are scores of {short(positive)}, leave out "
            "the "
            f"predicted labels, which contradict the scores",
        )


def _doubts(evidence: Sequence[LabelEvidence]) -> tuple[bool, bool]:
    """Return whether the scores of the classifiers seem to be of other labels, and of each predicted label."""
    errors = [one.errors for one in evidence]
    decided = [one.is_confidence for one in evidence if one.is_confidence is not None]
    are_of_others = bool(errors) and sum(errors) < -FEWEST_ERRORS * len(errors) and max(errors) < FEWEST_ERRORS
    return are_of_others, bool(decided) and all(decided)


def _labels_of(predictions: Predictions, d: int) -> list[str]:
    """Return the true labels of a dataset."""
    return [predictions.labels[i] for i in np.unique(predictions.y_true[predictions.dataset == d]).tolist()]


def label_evidence(is_positive: BoolArray, is_predicted: BoolArray | None, score: FloatArray) -> LabelEvidence:
    """Compare scores with the predicted labels, or with the true labels if nothing or a single label is predicted."""
    from evalstats.metrics.delong import doubled_placements  # most sources have no scores

    if is_predicted is None or not 0 < is_predicted.mean() < 1:
        is_predicted = None
    truth = is_positive if is_predicted is None else is_predicted
    counts = int(truth.sum()), int((~truth).sum())
    n_below = doubled_placements(truth[None], score[None, None])[0, 0, truth].sum() / 2
    errors = _errors(n_below / (counts[0] * counts[1]), *counts) if all(counts) else 0.0
    if is_predicted is None:
        return LabelEvidence(errors, None)
    overlap = score[~is_predicted].max() > score[is_predicted].min()
    return LabelEvidence(errors, bool(overlap and score.min() >= MIDDLE and score.max() <= 1))


def _errors(area: float, n_positive: int, n_negative: int) -> float:
    """Return how many standard errors an area under the ROC curve lies above 0.5, its expected value by chance."""
    return float((area - MIDDLE) / np.sqrt((n_positive + n_negative + 1) / (12 * n_positive * n_negative)))


def _classifiers(predictions: Predictions) -> Iterator[slice]:
    """Yield the rows of the first repeat of each classifier on each dataset. The rows must be sorted by these names."""
    pair = predictions.dataset * len(predictions.classifiers) + predictions.classifier
    is_next = np.diff(pair, prepend=-1) != 0
    edges = [*np.flatnonzero(is_next | (np.diff(predictions.repeat, prepend=-1) != 0)).tolist(), len(pair)]
    yield from (slice(start, end) for start, end in itertools.pairwise(edges) if is_next[start])


def _evidence_of(predictions: Predictions, rows: slice) -> LabelEvidence:
    """Return the evidence of the scores in some rows. An engine that keeps the scores returns the area."""
    d, c = predictions.dataset[rows.start], predictions.classifier[rows.start]
    positive = predictions.labels.index(predictions.positives[d] or "")
    if predictions.y_score is not None:
        rows = slice(rows.start, rows.stop, max(1, (rows.stop - rows.start) // MOST_CHECKED))
        is_positive = np.equal(predictions.y_true[rows], positive)
        predicted = None if predictions.y_pred is None else np.equal(predictions.y_pred[rows], positive)
        return label_evidence(is_positive, predicted, predictions.y_score[rows])
    assert predictions._counted is not None
    assert predictions._counted.kept is not None
    known = predictions._counted.kept("roc_auc", by_fold=False)
    names = (predictions.datasets[d], predictions.classifiers[c], predictions.repeats[predictions.repeat[rows.start]])
    n, is_positive = predictions._counted.n_instances[rows], np.equal(predictions.y_true[rows], positive)
    counts = int(n[is_positive].sum()), int(n[~is_positive].sum())
    areas = [] if known is None else [area for key, area in known.items() if _is_of(key, names)]
    return LabelEvidence(_errors(areas[0], *counts) if len(areas) == 1 and all(counts) else 0.0, None)


def _is_of(key: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Return whether the key of a score has these names. A name that the source does not contain is empty."""
    return all(name in ("", own) for name, own in zip(key, names, strict=False))
