"""From a known standard deviation to an estimated one: normal tails become Student's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import betaincinv, erfc, stdtr

from evalstats.distributions.studentized_tail import isf, sf


def two_normals(x: np.ndarray) -> np.ndarray:
    """P(|X - Y| > x)."""
    return erfc(x / 2)


@pytest.mark.parametrize("df", [1, 2, 9, 200])
def test_normal_over_an_estimated_standard_deviation_is_student(df: int) -> None:
    q = np.array([[0.01, 1.0, 2.0], [5.0, 20.0, 1e4]])

    np.testing.assert_allclose(sf(q, two_normals, 2, df), 2 * stdtr(df, -q / math.sqrt(2)), rtol=1e-13)


@pytest.mark.parametrize("df", [1, 2, 9, 200])
@pytest.mark.parametrize("p", [0.9, 0.05, 1e-9])
@pytest.mark.parametrize("first_guess", [1e-3, 0.5, 2.0])
def test_quantiles_are_those_of_student_from_any_start(df: int, p: float, first_guess: float) -> None:
    x = betaincinv(df / 2, 0.5, p)
    expected = math.sqrt(2 * df * (1 / x - 1))

    assert isf(p, two_normals, 2, df, first_guess) == pytest.approx(expected, rel=1e-12)


def test_ends_of_the_line() -> None:
    """The tail is 1 from 0 downwards, 0 at infinity, and says nothing of what is no number."""
    q = np.array([-1.0, 0.0, 1e-300, 1e300, np.inf, np.nan])

    np.testing.assert_array_equal(sf(q, two_normals, 2, 3), [1, 1, 1, 0, 0, np.nan])


def test_nothing_asked_is_nothing_answered() -> None:
    assert sf(np.empty((0, 2)), two_normals, 2, 3).shape == (0, 2)


def test_blocks_change_nothing() -> None:
    q = np.linspace(0.1, 9, 3000)

    np.testing.assert_array_equal(sf(q, two_normals, 2, 5)[1500:], sf(q[1500:], two_normals, 2, 5))
