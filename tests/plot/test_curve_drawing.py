"""What curves of several classifiers share."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import plot
from evalstats.paired import curve_difference
from evalstats.plot.curve_drawing import Curve, CurveKind, curve_choices, draw_curves, scored_classifiers

SCORED = scored_classifiers([0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]}, None, None, None, None)
RNG = np.random.default_rng(0)
Y = np.arange(100) % 2
RESULT = curve_difference(Y, Y + RNG.normal(0, 1, 100), RNG.normal(0, 1, 100), n_resamples=60)


def flat(height: float, top: float | None) -> tuple[CurveKind, list[Curve]]:
    kind = CurveKind("across", "up", "default", lambda drawn, x: np.full((len(drawn.tp), len(x)), height), "no", top)
    x = np.array([0.0, 1.0])
    return kind, [Curve(x, x * 0, 1.0, "one"), Curve(x, x * 0, 2.0, "two")]


@pytest.mark.parametrize(("top", "reaches"), [(0.5, 0.505), (None, 7.0)])
def test_picture_is_as_high_as_its_kind_or_as_what_is_drawn(top: float | None, reaches: float) -> None:
    kind, curves = flat(7.0, top)

    ax = draw_curves(None, kind, SCORED, curves, curve_choices(True, 0.9, 20, None, 10, None, True, None), "what")

    assert ax.get_ylim()[1] == pytest.approx(reaches, rel=0.1)


def test_greatest_area_comes_first_and_the_key_says_it() -> None:
    kind, curves = flat(0.2, 1.0)

    ax = draw_curves(None, kind, SCORED, curves, curve_choices(False, 0.9, 20, None, 10, None, True, None), "the area")

    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["b: two", "a: one"]
    assert "Key: the area." in ax.get_xlabel().replace("\n", " ")


def test_choices_are_checked() -> None:
    with pytest.raises(ValueError, match="n_resamples must be at least 1, not 0"):
        curve_choices(True, 0.9, 0, None, 10, None, True, None)


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
    with pytest.raises(TypeError, match="result must be a result of curve_difference"):
        plot.curve_difference([1, 2])
    with pytest.raises(ValueError, match="names must hold the names of x and y, but the number of names is 1"):
        plot.curve_difference(RESULT, ["a"])
