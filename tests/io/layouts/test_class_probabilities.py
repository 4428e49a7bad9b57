"""Probabilities of two classes in two columns are one classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evalstats import read_predictions, read_table
from evalstats.tables.errors import TableError

P = np.random.default_rng(1).random(30).round(3)
TRUE = ["yes" if p > 0.4 else "no" for p in P]


def columns(**own: Any) -> dict[str, Any]:
    return {"id": list(range(30)), "y_true": TRUE, **{name: list(values) for name, values in own.items()}}


def test_probabilities_of_both_classes_are_refused_with_one_hint() -> None:
    """They were compared as two classifiers without a word."""
    data = columns(prob_no=1 - P, prob_yes=P)
    with pytest.raises(TableError, match=r"'prob_no', 'prob_yes' add up to 1 .* for example with drop='prob_no'"):
        read_predictions(data)
    with pytest.raises(TableError, match="for example with drop='prob_no'"):
        read_predictions(columns(prob_yes=P, prob_no=1 - P))

    assert read_predictions(data, drop="prob_no").classifiers == ("prob_yes",)
    assert read_predictions(data, keep="prob_no").classifiers == ("prob_no", "prob_yes")


def test_both_classes_of_several_classifiers_are_left_out_together() -> None:
    other = np.random.default_rng(2).random(30).round(3)
    data = columns(NB_no=1 - P, NB_yes=P, LR_no=1 - other, LR_yes=other)
    with pytest.raises(TableError) as error:
        read_predictions(data)

    assert error.value.value == ("NB_no", "LR_no")
    assert read_predictions(data, drop=["NB_no", "LR_no"]).classifiers == ("LR_yes", "NB_yes")


def test_scores_of_two_classifiers_are_read() -> None:
    assert read_predictions(columns(NB=P, LR=P**2)).classifiers == ("LR", "NB")


def _of_mlr3(n: int = 8) -> dict[str, list[object]]:
    """Return predictions as mlr3 writes them: probabilities of both classes, and a response."""
    yes = [0.9, 0.2, 0.7, 0.4, 0.6, 0.3, 0.8, 0.1][:n]
    labels = ["yes" if p > 0.5 else "no" for p in yes]
    return {"truth": labels[::-1], "response": labels, "prob.yes": yes, "prob.no": [round(1 - p, 3) for p in yes]}


def test_probabilities_are_no_models_of_questions() -> None:
    own = _of_mlr3()
    for rows_are in ("questions", "instances"):
        with pytest.raises(TableError, match=r"add up to 1 .* for example with drop='prob\.no'; .*keep='prob\.no'"):
            read_table({"row_id": list(range(8)), **own}, rows_are=rows_are)
    with pytest.raises(TableError, match="two or more must hold the scores of a model"):
        read_table({"row_id": list(range(8)), **own}, rows_are="questions", drop="prob.no")
    kept = read_table({"row_id": list(range(8)), **own}, rows_are="questions", keep="prob.no")
    assert kept.classifiers == ("prob.no", "prob.yes")


def test_true_labels_beside_probabilities_lead_to_predictions() -> None:
    rows = {"task.id": ["sonar"] * 16, "learner.id": ["rf"] * 8 + ["lr"] * 8, "row_ids": [*range(8)] * 2}
    rows |= {name: own * 2 for name, own in _of_mlr3().items()}

    for told in ({}, {"rows_are": "questions"}):
        with pytest.raises(TableError, match=r"'truth' has the name of true labels, .* columns=\{'y_pred': 'response'"):
            read_table(rows, **told)
    assert read_table(rows, columns={"y_pred": "response"}).metric == "accuracy"
    without = {name: own for name, own in rows.items() if name not in ("task.id", "truth", "response")}
    with pytest.raises(TableError, match=r"column y_true, and pass columns=\{'y_score': 'prob\.yes'\}"):
        read_table(without, rows_are="questions")


SHARES = np.random.default_rng(2).dirichlet([1, 1, 1], 30)
THREE = [str(i % 3) for i in range(30)]


@pytest.mark.parametrize("shares", [SHARES, SHARES.round(3), np.eye(3)[np.argmax(SHARES, axis=1)]])
def test_probabilities_of_three_classes_are_one_classifier(shares: Any) -> None:
    """The file ``predictions_out_of_folds.csv`` of mljar; a decision tree gives 0 and 1."""
    data = {"target": THREE, **{f"prediction_{j}": shares[:, j].tolist() for j in range(3)}}

    with pytest.raises(TableError, match=r"'prediction_2' add up to 1 .* of one classifier do; .*y_score"):
        read_predictions(data, pos_label="0")
    table = read_predictions(data, pos_label="0", columns={"y_score": "prediction_0"})
    assert table.classifiers == ("classifier",)


def test_three_classifiers_whose_scores_add_up_to_1_in_some_rows_are_read() -> None:
    shares = SHARES.copy()
    shares[0] *= 0.9
    data = {"target": TRUE, **{name: shares[:, j].tolist() for j, name in enumerate("ABC")}}

    assert read_predictions(data, pos_label="yes").classifiers == ("A", "B", "C")


def test_scores_that_look_like_labels_at_times_are_asked_about() -> None:
    """A decision tree of mljar has the probabilities 0.0, 0.031 and 1.0 in its column of predictions."""
    data = {"target": [0, 0, 1, 1, 0, 1], "prediction": ["0.0", "0.031", "1.0", "1.0", "0.0", "1.0"]}

    with pytest.raises(TableError, match=r"'0\.031' is a number, but not a true label; if these are scores, pass"):
        read_predictions(data)
