"""Two classifiers against each other as a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalstats import ScoreTable, compare, example_table
from evalstats.plot import scatter


def counted(ax: object) -> list[str]:
    return [t.get_text() for t in ax.get_legend().get_texts()]


@pytest.mark.sampled
def test_every_comparison_is_legible(every_comparison, assert_legible) -> None:
    best, worst = every_comparison.pairs[-1].first, every_comparison.pairs[-1].second

    assert_legible(scatter(every_comparison, best, worst, n_labels=5, title="A title of the picture"))


def test_points_are_counted() -> None:
    """Demšar (2006), Table 6: C4.5+m against C4.5 wins 10, ties 2 and loses 2 of 14."""
    ax = scatter(example_table("demsar-2006"), "C4.5", "C4.5+m")

    assert counted(ax) == ["C4.5+m is better: 10", "C4.5 is better: 2", "equal: 2"]
    assert [len(line.get_xdata()) for line in ax.lines] == [2, 10, 2, 2]


def test_counts_are_those_of_the_comparison() -> None:
    c = compare(example_table("demsar-2006"))
    pair = c.pair("C4.5", "C4.5+m")

    words = counted(scatter(c, pair.second, pair.first))

    assert words[0].endswith(f": {pair.n_wins}")
    assert words[1].endswith(f": {pair.n_losses}")


def test_lower_is_better() -> None:
    table = example_table("demsar-2006")
    losses = replace(table, scores=1 - table.scores, greater_is_better=False)

    assert sorted(counted(scatter(losses, "C4.5", "C4.5+m"))) == sorted(counted(scatter(table, "C4.5", "C4.5+m")))


def test_noise_of_floating_point_is_a_tie() -> None:
    table = ScoreTable(scores=[[0.3 - 0.2, 0.9 - 0.8]], datasets=("a",), classifiers=("A", "B"))

    assert counted(scatter(table, "A", "B"))[2] == "equal: 1"


def test_largest_differences_are_named() -> None:
    scores = np.array([[0.1, 0.12], [0.5, 0.9], [0.7, 0.3], [0.8, 0.8]])
    table = ScoreTable(scores=scores, datasets=("small", "up", "down", "$none$"), classifiers=("A", "B"))

    assert {t.get_text() for t in scatter(table, "A", "B", n_labels=2).texts} == {"up", "down"}
    assert {t.get_text() for t in scatter(table, "A", "B", n_labels=9).texts} == {"up", "down", "small"}


def test_both_axes_have_one_scale() -> None:
    ax = scatter(example_table("demsar-2006"), "C4.5", "C4.5+m")

    assert ax.get_xlim() == ax.get_ylim()
    assert ax.get_aspect() == 1


class TestMessages:
    def test_no_scores(self) -> None:
        with pytest.raises(TypeError, match="data must be a ScoreTable or a comparison, not list"):
            scatter([[1, 2]], "A", "B")

    def test_unknown_classifier(self) -> None:
        with pytest.raises(ValueError, match=r"second must be one of 'C4.5', .*, not 'SVM'"):
            scatter(example_table("demsar-2006"), "C4.5", "SVM")

    def test_same_classifier(self) -> None:
        with pytest.raises(ValueError, match=r"first and second must be two classifiers, not both 'C4.5'"):
            scatter(example_table("demsar-2006"), "C4.5", "C4.5")

    def test_missing_scores(self, incomplete) -> None:
        with pytest.raises(ValueError, match="scatter needs a score in every cell, but 12 are missing"):
            scatter(incomplete, "classifier 1", "classifier 2")
