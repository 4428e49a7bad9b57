from __future__ import annotations

import io
import json

import pytest

from evalstats import TableError, read_table

HEADER = "run_id,task_id,setup_id,flow_name,data_name,function,value,values\n"


def test_values_of_runs(sample, rows, means, content) -> None:
    path = sample("openml-evaluations/evaluations.csv")

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("openml-evaluations", "predictive_accuracy", True)
    assert content(table) == pytest.approx(means(rows(path), "data_name", "flow_name", "value"))


def test_values_of_folds(sample, rows, content) -> None:
    path = sample("openml-evaluations/per_fold.csv")
    expected = {(row["data_name"], row["flow_name"]): sum(json.loads(row["values"])) / 3 for row in rows(path)}

    table = read_table(path)

    assert content(table) == pytest.approx(expected)
    assert table.folds[0].scores.shape == (1, 3, 3)


def test_settings_of_a_flow_are_classifiers_and_tasks_of_a_dataset_are_datasets() -> None:
    lines = "".join(f"1,{t},{s},f,iris,kappa,.{t},\n" for t in (1, 2) for s in (8, 9))

    table = read_table(io.StringIO(HEADER + lines))

    assert table.classifiers == ("f (setup 8)", "f (setup 9)")
    assert table.datasets == ("iris (task 1)", "iris (task 2)")


def test_several_runs_of_a_flow_are_refused() -> None:
    with pytest.raises(TableError, match=r"'f' was run several times on 'iris' \(lines 2 and 3\)"):
        read_table(io.StringIO(HEADER + "1,1,8,f,iris,kappa,.1,\n2,1,8,f,iris,kappa,.2,\n"))


@pytest.mark.parametrize("cell", ["[1", "[[1]]", '[{"a": 1}]'])
def test_values_must_be_a_list_of_numbers(cell) -> None:
    quoted = cell.replace('"', '""')

    with pytest.raises(TableError, match=r"line 2: .* is not a list of the values of folds"):
        read_table(io.StringIO(HEADER + f'1,1,8,f,iris,kappa,,"{quoted}"\n'))


def test_errors_are_losses() -> None:
    lines = "1,1,8,f,iris,mean_absolute_error,.1,\n1,1,9,g,iris,mean_absolute_error,.2,\n"

    assert read_table(io.StringIO(HEADER + lines)).greater_is_better is False


def test_values_of_a_repeated_cross_validation_need_their_folds() -> None:
    values = json.dumps([0.5] * 20)
    text = HEADER + f'1,1,8,f,iris,kappa,,"{values}"\n1,1,9,g,iris,kappa,,"{values}"\n'

    with pytest.raises(TableError, match="has 20 splits"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), n_folds=10).folds[0].scores.shape == (2, 10, 2)
