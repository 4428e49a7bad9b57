"""Repeated runs as pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from evalstats.plot import run_histograms, running_means

RUNS = np.random.default_rng(2).normal(np.linspace(0.7, 0.72, 30), 0.02, (60, 30))
NAMES = [f"gradient-boosting-depth-{i:02d}-learning-rate-0.{i:02d}" if i % 2 else f"net $x_{i}$" for i in range(30)]
both = pytest.mark.parametrize("draw", [running_means, run_histograms])


@pytest.mark.sampled
@both
@pytest.mark.parametrize("k", [1, 2, 30])
def test_new_figure_is_legible(draw, k: int, assert_legible) -> None:
    assert_legible(draw(RUNS[:, :k], NAMES[:k], title="A title of the picture"))


@both
def test_given_axes_are_legible(draw, assert_legible) -> None:
    figure = Figure(figsize=(6, 5), layout="constrained")

    assert_legible(draw(RUNS, NAMES, figure.add_subplot()))


@both
@pytest.mark.parametrize("runs", [np.full((5, 2), 0.5), np.zeros((5, 2)), [[0.3, 0.4]]])
def test_scores_without_spread_are_drawn(draw, runs: object, assert_legible) -> None:
    assert_legible(draw(runs))


def test_lines_are_the_means_of_the_first_runs() -> None:
    ax = running_means([[1.0, 4.0], [2.0, 4.0], [6.0, 1.0]], ["A", "B"])

    drawn = {line.get_label(): line.get_ydata().tolist() for line in ax.lines}
    assert drawn == {"A": [1.0, 1.5, 3.0], "B": [4.0, 4.0, 3.0]}


def test_key_is_in_the_order_of_the_means() -> None:
    ax = running_means([[1.0, 4.0, 2.0]], ["A", "B", "C"])

    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["B", "C", "A"]


def test_means_and_medians_are_marked() -> None:
    ax = run_histograms([[1.0, 4.0], [2.0, 4.0], [6.0, 1.0]], ["A", "B"])

    marked = {
        kind: [line.get_xdata()[0] for line in ax.lines if line.get_label() == kind] for kind in ("_mean", "_median")
    }
    assert marked == {"_mean": [3.0, 3.0], "_median": [2.0, 4.0]}


def test_every_run_is_in_a_bin() -> None:
    """The largest score of all too."""
    ax = run_histograms([[0.0], [0.5], [1.0], [1.0]], n_bins=2)

    heights = ax.patches[0].get_data().values - ax.patches[0].get_data().baseline
    assert heights == pytest.approx([-0.85 / 3, -0.85])


def test_data_frame_brings_its_names() -> None:
    ax = run_histograms(pd.DataFrame({"NB": [0.1, 0.2], "SVM": [0.3, 0.4]}))

    assert [t.get_text() for t in ax.get_yticklabels()] == ["NB", "SVM"]


@both
class TestMessages:
    def test_shape(self, draw) -> None:
        with pytest.raises(
            ValueError, match=r"runs must have the shape \(n_runs, n_classifiers\), but its shape is \(3,\)"
        ):
            draw([0.1, 0.2, 0.3])

    def test_nan(self, draw) -> None:
        with pytest.raises(ValueError, match=r"runs must be finite, but runs\[1, 0\] is nan"):
            draw([[0.1], [float("nan")]])

    def test_names(self, draw) -> None:
        with pytest.raises(
            ValueError, match="names must hold one name for each of the 2 classifiers, but the number of names is 1"
        ):
            draw([[0.1, 0.2]], ["A"])


def test_axes_too_small() -> None:
    with pytest.raises(ValueError, match="ax must have space for 30 classifiers"):
        run_histograms(RUNS, NAMES, Figure(figsize=(3, 1)).add_subplot())
