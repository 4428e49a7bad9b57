from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from evalstats import InvalidTypeError, InvalidValueError
from evalstats.bayes import jzs_bayes_factor

# Student (1908): the data set sleep of R, two drugs on ten patients
SLEEP = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def differences(t: float, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs whose differences have this t statistic."""
    z = np.linspace(-1, 1, n)
    z /= z.std(ddof=1)
    return z + t / math.sqrt(n), np.zeros(n)


def test_sleep_is_the_manual_of_bayesfactor() -> None:
    """BayesFactor 0.9.12, vignette, section 'One-sample designs': 17.25888 with r = 0.707."""
    assert jzs_bayes_factor(*SLEEP).bayes_factor == pytest.approx(17.25888, abs=5e-6)


def test_example_of_pingouin() -> None:
    """pingouin.bayesfactor_ttest(3.5, 20): 17.185."""
    assert jzs_bayes_factor(*differences(3.5, 20)).bayes_factor == pytest.approx(17.185, abs=5e-4)


@pytest.mark.parametrize(
    ("t", "n", "scale", "log_factor"),
    [
        (0, 2, 1, -0.84960550993324826096),
        (3.5, 20, 0.5, 2.8174053561094731089),
        (50, 10, 0.75, 21.082049557285273858),
        (1e4, 5, 0.75, 24.744212924165487711),
        (1e6, 3, 1, 13.792449712721118),
        (40, 100_000, 0.001, 784.92231550122641),
        (5, 50, 1000, 1.2165612127937520),
        (0.1, 30, 0.001, -0.0043421879698979),
        (1e5, 2, 0.5, 1.9616247597802261),
    ],
)
def test_integral_is_exact_to_rounding(t: float, n: int, scale: float, log_factor: float) -> None:
    """Against the integral of the definition, by mpmath with 30 digits."""
    result = jzs_bayes_factor(*differences(t, n), scale=scale)

    assert result.log_bayes_factor == pytest.approx(log_factor, rel=1e-10, abs=1e-13)


@pytest.mark.parametrize(("t", "n", "scale"), [(2.1, 12, 0.7), (-0.4, 30, 1.0), (4.0, 6, 0.3)])
def test_factor_is_the_mean_of_noncentral_densities(t: float, n: int, scale: float) -> None:
    """Another road: the density of t for each effect, averaged over the Cauchy prior, over that without an effect."""

    def weighted(effect: float) -> float:
        density = stats.nct.pdf(t, n - 1, effect * math.sqrt(n)) * stats.cauchy.pdf(effect, scale=scale)
        return float(density)

    marginal = sum(integrate.quad(weighted, low, low + 1, epsabs=1e-13)[0] for low in range(-12, 12))

    result = jzs_bayes_factor(*differences(t, n), scale=scale)

    assert result.bayes_factor == pytest.approx(marginal / stats.t.pdf(t, n - 1), rel=1e-6)


def test_posterior_probability_is_that_of_bayes() -> None:
    result = jzs_bayes_factor(*SLEEP)

    factor = result.bayes_factor
    assert result.posterior_probability() == pytest.approx(factor / (1 + factor), rel=1e-14)
    assert result.posterior_probability(0.2) == pytest.approx(0.2 * factor / (0.2 * factor + 0.8), rel=1e-14)


def test_swapping_changes_the_sign_of_t_alone() -> None:
    here, there = jzs_bayes_factor(*SLEEP), jzs_bayes_factor(*SLEEP[::-1])

    assert here.bayes_factor == there.bayes_factor
    assert here.statistic == -there.statistic


@pytest.mark.parametrize("unit", [1e-200, 100, 1e140])
def test_unit_does_not_matter(unit: float) -> None:
    x, y = (np.array(v) * unit for v in SLEEP)

    assert jzs_bayes_factor(x, y).log_bayes_factor == pytest.approx(jzs_bayes_factor(*SLEEP).log_bayes_factor)


def test_batch_is_the_loop() -> None:
    scores = np.random.default_rng(3).normal(size=(4, 9))

    pairs = jzs_bayes_factor(scores[:, None], scores[None])

    for i, j in np.ndindex(4, 4):
        one = jzs_bayes_factor(scores[i], scores[j])
        assert one.log_bayes_factor == pytest.approx(pairs.log_bayes_factor[i, j], rel=1e-13)
        assert one.reason == pairs.reason[i, j]


def test_evidence_for_no_difference_grows_with_the_pairs() -> None:
    """A p-value of 1 says nothing; the factor of t = 0 falls about as one over the root of n."""
    few, many = (jzs_bayes_factor(*differences(0, n)).bayes_factor for n in (100, 10_000))

    assert many / few == pytest.approx(0.1, rel=0.02)


def test_identical_classifiers_speak_for_the_null_with_a_reason() -> None:
    result = jzs_bayes_factor([0.3, 0.5, 0.9], [0.1 + 0.2, 0.5, 0.9])

    assert result.statistic == 0
    assert result.bayes_factor == jzs_bayes_factor(*differences(0, 3)).bayes_factor < 1
    assert result.reason == "x and y are equal in every pair"


def test_constant_difference_has_no_factor() -> None:
    result = jzs_bayes_factor([0.4, 0.6, 0.9], [0.3, 0.5, 0.8])

    assert math.isnan(result.bayes_factor)
    assert math.isnan(result.posterior_probability())
    assert "no variance" in result.reason


def test_factor_beyond_the_largest_float_has_a_logarithm() -> None:
    x, y = differences(200, 2000)

    result = jzs_bayes_factor(x, y)

    assert math.isinf(result.bayes_factor)
    assert 700 < result.log_bayes_factor < 6000
    assert result.posterior_probability() == 1


@pytest.mark.parametrize("scale", [0, -1, math.nan, math.inf, 1e4])
def test_scale_out_of_range_is_refused(scale: float) -> None:
    with pytest.raises(InvalidValueError, match=r"scale must lie between 0\.001 and 1000, not"):
        jzs_bayes_factor(*SLEEP, scale=scale)


def test_scale_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidTypeError, match=r"scale must be a number, not 'medium'"):
        jzs_bayes_factor(*SLEEP, scale="medium")
