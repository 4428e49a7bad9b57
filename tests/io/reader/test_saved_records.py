"""Whatever evalstats makes, it takes: the table goes round and the verdict stays."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats import report
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.comparison.advice.recommendation import which_test
from evalstats.comparison.analysis import compare
from evalstats.comparison.runs.analysis import analyze_runs
from evalstats.examples import example_path, example_table
from evalstats.io.options import given_together
from evalstats.io.reader.predictions import read_predictions
from evalstats.io.reader.saved_records import SCORES_OF_PREDICTIONS, held_by, of_own_rows
from evalstats.io.reader.saved_reports import checksum
from evalstats.io.reader.tables import read_table
from evalstats.io.sources.grid import Grid
from evalstats.study.result import StudyResult
from evalstats.study.runner import run_study
from evalstats.tables.cross_validation import (
    CrossValidationScores,
    fold_scores_from_cross_validate,
    score_table_from_cross_validate,
)
from evalstats.tables.errors import TableError
from evalstats.tables.prediction_report import analyze_predictions
from evalstats.tables.prediction_scores import score_predictions
from evalstats.tables.predictions import Predictions
from evalstats.tables.score_table import ScoreTable


@pytest.fixture(scope="module")
def predictions() -> Predictions:
    return read_predictions(example_path("sklearn-predictions"))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    from sklearn.datasets import make_classification
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    data = {str(seed): make_classification(60, random_state=seed) for seed in range(3)}
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    folder = tmp_path_factory.mktemp("study") / "runs"
    return run_study(models, data, n_folds=3, n_repeats=2, predictions=True, directory=folder, rng=0)


def same(one: Any, other: Any) -> None:
    """Hold that two comparisons say the same of the same scores."""
    assert report.sentence(one) == report.sentence(other)
    np.testing.assert_array_equal(one.table.scores, other.table.scores)
    assert [pair.pvalue for pair in one.pairs] == [pair.pvalue for pair in other.pairs]


TABLE: dict[str, Callable[[Any], Any]] = {
    "the comparison": lambda c: c,
    "its record in JSON": lambda c: io.StringIO(report.json(c)),
    "the table": lambda c: c.table,
    "the table in JSON": lambda c: io.StringIO(report.json(c.table)),
    "the table as a frame": lambda c: c.table.to_frame(),
    "the table as CSV": lambda c: io.StringIO(c.table.to_frame().to_csv()),
    "the table in JSON of pandas": lambda c: io.StringIO(c.table.to_frame().to_json(orient="split")),
    "the table in LaTeX of pandas": lambda c: io.StringIO(c.table.to_frame().to_latex(float_format="%.3f")),
    "the table in HTML of pandas": lambda c: io.StringIO(c.table.to_frame().to_html()),
}  # fmt: skip


@pytest.mark.parametrize("back", TABLE.values(), ids=TABLE)
def test_comparison_goes_round(back: Callable[[Any], Any]) -> None:
    first = compare(example_table("demsar-2006"))

    same(compare(back(first)), first)


def test_columns_of_a_table_go_round() -> None:
    """In the order of long tables."""
    first = compare(example_table("demsar-2006"))

    again = compare(first.table.to_columns())

    assert report.sentence(again) == report.sentence(first)
    assert dict(zip(again.table.classifiers, again.mean_ranks, strict=True)) == dict(
        zip(first.table.classifiers, first.mean_ranks, strict=True)
    )


PREDICTED: dict[str, Callable[[Predictions], Any]] = {
    "columns": lambda p: p.to_columns(),
    "a frame": lambda p: p.to_frame(),
    "the scores": score_predictions,
    "the scores as a frame": lambda p: score_predictions(p).to_frame(),
    "the report": analyze_predictions,
    "the report in JSON": lambda p: io.StringIO(report.json(analyze_predictions(p))),
    "what evalstats metrics writes": lambda p: io.StringIO(analyze_predictions(p).to_csv()),
}


@pytest.mark.parametrize("back", PREDICTED.values(), ids=PREDICTED)
def test_predictions_go_round(back: Callable[[Predictions], Any], predictions: Predictions) -> None:
    first, again = compare(predictions), compare(back(predictions))

    assert report.sentence(again) == report.sentence(first)
    np.testing.assert_array_equal(again.table.scores, first.table.scores)


STUDIED: dict[str, Callable[[StudyResult], Any]] = {
    "the directory": lambda s: s.directory,
    "a frame": lambda s: s.to_frame(),
    "columns": lambda s: s.to_columns(),
    "CSV": lambda s: io.StringIO(s.to_csv()),
    "JSON": lambda s: io.StringIO(report.json(s)),
}


@pytest.mark.parametrize("back", STUDIED.values(), ids=STUDIED)
def test_study_goes_round(back: Callable[[StudyResult], Any], study: StudyResult) -> None:
    same(compare(back(study)), compare(study))


def test_study_gives_its_predictions(study: StudyResult) -> None:
    of_result, of_directory = read_predictions(study), read_predictions(study.directory)

    assert of_result.to_columns() == of_directory.to_columns()
    assert report.sentence(analyze_runs(study)) == report.sentence(analyze_runs(study.directory))


def test_scores_of_a_cross_validation_are_compared_as_those_of_folds() -> None:
    from sklearn.datasets import load_iris
    from sklearn.model_selection import cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_iris(return_X_y=True)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    results = {name: cross_validate(model, x, y, return_indices=True) for name, model in models.items()}

    of_scores, of_results = compare(fold_scores_from_cross_validate(results)), compare(results)

    assert of_scores.design == "folds"
    assert [pair.pvalue for pair in of_scores.pairs] == pytest.approx([pair.pvalue for pair in of_results.pairs])
    several = score_table_from_cross_validate({"a": results, "b": results})
    assert compare(several).table.scores.tolist() == several.scores.tolist()


def test_record_of_missing_scores_is_read_back() -> None:
    """Its nan is null in JSON."""
    text = "dataset,NB,SVM,RF\na,1,2,3\nb,,5,6\nc,4,3,8\nd,2,1,5\n"
    first = compare(io.StringIO(text), missing="skillings-mack")

    again = compare(io.StringIO(report.json(first)), missing="skillings-mack")

    assert report.json(again) == report.json(first)


def test_spread_of_a_record_is_read_back() -> None:
    first = read_table(io.StringIO("dataset,NB,SVM\na,1 ± 1,2\nb,3 ± 2,4\n"))

    again = read_table(io.StringIO(report.json(first)))

    assert report.json(again) == report.json(first)


def test_record_without_its_predictions_is_refused(predictions: Predictions) -> None:
    """Another test than McNemar's would give another verdict."""
    first = compare(predictions.select(predictions.datasets[:1], predictions.classifiers))

    with pytest.raises(TableError, match="it holds the scores of predictions, not the predictions; read the"):
        compare(io.StringIO(report.json(first)))


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.pop("scores"),
        lambda table: table.update(scores=[[1]]),
        lambda table: table.update(datasets=5),
        lambda table: table.update(scores="x"),
        lambda table: table.update(findings=[5]),
        lambda table: table.update(folds=[{}]),
        lambda table: table.update(missing=[["x", "y"]]),
        lambda table: table.update(spread=[[-1]]),
        lambda table: table.update(metric=" "),
        lambda table: table.update(left_out=[{"what": 1}]),
    ],
)
def test_record_that_was_edited_is_refused_in_one_line(change: Callable[[dict], Any]) -> None:
    """Though the checksum was written anew."""
    record = json.loads(report.json(compare(example_table("demsar-2006"))))
    change(record["comparison"]["table"])
    record["checksum"] = checksum(record)

    words = r"^the table is (a record of evalstats, but|not a report in the format of evalstats:) ."
    with pytest.raises(TableError, match=words) as caught:
        compare(io.StringIO(json.dumps(record)))
    assert "\n" not in str(caught.value)


def test_record_whose_checksum_does_not_fit_is_refused() -> None:
    record = json.loads(report.json(compare(example_table("demsar-2006"))))
    record["comparison"]["table"]["scores"][0][0] += 0.01

    with pytest.raises(TableError, match="was changed after evalstats wrote it: its checksum does not match"):
        compare(io.StringIO(json.dumps(record)))


def test_record_without_a_table_is_refused() -> None:
    advice = which_test(n_classifiers=3, n_datasets=10)

    with pytest.raises(TableError, match="it is of the kind 'advice', which holds no table of scores"):
        compare(io.StringIO(report.json(advice)))
    with pytest.raises(InvalidTypeError, match="not WhichTestResult"):
        compare(advice)


def test_folds_of_one_dataset_are_read_and_not_their_sums(predictions: Predictions) -> None:
    one = predictions.select(predictions.datasets[:1], predictions.classifiers)
    text = analyze_predictions(one).to_csv()

    of_folds, of_sums = read_table(io.StringIO(text)), read_table(io.StringIO(text), aggregate="pooled")

    assert len(of_folds.folds[0].folds) == 10
    assert of_sums.folds == ()
    assert [one.code for one in of_folds.findings[:1]] == ["rows-of-metrics"]


def test_ways_to_sum_up_are_asked_for(predictions: Predictions) -> None:
    text = analyze_predictions(predictions, metric="f1").to_csv()

    with pytest.raises(TableError, match=r"choose one, for example aggregate='mean'"):
        read_table(io.StringIO(text))
    table = read_table(io.StringIO(text), aggregate="tp_fp")
    np.testing.assert_allclose(table.scores, score_predictions(predictions, metric="f1", aggregate="tp_fp").scores)


def test_other_rows_are_not_touched() -> None:
    grid = Grid(name="t", header=["a"], columns=[[1]], word="row", numbers=[1], must_name_datasets=False)

    assert of_own_rows(grid, "mean") == (grid, "mean")
    assert len(SCORES_OF_PREDICTIONS) == 7


def test_what_is_no_record_is_held_by_itself(predictions: Predictions) -> None:
    table = example_table("demsar-2006")

    assert [held_by(one) for one in (5, "x", table, predictions)] == [5, "x", table, predictions]
    assert held_by(compare(table)).scores.tolist() == table.scores.tolist()


@pytest.mark.parametrize(
    "source",
    [
        lambda: example_table("demsar-2006"),
        lambda: compare(example_table("demsar-2006")),
        lambda: read_predictions(example_path("sklearn-predictions")),
        lambda: CrossValidationScores(
            dataset="d", classifiers=("a", "b"), scores=np.array([[0.1, 0.2], [0.3, 0.5]]), metric="acc"
        ),
    ],
)
@pytest.mark.parametrize("late", [{"drop": "x"}, {"sheet": "x"}, {"fold": "x"}, {"transpose": True}, {"rows": "1-2"}])
def test_arguments_of_reading_come_too_late_for_what_was_read(source: Callable[[], Any], late: dict) -> None:
    message = f"{next(iter(late))} is for reading a table, but this source was already read"
    for take in (read_table, compare):
        with pytest.raises(InvalidValueError, match=message):
            take(source(), **given_together(late))


def test_metric_and_direction_of_a_table_may_still_be_said() -> None:
    table = read_table(compare(example_table("demsar-2006")), metric="error", greater_is_better=False)

    assert isinstance(table, ScoreTable)
    assert (table.metric, table.greater_is_better) == ("error", False)
