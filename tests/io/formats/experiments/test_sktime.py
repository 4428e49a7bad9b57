from __future__ import annotations

import io
import json
import shutil

import pytest

from evalstats import TableError, read_table
from evalstats.io.formats.experiments.sktime import FoldScore, benchmark_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import look


def test_scores_of_folds_of_table(sample, rows, means, content) -> None:
    path = sample("sktime/results.csv")
    expected = means(rows(path), "validation_id", "model_id", "means.accuracy_score")

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("sktime-results", "accuracy_score", True)
    assert content(table) == pytest.approx(expected)
    assert table.folds[0].scores.shape == (1, 3, 2)


def test_parquet_says_the_same(sample, content) -> None:

    assert content(read_table(sample("sktime/results.parquet"))) == content(read_table(sample("sktime/results.csv")))


def test_frame_that_is_returned_says_the_same(sample, content) -> None:
    assert content(read_table(sample("sktime/frame.csv"))) == content(read_table(sample("sktime/results.csv")))


def test_times_are_compared_only_when_asked(sample) -> None:
    table = read_table(sample("sktime/results.csv"), metric="fit_time")

    assert table.greater_is_better is False


def test_folds_that_a_task_does_not_have_are_not_missing() -> None:
    text = "model_id,validation_id,folds.0.scores.acc,folds.1.scores.acc\na,p,.1,\nb,p,.2,\na,q,.3,.5\nb,q,.4,.6\n"

    assert read_table(io.StringIO(text)).scores.ravel() == pytest.approx([0.1, 0.2, 0.4, 0.5])


def test_score_of_one_model_that_is_missing_is_missing() -> None:
    text = "model_id,validation_id,folds.0.scores.acc\na,p,.1\nb,p,\n"

    with pytest.raises(TableError, match=r"1 score is missing: 'p' / 'b'"):
        read_table(io.StringIO(text))


def test_file_name_does_not_matter(sample, tmp_path) -> None:
    shutil.copy(sample("sktime/results.csv"), tmp_path / "x.txt")

    assert read_table(tmp_path / "x.txt").format == "sktime-results"


SEEN = look(io.StringIO("a,b\n"))


def test_metric_without_a_score_is_refused() -> None:
    with pytest.raises(TableError, match="the table holds no score of 'acc'"):
        benchmark_found(SEEN, Asked(), [FoldScore("t", "m", "0", "acc", "", 1)])


def test_times_are_no_metric_unless_asked() -> None:
    scores = [FoldScore("t", "m", "0", name, 1, 1) for name in ("acc", "fit_time")]

    assert benchmark_found(SEEN, Asked(), scores).metric == "acc"
    assert benchmark_found(SEEN, Asked(metric="fit_time"), scores).greater_is_better is False


def test_scores_of_folds_of_json(sample, content) -> None:
    results = json.loads(sample("sktime/results.json").read_text())
    expected = {(one["validation_id"], one["model_id"]): one["means"]["accuracy_score"] for one in results}

    table = read_table(sample("sktime/results.json"))

    assert (table.format, table.greater_is_better) == ("sktime-json", True)
    assert content(table) == pytest.approx(expected)


def test_list_of_dicts_is_the_same_as_its_text(sample, content) -> None:
    text = sample("sktime/results.json").read_text()

    assert content(read_table(json.loads(text))) == content(read_table(io.StringIO(text)))


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"folds": []}, r"result 1: folds must be an object with names, not \[\]"),
        ({"folds": {"0": 5}}, "result 1: a fold must be an object"),
        ({"folds": {"0": {}}}, "result 1: scores must be an object"),
        ({"folds": {"0": {"scores": {"acc": "x"}}}}, "'x' is not a number"),
        ({"folds": {}}, "holds no metric"),
    ],
)
def test_faults_are_told_with_their_place(result, message) -> None:
    text = json.dumps([{"model_id": "a", "validation_id": "p", **result}])

    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text))
