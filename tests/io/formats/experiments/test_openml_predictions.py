from __future__ import annotations

import io

import pytest

from evalstats import TableError, compare, read_predictions, read_table

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
        (HEAD.replace("correct", "truth") + "@data\n0,0,1,2.5,2.6\n", "numbers were predicted, which are no labels"),
        (
            HEAD + "@attribute sample numeric\n@data\n0,0,1,a,b,0\n0,0,1,a,b,1\n",
            "holds a learning curve, several samples of each fold",
        ),
        (HEAD, "has no line @data"),
    ],
)
def test_faults_are_told(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text), format="openml-predictions")
