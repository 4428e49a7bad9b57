"""The reliability diagram shows the curve, its band and its histogram, and says which band it is."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import P, Q, Y

from evalstats.metrics import reliability_curve
from evalstats.plot import reliability_diagram

CURVE = reliability_curve(Y, P, n_resamples=50)


def lines(ax: object) -> dict[str, object]:
    return {line.get_label(): line for line in ax.lines}


def test_curve_and_histogram_are_drawn() -> None:
    ax = reliability_diagram(CURVE)

    np.testing.assert_array_equal(lines(ax)["_curve"].get_ydata(), CURVE.frequency)
    heights = np.array([bar.get_height() for bar in ax.patches])
    np.testing.assert_allclose(heights / heights.max(), CURVE.bar_counts / CURVE.bar_counts.max())


@pytest.mark.parametrize(
    ("band", "method", "words"),
    [
        ("consistency", "isotonic", "the curve of calibrated probabilities lies within the band"),
        ("confidence", "isotonic", "at all probabilities together"),
        ("confidence", "uniform", "in each bin separately"),
    ],
)
def test_caption_says_which_band(band: str, method: str, words: str) -> None:
    ax = reliability_diagram(reliability_curve(Y, P, band=band, method=method, n_resamples=50))

    assert words in ax.get_xlabel().replace("\n", " ")
    assert [c.get_label() for c in ax.collections] == ["_band"]


def test_several_curves_have_a_key_and_no_band() -> None:
    ax = reliability_diagram({"forest": CURVE, "$x$": reliability_curve(Y, Q, band="none")})

    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["forest", "$x$"]
    assert not ax.collections
    assert not ax.patches


def test_other_things_are_refused() -> None:
    with pytest.raises(TypeError, match="curve must be a result of reliability_curve"):
        reliability_diagram([1, 2])
    with pytest.raises(ValueError, match="curve must hold 1 to 8 curves, but it holds 0"):
        reliability_diagram({})
