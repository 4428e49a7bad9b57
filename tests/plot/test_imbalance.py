"""How rare the positive cases of tasks are."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import example_path, read_predictions
from evalstats.metrics import empty_fold_probability
from evalstats.plot import class_imbalance

FRUIT = ["apple"] * 60 + ["pear"] * 30 + ["fig"] * 10
DATA = {"fruit $x$": FRUIT, "fraud": [0] * 990 + [1] * 10, "network-" * 9: [[5, 500], [70, 30]]}


def points(ax, number: int) -> list[tuple[float, float]]:
    line = [line for line in ax.lines if not line.get_label().startswith("_")][number]
    return sorted(zip(line.get_xdata().tolist(), line.get_ydata().tolist(), strict=True))


def test_each_class_is_a_task() -> None:
    """10 figs against 90, 30 pears against 70; of 60 apples the others are the rarer class."""
    ax = class_imbalance(DATA)

    assert points(ax, 0) == [(10, 9), (30, 70 / 30), (40, 60 / 40)]
    assert points(ax, 1) == [(5, 100), (30, 70 / 30)]
    assert points(ax, 2) == [(10, 99)]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_predictions_count_each_case_once() -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))

    ax = class_imbalance(predictions, max_shown=20)

    for number, (d, name) in enumerate(enumerate(predictions.datasets)):
        of_one = (predictions.dataset == d) & (predictions.classifier == 0)
        n_positive, n = np.bincount(predictions.y_true[of_one]).max(), of_one.sum()
        rarer = min(n_positive, n - n_positive)
        assert points(ax, number) == [(rarer, (n - rarer) / rarer)], name


@pytest.mark.parametrize("n_folds", [2, 5, 10, 20])
def test_line_stands_where_folds_begin_to_be_safe(n_folds: int) -> None:
    ax = class_imbalance(DATA, n_folds=n_folds)

    (line,) = (line for line in ax.lines if line.get_label() == "_enough")
    at = line.get_xdata()[0]
    assert empty_fold_probability(at, n_folds) <= 0.05 < empty_fold_probability(at - 1, n_folds)


@pytest.mark.parametrize("max_shown", [1, 10])
def test_new_figure_is_legible(max_shown: int, assert_legible) -> None:
    ax = class_imbalance(DATA, max_shown=max_shown, title="A title of the picture")

    assert_legible(ax)
    assert len(ax.get_legend().get_texts()) == min(max_shown, 3)


def test_given_axes_are_returned_and_legible(assert_legible) -> None:
    ax = Figure(figsize=(8, 6), layout="constrained").add_subplot()

    assert class_imbalance(DATA, ax=ax, n_folds=None, caption=False) is ax
    assert_legible(ax)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([0, 1], "data must be a result of read_predictions, or a dict of names and true labels, not list"),
        ({}, "data must contain at least one dataset"),
        ({"a": [1, 1]}, r"data\['a'\] must hold instances of two classes or more, but all are 1"),
        ({"a": [[1, 0]]}, r"data\['a'\]\[0, 1\] is 0"),
        ({"a": [[1, 2, 3]]}, r"or two columns with .* but its shape is \(1, 3\)"),
        ({"a": [[1, np.nan]]}, r"data\['a'\] must be finite"),
        ({3: [0, 1]}, "a name of data must be text"),
    ],
)
def test_bad_data_are_refused(data: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        class_imbalance(data)


def test_one_fold_is_refused() -> None:
    with pytest.raises(ValueError, match="n_folds must be at least 2, not 1"):
        class_imbalance(DATA, n_folds=1)
