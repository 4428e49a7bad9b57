"""Dicts of dicts hold the scores of splits, or scores by metrics, whichever names are outside."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError, TableError, compare, read_table
from evalstats.io.options import given_together

SPLITS = {
    "iris": {"bayes": [0.93, 0.97, 0.90], "tree": [0.93, 0.93, 0.87]},
    "wine": {"bayes": [0.97, 0.98, 0.95], "tree": [0.86, 0.92, 0.88]},
}
MEANS = [[np.mean(own) for own in of.values()] for of in SPLITS.values()]


def turned(document: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {inner: {outer: own[inner] for outer, own in document.items()} for inner in document["iris"]}


def by_metric(**others: Any) -> dict[str, dict[str, Any]]:
    return {d: {c: {"accuracy": float(np.mean(own)), **others} for c, own in of.items()} for d, of in SPLITS.items()}


@pytest.mark.parametrize("order", [dict, turned], ids=["datasets first", "classifiers first"])
@pytest.mark.parametrize("document", [SPLITS, by_metric(), by_metric(f1=0.5)], ids=["splits", "a metric", "metrics"])
@pytest.mark.parametrize("is_text", [False, True])
def test_names_tell_which_are_the_classifiers(order: Any, document: Any, is_text: bool) -> None:
    source = order(document)

    table = read_table(io.StringIO(json.dumps(source)) if is_text else source, metric="accuracy")

    assert (table.datasets, table.classifiers, table.format) == (("iris", "wine"), ("bayes", "tree"), "nested-scores")
    np.testing.assert_allclose(table.scores, MEANS)
    assert table.greater_is_better


def test_arrays_of_splits_are_those_of_folds_unless_said_otherwise() -> None:
    arrays = {d: {c: np.array(own) for c, own in of.items()} for d, of in SPLITS.items()}

    folds, repeats = read_table(arrays).folds[0].scores, read_table(arrays, parsing={"n_folds": 1}).folds[0].scores

    assert folds.shape == (1, 3, 2)
    assert repeats.shape == (3, 1, 2)
    assert [one.code for one in read_table(arrays).findings] == ["folds-assumed"]
    assert read_table(arrays, parsing={"n_folds": 1}).findings == ()


@pytest.mark.parametrize(("n", "advice"), [(10, ".*2 repeats of 5 folds, pass n_folds=5"), (9, ".*n_folds=3"), (7, "")])
def test_advice_on_repeats_does_not_change_the_folds(n: int, advice: str) -> None:
    table = read_table({"iris": {name: ((np.arange(n) + j) / 20).tolist() for j, name in enumerate(("bayes", "tree"))}})

    assert table.folds[0].scores.shape == (1, n, 2)
    (finding,) = (one.sentence for one in table.findings if one.code == "folds-assumed")
    assert re.fullmatch(f"The {n} splits are treated as the folds .*does not state this{advice}.", finding)


def test_the_splits_of_one_dataset_are_tested_as_folds() -> None:
    comparison = compare({"iris": SPLITS["iris"]})

    assert comparison.table.folds[0].scores.shape == (1, 3, 2)
    assert "folds-assumed" in [one.code for one in comparison.table.findings]


def test_names_below_may_number_the_folds() -> None:
    source = {d: {c: {f"fold_{i}": x for i, x in enumerate(own)} for c, own in of.items()} for d, of in SPLITS.items()}

    np.testing.assert_allclose(read_table(source).scores, MEANS)


def test_what_stands_beside_is_left_aside() -> None:
    np.testing.assert_allclose(read_table({"date": "2026-11-23", "seed": 1, "results": SPLITS}).scores, MEANS)


def test_a_loss_is_one() -> None:
    losses = {d: {c: {"log_loss": 1 - float(np.mean(own))} for c, own in of.items()} for d, of in SPLITS.items()}

    assert not read_table(losses).greater_is_better
    assert not read_table(SPLITS, metric="log loss").greater_is_better


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (
            {"a": {"x": [1, 2], "y": [2, 3]}},
            {},
            "does not say which of them are the classifiers; if the outer keys are the classifiers",
        ),
        (by_metric(f1=0.5), {}, "holds the metrics 'accuracy', 'f1'; choose one, for example metric='accuracy'"),
        (by_metric(), {"metric": "f1"}, "has no metric 'f1'; its metrics are 'accuracy'"),
        (
            {**SPLITS, "car": {"bayes": [0.5, 0.6]}},
            {},
            "must have equal numbers of scores in all lists, but 'iris' / 'bayes' has 3",
        ),
        (SPLITS, {"n_folds": 2}, "n_folds must divide the number of splits"),
        (
            {"iris": {"bayes": [0.5] * 20, "tree": [0.6] * 20}},
            {},
            "pass parsing={'n_folds': ...}, the number of folds in each repeat",
        ),
    ],
)
def test_what_is_not_told_is_asked(source: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises((TableError, InvalidValueError)) as caught:
        read_table(source, **given_together(options))
    assert message in str(caught.value)


def test_who_asks_is_told() -> None:
    table = read_table({"a": {"x": [1, 2], "y": [2, 3]}}, parsing={"transpose": False})

    assert (table.datasets, table.classifiers) == (("x", "y"), ("a",))
    assert read_table({"a": {"x": [1, 2], "y": [2, 3]}}, parsing={"transpose": True}).datasets == ("a",)


def test_a_name_that_stands_twice_is_refused() -> None:
    text = '{"iris": {"bayes": [0.9, 0.8], "tree": [0.7, 0.8], "bayes": [0.1, 0.2]}}'

    with pytest.raises(TableError, match="the name 'bayes' occurs twice in one object"):
        read_table(io.StringIO(text))


@pytest.mark.parametrize(
    "source",
    [
        {"train": {"logloss": [0.7, 0.6, 0.5]}, "test": {"logloss": [0.8, 0.7, 0.6]}},
        {"bayes": {"iris": ["a", "b"]}, "tree": {"iris": ["a", "c"]}},
        {"bayes": {"iris": [True, False]}, "tree": {"iris": [True, True]}},
        {"bayes": {"iris": {"leaves": 3.0}}, "tree": {"iris": {"leaves": 4.0}}},
    ],
    ids=["course of a training", "labels", "answers", "no metric"],
)
def test_other_dicts_of_dicts_are_no_scores(source: Any) -> None:
    with pytest.raises(TableError) as caught:
        read_table(source)
    assert "nested" not in str(caught.value)
