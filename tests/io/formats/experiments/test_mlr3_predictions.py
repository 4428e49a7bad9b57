from __future__ import annotations

import io
from collections import Counter

import pytest

from evalstats import TableError, read_predictions, read_table

HEADER = "task_id,learner_id,iteration,row_ids,truth,response,prob.M,prob.R\n"


def test_score_is_one_minus_the_mean_of_the_losses(sample, rows, means, content) -> None:
    path = sample("mlr3/predictions.csv")
    losses = means(rows(path), "task_id", "learner_id", "classif.ce")

    table = read_table(path)

    assert table.format == "mlr3-predictions"
    assert content(table) == pytest.approx({key: 1 - loss for key, loss in losses.items()})


def test_probability_is_that_of_the_positive_label(sample, rows) -> None:
    path = sample("mlr3/predictions.csv")

    for label in ("M", "R"):
        told = Counter(float(row[f"prob.{label}"]) for row in rows(path))
        assert Counter(read_predictions(path, pos_label=label).y_score.tolist()) == told


def test_cases_that_come_back_are_of_repeats() -> None:
    lines = "s,a,1,1,M,M,1,0\ns,a,2,1,M,R,0,1\n"

    assert read_predictions(io.StringIO(HEADER + lines)).repeats == ("1", "2")


def test_response_that_is_missing_is_told() -> None:
    with pytest.raises(TableError, match=r"line 2, column 'y_pred': the predicted label is missing"):
        read_table(io.StringIO(HEADER + "s,a,1,1,M,,1,0\n"))


def test_table_with_columns_of_datasets_and_classifiers_is_a_plain_one() -> None:
    text = "dataset,classifier,row_id,truth,response\na,x,1,M,M\nb,x,2,M,R\n"

    assert read_table(io.StringIO(text), y_pred="response").datasets == ("a", "b")
    with pytest.raises(TableError):
        read_table(io.StringIO(text))
