"""Rows of training data are not averaged with those of test data, whatever tells them apart is called."""

from __future__ import annotations

import itertools
from typing import Any

import pandas as pd
import pytest

import evalstats
from evalstats import TableError, compare, read_table

TEST = {("iris", "NB"): 0.9, ("iris", "SVM"): 0.8, ("wine", "NB"): 0.7, ("wine", "SVM"): 0.6}


def long(sets: dict[str, float], column: str = "split") -> dict[str, list[Any]]:
    """Return scores of each set, which are higher than those of the test set by so much."""
    rows = [(d, c, s, TEST[d, c] + more) for (d, c), (s, more) in itertools.product(TEST, sets.items())]
    return dict(zip(("dataset", "classifier", column, "accuracy"), map(list, zip(*rows, strict=True)), strict=True))


@pytest.mark.parametrize("column", ["split", "set", "subset", "phase", "partition", "part", "which"])
@pytest.mark.parametrize(
    "sets", [("train", "test"), ("Training", "Test"), ("val", "test"), ("train", "val", "test"), ("train", "dev")]
)
def test_scores_on_new_data_are_compared(column: str, sets: tuple[str, ...]) -> None:
    source = long({name: 0.05 * i for i, name in enumerate(reversed(sets))}, column)

    for table in (read_table(source), read_table(pd.DataFrame(source).sample(frac=1, random_state=0))):
        assert table.scores.tolist() == [[0.9, 0.8], [0.7, 0.6]]
        assert table.folds == ()
        assert f"'{column}' distinguishes, the rows of '{sets[-1]}' are read" in table.findings[0].sentence


def test_rows_of_a_wide_table_too() -> None:
    wide = {
        "dataset": ["iris", "iris", "wine", "wine"],
        "split": ["train", "test"] * 2,
        "NB": [1, 0.9, 1, 0.7],
        "SVM": [1, 0.8, 1, 0.6],
    }

    assert read_table(wide).scores.tolist() == [[0.9, 0.8], [0.7, 0.6]]


def test_predictions_of_training_data_are_not_counted() -> None:
    n = 40
    cases = {
        "split": ["train", "test"] * n,
        "y_true": [1, 1, 0, 0] * (n // 2),
        "a": [1, 1, 0, 0] * (n // 2),
        "b": [1, 0, 0, 0] * (n // 2),
    }
    frame = pd.DataFrame(cases)
    own = frame[frame["split"] == "test"]

    found = compare(frame)
    scores = evalstats.score_predictions(evalstats.read_predictions(frame), metric="accuracy")

    expected = [float((own["y_true"] == own[name]).mean()) for name in ("a", "b")]
    assert found.table.scores[0].tolist() == expected
    assert scores.scores.ravel().tolist() == expected


def test_scores_of_training_data_alone_are_refused() -> None:
    with pytest.raises(TableError, match="the column 'set' says that all scores come from training data"):
        read_table(long({"train": 0.0, "in_sample": 0.1}, "set"))


@pytest.mark.parametrize("of", ["dataset", "classifier"])
def test_names_of_datasets_and_classifiers_are_names(of: str) -> None:
    names = {"dataset": ["test", "train"] * 2, "classifier": ["NB", "NB", "SVM", "SVM"]}
    source = names if of == "dataset" else {"dataset": names["classifier"], "classifier": names["dataset"]}

    assert read_table(source | {"accuracy": [0.1, 0.2, 0.3, 0.4]}).scores.size == 4


def test_folds_that_count_stay_folds() -> None:
    source = long({"0": 0.0, "1": 0.1})

    assert read_table(source).folds[0].folds == ("0", "1")
