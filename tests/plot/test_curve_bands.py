"""The difference of two curves as a picture."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import curve_difference, plot

RNG = np.random.default_rng(0)
Y = np.arange(100) % 2
RESULT = curve_difference(Y, Y + RNG.normal(0, 1, 100), RNG.normal(0, 1, 100), n_resamples=60)


@pytest.mark.parametrize("curve", ["cost", "roc", "precision-recall", "gain", "lift"])
def test_new_figure_is_legible(curve: str, assert_legible) -> None:
    result = curve_difference(Y, Y + RNG.normal(0, 1, 100), RNG.normal(0, 1, 100), curve=curve, n_resamples=30)

    assert_legible(plot.curve_difference(result, ["$x_1$", "network-" * 8], title="A title of the picture"))


def test_given_axes_are_returned_and_hold_the_numbers(assert_legible) -> None:
    ax = Figure(figsize=(7, 5), layout="constrained").add_subplot()

    assert plot.curve_difference(RESULT, ax=ax, caption=False) is ax
    assert_legible(ax)
    assert ax.lines[0].get_ydata().tolist() == RESULT.difference.tolist()
    wide, narrow = (band.get_paths()[0].vertices[:, 1] for band in ax.collections)
    assert [wide.min(), wide.max()] == [RESULT.low_everywhere.min(), RESULT.high_everywhere.max()]
    assert [narrow.min(), narrow.max()] == [RESULT.low.min(), RESULT.high.max()]


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="result must be what curve_difference returned"):
        plot.curve_difference([1, 2])
    with pytest.raises(ValueError, match="names must hold the names of x and y, but it holds 1"):
        plot.curve_difference(RESULT, ["a"])
