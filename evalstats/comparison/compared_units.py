"""What is compared on one dataset: the scores of its folds, or the answers to its cases?"""

from __future__ import annotations

__all__ = ["adjusted_pairs", "as_the_metric_takes", "folds_of", "in_usual_order", "sizes_of"]

from typing import Any

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._types import AnyArray, FloatArray
from evalstats.adjustment.pair_indexing import adjusted_family
from evalstats.io.sources.numbers import written_number
from evalstats.tables.aligned_instances import AlignedCases
from evalstats.tables.fold_scores import FoldScores
from evalstats.tables.prediction_scores import MetricChoice
from evalstats.tables.score_table import ScoreTable


def folds_of(table: ScoreTable) -> FoldScores:
    """Return the scores of the folds, or say that they cannot be compared."""
    if not table.folds:
        raise InvalidValueError(
            f"the folds of dataset {table.datasets[0]!r} cannot be compared: the {table.metric} of some fold is "
            "undefined, or the folds of the classifiers differ"
        )
    return table.folds[0]


def sizes_of(folds: FoldScores) -> tuple[float, float, bool]:
    """Return the sizes of a training and a test set, and whether they were assumed."""
    if folds.n_train is not None and folds.n_test is not None:
        return folds.n_train, folds.n_test, False
    n_folds = len(folds.folds)
    if n_folds < 2:
        raise InvalidValueError(
            f"dataset {folds.dataset!r} has repeats of one split each: how much their training sets overlap depends on "
            "their sizes, so that the table needs the columns n_train and n_test"
        )
    return n_folds - 1, 1, True


def in_usual_order(cases: AlignedCases, labels: tuple[str, ...]) -> AlignedCases:
    """Give the labels the numbers of their own order, numbers by their size: random draws follow it."""
    if cases.y_pred is None:
        return cases
    values = [written_number(label, ".") for label in labels]
    order = np.argsort(np.array(labels if None in values else values), kind="stable")
    number = np.argsort(order)
    positive = -1 if cases.positive < 0 else int(number[cases.positive])
    return cases._replace(y_true=number[cases.y_true], y_pred=number[cases.y_pred], positive=positive)


def as_the_metric_takes(cases: AlignedCases, choice: MetricChoice) -> tuple[AnyArray, AnyArray, dict[str, Any]]:
    """Return true labels, the predictions of each classifier, and the choices that make the score of the table."""
    choices: dict[str, Any] = {"metric": choice.base, "undefined": "zero" if choice.undefined == "zero" else "nan"}
    if choice.average is not None:
        choices["average"] = choice.average
    predicted = cases.y_pred if choice.record.needs == "labels" else cases.y_score
    assert predicted is not None
    if not choice.needs_positive:
        return cases.y_true, predicted, choices
    if choice.record.needs == "labels":
        predicted = np.equal(predicted, cases.positive).astype(np.int64)
    return cases.is_positive.astype(np.int64), predicted, choices | {"pos_label": 1}


def adjusted_pairs(
    unadjusted: FloatArray, pairs: list[tuple[int, int]], k: int, control: int | None, adjust: str
) -> FloatArray:
    """Adjust the p-values of pairs of k classifiers, or of each with a control; the pairs are the last axis."""
    first, second = (list(places) for places in zip(*pairs, strict=True))
    if control is None:
        matrix = np.ones((*unadjusted.shape[:-1], k, k))
        matrix[..., first, second] = matrix[..., second, first] = unadjusted
        return np.asarray(adjusted_family(matrix, adjust, None)[..., first, second])
    column = np.full((*unadjusted.shape[:-1], k), np.nan)
    column[..., first] = unadjusted
    return np.asarray(adjusted_family(column, adjust, control)[..., first])
