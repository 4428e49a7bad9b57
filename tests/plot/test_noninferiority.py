"""Intervals against the margin."""

from __future__ import annotations

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

from evalstats import EvalstatsError, compare, example_table, plot

TABLE = example_table("demsar-2006")


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def lines(ax, label):
    return [line for line in ax.lines if line.get_label() == label]


def test_lines_are_the_intervals_and_the_margin():
    comparison = compare(TABLE, control="C4.5", margin=0.02)

    ax = plot.margin_intervals(comparison)

    for line, pair in zip(lines(ax, "_interval"), comparison.margins.pairs, strict=True):
        np.testing.assert_allclose(line.get_xdata(), [pair.low, pair.high])
    (margin,) = lines(ax, "_margin")
    assert list(margin.get_xdata()) == [-0.02, -0.02]
    assert [text.get_text() for text in ax.texts] == [pair.verdict for pair in comparison.margins.pairs]


def test_margin_of_a_loss_lies_above_zero():
    table = {"dataset": list("abcdef"), "x": [0.1, 0.2, 0.3, 0.2, 0.1, 0.2], "y": [0.1, 0.3, 0.2, 0.2, 0.1, 0.3]}
    ax = plot.margin_intervals(compare(table, greater_is_better=False, margin=0.05))

    assert list(lines(ax, "_margin")[0].get_xdata()) == [0.05, 0.05]
    assert "Below 0, the first is better." in ax.get_xlabel().replace("\n", " ")


def test_undecided_pairs_have_empty_dots():
    comparison = compare(TABLE, margin=0.02)

    dots = lines(plot.margin_intervals(comparison), "_estimate")

    assert [dot.get_markerfacecolor() == (1, 1, 1) for dot in dots] == [
        pair.verdict == "undecided" for pair in comparison.margins.pairs
    ]


def test_names_are_no_mathematics():
    table = {"dataset": list("abcdef"), "$x_1$": [1.0, 2, 3, 4, 5, 6], "a_b^c": [1.5, 2, 3, 4, 5, 7]}

    ax = plot.margin_intervals(compare(table, margin=0.5), title="$a$")
    ax.figure.canvas.draw()

    assert "$x_1$" in " ".join(label.get_text() for label in ax.get_yticklabels())


def test_messages():
    with pytest.raises(EvalstatsError, match="comparison must be made with a margin, for example compare"):
        plot.margin_intervals(compare(TABLE))
    with pytest.raises(EvalstatsError, match="comparison must be a result of compare, not int"):
        plot.margin_intervals(5)
    with pytest.raises(EvalstatsError, match="ax must have space for 6 pairs"):
        plot.margin_intervals(compare(TABLE, margin=0.02), plt.figure(figsize=(3, 0.3)).add_subplot())
    with pytest.raises(EvalstatsError, match="at most 45 pairs, not 66"):
        plot.margin_intervals(compare(np.random.default_rng(0).random((8, 12)), margin=0.1))


def test_dots_and_shades_have_the_colors_of_a_dark_style():
    comparison = compare(TABLE, margin=0.02)

    with plt.style.context("dark_background"):
        ax = plot.margin_intervals(comparison)
        dots = [line.get_markerfacecolor() for line in lines(ax, "_estimate")]
        shade = ax.patches[0].get_facecolor()[:3]

    undecided = [pair.verdict == "undecided" for pair in comparison.margins.pairs]
    assert [dot == (0, 0, 0) for dot in dots] == undecided
    assert max(shade) < 0.5
