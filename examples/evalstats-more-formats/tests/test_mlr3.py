from __future__ import annotations

import io
from collections import Counter

import pytest

from evalstats import TableError, read_predictions, read_table

HEADER_OF_SCORES = "task_id,learner_id,resampling_id,iteration,classif.ce\n"


@pytest.mark.parametrize(("measure", "greater_is_better"), [("classif.ce", False), ("classif.auc", True)])
def test_scores_of_iterations(measure, greater_is_better, sample, rows, means, content) -> None:
    path = sample("mlr3/score.csv")

    table = read_table(path, metric=measure)

    assert (table.format, table.greater_is_better) == ("mlr3-scores", greater_is_better)
    assert content(table) == pytest.approx(means(rows(path), "task_id", "learner_id", measure))
    assert table.folds[0].scores.shape == (1, 3, 3)


def test_aggregate_has_no_folds(sample, rows, means, content) -> None:
    path = sample("mlr3/aggregate.csv")

    table = read_table(path)

    assert content(table) == pytest.approx(means(rows(path), "task_id", "learner_id", "classif.ce"))
    assert table.folds == ()


def test_several_measures_are_asked(sample) -> None:
    with pytest.raises(TableError, match=r"holds the metrics 'classif.ce', 'classif.auc'; choose one"):
        read_table(sample("mlr3/score.csv"))


def test_iterations_of_a_repeated_cross_validation_need_their_folds() -> None:
    lines = [f"sonar,{name},repeated_cv,{i},0.{i % 7 + 1}\n" for name in ("a", "b") for i in range(1, 21)]
    text = HEADER_OF_SCORES + "".join(lines)

    with pytest.raises(TableError, match=r"has 20 splits, but does not show which splits are folds"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), parsing={"n_folds": 10}).folds[0].scores.shape == (2, 10, 2)


def test_subsamples_are_repeats() -> None:
    text = HEADER_OF_SCORES + "".join(f"sonar,{name},subsampling,{i},0.{i}\n" for name in ("a", "b") for i in (1, 2))

    assert read_table(io.StringIO(text)).folds[0].scores.shape == (2, 1, 2)


def test_failed_learner_is_missing() -> None:
    with pytest.raises(TableError, match=r"1 score is missing: 'sonar' / 'b'"):
        read_table(io.StringIO(HEADER_OF_SCORES + "sonar,a,cv,1,0.2\nsonar,b,cv,1,NaN\n"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("sonar,a,cv,1,0.2\nsonar,a,holdout,1,0.2\n", "holds the resamplings 'cv', 'holdout'"),
        ("sonar,a,cv,0,0.2\n", "the column 'iteration' must count from 1"),
        ("sonar,a,cv,x,0.2\n", "'x' is not a number"),
        ("sonar,a,cv,1,0.2\nsonar,a,cv,1,0.3\n", "several scores belong to 'sonar', 'a', '1'"),
    ],
)
def test_faults_are_told(lines, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(HEADER_OF_SCORES + lines))


HEADER_OF_PREDICTIONS = "task_id,learner_id,iteration,row_ids,truth,response,prob.M,prob.R\n"


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

    assert read_predictions(io.StringIO(HEADER_OF_PREDICTIONS + lines)).repeats == ("1", "2")


def test_response_that_is_missing_is_told() -> None:
    with pytest.raises(TableError, match=r"line 2, column 'y_pred': the predicted label is missing"):
        read_table(io.StringIO(HEADER_OF_PREDICTIONS + "s,a,1,1,M,,1,0\n"))


def test_table_with_columns_of_datasets_and_classifiers_is_a_plain_one() -> None:
    text = "dataset,classifier,row_id,truth,response\na,x,1,M,M\nb,x,2,M,R\n"

    assert read_table(io.StringIO(text), columns={"y_pred": "response"}).datasets == ("a", "b")
    with pytest.raises(TableError):
        read_table(io.StringIO(text))
