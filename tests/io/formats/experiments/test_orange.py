from __future__ import annotations

import csv
import io
from types import SimpleNamespace

import numpy as np
import pytest

from evalstats import InvalidTypeError, TableError, read_predictions, read_table

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


def test_probability_is_that_of_the_positive_label_of_predictions() -> None:
    text = TWO + "a\ta\t0.9\t0.1\t1\nb\ta\t0.6\t0.4\t2\n"

    assert read_predictions(io.StringIO(text)).y_score.tolist() == [0.1, 0.4]
    assert read_predictions(io.StringIO(text), pos_label="a").y_score.tolist() == [0.9, 0.6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TWO, "lacks the three header lines of an Orange table, or has no instance"),
        (TWO + "a\ta\n", "line 4 has 2 fields, but the header has 5"),
        (TWO.replace("b a\tb a", "continuous\tb a") + "1\ta\t0\t0\t1\n", r"holds numbers \(regression\)"),
    ],
)
def test_faults_are_told_of_predictions(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text), format="orange-predictions")


def results(**changes):
    """Show what Orange.evaluation.Results shows, as far as it is read."""
    values = {
        "actual": np.array([0.0, 1.0, 1.0, 0.0]),
        "predicted": np.array([[0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]]),
        "probabilities": np.array([[[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.7, 0.3]]] * 2),
        "row_indices": np.array([3, 0, 2, 1]),
        "folds": [slice(0, 2), slice(2, 4)],
        "learners": [SimpleNamespace(name="bayes"), SimpleNamespace(name="tree")],
        "domain": SimpleNamespace(class_var=SimpleNamespace(values=("no", "yes"))),
        "data": SimpleNamespace(name="heart"),
    }
    return SimpleNamespace(**{**values, **changes})


def test_codes_become_labels_of_the_domain() -> None:
    table = read_table(results())

    assert (table.format, table.datasets, table.classifiers) == ("orange-results", ("heart",), ("bayes", "tree"))
    assert table.scores.tolist() == [[0.75, 0.75]]
    assert table.folds[0].scores.shape == (1, 2, 2)


def test_probability_is_that_of_the_positive_label_of_results() -> None:
    assert sorted(read_predictions(results()).y_score[:4].tolist()) == [0.1, 0.3, 0.4, 0.8]
    assert sorted(read_predictions(results(), pos_label="no").y_score[:4].tolist()) == [0.2, 0.6, 0.7, 0.9]


def test_random_splits_are_repeats() -> None:
    """The same case is tested in two splits that are no folds of one cross-validation."""
    table = read_table(results(row_indices=np.array([0, 1, 1, 0])))
    again = read_table(results(row_indices=np.array([0, 1, 1, 2]), actual=np.array([0.0, 1.0, 1.0, 0.0])))

    assert table.folds[0].repeats == ("1", "2")
    assert again.folds[0].repeats == ("1", "2")


def test_learners_of_one_name_are_numbered() -> None:
    same = [SimpleNamespace(name="tree"), SimpleNamespace(name="tree")]

    assert read_table(results(learners=same)).classifiers == ("tree 1", "tree 2")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"domain": SimpleNamespace(class_var=SimpleNamespace(values=()))}, "no class variable with labels"),
        ({"predicted": np.array([[0, 1, np.nan, 0], [0, 1, 1, 0]])}, "a class is missing"),
        ({"predicted": np.array([[0, 1, 2, 0], [0, 1, 1, 0]])}, "not among the values of the domain"),
        ({"actual": None}, "is not a result of Orange"),
    ],
)
def test_faults_are_told_of_results(changes, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(results(**changes))


def test_object_that_answers_nothing_is_refused() -> None:
    """A property may raise whatever it likes: it is not called."""

    class Unwilling:
        @property
        def actual(self):
            raise RuntimeError

    with pytest.raises(InvalidTypeError, match="source must be a path"):
        read_table(Unwilling())
