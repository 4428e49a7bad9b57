from __future__ import annotations

import io

import pytest

from evalstats import TableError, compare, read_table

HEADER = "run_id,status,metrics.accuracy,params.model,params.dataset,params.seed,tags.mlflow.runName"


@pytest.mark.parametrize(("metric", "greater_is_better"), [("accuracy", True), ("log_loss", False)])
@pytest.mark.parametrize("file", ["runs.csv", "runs.parquet", "exported.csv"])
def test_finished_runs_are_compared(file, metric, greater_is_better, sample, rows, means, content) -> None:
    path = sample(f"mlflow/{file}")
    own = [row for row in rows(sample("mlflow/runs.csv")) if row["status"] == "FINISHED"]

    table = compare(path, metric=metric).table

    assert (table.format, table.metric, table.greater_is_better) == ("mlflow", metric, greater_is_better)
    assert content(table) == pytest.approx(means(own, "params.dataset", "params.model", f"metrics.{metric}"))
    assert "Left out, because they did not finish: 1 of 37 runs" in table.findings[1].sentence


def test_columns_may_be_named(sample) -> None:
    table = read_table(
        sample("mlflow/runs.csv"),
        columns={"classifier": "params.dataset", "dataset": "params.model"},
        metric="accuracy",
    )

    assert sorted(table.datasets) == ["RF", "SVM", "kNN"]


def test_run_is_called_by_its_name_where_no_parameter_names_the_model() -> None:
    text = "run_id,metrics.auc,params.dataset,tags.mlflow.runName\n1,.8,iris,a\n2,.9,iris,b\n"

    assert read_table(io.StringIO(text)).classifiers == ("a", "b")


def test_parents_of_runs_are_left_out() -> None:
    runs = "r0,FINISHED,,,,,sweep,\nr1,FINISHED,.8,A,d,0,x,r0\nr2,FINISHED,.9,B,d,0,y,r0\n"
    text = f"{HEADER},tags.mlflow.parentRunId\n{runs}"

    table = read_table(io.StringIO(text))

    assert table.scores.tolist() == [[0.8, 0.9]]
    assert "Left out, because they only group other runs: 1 of 3 runs" in table.findings[1].sentence


def test_column_that_is_not_known_is_asked() -> None:
    with pytest.raises(TableError, match=r"no parameter is known to name the datasets \('params.lr'\)"):
        read_table(io.StringIO("run_id,metrics.auc,params.lr\n1,.8,.1\n"))


def test_score_that_is_missing_stays_missing() -> None:
    with pytest.raises(TableError, match=r"1 score is missing: 'd' / 'B'"):
        read_table(io.StringIO(f"{HEADER}\n1,FINISHED,.8,A,d,0,x\n2,FINISHED,,B,d,0,y\n"))


def test_metric_of_its_own_asks_for_its_direction() -> None:
    with pytest.raises(TableError, match=r"it is not known whether higher or lower 'goodness' is better"):
        read_table(io.StringIO(f"{HEADER.replace('accuracy', 'goodness')}\n1,FINISHED,.8,A,d,0,x\n"))
