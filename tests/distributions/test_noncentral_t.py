"""Tails of the noncentral t distribution, where a t-test rejects."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import integrate, optimize, special, stats
from statsmodels.stats.power import TTestPower

from evalstats.distributions import noncentral_t
from evalstats.distributions.noncentral_t import left_tail, noncentrality_limits, t_power


def test_cohen_table() -> None:
    """Cohen (1988), one-sample t, two-sided .05: an effect of .5 with 34 cases has a power of .8."""
    assert t_power(0.5 * math.sqrt(34), 33, 0.05, "two-sided") == pytest.approx(0.80778, abs=1e-5)
    assert t_power(0.5 * math.sqrt(33), 32, 0.05, "two-sided") < 0.8


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("df", [1, 2, 4, 9, 29, 170, 999, 10**6])
def test_without_an_effect_it_is_the_level(df: int, alternative: str) -> None:
    for alpha in (1e-6, 0.001, 0.05, 0.3):
        assert t_power(0.0, df, alpha, alternative) == pytest.approx(alpha, rel=1e-10)


@pytest.mark.parametrize(("noncentrality", "df", "critical"), [(-1e-6, 1, 1e6), (-3.0, 5, 4.0), (-20.0, 100, 1.9)])
def test_loss_is_that_of_the_maximum(noncentrality: float, df: float, critical: float) -> None:
    """A larger loss gives the same power, from a grid that may fill the memory."""

    def loss(log_s: float) -> float:
        s = math.exp(log_s)
        return df * ((s * s - 1) / 2 - log_s) - noncentrality * critical * s + (critical * s) ** 2 / 2

    expected = optimize.minimize_scalar(loss, bounds=(-30, 3), method="bounded").fun

    assert noncentral_t._loss(noncentrality, df, critical) == pytest.approx(expected, rel=1e-6)


@given(st.floats(-6, 6), st.integers(1, 2000), st.sampled_from([0.001, 0.01, 0.05, 0.1]))
def test_one_sided_is_the_survival_function_of_scipy(noncentrality: float, df: int, alpha: float) -> None:
    critical = stats.t.isf(alpha, df)

    expected = stats.nct.sf(critical, df, noncentrality)

    assert t_power(noncentrality, df, alpha, "greater") == pytest.approx(expected, rel=1e-7, abs=1e-11)


@pytest.mark.parametrize(("n", "effect"), [(5, 0.4), (20, 0.5), (20, -0.5), (300, 0.2)])
def test_two_sided_is_that_of_statsmodels(n: int, effect: float) -> None:
    expected = TTestPower().power(effect, n, 0.05, alternative="two-sided")

    assert t_power(effect * math.sqrt(n), n - 1, 0.05, "two-sided") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("noncentrality", "df", "alpha"), [(50.0, 3, 1e-4), (2.0, 1, 0.05), (8.0, 9, 1e-6), (-5.0, 9, 0.05)]
)
def test_quadrature_of_the_definition(noncentrality: float, df: int, alpha: float) -> None:
    """E[P(Z > t S - noncentrality)] over the chi distribution of S sqrt(df), by an adaptive rule."""
    critical = stats.t.isf(alpha, df)

    def integrand(s: float) -> float:
        density = stats.chi.pdf(s * math.sqrt(df), df) * math.sqrt(df)
        return float(stats.norm.sf(critical * s - noncentrality) * density)

    points = [max(noncentrality / critical, 0.01), 1.0]
    expected = integrate.quad(integrand, 0, 12, points=points, epsabs=0, epsrel=1e-11, limit=500)[0]

    assert t_power(noncentrality, df, alpha, "greater") == pytest.approx(expected, rel=1e-9)


def test_sides_mirror() -> None:
    assert t_power(1.5, 9, 0.05, "greater") == t_power(-1.5, 9, 0.05, "less")
    assert t_power(1.5, 9, 0.05, "two-sided") == pytest.approx(t_power(-1.5, 9, 0.05, "two-sided"), rel=1e-14)


@pytest.mark.parametrize(
    ("noncentrality", "df", "alpha"), [(3000.0, 1, 1e-4), (2500.0, 2, 1e-7), (5e4, 1, 1e-6), (1e6, 3, 1e-15)]
)
def test_far_noncentralities_are_integrated_over_the_normal(noncentrality: float, df: int, alpha: float) -> None:
    """Nearly all of the randomness is in S: P(S < noncentrality / critical), up to Z."""
    critical = stats.t.isf(alpha, df)
    given_z = integrate.quad(
        lambda z: stats.norm.pdf(z) * stats.chi2.cdf(df * ((z + noncentrality) / critical) ** 2, df), -9, 9
    )[0]

    assert t_power(noncentrality, df, alpha, "greater") == pytest.approx(given_z, rel=1e-9)


@pytest.mark.parametrize("noncentrality", [1e10, 1e300])
def test_power_of_a_huge_effect_is_one(noncentrality: float) -> None:
    """The grid of S would need more memory than there is."""
    assert t_power(noncentrality, 9, 0.05, "two-sided") == t_power(-noncentrality, 9, 0.05, "two-sided") == 1
    assert t_power(noncentrality, 9, 0.05, "greater") == t_power(-noncentrality, 9, 0.05, "less") == 1
    assert t_power(-noncentrality, 9, 0.05, "greater") == t_power(noncentrality, 9, 0.05, "less") == 0


@pytest.mark.parametrize(
    ("noncentrality", "df", "alpha", "power"),
    [
        (-20.0, 9, 0.01, 2.23278576262365227923e-98),
        (-20.0, 29, 0.05, 1.15905894748285813964e-100),
        (-33.0, 9, 0.01, 4.23819143968416241206e-250),
        (-33.0, 29, 0.05, 4.30038786471714227472e-255),
    ],
)
def test_far_tail_has_its_digits(noncentrality: float, df: int, alpha: float, power: float) -> None:
    """References of 50 digits, by mpmath: the integral over the logarithm of the standard deviation."""
    assert t_power(noncentrality, df, alpha, "greater") == pytest.approx(power, rel=1e-12)


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
