"""Dunnett's form of the test of mean ranks against a control."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import integrate
from scipy.special import ndtr

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple import friedman_dunnett
from evalstats.multiple.bonferroni_dunn import bonferroni_dunn_test
from evalstats.multiple.friedman_dunnett import friedman_dunnett_test

# Dunnett (1964), Biometrics 20, 482-491: two-sided 5 % points with infinite degrees of freedom
DUNNETT_TABLE = {2: 2.21, 3: 2.35, 4: 2.44, 5: 2.51, 6: 2.57, 7: 2.61, 8: 2.65, 9: 2.69}


def demsar() -> np.ndarray:
    return np.array(example_table("demsar-2006").scores)


def by_quadrature(t: float, m: int) -> float:
    """P(max |Z_i - Z_0| / sqrt(2) >= t) by adaptive quadrature of the definition."""

    def integrand(z: float) -> float:
        outside = min(ndtr(-(math.sqrt(2) * t + z)) + ndtr(-(math.sqrt(2) * t - z)), 1 - 1e-17)
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return density * (-math.expm1(m * math.log1p(-outside)) if outside < 1 else 1.0)

    c = t / math.sqrt(2)
    ends = sorted({0, c / 2, c, c + 1, c + 3, 2 * c + 4, 2 * c + 12})
    pieces = [
        integrate.quad(integrand, a, b, epsabs=0, epsrel=1e-13, limit=400)[0] for a, b in itertools.pairwise(ends)
    ]
    return 2 * math.fsum(pieces)


def test_two_classifiers_by_hand() -> None:
    """One comparison is a normal one: three wins of three, z = -sqrt(3)."""
    result = friedman_dunnett_test([[2, 1], [5, 3], [9, 4]], control=1)

    assert result.statistic[0] == pytest.approx(-math.sqrt(3), rel=1e-15)
    assert result.pvalue[0] == pytest.approx(math.erfc(math.sqrt(1.5)), rel=1e-15)


@pytest.mark.parametrize(("m", "quantile"), DUNNETT_TABLE.items())
def test_printed_quantiles_of_dunnett(m: int, quantile: float) -> None:
    """For m comparisons; the standard error takes the place of the unit of the table."""
    result = friedman_dunnett_test(np.random.default_rng(m).random((5, m + 1)), control=0)
    standard_error = math.sqrt((m + 1) * (m + 2) / 30)

    assert result.critical_difference() / standard_error == pytest.approx(quantile, abs=0.0051)


@pytest.mark.parametrize("m", [2, 5, 30, 1000])
@pytest.mark.parametrize("t", [0.1, 1, 2.5, 5, 12, 30])
def test_tail_is_the_integral_of_its_definition(t: float, m: int) -> None:
    assert friedman_dunnett._sf(t, m) == pytest.approx(by_quadrature(t, m), rel=1e-12)


def test_half_the_step_changes_only_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = [(t, m) for t in (0.3, 2.0, 7.0, 25.0) for m in (2, 20, 10_000)]
    here = [friedman_dunnett._sf(t, m) for t, m in arguments]
    monkeypatch.setattr(friedman_dunnett, "STEP", friedman_dunnett.STEP / 2)

    assert here == pytest.approx([friedman_dunnett._sf(t, m) for t, m in arguments], rel=1e-14)


def test_simulation_of_correlated_normals() -> None:
    """400,000 draws of three variables with a common one: four standard errors."""
    z = np.random.default_rng(1).normal(size=(400_000, 4))
    largest = np.abs((z[:, 1:] - z[:, :1]) / math.sqrt(2)).max(axis=1)

    p = friedman_dunnett._sf(2.0, 3)
    assert (largest >= 2.0).mean() == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 400_000))


def test_nothing_is_further_than_zero() -> None:
    assert friedman_dunnett._sf(0.0, 5) == 1


@settings(max_examples=repetitions(40))
@given(st.floats(-200, -1e-4), st.integers(1, 60))
def test_quantile_has_its_tail(log10_alpha: float, m: int) -> None:
    alpha = 10.0**log10_alpha

    assert friedman_dunnett._sf(friedman_dunnett._isf(alpha, m), m) == pytest.approx(alpha, rel=1e-11)


def test_lies_between_one_comparison_and_bonferroni() -> None:
    result = friedman_dunnett_test(demsar(), control=0)
    bound = bonferroni_dunn_test(demsar(), control=0)

    np.testing.assert_array_equal(result.statistic, bound.statistic)
    assert np.all(result.pvalue[1:] > result.unadjusted_pvalue[1:])
    assert np.all(result.pvalue[1:] < bound.pvalue[1:])
    assert result.critical_difference() < bound.critical_difference()


def test_critical_difference_decides_as_the_pvalue() -> None:
    scores = np.random.default_rng(8).random((12, 6))
    result = friedman_dunnett_test(scores, control=2)
    difference = np.abs(np.delete(result.mean_ranks - result.mean_ranks[2], 2))

    for alpha in np.linspace(0.01, 0.99, 40):
        np.testing.assert_array_equal(
            difference >= result.critical_difference(alpha), np.delete(result.pvalue, 2) <= alpha
        )


def test_level_belongs_to_all_comparisons() -> None:
    """In 4,000 tables of noise some classifier differs from the control in 5 %: three standard errors."""
    result = friedman_dunnett_test(np.random.default_rng(6).random((4000, 60, 5)), control=0)

    rejected = (result.pvalue <= 0.05).any(axis=1).mean()
    assert rejected == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / 4000))


def test_control_is_needed() -> None:
    with pytest.raises(InvalidTypeError, match="control must be the index or the name of a column, not None"):
        friedman_dunnett_test(demsar(), control=None)


@pytest.mark.parametrize("alpha", [0, 1, math.nan])
def test_alpha_lies_between_0_and_1(alpha: float) -> None:
    with pytest.raises(InvalidValueError, match="alpha must lie between 0 and 1"):
        friedman_dunnett_test(demsar(), control=0).critical_difference(alpha)
