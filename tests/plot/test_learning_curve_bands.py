"""The plot of learning curves shows means, bands, and where two classifiers differ."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.plot import learning_curves
from evalstats.reproducibility import learning_curve_test

SCORES = {
    "$x$": [[0.60, 0.64, 0.58, 0.62], [0.70, 0.72, 0.70, 0.74], [0.76, 0.78, 0.74, 0.78]],
    "forest": [[0.62, 0.64, 0.60, 0.64], [0.78, 0.82, 0.78, 0.82], [0.90, 0.92, 0.86, 0.92]],
}
RESULT = learning_curve_test(SCORES, [50, 100, 500], n_test=50)


def test_lines_are_the_means_and_triangles_the_differences() -> None:
    ax = learning_curves(RESULT, title="Curves")

    lines = {line.get_label(): line for line in ax.get_lines()}
    np.testing.assert_array_equal(lines["forest"].get_ydata(), RESULT.mean[1])
    assert lines["_differences"].get_xdata().tolist() == [100, 500]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["$x$", "forest"]
    assert (ax.get_xscale(), "triangles" in ax.get_xlabel().lower()) == ("log", True)


def test_band_is_that_of_the_result() -> None:
    ax = learning_curves(learning_curve_test({"a": SCORES["forest"]}, [50, 100, 200], n_test=50), caption=False)

    (band,) = ax.collections
    corners = band.get_paths()[0].vertices[:, 1]
    one = learning_curve_test({"a": SCORES["forest"]}, [50, 100, 200], n_test=50)
    assert (corners.min(), corners.max()) == pytest.approx((one.lower.min(), one.upper.max()))
    assert ax.get_xlabel() == "training instances"


def test_messages() -> None:
    with pytest.raises(TypeError, match="result must be what learning_curve_test returned"):
        learning_curves([1, 2])
    many = {str(i): SCORES["forest"] for i in range(9)}
    with pytest.raises(ValueError, match="at most 8 curves, but it holds 9"):
        learning_curves(learning_curve_test(many, [50, 100, 200], n_test=50))
