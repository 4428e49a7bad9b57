"""Scores by dataset: rows are datasets, dots of a classifier are joined."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import ScoreTable, compare, example_table
from evalstats.plot import scores_by_dataset

TABLE = ScoreTable(
    scores=[[0.5, 0.4, 0.3], [0.9, 0.95, 0.7], [0.6, 0.8, 0.1]],
    datasets=("low", "high", "$m$"),
    classifiers=("A", "B", "C"),
    metric="AUC",
)


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ")


def lines(ax: object) -> dict[str, list[float]]:
    return {line.get_label(): line.get_xdata().tolist() for line in ax.lines}


@pytest.mark.sampled
def test_every_comparison_is_legible(every_comparison, assert_legible) -> None:
    assert_legible(scores_by_dataset(every_comparison, title="A title of the picture"))


def test_one_dataset_is_legible(of_folds, assert_legible) -> None:
    assert_legible(scores_by_dataset(of_folds))


def test_given_axes_are_legible(of_many, assert_legible) -> None:
    figure = Figure(figsize=(7, 7), layout="constrained")

    assert_legible(scores_by_dataset(of_many(179), figure.add_subplot()))


def test_lines_hold_the_scores_of_datasets_by_their_mean() -> None:
    ax = scores_by_dataset(TABLE)

    assert [label.get_text() for label in ax.get_yticklabels()] == ["high", "$m$", "low"]
    assert lines(ax) == {"B": [0.95, 0.8, 0.4], "A": [0.9, 0.6, 0.5], "C": [0.7, 0.1, 0.3]}
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_others_are_grey_dots_that_are_counted() -> None:
    ax = scores_by_dataset(TABLE, max_shown=1)

    assert sorted(lines(ax)["_others"]) == sorted([0.9, 0.7, 0.6, 0.1, 0.5, 0.3])
    assert "Gray dots: the 2 other classifiers." in caption(ax)


def test_dots_need_not_be_joined() -> None:
    assert {line.get_linestyle() for line in scores_by_dataset(TABLE, connect_points=False).lines} == {"None"}


def test_missing_score_is_a_gap(incomplete) -> None:
    ax = scores_by_dataset(incomplete)

    assert np.isnan(lines(ax)["classifier 1"]).sum() == 6
    assert "12 scores are missing." in caption(ax)


@pytest.mark.long
def test_many_datasets_stay_on_a_page(assert_legible) -> None:
    scores = np.random.default_rng(0).random((250, 3))
    table = ScoreTable(scores=scores, datasets=tuple(f"dataset {i}" for i in range(250)), classifiers=("A", "B", "C"))
    ax = scores_by_dataset(table)

    assert_legible(ax)
    assert ax.figure.get_size_inches()[1] < 11
    assert len(ax.get_yticklabels()) < 250


def test_caption_says_which_direction_is_better() -> None:
    assert caption(scores_by_dataset(TABLE)).startswith("AUC; greater is better.")
    assert scores_by_dataset(TABLE, caption=False).get_xlabel() == ""


class TestMessages:
    def test_not_a_table(self) -> None:
        with pytest.raises(TypeError, match="data must be a ScoreTable or a comparison, not list"):
            scores_by_dataset([[1]])

    def test_axes_too_small(self) -> None:
        with pytest.raises(ValueError, match="ax must have space for 14 datasets"):
            scores_by_dataset(compare(example_table("demsar-2006")), Figure(figsize=(4, 0.5)).add_subplot())
