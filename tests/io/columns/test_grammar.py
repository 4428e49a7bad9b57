"""Names that papers use again and again are known, however they are written; others are not."""

from __future__ import annotations

import pytest

from evalstats.io.columns.grammar import VERSUS, is_classifier_name, is_dataset_name, is_run


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
