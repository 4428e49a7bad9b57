from __future__ import annotations

import io

import pytest

from evalstats import TableError, compare, read_predictions, read_table

HEADER = "id,task,framework,constraint,fold,type,result,metric,info,acc\n"


def test_result_is_always_better_when_greater(sample, rows, means, content) -> None:
    path = sample("amlb/results.csv")

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("amlb-results", "neg_logloss", True)
    assert content(table) == pytest.approx(means(rows(path), "task", "framework", "result"))


@pytest.mark.parametrize(("metric", "greater_is_better"), [("logloss", False), ("auc", True)])
def test_single_columns_keep_their_sign(metric, greater_is_better, sample, rows, means, content) -> None:
    path = sample("amlb/results.csv")

    table = read_table(path, metric=metric)

    assert table.greater_is_better is greater_is_better
    assert content(table) == pytest.approx(means(rows(path), "task", "framework", metric))


def test_failed_job_is_missing(sample) -> None:
    path = sample("amlb/failed.csv")

    with pytest.raises(TableError, match=r"1 score is missing: 'zoo' / 'knn'"):
        read_table(path)
    kept = compare(path, missing="drop-datasets").table
    assert kept.dropped == ("zoo",)
    assert "1 of 36 jobs failed: their scores are missing" in " ".join(one.sentence for one in kept.findings)


def test_failed_job_that_was_run_again_is_superseded() -> None:
    lines = "x,t,f,1h,0,binary,,auc,error,\nx,t,f,1h,0,binary,.9,auc,,.8\nx,t,g,1h,0,binary,.7,auc,,.8\n"

    assert read_table(io.StringIO(HEADER + lines)).scores.tolist() == [[0.9, 0.7]]


def test_constraints_are_told_where_there_are_several() -> None:
    lines = "x,t,f,1h,0,binary,.8,auc,,.8\nx,t,f,4h,0,binary,.9,auc,,.8\n"

    assert read_table(io.StringIO(HEADER + lines)).classifiers == ("f (1h)", "f (4h)")


def test_tasks_with_several_metrics_are_warned_of() -> None:
    lines = "".join(
        f"x,t{i},{f},1h,0,binary,.{i + 1},{('auc', 'neg_rmse')[i]},,.8\n" for i in (0, 1) for f in ("f", "g")
    )

    table = read_table(io.StringIO(HEADER + lines))

    assert table.metric == "result"
    assert next(one.code for one in table.findings if one.severity == "warning") == "several-metrics"
    assert read_table(io.StringIO(HEADER + lines), metric="auc").datasets == ("t0",)


def test_unknown_metric_lists_the_known_ones(sample) -> None:
    with pytest.raises(TableError, match=r"has no metric 'f2'; its metrics are 'result', 'neg_logloss'"):
        read_table(sample("amlb/results.csv"), metric="f2")


def test_old_file_whose_result_may_be_a_loss_is_asked() -> None:
    """Before there was a column metric, losses were not negated."""
    text = "task,framework,fold,result,mode,logloss\nt,f,0,.3,local,.3\nt,g,0,.2,local,.2\n"

    with pytest.raises(
        TableError,
        match=r"lacks the column 'metric' of newer versions, .*; choose a column, for example metric='logloss'",
    ):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), metric="logloss").greater_is_better is False


def test_score_is_the_share_of_right_labels(sample, rows, content) -> None:
    expected = {}
    for task in sample("amlb/runs").glob("*/predictions/*"):
        own = [row for path in task.glob("*/predictions.csv") for row in rows(path)]
        right = sum(row["predictions"] == row["truth"] for row in own) / len(own)
        expected[task.name, task.parents[1].name.partition(".")[0]] = right

    table = read_table(sample("amlb/runs"))

    assert table.format == "amlb-predictions"
    assert content(table) == pytest.approx(expected)


def test_probability_is_that_of_the_positive_label(sample) -> None:
    first, second = (read_predictions(sample("amlb/runs"), pos_label=label).y_score for label in ("yes", "no"))

    assert first + second == pytest.approx(1)


def test_numbers_that_were_predicted_are_refused(tmp_path) -> None:
    path = tmp_path / "f.b.1h/predictions/t/0/predictions.csv"
    path.parent.mkdir(parents=True)
    path.write_text("predictions,truth\n0.1,0.2\n")

    with pytest.raises(TableError, match=r"has no column of a class, because numbers were predicted"):
        read_table(tmp_path)
