from __future__ import annotations

import ast
import io

import pytest

from evalstats import TableError, read_table


def test_frame_of_the_documentation(sample, rows, means, content) -> None:
    path = sample("wandb/project.csv")
    own = [{**ast.literal_eval(row["summary"]), **ast.literal_eval(row["config"])} for row in rows(path)]

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("wandb", "accuracy", True)
    assert content(table) == pytest.approx(means(own, "dataset", "model", "accuracy"))


def test_frame_with_dicts_is_read_as_they_are() -> None:
    frame = {
        "summary": [{"auc": 0.8}, {"auc": 0.9}],
        "config": [{"model": "a", "dataset": "d"}, {"model": "b", "dataset": "d"}],
        "name": ["x", "y"],
    }

    assert read_table(frame).scores.tolist() == [[0.8, 0.9]]


def test_table_of_the_page(sample, rows, means, content) -> None:
    path = sample("wandb/page.csv")
    own = [row for row in rows(path) if row["State"] == "finished"]

    table = read_table(path)

    assert content(table) == pytest.approx(means(own, "dataset", "model", "accuracy"))
    assert "Left out, because they did not finish: 1 of 19 runs" in table.findings[1].sentence


def test_chart_is_refused_with_what_to_do(sample) -> None:
    with pytest.raises(TableError, match=r"is the export of a chart of Weights & Biases, .*: export the table of runs"):
        read_table(sample("wandb/chart.csv"))


@pytest.mark.parametrize("cell", ["x", "[1]", "__import__('os')", "{'a': }"])
def test_cells_are_read_as_literals_and_never_run(cell) -> None:
    with pytest.raises(TableError, match=r"in the column 'summary' is not a dict"):
        read_table(io.StringIO(f'summary,config,name\n"{cell}","{{}}",x\n'))


def test_runs_of_one_group_are_of_one_classifier() -> None:
    """Each run has a name of its own."""
    text = "Name,State,Runtime,seed,auc,Group\nsweet-1,finished,9,1,.8,NB\nlunar-2,finished,9,2,.9,NB\n"
    text += "calm-3,finished,9,1,.7,SVM\nwild-4,finished,9,2,.6,SVM\n"

    table = read_table(io.StringIO(text), metric="auc")

    assert (table.classifiers, table.folds[0].scores.shape) == (("NB", "SVM"), (2, 1, 2))


@pytest.mark.parametrize("axis", ["iteration", "epoch", "Relative Time (Process)"])
def test_chart_is_known_whatever_its_axis_is(sample, tmp_path, axis: str) -> None:
    path = tmp_path / "accuracy.csv"
    path.write_text(sample("wandb/chart.csv").read_text(encoding="utf-8").replace("Step,", f"{axis},", 1))

    with pytest.raises(TableError, match="is the export of a chart of Weights & Biases"):
        read_table(path)
