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
        assert f"The rows with '{sets[-1]}' in '{column}' are read" in table.findings[0].sentence


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


PYCARET = """
Split,Fold,Accuracy,AUC,Prec.
CV-Train,0,0.9804,1.0,0.9815
CV-Train,1,0.9706,0.9994,0.9707
CV-Val,0,0.9412,0.9951,0.95
CV-Val,1,{0},0.9925,0.9
CV-Train,Mean,0.9755,0.9997,0.9761
CV-Train,Std,0.0049,0.0003,0.0054
CV-Val,Mean,{1},0.9938,0.925
CV-Val,Std,{2},0.0013,0.025
Train,,0.9708,0.9979,0.9719
""".lstrip()


def test_folds_of_pycaret_without_the_scores_of_training(tmp_path: Any) -> None:
    (tmp_path / "lr.csv").write_text(PYCARET.format(0.9, 0.9206, 0.0206))
    (tmp_path / "nb.csv").write_text(PYCARET.format(0.8824, 0.9118, 0.0294))

    table = read_table([tmp_path / "lr.csv", tmp_path / "nb.csv"], metric="Accuracy")

    assert table.classifiers == ("lr", "nb")
    assert table.folds[0].scores.tolist() == [[[0.9412, 0.9412], [0.9, 0.8824]]]
    told = [one.sentence for one in table.findings]
    assert "The rows with 'CV-Val' in 'Split' are read, and the rows with 'CV-Train', 'Train' are not." in told


@pytest.mark.parametrize("sets", [("train set", "test set"), ("cv_train", "cv_test"), ("Training data", "Test data")])
def test_words_beside_the_name_of_a_set(sets: tuple[str, str]) -> None:
    source = long({sets[0]: 0.05, sets[1]: 0.0})

    assert read_table(source).scores.tolist() == [[0.9, 0.8], [0.7, 0.6]]
    with pytest.raises(TableError, match="all scores come from training data"):
        read_table(long({sets[0]: 0.0, "in_sample": 0.1}))
