from __future__ import annotations

import io
import json

import pytest

from evalstats import TableError, compare, read_predictions, read_table

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
    assert read_table(io.StringIO(text), parsing={"n_folds": 10}).folds[0].scores.shape == (2, 10, 2)


HEAD = "@relation openml_task_7_predictions\n" + "".join(
    f"@attribute {name} numeric\n" for name in ("repeat", "fold", "row_id", "prediction", "correct")
)


def right(path) -> float:
    lines = path.read_text().partition("@DATA\n")[2].splitlines()
    cells = [line.split(",")[4:6] for line in lines if line and line[0] != "%"]
    return sum(prediction == correct for prediction, correct in cells) / len(cells)


def test_runs_of_a_directory_are_compared(sample) -> None:
    comparison = compare(sample("openml"))

    assert comparison.table.classifiers == ("forest", "tree")
    assert comparison.table.datasets == ("task_7",)
    expected = [right(sample(f"openml/{name}/predictions.arff")) for name in ("forest", "tree")]
    assert comparison.table.scores[0] == pytest.approx(expected)


def test_files_may_be_listed(sample, content) -> None:
    paths = [sample(f"openml/{name}/predictions.arff") for name in ("forest", "tree")]

    assert content(read_table(paths)) == content(read_table(sample("openml")))


def test_column_correct_is_the_true_label() -> None:
    predictions = read_predictions(io.StringIO(HEAD + "@data\n0,0,1,good,bad\n0,0,2,bad,bad\n"))

    assert [predictions.labels[i] for i in predictions.y_true] == ["bad", "bad"]


def test_confidence_is_that_of_the_positive_label(sample) -> None:
    path = sample("openml/tree/predictions.arff")
    first, second = (read_predictions(path, pos_label=label).y_score for label in ("bad", "good class"))

    assert first + second == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD.replace("correct", "truth") + "@data\n0,0,1,2.5,2.6\n", "numbers were predicted instead of labels"),
        (
            HEAD + "@attribute sample numeric\n@data\n0,0,1,a,b,0\n0,0,1,a,b,1\n",
            "holds a learning curve with several samples of each fold",
        ),
        (HEAD, "has no line @data"),
    ],
)
def test_faults_are_told(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text), format="openml-predictions")
