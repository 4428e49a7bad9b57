from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import integrate, special, stats

from evalstats.distributions.noncentral_t_limits import left_tail, noncentrality_limits


def by_quadrature(t: float, df: int, delta: float) -> float:
    """Integrate as defined: P(Z <= t u - delta) over the density of a chi over the root of its degrees of freedom."""

    def integrand(u: float) -> float:
        return float(special.ndtr(t * u - delta) * stats.chi.pdf(u * np.sqrt(df), df) * np.sqrt(df))

    jump = delta / t if t else 1.0
    edges = sorted({0.0, 0.5, 1.0, 2.0, 6.0, 12.0, *(jump + k / abs(t or 1) for k in (-6, 0, 6) if t)})
    edges = [edge for edge in edges if 0 <= edge <= 12]
    return sum(integrate.quad(integrand, a, b, epsabs=1e-14, epsrel=1e-12)[0] for a, b in itertools.pairwise(edges))


@pytest.mark.parametrize(
    ("t", "df", "delta"),
    [(2.1, 9, 0.7), (2.1, 9, 4.2), (60, 1, 130), (60, 1, 2), (-60, 1, -5), (5, 3, 9), (30, 4, 50), (0.3, 2, -1.7)],
)
def test_tail_is_that_of_the_definition(t: float, df: int, delta: float) -> None:
    here = left_tail(np.array([float(t)]), df, np.array([float(delta)]))

    assert here[0] == pytest.approx(by_quadrature(t, df, delta), rel=1e-11, abs=1e-13)


@settings(max_examples=repetitions(200))
@given(st.floats(-80, 80), st.integers(1, 2000), st.floats(-40, 40))
def test_tail_is_that_of_scipy(t: float, df: int, difference: float) -> None:
    """Boost sums series: another road altogether."""
    delta = t + difference
    theirs = special.nctdtr(df, delta, t)
    assume(not np.isnan(theirs))  # in the far tail it gives up

    here = left_tail(np.array([t]), df, np.array([delta]))

    assert here[0] == pytest.approx(theirs, abs=1e-11)


def test_both_integrals_agree_where_they_change() -> None:
    """The road is chosen by |t| against sqrt(2 df)."""
    for df in (1, 2, 9, 50, 1000):
        border = np.sqrt(2 * df)
        delta = np.linspace(-3, 3, 7) * np.sqrt(1 + border**2 / (2 * df)) + border
        below, above = (left_tail(np.full(7, border * factor), df, delta) for factor in (1 - 1e-13, 1 + 1e-13))

        np.testing.assert_allclose(below, above, rtol=1e-10, atol=1e-14)


def test_without_noncentrality_it_is_students_distribution() -> None:
    t = np.array([-50.0, -2.0, -0.1, 0.0, 0.5, 3.0, 40.0])

    for df in (1, 2, 5, 30):
        np.testing.assert_allclose(left_tail(t, df, np.zeros(7)), special.stdtr(df, t), rtol=1e-9, atol=1e-15)


def test_limits_put_t_at_the_edge_of_the_tails() -> None:
    t = np.array([-1e4, -60.0, -3.0, -1e-9, 0.0, 0.2, 2.5, 12.0, 60.0, 1e4])

    for df in (1, 2, 7, 60, 10_000):
        for tail in (0.25, 0.025, 0.0005):
            low, high = noncentrality_limits(t, df, tail)
            np.testing.assert_allclose(left_tail(t, df, high), tail, rtol=1e-9)
            np.testing.assert_allclose(left_tail(-t, df, -low), tail, rtol=1e-9)
            assert (low < high).all()


def test_limits_of_no_effect_are_normal_quantiles() -> None:
    """P(T <= 0) = P(Z <= -delta), whatever the degrees of freedom."""
    low, high = noncentrality_limits(np.array(0.0), 5, 0.025)

    assert (low, high) == (
        pytest.approx(special.ndtri(0.025), rel=1e-13),
        pytest.approx(special.ndtri(0.975), rel=1e-13),
    )


def test_limits_of_many_degrees_of_freedom_are_those_of_the_normal_distribution() -> None:
    """T is nearly normal around delta with variance 1 + t^2 / (2 df)."""
    low, high = noncentrality_limits(np.array([3.0]), 10**6, 0.025)

    assert low[0] == pytest.approx(3 - 1.95996 * np.sqrt(1 + 9 / 2e6), abs=1e-4)
    assert high[0] == pytest.approx(3 + 1.95996 * np.sqrt(1 + 9 / 2e6), abs=1e-4)


def test_far_effects_in_the_smallest_samples() -> None:
    """With one degree of freedom U is |Z|; far away T is delta / |Z|, whose limits are quantiles of |Z| times t."""
    t = 1e9
    low, high = noncentrality_limits(np.array([t]), 1, 0.025)

    assert low[0] == pytest.approx(t * special.ndtri(0.5125), rel=1e-7)
    assert high[0] == pytest.approx(t * special.ndtri(0.9875), rel=1e-7)


def test_far_case_where_r_uses_an_approximation() -> None:
    """With t = 60 and one degree of freedom: beyond 37.62 R's pt is an approximation, and its limit is 128.18."""
    low, high = noncentrality_limits(np.array([60.0]), 1, 0.025)

    assert by_quadrature(60, 1, float(high[0])) == pytest.approx(0.025, rel=1e-10)
    assert 1 - by_quadrature(60, 1, float(low[0])) == pytest.approx(0.025, rel=1e-9)
    assert (low[0], high[0]) == (pytest.approx(1.8685420806684, rel=1e-12), pytest.approx(134.50284071543, rel=1e-12))


def test_infinite_and_missing_t_have_no_limits() -> None:
    low, high = noncentrality_limits(np.array([[np.inf, 1.0], [np.nan, -np.inf]]), 4, 0.05)

    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [[True, False], [True, True]]


def test_many_problems_are_solved_in_blocks() -> None:
    t = np.linspace(-9, 9, 2500)

    low, high = noncentrality_limits(t, 9, 0.025)

    np.testing.assert_allclose(low, -high[::-1], rtol=1e-12)
    assert high[2499] == noncentrality_limits(np.array(9.0), 9, 0.025)[1]
