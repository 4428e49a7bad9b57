"""The largest of correlated t variables: deterministic integrals, singular correlations, far tails, one side."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from evalstats.distributions import multivariate_t
from evalstats.distributions.multivariate_t import LargestT

ANGLES = 1e-7  # two elements: error of the sum over angles
# six standard errors of a probability near 0.05 of up to eight elements, measured with five other sets of directions
DIRECTIONS = 2.5e-4


# as stats.chi2.pdf and stats.norm.pdf, which take a hundred times as long for one number
def chi2_density(x: float, df: int) -> float:
    return math.exp(special.xlogy(df / 2 - 1, x) - x / 2 - math.lgamma(df / 2) - df / 2 * math.log(2))


def normal_density(z: float) -> float:
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def over_scale(inside, df: int) -> float:
    """Return 1 minus the mean of the probability inside at c s, over the scale s: one-dimensional, by quadrature."""
    return 1 - integrate.quad(lambda s: 2 * df * s * chi2_density(df * s * s, df) * inside(s), 0, 8, epsabs=1e-12)[0]


def of_two(t: float, rho: float, df: int) -> float:
    """Return P(max(|T1|, |T2|) > t): the second variable given the first, integrated over the first."""

    def inside(s: float) -> float:
        limit, rest = t * s, math.sqrt(1 - rho**2)
        return integrate.quad(
            lambda z: (
                normal_density(z) * (special.ndtr((limit - rho * z) / rest) - special.ndtr((-limit - rho * z) / rest))
            ),
            -limit,
            limit,
            epsabs=1e-13,
        )[0]

    return over_scale(inside, df)


def of_one_factor(t: float, rho: float, n: int, df: int, n_sides: int = 2) -> float:
    """Return P(largest > t) of n variables with the correlation rho: independent given their common factor."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    load, rest = math.sqrt(rho), math.sqrt(1 - rho)

    def inside(s: float) -> float:
        one = special.ndtr((t * s - load * nodes) / rest)
        one = one - special.ndtr((-t * s - load * nodes) / rest) if n_sides == 2 else one
        return float(weights @ one**n) / math.sqrt(2 * math.pi)

    return over_scale(inside, df)


def equal(rho: float, n: int) -> np.ndarray:
    return np.full((n, n), rho) + (1 - rho) * np.eye(n)


@pytest.mark.parametrize(("rho", "df"), [*itertools.product([0.0, 0.5, 0.9, -0.7], [2, 4, 29])])
def test_two_elements_agree_with_deterministic_integration(rho: float, df: int) -> None:
    largest = LargestT(equal(rho, 2), df)
    critical = largest.isf(0.05)

    assert of_two(critical, rho, df) == pytest.approx(0.05, abs=ANGLES)
    assert largest.sf(np.array([1.0, 6.0])) == pytest.approx([of_two(t, rho, df) for t in (1.0, 6.0)], abs=ANGLES)


def test_default_precision_of_qmvt_is_less_than_that_of_the_critical_value() -> None:
    """R's qmvt says 2.45977 (mvtnorm 1.1-3, set.seed(1)); by integration, the probability there is not 0.05."""
    assert LargestT(equal(0.9, 2), 9).isf(0.05) == pytest.approx(2.459004, abs=1e-6)
    assert of_two(2.459004, 0.9, 9) == pytest.approx(0.05, abs=1e-7)
    assert abs(of_two(2.45977, 0.9, 9) - 0.05) > 5e-5


@pytest.mark.sampled
@pytest.mark.parametrize(("rho", "n", "df"), [(0.0, 3, 4), (0.0, 8, 9), (0.5, 3, 29), (0.5, 8, 4), (0.9, 5, 9)])
@pytest.mark.parametrize("n_sides", [1, 2])
def test_equal_correlations_agree_with_an_integral_over_their_factor(rho: float, n: int, df: int, n_sides: int) -> None:
    largest = LargestT(equal(rho, n), df, n_sides)
    critical = largest.isf(0.05)

    assert of_one_factor(critical, rho, n, df, n_sides) == pytest.approx(0.05, abs=DIRECTIONS)
    assert largest.sf(np.array([critical]))[0] == pytest.approx(0.05, abs=1e-9)


def test_independent_elements_are_less_than_sidak_for_the_common_denominator() -> None:
    single = stats.t.isf(0.025, 9)
    found = LargestT(np.eye(4), 9).sf(np.array([single]))[0]

    assert 0.05 < found < 1 - 0.95**4


@pytest.mark.parametrize("n_sides", [1, 2])
def test_singular_correlations_are_one_element(n_sides: int) -> None:
    """Equal elements are one element; elements of opposite sign are two sides of one."""
    t = np.array([0.5, 2.0, 4.0])
    ones = LargestT(np.ones((3, 3)), 5, n_sides).sf(t)
    opposite = LargestT(np.array([[1.0, -1.0], [-1.0, 1.0]]), 5, n_sides).sf(t)

    assert ones == pytest.approx(n_sides * stats.t.sf(t, 5), abs=DIRECTIONS)
    assert opposite == pytest.approx(2 * stats.t.sf(t, 5), abs=ANGLES)


def test_one_side_below_zero_is_the_rest_of_all_elements_below() -> None:
    """P(T1 > -1 or T2 > -1) of independent T1, T2 with a common denominator."""
    below = over_scale(lambda s: 1 - special.ndtr(-s) ** 2, 6)

    assert LargestT(np.eye(2), 6, 1).sf(np.array([-1.0]))[0] == pytest.approx(1 - below, abs=ANGLES)
    assert LargestT(np.eye(2), 6, 1).sf(np.array([0.0]))[0] == pytest.approx(0.75, abs=ANGLES)


def test_far_tail_is_between_one_element_and_their_sum() -> None:
    t = np.array([1e3, 1e100, 1e160])
    found, single = LargestT(equal(0.3, 6), 30).sf(t), 2 * stats.t.sf(t, 30)

    assert ((found >= single) & (found <= 6 * single) | (found == 5e-324)).all()
    assert (found > 0).all()


def test_one_element_is_students_distribution() -> None:
    largest = LargestT(np.ones((1, 1)), 7)

    assert largest.isf(0.01) == pytest.approx(stats.t.isf(0.005, 7), rel=1e-12)
    assert largest.sf(np.array([2.0]))[0] == pytest.approx(2 * stats.t.sf(2.0, 7), rel=1e-12)


def test_other_directions_give_the_stated_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The spread over sets of directions is the standard error that the class states: below 5e-5 at 0.05."""
    found = []
    for seed in range(1, 6):
        monkeypatch.setattr(multivariate_t, "SEED", seed)
        multivariate_t._directions.cache_clear()
        found.append(LargestT(equal(0.5, 8), 9).sf(np.array([3.3]))[0])
    multivariate_t._directions.cache_clear()

    assert np.std(found, ddof=1) < 5e-5
