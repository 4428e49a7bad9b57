"""Scores must be scores of the positive label, because scores of the other label turn the ranking around."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from evalstats import compare, read_predictions, read_table
from evalstats.metrics import roc_auc_score
from evalstats.tables import analyze_calibration, analyze_decisions
from evalstats.tables.errors import TableError
from evalstats.tables.prediction_scores import score_predictions

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 40)
SCORES = {"good": np.clip(0.5 * Y + 0.5 * RNG.random(40), 0, 1), "weak": np.clip(0.3 * Y + 0.6 * RNG.random(40), 0, 1)}


def columns(labels, *, turned=(), predicted=False):
    """Return two classifiers with the scores of the second label; of the first label for classifiers in `turned`."""
    score = [1 - s if name in turned else s for name, scores in SCORES.items() for s in scores]
    data = {
        "classifier": [name for name in SCORES for _ in Y],
        "instance": [*range(len(Y))] * 2,
        "y_true": [labels[y] for y in Y] * 2,
        "y_score": score,
    }
    answers = [labels[int(s > 0.5)] for scores in SCORES.values() for s in scores]
    return data | ({"y_pred": answers} if predicted else {})


@pytest.mark.parametrize("predicted", [False, True])
@pytest.mark.parametrize("metric", ["roc_auc", "brier", "average_precision"])
def test_scores_of_the_label_that_was_not_guessed_are_asked_about(metric, predicted):
    """'normal' is after 'attack', but the scores are scores of 'attack'."""
    data = columns(["normal", "attack"], predicted=predicted)

    with pytest.raises(TableError, match="smaller for the positive label 'normal' than for 'attack'; pass pos_label="):
        compare(data, metric=metric)


@pytest.mark.parametrize("analyze", [analyze_calibration, analyze_decisions])
def test_every_analysis_of_probabilities_asks(analyze):
    """Calibration and decisions use the probabilities of the positive label."""
    predictions = read_predictions(columns([0, 1], turned=SCORES))

    with pytest.raises(TableError, match="smaller for the positive label '1'"):
        analyze(predictions)


@pytest.mark.parametrize("label", ["attack", "normal"])
def test_either_answer_is_accepted(label):
    """The usual positive label may be confirmed, even if all classifiers rank by chance in the other direction."""
    data = columns(["normal", "attack"])
    found = score_predictions(read_predictions(data, pos_label=label), metric="roc_auc")

    truth = np.array(data["y_true"][: len(Y)]) == label
    assert found.scores[0] == pytest.approx([roc_auc_score(truth, scores) for scores in SCORES.values()])


def test_label_that_is_neither_usual_nor_scored_is_an_error():
    """Nobody confirms the scores by the choice of the class of interest."""
    with pytest.raises(TableError, match=r"than for '1'; pass pos_label='1' if they are scores of '1'$"):
        score_predictions(read_predictions(columns([0, 1]), pos_label=0), metric="brier")


def test_one_classifier_in_the_other_direction_is_no_question():
    """A classifier may be worse than chance next to others that are not."""
    found = score_predictions(read_predictions(columns([0, 1], turned=["weak"])), metric="roc_auc")

    assert (found.scores[0] > 0.5).tolist() == [True, False]


def test_metric_of_labels_needs_no_scores():
    """Accuracy does not depend on the positive label."""
    compare(columns(["normal", "attack"], predicted=True), metric="accuracy")


@pytest.mark.parametrize("pos_label", [None, 1])
def test_confidences_of_each_predicted_label_are_refused(pos_label):
    """Many programs write the probability of the predicted label; the positive label says nothing about it."""
    data = columns([0, 1], predicted=True)
    data["y_score"] = [max(s, 1 - s) for s in data["y_score"]]

    with pytest.raises(TableError, match=r"no score is below 0.5, although '0' is predicted too"):
        compare(data, metric="roc_auc", pos_label=pos_label)


@pytest.mark.parametrize("predicted", [False, True])
def test_constant_scores_of_a_baseline_do_not_hide_the_other_label(predicted):
    """A majority classifier has one score and one predicted label."""
    data = columns(["normal", "attack"], predicted=predicted)
    constant = {"classifier": "constant", "y_score": 0.3, "y_pred": "normal"}
    for name, values in data.items():
        data[name] = values + ([constant[name]] * len(Y) if name in constant else values[: len(Y)])

    with pytest.raises(TableError, match="smaller for the positive label 'normal'"):
        compare(data, metric="roc_auc")


def test_report_of_decisions_states_the_positive_class():
    """Sensitivity and specificity change places with the classes."""
    data = columns(["normal", "attack"], predicted=True)
    del data["y_score"]

    (finding, *_) = [one for one in analyze_decisions(read_predictions(data)).findings if one.code == "positive-label"]
    assert finding.sentence == "The positive class is 'normal'."


def test_engine_that_keeps_the_scores_is_asked_too():
    """The area is computed where the rows are."""
    frame = pd.DataFrame(columns(["normal", "attack"]))  # noqa: F841  # in the query
    connection = import_module("duckdb").connect()

    with pytest.raises(TableError, match="smaller for the positive label 'normal'"):
        read_table(connection.query("SELECT * FROM frame"), metric="roc_auc")
