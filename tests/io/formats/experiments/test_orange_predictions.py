from __future__ import annotations

import csv
import io

import pytest

from evalstats import TableError, read_predictions, read_table

TWO = "y\tNB\tNB (a)\tNB (b)\tFold\nb a\tb a\tcontinuous\tcontinuous\t1 2\nclass\tmeta\tmeta\tmeta\tmeta\n"


@pytest.mark.parametrize("suffix", ["tab", "csv"])
def test_saved_predictions_have_the_accuracy_of_each_model(suffix, sample, content) -> None:
    path = sample(f"orange/predictions.{suffix}")
    with path.open(newline="") as file:
        header, _, _, *cases = csv.reader(file, delimiter="\t" if "\t" in path.read_text()[:200] else ",")
    right = {
        ("predictions", name): sum(case[0] == case[header.index(name)] for case in cases) / len(cases)
        for name in ("Naive Bayes", "Tree", "Constant")
    }

    table = read_table(path)

    assert table.format == "orange-predictions"
    assert content(table) == pytest.approx(right)
    assert table.folds[0].folds == ("1", "2", "3", "4", "5")


def test_probability_is_that_of_the_positive_label() -> None:
    text = TWO + "a\ta\t0.9\t0.1\t1\nb\ta\t0.6\t0.4\t2\n"

    assert read_predictions(io.StringIO(text)).y_score.tolist() == [0.1, 0.4]
    assert read_predictions(io.StringIO(text), pos_label="a").y_score.tolist() == [0.9, 0.6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TWO, "lacks the three lines of an Orange table, or has no case"),
        (TWO + "a\ta\n", "line 4 has 2 fields, but the header has 5"),
        (TWO.replace("b a\tb a", "continuous\tb a") + "1\ta\t0\t0\t1\n", r"holds numbers \(regression\)"),
    ],
)
def test_faults_are_told(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text), format="orange-predictions")
