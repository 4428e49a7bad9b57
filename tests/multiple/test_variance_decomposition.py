"""Sums of squares between classifiers and of what is left."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evalstats._checks import InvalidValueError
from evalstats.multiple.variance_decomposition import decomposed, means_of_columns

tables = hnp.arrays(float, st.tuples(st.integers(2, 6), st.integers(2, 5)), elements=st.integers(-30, 30).map(float))


def exact_sums_of_squares(scores: np.ndarray) -> tuple[Fraction, Fraction]:
    """By the textbook, in fractions: between the classifiers, and what is left."""
    y = [[Fraction(v) for v in row] for row in scores.tolist()]
    n, k = scores.shape
    rows, columns = [sum(r) / k for r in y], [sum(r[j] for r in y) / n for j in range(k)]
    grand = sum(rows) / n
    left = sum((y[i][j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k))
    return n * sum((c - grand) ** 2 for c in columns), left


@given(tables, st.sampled_from([0.0, 1e9, -1e12]))
def test_sums_of_squares_are_exact_whatever_is_added(scores: np.ndarray, offset: float) -> None:
    between, within = exact_sums_of_squares(scores)

    parts = decomposed(scores + offset, 0.0)

    scale = 4.0 ** int(parts.exponent)
    assert float(parts.between) * scale == pytest.approx(float(between), rel=1e-13, abs=1e-25)
    assert float(parts.within) * scale == pytest.approx(float(within), rel=1e-13, abs=1e-25)


def test_noise_of_floating_point_is_no_variance() -> None:
    scores = np.array([[0.3 - 0.2, 0.0], [0.9 - 0.8, 0.0], [0.1, 0.0]])

    assert decomposed(scores, 1e-12).within == 0
    assert decomposed(scores, 0.0).within > 0


def test_difference_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="too large for a float"):
        decomposed(np.array([[1e308, -1e308], [0.0, 1.0]]), 1e-12)


def test_largest_floats_have_a_mean() -> None:
    assert means_of_columns(np.full((5, 2), 1.7e308)).tolist() == [1.7e308, 1.7e308]
