"""Confusion matrices of predictions: against scikit-learn, by fold, and what has none."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from evalstats import EvalstatsError, example_path, read_predictions
from evalstats.multiple import project_classifiers
from evalstats.tables import confusion_matrices

RNG = np.random.default_rng(0)
N = 60
LABELS = np.array(["ant", "bee", "cat"])
TRUE = RNG.choice(LABELS, N)
PREDICTED = {name: np.where(RNG.random(N) < 0.6, TRUE, RNG.choice(LABELS, N)) for name in ("NB", "SVM")}
COLUMNS = {
    "dataset": ["d"] * 2 * N,
    "classifier": ["NB"] * N + ["SVM"] * N,
    "fold": [*np.arange(N) % 3] * 2,
    "row": [*range(N)] * 2,
    "y_true": [*TRUE] * 2,
    "y_pred": [*PREDICTED["NB"], *PREDICTED["SVM"]],
}


def test_counts_are_those_of_scikit_learn():
    found = confusion_matrices(read_predictions(COLUMNS))

    assert (found.classifiers, found.labels) == (("NB", "SVM"), (tuple(LABELS),))
    for counts, name in zip(found.counts[0], found.classifiers, strict=True):
        assert counts.tolist() == confusion_matrix(TRUE, PREDICTED[name], labels=LABELS).tolist()


def test_folds_add_up_to_the_whole():
    predictions = read_predictions(COLUMNS)
    whole, each = confusion_matrices(predictions), confusion_matrices(predictions, folds=True)

    assert each.counts[0].shape == (2, 3, 3, 3)
    assert each.counts[0].sum(axis=1).tolist() == whole.counts[0].tolist()
    assert (each.folds, whole.folds) == (("0", "1", "2"), ())
    first = np.arange(N) % 3 == 0
    assert each.counts[0][0, 0].tolist() == confusion_matrix(TRUE[first], PREDICTED["NB"][first]).tolist()


def test_label_of_one_classifier_alone_is_a_class_of_all():
    columns = {**COLUMNS, "y_pred": ["dog", *COLUMNS["y_pred"][1:]]}

    found = confusion_matrices(read_predictions(columns))

    assert found.labels == (("ant", "bee", "cat", "dog"),)
    assert found.counts[0].shape == (2, 4, 4)


def test_file_becomes_a_projection():
    found = confusion_matrices(read_predictions(example_path("sklearn-predictions")))
    projection = project_classifiers(found.counts, classifiers=found.classifiers, datasets=found.datasets)

    assert len(found.counts) == len(projection.domains) == 10
    errors = [sum(int(c[i].sum() - np.trace(c[i])) for c in found.counts) for i in range(4)]
    manhattan = project_classifiers(found.counts, distance="cityblock").distance_to_ideal
    assert manhattan.tolist() == [2 * n for n in errors]


def test_classifier_that_misses_a_dataset_is_named():
    both = {name: values + values for name, values in COLUMNS.items()}
    both["dataset"] = ["d"] * 2 * N + ["e"] * 2 * N
    kept = [i for i in range(4 * N) if not (both["dataset"][i] == "e" and both["classifier"][i] == "SVM")]
    predictions = read_predictions({name: [values[i] for i in kept] for name, values in both.items()})

    with pytest.raises(EvalstatsError, match="every classifier must"):
        confusion_matrices(predictions)


def test_scores_have_no_confusion_matrix():
    columns = {name: values for name, values in COLUMNS.items() if name not in {"y_pred", "y_true"}}
    columns |= {"y_true": [0, 1] * N, "y_score": [0.5] * 2 * N}

    with pytest.raises(EvalstatsError, match="must have predicted labels for a confusion matrix"):
        confusion_matrices(read_predictions(columns))


def test_other_things_are_refused():
    with pytest.raises(EvalstatsError, match="predictions must be a result of read_predictions"):
        confusion_matrices(COLUMNS)
