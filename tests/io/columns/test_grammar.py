"""Names that papers use again and again are known, however they are written; others are not."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

import evalstats
from evalstats import read_table
from evalstats.io.columns.grammar import VERSUS, alike, is_classifier_name, is_dataset_name, is_run, runs_of, split_of


@pytest.mark.parametrize(
    "name",
    ["LR", "RandomForest", "random forest", "knn", "k-NN", "ResNet-50", "GPT-4", "ours (w/o aug)"],
)
def test_classifiers_are_known(name: str) -> None:
    assert is_classifier_name(name)
    assert not is_dataset_name(name)


@pytest.mark.parametrize("name", ["iris", "Breast Cancer", "CIFAR-10", "cifar100", "ARC", "Iris dataset"])
def test_datasets_are_known(name: str) -> None:
    assert is_dataset_name(name)
    assert not is_classifier_name(name)


@pytest.mark.parametrize("name", ["A", "set f", "KD1", "", "Ω", "12", "LR vs NB"])
def test_other_names_are_neither(name: str) -> None:
    assert not is_dataset_name(name)
    assert not is_classifier_name(name)


def test_names_of_runs_have_a_number() -> None:
    assert [is_run(name) for name in ("fold 1", "Seed_12", "run-3", "fold", "folder 1")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_pairs_are_told_by_the_word_between() -> None:
    assert [bool(VERSUS.fullmatch(name)) for name in ("LR vs. NB", "LR v NB", "LR versus NB", "LRvsNB")] == [
        *(True, True, True, False),
    ]


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("Fold1.Rep2", {"fold": "1", "repeat": "2"}),
        ("fold1of5", {"fold": "1"}),
        ("fold_2/5", {"fold": "2"}),
        ("outer CV fold 3 of 10", {"fold": "3"}),
        ("K-Fold 1", {"fold": "1"}),
        ("random seed 7", {"seed": "7"}),
        ("repetition 2", {"repeat": "2"}),
        ("Repeat2_Fold1", {"fold": "1", "repeat": "2"}),
        ("rep 2 / fold 1", {"fold": "1", "repeat": "2"}),
        ("fold1rep2", {"fold": "1", "repeat": "2"}),
        ("2. Repeat, 1. Fold", {"fold": "1", "repeat": "2"}),
        ("1. fold", {"fold": "1"}),
        ("3rd run", {"repeat": "3"}),
        ("CV-07", {"fold": "07"}),
    ],
)
def test_folds_and_repeats_are_counted_in_any_order(name: str, runs: dict[str, str]) -> None:
    found = split_of(name)

    assert found is not None
    assert (found.runs, found.metric) == (runs, "")


@pytest.mark.parametrize(
    "name", ["GLUE", "fold", "folder 1", "fold 1 fold 2", "fold 1 of B", "manifold1", "step 0.001", "R2", "5-fold", ""]
)
def test_other_names_count_no_folds(name: str) -> None:
    assert split_of(name) is None


def test_names_that_count_different_things_have_no_runs_together() -> None:
    assert runs_of(["fold 1", "repeat 2"]) == runs_of(["fold 1", "B"]) == runs_of([]) == {}
    assert runs_of(["fold 1 repeat 1", "repeat 2 fold 1"]) == {"repeat": ["1", "2"], "fold": ["1", "1"]}


@pytest.mark.parametrize("form", ["Fold{0}.Rep{1}", "Repeat{1}_Fold{0}", "{0}. fold {1}. repeat"])
@pytest.mark.parametrize("corner", ["fold", "resample"])
@pytest.mark.parametrize("is_across", [False, True])
def test_named_folds_of_repeats_are_no_datasets(form: str, corner: str, is_across: bool) -> None:
    """In rows, in columns, and in any order: they are runs of one dataset."""
    names = [form.format(fold, repeat) for repeat in (1, 2) for fold in (1, 2, 3)]
    rows = [[corner, "A", "B"], *([name, f"0.{i + 3}", f"0.{8 - i}"] for i, name in enumerate(names))]
    if is_across:
        rows = [["model", *names], *([rows[0][j], *(row[j] for row in rows[1:])] for j in (1, 2))]

    table = read_table(io.StringIO("\n".join(map(",".join, rows))))

    assert table.datasets == ("dataset",)
    (folds,) = table.folds
    assert (folds.repeats, folds.folds) == (("1", "2"), ("1", "2", "3"))
    assert folds.scores[1].tolist() == [[0.6, 0.5], [0.7, 0.4], [0.8, 0.3]]


def test_column_that_is_called_fold_holds_folds_whatever_they_are_called() -> None:
    frame = pd.DataFrame({"fold": ["north", "south", "west"], "LR": [0.8, 0.7, 0.9], "NB": [0.6, 0.8, 0.7]})

    table = read_table(frame)

    assert (len(table.datasets), table.folds[0].folds) == (1, ("north", "south", "west"))


def test_long_numbers_in_names_are_alike() -> None:
    """No list of words has one of them, except the numbers of encodings."""
    assert alike(["data 12345", "data 123456", "ECG5000", "a\nb"]) == ["data 12345", "data 123456", "ECG5000", "a\nb"]
    assert alike(["data 1234", "data 123456", "ECG5000"]) == ["data 99999", "data 99999", "ECG5000"]
    assert alike([]) == []
    words = (Path(evalstats.__file__).parent / "lexicon.toml").read_text(encoding="utf-8").split()
    encodings = {"gb18030", "iso8859_2", "cp1250", "cp1251", "cp1252", "cp1253"}
    assert {word for word, own in zip(words, alike(words), strict=True) if word != own} <= encodings
