"""Labels of a dataset: which there are, which can never agree, which is positive."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import TableError, compare
from evalstats.io.layouts.labels import checked_labels, labels_in, positive_labels
from evalstats.io.reader.opening import grid_of
from evalstats.io.sources.grid import Grid


def grid(**columns: list[Any]) -> Grid:
    return grid_of(columns, None, "utf-8", None)


@pytest.mark.parametrize("cell", ["", " ", None, float("nan"), "NaN", "#N/A"])
def test_missing_label_is_named_by_its_row(cell: Any) -> None:
    with pytest.raises(TableError, match="row 2, column 'y_true': the true label is missing"):
        labels_in(grid(y_true=["a", cell, "b"]), 0, "true")


def test_words_that_are_missing_scores_may_be_labels() -> None:
    assert list(labels_in(grid(y_true=["none", "-"]), 0, "true").names) == ["none", "-"]


def test_labels_of_each_dataset_are_those_of_its_rows() -> None:
    labels = ["a", "b", "c"]
    found = checked_labels(
        grid(y_pred=["b", "a", "c"]),
        0,
        ["d", "e"],
        np.array([0, 0, 1]),
        labels,
        np.array([0, 0, 2]),
        np.array([1, 0, 2]),
    )

    assert found == [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["1", "1.0"], "one value in two spellings"),
        (["1", "True"], "one value in two spellings"),
        (["1", "x"], "the predicted label 'x' is a word, but the true labels are numbers"),
        (["x", "2"], "the predicted label '2' is a number, but the true labels are words"),
        (
            ["0", "0.7"],
            "'0.7' is a number, but not a true label; if these are scores, pass columns={'y_score': 'y_pred'}",
        ),
    ],
)
def test_labels_that_never_agree_are_refused(labels: list[str], message: str) -> None:
    with pytest.raises(TableError, match=message):
        checked_labels(
            grid(y_pred=labels), 0, ["d"], np.zeros(2, dtype=np.intp), labels, np.array([0, 0]), np.array([0, 1])
        )


@pytest.mark.parametrize(
    ("labels", "positive"),
    [(["0", "1"], "1"), (["no", "yes"], "yes"), (["a", "b", "c"], None), (["0"], "1"), (["1", "2"], None)],
)
def test_usual_positive_label(labels: list[str], positive: str | None) -> None:
    assert positive_labels(None, ["d"], [labels]) == (positive,)


def test_positive_label_of_each_dataset() -> None:
    assert positive_labels({"e": "a"}, ["d", "e"], [["0", "1"], ["a", "b"]]) == ("1", "a")
    with pytest.raises(TableError, match="pos_label must name datasets among"):
        positive_labels({"f": "a"}, ["d"], [["a", "b"]])


@pytest.mark.parametrize("layout", ["wide", "long"])
def test_targets_of_a_regression_are_no_labels(layout: str) -> None:
    targets = [i / 8 for i in range(30)]
    near = [x + 0.0625 for x in targets]
    wide = {"y_true": targets, "a": near, "b": [x - 0.0625 for x in targets]}
    long = {"case": [*range(30)] * 2, "classifier": ["a"] * 30 + ["b"] * 30, "y_true": targets * 2}

    with pytest.raises(TableError, match=r"'y_true' of true labels holds 30 numbers with fractions, .* regression"):
        evalstats.compare(wide if layout == "wide" else {**long, "y_pred": near + targets})


def test_a_few_numbers_with_fractions_are_labels() -> None:
    stars = [i / 2 for i in range(1, 11)]
    table = evalstats.read_table({"y_true": stars * 2, "y_pred": stars * 2}, metric="accuracy")

    assert table.scores.tolist() == [[1.0]]


@pytest.mark.parametrize("layout", ["wide", "long", "scores"])
def test_whole_targets_of_a_regression_are_no_labels(layout: str) -> None:
    rng = np.random.default_rng(0)
    targets = rng.integers(20, 300, 120)
    a, b = (np.rint(targets + rng.normal(0, 9, 120)).astype(int) for _ in "ab")
    long = {"case": [*range(120)] * 2, "classifier": ["a"] * 120 + ["b"] * 120, "y_true": [*targets] * 2}
    sources = {
        "wide": {"y_true": targets, "a": a, "b": b},
        "long": {**long, "y_pred": [*a, *b]},
        "scores": {"y_true": targets, "a": a + 0.25, "b": b + 0.5},
    }

    with pytest.raises(TableError, match="targets of a regression, but evalstats compares class labels"):
        evalstats.read_table(sources[layout])


@pytest.mark.parametrize("right", [0.2, 0.6, 0.95])
def test_many_classes_called_by_numbers_are_labels(right: float) -> None:
    rng = np.random.default_rng(1)
    true = rng.integers(0, 100, 2000)
    predicted = np.where(rng.random(2000) < right, true, rng.integers(0, 100, 2000))

    table = evalstats.read_table({"row": np.arange(2000), "model": ["a"] * 2000, "y_true": true, "y_pred": predicted})

    assert table.scores[0, 0] == pytest.approx((true == predicted).mean())


@pytest.mark.parametrize("other", ["FOX", "Fox", "fox."])
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_labels_in_another_spelling_are_not_incorrect_answers(other: str, layout: str) -> None:
    """One classifier writes its labels in capitals, so that none of them equals a true label."""
    true = ["fox", "dog"] * 10
    spelled = [other if label == "fox" else label for label in true]
    wide = {"y_true": true, "a": spelled, "b": ["fox"] * 20}
    long = {"id": [*range(20)] * 2, "y_true": true * 2, "model": ["a"] * 20 + ["b"] * 20}

    with pytest.raises(TableError, match=f"'{other}' and the true label 'fox' are one label in two spellings"):
        compare(
            wide if layout == "wide" else long | {"y_pred": spelled + wide["b"]},
            **({"keep": "a"} if layout == "wide" else {}),
        )


def test_labels_that_are_true_in_both_cases_are_two_labels() -> None:
    true = ["fox", "Fox", "dog", "cat"] * 10

    scores = compare({"y_true": true, "a": true, "b": ["Fox"] * 40}).table.scores
    assert scores.tolist() == [[1.0, 0.25]]


def test_free_texts_may_differ_in_their_case() -> None:
    true = [f"answer {i}" for i in range(12)]

    table = compare(
        {"question": [*range(12)], "y_true": true, "a": true, "b": [t.upper() for t in true]}, keep="b"
    ).table
    assert table.scores.tolist() == [[1.0, 0.0]]
