from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from evalstats.adjustment.rom import critical_values, rejection_level


def constants(alpha: Fraction, largest: int) -> list[Fraction]:
    """Return c_0, ..., c_largest by the recursion of Rom (1990), in fractions."""
    c = [Fraction(0), alpha]
    for k in range(2, largest + 1):
        powers = sum(alpha**i for i in range(1, k))
        c.append((powers - sum(math.comb(k, i) * c[i + 1] ** (k - i) for i in range(1, k - 1))) / k)
    return c


def probability_of_no_rejection(c: list[Fraction], k: int) -> Fraction:
    """Independent uniform p-values of k true hypotheses: the largest is above c_1, the next above c_2, and so on.

    Integrates the ordered density k! polynomial by polynomial, from the smallest p-value to the largest.
    """
    polynomial = [Fraction(math.factorial(k))]  # coefficients of 1, x, x^2, ...
    for limit in reversed(c[1 : k + 1]):
        integral = [Fraction(0)] + [a / (i + 1) for i, a in enumerate(polynomial)]
        integral[0] = -sum(a * limit**i for i, a in enumerate(integral))
        polynomial = integral
    return sum(polynomial, Fraction(0))


def test_first_critical_values_by_hand() -> None:
    """alpha, alpha / 2 and alpha / 3 + alpha^2 / 12; not alpha / 3, which other programs take for the third."""
    values = critical_values(np.array([0.05]), 3)[0][1:, 0]

    np.testing.assert_allclose(values, [0.05, 0.025, 0.016875], rtol=1e-15)


@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
def test_critical_values_in_fractions(alpha: Fraction) -> None:
    values = critical_values(np.array([float(alpha)]), 9)[0][1:, 0]

    np.testing.assert_allclose(values, [float(c) for c in constants(alpha, 9)[1:]], rtol=1e-14)


@pytest.mark.parametrize("k", range(1, 8))
def test_level_is_attained_exactly(k: int) -> None:
    """The definition: of independent true hypotheses, however many, one is rejected with probability alpha."""
    alpha = Fraction(1, 20)

    assert probability_of_no_rejection(constants(alpha, k), k) == 1 - alpha


def test_derivatives_are_those_of_the_values() -> None:
    alpha, h = np.array([0.05, 0.3, 0.8]), 1e-6

    slopes = critical_values(alpha, 40)[1]
    differences = (critical_values(alpha + h, 40)[0] - critical_values(alpha - h, 40)[0]) / (2 * h)

    np.testing.assert_allclose(slopes, differences, rtol=1e-7, atol=1e-9)


def test_critical_values_grow_with_alpha_and_are_convex() -> None:
    """What the search for the level rests on."""
    values = critical_values(np.linspace(0.001, 1, 500), 200)[0][1:]

    assert (np.diff(values) > 0).all()
    assert (np.diff(values, 2) > -1e-13).all()
    assert (np.diff(values, axis=0) < 0).all()


@pytest.mark.parametrize("k", [1, 2, 3, 10, 200])
def test_level_is_where_the_critical_value_is_reached(k: int) -> None:
    alpha = np.array([1e-200, 1e-16, 1e-6, 0.05, 0.5, 0.9])
    p = critical_values(alpha, k)[0][k]

    np.testing.assert_allclose(rejection_level(p, np.full(len(p), k)), alpha, rtol=1e-12)


def test_level_of_what_is_never_rejected_is_one() -> None:
    assert rejection_level(np.array([0.5, 0.9]), np.array([3, 7])).tolist() == [1.0, 1.0]
    assert rejection_level(np.array([]), np.array([], dtype=np.int64)).tolist() == []
