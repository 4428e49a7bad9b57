from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats import paired_ttest
from evalstats.effects.standardized import cohen_d, cohen_dz, hedges_g, small_sample_correction

scores = st.lists(st.integers(0, 50), min_size=2, max_size=8)

# half-integer gamma functions by hand: Gamma(1/2) = sqrt(pi), Gamma(3/2) = sqrt(pi) / 2, Gamma(5/2) = 3 sqrt(pi) / 4
CORRECTIONS = {
    2: 1 / math.sqrt(math.pi),
    3: math.sqrt(math.pi / 6),
    4: math.sqrt(2 / math.pi),
    5: 3 * math.sqrt(math.pi) / 4 / math.sqrt(2.5),
    6: 8 / (3 * math.sqrt(3 * math.pi)),
}


def test_two_samples_by_hand() -> None:
    """Means 4 and 2, both variances 1: d = 2, and J of four degrees of freedom is sqrt(2 / pi)."""
    x, y = [3, 4, 5], [1, 2, 3]

    d, g = cohen_d(x, y), hedges_g(x, y)

    assert (d.estimate, d.df, d.n_x, d.n_y, d.paired) == (2, 4, 3, 3, False)
    assert d.standard_error == pytest.approx(math.sqrt(2 / 3 + 4 / 12), rel=1e-15)
    assert g.estimate == pytest.approx(2 * math.sqrt(2 / math.pi), rel=1e-15)
    assert g.standard_error == pytest.approx(math.sqrt(2 / math.pi), rel=1e-15)


def test_pairs_by_hand() -> None:
    """Differences 1, 2, 3: mean 2, standard deviation 1."""
    result = cohen_dz([2, 4, 6], [1, 2, 3])

    assert (result.estimate, result.df, result.paired, result.magnitude) == (2, 2, True, "large")
    assert result.standard_error == math.sqrt(1 / 3 + 4 / 6)


@pytest.mark.parametrize(("df", "by_hand"), CORRECTIONS.items())
def test_correction_by_hand(df: int, by_hand: float) -> None:
    assert small_sample_correction(df) == pytest.approx(by_hand, rel=1e-15)


def test_correction_is_a_ratio_of_gamma_functions() -> None:
    """Exactly for few degrees of freedom, by logarithms for some, by the first terms of its series for many."""
    for df in (2, 3, 7, 100, 300):
        ratio = math.gamma(df / 2) / math.gamma((df - 1) / 2) / math.sqrt(df / 2) if df < 300 else None
        logs = math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
        assert small_sample_correction(df) == pytest.approx(ratio or logs, rel=1e-14 if ratio else 1e-12)
    assert 1 - small_sample_correction(10**6) == pytest.approx(3 / (4 * 10**6 - 1), rel=1e-5)


@given(scores, scores)
def test_d_is_that_of_the_definition(x: list[int], y: list[int]) -> None:
    """In fractions up to the root."""
    variance = sum((len(v) - 1) * statistics.variance(map(Fraction, v)) for v in (x, y)) / (len(x) + len(y) - 2)
    difference = statistics.mean(map(Fraction, x)) - statistics.mean(map(Fraction, y))
    result = cohen_d(x, y)

    if variance:
        assert result.estimate == pytest.approx(float(difference) / math.sqrt(variance), rel=1e-14, abs=1e-15)
        assert result.reason is None
    else:
        assert result.estimate == (math.copysign(math.inf, difference) if difference else 0)
        assert result.reason is not None


def test_dz_is_that_of_the_paired_t_test() -> None:
    generator = np.random.default_rng(2)
    x, y = generator.normal(size=(5, 12)), generator.normal(size=(5, 12))

    test = paired_ttest(x, y)

    np.testing.assert_array_equal(cohen_dz(x, y).estimate, test.cohen_dz)
    np.testing.assert_allclose(cohen_dz(x, y).estimate * np.sqrt(12), test.statistic, rtol=1e-15)


def test_interval_excludes_zero_exactly_where_the_t_test_rejects() -> None:
    """At delta = 0 the noncentral t distribution is Student's."""
    generator = np.random.default_rng(4)
    x, y = generator.normal(0.5, 1, size=(200, 9)), np.zeros(9)

    low, high = cohen_dz(x, y).confidence_interval(0.95)

    np.testing.assert_array_equal((low > 0) | (high < 0), paired_ttest(x, y).pvalue < 0.05)


def test_interval_of_g_is_that_of_d_times_j() -> None:
    x, y = [0.81, 0.84, 0.79, 0.90], [0.78, 0.82, 0.80, 0.84]

    for d, g in ((cohen_d(x, y), hedges_g(x, y)), (cohen_dz(x, y), hedges_g(x, y, paired=True))):
        correction = small_sample_correction(d.df)
        assert list(g.confidence_interval()) == pytest.approx([correction * v for v in d.confidence_interval()])
        assert g.estimate == pytest.approx(correction * d.estimate, rel=1e-15)


def test_interval_covers_as_often_as_it_says() -> None:
    """4000 samples of five normal differences with d_z = 1: standard error 0.35%."""
    x = np.random.default_rng(6).normal(1, 1, size=(4000, 5))

    low, high = cohen_dz(x, np.zeros(5)).confidence_interval(0.95)

    assert np.mean((low <= 1) & (high >= 1)) == pytest.approx(0.95, abs=0.01)


def test_mean_of_g_is_unbiased() -> None:
    """Cohen's d of two samples of 4 is 13% too large on average; 40,000 samples have a standard error of 0.5%."""
    generator = np.random.default_rng(8)
    x, y = generator.normal(1, 1, size=(40_000, 4)), generator.normal(0, 1, size=(40_000, 4))

    assert np.mean(hedges_g(x, y).estimate) == pytest.approx(1, abs=0.02)
    assert np.mean(cohen_d(x, y).estimate) == pytest.approx(1.15, abs=0.025)


@pytest.mark.parametrize("effect", [cohen_dz, cohen_d, lambda x, y: hedges_g(x, y, paired=True), hedges_g])
def test_difference_without_variance_is_infinite_and_says_why(effect) -> None:
    result = effect([0.3, 0.3, 0.3], [0.1 + 0.1, 0.2, 0.2])

    assert result.estimate == math.inf
    assert effect([0.2, 0.2, 0.2], [0.3, 0.3, 0.3]).estimate == -math.inf
    assert "there is no variance" in result.reason
    assert result.magnitude == "large"
    assert np.isnan([result.standard_error, *result.confidence_interval()]).all()


def test_g_of_one_degree_of_freedom_has_no_value() -> None:
    result = hedges_g([0.9, 0.7], [0.8, 0.75], paired=True)

    assert math.isnan(result.estimate)
    assert "1 degree of freedom" in result.reason
    assert (result.magnitude, math.isnan(result.confidence_interval().low)) == ("undefined", True)


def test_one_value_has_the_standard_deviation_of_the_others() -> None:
    result = cohen_d([0.9], [0.6, 0.8])

    assert result.estimate == pytest.approx(0.2 / math.sqrt(0.02), rel=1e-14)
    assert result.df == 1


def test_scores_of_large_data_and_tiny_deviations() -> None:
    """No square overflows or vanishes: 1 and a sample of deviation 4.5e-130; scores at the end of the floats."""
    assert cohen_d([1.0, 1.0], [4.5e-130, 0]).estimate == pytest.approx(2 / 4.5e-130, rel=1e-14)
    assert cohen_d([1e308, -1e308], [1e308, 5e307]).estimate == pytest.approx(-0.7276068751089989, rel=1e-14)


def test_a_common_large_value_takes_no_digits() -> None:
    """Exact fractions of these floats give this value; R is 2e-8 off."""
    x = [1000000.001, 1000000.004, 1000000.002, 1000000.009]
    y = [1000000.002, 1000000.003, 1000000.001, 1000000.0045]

    assert cohen_d(x, y).estimate == pytest.approx(0.5038314633196018, rel=1e-14)


def test_too_few_values_and_wrong_choices_are_refused() -> None:
    with pytest.raises(ValueError, match="x and y must have at least 3 values in total, but they have 1 and 1"):
        cohen_d([1], [2])
    with pytest.raises(ValueError, match="x and y must have at least 2 pairs"):
        cohen_dz([1], [2])
    with pytest.raises(TypeError, match="paired must be True or False, not 'yes'"):
        hedges_g([1, 2], [3, 5], paired="yes")


def test_a_huge_effect_has_a_standard_error() -> None:
    """With d in the hundreds of decades the standard error is d / sqrt(2 n)."""
    result = cohen_d([1e-300, 2e-300, 3e-300], [1, 1, 1])

    assert result.standard_error == pytest.approx(abs(result.estimate) / math.sqrt(12))
