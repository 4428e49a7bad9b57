"""The null distribution of Nemenyi's test, against an oracle of 80 digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import stats
from scipy.special import betaincinv, erfc, stdtr

from evalstats.distributions.studentized_range import isf, sf, standardized_isf, standardized_sf

# Demšar (2006), Table 5(a): critical values of the two-tailed Nemenyi test, quantiles over the root of 2
DEMSAR_Q = [(0.05, 2, 1.960), (0.05, 3, 2.343), (0.05, 4, 2.569), (0.05, 10, 3.164)]
DEMSAR_Q += [(0.10, 2, 1.645), (0.10, 4, 2.291), (0.10, 10, 2.920)]


def two_normals(x: np.ndarray) -> np.ndarray:
    """P(|X - Y| > x)."""
    return erfc(x / 2)


@pytest.mark.parametrize("df", [1, 2, 9, 200])
def test_normal_over_an_estimated_standard_deviation_is_student(df: int) -> None:
    q = np.array([[0.01, 1.0, 2.0], [5.0, 20.0, 1e4]])

    np.testing.assert_allclose(standardized_sf(q, two_normals, 2, df), 2 * stdtr(df, -q / math.sqrt(2)), rtol=1e-13)


@pytest.mark.parametrize("df", [1, 2, 9, 200])
@pytest.mark.parametrize("p", [0.9, 0.05, 1e-9])
@pytest.mark.parametrize("first_guess", [1e-3, 0.5, 2.0])
def test_quantiles_are_those_of_student_from_any_start(df: int, p: float, first_guess: float) -> None:
    x = betaincinv(df / 2, 0.5, p)
    expected = math.sqrt(2 * df * (1 / x - 1))

    assert standardized_isf(p, two_normals, 2, df, first_guess) == pytest.approx(expected, rel=1e-12)


def test_ends_of_the_line() -> None:
    """The tail is 1 from 0 downwards, 0 at infinity, and says nothing of what is not a number."""
    q = np.array([-1.0, 0.0, 1e-300, 1e300, np.inf, np.nan])

    np.testing.assert_array_equal(standardized_sf(q, two_normals, 2, 3), [1, 1, 1, 0, 0, np.nan])


def test_nothing_asked_is_nothing_answered() -> None:
    assert standardized_sf(np.empty((0, 2)), two_normals, 2, 3).shape == (0, 2)


def test_blocks_change_nothing() -> None:
    q = np.linspace(0.1, 9, 3000)

    np.testing.assert_array_equal(
        standardized_sf(q, two_normals, 2, 5)[1500:], standardized_sf(q[1500:], two_normals, 2, 5)
    )


def oracle(q: float, k: int, *, digits: int = 80, step: str = "0.09") -> Decimal:
    """P(range > q), by its definition: the smallest is z, and not all others lie between z and z + q.

    Decimal numbers, the Taylor series of the normal distribution, and a sum so fine that a finer one changes nothing.
    """
    with localcontext() as context:
        context.prec = digits
        q, h = Decimal(q), Decimal(step)
        z = [j * h - q / 2 for j in range(-int(11 / h), int(9 / h) + 1)]
        sides = ((density(t, digits), above(t, digits), above(t + q, digits)) for t in z)
        return k * h * sum(at * (over ** (k - 1) - (over - beyond) ** (k - 1)) for at, over, beyond in sides)


@cache
def density(z: Decimal, digits: int) -> Decimal:
    return (-z * z / 2).exp() / (2 * pi(digits)).sqrt()


@cache
def above(z: Decimal, digits: int) -> Decimal:
    if z < 0:
        return 1 - above(-z, digits)
    term = total = z
    n = 1
    while abs(term) > Decimal(10) ** -digits:
        n += 2
        term *= z * z / n
        total += term
    return Decimal("0.5") - total * density(z, digits)


@cache
def pi(digits: int) -> Decimal:
    """Machin's formula."""

    def arctan_of_inverse(n: int) -> Decimal:
        power = total = Decimal(1) / n
        i = 1
        while abs(power) > Decimal(10) ** -(digits + 5):
            power /= -n * n
            i += 2
            total += power / i
        return total

    with localcontext() as context:
        context.prec = digits + 10
        return 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)


def relative_error(found: float, true: Decimal) -> float:
    return abs(float(Decimal(found) / true - 1))


def one(function: Callable[..., np.ndarray], q: float, k: int) -> float:
    return float(function(np.array(q), k))


def test_range_of_two_is_a_normal_difference() -> None:
    """P(|X - Y| > q) is known in closed form."""
    q = np.array([0.0, 0.1, 1.0, 2.772, 12.0, 50.0])

    np.testing.assert_allclose(sf(q, 2), [math.erfc(v / 2) for v in q], rtol=1e-13)


@pytest.mark.parametrize(("alpha", "k", "printed"), DEMSAR_Q)
def test_quantiles_of_demsar(alpha: float, k: int, printed: float) -> None:
    assert isf(alpha, k) / math.sqrt(2) == pytest.approx(printed, abs=0.001)


@pytest.mark.parametrize("k", [3, 5, 10, 30, 100, 1000])
@pytest.mark.parametrize("q", [0.04, 0.9, 2.5, 4.4, 5.5, 7.5, 9.7, 14.3, 23.9])
def test_sf_against_the_oracle(q: float, k: int) -> None:
    """From nearly 1 down to 1e-64; every piece but three of the approximation is visited."""
    assert relative_error(one(sf, q, k), oracle(q, k)) < 2e-13


def test_the_oracle_stands_still() -> None:
    """A finer sum and more digits give the same digits."""
    for q, k in ((0.9, 3), (5.5, 100), (5.5, 1000)):
        assert abs(oracle(q, k) / oracle(q, k, digits=110, step="0.07") - 1) < Decimal("1e-17")


def test_far_tail_against_the_oracle() -> None:
    """Where a double ends."""
    true = oracle(52.0, 20, digits=340, step="0.25")

    assert Decimal("1e-300") < true < Decimal("1e-290")
    assert relative_error(one(sf, 52.0, 20), true) < 1e-12


def test_ten_thousand_variables_against_the_oracle() -> None:
    assert relative_error(one(sf, 9.0, 10_000), oracle(9.0, 10_000, step="0.05")) < 1e-11


@pytest.mark.parametrize("k", [3, 7, 40, 100])
def test_sf_against_scipy(k: int) -> None:
    """The quadrature of scipy is right where it does not subtract from one."""
    q = np.linspace(0.1, 5, 12)

    np.testing.assert_allclose(sf(q, k), stats.studentized_range.sf(q, k, np.inf), rtol=1e-11)


@pytest.mark.sampled
@pytest.mark.parametrize("k", [3, 10, 100, 1000])
@pytest.mark.parametrize("p", [0.999, 0.5, 0.05, 1e-6, 1e-17, 1e-50])
def test_isf_against_the_oracle(p: float, k: int) -> None:
    """The true probability beyond the quantile misses p by no more than 1e-13 of the quantile explains."""
    q = isf(p, k)
    slope = (math.log(one(sf, q * 1.0001, k)) - math.log(one(sf, q / 1.0001, k))) / 2e-4  # d log sf / d log q

    assert relative_error(p, oracle(q, k)) < 1e-13 * abs(slope) + 4e-16


@pytest.mark.parametrize("k", [2, 3, 4, 10, 100, 1000, 100_000])
def test_isf_and_sf_are_inverse_for_every_probability(k: int) -> None:
    """From the largest double below 1 to the smallest above 0."""
    probabilities = [1 - 2**-53, 1 - 1e-12, 0.999, 0.9, 0.5, 0.05, 1e-12, 1e-64, 1e-66, 1e-200, 1e-307]

    back = [one(sf, isf(p, k), k) for p in probabilities]

    np.testing.assert_allclose(back, probabilities, rtol=1e-10)
    assert 50 < isf(5e-324, k) < 60


@given(k=st.integers(2, 300), low=st.floats(0, 50), step=st.floats(1e-6, 5))
def test_sf_falls_with_q_and_rises_with_k(k: int, low: float, step: float) -> None:
    here = one(sf, low, k)

    assert 0 <= one(sf, low + step, k) <= here * (1 + 1e-12)
    assert one(sf, low, k + 1) >= here * (1 - 1e-12)


@given(k=st.integers(2, 40), q=st.lists(st.floats(0, 60), min_size=1, max_size=30))
def test_a_batch_of_q_is_a_loop_over_q(k: int, q: list[float]) -> None:
    """To the last bit, so equal statistics have equal p-values in every table."""
    assert sf(np.array(q), k).tolist() == [one(sf, v, k) for v in q]


def test_sf_at_zero_is_one_and_keeps_the_shape() -> None:
    for k in (2, 3, 50):
        np.testing.assert_array_equal(sf(np.zeros((2, 3)), k), np.ones((2, 3)))


def test_pieces_of_the_approximation_meet() -> None:
    edges = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24])
    for k in (3, 20, 400):
        np.testing.assert_allclose(sf(np.nextafter(edges, 0), k), sf(edges, k), rtol=3e-13)


@cache
def nodes_and_weights() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(600)


def by_definition(q: float, k: int, df: int) -> float:
    """P(range > q s), by Gauss and Legendre's rule over s: the density of s times what was checked above."""
    node, weight = nodes_and_weights()
    most = 8 / math.sqrt(1 + q * q / (2 * df))  # no density above, or no tail
    s = most * (node + 1) / 2
    a = df / 2
    log_density = math.log(2) + a * math.log(a) - math.lgamma(a) + (df - 1) * np.log(s) - a * s * s
    return float(np.sum(most / 2 * weight * np.exp(log_density) * sf(q * s, k)))


@pytest.mark.parametrize(
    ("q", "k", "df"), [(2.0, 3, 4), (40.0, 3, 18), (17.0, 10, 60), (600.0, 4, 12), (9.0, 100, 2), (1e8, 3, 2)]
)
def test_sf_with_estimated_standard_deviation_by_its_definition(q: float, k: int, df: int) -> None:
    """From the middle down to 1e-23."""
    assert float(sf(np.array(q), k, df)) == pytest.approx(by_definition(q, k, df), rel=1e-11)


@pytest.mark.parametrize("df", [1, 2, 3, 7, 18, 60, 1000, 1e6])
def test_range_of_two_is_student_t(df: float) -> None:
    """Down to 1e-280; the difference of two means over its standard error."""
    q = np.array([1e-3, 0.3, 1.0, 4.0, 9.0, 30.0, 1e3])

    expected = 2 * stdtr(df, -q / math.sqrt(2))

    np.testing.assert_allclose(sf(q, 2, df), expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize(("k", "df"), [(3, 2), (3, 18), (5, 4), (10, 60), (30, 200)])
def test_sf_with_estimated_standard_deviation_against_scipy(k: int, df: int) -> None:
    """The quadrature of scipy has an absolute error of 1e-13."""
    q = np.array([1.5, 5.0])

    np.testing.assert_allclose(sf(q, k, df), stats.studentized_range.sf(q, k, df), rtol=1e-11, atol=2e-13)


@pytest.mark.parametrize("df", [1, 5, 40, 1000])
@pytest.mark.parametrize("k", [2, 10, 1000])
def test_isf_and_sf_are_inverse_with_estimated_standard_deviation(k: int, df: int) -> None:
    probabilities = [1 - 1e-9, 0.999, 0.5, 0.05, 1e-3, 1e-17]

    back = [float(sf(np.array(isf(p, k, df)), k, df)) for p in probabilities]

    np.testing.assert_allclose(back, probabilities, rtol=1e-11)


def test_many_degrees_of_freedom_are_infinitely_many() -> None:
    """The difference shrinks as 1 / df."""
    q = np.array([1.0, 3.3, 6.0])
    difference = [sf(q, 5, df) / sf(q, 5) - 1 for df in (1e6, 1e8)]

    np.testing.assert_allclose(difference[0] / difference[1], 100, rtol=0.01)


@settings(max_examples=repetitions(25))
@given(k=st.integers(2, 40), df=st.integers(1, 300), q=st.lists(st.floats(0, 1e4), min_size=1, max_size=9))
def test_a_batch_with_estimated_standard_deviation_is_a_loop(k: int, df: int, q: list[float]) -> None:
    assert sf(np.array(q), k, df).tolist() == [float(sf(np.array(v), k, df)) for v in q]
