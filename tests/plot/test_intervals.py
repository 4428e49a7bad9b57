"""Differences with intervals as pictures."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from evalstats import compare, example_table, wilcoxon_test
from evalstats.plot import difference_intervals, effect_sizes
from evalstats.plot.style import ink


def intervals(ax: object) -> list[list[float]]:
    return [line.get_xdata().tolist() for line in ax.lines if line.get_label() == "_interval"]


@pytest.mark.sampled
def test_new_figure_is_legible(every_comparison, assert_legible) -> None:
    assert_legible(effect_sizes(every_comparison, title="A title of the picture"))


def test_one_dataset_is_legible(of_folds, assert_legible) -> None:
    assert_legible(difference_intervals(of_folds, title="A title of the picture"))


def test_given_axes_are_legible(thirty, assert_legible) -> None:
    figure = Figure(figsize=(8, 7), layout="constrained")

    assert_legible(effect_sizes(thirty, figure.add_subplot()))


def test_intervals_are_those_of_the_wilcoxon_test() -> None:
    table = example_table("demsar-2006")
    c = compare(table, alpha=0.10)
    x, y = (table.select([name]).scores[:, 0] for name in (c.pairs[2].first, c.pairs[2].second))

    drawn = intervals(effect_sizes(c))

    assert drawn[2] == pytest.approx(list(wilcoxon_test(x, y).confidence_interval(0.90)))
    assert len(drawn) == 6


def test_two_classifiers_have_the_interval_of_the_comparison() -> None:
    c = compare(example_table("raeder-2010-seed-459"))

    assert intervals(effect_sizes(c)) == [pytest.approx(list(c.hodges_lehmann_interval))]


def test_intervals_on_one_dataset_are_those_of_the_pairs(of_folds) -> None:
    assert intervals(difference_intervals(of_folds)) == [[p.low, p.high] for p in of_folds.pairs]


def test_full_dots_are_different_pairs() -> None:
    c = compare(example_table("demsar-2006"), alpha=0.10)

    dots = [line for line in effect_sizes(c).lines if line.get_label() == "_estimate"]

    assert [dot.get_markerfacecolor() != ink(0) for dot in dots] == [p.different for p in c.pairs]
    assert [dot.get_xdata()[0] for dot in dots] == [p.hodges_lehmann for p in c.pairs]


def test_many_pairs_are_those_with_the_best(thirty) -> None:
    ax = effect_sizes(thirty)

    assert len(intervals(ax)) == 29


def test_pairs_with_one_classifier() -> None:
    ax = effect_sizes(compare(example_table("demsar-2006")), control="C4.5+m")

    assert [t.get_text() for t in ax.get_yticklabels()] == ["C4.5+m+cf − C4.5+m", "C4.5+m − C4.5+cf", "C4.5+m − C4.5"]


class TestMessages:
    def test_unknown_classifier(self) -> None:
        with pytest.raises(ValueError, match=r"control must be one of the compared classifiers .*, not 'SVM'"):
            effect_sizes(compare(example_table("demsar-2006")), control="SVM")

    def test_wrong_comparison(self, of_folds) -> None:
        with pytest.raises(TypeError, match="a result of compare for several datasets, not for the folds of one"):
            effect_sizes(of_folds)
        with pytest.raises(TypeError, match="a result of compare for one dataset, not for several datasets"):
            difference_intervals(compare(example_table("demsar-2006")))

    def test_axes_too_small(self, thirty) -> None:
        with pytest.raises(ValueError, match="ax must have space for 29 pairs"):
            effect_sizes(thirty, Figure(figsize=(4, 1)).add_subplot())
