"""Tails of the noncentral t distribution, where a t-test rejects."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.stats.power import TTestPower

from evalstats.distributions.noncentral_t import t_power


def test_cohen_table() -> None:
    """Cohen (1988), one-sample t, two-sided .05: an effect of .5 with 34 cases has a power of .8."""
    assert t_power(0.5 * math.sqrt(34), 33, 0.05, "two-sided") == pytest.approx(0.80778, abs=1e-5)
    assert t_power(0.5 * math.sqrt(33), 32, 0.05, "two-sided") < 0.8


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("df", [1, 2, 4, 9, 29, 170, 999, 10**6])
def test_without_an_effect_it_is_the_level(df: int, alternative: str) -> None:
    for alpha in (1e-6, 0.001, 0.05, 0.3):
        assert t_power(0.0, df, alpha, alternative) == pytest.approx(alpha, rel=1e-10)


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
