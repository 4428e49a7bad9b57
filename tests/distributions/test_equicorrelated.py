from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.special import log_ndtr, ndtr

from evalstats.distributions.equicorrelated import largest_sf
from evalstats.multiple import friedman_dunnett


def by_quadrature(t: float, m: int, correlation: float, two_sided: bool) -> float:
    """P(largest >= t) by adaptive quadrature of the definition."""
    common, own = math.sqrt(correlation), math.sqrt(1 - correlation)

    def integrand(y: float) -> float:
        inside = log_ndtr((t - common * y) / own)
        if two_sided:
            inside = math.log(max(ndtr((t - common * y) / own) - ndtr((-t - common * y) / own), 1e-300))
        return -math.expm1(m * inside) * math.exp(-y * y / 2) / math.sqrt(2 * math.pi)

    value, _ = integrate.quad(integrand, -12, 12, points=[-t * common, t * common], epsabs=1e-15, epsrel=1e-12)
    return value


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("correlation", [0.0, 0.2, 1 / 3, 0.5])
@pytest.mark.parametrize("m", [2, 9, 100])
def test_tail_is_its_integral(m: int, correlation: float, two_sided: bool) -> None:
    t = np.array([0.3, 1.0, 2.5, 4.0])

    expected = [by_quadrature(one, m, correlation, two_sided) for one in t.tolist()]

    assert largest_sf(t, m, correlation, two_sided=two_sided) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("t", [0.5, 3.0, 12.0, 30.0])
def test_correlation_of_a_half_is_that_of_dunnett(t: float) -> None:
    """Into the far tail, which the definition of the other module computes from other variables."""
    expected = friedman_dunnett._sf(t, 7)

    assert largest_sf(np.array(t), 7, 0.5, two_sided=True) == pytest.approx(expected, rel=1e-12)


def test_one_variable_is_normal() -> None:
    t = np.array([-3.0, -0.5, 0.0, 2.0, 8.0])

    assert largest_sf(t, 1, 0.3, two_sided=False) == pytest.approx(ndtr(-t), rel=1e-12)


def test_without_correlation_the_variables_are_independent() -> None:
    t = np.array([-1.0, 0.7, 2.0])

    assert largest_sf(t, 4, 0.0, two_sided=False) == pytest.approx(1 - ndtr(t) ** 4, rel=1e-12)


def test_two_sided_tail_of_nothing_is_one() -> None:
    assert largest_sf(np.array([0.0, -1.0]), 3, 1 / 3, two_sided=True).tolist() == [1.0, 1.0]
