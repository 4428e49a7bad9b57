from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import integrate, special, stats
from scipy.integrate import trapezoid

from evalstats.distributions import beta_difference
from evalstats.distributions.beta_difference import IndependentBetas, PairedBetas, central_limits

INDEPENDENT = [
    (81, 21, 70, 32),
    (3, 2, 2, 3),
    (0.5, 1.5, 0.5, 0.5),
    (1, 1, 1, 1),
    (801, 201, 7001, 3001),
    (10.5, 1.5, 5.5, 6.5),
    (1, 11, 1, 6),
]
PAIRED = [(13, 7, 82), (1, 1, 2), (0.5, 0.5, 1), (1.5, 4.5, 20), (31, 16, 955), (400, 380, 9000), (1, 1, 100)]


def arrays(*parameters: float) -> tuple[np.ndarray, ...]:
    return tuple(np.asarray(float(v)) for v in parameters)


LAWS = [*(PairedBetas(*arrays(*p)) for p in PAIRED), *(IndependentBetas(*arrays(*p)) for p in INDEPENDENT)]


def mean_over_beta(f, a: float, b: float, lower: float) -> float:
    """Return the mean of f over a beta variable above a limit, by scipy's adaptive rule in pieces."""
    law = stats.beta(a, b)
    steps = law.mean() + law.std() * np.arange(-12, 13, 2)
    ends = np.unique(np.clip([lower, 1, 1e-12, 1e-6, *steps], lower, 1))
    pieces = itertools.pairwise(ends)
    return sum(
        integrate.quad(lambda s: law.pdf(s) * f(s), *ends, epsabs=1e-15, epsrel=1e-13, limit=200)[0] for ends in pieces
    )


@pytest.mark.parametrize("parameters", INDEPENDENT)
@pytest.mark.parametrize("limit", [0.0, 0.01, 0.08, 0.4])
def test_independent_betas_are_the_integral(parameters: tuple[float, ...], limit: float) -> None:
    a, b, c, d = parameters

    expected = mean_over_beta(lambda s: special.betainc(c, d, s - limit), a, b, limit)

    found = IndependentBetas(*arrays(*parameters)).above(np.asarray(limit))

    assert found == pytest.approx(expected, rel=1e-10, abs=1e-13)


@pytest.mark.parametrize("parameters", PAIRED)
@pytest.mark.parametrize("limit", [0.001, 0.02, 0.3])
def test_paired_betas_are_the_integral(parameters: tuple[float, ...], limit: float) -> None:
    p, q, rest = parameters

    expected = mean_over_beta(lambda s: special.betainc(q, p, (s - limit) / (2 * s)), p + q, rest, limit)

    assert PairedBetas(*arrays(*parameters)).above(np.asarray(limit)) == pytest.approx(expected, rel=1e-10, abs=1e-13)


@pytest.mark.parametrize(("a", "b", "c", "d"), [(3, 4, 2, 5), (20, 3, 15, 9), (1, 1, 1, 1)])
def test_whole_parameters_have_a_rational_probability(a: int, b: int, c: int, d: int) -> None:
    """P(X > Y) for whole numbers is a finite sum of ratios of beta functions: Evan Miller (2015)."""

    def beta(u: int, v: int) -> Fraction:
        return Fraction(1, (u + v - 1) * comb(u + v - 2, u - 1))

    # P(Y > X) with Y ~ Beta(c, d), X ~ Beta(a, b)
    exact = sum(beta(a + i, b + d) / ((d + i) * beta(1 + i, d) * beta(a, b)) for i in range(c))

    assert IndependentBetas(*arrays(c, d, a, b)).above(np.asarray(0.0)) == pytest.approx(float(exact), rel=1e-13)


@pytest.mark.parametrize("law", [PairedBetas(*arrays(13, 7, 82)), IndependentBetas(*arrays(81, 21, 70, 32))])
def test_density_is_the_slope_and_has_the_moments(law: PairedBetas | IndependentBetas) -> None:
    grid = np.linspace(-1, 1, 4001)
    spread = type(law)(*(v[..., None] for v in law))

    density = spread.density(grid)

    slope = -(spread.above(grid + 1e-5) - spread.above(grid - 1e-5))[1:-1] / 2e-5
    np.testing.assert_allclose(density[1:-1], slope, atol=1e-6)
    assert trapezoid(density, grid) == pytest.approx(1, rel=1e-10)
    assert trapezoid(grid * density, grid) == pytest.approx(float(law.mean), rel=1e-9)
    variance = trapezoid((grid - law.mean) ** 2 * density, grid)
    assert variance == pytest.approx(float(law.variance), rel=1e-8)


@pytest.mark.parametrize("parameters", PAIRED)
def test_swapping_turns_the_difference(parameters: tuple[float, ...]) -> None:
    law = PairedBetas(*arrays(*parameters))

    assert law.above(np.asarray(-0.1)) == pytest.approx(1 - law.swapped().above(np.asarray(0.1)), rel=1e-15)
    assert law.above(np.asarray(0.0)) + law.swapped().above(np.asarray(0.0)) == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_limits_leave_the_same_on_both_sides(law: PairedBetas | IndependentBetas, level: float) -> None:
    low, high = central_limits(law, level)

    assert low < law.mean < high or level < 0.9
    assert law.above(np.asarray(high)) == pytest.approx((1 - level) / 2, rel=1e-8)
    assert law.above(np.asarray(low)) == pytest.approx((1 + level) / 2, rel=1e-8)


def test_a_billion_cases_keep_their_digits() -> None:
    """Nearly normal, with its mean and variance."""
    law = PairedBetas(*arrays(1e8 + 2e4, 1e8, 8e8))

    z = (2.5e-5 - law.mean) / np.sqrt(law.variance)

    assert law.above(np.asarray(2.5e-5)) == pytest.approx(stats.norm.sf(z), rel=1e-6)


def test_batch_is_the_loop_in_any_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    together = PairedBetas(*np.array(PAIRED, dtype=float).T)
    whole = together.above(np.full(len(PAIRED), 0.02))
    monkeypatch.setattr(beta_difference, "VALUES_AT_ONCE", 1)

    parts = together.above(np.full(len(PAIRED), 0.02))

    np.testing.assert_array_equal(whole, parts)
    np.testing.assert_allclose(whole, [PairedBetas(*arrays(*p)).above(np.asarray(0.02)) for p in PAIRED], rtol=1e-12)
