"""Logistic recalibration: values of rms, a general optimizer, and degenerate probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from forecasts import P, Q, Y
from scipy.optimize import minimize
from scipy.special import expit, logit

from evalstats import report
from evalstats.metrics import calibration_slope, recalibration_test


def test_values_are_those_of_rms() -> None:
    """Intercept, Slope, U:Chi-sq and U:p of val.prob of rms 6.5-0, R 4.2.2; the rest by glm."""
    result = recalibration_test(Y, P)

    assert result.intercept == pytest.approx(0.06578244, abs=1e-8)
    assert result.slope == pytest.approx(1.14358893, abs=1e-8)
    assert result.statistic == pytest.approx(0.1042488797, abs=1e-10)
    assert result.pvalue == pytest.approx(0.9492107399, abs=1e-10)
    assert result.calibration_in_the_large == pytest.approx(0.07326413, abs=1e-8)
    assert result.in_the_large_standard_error == pytest.approx(0.56486050, abs=1e-8)
    assert result.in_the_large_statistic == pytest.approx(0.01684183, abs=1e-8)
    assert result.slope_statistic == pytest.approx(0.08740705, abs=1e-8)


def test_wald_interval_of_the_slope() -> None:
    low, high = recalibration_test(Y, P).slope_interval(method="wald")

    assert (round(low, 2), round(high, 2)) == (0.15, 2.13)


@pytest.mark.parametrize("p", [P, Q])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_profile_limits_are_slopes_that_the_test_just_rejects(p: list[float], level: float) -> None:
    """At each limit, the likelihood ratio against the maximum is the quantile of chi-squared."""
    from scipy.stats import chi2

    x, y = logit(p), np.array(Y)

    def loss(a: float, b: float) -> float:
        return float(np.logaddexp(0, np.where(y == 1, -1, 1) * (a + b * x)).sum())

    best = minimize(lambda v: loss(*v), [0.0, 1.0], method="BFGS", options={"gtol": 1e-9}).fun
    for limit in recalibration_test(Y, p).slope_interval(level, method="profile"):
        at = minimize(lambda v, b=limit: loss(v[0], b), [0.0], method="BFGS", options={"gtol": 1e-9}).fun
        assert 2 * (at - best) == pytest.approx(chi2.ppf(level, 1), rel=1e-7)


def test_classes_may_be_exchanged_with_the_probabilities() -> None:
    first, second = recalibration_test(Y, P), recalibration_test([1 - y for y in Y], [1 - p for p in P])

    assert second.slope == pytest.approx(first.slope, rel=1e-12)
    assert second.intercept == pytest.approx(-first.intercept, rel=1e-10)
    assert second.statistic == pytest.approx(first.statistic, rel=1e-9)


def test_recalibrated_probabilities_have_slope_one() -> None:
    first = recalibration_test(Y, Q)

    again = recalibration_test(Y, expit(first.intercept + first.slope * logit(Q)))

    assert again.slope == pytest.approx(1, abs=1e-12)
    assert again.intercept == pytest.approx(0, abs=1e-12)
    assert again.statistic == pytest.approx(0, abs=1e-12)


def test_separated_classes_have_an_infinite_slope() -> None:
    result = recalibration_test([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.8])
    low, high = result.slope_interval()

    assert result.slope == math.inf
    assert math.isnan(calibration_slope([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]))
    assert "separate the classes" in result.reason
    assert result.statistic == pytest.approx(-2 * np.log([0.9, 0.8, 0.7, 0.6, 0.7, 0.8]).sum())
    assert 0 < low < high == math.inf
    assert recalibration_test([1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4]).slope == -math.inf


def test_border_with_both_classes_keeps_its_likelihood() -> None:
    """Only the tied probability holds both classes: one half each."""
    result = recalibration_test([0, 0, 1, 1], [0.1, 0.5, 0.5, 0.9])

    assert result.slope == math.inf
    assert result.statistic == pytest.approx(2 * (2 * math.log(0.5) - math.log(0.9 * 0.5 * 0.5 * 0.9)))


@pytest.mark.parametrize(
    ("y", "p", "reason"),
    [
        ([0, 1, 1], [0.0, 0.4, 1.0], "the probability is 0 or 1 in 2 instances"),
        ([0, 1], [1.0, 0.4], "the probability is 0 or 1 in 1 instance"),
        ([1, 1, 1], [0.2, 0.4, 0.9], "all instances belong to one class"),
        ([0, 1, 1], [0.6, 0.6, 0.6], "all probabilities are equal"),
    ],
)
def test_undefined_slopes_have_a_reason(y: list[int], p: list[float], reason: str) -> None:
    result = recalibration_test(y, p)

    assert math.isnan(result.slope)
    assert math.isnan(result.pvalue)
    assert all(math.isnan(limit) for limit in result.slope_interval())
    assert reason in result.reason


def test_constant_probability_has_calibration_in_the_large() -> None:
    result = recalibration_test([0, 1, 1], [0.6, 0.6, 0.6])

    assert result.calibration_in_the_large == pytest.approx(logit(2 / 3) - logit(0.6))


def test_sentence_gives_the_slope_and_its_interval() -> None:
    assert report.sentence(recalibration_test(Y, P)) == (
        "Recalibration of 20 instances: slope 1.14, 95 % interval 0.155 to 2.13, calibration in the large 0.0733, "
        "χ²(2) = 0.104, p = 0.949 (χ² approximation)."
    )
