"""Columns that have names of settings are compared as they are, and the reader is told."""

from __future__ import annotations

import pytest

from evalstats import read_table
from evalstats.io.columns.grammar import settings_finding


@pytest.mark.parametrize(
    ("names", "is_noted"),
    [
        (["k=1", "k=3", "k = 5"], True),
        (["10", "50", "100"], True),
        (["lr=1e-3", "lr=0.1"], True),
        (["SVM (C=1)", "SVM (C=10)", "NB"], True),
        (["C4.5 (L=1)", "C4.5 (L=2)"], True),
        (["knn, k=3", "knn, k=5"], True),
        (["SVM_C=0.1", "SVM_C=10"], True),
        (["0", "1", "2"], False),
        (["1", "2", "3"], False),
        (["k=1", "LR"], False),
        (["1NN", "3NN"], False),
        (["resnet18", "resnet34"], False),
        (["ResNet-18", "ResNet-34", "VGG-16"], False),
        (["SVM (C=1)", "RF (n=100)"], False),
        (["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"], False),
        (["classifier 1", "classifier 2"], False),
        (["naive Bayes", "random forest", "decision tree", "nearest neighbour"], False),
        (["a_1", "b_2", "a_3", "b_4"], False),
    ],
)
def test_settings_of_one_classifier_are_noted(names: list[str], is_noted: bool) -> None:
    assert [one.code for one in settings_finding(names)] == ["settings"] * is_noted


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (
            ["c45_iter216", "hddt_iter216", "c45_iter459", "hddt_iter459"],
            "2 classifiers ('c45', 'hddt') with 2 settings each ('iter216', 'iter459')",
        ),
        (
            ["hddt_2", "nb_2", "hddt_10", "nb_10", "hddt_actual", "nb_actual"],
            "2 classifiers ('hddt', 'nb') with 3 settings each ('2', '10', 'actual')",
        ),
        (
            ["LR (raw)", "SVM (raw)", "LR (scaled)", "SVM (scaled)"],
            "('LR', 'SVM') with 2 settings each ('raw', 'scaled')",
        ),
        (["raw LR", "raw SVM", "scaled LR", "scaled SVM"], "('LR', 'SVM') with 2 settings each ('raw', 'scaled')"),
        (["my_LR_1", "my_NB_1", "my_LR_2", "my_NB_2"], "('my_LR', 'my_NB') with 2 settings each ('1', '2')"),
    ],
)
def test_classifiers_under_the_same_settings_each_are_told_apart(names: list[str], said: str) -> None:
    (finding,) = settings_finding(names)

    assert said in finding.sentence
    assert "the best of several settings is not necessarily the best on other datasets" in finding.sentence


@pytest.mark.parametrize("layout", ["wide", "long"])
def test_settings_are_noted_in_every_layout(layout: str) -> None:
    names, scores = ["SVM (C=1)", "SVM (C=10)"], {"iris": [0.9, 0.95], "glass": [0.7, 0.65], "wine": [0.8, 0.85]}
    wide = {"dataset": list(scores)} | {name: [row[j] for row in scores.values()] for j, name in enumerate(names)}
    long = [(name, own, row[j]) for name, row in scores.items() for j, own in enumerate(names)]
    columns = dict(zip(("dataset", "classifier", "accuracy"), zip(*long, strict=True), strict=True))

    table = read_table(wide if layout == "wide" else columns)

    assert [one.code for one in table.findings] == ["settings"]
